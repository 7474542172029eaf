"""Checks an SQLite file without changing it."""

from __future__ import annotations

from pathlib import Path

from bot.operations.doctor.finding import Finding, wrong
from bot.operations.doctor.postgres import half_moved
from bot.storage.sqlite import SqliteError
from bot.storage.sqlite.file import migrations
from bot.storage.sqlite.inspect import inspect

_RESTORE = "python -m bot restore BACKUP"


def check_sqlite(path: Path) -> list[Finding]:
    """Check that the file is the bot's, intact, writable and up to date."""
    if not path.exists():
        folder = path.absolute().parent
        missing = path if folder.exists() else folder
        return [Finding("database", f"{missing} does not exist yet", "It is created at the first start.")]
    try:
        seen = inspect(path)
    except SqliteError as error:
        advice = f"Check that the file and its folder are writable; if the file is damaged: {_RESTORE}"
        return wrong("database", f"{path} can't be used ({error})", advice)
    if seen.schema is None:
        return wrong("database", f"{path} belongs to another program", "Set DATABASE_URL to another file.")
    if seen.integrity != "ok":
        return wrong("database", f"{path} is damaged ({seen.integrity})", f"Stop the bot, then: {_RESTORE}")
    if seen.is_half_moved:
        return half_moved()
    known = max(migrations())
    if seen.schema > known:
        state = f"schema {seen.schema}, newer than this program's {known}"
        return wrong("database", state, "Update the program.")
    games = f"{path} is intact, {seen.games} games"
    if seen.schema < known:
        advice = "The next start migrates it. Back it up first: python -m bot backup FILE"
        return [Finding("database", f"{games}, schema {seen.schema} of {known}", advice)]
    return [Finding("database", games)]
