"""``/analyse`` and the button Analyse: which moves cost how much, and the costliest as a picture."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import discord

from bot.discord_app.commands import Commands
from bot.discord_app.context import Context
from bot.discord_app.feature import Feature
from bot.discord_app.layout import TEXT_MAX_CHARACTERS, Message, Part, Picture
from bot.discord_app.router import Router
from bot.discord_app.tables.controls import Action, ComponentId, add_control, best_button
from bot.render.image import draw_table
from bot.render.prose import alt_text, captions
from bot.service import Cost, NotWorkedOut, Position, StaleTable, Turn, TurnAction
from bot.text.analysis import analysis_text
from bot.text.turns import label_text
from solve import Analysis


class Analyse(Feature):
    """The command and the button."""

    def register(self, commands: Commands, router: Router) -> None:
        """Add ``/analyse`` and the button."""
        commands.add("analyse", self.analyse, is_private=True)
        add_control(router, Action.ANALYSE, self.pressed)

    async def analyse(self, ctx: Context) -> None:
        """Analyse the user's current game."""
        await self._send(ctx, await ctx.services.games.show(ctx.request()))

    async def pressed(self, ctx: Context, pressed: ComponentId) -> None:
        """Analyse the game of a table.

        :raises StaleTable: when the game has moved on.
        """
        turn = await ctx.services.games.show(ctx.request(pressed.game_id, pressed.revision))
        if turn.game.revision != pressed.revision:
            raise StaleTable(turn)
        await self._send(ctx, turn)

    async def _send(self, ctx: Context, turn: Turn) -> None:
        """Answer with the analysis of an ended game, for the player alone.

        :raises NotFinished: when it has not ended.
        :raises AnalyseLater: when it is a contest that others are still playing.
        :raises StillBusy: when something expensive is being done for the user.
        :raises TooFast: when something was analysed for them just now.
        :raises ManyWaiting: when too many analyses are queued.
        :raises NotWorkedOut: when the solver has no answer in time.
        """
        services = ctx.services
        await services.analyses.check(turn)
        with services.rate_limiter.alone(ctx.user_id, Cost.ANALYSIS):
            if services.analyses.is_crowded:
                raise services.rate_limiter.many_wait(ctx.user_id)
            await ctx.interaction.response.defer(ephemeral=True, thinking=True)
            analysis = await services.analyses.analyse(turn)
            if analysis is None:
                raise NotWorkedOut
            message = await asyncio.to_thread(_message, ctx, replace(turn, best=analysis.par), analysis)
            await ctx.send(message, ephemeral=True)


def _message(ctx: Context, turn: Turn, analysis: Analysis) -> Message:
    """Return the words, the costliest move's table, and the button that shows a better game."""
    parts: list[Part] = [analysis_text(ctx.texts, turn, analysis)[:TEXT_MAX_CHARACTERS]]
    if analysis.drops and ctx.draws:
        parts.append(_picture(ctx, turn, analysis))
    button = best_button(turn, ctx.texts("control-best")) if turn.may_know_best else None
    if button is not None:
        parts.append(discord.ui.ActionRow(button))
    return Message(*parts)


def _picture(ctx: Context, turn: Turn, analysis: Analysis) -> Picture:
    """Draw the table on which the costliest move was made; the cards that should have moved are marked."""
    drop = max(analysis.drops, key=lambda drop: drop.before - drop.after)
    record = replace(turn.position.record, moves=turn.position.record.moves[: drop.number])
    then = replace(turn, action=TurnAction.HINTED, position=Position.of(record), moves=(drop.better,))
    written = captions(ctx.texts, record, then.table, label_text(ctx.texts, turn))
    png = draw_table(then.table, written, then.changed, ctx.deck)
    title = ctx.texts("analysis-alt", number=drop.number + 1)
    return Picture(f"analysis-{turn.game.id}-{drop.number}.png", alt_text(ctx.texts, then.table, title), png)
