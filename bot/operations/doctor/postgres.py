"""Checks a PostgreSQL database without changing it."""

from __future__ import annotations

from bot.operations.doctor.finding import Finding, wrong
from bot.storage import StoreError, open_store, shown


async def check_postgres(url: str) -> list[Finding]:
    """Check that the database can be used, is durable and has connections to spare."""
    try:
        open_store(url)
    except ValueError as error:  # its driver is not installed
        return wrong("database", shown(url), str(error))
    # Imported here because a bot on SQLite need not install the driver.
    from bot.storage.postgres.inspect import inspect  # noqa: PLC0415

    try:
        seen = await inspect(url)
    except StoreError as error:
        advice = "Check that the server is running and that DATABASE_URL is right."
        return wrong("database", f"{shown(url)} can't be used ({error})", advice)
    if seen.schema is None:
        advice = "Set DATABASE_URL to another database."
        return wrong("database", f"{shown(url)} belongs to another program", advice)
    if seen.schema > seen.known:
        state = f"schema {seen.schema}, newer than this program's {seen.known}"
        return wrong("database", state, "Update the program.")
    if seen.is_half_moved:
        return half_moved()
    if seen.lacks:
        advice = "Check the user and search_path in DATABASE_URL, or have the database's owner grant it."
        return wrong("database", f"{shown(url)}: {seen.lacks}", advice)
    if not seen.may_write:
        return wrong("database", "it is read-only", "Set DATABASE_URL to the primary server.")
    findings = [_schema(seen.server, seen.schema, seen.known, seen.games)]
    if seen.risks:
        advice = f"Turn on: {', '.join(seen.risks)}. Otherwise a power cut can lose turns already answered."
        findings += wrong("durability", "the server does not wait for its disk", advice)
    if seen.has_room:
        state = f"{seen.clients} used by bots, {seen.room} more available"
        findings.append(Finding("connections", state))
    else:
        advice = "Raise max_connections: each process of the bot can use nine."
        findings += wrong("connections", f"only {seen.room} more available", advice)
    return findings


def _schema(server: str, schema: int, known: int, games: int) -> Finding:
    if schema == 0:
        return Finding("database", f"{server}, empty", "Its tables are created at the first start.")
    if schema < known:
        advice = "The next start migrates it. Back it up first: pg_dump."
        return Finding("database", f"{server}, {games} games, schema {schema} of {known}", advice)
    return Finding("database", f"{server}, {games} games")


def half_moved() -> list[Finding]:
    """Return the finding for a database, of either kind, whose migration from another is unfinished."""
    advice = "Run the same python -m bot migrate-store again until it reports that it has finished."
    return wrong("database", "games are being moved into it, and not all have arrived", advice)


async def stored_value(url: str, key: str) -> str | None:
    """Return what the bot stored under a key; None if there is nothing or the database can't be read."""
    try:
        from bot.storage.postgres import inspect  # noqa: PLC0415 - as above

        return await inspect.stored_value(url, key)
    except (StoreError, ModuleNotFoundError):  # reported by check_postgres
        return None
