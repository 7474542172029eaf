"""What a stand-in can do wrong with a request: refuse it, keep it waiting, or lose its connection."""

from __future__ import annotations

import json
import re
import socket
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any

from aiohttp import web

from tests.wire.rest import Request

VIA = {"Via": "1.1 google"}  # by this header discord.py tells Discord's own rate limits from Cloudflare's


class Loss(Enum):
    """When a request's connection is lost: before it took effect, or after that and before its answer."""

    BEFORE = auto()
    AFTER = auto()


@dataclass(frozen=True)
class Refusal:
    """An answer that Discord gives instead of doing what it was asked for."""

    status: int
    json: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of_code(cls, status: int, code: int) -> Refusal:
        """A refusal with one of Discord's own error codes."""
        return cls(status, {"code": code, "message": f"refused with {code}"})

    @classmethod
    def rate_limit(cls, seconds: float, *, is_global: bool = False, via: bool = True) -> Refusal:
        """A 429 that asks to wait; without ``via`` it looks like Cloudflare's, which is not to be retried."""
        body = {"message": "You are being rate limited.", "retry_after": seconds, "global": is_global}
        scope = "global" if is_global else "user"
        headers = {"Retry-After": str(seconds), "X-RateLimit-Scope": scope}
        headers |= {"X-RateLimit-Global": "true"} if is_global else {}
        return cls(429, body, headers | (VIA if via else {}))

    def response(self) -> web.Response:
        """The answer on the wire; a new one each time, since aiohttp sends each only once."""
        return json_response(self.status, self.json, self.headers)


@dataclass
class Fault:
    """How the next `times` matching requests are treated instead of, or before, being answered.

    `delay_s` passes before the request takes effect, `late_s` after that and before its answer. A refusal
    `after_all` is told although the request took effect. `resets` says whether a lost connection is reset, as
    by a peer that crashed, or closed. With a `user_id` it meets only answers to that user's interactions.
    `met` are the requests that it was applied to.
    """

    method: str
    path: re.Pattern[str]
    times: int
    refusal: Refusal | None = None
    delay_s: float = 0.0
    late_s: float = 0.0
    after_all: bool = False
    loss: Loss | None = None
    resets: bool = False
    user_id: int | None = None
    met: list[Request] = field(default_factory=list)

    def matches(self, request: Request, user_id: int | None) -> bool:
        """Whether the request, of an answer to that user, is one of those, and the fault not yet used up."""
        if self.times <= 0 or self.method != request.method or self.path.search(request.path) is None:
            return False
        return self.user_id in (None, user_id)

    def meet(self, request: Request) -> None:
        """Count the request."""
        self.times -= 1
        self.met.append(request)

    def lose(self, http: web.Request) -> None:
        """End the request's connection without an answer."""
        if http.transport is None:
            return
        sock = http.transport.get_extra_info("socket")
        if self.resets and sock is not None:
            # Closed without lingering, a socket sends RST and not FIN.
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        http.transport.abort()


def json_response(status: int, body: Any, headers: Mapping[str, str] | None = None) -> web.Response:
    """discord.py parses a body only under exactly this content type: aiohttp would add a charset."""
    if status == 204:
        return web.Response(status=204, headers=headers)
    exact = {**(headers or {}), "Content-Type": "application/json"}
    return web.Response(status=status, body=json.dumps(body).encode(), headers=exact)
