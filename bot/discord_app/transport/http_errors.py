"""Counts the errors that Discord answers with."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress

import aiohttp

from bot.telemetry.metrics import DISCORD, Metrics


def error_counter(metrics: Metrics) -> aiohttp.TraceConfig:
    """Return a trace that counts each error response, including those after which discord.py retries."""

    async def ended(_: aiohttp.ClientSession, __: object, answer: aiohttp.TraceRequestEndParams) -> None:
        if answer.response.status >= 400:
            metrics.error(DISCORD, await _code(answer.response))

    async def failed(
        _: aiohttp.ClientSession, __: object, tried: aiohttp.TraceRequestExceptionParams
    ) -> None:
        if not isinstance(tried.exception, asyncio.CancelledError):
            metrics.error(DISCORD, "unreachable")

    trace = aiohttp.TraceConfig()
    trace.on_request_end.append(ended)
    trace.on_request_exception.append(failed)
    return trace


async def _code(response: aiohttp.ClientResponse) -> str:
    """Return Discord's error code, or the HTTP status where there is none."""
    with suppress(aiohttp.ClientError, TimeoutError, OSError, UnicodeError, json.JSONDecodeError):
        body = json.loads(await response.text())  # aiohttp keeps the body, so it can be read again
        if isinstance(body, dict) and isinstance(body.get("code"), int) and body["code"]:
            return str(body["code"])
    return f"http-{response.status}"
