"""Unfinished games that nobody plays on, in PostgreSQL."""

from __future__ import annotations

from bot.storage.errors import RevisionConflict
from bot.storage.models import StoredGame
from bot.storage.postgres.server import Db, PostgresServer, lock_user


class RetentionInPostgres(PostgresServer):
    """A :class:`bot.storage.protocol.RetentionStore`."""

    async def compact(self, game: StoredGame) -> None:
        """Keep the game's record alone; see :meth:`bot.storage.protocol.RetentionStore.compact`."""
        update = (
            "UPDATE games SET status = $1, score = $2, undone = '', revision = revision + 1"
            " WHERE id = $3 AND revision = $4 RETURNING 1"
        )
        thinned = "SELECT 1 FROM games WHERE id = $1 AND revision = $2 AND status = $3 AND undone = ''"

        async def compact(db: Db, may_be_done: bool) -> None:
            await lock_user(db, game.owner_id)
            if await db.fetchrow(update, game.status, game.score, game.id, game.revision) is None:
                before = may_be_done and await db.fetchrow(thinned, game.id, game.revision + 1, game.status)
                if not before:
                    raise RevisionConflict
            await db.execute("DELETE FROM live_tables WHERE game_id = $1", game.id)

        await self._transaction(compact)
