"""What is done when a day is over: every game of it is settled, and the daily posts go out."""

from __future__ import annotations

import asyncio
import io
import logging
import secrets
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

import aiohttp
import discord

from bot.discord_app.errors import report
from bot.discord_app.features.daily import play_daily_button
from bot.discord_app.features.leaderboard import BoardLayout, board_parts, seen_view
from bot.discord_app.transport.webhook_adapter import LOST, TRIES
from bot.render.image import Deck
from bot.service import Period, Position
from bot.service.days import days_later
from bot.storage import DailyChannel
from bot.text import Texts, texts_for
from bot.text.dates import date_text

if TYPE_CHECKING:
    from bot.discord_app.client import BotClient

log = logging.getLogger(__name__)

_AT_ONCE = 4  # servers that are posted to: most of the time is waiting for Discord
ROUND_S = 30  # between two looks at the clock, which may be set, or have stood still with the machine
THINKING_S = 300  # between two tries at the day's best score, of which one is nearly always enough

FORBIDDEN, GONE, FILES, OTHER = "forbidden", "gone", "files", "other"
UNREACHED = "unreached"  # is noted nowhere: the post stays due
_TROUBLES = {50001: FORBIDDEN, 50013: FORBIDDEN, 10003: GONE, 10004: GONE}


