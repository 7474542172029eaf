"""The daily rounds: they start with the client, go on after a failure, and end with the client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.app import build_client
from bot.config import Config
from bot.discord_app.features.daily_posts.scheduler import DailyScheduler
from bot.telemetry.metrics import Metrics


class Rounds(DailyScheduler):
    """A scheduler that waits for nothing between two rounds, each of which is ``do``.

    :param solve: what is done to find the day's best score.
    """

    def __init__(self, do: Callable[[], Awaitable[None]], solve: Callable[[], Awaitable[None]]) -> None:
        services = SimpleNamespace(best_scores=SimpleNamespace(work_out_today=solve), lock=lock)
        client = SimpleNamespace(wait_until_ready=nothing)
        app: Any = SimpleNamespace(client=client, services=services, metrics=Metrics())
        poster: Any = None
        super().__init__(app, poster)
        self.round_s = self.solving_s = 0
        self._do = do

    async def run_once(self) -> None:
        await self._do()


async def nothing() -> None:
    pass


@asynccontextmanager
async def lock(_: str) -> AsyncIterator[bool]:
    yield True


async def test_rounds_go_on_whatever_fails(caplog: pytest.LogCaptureFixture) -> None:
    rounds, done = 0, asyncio.Event()

    async def fail() -> None:
        nonlocal rounds
        rounds += 1
        if rounds == 3:
            done.set()
        raise RuntimeError("the disk is full")

    scheduler = Rounds(fail, nothing)
    scheduler.start()
    await asyncio.wait_for(done.wait(), 5)
    await scheduler.stop()
    stopped_at = rounds
    await asyncio.sleep(0.01)
    assert rounds == stopped_at
    assert set(caplog.messages) == {"the daily round failed; the next one tries again"}


async def test_rounds_never_wait_for_the_best_score_which_is_retried_until_found(
    caplog: pytest.LogCaptureFixture,
) -> None:
    tries, rounds = 0, 0
    solving, done = asyncio.Event(), asyncio.Event()

    async def solve() -> None:
        nonlocal tries
        tries += 1
        if tries < 3:
            raise RuntimeError("the disk is full")
        solving.set()
        await asyncio.Event().wait()

    async def count() -> None:
        nonlocal rounds
        rounds += solving.is_set()
        if rounds == 3:
            done.set()

    scheduler = Rounds(count, solve)
    scheduler.start()
    await asyncio.wait_for(done.wait(), 5)
    assert tries == 3
    await scheduler.stop()
    assert caplog.messages == ["the day's best score could not be found; retrying"] * 2
    assert not [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]


def test_a_client_starts_its_background_work_by_itself(tmp_path: Path) -> None:
    client = build_client(Config(database_url=f"sqlite:///{tmp_path}/games.sqlite3"))
    assert client.autostart


async def test_rounds_that_never_started_can_be_stopped() -> None:
    await Rounds(nothing, nothing).stop()
