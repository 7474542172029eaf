"""Who is alone at something among all processes: who holds PostgreSQL's advisory lock of that name.

One connection of each process holds all its locks, so that no number of them leaves the pool without any. The
server lets go of them when that connection ends, however it does. Whoever is cut off while asking for one, or
giving it back, ends it, since nobody knows then who has what.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import asyncpg

from bot.storage.errors import StorageUnavailable, StoreError
from bot.storage.postgres.server import PostgresServer, connect, is_away, said

_PAUSE_S = 0.2  # between two tries; a connection that waited in the server could do nothing else
_ERRORS = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError, OSError)
_KEY = "hashtextextended(current_schema() || '/alone/' || $1, 0)"


class LocksInPostgres(PostgresServer):
    """A :class:`bot.storage.protocol.LockStore` among the processes that share the database."""

    def __init__(self, url: str, *, must_exist: bool = False) -> None:
        super().__init__(url, must_exist=must_exist)
        self._here: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._holder: Any = None
        self._asking = asyncio.Lock()

    async def close(self) -> None:
        """Let go of the locks, and of the server."""
        async with self._asking:
            holder, self._holder = self._holder, None
            if holder is not None:
                holder.terminate()
        await super().close()

    @asynccontextmanager
    async def lock(self, what: str, *, waits: bool = False) -> AsyncIterator[bool]:
        """Let one task at a time in; see :meth:`bot.storage.protocol.LockStore.lock`."""
        mine = self._here[what]  # a session may take its own lock twice
        if mine.locked() and not waits:
            yield False
            return
        async with mine:
            while not (holder := await self._take(what)):
                if not waits:
                    yield False
                    return
                await asyncio.sleep(_PAUSE_S)
            try:
                yield True
            finally:
                await self._give_back(holder, what)

    async def _take(self, what: str) -> Any:
        """Return the connection that has the lock now, or None where somebody else has it."""
        async with self._asking:
            for is_last in (False, True):
                if not self._is_open:
                    raise StoreError("the database is not open")
                try:
                    if self._holder is None or self._holder.is_closed():
                        self._holder = await connect(self._url)
                    has_it = await self._holder.fetchval(f"SELECT pg_try_advisory_lock({_KEY})", what)
                except _ERRORS as error:
                    self._let_go()
                    # It may have been lost long ago, when nobody asked; a new one may do.
                    if is_last or not is_away(error):
                        raise StorageUnavailable(f"the database server is away: {said(error)}") from error
                except asyncio.CancelledError:
                    self._let_go()
                    raise
                else:
                    return self._holder if has_it else None
        return None

    async def _give_back(self, holder: Any, what: str) -> None:
        try:
            async with self._asking:
                await holder.execute(f"SELECT pg_advisory_unlock({_KEY})", what)
        except _ERRORS:
            holder.terminate()  # rather none of its locks than one that stays
        except asyncio.CancelledError:
            holder.terminate()
            raise

    def _let_go(self) -> None:
        """End the connection, which may have the lock, though nobody was told."""
        if self._holder is not None:
            self._holder.terminate()
