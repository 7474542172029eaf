"""``/settings``: a private message with a menu for the language and a switch for everything else."""

from __future__ import annotations

import re
from dataclasses import fields

import discord

from bot.discord_app.commands import Commands
from bot.discord_app.context import Context
from bot.discord_app.feature import Feature
from bot.discord_app.layout import Message, Select
from bot.discord_app.router import Router
from bot.discord_app.tables.controls import Action, ComponentId, add_control
from bot.storage import Settings
from bot.text import languages, texts_for

_AUTOMATIC = "auto"
SWITCHES = tuple(field.name for field in fields(Settings) if field.name != "language")


class SettingsFeature(Feature):
    """The command, the button under a table, and the controls of the message."""

    def register(self, commands: Commands, router: Router) -> None:
        """Add ``/settings`` and its controls."""
        commands.add("settings", self.show, is_private=True)
        add_control(router, Action.SETTINGS, self.pressed)
        router.add(r"set:(?P<name>[a-z_]{1,20}):?(?P<value>[01]?)", self.change)

    async def show(self, ctx: Context) -> None:
        """Show the user their settings."""
        await ctx.send(_message(ctx), ephemeral=True)

    async def pressed(self, ctx: Context, pressed: ComponentId) -> None:
        """Show the settings to the player of a table."""
        await ctx.services.games.show(ctx.request(pressed.game_id, pressed.revision))  # refuses strangers
        await self.show(ctx)

    async def change(self, ctx: Context, match: re.Match[str]) -> None:
        """Keep what was chosen, and show the settings as they are now.

        A name or a value that doesn't exist (any more) changes nothing.
        """
        name, value, choice = match["name"], match["value"], ctx.choice
        if name == "language" and choice in (_AUTOMATIC, *languages()):
            ctx = await self._keep(ctx, name, "" if choice == _AUTOMATIC else choice)
        elif name in SWITCHES and value:
            ctx = await self._keep(ctx, name, value == "1")
        await ctx.interaction.response.edit_message(view=_message(ctx).view)  # it has no pictures

    async def _keep(self, ctx: Context, name: str, value: str | bool) -> Context:  # noqa: FBT001
        return ctx.with_settings(await ctx.services.settings.change(ctx.user_id, name, value))


def _message(ctx: Context) -> Message:
    """Return the settings as they are, each with the control that changes it."""
    texts = ctx.texts
    parts: list[discord.ui.Item[discord.ui.LayoutView]] = [discord.ui.ActionRow(_language_menu(ctx))]
    for name in SWITCHES:
        key = f"settings-{name.replace('_', '-')}"
        is_on = bool(getattr(ctx.settings, name))
        state = texts("settings-state", name=texts(key), state="on" if is_on else "off")
        button: discord.ui.Button[discord.ui.LayoutView] = discord.ui.Button(
            label=texts("settings-turn-off" if is_on else "settings-turn-on"),
            style=discord.ButtonStyle.success if is_on else discord.ButtonStyle.secondary,
            custom_id=f"set:{name}:{int(not is_on)}",
        )
        parts.append(discord.ui.Section(f"**{state}**", texts(f"{key}.about"), accessory=button))
    return Message(texts("settings-title"), *parts)


def _language_menu(ctx: Context) -> Select:
    chosen = ctx.settings.language
    automatic = ctx.texts("settings-language-automatic")
    options = [discord.SelectOption(label=automatic, value=_AUTOMATIC, default=not chosen)]
    options += [
        discord.SelectOption(label=texts_for(name)("language-name"), value=name, default=name == chosen)
        for name in languages()
    ]
    placeholder = ctx.texts("settings-language")
    return discord.ui.Select(custom_id="set:language", placeholder=placeholder, options=options)
