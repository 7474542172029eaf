"""Where each server's daily post goes, and which are due."""

from __future__ import annotations

from bot.clock import Clock
from bot.service.daily.daily import Daily
from bot.storage import DailyChannel, Store


class Posts:
    """The service over one store."""

    def __init__(self, store: Store, clock: Clock, daily: Daily) -> None:
        self._store = store
        self._clock = clock
        self._daily = daily

    async def choose(self, server_id: int, channel_id: int, language: str, user_id: int) -> None:
        """Post in that channel from the next day on."""
        day = self._daily.today
        await self._store.set_daily_channel(DailyChannel(server_id, channel_id, language, user_id, day))

    async def chosen(self, server_id: int) -> DailyChannel | None:
        """Return where a server's daily post goes."""
        return await self._store.daily_channel(server_id)

    async def stop(self, server_id: int) -> bool:
        """Post there no more; return whether there were posts."""
        return await self._store.drop_daily_channel(server_id)

    async def next_due(self) -> DailyChannel | None:
        """Return a channel that has no post of today yet, and take it on; None if there is none."""
        return await self._store.claim_daily_post(self._daily.today, self._clock())

    async def note(self, channel: DailyChannel, trouble: str = "") -> None:
        """Note that today's post has arrived, or why it can't, or what was wrong with it."""
        await self._store.note_daily_post(channel.server_id, channel.day, trouble)

    async def put_back(self, channel: DailyChannel) -> None:
        """Let a post that :meth:`next_due` returned be due again: nothing was sent."""
        await self._store.put_back_daily_post(channel.server_id, channel.day)
