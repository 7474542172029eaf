"""The current request: who made it, and how long each phase takes.

The task that answers a request begins a :class:`Trace`. Everything it calls, in any layer, and every thread
or task it starts, sees the same one, because the context is copied along. Work that nobody asked for, such as
a daily post, has no trace.
"""

from __future__ import annotations

import time
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import TracebackType


@dataclass(slots=True, eq=False)
class Trace:
    """One request: ``what`` was asked for, by which user, about which game, and through which shard.

    ``shard_id`` is None where there is only one. ``typed`` holds the texts the user typed, which must not be
    logged. ``seconds`` is the total time of each phase.
    """

    what: str
    user_id: int
    game_id: int | None = None
    typed: tuple[str, ...] = field(default=(), repr=False)
    shard_id: int | None = None
    seconds: dict[str, float] = field(default_factory=dict)
    _began_s: float = field(default_factory=time.perf_counter)
    _sent_s: float | None = None

    @property
    def total_s(self) -> float:
        """Seconds from the start until the answer was sent, or until now if none was."""
        return (self._sent_s or time.perf_counter()) - self._began_s

    def add(self, phase: str, since_s: float, until_s: float) -> None:
        """Add the time of a phase, by :func:`time.perf_counter`."""
        self.seconds[phase] = self.seconds.get(phase, 0.0) + until_s - since_s
        if phase == SEND:
            self._sent_s = until_s


ENGINE, COMMIT, RENDER, SEND = PHASES = ("engine", "commit", "render", "send")

_trace: ContextVar[Trace | None] = ContextVar("trace", default=None)


def begin(trace: Trace) -> None:
    """Make ``trace`` that of the current task and of every task and thread it starts."""
    _trace.set(trace)


def current() -> Trace | None:
    """Return the trace of the current request, if there is one."""
    return _trace.get()


def note_game(game_id: int) -> None:
    """Note which game the current request is about."""
    trace = _trace.get()
    if trace is not None:
        trace.game_id = game_id


class measure:  # noqa: N801 - reads as a statement: with measure(RENDER): …
    """Adds the time its block takes to a phase of the current trace, if there is one."""

    __slots__ = ("_phase", "_since_s", "_trace")

    def __init__(self, phase: str) -> None:
        self._phase = phase

    def __enter__(self) -> None:
        self._trace = _trace.get()
        self._since_s = time.perf_counter()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._trace is not None:
            self._trace.add(self._phase, self._since_s, time.perf_counter())
