"""The bot in a process of its own, to be measured: unmodified but for one more command, and watched.

    python -m scripts.measured_bot ADDRESS DATABASE_URL=… SHARD_COUNT=… SHARD_IDS=… COUNT_QUERIES=1

It connects to the stand-in for Discord at the address, with those settings. ``COUNT_QUERIES`` also counts
what PostgreSQL is asked, which costs time. It reads one order a line from its standard input and answers each
with a line of JSON: ``naive`` and ``ours`` choose how tables are drawn, ``watch`` begins to look, ``calls``
does so too but lets the event loop alone, ``report`` says what was seen since, and ``end`` stops it.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import json
import logging
import statistics
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import discord

from bot.app import build_client
from bot.config import Config
from bot.discord_app.client import BotClient
from bot.discord_app.tables import message as sheets
from bot.operations.runtime import new_event_loop, tune_interpreter
from bot.render.image import draw_table
from bot.storage import Store
from bot.telemetry.trace import Trace
from tests.bench.naive_render import draw_table_naively
from tests.wire.standin import client_settings

TICK_S = 0.005

Draw = Callable[..., bytes]


class Watch:
    """How late the event loop is, how long the phases of each answer take, and the calls of the store."""

    def __init__(self) -> None:
        self._lags_ms: list[float] = []
        self._phases_ms: dict[str, list[float]] = defaultdict(list)
        self._calls_ms: dict[str, list[float]] = defaultdict(list)
        self._queries: Counter[str] = Counter()
        self._ticking: asyncio.Task[None] | None = None
        self._store: Store | None = None

    def begin(self, *, ticks: bool = True) -> None:
        """Forget what was seen, and look from now on; what ``ticks`` looks at the event loop."""
        self._lags_ms.clear()
        self._phases_ms.clear()
        self._calls_ms.clear()
        self._queries.clear()
        if ticks and self._ticking is None:
            self._ticking = asyncio.create_task(self._tick())

    async def _tick(self) -> None:
        while True:
            due = time.perf_counter() + TICK_S
            await asyncio.sleep(TICK_S)
            self._lags_ms.append((time.perf_counter() - due) * 1000)

    def note(self, trace: Trace) -> None:
        """Note how long an answer took, and each phase of it."""
        for phase, seconds in {**trace.seconds, "all": trace.total_s}.items():
            self._phases_ms[phase].append(seconds * 1000)

    def drawing(self, draw: Draw) -> Draw:
        """Return what draws a table, timed."""

        def timed(*args: Any, **named: Any) -> bytes:
            start = time.perf_counter()
            try:
                return draw(*args, **named)
            finally:
                self._phases_ms["draw"].append((time.perf_counter() - start) * 1000)

        return timed

    def calls_of(self, store: Store) -> None:
        """Time every call of a store's verbs from now on, and count its connections."""
        self._store = store
        for name, verb in inspect.getmembers(store, inspect.iscoroutinefunction):
            if not name.startswith("_"):
                setattr(store, name, self._timed(name, verb))

    def _timed(self, name: str, verb: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        @functools.wraps(verb)
        async def timed(*args: Any, **named: Any) -> Any:
            start = time.perf_counter()
            try:
                return await verb(*args, **named)
            finally:
                self._calls_ms[name].append((time.perf_counter() - start) * 1000)

        return timed

    def queries(self) -> None:
        """Count all that PostgreSQL is asked by connections that are made from now on."""
        import asyncpg  # noqa: PLC0415 - where there is SQLite alone it may be missing

        async def listen(db: Any) -> None:
            db.add_query_logger(lambda query: self._queries.update([query.query]))

        setattr(asyncpg, "create_pool", functools.partial(asyncpg.create_pool, init=listen))  # noqa: B010

    def report(self) -> dict[str, Any]:
        """Return what was seen, in milliseconds, and the memory in use, in megabytes."""
        return {
            "loop_lag_ms_max": max(self._lags_ms, default=0.0),
            "rss_mb": _rss_mb(),
            "phases_ms_median": {name: statistics.median(times) for name, times in self._phases_ms.items()},
            "answers_ms": self._phases_ms.get("all", []),
            "calls_ms": self._calls_ms,
            "queries": self._queries,
            "connections": pool.get_size() if (pool := getattr(self._store, "_pool", None)) else 0,
        }


def _rss_mb() -> float:
    """Return how much memory this process has in use."""
    for line in Path("/proc/self/status").read_text("utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise OSError("the system does not say how much memory is in use")


def _add_floor(client: BotClient) -> None:
    """Add a command that answers a word: what every answer costs, whatever it says."""

    @client.tree.command(name="floor", description="answers a word")
    async def floor(interaction: discord.Interaction[BotClient]) -> None:
        await interaction.response.send_message("floor", ephemeral=True)


async def main(address: str, *settings: str) -> None:
    """Run until told to end."""
    logging.disable(logging.INFO)
    environment = dict(setting.split("=", 1) for setting in settings)
    watch = Watch()
    if environment.pop("COUNT_QUERIES", ""):
        watch.queries()
    draws = {"ours": watch.drawing(draw_table), "naive": lambda table, *_, **__: draw_table_naively(table)}
    setattr(sheets, "draw_table", draws["ours"])  # noqa: B010 - is its own import, not what it exports
    orders = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin)
    with client_settings(address):
        config = Config.from_env({"DISCORD_TOKEN": "token", **environment})
        client = build_client(config, limits={})  # one player presses as fast as a hundred
        watch.calls_of(client._store)  # noqa: SLF001
        _add_floor(client)
        setattr(client.metrics, "answered", watch.note)  # noqa: B010 - and nothing else counts here
        running = asyncio.create_task(client.start("token"))
        while (order := (await orders.readline()).decode().strip()) not in ("", "end"):
            if order in ("watch", "calls"):
                watch.begin(ticks=order == "watch")
            elif order in draws:
                setattr(sheets, "draw_table", draws[order])  # noqa: B010
            print(json.dumps(watch.report() if order == "report" else {}), flush=True)
        await client.in_flight.finish()
        await client.close()
        await running


if __name__ == "__main__":
    tune_interpreter()
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(main(*sys.argv[1:]))
