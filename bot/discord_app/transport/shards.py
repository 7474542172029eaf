"""Shards: when each may identify, and how each reconnects.

Discord sends a server's events to shard ``(guild_id >> 22) % count``, direct messages to shard 0. Every five
seconds one shard of each bucket, ``shard_id % max_concurrency``, may identify, over all processes of a bot
(https://discord.com/developers/docs/events/gateway#sharding). discord.py knows only its own process.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from itertools import chain, pairwise, repeat
from typing import Any

import aiohttp
import discord
from discord.gateway import ReconnectWebSocket
from discord.http import HTTPClient

from bot.storage import StoreError
from bot.storage.protocol import LockStore
from bot.telemetry.error_reports import describe

log = logging.getLogger(__name__)

IDENTIFY_S = 5.5  # five of Discord's, and some for differences in latency
CONNECT_S = 10.0  # how long a turn waits for a shard to connect
PATIENCE_S = 60.0  # how long to wait for the lock, beyond the time that all other shards need
RESUMES = 4  # how often to try to resume a session before a new one is begun
RETRY_S = (1.0, 5.0, 15.0, 30.0)  # pauses between requests while Discord doesn't answer

NO_SUCH_SHARDS = (4010, 4011)  # invalid shard, sharding required: Discord closes the connection for good


class IdentifyLimiter:
    """Lets one shard of a bucket identify at a time, over all processes that share a database.

    A shard waits before it connects: waiting while connected, it would answer no heartbeat.
    """

    def __init__(self, store: LockStore) -> None:
        self.max_concurrency = 1
        self.shard_count = 1  # of all processes
        self._store = store
        self._here: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._identified: dict[int, asyncio.Event] = {}  # of each shard whose turn it is
        self._held: set[asyncio.Task[None]] = set()

    async def take(self, shard_id: int) -> None:
        """Wait for a shard's turn to connect and identify, which it loses after ``CONNECT_S``.

        Without the database, only the shards of this process are waited for.
        """
        if shard_id in self._identified:
            return
        begun: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        turn = asyncio.create_task(self._hold(shard_id, begun), name="shard's turn")
        self._held.add(turn)
        turn.add_done_callback(self._held.discard)
        try:
            await begun
        except asyncio.CancelledError:
            turn.cancel()
            raise

    async def use(self, shard_id: int) -> None:
        """Use a shard's turn to identify now; wait for another one if it was lost."""
        await self.take(shard_id)
        self._identified.pop(shard_id).set()

    async def _hold(self, shard_id: int, begun: asyncio.Future[None]) -> None:
        """Block the other shards of the bucket during a shard's turn, and for ``IDENTIFY_S`` after it."""
        bucket, identified = shard_id % self.max_concurrency, asyncio.Event()
        async with self._here[bucket], self._locked_everywhere(bucket):
            self._identified[shard_id] = identified
            begun.set_result(None)
            try:
                async with asyncio.timeout(CONNECT_S):
                    await identified.wait()
            except TimeoutError:
                return
            finally:
                if self._identified.get(shard_id) is identified:
                    del self._identified[shard_id]
            await asyncio.sleep(IDENTIFY_S)

    @property
    def _patience_s(self) -> float:
        """How long the last shard of a bucket may have to wait if every process starts at once."""
        return PATIENCE_S + self.shard_count / self.max_concurrency * (IDENTIFY_S + CONNECT_S / 2)

    @asynccontextmanager
    async def _locked_everywhere(self, bucket: int) -> AsyncIterator[None]:
        """Hold the bucket's lock in the database, if it can be had."""
        everywhere = AsyncExitStack()
        try:
            async with asyncio.timeout(self._patience_s):
                alone = self._store.lock(f"identify {bucket}", waits=True)
                await everywhere.enter_async_context(alone)
        except Exception as error:  # noqa: BLE001 - players wait for the shard
            log.warning("can't wait for the shards of other processes: %s", describe(error))
        try:
            yield
        finally:
            with suppress(StoreError):  # the lock was lost meanwhile
                await everywhere.aclose()

    async def close(self) -> None:
        """Give up every turn. Shards that identify within the next five seconds may have to try twice."""
        for turn in self._held:
            turn.cancel()
        await asyncio.gather(*self._held, return_exceptions=True)


