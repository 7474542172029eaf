"""What is said about a turn once it has been thought out: a while after its table was posted.

How well a game could have been played is added to the table that shows its end. That a game can't be won any
more is told to the player alone, who has asked for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import aiohttp
import discord

from bot.discord_app.context import Reader
from bot.discord_app.errors import USER_ERRORS, report, whisper
from bot.service import Turn
from bot.telemetry.metrics import Metrics

if TYPE_CHECKING:
    from bot.discord_app.client import BotClient

    Interaction = discord.Interaction[BotClient]

log = logging.getLogger(__name__)

_MAX_TASKS = 100  # at more than that nobody is told; what thinks could not keep up anyway
_MAX_TOLD = 1_000

_Subject = tuple[str, int]


class FollowUps:
    """Thinks on after an answer: about a game's last turn only, and none of it may fail loudly."""

    def __init__(self, client: BotClient) -> None:
        self._client = client
        self._tasks: set[asyncio.Task[None]] = set()
        # As long as nothing is being said yet: how good an ended game could have been, and of each player's
        # games only the last, whether it is lost. So nobody who asks about many games keeps others waiting.
        self._thinking: dict[_Subject, asyncio.Task[None]] = {}
        self._told: OrderedDict[int, int] = OrderedDict()  # by game, after how many moves

    def consider(self, interaction: Interaction, reader: Reader, turn: Turn, message_id: int) -> None:
        """Begin to think about a turn whose table has just been put into that message."""
        game, player = ("game", turn.game.id), ("player", turn.game.owner_id)
        for subject in (game, player):
            earlier = self._thinking.pop(subject, None)
            if earlier is not None:
                earlier.cancel()
        if turn.may_know_best and turn.best is None and turn.table.score < turn.table.full_score:
            self._begin(game, partial(self._add_best, reader, turn, message_id))
        elif reader.settings.tells_lost and turn.has_hints and not turn.is_secret and self._is_news(turn):
            self._begin(player, partial(self._tell_lost, interaction, reader, turn))

    def _begin(self, subject: _Subject, work: Callable[[], Awaitable[None]]) -> None:
        if len(self._tasks) >= _MAX_TASKS:
            return
        task = asyncio.create_task(_quietly(work, self._client.metrics))
        self._tasks.add(task)
        self._thinking[subject] = task
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(self._is_thought_out)

    def _is_thought_out(self, task: asyncio.Task[None] | None) -> None:
        """See that what is being said now is said, whatever the player does next."""
        for subject, thinking in list(self._thinking.items()):
            if thinking is task:
                del self._thinking[subject]

    async def _add_best(self, reader: Reader, turn: Turn, message_id: int) -> None:
        best = await self._client.services.bests.of(turn)
        self._is_thought_out(asyncio.current_task())
        if best is not None:
            await self._client.tables.amend(reader, replace(turn, best=best), message_id)

    def _is_news(self, turn: Turn) -> bool:
        """Return whether the player has not been told yet; who goes back before that is told again."""
        moves = len(turn.position.record.moves)
        if moves < self._told.get(turn.game.id, moves + 1):
            self._told.pop(turn.game.id, None)
        return turn.game.id not in self._told

    async def _tell_lost(self, interaction: Interaction, reader: Reader, turn: Turn) -> None:
        if not await self._client.services.bests.is_lost(turn):
            return
        newest = await self._client.games.newest(turn)
        if newest.game.revision != turn.game.revision:  # the player has moved on, and that turn is looked at
            return
        self._is_thought_out(asyncio.current_task())
        moves = len(turn.position.record.moves)
        self._told[turn.game.id] = moves
        while len(self._told) > _MAX_TOLD:
            self._told.popitem(last=False)
        await whisper(interaction, reader.texts("turn-lost" if moves else "turn-lost-from-start"))

    async def wait(self) -> None:
        """Wait until all that has begun is said."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def close(self) -> None:
        """Give up what has not been said yet."""
        for task in self._tasks:
            task.cancel()
        await self.wait()


async def _quietly(work: Callable[[], Awaitable[None]], metrics: Metrics) -> None:
    """Do what nobody waits for: where Discord refuses it, or the game is gone, it is left undone."""
    try:
        await work()
    except (discord.HTTPException, aiohttp.ClientError, OSError, *USER_ERRORS) as error:
        log.info("nothing more was said about a turn: %s", error)
    except Exception as error:  # noqa: BLE001 - nobody waits for it, but the operator gets to see it
        report(metrics, error, "could not think on about a turn")
