"""A table as a message: the picture, the words around it, and the controls."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import asdict, dataclass
from enum import Enum, auto
from functools import partial
from typing import Self

from bot.discord_app.context import Context
from bot.discord_app.layout import TEXT_MAX_CHARACTERS, Message, Picture, Row
from bot.discord_app.tables.controls import Controls, Panel
from bot.render.image import draw_table
from bot.render.prose import alt_text, captions, table_lines
from bot.service import Turn, TurnAction
from bot.telemetry.error_reports import report_error
from bot.text.turns import footer_text, headline_text, label_text

# More would only compete for the interpreter with one another and with the event loop.
THREADS = 2


class RenderMode(Enum):
    """Whether a table is drawn, and how."""

    FULL = auto()
    FAST = auto()  # larger files, while many wait
    TEXT = auto()
    NOT_ALLOWED = auto()  # as text, and the message says why


@dataclass(frozen=True, slots=True)
class View:
    """Which controls are shown: the panel, and the page of its menu of moves."""

    panel: Panel = Panel.MAIN
    page: int = 0


@dataclass(frozen=True, slots=True)
class MessageContent:
    """A table's message without its controls: the words, and the file that it shows, if any."""

    headline: str
    footer: str
    filename: str = ""
    alt: str = ""

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what :meth:`to_json` wrote."""
        return cls(**json.loads(text))

    def to_json(self) -> str:
        """Return it as it is stored with the game's live table."""
        return json.dumps(asdict(self))

    def message(self, rows: list[Row], png: bytes = b"") -> Message:
        """Return it as a message; without ``png`` the picture is the one already attached."""
        footer = f"-# {self.footer}"
        picture = [Picture(self.filename, self.alt, png)] if self.filename else []
        return Message(self.headline[: TEXT_MAX_CHARACTERS - len(footer)], *picture, footer, *rows)


@dataclass(frozen=True, slots=True)
class TableMessage:
    """A table ready to be sent. Where it is private, only the player may see it."""

    content: MessageContent
    message: Message
    is_private: bool


class TableMessageBuilder:
    """Builds messages in threads: drawing and looking for moves would block other players."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="table")

    async def build(
        self, ctx: Context, turn: Turn, preface: str, view: View, mode: RenderMode
    ) -> TableMessage:
        """Return the message of a turn; ``preface`` is put before the headline.

        A picture that fails is logged, and the table is written with the error's id: the move is made, so the
        player must see where the game stands.
        """
        # Words and picture in one job: two threads would only hand the interpreter to and fro.
        build = partial(copy_context().run, _build, ctx, turn, preface, view, mode)
        return await asyncio.get_running_loop().run_in_executor(self._threads, build)

    def close(self) -> None:
        """Build no more."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _build(ctx: Context, turn: Turn, preface: str, view: View, mode: RenderMode) -> TableMessage:
    why = ""
    if mode in (RenderMode.FULL, RenderMode.FAST):
        try:
            png = _draw(ctx, turn, hurry=mode is RenderMode.FAST)
        except Exception as error:  # noqa: BLE001 - the table can be written
            error_id = report_error(ctx.app.metrics, error, "could not draw game %d", turn.game.id)
            why = ctx.texts("fault-not-drawn", id=error_id)
        else:
            return _write(ctx, turn, preface, view, png)
    elif mode is RenderMode.NOT_ALLOWED:
        why = ctx.texts("fault-no-picture")
    return _write(ctx, turn, preface, view, why=why)


def _draw(ctx: Context, turn: Turn, *, hurry: bool) -> bytes:
    written = captions(ctx.texts, turn.position.record, turn.table, label_text(ctx.texts, turn))
    return draw_table(turn.table, written, turn.changed, ctx.deck, hurry=hurry)


def _write(
    ctx: Context, turn: Turn, preface: str, view: View, png: bytes = b"", why: str = ""
) -> TableMessage:
    """Return the message with a picture, or with the table in words and why it isn't drawn."""
    texts = ctx.texts
    told = headline_text(texts, turn)
    headline, footer = "\n".join(filter(None, (preface, told))), footer_text(texts, turn)
    if png:
        content = MessageContent(headline, footer, _filename(turn), alt_text(texts, turn.table, told))
    else:
        lines = table_lines(texts, turn.table)
        content = MessageContent("\n".join((headline, *lines, *(("", why) if why else ()))), footer)
    rows = Controls(texts, turn).rows(view.panel, view.page)
    is_private = ctx.settings.is_private or turn.is_secret
    return TableMessage(content, content.message(rows, png), is_private)


def _filename(turn: Turn) -> str:
    """Return the picture's name. Discord caches by name, so it has the revision and the kind of mark."""
    mark = "-hint" if turn.action is TurnAction.HINTED else ""
    return f"table-{turn.game.id}-{turn.game.revision}{mark}.png"
