"""A turn as a message with controls: posted, edited in place, and retired when another message takes over.

A game has one live table: whenever a message gets its controls, the message that had them before loses
them. Where that is can't be edited any more, its buttons still work: a press brings the present table there.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections import OrderedDict
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

import aiohttp
import discord

from bot.discord_app.context import Reader, may_attach
from bot.discord_app.errors import NO_PINGS
from bot.discord_app.tables.controls import Controls, Panel
from bot.discord_app.tables.message import (
    Draw,
    MessageContent,
    Place,
    TableMessage,
    TableMessageBuilder,
    TableView,
)
from bot.discord_app.transport.webhook_adapter import ALREADY_ANSWERED
from bot.service import Turn
from bot.storage import LiveTable, StoreError
from bot.telemetry.trace import RENDER, SEND, measure
from bot.text.turns import best_text

if TYPE_CHECKING:
    from bot.discord_app.client import BotClient

    Interaction = discord.Interaction[BotClient]

log = logging.getLogger(__name__)

_MAX_TOKENS = 500

RETIRE_S = 1.0  # the player's next press waits until the controls are off the table before
# Editing a message can fail for good: it is gone, too often edited, out of reach, or its token expired.
_UNEDITABLE = {10003, 10008, 10062, 30046, 50001, 50005, 50013, 50027}


@dataclass(frozen=True, slots=True)
class _Reach:
    """By which interaction's token a message can be edited, and which controls it shows."""

    token: str
    panel: Panel


class Tables:
    """Puts tables into channels."""

    def __init__(self, client: BotClient) -> None:
        self._client = client
        # Messages that only an interaction's token can reach (a user's own installation, ephemeral ones).
        # A token lasts fifteen minutes, so a few hundred are enough and no more are kept.
        self._reaches: OrderedDict[int, _Reach] = OrderedDict()
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._sheets = TableMessageBuilder(client.metrics)

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
            turn = await self._client.games.newest(turn)  # it may have moved on while this answer waited
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
            turn = await self._client.games.newest(turn)  # it may have moved on while this answer waited
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
            newest = await self._client.games.newest(turn)
            reach = self._reaches.get(message_id)
            live = await self._client.games.live_table(turn.game.id)
            if newest.game.revision != turn.game.revision or reach is None:
                return
            if live is None or live.message_id != message_id:
                return
            face, best = MessageContent(**json.loads(live.content_json)), best_text(reader.texts, turn)
            if best in face.headline:
                return
            face = replace(face, headline=f"{face.headline}\n{best}".strip())
            rows = Controls(reader.texts, turn).rows(reach.panel)
            await self._client.games.place_table(
                turn.game.id, replace(live, content_json=json.dumps(asdict(face)))
            )
            await self._webhook(reach.token).edit_message(message_id, view=TableView(face, rows))

    def close(self) -> None:
        """Draw no more."""
        self._sheets.close()

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

    async def _edit(self, interaction: Interaction, sheet: TableMessage) -> int | None:
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
    ) -> TableMessage:
        """Make a message's content as the player likes it, and as the channel allows it."""
        if reader.settings.as_text:
            draw = Draw.NO
        else:
            draw = Draw.HURRIEDLY if self._client.deferrer.is_busy else Draw.YES
            draw = draw if may_attach(interaction) else Draw.NOT_ALLOWED
        with measure(RENDER):
            return await self._sheets.make(reader, turn, preface, Place(panel, page), draw)

    async def _send(self, interaction: Interaction, sheet: TableMessage) -> int | None:
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
        face: MessageContent,
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
            before = await self._client.games.place_table(turn.game.id, place)
        except StoreError:  # the player has the table; the buttons of the one before work too
            log.exception("could not note where the table of game %d is", turn.game.id)
            before = None
        if before is not None:
            await self._retire(before)
        self._client.follow_ups.consider(interaction, reader, turn, message_id)

    async def _retire(self, table: LiveTable) -> None:
        """Take the controls off a message; its headline and picture stay."""
        view = TableView(MessageContent(**json.loads(table.content_json)), [])
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
