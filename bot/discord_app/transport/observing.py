"""What is measured of requests, and of what Discord answers. A handler needs one line for it."""

from __future__ import annotations

import asyncio
import functools
import json
import logging
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar, cast

import aiohttp
import discord

from bot.discord_app.tables.controls import ComponentId
from bot.discord_app.transport.shards import shard_of
from bot.telemetry.metrics import DISCORD, Metrics
from bot.telemetry.trace import Trace, begin

if TYPE_CHECKING:
    from bot.discord_app.client import BotClient

    Interaction = discord.Interaction[BotClient]
else:
    Interaction = discord.Interaction

Handler = TypeVar("Handler", bound=Callable[..., Coroutine[Any, Any, Any]])

log = logging.getLogger(__name__)


def observed(handler: Handler) -> Handler:
    """Have what answers an interaction measured, and its log lines say whose it was and what for."""

    @functools.wraps(handler)
    async def observing(interaction: Interaction, *args: Any, **named: Any) -> Any:
        trace = trace_of(interaction)
        begin(trace)
        with interaction.client.metrics.in_flight.track_inprogress():
            try:
                return await handler(interaction, *args, **named)
            finally:
                interaction.client.metrics.answered(trace)
                if log.isEnabledFor(logging.DEBUG):
                    phases_ms = {phase: round(1000 * s, 1) for phase, s in trace.seconds.items()}
                    about = {"ms": round(1000 * trace.total_s, 1), "phases_ms": phases_ms}
                    log.debug("answered", extra=about)

    return cast("Handler", observing)


def trace_of(interaction: discord.Interaction[Any]) -> Trace:
    """Return the trace of an interaction that begins now."""
    data: Mapping[str, Any] = interaction.data or {}
    user_id = getattr(interaction.user, "id", 0)  # Discord may leave out who it is
    if interaction.type is discord.InteractionType.component:
        press = ComponentId.parse(str(data.get("custom_id", "")))
        what = f"press {press.action.value}" if press else "press"
        return Trace(what, user_id, press.game_id if press else None, shard_id=shard_of(interaction))
    command = interaction.command
    what = command.qualified_name if command else interaction.type.name
    if interaction.type is discord.InteractionType.autocomplete:
        what = f"choices for {what}"
    return Trace(what, user_id, typed=tuple(_typed(data)), shard_id=shard_of(interaction))


def _typed(part: Any) -> Iterator[str]:
    """Yield every text that a user typed into the options of a command or the fields of a form."""
    if isinstance(part, Mapping):
        if isinstance(part.get("value"), str):
            yield part["value"]
        for key in ("options", "components", "component"):
            yield from _typed(part.get(key))
    elif isinstance(part, list):
        for one in part:
            yield from _typed(one)


def discord_trace(metrics: Metrics) -> aiohttp.TraceConfig:
    """Return what counts each error that Discord answers with, also where discord.py then tries again."""

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
    """Return Discord's own number of an error, or the status where it gives none."""
    with suppress(aiohttp.ClientError, TimeoutError, OSError, UnicodeError, json.JSONDecodeError):
        body = json.loads(await response.text())  # aiohttp keeps what was read for whoever reads it next
        if isinstance(body, dict) and isinstance(body.get("code"), int) and body["code"]:
            return str(body["code"])
    return f"http-{response.status}"
