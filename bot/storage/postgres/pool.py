"""Deals that are known to be winnable, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.storage.pool import RuleSet
from bot.storage.postgres.server import PostgresServer


class PoolInPostgres(PostgresServer):
    """A :class:`bot.storage.pool.PoolStore`."""

    async def add_winnable(self, rule_set: RuleSet, number: int, line: str) -> None:
        """Keep a deal, unless it is there."""
        query = (
            "INSERT INTO winnable_deals (game, rules, number, line) VALUES ($1, $2, $3, $4)"
            " ON CONFLICT DO NOTHING"
        )
        await self._do(query, *rule_set, number, line)

    async def winnable_numbers(self, rule_set: RuleSet, limit: int) -> Sequence[int]:
        """Return the deals that are kept of a rule set, rising."""
        query = "SELECT number FROM winnable_deals WHERE game = $1 AND rules = $2 ORDER BY number LIMIT $3"
        return [row[0] for row in await self._all(query, *rule_set, limit)]

    async def winnable_line(self, rule_set: RuleSet, number: int) -> str | None:
        """Return the moves that win a deal."""
        query = "SELECT line FROM winnable_deals WHERE game = $1 AND rules = $2 AND number = $3"
        row = await self._one(query, *rule_set, number)
        return None if row is None else str(row[0])

    async def winnable_counts(self) -> Mapping[RuleSet, int]:
        """Return how many deals are kept of each rule set."""
        rows = await self._all("SELECT game, rules, COUNT(*) FROM winnable_deals GROUP BY game, rules")
        return {(game, rules): count for game, rules, count in rows}

    async def seeds_had(self, owner_id: int, rule_set: RuleSet, limit: int) -> Sequence[str]:
        """Return the seeds of the owner's last games by those rules."""
        query = (
            "SELECT split_part(deal, '/', 3) FROM (SELECT split_part(record, ' ', 1) AS deal"
            " FROM games WHERE owner_id = $1 ORDER BY id DESC LIMIT $2) AS deals WHERE starts_with(deal, $3)"
        )
        rows = await self._all(query, owner_id, limit, "/".join((*rule_set, "")))
        return [row[0] for row in rows]
