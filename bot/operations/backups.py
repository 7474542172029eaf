"""``python -m bot backup FILE`` and ``python -m bot restore FILE``, for a database in SQLite."""

from __future__ import annotations

from pathlib import Path

from bot.config import Config, ConfigError
from bot.storage import backup, is_postgres, restore, sqlite_path


async def back_up(config: Config, target: Path) -> int:
    """Copy the database into a new file, print what is in the copy, and return the exit code.

    :raises ConfigError: when the database is no SQLite file.
    :raises StoreError: when it can't be copied.
    """
    games = await backup(_path(config), target)
    print(f"{target} has all {games} games. Keep it secret: it reveals the coming daily deals.")
    return 0


async def restore_backup(config: Config, source: Path) -> int:
    """Put a backup in the database's place, print where the old one is now, and return the exit code.

    :raises ConfigError: when the database is no SQLite file.
    :raises StoreError: when the backup can't be used or a bot is running; nothing is changed then.
    """
    path = _path(config)
    moved_aside = await restore(source, path)
    print(f"{path} has been restored from {source}.")
    if moved_aside is not None:
        print(f"The database that was there is now {moved_aside}.")
    return 0


def _path(config: Config) -> Path:
    if is_postgres(config.database_url):
        raise ConfigError(
            "DATABASE_URL names a PostgreSQL database: copy it with pg_dump, or into an SQLite file with "
            "python -m bot migrate-store (docs/moving.md)"
        )
    try:
        return sqlite_path(config.database_url)
    except ValueError as error:
        raise ConfigError(str(error)) from None
