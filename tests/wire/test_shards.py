"""A bot of several shards over real sockets: each gets its own servers' events, and stands for itself."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import pairwise
from pathlib import Path

import aiohttp
import pytest
import pytest_asyncio

from bot.app import build_client
from bot.config import Config
from bot.discord_app.client import BotClient
from bot.discord_app.transport import shards
from bot.discord_app.transport.shards import own_shards
from bot.operations.health import Monitor
from bot.storage import SqliteStore
from tests.wire.bot_process import Nursery, bot_process
from tests.wire.gateway import IDENTIFY, shard_of
from tests.wire.interactions import Interaction
from tests.wire.standin import StandIn
from tests.wire.storms import until

COUNT = 4
PACE_S = 0.3
CONNECTED_S = 30.0


def guild_of(shard: int) -> int:
    """A server whose events come by that shard."""
    return (10 << 24) + (shard << 22) + 100


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord's five seconds are shorter here, on both sides; the bot takes some more, as ever."""
    monkeypatch.setattr(shards, "IDENTIFY_S", shards.IDENTIFY_S - 5 + PACE_S)


@pytest_asyncio.fixture
async def standin(discord_standin: StandIn) -> StandIn:
    discord_standin.gateway.pace_s = PACE_S
    discord_standin.gateway.is_strict = True
    for shard in range(COUNT):
        discord_standin.add_guild(guild_of(shard), 1_000 + shard)
    return discord_standin


@asynccontextmanager
async def running(
    folder: Path,
    count: int | None = COUNT,
    ids: tuple[int, ...] | None = None,
    shared: SqliteStore | None = None,
) -> AsyncIterator[BotClient]:
    """A bot that has been started; those with the same `shared` are as processes over one database."""
    config = Config(
        token="token", database_url=f"sqlite:///{folder}/games.sqlite3", shard_count=count, shard_ids=ids
    )
    client = build_client(config)
    client.autostart = False
    if shared is not None:
        client._store.lock = shared.lock  # type: ignore[method-assign]
    task = asyncio.create_task(client.start("token"))
    try:
        yield client
    finally:
        await client.close()
        await task


@pytest_asyncio.fixture
async def bot(standin: StandIn, tmp_path: Path) -> AsyncIterator[BotClient]:
    standin.rest.session_start_limit["max_concurrency"] = COUNT  # where it is not about waiting
    async with running(tmp_path) as client:
        await standin.connected(CONNECTED_S)
        await client.wait_until_ready()
        yield client


async def deals(standin: StandIn, shard: int) -> Interaction:
    """Somebody begins a game in a server of that shard."""
    return await standin.interact("new", {"game": "klondike", "seed": "1"}, guild_id=guild_of(shard))


def asked(standin: StandIn, shard: int) -> list[str]:
    """The ids of the interactions that came by a shard."""
    events = standin.gateway.session(shard).events
    return [event["d"]["id"] for event in events if event["t"] == "INTERACTION_CREATE"]


def identities(standin: StandIn) -> list[list[int]]:
    return [m["d"]["shard"] for m in standin.gateway.received if m["op"] == IDENTIFY]


async def ready(monitor: Monitor) -> tuple[int, str]:
    async with aiohttp.ClientSession() as session, session.get(f"{monitor.url}/readyz") as answer:
        return answer.status, (await answer.text()).strip()


@pytest.mark.usefixtures("no_error")
async def test_servers_of_every_shard_are_answered(standin: StandIn, bot: BotClient) -> None:
    assert identities(standin) == [[shard, COUNT] for shard in range(COUNT)]
    assert standin.gateway.refused == 0
    for shard in range(COUNT):
        interaction = await deals(standin, shard)
        await interaction.shown()
        assert asked(standin, shard) == [interaction.id]
        assert shard_of(guild_of(shard), COUNT) == shard


@pytest.mark.usefixtures("bot")
async def test_a_direct_message_comes_by_shard_0(standin: StandIn) -> None:
    interaction = await standin.interact("new", {"game": "klondike", "seed": "1"})
    await interaction.shown()
    assert [interaction.id in asked(standin, shard) for shard in range(COUNT)] == [True, False, False, False]


async def test_a_request_knows_its_shard(standin: StandIn, bot: BotClient) -> None:
    traces: list[int | None] = []
    bot.metrics.answered = lambda trace: traces.append(trace.shard_id)  # type: ignore[method-assign]
    for shard in (3, 1):
        await (await deals(standin, shard)).shown()
    await (await standin.interact("help")).shown()
    await until(lambda: len(traces) == 3)
    assert traces == [3, 1, 0]


