"""A turn as a message with controls: posted, edited in place, and retired when another message takes over.

The message is built of Discord's layout components (Components V2). With them the picture stands where it
is put, between the headline and the controls, also after an edit, and has its own alt text; classic
attachments move about when a message is edited. What it costs is that all text is in components too.

A game has one live table: whenever a message gets its controls, the message that had them before loses
them. Where that is can't be edited any more, its buttons still work: a press brings the present table there.
"""

from __future__ import annotations

import asyncio
import io
import json
import logging
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import asdict, dataclass, replace
from enum import Enum, auto
from functools import partial
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import aiohttp
import discord

from bot.discord_app.controls import Controls, Panel, Row
from bot.discord_app.delivery import ALREADY_ANSWERED
from bot.discord_app.errors import NO_PINGS, TEXT_MAX_CHARACTERS, report
from bot.discord_app.reader import Reader, may_attach
from bot.metrics import Metrics
from bot.render.image import draw_table
from bot.render.prose import alt_text, captions, table_lines
from bot.service import Deed, Turn
from bot.storage import LiveTable, StoreError
from bot.text.turns import best_text, footer_text, headline_text, label_text
from bot.trace import RENDER, SEND, measure

if TYPE_CHECKING:
    from bot.discord_app.client import SolitaireClient

    Interaction = discord.Interaction[SolitaireClient]

log = logging.getLogger(__name__)

_MAX_TOKENS = 500
_THREADS = 2

RETIRE_S = 1.0  # the player's next press waits until the controls are off the table before
# Editing a message can fail for good: it is gone, too often edited, out of reach, or its token expired.
_UNEDITABLE = {10003, 10008, 10062, 30046, 50001, 50005, 50013, 50027}


class _Draw(Enum):
    """Whether a table is drawn."""

    YES = auto()
    NO = auto()
    NOT_ALLOWED = auto()


@dataclass(frozen=True, slots=True)
class Face:
    """A table's message without its controls: what it says, and the file that it shows, if any."""

    headline: str
    footer: str
    filename: str = ""
    alt: str = ""


class TableView(discord.ui.LayoutView):
    """The layout of a table's message."""

    def __init__(self, face: Face, rows: list[Row]) -> None:
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
class _Sheet:
    """What is sent: the face, the picture's bytes (empty where there is none), and the controls.

    Where it is private, only the player sees it.
    """

    face: Face
    png: bytes
    rows: list[Row]
    is_private: bool

    @property
    def view(self) -> TableView:
        return TableView(self.face, self.rows)

    @property
    def files(self) -> list[discord.File]:
        """A new file each time, since a file object can be sent only once."""
        if not self.png:
            return []
        return [discord.File(io.BytesIO(self.png), filename=self.face.filename, description=self.face.alt)]


@dataclass(frozen=True, slots=True)
class _Reach:
    """By which interaction's token a message can be edited, and which controls it shows."""

    token: str
    panel: Panel


