"""A process that moves a store to many places and is killed at it, each time at another statement.

Run as ``python -m tests.storage.mover <source> <target> <target> …``: the first is moved to whole; at each of
the others a process of its own is killed, at statements spread over the whole of it. It prints how many
statements a whole move takes.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import sys
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import asyncpg

from bot.storage import transfer as moving

CHUNK = 3  # rows, so that there are many chunks


def move(source: str, target: str, last: int | None) -> int:
    """Move a store; be killed before the statement of that number, or return how many there were."""
    statements = 0

    def count() -> None:
        nonlocal statements
        statements += 1
        if statements == last:
            os.kill(os.getpid(), signal.SIGKILL)

    class Counting(sqlite3.Connection):
        def execute(self, *arguments: Any) -> sqlite3.Cursor:
            count()
            return super().execute(*arguments)

        def executemany(self, *arguments: Any) -> sqlite3.Cursor:
            count()
            return super().executemany(*arguments)

    connect = sqlite3.connect

    def connect_counting(*arguments: Any, **more: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*arguments, **more, factory=Counting)
        return connection

    def counting(method: Callable[..., Any]) -> Callable[..., Any]:
        async def ask(*arguments: Any, **more: Any) -> Any:
            count()
            return await method(*arguments, **more)

        return ask

    asked: dict[str, Any] = {
        name: counting(getattr(asyncpg.Connection, name))
        for name in ("execute", "fetch", "fetchrow", "fetchval")
    }
    with (
        patch("sqlite3.connect", connect_counting),
        patch.multiple(asyncpg.Connection, **asked),
        patch.object(moving, "CHUNK", CHUNK),
    ):
        moved = asyncio.run(moving.move(source, target))
    assert moved.is_finished
    return statements


def main(source: str, whole: str, *targets: str) -> None:
    statements = move(source, whole, None)
    for number, target in enumerate(targets):
        pid = os.fork()  # from a process with a single thread again, and quicker than to import all anew
        if pid == 0:
            move(source, target, 1 + (statements - 1) * number // len(targets))
            os._exit(0)
        os.waitpid(pid, 0)
    print(statements)  # noqa: T201 - it is read by the test


if __name__ == "__main__":
    main(*sys.argv[1:])
