"""The bot in a process of its own, to be measured: unmodified but for one more command, and watched.

    python -m scripts.measured_bot ADDRESS DATABASE

It connects to the stand-in for Discord at the address, reads one order a line from its standard input and answers
each with a line of JSON: ``naive`` and ``ours`` choose how tables are drawn, ``watch`` begins to look at the event
loop and ``report`` says what was seen since; ``end`` stops it.
"""

from __future__ import annotations

import asyncio
import json
import logging
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import discord

from bot.app import build_client
from bot.config import Config
from bot.discord_app import tables
from bot.discord_app.client import SolitaireClient
from bot.housekeeping import new_event_loop, settle
from tests.bench.naive_render import draw_table_naively
from tests.wire.standin import client_settings

TICK_S = 0.005

_draw_table = tables.draw_table


class Watch:
    """How late the event loop is, and how long what is worth knowing takes."""

    def __init__(self) -> None:
        self.lags_ms: list[float] = []
        self.phases_ms: dict[str, list[float]] = defaultdict(list)
        self._ticking: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Forget what was seen, and look from now on."""
        self.lags_ms.clear()
        self.phases_ms.clear()
        if self._ticking is None:
            self._ticking = asyncio.create_task(self._tick())

    async def _tick(self) -> None:
        while True:
            due = time.perf_counter() + TICK_S
            await asyncio.sleep(TICK_S)
            self.lags_ms.append((time.perf_counter() - due) * 1000)

    def timed(self, phase: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function, which is timed from now on."""

        def run(*args: Any, **kwargs: Any) -> Any:
            start = time.perf_counter()
            try:
                return function(*args, **kwargs)
            finally:
                self.phases_ms[phase].append((time.perf_counter() - start) * 1000)

        return run

    def timed_async(self, phase: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the coroutine function, which is timed from now on."""

        async def run(*args: Any, **kwargs: Any) -> Any:
            start = time.perf_counter()
            try:
                return await function(*args, **kwargs)
            finally:
                self.phases_ms[phase].append((time.perf_counter() - start) * 1000)

        return run

    def report(self) -> dict[str, Any]:
        """Return what was seen, in milliseconds, and the memory in use, in megabytes."""
        return {
            "loop_lag_ms_max": max(self.lags_ms, default=0.0),
            "loop_lag_ms_median": statistics.median(self.lags_ms) if self.lags_ms else 0.0,
            "rss_mb": _rss_mb(),
            "phases_ms_median": {name: statistics.median(times) for name, times in self.phases_ms.items()},
        }


def _rss_mb() -> float:
    """Return how much memory this process has in use."""
    for line in Path("/proc/self/status").read_text("utf-8").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise OSError("the system does not say how much memory is in use")


def _add_floor(client: SolitaireClient) -> None:
    """Add a command that answers a word: what every answer costs, whatever it says."""

    @client.tree.command(name="floor", description="answers a word")
    async def floor(interaction: discord.Interaction[SolitaireClient]) -> None:
        await interaction.response.send_message("floor", ephemeral=True)


def _watch_phases(client: SolitaireClient, watch: Watch) -> None:
    """Time the parts of a turn."""
    play, tables_of = client.play, client.tables
    store: Any = play._store
    store.save_if_revision = watch.timed_async("commit", store.save_if_revision)
    store.place_table = watch.timed_async("note where the table is", store.place_table)
    for verb in ("draw", "move", "undo"):
        setattr(play, verb, watch.timed_async("service, all of it", getattr(play, verb)))
    play.settings = watch.timed_async("settings", play.settings)  # type: ignore[method-assign]
    tables_of._sheet = watch.timed_async("make the message, all of it", tables_of._sheet)  # type: ignore[method-assign]
    tables_of._edit = watch.timed_async("send and hear back", tables_of._edit)  # type: ignore[method-assign]


async def main(address: str, database: str) -> None:
    """Run until told to end."""
    logging.disable(logging.INFO)
    watch = Watch()
    ours = watch.timed("render", _draw_table)
    tables.draw_table = ours
    orders = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin)
    with client_settings(address):
        config = Config(token="token", database_url=f"sqlite:///{database}")
        client = build_client(config, limits={})  # one player presses as fast as a hundred
        _add_floor(client)
        _watch_phases(client, watch)
        running = asyncio.create_task(client.start("token"))
        while (order := (await orders.readline()).decode().strip()) not in ("", "end"):
            if order == "watch":
                watch.begin()
            elif order == "naive":
                tables.draw_table = lambda table, *_: draw_table_naively(table)
            elif order == "ours":
                tables.draw_table = ours
            print(json.dumps(watch.report() if order == "report" else {}), flush=True)
        await client.close()
        await running


if __name__ == "__main__":
    settle()
    with asyncio.Runner(loop_factory=new_event_loop) as runner:
        runner.run(main(*sys.argv[1:]))
