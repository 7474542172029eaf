"""``/challenge``: a card for everybody to see, with a button to play and one to compare.

The card says how far everybody is and nothing of their cards. A control's ``custom_id`` is
``duel:<challenge id>:<what>``; as nothing about a card is kept in memory but what makes an edit possible,
cards work after a restart and after weeks.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections import OrderedDict
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import discord
from discord import app_commands

from bot.discord_app.commands import Command, command, completer, request_of
from bot.discord_app.context import reader_of
from bot.discord_app.errors import NO_PINGS, report
from bot.discord_app.features.compare import send_comparison
from bot.discord_app.tables import autocomplete as choices
from bot.discord_app.tables.autocomplete import Choices
from bot.discord_app.transport.webhook_adapter import ALREADY_ANSWERED, LOST
from bot.service import ChallengeView, Cost, NoPlayer, Turn, TurnAction
from bot.storage import Challenge, Status
from bot.text import Texts, texts_for
from bot.text.challenges import challenge_note, challenge_text, challenge_title

if TYPE_CHECKING:
    from bot.discord_app.client import BotClient

    Interaction = discord.Interaction[BotClient]
else:
    Interaction = discord.Interaction

log = logging.getLogger(__name__)

EVERY_S = 10  # how often a card is changed, unless a game has ended

_MAX_TOKENS = 500
_MAX_TIMES = 500
_MAX_WAITING = 1_000  # cards; at more than that one shows the next turn that comes when fewer wait
_COLOUR = 0x1F7A4D  # of the tables' cloth
_CUSTOM_ID = re.compile(r"duel:(\d{1,18}):(play|show|compare)", re.ASCII)
_GONE = {10003, 10008}


def add_challenges(tree: app_commands.CommandTree[Any]) -> None:
    """Add ``/challenge``."""
    tree.add_command(_challenge())


def _challenge() -> Command:
    friends: dict[str, Any] = {f"friend{number}": f"friend{number}" for number in range(1, 6)}

    @command("challenge", Cost.CHALLENGE, **friends, game="game", rules="rules", seed="seed")
    @app_commands.choices(game=choices.game_options())
    async def challenge(
        interaction: Interaction,
        friend1: discord.User | None = None,
        friend2: discord.User | None = None,
        friend3: discord.User | None = None,
        friend4: discord.User | None = None,
        friend5: discord.User | None = None,
        game: app_commands.Choice[str] | None = None,
        rules: app_commands.Range[str, 1, 40] | None = None,
        seed: app_commands.Range[str, 1, choices.SEED_INPUT_MAX_CHARACTERS] | None = None,
    ) -> None:
        named = [friend for friend in (friend1, friend2, friend3, friend4, friend5) if friend]
        if any(friend.bot for friend in named):
            raise NoPlayer
        texts = (await reader_of(interaction)).texts
        view = await interaction.client.services.challenges.create(
            interaction.user.id,
            [friend.id for friend in named],
            game=game.value if game else None,
            rules=rules,
            seed=seed,
            language=texts.language,
        )
        await interaction.client.cards.post(interaction, view)

    @challenge.autocomplete("rules")
    @completer
    async def complete(interaction: Interaction, typed: str) -> Choices:
        return choices.rules((await reader_of(interaction)).texts, interaction.namespace.game, typed)

    return challenge


async def answer_challenge_press(interaction: Interaction, custom_id: str) -> bool:
    """Do what a button of a card says."""
    found = _CUSTOM_ID.fullmatch(custom_id)
    if found is None:
        return False
    challenge_id, what = int(found[1]), found[2]
    challenges, cards = interaction.client.services.challenges, interaction.client.cards
    await cards.meet(interaction, challenge_id)
    if what == "play":
        turn = await challenges.play(request_of(interaction), challenge_id)
        await interaction.client.tables.post(interaction, await reader_of(interaction), turn)
    elif what == "show":
        view = await challenges.view(challenge_id)
        await interaction.response.edit_message(view=CardView(view))
    else:
        await send_comparison(interaction, *await challenges.pair(interaction.user.id, challenge_id))
    return True


class CardView(discord.ui.LayoutView):
    """The layout of a card, in the language of who made the challenge."""

    def __init__(self, view: ChallengeView) -> None:
        super().__init__(timeout=None)
        texts = texts_for(view.challenge.language)
        card: discord.ui.Container[CardView] = discord.ui.Container(accent_colour=_COLOUR)
        card.add_item(discord.ui.TextDisplay(challenge_title(texts, view)))
        card.add_item(discord.ui.TextDisplay(challenge_text(texts, view)))
        card.add_item(discord.ui.TextDisplay(f"-# {challenge_note(texts, view)}"))
        buttons = _buttons(texts, view)
        if buttons:
            card.add_item(discord.ui.ActionRow(*buttons))
        self.add_item(card)
        self.stop()  # presses are recognised by their ids


def _buttons(texts: Texts, view: ChallengeView) -> list[discord.ui.Button[CardView]]:
    shown = [] if view.is_final else ["play", "show"]
    if view.can_compare:
        shown.append("compare")
    labels = {
        "play": texts("challenge-play"),
        "show": texts("challenge-show"),
        "compare": texts("challenge-compare"),
    }
    styles = {"play": discord.ButtonStyle.primary}
    return [
        discord.ui.Button(
            label=labels[what],
            style=styles.get(what, discord.ButtonStyle.secondary),
            custom_id=f"duel:{view.challenge.id}:{what}",
        )
        for what in shown
    ]


class ChallengeMessages:
    """Puts cards into channels, and keeps them up to date while games go on, in tasks of its own.

    No player waits for that, and no failure of it reaches one.
    """

    def __init__(self, client: BotClient) -> None:
        self._client = client
        # As for tables: some messages can be edited with an interaction's token only, and that not for long.
        self._tokens: OrderedDict[int, str] = OrderedDict()
        self._edited_s: OrderedDict[int, float] = OrderedDict()
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self._waiting: dict[int, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def post(self, interaction: Interaction, view: ChallengeView) -> None:
        """Answer with a challenge's card."""
        try:
            response = await interaction.response.send_message(view=CardView(view))
        except discord.HTTPException as error:
            if error.code == ALREADY_ANSWERED:  # the command was delivered twice
                return
            raise
        if response.message_id is not None and interaction.channel_id is not None:
            self._keep_token(response.message_id, interaction.token)
            place = (interaction.channel_id, response.message_id)
            await self._client.services.challenges.place(view.challenge.id, *place)

    async def meet(self, interaction: Interaction, challenge_id: int) -> None:
        """Note that somebody pressed a button of a card: it can be edited there for a while.

        :raises NoSuchChallenge: when there is no such challenge.
        """
        challenges = self._client.services.challenges
        challenge = (await challenges.view(challenge_id)).challenge
        if interaction.message is None or interaction.channel_id is None:
            return
        self._keep_token(interaction.message.id, interaction.token)
        if challenge.message_id != interaction.message.id:
            await challenges.place(challenge_id, interaction.channel_id, interaction.message.id)

    def note(self, turn: Turn) -> None:
        """Bring the card up to date that shows the game: now if it has ended, else not more than at times."""
        challenge_id = turn.game.challenge_id
        if not challenge_id or turn.action in (TurnAction.SHOWN, TurnAction.RESUMED):
            return
        waiting = self._waiting.get(challenge_id)
        delay_s = 0.0
        if turn.game.status is Status.PLAYING:
            if waiting is not None or len(self._waiting) >= _MAX_WAITING:
                return
            edited_s = self._edited_s.get(challenge_id)
            if edited_s is not None:
                delay_s = max(0.0, edited_s + EVERY_S - asyncio.get_running_loop().time())
        elif waiting is not None:
            waiting.cancel()
        task = asyncio.create_task(self._bring_up_to_date(challenge_id, delay_s), name="challenge card")
        self._waiting[challenge_id] = task
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Edit no more."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _bring_up_to_date(self, challenge_id: int, delay_s: float) -> None:
        try:
            await asyncio.sleep(delay_s)
        finally:
            if self._waiting.get(challenge_id) is asyncio.current_task():
                del self._waiting[challenge_id]
        lock = self._locks.get(challenge_id)
        if lock is None:
            lock = self._locks[challenge_id] = asyncio.Lock()
        async with lock:
            self._edited_s[challenge_id] = asyncio.get_running_loop().time()
            self._edited_s.move_to_end(challenge_id)
            while len(self._edited_s) > _MAX_TIMES:
                self._edited_s.popitem(last=False)
            try:
                await self._edit(await self._client.services.challenges.view(challenge_id))
            except Exception as error:  # noqa: BLE001 - nobody waits for it, but the operator gets to see it
                what = "could not bring the card of challenge %d up to date"
                report(self._client.metrics, error, what, challenge_id)

    async def _edit(self, view: ChallengeView) -> None:
        challenge = view.challenge
        if not challenge.message_id:
            return
        try:
            if not await self._edit_by_token(challenge, view):
                channel = self._client.get_partial_messageable(challenge.channel_id)
                message = channel.get_partial_message(challenge.message_id)
                await message.edit(view=CardView(view), allowed_mentions=NO_PINGS)
        except (discord.HTTPException, *LOST, TimeoutError) as error:
            log.info("can't edit the card of challenge %d: %r", challenge.id, error)
            if isinstance(error, discord.HTTPException) and error.code in _GONE:
                await self._client.services.challenges.place(challenge.id, 0, 0)

    async def _edit_by_token(self, challenge: Challenge, view: ChallengeView) -> bool:
        """Edit the card with the token of an interaction, if there is one; return whether that worked."""
        token = self._tokens.get(challenge.message_id)
        if token is None or self._client.application_id is None:
            return False
        webhook = discord.Webhook.partial(self._client.application_id, token, client=self._client)
        try:
            await webhook.edit_message(challenge.message_id, view=CardView(view))
        except discord.HTTPException:
            log.debug("the token of message %d is of no more use", challenge.message_id)
            self._tokens.pop(challenge.message_id, None)
            return False
        return True

    def _keep_token(self, message_id: int, token: str) -> None:
        self._tokens[message_id] = token
        self._tokens.move_to_end(message_id)
        while len(self._tokens) > _MAX_TOKENS:
            self._tokens.popitem(last=False)
