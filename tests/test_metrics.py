"""Metrics and health, asked for over the port while a real client plays at the stand-in for Discord."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import socket
import sqlite3
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import aiohttp
import pytest
import pytest_asyncio
from prometheus_client.parser import text_string_to_metric_families

from bot.__main__ import main
from bot.app import build_client
from bot.config import Config, ConfigError, LogFormat
from bot.discord_app.tables.controls import Action
from bot.operations import health as monitor_module
from bot.operations.health import Monitor
from bot.operations.logs import formatter
from bot.service import Priority, TurnAction
from bot.service.players.settings import SettingsService
from bot.storage import NewGame, SqliteStore, Status
from bot.telemetry.metrics import Metrics
from bot.telemetry.trace import COMMIT, ENGINE, PHASES, RENDER, SEND
from engine import GAMES
from tests.discord_app.pressing import Wire, action_id, open_wire
from tests.thinking import Thinker

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


class Watched(NamedTuple):
    """A bot at a stand-in, and what its monitor says."""

    wire: Wire
    url: str
    thinker: Thinker

    async def get(self, path: str) -> tuple[int, str]:
        async with aiohttp.ClientSession() as session, session.get(f"{self.url}{path}") as response:
            return response.status, await response.text()

    async def answered(self, count: int) -> None:
        """Wait until that many requests are answered, and all that belongs to them is done."""
        registry, labels = self.wire.client.metrics.registry, {"phase": "total"}
        name = "solitaire_phase_seconds_count"
        await self.wire.until(lambda: registry.get_sample_value(name, labels) == count)

    async def scrape(self) -> Scraped:
        status, text = await self.get("/metrics")
        assert status == 200
        return Scraped(text)


class Scraped:
    """What Prometheus reads."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.samples: Samples = {
            (sample.name, frozenset(sample.labels.items())): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
        }

    def value(self, name: str, /, **labels: str) -> float:
        return self.samples.get((f"solitaire_{name}", frozenset(labels.items())), 0.0)

    def labels(self, name: str, label: str) -> set[str]:
        return {dict(labels)[label] for sample, labels in self.samples if sample == f"solitaire_{name}"}


@pytest_asyncio.fixture
async def watched(tmp_path: Path) -> AsyncIterator[Watched]:
    thinker = Thinker()
    async with open_wire(tmp_path, thinker) as wire, Monitor(wire.client, 0) as monitor:
        yield Watched(wire, monitor.url, thinker)


# Turns, phases, errors


async def test_the_numbers_are_those_of_what_was_played(watched: Watched) -> None:
    wire = watched.wire
    table = await wire.table("klondike")
    for _ in range(3):
        pressed = await wire.standin.press(table, action_id(table, Action.DRAW))
        table = await pressed.shown()
    table = await (await wire.standin.press(table, action_id(table, Action.UNDO))).shown()
    await (await wire.standin.interact("new", {"game": "acesup", "seed": "24"}, guild_id=100)).shown()
    await (await wire.standin.interact("draw", guild_id=100)).shown()
    await (await wire.standin.interact("move", {"from": "9", "to": "1"}, guild_id=100)).answer()
    await watched.answered(8)

    seen = await watched.scrape()
    turns = {
        (game, action.value): seen.value("turns_total", game=game, deed=action)
        for game in GAMES
        for action in TurnAction
    }
    assert {key: value for key, value in turns.items() if value} == {
        ("klondike", "dealt"): 1,
        ("klondike", "moved"): 3,
        ("klondike", "undone"): 1,
        ("acesup", "dealt"): 1,
        ("acesup", "moved"): 1,
    }
    assert seen.value("errors_total", kind="player", name="IllegalMove") == 1
    assert seen.value("phase_seconds_count", phase="total") == 8
    for phase in (RENDER, SEND, COMMIT):
        assert seen.value("phase_seconds_count", phase=phase) == 7
    assert seen.value("phase_seconds_count", phase=ENGINE) >= 7
    for phase in PHASES:
        total_s = seen.value("phase_seconds_sum", phase="total")
        assert 0 < seen.value("phase_seconds_sum", phase=phase) < total_s
    assert seen.value("requests_in_flight") == 0


