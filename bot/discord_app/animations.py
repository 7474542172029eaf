"""Games as animations, drawn one at a time in a thread of their own.

A long game takes seconds to draw. Among the pictures of tables, a few of them would hold up everybody.
"""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from bot.render.image import Deck
from bot.render.prose import captions
from bot.render.replay import Frame, draw_replay
from bot.text import Texts
from engine import Record, changes, find_game, states

MAX_QUEUED = 20  # with a long game each, the last one waits for a minute


class AnimationQueue:
    """Draws what is asked for in order."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="replay")
        self.queued = 0  # animations that are being drawn or wait for it

    @property
    def is_full(self) -> bool:
        """True when a further one would wait too long."""
        return self.queued >= MAX_QUEUED

    async def draw(self, texts: Texts, record: Record, deck: Deck, label: str = "") -> bytes:
        """Return a game from its deal to its last move as a GIF."""
        self.queued += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._thread, _draw, texts, record, deck, label)
        finally:
            self.queued -= 1

    def close(self) -> None:
        """Drop what waits; what is being drawn ends by itself."""
        self._thread.shutdown(wait=False, cancel_futures=True)


def _draw(texts: Texts, record: Record, deck: Deck, label: str) -> bytes:
    game = find_game(record.game)
    tables = [game.table(state) for state in states(record)]
    earlier = [tables[0], *tables]
    frames = [
        Frame(table, captions(texts, record, table, label), changes(before, table))
        for before, table in zip(earlier, tables, strict=False)
    ]
    return draw_replay(frames, deck)
