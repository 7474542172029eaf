"""Everything is acknowledged in time. Discord gives up on a bot that is silent for three seconds.

Mostly the answer itself comes sooner, and is the acknowledgement. Where it takes longer than a second, or so
many ask at once that it would, Discord is told "is thinking…" first, and
:class:`bot.discord_app.delivery.Delivery` then brings the answer to the same place. No handler needs to know
which of the two it was.

Those who were told wait for a place at the table, so that what they ask for doesn't hold up the telling of
others.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, TypeVar, cast

import discord

from bot.discord_app.delivery import Delivery, Standing

if TYPE_CHECKING:
    from bot.discord_app.client import SolitaireClient

    Interaction = discord.Interaction[SolitaireClient]
else:
    Interaction = discord.Interaction

Handler = TypeVar("Handler", bound=Callable[..., Coroutine[Any, Any, Any]])

PATIENCE_S = 1.0
AT_ONCE = 10  # who are served right away; with more than these, a second would pass on a small machine
TOLD_AT_ONCE = 24  # each takes a connection to Discord
PLACES = 6  # for those who were told to wait


class Desk:
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
    async def attend(self, interaction: Interaction) -> AsyncIterator[None]:
        """Acknowledge an interaction, if it is not answered in time, while the block answers it."""
        delivery = Delivery.present()
        if delivery is None:  # nothing goes by it where no gateway is connected
            yield
            return
        self._present += 1
        standing = delivery.stand(interaction)
        try:
            if self.is_busy:
                async with self._lines:
                    await delivery.acknowledge(standing)
                async with self._places:
                    yield
            else:
                timer = asyncio.get_running_loop().call_later(PATIENCE_S, self._tell, delivery, standing)
                try:
                    yield
                finally:
                    timer.cancel()
        finally:
            delivery.leave(standing)
            self._present -= 1

    def _tell(self, delivery: Delivery, standing: Standing) -> None:
        task = asyncio.create_task(delivery.acknowledge(standing), name="acknowledge")
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)


def attended(handler: Handler) -> Handler:
    """Have the interaction acknowledged while it is answered."""

    @functools.wraps(handler)
    async def attending(interaction: Interaction, *args: Any, **named: Any) -> Any:
        async with interaction.client.desk.attend(interaction):
            return await handler(interaction, *args, **named)

    return cast("Handler", attending)
