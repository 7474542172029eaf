"""Games, settings and live tables in PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import astuple, replace

import asyncpg

from bot.storage.errors import AlreadyExists, RevisionConflict
from bot.storage.models import DailyResult, LiveTable, NewGame, Settings, Status, StoredGame
from bot.storage.postgres.server import Db, PostgresServer, lock_user
from bot.storage.rows import GAME, SETTINGS, game_of, newly_dealt, settings_of
from bot.telemetry.trace import COMMIT, measure


class GamesInPostgres(PostgresServer):
    """A :class:`bot.storage.protocol.GameStore`."""

    async def create_game(self, new: NewGame) -> StoredGame:
        """Keep a new game and make it current; see :meth:`bot.storage.protocol.GameStore.create_game`."""

        async def create(db: Db, may_be_done: bool) -> StoredGame:
            await lock_user(db, new.owner_id)
            game = await _dealt_by_the_same(db, new) or (may_be_done and await made_before(db, new))
            if game:
                return game
            if new.day:
                had = "SELECT 1 FROM games WHERE owner_id = $1 AND day = $2 AND day <> ''"
                forgotten = "SELECT 1 FROM daily_marks WHERE day = $1 AND mark = $2"
                if await db.fetchrow(had, new.owner_id, new.day) or await db.fetchrow(
                    forgotten, new.day, new.day_mark
                ):
                    raise AlreadyExists
            return await insert_game(db, new)

        with measure(COMMIT):
            return await self._transaction(create)

    async def make_current(self, game_id: int) -> None:
        """Make the game the one its owner plays now."""

        async def make(db: Db, _: bool) -> None:
            await _lock_owner(db, game_id)
            await set_current(db, game_id)

        await self._transaction(make)

    async def save_if_revision(
        self, game: StoredGame, result: DailyResult | None = None, *, make_current: bool = False
    ) -> StoredGame:
        """Write the game if nobody else has; see :meth:`bot.storage.protocol.GameStore.save_if_revision`."""
        update = (
            "UPDATE games SET record = $1, undone = $2, status = $3, score = $4, last_request = $5,"
            " updated_ms = $6, won_record = $7, revision = revision + 1 WHERE id = $8 AND revision = $9"
        )
        columns = (game.record, game.undone, game.status, game.score, game.request_id, game.updated_ms)
        values = (*columns, game.won_record, game.id, game.revision)

        async def save_current(db: Db, may_be_done: bool) -> StoredGame | None:
            # One statement, for what nearly every turn is: the game is its owner's current one already.
            is_current = "EXISTS (SELECT 1 FROM players WHERE user_id = owner_id AND current_game = games.id)"
            saved = game_of(await db.fetchrow(f"{update} AND {is_current} RETURNING {GAME}", *values))
            return saved or (await _saved_before(db, game) if may_be_done else None)

        async def save(db: Db, may_be_done: bool) -> StoredGame:
            await lock_user(db, game.owner_id)
            saved = game_of(await db.fetchrow(f"{update} RETURNING {GAME}", *values))
            if saved is None:
                if may_be_done and (saved := await _saved_before(db, game)):
                    return saved
                raise RevisionConflict
            if make_current:
                await set_current(db, game.id)
            if result is not None:
                await db.execute(
                    "INSERT INTO daily_results (day, user_id, game_id, score, is_listed)"
                    " VALUES ($1, $2, $3, $4,"
                    " 1 - COALESCE((SELECT is_hidden FROM settings WHERE user_id = $2), 0))"
                    " ON CONFLICT DO NOTHING",
                    *astuple(result),
                )
            return saved

        with measure(COMMIT):
            if result is None:
                saved = await self._ask(save_current)
                if saved is not None:
                    return saved
            return await self._transaction(save)

    async def count_games(self) -> Mapping[Status, int]:
        """Return how many games there are of each status, by reading through one index."""
        rows = await self._all("SELECT status, COUNT(*) AS games FROM games GROUP BY status")
        return dict.fromkeys(Status, 0) | {Status(row["status"]): row["games"] for row in rows}

    async def save_settings(self, user_id: int, settings: Settings) -> None:
        """Keep what the user has chosen."""

        async def save(db: Db, _: bool) -> None:
            await lock_user(db, user_id)
            await _save_settings(db, user_id, settings)

        await self._transaction(save)

    async def change_settings(self, user_id: int, change: Callable[[Settings], Settings]) -> None:
        """Keep what is made of what the user has chosen."""

        async def save(db: Db, _: bool) -> None:
            await lock_user(db, user_id)
            chosen = settings_of(await db.fetchrow(_CHOSEN, user_id))
            await _save_settings(db, user_id, change(chosen))

        await self._transaction(save)

    async def place_table(self, game_id: int, table: LiveTable) -> LiveTable | None:
        """Keep where the game's controls are now, and return where they were."""
        before: LiveTable | None = None
        there = "game_id = $1 AND channel_id = $5 AND message_id = $6 AND remains = $7"

        async def place(db: Db, may_be_done: bool) -> None:
            # Written only if it is still as it was read, else read again: no transaction holds up others.
            nonlocal before
            while (row := await db.fetchrow(_LIVE_TABLE, game_id)) is not None:
                if may_be_done and LiveTable(*row) == table:
                    return  # what was there before was seen then
                before = LiveTable(*row)
                update = f"UPDATE live_tables SET {_PLACE} WHERE {there} RETURNING 1"
                if await db.fetchrow(update, game_id, *astuple(table), *row):
                    return
            before = None
            is_placed = await db.fetchrow(_FIRST_PLACE, game_id, *astuple(table))
            if not is_placed and await db.fetchrow(_LIVE_TABLE, game_id):  # else the game is not there
                await place(db, may_be_done)

        await self._ask(place)
        return before


