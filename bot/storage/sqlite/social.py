"""Challenges, daily posts, and all that is kept of one user, in SQLite."""

from __future__ import annotations

from dataclasses import astuple, replace

from bot.storage.errors import AlreadyExists
from bot.storage.models import Challenge, DailyChannel, NewGame, StoredGame
from bot.storage.queries import FORGET_USER, IS_DAILY_OF, RECLAIM_FROM_MS, RECLAIM_UNTIL_MS
from bot.storage.rows import (
    CHALLENGE,
    CHANNEL,
    channel_of,
)
from bot.storage.sqlite.file import SqliteFile, next_number, one
from bot.storage.sqlite.games import insert_game


class SocialInSqlite(SqliteFile):
    """A :class:`bot.storage.protocol.SocialStore`."""

    _DEAL = "substr(record, 1, instr(record || ' ', ' ') - 1)"

    async def create_challenge(self, challenge: Challenge) -> Challenge:
        """Keep a new challenge with its entrants, and give it an id."""
        async with self._transaction() as db:
            made = replace(challenge, id=await next_number(db, "challenges"))
            await db.execute(
                f"INSERT INTO challenges ({CHALLENGE}) VALUES (?,?,?,?,?,?,?,?)", astuple(made)[:8]
            )
            await db.executemany(
                "INSERT INTO challenge_players (challenge_id, user_id, game_id, place) VALUES (?,?,0,?)",
                [
                    (made.id, user_id, place)
                    for place, user_id in enumerate(
                        dict.fromkeys(entrant.user_id for entrant in made.participants), start=1
                    )
                ],
            )
        return made

    async def join_challenge(self, new: NewGame, limit: int) -> StoredGame:
        """Deal the owner's game in a challenge and make it current."""
        named = "SELECT game_id FROM challenge_players WHERE challenge_id = ? AND user_id = ?"
        places = "SELECT COUNT(*), COALESCE(MAX(place), 0) + 1 FROM challenge_players WHERE challenge_id = ?"
        async with self._transaction() as db:
            row = await one(db, named, new.challenge_id, new.owner_id)
            if row is None:
                is_there = await one(db, "SELECT 1 FROM challenges WHERE id = ?", new.challenge_id)
                count = await one(db, places, new.challenge_id)
                if not is_there or count is None or count[0] >= limit:
                    raise AlreadyExists
                await db.execute(
                    "INSERT INTO challenge_players (challenge_id, user_id, game_id, place) VALUES (?,?,0,?)",
                    (new.challenge_id, new.owner_id, count[1]),
                )
            elif row[0]:
                raise AlreadyExists
            game = await insert_game(db, new)
            await db.execute(
                "UPDATE challenge_players SET game_id = ? WHERE challenge_id = ? AND user_id = ?",
                (game.id, new.challenge_id, new.owner_id),
            )
        return game

    async def drop_daily_channel(self, server_id: int) -> bool:
        """Forget where a server's daily post goes; return whether there was such a channel."""
        query = "DELETE FROM daily_channels WHERE server_id = ? RETURNING 1"
        async with self._transaction() as db:
            return await one(db, query, server_id) is not None

    async def claim_daily_post(self, day: str, now_ms: int) -> DailyChannel | None:
        """Begin a post; see :meth:`bot.storage.protocol.SocialStore.claim_daily_post`."""
        query = (
            # A second try leaves no time for a third.
            "UPDATE daily_channels SET day = ?, begun_ms = CASE WHEN day = ? THEN 0 ELSE ? END,"
            " is_done = 0 WHERE server_id = (SELECT server_id FROM"
            " (SELECT server_id FROM daily_channels WHERE day < ? LIMIT 1) UNION ALL SELECT server_id FROM"
            " (SELECT server_id FROM daily_channels WHERE is_done = 0 AND day = ?"
            " AND begun_ms BETWEEN ? AND ? LIMIT 1) LIMIT 1)"
            f" RETURNING {CHANNEL}"
        )
        late = (now_ms - RECLAIM_UNTIL_MS, now_ms - RECLAIM_FROM_MS)
        async with self._transaction() as db:
            row = await one(db, query, day, day, now_ms, day, day, *late)
        return channel_of(row)

    async def forget(self, user_id: int, day: str, mark: str) -> None:
        """Delete all that is kept of the user; see :meth:`bot.storage.protocol.SocialStore.forget`."""
        async with self._transaction() as db:
            todays = f"SELECT id FROM games WHERE {IS_DAILY_OF}"
            game = await one(db, todays, user_id, day)
            if game is not None:
                nobody = -game[0]
                await db.execute("INSERT INTO daily_marks (day, mark) VALUES (?, ?)", (day, mark))
                await db.execute(
                    "UPDATE daily_results SET user_id = ? WHERE day = ? AND user_id = ?",
                    (nobody, day, user_id),
                )
                await db.execute(
                    "INSERT INTO server_players (server_id, user_id) SELECT server_id, ? FROM server_players"
                    " WHERE user_id = ?",
                    (nobody, user_id),
                )
            for query in FORGET_USER:
                await db.execute(query, (user_id,))

    async def purge(self, day: str) -> None:
        """Delete what was kept only until ``day``."""
        async with self._transaction() as db:
            await db.execute("DELETE FROM daily_marks WHERE day < ?", (day,))
            # The plus keeps SQLite from going through all results before the day.
            await db.execute("DELETE FROM daily_results WHERE user_id < 0 AND +day < ?", (day,))
            await db.execute(
                "DELETE FROM server_players WHERE user_id < 0"
                " AND user_id NOT IN (SELECT user_id FROM daily_results WHERE user_id < 0)"
            )
