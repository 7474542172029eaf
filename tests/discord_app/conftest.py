"""The real bot in a simulated Discord."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio

from tests.discord_app.playing import World, open_world
from tests.discord_app.pressing import Player, player
from tests.thinking import Thinker


@pytest.fixture
def raised() -> Iterator[list[BaseException]]:
    """The exceptions that the bot raised; the list must be empty at the end.

    An asynchronous fixture may not raise at its end: pytest-asyncio would leave SimCord's context variables
    set, and later tests with a real client would talk to a simulated Discord that is gone.
    """
    found: list[BaseException] = []
    yield found
    assert found == []


@pytest_asyncio.fixture
async def world(tmp_path: Path, raised: list[BaseException]) -> AsyncIterator[World]:
    """A server in which the bot has just started."""
    async with AsyncExitStack() as stack:
        yield await open_world(stack, tmp_path, raised)


@pytest.fixture
def quiet(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fails a test that logs an error, unless the test clears the log."""
    yield
    errors = [r for r in caplog.get_records("call") if r.levelno >= logging.ERROR]
    assert [record.getMessage() for record in errors] == []


@pytest.fixture
def thinker(world: World) -> Thinker:
    return world.thinker


@pytest.fixture
def ada(world: World) -> Player:
    return player(world)


@pytest.fixture
def ola(world: World) -> Player:
    return player(world, "ola")
