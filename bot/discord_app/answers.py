"""A turn as a message: a headline, the picture of the table, and what is played.

The message is built of Discord's layout components (Components V2): with them the picture stands where it
is put, between the headline and whatever follows, also after the message was edited, and carries its own
alt text. Classic attachments move about on edits.
"""

from __future__ import annotations

import asyncio
import io

import discord

from bot.discord_app.localisation import texts_of
from bot.render.image import draw_table
from bot.render.prose import alt_text, captions, table_lines
from bot.service import Turn
from bot.text import Texts
from bot.text.turns import footer_text, headline_text


class TableView(discord.ui.LayoutView):
    """The layout of a table's message."""

    def __init__(self, headline: str, picture: discord.File | None, footer: str) -> None:
        super().__init__(timeout=None)
        self.add_item(discord.ui.TextDisplay(headline))
        if picture is not None:
            gallery: discord.ui.MediaGallery[TableView] = discord.ui.MediaGallery()
            gallery.add_item(media=picture, description=picture.description)
            self.add_item(gallery)
        self.add_item(discord.ui.TextDisplay(f"-# {footer}"))
        self.stop()  # nothing waits for it, so discord.py need not keep it in memory


async def send_turn(interaction: discord.Interaction, turn: Turn, preface: str = "") -> None:
    """Answer with the table; ``preface`` is put before the headline.

    Without the permission to attach files the table is sent in words, with a sentence that says so.
    """
    texts = texts_of(interaction)
    headline = "\n".join(filter(None, (preface, headline_text(texts, turn))))
    footer = footer_text(texts, turn)
    if interaction.guild_id is None or interaction.app_permissions.attach_files:
        picture = await picture_file(texts, turn)
        await interaction.response.send_message(view=TableView(headline, picture, footer), file=picture)
    else:
        words = "\n".join((headline, *table_lines(texts, turn.table), "", texts("fault-no-picture")))
        await interaction.response.send_message(view=TableView(words, None, footer))


async def picture_file(texts: Texts, turn: Turn) -> discord.File:
    """Draw the table in a worker thread; return a new file each time, since a file can be sent only once.

    The file's name carries the revision, because Discord keeps pictures by name.
    """
    written = captions(texts, turn.position.record, turn.table)
    png = await asyncio.to_thread(draw_table, turn.table, written, turn.changed)
    return discord.File(
        io.BytesIO(png),
        filename=f"table-{turn.game.id}-{turn.game.revision}.png",
        description=alt_text(texts, turn.table, headline_text(texts, turn)),
    )
