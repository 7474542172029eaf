"""Acknowledges interactions in time: Discord drops those that are not answered within three seconds.

Usually the answer itself is the acknowledgement. If it takes longer than a second, or so many interactions
arrive at once that it would, it is deferred: Discord shows "is thinking…", and the webhook adapter later puts
the answer in its place. Handlers need not know which of the two happened.

Deferred interactions wait for one of a few places, so that answering them doesn't delay acknowledging others.
A handler that waits long for something other than this machine, such as for an animation, frees its place.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager
from typing import Any

import discord

from bot.discord_app.transport.repeated_request import LOST
from bot.discord_app.transport.webhook_adapter import ResponseState, RetryingWebhookAdapter

log = logging.getLogger(__name__)

Interaction = discord.Interaction[Any]

PATIENCE_S = 1.0
AT_ONCE = 10  # answered right away; with more than these, a second would pass on a small machine
DEFERRALS_AT_ONCE = 24  # each takes a connection to Discord
GOODBYE_S = 1.0  # of the ten seconds after which a container is killed
PLACES = 6  # for deferred interactions


class ResponseDeferrer:
    """Acknowledges every interaction that is being answered, in time.

    :param say_goodbye: tells a user that the bot stops before it could answer.
    :param patience_s: how long an answer may take before it is deferred.
    :param at_once: how many are answered right away.
    :param places: how many deferred ones are answered at a time.
    :param deferrals_at_once: how many are being deferred at a time.
    """

    def __init__(
        self,
        say_goodbye: Callable[[Interaction], Awaitable[None]],
        *,
        patience_s: float = PATIENCE_S,
        at_once: int = AT_ONCE,
        places: int = PLACES,
        deferrals_at_once: int = DEFERRALS_AT_ONCE,
    ) -> None:
        self.patience_s = patience_s
        self.at_once = at_once
        self._say_goodbye = say_goodbye
        self._present = 0
        self._places = asyncio.Semaphore(places)
        self._connections = asyncio.Semaphore(deferrals_at_once)
        self._deferring: set[asyncio.Task[None]] = set()

    @property
    def is_busy(self) -> bool:
        """True while more interactions are being answered than can be right away."""
        return self._present > self.at_once

    @asynccontextmanager
    async def auto_defer(self, interaction: Interaction, *, is_private: bool = False) -> AsyncIterator[None]:
        """Acknowledge an interaction if the block doesn't answer it within ``patience_s``.

        With ``is_private`` nobody else sees that it was asked.
        """
        adapter = RetryingWebhookAdapter.current()
        if adapter is None:  # no gateway is connected
            yield
            return
        state, task = adapter.open_state(interaction, is_private=is_private), asyncio.current_task()
        assert task is not None
        # Beyond the block, because discord.py's command tree answers what is raised from it.
        task.add_done_callback(lambda _: adapter.close_state(state))
        timer = asyncio.get_running_loop().call_later(self.patience_s, self._defer_soon, adapter, state)
        try:
            yield
        except asyncio.CancelledError:  # the bot must end
            if adapter.is_thinking(state):  # which the user would see for a quarter of an hour
                await self._leave(interaction)
            raise
        finally:
            timer.cancel()

    @asynccontextmanager
    async def place(self, interaction: Interaction) -> AsyncIterator[None]:
        """Begin the block when there is a place for it.

        To be entered after the rate limit: whoever is refused need not wait for a place.
        """
        adapter = RetryingWebhookAdapter.current()
        if adapter is None:
            yield
            return
        with ExitStack() as taken:
            self._present += 1
            taken.callback(self._leave_place)
            if self.is_busy:
                await self._defer(adapter, adapter.state(interaction))
                await self._places.acquire()
                taken.callback(self._places.release)
            # After that long it is waiting for something other than this machine.
            timer = asyncio.get_running_loop().call_later(self.patience_s, taken.close)
            try:
                yield
            finally:
                timer.cancel()

    def _leave_place(self) -> None:
        self._present -= 1

    async def _defer(self, adapter: RetryingWebhookAdapter, state: ResponseState) -> None:
        async with self._connections:
            await adapter.acknowledge(state)

    def _defer_soon(self, adapter: RetryingWebhookAdapter, state: ResponseState) -> None:
        if state.deferred or state.is_answered:
            return
        task = asyncio.create_task(self._defer(adapter, state), name="acknowledge")
        self._deferring.add(task)
        task.add_done_callback(self._deferring.discard)

    async def _leave(self, interaction: Interaction) -> None:
        """Say goodbye, if that can be done at once."""
        try:
            async with asyncio.timeout(GOODBYE_S):
                await self._say_goodbye(interaction)
        except (discord.HTTPException, *LOST, TimeoutError) as error:
            log.info("could not tell a user that the bot stops: %r", error)
