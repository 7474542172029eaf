"""The store in a PostgreSQL database, for one bot in several processes. All SQL for it is in this package."""

from bot.storage.postgres.boards import BoardsInPostgres
from bot.storage.postgres.games import GamesInPostgres
from bot.storage.postgres.locks import LocksInPostgres
from bot.storage.postgres.retention import RetentionInPostgres
from bot.storage.postgres.server import migrations
from bot.storage.postgres.social import SocialInPostgres
from bot.storage.postgres.winnable import WinnableDealsInPostgres
from bot.storage.queries import Queries

__all__ = ["PostgresStore", "migrations"]


class PostgresStore(
    GamesInPostgres,
    BoardsInPostgres,
    SocialInPostgres,
    WinnableDealsInPostgres,
    RetentionInPostgres,
    LocksInPostgres,
    Queries,
):
    """A :class:`bot.storage.store.Store` in the database at ``url``, whose tables are made if need be."""
