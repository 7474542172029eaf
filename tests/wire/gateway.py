"""Discord's gateway on loopback: handshakes, heartbeats, dispatch, and both stream compressions."""

from __future__ import annotations

import asyncio
import importlib
import json
import secrets
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

from tests.wire.payloads import Json

DISPATCH, HEARTBEAT, IDENTIFY, RESUME, RECONNECT, INVALID_SESSION, HELLO, HEARTBEAT_ACK = (
    0,
    1,
    2,
    6,
    7,
    9,
    10,
    11,
)
GUILDS_INTENT = 1 << 0
SESSION_TIMED_OUT, INVALID_SHARD = 4009, 4010  # why a connection was closed

Encoder = Callable[[str], str | bytes]


def encoder(compress: str | None) -> Encoder:
    """How one connection writes its messages, from the query parameter `compress` of its address.

    A compressed connection is one stream, flushed after every message: the encoder keeps the stream's state.

    :raises ValueError: the name is none of Discord's.
    """
    if compress is None:
        return lambda text: text
    if compress == "zlib-stream":
        return _zlib_encoder()
    if compress == "zstd-stream":
        return _zstd_encoder()
    msg = f"unknown compression {compress!r}"
    raise ValueError(msg)


def _zlib_encoder() -> Encoder:
    stream = zlib.compressobj()
    return lambda text: stream.compress(text.encode()) + stream.flush(zlib.Z_SYNC_FLUSH)


def _zstd_encoder() -> Encoder:
    # discord.py asks for zstd only where it found one of these two, so whichever it found is there for us as
    # well. Both are optional, hence no import statement at the top.
    try:
        library: Any = importlib.import_module("zstandard")
    except ImportError:
        library = importlib.import_module("compression.zstd")
        compressor = library.ZstdCompressor()
        return lambda text: bytes(compressor.compress(text.encode(), mode=compressor.FLUSH_BLOCK))
    stream = library.ZstdCompressor().compressobj()
    return lambda text: bytes(stream.compress(text.encode()) + stream.flush(library.COMPRESSOBJ_FLUSH_BLOCK))


def shard_of(guild_id: int, count: int) -> int:
    """The shard of `count` that a guild's events come by."""
    return (guild_id >> 22) % count


@dataclass(eq=False)
class Connection:
    """One websocket, and how it is written to."""

    socket: web.WebSocketResponse
    transport: asyncio.Transport | None
    encode: Encoder
    _sending: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def send(self, message: Json) -> None:
        # Compressing and sending must not be interleaved: the stream's order is the order of the messages.
        async with self._sending:
            if self.socket.closed:
                return
            encoded = self.encode(json.dumps(message))
            if isinstance(encoded, str):
                await self.socket.send_str(encoded)
            else:
                await self.socket.send_bytes(encoded)


@dataclass(eq=False)
class Session:
    """What is kept of a shard. It outlives its connection: what is dispatched meanwhile is sent on RESUME."""

    shard: int
    id: str | None = None
    intents: int = 0
    events: list[Json] = field(default_factory=list)
    connection: Connection | None = None
    connected: asyncio.Event = field(default_factory=asyncio.Event)
    identified: int = 0
    resumed: int = 0

    def leave(self) -> Connection | None:
        """Have no connection any more; the one that there was."""
        connection, self.connection = self.connection, None
        self.connected.clear()
        return connection

    async def dispatch(self, event: str, data: Json) -> None:
        envelope = {"op": DISPATCH, "s": len(self.events) + 1, "t": event, "d": data}
        self.events.append(envelope)
        if self.connected.is_set():
            await self.send(envelope)

    async def send(self, message: Json) -> None:
        if self.connection is not None:
            await self.connection.send(message)


