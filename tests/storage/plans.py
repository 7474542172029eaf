"""How a store can be asked in what way it looks for what it is asked: one class for each kind of store."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Protocol

import aiosqlite

from bot.storage import SqliteStore, Stale, Store


@dataclass(frozen=True)
class Statement:
    """What was executed; one with many rows of values stands here with the first."""

    text: str
    values: Sequence[Any]


class Planner(Protocol):
    """Asks one open store."""

    async def tables(self) -> set[str]:
        """The tables that the schema has."""

    async def references(self) -> list[tuple[str, str]]:
        """The table and the column of every foreign key."""

    async def fill(self, table: str, columns: str, rows: Sequence[Sequence[object]]) -> None:
        """Put rows into a table in one go."""

    async def execute(self, text: str) -> None:
        """Execute a statement without values."""

    def noting(self) -> AbstractContextManager[list[Statement]]:
        """A block in which what the store executes is noted, in the list that it gives."""

    async def unbounded(self, statement: Statement) -> list[str]:
        """The steps in which a statement reads through a whole table, or sorts more than ties."""


class SqlitePlanner:
    """Reads EXPLAIN QUERY PLAN, https://www.sqlite.org/eqp.html."""

    def __init__(self, store: SqliteStore) -> None:
        assert store._connection is not None
        self.connection: aiosqlite.Connection = store._connection

    async def tables(self) -> set[str]:
        rows = await self.connection.execute_fetchall("SELECT name FROM sqlite_schema WHERE type = 'table'")
        return {row[0] for row in rows}

    async def references(self) -> list[tuple[str, str]]:
        query = (
            "SELECT name, \"from\" FROM sqlite_schema JOIN pragma_foreign_key_list(name) WHERE type = 'table'"
        )
        return [(row[0], row[1]) for row in await self.connection.execute_fetchall(query)]

    async def fill(self, table: str, columns: str, rows: Sequence[Sequence[object]]) -> None:
        places = ", ".join("?" * len(columns.split(",")))
        await self.connection.execute("BEGIN")
        await self.connection.executemany(f"INSERT INTO {table} ({columns}) VALUES ({places})", rows)
        await self.connection.execute("COMMIT")

    async def execute(self, text: str) -> None:
        await self.connection.execute(text)

    @contextmanager
    def noting(self) -> Iterator[list[Statement]]:
        noted: list[Statement] = []
        methods = {name: getattr(self.connection, name) for name in ("execute", "execute_fetchall")}
        many = self.connection.executemany

        def noting(method: Callable[..., Any]) -> Callable[..., Any]:
            # Not by SQLite's own trace, in whose texts the values stand: a plan can depend on that.
            def note(text: str, values: Sequence[Any] = ()) -> Any:
                if text not in {"BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"}:
                    noted.append(Statement(text, values))
                return method(text, values)

            return note

        def note_many(text: str, rows: Sequence[Sequence[Any]]) -> Any:
            noted.append(Statement(text, rows[0]))
            return many(text, rows)

        for name, method in methods.items():
            setattr(self.connection, name, noting(method))
        self.connection.executemany = note_many  # type: ignore[method-assign]
        try:
            yield noted
        finally:
            for name in (*methods, "executemany"):
                delattr(self.connection, name)

    async def unbounded(self, statement: Statement) -> list[str]:
        rows = await self.connection.execute_fetchall(
            f"EXPLAIN QUERY PLAN {statement.text}", statement.values
        )
        steps = [row[3] for row in rows]
        made = [re.match(r"(?:MATERIALIZE|CO-ROUTINE) (\S+)", step) for step in steps]
        of_queries = {"CONSTANT", *(found[1] for found in made if found)}
        return [step for step in steps if _is_unbounded(step, of_queries)]

    async def work(self, call: Callable[[Store], Awaitable[object]], store: Store) -> int:
        """What a call costs: how often SQLite's virtual machine comes by, which depends on nothing else."""
        count = 0

        def come_by() -> int:
            nonlocal count
            count += 1
            return 0

        await self.connection.set_progress_handler(come_by, 1)
        with suppress(Stale):
            await call(store)
        await self.connection.set_progress_handler(lambda: 0, 1_000_000)
        return count


def _is_unbounded(step: str, of_queries: set[str]) -> bool:
    """``of_queries`` are the names of what a query itself has made."""
    if scan := re.match(r"SCAN (\S+)", step):
        is_table = scan[1] not in of_queries and not scan[1].startswith("(")
        return is_table and "COVERING INDEX" not in step
    sorts = re.match(r"USE TEMP B-TREE FOR (?!LAST|RIGHT PART)", step)
    return bool(sorts) or "AUTOMATIC" in step  # an index that is made for this query alone


PLANNERS: Mapping[type[Any], Callable[[Any], Planner]] = {SqliteStore: SqlitePlanner}


def planner_of(store: Store) -> Planner:
    return PLANNERS[type(store)](store)
