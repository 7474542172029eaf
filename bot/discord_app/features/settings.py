"""``/settings``: an answer to the user alone, with a menu for the language and switches for the rest."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import TYPE_CHECKING

import discord

from bot.discord_app.context import Reader, reader_of
from bot.storage import Settings
from bot.text import languages, texts_for

if TYPE_CHECKING:
    from bot.discord_app.client import BotClient

    Interaction = discord.Interaction[BotClient]

_CUSTOM_ID = re.compile(r"set:([a-z_]{1,20}):?([01]?)")
_AUTOMATIC = "auto"
SWITCHES = tuple(field.name for field in fields(Settings) if field.name != "language")


class SettingsView(discord.ui.LayoutView):
    """The settings as they are, each with the control that changes it."""

    def __init__(self, reader: Reader) -> None:
        super().__init__(timeout=None)
        texts, settings = reader.texts, reader.settings
        self.add_item(discord.ui.TextDisplay(texts("settings-title")))
        self.add_item(discord.ui.ActionRow(_language_menu(reader)))
        for name in SWITCHES:
            key = f"settings-{name.replace('_', '-')}"
            is_on = bool(getattr(settings, name))
            state = texts("settings-state", name=texts(key), state="on" if is_on else "off")
            button: discord.ui.Button[SettingsView] = discord.ui.Button(
                label=texts("settings-turn-off" if is_on else "settings-turn-on"),
                style=discord.ButtonStyle.success if is_on else discord.ButtonStyle.secondary,
                custom_id=f"set:{name}:{int(not is_on)}",
            )
            self.add_item(discord.ui.Section(f"**{state}**", texts(f"{key}.about"), accessory=button))
        self.stop()


def is_setting(custom_id: str) -> bool:
    """Return whether a ``custom_id`` is one of a settings answer."""
    return _CUSTOM_ID.fullmatch(custom_id) is not None


async def answer_settings(interaction: Interaction) -> None:
    """Show the user their settings."""
    view = SettingsView(await reader_of(interaction))
    await interaction.response.send_message(view=view, ephemeral=True)


async def change_setting(interaction: Interaction, custom_id: str, values: list[str]) -> None:
    """Keep what was chosen, and show the settings as they are now.

    A name or a value that is not known (any more) changes nothing.
    """
    play, user_id = interaction.client.games, interaction.user.id
    found = _CUSTOM_ID.fullmatch(custom_id)
    if found and found[1] == "language" and values and values[0] in (_AUTOMATIC, *languages()):
        await play.change_setting(user_id, "language", "" if values[0] == _AUTOMATIC else values[0])
    elif found and found[1] in SWITCHES and found[2]:
        await play.change_setting(user_id, found[1], found[2] == "1")
    await interaction.response.edit_message(view=SettingsView(await reader_of(interaction)))


def _language_menu(reader: Reader) -> discord.ui.Select[SettingsView]:
    chosen = reader.settings.language
    options = [
        discord.SelectOption(
            label=reader.texts("settings-language-automatic"), value=_AUTOMATIC, default=not chosen
        )
    ]
    options += [
        discord.SelectOption(label=texts_for(name)("language-name"), value=name, default=name == chosen)
        for name in languages()
    ]
    return discord.ui.Select(
        custom_id="set:language", placeholder=reader.texts("settings-language"), options=options
    )
