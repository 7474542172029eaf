"""Daily games and their boards in PostgreSQL.

A board of one day is read off the index by score: how often each score came gives ranks, average and
number of players without looking at a user. Several days have to be summed up for each user.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.storage.models import Board, BoardQuery, DailyResult, Standing
from bot.storage.postgres.server import Db, PostgresServer
from bot.storage.queries import MAX_BEST
from bot.storage.rows import ranked, result_of


class BoardsInPostgres(PostgresServer):
    """A :class:`bot.storage.protocol.BoardStore`."""

    async def board(self, query: BoardQuery) -> Board:
        """Return a board as it is now."""

        async def read(db: Db, _: bool) -> Board:
            # One snapshot for all questions, or a result that comes in between would not fit.
            async with db.transaction(isolation="repeatable_read", readonly=True):
                source, values = _source(query)
                counted = f"SELECT score, COUNT(*) FROM {source} GROUP BY score ORDER BY score"
                scores: dict[int, int] = dict(map(tuple, await db.fetch(counted, *values)))
                if query.first and query.first == query.last:
                    return await _board_of_a_day(db, query, scores)
                return await _board_of_days(db, query, scores)

        return await self._ask(read)

    async def best_results(self, day: str, server_id: int | None) -> Sequence[DailyResult]:
        """Return the results, at most 25, with the day's best score; nobody's who asked to be forgotten."""
        source, values = _source(BoardQuery(day, day, user_id=0, server_id=server_id))
        query = (
            f"SELECT r.day, r.user_id, r.game_id, r.score FROM {source} AND r.user_id > 0"
            f" AND r.score = (SELECT MAX(r.score) FROM {source} AND r.user_id > 0) ORDER BY r.user_id"
            f" LIMIT {MAX_BEST}"
        )
        return list(map(result_of, await self._all(query, *values)))

    async def leave_server(self, server_id: int, user_ids: Sequence[int]) -> None:
        """Take users off the boards of that server."""
        query = "DELETE FROM server_players WHERE server_id = $1 AND user_id = ANY($2::bigint[])"
        await self._do(query, server_id, list(user_ids))

    async def unlist(self, user_ids: Sequence[int]) -> None:
        """Take users' results off all boards."""
        query = "UPDATE daily_results SET is_listed = 0 WHERE user_id = ANY($1::bigint[]) AND is_listed = 1"
        await self._do(query, list(user_ids))


def _source(query: BoardQuery) -> tuple[str, tuple[str | int, ...]]:
    """Return the results on a board, as what stands between FROM and GROUP BY, and its values."""
    values: list[str | int] = []
    source, where = "daily_results r", "r.is_listed = 1"
    if query.server_id is not None:
        values.append(query.server_id)
        source = "server_players s JOIN daily_results r ON r.user_id = s.user_id AND s.server_id = $1"
    if query.first and query.first == query.last:
        values.append(query.first)
        where = f"r.day = ${len(values)} AND {where}"
    elif query.first:
        values += (query.first, query.last)
        where = f"r.day BETWEEN ${len(values) - 1} AND ${len(values)} AND {where}"
    return f"{source} WHERE {where}", tuple(values)


async def _board_of_a_day(db: Db, query: BoardQuery, scores: Mapping[int, int]) -> Board:
    source, values = _source(query)
    limit = f"${len(values) + 1}"
    best = f"SELECT r.user_id, r.score, 1 FROM {source} ORDER BY r.score DESC, r.user_id LIMIT {limit}"
    top = ranked(await db.fetch(best, *values, query.limit))
    score = await db.fetchval(
        "SELECT score FROM daily_results WHERE day = $1 AND user_id = $2", query.first, query.user_id
    )
    own = None
    if score is not None:
        better = sum(count for other, count in scores.items() if other > score)
        own = Standing(query.user_id, 1 + better, score)
    return Board(top, own, sum(scores.values()), scores)


async def _board_of_days(db: Db, query: BoardQuery, scores: Mapping[int, int]) -> Board:
    source, values = _source(query)
    asked = (query.user_id, query.first, query.last, query.limit)
    user, first, last, limit = (f"${len(values) + number}" for number in range(1, 5))
    # The sums of all in one pass, kept for the three questions about them. A sum of BIGINT is a NUMERIC.
    totals = (
        "WITH totals AS MATERIALIZED (SELECT r.user_id, SUM(r.score)::bigint AS total, COUNT(*) AS days"
        f" FROM {source} GROUP BY r.user_id),"
        " own AS MATERIALIZED (SELECT SUM(score)::bigint AS total, COUNT(*) AS days FROM daily_results"
        f" WHERE user_id = {user} AND (day BETWEEN {first}::text AND {last}::text OR {first}::text = '')),"
        " counts AS MATERIALIZED (SELECT COUNT(*) AS players,"
        " COUNT(*) FILTER (WHERE total > (SELECT total FROM own)) AS better FROM totals),"
        f" best AS (SELECT * FROM totals ORDER BY total DESC, user_id LIMIT {limit})"
        " SELECT user_id, total, days, 1 FROM best UNION ALL"
        f" SELECT {user}, total, days, 2 FROM own UNION ALL SELECT 0, players, better, 3 FROM counts"
    )
    rows = [tuple(row) for row in await db.fetch(totals, *values, *asked)]
    best = sorted((row[:3] for row in rows if row[3] == 1), key=lambda row: (-row[1], row[0]))
    [(user_id, total, days)] = [row[:3] for row in rows if row[3] == 2]
    [(players, better)] = [row[1:3] for row in rows if row[3] == 3]
    own = None if total is None else Standing(user_id, 1 + better, total, days)
    return Board(ranked(best), own, players, scores)
