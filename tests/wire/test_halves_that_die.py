"""A process that is killed in the middle of what a cluster does once: the other one does it then."""

from __future__ import annotations

import asyncio
import re
import signal
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from itertools import pairwise
from pathlib import Path

import pytest
import pytest_asyncio

from bot.storage import DailyChannel, Store, open_store
from tests.postgres import PostgresServer, binaries, postgres_server
from tests.wire.bot_process import Nursery
from tests.wire.cluster import COUNT, Half, guild_of, two_halves
from tests.wire.faults import Fault
from tests.wire.standin import StandIn
from tests.wire.storms import until

SERVERS = 40
POST = r"^/channels/\d+/messages$"
LONG_AGO = "2026-01-01"

pytestmark = pytest.mark.skipif(binaries() is None, reason="PostgreSQL (no server of our own)")


@pytest_asyncio.fixture
async def standin() -> AsyncIterator[StandIn]:
    async with StandIn() as standin:
        for number in range(SERVERS):
            standin.add_guild(guild_of(number % COUNT, number // COUNT), 1_000 + number)
        yield standin
        standin.check()


@pytest_asyncio.fixture
async def server() -> AsyncIterator[PostgresServer]:
    with postgres_server() as server:
        yield server


@pytest_asyncio.fixture
async def halves(
    tmp_path: Path, standin: StandIn, server: PostgresServer, nurseries: Sequence[Nursery]
) -> AsyncIterator[tuple[Half, Half]]:
    async with two_halves(tmp_path, standin, server, nurseries) as halves:
        yield halves


async def killed(half: Half) -> None:
    half.bot.send(signal.SIGKILL)
    await half.died()


async def test_if_the_bot_that_registers_the_commands_dies_the_other_one_does(
    standin: StandIn, halves: tuple[Half, Half]
) -> None:
    one, other = halves
    held_up = standin.delay("PUT", "/commands$", 60)
    await one.start()
    await until(lambda: bool(held_up.met))
    await other.start()
    await asyncio.sleep(0.5)
    assert other.bot.said().count("registered") == 0
    await killed(one)
    await other.connected()
    assert other.bot.said().count("registered 25 commands") == 1
    await one.start()
    await one.connected()
    assert one.bot.said().count("registered") == 0
    assert len(standin.commands) == 25


@pytest.mark.slow
@pytest.mark.timeout(180)
async def test_every_server_gets_its_post_once_when_one_of_two_bots_is_killed(
    standin: StandIn, server: PostgresServer, halves: tuple[Half, Half]
) -> None:
    store = open_store(server.url)
    await store.open()
    for number in range(SERVERS):
        server_id = guild_of(number % COUNT, number // COUNT)
        await store.set_daily_channel(DailyChannel(server_id, 1_000 + number, "en", 1, LONG_AGO))
    slow = standin.arm(Fault("POST", re.compile(POST), 1_000_000, late_s=1.0))
    one, other = halves
    await one.start()
    await until(lambda: bool(standin.messages))
    await other.start()
    await other.connected()
    await until(lambda: len(standin.messages) >= SERVERS // 2)
    await killed(one)
    slow.times = 0
    # What it had begun is taken on by the other one after 20 seconds, in its next round.
    async with asyncio.timeout(120):
        while not all([await is_posted(store, number) for number in range(SERVERS)]):  # noqa: ASYNC110
            await asyncio.sleep(0.5)
    await store.close()
    assert Counter(message.channel_id for message in standin.messages.values()) == Counter(
        str(1_000 + number) for number in range(SERVERS)
    )
    attempts = [r for r in standin.requests if r.method == "POST" and re.search(POST, r.path)]
    assert len(attempts) > SERVERS  # some had arrived, and nobody knew
    assert "Traceback" not in other.bot.said()


async def is_posted(store: Store, number: int) -> bool:
    channel = await store.daily_channel(guild_of(number % COUNT, number // COUNT))
    return channel is not None and channel.day > LONG_AGO and channel.is_done


@pytest.mark.slow
@pytest.mark.timeout(180)
async def test_processes_that_start_together_keep_discords_pace_even_when_one_is_killed(
    standin: StandIn, halves: tuple[Half, Half]
) -> None:
    gateway = standin.gateway
    gateway.is_strict = True  # with Discord's five seconds
    standin.rest.session_start_limit["max_concurrency"] = 1
    one, _ = halves
    await asyncio.gather(*(half.start() for half in halves))
    await until(lambda: {shard // 2 for shard, _ in gateway.identifies} == {0, 1})
    assert gateway.refused == 0
    await killed(one)
    await one.start()
    for half in halves:
        await asyncio.wait_for(half.connected(), 60)
    # Who starts anew knows of the one before it that its turn is over, not when it was.
    assert gateway.refused <= 1
    assert all(later - sooner >= gateway.pace_s for (_, sooner), (_, later) in pairwise(gateway.identifies))
