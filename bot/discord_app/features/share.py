"""``/share`` and the button Share: a line for everybody to see, and a button that deals them the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.discord_app.commands import Command, command, request_of
from bot.discord_app.context import reader_of
from bot.discord_app.features.daily import play_daily_button
from bot.discord_app.tables.controls import same_deal_button
from bot.service import Cost, Turn
from bot.text.sharing import share_text

if TYPE_CHECKING:
    from bot.discord_app.client import BotClient

    Interaction = discord.Interaction[BotClient]
else:
    Interaction = discord.Interaction


def add_sharing(tree: app_commands.CommandTree[Any]) -> None:
    """Add ``/share``."""
    tree.add_command(_share())


def _share() -> Command:
    @command("share", Cost.PUBLIC)
    async def share(interaction: Interaction) -> None:
        await send_share(interaction, await interaction.client.games.show(request_of(interaction)))

    return share


async def send_share(interaction: Interaction, turn: Turn) -> None:
    """Tell the channel of a game, in plain text: on a phone, such a message can be copied as it stands.

    :raises ShareLater: when that would spoil a contest.
    """
    share = await interaction.client.services.sharing.share(turn)
    texts = (await reader_of(interaction)).texts
    view = discord.ui.View(timeout=None)
    if turn.game.day and turn.ends_ms:  # works for friends even when this game is deleted
        view.add_item(play_daily_button(texts("control-play-daily")))
    else:
        view.add_item(same_deal_button(turn, texts("share-play")))
    view.stop()  # presses are recognised by their ids
    await interaction.response.send_message(share_text(texts, share), view=view)