class Tables:
    """Puts tables into channels."""

    def __init__(self, client: SolitaireClient) -> None:
        self._client = client
        # Messages that only an interaction's token can reach (a user's own installation, ephemeral ones).
        # A token lasts fifteen minutes, so a few hundred are enough and no more are kept.
        self._reaches: OrderedDict[int, _Reach] = OrderedDict()
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        # Few, since more would only take the interpreter from one another and from the event loop.
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="table")

    async def post(
        self,
        interaction: Interaction,
        reader: Reader,
        turn: Turn,
        preface: str = "",
        *,
        panel: Panel = Panel.MAIN,
    ) -> None:
        """Answer with a new message that shows the table; ``preface`` is put before the headline."""
        self._client.cards.note(turn)
        async with self._turn_of(turn.game.id):
            turn = await self._client.play.newest(turn)  # it may have moved on while this answer waited
            sheet = await self._sheet(interaction, reader, turn, preface, panel)
            with measure(SEND):
                message_id = await self._send(interaction, sheet)
            await self._settle(interaction, reader, turn, message_id, sheet.face, panel)

    async def update(
        self,
        interaction: Interaction,
        reader: Reader,
        turn: Turn,
        preface: str = "",
        *,
        panel: Panel = Panel.MAIN,
        page: int = 0,
    ) -> None:
        """Answer a press by changing the pressed message; where that is refused, post the table anew."""
        self._client.cards.note(turn)
        async with self._turn_of(turn.game.id):
            turn = await self._client.play.newest(turn)  # it may have moved on while this answer waited
            sheet = await self._sheet(interaction, reader, turn, preface, panel, page)
            with measure(SEND):
                message_id = await self._edit(interaction, sheet)
            await self._settle(interaction, reader, turn, message_id, sheet.face, panel)

    async def amend(self, reader: Reader, turn: Turn, message_id: int) -> None:
        """Add to the game's table how well it could have been played, as ``turn`` knows; the picture stays.

        Where the table is no longer in that message, the game has moved on, or it is said already, nothing is
        changed.

        :raises discord.HTTPException: when Discord refuses it.
        """
        async with self._turn_of(turn.game.id):
            newest = await self._client.play.newest(turn)
            reach = self._reaches.get(message_id)
            live = await self._client.play.live_table(turn.game.id)
            if newest.game.revision != turn.game.revision or reach is None:
                return
            if live is None or live.message_id != message_id:
                return
            face, best = Face(**json.loads(live.remains)), best_text(reader.texts, turn)
            if best in face.headline:
                return
            face = replace(face, headline=f"{face.headline}\n{best}".strip())
            rows = Controls(reader.texts, turn).rows(reach.panel)
            await self._client.play.place_table(turn.game.id, replace(live, remains=json.dumps(asdict(face))))
            await self._webhook(reach.token).edit_message(message_id, view=TableView(face, rows))

    def close(self) -> None:
        """Draw no more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _webhook(self, token: str) -> discord.Webhook:
        """Return what reaches messages by an interaction's token."""
        assert self._client.application_id is not None
        return discord.Webhook.partial(self._client.application_id, token, client=self._client)

    def _turn_of(self, game_id: int) -> asyncio.Lock:
        """Return what lets the answers about one game go out one after the other."""
        lock = self._locks.get(game_id)
        if lock is None:
            lock = self._locks[game_id] = asyncio.Lock()
        return lock

    async def _edit(self, interaction: Interaction, sheet: _Sheet) -> int | None:
        """Change the pressed message, or send a new one where that is refused; return the message's id."""
        try:
            await interaction.response.edit_message(view=sheet.view, attachments=sheet.files)
        except discord.HTTPException as error:
            if error.code == ALREADY_ANSWERED:  # at its first delivery, when it was delivered twice
                return None
            if error.code not in _UNEDITABLE:
                raise
            log.info("a table's message can't be edited (%d); posting anew", error.code)
            return await self._send(interaction, sheet)
        return interaction.message.id if interaction.message else None

    async def _sheet(
        self,
        interaction: Interaction,
        reader: Reader,
        turn: Turn,
        preface: str,
        panel: Panel = Panel.MAIN,
        page: int = 0,
    ) -> _Sheet:
        """Make a message's content in a worker thread: drawing and looking for moves would hold up others."""
        if reader.settings.as_text:
            draw = _Draw.NO
        else:
            draw = _Draw.YES if may_attach(interaction) else _Draw.NOT_ALLOWED
        make = partial(_make_sheet, reader, turn, preface, panel, page, draw, self._client.metrics)
        in_context = partial(copy_context().run, make)
        with measure(RENDER):
            return await asyncio.get_running_loop().run_in_executor(self._threads, in_context)

    async def _send(self, interaction: Interaction, sheet: _Sheet) -> int | None:
        """Send a new message and return its id; into the channel where the interaction is of no more use."""
        private = sheet.is_private
        try:
            if interaction.response.is_done():
                sent = await interaction.followup.send(
                    view=sheet.view, files=sheet.files, ephemeral=private, wait=True
                )
                return sent.id
            response = await interaction.response.send_message(
                view=sheet.view, files=sheet.files, ephemeral=private
            )
            return response.message_id
        except discord.HTTPException as error:
            if error.code == ALREADY_ANSWERED:  # at its first delivery, when it was delivered twice
                return None
            channel = interaction.channel
            if error.code not in _UNEDITABLE or private or not isinstance(channel, discord.abc.Messageable):
                raise
            return (await channel.send(view=sheet.view, files=sheet.files)).id

    async def _settle(
        self,
        interaction: Interaction,
        reader: Reader,
        turn: Turn,
        message_id: int | None,
        face: Face,
        panel: Panel,
    ) -> None:
        """Note where the controls are now, take them off the message that had them, and think on."""
        if message_id is None or interaction.channel_id is None:
            return
        self._reaches[message_id] = _Reach(interaction.token, panel)
        self._reaches.move_to_end(message_id)
        while len(self._reaches) > _MAX_TOKENS:
            self._reaches.popitem(last=False)
        place = LiveTable(interaction.channel_id, message_id, json.dumps(asdict(face)))
        try:
            before = await self._client.play.place_table(turn.game.id, place)
        except StoreError:  # the player has the table; the buttons of the one before work too
            log.exception("could not note where the table of game %d is", turn.game.id)
            before = None
        if before is not None:
            await self._retire(before)
        self._client.afterwards.consider(interaction, reader, turn, message_id)

    async def _retire(self, table: LiveTable) -> None:
        """Take the controls off a message; its headline and picture stay."""
        view = TableView(Face(**json.loads(table.remains)), [])
        reach = self._reaches.pop(table.message_id, None)
        try:
            async with asyncio.timeout(RETIRE_S):
                await self._edit_anywhere(table, reach, view)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            # Its buttons stay, and a press on one brings the present table there.
            log.info("can't take the controls off message %d: %r", table.message_id, error)

    async def _edit_anywhere(self, table: LiveTable, reach: _Reach | None, view: TableView) -> None:
        """Change a message by its token, where there is one that still works, or else in its channel."""
        if reach is not None:
            try:
                await self._webhook(reach.token).edit_message(table.message_id, view=view)
            except discord.HTTPException:
                log.debug("the token of message %d is of no more use", table.message_id)
            else:
                return
        channel = self._client.get_partial_messageable(table.channel_id)
        await channel.get_partial_message(table.message_id).edit(view=view, allowed_mentions=NO_PINGS)


