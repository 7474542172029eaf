"""Runs the bot against the stand-in, and records what it does one exchange at a time."""

from __future__ import annotations

import asyncio
import hashlib
import random
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol
from unittest.mock import patch

from bot.app import build_client
from bot.config import Config
from tests.wire.exchanges.canonical import (
    Json,
    Names,
    Requests,
    Rows,
    Stored,
    difference,
    new_messages,
)
from tests.wire.exchanges.thinking import solver_pool
from tests.wire.exchanges.virtual_time import (
    DEADLOCK_S,
    Idleness,
    VirtualClock,
    VirtualTimeLoop,
    until_idle,
)
from tests.wire.faults import Fault, Refusal
from tests.wire.interactions import Interaction
from tests.wire.payloads import Message
from tests.wire.standin import BOT, OWNER, Request, StandIn

START_MS = 1_767_776_400_000  # 7 January 2026, 9:00 UTC
STEP_S = 20.0  # of the bot's clock between two exchanges, so that nobody is too fast by accident
JUMP_S = 15.0  # of the loop's time at once: less than what a gateway may be silent for
ENVIRONMENT = {
    "DISCORD_TOKEN": "token",
    "DAILY_SECRET": "the secret of the exchanges",
    "DAILY_TIMEZONE": "Europe/Oslo",
    "RETENTION_DAYS": "30",
}


class Database(Protocol):
    """The bot's database, seen from beside the bot."""

    url: str

    async def rows(self) -> Rows:
        """Every row of every table, but for what the store notes of its own migrations."""

    async def run(self, *statements: str) -> None:
        """Change something behind the bot's back."""


@dataclass
class Stage:
    """The stand-in, the bot, and what has been written down.

    `exchanges` is the recording so far. `last` is the last interaction of the present exchange.
    """

    standin: StandIn
    database: Database
    clock: VirtualClock = field(default_factory=lambda: VirtualClock(START_MS))
    names: Names = field(default_factory=Names)
    exchanges: list[Json] = field(default_factory=list)
    watch: Callable[[Json], None] = lambda _: None
    number: int = 0
    _client: Any = None
    _running: asyncio.Task[None] | None = None
    _idleness: Idleness = field(default_factory=Idleness)
    _stored: dict[str, list[str]] = field(default_factory=dict)
    _seen: int = 0

    def __post_init__(self) -> None:
        unknown = Refusal(404, {"code": 10015, "message": "Unknown Webhook"})
        self.standin.arm(_TooEarly("PATCH", _BY_TOKEN, 1_000_000, unknown, stage=self))
        self._form = Stored(self.names)
        self.names.add(BOT.id, "bot")
        self.names.add(OWNER.id, "owner")

    @property
    def loop(self) -> VirtualTimeLoop:
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualTimeLoop)
        return loop

    # The bot's life

    async def start(self, *, thinks: bool = False) -> None:
        """Start the bot, with or without solvers; what it asks of Discord at its start is an exchange."""
        async with self.exchange("the bot starts"):
            config = Config.from_env({**ENVIRONMENT, "DATABASE_URL": self.database.url})
            self._client = build_client(config, self.clock, *([solver_pool()] if thinks else []))
            self._running = asyncio.create_task(self._client.start("token"))
            await self._while_time_passes(self._client_is_ready)
            await self._idleness.learn()

    async def stop(self) -> None:
        closing = asyncio.create_task(self._client.close())
        await self._while_time_passes(closing.done)
        await closing
        assert self._running is not None
        await self._while_time_passes(self._running.done)
        await self._running

    async def restart(self, *, thinks: bool = False) -> None:
        """Stop the bot and start another one on the same database, which knows nothing else."""
        await self.stop()
        self._idleness = Idleness()
        await self.start(thinks=thinks)

    def _client_is_ready(self) -> bool:
        assert self._running is not None
        if self._running.done():
            self._running.result()
        return bool(self._client.is_ready())

    async def _while_time_passes(self, done: Callable[[], bool], step_s: float = 0.5) -> None:
        deadline = time.monotonic() + DEADLOCK_S
        while not done():
            assert time.monotonic() < deadline, "that takes too long"
            await self.loop.real_pause(0.005)
            self.loop.advance(step_s)

    # Exchanges

    @asynccontextmanager
    async def exchange(self, title: str, sent: Json | None = None) -> AsyncIterator[Json]:
        """Write down what the bot asks of Discord and stores while, and because, the block runs."""
        self.number += 1
        chance = _Chance(self.number)
        about: Json = {"n": self.number, "title": title}
        with_files = frozenset(id_ for id_, message in self.standin.messages.items() if message.attachments)
        with (
            patch("secrets.randbelow", chance.randbelow),
            patch("secrets.choice", chance.choice),
            patch("secrets.token_hex", chance.token_hex),
        ):
            yield about
            await self.settle()
        for id_, user in self.standin.rest.dm_channels.items():
            self.names.add(id_, f"dm of {self.names.of(str(user.id))}")
        new_messages(self.names, self.standin, self.number, title)
        requests = [r for r in self.standin.requests[self._seen :] if not r.path.startswith("/gateway")]
        self._seen = len(self.standin.requests)
        if sent is not None:
            about["sent"] = sent
        about = self.names.of(about)
        about["requests"] = Requests(self.names, self.standin, with_files).form(requests)
        stored = self._form.form(await self.database.rows())
        about["stored"] = difference(self._stored, stored)
        self._stored = stored
        self.exchanges.append(about)
        self.watch(about)

    async def settle(self) -> None:
        """Wait until the bot has nothing to do but wait for time to pass."""
        await until_idle(self._idleness, lambda: len(self.standin.requests))

    async def acts(
        self, title: str, send: Callable[[], Awaitable[Interaction]], *, after_s: float = STEP_S
    ) -> Interaction:
        """One exchange: an interaction, and all that comes of it. The clock is moved before it."""
        self.clock.advance(after_s)
        async with self.exchange(title) as about:
            interaction = await send()
            interaction.at_s = float("inf")  # a slow machine is never too late
            self.names.add(interaction.id, f"I{self.number}")
            self.names.add(interaction.token, f"T{self.number}")
            about["sent"] = _sent(interaction)
            await self._until(lambda: interaction.acknowledged or self._tried(interaction), title)
        return interaction

    async def acts_often(self, title: str, times: int, send: Callable[[], Awaitable[Interaction]]) -> None:
        """One exchange: the same interaction, or much the same, many times at one moment."""
        async with self.exchange(f"{title}, {times} times at once") as about:
            for count in range(1, times + 1):
                interaction = await send()
                self.names.add(interaction.id, f"I{self.number}.{count}")
                self.names.add(interaction.token, f"T{self.number}.{count}")
                about["sent"] = _sent(interaction)
                await self._until(lambda i=interaction: i.acknowledged, title)  # type: ignore[misc]
                await self.settle()

    async def again(self, interaction: Interaction) -> None:
        """Deliver an interaction a second time: the bot tries to answer, and learns that it has."""
        self.clock.advance(1)
        title = "delivered again"
        async with self.exchange(title, _sent(interaction)):
            path = f"/interactions/{interaction.id}/{interaction.token}/callback"
            before = self._count(path)
            await self.standin.again(interaction)
            await self._until(lambda: self._count(path) > before, title)

    def _tried(self, interaction: Interaction) -> bool:
        """Whether the bot has answered, and Discord would not have it."""
        return self._count(f"/interactions/{interaction.id}/{interaction.token}/callback") > 0

    def _count(self, path: str) -> int:
        return sum(request.path == path for request in self.standin.requests[self._seen :])

    async def passes(self, seconds: float, title: str = "time passes") -> None:
        """Time passes for the bot's clock, and enough of it for everything that is done at intervals."""
        self.clock.advance(seconds)
        async with self.exchange(f"{title}: {seconds} s"):
            left_s = min(seconds, 4 * JUMP_S)
            while left_s > 0:
                await self.standin.gateway.dispatch("NOTHING_AT_ALL", {})  # a sign of life
                await self.settle()
                self.loop.advance(min(left_s, JUMP_S))
                await self.settle()
                left_s -= JUMP_S

    async def changes(self, title: str, *statements: str) -> None:
        """Somebody changes the database beside the bot."""
        async with self.exchange(title):
            await self.database.run(*statements)

    async def _until(self, condition: Callable[[], bool], title: str) -> None:
        deadline = time.monotonic() + DEADLOCK_S
        while not condition():
            if time.monotonic() > deadline:
                raise TimeoutError("\n".join([f"no answer to {title}", *self._idleness.busy()]))
            await self.loop.real_pause()

    def is_answering(self, interaction: Interaction) -> bool:
        """Whether an interaction is of the present exchange."""
        return str(self.names.of(interaction.token)).split(".")[0] == f"T{self.number}"

    def now(self, message: Message) -> Message:
        """A message as it is by now."""
        return self.standin.messages[message.id]