@pytest.mark.usefixtures("no_error")
async def test_while_one_shard_is_away_the_others_answer_until_it_is_back(
    standin: StandIn, bot: BotClient
) -> None:
    gateway = standin.gateway
    async with Monitor(bot, 0) as monitor:
        assert await ready(monitor) == (200, "ready")
        await until(lambda: math.isfinite(bot.latency_s))
        gateway.stalls = 1
        await gateway.cut(1)
        await until(lambda: gateway.stalls == 0)  # it is at the door, and nobody opens
        assert await ready(monitor) == (503, "not connected to Discord's gateway: shard 1")
        assert math.isnan(bot.latency_s)
        for shard in (0, 2, 3):
            await (await deals(standin, shard)).shown()
        await gateway.cut(2)  # which need not wait for the other one
        await gateway.connected(2)
        await (await deals(standin, 2)).shown()
        meanwhile = await deals(standin, 1)
        gateway.go_on()
        await meanwhile.shown()
        await until(lambda: not bot.unconnected_shards)
        assert await ready(monitor) == (200, "ready")
    assert [gateway.session(shard).resumed for shard in range(COUNT)] == [0, 1, 1, 0]
    assert (gateway.identified, gateway.refused) == (COUNT, 0)


async def test_a_shard_refused_once_resumes_its_session(standin: StandIn, bot: BotClient) -> None:
    standin.gateway.closed_doors = 2
    await standin.gateway.cut(1)
    await standin.connected(CONNECTED_S)
    await (await deals(standin, 1)).shown()
    assert standin.gateway.session(1).resumed == 1
    assert (standin.gateway.identified, standin.gateway.closed_doors) == (COUNT, 0)


async def test_a_shard_refused_again_and_again_resumes_its_session(
    standin: StandIn, bot: BotClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "RESUMES", 1)
    for _ in range(2):
        standin.gateway.closed_doors = 1
        await standin.gateway.cut(1)
        await standin.connected(CONNECTED_S)
        await (await deals(standin, 1)).shown()
    assert (standin.gateway.session(1).identified, standin.gateway.session(1).resumed) == (1, 2)


async def test_a_shard_that_cannot_resume_begins_a_new_session(
    standin: StandIn, bot: BotClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "RESUMES", 1)
    standin.gateway.closed_doors = 2
    await standin.gateway.cut(1)
    await standin.connected(CONNECTED_S)
    await (await deals(standin, 1)).shown()
    assert standin.gateway.session(1).identified == 2
    assert standin.gateway.refused == 0


@pytest.mark.usefixtures("no_error")
async def test_sessions_lost_at_once_begin_anew_one_after_another(standin: StandIn, tmp_path: Path) -> None:
    async with running(tmp_path) as bot:
        await standin.connected(CONNECTED_S)
        await standin.gateway.invalidate(resumable=False)
        await until(lambda: standin.gateway.identified == 2 * COUNT)
        assert (standin.gateway.refused, standin.gateway.most_waiting) == (0, 1)
        for shard in range(COUNT):
            await (await deals(standin, shard)).shown()
        assert bot.unconnected_shards == []


async def test_shards_that_cannot_resume_begin_anew_one_after_another(
    standin: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "RESUMES", 0)
    async with running(tmp_path) as bot:
        await standin.connected(CONNECTED_S)
        standin.gateway.closed_doors = COUNT
        await standin.gateway.cut()
        await until(lambda: standin.gateway.identified == 2 * COUNT)
        assert (standin.gateway.refused, standin.gateway.most_waiting) == (0, 1)
        await until(lambda: bot.unconnected_shards == [])


async def test_a_starting_bot_says_which_shards_are_missing(standin: StandIn, tmp_path: Path) -> None:
    standin.gateway.stalls = COUNT
    async with running(tmp_path) as client, Monitor(client, 0) as monitor:
        await until(lambda: standin.gateway.stalls == COUNT - 1)
        assert await ready(monitor) == (503, "not connected to Discord's gateway: shards 0-3")
        standin.gateway.stalls = 0
        standin.gateway.go_on()
        await standin.gateway.connected(0)
        await until(lambda: client.unconnected_shards == [])


