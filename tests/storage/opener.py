"""A process that opens the database each line of its standard input names, and keeps a game in it.

Run as ``python -m tests.storage.opener <owner>``; it tells ``ready``, then ``ok`` or what went wrong.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from bot.storage import SqliteStore
from tests.storage.conftest import new_game


async def open_and_keep(path: Path, owner: int) -> str:
    store = SqliteStore(path)
    try:
        await store.open()
        await store.create_game(new_game(owner))
    except Exception as error:  # noqa: BLE001 - the test reads it
        return repr(error)
    finally:
        await store.close()
    return "ok"


def tell(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - it is read by the test


if __name__ == "__main__":
    tell("ready")
    for line in sys.stdin:
        tell(asyncio.run(open_and_keep(Path(line.strip()), int(sys.argv[1]))))
