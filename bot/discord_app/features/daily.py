"""``/daily`` and the button under a daily post: one's own table of today's game."""

from __future__ import annotations

import re

from bot.discord_app.commands import Commands
from bot.discord_app.context import Context
from bot.discord_app.feature import Feature
from bot.discord_app.router import Router
from bot.discord_app.tables.controls import PLAY_DAILY
from bot.service import Cost


class Daily(Feature):
    """The command and the button."""

    def register(self, commands: Commands, router: Router) -> None:
        """Add ``/daily``, and the button of daily posts and shared lines."""
        commands.add("daily", self.play, cost=Cost.DEAL)
        router.add(re.escape(PLAY_DAILY), self.pressed, cost=Cost.DEAL)

    async def play(self, ctx: Context) -> None:
        """Show the user their own table of today's daily game."""
        if ctx.server_id is not None:
            await ctx.services.boards.enter(ctx.server_id, ctx.user_id)
            ctx.app.member_names.note(ctx.interaction.user, ctx.server_id)
        await self._tables.post(ctx, await ctx.services.games.play_daily(ctx.request()))

    async def pressed(self, ctx: Context, _: re.Match[str]) -> None:
        """Deal the daily game to whoever pressed."""
        await self.play(ctx)
