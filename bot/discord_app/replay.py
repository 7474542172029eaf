"""``/replay``: a game as an animation that plays inside Discord."""

from __future__ import annotations

import asyncio
import io
from typing import TYPE_CHECKING

import discord

from bot.discord_app.reader import Reader, reader_of
from bot.render.image import Deck
from bot.render.prose import captions
from bot.render.replay import Frame, draw_replay
from bot.service import Request, Turn
from bot.text import Texts
from bot.text.turns import footer_text
from engine import Record, changes, find_game, states

if TYPE_CHECKING:
    from bot.discord_app.client import SolitaireClient

    Interaction = discord.Interaction[SolitaireClient]

PATIENCE_S = 1.0  # how long a player waits without being told why


class ReplayView(discord.ui.LayoutView):
    """A headline, and the animation once it is drawn."""

    def __init__(self, *lines: str, animation: discord.File | None = None) -> None:
        super().__init__(timeout=None)
        self.add_item(discord.ui.TextDisplay(lines[0]))
        if animation is not None:
            gallery: discord.ui.MediaGallery[ReplayView] = discord.ui.MediaGallery()
            gallery.add_item(media=animation, description=animation.description)
            self.add_item(gallery)
        for line in lines[1:]:
            self.add_item(discord.ui.TextDisplay(line))
        self.stop()


async def send_replay(interaction: Interaction) -> None:
    """Answer with the current game from its deal to where it stands.

    It is drawn in a worker thread. When that takes over a second, the player is told so and the answer is
    filled in afterwards.
    """
    reader = await reader_of(interaction)
    turn = await interaction.client.play.show(Request(interaction.user.id, interaction.id))
    drawing = asyncio.create_task(asyncio.to_thread(_draw, reader.texts, turn.position.record, reader.deck))
    await asyncio.wait({drawing}, timeout=PATIENCE_S)
    private = reader.settings.is_private
    if drawing.done():
        view, file = _answer(reader, turn, drawing.result())
        await interaction.response.send_message(view=view, file=file, ephemeral=private)
        return
    waiting = ReplayView(reader.texts("replay-drawing"))
    await interaction.response.send_message(view=waiting, ephemeral=private)
    view, file = _answer(reader, turn, await drawing)
    await interaction.edit_original_response(view=view, attachments=[file])


def _answer(reader: Reader, turn: Turn, gif: bytes) -> tuple[ReplayView, discord.File]:
    texts = reader.texts
    score, full, moves = turn.table.score, turn.table.full_score, len(turn.position.record.moves)
    headline = texts("replay-title", moves=moves, score=score, full=full)
    file = discord.File(
        io.BytesIO(gif),
        filename=f"replay-{turn.game.id}-{turn.game.revision}.gif",
        description=texts("replay-alt", moves=moves, score=score, full=full),
    )
    return ReplayView(headline, f"-# {footer_text(texts, turn)}", animation=file), file


def _draw(texts: Texts, record: Record, deck: Deck) -> bytes:
    game = find_game(record.game)
    tables = [game.table(state) for state in states(record)]
    earlier = [tables[0], *tables]
    frames = [
        Frame(table, captions(texts, record, table), changes(before, table))
        for before, table in zip(earlier, tables, strict=False)
    ]
    return draw_replay(frames, deck)
