"""The work that is due at certain times: settling days that are over, daily posts, retention, best scores."""

from __future__ import annotations

import asyncio
import logging

from bot.discord_app.context import App
from bot.discord_app.features.daily_posts.posts import UNREACHED, DailyPoster
from bot.telemetry.error_reports import report_error

log = logging.getLogger(__name__)

_AT_ONCE = 4  # servers that are posted to: most of the time is spent waiting for Discord
ROUND_S = 30  # between two looks at the clock, which may be set, or have stood still with the machine
SOLVING_S = 300  # between two tries at the day's best score; nearly always one is enough


class DailyScheduler:
    """Looks at the clock every ``round_s`` seconds, and for the day's best score every ``solving_s``."""

    def __init__(self, app: App, poster: DailyPoster) -> None:
        self.round_s: float = ROUND_S
        self.solving_s: float = SOLVING_S
        self._app = app
        self._poster = poster
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to look at the clock."""
        self._tasks.append(asyncio.create_task(self._run(), name="daily rounds"))
        # Solving takes minutes, and must not hold up the posts.
        self._tasks.append(asyncio.create_task(self._solve(), name="the day's best"))

    async def stop(self) -> None:
        """Cancel what is being done; it is done again after the next start."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _solve(self) -> None:
        """Find each day's best score once the day has begun."""
        await self._app.client.wait_until_ready()
        services = self._app.services
        while True:
            try:
                async with services.lock("the day's best") as has_lock:
                    if has_lock:
                        await services.best_scores.work_out_today()
            except Exception as error:  # noqa: BLE001 - the next try may succeed
                what = "the day's best score could not be found; retrying"
                report_error(self._app.metrics, error, what)
            await asyncio.sleep(self.solving_s)

    async def _run(self) -> None:
        await self._app.client.wait_until_ready()
        while True:
            try:
                await self.run_once()
            except Exception as error:  # noqa: BLE001 - the next round may succeed
                report_error(self._app.metrics, error, "the daily round failed; the next one tries again")
            await asyncio.sleep(self.round_s)

    async def run_once(self) -> None:
        """Settle games of days that are over, send the posts that are due, end games nobody plays on."""
        services = self._app.services
        async with services.lock("settling") as has_lock:
            if not has_lock:
                return  # another process settles; posts need all results
            settled = await services.daily.settle_all()
        if settled:
            log.info("settled %d daily games", settled)
        # Each process posts what it has claimed, and nobody else can.
        await asyncio.gather(*(self._post_due() for _ in range(_AT_ONCE)))
        await services.retention.settle_some()

    async def _post_due(self) -> None:
        """Send the posts that are due, one after another."""
        posts = self._app.services.posts
        while (channel := await posts.next_due()) is not None:
            try:
                trouble = await self._poster.post_day(channel)
            except Exception as error:  # noqa: BLE001 - the other servers still get theirs
                what = "the daily post of server %d failed"
                report_error(self._app.metrics, error, what, channel.server_id)
                continue
            if trouble == UNREACHED:
                await posts.put_back(channel)
                break  # the others can't be reached either; the next round tries again
