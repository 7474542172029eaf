"""The verbs whose SQL both databases understand, written once.

A store brings the three methods of :class:`Connection` and overrides what its database does differently. A
new portable verb is one method here, and one in the protocol. Values stand as ``?`` in the SQL.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from bot.storage.models import (
    LARGEST_ID,
    Challenge,
    DailyChannel,
    DailyResult,
    LiveTable,
    Played,
    RuleSet,
    Settings,
    StoredGame,
)
from bot.storage.rows import (
    CHALLENGE,
    CHANNEL,
    GAME,
    RESULT,
    SETTINGS,
    Row,
    challenge_of,
    channel_of,
    game_of,
    games_of,
    participant_of,
    played_of,
    result_of,
    settings_of,
)

MOVES = "length(record) - length(replace(record, ' ', ''))"  # of a record
IS_STARTED = f"({MOVES} > 0 OR undone <> '' OR won_record <> '')"
IS_DAILY_OF = "owner_id = ? AND day = ? AND day <> ''"

MAX_BEST = 25
# A daily post that was begun, and of which nothing is noted, is begun once more in this time.
RECLAIM_FROM_MS = 20_000
RECLAIM_UNTIL_MS = 120_000

# In this order nothing that refers to a row is left when the row goes.
FORGET_USER = (
    "DELETE FROM daily_results WHERE user_id = ?",
    "DELETE FROM server_players WHERE user_id = ?",
    "DELETE FROM live_tables WHERE game_id IN (SELECT id FROM games WHERE owner_id = ?)",
    "DELETE FROM challenge_players WHERE user_id = ?",
    "UPDATE challenges SET creator_id = 0 WHERE creator_id = ?",
    "UPDATE daily_channels SET chosen_by = 0 WHERE chosen_by = ?",
    "DELETE FROM settings WHERE user_id = ?",
    "DELETE FROM players WHERE user_id = ?",
    "DELETE FROM games WHERE owner_id = ?",
)


def assignments(columns: str) -> str:
    """Return the SET clause by which an upsert takes over columns from the row it could not insert."""
    return ", ".join(f"{name} = excluded.{name}" for name in columns.split(", "))


class Connection(ABC):
    """How a store runs a single statement. Each may be run twice if the connection is lost."""

    @abstractmethod
    async def _one(self, sql: str, *values: object) -> Row | None:
        """Return the first row, or None."""

    @abstractmethod
    async def _all(self, sql: str, *values: object) -> Sequence[Row]:
        """Return all rows."""

    @abstractmethod
    async def _do(self, sql: str, *values: object) -> None:
        """Write."""


class GameQueries(Connection):
    """Games, settings, live tables, and values that belong to no player."""

    async def load_game(self, game_id: int) -> StoredGame | None:
        """Return the game of that id."""
        if game_id > LARGEST_ID:
            return None
        return game_of(await self._one(f"SELECT {GAME} FROM games WHERE id = ?", game_id))

    async def current_game(self, owner_id: int) -> StoredGame | None:
        """Return the owner's current game."""
        sql = f"SELECT {GAME} FROM games JOIN players ON current_game = id WHERE user_id = ?"
        return game_of(await self._one(sql, owner_id))

    async def unfinished_games(self, owner_id: int, limit: int) -> Sequence[StoredGame]:
        """Return the owner's unfinished games, last played first."""
        sql = (
            f"SELECT {GAME} FROM games WHERE owner_id = ? AND status = 'playing'"
            " ORDER BY updated_ms DESC, id DESC LIMIT ?"
        )
        return games_of(await self._all(sql, owner_id, limit))

    async def games_of(self, owner_id: int, after: int, limit: int) -> Sequence[StoredGame]:
        """Return the owner's games with ids above ``after``, lowest first."""
        sql = f"SELECT {GAME} FROM games WHERE owner_id = ? AND id > ? ORDER BY id LIMIT ?"
        return games_of(await self._all(sql, owner_id, after, limit))

    async def untouched_games(self, before_ms: int, limit: int) -> Sequence[StoredGame]:
        """Return unfinished games last played before that, daily games left out."""
        sql = (
            f"SELECT {GAME} FROM games WHERE status = 'playing' AND day = '' AND updated_ms < ?"
            " ORDER BY updated_ms, id LIMIT ?"
        )
        return games_of(await self._all(sql, before_ms, limit))

    async def load_settings(self, user_id: int) -> Settings:
        """Return the user's settings."""
        return settings_of(await self._one(f"SELECT {SETTINGS} FROM settings WHERE user_id = ?", user_id))

    async def live_table(self, game_id: int) -> LiveTable | None:
        """Return which message has the game's controls."""
        sql = "SELECT channel_id, message_id, remains FROM live_tables WHERE game_id = ?"
        row = await self._one(sql, game_id)
        return None if row is None else LiveTable(row["channel_id"], row["message_id"], row["remains"])

    async def tables_of(self, owner_id: int) -> Mapping[int, LiveTable]:
        """Return which messages have the controls of the owner's games, by game id."""
        sql = (
            "SELECT game_id, t.channel_id, t.message_id, t.remains FROM live_tables t"
            " JOIN games g ON g.id = t.game_id WHERE g.owner_id = ?"
        )
        return {
            row["game_id"]: LiveTable(row["channel_id"], row["message_id"], row["remains"])
            for row in await self._all(sql, owner_id)
        }

    async def set_value(self, key: str, value: str) -> None:
        """Store a value under a key."""
        sql = "INSERT INTO memory (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET "
        await self._do(sql + assignments("value"), key, value)

    async def set_default(self, key: str, value: str) -> str:
        """Store a value under a key that has none; return the value stored there."""
        known = await self.get_value(key)
        if known is None:  # rarely, so usually nobody waits for a transaction
            await self._do("INSERT INTO memory (key, value) VALUES (?, ?) ON CONFLICT DO NOTHING", key, value)
            known = await self.get_value(key)
        assert known is not None
        return known

    async def get_value(self, key: str) -> str | None:
        """Return the value stored under a key."""
        row = await self._one("SELECT value FROM memory WHERE key = ?", key)
        return None if row is None else str(row["value"])


