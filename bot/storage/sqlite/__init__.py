"""The store in one SQLite file. All SQL for SQLite alone is in this package."""

from sqlite3 import Error as SqliteError

from bot.storage.queries import Queries
from bot.storage.sqlite.boards import BoardsInSqlite
from bot.storage.sqlite.games import GamesInSqlite
from bot.storage.sqlite.locks import LocksInSqlite
from bot.storage.sqlite.retention import RetentionInSqlite
from bot.storage.sqlite.social import SocialInSqlite
from bot.storage.sqlite.winnable import WinnableDealsInSqlite


class SqliteStore(
    GamesInSqlite,
    BoardsInSqlite,
    SocialInSqlite,
    WinnableDealsInSqlite,
    RetentionInSqlite,
    LocksInSqlite,
    Queries,
):
    """A :class:`bot.storage.store.Store` in the file at ``path``, made when it is not there."""


__all__ = ["SqliteError", "SqliteStore"]
