"""A request that is repeated when its connection to Discord is lost."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import discord
from discord.http import Route

log = logging.getLogger(__name__)

LOST = (aiohttp.ClientConnectionError, ConnectionError)  # the request may have arrived, or not
TRIES = 3
PAUSE_S = 0.2  # between two tries: an interaction waits three seconds for its answer


@dataclass(frozen=True)
class RepeatedRequest:
    """A request about an interaction, as often as its connection is lost."""

    request: Callable[..., Awaitable[Any]]
    route: Route
    session: aiohttp.ClientSession
    about: dict[str, Any] = field(repr=False)
    files: Sequence[discord.File]

    @property
    def token(self) -> str:
        """The interaction's token."""
        return str(self.route.webhook_token)

    async def send(self, arrived: Callable[[], Awaitable[Any]] | None = None) -> Any:
        """Send it and return Discord's answer.

        :param arrived: asked before a repetition; what it returns, if not None, is taken for the answer.
        :raises discord.HTTPException: when Discord refuses it.
        :raises aiohttp.ClientConnectionError: when the connection is lost each time.
        """
        for tries_left in reversed(range(TRIES)):
            try:
                return await self.request(self.route, self.session, files=self.files, **self.about)
            except LOST as error:
                log.info("lost a connection to Discord: %r", error)
                if not tries_left:
                    raise
            await asyncio.sleep(PAUSE_S)
            if arrived is not None and (answer := await arrived()) is not None:
                return answer
            for file in self.files:
                file.reset()
        raise AssertionError

    async def original(self, application_id: int) -> Any:
        """Return the message that the interaction was answered with, or None if it can't be fetched."""
        path = "/webhooks/{webhook_id}/{webhook_token}/messages/@original"
        route = Route("GET", path, webhook_id=application_id, webhook_token=self.token)
        proxy = {key: self.about[key] for key in ("proxy", "proxy_auth") if key in self.about}
        try:
            return await self.request(route, self.session, **proxy)
        except (discord.HTTPException, *LOST):
            return None
