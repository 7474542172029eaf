"""Backups of an SQLite store: taken while the bot runs, and put back while it doesn't."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

from bot.storage.errors import StoreError
from bot.storage.sqlite.file import migrations

_PAGES = 512  # copied at a time: 2 MB; in between a running bot can write
_PAUSE_S = 0.01


async def backup(source: Path, target: Path) -> int:
    """Copy a database, also one that is in use, into a new file; return how many games are in the copy.

    The copy is checked before it gets its name, so a file of that name is a whole backup or none. Nobody but
    its owner can read it.

    :raises StoreError: when there is no such database, it is damaged, or ``target`` is there already or
        can't be written.
    """
    return await asyncio.to_thread(_backup, source, target)


async def restore(copy: Path, target: Path) -> Path | None:
    """Put a backup in the place of a database that no bot has open.

    What was there before is moved aside and not deleted; its new name is returned, or None where there was
    nothing. The database keeps its owner and permissions; where there was none, its owner is the folder's.

    :raises StoreError: when the backup can't be used, or a bot has the database open; nothing is changed.
    """
    return await asyncio.to_thread(_restore, copy, target)


def _backup(source: Path, target: Path) -> int:
    if target.exists():
        raise StoreError(f"{target} is there already; nothing was overwritten. Name a new file.")
    return _copied(source, target, lambda unfinished: os.link(unfinished, target))


def _restore(copy: Path, target: Path) -> Path | None:
    aside = _free_name(target) if target.exists() else None

    def put(unfinished: Path) -> None:
        _hand_over(unfinished, target.parent if aside is None else target)
        if aside is not None:
            _see_that_nobody_uses(target)
            for beside in ("-wal", "-shm"):  # left by a damaged one; they must not pass for the new one's
                with suppress(FileNotFoundError):
                    target.with_name(target.name + beside).rename(aside.with_name(aside.name + beside))
            target.rename(aside)
        unfinished.rename(target)

    _copied(copy, target, put)
    return aside


def _copied(source: Path, target: Path, finish: Callable[[Path], object]) -> int:
    """Copy a database beside ``target``, check the copy, then let ``finish`` give it its name."""
    if not source.exists():
        raise StoreError(f"There is no database {source}.")
    unfinished = target.with_name(f".{target.name}.unfinished")
    try:
        unfinished.unlink(missing_ok=True)
        unfinished.touch(mode=0o600)  # who reads it knows the coming daily deals
        with closing(_open(source)) as there, closing(sqlite3.connect(unfinished)) as here:
            there.backup(here, pages=_PAGES, sleep=_PAUSE_S)
            here.execute("PRAGMA journal_mode = DELETE")  # one file, with nothing beside it
            games = _check(here, source)
        with unfinished.open("rb+") as file:
            os.fsync(file.fileno())
        finish(unfinished)
        folder = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
    except (sqlite3.Error, OSError) as error:
        raise StoreError(
            f"{source} could not be copied to {target} ({error}); nothing was changed."
        ) from error
    finally:
        with suppress(OSError):
            unfinished.unlink(missing_ok=True)
    return games


def _hand_over(file: Path, model: Path) -> None:
    """Give a file the owner of another and, if that is a file, its permissions."""
    facts = model.stat()
    if os.geteuid() == 0:  # root restores what the bot, as a user of its own, has to write
        os.chown(file, facts.st_uid, facts.st_gid)
    if model.is_file():
        file.chmod(stat.S_IMODE(facts.st_mode))


def _open(path: Path) -> sqlite3.Connection:
    """Open a database that must be there, to read. Read-only mode could not mend an unfinished log."""
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=5)
    connection.execute("PRAGMA query_only = ON")
    return connection


def _check(connection: sqlite3.Connection, source: Path) -> int:
    """Return how many games are in a copy.

    :raises StoreError: when it is damaged, another program's, or from a newer version.
    """
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_master")}
    if not {"migrations", "games"} <= tables:
        raise StoreError(f"{source} is no database of this program; nothing was changed.")
    found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if found != "ok":
        raise StoreError(f"{source} is damaged ({' '.join(str(found).split())}); nothing was changed.")
    version = connection.execute("SELECT MAX(number) FROM migrations").fetchone()[0]
    if version is None or version > max(migrations()):
        raise StoreError(
            f"{source} was written by a newer version of this program; nothing was changed. Update it first."
        )
    return int(connection.execute("SELECT COUNT(*) FROM games").fetchone()[0])


def _see_that_nobody_uses(path: Path) -> None:
    """Leave the write-ahead log, which SQLite allows only to the last one who has the file open.

    :raises StoreError: when somebody else has it open.
    """
    try:
        with closing(sqlite3.connect(path, timeout=1)) as connection:
            mode = connection.execute("PRAGMA journal_mode = DELETE").fetchone()[0]
    except sqlite3.OperationalError as error:
        raise StoreError(
            f"{path} is in use ({error}). Stop the bot, then restore; nothing was changed."
        ) from None
    except sqlite3.DatabaseError:
        return  # damaged, which is why there is something to restore
    if mode != "delete":
        raise StoreError(f"{path} is in use. Stop the bot, then restore; nothing was changed.")


def _free_name(path: Path) -> Path:
    number = 1
    while (aside := path.with_name(f"{path.stem}.before-restore-{number}{path.suffix}")).exists():
        number += 1
    return aside
