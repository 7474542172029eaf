"""Serves a running bot's metrics and health over HTTP: ``/metrics``, ``/healthz``, ``/readyz``.

They are served on the loopback interface only and say nothing about a player. In a container they can be
reached from inside, as by a health check, or from another container that shares its network.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import math
from types import TracebackType
from typing import Self

from aiohttp import web
from prometheus_client.exposition import choose_encoder

from bot.config import ConfigError
from bot.discord_app.client import BotClient
from bot.discord_app.transport.shards import own_shards, spelled
from bot.service import Priority
from bot.storage import Status, StorageUnavailable, StoreError

log = logging.getLogger(__name__)

HOST = "127.0.0.1"
BOT_HEADER = "X-Solitaire-Bot"  # tells the doctor that the bot has the port, not another program
SAMPLE_S = 1.0  # between two samples of the event loop's lag
GAMES_S = 60.0  # at least, between two counts of the games
TIMEOUT_S = 1.0  # for the database to answer


class Monitor:
    """Serves on ``port`` while its block runs; does nothing if ``port`` is None."""

    def __init__(self, client: BotClient, port: int | None) -> None:
        self._client = client
        self._port = port
        self._runner: web.AppRunner | None = None
        self._sampling: asyncio.Task[None] | None = None
        self._counted_s = -math.inf
        self._counting = asyncio.Lock()

    @property
    def url(self) -> str:
        """Its base address, such as ``http://127.0.0.1:9464``."""
        assert self._runner is not None
        return f"http://{HOST}:{self._runner.addresses[0][1]}"

    async def __aenter__(self) -> Self:
        """Start serving.

        :raises ConfigError: when the port can't be opened.
        """
        if self._port is None:
            return self
        app = web.Application()
        app.router.add_get("/healthz", self._healthz)
        app.router.add_get("/readyz", self._readyz)
        app.router.add_get("/metrics", self._metrics)
        self._runner = web.AppRunner(app, access_log=None, handle_signals=False, shutdown_timeout=1)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, HOST, self._port).start()
        except OSError as error:
            await self._runner.cleanup()
            raise ConfigError(port_error(self._port, error)) from None
        self._set_up_gauges()
        self._sampling = asyncio.create_task(self._sample(), name="loop lag")
        log.info("metrics and health are at %s", self.url)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._sampling is not None:
            self._sampling.cancel()
            await asyncio.wait({self._sampling})
        if self._runner is not None:
            await self._runner.cleanup()

    def _set_up_gauges(self) -> None:
        """Have the gauges read their values when they are scraped."""
        client, metrics = self._client, self._client.metrics
        solvers = client.services.solvers
        for priority in Priority:
            gauge = metrics.queue.labels(f"brains-{priority.name.lower()}")
            gauge.set_function(lambda priority=priority: solvers.queued(priority))  # type: ignore[misc]
        metrics.queue.labels("replays").set_function(lambda: client.app.animations.queued)
        metrics.gateway_latency.set_function(lambda: client.latency_s)

    async def _sample(self) -> None:
        """Measure how late the event loop runs a task, by which every answer is delayed."""
        loop = asyncio.get_running_loop()
        while True:
            due_s = loop.time() + SAMPLE_S
            await asyncio.sleep(SAMPLE_S)
            self._client.metrics.loop_lag.observe(max(0.0, loop.time() - due_s))

    async def _healthz(self, _: web.Request) -> web.Response:
        """Answer 200, which proves that the event loop runs."""
        return web.Response(text="the event loop runs\n")

    async def _readyz(self, _: web.Request) -> web.Response:
        """Answer 200 if players would be answered, otherwise 503 with the reason."""
        why = await self._why_not_ready()
        return web.Response(text=f"{why or 'ready'}\n", status=503 if why else 200, headers={BOT_HEADER: "1"})

    async def _why_not_ready(self) -> str:
        if self._client.in_flight.is_over:
            return "stopping"
        missing = self._client.unconnected_shards
        if missing or not self._client.is_ready():
            which = f": {spelled(missing)}" if missing and len(own_shards(self._client)) > 1 else ""
            return f"not connected to Discord's gateway{which}"
        try:
            async with asyncio.timeout(TIMEOUT_S):
                await self._client.services.settings.of(0)
        except TimeoutError:
            return f"the database did not answer in {TIMEOUT_S:g} s"
        except StorageUnavailable:
            return "the database can't be reached"
        except StoreError:
            return "the database is not open"
        except Exception:
            log.exception("the readiness check of the database failed")
            return "the database can't be read; the log says why"
        return ""

    async def _metrics(self, request: web.Request) -> web.Response:
        await self._count_games()
        encode, content_type = choose_encoder(request.headers.get("Accept", ""))
        body = encode(self._client.metrics.registry)
        return web.Response(body=body, headers={"Content-Type": content_type})

    async def _count_games(self) -> None:
        """Count the games again if the last count is old; if that fails, the last numbers stay."""
        loop = asyncio.get_running_loop()
        async with self._counting:
            if loop.time() - self._counted_s < GAMES_S:
                return
            try:
                async with asyncio.timeout(TIMEOUT_S):
                    counts = await self._client.services.stats.games_by_status()
                self._client.metrics.games({status.value: counts.get(status, 0) for status in Status})
            except StoreError:
                return  # not open yet; /readyz reports it, and the next scrape tries again
            except Exception:
                log.exception("the games could not be counted")
            self._counted_s = loop.time()


def port_error(port: int, error: OSError) -> str:
    """Return why a port can't be opened, and what to do."""
    if error.errno == errno.EADDRINUSE:
        return f"METRICS_PORT {port} is in use by another program on this machine; choose another port"
    return f"METRICS_PORT {port} can't be opened ({error.strerror}); choose another port, above 1023"
