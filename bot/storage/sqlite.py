"""The store in one SQLite file, and all SQL for SQLite.

One connection serves everything: SQLite writes one transaction at a time anyway, and a lock in the event
loop makes the order fair and "database is locked" impossible between our own tasks. Another process that
holds the file (a backup, a shell) is waited for, five seconds at most.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import astuple
from importlib import resources
from pathlib import Path

import aiosqlite

from bot.storage.base import LiveTable, NewGame, Settings, Stale, Status, StoredGame, StoreError

BUSY_TIMEOUT_MS = 5_000

_SETTINGS = "language, is_private, as_text, four_colours, large_index"
_GAME = "id, owner_id, record, undone, revision, status, score, last_request, created_ms, updated_ms"


class SqliteStore:
    """A :class:`bot.storage.base.Store` in the file at ``path``, made when it is not there."""

    def __init__(self, path: str | Path) -> None:
        self._path = Path(path)
        self._connection: aiosqlite.Connection | None = None
        self._lock = asyncio.Lock()

    async def open(self) -> None:
        """Open the file, check that it is sound, and bring its schema up to date.

        :raises StoreError: when it is no database, damaged, not writable, or from a newer version.
        """
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            # autocommit: transactions are begun and ended by our own words, never behind our back
            self._connection = await aiosqlite.connect(self._path, isolation_level=None)
            await self._prepare(self._connection)
        except (sqlite3.Error, OSError) as error:
            await self.close()
            raise StoreError(
                f"{self._path} can't be used as the database ({error}); nothing was changed. Check that the "
                "folder is writable, or put a backup in its place."
            ) from error
        except BaseException:
            await self.close()
            raise

    async def _prepare(self, connection: aiosqlite.Connection) -> None:
        await _check_ours(connection, self._path)
        # FULL: a turn that was answered survives a power cut too, not only a crash of the process
        for pragma in (
            f"busy_timeout = {BUSY_TIMEOUT_MS}",
            "foreign_keys = ON",
            "journal_mode = WAL",
            "synchronous = FULL",
        ):
            await connection.execute_fetchall(f"PRAGMA {pragma}")
        await _migrate(connection, self._path)

    async def close(self) -> None:
        """Wait for what is under way, then close the file."""
        async with self._lock:
            connection, self._connection = self._connection, None
            if connection is not None:
                await connection.close()

    async def create_game(self, new: NewGame) -> StoredGame:
        """Keep a new game and make it current, in one transaction."""
        async with self._transaction() as db:
            game_id = await _one(db, "SELECT COALESCE(MAX(id), 0) + 1 FROM games")
            game = StoredGame(
                id=int(game_id[0]) if game_id else 1,
                owner_id=new.owner_id,
                record=new.record,
                undone="",
                revision=0,
                status=new.status,
                score=new.score,
                request_id=new.request_id,
                created_ms=new.now_ms,
                updated_ms=new.now_ms,
            )
            await db.execute(f"INSERT INTO games ({_GAME}) VALUES (?,?,?,?,?,?,?,?,?,?)", astuple(game))
            await _set_current(db, game.id)
        return game

    async def load_game(self, game_id: int) -> StoredGame | None:
        """Return the game of that id."""
        async with self._reading() as db:
            return _game(await _one(db, f"SELECT {_GAME} FROM games WHERE id = ?", game_id))

    async def current_game(self, owner_id: int) -> StoredGame | None:
        """Return the game that the owner plays now."""
        async with self._reading() as db:
            query = f"SELECT {_GAME} FROM games JOIN players ON current_game = id WHERE user_id = ?"
            return _game(await _one(db, query, owner_id))

    async def make_current(self, game_id: int) -> None:
        """Make the game the one its owner plays now."""
        async with self._transaction() as db:
            await _set_current(db, game_id)

    async def unfinished_games(self, owner_id: int, limit: int) -> Sequence[StoredGame]:
        """Return the owner's games that are still going, the last touched first."""
        query = (
            f"SELECT {_GAME} FROM games WHERE owner_id = ? AND status = 'playing'"
            " ORDER BY updated_ms DESC, id DESC LIMIT ?"
        )
        async with self._reading() as db:
            rows = await db.execute_fetchall(query, (owner_id, limit))
        return [game for game in map(_game, rows) if game]

    async def save_if_revision(self, game: StoredGame) -> StoredGame:
        """Write the game if nobody else has since; see :meth:`bot.storage.base.Store.save_if_revision`."""
        query = (
            "UPDATE games SET record = ?, undone = ?, status = ?, score = ?, last_request = ?,"
            f" updated_ms = ?, revision = revision + 1 WHERE id = ? AND revision = ? RETURNING {_GAME}"
        )
        values = (game.record, game.undone, game.status, game.score, game.request_id, game.updated_ms)
        async with self._transaction() as db:
            saved = _game(await _one(db, query, *values, game.id, game.revision))
        if saved is None:
            raise Stale
        return saved

    async def load_settings(self, user_id: int) -> Settings:
        """Return what the user has chosen, or the defaults."""
        query = f"SELECT {_SETTINGS} FROM settings WHERE user_id = ?"
        async with self._reading() as db:
            row = await _one(db, query, user_id)
        return Settings() if row is None else Settings(row[0], *map(bool, row[1:]))

    async def save_settings(self, user_id: int, settings: Settings) -> None:
        """Keep what the user has chosen."""
        query = f"INSERT OR REPLACE INTO settings (user_id, {_SETTINGS}) VALUES (?,?,?,?,?,?)"
        async with self._transaction() as db:
            await db.execute(query, (user_id, *astuple(settings)))

    async def live_table(self, game_id: int) -> LiveTable | None:
        """Return where the game's controls are."""
        async with self._reading() as db:
            return await _live_table(db, game_id)

    async def place_table(self, game_id: int, table: LiveTable) -> LiveTable | None:
        """Keep where the game's controls are now, and return where they were."""
        query = (
            "INSERT OR REPLACE INTO live_tables (game_id, channel_id, message_id, remains) VALUES (?,?,?,?)"
        )
        async with self._transaction() as db:
            before = await _live_table(db, game_id)
            await db.execute(query, (game_id, *astuple(table)))
        return before

    async def remember(self, key: str, value: str) -> None:
        """Keep a value under a key."""
        async with self._transaction() as db:
            await db.execute("INSERT OR REPLACE INTO memory (key, value) VALUES (?, ?)", (key, value))

    async def recall(self, key: str) -> str | None:
        """Return the value kept under a key."""
        async with self._reading() as db:
            row = await _one(db, "SELECT value FROM memory WHERE key = ?", key)
        return None if row is None else str(row[0])

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[aiosqlite.Connection]:
        """Give the connection to one task at a time; a single SELECT needs no transaction of its own."""
        async with self._lock:
            if self._connection is None:
                raise StoreError("the database is not open")
            yield self._connection

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[aiosqlite.Connection]:
        """Give the connection to one task at a time, inside a transaction that ends with the block."""
        async with self._reading() as connection:
            try:
                await connection.execute("BEGIN IMMEDIATE")
                yield connection
                await connection.execute("COMMIT")
            except BaseException:
                # The thread works its queue in order, so this also undoes a BEGIN whose caller was
                # cancelled; where nothing had begun, or all was committed, there is nothing to undo.
                with suppress(sqlite3.OperationalError):
                    await connection.execute("ROLLBACK")
                raise


