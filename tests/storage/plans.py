"""How a store can be asked in what way it looks for what it is asked: one class for each kind of store."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    asynccontextmanager,
    contextmanager,
    suppress,
)
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast

import aiosqlite

from bot.storage import RevisionConflict, SqliteStore, Store

if TYPE_CHECKING:
    from bot.storage.postgres import PostgresStore


@dataclass(frozen=True)
class Statement:
    """What was executed; one with many rows of values stands here with the first."""

    text: str
    values: Sequence[Any]


class Planner(Protocol):
    """Asks one open store. Its plans are looked at after each of the ``conditions`` was executed."""

    conditions: tuple[str, ...]

    async def tables(self) -> set[str]:
        """The tables that the schema has."""

    async def references(self) -> list[tuple[str, str]]:
        """The table and the column of every foreign key."""

    async def fill(self, table: str, columns: str, rows: Sequence[Sequence[object]]) -> None:
        """Put rows into a table in one go."""

    async def move_numbers_on(self) -> None:
        """Let ids that are given out be greater than a million."""

    async def execute(self, text: str) -> None:
        """Execute a statement without values."""

    def noting(self) -> AbstractContextManager[list[Statement]]:
        """A block in which what the store executes is noted, in the list that it gives."""

    async def unbounded(self, statement: Statement) -> list[str]:
        """The steps in which a statement reads through a whole table, or sorts more than ties."""

    async def work(self, call: Callable[[Store], Awaitable[object]]) -> int:
        """What a call costs, in steps that can be compared with one another."""


class SqlitePlanner:
    """Reads EXPLAIN QUERY PLAN, https://www.sqlite.org/eqp.html."""

    conditions: tuple[str, ...] = ("SELECT 1", "ANALYZE")  # the program never analyses, but an operator may

    def __init__(self, store: SqliteStore) -> None:
        assert store._connection is not None
        self.store = store
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

    async def move_numbers_on(self) -> None:
        await self.connection.execute("UPDATE counters SET value = 1000000")

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

    async def work(self, call: Callable[[Store], Awaitable[object]]) -> int:
        """How often SQLite's virtual machine comes by in a call, which depends on nothing else."""
        count = 0

        def come_by() -> int:
            nonlocal count
            count += 1
            return 0

        await self.connection.set_progress_handler(come_by, 1)
        with suppress(RevisionConflict):
            await call(self.store)
        await self.connection.set_progress_handler(lambda: 0, 1_000_000)
        return count


def _is_unbounded(step: str, of_queries: set[str]) -> bool:
    """``of_queries`` are the names of what a query itself has made."""
    if scan := re.match(r"SCAN (\S+)", step):
        is_table = scan[1] not in of_queries and not scan[1].startswith("(")
        return is_table and "COVERING INDEX" not in step
    sorts = re.match(r"USE TEMP B-TREE FOR (?!LAST|RIGHT PART)", step)
    return bool(sorts) or "AUTOMATIC" in step  # an index that is made for this query alone


