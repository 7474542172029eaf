"""The local browser chat as its own process, started as ``scripts/play`` starts it."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
START_TIMEOUT_S = 30.0
STOP_TIMEOUT_S = 15.0


class PreviewProcess:
    """One run of ``python -m bot play``. What it prints goes to a file, so it never waits for a reader."""

    def __init__(self, folder: Path, port: int) -> None:
        self._printed = folder / f"printed-{time.monotonic_ns()}.txt"
        database = f"sqlite:///{folder / 'games.sqlite3'}"
        with self._printed.open("wb") as printed:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "bot", "play", "--no-browser", "--port", str(port)],
                cwd=ROOT,
                # Plain solvers: to compile them would take a core from the page for most of a minute.
                env={**os.environ, "DATABASE_URL": database, "DISCORD_TOKEN": "", "SOLVE_PLAIN": "1"},
                stdin=subprocess.DEVNULL,
                stdout=printed,
                stderr=subprocess.STDOUT,
            )

    @property
    def printed(self) -> str:
        """What it has printed so far, errors too."""
        return self._printed.read_text("utf-8")

    def url(self) -> str:
        """Wait until the address of the page is printed; return it."""
        deadline = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < deadline and self._process.poll() is None:
            if found := re.search(r"^\s*(http\S+)\s", self.printed, re.MULTILINE):
                return found[1]
            time.sleep(0.02)
        raise AssertionError(f"no address of a page, exit code {self._process.poll()}:\n{self.printed}")

    def interrupt(self) -> int:
        """Press Ctrl-C; return the exit code."""
        self._process.send_signal(signal.SIGINT)
        return self.wait()

    def wait(self) -> int:
        """Wait until it has ended; return the exit code."""
        return self._process.wait(STOP_TIMEOUT_S)

    def end(self) -> None:
        """End it if it still runs, whatever it is doing."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()


@contextmanager
def preview_process(folder: Path, port: int) -> Iterator[PreviewProcess]:
    """Run the chat on ``port``, its database in ``folder``, until the block ends."""
    process = PreviewProcess(folder, port)
    try:
        yield process
    finally:
        process.end()


def free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
