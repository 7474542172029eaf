"""The interactions being answered, so that a bot that stops can finish them."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

log = logging.getLogger(__name__)

FINISH_S = 5.0  # less than the ten seconds after which a container is killed
ARRIVING_S = 0.1  # what Discord sent before the signal may not have been read yet


class InFlight:
    """The tasks that answer interactions; none may begin once it finishes.

    :param finish_s: how long those that have begun may take then.
    """

    def __init__(self, finish_s: float = FINISH_S) -> None:
        self.finish_s = finish_s
        self._tasks: set[asyncio.Task[Any]] = set()
        self._is_over = False

    @property
    def is_over(self) -> bool:
        """True once no further interaction is accepted."""
        return self._is_over

    def begin(self) -> bool:
        """Count the current task until it ends; return False if it may not begin."""
        task = asyncio.current_task()
        if self._is_over or task is None:
            return False
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return True

    async def finish(self) -> None:
        """Accept no more, wait ``finish_s`` seconds for the tasks that have begun, and cancel the rest."""
        await asyncio.sleep(ARRIVING_S)
        self._is_over = True
        if not self._tasks:
            return
        _, late = await asyncio.wait(self._tasks, timeout=self.finish_s)
        for task in late:
            task.cancel()
        if late:
            log.warning("%d interactions could not be answered before the stop", len(late))
            await asyncio.wait(late)
