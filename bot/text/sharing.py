"""The line about a game that its player pastes wherever they like: no card, no mention, no link."""

from __future__ import annotations

from bot.service import Share
from bot.text import Texts
from bot.text.dates import date_text
from bot.text.names import game_name, isolated

NOT_DEALT = "⬜"
# From how many discards on a deal gets which square.
SCALE = ((7, "🟦"), (5, "🟩"), (3, "🟨"), (1, "🟧"), (0, "🟥"))


def share_text(texts: Texts, share: Share) -> str:
    """Return the line: for a daily game its date, score and a square a deal; for any other one its code."""
    turn = share.turn
    record = turn.position.record
    words: dict[str, str | int] = {
        "game": game_name(texts, record.game),
        "score": turn.table.score,
        "full": turn.table.full_score,
    }
    if share.deals:
        squares = "".join(map(square, share.deals))
        return texts("share-daily", date=date_text(texts, turn.game.day), squares=squares, **words)
    key = "share-result" if share.is_result else "share-deal"
    return texts(key, code=isolated(record.code), **words)


def square(discards: int | None) -> str:
    """Return the square of a deal; None is for one that was not reached."""
    if discards is None:
        return NOT_DEALT
    return next(mark for least, mark in SCALE if discards >= least)
