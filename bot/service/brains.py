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
import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from enum import Enum
from typing import ParamSpec, TypeVar

from solve import jobs

P = ParamSpec("P")
T = TypeVar("T")

log = logging.getLogger(__name__)

WAITING_MAX = 40  # questions in a lane; at more than that the answers would come too late to be of use


class Lane(Enum):
    """Where a job is done; the value is how much it gives way to other processes."""

    QUICK = 2
    SLOW = 15


# The quick lane is kept warm: a player would notice the second or two that a start takes.
_IDLE_S = {Lane.QUICK: 12 * 3600.0, Lane.SLOW: 600.0}


class Brains:
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

    async def _warm(self) -> None:
        # One after the other: what the first has compiled, the second only loads.
        for lane in Lane:
            await self._lanes[lane].ask(jobs.warm_up)

    async def ask(self, lane: Lane, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        """Return what a job answers, or None where it can't now.

        The quick lane answers None while it is warming up; the slow one waits.
        Whoever cancels this no longer waits; a job that has begun still ends by its own budget.
        """
        if self._is_closed:
            return None
        self.start()
        assert self._warming is not None
        if not self._warming.done():
            if lane is Lane.QUICK:
                return None
            await asyncio.shield(self._warming)
        return await self._lanes[lane].ask(job, *args, **kwargs)

    def is_idle(self, lane: Lane) -> bool:
        """Return whether a question in that lane would be thought about at once."""
        is_warm = self._warming is not None and self._warming.done()
        return is_warm and not self._is_closed and self._lanes[lane].is_idle

    async def close(self) -> None:
        """Answer nothing any more; what is being thought out is given up."""
        self._is_closed = True
        if self._warming is not None:
            self._warming.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._warming
        for worker in self._lanes.values():
            worker.close()


class NoBrains(Brains):
    """Knows no answer: for where nobody is to wait for one."""

    thinks = False

    def start(self) -> None:
        """Begin nothing."""

    async def ask(self, lane: Lane, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        """Return None."""
        return None


class _Worker:
    """One process that does one job after another, in the order in which they are asked for.

    After ``idle_s`` seconds without a job it ends, and its memory is free; the next job starts it anew.
    """

    def __init__(self, lane: Lane, waiting_max: int, idle_s: float) -> None:
        self._lane = lane
        self._waiting_max = waiting_max
        self._idle_s = idle_s
        self._waiting = 0
        self._asked = 0
        self._lock = asyncio.Lock()
        self._process: _Process | None = None

    @property
    def is_idle(self) -> bool:
        """True when no job is done, and none waits."""
        return not self._waiting

    async def ask(self, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        """Return what the job answers; None where too many wait, or where it fails, which the log tells."""
        if self._waiting >= self._waiting_max:
            log.info("%s was not done, since %d others wait", job.__name__, self._waiting)
            return None
        self._waiting += 1
        self._asked += 1
        try:
            async with self._lock:
                if self._process is None:
                    self._process = await asyncio.to_thread(_Process, self._lane.value)
                return await asyncio.wrap_future(self._process.pool.submit(job, *args, **kwargs))
        except BrokenProcessPool:
            log.error("the process of the %s lane died; another one takes its place", self._lane.name.lower())
            self.close()
        except Exception:
            log.exception("%s failed", job.__name__)
        finally:
            self._waiting -= 1
            asyncio.get_running_loop().call_later(self._idle_s, self._rest, self._asked)
        return None

    def _rest(self, asked: int) -> None:
        if self._asked == asked and not self._waiting:
            self.close()

    def close(self) -> None:
        """End the process at once."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()


class _Process:
    """A pool of one process, which has started."""

    def __init__(self, niceness: int) -> None:
        # Not forked: a fork of a process with threads can hang, and would keep the bot's sockets open.
        self.pool = ProcessPoolExecutor(
            1, multiprocessing.get_context("spawn"), initializer=_become_worker, initargs=(niceness,)
        )
        self._pid = self.pool.submit(os.getpid).result()

    def kill(self) -> None:
        self.pool.shutdown(wait=False, cancel_futures=True)
        with contextlib.suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)


def _become_worker(niceness: int) -> None:
    """Give way to others, leave Ctrl-C to the bot, and end when the bot does, however it ends."""
    os.nice(niceness)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
