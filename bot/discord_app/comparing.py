"""``/compare``, and the answer to Compare under a challenge: two games on one deal, to the user alone."""

from __future__ import annotations

import asyncio
import io
import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.discord_app.declare import Command, command, request_of
from bot.discord_app.reader import Reader, may_attach, reader_of
from bot.render.image import draw_table
from bot.render.prose import alt_text, captions, table_lines
from bot.service import Comparison, compare
from bot.storage import StoredGame
from bot.text.challenges import mention
from bot.text.comparing import comparison_text, parting_text
from bot.text.turns import contest_text
from engine import Record

if TYPE_CHECKING:
    from bot.discord_app.client import SolitaireClient

    Interaction = discord.Interaction[SolitaireClient]
else:
    Interaction = discord.Interaction

log = logging.getLogger(__name__)


def add_comparing(tree: app_commands.CommandTree[Any]) -> None:
    """Add ``/compare``."""
    tree.add_command(_compare())


def _compare() -> Command:
    @command("compare", friend="friend")
    async def compare_(interaction: Interaction, friend: discord.User) -> None:
        pair = await interaction.client.services.comparing.pair(request_of(interaction), friend.id)
        await send_comparison(interaction, *pair)

    return compare_


async def send_comparison(interaction: Interaction, one: StoredGame, other: StoredGame) -> None:
    """Put two ended games on one deal side by side, for the user alone."""
    reader = await reader_of(interaction)
    draws = not reader.settings.as_text and may_attach(interaction)
    page = await asyncio.to_thread(_make_page, reader, one, other, interaction.user.id, draws=draws)
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


def _make_page(reader: Reader, one: StoredGame, other: StoredGame, user_id: int, *, draws: bool) -> _Page:
    """Compare and draw: work for a thread."""
    texts = reader.texts
    comparison = compare(Record.parse(one.record), Record.parse(other.record))
    names = [texts("compare-you") if g.owner_id == user_id else mention(g.owner_id) for g in (one, other)]
    text = comparison_text(texts, comparison, *names)
    if comparison.are_same:
        return _Page(CompareView(text), [])
    if draws and (png := _draw(reader, one, comparison)):
        alt = alt_text(texts, comparison.table, parting_text(texts, comparison))
        filename = f"parting-{one.id}-{other.id}.png"
        file = discord.File(io.BytesIO(png), filename=filename, description=alt)
        return _Page(CompareView(text, filename, alt), [file])
    return _Page(CompareView("\n".join((text, "", *table_lines(texts, comparison.table)))), [])


def _draw(reader: Reader, one: StoredGame, comparison: Comparison) -> bytes:
    """Return the table on which they parted as a picture, or nothing where that fails."""
    label = contest_text(reader.texts, one)
    written = captions(reader.texts, Record.parse(one.record), comparison.table, label)
    try:
        return draw_table(comparison.table, written, deck=reader.deck)
    except Exception:  # the words say it too
        log.exception("could not draw where games %d and its like parted", one.id)
        return b""
