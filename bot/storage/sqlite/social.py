"""Challenges, daily posts, and all that is kept of one user, in SQLite."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, replace

from bot.storage.base import LARGEST_ID, AlreadyExists, LiveTable, NewGame, StoredGame
from bot.storage.rows import (
    CHALLENGE,
    CHANNEL,
    GAME,
    IS_STARTED,
    MOVES,
    RECLAIM_FROM_MS,
    RECLAIM_UNTIL_MS,
    challenge_of,
    channel_of,
    game_of,
    games_of,
    participant_of,
    played_of,
)
from bot.storage.social import Challenge, DailyChannel, Played
from bot.storage.sqlite.file import SqliteFile, next_number, one
from bot.storage.sqlite.games import insert_game

# The record without its moves.
_DEAL = "substr(record, 1, instr(record || ' ', ' ') - 1)"


class SocialInSqlite(SqliteFile):
    """A :class:`bot.storage.social.SocialStore`."""

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

    async def load_challenge(self, challenge_id: int) -> Challenge | None:
        """Return the challenge of that id."""
        if challenge_id > LARGEST_ID:
            return None
        participants = (
            f"SELECT p.user_id, p.game_id, COALESCE(g.status, 'playing'), COALESCE(g.score, 0),"
            f" COALESCE({MOVES}, 0) FROM challenge_players p LEFT JOIN games g ON g.id = p.game_id"
            " WHERE p.challenge_id = ? ORDER BY p.place"
        )
        async with self._reading() as db:
            row = await one(db, f"SELECT {CHALLENGE} FROM challenges WHERE id = ?", challenge_id)
            if row is None:
                return None
            rows = await db.execute_fetchall(participants, (challenge_id,))
        return replace(challenge_of(row), participants=tuple(map(participant_of, rows)))

    async def challenges_since(self, creator_id: int, since_ms: int) -> Sequence[int]:
        """Return when the user's challenges were made that are younger than ``since_ms``, the first first."""
        query = "SELECT created_ms FROM challenges WHERE creator_id = ? AND created_ms > ? ORDER BY 1"
        async with self._reading() as db:
            return [row[0] for row in await db.execute_fetchall(query, (creator_id, since_ms))]

    async def place_challenge(self, challenge_id: int, channel_id: int, message_id: int) -> None:
        """Note which message shows the challenge."""
        async with self._transaction() as db:
            await db.execute(
                "UPDATE challenges SET channel_id = ?, message_id = ? WHERE id = ?",
                (channel_id, message_id, challenge_id),
            )

    async def join_challenge(self, new: NewGame, limit: int) -> StoredGame:
        """Deal the owner's game in a challenge; see :meth:`bot.storage.social.SocialStore.join_challenge`."""
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

    async def set_daily_channel(self, channel: DailyChannel) -> None:
        """Keep where a server's daily post goes."""
        query = f"INSERT OR REPLACE INTO daily_channels ({CHANNEL}) VALUES (?,?,?,?,?,?,?,?)"
        async with self._transaction() as db:
            await db.execute(query, astuple(channel))

    async def daily_channel(self, server_id: int) -> DailyChannel | None:
        """Return where a server's daily post goes."""
        query = f"SELECT {CHANNEL} FROM daily_channels WHERE server_id = ?"
        async with self._reading() as db:
            row = await one(db, query, server_id)
        return channel_of(row)

    async def drop_daily_channel(self, server_id: int) -> bool:
        """Forget where a server's daily post goes; return whether there was such a channel."""
        query = "DELETE FROM daily_channels WHERE server_id = ? RETURNING 1"
        async with self._transaction() as db:
            return await one(db, query, server_id) is not None

    async def claim_daily_post(self, day: str, now_ms: int) -> DailyChannel | None:
        """Begin a post; see :meth:`bot.storage.social.SocialStore.claim_daily_post`."""
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

    async def note_daily_post(self, server_id: int, day: str, trouble: str = "") -> None:
        """Note that a post has arrived, or why it can't."""
        begun = "server_id = ? AND day = ? AND is_done = 0"
        query = f"UPDATE daily_channels SET is_done = 1, trouble = ? WHERE {begun}"
        async with self._transaction() as db:
            await db.execute(query, (trouble, server_id, day))

    async def put_back_daily_post(self, server_id: int, day: str) -> None:
        """Let a post that was begun be due again."""
        query = "UPDATE daily_channels SET day = '' WHERE server_id = ? AND day = ? AND is_done = 0"
        async with self._transaction() as db:
            await db.execute(query, (server_id, day))

    async def played(self, owner_id: int) -> Sequence[Played]:
        """Return all the owner's games in short, the first dealt first."""
        query = (
            f"SELECT id, {_DEAL}, status, score, day, {IS_STARTED}, won_record <> '', is_copy"
            " FROM games WHERE owner_id = ? ORDER BY id"
        )
        async with self._reading() as db:
            rows = await db.execute_fetchall(query, (owner_id,))
        return list(map(played_of, rows))

    async def game_on_deal(self, owner_id: int, deal: str) -> StoredGame | None:
        """Return the owner's last ended game of that deal."""
        query = (
            f"SELECT {GAME} FROM games WHERE owner_id = ? AND status <> 'playing' AND {_DEAL} = ?"
            " ORDER BY id DESC LIMIT 1"
        )
        async with self._reading() as db:
            return game_of(await one(db, query, owner_id, deal))

    async def games_of(self, owner_id: int, after: int, limit: int) -> Sequence[StoredGame]:
        """Return the owner's games with ids above ``after``, lowest first."""
        query = f"SELECT {GAME} FROM games WHERE owner_id = ? AND id > ? ORDER BY id LIMIT ?"
        async with self._reading() as db:
            rows = await db.execute_fetchall(query, (owner_id, after, limit))
        return games_of(rows)

    async def tables_of(self, owner_id: int) -> Mapping[int, LiveTable]:
        """Return where the controls of the owner's games are, by the games' ids."""
        query = (
            "SELECT game_id, t.channel_id, t.message_id, t.remains FROM live_tables t"
            " JOIN games g ON g.id = t.game_id WHERE g.owner_id = ?"
        )
        async with self._reading() as db:
            rows = await db.execute_fetchall(query, (owner_id,))
        return {game_id: LiveTable(*place) for game_id, *place in rows}

    async def challenges_of(self, user_id: int) -> Sequence[Challenge]:
        """Return the challenges that the user made or takes part in."""
        query = (
            f"SELECT {CHALLENGE} FROM challenges WHERE creator_id = ? OR id IN"
            " (SELECT challenge_id FROM challenge_players WHERE user_id = ?) ORDER BY id"
        )
        async with self._reading() as db:
            return [challenge_of(row) for row in await db.execute_fetchall(query, (user_id, user_id))]

    async def servers_of(self, user_id: int) -> Sequence[int]:
        """Return the servers in which the user is known to play."""
        query = "SELECT server_id FROM server_players WHERE user_id = ? ORDER BY server_id"
        async with self._reading() as db:
            return [row[0] for row in await db.execute_fetchall(query, (user_id,))]

    async def channels_chosen_by(self, user_id: int) -> Sequence[DailyChannel]:
        """Return the daily posts that the user arranged."""
        query = f"SELECT {CHANNEL} FROM daily_channels WHERE chosen_by = ? ORDER BY server_id"
        async with self._reading() as db:
            rows = await db.execute_fetchall(query, (user_id,))
        return [channel for channel in map(channel_of, rows) if channel]

    async def forget(self, user_id: int, day: str, mark: str) -> None:
        """Delete all that is kept of the user; see :meth:`bot.storage.social.SocialStore.forget`."""
        own_games = "(SELECT id FROM games WHERE owner_id = ?)"
        async with self._transaction() as db:
            todays = "SELECT id FROM games WHERE owner_id = ? AND day = ? AND day <> ''"
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
            for query in (
                "DELETE FROM daily_results WHERE user_id = ?",
                "DELETE FROM server_players WHERE user_id = ?",
                f"DELETE FROM live_tables WHERE game_id IN {own_games}",
                "DELETE FROM challenge_players WHERE user_id = ?",
                "UPDATE challenges SET creator_id = 0 WHERE creator_id = ?",
                "UPDATE daily_channels SET chosen_by = 0 WHERE chosen_by = ?",
                "DELETE FROM settings WHERE user_id = ?",
                "DELETE FROM players WHERE user_id = ?",
                "DELETE FROM games WHERE owner_id = ?",
            ):
                await db.execute(query, (user_id,))

    async def tidy(self, day: str) -> None:
        """Delete what was kept only until ``day``."""
        async with self._transaction() as db:
            await db.execute("DELETE FROM daily_marks WHERE day < ?", (day,))
            # The plus keeps SQLite from going through all results before the day.
            await db.execute("DELETE FROM daily_results WHERE user_id < 0 AND +day < ?", (day,))
            await db.execute(
                "DELETE FROM server_players WHERE user_id < 0"
                " AND user_id NOT IN (SELECT user_id FROM daily_results WHERE user_id < 0)"
            )
