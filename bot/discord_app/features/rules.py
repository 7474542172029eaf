"""The rules of a game as pages with pictures, turned with buttons.

Each button says by its ``custom_id`` which page it leads to, so nothing is kept in memory and the buttons of
any old message work.
"""

from __future__ import annotations

import asyncio
import io
import re
from typing import TYPE_CHECKING

import discord

from bot.discord_app.context import Reader, may_attach, reader_of
from bot.render.image import draw_table
from bot.render.prose import alt_text, captions, table_lines
from bot.service import Position
from bot.text import Texts
from bot.text.lessons import LESSONS, Lesson, lesson_text
from bot.text.lists import rules_text
from bot.text.moves import move_text
from bot.text.names import game_name
from engine import GAMES, changes, find_game

if TYPE_CHECKING:
    from bot.discord_app.client import BotClient

    Interaction = discord.Interaction[BotClient]

_PRESS = re.compile(r"rules:([a-z0-9_-]{1,32}):([0-9]{1,6}):(?:back|next|game)")
_ROW_BUTTONS = 5  # Discord's limit for one row


class RulesView(discord.ui.LayoutView):
    """The layout of a page: the words, the picture if there is one, which page it is, and the buttons."""

    def __init__(
        self,
        words: str,
        picture: discord.File | None,
        footer: str,
        buttons: list[discord.ui.Button[RulesView]],
    ) -> None:
        super().__init__(timeout=None)
        self.add_item(discord.ui.TextDisplay(words))
        if picture is not None:
            gallery: discord.ui.MediaGallery[RulesView] = discord.ui.MediaGallery()
            gallery.add_item(media=picture, description=picture.description)
            self.add_item(gallery)
        if footer:
            self.add_item(discord.ui.TextDisplay(f"-# {footer}"))
        for start in range(0, len(buttons), _ROW_BUTTONS):
            self.add_item(discord.ui.ActionRow(*buttons[start : start + _ROW_BUTTONS]))
        self.stop()  # presses are recognised by their ids, so discord.py need not keep the view in memory


async def send_rules(interaction: Interaction, game_key: str | None, page: int = 0) -> None:
    """Show a page of a game's rules to the user alone; without a game, of the first one.

    A page number that there isn't means the nearest one there is.

    :raises UnknownGame: when no game has that key.
    """
    view, files = await _open(interaction, game_key or next(iter(GAMES)), page)
    await interaction.response.send_message(view=view, files=files, ephemeral=True)


async def turn_page(interaction: Interaction, game_key: str, page: int) -> None:
    """Answer a press by showing another page in the same message.

    :raises UnknownGame: when no game has that key.
    """
    view, files = await _open(interaction, game_key, page)
    await interaction.response.edit_message(view=view, attachments=files)


def parse_rules_press(custom_id: str) -> tuple[str, int] | None:
    """Return the game and the page that a button leads to, or None for any other control."""
    found = _PRESS.fullmatch(custom_id)
    return (found[1], int(found[2])) if found else None


async def _open(interaction: Interaction, key: str, page: int) -> tuple[RulesView, list[discord.File]]:
    """Return the page as a layout, and the files that it shows."""
    find_game(key)
    reader = await reader_of(interaction)
    texts = reader.texts
    lessons = LESSONS.get(key, ())
    if not lessons:
        return RulesView(rules_text(texts, key), None, "", _game_buttons(texts, key)), []
    page = min(max(page, 0), len(lessons) - 1)
    lesson = lessons[page]
    buttons = [*_page_buttons(texts, key, page, len(lessons)), *_game_buttons(texts, key)]
    footer = texts("rulebook-page", game=game_name(texts, key), page=page + 1, pages=len(lessons))
    allowed = may_attach(interaction)
    if reader.settings.as_text or not allowed:
        words = [lesson_text(texts, lesson), "", *table_lines(texts, Position.of(lesson.record).table)]
        if not allowed:
            words += ["", texts("fault-no-picture")]
        return RulesView("\n".join(words), None, footer, buttons), []
    png, alt = await asyncio.to_thread(_illustrate, reader, lesson)
    # Discord keeps pictures by name.
    name = f"{lesson.key}-{texts.language}.png"
    picture = discord.File(io.BytesIO(png), filename=name, description=alt)
    return RulesView(lesson_text(texts, lesson), picture, footer, buttons), [picture]


def _illustrate(reader: Reader, lesson: Lesson) -> tuple[bytes, str]:
    """Return the picture of a lesson's position as a PNG file, and its alt text: the last move, the table."""
    position = Position.of(lesson.record)
    before, table = position.before, position.table
    changed = changes(before, table) if before else frozenset()
    png = draw_table(table, captions(reader.texts, lesson.record, table), changed, reader.deck)
    headline = move_text(reader.texts, before, lesson.record.moves[-1]) if before else ""
    return png, alt_text(reader.texts, table, headline)


def _page_buttons(texts: Texts, key: str, page: int, pages: int) -> list[discord.ui.Button[RulesView]]:
    return [
        discord.ui.Button(
            label=texts("rulebook-back"),
            disabled=page == 0,
            custom_id=f"rules:{key}:{max(page - 1, 0)}:back",
        ),
        discord.ui.Button(
            label=texts("rulebook-next"),
            style=discord.ButtonStyle.primary,
            disabled=page == pages - 1,
            custom_id=f"rules:{key}:{min(page + 1, pages - 1)}:next",
        ),
    ]


def _game_buttons(texts: Texts, key: str) -> list[discord.ui.Button[RulesView]]:
    return [
        discord.ui.Button(
            label=texts("rulebook-game", game=game_name(texts, other)), custom_id=f"rules:{other}:0:game"
        )
        for other in GAMES
        if other != key
    ]
