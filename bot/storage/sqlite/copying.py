"""The ends of a move that are SQLite files; see :mod:`bot.storage.transfer`."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from bot.storage.errors import StoreError
from bot.storage.schema import MARK, NUMBERED, TABLES, UNFINISHED, USED, Key, Row, Table
from bot.storage.sqlite.file import BUSY_TIMEOUT_MS, SqliteFile, migrations
from bot.storage.sqlite.inspect import primary_code, refuse_unusable

T = TypeVar("T")

_PROBE_S = 0.2  # to wait for whoever only looks


class _SqliteEnd:
    """A file, with a connection that is used by one thread at a time."""

    def __init__(self, path: Path, name: str) -> None:
        self._path = path
        self.name = name
        self._connection: sqlite3.Connection | None = None
        self._using = threading.Lock()

    async def identity(self) -> object:
        """Return the file, by whatever path it is named."""
        return "sqlite", self._path.resolve()

    async def is_used(self) -> bool:
        """Return whether somebody has it open."""
        return self._path.exists() and await asyncio.to_thread(self._tell, lambda: _is_used(self._path))

    async def count(self, table: Table) -> int:
        """Return how many rows a table has."""
        query = f"SELECT COUNT(*) FROM {table.name} WHERE {table.where}"
        return int(await self._do(lambda db: db.execute(query).fetchone()[0]))

    async def rows(self, table: Table, after: Key | None, limit: int) -> list[Row]:
        """Return rows in the order of the key, from behind that one on."""
        keys = ", ".join(table.key)
        behind = f"({keys}) > ({', '.join('?' * len(table.key))})" if after else "TRUE"
        query = (
            f"SELECT {', '.join(table.columns)} FROM {table.name} WHERE {table.where} AND {behind}"
            f" ORDER BY {keys} LIMIT ?"
        )
        rows: list[Row] = await self._do(lambda db: db.execute(query, (*(after or ()), limit)).fetchall())
        for row in rows:
            if tuple(map(type, row)) != table.types:  # of which SQLite takes no notice
                raise StoreError(f"{self.name}: {table.say(table.key_of(row))}: {_wrong(table, row)}")
        return rows

    async def numbers(self) -> Mapping[str, int]:
        """Return the last numbers that were given out."""
        return dict(await self._do(lambda db: db.execute("SELECT name, value FROM counters").fetchall()))

    async def close(self) -> None:
        """Wait for what is under way, then close the file."""
        await asyncio.to_thread(self._close)

    def _close(self) -> None:
        with self._using:
            connection, self._connection = self._connection, None
            if connection is not None:
                with suppress(sqlite3.Error):
                    connection.close()

    async def _do(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Do something with the connection, in another thread."""

        def do() -> T:
            with self._using:
                if self._connection is None:
                    raise StoreError(f"{self.name} is not open")
                return work(self._connection)

        return await asyncio.to_thread(self._tell, do)

    def _tell(self, work: Callable[[], T]) -> T:
        """Do something that can fail, and say what failed."""
        try:
            return work()
        except (sqlite3.Error, OSError) as error:
            said = " ".join(str(error).split())
            raise StoreError(
                f"{self.name} can't be used: {said}. Once it can be, run the same command again."
            ) from error


class SqliteSource(_SqliteEnd):
    """A file that is copied; a bot may play on it."""

    async def open(self) -> None:
        """See that it is a whole store with the tables that are known here."""
        await asyncio.to_thread(self._tell, self._look)

    def _look(self) -> None:
        if not self._path.exists() or not self._path.stat().st_size:
            raise StoreError(f"There is no database {self._path}; nothing was changed.")
        newest = max(migrations())
        refuse_unusable(self._path, newest)
        with closing(_to_read(self._path)) as db:
            version = db.execute("SELECT COALESCE(MAX(number), 0) FROM migrations").fetchone()[0]
            if version < newest:
                raise StoreError(
                    f"{self._path} was last used by an older version of this program (schema {version}, here:"
                    f" {newest}); nothing was changed. Start the bot on it once, then run the same command"
                    " again."
                )
            if _mark(db) is not None:
                raise StoreError(f"{self._path}: {UNFINISHED}")

    async def take_snapshot(self) -> None:
        """See the file as it is now."""
        await asyncio.to_thread(self._tell, self._begin)

    def _begin(self) -> None:
        self._connection = _to_read(self._path)
        self._connection.execute("BEGIN")
        self._connection.execute("SELECT 1 FROM games LIMIT 1").fetchone()  # which is when it begins

    async def let_go(self) -> None:
        """Close the file."""
        await self.close()


