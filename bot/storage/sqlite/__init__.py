"""The store in one SQLite file. All SQL for SQLite is in this package."""

from bot.storage.sqlite.alone import AloneInSqlite
from bot.storage.sqlite.boards import BoardsInSqlite
from bot.storage.sqlite.games import GamesInSqlite
from bot.storage.sqlite.pool import PoolInSqlite
from bot.storage.sqlite.retention import RetentionInSqlite
from bot.storage.sqlite.social import SocialInSqlite


class SqliteStore(
    GamesInSqlite, BoardsInSqlite, SocialInSqlite, PoolInSqlite, RetentionInSqlite, AloneInSqlite
):
    """A :class:`bot.storage.store.Store` in the file at ``path``, made when it is not there."""
