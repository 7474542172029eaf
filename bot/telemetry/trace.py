"""What is under way: whose request it is, and how long each phase of it takes.

A task that answers somebody begins a :class:`Trace`; all that it calls, in whatever layer, thread or task of
its own, finds that one again, for a context is copied to where work is handed on. What nobody asked for,
such as a daily post, has none.
"""

from __future__ import annotations

import time
from contextvars import ContextVar
from dataclasses import dataclass, field
from types import TracebackType


@dataclass(slots=True, eq=False)
class Trace:
    """One request: ``what`` was asked for, by whom, about which game, and by which shard it came, of several.

    ``typed`` are the texts that came with it, which no log may have. ``seconds`` sums up each phase.
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
        """Seconds from the beginning until the answer was sent, or until now where none was measured."""
        return (self._sent_s or time.perf_counter()) - self._began_s

    def add(self, phase: str, since_s: float, until_s: float) -> None:
        """Note that a phase was gone through."""
        self.seconds[phase] = self.seconds.get(phase, 0.0) + until_s - since_s
        if phase == SEND:
            self._sent_s = until_s


ENGINE, COMMIT, RENDER, SEND = PHASES = ("engine", "commit", "render", "send")

_trace: ContextVar[Trace | None] = ContextVar("trace", default=None)


def begin(trace: Trace) -> None:
    """Make ``trace`` that of the present task, and of all that it begins."""
    _trace.set(trace)


def current() -> Trace | None:
    """Return the trace of whatever is being done now."""
    return _trace.get()


def note_game(game_id: int) -> None:
    """Note which game the present request is about."""
    trace = _trace.get()
    if trace is not None:
        trace.game_id = game_id


class measure:  # noqa: N801 - is read as a statement: with measure(RENDER): …
    """Adds the time that its block takes to a phase of the present trace, if there is one."""

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
