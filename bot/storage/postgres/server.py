"""A PostgreSQL database: reached, brought up to date, and asked with patience while the server starts anew.

Several processes share it. A verb of one statement is a transaction by itself. A longer one takes a lock on
the user whose rows it is about (:func:`lock_user`), so that what two processes do for one user at the same
moment is done one after the other.
"""

from __future__ import annotations

import asyncio
import logging
import re
import socket
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, TypeVar
from urllib.parse import parse_qs

import asyncpg

from bot.storage.errors import StorageCorrupt, StorageUnavailable, StoreError
from bot.storage.migrations import scripts
from bot.storage.queries import Connection
from bot.storage.rows import Row
from bot.storage.schema import MARK, UNFINISHED

T = TypeVar("T")
# A connection of the pool, as a query is given it. asyncpg ships no types for the proxy.
Db = Any

log = logging.getLogger(__name__)

APPLICATION = "solitaire-bot"
CONNECTIONS = 8  # of one process; a server allows a hundred, unless it is told otherwise
PATIENCE_S = 10.0  # a server that starts anew is back in a second or two
STATEMENT_S = 15.0
_MIGRATION_S = 3600.0
_PAUSE_S = 0.05
_LONGEST_PAUSE_S = 0.5
_MOST_TRIES = 5  # of a transaction that another one got in the way of

_SESSION = {
    "statement_timeout": str(int(STATEMENT_S * 1000)),
    "idle_in_transaction_session_timeout": "30000",
    # A machine that is gone says nothing; its locks are free after a minute.
    "tcp_keepalives_idle": "30",
    "tcp_keepalives_interval": "10",
    "tcp_keepalives_count": "3",
    "jit": "off",  # it would cost more than these queries do
}

NO_SCHEMA = (
    "There is no such schema in this database; nothing was changed. See search_path in DATABASE_URL, or make "
    "it there: CREATE SCHEMA solitaire"
)
_OURS = {"migrations", "games", "memory"}  # others call a table migrations too

_TO_WRITE = "in user and password, write each of @ : / ? # [ ] % as % and its code, like %40 for @"

_NAME_BYTES = 63  # of an application's name; a longer one is cut

_AWAY = (
    asyncpg.PostgresConnectionError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
    asyncpg.CannotConnectNowError,
    asyncpg.TooManyConnectionsError,
    asyncpg.InternalClientError,  # what a connection says that was told of the end while nobody asked it
    OSError,  # no route, no such host, no socket, no answer in time
)
_COLLIDED = (asyncpg.SerializationError, asyncpg.DeadlockDetectedError)
_TROUBLES: tuple[tuple[type[Exception], type[StoreError]], ...] = (
    (asyncpg.DataCorruptedError, StorageCorrupt),
    (asyncpg.IndexCorruptedError, StorageCorrupt),
    (asyncpg.InsufficientResourcesError, StorageUnavailable),
    (asyncpg.ReadOnlySQLTransactionError, StorageUnavailable),
    (asyncpg.OperatorInterventionError, StorageUnavailable),
    (asyncpg.InsufficientPrivilegeError, StorageUnavailable),
    (asyncpg.PostgresConnectionError, StorageUnavailable),
)