class BoardQueries(Connection):
    """Results of daily games, and who plays on which server."""

    async def daily_game(self, owner_id: int, day: str) -> StoredGame | None:
        """Return the owner's daily game of that day."""
        return game_of(await self._one(f"SELECT {GAME} FROM games WHERE {IS_DAILY_OF}", owner_id, day))

    async def unsettled_dailies(self, before: str, limit: int) -> Sequence[StoredGame]:
        """Return unfinished daily games of days before that one."""
        unfinished = "day <> '' AND status = 'playing' AND day < ?"
        sql = f"SELECT {GAME} FROM games WHERE {unfinished} ORDER BY day LIMIT ?"
        return games_of(await self._all(sql, before, limit))

    async def results_of(self, user_id: int) -> Sequence[DailyResult]:
        """Return the user's daily results, first day first."""
        sql = f"SELECT {RESULT} FROM daily_results WHERE user_id = ? ORDER BY day"
        return list(map(result_of, await self._all(sql, user_id)))

    async def results_after(self, day: str, user_id: int, limit: int) -> Sequence[DailyResult]:
        """Return the results behind one, in the order of day and user."""
        sql = (
            f"SELECT {RESULT} FROM daily_results WHERE (day, user_id) > (?, ?) ORDER BY day, user_id LIMIT ?"
        )
        return list(map(result_of, await self._all(sql, day, user_id, limit)))

    async def without_result(self, after: int, limit: int) -> Sequence[StoredGame]:
        """Return ended daily games without a result, with ids above ``after``, lowest first."""
        sql = (
            f"SELECT {GAME} FROM games WHERE id > ? AND day <> '' AND status <> 'playing' AND NOT EXISTS"
            " (SELECT 1 FROM daily_results r WHERE r.day = games.day AND r.user_id = owner_id)"
            " ORDER BY id LIMIT ?"
        )
        return games_of(await self._all(sql, after, limit))

    async def enter_server(self, server_id: int, user_id: int) -> None:
        """Put the user on the boards of a server."""
        known = "SELECT 1 FROM server_players WHERE server_id = ? AND user_id = ?"
        if await self._one(known, server_id, user_id):
            return  # usually, without a write to the disk
        sql = "INSERT INTO server_players (server_id, user_id) VALUES (?, ?) ON CONFLICT DO NOTHING"
        await self._do(sql, server_id, user_id)

    async def servers_of(self, user_id: int) -> Sequence[int]:
        """Return the servers on whose boards the user is."""
        sql = "SELECT server_id FROM server_players WHERE user_id = ? ORDER BY server_id"
        return [row["server_id"] for row in await self._all(sql, user_id)]


