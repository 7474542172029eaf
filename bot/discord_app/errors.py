"""The one place that answers a failure.

What a user did wrong is answered to that user alone, in a sentence. Anything else is a fault of ours: the
user gets a short id, and the log has it beside the traceback.
"""

from __future__ import annotations

import logging
import secrets
from typing import Any

import discord
from discord import app_commands

from bot.discord_app.answers import send_turn
from bot.discord_app.localisation import texts_of
from bot.service import ServiceFault, StaleTable
from bot.text.failures import failure_text
from engine import SolitaireError

log = logging.getLogger(__name__)


USER_FAULTS = (ServiceFault, SolitaireError)


async def answer_fault(interaction: discord.Interaction[Any], fault: ServiceFault | SolitaireError) -> None:
    """Tell a user what was wrong with what they asked for."""
    text = failure_text(texts_of(interaction), fault)
    if isinstance(fault, StaleTable):
        await send_turn(interaction, fault.turn, preface=text)
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
    try:
        await whisper(interaction, texts_of(interaction)("fault-unexpected", id=error_id))
    except discord.HTTPException:
        log.exception("could not tell the user about error %s", error_id)


async def whisper(interaction: discord.Interaction[Any], text: str) -> None:
    """Say something to the user alone, whether or not the interaction was answered before."""
    if interaction.response.is_done():
        await interaction.followup.send(text, ephemeral=True)
    else:
        await interaction.response.send_message(text, ephemeral=True)
