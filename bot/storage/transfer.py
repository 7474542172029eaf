"""Everything that one store keeps, copied into another, whichever kind each of them is.

Both are walked in the order of the keys, a chunk at a time, and what differs is written: so a move that was
killed goes on where it was, and one that is run once more, after the bot has played on, is quick. The store
that is copied is only read, each time as it was at one moment. The other one has to be empty at first, and
no bot plays on it before the move is finished, which is when all rows are the same in both.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Protocol, TypeVar

from bot.storage.addresses import is_postgres, shown, sqlite_path
from bot.storage.errors import StoreError
from bot.storage.schema import NUMBERED, TABLES, Key, Row, Table
from bot.storage.sqlite.copying import SqliteSource, SqliteTarget

T = TypeVar("T")

CHUNK = 2_000  # rows; of each side as many are in memory

COPYING, CHECKING = "copying", "checking"
# Told after each chunk: what is done, in which table, rows so far, and of how many.
Progress = Callable[[str, str, int, int], None]


class End(Protocol):
    """One end of a move. All it raises are instances of StoreError."""

    @property
    def name(self) -> str:
        """Its address, without a password."""

    async def open(self) -> None:
        """Look whether it can be used; change nothing where it can't."""

    async def identity(self) -> object:
        """Return what is equal only for two ends that are one database."""

    async def is_used(self) -> bool:
        """Return whether a bot has it open. No snapshot may be held at that moment."""

    async def count(self, table: Table) -> int:
        """Return how many rows a table has."""

    async def rows(self, table: Table, after: Key | None, limit: int) -> list[Row]:
        """Return rows of ``table.columns`` in the order of the key, from behind that one on."""

    async def numbers(self) -> Mapping[str, int]:
        """Return the last number that was given out, by the table whose ids they are."""

    async def close(self) -> None:
        """Let go of it."""


class Source(End, Protocol):
    """The store that is copied."""

    async def take_snapshot(self) -> None:
        """See all as it is at this moment, until the snapshot is let go of."""

    async def let_go(self) -> None:
        """See all as it changes again."""


class Target(End, Protocol):
    """The store that is filled."""

    async def begin(self, mark: str) -> None:
        """Bring the schema up to date, and mark the move as unfinished: other moves to here end by that.

        :raises StoreError: when it has anything that no unfinished move has brought, or a bot has it open;
            nothing is changed.
        """

    async def write(self, table: Table, gone: Sequence[Key], rows: Sequence[Row]) -> None:
        """Delete and write rows in one transaction, in which the mark is seen to be ours still."""

    async def skip_numbers(self, numbers: Mapping[str, int]) -> None:
        """Never give out these numbers, nor lower ones."""

    async def finish(self) -> None:
        """Take the mark away: bots may open it."""


@dataclass(frozen=True, slots=True)
class Compared:
    """A table in both stores: how many rows it has, and a SHA-256 over them in the order of the key."""

    table: str
    source: tuple[int, str]
    target: tuple[int, str]

    @property
    def is_same(self) -> bool:
        """True where nothing differs."""
        return self.source == self.target


@dataclass(frozen=True, slots=True)
class Moved:
    """What came of a move.

    ``changed`` are the rows that had to be written or deleted this time. ``is_used`` says that a bot had the
    source open, where that matters.
    """

    tables: tuple[Compared, ...]
    changed: int
    is_used: bool

    @property
    def is_same(self) -> bool:
        """True where all tables are."""
        return all(table.is_same for table in self.tables)

    @property
    def is_finished(self) -> bool:
        """True where all is the same, and no bot could have changed it meanwhile: the bot may move too."""
        return self.is_same and not self.is_used


async def move(
    source_url: str,
    target_url: str,
    progress: Progress = lambda *_: None,
    *,
    is_copy: bool = False,
) -> Moved:
    """Copy all that one store keeps into another one, and compare them.

    :param is_copy: whether all as it is when this begins is enough, whatever bots do meanwhile: a backup.
    :raises StoreError: when one of them can't be used; the move goes on when it is called again.
    """
    source, target = source_at(source_url), target_at(target_url)
    try:
        await source.open()
        await target.open()
        if await source.identity() == await target.identity():
            raise StoreError(f"{source.name} and {target.name} are the same database; nothing was changed.")
        await target.begin(f"from {source.name}, {secrets.token_hex(8)}")
        await source.take_snapshot()
        changed = await _copy(source, target, progress)
        given, is_used = await source.numbers(), False
        await target.skip_numbers(given)
        if not is_copy:
            # What a bot has written since the first snapshot is found by a second one.
            await source.let_go()
            is_used = await source.is_used()
            await source.take_snapshot()
            given = await source.numbers()
        tables = (*await _compare(source, target, progress), *_numbers(given, await target.numbers()))
        await source.let_go()
        moved = Moved(tables, changed, not is_copy and (is_used or await source.is_used()))
        if moved.is_finished:
            await target.finish()
        return moved
    finally:
        await asyncio.gather(source.close(), target.close())