class SocialQueries(Connection):
    """Challenges, daily posts, and summaries of a user's games."""

    _DEAL: ClassVar[str]  # the SQL for a record without its moves

    async def load_challenge(self, challenge_id: int) -> Challenge | None:
        """Return the challenge of that id."""
        if challenge_id > LARGEST_ID:
            return None
        row = await self._one(f"SELECT {CHALLENGE} FROM challenges WHERE id = ?", challenge_id)
        if row is None:
            return None
        sql = (
            "SELECT p.user_id, p.game_id, COALESCE(g.status, 'playing') AS status,"
            f" COALESCE(g.score, 0) AS score, COALESCE({MOVES}, 0) AS moves"
            " FROM challenge_players p LEFT JOIN games g ON g.id = p.game_id"
            " WHERE p.challenge_id = ? ORDER BY p.place"
        )
        participants = map(participant_of, await self._all(sql, challenge_id))
        return replace(challenge_of(row), participants=tuple(participants))

    async def challenges_since(self, creator_id: int, since_ms: int) -> Sequence[int]:
        """Return when the user made challenges after that, first first."""
        sql = "SELECT created_ms FROM challenges WHERE creator_id = ? AND created_ms > ? ORDER BY 1"
        return [row["created_ms"] for row in await self._all(sql, creator_id, since_ms)]

    async def challenges_of(self, user_id: int) -> Sequence[Challenge]:
        """Return the challenges that the user made or takes part in, without participants."""
        sql = (
            # Not by OR, for which PostgreSQL would scan all challenges.
            f"SELECT {CHALLENGE} FROM challenges WHERE id IN (SELECT id FROM challenges WHERE creator_id = ?"
            " UNION SELECT challenge_id FROM challenge_players WHERE user_id = ?) ORDER BY id"
        )
        return list(map(challenge_of, await self._all(sql, user_id, user_id)))

    async def place_challenge(self, challenge_id: int, channel_id: int, message_id: int) -> None:
        """Note which message shows the challenge."""
        sql = "UPDATE challenges SET channel_id = ?, message_id = ? WHERE id = ?"
        await self._do(sql, channel_id, message_id, challenge_id)

    async def set_daily_channel(self, channel: DailyChannel) -> None:
        """Store where a server's daily post goes."""
        await self._do(
            f"INSERT INTO daily_channels ({CHANNEL}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
            f" ON CONFLICT (server_id) DO UPDATE SET {assignments(CHANNEL)}",
            channel.server_id,
            channel.channel_id,
            channel.language,
            channel.chosen_by,
            channel.day,
            channel.begun_ms,
            channel.is_done,
            channel.trouble,
        )

    async def daily_channel(self, server_id: int) -> DailyChannel | None:
        """Return where a server's daily post goes."""
        return channel_of(
            await self._one(f"SELECT {CHANNEL} FROM daily_channels WHERE server_id = ?", server_id)
        )

    async def channels_chosen_by(self, user_id: int) -> Sequence[DailyChannel]:
        """Return the daily posts that the user arranged."""
        sql = f"SELECT {CHANNEL} FROM daily_channels WHERE chosen_by = ? ORDER BY server_id"
        return [channel for channel in map(channel_of, await self._all(sql, user_id)) if channel]

    async def note_daily_post(self, server_id: int, day: str, trouble: str = "") -> None:
        """Note that a post has arrived, or why it couldn't."""
        begun = "server_id = ? AND day = ? AND is_done = 0"
        sql = f"UPDATE daily_channels SET is_done = 1, trouble = ? WHERE {begun}"
        await self._do(sql, trouble, server_id, day)

    async def put_back_daily_post(self, server_id: int, day: str) -> None:
        """Let a post that was begun be due again."""
        sql = "UPDATE daily_channels SET day = '' WHERE server_id = ? AND day = ? AND is_done = 0"
        await self._do(sql, server_id, day)

    async def played(self, owner_id: int) -> Sequence[Played]:
        """Return summaries of all the owner's games, first dealt first."""
        sql = (
            f"SELECT id, {self._DEAL} AS deal, status, score, day, {IS_STARTED} AS is_started,"
            " won_record <> '' AS is_won, is_copy FROM games WHERE owner_id = ? ORDER BY id"
        )
        return list(map(played_of, await self._all(sql, owner_id)))

    async def game_on_deal(self, owner_id: int, deal: str) -> StoredGame | None:
        """Return the owner's last ended game of that deal."""
        sql = (
            f"SELECT {GAME} FROM games WHERE owner_id = ? AND status <> 'playing' AND {self._DEAL} = ?"
            " ORDER BY id DESC LIMIT 1"
        )
        return game_of(await self._one(sql, owner_id, deal))


class WinnableDealQueries(Connection):
    """Deals known to be winnable."""

    async def add_winnable(self, rule_set: RuleSet, number: int, line: str) -> None:
        """Store a deal, unless it is there."""
        sql = "INSERT INTO winnable_deals (game, rules, number, line) VALUES (?, ?, ?, ?)"
        await self._do(f"{sql} ON CONFLICT DO NOTHING", *rule_set, number, line)

    async def winnable_numbers(self, rule_set: RuleSet, limit: int) -> Sequence[int]:
        """Return the deals of a rule set, rising."""
        sql = "SELECT number FROM winnable_deals WHERE game = ? AND rules = ? ORDER BY number LIMIT ?"
        return [row["number"] for row in await self._all(sql, *rule_set, limit)]

    async def winnable_line(self, rule_set: RuleSet, number: int) -> str | None:
        """Return the moves that win a deal."""
        sql = "SELECT line FROM winnable_deals WHERE game = ? AND rules = ? AND number = ?"
        row = await self._one(sql, *rule_set, number)
        return None if row is None else str(row["line"])

    async def winnable_counts(self) -> Mapping[RuleSet, int]:
        """Return how many deals there are of each rule set."""
        rows = await self._all(
            "SELECT game, rules, COUNT(*) AS deals FROM winnable_deals GROUP BY game, rules"
        )
        return {(row["game"], row["rules"]): row["deals"] for row in rows}


class Queries(GameQueries, BoardQueries, SocialQueries, WinnableDealQueries):
    """All portable verbs."""
