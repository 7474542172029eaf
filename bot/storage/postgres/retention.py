"""Unfinished games that nobody plays on, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence

from bot.storage.base import RevisionConflict, StoredGame
from bot.storage.postgres.server import Db, PostgresServer, lock_user
from bot.storage.rows import GAME, games_of


class RetentionInPostgres(PostgresServer):
    """A :class:`bot.storage.retention.RetentionStore`."""

    async def untouched_games(self, before_ms: int, limit: int) -> Sequence[StoredGame]:
        """Return games that are still going and were last touched before that, but for daily games."""
        query = (
            f"SELECT {GAME} FROM games WHERE status = 'playing' AND day = '' AND updated_ms < $1"
            " ORDER BY updated_ms, id LIMIT $2"
        )
        return games_of(await self._all(query, before_ms, limit))

    async def thin(self, game: StoredGame) -> None:
        """Keep the game's record alone; see :meth:`bot.storage.retention.RetentionStore.thin`."""
        update = (
            "UPDATE games SET status = $1, score = $2, undone = '', revision = revision + 1"
            " WHERE id = $3 AND revision = $4 RETURNING 1"
        )
        thinned = "SELECT 1 FROM games WHERE id = $1 AND revision = $2 AND status = $3 AND undone = ''"

        async def thin(db: Db, may_be_done: bool) -> None:
            await lock_user(db, game.owner_id)
            if await db.fetchrow(update, game.status, game.score, game.id, game.revision) is None:
                before = may_be_done and await db.fetchrow(thinned, game.id, game.revision + 1, game.status)
                if not before:
                    raise RevisionConflict
            await db.execute("DELETE FROM live_tables WHERE game_id = $1", game.id)

        await self._transaction(thin)
