"""Requests: who asks for something, and each of them done once, however often it is delivered."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from cachetools import LRUCache

from bot.service.turn import Turn

MAX_KEPT = 500


@dataclass(frozen=True, slots=True)
class Request:
    """Who asks for something, and about which game.

    ``id`` is the front end's: a request delivered twice is done once and answered alike. Without ``game_id``
    the user's current game is meant. ``revision`` is that of the table the user saw; without it, the request
    is about whatever the table is now.
    """

    user_id: int
    id: int
    game_id: int | None = None
    revision: int | None = None


class RequestLog:
    """Remembers the latest requests of this process. After a restart the store knows each game's last one.

    :param newest: returns a turn, or its game as it stands if that has moved on.
    """

    def __init__(self, newest: Callable[[Turn], Awaitable[Turn]], max_kept: int = MAX_KEPT) -> None:
        self._newest = newest
        self._answers: LRUCache[tuple[int, int], asyncio.Task[Turn]] = LRUCache(max_kept)

    async def once(self, request: Request, work: Callable[[], Coroutine[Any, Any, Turn]]) -> Turn:
        """Do ``work`` for the first delivery of a request; answer later ones with the game as it stands."""
        key = (request.user_id, request.id)
        known = self._answers.get(key)
        if known is None:
            task = self._answers[key] = asyncio.ensure_future(work())
            return await asyncio.shield(task)
        return await self._newest(await asyncio.shield(known))
