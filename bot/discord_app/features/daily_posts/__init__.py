"""``/daily-channel``, the daily posts, and what else is done when a day is over."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.discord_app.commands import Commands
from bot.discord_app.context import App, Context, Interaction
from bot.discord_app.feature import Feature
from bot.discord_app.features.daily_posts.posts import DailyPoster
from bot.discord_app.features.daily_posts.scheduler import DailyScheduler
from bot.discord_app.router import Router
from bot.discord_app.tables.posting import Tables
from bot.service import Cost, NoServer
from bot.telemetry.error_reports import new_error_id
from bot.text.daily import channel_text


class _ChannelTransformer(app_commands.Transformer):
    """A channel or thread to write in, as Discord sends it: the bot caches no channels to look it up in."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        """The kind of option."""
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        """The kinds of channel that may be chosen."""
        kinds = discord.ChannelType
        return [kinds.text, kinds.news, kinds.public_thread, kinds.private_thread, kinds.news_thread]

    async def transform(
        self, interaction: Interaction, value: app_commands.AppCommandChannel
    ) -> app_commands.AppCommandChannel:
        """Take it as it is."""
        return value


class DailyPosts(Feature):
    """The command, and the scheduler that runs in the background."""

    def __init__(self, app: App, tables: Tables) -> None:
        super().__init__(app, tables)
        self.poster = DailyPoster(app)
        self.scheduler = DailyScheduler(app, self.poster)

    def register(self, commands: Commands, router: Router) -> None:
        """Add ``/daily-channel``, for those who may manage the server."""
        command = commands.add("daily-channel", self.choose, cost=Cost.PUBLIC, is_private=True)
        app_commands.default_permissions(manage_guild=True)(command)
        app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)(command)
        app_commands.allowed_installs(guilds=True, users=False)(command)

    def start(self) -> None:
        """Begin to look at the clock."""
        self.scheduler.start()

    async def close(self) -> None:
        """Stop looking at the clock; interrupted work is done again after the next start."""
        await self.scheduler.stop()

    async def choose(
        self,
        ctx: Context,
        channel: app_commands.Transform[app_commands.AppCommandChannel, _ChannelTransformer] | None = None,
        off: bool = False,  # noqa: FBT001, FBT002 - an option of the command
    ) -> None:
        """Choose the channel of the daily posts after a trial, end them, or say which channel is chosen.

        :raises NoServer: in direct messages.
        """
        texts, posts, server_id = ctx.texts, ctx.services.posts, ctx.server_id
        if server_id is None:
            raise NoServer
        if off:
            stopped = await posts.stop(server_id)
            await ctx.send_ephemeral(texts("channel-off" if stopped else "channel-off-none"))
        elif channel is None:
            await ctx.send_ephemeral(channel_text(texts, await posts.chosen(server_id)))
        else:
            await ctx.interaction.response.defer(ephemeral=True)
            error_id, where = new_error_id(), f"<#{channel.id}>"
            trouble = await self.poster.try_channel(channel.id, texts, error_id)
            if trouble:
                await ctx.send_ephemeral(texts(f"trouble-{trouble}", channel=where, id=error_id))
            else:
                await posts.choose(server_id, channel.id, texts.language, ctx.user_id)
                await ctx.send_ephemeral(texts("channel-chosen", channel=where))
