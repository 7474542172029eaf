"""A process that upgrades copies of a database and is killed at it, at moments spread over the whole of it.

Run as ``python -m tests.storage.upgrader <database> <folder> <count>``: it leaves ``0.sqlite3`` and so on in
the folder as the kills left them, and prints how many steps of SQLite's machine a whole upgrade takes.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sqlite3
import sys
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bot.storage import SqliteStore

STRIDE = 50  # of SQLite's steps, between two looks


def upgrade(path: Path, last: int | None) -> int:
    """Upgrade a database; be killed after ``last`` steps, or return how many there were."""
    steps = 0

    def step() -> int:
        nonlocal steps
        steps += 1
        if steps == last:
            os.kill(os.getpid(), signal.SIGKILL)
        return 0

    real = sqlite3.connect

    def connect(*arguments: Any, **more: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = real(*arguments, **more)
        connection.set_progress_handler(step, STRIDE)
        return connection

    async def open_it() -> None:
        store = SqliteStore(path)
        await store.open()
        await store.close()

    with patch("sqlite3.connect", connect):
        asyncio.run(open_it())
    return steps


def main(database: Path, folder: Path, count: int) -> None:
    whole = shutil.copy(database, folder / "whole.sqlite3")
    steps = upgrade(Path(whole), None)
    for number in range(count):
        copy = Path(shutil.copy(database, folder / f"{number}.sqlite3"))
        pid = os.fork()  # from a process with a single thread again, and quicker than to import all anew
        if pid == 0:
            upgrade(copy, 1 + (steps - 1) * number // count)
            os._exit(0)
        os.waitpid(pid, 0)
    print(steps)  # noqa: T201 - it is read by the test


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
