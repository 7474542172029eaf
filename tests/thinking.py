"""Solvers that answer what a test tells them, when it lets them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

from bot.service import NullSolverPool, Priority
from engine import Move, Record
from solve import Par

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True)
class Question:
    """A job, and the record that it is about."""

    lane: Priority
    job: str
    record: str


class Thinker(NullSolverPool):
    """Finds nothing, unless :meth:`knows` tells it what. ``asked`` has every question, in order.

    ``broken_off`` counts the questions that were cancelled.
    """

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[Question] = []
        self.broken_off = 0
        self.waiting = 0
        self._answers: dict[str, Callable[..., Any]] = {}
        self._let = asyncio.Event()
        self._let.set()

    def knows(self, **answers: Any) -> None:
        """Answer jobs, by their names, from now on; a function is called with the job's arguments."""
        for job, answer in answers.items():
            self._answers[job] = answer if callable(answer) else lambda *_, answer=answer: answer

    def hold(self) -> None:
        """Hold back answers until :meth:`let`."""
        self._let.clear()

    def let(self) -> None:
        """Answer all that wait."""
        self._let.set()

    def questions(self, job: str) -> list[str]:
        """Return the records that a job was asked about."""
        return [question.record for question in self.asked if question.job == job]

    async def until_asked(self, count: int = 1) -> None:
        """Wait until that many questions are held back."""
        async with asyncio.timeout(10):
            while True:
                if self.waiting >= count:
                    return
                await asyncio.sleep(0)

    async def ask(self, lane: Priority, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        self.asked.append(Question(lane, job.__name__, str(args[0])))
        self.waiting += 1
        try:
            await self._let.wait()
        except asyncio.CancelledError:
            self.broken_off += 1
            raise
        finally:
            self.waiting -= 1
        answer = self._answers.get(job.__name__)
        if answer is None:
            return None
        # In a thread, since some answers are really solved.
        found: T | None = await asyncio.to_thread(answer, *args, **kwargs)
        return found


def par(score: int, upper_bound: int | None = None, line: str = "s-t") -> Par:
    """Return a solver's answer; it is proven unless there is another bound."""
    moves = tuple(map(Move.parse, line.split()))
    return Par(score, score if upper_bound is None else upper_bound, moves, 1)


def code_of(record: str) -> str:
    """Return the code of a record's deal."""
    return Record.parse(record).code
