"""Turns that are to be stored at the same moment are stored in one transaction.

A commit waits for the disk, and one of many turns waits no longer than that of a single one.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar

import aiosqlite

from bot.storage.errors import AlreadyExists, RevisionConflict, StoreError

T = TypeVar("T")

Lend = Callable[[], AbstractAsyncContextManager[aiosqlite.Connection]]
Name = Callable[[Exception], Exception]


@dataclass(slots=True, eq=False)
class _Work:
    """What is to be done in a transaction, and where its outcome is awaited."""

    do: Callable[[aiosqlite.Connection], Awaitable[Any]]
    is_single: bool
    done: asyncio.Future[Any] = field(default_factory=lambda: asyncio.get_running_loop().create_future())

    def end(self, outcome: Any) -> None:
        """Hand over what came of it, unless nobody waits any more."""
        if self.done.done():
            return
        if isinstance(outcome, BaseException):
            self.done.set_exception(outcome)
        else:
            self.done.set_result(outcome)


class Commits:
    """Transactions over a connection that ``lend`` gives to one task at a time.

    ``name`` makes of what SQLite raised what the store raises.
    """

    def __init__(self, lend: Lend, name: Name) -> None:
        self._lend = lend
        self._name = name
        self._waiting: list[_Work] = []
        self._committing: asyncio.Task[None] | None = None

    async def do(self, work: Callable[[aiosqlite.Connection], Awaitable[T]], *, is_single: bool = False) -> T:
        """Do something in a transaction, together with all else that waits for one at that moment.

        What is done may raise Stale or Taken as long as it has written nothing. Cancelling the caller drops
        what was not begun. ``is_single`` promises that it is one statement, which SQLite puts into a
        transaction by itself: where nothing else waits, it needs no BEGIN and no COMMIT.
        """
        mine = _Work(work, is_single)
        self._waiting.append(mine)
        if self._committing is None:
            self._committing = asyncio.create_task(self._commit_waiting(), name="commit")
        result: T = await mine.done
        return result

    async def _commit_waiting(self) -> None:
        """Commit until nothing waits."""
        try:
            while self._waiting:
                try:
                    async with self._lend() as db:
                        works, self._waiting = self._waiting, []
                        await self._commit(db, works)
                except StoreError as error:  # it was closed
                    for work in self._waiting:
                        work.end(error)
                    self._waiting = []
        finally:
            self._committing = None
            for work in self._waiting:  # where this was cancelled, as when the program ends
                work.done.cancel()
            self._waiting = []

    async def _commit(self, db: aiosqlite.Connection, works: list[_Work]) -> None:
        """Do all of it in one transaction; where that fails, each in its own, so that it fails for itself."""
        works = [work for work in works if not work.done.cancelled()]
        if not works:
            return
        outcomes: list[Any] = []
        try:
            alone = len(works) == 1 and works[0].is_single
            async with nullcontext() if alone else transaction(db):
                for work in works:
                    try:
                        outcomes.append(await work.do(db))
                    except (RevisionConflict, AlreadyExists) as refusal:
                        outcomes.append(refusal)
        except asyncio.CancelledError:
            for work in works:
                work.done.cancel()
            raise
        except Exception as error:  # noqa: BLE001 - it is handed to whoever waits for it
            if len(works) > 1:
                for work in works:
                    await self._commit(db, [work])
                return
            outcomes = [self._name(error)]
        for work, outcome in zip(works, outcomes, strict=True):
            work.end(outcome)


@asynccontextmanager
async def transaction(db: aiosqlite.Connection) -> AsyncIterator[None]:
    """Begin a transaction, and end it with the block."""
    try:
        await db.execute("BEGIN IMMEDIATE")
        yield
        await db.execute("COMMIT")
    except BaseException:
        # The thread works its queue in order, so this also undoes a BEGIN whose caller was
        # cancelled; where nothing had begun, or all was committed, there is nothing to undo.
        with suppress(sqlite3.Error):
            await db.execute("ROLLBACK")
        raise
