"""Deals that are known to be winnable, in SQLite."""

from __future__ import annotations

from collections.abc import Sequence

from bot.storage.models import RuleSet
from bot.storage.sqlite.file import SqliteFile


class WinnableDealsInSqlite(SqliteFile):
    """A :class:`bot.storage.pool.WinnableDealStore`."""

    async def seeds_had(self, owner_id: int, rule_set: RuleSet, limit: int) -> Sequence[str]:
        """Return the seeds of the owner's last games by those rules."""
        head = "/".join((*rule_set, ""))
        query = (
            "SELECT substr(deal, ?) FROM (SELECT substr(record, 1, instr(record || ' ', ' ') - 1) AS deal"
            " FROM games WHERE owner_id = ? ORDER BY id DESC LIMIT ?) WHERE substr(deal, 1, ?) = ?"
        )
        async with self._reading() as db:
            rows = await db.execute_fetchall(query, (len(head) + 1, owner_id, limit, len(head), head))
        return [row[0] for row in rows]
