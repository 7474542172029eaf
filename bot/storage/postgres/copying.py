"""The ends of a move that are PostgreSQL databases; see :mod:`bot.storage.transfer`."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import Any

import asyncpg

from bot.storage.errors import StoreError
from bot.storage.postgres.server import (
    APPLICATION,
    Db,
    connect,
    migrations,
    prepare,
    said,
    table_names,
    why_not,
)
from bot.storage.schema import MARK, NUMBERED, TABLES, UNFINISHED, USED, Key, Row, Table

_SESSION = {
    "application_name": "solitaire-migrate-store",
    "statement_timeout": "0",
    "idle_in_transaction_session_timeout": "0",  # the source waits for the target, in its transaction
    # Tables that nobody has counted yet are read in the order of the key all the same.
    "enable_seqscan": "off",
    "enable_bitmapscan": "off",
}
_CLOSE_S = 5.0
_SQL_TYPES = {int: "bigint", str: "text"}
_ERRORS = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # what a connection says that is cut off in the middle
    OSError,
)


class _PostgresEnd:
    """A database with one connection to it."""

    def __init__(self, url: str, name: str) -> None:
        self._url = url
        self.name = name
        self._db: Any = None

    async def _connect(self) -> None:
        try:
            self._db = await connect(self._url, **_SESSION)
        except (*_ERRORS, ValueError) as error:
            raise StoreError(
                f"{self.name} can't be reached: {why_not(error)}. Nothing was changed."
            ) from error
        with self._telling():
            if await self._db.fetchval("SELECT current_schema()") is None:
                raise StoreError(f"{self.name}: there is no such schema; nothing was changed.")

    async def identity(self) -> object:
        """Return cluster, database and schema."""
        query = (
            "SELECT (SELECT system_identifier FROM pg_control_system()), current_database(), current_schema()"
        )
        with self._telling():
            return tuple(await self._db.fetchrow(query))

    async def is_used(self) -> bool:
        """Return whether bots are connected that may be at home in this schema."""
        query = (
            "SELECT EXISTS (SELECT 1 FROM pg_stat_activity WHERE datname = current_database()"
            " AND application_name IN ($1, $1 || '/' || current_schema()))"
        )
        with self._telling():
            return bool(await self._db.fetchval(query, APPLICATION))

    async def count(self, table: Table) -> int:
        """Return how many rows a table has."""
        with self._telling():
            query = f"SELECT COUNT(*) FROM {table.name} WHERE {table.where}"
            return int(await self._db.fetchval(query))

    async def rows(self, table: Table, after: Key | None, limit: int) -> list[Row]:
        """Return rows in the order of the key, from behind that one on."""
        keys = ", ".join(table.key)
        places = ", ".join(f"${number}" for number in range(2, 2 + len(table.key)))
        behind = f"({keys}) > ({places})" if after else "TRUE"
        query = (
            f"SELECT {', '.join(table.columns)} FROM {table.name} WHERE {table.where} AND {behind}"
            f" ORDER BY {keys} LIMIT $1"
        )
        with self._telling():
            return [tuple(row) for row in await self._db.fetch(query, limit, *(after or ()))]

    async def numbers(self) -> Mapping[str, int]:
        """Return the last numbers that were given out."""
        numbers = {}
        with self._telling():
            for name, sequence in NUMBERED.items():
                query = f"SELECT CASE WHEN is_called THEN last_value ELSE last_value - 1 END FROM {sequence}"
                numbers[name] = await self._db.fetchval(query)
        return numbers

    async def close(self) -> None:
        """End the connection; what was not committed is undone."""
        db, self._db = self._db, None
        if db is not None:
            try:
                await db.close(timeout=_CLOSE_S)
            except (*_ERRORS, TimeoutError):
                db.terminate()

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Say what failed in one line."""
        try:
            yield
        except (*_ERRORS, ValueError) as error:
            cure = "Once it can be, run the same command again"
            if isinstance(error, asyncpg.InsufficientPrivilegeError):
                cure = "Give that user the right to it, then run the same command again"
            raise StoreError(f"{self.name} can't be used: {said(error)}. {cure}.") from error


class PostgresSource(_PostgresEnd):
    """A database that is copied; bots may play on it."""

    async def open(self) -> None:
        """See that it is a whole store with the tables that are known here."""
        await self._connect()
        with self._telling():
            if await self._db.fetchval("SELECT to_regclass(current_schema() || '.migrations')") is None:
                raise StoreError(f"{self.name} has no games; nothing was changed.")
            version = await self._db.fetchval("SELECT COALESCE(MAX(number), 0) FROM migrations")
            newest = max(migrations())
            if version != newest:
                cure = "Update the program" if version > newest else "Start the bot on it once"
                raise StoreError(
                    f"{self.name} was last used by another version of this program (schema {version}, here: "
                    f"{newest}); nothing was changed. {cure}, then run the same command again."
                )
            if await _mark(self._db) is not None:
                raise StoreError(f"{self.name}: {UNFINISHED}")

    async def take_snapshot(self) -> None:
        """See the database as it is now."""
        with self._telling():
            await self._db.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            await self._db.fetchval("SELECT 1 FROM games LIMIT 1")  # which is when it begins

    async def let_go(self) -> None:
        """See the database as it changes."""
        with self._telling():
            await self._db.execute("ROLLBACK")


