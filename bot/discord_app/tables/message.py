"""What a table's message is made of: the picture, the words around it, and the controls.

The message is built of Discord's layout components (Components V2). With them the picture stands where it
is put, between the headline and the controls, also after an edit, and has its own alt text; classic
attachments move about when a message is edited. What it costs is that all text is in components too.
"""

from __future__ import annotations

import asyncio
import io
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from enum import Enum, auto
from functools import partial

import discord

from bot.discord_app.context import Reader
from bot.discord_app.errors import TEXT_MAX_CHARACTERS, report
from bot.discord_app.tables.controls import Controls, Panel, Row
from bot.render.image import draw_table
from bot.render.prose import alt_text, captions, table_lines
from bot.service import Turn, TurnAction
from bot.telemetry.metrics import Metrics
from bot.text.turns import footer_text, headline_text, label_text

# More would only take the interpreter from one another and from the event loop.
THREADS = 2


class Draw(Enum):
    """Whether a table is drawn."""

    YES = auto()
    HURRIEDLY = auto()  # where many wait
    NO = auto()
    NOT_ALLOWED = auto()


@dataclass(frozen=True, slots=True)
class Place:
    """Which controls are shown: of which panel, and which page of the menu."""

    panel: Panel = Panel.MAIN
    page: int = 0


@dataclass(frozen=True, slots=True)
class MessageContent:
    """A table's message without its controls: what it says, and the file that it shows, if any."""

    headline: str
    footer: str
    filename: str = ""
    alt: str = ""


class TableView(discord.ui.LayoutView):
    """The layout of a table's message."""

    def __init__(self, face: MessageContent, rows: list[Row]) -> None:
        super().__init__(timeout=None)
        footer = f"-# {face.footer}"
        self.add_item(discord.ui.TextDisplay(face.headline[: TEXT_MAX_CHARACTERS - len(footer)]))
        if face.filename:
            gallery: discord.ui.MediaGallery[TableView] = discord.ui.MediaGallery()
            gallery.add_item(media=f"attachment://{face.filename}", description=face.alt)
            self.add_item(gallery)
        self.add_item(discord.ui.TextDisplay(footer))
        for row in rows:
            self.add_item(row)
        self.stop()  # presses are recognised by their ids, so discord.py need not keep the view in memory


@dataclass(frozen=True, slots=True)
class TableMessage:
    """What is sent: the face, the picture's bytes (empty where there is none), and the controls.

    Where it is private, only the player sees it.
    """

    face: MessageContent
    png: bytes
    rows: list[Row]
    is_private: bool

    @property
    def view(self) -> TableView:
        """A new view each time, as a view belongs to one message."""
        return TableView(self.face, self.rows)

    @property
    def files(self) -> list[discord.File]:
        """A new file each time, since a file object can be sent only once."""
        if not self.png:
            return []
        return [discord.File(io.BytesIO(self.png), filename=self.face.filename, description=self.face.alt)]


class TableMessageBuilder:
    """Makes what is sent, in threads: drawing and looking for moves would hold up others."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="table")

    async def make(self, reader: Reader, turn: Turn, preface: str, place: Place, draw: Draw) -> TableMessage:
        """Return the message of a turn; ``preface`` is put before the headline.

        Where the table isn't drawn, it is written. A picture that fails is logged, and its id stands in the
        message: the move is made, so the player must see where the game stands.
        """
        # Words and picture in one go: two threads would only hand the interpreter to and fro.
        make = partial(copy_context().run, self._make, reader, turn, preface, place, draw)
        return await asyncio.get_running_loop().run_in_executor(self._threads, make)

    def _make(self, reader: Reader, turn: Turn, preface: str, place: Place, draw: Draw) -> TableMessage:
        why = ""
        if draw in (Draw.YES, Draw.HURRIEDLY):
            try:
                png = _draw(reader, turn, hurry=draw is Draw.HURRIEDLY)
            except Exception as error:  # noqa: BLE001 - whatever it is, the table can be written
                error_id = report(self._metrics, error, "could not draw game %d", turn.game.id)
                why = reader.texts("fault-not-drawn", id=error_id)
            else:
                return _write(reader, turn, preface, place, png)
        elif draw is Draw.NOT_ALLOWED:
            why = reader.texts("fault-no-picture")
        return _write(reader, turn, preface, place, why=why)

    def close(self) -> None:
        """Make no more."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _draw(reader: Reader, turn: Turn, *, hurry: bool) -> bytes:
    written = captions(reader.texts, turn.position.record, turn.table, label_text(reader.texts, turn))
    return draw_table(turn.table, written, turn.changed, reader.deck, hurry=hurry)


def _write(
    reader: Reader, turn: Turn, preface: str, place: Place, png: bytes = b"", why: str = ""
) -> TableMessage:
    """Return the message with that picture, or with the table in words and why it isn't drawn."""
    texts = reader.texts
    told = headline_text(texts, turn)
    headline, footer = "\n".join(filter(None, (preface, told))), footer_text(texts, turn)
    if png:
        face = MessageContent(headline, footer, _filename(turn), alt_text(texts, turn.table, told))
    else:
        lines = table_lines(texts, turn.table)
        face = MessageContent("\n".join((headline, *lines, *(("", why) if why else ()))), footer)
    rows = Controls(texts, turn).rows(place.panel, place.page)
    return TableMessage(face, png, rows, reader.settings.is_private or turn.is_secret)


def _filename(turn: Turn) -> str:
    """Return the picture's name. Discord keeps pictures by name, so it says revision and kind of mark."""
    mark = "-hint" if turn.action is TurnAction.HINTED else ""
    return f"table-{turn.game.id}-{turn.game.revision}{mark}.png"
