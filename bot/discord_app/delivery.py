"""How answers reach Discord when the way there is bad: a lost connection is made up for.

discord.py sends an answer again after a rate limit or a server's error, but gives up where the connection is
lost, since it can't know whether Discord got the request. Of the answer to an interaction that can be found
out: Discord takes only one, and shows it to whoever holds the interaction's token.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import discord
from discord.http import Route
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

log = logging.getLogger(__name__)

ALREADY_ANSWERED = 40060
LOST = (aiohttp.ClientConnectionError, ConnectionError)  # what was sent may have arrived, or not
TRIES = 3
PAUSE_S = 0.2  # between two tries: an interaction waits three seconds for its answer
CALLBACK_S = 12.0  # Discord gives up an interaction after 3; and the game's next answer waits for this one
_MAX_ANSWERED = 1_000

_DEFERRED_REPLY, _CHOICES = 5, 8  # of the types of first answers
_LOADING = 1 << 7  # the flag of a message that says "is thinking…"


class Delivery(AsyncWebhookAdapter):
    """Sends all that is answered to interactions; where a connection is lost it looks, and sends again."""

    def __init__(self, application_id: int) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._application_id = application_id
        # By token, whether only "is thinking…" was answered so far. What is forgotten is looked up.
        self._answered: OrderedDict[str, bool] = OrderedDict()

    async def request(
        self,
        route: Route,
        session: aiohttp.ClientSession,
        *,
        payload: dict[str, Any] | None = None,
        files: Sequence[discord.File] | None = None,
        **about: Any,
    ) -> Any:
        """Send one request, again where its connection was lost, and return Discord's answer.

        :raises discord.HTTPException: when Discord refuses it.
        :raises aiohttp.ClientConnectionError: when the connection was lost each time.
        :raises TimeoutError: when the first answer to an interaction took far too long.
        """
        sending = _Sending(super().request, route, session, {**about, "payload": payload}, files or ())
        if not route.path.startswith("/interactions/"):
            return await self._send_more(sending)
        kind = payload["type"] if payload else None
        try:
            async with asyncio.timeout(CALLBACK_S):
                return await self._send_first(sending, is_thinking=kind == _DEFERRED_REPLY)
        except (discord.HTTPException, *LOST, TimeoutError) as error:
            if kind != _CHOICES:
                raise
            # Whoever is typing has typed on; discord.py would log each such case with its traceback.
            log.info("choices came too late: %s", error)
            return None

    async def _send_first(self, sending: _Sending, *, is_thinking: bool) -> Any:
        """Send the answer that an interaction waits for."""
        try:
            answer = await sending.until_through()
        except discord.HTTPException as error:
            if error.code != ALREADY_ANSWERED or sending.token in self._answered:
                raise
            shown = await sending.original(self._application_id)
            if shown is None:  # so it was not we who answered
                raise
            about = {"id": sending.route.webhook_id, "type": 0, "response_message_id": shown["id"]}
            answer = {"interaction": about}
        self._note(sending.token, is_thinking=is_thinking)
        return answer

    async def _send_more(self, sending: _Sending) -> Any:
        """Send anything else about an interaction's messages.

        Only the message that replaces "is thinking…" can't be sent twice. A later one may: better than never.
        """
        if sending.route.method != "POST" or not self._answered.get(sending.token):
            return await sending.until_through()

        async def filled_in() -> Any:
            shown = await sending.original(self._application_id)
            return None if shown is None or shown["flags"] & _LOADING else shown

        answer = await sending.until_through(filled_in)
        self._note(sending.token, is_thinking=False)
        return answer

    def _note(self, token: str, *, is_thinking: bool) -> None:
        self._answered[token] = is_thinking
        while len(self._answered) > _MAX_ANSWERED:
            self._answered.popitem(last=False)


@dataclass(frozen=True)
class _Sending:
    """A request, which may have to be sent several times."""

    request: Callable[..., Awaitable[Any]]
    route: Route
    session: aiohttp.ClientSession
    about: dict[str, Any] = field(repr=False)
    files: Sequence[discord.File]

    @property
    def token(self) -> str:
        """The token of the interaction."""
        return str(self.route.webhook_token)

    async def until_through(self, arrived: Callable[[], Awaitable[Any]] | None = None) -> Any:
        """Send it, again while its connection is lost, unless ``arrived`` knows what came of it."""
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
        """Return the message that the interaction was answered with, or None where it can't be had."""
        path = "/webhooks/{webhook_id}/{webhook_token}/messages/@original"
        route = Route("GET", path, webhook_id=application_id, webhook_token=self.token)
        proxy = {key: self.about[key] for key in ("proxy", "proxy_auth") if key in self.about}
        try:
            return await self.request(route, self.session, **proxy)
        except (discord.HTTPException, *LOST):
            return None


def use_delivery(application_id: int) -> None:
    """Let all that is answered in this task, and in those that it starts, go by a :class:`Delivery`."""
    async_context.set(Delivery(application_id))