_LIVE_TABLE = "SELECT channel_id, message_id, remains FROM live_tables WHERE game_id = $1"
_PLACE = "channel_id = $2, message_id = $3, remains = $4"
_FIRST_PLACE = (
    "INSERT INTO live_tables (game_id, channel_id, message_id, remains)"
    # Whoever is deleting the game is waited for.
    " SELECT id, $2::bigint, $3::bigint, $4::text FROM games WHERE id = $1 FOR KEY SHARE"
    " ON CONFLICT DO NOTHING RETURNING 1"
)
_CHOSEN = f"SELECT {SETTINGS} FROM settings WHERE user_id = $1"


async def _save_settings(db: Db, user_id: int, settings: Settings) -> None:
    columns = ", ".join(f"{name} = excluded.{name}" for name in SETTINGS.split(", "))
    query = (
        f"INSERT INTO settings (user_id, {SETTINGS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)"
        f" ON CONFLICT (user_id) DO UPDATE SET {columns}"
    )
    await db.execute(query, user_id, *astuple(settings))
    listed = "UPDATE daily_results SET is_listed = $1 WHERE user_id = $2 AND is_listed <> $1"
    await db.execute(listed, not settings.is_hidden, user_id)


async def insert_game(db: Db, new: NewGame) -> StoredGame:
    """Keep a new game and make it its owner's current one.

    :raises Taken: when the owner has a game of that day.
    """
    game = newly_dealt(new, 0)  # the database gives it a number
    places = ", ".join(f"${number}" for number in range(1, 14))
    query = (
        f"WITH made AS (INSERT INTO games ({GAME}) VALUES (nextval('game_numbers'), {places})"
        " RETURNING id, owner_id)"
        " INSERT INTO players (user_id, current_game) SELECT owner_id, id FROM made"
        " ON CONFLICT (user_id) DO UPDATE SET current_game = excluded.current_game RETURNING current_game"
    )
    try:
        return replace(game, id=await db.fetchval(query, *astuple(game)[1:]))
    except asyncpg.UniqueViolationError:
        raise AlreadyExists from None


async def _dealt_by_the_same(db: Db, new: NewGame) -> StoredGame | None:
    """Return the owner's current game if it was dealt by the same request."""
    query = (
        f"SELECT {GAME} FROM games JOIN players ON current_game = id WHERE user_id = $1 AND last_request = $2"
        " AND revision = 0"
    )
    return game_of(await db.fetchrow(query, new.owner_id, new.request_id))


async def made_before(db: Db, new: NewGame) -> StoredGame | None:
    """Return the game that an earlier try of the same request has made, played on or not."""
    query = (
        f"SELECT {GAME} FROM games WHERE owner_id = $1 AND created_ms = $2 AND challenge_id = $3 AND day = $4"
        " AND (last_request = $5 OR revision > 0)"
    )
    values = (new.owner_id, new.now_ms, new.challenge_id, new.day, new.request_id)
    return game_of(await db.fetchrow(query, *values))


async def set_current(db: Db, game_id: int) -> None:
    """Make a game the one its owner plays now."""
    await db.execute(
        "INSERT INTO players (user_id, current_game) SELECT owner_id, id FROM games WHERE id = $1"
        " ON CONFLICT (user_id) DO UPDATE SET current_game = excluded.current_game"
        " WHERE players.current_game <> excluded.current_game",
        game_id,
    )


async def _saved_before(db: Db, game: StoredGame) -> StoredGame | None:
    """Return the game as an earlier try of the same save has left it."""
    query = (
        f"SELECT {GAME} FROM games WHERE id = $1 AND revision = $2 AND last_request = $3 AND updated_ms = $4"
        " AND record = $5 AND undone = $6 AND status = $7"
    )
    values = (game.id, game.revision + 1, game.request_id, game.updated_ms)
    return game_of(await db.fetchrow(query, *values, game.record, game.undone, game.status))


async def _lock_owner(db: Db, game_id: int) -> None:
    owner_id = await db.fetchval("SELECT owner_id FROM games WHERE id = $1", game_id)
    if owner_id is not None:
        await lock_user(db, owner_id)
