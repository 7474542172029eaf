"""``/replay``: a game as an animation that plays inside Discord."""

from __future__ import annotations

import asyncio
import io
import logging
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import aiohttp
import discord

from bot.discord_app.context import Reader, may_attach, reader_of
from bot.discord_app.errors import whisper, whisper_long
from bot.render.image import Deck
from bot.render.prose import captions
from bot.render.replay import Frame, draw_replay
from bot.service import Cost, NothingBetter, Request, Turn
from bot.text import Texts
from bot.text.moves import line_text
from bot.text.turns import footer_text, label_text
from engine import Record, changes, find_game, states

if TYPE_CHECKING:
    from bot.discord_app.client import BotClient

    Interaction = discord.Interaction[BotClient]

log = logging.getLogger(__name__)

WAITING_MAX = 20  # players; with a long game each, the last one waits for a minute
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


class Replays:
    """Draws one replay at a time, in a thread of their own, and one at a time for each player.

    A long game takes seconds to draw. Among the tables' pictures, a few of them would hold up everybody.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="replay")
        self.waiting = 0  # replays that are being drawn or wait for it

    async def send(self, interaction: Interaction) -> None:
        """Answer with the current game from its deal to where it stands.

        When drawing takes over a second, the player is told so, and the animation follows.

        :raises StillBusy: when something expensive is being done for the user.
        :raises TooFast: when a replay was drawn for them just now.
        :raises ManyWaiting: when too many wait for theirs.
        """
        turn = await interaction.client.games.show(Request(interaction.user.id, interaction.id))
        reader = await reader_of(interaction)
        if not may_attach(interaction):
            await whisper(interaction, reader.texts("replay-no-files"))
            return
        with interaction.client.services.rate_limiter.alone(interaction.user.id, Cost.REPLAY):
            await self._send(interaction, reader, turn, turn.position.record)

    async def send_best(self, interaction: Interaction, turn: Turn) -> None:
        """Answer with the deal of an ended game as it is played best, for the player alone.

        Where that is not known any more, it is worked out anew.

        :raises NotFinished: when the game is going on again.
        :raises AnalyseLater: when it is a contest that is still going for somebody.
        :raises NothingBetter: when nothing better is found.
        :raises StillBusy: when something expensive is being done for the user.
        :raises TooFast: when a best game was shown to them just now.
        :raises ManyWaiting: when too many wait for theirs.
        """
        await interaction.client.services.analysing.check(turn)
        with interaction.client.services.rate_limiter.alone(interaction.user.id, Cost.BEST):
            await self._send_best(interaction, turn)

    async def _send_best(self, interaction: Interaction, turn: Turn) -> None:
        reader, services = await reader_of(interaction), interaction.client.services
        if turn.may_know_best and turn.best is None:
            if services.analysing.is_crowded:
                raise services.rate_limiter.many_wait(interaction.user.id)
            await interaction.response.defer(ephemeral=True, thinking=True)
            turn = replace(turn, best=await services.bests.of(turn))
        if turn.best_record is None:
            raise NothingBetter
        if reader.settings.as_text or not may_attach(interaction):
            texts, best = reader.texts, turn.best_record
            await whisper_long(interaction, f"{_title(texts, turn, best)}\n{line_text(texts, best)}")
        else:
            await self._send(interaction, reader, turn, turn.best_record)

    async def _send(self, interaction: Interaction, reader: Reader, turn: Turn, record: Record) -> None:
        if self.waiting >= WAITING_MAX:
            raise interaction.client.services.rate_limiter.many_wait(interaction.user.id)
        label = label_text(reader.texts, turn)
        drawing = asyncio.ensure_future(self.draw(reader.texts, record, reader.deck, label))
        await asyncio.wait({drawing}, timeout=PATIENCE_S)
        private = reader.settings.is_private or turn.is_secret or record is not turn.position.record
        notice_id = None
        if not drawing.done() and not interaction.response.is_done():
            waiting = ReplayView(reader.texts("replay-drawing"))
            notice = await interaction.response.send_message(view=waiting, ephemeral=private)
            notice_id = notice.message_id
        view, file = _answer(reader, turn, record, await drawing)
        if interaction.response.is_done():
            # A new message, since adding an upload to a message by an edit is not reliable at Discord.
            await interaction.followup.send(view=view, file=file, ephemeral=private)
            if notice_id is not None:
                await _take_back(interaction, notice_id)
        else:
            await interaction.response.send_message(view=view, file=file, ephemeral=private)

    async def draw(self, texts: Texts, record: Record, deck: Deck, label: str = "") -> bytes:
        """Return a game as an animation, drawn when those that were asked for before are."""
        self.waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._thread, _draw, texts, record, deck, label)
        finally:
            self.waiting -= 1

    def close(self) -> None:
        """Begin no more; what is being drawn ends by itself."""
        self._thread.shutdown(wait=False, cancel_futures=True)


async def _take_back(interaction: Interaction, notice_id: int) -> None:
    """Delete what was said first; where that can't be, it stays.

    By its own id: after a press that was acknowledged first, the original response is the pressed table.
    """
    try:
        await interaction.followup.delete_message(notice_id)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
        log.info("a notice stays: %s", error)


def _answer(reader: Reader, turn: Turn, record: Record, gif: bytes) -> tuple[ReplayView, discord.File]:
    texts = reader.texts
    kind = "replay" if record is turn.position.record else "best"
    file = discord.File(
        io.BytesIO(gif),
        filename=f"{kind}-{turn.game.id}-{turn.game.revision}.gif",
        description=_title(texts, turn, record, "alt"),
    )
    headline, footer = _title(texts, turn, record), f"-# {footer_text(texts, turn)}"
    return ReplayView(headline, footer, animation=file), file


def _title(texts: Texts, turn: Turn, record: Record, kind: str = "title") -> str:
    """Return what a record of a turn's deal is: the game as it was played, or as it is played best."""
    words = {"full": turn.table.full_score, "moves": len(record.moves)}
    if record is turn.position.record or turn.best is None:
        return texts(f"replay-{kind}", score=turn.table.score, **words)
    return texts(f"replay-best-{kind}", score=turn.best.score, **words)


def _draw(texts: Texts, record: Record, deck: Deck, label: str) -> bytes:
    game = find_game(record.game)
    tables = [game.table(state) for state in states(record)]
    earlier = [tables[0], *tables]
    frames = [
        Frame(table, captions(texts, record, table, label), changes(before, table))
        for before, table in zip(earlier, tables, strict=False)
    ]
    return draw_replay(frames, deck)
