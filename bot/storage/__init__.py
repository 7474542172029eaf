"""Where games are kept: a protocol of domain verbs, and SQLite behind it."""

from pathlib import Path

from bot.storage.base import (
    LARGEST_ID,
    DailyResult,
    Damaged,
    LiveTable,
    NewGame,
    NotKept,
    Settings,
    Stale,
    Status,
    StoredGame,
    StoreError,
    Taken,
)
from bot.storage.boards import Board, BoardQuery, Standing
from bot.storage.pool import RuleSet
from bot.storage.social import Challenge, DailyChannel, Entrant, Played
from bot.storage.sqlite import SqliteStore
from bot.storage.sqlite.backup import backup, restore
from bot.storage.store import Store

__all__ = [
    "LARGEST_ID",
    "Board",
    "BoardQuery",
    "Challenge",
    "DailyChannel",
    "DailyResult",
    "Damaged",
    "Entrant",
    "LiveTable",
    "NewGame",
    "NotKept",
    "Played",
    "RuleSet",
    "Settings",
    "SqliteStore",
    "Stale",
    "Standing",
    "Status",
    "Store",
    "StoreError",
    "StoredGame",
    "Taken",
    "backup",
    "open_store",
    "restore",
    "sqlite_path",
]


def open_store(url: str, *, must_exist: bool = False) -> Store:
    """Return the store that ``url`` names, not yet opened: ``sqlite:///games.sqlite3``.

    Opening it makes a new one where there is none, unless it ``must_exist``.

    :raises ValueError: when no store has such an address.
    """
    return SqliteStore(sqlite_path(url), must_exist=must_exist)


def sqlite_path(url: str) -> Path:
    """Return the file that a store's address names.

    :raises ValueError: when no store has such an address.
    """
    scheme, _, path = url.partition(":///")
    if scheme == "sqlite" and path:
        return Path(path)
    raise ValueError(f"DATABASE_URL {url!r} is not understood; write sqlite:///path/to/file.sqlite3")
