"""Tables in channels: posted, edited in place, and retired when another message takes over.

A game has one live table: when a message gets its controls, the message that had them before loses them. If
that one can't be edited any more, its buttons still work: a press brings the current table there.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from weakref import WeakValueDictionary

import aiohttp
import discord
from cachetools import LRUCache

from bot.discord_app.context import App, Context
from bot.discord_app.errors import ErrorAnswers
from bot.discord_app.layout import NO_PINGS, Message, buttons_below
from bot.discord_app.tables.controls import Controls, Panel, same_deal_button
from bot.discord_app.tables.message import (
    MessageContent,
    RenderMode,
    TableMessage,
    TableMessageBuilder,
    View,
)
from bot.discord_app.transport.webhook_adapter import ALREADY_ANSWERED
from bot.service import NotYours, StaleTable, Turn
from bot.storage import LiveTable, StoreError
from bot.telemetry.trace import RENDER, SEND, measure
from bot.text.failures import failure_text
from bot.text.turns import best_text

log = logging.getLogger(__name__)

_Deliver = Callable[[Context, TableMessage], Awaitable[int | None]]

MAX_TOKENS = 500
RETIRE_S = 1.0  # the player's next press waits until the old table has lost its controls
# A message can't be edited any more: it is gone, edited too often, out of reach, or its token has expired.
_UNEDITABLE = {10003, 10008, 10062, 30046, 50001, 50005, 50013, 50027}


@dataclass(frozen=True, slots=True)
class Reach:
    """The token by which a message can be edited, and the controls it shows."""

    token: str
    panel: Panel


class Tables:
    """Answers interactions with tables.

    ``on_shown`` are called with each turn about to be shown, ``on_placed`` with the context, the turn and the
    id of the message that shows it.
    """

    def __init__(self, app: App, errors: ErrorAnswers) -> None:
        self._app = app
        self.on_shown: list[Callable[[Turn], None]] = []
        self.on_placed: list[Callable[[Context, Turn, int], None]] = []
        # By message id. Some messages (of a user's own installation, ephemeral ones) can only be edited with
        # an interaction's token, which lasts fifteen minutes.
        self._reaches: LRUCache[int, Reach] = LRUCache(MAX_TOKENS)
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._builder = TableMessageBuilder()
        errors.register(StaleTable, self._answer_stale)
        errors.register(NotYours, _offer_same_deal)

    async def post(self, ctx: Context, turn: Turn, preface: str = "", *, panel: Panel = Panel.MAIN) -> None:
        """Answer with a new message that shows the table; ``preface`` is put before the headline."""
        await self._show(ctx, turn, preface, View(panel), self._send)

    async def update(
        self, ctx: Context, turn: Turn, preface: str = "", *, panel: Panel = Panel.MAIN, page: int = 0
    ) -> None:
        """Answer a press by editing its message; if Discord refuses, post the table anew."""
        await self._show(ctx, turn, preface, View(panel, page), self._edit)

    async def _show(self, ctx: Context, turn: Turn, preface: str, view: View, deliver: _Deliver) -> None:
        for listener in self.on_shown:
            listener(turn)
        async with self._lock(turn.game.id):
            turn = await ctx.services.games.newest(turn)  # it may have moved on while this waited
            with measure(RENDER):
                table = await self._builder.build(ctx, turn, preface, view, self._mode(ctx))
            with measure(SEND):
                message_id = await deliver(ctx, table)
            await self._settle(ctx, turn, message_id, table.content, view.panel)

    async def amend(self, ctx: Context, turn: Turn, message_id: int) -> None:
        """Add to the game's table how well it could have been played, as ``turn`` knows; the picture stays.

        Nothing is changed if the table is no longer in that message, the game has moved on, or it is said
        already.

        :raises discord.HTTPException: when Discord refuses it.
        """
        games, live_tables = ctx.services.games, ctx.services.live_tables
        async with self._lock(turn.game.id):
            newest = await games.newest(turn)
            reach = self._reaches.get(message_id)
            live = await live_tables.of(turn.game.id)
            if newest.game.revision != turn.game.revision or reach is None:
                return
            if live is None or live.message_id != message_id:
                return
            content, best = MessageContent.from_json(live.content_json), best_text(ctx.texts, turn)
            if best in content.headline:
                return
            content = replace(content, headline=f"{content.headline}\n{best}".strip())
            rows = Controls(ctx.texts, turn).rows(reach.panel)
            await live_tables.place(turn.game.id, replace(live, content_json=content.to_json()))
            await self._webhook(reach.token).edit_message(message_id, view=content.message(rows).view)

    def close(self) -> None:
        """Draw no more."""
        self._builder.close()

    def _mode(self, ctx: Context) -> RenderMode:
        if ctx.settings.as_text:
            return RenderMode.TEXT
        if not ctx.may_attach:
            return RenderMode.NOT_ALLOWED
        return RenderMode.FAST if self._app.deferrer.is_busy else RenderMode.FULL

    def _webhook(self, token: str) -> discord.Webhook:
        """Return what edits messages by an interaction's token."""
        client = self._app.client
        assert client.application_id is not None
        return discord.Webhook.partial(client.application_id, token, client=client)

    def _lock(self, game_id: int) -> asyncio.Lock:
        """Return the lock by which answers about one game go out one after another."""
        return self._locks.setdefault(game_id, asyncio.Lock())

    async def _edit(self, ctx: Context, table: TableMessage) -> int | None:
        """Edit the pressed message, or send a new one if that is refused; return the message's id."""
        interaction, message = ctx.interaction, table.message
        try:
            await interaction.response.edit_message(view=message.view, attachments=message.files)
        except discord.HTTPException as error:
            if error.code == ALREADY_ANSWERED:  # delivered twice; the first delivery was answered
                return None
            if error.code not in _UNEDITABLE:
                raise
            log.info("a table's message can't be edited (%d); posting anew", error.code)
            return await self._send(ctx, table)
        return interaction.message.id if interaction.message else None

    async def _send(self, ctx: Context, table: TableMessage) -> int | None:
        """Send a new message, into the channel if the interaction has expired; return its id."""
        interaction, message, private = ctx.interaction, table.message, table.is_private
        try:
            if interaction.response.is_done():
                sent = await interaction.followup.send(
                    view=message.view, files=message.files, ephemeral=private, wait=True
                )
                return sent.id
            response = await interaction.response.send_message(
                view=message.view, files=message.files, ephemeral=private
            )
            return response.message_id
        except discord.HTTPException as error:
            if error.code == ALREADY_ANSWERED:  # delivered twice; the first delivery was answered
                return None
            channel = interaction.channel
            if error.code not in _UNEDITABLE or private or not isinstance(channel, discord.abc.Messageable):
                raise
            return (await channel.send(view=message.view, files=message.files)).id

    async def _settle(
        self, ctx: Context, turn: Turn, message_id: int | None, content: MessageContent, panel: Panel
    ) -> None:
        """Note where the controls are now, and take them off the message that had them."""
        channel_id = ctx.interaction.channel_id
        if message_id is None or channel_id is None:
            return
        self._reaches[message_id] = Reach(ctx.interaction.token, panel)
        place = LiveTable(channel_id, message_id, content.to_json())
        try:
            before = await ctx.services.live_tables.place(turn.game.id, place)
        except StoreError:  # the player has the table, and the old buttons work too
            log.exception("could not note where the table of game %d is", turn.game.id)
            before = None
        if before is not None:
            await self._retire(before)
        for listener in self.on_placed:
            listener(ctx, turn, message_id)

    async def _retire(self, table: LiveTable) -> None:
        """Take the controls off a message; its words and picture stay."""
        message = MessageContent.from_json(table.content_json).message([])
        reach = self._reaches.pop(table.message_id, None)
        try:
            async with asyncio.timeout(RETIRE_S):
                await self._edit_anywhere(table, reach, message)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            # A press on one of its buttons brings the current table there.
            log.info("can't take the controls off message %d: %r", table.message_id, error)

    async def _edit_anywhere(self, table: LiveTable, reach: Reach | None, message: Message) -> None:
        """Edit a message by its token if there is one that still works, else in its channel."""
        if reach is not None:
            try:
                await self._webhook(reach.token).edit_message(table.message_id, view=message.view)
            except discord.HTTPException:
                log.debug("the token of message %d has expired", table.message_id)
            else:
                return
        channel = self._app.client.get_partial_messageable(table.channel_id)
        partial = channel.get_partial_message(table.message_id)
        await partial.edit(view=message.view, allowed_mentions=NO_PINGS)

    async def _answer_stale(self, ctx: Context, error: StaleTable) -> None:
        """Show the table as it is now, and say that it had moved on."""
        show = self.update if ctx.is_press else self.post
        await show(ctx, error.turn, failure_text(ctx.texts, error))


async def _offer_same_deal(ctx: Context, error: NotYours) -> None:
    """Refuse a stranger's press, and offer the same cards."""
    buttons = buttons_below([same_deal_button(error.turn, ctx.texts("control-same"))])
    text = failure_text(ctx.texts, error)
    await ctx.interaction.response.send_message(text, view=buttons, ephemeral=True)
