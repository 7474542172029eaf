"""What is said about a turn after its table was posted, once a solver has an answer.

How well an ended game could have been played is added to the table that shows its end. That a game can no
longer be won is told to the player alone, if they asked for that.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial

import aiohttp
import discord
from cachetools import LRUCache

from bot.discord_app.context import App, Context
from bot.discord_app.errors import USER_ERRORS
from bot.discord_app.tables.posting import Tables
from bot.service import Turn
from bot.telemetry.error_reports import report_error

log = logging.getLogger(__name__)

MAX_TASKS = 100  # beyond that nothing is followed up; the solvers could not keep up anyway
MAX_TOLD = 1_000

_Subject = tuple[str, int]


class FollowUps:
    """Follows up only the last turn of each game, and lets no failure reach a player."""

    def __init__(self, app: App, tables: Tables) -> None:
        self._app = app
        self._tables = tables
        self._tasks: set[asyncio.Task[None]] = set()
        # What is being worked out: the best score of an ended game, and for each player whether their last
        # game is lost. So nobody who asks about many games keeps others waiting.
        self._pending: dict[_Subject, asyncio.Task[None]] = {}
        self._told: LRUCache[int, int] = LRUCache(MAX_TOLD)  # by game, after how many moves
        tables.on_placed.append(self.consider)

    def consider(self, ctx: Context, turn: Turn, message_id: int) -> None:
        """Begin to work out what is to be said about a turn that was just put into a message."""
        game, player = ("game", turn.game.id), ("player", turn.game.owner_id)
        for subject in (game, player):
            earlier = self._pending.pop(subject, None)
            if earlier is not None:
                earlier.cancel()
        if turn.may_know_best and turn.best is None and turn.table.score < turn.table.full_score:
            self._begin(game, partial(self._add_best, ctx, turn, message_id))
        elif ctx.settings.tells_lost and turn.has_hints and not turn.is_secret and self._is_news(turn):
            self._begin(player, partial(self._tell_lost, ctx, turn))

    def _begin(self, subject: _Subject, work: Callable[[], Awaitable[None]]) -> None:
        if len(self._tasks) >= MAX_TASKS:
            return
        task = asyncio.create_task(self._quietly(work), name="follow-up")
        self._tasks.add(task)
        self._pending[subject] = task
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(self._no_longer_pending)

    def _no_longer_pending(self, task: asyncio.Task[None] | None) -> None:
        """Let what is being said now be said, whatever the player does next."""
        for subject, pending in list(self._pending.items()):
            if pending is task:
                del self._pending[subject]

    async def _add_best(self, ctx: Context, turn: Turn, message_id: int) -> None:
        best = await self._app.services.best_scores.of(turn)
        self._no_longer_pending(asyncio.current_task())
        if best is not None:
            await self._tables.amend(ctx, replace(turn, best=best), message_id)

    def _is_news(self, turn: Turn) -> bool:
        """Return whether the player was not told yet; after going back further they are told again."""
        moves = len(turn.position.record.moves)
        if moves < self._told.get(turn.game.id, moves + 1):
            self._told.pop(turn.game.id, None)
        return turn.game.id not in self._told

    async def _tell_lost(self, ctx: Context, turn: Turn) -> None:
        if not await self._app.services.best_scores.is_lost(turn):
            return
        newest = await self._app.services.games.newest(turn)
        if newest.game.revision != turn.game.revision:  # the newer turn is being looked at
            return
        self._no_longer_pending(asyncio.current_task())
        moves = len(turn.position.record.moves)
        self._told[turn.game.id] = moves
        await ctx.send_ephemeral(ctx.texts("turn-lost" if moves else "turn-lost-from-start"))

    async def _quietly(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do what nobody waits for; if Discord refuses it or the game is gone, it is dropped."""
        try:
            await work()
        except (discord.HTTPException, aiohttp.ClientError, OSError, *USER_ERRORS) as error:
            log.info("a turn was not followed up: %s", error)
        except Exception as error:  # noqa: BLE001 - nobody waits for it, but the operator gets to see it
            report_error(self._app.metrics, error, "could not follow up a turn")

    async def wait(self) -> None:
        """Wait until everything that has begun is said."""
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def close(self) -> None:
        """Drop what has not been said yet."""
        for task in self._tasks:
            task.cancel()
        await self.wait()
