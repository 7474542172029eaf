"""Hints: a good move, from what the player can see."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from bot.clock import Clock
from bot.service.analysis.solver_pool import Priority, SolverPool
from bot.service.daily.daily import Daily
from bot.service.errors import Finished, NotInContest, StaleTable
from bot.service.games.ongoing import OngoingGames
from bot.service.games.requests import Request
from bot.service.turn import Position, Turn, TurnAction
from bot.storage import Status, Store
from engine import Move, Record
from solve import jobs, quick_hint

log = logging.getLogger(__name__)

PATIENCE_S = 0.8  # a plain hint in under a second is better than a good one after it

QuickHint = Callable[[Record, Any], Move | None]


@dataclass(frozen=True, slots=True)
class _Pending:
    """A hint that is being worked out for a game at that revision."""

    revision: int
    move: asyncio.Task[Move | None]


class Hints(OngoingGames):
    """Gives hints: the solvers' if they answer in time, else one by rules of thumb."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        *,
        daily: Daily | None = None,
        solvers: SolverPool | None = None,
        on_turn: Callable[[Turn], object] = lambda _: None,
    ) -> None:
        super().__init__(store, clock, daily=daily, solvers=solvers, on_turn=on_turn)
        self.quick_hint: QuickHint = quick_hint
        self._pending: dict[int, _Pending] = {}

    async def hint(self, request: Request) -> Turn:
        """Return the game as it stands; its ``moves`` are one that is worth making, or none if none is.

        :raises StaleTable: when the game has moved on from what the user saw.
        :raises Finished: when the game has ended.
        :raises NotInContest: when it is a daily game or one of a challenge.
        """
        turn = await self.show(request)
        if request.revision not in (None, turn.game.revision):
            raise StaleTable(turn)
        if turn.game.status is not Status.PLAYING:
            raise Finished
        if not turn.has_hints:
            raise NotInContest
        pending = self._hint_for(turn)
        await asyncio.wait({pending})
        newest = await self.newest(turn)
        if newest is not turn:
            raise StaleTable(newest)
        move = pending.result()
        hinted = replace(turn, action=TurnAction.HINTED, moves=(move,) if move else ())
        self._on_turn(hinted)
        return hinted

    def _hint_for(self, turn: Turn) -> asyncio.Task[Move | None]:
        """Begin to look for a hint; asked again about the same table, return the same one."""
        known = self._pending.get(turn.game.id)
        if known is not None and known.revision >= turn.game.revision:
            return known.move
        self._moved_on(turn.game.id)
        pending = _Pending(turn.game.revision, asyncio.create_task(self._work_out(turn.position)))
        self._pending[turn.game.id] = pending

        def forget(_: object) -> None:
            if self._pending.get(turn.game.id) is pending:
                del self._pending[turn.game.id]

        pending.move.add_done_callback(forget)
        return pending.move

    async def _work_out(self, position: Position) -> Move | None:
        text = None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_S):
                text = await self._solvers.ask(Priority.QUICK, jobs.hint, str(position.record))
        if text is not None:
            for move in position.legal_moves:
                if str(move) == text:
                    return move
            log.error("%r is no hint for a game of %s: the rules forbid it", text, position.record.game)
        return await asyncio.to_thread(self.quick_hint, position.record, position.state)

    def _moved_on(self, game_id: int) -> None:
        """Drop a hint for a table that is there no more."""
        pending = self._pending.pop(game_id, None)
        if pending is not None:
            pending.move.cancel()
