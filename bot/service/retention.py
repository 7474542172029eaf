"""Unfinished games that nobody plays on: after some time they are ended as they stand.

What is left of them is their record, so statistics, replays, comparisons and challenges still have it. Daily
games are not among them: those end with their day.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

from bot.clock import Clock
from bot.service.turn import Position
from bot.storage import RevisionConflict, Status, Store, StoredGame
from engine import Record, SolitaireError

log = logging.getLogger(__name__)

_BATCH = 100
_DAY_MS = 24 * 60 * 60 * 1000


class Retention:
    """The service over one store; without ``days`` unfinished games are kept for ever."""

    def __init__(self, store: Store, clock: Clock, days: int | None = None) -> None:
        self._store = store
        self._clock = clock
        self._days = days

    async def settle_some(self) -> int:
        """End at most a hundred games that nobody has touched for so long; return how many.

        It can be broken off anywhere. Of several processes one does it, and should two, each game is ended by
        one of them. A game that is touched meanwhile is ended by none.
        """
        if self._days is None:
            return 0
        before_ms = self._clock() - self._days * _DAY_MS
        count = 0
        async with self._store.lock("ending untouched games") as has_lock:
            if has_lock:
                for game in await self._store.untouched_games(before_ms, _BATCH):
                    count += await self._settle(game)
        if count:
            log.info("ended %d games that nobody had touched for %d days", count, self._days)
        return count

    async def _settle(self, game: StoredGame) -> bool:
        """End a game; return False where somebody else has changed it meanwhile."""
        try:
            # In a thread, since a long game takes long enough to hold up who is playing.
            score = await asyncio.to_thread(_replayed_score, game.record)
        except SolitaireError as error:  # one broken record must not hold up the others
            log.error("game %d can't be played through, and ends with the score it had: %s", game.id, error)
            score = game.score
        try:
            await self._store.compact(replace(game, status=Status.EXPIRED, score=score))
        except RevisionConflict:
            return False
        return True


def _replayed_score(record: str) -> int:
    """Return what a record comes to.

    :raises SolitaireError: when there is no such game, or it breaks the rules.
    """
    return Position.of(Record.parse(record)).table.score
