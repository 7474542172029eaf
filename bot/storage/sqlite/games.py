"""Games, settings and live tables in SQLite."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import astuple

import aiosqlite

from bot.storage.errors import AlreadyExists, RevisionConflict
from bot.storage.models import DailyResult, LiveTable, NewGame, Settings, Status, StoredGame
from bot.storage.rows import GAME, SETTINGS, game_of, newly_dealt, settings_of
from bot.storage.sqlite.file import SqliteFile, next_number, one
from bot.telemetry.trace import COMMIT, measure


class GamesInSqlite(SqliteFile):
    """A :class:`bot.storage.protocol.GameStore`."""

    async def create_game(self, new: NewGame) -> StoredGame:
        """Keep a new game and make it current; see :meth:`bot.storage.protocol.GameStore.create_game`."""
        dealt = (
            f"SELECT {GAME} FROM games JOIN players ON current_game = id"
            " WHERE user_id = ? AND last_request = ? AND revision = 0"
        )

        async def create(db: aiosqlite.Connection) -> StoredGame:
            if game := game_of(await one(db, dealt, new.owner_id, new.request_id)):
                return game
            if new.day:
                had = "SELECT 1 FROM games WHERE owner_id = ? AND day = ? AND day <> ''"
                forgotten = "SELECT 1 FROM daily_marks WHERE day = ? AND mark = ?"
                if await one(db, had, new.owner_id, new.day) or await one(
                    db, forgotten, new.day, new.day_mark
                ):
                    raise AlreadyExists
            return await insert_game(db, new)

        with measure(COMMIT):
            return await self._commits.do(create)

    async def make_current(self, game_id: int) -> None:
        """Make the game the one its owner plays now."""
        await self._commits.do(lambda db: set_current(db, game_id))

    async def save_if_revision(
        self, game: StoredGame, result: DailyResult | None = None, *, make_current: bool = False
    ) -> StoredGame:
        """Write the game if nobody else has; see :meth:`bot.storage.protocol.GameStore.save_if_revision`."""
        update = (
            "UPDATE games SET record = ?, undone = ?, status = ?, score = ?, last_request = ?,"
            " updated_ms = ?, won_record = ?, revision = revision + 1 WHERE id = ? AND revision = ?"
        )
        columns = (game.record, game.undone, game.status, game.score, game.request_id, game.updated_ms)
        values = (*columns, game.won_record, game.id, game.revision)

        async def save_current(db: aiosqlite.Connection) -> StoredGame | None:
            # One statement, for what nearly every turn is: the game is its owner's current one already.
            is_current = "EXISTS (SELECT 1 FROM players WHERE user_id = owner_id AND current_game = games.id)"
            return game_of(await one(db, f"{update} AND {is_current} RETURNING {GAME}", *values))

        async def save(db: aiosqlite.Connection) -> StoredGame:
            saved = game_of(await one(db, f"{update} RETURNING {GAME}", *values))
            if saved is None:
                raise RevisionConflict
            if make_current:
                await set_current(db, game.id)
            if result is not None:
                await db.execute(
                    "INSERT INTO daily_results (day, user_id, game_id, score, is_listed) VALUES (?,?,?,?,"
                    " NOT COALESCE((SELECT is_hidden FROM settings WHERE user_id = ?), 0))"
                    " ON CONFLICT DO NOTHING",
                    (*astuple(result), result.user_id),
                )
            return saved

        with measure(COMMIT):
            if result is None:
                saved = await self._commits.do(save_current, is_single=True)
                if saved is not None:
                    return saved
            return await self._commits.do(save)

    async def count_games(self) -> Mapping[Status, int]:
        """Return how many games there are of each status, by reading through one index."""
        counted = ", ".join("COUNT(*) FILTER (WHERE status = ?)" for _ in Status)
        async with self._reading() as db:
            row = await one(db, f"SELECT {counted} FROM games", *Status)
        return dict(zip(Status, row or (), strict=True))

    async def save_settings(self, user_id: int, settings: Settings) -> None:
        """Keep what the user has chosen."""
        async with self._transaction() as db:
            await _save_settings(db, user_id, settings)

    async def change_settings(self, user_id: int, change: Callable[[Settings], Settings]) -> None:
        """Keep what is made of what the user has chosen."""
        async with self._transaction() as db:
            row = await one(db, _CHOSEN, user_id)
            await _save_settings(db, user_id, change(settings_of(row)))

    async def place_table(self, game_id: int, table: LiveTable) -> LiveTable | None:
        """Keep where the game's controls are now, and return where they were."""
        query = (
            "INSERT OR REPLACE INTO live_tables (game_id, channel_id, message_id, remains)"
            " SELECT id, ?, ?, ? FROM games WHERE id = ?"
        )

        async def place(db: aiosqlite.Connection) -> LiveTable | None:
            before = await _live_table(db, game_id)
            await db.execute(query, (*astuple(table), game_id))
            return before

        return await self._commits.do(place)


_CHOSEN = f"SELECT {SETTINGS} FROM settings WHERE user_id = ?"


async def _save_settings(db: aiosqlite.Connection, user_id: int, settings: Settings) -> None:
    query = f"INSERT OR REPLACE INTO settings (user_id, {SETTINGS}) VALUES (?,?,?,?,?,?,?,?)"
    await db.execute(query, (user_id, *astuple(settings)))
    is_listed = not settings.is_hidden
    listed = "UPDATE daily_results SET is_listed = ? WHERE user_id = ? AND is_listed <> ?"
    await db.execute(listed, (is_listed, user_id, is_listed))


async def insert_game(db: aiosqlite.Connection, new: NewGame) -> StoredGame:
    """Keep a new game and make it its owner's current one."""
    game = newly_dealt(new, await next_number(db, "games"))
    await db.execute(f"INSERT INTO games ({GAME}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)", astuple(game))
    await set_current(db, game.id)
    return game


async def set_current(db: aiosqlite.Connection, game_id: int) -> None:
    """Make a game the one its owner plays now."""
    await db.execute(
        "INSERT INTO players (user_id, current_game) SELECT owner_id, id FROM games WHERE id = ?"
        " ON CONFLICT (user_id) DO UPDATE SET current_game = excluded.current_game"
        " WHERE current_game <> excluded.current_game",  # as nearly always, so nothing is written
        (game_id,),
    )


async def _live_table(db: aiosqlite.Connection, game_id: int) -> LiveTable | None:
    row = await one(db, "SELECT channel_id, message_id, remains FROM live_tables WHERE game_id = ?", game_id)
    return None if row is None else LiveTable(*row)
