"""Boards: who discarded how much, on a day, in a week, ever."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from bot.service.daily.calendar import days_later, monday_of
from bot.service.daily.daily import Daily, DayBest
from bot.service.errors import BadDay
from bot.storage import Board, BoardQuery, Status, Store
from engine import Record

_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})", re.ASCII)
_DOTTED = re.compile(r"(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})", re.ASCII)

TODAY, YESTERDAY, WEEK, ALL = "today", "yesterday", "week", "all"
PERIODS = (TODAY, YESTERDAY, WEEK, ALL)


@dataclass(frozen=True, slots=True)
class Period:
    """The days of a board, from ``first`` to ``last``; both are empty for all days there were."""

    first: str
    last: str

    @property
    def is_day(self) -> bool:
        """True for a single day."""
        return bool(self.first) and self.first == self.last


@dataclass(frozen=True, slots=True)
class BoardView:
    """A board as one user sees it.

    ``is_over`` says that no more results can come; ``code`` is then the deal of a single day, and
    ``best`` its best possible score where that is known.
    ``is_playing`` says that the user's own daily game of
    that day is still going; ``is_hidden`` that others don't see the user on it.
    """

    period: Period
    server_id: int | None
    board: Board
    is_over: bool
    ends_ms: int
    is_playing: bool
    is_hidden: bool
    code: str = ""
    best: DayBest | None = None

    @property
    def average(self) -> float:
        """The mean score of a daily game; 0 where there is none."""
        count = sum(self.board.scores.values())
        return sum(score * many for score, many in self.board.scores.items()) / count if count else 0.0


class Boards:
    """The service over one store."""

    def __init__(self, store: Store, daily: Daily) -> None:
        self._store = store
        self._daily = daily

    def period(self, text: str) -> Period:
        """Return the days that a user means: one of ``PERIODS``, or a date such as 2026-12-24 or 24.12.2026.

        :raises BadDay: when it is neither, or a day to come.
        """
        today = self._daily.today
        word = text.strip().lower()
        if word == WEEK:
            monday = monday_of(today)
            return Period(monday, days_later(monday, 6))
        if word == ALL:
            return Period("", "")
        day = {TODAY: today, YESTERDAY: days_later(today, -1)}.get(word) or _date(word)
        if not day or day > today:
            raise BadDay(text)
        return Period(day, day)

    async def view(
        self,
        user_id: int,
        server_id: int | None,
        period: Period,
        limit: int = 10,
        *,
        is_hidden: bool = False,
    ) -> BoardView:
        """Return a board of everyone, or of one server; ``is_hidden``: whether the user hides from boards."""
        await self._daily.settle_some()  # no more: somebody is waiting, and the daily round does the rest
        query = BoardQuery(period.first, period.last, user_id, server_id, limit)
        board = await self._store.board(query)
        game = await self._store.daily_game(user_id, period.first) if period.is_day else None
        is_over = bool(period.last) and self._daily.is_over(period.last)
        knows_deal = is_over and period.is_day and board.players > 0
        return BoardView(
            period,
            server_id,
            board,
            is_over,
            ends_ms=self._daily.ends_ms(period.last) if period.is_day else 0,
            is_playing=game is not None and game.status is Status.PLAYING,
            is_hidden=is_hidden,
            code=(await self._daily.record(period.first)).code if knows_deal else "",
            best=await self._daily.best(period.first) if knows_deal else None,
        )

    async def enter(self, server_id: int, user_id: int) -> None:
        """Put the user on the boards of a server where they play."""
        await self._store.enter_server(server_id, user_id)

    async def leave(self, server_id: int, user_ids: list[int]) -> None:
        """Take users off the boards of a server that they have left."""
        await self._store.leave_server(server_id, user_ids)

    async def unlist(self, user_ids: list[int]) -> None:
        """Take users off all boards who are no more."""
        await self._store.unlist(user_ids)

    async def best_game(self, day: str, server_id: int | None) -> Record | None:
        """Return the best game of a day that is over: the best score, then the fewest moves."""
        if not self._daily.is_over(day):
            return None
        records = []
        for result in await self._store.best_results(day, server_id):
            game = await self._store.load_game(result.game_id)
            if game is not None:
                records.append(Record.parse(game.record))
        return min(records, key=lambda record: (len(record.moves), str(record)), default=None)


def _date(text: str) -> str:
    """Return the ISO date that a text is, or nothing."""
    found = _ISO.fullmatch(text)
    parts = list(map(int, found.groups())) if found else []
    if not found and (found := _DOTTED.fullmatch(text)):
        parts = list(map(int, found.groups()))[::-1]
    try:
        return date(*parts).isoformat() if parts else ""
    except ValueError:
        return ""
