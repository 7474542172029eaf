"""Challenges, daily posts, and all that is kept of one user, in PostgreSQL."""

from __future__ import annotations

from dataclasses import astuple, replace

from bot.storage.errors import AlreadyExists
from bot.storage.models import Challenge, DailyChannel, NewGame, StoredGame
from bot.storage.postgres.games import insert_game, made_before
from bot.storage.postgres.server import Db, PostgresServer, lock_user, numbered
from bot.storage.queries import FORGET_USER, RECLAIM_FROM_MS, RECLAIM_UNTIL_MS
from bot.storage.rows import (
    CHALLENGE,
    CHANNEL,
    channel_of,
)


class SocialInPostgres(PostgresServer):
    """A :class:`bot.storage.protocol.SocialStore`."""

    _DEAL = "split_part(record, ' ', 1)"

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

    async def join_challenge(self, new: NewGame, limit: int) -> StoredGame:
        """Deal the owner's game in a challenge and make it current."""
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

    async def drop_daily_channel(self, server_id: int) -> bool:
        """Forget where a server's daily post goes; return whether there was such a channel."""

        async def drop(db: Db, may_be_done: bool) -> bool:
            query = "DELETE FROM daily_channels WHERE server_id = $1 RETURNING 1"
            return await db.fetchrow(query, server_id) is not None or may_be_done

        return await self._ask(drop)

    async def claim_daily_post(self, day: str, now_ms: int) -> DailyChannel | None:
        """Begin a post; see :meth:`bot.storage.protocol.SocialStore.claim_daily_post`."""
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

    async def forget(self, user_id: int, day: str, mark: str) -> None:
        """Delete all that is kept of the user; see :meth:`bot.storage.protocol.SocialStore.forget`."""

        async def forget(db: Db, _: bool) -> None:
            await lock_user(db, user_id)
            # So that nobody is placing a table of one of them.
            await db.execute("SELECT 1 FROM games WHERE owner_id = $1 ORDER BY id FOR UPDATE", user_id)
            await _keep_the_mark(db, user_id, day, mark)
            for query in FORGET_USER:
                await db.execute(numbered(query), user_id)

        await self._transaction(forget)

    async def purge(self, day: str) -> None:
        """Delete what was kept only until ``day``."""

        async def purge(db: Db, _: bool) -> None:
            await db.execute("DELETE FROM daily_marks WHERE day < $1", day)
            await db.execute("DELETE FROM daily_results WHERE user_id < 0 AND day < $1", day)
            await db.execute(
                "DELETE FROM server_players s WHERE user_id < 0"
                " AND NOT EXISTS (SELECT 1 FROM daily_results r WHERE r.user_id = s.user_id)"
            )

        await self._transaction(purge)


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
