"""A process that plays without end and tells each turn once it is acknowledged: the test kills it.

Run as ``python -m tests.storage.endless_player <address of the store>``; it tells id, revision, record.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace

from bot.storage import open_store
from tests.storage.conftest import new_game


async def play(url: str) -> None:
    store = open_store(url)
    await store.open()
    game = await store.create_game(new_game())
    while True:
        print(game.id, game.revision, game.record, flush=True)  # noqa: T201 - it is read by the test
        record = game.record.split(" ")[0] + f" s-t{' s-t' * (game.revision % 40)}"
        game = await store.save_if_revision(replace(game, record=record))


if __name__ == "__main__":
    asyncio.run(play(sys.argv[1]))
