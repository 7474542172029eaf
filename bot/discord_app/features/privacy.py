"""``/privacy``, ``/export`` and ``/forget-me``: what is kept of a user, to be read and to be deleted."""

from __future__ import annotations

import asyncio
import gzip
import io
import json
import re
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.discord_app.commands import Command, command
from bot.discord_app.context import may_attach, reader_of
from bot.discord_app.errors import whisper, whisper_long
from bot.service import Cost

if TYPE_CHECKING:
    from bot.discord_app.client import BotClient

    Interaction = discord.Interaction[BotClient]
else:
    Interaction = discord.Interaction

MAX_FILE_BYTES = 10 * 1024 * 1024  # Discord's limit for a bot's file
PATIENCE_S = 1.0  # after that a user is told to wait; Discord gives up after three seconds

_CUSTOM_ID = re.compile(r"forget:(\d{1,19})(:no)?", re.ASCII)


def add_own_data(tree: app_commands.CommandTree[Any]) -> None:
    """Add ``/privacy``, ``/export`` and ``/forget-me``."""
    for make in (_privacy, _export, _forget_me):
        tree.add_command(make())


def _privacy() -> Command:
    @command("privacy", is_private=True)
    async def privacy(interaction: Interaction) -> None:
        await whisper_long(interaction, (await reader_of(interaction)).texts("privacy-text"))

    return privacy


def _export() -> Command:
    @command("export", is_private=True)
    async def export(interaction: Interaction) -> None:
        if not may_attach(interaction):
            await whisper(interaction, (await reader_of(interaction)).texts("export-no-files"))
            return
        with interaction.client.services.rate_limiter.alone(interaction.user.id, Cost.EXPORT):
            await _send_copy(interaction)

    return export


async def _send_copy(interaction: Interaction) -> None:
    making = asyncio.ensure_future(_copy(interaction))
    await asyncio.wait({making}, timeout=PATIENCE_S)
    if not making.done():
        await interaction.response.defer(ephemeral=True, thinking=True)
    text, files = await making
    if interaction.response.is_done():
        await interaction.followup.send(text, files=files, ephemeral=True)
    else:
        await interaction.response.send_message(text, files=files, ephemeral=True)


async def _copy(interaction: Interaction) -> tuple[str, list[discord.File]]:
    """Return what is said about a user's data, and the file that has it."""
    texts = (await reader_of(interaction)).texts
    data = await interaction.client.services.own_data.export(interaction.user.id)
    content = await asyncio.to_thread(_json, data)
    name = f"solitaire-{interaction.user.id}.json"
    lines = [texts("export-done", games=len(data["games"]))]
    if len(content) > MAX_FILE_BYTES:
        content = await asyncio.to_thread(gzip.compress, content)
        name += ".gz"
        lines.append(texts("export-packed"))
    if len(content) > MAX_FILE_BYTES:
        return texts("export-too-large"), []
    return "\n".join(lines), [discord.File(io.BytesIO(content), filename=name)]


def _json(data: dict[str, Any]) -> bytes:
    return json.dumps(data, indent=1, ensure_ascii=False).encode()


def _forget_me() -> Command:
    @command("forget-me", is_private=True)
    async def forget_me(interaction: Interaction) -> None:
        texts, user_id = (await reader_of(interaction)).texts, interaction.user.id
        games = await interaction.client.services.own_data.games(user_id)
        buttons: discord.ui.ActionRow[Any] = discord.ui.ActionRow(
            discord.ui.Button(
                label=texts("forget-yes"), style=discord.ButtonStyle.danger, custom_id=f"forget:{user_id}"
            ),
            discord.ui.Button(label=texts("forget-no"), custom_id=f"forget:{user_id}:no"),
        )
        view = _Layout(discord.ui.TextDisplay(texts("forget-question", games=games)), buttons)
        await interaction.response.send_message(view=view, ephemeral=True)

    return forget_me


async def answer_forget_press(interaction: Interaction, custom_id: str) -> bool:
    """Delete what is kept of the user who was asked, or leave it; nobody else can answer for them."""
    found = _CUSTOM_ID.fullmatch(custom_id)
    if found is None:
        return False
    texts = (await reader_of(interaction)).texts  # in the language that is about to be forgotten
    if int(found[1]) != interaction.user.id:
        await whisper(interaction, texts("forget-not-yours"))
        return True
    if found[2]:
        lines = [texts("forget-kept")]
    else:
        done = await interaction.client.services.own_data.forget(interaction.user.id)
        lines = [texts("forget-done", games=done.games)]
        if done.daily_ends_ms:
            lines.append(texts("forget-done-daily", time=str(done.daily_ends_ms // 1000)))
    await interaction.response.edit_message(view=_Layout(discord.ui.TextDisplay("\n".join(lines))))
    return True


class _Layout(discord.ui.LayoutView):
    """A text, and buttons below it if there are any."""

    def __init__(self, *parts: discord.ui.Item[Any]) -> None:
        super().__init__(timeout=None)
        for part in parts:
            self.add_item(part)
        self.stop()  # presses are recognised by their ids