class PostgresPlanner:
    """Reads EXPLAIN where reading through a table is the last resort: it says whether there is another way.

    When that one is taken is for the server to decide, by what it counted.
    """

    conditions: tuple[str, ...] = ("VACUUM ANALYZE",)  # a server does so by itself

    def __init__(self, store: PostgresStore) -> None:
        self.store = store

    async def tables(self) -> set[str]:
        query = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
        return {row[0] for row in await self.store._all(query)}

    async def references(self) -> list[tuple[str, str]]:
        query = (
            "SELECT c.conrelid::regclass::text, a.attname FROM pg_constraint c JOIN pg_attribute a"
            " ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]"
            " WHERE c.contype = 'f' AND c.connamespace = current_schema()::regnamespace"
        )
        return [(row[0], row[1]) for row in await self.store._all(query)]

    async def fill(self, table: str, columns: str, rows: Sequence[Sequence[object]]) -> None:
        names = columns.split(", ")
        await self.store._ask(lambda db, _: db.copy_records_to_table(table, records=rows, columns=names))

    async def execute(self, text: str) -> None:
        await self.store._do(text)

    async def move_numbers_on(self) -> None:
        for name in ("game_numbers", "challenge_numbers"):
            await self.store._do(f"SELECT setval('{name}', 1000000)")

    @contextmanager
    def _around(self, around: Callable[[Any], AbstractAsyncContextManager[object]]) -> Iterator[None]:
        """Let the block's work with a connection be done inside of ``around``."""
        ask = self.store._ask

        def asking(work: Callable[[Any, bool], Awaitable[Any]]) -> Awaitable[Any]:
            async def inside(db: Any, may_be_done: bool) -> Any:
                async with around(db):
                    return await work(db, may_be_done)

            return ask(inside)

        self.store._ask = asking  # type: ignore[method-assign,assignment]
        try:
            yield
        finally:
            del self.store._ask

    @contextmanager
    def noting(self) -> Iterator[list[Statement]]:
        noted: list[Statement] = []

        def note(query: Any) -> None:  # the driver's own questions are about types only
            if re.match(r"SELECT|INSERT|UPDATE|DELETE|WITH(?! RECURSIVE typeinfo)", query.query):
                noted.append(Statement(query.query, query.args or ()))

        @asynccontextmanager
        async def logged(db: Any) -> AsyncIterator[None]:
            with db.query_logger(note):
                yield

        with self._around(logged):
            yield noted

    async def unbounded(self, statement: Statement) -> list[str]:
        async def explain(db: Any, _: bool) -> list[dict[str, Any]]:
            plans = []
            for how in ("force_custom_plan", "force_generic_plan"):  # for these values, and for any
                await db.execute(f"{_LAST_RESORTS}; SET LOCAL plan_cache_mode = {how}")
                text = await db.fetchval(f"EXPLAIN (FORMAT JSON) {statement.text}", *statement.values)
                plans.append(json.loads(text)[0]["Plan"])
            return plans

        plans = await self.store._transaction(explain)
        return [said for plan in plans for node in _nodes(plan) if (said := _unbounded_node(node))]

    async def work(self, call: Callable[[Store], Awaitable[object]]) -> int:
        """How many rows and entries of indexes a call comes by."""
        count = 0
        come_by = (
            "SELECT SUM(pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid))::bigint"
            " FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'i')"
        )

        @asynccontextmanager
        async def counted(db: Any) -> AsyncIterator[None]:
            nonlocal count
            async with db.transaction(isolation="repeatable_read"):  # as a board asks for
                # Alone, since what helpers come by is not counted here.
                await db.execute(f"{_LAST_RESORTS}; SET LOCAL max_parallel_workers_per_gather = 0")
                before = await db.fetchval(come_by)
                yield
                count += await db.fetchval(come_by) - before

        with self._around(counted), suppress(RevisionConflict):
            await call(self.store)
        return count


_LAST_RESORTS = "; ".join(f"SET LOCAL enable_{way} = off" for way in ("seqscan", "mergejoin", "hashjoin"))


def _nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for part in plan.get("Plans", ()):
        yield from _nodes(part)


def _unbounded_node(node: dict[str, Any]) -> str:
    """Return what an unbounded step does, or nothing."""
    kind, where = node["Node Type"], node.get("Index Name", node.get("Relation Name", ""))
    is_whole = kind in ("Index Scan", "Bitmap Index Scan") and "Index Cond" not in node
    if is_whole or kind == "Seq Scan":
        return f"SCAN {where}: {kind}"
    return f"{kind} by {', '.join(node['Sort Key'])}" if kind == "Sort" else ""


def planner_of(store: Store) -> Planner:
    if isinstance(store, SqliteStore):
        return SqlitePlanner(store)
    return PostgresPlanner(cast("PostgresStore", store))