def _make_sheet(
    reader: Reader, turn: Turn, preface: str, panel: Panel, page: int, draw: _Draw, metrics: Metrics
) -> _Sheet:
    """Return what is sent: the picture with its controls, or the table in words where there can be none."""
    texts = reader.texts
    headline = "\n".join(filter(None, (preface, headline_text(texts, turn))))
    footer = footer_text(texts, turn)
    rows = Controls(texts, turn).rows(panel, page)
    private = reader.settings.is_private or turn.is_secret
    why = texts("fault-no-picture") if draw is _Draw.NOT_ALLOWED else ""
    if draw is _Draw.YES:
        try:
            written = captions(texts, turn.position.record, turn.table, label_text(texts, turn))
            png = draw_table(turn.table, written, turn.changed, reader.deck)
        except Exception as error:  # noqa: BLE001 - the move is made: the player must see where the game stands
            why = texts("fault-not-drawn", id=report(metrics, error, "could not draw game %d", turn.game.id))
        else:
            alt = alt_text(texts, turn.table, headline_text(texts, turn))
            return _Sheet(Face(headline, footer, _filename(turn), alt), png, rows, private)
    words = "\n".join((headline, *table_lines(texts, turn.table), *(("", why) if why else ())))
    return _Sheet(Face(words, footer), b"", rows, private)


def _filename(turn: Turn) -> str:
    """Return the picture's name. Discord keeps pictures by name, so it says revision and kind of mark."""
    mark = "-hint" if turn.deed is Deed.HINTED else ""
    return f"table-{turn.game.id}-{turn.game.revision}{mark}.png"
