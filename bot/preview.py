"""The same bot in a local browser chat, with no token: SimCord's preview around the real client.

Everything is the real thing but Discord: the client, the commands, the service and the database, which is
kept from one start to the next. Discord itself is simulated in this process and forgets when it ends.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import signal
import sys
import webbrowser
from collections.abc import Callable, Coroutine
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, ParamSpec, TypeVar

import simcord

from bot.app import build_client
from bot.config import Config
from bot.discord_app.client import BotClient
from bot.service import Priority, SolverPool
from bot.service.analysis.best_scores import DAILY_BUDGET_S

MEMBERS = ("kari", "ola", "ada")
BUDGET_MAX_S = 1.5

P = ParamSpec("P")
T = TypeVar("T")


class BriefSolverPool(SolverPool):
    """Thinks for little longer than a second: the page waits, five seconds at most, for all a press began.

    The day's best takes its time, since no press begins it.
    """

    async def ask(self, lane: Priority, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        """Return what a job answers with a budget of at most :data:`BUDGET_MAX_S`; None while it is busy."""
        if not self.is_idle(lane):
            return None
        is_brief = DAILY_BUDGET_S not in args
        brief = (min(arg, BUDGET_MAX_S) if is_brief and isinstance(arg, float) else arg for arg in args)
        asked: Any = super().ask
        answer: T | None = await asked(lane, job, *brief, **kwargs)
        return answer


async def preview(config: Config, *, port: int, open_browser: bool) -> int:
    """Serve the chat on ``port`` until Ctrl-C, or until the page ends it; return the exit code."""
    stopped = asyncio.Event()
    for stop in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(stop, stopped.set)
    solvers = BriefSolverPool()
    solvers.start()  # before SimCord is there, which would wait for the end of it
    config = replace(config, shard_count=1, shard_ids=None)  # SimCord recommends no number
    client = build_client(config, solvers=solvers)
    client.autostart = False
    try:
        async with simcord.run(client, check_errors=False) as env:
            env.backend.bot_user.name = "Solitaire"
            guild = env.create_guild("Kabalklubben")
            channel = guild.create_text_channel("solitaire")
            members = [guild.add_member(env.create_user(name)) for name in MEMBERS]
            # SimCord's clock stands at one date at every start, and its ids count up from there. People keep
            # theirs, and so their games; everything later must get new ids, or a command of this start would
            # pass for one of the last that was answered already.
            await env.advance_time((datetime.now(UTC) - env.now()).total_seconds())
            # Started out here, where time passes; for the bot it stands still unless somebody moves it on.
            client.start_background_work()
            shown = env.preview(channel, viewers=members, layout="channel", port=port)
            _follow_newest(shown)
            async with shown as page:
                _announce(page.url, open_browser=open_browser)
                await _first(stopped.wait(), page.wait_closed())
                print("\nStopped. Your games are kept.")
    except (OSError, simcord.SetupError) as error:
        cause = error if isinstance(error, OSError) else error.__cause__
        if not isinstance(cause, OSError) or cause.errno != errno.EADDRINUSE:
            raise
        print(f"Port {port} is taken. Choose another one: scripts/play --port {port + 1}", file=sys.stderr)
        return 1
    finally:
        await _close(client)
    return 0


def _follow_newest(session: Any) -> None:
    """Keep the newest message in sight.

    SimCord's page keeps its place in the history after a command, so that from the second or third turn the
    new table lies below what is shown. There is no public way to ask otherwise: this sets what its own link
    to the newest message sets. The version is pinned, and a browser test notices if it stops working.
    """
    publish = session._publish
    newest_shown: dict[str, int | None] = {}

    def publish_newest(page: Any, *, reason: str = "action") -> None:
        newest = session._initial_target(page.viewer, page.channel_id)
        if reason == "action" and page.layout == "channel" and newest_shown.get(page.id) != newest:
            page.target_id = newest
            page.window_end_id = None
        newest_shown[page.id] = newest
        publish(page, reason=reason)

    session._publish = publish_newest


def _announce(url: str, *, open_browser: bool) -> None:
    print(f"The bot is playing at\n\n    {url}\n\nType / in the box there, and choose /new. Ctrl-C ends it.")
    sys.stdout.flush()
    has_screen = sys.platform in ("darwin", "win32") or {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys()
    if open_browser and has_screen:
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(url)


async def _first(*awaitables: Coroutine[Any, Any, object]) -> None:
    """Wait until one of them is done, and cancel the others."""
    tasks = [asyncio.ensure_future(awaitable) for awaitable in awaitables]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()


async def _close(client: BotClient) -> None:
    if not client.is_closed():
        await client.close()
