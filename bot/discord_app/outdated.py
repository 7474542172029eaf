"""What Discord sends of another version of the bot: commands that were renamed, options that changed.

A user's Discord keeps the commands that it has loaded for a while. What those say is not guessed at: else
an option that is not known any more would silently be left out.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

import discord
from discord import app_commands

from bot.discord_app.context import texts_without_settings
from bot.discord_app.errors import answer_unexpected, whisper

log = logging.getLogger(__name__)

OUTDATED = (
    app_commands.CommandNotFound,
    app_commands.CommandSignatureMismatch,
    app_commands.TransformerError,
)

_CHAT_INPUT = 1
_GROUPS = (1, 2)  # the types of options that are commands themselves


def is_outdated(interaction: discord.Interaction[Any]) -> bool:
    """Return whether a slash command, or one that is being typed, has another form than it has here."""
    data: Mapping[str, Any] = interaction.data or {}
    try:
        command, _ = interaction.command, interaction.namespace
    except (AttributeError, LookupError, TypeError, ValueError):  # something is missing, or can't be read
        return True
    if data.get("type", _CHAT_INPUT) != _CHAT_INPUT or not isinstance(command, app_commands.Command):
        return True
    parameters = {parameter.display_name: parameter for parameter in command.parameters}
    options = _options(data)
    if interaction.type is discord.InteractionType.autocomplete:
        focused = [parameters.get(option["name"]) for option in options if option.get("focused")]
        return not focused or not all(parameter and parameter.autocomplete for parameter in focused)
    given = {option["name"]: option["type"] for option in options}
    missing = any(name not in given for name, parameter in parameters.items() if parameter.required)
    known = {name: parameter.type.value for name, parameter in parameters.items()}
    return missing or any(known.get(name) != kind for name, kind in given.items())


def _options(data: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the options of the command itself, inside its groups."""
    options = data.get("options") or []
    while options and options[0]["type"] in _GROUPS:
        options = options[0].get("options") or []
    return list(options)


async def answer_outdated(interaction: discord.Interaction[Any]) -> None:
    """Tell the user that their Discord is behind, or ahead; it never raises."""
    log.info("a %s of another version", interaction.type.name)
    try:
        if interaction.type is discord.InteractionType.autocomplete:
            await interaction.response.autocomplete([])
        else:
            await whisper(interaction, texts_without_settings(interaction)("fault-outdated"))
    except Exception as error:  # noqa: BLE001 - as everywhere, the log gets a trace
        await answer_unexpected(interaction, error)
