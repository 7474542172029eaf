"""Checks the database, of either kind, and reads what the bot stored in it under a key."""

from __future__ import annotations

import asyncio

from bot.config import Config
from bot.operations.doctor import postgres, sqlite
from bot.operations.doctor.finding import Finding, wrong
from bot.storage import is_postgres, sqlite_path
from bot.storage.sqlite import inspect


async def check_database(config: Config) -> list[Finding]:
    """Check that the database can be used and is up to date."""
    if is_postgres(config.database_url):
        return await postgres.check_postgres(config.database_url)
    try:
        path = sqlite_path(config.database_url)
    except ValueError as error:
        return wrong("database", "unknown", str(error))
    return await asyncio.to_thread(sqlite.check_sqlite, path)


async def stored_value(config: Config, key: str) -> str | None:
    """Return what the bot stored under a key; None if there is nothing or the database can't be read."""
    if is_postgres(config.database_url):
        return await postgres.stored_value(config.database_url, key)
    try:
        path = sqlite_path(config.database_url)
    except ValueError:  # reported by check_database
        return None
    return await asyncio.to_thread(inspect.stored_value, path, key)
