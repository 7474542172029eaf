"""Checks the port that METRICS_PORT names."""

from __future__ import annotations

import socket

import aiohttp

from bot.config import Config
from bot.operations.doctor.finding import Finding, wrong
from bot.operations.health import BOT_HEADER, HOST, port_error

TIMEOUT_S = 10.0


async def check_metrics_port(config: Config) -> list[Finding]:
    """Check that the port is free, or that the running bot has it."""
    if not config.metrics_port:
        return []
    url = f"http://{HOST}:{config.metrics_port}"
    try:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the bot does
            probe.bind((HOST, config.metrics_port))
    except OSError as error:
        readiness = await _readiness(f"{url}/readyz")
        if readiness is None:
            return wrong("metrics", port_error(config.metrics_port, error), "Set another port, or none.")
        return [Finding("metrics", f"the bot is running and serves them at {url}; it reports: {readiness}")]
    return [Finding("metrics", f"port {config.metrics_port} is free")]


async def _readiness(url: str) -> str | None:
    """Return what a running bot reports of itself; None if something else answers or nothing does."""
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=TIMEOUT_S)) as session,
            session.get(url) as response,
        ):
            text = (await response.content.read(200)).decode("utf-8", "replace").strip()
            return text if response.headers.get(BOT_HEADER) else None
    except (aiohttp.ClientError, TimeoutError, OSError):
        return None
