"""The store in one SQLite file. All SQL for SQLite is in the modules whose names begin so."""

from bot.storage.sqlite_boards import BoardsInSqlite
from bot.storage.sqlite_games import GamesInSqlite
from bot.storage.sqlite_pool import PoolInSqlite
from bot.storage.sqlite_social import SocialInSqlite


class SqliteStore(GamesInSqlite, BoardsInSqlite, SocialInSqlite, PoolInSqlite):
    """A :class:`bot.storage.store.Store` in the file at ``path``, made when it is not there."""
