"""Unfinished games that nobody plays on, in SQLite."""

from __future__ import annotations

import aiosqlite

from bot.storage.errors import RevisionConflict
from bot.storage.models import StoredGame
from bot.storage.sqlite.file import SqliteFile, one


class RetentionInSqlite(SqliteFile):
    """A :class:`bot.storage.protocol.RetentionStore`."""

    async def compact(self, game: StoredGame) -> None:
        """Keep the game's record alone; see :meth:`bot.storage.protocol.RetentionStore.compact`."""
        update = (
            "UPDATE games SET status = ?, score = ?, undone = '', revision = revision + 1"
            " WHERE id = ? AND revision = ? RETURNING 1"
        )

        async def compact(db: aiosqlite.Connection) -> None:
            if await one(db, update, game.status, game.score, game.id, game.revision) is None:
                raise RevisionConflict
            await db.execute("DELETE FROM live_tables WHERE game_id = ?", (game.id,))

        await self._commits.do(compact)
