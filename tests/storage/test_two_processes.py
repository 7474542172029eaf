"""Two processes that open one database at the same moment wait for each other."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path

import pytest
import pytest_asyncio

from bot.storage.sqlite import file
from tests.storage.versions import write_version

REPOSITORY = Path(__file__).resolve().parents[2]
ROUNDS = 40  # since two seldom come to the same point at the same moment


@pytest_asyncio.fixture
async def openers() -> AsyncIterator[list[Process]]:
    """Two processes of `tests.storage.opener` that wait for a path."""
    command = (sys.executable, "-m", "tests.storage.opener")
    started = [
        await asyncio.create_subprocess_exec(*command, str(owner), cwd=REPOSITORY, stdin=PIPE, stdout=PIPE)
        for owner in (1, 2)
    ]
    for process in started:
        assert await told(process) == "ready"
    yield started
    for process in started:
        assert process.stdin is not None
        process.stdin.close()
        assert await process.wait() == 0


async def told(process: Process) -> str:
    assert process.stdout is not None
    return (await asyncio.wait_for(process.stdout.readline(), 60)).decode().strip()


def nothing(path: Path) -> None:
    """No file at all."""


def empty(path: Path) -> None:
    path.touch()


def version_1(path: Path) -> None:
    write_version(path, 1)


@pytest.mark.parametrize("before", [nothing, empty, version_1])
async def test_two_that_make_one_database_at_once_both_use_it(
    tmp_path: Path, openers: list[Process], before: Callable[[Path], None]
) -> None:
    for number in range(ROUNDS):
        path = tmp_path / f"{number}.sqlite3"
        before(path)
        for process in openers:
            assert process.stdin is not None
            process.stdin.write(f"{path}\n".encode())
        assert [await told(process) for process in openers] == ["ok", "ok"], number
        with closing(sqlite3.connect(path)) as connection:
            assert connection.execute("SELECT number FROM migrations").fetchall() == [
                (number,) for number in file.migrations()
            ]
            assert connection.execute("SELECT COUNT(*) FROM games WHERE owner_id < 3").fetchone() == (2,)
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
