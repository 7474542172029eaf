"""Inspects a file before anything is written: is it an intact database of this program?

A refused file stays as it is to the last byte, its write-ahead log included: whoever repairs it, or restores
a backup, needs all of it.
"""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bot.storage.errors import StoreError
from bot.storage.schema import MARK

TIMEOUT_S = 5.0
_PAUSE_S = 0.1


@dataclass(frozen=True, slots=True)
class Inspection:
    """The state of a file.

    ``schema`` is None if it is another program's; ``integrity`` is ``ok``, or says what is damaged.
    """

    schema: int | None
    integrity: str = "ok"
    games: int = 0
    is_half_moved: bool = False


def inspect(path: Path) -> Inspection:
    """Return the state of a file that exists.

    :raises sqlite3.Error: when it can't be read or written.
    """
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=TIMEOUT_S)) as db:
        tables = {row[0] for row in db.execute("SELECT name FROM sqlite_master")}
        if not {"migrations", "games"} <= tables:
            return Inspection(None)
        inspection = Inspection(
            integrity=" ".join(str(db.execute("PRAGMA quick_check(1)").fetchone()[0]).split()),
            schema=db.execute("SELECT MAX(number) FROM migrations").fetchone()[0],
            games=db.execute("SELECT COUNT(*) FROM games").fetchone()[0],
            is_half_moved=bool(db.execute("SELECT 1 FROM memory WHERE key = ?", (MARK,)).fetchone()),
        )
        db.execute("BEGIN IMMEDIATE")  # fails if the file is not writable
        db.execute("ROLLBACK")
        return inspection


def stored_value(path: Path, key: str) -> str | None:
    """Return the value stored under a key; None if there is none or the file can't be read."""
    try:
        with closing(
            sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=TIMEOUT_S)
        ) as db:
            row = db.execute("SELECT value FROM memory WHERE key = ?", (key,)).fetchone()
    except sqlite3.Error:
        return None
    return None if row is None else str(row[0])


def refuse_unusable(path: Path, newest: int) -> None:
    """Refuse a file that can't be used; one that doesn't exist, or is empty, can be.

    :param newest: the number of the last migration of this version.
    :raises StoreError: when the file is another program's, or a newer version's.
    :raises sqlite3.Error: when it is damaged, or no file.
    """
    try:
        _refuse_unusable(path, newest)
    except sqlite3.OperationalError as error:
        if not path.is_file() or primary_code(error) != sqlite3.SQLITE_CANTOPEN:
            raise
        time.sleep(_PAUSE_S)  # another process may just have closed it and removed its log
        _refuse_unusable(path, newest)


def _refuse_unusable(path: Path, newest: int) -> None:
    has_log = _has_log(path)  # asked first: while a database is being created, its log comes last
    if not path.exists() or (path.is_file() and not path.stat().st_size):
        if has_log:  # which SQLite would delete
            raise sqlite3.DatabaseError(f"all that is left of it is its log, {path.name}-wal")
        return
    with closing(_open(path)) as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master")]
        if tables and "migrations" not in tables:
            raise StoreError(
                f"{path} is another program's database; nothing was changed. Name another file in "
                "DATABASE_URL."
            )
        found = connection.execute("PRAGMA quick_check(1)").fetchone()
        if found is None or found[0] != "ok":
            raise sqlite3.DatabaseError(" ".join(str(found[0]).split()) if found else "damaged")
        version = connection.execute("SELECT MAX(number) FROM migrations").fetchone()[0] if tables else None
    if version is not None and version > newest:
        raise StoreError(
            f"{path} was written by a newer version of this program (schema {version}, known here: "
            f"{newest}); nothing was changed. Update the program, or use another file."
        )


def _open(path: Path) -> sqlite3.Connection:
    """Open a file to read it without changing anything.

    The last connection that closes a database writes its log into it, unless it is read-only. Without a log
    there is nothing to write, and a connection that may write leaves no files of its own behind.
    """
    if not _has_log(path):
        return sqlite3.connect(path, timeout=TIMEOUT_S)
    index = path.with_name(f"{path.name}-shm")
    how = "mode=ro&readonly_shm=1" if index.exists() else "mode=ro"
    return sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True, timeout=TIMEOUT_S)


def primary_code(error: sqlite3.Error) -> int:
    """Return SQLite's result code for an error, such as ``sqlite3.SQLITE_FULL``; 0 where it has none."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _has_log(path: Path) -> bool:
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0
