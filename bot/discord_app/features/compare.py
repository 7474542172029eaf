"""``/compare``: one's ended game beside a friend's on the same cards."""

from __future__ import annotations

import discord

from bot.discord_app.commands import Commands
from bot.discord_app.context import Context
from bot.discord_app.feature import Feature
from bot.discord_app.router import Router
from bot.discord_app.views.comparison import send_comparison


class Compare(Feature):
    """The command."""

    def register(self, commands: Commands, router: Router) -> None:
        """Add ``/compare``."""
        commands.add("compare", self.compare, is_private=True)

    async def compare(self, ctx: Context, friend: discord.User) -> None:
        """Compare the user's current game with a friend's on the same deal."""
        await send_comparison(ctx, *await ctx.services.comparing.pair(ctx.request(), friend.id))
