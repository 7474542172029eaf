"""Who is alone at something, where one process has the file."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.storage.sqlite.file import SqliteFile


class LocksInSqlite(SqliteFile):
    """A :class:`bot.storage.protocol.LockStore` among the tasks of this process: one bot plays on a file."""

    def __init__(self, path: str | Path, *, must_exist: bool = False) -> None:
        super().__init__(path, must_exist=must_exist)
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    @asynccontextmanager
    async def lock(self, what: str, *, waits: bool = False) -> AsyncIterator[bool]:
        """Let one task at a time in; see :meth:`bot.storage.protocol.LockStore.lock`."""
        lock = self._locks[what]
        if lock.locked() and not waits:
            yield False
            return
        async with lock:
            yield True
