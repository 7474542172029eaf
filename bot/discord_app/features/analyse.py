"""``/analyse``: which moves cost how much, with the table on which the costliest was made."""

from __future__ import annotations

import asyncio
import io
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.discord_app.commands import Command, command, request_of
from bot.discord_app.context import Reader, may_attach, reader_of
from bot.discord_app.errors import TEXT_MAX_CHARACTERS
from bot.discord_app.tables.controls import best_button
from bot.render.image import draw_table
from bot.render.prose import alt_text, captions
from bot.service import Cost, NotWorkedOut, Position, Turn, TurnAction
from bot.text.analysis import analysis_text
from bot.text.turns import label_text
from solve import Analysis

if TYPE_CHECKING:
    from bot.discord_app.client import BotClient

    Interaction = discord.Interaction[BotClient]
else:
    Interaction = discord.Interaction


def add_analysis(tree: app_commands.CommandTree[Any]) -> None:
    """Add ``/analyse``."""
    tree.add_command(_analyse())


def _analyse() -> Command:
    @command("analyse", is_private=True)
    async def analyse(interaction: Interaction) -> None:
        turn = await interaction.client.games.show(request_of(interaction))
        await send_analysis(interaction, turn)

    return analyse


class AnalysisView(discord.ui.LayoutView):
    """The words, the table on which the costliest move was made, and the button that shows a better game."""

    def __init__(
        self, text: str, picture: discord.File | None, button: discord.ui.Button[Any] | None
    ) -> None:
        super().__init__(timeout=None)
        self.add_item(discord.ui.TextDisplay(text[:TEXT_MAX_CHARACTERS]))
        if picture is not None:
            gallery: discord.ui.MediaGallery[AnalysisView] = discord.ui.MediaGallery()
            gallery.add_item(media=picture, description=picture.description)
            self.add_item(gallery)
        if button is not None:
            self.add_item(discord.ui.ActionRow(button))
        self.stop()


async def send_analysis(interaction: Interaction, turn: Turn) -> None:
    """Answer with the analysis of the user's game, which must have ended, for the player alone.

    :raises NotFinished: when it has not.
    :raises AnalyseLater: when it is a contest that is still going for somebody.
    :raises StillBusy: when something expensive is being done for the user.
    :raises TooFast: when something was analysed for them just now.
    :raises ManyWaiting: when too many wait for theirs.
    :raises NotWorkedOut: when it can't be worked out now.
    """
    services, user_id = interaction.client.services, interaction.user.id
    await services.analysing.check(turn)
    with services.rate_limiter.alone(user_id, Cost.ANALYSIS):
        if services.analysing.is_crowded:
            raise services.rate_limiter.many_wait(user_id)
        await interaction.response.defer(ephemeral=True, thinking=True)
        analysis = await services.analysing.analyse(turn)
        if analysis is None:
            raise NotWorkedOut
        await _answer(interaction, turn, analysis)


async def _answer(interaction: Interaction, turn: Turn, analysis: Analysis) -> None:
    reader = await reader_of(interaction)
    turn = replace(turn, best=analysis.par)
    text = await asyncio.to_thread(analysis_text, reader.texts, turn, analysis)
    picture = None
    if analysis.drops and may_attach(interaction) and not reader.settings.as_text:
        picture = await asyncio.to_thread(_picture, reader, turn, analysis)
    button = best_button(turn, reader.texts("control-best")) if turn.may_know_best else None
    view = AnalysisView(text, picture, button)
    files = [picture] if picture else []
    await interaction.followup.send(view=view, files=files, ephemeral=True)


def _picture(reader: Reader, turn: Turn, analysis: Analysis) -> discord.File:
    """Draw the table on which the costliest move was made, with the cards marked that should have moved."""
    drop = max(analysis.drops, key=lambda drop: drop.before - drop.after)
    record = replace(turn.position.record, moves=turn.position.record.moves[: drop.number])
    then = replace(turn, action=TurnAction.HINTED, position=Position.of(record), moves=(drop.better,))
    written = captions(reader.texts, record, then.table, label_text(reader.texts, turn))
    png = draw_table(then.table, written, then.changed, reader.deck)
    title = reader.texts("analysis-alt", number=drop.number + 1)
    name = f"analysis-{turn.game.id}-{drop.number}.png"
    return discord.File(io.BytesIO(png), name, description=alt_text(reader.texts, then.table, title))
