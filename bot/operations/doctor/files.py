"""Checks who can read the bot's files, and whether the disk has room for them."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

from bot.config import Config
from bot.operations.doctor.finding import Finding, wrong
from bot.storage import sqlite_path

MIN_FREE_MB = 200


async def check_file_permissions(config: Config) -> list[Finding]:
    """Report files with secrets, such as the token or coming deals, that other users can read."""
    try:
        path = sqlite_path(config.database_url)
    except ValueError:
        database = []  # on a server, or reported by check_database
    else:
        database = [path.with_name(path.name + suffix) for suffix in ("", "-wal", "-shm")]
    readable = [str(file) for file in (*database, Path(".env")) if _is_readable_by_others(file)]
    if not readable:
        return []
    state = f"other users of this machine can read {', '.join(readable)}"
    return [Finding("privacy", state, f"If there are any: chmod 600 {' '.join(readable)}")]


def _is_readable_by_others(file: Path) -> bool:
    try:
        return os.name == "posix" and bool(file.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH))
    except OSError:
        return False


async def check_disk_space(config: Config) -> list[Finding]:
    """Check that there is room for the database to grow."""
    try:
        folder = sqlite_path(config.database_url).absolute().parent
        free_mb = shutil.disk_usage(folder).free // 2**20
    except (OSError, ValueError):
        return []  # on a server, or reported by check_database
    state = f"{free_mb} MB free in {folder}"
    if free_mb < MIN_FREE_MB:
        return wrong("disk", state, "Free some space: a full disk stops every game.")
    return [Finding("disk", state)]
