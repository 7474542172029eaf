"""The real bot, ``python -m bot``, in a process of its own that plays on a stand-in in this one.

    async with StandIn() as standin, bot_process(folder) as bot:
        await bot.start(standin.url)
        await standin.connected()
        …
        bot.send(signal.SIGKILL)
        assert await bot.ended() == -signal.SIGKILL
        await bot.start(standin.url)                     # on the same database

Importing the bot takes a second or two. So one process, the nursery, imports it once and forks for every
start, while it has a single thread and no event loop.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.wire.standin import client_settings

ROOT = Path(__file__).parents[2]
START_TIMEOUT_S = 60.0
END_TIMEOUT_S = 30.0


class Nursery:
    """Where bots come from, one at a time; `close` it in the end."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.wire.bot_process"],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def order(self, order: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order).encode() + b"\n")
        self._process.stdin.flush()

    async def told(self, timeout_s: float) -> int:
        """Return the next number that it tells.

        :raises TimeoutError: when it tells none in time.
        """
        assert self._process.stdout is not None
        return int(await asyncio.wait_for(asyncio.to_thread(self._process.stdout.readline), timeout_s))

    def close(self) -> None:
        with self._process:  # which closes its standard input, and waits
            pass


class BotProcess:
    """One bot after another on the database in `folder`; their `log` is a file there, added to by each.

    :param thinks: whether solvers think in further processes, as on a server; else nothing is thought out.
    """

    def __init__(self, nursery: Nursery, folder: Path, *, thinks: bool = False) -> None:
        self.database = folder / "games.sqlite3"
        self.log = folder / "log.txt"
        self.pid = 0
        self._thinks = thinks
        self._nursery = nursery

    async def start(self, url: str, **environment: str) -> None:
        """Start it, with more settings if need be; it logs in at the stand-in at `url` by and by."""
        settings = {
            "DISCORD_TOKEN": "token",
            "DATABASE_URL": f"sqlite:///{self.database}",
            "SOLVE_PLAIN": "1",  # to compile the solvers would take a core for most of a minute
            **environment,
        }
        self._nursery.order(
            {"url": url, "environment": settings, "log": str(self.log), "thinks": self._thinks}
        )
        self.pid = await self._nursery.told(START_TIMEOUT_S)

    def send(self, number: int) -> None:
        """Send it a signal."""
        os.kill(self.pid, number)

    async def ended(self) -> int:
        """Wait until it has ended; return the exit code, or the signal that killed it as a negative number.

        :raises TimeoutError: when it does not end; it is killed then.
        """
        try:
            return await self._nursery.told(END_TIMEOUT_S)
        except TimeoutError:
            self.send(9)  # so that the thread that waits for its end comes to its own
            raise
        finally:
            self.pid = 0

    async def kill(self) -> None:
        """End it if it still runs, whatever it is doing."""
        if self.pid:
            self.send(9)  # it is there, if only as a zombie, until the nursery has told its end
            await self.ended()

    def said(self) -> str:
        """Return what all of them have logged and printed."""
        return self.log.read_text("utf-8") if self.log.exists() else ""


@asynccontextmanager
async def bot_process(
    folder: Path, nursery: Nursery | None = None, *, thinks: bool = False
) -> AsyncIterator[BotProcess]:
    """Start the bot as often as is wanted until the block ends; none is left over then."""
    own = nursery or Nursery()
    bot = BotProcess(own, folder, thinks=thinks)
    try:
        yield bot
    finally:
        await bot.kill()
        if nursery is None:
            own.close()


def _serve_orders() -> None:
    """Fork a bot for each line of standard input; tell its process id, then how it ended."""
    import bot.__main__  # noqa: F401, PLC0415 - so that those who are forked need not import it

    gc.freeze()  # or each of them would go through all of it again when it ends
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            _become_bot(json.loads(line))
        print(pid, flush=True)  # noqa: T201 - it is read by BotProcess
        _, status = os.waitpid(pid, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)  # noqa: T201


def _become_bot(order: dict[str, object]) -> None:
    """Run the bot as its program does, but on the stand-in.

    :raises SystemExit: always, with the bot's exit code.
    """
    from bot import __main__ as program  # noqa: PLC0415
    from bot.service import SolverPool  # noqa: PLC0415
    from bot.service.analysis.solver_pool import NullSolverPool  # noqa: PLC0415

    nothing = os.open(os.devnull, os.O_RDONLY)
    log = os.open(str(order["log"]), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    for number, file in enumerate((nothing, log, log)):
        os.dup2(file, number)
    environment = order["environment"]
    assert isinstance(environment, dict)
    os.environ.update(environment)
    os.chdir(Path(str(order["log"])).parent)  # where there is no .env
    solvers = SolverPool if order["thinks"] else NullSolverPool
    with client_settings(str(order["url"])):
        sys.exit(program.main([], solvers))


if __name__ == "__main__":
    _serve_orders()
