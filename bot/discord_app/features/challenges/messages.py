"""The messages that show challenges, kept up to date while games go on.

That happens in tasks of its own: no player waits for it, and no failure of it reaches one.
"""

from __future__ import annotations

import asyncio
import logging
from weakref import WeakValueDictionary

import discord
from cachetools import LRUCache

from bot.discord_app.context import App, Context
from bot.discord_app.layout import NO_PINGS, Button, Message
from bot.discord_app.transport.repeated_request import LOST
from bot.discord_app.transport.webhook_adapter import ALREADY_ANSWERED
from bot.service import ChallengeView, Turn, TurnAction
from bot.storage import Challenge, Status
from bot.telemetry.error_reports import report_error
from bot.text import Texts, texts_for
from bot.text.challenges import challenge_note, challenge_text, challenge_title

log = logging.getLogger(__name__)

EVERY_S = 10  # how often a message is edited, unless a game has ended
MAX_WAITING = 1_000  # messages; beyond that, one shows the next turn that comes when fewer wait

_MAX_TOKENS = 500
_MAX_TIMES = 500
_COLOUR = 0x1F7A4D  # of the tables' felt
_GONE = {10003, 10008}


def challenge_message(view: ChallengeView) -> Message:
    """Return a challenge as a message, in the language of whoever made it."""
    texts = texts_for(view.challenge.language)
    container: discord.ui.Container[discord.ui.LayoutView] = discord.ui.Container(accent_colour=_COLOUR)
    container.add_item(discord.ui.TextDisplay(challenge_title(texts, view)))
    container.add_item(discord.ui.TextDisplay(challenge_text(texts, view)))
    container.add_item(discord.ui.TextDisplay(f"-# {challenge_note(texts, view)}"))
    buttons = _buttons(texts, view)
    if buttons:
        container.add_item(discord.ui.ActionRow(*buttons))
    return Message(container)


def _buttons(texts: Texts, view: ChallengeView) -> list[Button]:
    shown = [] if view.is_final else ["play", "show"]
    if view.can_compare:
        shown.append("compare")
    labels = {
        "play": texts("challenge-play"),
        "show": texts("challenge-show"),
        "compare": texts("challenge-compare"),
    }
    return [
        discord.ui.Button(
            label=labels[what],
            style=discord.ButtonStyle.primary if what == "play" else discord.ButtonStyle.secondary,
            custom_id=f"duel:{view.challenge.id}:{what}",
        )
        for what in shown
    ]


class ChallengeMessages:
    """Posts and edits the messages of challenges."""

    def __init__(self, app: App) -> None:
        self._app = app
        # By message id. Some messages can only be edited with an interaction's token, and only for a while.
        self._tokens: LRUCache[int, str] = LRUCache(_MAX_TOKENS)
        self._edited_s: LRUCache[int, float] = LRUCache(_MAX_TIMES)
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._waiting: dict[int, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def post(self, ctx: Context, view: ChallengeView) -> None:
        """Answer with a challenge's message."""
        interaction = ctx.interaction
        try:
            response = await interaction.response.send_message(view=challenge_message(view).view)
        except discord.HTTPException as error:
            if error.code == ALREADY_ANSWERED:  # the command was delivered twice
                return
            raise
        if response.message_id is not None and interaction.channel_id is not None:
            self._tokens[response.message_id] = interaction.token
            place = (interaction.channel_id, response.message_id)
            await self._app.services.challenges.place(view.challenge.id, *place)

    async def meet(self, ctx: Context, challenge_id: int) -> None:
        """Note that somebody pressed a button of a message: it can be edited there for a while.

        :raises NoSuchChallenge: when there is no such challenge.
        """
        interaction, challenges = ctx.interaction, self._app.services.challenges
        challenge = (await challenges.view(challenge_id)).challenge
        if interaction.message is None or interaction.channel_id is None:
            return
        self._tokens[interaction.message.id] = interaction.token
        if challenge.message_id != interaction.message.id:
            await challenges.place(challenge_id, interaction.channel_id, interaction.message.id)

    def note(self, turn: Turn) -> None:
        """Update the message of a turn's challenge: at once if the game has ended, else not too often."""
        challenge_id = turn.game.challenge_id
        if not challenge_id or turn.action in (TurnAction.SHOWN, TurnAction.RESUMED):
            return
        waiting = self._waiting.get(challenge_id)
        delay_s = 0.0
        if turn.game.status is Status.PLAYING:
            if waiting is not None or len(self._waiting) >= MAX_WAITING:
                return
            edited_s = self._edited_s.get(challenge_id)
            if edited_s is not None:
                delay_s = max(0.0, edited_s + EVERY_S - asyncio.get_running_loop().time())
        elif waiting is not None:
            waiting.cancel()
        task = asyncio.create_task(self._update(challenge_id, delay_s), name="challenge message")
        self._waiting[challenge_id] = task
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Edit no more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _update(self, challenge_id: int, delay_s: float) -> None:
        try:
            await asyncio.sleep(delay_s)
        finally:
            if self._waiting.get(challenge_id) is asyncio.current_task():
                del self._waiting[challenge_id]
        async with self._locks.setdefault(challenge_id, asyncio.Lock()):
            self._edited_s[challenge_id] = asyncio.get_running_loop().time()
            try:
                await self._edit(await self._app.services.challenges.view(challenge_id))
            except Exception as error:  # noqa: BLE001 - nobody waits for it, but the operator gets to see it
                what = "could not update the message of challenge %d"
                report_error(self._app.metrics, error, what, challenge_id)

    async def _edit(self, view: ChallengeView) -> None:
        challenge = view.challenge
        if not challenge.message_id:
            return
        try:
            if not await self._edit_by_token(challenge, view):
                channel = self._app.client.get_partial_messageable(challenge.channel_id)
                message = channel.get_partial_message(challenge.message_id)
                await message.edit(view=challenge_message(view).view, allowed_mentions=NO_PINGS)
        except (discord.HTTPException, *LOST, TimeoutError) as error:
            log.info("can't edit the message of challenge %d: %r", challenge.id, error)
            if isinstance(error, discord.HTTPException) and error.code in _GONE:
                await self._app.services.challenges.place(challenge.id, 0, 0)

    async def _edit_by_token(self, challenge: Challenge, view: ChallengeView) -> bool:
        """Edit the message with an interaction's token, if there is one; return whether that worked."""
        client, token = self._app.client, self._tokens.get(challenge.message_id)
        if token is None or client.application_id is None:
            return False
        webhook = discord.Webhook.partial(client.application_id, token, client=client)
        try:
            await webhook.edit_message(challenge.message_id, view=challenge_message(view).view)
        except discord.HTTPException:
            log.debug("the token of message %d has expired", challenge.message_id)
            self._tokens.pop(challenge.message_id, None)
            return False
        return True
