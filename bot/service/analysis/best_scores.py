"""The best that was possible: of deals that somebody has played, and of the days' games.

What is worked out of people's own deals is kept in memory only, and not for long: a seed is its player's
text. The daily game's is worked out ahead and stored, and told when the day is over.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace

from cachetools import LRUCache

from bot.service.analysis.solver_pool import Priority, SolverPool
from bot.service.contests import Contests
from bot.service.daily.daily import Daily, DayBest
from bot.service.turn import Turn
from engine import Record
from solve import ScoreBounds, jobs

BUDGET_S = 10.0
DAILY_BUDGET_S = 30.0  # meanwhile nobody else gets anything from the slow lane
LOST_BUDGET_S = 2.0

_MAX_KEPT = 500
_MAX_FOR_ONE = 3  # deals that are worked out for one player at a time: there is one queue for all


class BestScores:
    """The service over what thinks."""

    def __init__(self, solvers: SolverPool, daily: Daily, contests: Contests) -> None:
        self._solvers = solvers
        self._daily = daily
        self._contests = contests
        self._known: LRUCache[str, ScoreBounds] = LRUCache(_MAX_KEPT)
        self._asked: dict[str, asyncio.Task[ScoreBounds | None]] = {}
        self._askers: dict[str, int] = {}

    async def annotated(self, turn: Turn) -> Turn:
        """Return the turn with the best score of its deal, where that is known already and may be told."""
        best = self._known.get(_deal(turn)) if turn.may_know_best else None
        return turn if best is None or await self.are_contested(turn) else replace(turn, best=best)

    async def are_contested(self, turn: Turn) -> bool:
        """Return whether the player of a turn also plays its cards in a challenge that is still going."""
        return await self._contests.are_about(turn.position.record.seed, turn.game.owner_id)

    async def of(self, turn: Turn) -> ScoreBounds | None:
        """Work out the best score of a turn's deal; None where it may not be told or isn't found.

        Whoever asks for the same meanwhile waits for the same answer. A player who asks for a fourth deal
        while three are being worked out gets none.
        """
        if not turn.may_know_best or await self.are_contested(turn):
            return None
        deal = _deal(turn)
        if deal in self._known:
            return self._known[deal]
        asked = self._asked.get(deal)
        if asked is None:
            if list(self._askers.values()).count(turn.game.owner_id) >= _MAX_FOR_ONE:
                return None
            asked = self._begin(deal, turn.game.owner_id)
        return await asyncio.shield(asked)

    def _begin(self, deal: str, asker: int) -> asyncio.Task[ScoreBounds | None]:
        def forget(_: object) -> None:
            del self._asked[deal], self._askers[deal]

        asked = self._asked[deal] = asyncio.create_task(self._work_out(deal))
        self._askers[deal] = asker
        asked.add_done_callback(forget)
        return asked

    async def _work_out(self, deal: str) -> ScoreBounds | None:
        par = await self._solvers.ask(Priority.SLOW, jobs.best, deal, BUDGET_S)
        if par is not None:
            self._known[deal] = par
        return par

    async def is_lost(self, turn: Turn) -> bool:
        """Return whether it is proven that a game which is still going can't be won any more.

        False in a contest, and where the same cards are still played in one.
        """
        if not turn.has_hints or turn.is_secret or await self.are_contested(turn):
            return False
        par = await self._solvers.ask(Priority.SLOW, jobs.best, str(turn.position.record), LOST_BUDGET_S)
        return par is not None and par.upper_bound < turn.table.full_score

    async def work_out_today(self) -> None:
        """Work out and store the best score of today's daily game, unless it is stored."""
        day = self._daily.today
        if await self._daily.best(day) is None:
            record = await self._daily.record(day)
            par = await self._solvers.ask(Priority.SLOW, jobs.best, record.code, DAILY_BUDGET_S)
            if par is not None:
                await self._daily.keep_best(day, DayBest(par.score, par.upper_bound))


def _deal(turn: Turn) -> str:
    record = turn.position.record
    return Record(record.game, record.rules, record.seed).code
