"""Where a game was lost, told when nobody plays the same cards any more."""

from __future__ import annotations

from dataclasses import replace

from bot.service.analysis.best_scores import BestScores
from bot.service.analysis.solver_pool import Priority, SolverPool
from bot.service.contests import Contests
from bot.service.errors import AnalyseLater, NotFinished
from bot.service.turn import Turn
from bot.storage import Status
from solve import Analysis, jobs

BUDGET_S = 12.0


class Analyses:
    """The service over what thinks."""

    def __init__(self, bests: BestScores, contests: Contests, solvers: SolverPool) -> None:
        self._bests = bests
        self._contests = contests
        self._solvers = solvers

    @property
    def is_crowded(self) -> bool:
        """True when so many wait for what is thought out that one more would get nothing."""
        return self._solvers.is_full(Priority.SLOW)

    async def check(self, turn: Turn) -> None:
        """See that a game may be analysed.

        :raises NotFinished: when it is still going.
        :raises AnalyseLater: when it is a contest that is still going for somebody.
        """
        if turn.ends_ms or turn.has_daily_cards:
            raise AnalyseLater(is_daily=True)
        if turn.game.challenge_id and not await self._contests.is_final(turn.game.challenge_id):
            raise AnalyseLater(is_daily=False)
        if await self._bests.are_contested(turn):
            raise AnalyseLater(is_daily=False)
        if turn.game.status is Status.PLAYING:  # said last: in a contest it would promise too much
            raise NotFinished

    async def analyse(self, turn: Turn) -> Analysis | None:
        """Return where a game was lost that may be analysed; None where that can't be worked out now."""
        analysis = await self._solvers.ask(Priority.SLOW, jobs.analyse, str(turn.position.record), BUDGET_S)
        if analysis is None or turn.best is None or analysis.par.score > turn.best.score:
            return analysis
        return replace(analysis, par=turn.best)  # that one had more time
