"""A client that is some or all of a bot's shards, beside other processes that are the rest.

It needs no gateway intent: everything it does is an answer to an interaction.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Sequence
from typing import Any

import discord
from yarl import URL

from bot.discord_app.transport.event_queue import EventQueue
from bot.discord_app.transport.guard_parsers import guard_parsers
from bot.discord_app.transport.http_errors import error_counter
from bot.discord_app.transport.shards import (
    IdentifyLimiter,
    ShardReconnector,
    own_shards,
    recommendation,
    spelled,
)
from bot.discord_app.transport.webhook_adapter import use_retrying_adapter
from bot.storage import Store
from bot.telemetry.metrics import Metrics

log = logging.getLogger(__name__)

_INTERACTION = "INTERACTION_CREATE"


class ShardedClient(discord.AutoShardedClient):
    """The shards ``shard_ids`` of ``shard_count``.

    Without ``shard_ids`` it is all of them, without ``shard_count`` as many as Discord recommends.
    """

    def __init__(
        self,
        store: Store,
        metrics: Metrics,
        *,
        shard_count: int | None = None,
        shard_ids: Sequence[int] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(
            shard_count=shard_count,
            http_trace=error_counter(metrics),
            intents=discord.Intents.none(),
            **options,
        )
        self.metrics = metrics
        self.shard_ids = None if shard_ids is None else [*shard_ids]
        self.shards_in_session: set[int] = set()
        parsers = self._connection.parsers
        guard_parsers(parsers, metrics)
        parsers[_INTERACTION] = EventQueue(parsers[_INTERACTION])
        self._identify_limiter = IdentifyLimiter(store)
        self._reconnector = ShardReconnector(self._identify_limiter)
        self._launching: asyncio.Future[None] | None = None

    @property
    def unconnected_shards(self) -> list[int]:
        """The shards of this process by which no event can come now."""
        connected = {number for number, shard in self.shards.items() if not shard.is_closed()}
        return sorted(set(own_shards(self)) - (connected & self.shards_in_session))

    @property
    def latency_s(self) -> float:
        """The slowest shard's seconds between heartbeat and answer; NaN while one isn't connected."""
        if self.unconnected_shards:
            return math.nan
        return max((seconds for _, seconds in self.latencies), default=math.nan)

    async def connect(self, *, reconnect: bool = True) -> None:
        """Stay connected until the client is closed; whatever is answered starts from this task."""
        assert self.application_id is not None  # known since the login
        use_retrying_adapter(self.application_id)
        await self._settle_shards()
        await super().connect(reconnect=reconnect)

    async def _settle_shards(self) -> None:
        """Ask Discord how many shards there are and how fast they may identify, where that isn't set."""
        recommended = await recommendation(self.http, insists=self.shard_count is None)
        if recommended is not None:
            count, limits = recommended
            self.shard_count = self.shard_count or count
            self._identify_limiter.max_concurrency = limits.max_concurrency
            if limits.remaining < len(own_shards(self)):
                log.warning(
                    "Discord allows %d more sessions within %d s; starting more than that resets the token",
                    limits.remaining,
                    limits.reset_after // 1000,
                )
        self._identify_limiter.shard_count = self.shard_count or 1
        log.info("%s of %s", spelled(own_shards(self)), self.shard_count)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until a shard may identify, in all processes; discord.py's own knows only this one."""
        await self._identify_limiter.use(shard_id or 0)

    async def on_shard_connect(self, shard_id: int) -> None:
        """Note that a shard's session has begun."""
        self._in_session(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Note that a shard's session goes on."""
        self._in_session(shard_id)

    def _in_session(self, shard_id: int) -> None:
        self.shards_in_session.add(shard_id)
        self._reconnector.succeeded(shard_id)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Note that no event can come by a shard now."""
        self.shards_in_session.discard(shard_id)

    async def launch_shards(self) -> None:
        """Connect one shard after another, until the client is closed; discord.py would never stop."""
        self._launching = asyncio.ensure_future(super().launch_shards())
        try:
            await self._launching
        except asyncio.CancelledError:
            if not self.is_closed():
                raise

    async def launch_shard(self, gateway: URL, shard_id: int, *, initial: bool = False) -> None:
        """Connect a shard when it is its turn."""
        await self._identify_limiter.take(shard_id)
        await super().launch_shard(gateway, shard_id, initial=initial)
        if shard := self.get_shard(shard_id):
            self._reconnector.watch(shard)

    async def close(self) -> None:
        """Disconnect every shard."""
        if self._ready is discord.utils.MISSING:
            await self.__aenter__()  # discord.py can't close several shards that never began
        await self._reconnector.close()
        if self._launching is not None:
            self._launching.cancel()
        await super().close()
        await self._identify_limiter.close()