async def _copy(source: End, target: Target, progress: Progress) -> int:
    """Make all tables of the target what they are in the source; return how many rows were not."""
    counts = {table: await source.count(table) for table in TABLES}
    done = changed = 0
    for table in TABLES:
        after: Key | None = None
        while True:
            here, there = await _both(source.rows(table, after, CHUNK), target.rows(table, after, CHUNK))
            # As far as both are known: to the nearer one of the last keys, where a chunk is full.
            ends = [table.key_of(rows[-1]) for rows in (here, there) if len(rows) == CHUNK]
            after = min(ends) if ends else None
            kept = {table.key_of(row): row for row in there if after is None or table.key_of(row) <= after}
            here = [row for row in here if after is None or table.key_of(row) <= after]
            differing = [row for row in here if kept.pop(table.key_of(row), None) != row]
            if kept or differing:
                await target.write(table, list(kept), differing)
            changed += len(kept) + len(differing)
            done += len(here)
            progress(COPYING, table.name, done, sum(counts.values()))
            if after is None:
                break
    return changed


async def _compare(source: End, target: End, progress: Progress) -> list[Compared]:
    """Read both stores once more, all through."""
    counts = [await end.count(table) for end in (source, target) for table in TABLES]
    done, compared = 0, []
    for table in TABLES:

        def tell(rows: int, table: Table = table) -> None:
            nonlocal done
            done += rows
            progress(CHECKING, table.name, done, sum(counts))

        sums = await _both(_sum(source, table, tell), _sum(target, table, tell))
        compared.append(Compared(table.name, *sums))
    return compared


def _numbers(given: Mapping[str, int], skipped: Mapping[str, int]) -> Iterator[Compared]:
    """Yield what numbers have been given out, and which of them the target skips."""
    for name, sequence in NUMBERED.items():
        reached = min(given[name], skipped[name])  # to skip more is as good: nothing is given out twice
        yield Compared(sequence.replace("_", " "), (given[name], ""), (reached, ""))


async def _sum(end: End, table: Table, tell: Callable[[int], None]) -> tuple[int, str]:
    """Return how many rows a table has, and a SHA-256 over them, each a line of JSON."""
    count, sha = 0, hashlib.sha256()
    async for rows in _chunks(end, table):
        await asyncio.to_thread(lambda: sha.update(_lines(rows)))  # noqa: B023 - it is done within the round
        count += len(rows)
        tell(len(rows))
    return count, sha.hexdigest()


async def _both(first: Awaitable[T], second: Awaitable[T]) -> tuple[T, T]:
    """Return what comes of two things that are done at once; both have ended also where one has failed."""
    one, other = await asyncio.gather(first, second, return_exceptions=True)
    if isinstance(one, BaseException):
        raise one
    if isinstance(other, BaseException):
        raise other
    return one, other


def _lines(rows: Sequence[Row]) -> bytes:
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


async def _chunks(end: End, table: Table) -> AsyncIterator[list[Row]]:
    """Yield all rows of a table in the order of the key, a chunk at a time."""
    after: Key | None = None
    while rows := await end.rows(table, after, CHUNK):
        yield rows
        if len(rows) < CHUNK:
            break
        after = table.key_of(rows[-1])


def source_at(url: str) -> Source:
    """Return the store at an address as one that is copied.

    :raises StoreError: when no store has such an address, or what it needs is not installed.
    """
    if is_postgres(url):
        source: Source = _postgres().PostgresSource(url, shown(url))
        return source
    return SqliteSource(_path(url), shown(url))


def target_at(url: str) -> Target:
    """Return the store at an address as one that is filled.

    :raises StoreError: when no store has such an address, or what it needs is not installed.
    """
    if is_postgres(url):
        target: Target = _postgres().PostgresTarget(url, shown(url))
        return target
    return SqliteTarget(_path(url), shown(url))


def _postgres() -> ModuleType:
    try:
        # Imported here because who moves from one file to another need not install what it needs.
        from bot.storage.postgres import copying  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise StoreError(
            f"For PostgreSQL {error.name} is missing: scripts/setup postgres, or pip install"
            " solitaire-bot[postgres]"
        ) from None
    return copying


def _path(url: str) -> Path:
    try:
        return sqlite_path(url)
    except ValueError:
        raise StoreError(
            f"{shown(url)} is no address of a store: write sqlite:///path/to/file.sqlite3 or"
            " postgresql://user:password@host/database"
        ) from None
