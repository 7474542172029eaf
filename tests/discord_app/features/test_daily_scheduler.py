"""The daily round: it starts with the client, goes on after a failure, and ends with the client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.app import build_client
from bot.config import Config
from bot.discord_app.features.daily_posts.scheduler import DailyScheduler
from bot.telemetry.metrics import Metrics


class Client:
    """As much of a client as the rounds ask for before they do anything."""

    def __init__(self) -> None:
        self.metrics = Metrics()

    async def wait_until_ready(self) -> None:
        pass


async def nothing() -> None:
    pass


@asynccontextmanager
async def alone(_: str) -> AsyncIterator[bool]:
    yield True


async def test_rounds_are_done_again_and_again_whatever_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.discord_app.features.daily_posts.scheduler.ROUND_S", 0)
    client: Any = Client()
    client.client = client
    client.services = SimpleNamespace(bests=SimpleNamespace(work_out_today=nothing), alone=alone)
    scheduler = DailyScheduler(client, poster=None)  # type: ignore[arg-type]
    done = asyncio.Event()
    gone = 0

    async def go() -> None:
        nonlocal gone
        gone += 1
        if gone == 3:
            done.set()
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(scheduler, "run_once", go)
    scheduler.start()
    await asyncio.wait_for(done.wait(), 5)
    await scheduler.stop()
    stopped_at = gone
    await asyncio.sleep(0.01)
    assert gone == stopped_at


async def test_the_days_best_is_thought_out_beside_the_rounds_which_never_wait_for_it(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("bot.discord_app.features.daily_posts.scheduler.ROUND_S", 0)
    monkeypatch.setattr("bot.discord_app.features.daily_posts.scheduler.SOLVING_S", 0)
    client: Any = Client()
    client.client = client
    tries, thinks_for_ever = 0, asyncio.Event()
    gone, done = 0, asyncio.Event()

    class BestScores:
        async def work_out_today(self) -> None:
            nonlocal tries
            tries += 1
            if tries < 3:
                raise RuntimeError("the disk is full")
            thinks_for_ever.set()
            await asyncio.Event().wait()

    client.services = SimpleNamespace(bests=BestScores(), alone=alone)
    scheduler = DailyScheduler(client, poster=None)  # type: ignore[arg-type]

    async def go() -> None:
        nonlocal gone
        if thinks_for_ever.is_set():
            gone += 1
        if gone == 3:
            done.set()

    monkeypatch.setattr(scheduler, "run_once", go)
    scheduler.start()
    await asyncio.wait_for(done.wait(), 5)
    assert tries == 3
    await scheduler.stop()
    assert caplog.messages == ["the day's best score could not be found; retrying"] * 2
    assert not [task for task in asyncio.all_tasks() if task.get_name() in ("daily rounds", "the day's best")]


def test_a_client_starts_its_background_work_by_itself(tmp_path: Path) -> None:
    client = build_client(Config(database_url=f"sqlite:///{tmp_path}/games.sqlite3"))
    assert client.autostart


async def test_rounds_that_never_started_can_be_stopped() -> None:
    client: Any = Client()
    client.client = client
    await DailyScheduler(client, poster=None).stop()  # type: ignore[arg-type]
