"""Discord's gateway on loopback: handshakes, heartbeats, dispatch, and both stream compressions."""

from __future__ import annotations

import asyncio
import importlib
import json
import secrets
import zlib
from collections.abc import Callable
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


class Gateway:
    """The websocket end point and the one session it keeps. Give `handle` to an aiohttp route.

    `identified` and `resumed` count the successful handshakes. `received` has every message from the client
    except heartbeats. A session outlives its connection: what is dispatched meanwhile is sent after RESUME.
    """

    def __init__(self, ready: Callable[[], Json], guilds: Callable[[], list[Json]]) -> None:
        self._ready = ready
        self._guilds = guilds
        self._socket: web.WebSocketResponse | None = None
        self._transport: asyncio.Transport | None = None
        self._encode: Encoder = encoder(None)
        self._sending = asyncio.Lock()
        self._session_id: str | None = None
        self._events: list[Json] = []
        self._connected = asyncio.Event()
        self.intents = 0
        self.heartbeat_interval_ms = 41_250
        self.identified = 0
        self.resumed = 0
        self.received: list[Json] = []

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """One connection, until either side closes it. A newer connection takes the place of an older one."""
        socket = web.WebSocketResponse(compress=False, timeout=1.0)
        await socket.prepare(request)
        await self.disconnect()
        self._socket, self._encode = socket, encoder(request.query.get("compress"))
        self._transport = request.transport
        try:
            await self._send({"op": HELLO, "d": {"heartbeat_interval": self.heartbeat_interval_ms}})
            async for message in socket:
                if message.type is WSMsgType.TEXT:
                    await self._receive(json.loads(message.data))
        finally:
            if self._socket is socket:
                self._socket = None
                self._connected.clear()
        return socket

    async def connected(self) -> None:
        """Returns as soon as a client has identified or resumed and nothing has cut it off since."""
        await self._connected.wait()

    async def disconnect(self, code: int = 4000) -> None:
        """Closes the connection, if there is one. After 4000 a client resumes; after 4004 it must give up."""
        socket, self._socket = self._socket, None
        self._connected.clear()
        if socket is not None:
            await socket.close(code=code)

    async def ask_to_reconnect(self) -> None:
        """Sends RECONNECT, as Discord does before it takes a server down. The client closes and resumes."""
        await self._send({"op": RECONNECT, "d": None})

    async def invalidate(self, *, resumable: bool) -> None:
        """Sends INVALID_SESSION. The client resumes, or where that is of no use it identifies anew.

        In the second case what was not delivered is lost, as at Discord.
        """
        if not resumable:
            self.forget_session()
        await self._send({"op": INVALID_SESSION, "d": resumable})

    async def cut(self) -> None:
        """Loses the connection without a word, as when a cable is cut; a client resumes."""
        transport, self._socket, self._transport = self._transport, None, None
        self._connected.clear()
        if transport is not None:
            transport.abort()

    def forget_session(self) -> None:
        """The next RESUME is refused with INVALID_SESSION, so the client has to identify anew."""
        self._session_id = None

    async def dispatch(self, event: str, data: Json) -> None:
        """Sends one event, or keeps it for the next RESUME while no client is connected."""
        envelope = {"op": DISPATCH, "s": len(self._events) + 1, "t": event, "d": data}
        self._events.append(envelope)
        if self._connected.is_set():
            await self._send(envelope)

    async def announce(self, guild: Json) -> None:
        """GUILD_CREATE, to a client that has identified with the intent GUILDS; others are never told."""
        if self._session_id is not None and self.intents & GUILDS_INTENT:
            await self.dispatch("GUILD_CREATE", guild)

    async def _receive(self, message: Json) -> None:
        if message["op"] == HEARTBEAT:
            await self._send({"op": HEARTBEAT_ACK, "d": None})
            return
        self.received.append(message)
        if message["op"] == IDENTIFY:
            await self._identify(message["d"])
        elif message["op"] == RESUME:
            await self._resume(message["d"])

    async def _identify(self, data: Json) -> None:
        self._session_id = secrets.token_hex(16)
        self._events = []
        self.intents = data["intents"]
        self._connected.set()
        await self.dispatch("READY", {**self._ready(), "session_id": self._session_id})
        for guild in self._guilds():
            await self.announce(guild)
        self.identified += 1

    async def _resume(self, data: Json) -> None:
        if data["session_id"] != self._session_id:
            await self._send({"op": INVALID_SESSION, "d": False})
            return
        missed = data["seq"]
        while missed < len(self._events):  # more may be dispatched while these are sent
            await self._send(self._events[missed])
            missed += 1
        self._connected.set()
        await self.dispatch("RESUMED", {})
        self.resumed += 1

    async def _send(self, message: Json) -> None:
        # Compressing and sending must not be interleaved: the stream's order is the order of the messages.
        async with self._sending:
            if self._socket is None or self._socket.closed:
                return
            encoded = self._encode(json.dumps(message))
            if isinstance(encoded, str):
                await self._socket.send_str(encoded)
            else:
                await self._socket.send_bytes(encoded)