@asynccontextmanager
async def two_processes(
    folder: Path, shared: tuple[SqliteStore, SqliteStore]
) -> AsyncIterator[tuple[BotClient, BotClient]]:
    """The shards 0 and 1, and the shards 2 and 3."""
    folders = folder / "one", folder / "other"
    for each in folders:
        each.mkdir()
    async with AsyncExitStack() as stack:
        one = await stack.enter_async_context(running(folders[0], ids=(0, 1), shared=shared[0]))
        other = await stack.enter_async_context(running(folders[1], ids=(2, 3), shared=shared[1]))
        yield one, other


@pytest.mark.usefixtures("no_error")
async def test_two_processes_that_start_together_identify_one_after_another(
    standin: StandIn, tmp_path: Path
) -> None:
    gateway, shared = standin.gateway, SqliteStore(":memory:")
    async with two_processes(tmp_path, (shared, shared)) as clients:
        await standin.connected(CONNECTED_S)
        assert sorted(shard for shard, _ in gateway.identifies) == [0, 1, 2, 3]
        assert (gateway.refused, gateway.most_waiting) == (0, 1)
        assert all(b - a >= PACE_S for (_, a), (_, b) in pairwise(gateway.identifies))
        for shard, client in enumerate(clients[n // 2] for n in range(COUNT)):
            interaction = await deals(standin, shard)
            await interaction.shown()
            assert await client._store.current_game(interaction.user.id) is not None
        assert [own_shards(client) for client in clients] == [[0, 1], [2, 3]]


async def test_two_processes_without_a_shared_database_are_refused_and_retry(
    standin: StandIn, tmp_path: Path
) -> None:
    """So the stand-in holds the rule that the test above is about."""
    async with two_processes(tmp_path, (SqliteStore(":memory:"), SqliteStore(":memory:"))):
        await standin.connected(CONNECTED_S)
        assert standin.gateway.refused > 0


async def test_as_many_shards_start_at_once_as_discord_allows(
    standin: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "IDENTIFY_S", 3_600.0)
    standin.rest.session_start_limit["max_concurrency"] = COUNT
    async with running(tmp_path):
        await standin.connected(CONNECTED_S)
        assert standin.gateway.refused == 0


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "RETRY_S", (0.01,))


@pytest.mark.usefixtures("impatient")
async def test_without_a_setting_there_are_as_many_shards_as_discord_recommends(
    standin: StandIn, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    standin.rest.shards = 3
    refused = standin.answer_with("GET", "/gateway/bot", 403, {"code": 0, "message": "later"}, times=3)
    caplog.set_level("INFO")
    async with running(tmp_path, count=None):
        await standin.gateway.connected(0)
        await standin.connected(CONNECTED_S)
        assert identities(standin) == [[0, 3], [1, 3], [2, 3]]
        assert refused.times == 0
        assert "shards 0-2 of 3" in caplog.messages


async def test_with_a_setting_it_starts_without_a_recommendation(standin: StandIn, tmp_path: Path) -> None:
    standin.answer_with("GET", "/gateway/bot", 403, {"code": 0, "message": "no"}, times=100)
    async with running(tmp_path, count=COUNT, ids=(3,)):
        await standin.connected(CONNECTED_S, shard=3)
        await (await deals(standin, 3)).shown()


async def test_too_few_sessions_are_logged_as_a_warning(
    standin: StandIn, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    standin.rest.session_start_limit |= {"remaining": 3, "reset_after": 60_000}
    async with running(tmp_path):
        await until(lambda: "3 more sessions within 60 s" in caplog.text)


async def test_a_bot_closed_while_its_shards_start_ends(
    standin: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "IDENTIFY_S", 3_600.0)
    async with asyncio.timeout(60):
        async with running(tmp_path):
            await standin.gateway.connected(0)
    assert standin.gateway.identified == 1


async def test_the_program_logs_its_shards_and_whether_discord_refuses_them(
    tmp_path: Path, nursery: Nursery
) -> None:
    async with StandIn() as standin, bot_process(tmp_path, nursery) as bot:
        standin.rest.session_start_limit["max_concurrency"] = 16
        await bot.start(standin.url, SHARD_COUNT="64", SHARD_IDS="0-2,5")
        for shard in (0, 1, 2, 5):
            await standin.connected(60, shard)
        assert "shards 0-2,5 of 64" in bot.said()
        await standin.gateway.disconnect(4011)
        assert await bot.ended() == 1
        assert "set SHARD_COUNT to that or more" in bot.said()
        assert "Traceback" not in bot.said()
        standin.check()
