"""Interactions are taken apart a few at a time.

discord.py takes every event apart in the moment in which it reads it, and reads on as long as there is more:
a thousand presses at once would hold up everything else for most of a second, the heartbeat included.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Any

SLICE_S = 0.005  # what others have to wait, at most


class EventQueue:
    """Takes the place of discord.py's parser of an event, and lets it do its work in slices."""

    def __init__(self, parse: Callable[[Any], None]) -> None:
        self._parse = parse
        self._waiting: deque[Any] = deque()
        self._working: asyncio.Task[None] | None = None

    def __call__(self, data: Any) -> None:
        """Take an event in."""
        self._waiting.append(data)
        if self._working is None:
            self._working = asyncio.create_task(self._work(), name="inbox")

    async def _work(self) -> None:
        try:
            begun = time.perf_counter()
            while self._waiting:
                self._parse(self._waiting.popleft())
                if time.perf_counter() - begun > SLICE_S:
                    await asyncio.sleep(0)
                    begun = time.perf_counter()
        finally:
            self._working = None
