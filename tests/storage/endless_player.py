"""A process that plays without end and tells each turn once it is acknowledged: the test kills it.

Run as ``python -m tests.storage.endless_player <kind of store> <folder>``; it tells id, revision, record.
"""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace
from pathlib import Path

from tests.storage.conftest import STORES, new_game


async def play(kind: str, folder: Path) -> None:
    store = STORES[kind](folder)
    await store.open()
    game = await store.create_game(new_game())
    while True:
        print(game.id, game.revision, game.record, flush=True)  # noqa: T201 - it is read by the test
        record = game.record.split(" ")[0] + f" s-t{' s-t' * (game.revision % 40)}"
        game = await store.save_if_revision(replace(game, record=record))


if __name__ == "__main__":
    asyncio.run(play(sys.argv[1], Path(sys.argv[2])))
