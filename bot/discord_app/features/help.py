"""``/help``: the commands in short."""

from __future__ import annotations

from bot.discord_app.commands import Commands
from bot.discord_app.context import Context
from bot.discord_app.feature import Feature
from bot.discord_app.router import Router
from bot.text.lists import help_text


class Help(Feature):
    """The command."""

    def register(self, commands: Commands, router: Router) -> None:
        """Add ``/help``."""
        commands.add("help", self.help, is_private=True)

    async def help(self, ctx: Context) -> None:
        """List the commands."""
        await ctx.send_ephemeral(help_text(ctx.texts))
