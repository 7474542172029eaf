"""A leaderboard's list and picture, as ``/leaderboard`` and the daily post show them."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from bot.discord_app.context import App
from bot.discord_app.layout import Part, Picture
from bot.render.bars import BarCaptions, draw_bars
from bot.service import BoardView, Period
from bot.text import Texts
from bot.text.boards import FULL_SCORE, board_alt_text, board_text, decimal, period_text

LOOKUP_S = 1.0  # whoever moves up into the list may be gone too, but somebody waits for it


@dataclass(frozen=True, slots=True)
class NamedBoard:
    """A board, and the names of those in its list."""

    view: BoardView
    names: dict[int, str]


async def load_board(
    app: App, user_id: int, server_id: int | None, period: Period, *, is_hidden: bool = False
) -> NamedBoard:
    """Return a board as a user sees it, without those who have left the server or deleted their account.

    :param is_hidden: whether the user hides from boards.
    """
    boards = app.services.boards
    deadline = time.monotonic() + LOOKUP_S
    while True:
        view = await boards.view(user_id, server_id, period, is_hidden=is_hidden)
        people = await app.member_names.of([one.user_id for one in view.board.top], server_id)
        gone = sorted(people.gone - {user_id})
        if not gone:
            return NamedBoard(view, dict(people.names))
        if server_id is None:
            await boards.unlist(gone)
        else:
            await boards.leave(server_id, gone)
        if time.monotonic() > deadline:
            top = tuple(one for one in view.board.top if one.user_id not in gone)
            return NamedBoard(replace(view, board=replace(view.board, top=top)), dict(people.names))


def board_parts(texts: Texts, board: NamedBoard, user_id: int, *, draws: bool) -> list[Part]:
    """Return a board's list, and its picture unless there is nothing to draw."""
    view = board.view
    parts: list[Part] = [board_text(texts, view, board.names, user_id)]
    if draws and view.board.scores:
        days = f"{view.period.first or 'all'}-{view.period.last}"
        name = f"board-{days}-{view.board.players}.png"
        parts.append(Picture(name, board_alt_text(texts, view), _draw(texts, view)))
    return parts


def _draw(texts: Texts, view: BoardView) -> bytes:
    days = period_text(texts, view.period)
    own = view.board.own if view.period.is_day else None  # a sum over several days is no bar of these
    captions = BarCaptions(
        title=texts("board-picture-title" if view.period.is_day else "board-picture-title-days", days=days),
        subtitle=texts("board-players", count=view.board.players),
        own=texts("board-picture-own", score=own.score) if own else "",
        mean=texts("board-picture-mean", average=decimal(texts, view.average)),
        axis=texts("board-picture-axis"),
    )
    return draw_bars(
        view.board.scores, captions, own.score if own else None, mean=view.average, full=FULL_SCORE
    )
