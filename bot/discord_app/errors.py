"""The one place that answers a failure.

What a user did wrong is answered to that user alone, in a sentence. Anything else is a fault of ours: the
user gets a short id, and the log has it beside the traceback (:func:`report`).
"""

from __future__ import annotations

import logging
import secrets
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.discord_app.context import reader_of, texts_without_settings
from bot.discord_app.tables.controls import same_deal_button
from bot.discord_app.transport.webhook_adapter import ALREADY_ANSWERED, LOST
from bot.service import ManyWaiting, NotYours, ServiceError, StaleTable, StillBusy, TooFast
from bot.storage import StorageCorrupt, StorageUnavailable
from bot.telemetry.metrics import PLAYER, UNEXPECTED, Metrics
from bot.text.failures import failure_text
from engine import SolitaireError

if TYPE_CHECKING:
    from bot.discord_app.client import BotClient

    Interaction = discord.Interaction[BotClient]

log = logging.getLogger(__name__)

TEXT_MAX_CHARACTERS = 4000  # Discord's limit for all text of a message

# The interaction was answered already, is too old for an answer, or its token has expired.
_NOBODY_WAITS = (ALREADY_ANSWERED, 10062, 50027)
# For edits of messages with no content: discord.py leaves the client's own setting out of those.
NO_PINGS = discord.AllowedMentions.none()
# Faults of ours that the user can be told more about.
_OURS: dict[type[BaseException], str] = {
    StorageUnavailable: "fault-not-kept",
    StorageCorrupt: "fault-damaged",
}

USER_ERRORS = (ServiceError, SolitaireError)


def report(metrics: Metrics, error: BaseException, what: str, *facts: object, error_id: str = "") -> str:
    """Log a fault of ours with its traceback, and count it; return the short id that the log has it under.

    ``what`` is a sentence with places for ``facts``, as of the logging module. The id is a new one unless
    the fault has one already.
    """
    error_id = error_id or new_error_id()
    metrics.error(UNEXPECTED, type(error).__name__)
    log.error(what, *facts, exc_info=error, extra={"error_id": error_id})
    return error_id


def new_error_id() -> str:
    """Return what a fault can be found in the log by: six hexadecimal digits, by chance."""
    return secrets.token_hex(3)


async def answer_error(interaction: Interaction, fault: ServiceError | SolitaireError) -> None:
    """Tell a user what was wrong with what they asked for."""
    interaction.client.metrics.error(PLAYER, type(fault).__name__)
    if isinstance(fault, (TooFast, StillBusy, ManyWaiting)):
        await _turn_away(interaction, fault)
        return
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


async def _turn_away(interaction: Interaction, fault: TooFast | StillBusy | ManyWaiting) -> None:
    """Tell a user to wait; what else a flood presses meanwhile gets the cheapest answer that there is."""
    is_press = interaction.type is discord.InteractionType.component
    if is_press and not fault.is_told and not interaction.response.is_done():
        await interaction.response.defer()
        return
    is_crowded = isinstance(fault, ManyWaiting)  # and the settings would be read when the others' are
    texts = texts_without_settings(interaction) if is_crowded else (await reader_of(interaction)).texts
    await whisper(interaction, failure_text(texts, fault))


async def answer_unexpected(interaction: discord.Interaction[Any], error: BaseException) -> None:
    """Log a fault of ours, and tell the user its id; it never raises."""
    if isinstance(error, app_commands.CommandInvokeError):
        error = error.original
    if isinstance(error, discord.HTTPException) and error.code in _NOBODY_WAITS:
        log.warning("an answer to a %s was of no more use: %s", interaction.type.name, error)
        return
    error_id, metrics = new_error_id(), interaction.client.metrics
    command = interaction.command.qualified_name if interaction.command else interaction.type.name
    report(metrics, error, "error %s in %s", error_id, command, error_id=error_id)
    texts = texts_without_settings(interaction)
    key = next((key for kind, key in _OURS.items() if isinstance(error, kind)), "fault-unexpected")
    try:
        if interaction.type is discord.InteractionType.autocomplete:
            sentence = app_commands.Choice(name=texts("fault-choices", id=error_id), value=error_id)
            await interaction.response.autocomplete([sentence])
        else:
            await whisper(interaction, texts(key, id=error_id))
    except (discord.HTTPException, *LOST, TimeoutError) as refusal:
        log.warning("could not tell the user about error %s: %r", error_id, refusal)
    except Exception as again:  # noqa: BLE001 - there is nobody left to tell but the operator
        report(metrics, again, "could not tell the user about error %s", error_id, error_id=error_id)


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
