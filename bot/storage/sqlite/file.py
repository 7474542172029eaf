"""One SQLite file: opened, checked, brought up to date, and lent to one task at a time.

One connection serves everything: SQLite writes one transaction at a time anyway, and a lock in the event
loop makes the order fair and "database is locked" impossible between our own tasks. Another process that
holds the file (a backup, a shell) is waited for, five seconds at most.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import aiosqlite

from bot.storage.errors import StorageCorrupt, StorageUnavailable, StoreError
from bot.storage.migrations import scripts
from bot.storage.queries import Connection
from bot.storage.rows import Row
from bot.storage.schema import MARK, UNFINISHED
from bot.storage.sqlite.commits import Commits, transaction
from bot.storage.sqlite.inspect import primary_code, refuse_unusable

BUSY_TIMEOUT_MS = 5_000

_PAUSE_S = 0.02
_UNDER_REPAIR = {sqlite3.SQLITE_READONLY_RECOVERY, 1288}  # 1288: SQLITE_READONLY_CANTINIT

_TROUBLES: dict[int, type[StoreError]] = {
    sqlite3.SQLITE_FULL: StorageUnavailable,
    sqlite3.SQLITE_READONLY: StorageUnavailable,
    sqlite3.SQLITE_IOERR: StorageUnavailable,
    sqlite3.SQLITE_CANTOPEN: StorageUnavailable,
    sqlite3.SQLITE_BUSY: StorageUnavailable,
    sqlite3.SQLITE_CORRUPT: StorageCorrupt,
    sqlite3.SQLITE_NOTADB: StorageCorrupt,
}


class SqliteFile(Connection):
    """The file at ``path``, made when it is not there."""

    _may_be_unfinished = False  # whether it is opened while games are being moved into it

    def __init__(self, path: str | Path, *, must_exist: bool = False) -> None:
        self._path = Path(path)
        self._must_exist = must_exist
        self._connection: aiosqlite.Connection | None = None
        self._lock = asyncio.Lock()
        self._commits = Commits(self._reading, self._named)

    async def open(self) -> None:
        """Open the file, check that it is sound, and bring its schema up to date.

        :raises StoreError: when it is no database, damaged, not writable, from a newer version, or games are
            still being moved into it.
        """
        if self._must_exist and not self._path.exists():
            raise StoreError(f"There is no database {self._path}. DATABASE_URL says where it is.")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            await _patiently(self._connect)
        except (sqlite3.Error, OSError) as error:
            await self.close()
            raise StoreError(
                f"{self._path} can't be used as the database ({error}); nothing was changed. Check that the "
                "folder is writable, or put a backup in its place: python -m bot restore BACKUP"
            ) from error
        except BaseException:
            await self.close()
            raise

    async def _connect(self) -> None:
        await asyncio.to_thread(refuse_unusable, self._path, max(migrations()))
        if self._connection is None:
            # autocommit: transactions are begun and ended by our own words, never behind our back
            self._connection = await aiosqlite.connect(self._path, isolation_level=None)
            self._connection.row_factory = sqlite3.Row
        await self._prepare(self._connection)

    async def _prepare(self, connection: aiosqlite.Connection) -> None:
        # FULL: a turn that was answered survives a power cut too, not only a crash of the process
        for pragma in (
            f"busy_timeout = {BUSY_TIMEOUT_MS}",
            "foreign_keys = OFF",  # while a migration may make a table anew that others refer to
            "journal_mode = WAL",
            "synchronous = FULL",
        ):
            await connection.execute_fetchall(f"PRAGMA {pragma}")
        await _migrate(connection)
        if not self._may_be_unfinished and await one(connection, "SELECT 1 FROM memory WHERE key = ?", MARK):
            raise StoreError(UNFINISHED)
        await connection.execute_fetchall("PRAGMA foreign_keys = ON")

    async def close(self) -> None:
        """Wait for what is under way, then close the file."""
        async with self._lock:
            connection, self._connection = self._connection, None
            if connection is not None:
                await connection.close()

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[aiosqlite.Connection]:
        """Give the connection to one task at a time; a single SELECT needs no transaction of its own.

        :raises NotKept: when the disk, or whoever else has the file, does not allow it now.
        :raises Damaged: when the file is.
        """
        async with self._lock:
            if self._connection is None:
                raise StoreError("the database is not open")
            try:
                yield self._connection
            except sqlite3.Error as error:
                trouble = self._named(error)
                if trouble is error:
                    raise
                raise trouble from error

    def _named(self, error: Exception) -> Exception:
        """Return what the store raises for an error of SQLite: where there is no word for it, itself."""
        trouble = _TROUBLES.get(primary_code(error)) if isinstance(error, sqlite3.Error) else None
        if trouble is None:
            return error
        named = trouble(f"{self._path}: {error}")
        named.__cause__ = error
        return named

    async def _one(self, sql: str, *values: object) -> Row | None:
        async with self._reading() as db:
            return await one(db, sql, *values)

    async def _all(self, sql: str, *values: object) -> Sequence[Row]:
        async with self._reading() as db:
            return list(await db.execute_fetchall(sql, values))

    async def _do(self, sql: str, *values: object) -> None:
        async with self._transaction() as db:
            await db.execute(sql, values)

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[aiosqlite.Connection]:
        """Give the connection to one task at a time, inside a transaction that ends with the block."""
        async with self._reading() as connection, transaction(connection):
            yield connection


async def _patiently(work: Callable[[], Awaitable[None]]) -> None:
    """Do what another process may be doing at this moment too: making the file, or bringing it up to date.

    SQLite itself does not wait where two change how one file is written, since both might wait for ever.
    """
    clock = asyncio.get_running_loop().time
    deadline = clock() + BUSY_TIMEOUT_MS / 1000
    while True:
        try:
            return await work()
        except sqlite3.OperationalError as error:
            passes = (
                primary_code(error) == sqlite3.SQLITE_BUSY
                or getattr(error, "sqlite_errorcode", 0) in _UNDER_REPAIR
            )
            if not passes or clock() > deadline:
                raise
        await asyncio.sleep(_PAUSE_S)


async def one(db: aiosqlite.Connection, query: str, *values: object) -> sqlite3.Row | None:
    """Return the first row of a query, or None."""
    return next(iter(await db.execute_fetchall(query, values)), None)


async def next_number(db: aiosqlite.Connection, name: str) -> int:
    """Return a number that was never given out under that name."""
    row = await one(db, "UPDATE counters SET value = value + 1 WHERE name = ? RETURNING value", name)
    assert row is not None
    return int(row[0])


def migrations() -> dict[int, str]:
    """Return the numbered scripts of this store; see :func:`bot.storage.migrations.scripts`."""
    return scripts(__package__)


async def _migrate(connection: aiosqlite.Connection) -> None:
    """Run every script that the file has not seen, each together with the note that says so."""
    await connection.execute("CREATE TABLE IF NOT EXISTS migrations (number BIGINT NOT NULL PRIMARY KEY)")
    for number, script in migrations().items():
        if number <= await _version(connection):
            continue
        try:
            # executescript commits whatever is open before it starts, so the transaction is in the script
            await connection.executescript(
                f"BEGIN IMMEDIATE;\nINSERT INTO migrations (number) VALUES ({number});\n{script}\nCOMMIT;"
            )
        except sqlite3.Error:
            with suppress(sqlite3.Error):
                await connection.execute("ROLLBACK")
            if number > await _version(connection):  # or another process has just run it
                raise


async def _version(connection: aiosqlite.Connection) -> int:
    row = await one(connection, "SELECT COALESCE(MAX(number), 0) FROM migrations")
    assert row is not None
    return int(row[0])
