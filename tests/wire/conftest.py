"""The fixture of the wire tests: a stand-in that fails a test whose client broke Discord's contract."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio

from tests.wire.standin import StandIn


@pytest_asyncio.fixture
async def discord_standin() -> AsyncIterator[StandIn]:
    """A `StandIn` that discord.py's clients of this process reach while the test runs."""
    async with StandIn() as standin:
        with standin.client_settings():
            yield standin
        standin.check()
