"""What the wire tests share: a stand-in that fails a test whose client broke Discord's contract, and bots."""

from __future__ import annotations

import gc
import logging
import re
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from tests.wire.bot_process import Nursery
from tests.wire.standin import StandIn
from tests.wire.storms import Sea, open_sea

_WITH_ID = re.compile(r"error [0-9a-f]{6} in ")


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    """Where the bots of all tests come from that run in a process of their own."""
    nursery = Nursery()
    yield nursery
    nursery.close()


@pytest.fixture(scope="session")
def nurseries(nursery: Nursery) -> Iterator[tuple[Nursery, Nursery]]:
    """Where two bots at a time come from."""
    another = Nursery()
    yield nursery, another
    another.close()


@pytest_asyncio.fixture
async def discord_standin() -> AsyncIterator[StandIn]:
    """A `StandIn` that discord.py's clients of this process reach while the test runs."""
    async with StandIn() as standin:
        with standin.client_settings():
            yield standin
        standin.check()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def sea(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Sea]:
    """One bot for all tests of a module; each takes players of its own."""
    async with open_sea(tmp_path_factory.mktemp("sea")) as opened:
        yield opened


@pytest.fixture
def no_stray_traceback(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fails a test in which something was logged as an error, other than with an error id."""
    yield
    assert [r.getMessage() for r in _errors(caplog) if not _has_id(r)] == []


@pytest.fixture
def no_error(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fails a test in which anything was logged as an error."""
    yield
    assert [r.getMessage() for r in _errors(caplog)] == []


def _errors(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    gc.collect()  # an exception that nobody looked at is logged when its task goes
    return [r for r in caplog.get_records("call") if r.levelno >= logging.ERROR]


def _has_id(record: logging.LogRecord) -> bool:
    return hasattr(record, "error_id") or _WITH_ID.match(record.getMessage()) is not None