async def _one(db: aiosqlite.Connection, query: str, *values: object) -> sqlite3.Row | None:
    return next(iter(await db.execute_fetchall(query, values)), None)


async def _live_table(db: aiosqlite.Connection, game_id: int) -> LiveTable | None:
    row = await _one(db, "SELECT channel_id, message_id, remains FROM live_tables WHERE game_id = ?", game_id)
    return None if row is None else LiveTable(*row)


async def _set_current(db: aiosqlite.Connection, game_id: int) -> None:
    await db.execute(
        "INSERT INTO players (user_id, current_game) SELECT owner_id, id FROM games WHERE id = ?"
        " ON CONFLICT (user_id) DO UPDATE SET current_game = excluded.current_game",
        (game_id,),
    )


def _game(row: sqlite3.Row | None) -> StoredGame | None:
    if row is None:
        return None
    game_id, owner_id, record, undone, revision, status, *rest = row
    return StoredGame(game_id, owner_id, record, undone, revision, Status(status), *rest)


def migrations() -> dict[int, str]:
    """Return the numbered scripts beside this file, in order: 1, 2, 3 … without a gap."""
    folder = resources.files("bot.storage") / "migrations"
    found = {}
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        number = re.fullmatch(r"(\d{4})_\w+\.sql", entry.name)
        if number:
            found[int(number[1])] = entry.read_text("utf-8")
    return found


async def _check_ours(connection: aiosqlite.Connection, path: Path) -> None:
    """Look before anything is written.

    :raises StoreError: when the file belongs to another program.
    :raises sqlite3.DatabaseError: when it is damaged.
    """
    tables = [row[0] for row in await connection.execute_fetchall("SELECT name FROM sqlite_master")]
    if tables and "migrations" not in tables:
        raise StoreError(
            f"{path} is another program's database; nothing was changed. Name another file in DATABASE_URL."
        )
    result = await _one(connection, "PRAGMA quick_check(1)")
    if result is None or result[0] != "ok":
        raise sqlite3.DatabaseError(" ".join(str(result[0]).split()) if result else "damaged")


async def _migrate(connection: aiosqlite.Connection, path: Path) -> None:
    """Run every script that the file has not seen, each together with the note that says so."""
    await connection.execute("CREATE TABLE IF NOT EXISTS migrations (number BIGINT NOT NULL PRIMARY KEY)")
    row = await _one(connection, "SELECT COALESCE(MAX(number), 0) FROM migrations")
    version = row[0] if row else 0
    scripts = migrations()
    if version > max(scripts):
        raise StoreError(
            f"{path} was written by a newer version of this program (schema {version}, known here: "
            f"{max(scripts)}); nothing was changed. Update the program, or use another file."
        )
    for number, script in scripts.items():
        if number > version:
            # executescript commits whatever is open before it starts, so the transaction is in the script
            await connection.executescript(
                f"BEGIN IMMEDIATE;\n{script}\nINSERT INTO migrations (number) VALUES ({number});\nCOMMIT;"
            )
