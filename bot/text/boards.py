"""Boards in words."""

from __future__ import annotations

from collections.abc import Mapping

from bot.service import BoardView, Period
from bot.service.daily.boards import ALL
from bot.service.daily.daily import GAME
from bot.storage import Standing
from bot.text import Texts
from bot.text.dates import date_text, days_text
from bot.text.names import plain
from engine import GAMES

FULL_SCORE = GAMES[GAME].full_score  # of every daily game

_MEDALS = {1: "🥇", 2: "🥈", 3: "🥉"}


def period_text(texts: Texts, period: Period) -> str:
    """Return which days a board is of."""
    if not period.first:
        return texts(f"board-when-{ALL}")
    if period.is_day:
        return date_text(texts, period.first)
    return days_text(texts, period.first, period.last)


def board_text(texts: Texts, view: BoardView, names: Mapping[int, str], user_id: int) -> str:
    """Return a board: its title, the best, the reader's own place, and what is true of all."""
    scope = texts("board-scope-everyone" if view.server_id is None else "board-scope-server")
    lines = [texts("board-title", days=period_text(texts, view.period), scope=scope)]
    if not view.board.top:
        lines.append(texts(_empty(view)))
    lines += [_line(texts, view, standing, names, user_id) for standing in view.board.top]
    own = view.board.own
    if own is not None and (view.is_hidden or all(one.user_id != user_id for one in view.board.top)):
        key = "board-own-hidden" if view.is_hidden else "board-own"
        lines += ["", texts(key, rank=own.rank, score=own.score, players=max(view.board.players, own.rank))]
    elif view.is_playing:
        lines += ["", texts("board-playing")]
    lines += ["", f"-# {summary_text(texts, view)}"]
    if view.best is not None:
        key = "board-best-proven" if view.best.score == view.best.upper_bound else "board-best-found"
        lines.append(f"-# {texts(key, best=view.best.score, bound=view.best.upper_bound)}")
    if view.code:
        lines.append(f"-# {texts('board-deal', code=view.code)}")
    return "\n".join(lines)


def _empty(view: BoardView) -> str:
    """Return what to say of an empty board; nobody who has had their attempt is told to begin."""
    if view.is_over:
        return "board-empty-over"
    if view.board.own is not None:  # the reader, who hides
        return "board-empty-hidden"
    return "board-empty-dealt" if view.is_playing else "board-empty"


def _line(texts: Texts, view: BoardView, standing: Standing, names: Mapping[int, str], user_id: int) -> str:
    name = names.get(standing.user_id)
    words: dict[str, str | int] = {
        # Without the backslash the lines would be a list to Discord, which counts those by itself: 4, 5, 6
        # where there are 4, 4, 6.
        "rank": _MEDALS.get(standing.rank) or f"{standing.rank}\\.",
        "score": standing.score,
        "name": plain(name) if name else texts("board-somebody"),
        "days": standing.days,
    }
    key = "board-line" if view.period.is_day else "board-line-days"
    line = texts(key, **words)
    return f"**{line}**" if standing.user_id == user_id else line


def summary_text(texts: Texts, view: BoardView) -> str:
    """Return the number of players, the average, and whether more can come."""
    parts = [texts("board-players", count=view.board.players)]
    if view.board.scores:
        parts.append(texts("board-average", average=decimal(texts, view.average)))
    if view.is_over:
        parts.append(texts("board-final"))
    elif view.ends_ms:
        parts.append(texts("board-ends", time=str(view.ends_ms // 1000)))
    return " · ".join(parts)


def decimal(texts: Texts, number: float) -> str:
    """Return a number with one decimal as the language writes it."""
    return f"{number:.1f}".replace(".", texts("decimal-mark"))


def board_alt_text(texts: Texts, view: BoardView) -> str:
    """Return the picture of a board in words: how many had each score, the highest first."""
    counts = sorted(view.board.scores.items(), reverse=True)
    shown = ", ".join(texts("board-alt-score", score=score, count=count) for score, count in counts)
    own = view.board.own
    mine = texts("board-alt-own", score=own.score) if own and view.period.is_day else ""
    average = texts("board-average", average=decimal(texts, view.average)).capitalize()
    return " ".join(filter(None, (texts("board-alt"), mine, f"{average}.", shown)))[:1024]


def period_name(texts: Texts, key: str) -> str:
    """Return what one of ``bot.service.daily.boards.PERIODS`` is called in menus."""
    return texts(f"board-when-{key}")
