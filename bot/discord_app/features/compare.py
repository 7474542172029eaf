"""``/compare``, and the answer to Compare under a challenge: two games on one deal, to the user alone."""

from __future__ import annotations

import asyncio
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.discord_app.commands import Command, command, request_of
from bot.discord_app.context import Reader, may_attach, reader_of
from bot.discord_app.errors import report
from bot.render.image import draw_table
from bot.render.prose import alt_text, captions, table_lines
from bot.service import Comparison, compare
from bot.storage import StoredGame
from bot.telemetry.metrics import Metrics
from bot.text.challenges import mention
from bot.text.comparing import comparison_text, parting_text
from bot.text.turns import contest_text
from engine import Record

if TYPE_CHECKING:
    from bot.discord_app.client import BotClient

    Interaction = discord.Interaction[BotClient]
else:
    Interaction = discord.Interaction


def add_comparing(tree: app_commands.CommandTree[Any]) -> None:
    """Add ``/compare``."""
    tree.add_command(_compare())


def _compare() -> Command:
    @command("compare", is_private=True, friend="friend")
    async def compare_(interaction: Interaction, friend: discord.User) -> None:
        pair = await interaction.client.services.comparing.pair(request_of(interaction), friend.id)
        await send_comparison(interaction, *pair)

    return compare_


async def send_comparison(interaction: Interaction, one: StoredGame, other: StoredGame) -> None:
    """Put two ended games on one deal side by side, for the user alone."""
    reader = await reader_of(interaction)
    draws = not reader.settings.as_text and may_attach(interaction)
    pair, metrics = (one, other), interaction.client.metrics
    page = await asyncio.to_thread(_make_page, reader, pair, interaction.user.id, metrics, draws=draws)
    await interaction.response.send_message(view=page.view, files=page.files, ephemeral=True)


class CompareView(discord.ui.LayoutView):
    """The words, and the picture where there is one."""

    def __init__(self, text: str, filename: str = "", alt: str = "") -> None:
        super().__init__(timeout=None)
        self.add_item(discord.ui.TextDisplay(text))
        if filename:
            gallery: discord.ui.MediaGallery[CompareView] = discord.ui.MediaGallery()
            gallery.add_item(media=f"attachment://{filename}", description=alt)
            self.add_item(gallery)
        self.stop()


@dataclass(frozen=True, slots=True)
class _Page:
    view: CompareView
    files: list[discord.File]


def _make_page(
    reader: Reader, pair: tuple[StoredGame, StoredGame], user_id: int, metrics: Metrics, *, draws: bool
) -> _Page:
    """Compare and draw: work for a thread."""
    texts, (one, other) = reader.texts, pair
    comparison = compare(Record.parse(one.record), Record.parse(other.record))
    names = [texts("compare-you") if g.owner_id == user_id else mention(g.owner_id) for g in pair]
    text = comparison_text(texts, comparison, *names)
    if comparison.are_same:
        return _Page(CompareView(text), [])
    why = ""
    if draws:
        try:
            return _with_picture(reader, one, comparison, text, f"parting-{one.id}-{other.id}.png")
        except Exception as error:  # noqa: BLE001 - the words say it too
            what = "could not draw where games %d and %d parted"
            why = texts("fault-not-drawn", id=report(metrics, error, what, one.id, other.id))
    lines = table_lines(texts, comparison.table)
    return _Page(CompareView("\n".join((text, "", *lines, *(("", why) if why else ())))), [])


def _with_picture(reader: Reader, one: StoredGame, comparison: Comparison, text: str, filename: str) -> _Page:
    """Return the page with the table on which they parted drawn."""
    label = contest_text(reader.texts, one)
    written = captions(reader.texts, Record.parse(one.record), comparison.table, label)
    png = draw_table(comparison.table, written, deck=reader.deck)
    alt = alt_text(reader.texts, comparison.table, parting_text(reader.texts, comparison))
    file = discord.File(io.BytesIO(png), filename=filename, description=alt)
    return _Page(CompareView(text, filename, alt), [file])