class SqliteTarget(_SqliteEnd):
    """A file that is filled, made where there is none."""

    def __init__(self, path: Path, name: str) -> None:
        super().__init__(path, name)
        self._own_mark = ""

    async def open(self) -> None:
        """See that it is sound, no other program's and no newer version's, or not there."""
        await asyncio.to_thread(self._tell, lambda: refuse_unusable(self._path, max(migrations())))

    def _look(self) -> None:
        if self._path.exists() and self._path.stat().st_size:
            with closing(_to_read(self._path)) as db:
                self._refuse_what_is_not_ours(db)

    async def begin(self, mark: str) -> None:
        """Bring the schema up to date, and mark the move as unfinished."""
        self._own_mark = mark
        await asyncio.to_thread(self._tell, self._look)
        if await self.is_used():
            raise StoreError(f"{self.name}: {USED}")
        await asyncio.to_thread(self._tell, self._make)
        file = _UnfinishedFile(self._path)
        await file.open()
        await file.close()
        await asyncio.to_thread(self._tell, self._connect)
        await self._do(self._set_mark)

    def _make(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        if not self._path.exists():
            self._path.touch(mode=0o600)  # who reads it knows the coming daily deals

    def _connect(self) -> None:
        self._connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
        for pragma in (f"busy_timeout = {BUSY_TIMEOUT_MS}", "foreign_keys = OFF", "synchronous = FULL"):
            self._connection.execute(f"PRAGMA {pragma}")

    def _set_mark(self, db: sqlite3.Connection) -> None:
        with _transaction(db):
            self._refuse_what_is_not_ours(db)
            db.execute("INSERT OR REPLACE INTO memory (key, value) VALUES (?, ?)", (MARK, self._own_mark))

    def _refuse_what_is_not_ours(self, db: sqlite3.Connection) -> None:
        tables = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        known = [table.name for table in TABLES if table.name in tables]
        if "memory" in known and _mark(db) is not None:
            return
        if any(db.execute(f"SELECT 1 FROM {name} LIMIT 1").fetchone() for name in known):
            raise StoreError(
                f"{self._path} has something in it already; nothing was changed. Name a file that is not"
                " there."
            )

    async def write(self, table: Table, gone: Sequence[Key], rows: Sequence[Row]) -> None:
        """Delete and write rows; foreign keys are right again when all tables have been written."""
        this_one = " AND ".join(f"{column} = ?" for column in table.key)
        values = ", ".join("?" * len(table.columns))

        def write(db: sqlite3.Connection) -> None:
            with _transaction(db):
                self._see_own_mark(db)
                db.executemany(f"DELETE FROM {table.name} WHERE {this_one}", gone)
                # REPLACE also deletes what has the same in a unique index.
                columns = ", ".join(table.columns)
                db.executemany(f"INSERT OR REPLACE INTO {table.name} ({columns}) VALUES ({values})", rows)

        await self._do(write)

    async def skip_numbers(self, numbers: Mapping[str, int]) -> None:
        """Never give out these numbers, nor lower ones."""

        def skip(db: sqlite3.Connection) -> None:
            with _transaction(db):
                self._see_own_mark(db)
                for name in NUMBERED:
                    highest = f"(SELECT COALESCE(MAX(id), 0) FROM {name})"
                    db.execute(
                        f"UPDATE counters SET value = MAX(value, ?, {highest}) WHERE name = ?",
                        (numbers[name], name),
                    )

        await self._do(skip)

    async def finish(self) -> None:
        """Take the mark away."""

        def finish(db: sqlite3.Connection) -> None:
            with _transaction(db):
                self._see_own_mark(db)
                db.execute("DELETE FROM memory WHERE key = ?", (MARK,))

        await self._do(finish)

    def _see_own_mark(self, db: sqlite3.Connection) -> None:
        if _mark(db) != self._own_mark:
            raise StoreError(f"Another migrate-store has begun to write to {self.name}; this one ends.")


class _UnfinishedFile(SqliteFile):
    """A file that is brought up to date although not all has arrived."""

    _may_be_unfinished = True


def _is_used(path: Path) -> bool:
    """Try to be the only one who has the file open, which SQLite allows if nobody else has.

    A bot's write-ahead log makes it keep a lock as long as it has the file open, also while it does nothing.
    """
    with closing(_connect(path, timeout=_PROBE_S)) as db:
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        try:
            db.execute("BEGIN EXCLUSIVE")
            db.execute("ROLLBACK")
        except sqlite3.OperationalError as error:
            if primary_code(error) == sqlite3.SQLITE_READONLY:  # then the log's index tells
                return path.with_name(f"{path.name}-shm").exists()
            if primary_code(error) != sqlite3.SQLITE_BUSY:
                raise
            return True
    return False


def _to_read(path: Path) -> sqlite3.Connection:
    """Open a file that must be there, to read. Read-only mode could not mend an unfinished log."""
    connection = _connect(path, timeout=BUSY_TIMEOUT_MS / 1000)
    connection.execute("PRAGMA query_only = ON")
    return connection


def _connect(path: Path, *, timeout: float) -> sqlite3.Connection:
    url = f"{path.absolute().as_uri()}?mode=rw"
    return sqlite3.connect(url, uri=True, timeout=timeout, isolation_level=None, check_same_thread=False)


def _mark(db: sqlite3.Connection) -> str | None:
    row = db.execute("SELECT value FROM memory WHERE key = ?", (MARK,)).fetchone()
    return None if row is None else str(row[0])


@contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):  # SQLite may have undone it already, as where the disk is full
            db.execute("ROLLBACK")
        raise


def _wrong(table: Table, row: Row) -> str:
    """Say which column has what it can't have."""
    wrong = (
        f"{column} is {type(value).__name__}, not {kind.__name__}"
        for column, kind, value in zip(table.columns, table.types, row, strict=True)
        if type(value) is not kind
    )
    return ", ".join(wrong)
