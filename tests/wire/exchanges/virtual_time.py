"""A clock and an event loop whose time moves only on demand, so that every run takes the same course.

While time is stopped no timer fires: a slow machine does not make the bot defer an answer, and an edit due in
ten seconds does not happen at a random moment. `Idleness` detects that all tasks wait for time to pass.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import CoroutineType
from typing import Any

DEADLOCK_S = 60.0  # of real time
POLL_S = 0.001
STABLE_S, STABLE_POLLS = 0.5, 50
CALM_POLLS = 3  # in a row, before it is believed that nothing is going on


class VirtualClock:
    """The bot's clock: milliseconds since 1970 in UTC, as they were set."""

    def __init__(self, now_ms: int) -> None:
        self.now_ms = now_ms

    def __call__(self) -> int:
        return self.now_ms

    def advance(self, seconds: float) -> None:
        self.now_ms += round(seconds * 1000)


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """An event loop whose time moves only by `advance`. Sockets and threads work as ever."""

    def __init__(self) -> None:
        super().__init__()
        self._now_s = 1_000.0
        self._waiter = ThreadPoolExecutor(1, thread_name_prefix="real time")

    def time(self) -> float:
        return self._now_s

    def advance(self, seconds: float) -> None:
        self._now_s += seconds

    async def real_pause(self, seconds: float = POLL_S) -> None:
        """Let real time pass, and everything that is ready run."""
        await self.run_in_executor(self._waiter, time.sleep, seconds)

    def close(self) -> None:
        self._waiter.shutdown(wait=False)
        super().close()


class Idleness:
    """Tells whether every task waits for the outside world or for time.

    A task is at rest while it sleeps, or while it waits at a place where it waited when `learn` was called.
    The stand-in's own tasks do not count, since each request of the bot keeps a task of the bot waiting.
    """

    def __init__(self) -> None:
        self._rests: set[tuple[str, ...]] = set()

    async def learn(self) -> None:
        """Wait until no task moves any more, and take the places where they wait for places of rest."""
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualTimeLoop)
        before: list[tuple[str, ...]] = []
        polls = 0
        while polls < STABLE_POLLS:
            await loop.real_pause(STABLE_S / STABLE_POLLS)
            places = sorted(map(_place, _tasks()))
            polls = polls + 1 if places == before else 0
            before = places
        self._rests |= set(before)

    def is_idle(self) -> bool:
        return all(self._is_at_rest(task) for task in _tasks())

    def busy(self) -> list[str]:
        """What is going on, for a message about a deadlock."""
        return [f"{task.get_name()}: {_place(task)}" for task in _tasks() if not self._is_at_rest(task)]

    def _is_at_rest(self, task: asyncio.Task[Any]) -> bool:
        if _sleeps(task):
            return True
        return _place(task) in self._rests


async def until_idle(idleness: Idleness, count: Any = lambda: 0) -> None:
    """Wait in real time until nothing is going on; `count` changes whenever something happens.

    :raises TimeoutError: it never is.
    """
    loop = asyncio.get_running_loop()
    assert isinstance(loop, VirtualTimeLoop)
    deadline, calm, seen = time.monotonic() + DEADLOCK_S, 0, None
    while calm < CALM_POLLS:
        await loop.real_pause()
        now = count()
        calm = calm + 1 if idleness.is_idle() and now == seen else 0
        seen = now
        if time.monotonic() > deadline:
            raise TimeoutError("\n".join(["it does not come to rest:", *idleness.busy()]))


def _tasks() -> Iterator[asyncio.Task[Any]]:
    current = asyncio.current_task()
    for task in asyncio.all_tasks():
        coroutine = task.get_coro()
        name = getattr(coroutine, "__qualname__", "")
        if task is not current and not name.startswith("RequestHandler."):
            yield task


def _chain(task: asyncio.Task[Any]) -> Iterator[Any]:
    """The coroutines that a task is in, outermost first, and what the innermost one waits for."""
    inner: Any = task.get_coro()
    while isinstance(inner, CoroutineType):
        yield inner
        inner = inner.cr_await
    yield inner


def _place(task: asyncio.Task[Any]) -> tuple[str, ...]:
    return tuple(
        f"{inner.__qualname__}:{inner.cr_frame.f_lineno if inner.cr_frame else 0}"
        for inner in _chain(task)
        if isinstance(inner, CoroutineType)
    )


def _sleeps(task: asyncio.Task[Any]) -> bool:
    """Whether a task is in an `asyncio.sleep` that takes time."""
    *coroutines, waits_for = _chain(task)
    return (
        bool(coroutines) and coroutines[-1].__qualname__ == "sleep" and "Future" in type(waits_for).__name__
    )
