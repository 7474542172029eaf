"""One SQLite file: opened, checked, brought up to date, and lent to one task at a time.

One connection serves everything: SQLite writes one transaction at a time anyway, and a lock in the event
loop makes the order fair and "database is locked" impossible between our own tasks. Another process that
holds the file (a backup, a shell) is waited for, five seconds at most.
"""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any, TypeVar

import aiosqlite

from bot.storage.base import Stale, StoreError, Taken

T = TypeVar("T")

BUSY_TIMEOUT_MS = 5_000


@dataclass(slots=True, eq=False)
class _Work:
    """What is to be done in a transaction, and where its outcome is awaited."""

    do: Callable[[aiosqlite.Connection], Awaitable[Any]]
    done: asyncio.Future[Any] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    def end(self, outcome: Any) -> None:
        """Hand over what came of it, unless nobody waits any more."""
        if self.done.done():
            return
        if isinstance(outcome, BaseException):
            self.done.set_exception(outcome)
        else:
            self.done.set_result(outcome)


class SqliteFile:
    """The file at ``path``, made when it is not there."""

    def __init__(self, path: str | Path, *, must_exist: bool = False) -> None:
        self._path = Path(path)
        self._must_exist = must_exist
        self._connection: aiosqlite.Connection | None = None
        self._lock = asyncio.Lock()
        self._waiting: list[_Work] = []
        self._committing: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Open the file, check that it is sound, and bring its schema up to date.

        :raises StoreError: when it is no database, damaged, not writable, or from a newer version.
        """
        if self._must_exist and not self._path.exists():
            raise StoreError(f"There is no database {self._path}. DATABASE_URL says where it is.")
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
            "foreign_keys = OFF",  # while a migration may make a table anew that others refer to
            "journal_mode = WAL",
            "synchronous = FULL",
        ):
            await connection.execute_fetchall(f"PRAGMA {pragma}")
        await _migrate(connection, self._path)
        await connection.execute_fetchall("PRAGMA foreign_keys = ON")

    async def close(self) -> None:
        """Wait for what is under way, then close the file."""
        async with self._lock:
            connection, self._connection = self._connection, None
            if connection is not None:
                await connection.close()

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
        async with self._reading() as connection, _transaction(connection):
            yield connection

    async def _commit(self, do: Callable[[aiosqlite.Connection], Awaitable[T]]) -> T:
        """Do something in a transaction, together with all else that waits for one at that moment.

        A commit waits for the disk, and one of many turns waits no longer than one of a single turn. What
        is done may raise Stale or Taken as long as it has written nothing. Cancelling the caller drops what
        was not begun.
        """
        work = _Work(do)
        self._waiting.append(work)
        if self._committing is None:
            self._committing = asyncio.create_task(self._commit_waiting(), name="commit")
        result: T = await work.done
        return result

    async def _commit_waiting(self) -> None:
        """Commit until nothing waits."""
        try:
            while self._waiting:
                try:
                    async with self._reading() as db:
                        works, self._waiting = self._waiting, []
                        await _commit_together(db, works)
                except StoreError as error:  # it was closed
                    for work in self._waiting:
                        work.end(error)
                    self._waiting = []
        finally:
            self._committing = None
            for work in self._waiting:  # where this was cancelled, as when the program ends
                work.done.cancel()
            self._waiting = []


async def _commit_together(db: aiosqlite.Connection, works: list[_Work]) -> None:
    """Do all of it in one transaction; where that fails, each in its own, so that it fails for itself."""
    works = [work for work in works if not work.done.cancelled()]
    outcomes: list[Any] = []
    try:
        async with _transaction(db):
            for work in works:
                try:
                    outcomes.append(await work.do(db))
                except (Stale, Taken) as refusal:
                    outcomes.append(refusal)
    except asyncio.CancelledError:
        for work in works:
            work.done.cancel()
        raise
    except Exception as error:  # noqa: BLE001 - it is handed to whoever waits for it
        if len(works) > 1:
            for work in works:
                await _commit_together(db, [work])
            return
        outcomes = [error]
    for work, outcome in zip(works, outcomes, strict=True):
        work.end(outcome)


@asynccontextmanager
async def _transaction(db: aiosqlite.Connection) -> AsyncIterator[None]:
    """Begin a transaction, and end it with the block."""
    try:
        await db.execute("BEGIN IMMEDIATE")
        yield
        await db.execute("COMMIT")
    except BaseException:
        # The thread works its queue in order, so this also undoes a BEGIN whose caller was
        # cancelled; where nothing had begun, or all was committed, there is nothing to undo.
        with suppress(sqlite3.OperationalError):
            await db.execute("ROLLBACK")
        raise


async def one(db: aiosqlite.Connection, query: str, *values: object) -> sqlite3.Row | None:
    """Return the first row of a query, or None."""
    return next(iter(await db.execute_fetchall(query, values)), None)


async def next_number(db: aiosqlite.Connection, name: str) -> int:
    """Return a number that was never given out under that name."""
    row = await one(db, "UPDATE counters SET value = value + 1 WHERE name = ? RETURNING value", name)
    assert row is not None
    return int(row[0])


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
    result = await one(connection, "PRAGMA quick_check(1)")
    if result is None or result[0] != "ok":
        raise sqlite3.DatabaseError(" ".join(str(result[0]).split()) if result else "damaged")


async def _migrate(connection: aiosqlite.Connection, path: Path) -> None:
    """Run every script that the file has not seen, each together with the note that says so."""
    await connection.execute("CREATE TABLE IF NOT EXISTS migrations (number BIGINT NOT NULL PRIMARY KEY)")
    row = await one(connection, "SELECT COALESCE(MAX(number), 0) FROM migrations")
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
