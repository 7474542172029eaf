"""``/replay`` and the button Best line: a game as an animation that plays inside Discord."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

import aiohttp
import discord

from bot.discord_app.commands import Commands
from bot.discord_app.context import Context
from bot.discord_app.feature import Feature
from bot.discord_app.layout import Message, Picture
from bot.discord_app.router import Router
from bot.discord_app.tables.controls import Action, ComponentId, add_control
from bot.service import Cost, NothingBetter, Turn
from bot.text import Texts
from bot.text.moves import line_text
from bot.text.turns import footer_text, label_text
from engine import Record

log = logging.getLogger(__name__)


class Replay(Feature):
    """The command and the button.

    ``patience_s`` is how long an animation may take before the player is told to wait.
    """

    patience_s = 1.0

    def register(self, commands: Commands, router: Router) -> None:
        """Add ``/replay`` and the button."""
        commands.add("replay", self.replay)
        add_control(router, Action.BEST, self.best)

    async def replay(self, ctx: Context) -> None:
        """Show the user's current game from its deal to where it stands.

        :raises StillBusy: when something expensive is being done for the user.
        :raises TooFast: when an animation was drawn for them just now.
        :raises ManyWaiting: when too many animations are queued.
        """
        turn = await ctx.services.games.show(ctx.request())
        if not ctx.may_attach:
            await ctx.send_ephemeral(ctx.texts("replay-no-files"))
            return
        with ctx.services.rate_limiter.alone(ctx.user_id, Cost.REPLAY):
            await self._send(ctx, turn, turn.position.record)

    async def best(self, ctx: Context, pressed: ComponentId) -> None:
        """Show the player the deal of an ended game as it is played best; solve it if need be.

        :raises NotFinished: when the game is going on again.
        :raises AnalyseLater: when it is a contest that others are still playing.
        :raises NothingBetter: when nothing better is found.
        :raises StillBusy: when something expensive is being done for the user.
        :raises TooFast: when a best line was shown to them just now.
        :raises ManyWaiting: when too many jobs are queued.
        """
        turn = await ctx.services.games.show(ctx.request(pressed.game_id, pressed.revision))
        await ctx.services.analyses.check(turn)
        with ctx.services.rate_limiter.alone(ctx.user_id, Cost.BEST):
            await self._send_best(ctx, turn)

    async def _send_best(self, ctx: Context, turn: Turn) -> None:
        services = ctx.services
        if turn.may_know_best and turn.best is None:
            if services.analyses.is_crowded:
                raise services.rate_limiter.many_wait(ctx.user_id)
            await ctx.interaction.response.defer(ephemeral=True, thinking=True)
            turn = replace(turn, best=await services.best_scores.of(turn))
        if turn.best_record is None:
            raise NothingBetter
        if ctx.draws:
            await self._send(ctx, turn, turn.best_record)
        else:
            best = turn.best_record
            await ctx.send_ephemeral_long(f"{_title(ctx.texts, turn, best)}\n{line_text(ctx.texts, best)}")

    async def _send(self, ctx: Context, turn: Turn, record: Record) -> None:
        """Answer with the animation; after ``patience_s`` with a notice first."""
        interaction, texts, animations = ctx.interaction, ctx.texts, ctx.app.animations
        if animations.is_full:
            raise ctx.services.rate_limiter.many_wait(ctx.user_id)
        drawing = asyncio.ensure_future(animations.draw(texts, record, ctx.deck, label_text(texts, turn)))
        await asyncio.wait({drawing}, timeout=self.patience_s)
        private = ctx.settings.is_private or turn.is_secret or record is not turn.position.record
        notice_id = None
        if not drawing.done() and not interaction.response.is_done():
            notice = await interaction.response.send_message(
                view=Message(texts("replay-drawing")).view, ephemeral=private
            )
            notice_id = notice.message_id
        # A new message, since adding an upload to a message by an edit is not reliable at Discord.
        await ctx.send(_message(texts, turn, record, await drawing), ephemeral=private)
        if notice_id is not None:
            await _take_back(ctx, notice_id)


async def _take_back(ctx: Context, notice_id: int) -> None:
    """Delete the notice, if Discord lets us.

    By its own id: after a press that was deferred, the original response is the pressed table.
    """
    try:
        await ctx.interaction.followup.delete_message(notice_id)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        log.info("a notice stays: %s", error)


def _message(texts: Texts, turn: Turn, record: Record, gif: bytes) -> Message:
    kind = "replay" if record is turn.position.record else "best"
    name = f"{kind}-{turn.game.id}-{turn.game.revision}.gif"
    animation = Picture(name, _title(texts, turn, record, "alt"), gif)
    return Message(_title(texts, turn, record), animation, f"-# {footer_text(texts, turn)}")


def _title(texts: Texts, turn: Turn, record: Record, kind: str = "title") -> str:
    """Return what a record of a turn's deal is: the game as it was played, or as it is played best."""
    words = {"full": turn.table.full_score, "moves": len(record.moves)}
    if record is turn.position.record or turn.best is None:
        return texts(f"replay-{kind}", score=turn.table.score, **words)
    return texts(f"replay-best-{kind}", score=turn.best.score, **words)
