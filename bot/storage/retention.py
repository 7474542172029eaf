"""What every store can do with unfinished games that nobody plays on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bot.storage.base import StoredGame


class RetentionStore(Protocol):
    """Finds such games, and keeps no more of them than their record. Daily games end by their own rules."""

    async def untouched_games(self, before_ms: int, limit: int) -> Sequence[StoredGame]:
        """Return games that are still going and were last touched before that, longest untouched first.

        Daily games are not among them.
        """

    async def thin(self, game: StoredGame) -> None:
        """Keep of ``game.id`` its record, and that by which it was won, if it still has ``game.revision``.

        Status and score are written and the revision grows by one; what redo would play and where its
        controls are is deleted.

        :raises Stale: when it has another revision, or is not there.
        """
