"""The one place that answers a failure.

What a user did wrong is answered to that user alone, in a sentence. Anything else is a fault of ours: the
user gets a short id, and the log has it beside the traceback.
"""

from __future__ import annotations

import logging
import secrets
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.discord_app.controls import same_deal_button
from bot.discord_app.reader import reader_of, texts_without_settings
from bot.service import NotYours, ServiceFault, StaleTable
from bot.storage import Damaged, NotKept
from bot.text.failures import failure_text
from engine import SolitaireError

if TYPE_CHECKING:
    from bot.discord_app.client import SolitaireClient

    Interaction = discord.Interaction[SolitaireClient]

log = logging.getLogger(__name__)

TEXT_MAX_CHARACTERS = 4000  # Discord's limit for all text of a message

# Faults of ours that the user can be told more about.
_OURS: dict[type[BaseException], str] = {NotKept: "fault-not-kept", Damaged: "fault-damaged"}

USER_FAULTS = (ServiceFault, SolitaireError)


async def answer_fault(interaction: Interaction, fault: ServiceFault | SolitaireError) -> None:
    """Tell a user what was wrong with what they asked for."""
    reader = await reader_of(interaction)
    text = failure_text(reader.texts, fault)
    if isinstance(fault, StaleTable):
        tables = interaction.client.tables
        show = tables.update if interaction.type is discord.InteractionType.component else tables.post
        await show(interaction, reader, fault.turn, preface=text)
    elif isinstance(fault, NotYours):
        view = discord.ui.View(timeout=None)
        view.add_item(same_deal_button(fault.turn, reader.texts("control-same")))
        view.stop()  # presses are recognised by their ids
        await interaction.response.send_message(text, view=view, ephemeral=True)
    else:
        await whisper(interaction, text)


async def answer_unexpected(interaction: discord.Interaction[Any], error: BaseException) -> None:
    """Log a fault of ours, and tell the user its id; it never raises."""
    if isinstance(error, app_commands.CommandInvokeError):
        error = error.original
    error_id = secrets.token_hex(3)
    command = interaction.command.qualified_name if interaction.command else interaction.type.name
    log.error("error %s in %s", error_id, command, exc_info=error)
    if interaction.type is discord.InteractionType.autocomplete:
        return  # there is no room for a sentence in a list of choices
    key = next((key for kind, key in _OURS.items() if isinstance(error, kind)), "fault-unexpected")
    try:
        await whisper(interaction, texts_without_settings(interaction)(key, id=error_id))
    except Exception:
        log.exception("could not tell the user about error %s", error_id)


async def whisper(interaction: discord.Interaction[Any], text: str) -> None:
    """Say something to the user alone, whether or not the interaction was answered before."""
    if interaction.response.is_done():
        await interaction.followup.send(text, ephemeral=True)
    else:
        await interaction.response.send_message(text, ephemeral=True)


async def whisper_long(interaction: discord.Interaction[Any], text: str) -> None:
    """Say something of up to 4000 characters to the user alone: as components, since content ends at 2000.

    What is longer is cut off.
    """
    view = discord.ui.LayoutView(timeout=None)
    view.add_item(discord.ui.TextDisplay(text[:TEXT_MAX_CHARACTERS]))
    view.stop()
    if interaction.response.is_done():
        await interaction.followup.send(view=view, ephemeral=True)
    else:
        await interaction.response.send_message(view=view, ephemeral=True)
