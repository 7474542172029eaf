"""The stores that every contract test runs over."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from bot.storage import DailyResult, NewGame, Status, Store, StoredGame
from bot.storage import open_store as open_by_url
from tests.postgres import schema

OpenStore = Callable[[], Awaitable[Store]]

STORES = ("sqlite", "postgres")


@pytest.fixture(params=STORES)
def kind(request: pytest.FixtureRequest) -> str:
    """The kind of store that the test is about now."""
    return str(request.param)


@asynccontextmanager
async def new_database(kind: str, request: pytest.FixtureRequest, folder: Path) -> AsyncIterator[str]:
    """The address of a database of that kind in which nothing is yet."""
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'games.sqlite3'}"
        return
    async with schema(request.getfixturevalue("postgres_url")) as url:
        yield url


@pytest_asyncio.fixture
async def database_url(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    """The address of the test's own database."""
    async with new_database(kind, request, tmp_path) as url:
        yield url


@pytest_asyncio.fixture
async def open_store(database_url: str) -> AsyncIterator[OpenStore]:
    """Opens a store on the test's database; called again, a second one on the same data."""
    async with AsyncExitStack() as stack:

        async def make() -> Store:
            store = open_by_url(database_url)
            await store.open()
            stack.push_async_callback(store.close)
            return store

        yield make


@pytest_asyncio.fixture
async def store(open_store: OpenStore) -> Store:
    return await open_store()


UNNAMED = 1_000_000  # the first of those requests that no test names
_requests = itertools.count(UNNAMED)


def new_game(
    owner_id: int = 1, *, request_id: int | None = None, now_ms: int = 1_000, seed: object = 24
) -> NewGame:
    """A game to be kept, which another request asks for each time unless it is named."""
    return NewGame(
        owner_id=owner_id,
        record=f"acesup/standard/{seed}",
        status=Status.PLAYING,
        score=0,
        request_id=next(_requests) if request_id is None else request_id,
        now_ms=now_ms,
    )


def new_daily(owner_id: int, day: str) -> NewGame:
    """The owner's game of that day; what it is known by after `forget` is ``mark_of(owner_id)``."""
    return replace(new_game(owner_id, seed=day), day=day, day_mark=mark_of(owner_id))


def mark_of(owner_id: int) -> str:
    return f"mark-{owner_id}"


async def finish_daily(store: Store, owner_id: int, day: str, score: int) -> StoredGame:
    """Deals the owner's game of that day and ends it with that score."""
    game = await store.create_game(new_daily(owner_id, day))
    ended = replace(game, record=f"{game.record} s-t", status=Status.OVER, score=score)
    return await store.save_if_revision(ended, DailyResult(day, owner_id, game.id, score))