async def test_an_interaction_that_is_delivered_twice_is_one_turn(watched: Watched) -> None:
    wire = watched.wire
    await wire.table("klondike")
    drawn = await wire.standin.interact("draw", guild_id=100)
    await drawn.shown()
    await wire.again(drawn)
    await watched.answered(3)
    seen = await watched.scrape()
    assert seen.value("turns_total", game="klondike", deed="moved") == 1
    assert await wire.record() == "klondike/d1/36 s-w"


async def test_a_fault_of_ours_and_an_error_of_discords_are_counted_by_kind(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = watched.wire
    table = await wire.table("klondike")
    wire.standin.answer_with("POST", "/callback", 400, {"code": 50027, "message": "Invalid Webhook Token"})
    await wire.standin.press(table, action_id(table, Action.DRAW))
    await wire.quietly(3)
    wire.standin.answer_with("POST", "/callback", 502, {})
    await wire.standin.interact("help", guild_id=100)
    await watched.answered(3)

    async def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(SettingsService, "of", fail)
    await (await wire.standin.interact("settings", guild_id=100)).shown()
    seen = await watched.scrape()
    assert seen.value("errors_total", kind="discord", name="50027") == 1
    assert seen.value("errors_total", kind="discord", name="http-502") == 1
    assert seen.value("errors_total", kind="unexpected", name="ZeroDivisionError") == 1


async def test_no_label_has_what_a_player_typed(watched: Watched) -> None:
    wire = watched.wire
    for seed in ("mormor", "farfar", "tante sofie"):
        await wire.table("klondike", seed)
        await (await wire.standin.interact("move", {"from": seed, "to": seed}, guild_id=100)).answer()
    await (await wire.standin.interact("new", {"code": "acesup/standard/mormor"}, guild_id=100)).shown()
    text = (await watched.scrape()).text
    for part in ("mormor", "farfar", "sofie", str(100), "token", *map(str, wire.standin.interactions)):
        assert f'"{part}' not in text
        assert part == "100" or part not in text


# What is a number of the moment


async def test_queues_latency_and_lag_are_there(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    wire = watched.wire
    seen = await watched.scrape()
    assert seen.labels("queue_depth", "queue") == {"brains-quick", "brains-slow", "replays"}
    assert {seen.value("queue_depth", queue=q) for q in ("brains-quick", "brains-slow", "replays")} == {0}
    wire.client.app.animations.queued = 3
    monkeypatch.setattr(watched.thinker, "queued", lambda lane: {Priority.QUICK: 1, Priority.SLOW: 2}[lane])
    seen = await watched.scrape()
    assert seen.value("queue_depth", queue="replays") == 3
    assert seen.value("queue_depth", queue="brains-quick") == 1
    assert seen.value("queue_depth", queue="brains-slow") == 2
    assert ("solitaire_gateway_latency_seconds", frozenset()) in seen.samples
    assert ("process_resident_memory_bytes", frozenset()) in seen.samples


async def test_a_loop_that_is_held_up_is_seen(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(monitor_module, "SAMPLE_S", 0.01)
    lagging = asyncio.create_task(block())
    await lagging
    async with asyncio.timeout(5):
        while (await watched.scrape()).value("loop_lag_seconds_sum") < 0.2:
            pass


async def block() -> None:
    """Hold up everything, as no code of ours may."""
    for _ in range(4):
        time.sleep(0.3)  # noqa: ASYNC251
        await asyncio.sleep(0)


async def test_requests_in_flight_are_those_not_answered_yet(watched: Watched) -> None:
    wire = watched.wire
    wire.standin.delay("POST", "/callback", 0.5)
    asked = await wire.standin.interact("help", guild_id=100)
    async with asyncio.timeout(5):
        while (await watched.scrape()).value("requests_in_flight") != 1:
            pass
    await asked.shown()
    await watched.answered(1)
    assert (await watched.scrape()).value("requests_in_flight") == 0


# Games


async def test_games_are_counted_by_status_but_only_now_and_then(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = watched.wire.client._store
    for number, status in enumerate((Status.PLAYING, Status.PLAYING, Status.WON)):
        await store.create_game(NewGame(1, "klondike/d1/36", status, 0, number, 1))
    seen = await watched.scrape()
    assert {status: seen.value("games", status=status) for status in Status} == {
        Status.PLAYING: 2,
        Status.WON: 1,
        Status.OVER: 0,
        Status.GIVEN_UP: 0,
        Status.EXPIRED: 0,
    }
    await store.create_game(NewGame(1, "klondike/d1/36", Status.WON, 0, 9, 1))
    assert (await watched.scrape()).value("games", status="won") == 1  # as counted before
    monkeypatch.setattr(monitor_module, "GAMES_S", 0)
    assert (await watched.scrape()).value("games", status="won") == 2


async def test_counting_reads_an_index_and_no_game(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "games.sqlite3")
    await store.open()
    plans: list[str] = []
    async with store._reading() as db:
        await db.set_trace_callback(plans.append)
    assert sum((await store.count_games()).values()) == 0
    await store.close()
    [query] = [plan for plan in plans if "COUNT" in plan]
    with sqlite3.connect(tmp_path / "games.sqlite3") as raw:
        [*_, plan] = raw.execute(f"EXPLAIN QUERY PLAN {query}").fetchone()
    raw.close()
    assert "COVERING INDEX" in plan


# Health


async def test_a_bot_that_plays_is_healthy_and_ready(watched: Watched) -> None:
    await watched.wire.client.wait_until_ready()
    assert await watched.get("/healthz") == (200, "the event loop runs\n")
    assert await watched.get("/readyz") == (200, "ready\n")
    assert (await watched.get("/"))[0] == 404


async def test_before_the_first_connection_it_is_healthy_and_not_ready(tmp_path: Path) -> None:
    client = build_client(Config(database_url=f"sqlite:///{tmp_path}/games.sqlite3"))
    async with Monitor(client, 0) as monitor:
        watched = Watched(None, monitor.url, Thinker())  # type: ignore[arg-type]
        assert (await watched.get("/healthz"))[0] == 200
        assert await watched.get("/readyz") == (503, "not connected to Discord's gateway\n")
        assert (await watched.scrape()).value("games", status="won") == 0


async def test_without_its_gateway_it_is_not_ready(watched: Watched) -> None:
    client = watched.wire.client
    await client.wait_until_ready()
    await client._get_websocket(shard_id=0).socket.close()
    assert await watched.get("/readyz") == (503, "not connected to Discord's gateway\n")
    assert (await watched.get("/healthz"))[0] == 200


async def test_while_it_stops_it_is_not_ready(watched: Watched) -> None:
    client = watched.wire.client
    await client.wait_until_ready()
    await client.in_flight.finish()
    assert await watched.get("/readyz") == (503, "stopping\n")
    assert (await watched.get("/healthz"))[0] == 200


async def test_with_a_database_that_does_not_answer_it_is_not_ready(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = watched.wire.client
    await client.wait_until_ready()
    monkeypatch.setattr(monitor_module, "TIMEOUT_S", 0.05)
    async with client._store._lock:  # type: ignore[attr-defined]
        assert await watched.get("/readyz") == (503, "the database did not answer in 0.05 s\n")
        assert (await watched.get("/metrics"))[0] == 200
    assert (await watched.get("/readyz"))[0] == 200


async def test_with_a_database_that_is_closed_or_broken_it_is_not_ready(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = watched.wire.client
    await client.wait_until_ready()

    async def broken(*_: object) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as context:
        context.setattr(SettingsService, "of", broken)
        status, why = await watched.get("/readyz")
        assert (status, "can't be read" in why) == (503, True)
    await client._store.close()
    assert await watched.get("/readyz") == (503, "the database is not open\n")
    assert (await watched.get("/metrics"))[0] == 200


async def test_an_event_that_cannot_be_read_is_a_fault_and_ends_nothing(
    watched: Watched, caplog: pytest.LogCaptureFixture
) -> None:
    await watched.wire.client.wait_until_ready()
    await watched.wire.standin.gateway.dispatch("INTERACTION_CREATE", {"id": "1"})
    await watched.wire.until(lambda: bool(caplog.get_records("call")))
    [line] = [record for record in caplog.get_records("call") if record.levelname == "ERROR"]
    assert getattr(line, "error_id", "-") in line.getMessage()
    assert (await watched.scrape()).value("errors_total", kind="unexpected", name="KeyError") == 1
    caplog.clear()
    await watched.wire.table()


# The port


@pytest.fixture
def taken_port() -> Iterator[int]:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield other.getsockname()[1]


async def test_a_port_that_is_taken_is_refused_with_what_to_do(tmp_path: Path, taken_port: int) -> None:
    client = build_client(Config(database_url=f"sqlite:///{tmp_path}/games.sqlite3"))
    with pytest.raises(ConfigError, match=rf"METRICS_PORT {taken_port} is in use.*choose another"):
        async with Monitor(client, taken_port):
            pass


def test_the_bot_does_not_start_on_a_port_that_is_taken(
    tmp_path: Path, taken_port: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("bot.run.set_up_logging", lambda _: None)
    for name, value in (("DISCORD_TOKEN", "x"), ("METRICS_PORT", str(taken_port)), ("DATABASE_URL", "")):
        monkeypatch.setenv(name, value)
    assert main([]) == 1
    assert f"METRICS_PORT {taken_port} is in use" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


async def test_nobody_but_this_machine_is_served(watched: Watched) -> None:
    assert watched.url.startswith("http://127.0.0.1:")


async def test_without_a_port_nothing_is_opened(tmp_path: Path) -> None:
    client = build_client(Config(database_url=f"sqlite:///{tmp_path}/games.sqlite3"))
    tasks = asyncio.all_tasks()
    async with Monitor(client, None) as monitor:
        assert monitor._runner is None
        assert asyncio.all_tasks() == tasks


async def test_when_it_ends_the_port_is_free_again(tmp_path: Path) -> None:
    client = build_client(Config(database_url=f"sqlite:///{tmp_path}/games.sqlite3"))
    async with Monitor(client, 0) as monitor:
        port = int(monitor.url.rsplit(":", 1)[1])
    async with Monitor(client, port):
        pass
    with pytest.raises(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port), timeout=1):
        pass


def test_two_clients_share_no_number() -> None:
    one, other = Metrics(), Metrics()
    one.error("player", "NoGame")
    labels = {"kind": "player", "name": "NoGame"}
    assert one.registry.get_sample_value("solitaire_errors_total", labels) == 1
    assert other.registry.get_sample_value("solitaire_errors_total", labels) is None


# What the log has of it


@contextmanager
def debugging() -> Iterator[io.StringIO]:
    """The bot's own log at DEBUG, as JSON."""
    stream, logger = io.StringIO(), logging.getLogger("bot")
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter(Config(log_format=LogFormat.JSON)))
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.DEBUG)
    try:
        yield stream
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


async def test_at_debug_the_log_has_how_long_each_phase_took_and_for_whom(watched: Watched) -> None:
    wire = watched.wire
    await wire.table("klondike", "mormor")
    await watched.answered(1)
    with debugging() as stream:
        await (await wire.standin.interact("draw", guild_id=100)).shown()
        await watched.answered(2)
    [event] = [e for e in map(json.loads, stream.getvalue().splitlines()) if e["event"] == "answered"]
    game = await wire.client._store.load_game(1)
    assert game is not None
    assert (event["command"], event["user"], event["game"]) == ("draw", game.owner_id, game.id)
    assert set(event["phases_ms"]) == set(PHASES)
    assert 0 < sum(event["phases_ms"].values()) <= event["ms"] + 1
    assert "mormor" not in stream.getvalue()
