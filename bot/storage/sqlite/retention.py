"""Unfinished games that nobody plays on, in SQLite."""

from __future__ import annotations

from collections.abc import Sequence

import aiosqlite

from bot.storage.base import RevisionConflict, StoredGame
from bot.storage.rows import GAME, games_of
from bot.storage.sqlite.file import SqliteFile, one


class RetentionInSqlite(SqliteFile):
    """A :class:`bot.storage.retention.RetentionStore`."""

    async def untouched_games(self, before_ms: int, limit: int) -> Sequence[StoredGame]:
        """Return games that are still going and were last touched before that, but for daily games."""
        query = (
            f"SELECT {GAME} FROM games WHERE status = 'playing' AND day = '' AND updated_ms < ?"
            " ORDER BY updated_ms, id LIMIT ?"
        )
        async with self._reading() as db:
            rows = await db.execute_fetchall(query, (before_ms, limit))
        return games_of(rows)

    async def thin(self, game: StoredGame) -> None:
        """Keep the game's record alone; see :meth:`bot.storage.retention.RetentionStore.thin`."""
        update = (
            "UPDATE games SET status = ?, score = ?, undone = '', revision = revision + 1"
            " WHERE id = ? AND revision = ? RETURNING 1"
        )

        async def thin(db: aiosqlite.Connection) -> None:
            if await one(db, update, game.status, game.score, game.id, game.revision) is None:
                raise RevisionConflict
            await db.execute("DELETE FROM live_tables WHERE game_id = ?", (game.id,))

        await self._commits.do(thin)
