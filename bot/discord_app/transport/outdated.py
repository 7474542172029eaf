"""Commands in a form that this version doesn't have: renamed, or with other options.

A user's Discord keeps the commands it has loaded for a while. Their meaning is not guessed: an option that
no longer exists would be dropped silently.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import discord
from discord import app_commands

OUTDATED = (
    app_commands.CommandNotFound,
    app_commands.CommandSignatureMismatch,
    app_commands.TransformerError,
)

_CHAT_INPUT = 1
_GROUPS = (1, 2)  # the types of options that are commands themselves


def is_outdated(interaction: discord.Interaction[Any]) -> bool:
    """Return whether a slash command, sent or being typed, has another form than in this version."""
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
