"""The whole of what a store can do."""

from __future__ import annotations

from typing import Protocol

from bot.storage.alone import AloneStore
from bot.storage.base import GameStore
from bot.storage.boards import BoardStore
from bot.storage.pool import PoolStore
from bot.storage.retention import RetentionStore
from bot.storage.social import SocialStore


class Store(GameStore, BoardStore, SocialStore, PoolStore, RetentionStore, AloneStore, Protocol):
    """Keeps everything. Every verb is atomic and durable when it returns."""
