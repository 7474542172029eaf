"""Where games are kept: a protocol of domain verbs, and SQLite behind it."""

from bot.storage.base import LiveTable, NewGame, Settings, Stale, Status, Store, StoredGame, StoreError
from bot.storage.sqlite import SqliteStore

__all__ = [
    "LiveTable",
    "NewGame",
    "Settings",
    "SqliteStore",
    "Stale",
    "Status",
    "Store",
    "StoreError",
    "StoredGame",
    "open_store",
]


def open_store(url: str) -> Store:
    """Return the store that ``url`` names, not yet opened: ``sqlite:///games.sqlite3``.

    :raises ValueError: when no store has such an address.
    """
    scheme, _, path = url.partition(":///")
    if scheme == "sqlite" and path:
        return SqliteStore(path)
    raise ValueError(f"DATABASE_URL {url!r} is not understood; write sqlite:///path/to/file.sqlite3")
