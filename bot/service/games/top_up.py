"""Looks for more deals that can be won, while nobody else has anything to be thought out."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets

from bot.service.analysis.solver_pool import Priority, SolverPool
from bot.service.games.deal import LARGEST_DRAWN
from bot.service.games.winnable import Winnable
from bot.storage import Lock
from solve import jobs

log = logging.getLogger(__name__)

PAUSE_S = 60.0  # between two deals that are looked at for presets
ASKED_PAUSE_S = 1.0  # and for rules that somebody waits for
BUDGET_S = 2.0  # processor time for one deal


class TopUp:
    """Looks at one deal at a time, once started, in the slow lane and only when that is idle.

    Of several processes over one store one at a time does so.
    """

    def __init__(self, winnable: Winnable, solvers: SolverPool, lock: Lock) -> None:
        self._winnable = winnable
        self._solvers = solvers
        self._lock = lock
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin to look for deals now and then, if there is anything to do so with."""
        if self._solvers.thinks:
            self._task = asyncio.create_task(self._run(), name="top-up")

    async def stop(self) -> None:
        """Look for no more."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    async def _run(self) -> None:
        while True:
            try:
                pause = await self.go()
            except Exception:
                log.exception("no deal could be looked for; the next time comes")
                await asyncio.sleep(PAUSE_S)
                continue
            if self._winnable.asked.is_set():  # still, since another process looks
                await asyncio.sleep(ASKED_PAUSE_S)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._winnable.asked.wait(), pause)

    async def go(self) -> float | None:
        """Look at one deal, unless another process does, the slow lane is busy or enough are known.

        Return after how many seconds to do so again; None for when rules are asked for.
        """
        async with self._lock("top-up") as is_locked:
            return await self._look() if is_locked else PAUSE_S

    async def _look(self) -> float | None:
        wanted = await self._winnable.next_wanted()
        if wanted is None:
            return None
        rule_set, is_asked_for = wanted
        if self._solvers.is_idle(Priority.SLOW):
            number = 1 + secrets.randbelow(LARGEST_DRAWN)
            deal = "/".join((*rule_set, str(number)))
            line = await self._solvers.ask(Priority.SLOW, jobs.find, deal, BUDGET_S)
            await self._winnable.note(rule_set, number, line)
        return ASKED_PAUSE_S if is_asked_for else PAUSE_S
