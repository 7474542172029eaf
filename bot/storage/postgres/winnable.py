"""Deals that are known to be winnable, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence

from bot.storage.models import RuleSet
from bot.storage.postgres.server import PostgresServer


class WinnableDealsInPostgres(PostgresServer):
    """A :class:`bot.storage.pool.WinnableDealStore`."""

    async def seeds_had(self, owner_id: int, rule_set: RuleSet, limit: int) -> Sequence[str]:
        """Return the seeds of the owner's last games by those rules."""
        query = (
            "SELECT split_part(deal, '/', 3) FROM (SELECT split_part(record, ' ', 1) AS deal"
            " FROM games WHERE owner_id = $1 ORDER BY id DESC LIMIT $2) AS deals WHERE starts_with(deal, $3)"
        )
        rows = await self._all(query, owner_id, limit, "/".join((*rule_set, "")))
        return [row[0] for row in rows]
