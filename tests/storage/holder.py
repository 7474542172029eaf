"""A process that is alone at something until it is killed: ``python -m tests.storage.holder <address>``."""

from __future__ import annotations

import asyncio
import sys

from bot.storage import open_store


async def hold(url: str) -> None:
    store = open_store(url)
    await store.open()
    async with store.lock("settling") as alone:
        print("alone" if alone else "not alone", flush=True)  # noqa: T201 - it is read by the test
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(hold(sys.argv[1]))