_BY_TOKEN = re.compile(r"/webhooks/[^/]+/([^/]+)/messages/(\d+)$")


@dataclass
class _TooEarly(Fault):
    """Refuses to change an older message by the token of an interaction that is being answered.

    Discord does so until it has the first answer. Whether it has it by then would be a matter of chance.
    """

    stage: Stage | None = None

    def matches(self, request: Request, user_id: int | None) -> bool:
        found = _BY_TOKEN.search(request.path) if request.method == self.method else None
        interaction = self.stage and found and self.stage.standin.interactions.get(found[1])
        if not (self.stage and found and interaction):
            return False
        is_of_now = not self.stage.names.knows(interaction.token) or self.stage.is_answering(interaction)
        return is_of_now and self.stage.names.knows(found[2]) and interaction.original_id != found[2]


def _sent(interaction: Interaction) -> Json:
    """What a player did, without what says only who and where they are."""
    payload = interaction.payload
    sent: Json = {key: payload[key] for key in ("type", "data", "locale", "channel_id") if key in payload}
    sent["user"] = str(interaction.user.id)
    sent |= {key: payload[key] for key in ("guild_id", "context", "app_permissions") if key in payload}
    if "message" in payload:
        sent["message"] = payload["message"]["id"]
    if isinstance(sent.get("data"), Mapping):
        sent["data"] = {key: value for key, value in sent["data"].items() if key != "id"}
    return sent


class _Chance:
    """Chance that is the same in every run, and does not depend on how often it was asked for before."""

    def __init__(self, number: int) -> None:
        self._number = number

    def _seeded(self, about: object) -> random.Random:
        return random.Random(f"{self._number} {about}")

    def randbelow(self, limit: int) -> int:
        return self._seeded(limit).randrange(limit)

    def choice(self, options: Any) -> Any:
        return self._seeded("choice").choice(sorted(options))

    def token_hex(self, size: int | None = None) -> str:
        return hashlib.sha256(f"{self._number} {size}".encode()).hexdigest()[: 2 * (size or 32)]


@contextmanager
def virtual_runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner(loop_factory=VirtualTimeLoop) as runner:
        yield runner
