"""A server's daily post: yesterday's board, the best game as an animation, and a button for the new game."""

from __future__ import annotations

import asyncio
import logging
import secrets
from dataclasses import replace
from datetime import date

import aiohttp
import discord

from bot.discord_app.context import App
from bot.discord_app.layout import Message, Part, Picture
from bot.discord_app.tables.controls import play_daily_button
from bot.discord_app.transport.repeated_request import LOST, TRIES
from bot.discord_app.views.board import board_parts, load_board
from bot.render.image import Deck
from bot.service import Period, Position
from bot.service.daily.calendar import days_later
from bot.storage import DailyChannel
from bot.telemetry.error_reports import report_error
from bot.text import Texts, texts_for
from bot.text.dates import date_text

log = logging.getLogger(__name__)

# What can be wrong with a post; "" is nothing.
FORBIDDEN, GONE, FILES, OTHER = "forbidden", "gone", "files", "other"
UNREACHED = "unreached"  # is not stored: the post stays due
_TROUBLES = {50001: FORBIDDEN, 50013: FORBIDDEN, 10003: GONE, 10004: GONE}


class DailyPoster:
    """Sends daily posts, and tells whoever arranged them when they can't be sent."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def try_channel(self, channel_id: int, texts: Texts, error_id: str = "") -> str:
        """Post today's daily game in a channel that was just chosen; return what went wrong, or "".

        Troubles that nobody in the server can fix are logged under ``error_id``.
        """
        new_game = Message(*self._new_game(texts, self._app.services.daily.today))
        nonce = secrets.token_hex(8)
        for tries_left in reversed(range(TRIES)):
            lost_id = "" if tries_left else error_id  # a lost connection is an error when it stays lost
            trouble = await self._send(channel_id, new_game, nonce, error_id=error_id, lost_id=lost_id)
            if trouble != UNREACHED:
                return trouble
        return OTHER

    async def post_day(self, channel: DailyChannel) -> str:
        """Post the day in a server; return what went wrong, or ""."""
        texts = texts_for(channel.language)
        yesterday = days_later(channel.day, -1)
        board = await load_board(self._app, 0, channel.server_id, Period(yesterday, yesterday))
        drawn = await asyncio.to_thread(board_parts, texts, board, 0, draws=True)
        written = board_parts(texts, board, 0, draws=False)
        best = await self._best(texts, yesterday, channel.server_id)
        trouble = await self._send(
            channel.channel_id,
            Message(*drawn, *best, *self._new_game(texts, channel.day)),
            _nonce(channel),
            fallback=Message(*written, *self._new_game(texts, channel.day)),
        )
        if trouble in (OTHER, UNREACHED):  # it may pass: the post is tried once more
            return trouble
        posts = self._app.services.posts
        await posts.note(channel, trouble)
        noted = replace(channel, trouble=trouble, is_done=True)
        if trouble == GONE and await posts.chosen(channel.server_id) == noted:  # else another was chosen
            await posts.stop(channel.server_id)
        if trouble not in ("", channel.trouble):
            await self._tell(channel, texts(f"trouble-{trouble}", channel=f"<#{channel.channel_id}>"))
        return trouble

    async def _best(self, texts: Texts, day: str, server_id: int) -> list[Part]:
        """Return the best game of a day as an animation, or nothing if nobody played."""
        record = await self._app.services.boards.best_game(day, server_id)
        if record is None:
            return []
        day_name = date_text(texts, day)
        label = texts("picture-daily", date=day_name)
        gif = await self._app.animations.draw(texts, record, Deck(), label)
        table = Position.of(record).table
        alt = texts("post-best-alt", date=day_name, score=table.score, full=table.full_score)
        return [texts("post-best"), Picture(f"best-{day}.gif", alt, gif)]

    def _new_game(self, texts: Texts, day: str) -> list[Part]:
        ends = str(self._app.services.daily.calendar.end_ms(day) // 1000)
        words = texts("post-new", date=date_text(texts, day), time=ends)
        button = play_daily_button(texts("control-play-daily"))
        return [words, discord.ui.ActionRow(button)]

    async def _send(
        self,
        channel_id: int,
        message: Message,
        nonce: str,
        *,
        fallback: Message | None = None,
        error_id: str = "",
        lost_id: str = "",
    ) -> str:
        """Send a message, or ``fallback`` if files are not allowed; return what went wrong, or "".

        Discord's refusal is reported under ``error_id``, a lost connection under ``lost_id``; without an id
        it is only logged.
        """
        channel = self._app.client.get_partial_messageable(channel_id)
        try:
            await channel.send(view=message.view, files=message.files, nonce=nonce)
        except discord.HTTPException as error:
            trouble = _TROUBLES.get(error.code, OTHER)
            self._log(error, channel_id, error_id if trouble == OTHER else "")
            if fallback is None or trouble == GONE or error.status == 429 or error.status >= 500:
                return trouble
            # Not allowed, too large, or otherwise refused: words alone may do.
            again = await self._send(channel_id, fallback, nonce)
            return again or (FILES if trouble == FORBIDDEN else "")
        except (*LOST, TimeoutError) as error:  # it may have arrived; its nonce keeps it from coming twice
            self._log(error, channel_id, lost_id)
            return UNREACHED
        return ""

    def _log(self, error: Exception, channel_id: int, error_id: str) -> None:
        """Log why a post did not arrive: as an error of the bot if somebody is told its id."""
        if error_id:
            what = "could not post in channel %d"
            report_error(self._app.metrics, error, what, channel_id, error_id=error_id)
        else:
            log.info("can't post in channel %d: %s", channel_id, error)

    async def _tell(self, channel: DailyChannel, text: str) -> None:
        """Tell whoever arranged the posts what is wrong with them, in a direct message."""
        client = self._app.client
        try:
            direct = await client.create_dm(discord.Object(channel.chosen_by))
            await direct.send(text)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log.info("can't tell user %d about the daily post: %s", channel.chosen_by, error)


def _nonce(channel: DailyChannel) -> str:
    """Return what marks a day's post in a server: sent twice with it, Discord shows it once.

    No two servers may share one, since Discord compares it with all that the bot has sent in the last
    minutes. It has at most 25 characters.
    """
    return f"{date.fromisoformat(channel.day).toordinal():x}-{channel.server_id:x}"