class PostgresTarget(_PostgresEnd):
    """A database that is filled; its tables are made where there are none."""

    def __init__(self, url: str, name: str) -> None:
        super().__init__(url, name)
        self._own_mark = ""

    async def open(self) -> None:
        """See that it can keep every text."""
        await self._connect()
        with self._telling():
            encoding = await self._db.fetchval("SHOW server_encoding")
            if encoding != "UTF8":
                raise StoreError(
                    f"{self.name} keeps texts in {encoding}, not in UTF8; nothing was changed. Make one that "
                    "does: createdb -E UTF8 -T template0 NAME"
                )

    async def begin(self, mark: str) -> None:
        """Bring the schema up to date, and mark the move as unfinished."""
        self._own_mark = mark
        with self._telling():
            async with self._db.transaction():
                await prepare(self._db, must_exist=False)
                await self._refuse_what_is_not_ours()
                if await self.is_used():
                    raise StoreError(f"{self.name}: {USED}")
                await self._db.execute(
                    "INSERT INTO memory (key, value) VALUES ($1, $2)"
                    " ON CONFLICT (key) DO UPDATE SET value = $2",
                    MARK,
                    mark,
                )

    async def _refuse_what_is_not_ours(self) -> None:
        tables = await table_names(self._db)
        known = [table.name for table in TABLES if table.name in tables]
        if "migrations" not in tables or ("memory" in known and await _mark(self._db) is not None):
            return
        for name in known:
            if await self._db.fetchval(f"SELECT EXISTS (SELECT 1 FROM {name})"):
                raise StoreError(
                    f"{self.name} has something in it already; nothing was changed. Name an empty database, "
                    "or an empty schema: …?search_path=solitaire"
                )

    async def write(self, table: Table, gone: Sequence[Key], rows: Sequence[Row]) -> None:
        """Delete and write rows, and delete those that refer to deleted ones: their tables come later."""
        self._refuse_what_no_text_can_have(table, rows)
        async with self._transaction() as db:
            gone = [*gone, *await _with_the_same(db, table, rows)]
            if gone:
                for name, column in table.referring:
                    await db.execute(f"DELETE FROM {name} WHERE {column} = ANY($1)", [key[0] for key in gone])
                same = " AND ".join(f"t.{column} = gone.{column}" for column in table.key)
                keys = _unnested(table, table.key)
                await db.execute(
                    f"DELETE FROM {table.name} t USING {keys} AS gone ({', '.join(table.key)}) WHERE {same}",
                    *zip(*gone, strict=True),
                )
            if rows:
                others = table.columns[len(table.key) :]
                update = ", ".join(f"{column} = excluded.{column}" for column in others)
                await db.execute(
                    f"INSERT INTO {table.name} ({', '.join(table.columns)})"
                    f" SELECT * FROM {_unnested(table, table.columns)} ON CONFLICT ({', '.join(table.key)})"
                    f" DO {f'UPDATE SET {update}' if update else 'NOTHING'}",
                    *zip(*rows, strict=True),
                )

    async def skip_numbers(self, numbers: Mapping[str, int]) -> None:
        """Never give out these numbers, nor lower ones."""
        given = await self.numbers()
        async with self._transaction() as db:
            for name, sequence in NUMBERED.items():
                highest = await db.fetchval(f"SELECT COALESCE(MAX(id), 0) FROM {name}")
                last = max(numbers[name], given[name], highest)
                if last:  # a sequence that has given out nothing stands at 1
                    await db.execute(f"SELECT setval('{sequence}', $1)", last)

    async def finish(self) -> None:
        """Have the tables counted, for the server to plan by, and take the mark away."""
        with self._telling():
            for table in TABLES:
                await self._db.execute(f"VACUUM (ANALYZE) {table.name}")
        async with self._transaction() as db:
            await db.execute("DELETE FROM memory WHERE key = $1", MARK)

    @asynccontextmanager
    async def _transaction(self) -> AsyncIterator[Db]:
        """Begin a transaction in which nobody else can take the move over, and end it with the block."""
        with self._telling():
            async with self._db.transaction():
                held = await self._db.fetchval("SELECT value FROM memory WHERE key = $1 FOR UPDATE", MARK)
                if held != self._own_mark:
                    raise StoreError(
                        f"Another migrate-store has begun to write to {self.name}; this one ends."
                    )
                yield self._db

    def _refuse_what_no_text_can_have(self, table: Table, rows: Sequence[Row]) -> None:
        for row in rows:
            for column, kind, value in zip(table.columns, table.types, row, strict=True):
                if kind is str and "\0" in value:
                    raise StoreError(
                        f"{table.say(table.key_of(row))}: {column} has a NUL character in it, which"
                        " PostgreSQL can't keep. Correct it, then run the same command again."
                    )


async def _with_the_same(db: Db, table: Table, rows: Sequence[Row]) -> list[Key]:
    """Return keys of rows that have, in the columns that are unique too, what one of these is to have."""
    if not table.also_unique:
        return []
    places = [table.columns.index(column) for column in table.also_unique]
    wanted = {tuple(row[place] for place in places): table.key_of(row) for row in rows}
    query = (
        f"SELECT {', '.join((*table.also_unique, *table.key))} FROM {table.name}"
        f" WHERE {table.also_unique_where}"
        f" AND ({', '.join(table.also_unique)}) IN (SELECT * FROM {_unnested(table, table.also_unique)})"
    )
    found = await db.fetch(query, *([row[place] for row in rows] for place in places))
    pairs = ((tuple(row[: len(places)]), tuple(row[len(places) :])) for row in map(tuple, found))
    return [key for same, key in pairs if wanted[same] != key]


def _unnested(table: Table, columns: Sequence[str]) -> str:
    """Return SQL for rows whose columns are given as arrays, as $1 and so on."""
    types = (_SQL_TYPES[table.types[table.columns.index(column)]] for column in columns)
    return f"unnest({', '.join(f'${number}::{kind}[]' for number, kind in enumerate(types, 1))})"


async def _mark(db: Db) -> str | None:
    value: str | None = await db.fetchval("SELECT value FROM memory WHERE key = $1", MARK)
    return value
