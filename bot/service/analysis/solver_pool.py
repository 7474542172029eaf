"""Long thinking, in processes of their own: solvers would hold up the event loop, and one another's threads.

There are two lanes, each with one process. In the quick one somebody waits for the answer: its jobs take
less than a second. The slow one has what may take ten seconds, at a low priority. A job is a function of
:mod:`solve.jobs`, which gets and gives plain values. Nothing that is thought out is ever needed: where there
is no answer (too many wait, the process died, it is still warming up), there is None, and the caller does
without.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import logging
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import solve
from solve import jobs

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger(__name__)

WAITING_MAX = 40  # questions in a lane; at more than that the answers would come too late to be of use

_ROOT = Path(solve.__file__).parents[1]


class Priority(Enum):
    """Where a job is done; the value is how much it gives way to other processes."""

    QUICK = 2
    SLOW = 15


# The quick lane is kept warm: a player would notice the second or two that a start takes.
_IDLE_S = {Priority.QUICK: 12 * 3600.0, Priority.SLOW: 600.0}


class SolverPool:
    """What thinks; it begins when it is started, or first asked."""

    thinks = True

    def __init__(self, waiting_max: int = WAITING_MAX) -> None:
        self._lanes = {lane: _Worker(lane, waiting_max, idle_s) for lane, idle_s in _IDLE_S.items()}
        self._warming: asyncio.Task[None] | None = None
        self._is_closed = False

    def start(self) -> None:
        """Begin to warm up: where solvers are compiled, that takes most of a minute the first time ever."""
        if self._warming is None and not self._is_closed:
            self._warming = asyncio.create_task(self._warm(), name="warm-up")

    @property
    def is_warm(self) -> bool:
        """True when both lanes can answer at once."""
        return self._warming is not None and self._warming.done()

    async def _warm(self) -> None:
        # One after the other: what the first has compiled, the second only loads.
        for lane in Priority:
            await self._lanes[lane].ask(partial(jobs.warm_up))

    async def ask(self, lane: Priority, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        """Return what a job answers, or None where it can't now.

        The quick lane answers None while it is warming up; the slow one waits.
        Whoever cancels this no longer waits; a job that has begun still ends by its own budget.
        """
        if self._is_closed:
            return None
        self.start()
        assert self._warming is not None
        if lane is Priority.QUICK and not self.is_warm:
            return None
        return await self._lanes[lane].ask(partial(job, *args, **kwargs), self._warming)

    def is_idle(self, lane: Priority) -> bool:
        """Return whether a question in that lane would be thought about at once."""
        return self.is_warm and not self._is_closed and self._lanes[lane].is_idle

    def is_full(self, lane: Priority) -> bool:
        """Return whether so many wait in that lane that a question would get no answer."""
        return self._lanes[lane].is_full

    def queued(self, lane: Priority) -> int:
        """Return how many questions in that lane have no answer yet."""
        return self._lanes[lane].queued

    async def close(self) -> None:
        """Answer nothing any more: what is being thought out is given up, and every process has ended."""
        if self._is_closed:
            return
        self._is_closed = True
        for worker in self._lanes.values():
            worker.close()
        if self._warming is not None:
            self._warming.cancel()
            await asyncio.wait({self._warming})
        await asyncio.gather(*(worker.wait_closed() for worker in self._lanes.values()))


class NullSolverPool(SolverPool):
    """Knows no answer: for where nobody is to wait for one."""

    thinks = False

    def start(self) -> None:
        """Begin nothing."""

    async def close(self) -> None:
        """End nothing."""

    async def ask(self, lane: Priority, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        """Return None."""
        return None


class _Worker:
    """One process that does one job after another, in the order in which they are asked for.

    A thread speaks with it, since that waits. After ``idle_s`` seconds without a job the process ends, and
    its memory is free; the next job starts it anew.
    """

    def __init__(self, lane: Priority, waiting_max: int, idle_s: float) -> None:
        self._lane = lane
        self._waiting_max = waiting_max
        self._idle_s = idle_s
        self._waiting = 0
        self._resting: asyncio.TimerHandle | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=f"{lane.name.lower()}-lane")
        self._lock = threading.Lock()  # for the two below
        self._process: _Process | None = None
        self._is_closed = False

    @property
    def queued(self) -> int:
        """How many jobs are done or wait."""
        return self._waiting

    @property
    def is_idle(self) -> bool:
        """True when no job is done, and none waits."""
        return not self._waiting

    @property
    def is_full(self) -> bool:
        """True when as many wait as may."""
        return self._waiting >= self._waiting_max

    async def ask(self, job: partial[T], first: asyncio.Task[None] | None = None) -> T | None:
        """Return what the job answers, once ``first`` is done; None where too many wait or it fails.

        With nothing to wait for, it is the warm-up itself, which is done however many wait for it.
        """
        if first is not None and self.is_full:
            log.info("%s was not done, since %d others wait", job.func.__name__, self._waiting)
            return None
        self._waiting += 1
        try:
            if first is not None and not first.done():
                await asyncio.wait({first})
            if self._is_closed:
                return None
            do = partial(contextvars.copy_context().run, self._do, job)  # so that the log says who asked
            return await asyncio.get_running_loop().run_in_executor(self._thread, do)
        finally:
            self._waiting -= 1
            self._rest_later()

    def _do(self, job: partial[T]) -> T | None:
        try:
            process = self._started()
            if process is None:
                return None
            answer, fault = process.do(job)
        except Exception as error:  # noqa: BLE001 - it died, in whatever way; what is next gets another one
            if not self._is_closed:
                name = self._lane.name.lower()
                log.error("the process of the %s lane died at %s: %r", name, job.func.__name__, error)
            self._end()
            return None
        if fault:
            log.error("%s failed\n%s", job.func.__name__, fault)
        return cast("T | None", answer)

    def _started(self) -> _Process | None:
        with self._lock:
            if self._process is None and not self._is_closed:
                self._process = _Process(self._lane.value)
            return self._process

    def _rest_later(self) -> None:
        """End the process after a while, unless somebody asks before."""
        if self._resting is not None:
            self._resting.cancel()
        if not self._waiting and not self._is_closed:
            loop = asyncio.get_running_loop()
            self._resting = loop.call_later(self._idle_s, self._thread.submit, self._end)

    def _end(self) -> None:
        """End the process, if there is one, and wait until it has ended."""
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.end()

    def close(self) -> None:
        """Begin no job any more, and give up the present one."""
        with self._lock:
            self._is_closed = True
            if self._process is not None:
                self._process.kill()
        if self._resting is not None:
            self._resting.cancel()

    async def wait_closed(self) -> None:
        """Wait until the process has ended."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._end)
        self._thread.shutdown(wait=False)


class _Process:
    """A process of :mod:`solve.worker`.

    No fork: that of a process with threads can hang. It is in a session of its own, since a terminal's Ctrl-C
    goes to all of the bot's.
    """

    def __init__(self, niceness: int) -> None:
        # Nor may a Ctrl-C reach it in the moment before it has one: it is born deaf to it.
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "solve.worker", str(niceness)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                cwd=_ROOT,
                start_new_session=True,
            )
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)

    def do(self, job: Callable[[], Any]) -> tuple[Any, str]:
        """Return what the job answers, and the traceback where it failed.

        :raises EOFError: when the process died while it was at it.
        :raises OSError: when it died before.
        """
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(pickle.dumps(job))
        self._process.stdin.flush()
        answer: tuple[Any, str] = pickle.load(self._process.stdout)
        return answer

    def kill(self) -> None:
        """End the process at once; whoever waits for its answer learns that it died."""
        self._process.kill()

    def end(self) -> None:
        """End the process, and wait until it has ended."""
        self._process.kill()
        with contextlib.suppress(BrokenPipeError), self._process:  # which closes the pipes, and waits
            pass
