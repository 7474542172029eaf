"""Where games are kept: a protocol of domain verbs, and SQLite or PostgreSQL behind it."""

from bot.storage.addresses import is_postgres, passwords, shown, sqlite_path
from bot.storage.errors import AlreadyExists, RevisionConflict, StorageCorrupt, StorageUnavailable, StoreError
from bot.storage.models import (
    LARGEST_ID,
    Board,
    BoardQuery,
    Challenge,
    DailyChannel,
    DailyResult,
    LiveTable,
    NewGame,
    Participant,
    Played,
    RuleSet,
    Settings,
    Standing,
    Status,
    StoredGame,
)
from bot.storage.protocol import Lock, Store
from bot.storage.sqlite import SqliteStore
from bot.storage.sqlite.backup import backup, restore

__all__ = [
    "LARGEST_ID",
    "AlreadyExists",
    "Board",
    "BoardQuery",
    "Challenge",
    "DailyChannel",
    "DailyResult",
    "LiveTable",
    "Lock",
    "NewGame",
    "Participant",
    "Played",
    "RevisionConflict",
    "RuleSet",
    "Settings",
    "SqliteStore",
    "Standing",
    "Status",
    "StorageCorrupt",
    "StorageUnavailable",
    "Store",
    "StoreError",
    "StoredGame",
    "backup",
    "is_postgres",
    "open_store",
    "passwords",
    "restore",
    "shown",
    "sqlite_path",
]


def open_store(url: str, *, must_exist: bool = False) -> Store:
    """Return the store that ``url`` names, not yet opened.

    It is ``sqlite:///games.sqlite3``, or ``postgresql://user:password@host/database``. Opening it makes a new
    one where there is none, unless it ``must_exist``; a PostgreSQL database itself must be there.

    :raises ValueError: when no store has such an address, or what it needs is not installed.
    """
    if is_postgres(url):
        try:
            # Imported here because a bot on SQLite need not install what it needs.
            from bot.storage.postgres import PostgresStore  # noqa: PLC0415
        except ModuleNotFoundError as error:
            raise ValueError(
                f"DATABASE_URL names a PostgreSQL server, for which {error.name} is missing: scripts/setup"
                " postgres, or pip install solitaire-bot[postgres]"
            ) from None
        return PostgresStore(url, must_exist=must_exist)
    return SqliteStore(sqlite_path(url), must_exist=must_exist)
