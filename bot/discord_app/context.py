"""Who reads an answer: in which language, and how they like it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import discord

from bot.render.image import Deck
from bot.storage import Settings
from bot.text import Texts, texts_for

if TYPE_CHECKING:
    from bot.discord_app.client import BotClient


@dataclass(frozen=True, slots=True)
class Reader:
    """The language and the settings of the user who asked."""

    texts: Texts
    settings: Settings

    @property
    def deck(self) -> Deck:
        """The cards they like."""
        return Deck(four_colours=self.settings.four_colours, large_index=self.settings.large_index)


async def reader_of(interaction: discord.Interaction[BotClient]) -> Reader:
    """Return the reader of the answer to ``interaction``."""
    settings = await interaction.client.games.settings(interaction.user.id)
    return Reader(
        texts_for(settings.language or interaction.locale.value, interaction.locale.value), settings
    )


def texts_without_settings(interaction: discord.Interaction[Any]) -> Texts:
    """Return the sentences in the language of the user's Discord: for failures of the settings themselves."""
    return texts_for(interaction.locale.value)


def may_attach(interaction: discord.Interaction[Any]) -> bool:
    """Return whether the answer may carry a file; in direct messages it always may."""
    return interaction.guild_id is None or interaction.app_permissions.attach_files


def choice_of(interaction: discord.Interaction[Any]) -> str:
    """Return what was chosen in the pressed menu; nothing where it was a button."""
    data: Mapping[str, Any] = interaction.data or {}
    return str(next(iter(data.get("values") or ()), ""))
