"""One interaction being answered: who asked, in which language, and with which settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import discord
from discord import app_commands

from bot.discord_app.animations import AnimationQueue
from bot.discord_app.layout import TEXT_MAX_CHARACTERS, Message, MessageLayout
from bot.discord_app.member_names import MemberNames
from bot.discord_app.transport.deferral import ResponseDeferrer
from bot.render.image import Deck
from bot.service import Request, Services
from bot.storage import Settings
from bot.telemetry.metrics import Metrics
from bot.text import Texts, texts_for

Interaction = discord.Interaction[Any]
Choices = list[app_commands.Choice[str]]


@dataclass(slots=True)
class App:
    """What every feature may use. One for each client."""

    client: discord.Client
    services: Services
    metrics: Metrics
    member_names: MemberNames
    animations: AnimationQueue
    deferrer: ResponseDeferrer


@dataclass(frozen=True, slots=True)
class Context:
    """An interaction with its user's language and settings, which are read from the store once."""

    app: App
    interaction: Interaction
    settings: Settings
    texts: Texts

    @classmethod
    async def load(cls, app: App, interaction: Interaction) -> Self:
        """Read the user's settings.

        :raises StorageError: when they can't be read.
        """
        settings = await app.services.settings.of(interaction.user.id)
        return cls(app, interaction, settings, _texts(settings, interaction))

    def with_settings(self, settings: Settings) -> Context:
        """Return the same interaction under other settings."""
        return Context(self.app, self.interaction, settings, _texts(settings, self.interaction))

    @property
    def services(self) -> Services:
        """What the user can ask for."""
        return self.app.services

    @property
    def user_id(self) -> int:
        """Who asked."""
        return self.interaction.user.id

    @property
    def server_id(self) -> int | None:
        """The server it was asked in; None in direct messages."""
        return self.interaction.guild_id

    @property
    def deck(self) -> Deck:
        """The cards the user likes."""
        return Deck(four_colours=self.settings.four_colours, large_index=self.settings.large_index)

    @property
    def may_attach(self) -> bool:
        """True where the answer may carry a file; in direct messages it always may."""
        return self.server_id is None or self.interaction.app_permissions.attach_files

    @property
    def draws(self) -> bool:
        """True where the answer may show pictures and the user wants them."""
        return self.may_attach and not self.settings.as_text

    @property
    def is_press(self) -> bool:
        """True for a pressed button or a menu choice: its message can be edited."""
        return self.interaction.type is discord.InteractionType.component

    @property
    def choice(self) -> str:
        """What was chosen in a menu; empty for a button."""
        data: Mapping[str, Any] = self.interaction.data or {}
        return str(next(iter(data.get("values") or ()), ""))

    def request(self, game_id: int | None = None, revision: int | None = None) -> Request:
        """Return the service's request; without ``game_id`` it is about the user's current game."""
        return Request(self.user_id, self.interaction.id, game_id, revision)

    async def send(self, message: Message, *, ephemeral: bool = False) -> None:
        """Answer with a new message."""
        await send(self.interaction, view=message.view, files=message.files, ephemeral=ephemeral)

    async def edit(self, message: Message) -> None:
        """Answer a press by replacing the message it was on."""
        await self.interaction.response.edit_message(view=message.view, attachments=message.files)

    async def send_ephemeral(self, text: str) -> None:
        """Tell the user alone."""
        await send_ephemeral(self.interaction, text)

    async def send_ephemeral_long(self, text: str) -> None:
        """Tell the user alone, in up to 4000 characters; the rest is cut off. Plain content ends at 2000."""
        view = MessageLayout(text[:TEXT_MAX_CHARACTERS])
        await send(self.interaction, view=view, ephemeral=True)


def locale_texts(interaction: Interaction) -> Texts:
    """Return the sentences in the language of the user's Discord, where the settings can't be had."""
    return texts_for(interaction.locale.value)


def _texts(settings: Settings, interaction: Interaction) -> Texts:
    return texts_for(settings.language or interaction.locale.value, interaction.locale.value)


async def send_ephemeral(interaction: Interaction, text: str) -> None:
    """Tell the user alone, whether or not the interaction was answered before."""
    await send(interaction, content=text, ephemeral=True)


async def send(
    interaction: Interaction, *, files: Sequence[discord.File] = (), ephemeral: bool = False, **content: Any
) -> None:
    """Send a message: as the interaction's first answer, or as a follow-up where it has one."""
    if files:
        content["files"] = files
    if interaction.response.is_done():
        await interaction.followup.send(ephemeral=ephemeral, **content)
    else:
        await interaction.response.send_message(ephemeral=ephemeral, **content)
