"""What the doctor looks at where the games are in PostgreSQL."""

from __future__ import annotations

from bot.operations.doctor.findings import Finding, wrong
from bot.storage import StoreError, open_store, shown


async def look_at_postgres(url: str) -> list[Finding]:
    """See whether the database can be used, and whether it keeps what it is told."""
    try:
        open_store(url)
    except ValueError as error:  # what it needs is not installed
        return wrong("database", shown(url), str(error))
    # Imported here because a bot on SQLite need not install what it needs.
    from bot.storage.postgres.look import Look, look  # noqa: PLC0415

    try:
        seen: Look = await look(url)
    except StoreError as error:
        cure = "See that the server runs, and that DATABASE_URL is right."
        return wrong("database", f"{shown(url)} can't be used ({error})", cure)
    if seen.schema is None:
        return wrong("database", f"{shown(url)} is another program's", "Name another one in DATABASE_URL.")
    if seen.schema > seen.known:
        return wrong("database", f"schema {seen.schema}, known here: {seen.known}", "Update the program.")
    if seen.is_half_moved:
        return half_moved()
    if seen.lacks:
        cure = "See user and search_path in DATABASE_URL, or let the database's owner make or grant it."
        return wrong("database", f"{shown(url)}: {seen.lacks}", cure)
    if not seen.may_write:
        return wrong("database", "it may only be read", "Name the server that may be written to.")
    findings = [_schema(seen.server, seen.schema, seen.known, seen.games)]
    if seen.risks:
        cure = f"Turn on: {', '.join(seen.risks)}. Else a power cut may take back turns that were answered."
        findings += wrong("durability", "the server does not wait for its disk", cure)
    if seen.has_room:
        findings.append(
            Finding("connections", f"{seen.clients} of bots; the server has room for {seen.room} more")
        )
    else:
        cure = "Raise max_connections: each process of the bot may take nine."
        findings += wrong("connections", f"the server has room for {seen.room} more", cure)
    return findings


def _schema(server: str, schema: int, known: int, games: int) -> Finding:
    if schema == 0:
        return Finding("database", f"{server}, empty", "Its tables are made at the first start.")
    if schema < known:
        cure = "The next start brings it up to date. Back it up before: pg_dump."
        return Finding("database", f"{server}, {games} games, schema {schema} of {known}", cure)
    return Finding("database", f"{server}, {games} games")


def half_moved() -> list[Finding]:
    """Return what is to be said of a database, of either kind, into which games are still being moved."""
    cure = "Run the same python -m bot migrate-store again, until it says that all is moved."
    return wrong("database", "games are being moved into it, and not all of them have arrived", cure)


async def recalled_by_postgres(url: str, key: str) -> str | None:
    """Return what the database remembers under a key, if it can be asked."""
    try:
        from bot.storage.postgres.look import recalled  # noqa: PLC0415 - as above

        return await recalled(url, key)
    except (StoreError, ModuleNotFoundError):
        return None  # said elsewhere
