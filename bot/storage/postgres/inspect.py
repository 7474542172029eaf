"""Inspects a PostgreSQL database for the operator, without changing anything."""

from __future__ import annotations

from dataclasses import dataclass

import asyncpg

from bot.storage.errors import StoreError
from bot.storage.postgres.server import (
    APPLICATION,
    CONNECTIONS,
    Db,
    connect,
    is_ours,
    migrations,
    said,
    table_names,
    why_not,
)
from bot.storage.schema import MARK, TABLES


@dataclass(frozen=True, slots=True)
class Inspection:
    """The state of a database.

    ``schema`` is 0 for an empty database, None for another program's. ``lacks`` says which rights a bot would
    need. ``clients`` counts the bots' connections, ``room`` those that the server has left. ``risks`` names
    settings by which a power cut could lose turns already answered.
    """

    server: str
    schema: int | None
    known: int
    games: int
    may_write: bool
    lacks: str
    clients: int
    room: int
    risks: tuple[str, ...]
    is_half_moved: bool

    @property
    def has_room(self) -> bool:
        """True when another process could connect as often as it might want to."""
        return self.room >= CONNECTIONS + 1


async def inspect(url: str) -> Inspection:
    """Inspection at the database at ``url``.

    :raises StoreError: when it can't be reached.
    """
    db = await _connected(url)
    try:
        return await _inspect(db)
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
        raise StoreError(said(error)) from error
    finally:
        db.terminate()


async def stored_value(url: str, key: str) -> str | None:
    """Return the value stored under a key.

    :raises StoreError: when the database can't be read.
    """
    db = await _connected(url)
    try:
        value: str | None = await db.fetchval("SELECT value FROM memory WHERE key = $1", key)
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError) as error:
        raise StoreError(said(error)) from error
    finally:
        db.terminate()
    return value


async def _connected(url: str) -> Db:
    try:
        return await connect(url)
    except (asyncpg.PostgresError, asyncpg.InterfaceError, OSError, ValueError) as error:
        raise StoreError(why_not(error)) from error


async def _inspect(db: Db) -> Inspection:
    tables = await table_names(db)
    has_games = is_ours(tables)
    settings = {
        name: await db.fetchval("SELECT current_setting($1)", name)
        for name in (
            "server_version",
            "max_connections",
            "fsync",
            "synchronous_commit",
            "transaction_read_only",
        )
    }
    query = "SELECT application_name FROM pg_stat_activity WHERE backend_type = 'client backend'"
    backends = [row[0] for row in await db.fetch(query)]
    mark = has_games and await db.fetchval("SELECT 1 FROM memory WHERE key = $1", MARK)
    return Inspection(
        server=f"PostgreSQL {settings['server_version']}",
        schema=await db.fetchval("SELECT MAX(number) FROM migrations")
        if has_games
        else None
        if tables
        else 0,
        known=max(migrations()),
        games=await db.fetchval("SELECT COUNT(*) FROM games") if has_games else 0,
        may_write=settings["transaction_read_only"] == "off",
        lacks=await _lacks(db, is_made=has_games),
        clients=sum(name.partition("/")[0] == APPLICATION for name in backends) - 1,  # this one is no bot's
        room=int(settings["max_connections"]) - len(backends),
        risks=tuple(name for name in ("fsync", "synchronous_commit") if settings[name] == "off"),
        is_half_moved=bool(mark),
    )


async def _lacks(db: Db, *, is_made: bool) -> str:
    if await db.fetchval("SELECT current_schema()") is None:
        return "there is no such schema"
    if not is_made:
        may_make = await db.fetchval("SELECT has_schema_privilege(current_schema(), 'CREATE')")
        return "" if may_make else "the user may not make tables there (CREATE on the schema)"
    query = (
        "SELECT COALESCE(string_agg(tablename, ', ' ORDER BY tablename), '') FROM pg_tables"
        " WHERE schemaname = current_schema() AND tablename = ANY($1) AND NOT ("
    )
    own = "quote_ident(schemaname) || '.' || quote_ident(tablename)"
    rights = " AND ".join(
        f"has_table_privilege({own}, '{right}')" for right in ("SELECT", "INSERT", "UPDATE", "DELETE")
    )
    names: str = await db.fetchval(f"{query}{rights})", [table.name for table in TABLES])
    return names and f"the user may not read and write all tables there ({names})"
