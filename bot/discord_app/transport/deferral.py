"""Everything is acknowledged in time. Discord gives up on a bot that is silent for three seconds.

Mostly the answer itself comes sooner, and is the acknowledgement. Where it takes longer than a second, or
so many ask at once that it would, Discord is told "is thinking…" first; the webhook adapter then brings
the answer to the same place. No handler needs to know which of the two it was.

Those who were told wait for a place at the table, so that what they ask for doesn't hold up the telling of
others. Whoever takes long at it, such as by waiting for a replay to be drawn, makes room meanwhile.
"""

from __future__ import annotations

import asyncio
import functools
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import ExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar, cast

import discord

from bot.discord_app.context import texts_without_settings
from bot.discord_app.errors import whisper
from bot.discord_app.transport.webhook_adapter import LOST, ResponseState, RetryingWebhookAdapter

if TYPE_CHECKING:
    from bot.discord_app.client import BotClient

    Interaction = discord.Interaction[BotClient]
else:
    Interaction = discord.Interaction

log = logging.getLogger(__name__)

Handler = TypeVar("Handler", bound=Callable[..., Coroutine[Any, Any, Any]])

PATIENCE_S = 1.0
AT_ONCE = 10  # who are served right away; with more than these, a second would pass on a small machine
TOLD_AT_ONCE = 24  # each takes a connection to Discord
LEAVE_S = 1.0  # of the ten seconds after which a container is killed
PLACES = 6  # for those who were told to wait


class ResponseDeferrer:
    """Sees to it that every interaction which is being answered is acknowledged in time."""

    def __init__(self) -> None:
        self._present = 0
        self._places = asyncio.Semaphore(PLACES)
        self._lines = asyncio.Semaphore(TOLD_AT_ONCE)
        self._telling: set[asyncio.Task[None]] = set()

    @property
    def is_busy(self) -> bool:
        """True while more are being answered than can be right away."""
        return self._present > AT_ONCE

    @asynccontextmanager
    async def attend(self, interaction: Interaction, *, is_private: bool = False) -> AsyncIterator[None]:
        """Acknowledge an interaction, if it is not answered in time, while the block answers it.

        Where it is private, nobody else sees that it was asked.
        """
        delivery = RetryingWebhookAdapter.present()
        if delivery is None:  # nothing goes by it where no gateway is connected
            yield
            return
        standing, task = delivery.stand(interaction, is_private=is_private), asyncio.current_task()
        assert task is not None
        # Not only while the block lasts: what it raises is answered by the tree, to the same place.
        task.add_done_callback(lambda _: delivery.leave(standing))
        timer = asyncio.get_running_loop().call_later(PATIENCE_S, self._tell_later, delivery, standing)
        try:
            yield
        except asyncio.CancelledError:  # the bot must end
            if delivery.is_thinking(standing):  # which the user would read for a quarter of an hour
                await _take_leave(interaction)
            raise
        finally:
            timer.cancel()

    @asynccontextmanager
    async def place(self, interaction: Interaction) -> AsyncIterator[None]:
        """Let the block, which does what is asked for, begin when there is place for it.

        To be entered once it is known that the interaction is let in: who is refused need not wait for it.
        """
        delivery = RetryingWebhookAdapter.present()
        if delivery is None:
            yield
            return
        with ExitStack() as taken:
            self._present += 1
            taken.callback(self._go)
            if self.is_busy:
                await self._tell(delivery, delivery.standing(interaction))
                await self._places.acquire()
                taken.callback(self._places.release)
            # Who is at it for longer than that waits for something else than this machine.
            timer = asyncio.get_running_loop().call_later(PATIENCE_S, taken.close)
            try:
                yield
            finally:
                timer.cancel()

    def _go(self) -> None:
        self._present -= 1

    async def _tell(self, delivery: RetryingWebhookAdapter, standing: ResponseState) -> None:
        async with self._lines:
            await delivery.acknowledge(standing)

    def _tell_later(self, delivery: RetryingWebhookAdapter, standing: ResponseState) -> None:
        if standing.deferred or standing.is_answered:  # as of a thousand who came at once
            return
        task = asyncio.create_task(self._tell(delivery, standing), name="acknowledge")
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)


async def _take_leave(interaction: Interaction) -> None:
    """Tell the user that their answer won't come, if that can be done at once."""
    try:
        async with asyncio.timeout(LEAVE_S):
            await whisper(interaction, texts_without_settings(interaction)("fault-stopping"))
    except (discord.HTTPException, *LOST, TimeoutError) as error:
        log.info("could not take leave of a user: %r", error)


def attended(*, is_private: bool = False) -> Callable[[Handler], Handler]:
    """Have the interaction acknowledged while it is answered, for its user alone where it is private."""

    def decorate(handler: Handler) -> Handler:
        @functools.wraps(handler)
        async def attending(interaction: Interaction, *args: Any, **named: Any) -> Any:
            async with interaction.client.deferrer.attend(interaction, is_private=is_private):
                return await handler(interaction, *args, **named)

        return cast("Handler", attending)

    return decorate
