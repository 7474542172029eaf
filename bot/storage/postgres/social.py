"""Challenges, daily posts, and all that is kept of one user, in PostgreSQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import astuple, replace

from bot.storage.base import LARGEST_ID, AlreadyExists, LiveTable, NewGame, StoredGame
from bot.storage.postgres.games import insert_game, made_before
from bot.storage.postgres.server import Db, PostgresServer, lock_user
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

_DEAL = "split_part(record, ' ', 1)"  # the record without its moves


class SocialInPostgres(PostgresServer):
    """A :class:`bot.storage.social.SocialStore`."""

    async def create_challenge(self, challenge: Challenge) -> Challenge:
        """Keep a new challenge with its entrants, and give it an id."""
        users = list(dict.fromkeys(entrant.user_id for entrant in challenge.participants))

        async def create(db: Db, may_be_done: bool) -> Challenge:
            known = "SELECT id FROM challenges WHERE creator_id = $1 AND created_ms = $2 AND deal = $3"
            about = (challenge.creator_id, challenge.created_ms, challenge.deal)
            if may_be_done and (number := await db.fetchval(known, *about)):
                return replace(challenge, id=number)
            made = replace(challenge, id=await db.fetchval("SELECT nextval('challenge_numbers')"))
            await db.execute(
                f"INSERT INTO challenges ({CHALLENGE}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
                *astuple(made)[:8],
            )
            await db.execute(
                "INSERT INTO challenge_players (challenge_id, user_id, game_id, place)"
                " SELECT $1, user_id, 0, place"
                " FROM unnest($2::bigint[]) WITH ORDINALITY AS users (user_id, place)",
                made.id,
                users,
            )
            return made

        return await self._transaction(create)

    async def load_challenge(self, challenge_id: int) -> Challenge | None:
        """Return the challenge of that id."""
        if challenge_id > LARGEST_ID:
            return None
        participants = (
            "SELECT p.user_id, p.game_id, COALESCE(g.status, 'playing'), COALESCE(g.score, 0),"
            f" COALESCE({MOVES}, 0)::bigint FROM challenge_players p LEFT JOIN games g ON g.id = p.game_id"
            " WHERE p.challenge_id = $1 ORDER BY p.place"
        )

        async def load(db: Db, _: bool) -> Challenge | None:
            row = await db.fetchrow(f"SELECT {CHALLENGE} FROM challenges WHERE id = $1", challenge_id)
            if row is None:
                return None
            found = map(participant_of, await db.fetch(participants, challenge_id))
            return replace(challenge_of(row), participants=tuple(found))

        return await self._ask(load)

    async def challenges_since(self, creator_id: int, since_ms: int) -> Sequence[int]:
        """Return when the user's challenges were made that are younger than ``since_ms``, the first first."""
        query = "SELECT created_ms FROM challenges WHERE creator_id = $1 AND created_ms > $2 ORDER BY 1"
        return [row[0] for row in await self._all(query, creator_id, since_ms)]

    async def place_challenge(self, challenge_id: int, channel_id: int, message_id: int) -> None:
        """Note which message shows the challenge."""
        query = "UPDATE challenges SET channel_id = $1, message_id = $2 WHERE id = $3"
        await self._do(query, channel_id, message_id, challenge_id)

    async def join_challenge(self, new: NewGame, limit: int) -> StoredGame:
        """Deal the owner's game in a challenge; see :meth:`bot.storage.social.SocialStore.join_challenge`."""
        named = "SELECT game_id FROM challenge_players WHERE challenge_id = $1 AND user_id = $2"
        places = "SELECT COUNT(*), COALESCE(MAX(place), 0) + 1 FROM challenge_players WHERE challenge_id = $1"

        async def join(db: Db, may_be_done: bool) -> StoredGame:
            await lock_user(db, new.owner_id)
            if may_be_done and (game := await made_before(db, new)):
                return game
            # Others who join at this moment wait, so that no place is given twice.
            there = "SELECT 1 FROM challenges WHERE id = $1 FOR NO KEY UPDATE"
            is_there = await db.fetchrow(there, new.challenge_id)
            row = await db.fetchrow(named, new.challenge_id, new.owner_id)
            if row is None:
                count, place = await db.fetchrow(places, new.challenge_id)
                if not is_there or count >= limit:
                    raise AlreadyExists
                await db.execute(
                    "INSERT INTO challenge_players (challenge_id, user_id, game_id, place)"
                    " VALUES ($1, $2, 0, $3)",
                    new.challenge_id,
                    new.owner_id,
                    place,
                )
            elif row[0]:
                raise AlreadyExists
            game = await insert_game(db, new)
            await db.execute(
                "UPDATE challenge_players SET game_id = $1 WHERE challenge_id = $2 AND user_id = $3",
                game.id,
                new.challenge_id,
                new.owner_id,
            )
            return game

        return await self._transaction(join)

    async def set_daily_channel(self, channel: DailyChannel) -> None:
        """Keep where a server's daily post goes."""
        columns = ", ".join(f"{name} = excluded.{name}" for name in CHANNEL.split(", ")[1:])
        await self._do(
            f"INSERT INTO daily_channels ({CHANNEL}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"
            f" ON CONFLICT (server_id) DO UPDATE SET {columns}",
            *astuple(channel),
        )

    async def daily_channel(self, server_id: int) -> DailyChannel | None:
        """Return where a server's daily post goes."""
        return channel_of(
            await self._one(f"SELECT {CHANNEL} FROM daily_channels WHERE server_id = $1", server_id)
        )

    async def drop_daily_channel(self, server_id: int) -> bool:
        """Forget where a server's daily post goes; return whether there was such a channel."""

        async def drop(db: Db, may_be_done: bool) -> bool:
            query = "DELETE FROM daily_channels WHERE server_id = $1 RETURNING 1"
            return await db.fetchrow(query, server_id) is not None or may_be_done

        return await self._ask(drop)

    async def claim_daily_post(self, day: str, now_ms: int) -> DailyChannel | None:
        """Begin a post; see :meth:`bot.storage.social.SocialStore.claim_daily_post`."""
        query = (
            # A second try leaves no time for a third. What another process takes at this moment is skipped.
            "UPDATE daily_channels SET day = $1, begun_ms = CASE WHEN day = $1 THEN 0 ELSE $2::bigint END,"
            " is_done = 0 WHERE server_id = (SELECT server_id FROM"
            " (SELECT server_id FROM daily_channels WHERE day < $1 LIMIT 1 FOR UPDATE SKIP LOCKED) AS due"
            " UNION ALL SELECT server_id FROM"
            " (SELECT server_id FROM daily_channels WHERE is_done = 0 AND day = $1"
            " AND begun_ms BETWEEN $3 AND $4 LIMIT 1 FOR UPDATE SKIP LOCKED) AS late LIMIT 1)"
            f" RETURNING {CHANNEL}"
        )
        late = (now_ms - RECLAIM_UNTIL_MS, now_ms - RECLAIM_FROM_MS)
        return channel_of(await self._one(query, day, now_ms, *late))

    async def note_daily_post(self, server_id: int, day: str, trouble: str = "") -> None:
        """Note that a post has arrived, or why it can't."""
        begun = "server_id = $2 AND day = $3 AND is_done = 0"
        query = f"UPDATE daily_channels SET is_done = 1, trouble = $1 WHERE {begun}"
        await self._do(query, trouble, server_id, day)

    async def put_back_daily_post(self, server_id: int, day: str) -> None:
        """Let a post that was begun be due again."""
        query = "UPDATE daily_channels SET day = '' WHERE server_id = $1 AND day = $2 AND is_done = 0"
        await self._do(query, server_id, day)

    async def played(self, owner_id: int) -> Sequence[Played]:
        """Return all the owner's games in short, the first dealt first."""
        query = (
            f"SELECT id, {_DEAL}, status, score, day, {IS_STARTED}, won_record <> '', is_copy"
            " FROM games WHERE owner_id = $1 ORDER BY id"
        )
        return list(map(played_of, await self._all(query, owner_id)))

    async def game_on_deal(self, owner_id: int, deal: str) -> StoredGame | None:
        """Return the owner's last ended game of that deal."""
        query = (
            f"SELECT {GAME} FROM games WHERE owner_id = $1 AND status <> 'playing' AND {_DEAL} = $2"
            " ORDER BY id DESC LIMIT 1"
        )
        return game_of(await self._one(query, owner_id, deal))

    async def games_of(self, owner_id: int, after: int, limit: int) -> Sequence[StoredGame]:
        """Return the owner's games with ids above ``after``, lowest first."""
        query = f"SELECT {GAME} FROM games WHERE owner_id = $1 AND id > $2 ORDER BY id LIMIT $3"
        return games_of(await self._all(query, owner_id, after, limit))

    async def tables_of(self, owner_id: int) -> Mapping[int, LiveTable]:
        """Return where the controls of the owner's games are, by the games' ids."""
        query = (
            "SELECT game_id, t.channel_id, t.message_id, t.remains FROM live_tables t"
            " JOIN games g ON g.id = t.game_id WHERE g.owner_id = $1"
        )
        return {game_id: LiveTable(*place) for game_id, *place in await self._all(query, owner_id)}

    async def challenges_of(self, user_id: int) -> Sequence[Challenge]:
        """Return the challenges that the user made or takes part in."""
        query = (
            # Not by OR, for which PostgreSQL would go through all challenges.
            f"SELECT {CHALLENGE} FROM challenges WHERE id IN (SELECT id FROM challenges WHERE creator_id = $1"
            " UNION SELECT challenge_id FROM challenge_players WHERE user_id = $1) ORDER BY id"
        )
        return list(map(challenge_of, await self._all(query, user_id)))

    async def servers_of(self, user_id: int) -> Sequence[int]:
        """Return the servers in which the user is known to play."""
        query = "SELECT server_id FROM server_players WHERE user_id = $1 ORDER BY server_id"
        return [row[0] for row in await self._all(query, user_id)]

    async def channels_chosen_by(self, user_id: int) -> Sequence[DailyChannel]:
        """Return the daily posts that the user arranged."""
        query = f"SELECT {CHANNEL} FROM daily_channels WHERE chosen_by = $1 ORDER BY server_id"
        rows = await self._all(query, user_id)
        return [channel for channel in map(channel_of, rows) if channel]

    async def forget(self, user_id: int, day: str, mark: str) -> None:
        """Delete all that is kept of the user; see :meth:`bot.storage.social.SocialStore.forget`."""

        async def forget(db: Db, _: bool) -> None:
            await lock_user(db, user_id)
            # So that nobody is placing a table of one of them.
            await db.execute("SELECT 1 FROM games WHERE owner_id = $1 ORDER BY id FOR UPDATE", user_id)
            await _keep_the_mark(db, user_id, day, mark)
            own_games = "(SELECT id FROM games WHERE owner_id = $1)"
            for query in (
                "DELETE FROM daily_results WHERE user_id = $1",
                "DELETE FROM server_players WHERE user_id = $1",
                f"DELETE FROM live_tables WHERE game_id IN {own_games}",
                "DELETE FROM challenge_players WHERE user_id = $1",
                "UPDATE challenges SET creator_id = 0 WHERE creator_id = $1",
                "UPDATE daily_channels SET chosen_by = 0 WHERE chosen_by = $1",
                "DELETE FROM settings WHERE user_id = $1",
                "DELETE FROM players WHERE user_id = $1",
                "DELETE FROM games WHERE owner_id = $1",
            ):
                await db.execute(query, user_id)

        await self._transaction(forget)

    async def tidy(self, day: str) -> None:
        """Delete what was kept only until ``day``."""

        async def tidy(db: Db, _: bool) -> None:
            await db.execute("DELETE FROM daily_marks WHERE day < $1", day)
            await db.execute("DELETE FROM daily_results WHERE user_id < 0 AND day < $1", day)
            await db.execute(
                "DELETE FROM server_players s WHERE user_id < 0"
                " AND NOT EXISTS (SELECT 1 FROM daily_results r WHERE r.user_id = s.user_id)"
            )

        await self._transaction(tidy)


async def _keep_the_mark(db: Db, user_id: int, day: str, mark: str) -> None:
    """Keep the day's result of a user without a name, and a mark of the attempt that is used."""
    todays = "SELECT id FROM games WHERE owner_id = $1 AND day = $2 AND day <> ''"
    game_id = await db.fetchval(todays, user_id, day)
    if game_id is None:
        return
    nobody = -game_id
    await db.execute("INSERT INTO daily_marks (day, mark) VALUES ($1, $2) ON CONFLICT DO NOTHING", day, mark)
    await db.execute(
        "UPDATE daily_results SET user_id = $1 WHERE day = $2 AND user_id = $3", nobody, day, user_id
    )
    await db.execute(
        "INSERT INTO server_players (server_id, user_id) SELECT server_id, $1::bigint FROM server_players"
        " WHERE user_id = $2",
        nobody,
        user_id,
    )
