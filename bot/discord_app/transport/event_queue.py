"""Interactions are parsed in short slices.

discord.py parses every event at the moment it reads it, and reads on while there is more: a thousand presses
at once would block everything else for most of a second, the heartbeat included.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Any

SLICE_S = 0.005  # the longest that anything else has to wait


class EventQueue:
    """Stands in for discord.py's parser of an event, and calls it in slices of ``SLICE_S``."""

    def __init__(self, parse: Callable[[Any], None]) -> None:
        self._parse = parse
        self._waiting: deque[Any] = deque()
        self._working: asyncio.Task[None] | None = None

    def __call__(self, data: Any) -> None:
        """Queue an event."""
        self._waiting.append(data)
        if self._working is None:
            self._working = asyncio.create_task(self._work(), name="event queue")

    async def _work(self) -> None:
        try:
            began = time.perf_counter()
            while self._waiting:
                self._parse(self._waiting.popleft())
                if time.perf_counter() - began > SLICE_S:
                    await asyncio.sleep(0)
                    began = time.perf_counter()
        finally:
            self._working = None
