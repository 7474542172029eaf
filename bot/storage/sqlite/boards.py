"""Daily games and their boards in SQLite.

A board of one day is read off the index by score: how often each score came gives ranks, average and
number of players without looking at a user. Several days have to be summed up for each user.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import aiosqlite

from bot.storage.models import Board, BoardQuery, DailyResult, Standing
from bot.storage.queries import MAX_BEST
from bot.storage.rows import Row, ranked, result_of
from bot.storage.sqlite.file import SqliteFile, one


class BoardsInSqlite(SqliteFile):
    """A :class:`bot.storage.protocol.BoardStore`."""

    async def board(self, query: BoardQuery) -> Board:
        """Return a board as it is now."""
        async with self._reading() as db:
            source, values = _source(query)
            counted = f"SELECT score, COUNT(*) FROM {source} GROUP BY score ORDER BY score"
            scores: dict[int, int] = dict(map(tuple, await db.execute_fetchall(counted, values)))
            if query.first and query.first == query.last:
                return await _board_of_a_day(db, query, scores)
            return await _board_of_days(db, query, scores)

    async def best_results(self, day: str, server_id: int | None) -> Sequence[DailyResult]:
        """Return the results, at most 25, with the day's best score; nobody's who asked to be forgotten."""
        source, values = _source(BoardQuery(day, day, user_id=0, server_id=server_id))
        # The plus keeps SQLite from looking for results by "any user above 0".
        query = (
            f"SELECT day, r.user_id, game_id, score FROM {source} AND +r.user_id > 0"
            f" AND score = (SELECT MAX(score) FROM {source} AND +r.user_id > 0) ORDER BY r.user_id LIMIT ?"
        )
        async with self._reading() as db:
            rows = await db.execute_fetchall(query, (*values, *values, MAX_BEST))
        return list(map(result_of, rows))

    async def leave_server(self, server_id: int, user_ids: Sequence[int]) -> None:
        """Take users off the boards of that server."""
        query = "DELETE FROM server_players WHERE server_id = ? AND user_id = ?"
        async with self._transaction() as db:
            await db.executemany(query, [(server_id, user_id) for user_id in user_ids])

    async def unlist(self, user_ids: Sequence[int]) -> None:
        """Take users' results off all boards."""
        query = "UPDATE daily_results SET is_listed = 0 WHERE user_id = ?"
        async with self._transaction() as db:
            await db.executemany(query, [(user_id,) for user_id in user_ids])


def _source(query: BoardQuery) -> tuple[str, tuple[str | int, ...]]:
    """Return the results on a board, as what stands between FROM and GROUP BY, and its values."""
    days: tuple[str | int, ...] = (query.first, query.last)
    where, index = "r.day BETWEEN ? AND ? AND r.is_listed = 1", "daily_results_by_score"
    if query.first == query.last:
        days, where = (query.first,), "r.day = ? AND r.is_listed = 1"
    if not query.first:
        days, where, index = (), "r.is_listed = 1", "daily_results_by_user"
    if query.server_id is None:
        # Named, since for sums over all days SQLite would rather take the other one and sort.
        return f"daily_results r INDEXED BY {index} WHERE {where}", days
    # CROSS JOIN keeps the order: from the server's players to their results, not the other way round.
    joined = "server_players s CROSS JOIN daily_results r ON r.user_id = s.user_id AND s.server_id = ?"
    return f"{joined} WHERE {where}", (query.server_id, *days)


async def _board_of_a_day(db: aiosqlite.Connection, query: BoardQuery, scores: Mapping[int, int]) -> Board:
    source, values = _source(query)
    best = f"SELECT r.user_id, score, 1 FROM {source} ORDER BY score DESC, r.user_id LIMIT ?"
    top = ranked(map(_triple, await db.execute_fetchall(best, (*values, query.limit))))
    row = await one(
        db, "SELECT score FROM daily_results WHERE day = ? AND user_id = ?", query.first, query.user_id
    )
    own = None
    if row is not None:
        better = sum(count for score, count in scores.items() if score > row[0])
        own = Standing(query.user_id, 1 + better, row[0])
    return Board(top, own, sum(scores.values()), scores)


async def _board_of_days(db: aiosqlite.Connection, query: BoardQuery, scores: Mapping[int, int]) -> Board:
    source, values = _source(query)
    # The sums of all in one pass, kept for the three questions about them.
    totals = (
        f"WITH totals AS MATERIALIZED (SELECT r.user_id AS user_id, SUM(score) AS total, COUNT(*) AS days"
        f" FROM {source} GROUP BY r.user_id),"
        " own AS MATERIALIZED (SELECT SUM(score) AS total, COUNT(*) AS days FROM daily_results"
        " WHERE user_id = ? AND (day BETWEEN ? AND ? OR ? = '')),"
        " counts AS MATERIALIZED (SELECT COUNT(*) AS players, "
        "COALESCE(SUM(total > (SELECT total FROM own)), 0) AS better FROM totals)"
        " SELECT user_id, total, days, 1 FROM (SELECT * FROM totals ORDER BY total DESC, user_id LIMIT ?)"
        " UNION ALL SELECT ?, total, days, 2 FROM own UNION ALL SELECT 0, players, better, 3 FROM counts"
    )
    asked = (query.user_id, query.first, query.last, query.first, query.limit, query.user_id)
    rows = [tuple(row) for row in await db.execute_fetchall(totals, (*values, *asked))]
    top = ranked(row[:3] for row in rows if row[3] == 1)
    [(user_id, total, days)] = [row[:3] for row in rows if row[3] == 2]
    [(players, better)] = [row[1:3] for row in rows if row[3] == 3]
    own = None if total is None else Standing(user_id, 1 + better, total, days)
    return Board(top, own, players, scores)


def _triple(row: Row) -> tuple[int, int, int]:
    return row[0], row[1], row[2]
