"""What a cluster does once is done by one of its bots, and when that one dies by another."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
import pytest_asyncio

from bot.app import build_client
from bot.config import Config
from bot.discord_app.client import BotClient
from bot.discord_app.features.daily_posts import DailyPosts
from bot.discord_app.transport import shards
from bot.service import Request
from bot.storage import Status
from tests.discord_app.playing import NOW_MS, Clock
from tests.postgres import schema
from tests.thinking import Thinker, par
from tests.wire.cluster import COUNT, HALVES, guild_of
from tests.wire.faults import Fault
from tests.wire.standin import StandIn, User
from tests.wire.storms import until

DAY_MS = 24 * 60 * 60 * 1000
RECLAIM_MS = 21_000  # after that long a post of which nothing is known may be sent by another bot
SERVERS = 12
POST = r"^/channels/\d+/messages$"
PACE_S = 0.3

pytestmark = pytest.mark.usefixtures("no_error")


@dataclass
class Bot:
    """One of the bots, and what thinks for it."""

    client: BotClient
    thinker: Thinker

    def is_cut_off(self) -> None:
        """Its connections are lost, as when it dies: whatever it was alone at, it is no more."""
        store: Any = self.client._store
        store._holder.terminate()


@dataclass
class Both:
    """Both bots in this process, over one database of their own, with one clock."""

    standin: StandIn
    url: str
    clock: Clock
    bots: list[Bot] = field(default_factory=list)

    @asynccontextmanager
    async def running(self, wait: bool = True) -> AsyncIterator[tuple[Bot, Bot]]:
        async with AsyncExitStack() as stack:
            one, other = [self._bot(ids) for ids in HALVES]
            for bot in (one, other):
                task = asyncio.create_task(bot.client.start("token"))
                stack.push_async_callback(self._end, bot, task)
            if wait:
                for shard in range(COUNT):
                    await self.standin.connected(60, shard)
                await asyncio.gather(*(bot.client.wait_until_ready() for bot in (one, other)))
            yield one, other

    def _bot(self, ids: tuple[int, ...]) -> Bot:
        thinker = Thinker()
        config = Config(
            token="token",
            database_url=self.url,
            shard_count=COUNT,
            shard_ids=ids,
            daily_secret="the tests'",
        )
        client = build_client(config, self.clock, thinker)
        client.autostart = False
        return Bot(client, thinker)

    @staticmethod
    async def _end(bot: Bot, task: asyncio.Task[None]) -> None:
        await bot.client.close()
        await task


@pytest_asyncio.fixture
async def both(discord_standin: StandIn, postgres_url: str) -> AsyncIterator[Both]:
    discord_standin.rest.session_start_limit["max_concurrency"] = COUNT
    for number in range(SERVERS):
        discord_standin.add_guild(server(number), channel(number))
    async with schema(postgres_url) as url:
        yield Both(discord_standin, url, Clock(NOW_MS))


@pytest_asyncio.fixture
async def bots(both: Both) -> AsyncIterator[tuple[Bot, Bot]]:
    async with both.running() as bots:
        yield bots


def server(number: int) -> int:
    return guild_of(number % COUNT, number // COUNT)


def channel(number: int) -> int:
    return 1_000 + number


async def arrange_posts(both: Both, bot: Bot) -> None:
    """Every server has arranged posts, and the next day has begun."""
    for number in range(SERVERS):
        await bot.client.services.posts.choose(server(number), channel(number), "en", 1)
    both.clock.now_ms += DAY_MS


def posts(both: Both) -> Counter[str]:
    """How many posts each channel has."""
    return Counter(message.channel_id for message in both.standin.messages.values())


def attempts(both: Both) -> int:
    """How often a post was sent, whether or not it came to anything."""
    return sum(r.method == "POST" and re.search(POST, r.path) is not None for r in both.standin.requests)


ONE_EACH = Counter(str(channel(number)) for number in range(SERVERS))


async def test_commands_are_registered_once(both: Both, bots: tuple[Bot, Bot]) -> None:
    changes = [r.method for r in both.standin.requests if "/commands" in r.path and r.method != "GET"]
    assert changes == ["PUT"]


async def test_commands_are_registered_once_even_if_both_bots_find_none(both: Both) -> None:
    slow = Fault("GET", re.compile(r"/commands$"), 2)
    slow.delay_s = 0.5
    both.standin.arm(slow)
    async with both.running():
        assert slow.times == 0
        assert [r.method for r in both.standin.requests if "/commands" in r.path].count("PUT") == 1


async def test_a_direct_message_is_answered_by_the_bot_of_shard_0(both: Both, bots: tuple[Bot, Bot]) -> None:
    answered: list[str] = []
    for name, bot in zip(("one", "other"), bots, strict=True):
        count = partial(note, answered, name)
        bot.client.metrics.answered = count  # type: ignore[method-assign]
    for number in range(3):
        await (await both.standin.interact("help", user=User(id=77 + number, name="ada"))).shown()
    await (await both.standin.interact("help", guild_id=guild_of(2))).shown()
    await until(lambda: len(answered) == 4)
    assert sorted(answered) == ["one", "one", "one", "other"]


def note(answered: list[str], name: str, _: object) -> None:
    answered.append(name)


async def test_each_server_gets_its_daily_post_once(both: Both, bots: tuple[Bot, Bot]) -> None:
    await arrange_posts(both, bots[0])
    for _ in range(3):
        await asyncio.gather(
            *(bot.client.feature(DailyPosts).scheduler.run_once() for bot in bots for _ in range(2))
        )
        both.clock.now_ms += RECLAIM_MS
    assert posts(both) == ONE_EACH
    assert attempts(both) == SERVERS


@pytest.mark.parametrize("arrived", [False, True])
async def test_the_posts_of_a_bot_that_died_are_sent_by_the_other_one(
    both: Both, bots: tuple[Bot, Bot], arrived: bool
) -> None:
    """It dies in the middle of four posts, of which nobody knows whether they have arrived."""
    one, other = bots
    await arrange_posts(both, one)
    late = Fault("POST", re.compile(POST), 0)
    late.late_s, late.delay_s = (60.0, 0.0) if arrived else (0.0, 60.0)
    both.standin.arm(late)
    dying = asyncio.create_task(one.client.feature(DailyPosts).scheduler.run_once())
    await until(lambda: sum(posts(both).values()) >= 3)
    late.times = 4
    await until(lambda: late.times == 0)
    dying.cancel()
    await asyncio.wait([dying])
    await other.client.feature(DailyPosts).scheduler.run_once()
    assert sum(posts(both).values()) == SERVERS - (0 if arrived else 4)
    both.clock.now_ms += RECLAIM_MS
    await other.client.feature(DailyPosts).scheduler.run_once()
    assert posts(both) == ONE_EACH
    assert attempts(both) == SERVERS + 4
    both.clock.now_ms += RECLAIM_MS
    await asyncio.gather(*(bot.client.feature(DailyPosts).scheduler.run_once() for bot in bots))
    assert attempts(both) == SERVERS + 4


async def unfinished_dailies(both: Both, bot: Bot, count: int) -> list[int]:
    """So many have begun today's daily game, and the next day has begun; return the games' ids."""
    ids = []
    for number in range(count):
        request = Request(500 + number, 1_000 + number)
        ids.append((await bot.client.services.games.play_daily(request)).game.id)
    both.clock.now_ms += DAY_MS
    return ids


async def statuses(bot: Bot, ids: list[int]) -> set[Status]:
    games = [await bot.client._store.load_game(number) for number in ids]
    return {game.status for game in games if game is not None}


async def test_daily_games_are_settled_once(
    both: Both, bots: tuple[Bot, Bot], monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = await unfinished_dailies(both, bots[0], 30)
    settled: list[int] = []
    for bot in bots:
        daily = bot.client.services.daily
        monkeypatch.setattr(daily, "settle_all", counted(daily.settle_all, settled))
    await asyncio.gather(*(bot.client.feature(DailyPosts).scheduler.run_once() for bot in bots))
    assert sum(settled) == len(ids)
    assert await statuses(bots[0], ids) == {Status.EXPIRED}


def counted(
    settle_all: Callable[[], Awaitable[int]], settled: list[int]
) -> Callable[[], Coroutine[Any, Any, int]]:
    async def count() -> int:
        settled.append(await settle_all())
        return settled[-1]

    return count


async def test_if_the_bot_that_settles_dies_the_other_one_settles(
    both: Both, bots: tuple[Bot, Bot], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = bots
    await arrange_posts(both, one)
    ids = await unfinished_dailies(both, one, 3)
    hangs = asyncio.Event()

    async def hang() -> int:
        hangs.set()
        return await asyncio.Event().wait()

    monkeypatch.setattr(one.client.services.daily, "settle_all", hang)
    dying = asyncio.create_task(one.client.feature(DailyPosts).scheduler.run_once())
    await hangs.wait()
    await other.client.feature(DailyPosts).scheduler.run_once()
    assert await statuses(other, ids) == {Status.PLAYING}
    assert not posts(both)  # which need all results
    one.is_cut_off()
    while Status.PLAYING in await statuses(other, ids):  # the server may need a moment to see it
        await other.client.feature(DailyPosts).scheduler.run_once()
    assert await statuses(other, ids) == {Status.EXPIRED}
    assert posts(both) == ONE_EACH
    dying.cancel()
    await asyncio.wait([dying])


def asked(bots: tuple[Bot, Bot], job: str) -> list[int]:
    """How often each of the bots had something thought out."""
    return [len(bot.thinker.questions(job)) for bot in bots]


async def test_the_best_score_is_solved_by_one_bot_and_if_it_dies_by_the_other(
    both: Both, bots: tuple[Bot, Bot]
) -> None:
    for bot in bots:
        bot.thinker.knows(best=par(40))
        bot.thinker.hold()
        scheduler = bot.client.feature(DailyPosts).scheduler
        scheduler.solving_s = 0.02
        scheduler.start()
    await until(lambda: sum(asked(bots, "best")) > 0)
    await asyncio.sleep(0.3)  # in which the other one tries many times
    assert sorted(asked(bots, "best")) == [0, 1]
    holder, other = bots if asked(bots, "best") == [1, 0] else bots[::-1]
    holder.is_cut_off()
    await other.thinker.until_asked()
    await holder.client.feature(DailyPosts).scheduler.stop()
    other.thinker.let()
    daily = other.client.services.daily
    async with asyncio.timeout(20):
        while await daily.best(daily.today) is None:  # noqa: ASYNC110 - nobody tells of it
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.1)
    assert asked((holder, other), "best") == [1, 1]


async def test_solving_for_minutes_holds_up_no_settling(both: Both, bots: tuple[Bot, Bot]) -> None:
    one, other = bots
    one.thinker.hold()
    one.client.feature(DailyPosts).scheduler.start()
    await one.thinker.until_asked()
    ids = await unfinished_dailies(both, other, 3)
    await other.client.feature(DailyPosts).scheduler.run_once()
    assert await statuses(other, ids) == {Status.EXPIRED}
    await one.client.feature(DailyPosts).scheduler.stop()


async def test_deals_are_searched_by_one_bot_and_if_it_dies_by_the_other(
    both: Both, bots: tuple[Bot, Bot], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = bots
    for bot in bots:
        monkeypatch.setattr(bot.thinker, "is_idle", lambda _: True)
        bot.thinker.hold()
    searching = asyncio.create_task(one.client.services.top_up.go())
    await one.thinker.until_asked()
    for _ in range(5):
        await other.client.services.top_up.go()
    assert asked(bots, "find") == [1, 0]
    one.is_cut_off()
    other.thinker.let()
    async with asyncio.timeout(20):
        while not asked(bots, "find")[1]:
            await other.client.services.top_up.go()
    searching.cancel()
    await asyncio.wait([searching])
    assert asked(bots, "find") == [1, 1]


@pytest.mark.parametrize("width", [1, 2])
async def test_bots_that_start_together_identify_as_fast_as_discord_allows(
    both: Both, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setattr(shards, "IDENTIFY_S", PACE_S * 1.1)
    gateway = both.standin.gateway
    gateway.pace_s, gateway.is_strict = PACE_S, True
    both.standin.rest.session_start_limit["max_concurrency"] = width
    async with both.running():
        assert gateway.refused == 0
        assert sorted(shard for shard, _ in gateway.identifies) == [*range(COUNT)]
        for bucket in range(width):
            times = [at_s for shard, at_s in gateway.identifies if shard % width == bucket]
            assert all(later - sooner >= PACE_S for sooner, later in pairwise(times))


async def test_a_bot_that_dies_during_its_turn_to_identify_holds_up_nobody(
    both: Both, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "IDENTIFY_S", 3_600.0)
    both.standin.rest.session_start_limit["max_concurrency"] = 1
    gateway = both.standin.gateway
    async with both.running(wait=False) as bots:
        await until(lambda: gateway.identified == 1)
        first = gateway.identifies[0][0]
        holder = next(bot for bot, ids in zip(bots, HALVES, strict=True) if first in ids)
        holder.is_cut_off()
        await until(lambda: gateway.identified == 2)
        assert {shard // 2 for shard, _ in gateway.identifies} == {0, 1}