class ShardReconnector:
    """Reconnects shards independently of one another, and resumes their sessions.

    discord.py lets all other shards of a process wait while one reconnects: for up to a minute, and then for
    a pause that grows with every failure. After the first failure it begins a new session, which many shards
    can't do at once.
    """

    def __init__(self, turns: IdentifyLimiter) -> None:
        self._turns = turns
        self._known: set[int] = set()
        self._resumes: Counter[int] = Counter()
        self._under_way: set[asyncio.Task[None]] = set()
        self._is_over = False

    def watch(self, shard: discord.ShardInfo) -> None:
        """Reconnect this shard independently from now on."""
        if shard.id in self._known:
            return
        self._known.add(shard.id)
        inner = shard._parent  # noqa: SLF001 - there is no public way
        identify, connect_anew = inner.reidentify, inner.reconnect

        async def reidentify(request: ReconnectWebSocket) -> None:
            if not request.resume:
                await self._turns.take(inner.id)
            await identify(request)

        async def reconnect() -> None:
            if inner.ws.session_id is not None and self._resumes[inner.id] < RESUMES:
                self._resumes[inner.id] += 1
                await identify(ReconnectWebSocket(inner.id, resume=True))
            else:
                await self._turns.take(inner.id)
                await connect_anew()

        setattr(inner, "reidentify", self._independently(reidentify))  # noqa: B010 - a method, of this object alone
        setattr(inner, "reconnect", self._independently(reconnect))  # noqa: B010

    def succeeded(self, shard_id: int) -> None:
        """Note that a shard is in session."""
        del self._resumes[shard_id]

    def _independently(
        self, reconnect: Callable[..., Coroutine[Any, Any, None]]
    ) -> Callable[..., Awaitable[None]]:
        async def start(*args: Any) -> None:
            if self._is_over:
                return
            task = asyncio.create_task(reconnect(*args), name="reconnect shard")
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)

        return start

    async def close(self) -> None:
        """Reconnect no more."""
        self._is_over = True
        for task in self._under_way:
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)


async def recommendation(http: HTTPClient, *, insists: bool) -> tuple[int, discord.SessionStartLimits] | None:
    """Return how many shards Discord recommends, and how fast and how often they may begin a session.

    If Discord doesn't answer: with ``insists``, ask until it does, else return None.
    """
    pauses_s = chain(RETRY_S, repeat(RETRY_S[-1]))
    while True:
        try:
            count, _, limits = await http.get_bot_gateway()
        except (discord.GatewayNotFound, aiohttp.ClientError, TimeoutError, OSError) as error:
            log.warning("Discord does not say how many shards it recommends: %s", describe(error))
            if not insists:
                return None
            await asyncio.sleep(next(pauses_s))
        else:
            return count, discord.SessionStartLimits(**limits)


def own_shards(client: discord.AutoShardedClient) -> list[int]:
    """Return the ids of a client's shards; none while it doesn't know them."""
    return [*(client.shard_ids or range(client.shard_count or 0))]


def shard_of(interaction: discord.Interaction[discord.AutoShardedClient]) -> int | None:
    """Return the id of the shard that an interaction came by; None if there is only one."""
    count = interaction.client.shard_count or 1
    return None if count == 1 else ((interaction.guild_id or 0) >> 22) % count


def spelled(shards: Iterable[int]) -> str:
    """Return rising ids as in SHARD_IDS: ``shard 5``, ``shards 0-15`` or ``shards 0,3,5-7``."""
    numbers = [*shards]
    starts = [numbers[0], *(b for a, b in pairwise(numbers) if b > a + 1)]
    ends = [*(a for a, b in pairwise(numbers) if b > a + 1), numbers[-1]]
    ranges = (str(a) if a == b else f"{a}-{b}" for a, b in zip(starts, ends, strict=True))
    return f"shard{'s' if len(numbers) > 1 else ''} {','.join(ranges)}"