class PostgresServer(Connection):
    """The database that ``url`` names; if it ``must_exist``, tables are not made where there are none."""

    def __init__(self, url: str, *, must_exist: bool = False) -> None:
        self._url = url
        self._must_exist = must_exist
        self._pool: asyncpg.Pool | None = None

    async def open(self) -> None:
        """Connect, and bring the schema up to date.

        :raises StoreError: when the server can't be reached or doesn't let us in, or when the database is
            another program's, or a newer version's.
        """
        try:
            self._pool = await asyncpg.create_pool(
                self._url,
                init_size=0,  # so that a server which is not up yet is waited for like one that went away
                min_size=0,
                max_size=CONNECTIONS,
                reset=_keep,
                **_how(self._url),
            )
            await self._ask(lambda db, _: _prepare_to_play(db, must_exist=self._must_exist))
        except (
            asyncpg.PostgresError,
            asyncpg.InterfaceError,
            StorageUnavailable,
            OSError,
            ValueError,
        ) as error:
            await self.close()
            raise StoreError(
                f"PostgreSQL can't be used ({why_not(error)}); nothing was changed. Check DATABASE_URL, and"
                " that the server runs."
            ) from error
        except BaseException:
            await self.close()
            raise

    @property
    def _is_open(self) -> bool:
        return self._pool is not None

    async def close(self) -> None:
        """Wait for what is under way, then let go of the server."""
        pool, self._pool = self._pool, None
        if pool is None:
            return
        try:
            await asyncio.wait_for(pool.close(), PATIENCE_S)
        except TimeoutError:
            pool.terminate()

    async def _one(self, sql: str, *values: object) -> Row | None:
        row: Row | None = await self._ask(lambda db, _: db.fetchrow(numbered(sql), *values))
        return row

    async def _all(self, sql: str, *values: object) -> Sequence[Row]:
        rows: Sequence[Row] = await self._ask(lambda db, _: db.fetch(numbered(sql), *values))
        return rows

    async def _do(self, sql: str, *values: object) -> None:
        await self._ask(lambda db, _: db.execute(numbered(sql), *values))

    async def _transaction(self, work: Callable[[Db, bool], Awaitable[T]]) -> T:
        """Do something in a transaction, as :meth:`_ask` does."""

        async def transact(db: Db, may_be_done: bool) -> T:
            async with db.transaction():
                return await work(db, may_be_done)

        return await self._ask(transact)

    async def _ask(self, work: Callable[[Db, bool], Awaitable[T]]) -> T:
        """Do something with a connection; again while the server is away, or another one got in the way.

        ``work`` is told whether it may be done already: by an earlier try whose connection was lost before
        anybody could know.

        :raises NotKept: when the server does not come back, or does not allow it now.
        :raises Damaged: when what is stored is.
        """
        clock = asyncio.get_running_loop().time
        deadline, pause_s, collisions, may_be_done = clock() + PATIENCE_S, _PAUSE_S, 0, False
        while True:
            if self._pool is None:
                raise StoreError("the database is not open")
            try:
                async with self._pool.acquire(timeout=PATIENCE_S) as db:
                    try:
                        return await work(db, may_be_done)
                    except Exception as error:
                        if is_away(error):
                            may_be_done = True
                            with suppress(asyncpg.InterfaceError):  # where the pool has let go of it already
                                db.terminate()
                        raise
            except Exception as error:
                collisions += isinstance(error, _COLLIDED)
                is_hopeless = collisions == _MOST_TRIES or clock() + pause_s > deadline
                if is_hopeless or not (isinstance(error, _COLLIDED) or is_away(error)):
                    trouble = _named(error)
                    if trouble is error:
                        raise
                    raise trouble from error
            await asyncio.sleep(pause_s)
            pause_s = min(2 * pause_s, _LONGEST_PAUSE_S)


@cache
def numbered(sql: str) -> str:
    """Return SQL with each ``?`` written as PostgreSQL does: ``$1``, ``$2`` …"""
    parts = sql.split("?")
    return "".join(f"{part}${number}" for number, part in enumerate(parts[:-1], start=1)) + parts[-1]


async def connect(url: str, **settings: str) -> Any:
    """Return a connection of its own to the database at ``url``; settings of the session may differ."""
    return await asyncpg.connect(url, **_how(url, settings))


