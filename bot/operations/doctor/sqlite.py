"""Checks an SQLite file without changing it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from bot.operations.doctor.finding import Finding, wrong
from bot.operations.doctor.postgres import half_moved
from bot.storage.sqlite.file import migrations
from bot.storage.tables import MARK

_RESTORE = "python -m bot restore BACKUP"


def check_sqlite(path: Path) -> list[Finding]:
    """Check that the file is the bot's, intact, writable and up to date."""
    if not path.exists():
        folder = path.absolute().parent
        missing = path if folder.exists() else folder
        return [Finding("database", f"{missing} does not exist yet", "It is created at the first start.")]
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=5)) as db:
            tables = {row[0] for row in db.execute("SELECT name FROM sqlite_master")}
            if not {"migrations", "games"} <= tables:
                advice = "Set DATABASE_URL to another file."
                return wrong("database", f"{path} belongs to another program", advice)
            integrity = " ".join(str(db.execute("PRAGMA quick_check(1)").fetchone()[0]).split())
            version = db.execute("SELECT MAX(number) FROM migrations").fetchone()[0]
            games = db.execute("SELECT COUNT(*) FROM games").fetchone()[0]
            is_half_moved = db.execute("SELECT 1 FROM memory WHERE key = ?", (MARK,)).fetchone()
            db.execute("BEGIN IMMEDIATE")  # fails if the file is not writable
            db.execute("ROLLBACK")
    except sqlite3.Error as error:
        advice = f"Check that the file and its folder are writable; if the file is damaged: {_RESTORE}"
        return wrong("database", f"{path} can't be used ({error})", advice)
    if integrity != "ok":
        return wrong("database", f"{path} is damaged ({integrity})", f"Stop the bot, then: {_RESTORE}")
    if is_half_moved:
        return half_moved()
    known = max(migrations())
    if version > known:
        return wrong(
            "database", f"schema {version}, newer than this program's {known}", "Update the program."
        )
    if version < known:
        advice = "The next start migrates it. Back it up first: python -m bot backup FILE"
        return [Finding("database", f"{path} is intact, {games} games, schema {version} of {known}", advice)]
    return [Finding("database", f"{path} is intact, {games} games")]


def stored_value(path: Path, key: str) -> str | None:
    """Return what the bot stored under a key; None if there is nothing or the file can't be read."""
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=5)) as db:
            row = db.execute("SELECT value FROM memory WHERE key = ?", (key,)).fetchone()
    except sqlite3.Error:  # reported by check_sqlite
        return None
    return None if row is None else str(row[0])
