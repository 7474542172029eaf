"""The stores that every contract test runs over."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio

from bot.storage import NewGame, SqliteStore, Status, Store

OpenStore = Callable[[], Awaitable[Store]]

# One line a kind of store: what makes another connection to the test's own database.
STORES: dict[str, Callable[[Path], Store]] = {
    "sqlite": lambda folder: SqliteStore(folder / "games.sqlite3"),
}


@pytest_asyncio.fixture(params=STORES)
async def open_store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[OpenStore]:
    """Opens a store on the test's database; called again, a second one on the same data."""
    async with AsyncExitStack() as stack:

        async def make() -> Store:
            store = STORES[request.param](tmp_path)
            await store.open()
            stack.push_async_callback(store.close)
            return store

        yield make


@pytest_asyncio.fixture
async def store(open_store: OpenStore) -> Store:
    return await open_store()


def new_game(owner_id: int = 1, *, request_id: int = 1, now_ms: int = 1_000, seed: object = 24) -> NewGame:
    return NewGame(
        owner_id=owner_id,
        record=f"acesup/standard/{seed}",
        status=Status.PLAYING,
        score=0,
        request_id=request_id,
        now_ms=now_ms,
    )