def _how(url: str, settings: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Return how a connection is made."""
    session = {**_SESSION, "application_name": application_name(url), **(settings or {})}
    limit_ms = int(session["statement_timeout"])
    return {
        "timeout": PATIENCE_S,
        "command_timeout": limit_ms / 1000 + 5 if limit_ms else None,  # the server's own limit comes first
        "server_settings": session,
    }


def application_name(url: str) -> str:
    """Return what a bot's connections are called, with the schema if the address names one.

    By that the server's list of connections tells who is at home in which schema of a database.
    """
    schemas = parse_qs(url.partition("?")[2]).get("search_path", [])
    name = f"{APPLICATION}/{schemas[-1]}" if schemas and re.fullmatch("[a-z_][a-z0-9_]*", schemas[-1]) else ""
    return name if name and len(name) <= _NAME_BYTES else APPLICATION


async def lock_user(db: Db, user_id: int) -> None:
    """Keep others from changing what is kept of a user, until the transaction ends."""
    await db.execute(
        "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '/user', $1))", user_id
    )


def is_away(error: BaseException) -> bool:
    """Return whether the server, or the connection to it, is gone: with another one it may be done."""
    if isinstance(error, asyncpg.InterfaceError):  # which is also what a wrong call raises, or a wrong value
        return not isinstance(error, ValueError) and any(
            word in str(error) for word in ("closed", "connection was released")
        )
    return isinstance(error, _AWAY)


def _named(error: Exception) -> Exception:
    """Return what the store raises for an error of PostgreSQL: where there is no word for it, itself."""
    if is_away(error):
        return StorageUnavailable(f"the database server is away: {said(error)}")
    return next((trouble(said(error)) for kind, trouble in _TROUBLES if isinstance(error, kind)), error)


def why_not(error: BaseException) -> str:
    """Return why no connection came about; what is wrong with an address may quote half a password."""
    if isinstance(error, ValueError) and not isinstance(error, asyncpg.InterfaceError):
        return f"the address is not understood: {_TO_WRITE}"
    if isinstance(error, socket.gaierror) or isinstance(error.__cause__, socket.gaierror):
        return f"{said(error)}; the host may be misspelt, or a password is part of it: {_TO_WRITE}"
    return said(error)


def said(error: BaseException) -> str:
    """Return what an error says, in one line; some say nothing but their name."""
    return " ".join(str(error).split()) or type(error).__name__


async def _keep(_: Db) -> None:
    """Leave a connection as it is: nothing that is asked here outlives its transaction."""


async def table_names(db: Db) -> set[str]:
    """Return the names of all tables in the schema that is used."""
    rows = await db.fetch("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
    return {row[0] for row in rows}


def is_ours(tables: set[str]) -> bool:
    """Return whether tables of these names are a store's."""
    return tables >= _OURS


def migrations() -> dict[int, str]:
    """Return the numbered scripts of this store; see :func:`bot.storage.migrations.scripts`."""
    return scripts(__package__)


async def _prepare_to_play(db: Db, *, must_exist: bool) -> None:
    """Bring the schema up to date, and see that all games have arrived.

    :raises StoreError: when they have not, or as :func:`prepare` does.
    """
    await prepare(db, must_exist=must_exist)
    if await db.fetchval("SELECT 1 FROM memory WHERE key = $1", MARK):
        raise StoreError(UNFINISHED)


async def prepare(db: Db, *, must_exist: bool) -> None:
    """Bring the schema up to date, while every other process waits that wants to.

    :raises StoreError: when it is another program's, or a newer version's.
    """
    async with db.transaction():
        # Held to the end of the transaction, in which all scripts run or none: DDL is transactional here.
        await db.execute("SET LOCAL statement_timeout = 0")
        lock = "SELECT pg_advisory_xact_lock(hashtextextended(current_schema() || '/migrations', 0))"
        await db.execute(lock, timeout=_MIGRATION_S)
        if await db.fetchval("SELECT current_schema()") is None:
            raise StoreError(NO_SCHEMA)
        tables = await table_names(db)
        known = migrations()
        if not is_ours(tables):
            if must_exist:
                raise StoreError("This database has no games. DATABASE_URL says where they are.")
            if tables:
                raise StoreError(
                    "This database is another program's; nothing was changed. Name one of its own in "
                    "DATABASE_URL, or a schema: …?search_path=solitaire"
                )
            await db.execute("CREATE TABLE migrations (number BIGINT NOT NULL PRIMARY KEY)")
        done = await db.fetchval("SELECT COALESCE(MAX(number), 0) FROM migrations")
        if done > max(known):
            raise StoreError(
                f"This database was written by a newer version of this program (schema {done}, known here: "
                f"{max(known)}); nothing was changed. Update the program, or use another database."
            )
        for number, script in known.items():
            if number > done:
                await db.execute(script, timeout=_MIGRATION_S)
                await db.execute("INSERT INTO migrations (number) VALUES ($1)", number)
                log.info("the database is brought up to schema %d", number)
