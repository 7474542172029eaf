"""``/daily`` and ``/daily-channel``, and the button under a daily post."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.discord_app.commands import Command, command, request_of
from bot.discord_app.context import reader_of
from bot.discord_app.errors import new_error_id, whisper
from bot.service import Cost, NoServer
from bot.text.daily import channel_text

if TYPE_CHECKING:
    from bot.discord_app.client import BotClient

    Interaction = discord.Interaction[BotClient]
else:
    Interaction = discord.Interaction

PLAY = "daily:play"


def add_daily(tree: app_commands.CommandTree[Any]) -> None:
    """Add the commands of the daily game."""
    tree.add_command(_daily())
    tree.add_command(_daily_channel())


def _daily() -> Command:
    @command("daily", Cost.DEAL)
    async def daily(interaction: Interaction) -> None:
        await deal_daily(interaction)

    return daily


class _TextPlace(app_commands.Transformer):
    """A channel or thread to write in, as Discord sends it: the bot keeps no list to find it in."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        """The kind of option."""
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        """What may be chosen."""
        kinds = discord.ChannelType
        return [kinds.text, kinds.news, kinds.public_thread, kinds.private_thread, kinds.news_thread]

    async def transform(
        self, interaction: discord.Interaction[Any], value: app_commands.AppCommandChannel
    ) -> app_commands.AppCommandChannel:
        """Take it as it is."""
        return value


def _daily_channel() -> Command:
    @command("daily-channel", Cost.PUBLIC, is_private=True, channel="channel", off="off")
    async def daily_channel(
        interaction: Interaction,
        channel: app_commands.Transform[app_commands.AppCommandChannel, _TextPlace] | None = None,
        off: bool = False,  # noqa: FBT001, FBT002 - an option of the command
    ) -> None:
        texts = (await reader_of(interaction)).texts
        posts = interaction.client.services.posts
        if interaction.guild_id is None:
            raise NoServer
        if off:
            stopped = await posts.stop(interaction.guild_id)
            await whisper(interaction, texts("channel-off" if stopped else "channel-off-none"))
        elif channel is None:
            await whisper(interaction, channel_text(texts, await posts.chosen(interaction.guild_id)))
        else:
            await interaction.response.defer(ephemeral=True)
            error_id = new_error_id()
            trouble = await interaction.client.daily_scheduler.try_channel(channel.id, texts, error_id)
            if trouble:
                where = f"<#{channel.id}>"
                await whisper(interaction, texts(f"trouble-{trouble}", channel=where, id=error_id))
            else:
                await posts.choose(interaction.guild_id, channel.id, texts.language, interaction.user.id)
                await whisper(interaction, texts("channel-chosen", channel=f"<#{channel.id}>"))

    app_commands.default_permissions(manage_guild=True)(daily_channel)
    app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)(daily_channel)
    app_commands.allowed_installs(guilds=True, users=False)(daily_channel)
    return daily_channel


async def deal_daily(interaction: Interaction) -> None:
    """Answer with the user's own table of today's daily game, to them alone."""
    if interaction.guild_id is not None:
        await interaction.client.services.boards.enter(interaction.guild_id, interaction.user.id)
        interaction.client.names.note(interaction.user, interaction.guild_id)
    turn = await interaction.client.games.play_daily(request_of(interaction))
    await interaction.client.tables.post(interaction, await reader_of(interaction), turn)


def play_daily_button(label: str) -> discord.ui.Button[Any]:
    """Return the button that deals today's daily game to whoever presses it."""
    return discord.ui.Button(label=label, style=discord.ButtonStyle.primary, custom_id=PLAY)


async def answer_daily_press(interaction: Interaction, custom_id: str) -> bool:
    """Deal the daily game to whoever pressed the button under a daily post."""
    if custom_id != PLAY:
        return False
    await deal_daily(interaction)
    return True