class Gateway:
    """The websocket end point, and one session for each shard. Give `handle` to an aiohttp route.

    There are as many shards as the last client to IDENTIFY said, one where it said nothing. Where a method
    takes a shard, None means all of them, or for an event the one that it belongs to.

    `identified` and `resumed` count the successful handshakes of all shards, `identifies` has the shard and
    the time (of `time.monotonic`) of each identify that was accepted. With `is_strict` set, one that comes
    within `pace_s` of another of its bucket, `shard % max_concurrency`, is refused with INVALID_SESSION and
    counted in `refused`. The next `closed_doors` connections are refused, the next `stalls` get no
    word until `go_on`. `received` has every message from a client except heartbeats, `most_waiting` is how
    many connections at most had neither identified nor resumed at one time: they answer no heartbeat.
    """

    def __init__(
        self,
        ready: Callable[[], Json],
        guilds: Callable[[], list[Json]],
        max_concurrency: Callable[[], int] = lambda: 1,
    ) -> None:
        self._ready = ready
        self._guilds = guilds
        self._max_concurrency = max_concurrency
        self._sessions: dict[int, Session] = {}
        self._connections: set[Connection] = set()
        self._waiting: set[Connection] = set()
        self.most_waiting = 0
        self.shard_count = 1
        self.heartbeat_interval_ms = 41_250
        self.closed_doors = 0
        self.stalls = 0
        self._stalled = asyncio.Event()
        self.is_strict = False
        self.pace_s = 5.0
        self.identifies: list[tuple[int, float]] = []
        self.refused = 0
        self.received: list[Json] = []

    @property
    def identified(self) -> int:
        return sum(session.identified for session in self._sessions.values())

    @property
    def resumed(self) -> int:
        return sum(session.resumed for session in self._sessions.values())

    def session(self, shard: int = 0) -> Session:
        """What is kept of a shard, from the beginning on."""
        return self._sessions.setdefault(shard, Session(shard))

    def sessions(self, shard: int | None = None) -> list[Session]:
        """That shard's, or those of all shards that there are now."""
        return [self.session(n) for n in (range(self.shard_count) if shard is None else (shard,))]

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """One connection, until either side closes it."""
        if self.closed_doors:
            self.closed_doors -= 1
            raise web.HTTPServiceUnavailable
        socket = web.WebSocketResponse(compress=False, timeout=1.0)
        await socket.prepare(request)
        connection = Connection(socket, request.transport, encoder(request.query.get("compress")))
        self._connections.add(connection)
        try:
            await self._stall()
            self._waiting.add(connection)
            self.most_waiting = max(self.most_waiting, len(self._waiting))
            await connection.send({"op": HELLO, "d": {"heartbeat_interval": self.heartbeat_interval_ms}})
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    await self._receive(connection, json.loads(message.data))
        finally:
            self._connections.discard(connection)
            self._waiting.discard(connection)
            for session in self._sessions.values():
                if session.connection is connection:
                    session.leave()
        return socket

    async def _stall(self) -> None:
        if self.stalls:
            self.stalls -= 1
            await self._stalled.wait()

    def go_on(self) -> None:
        """Takes up the connections that were stalled."""
        self._stalled.set()
        self._stalled = asyncio.Event()

    async def connected(self, shard: int | None = None) -> None:
        """Returns as soon as every shard has identified or resumed and nothing has cut it off since."""
        while missing := [s for s in self.sessions(shard) if not s.connected.is_set()]:
            await missing[0].connected.wait()

    async def disconnect(self, code: int = 4000, shard: int | None = None) -> None:
        """Closes the connection, if there is one. After 4000 a client resumes; after 4004 it must give up."""
        left = {connection for session in self.sessions(shard) if (connection := session.leave())}
        for connection in left if shard is not None else left | self._connections:
            await connection.socket.close(code=code)

    async def ask_to_reconnect(self, shard: int | None = None) -> None:
        """Sends RECONNECT, as Discord does before it takes a server down. The client closes and resumes."""
        for session in self.sessions(shard):
            await session.send({"op": RECONNECT, "d": None})

    async def invalidate(self, *, resumable: bool, shard: int | None = None) -> None:
        """Sends INVALID_SESSION. The client resumes, or where that is of no use it identifies anew.

        In the second case what was not delivered is lost, as at Discord.
        """
        if not resumable:
            self.forget_session(shard)
        for session in self.sessions(shard):
            await session.send({"op": INVALID_SESSION, "d": resumable})

    async def cut(self, shard: int | None = None) -> None:
        """Loses the connection without a word, as when a cable is cut; a client resumes."""
        for session in self.sessions(shard):
            connection = session.leave()
            if connection is not None and connection.transport is not None:
                connection.transport.abort()

    def forget_session(self, shard: int | None = None) -> None:
        """The next RESUME is refused with INVALID_SESSION, so the client has to identify anew."""
        for session in self.sessions(shard):
            session.id = None

    async def dispatch(self, event: str, data: Json, shard: int | None = None) -> None:
        """Sends one event, or keeps it for the next RESUME while no client is connected.

        What is of no guild, as in a direct message, comes by shard 0.
        """
        guild_id = data.get("id") if event.startswith("GUILD_") and "guild_id" not in data else None
        guild_id = guild_id or data.get("guild_id") or 0
        owner = shard_of(int(guild_id), self.shard_count) if shard is None else shard
        await self.session(owner).dispatch(event, data)

    async def announce(self, guild: Json) -> None:
        """GUILD_CREATE, to a client that has identified with the intent GUILDS; others are never told."""
        session = self.session(shard_of(int(guild["id"]), self.shard_count))
        if session.id is not None and session.intents & GUILDS_INTENT:
            await session.dispatch("GUILD_CREATE", guild)

    async def _receive(self, connection: Connection, message: Json) -> None:
        if message["op"] == HEARTBEAT:
            await connection.send({"op": HEARTBEAT_ACK, "d": None})
            return
        self.received.append(message)
        self._waiting.discard(connection)
        if message["op"] == IDENTIFY:
            await self._identify(connection, message["d"])
        elif message["op"] == RESUME:
            await self._resume(connection, message["d"])

    async def _identify(self, connection: Connection, data: Json) -> None:
        shard, count = data.get("shard") or (0, 1)
        if not 0 <= shard < count:
            await connection.socket.close(code=INVALID_SHARD)
            return
        if self._is_hasty(shard):
            self.refused += 1
            await connection.send({"op": INVALID_SESSION, "d": False})
            return
        self.identifies.append((shard, time.monotonic()))
        if count != self.shard_count:  # guilds belong to other shards from now on
            self.forget_session()
            self.shard_count = count
        session = self.session(shard)
        await self._take_over(session, connection)
        session.id, session.events, session.intents = secrets.token_hex(16), [], data["intents"]
        session.connected.set()
        ready = {**self._ready(), "session_id": session.id}
        ready["guilds"] = [g for g in ready["guilds"] if shard_of(int(g["id"]), count) == shard]
        await session.dispatch("READY", ready | ({"shard": [shard, count]} if "shard" in data else {}))
        for guild in self._guilds():
            if shard_of(int(guild["id"]), count) == shard:
                await self.announce(guild)
        session.identified += 1

    def _is_hasty(self, shard: int) -> bool:
        """Whether Discord refuses an identify now, since another of the same bucket was a moment ago."""
        width = self._max_concurrency()
        times = [at_s for other, at_s in self.identifies if other % width == shard % width]
        return self.is_strict and bool(times) and time.monotonic() - times[-1] < self.pace_s

    async def _resume(self, connection: Connection, data: Json) -> None:
        session = next((s for s in self.sessions() if s.id == data["session_id"]), None)
        if session is None:
            await connection.send({"op": INVALID_SESSION, "d": False})
            return
        await self._take_over(session, connection)
        missed = data["seq"]
        while missed < len(session.events):  # more may be dispatched while these are sent
            await session.send(session.events[missed])
            missed += 1
        session.connected.set()
        await session.dispatch("RESUMED", {})
        session.resumed += 1

    @staticmethod
    async def _take_over(session: Session, connection: Connection) -> None:
        """A newer connection takes the place of an older one."""
        older = session.leave()
        session.connection = connection
        if older is not None and older is not connection:
            await older.socket.close(code=SESSION_TIMED_OUT)