class DailyScheduler:
    """Looks at the clock now and then, as long as the client runs.

    Where ``starts_itself`` is set to False before the client starts, somebody else calls :meth:`start`.
    """

    def __init__(self, client: BotClient) -> None:
        self.starts_itself = True
        self._client = client
        self._tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        """Begin to look at the clock."""
        self._tasks.append(asyncio.create_task(self._run(), name="rounds"))
        # What thinks for minutes must not hold up the posts.
        self._tasks.append(asyncio.create_task(self._think(), name="the day's best"))

    async def stop(self) -> None:
        """Look at it no more; what is being done is broken off, and done again after the next start."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _think(self) -> None:
        """Work out each day's best score when the day has begun."""
        await self._client.wait_until_ready()
        while True:
            try:
                async with self._client.services.alone("the day's best") as is_alone:
                    if is_alone:
                        await self._client.services.bests.work_out_today()
            except Exception as error:  # noqa: BLE001 - whatever it is, the next try may do
                what = "the day's best score could not be worked out; it is tried again"
                report(self._client.metrics, error, what)
            await asyncio.sleep(THINKING_S)

    async def _run(self) -> None:
        await self._client.wait_until_ready()
        while True:
            try:
                await self.go()
            except Exception as error:  # noqa: BLE001 - whatever it is, the next round may do
                report(self._client.metrics, error, "the daily round failed; the next one tries again")
            await asyncio.sleep(ROUND_S)

    async def go(self) -> None:
        """Settle the games of days that are over, post where a post is due, and end what nobody plays on."""
        services = self._client.services
        async with services.alone("settling") as is_alone:
            if not is_alone:
                return  # another process settles; what is posted needs all results
            settled = await services.daily.settle_all()
        if settled:
            log.info("settled %d daily games", settled)
        # Of several processes each posts what it has taken on, and nobody else can.
        await asyncio.gather(*(self._post_due() for _ in range(_AT_ONCE)))
        await services.retention.settle_some()

    async def _post_due(self) -> None:
        """Post where a post is due, one after the other."""
        posts = self._client.services.posts
        while (channel := await posts.next_due()) is not None:
            try:
                trouble = await self._post_day(channel)
            except Exception as error:  # noqa: BLE001 - the others still get theirs
                what = "the daily post of server %d failed"
                report(self._client.metrics, error, what, channel.server_id)
                continue
            if trouble == UNREACHED:
                await posts.put_back(channel)
                break  # nor can the others be; the next round tries again

    async def try_channel(self, channel_id: int, texts: Texts, error_id: str = "") -> str:
        """Post today's daily game in a channel that was just chosen; return what went wrong, or nothing.

        Where that is not for somebody in the server to mend, the log has it under ``error_id``.
        """
        day = self._client.services.daily.today
        nonce = secrets.token_hex(8)
        for tries_left in reversed(range(TRIES)):
            lost_id = "" if tries_left else error_id  # a lost connection is a fault when it stays lost
            new_game = self._new_game(texts, day)
            trouble = await self._send(channel_id, new_game, error_id=error_id, lost_id=lost_id, nonce=nonce)
            if trouble != UNREACHED:
                return trouble
        return OTHER

    async def _post_day(self, channel: DailyChannel) -> str:
        """Post the day in a server; return what went wrong, or nothing."""
        texts = texts_for(channel.language)
        before = days_later(channel.day, -1)
        view, names = await seen_view(self._client, 0, channel.server_id, Period(before, before))
        parts, files = await asyncio.to_thread(board_parts, texts, view, names, 0, draws=True)
        bare, _ = board_parts(texts, view, names, 0, draws=False)
        best, animation = await self._best(texts, before, channel.server_id)
        new = self._new_game(texts, channel.day)
        trouble = await self._send(
            channel.channel_id,
            [*parts, *best, *new],
            [*files, *animation],
            [*bare, *self._new_game(texts, channel.day)],
            nonce=_nonce(channel),
        )
        if trouble in (OTHER, UNREACHED):  # which may pass: the post is tried once more
            return trouble
        posts = self._client.services.posts
        await posts.note(channel, trouble)
        noted = replace(channel, trouble=trouble, is_done=True)
        if trouble == GONE and await posts.chosen(channel.server_id) == noted:  # or there is another by now
            await posts.stop(channel.server_id)
        if trouble not in ("", channel.trouble):
            await self._tell(channel, texts(f"trouble-{trouble}", channel=f"<#{channel.channel_id}>"))
        return trouble

    async def _best(
        self, texts: Texts, day: str, server_id: int
    ) -> tuple[list[discord.ui.Item[Any]], list[discord.File]]:
        """Return the best game of a day as an animation, or nothing where nobody played."""
        record = await self._client.services.boards.best_game(day, server_id)
        if record is None:
            return [], []
        date = date_text(texts, day)
        gif = await self._client.replays.draw(texts, record, Deck(), texts("picture-daily", date=date))
        table = Position.of(record).table
        alt = texts("post-best-alt", date=date, score=table.score, full=table.full_score)
        file = discord.File(io.BytesIO(gif), filename=f"best-{day}.gif", description=alt)
        gallery: discord.ui.MediaGallery[Any] = discord.ui.MediaGallery()
        gallery.add_item(media=file, description=alt)
        return [discord.ui.TextDisplay(texts("post-best")), gallery], [file]

    def _new_game(self, texts: Texts, day: str) -> list[discord.ui.Item[Any]]:
        ends = str(self._client.services.daily.calendar.end_ms(day) // 1000)
        words = texts("post-new", date=date_text(texts, day), time=ends)
        button = play_daily_button(texts("control-play-daily"))
        return [discord.ui.TextDisplay(words), discord.ui.ActionRow(button)]

    async def _send(
        self,
        channel_id: int,
        parts: list[discord.ui.Item[Any]],
        files: Sequence[discord.File] = (),
        bare: list[discord.ui.Item[Any]] | None = None,
        error_id: str = "",
        lost_id: str = "",
        **about: Any,
    ) -> str:
        """Send a message, bare where files are not allowed; return what went wrong, or nothing.

        What Discord has against it is logged under ``error_id``, a lost connection under ``lost_id``; without
        one it is no fault of ours.
        """
        channel = self._client.get_partial_messageable(channel_id)
        try:
            await channel.send(view=BoardLayout(*parts), files=files, **about)
        except discord.HTTPException as error:
            trouble = _TROUBLES.get(error.code, OTHER)
            self._note(error, channel_id, error_id if trouble == OTHER else "")
            if bare is None or trouble == GONE or error.status == 429 or error.status >= 500:
                return trouble
            # Not allowed, too large, or else not to Discord's liking: in words alone it may do.
            again = await self._send(channel_id, bare, **about)
            return again or (FILES if trouble == FORBIDDEN else "")
        except (*LOST, TimeoutError) as error:  # it may have arrived; its nonce keeps it from coming twice
            self._note(error, channel_id, lost_id)
            return UNREACHED
        return ""

    def _note(self, error: Exception, channel_id: int, error_id: str) -> None:
        """Log why a post did not arrive: as a fault where somebody is told its id."""
        if error_id:
            what = "could not post in channel %d"
            report(self._client.metrics, error, what, channel_id, error_id=error_id)
        else:
            log.info("can't post in channel %d: %s", channel_id, error)

    async def _tell(self, channel: DailyChannel, text: str) -> None:
        """Tell whoever arranged the posts what is wrong with them, in a direct message."""
        try:
            direct = await self._client.create_dm(discord.Object(channel.chosen_by))
            await direct.send(text)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("can't tell user %d about the daily post: %s", channel.chosen_by, error)


def _nonce(channel: DailyChannel) -> str:
    """Return what marks a day's post in a server: should it be sent twice, Discord shows it once.

    No two servers may share one, since Discord looks at all that the bot has sent in the last minutes. At
    most 25 characters are allowed.
    """
    return f"{date.fromisoformat(channel.day).toordinal():x}-{channel.server_id:x}"
