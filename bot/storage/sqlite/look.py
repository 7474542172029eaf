"""A look at a file before anything is written: is it a sound database of this program?

What is refused stays as it is to the last byte, its write-ahead log included: whoever mends it, or puts a
backup in its place, needs all of it.
"""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

from bot.storage.base import StoreError

TIMEOUT_S = 5.0
_PAUSE_S = 0.1


def look(path: Path, newest: int) -> None:
    """Refuse what can't be used; a file that is not there, or empty, can be.

    :param newest: the number of the last migration that is known here.
    :raises StoreError: when the file is another program's, or a newer version's.
    :raises sqlite3.Error: when it is damaged, or no file.
    """
    try:
        _look(path, newest)
    except sqlite3.OperationalError as error:
        if not path.is_file() or primary_code(error) != sqlite3.SQLITE_CANTOPEN:
            raise
        time.sleep(_PAUSE_S)  # in this moment another process may have let go of it, and taken away its log
        _look(path, newest)


def _look(path: Path, newest: int) -> None:
    has_log = _has_log(path)  # looked at first: while a database is being made, its log comes last
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
    """Open a file to read, without a trace.

    The last connection to let go of a database writes its log into it, unless it may only read. Where there
    is no log there is nothing to write, and one that may write leaves no files of its own behind.
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
