"""Deals that are known to be winnable, in SQLite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.storage.pool import RuleSet
from bot.storage.sqlite.file import SqliteFile, one


class PoolInSqlite(SqliteFile):
    """A :class:`bot.storage.pool.PoolStore`."""

    async def add_winnable(self, rule_set: RuleSet, number: int, line: str) -> None:
        """Keep a deal, unless it is there."""
        query = (
            "INSERT INTO winnable_deals (game, rules, number, line) VALUES (?,?,?,?) ON CONFLICT DO NOTHING"
        )
        async with self._transaction() as db:
            await db.execute(query, (*rule_set, number, line))

    async def winnable_numbers(self, rule_set: RuleSet, limit: int) -> Sequence[int]:
        """Return the deals that are kept of a rule set, rising."""
        query = "SELECT number FROM winnable_deals WHERE game = ? AND rules = ? ORDER BY number LIMIT ?"
        async with self._reading() as db:
            return [row[0] for row in await db.execute_fetchall(query, (*rule_set, limit))]

    async def winnable_line(self, rule_set: RuleSet, number: int) -> str | None:
        """Return the moves that win a deal."""
        query = "SELECT line FROM winnable_deals WHERE game = ? AND rules = ? AND number = ?"
        async with self._reading() as db:
            row = await one(db, query, *rule_set, number)
        return None if row is None else str(row[0])

    async def winnable_counts(self) -> Mapping[RuleSet, int]:
        """Return how many deals are kept of each rule set."""
        query = "SELECT game, rules, COUNT(*) FROM winnable_deals GROUP BY game, rules"
        async with self._reading() as db:
            rows = await db.execute_fetchall(query)
        return {(game, rules): count for game, rules, count in rows}

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
