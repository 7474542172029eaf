"""What the wire tests share: a stand-in that fails a test whose client broke Discord's contract, and bots."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from tests.wire.bot_process import Nursery
from tests.wire.standin import StandIn


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    """Where the bots of all tests come from that run in a process of their own."""
    nursery = Nursery()
    yield nursery
    nursery.close()


@pytest_asyncio.fixture
async def discord_standin() -> AsyncIterator[StandIn]:
    """A `StandIn` that discord.py's clients of this process reach while the test runs."""
    async with StandIn() as standin:
        with standin.client_settings():
            yield standin
        standin.check()
