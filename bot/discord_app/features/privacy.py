"""``/privacy``, ``/export`` and ``/forget-me``: what is stored about a user, to read and to delete."""

from __future__ import annotations

import asyncio
import gzip
import io
import json
import re
from typing import Any

import discord

from bot.discord_app.commands import Commands
from bot.discord_app.context import Context, send
from bot.discord_app.feature import Feature
from bot.discord_app.layout import Message
from bot.discord_app.router import Router
from bot.service import Cost


class Privacy(Feature):
    """The commands, and the buttons of the question that ``/forget-me`` asks.

    ``max_file_bytes`` is Discord's limit for a bot's file, ``patience_s`` how long an export may take before
    the user is told to wait.
    """

    max_file_bytes = 10 * 1024 * 1024
    patience_s = 1.0  # Discord gives up after three

    def register(self, commands: Commands, router: Router) -> None:
        """Add the commands and the buttons."""
        commands.add("privacy", self.privacy, is_private=True)
        commands.add("export", self.export, is_private=True)
        commands.add("forget-me", self.forget_me, is_private=True)
        router.add(r"forget:(?P<user_id>\d{1,19})(?P<no>:no)?", self.answered)

    async def privacy(self, ctx: Context) -> None:
        """Say what is stored about users."""
        await ctx.send_ephemeral_long(ctx.texts("privacy-text"))

    async def export(self, ctx: Context) -> None:
        """Send the user everything that is stored about them, as a JSON file."""
        if not ctx.may_attach:
            await ctx.send_ephemeral(ctx.texts("export-no-files"))
            return
        with ctx.services.rate_limiter.alone(ctx.user_id, Cost.EXPORT):
            exporting = asyncio.ensure_future(_export(ctx, self.max_file_bytes))
            await asyncio.wait({exporting}, timeout=self.patience_s)
            if not exporting.done():
                await ctx.interaction.response.defer(ephemeral=True, thinking=True)
            text, files = await exporting
            await send(ctx.interaction, content=text, files=files, ephemeral=True)

    async def forget_me(self, ctx: Context) -> None:
        """Ask whether everything about the user is to be deleted."""
        games = await ctx.services.own_data.games(ctx.user_id)
        custom_id = f"forget:{ctx.user_id}"
        buttons: discord.ui.ActionRow[Any] = discord.ui.ActionRow(
            discord.ui.Button(
                label=ctx.texts("forget-yes"), style=discord.ButtonStyle.danger, custom_id=custom_id
            ),
            discord.ui.Button(label=ctx.texts("forget-no"), custom_id=f"{custom_id}:no"),
        )
        await ctx.send(Message(ctx.texts("forget-question", games=games), buttons), ephemeral=True)

    async def answered(self, ctx: Context, match: re.Match[str]) -> None:
        """Delete or keep the user's data; nobody else can answer for them."""
        texts = ctx.texts  # in the language that is about to be forgotten
        if int(match["user_id"]) != ctx.user_id:
            await ctx.send_ephemeral(texts("forget-not-yours"))
            return
        if match["no"]:
            lines = [texts("forget-kept")]
        else:
            done = await ctx.services.own_data.forget(ctx.user_id)
            lines = [texts("forget-done", games=done.games)]
            if done.daily_ends_ms:
                lines.append(texts("forget-done-daily", time=str(done.daily_ends_ms // 1000)))
        await ctx.interaction.response.edit_message(view=Message("\n".join(lines)).view)


async def _export(ctx: Context, max_bytes: int) -> tuple[str, list[discord.File]]:
    """Return the words about an export, and the file."""
    texts = ctx.texts
    data = await ctx.services.own_data.export(ctx.user_id)
    content = await asyncio.to_thread(_json, data)
    name = f"solitaire-{ctx.user_id}.json"
    lines = [texts("export-done", games=len(data["games"]))]
    if len(content) > max_bytes:
        content = await asyncio.to_thread(gzip.compress, content)
        name += ".gz"
        lines.append(texts("export-packed"))
    if len(content) > max_bytes:
        return texts("export-too-large"), []
    return "\n".join(lines), [discord.File(io.BytesIO(content), filename=name)]


def _json(data: dict[str, Any]) -> bytes:
    return json.dumps(data, indent=1, ensure_ascii=False).encode()
