"""Shards without Discord: how they are written, and that they identify one after another."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import pairwise

import pytest

from bot.config import Config
from bot.discord_app.transport import shards
from bot.discord_app.transport.shards import IdentifyLimiter, spelled
from bot.storage import StoreError
from bot.storage.sqlite import SqliteStore

FOR_EVER_S = 3_600.0


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ([5], "shard 5"),
        (range(16), "shards 0-15"),
        ([0, 3, 5, 6, 7], "shards 0,3,5-7"),
        ([1, 2], "shards 1-2"),
        ([0, 2, 4], "shards 0,2,4"),
    ],
)
def test_shards_are_spelled_as_the_setting_has_them(numbers: list[int], text: str) -> None:
    assert spelled(numbers) == text
    setting = {"SHARD_COUNT": "64", "SHARD_IDS": text.split()[1]}
    assert Config.from_env(setting).shard_ids == tuple(numbers)


@pytest.fixture
def shared() -> SqliteStore:
    """The database that the processes of a test share; only its locks are used."""
    return SqliteStore(":memory:")


async def identify(turns: IdentifyLimiter, shard: int) -> None:
    """Wait for a turn and use it."""
    await turns.take(shard)
    await turns.use(shard)


async def waits(turns: IdentifyLimiter, shard: int) -> asyncio.Task[None]:
    """Return a shard's attempt to identify, which has to wait for now."""
    task = asyncio.create_task(identify(turns, shard))
    for _ in range(20):
        await asyncio.sleep(0)
    assert not task.done()
    return task


async def test_a_shard_alone_does_not_wait(shared: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "IDENTIFY_S", FOR_EVER_S)
    turns = IdentifyLimiter(shared)
    await asyncio.wait_for(identify(turns, 0), 5)
    await turns.close()


async def test_two_processes_take_turns(shared: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shards, "IDENTIFY_S", FOR_EVER_S)
    one, other = IdentifyLimiter(shared), IdentifyLimiter(shared)
    await identify(one, 0)
    waiting = await waits(other, 1)
    await one.close()  # as when its process ends
    await asyncio.wait_for(waiting, 5)
    await other.close()


async def test_a_turn_ends_by_itself_and_the_next_does_not_start_earlier(
    shared: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "IDENTIFY_S", 0.1)
    loop, times = asyncio.get_running_loop(), []
    one, other = IdentifyLimiter(shared), IdentifyLimiter(shared)

    async def takes(turns: IdentifyLimiter, shard: int) -> None:
        await identify(turns, shard)
        times.append(loop.time())

    await asyncio.gather(*(takes(turns, shard) for shard, turns in enumerate((one, other, one, other))))
    assert all(b - a > 0.09 for a, b in pairwise(times))
    await one.close()
    await other.close()


async def test_shards_of_different_buckets_do_not_wait(
    shared: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "IDENTIFY_S", FOR_EVER_S)
    turns = IdentifyLimiter(shared)
    turns.max_concurrency = 16
    async with asyncio.timeout(5):
        for shard in range(16):
            await identify(turns, shard)
    waiting = await waits(turns, 16)
    waiting.cancel()
    await turns.close()


async def test_a_shard_that_stops_waiting_leaves_the_turn_to_the_next(
    shared: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "IDENTIFY_S", 0.1)
    turns = IdentifyLimiter(shared)
    await identify(turns, 0)
    given_up, waiting = await waits(turns, 1), await waits(turns, 2)
    monkeypatch.setattr(shards, "IDENTIFY_S", FOR_EVER_S)
    given_up.cancel()
    await asyncio.wait_for(waiting, 5)
    await turns.close()


async def test_a_shard_that_cannot_connect_loses_its_turn_and_waits_for_another(
    shared: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "CONNECT_S", 0.05)
    monkeypatch.setattr(shards, "IDENTIFY_S", FOR_EVER_S)
    one, other = IdentifyLimiter(shared), IdentifyLimiter(shared)
    await one.take(0)
    await asyncio.wait_for(identify(other, 1), 5)
    late = asyncio.create_task(one.use(0))
    done, _ = await asyncio.wait({late}, timeout=0.2)
    assert not done
    await other.close()
    await asyncio.wait_for(late, 5)
    await one.close()


class OutOfReach(SqliteStore):
    """A database that can't be reached."""

    @asynccontextmanager
    async def lock(self, what: str, *, waits: bool = False) -> AsyncIterator[bool]:
        if what:
            raise StoreError("the database is away")
        yield True


class Broken(SqliteStore):
    """A database that fails unexpectedly."""

    @asynccontextmanager
    async def lock(self, what: str, *, waits: bool = False) -> AsyncIterator[bool]:
        if what:
            raise ZeroDivisionError
        yield True


class Silent(SqliteStore):
    """A database that does not answer."""

    @asynccontextmanager
    async def lock(self, what: str, *, waits: bool = False) -> AsyncIterator[bool]:
        await asyncio.sleep(FOR_EVER_S)
        yield True


class Lost(SqliteStore):
    """A database that is lost while a lock is held."""

    @asynccontextmanager
    async def lock(self, what: str, *, waits: bool = False) -> AsyncIterator[bool]:
        yield True
        raise StoreError("the database is away")


async def test_a_database_lost_during_a_turn_does_not_block_the_next_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shards, "IDENTIFY_S", 0.01)
    turns = IdentifyLimiter(Lost(":memory:"))
    for shard in range(3):
        await asyncio.wait_for(identify(turns, shard), 5)
    await turns.close()


@pytest.mark.parametrize("store", [OutOfReach, Broken, Silent])
async def test_without_the_database_the_shards_of_a_process_still_take_turns(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, store: type[SqliteStore]
) -> None:
    monkeypatch.setattr(IdentifyLimiter, "_patience_s", 0.05)
    monkeypatch.setattr(shards, "IDENTIFY_S", FOR_EVER_S)
    turns = IdentifyLimiter(store(":memory:"))
    await asyncio.wait_for(identify(turns, 0), 5)
    assert "can't wait for the shards of other processes" in caplog.text
    waiting = asyncio.create_task(identify(turns, 1))
    done, _ = await asyncio.wait({waiting}, timeout=0.2)
    assert not done
    waiting.cancel()
    await turns.close()


def test_the_patience_is_long_enough_for_all_other_shards(
    shared: SqliteStore,
) -> None:
    turns = IdentifyLimiter(shared)
    for turns.shard_count, turns.max_concurrency in ((1, 1), (10, 1), (1_000, 16)):
        assert turns._patience_s > turns.shard_count / turns.max_concurrency * shards.IDENTIFY_S
