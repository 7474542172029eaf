"""A table in words: alt text for its picture, and the table itself for those who read it as text."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import lru_cache

from bot.render.image import Captions
from bot.text import Texts
from bot.text.cards import cards_text
from bot.text.names import game_name
from engine import Pile, PileKind, Record, Table

ALT_TEXT_MAX_CHARACTERS = 1024  # Discord's limit

_TIME = re.compile(r"<t:(\d{1,10})(?::[a-zA-Z])?>")

_PILE_LINES = {
    PileKind.WASTE: "table-waste",
    PileKind.FOUNDATION: "table-foundation",
    PileKind.CELL: "table-cell",
}


def captions(texts: Texts, record: Record, table: Table, label: str = "") -> Captions:
    """Return what is written on the picture of a game; ``label`` stands where the seed otherwise does."""
    return Captions(
        title=texts("picture-title", game=game_name(texts, record.game), rules=record.rules),
        seed=label or texts("picture-seed", seed=record.seed),
        score=texts("picture-score", score=table.score, full=table.full_score),
        passes=pass_text(texts, table, "picture-pass"),
    )


def alt_text(texts: Texts, table: Table, headline: str = "") -> str:
    """Return the whole table in at most 1024 characters, what just happened first.

    Every pile is named, its top card first, hidden cards counted. If all that is too long, the piles'
    deeper cards are left out and counted instead, as few as will do.
    """
    for deepest in (52, 12, 9, 7, 5, 4, 3, 2, 1):
        lines = [_spoken(headline)] if headline else []
        lines += table_lines(texts, table, deepest)
        text = "\n".join(lines)
        if len(text) <= ALT_TEXT_MAX_CHARACTERS:
            break
    return text[:ALT_TEXT_MAX_CHARACTERS]


def _spoken(headline: str) -> str:
    """Return a headline without what only Discord's text shows: marks, and times by the reader's clock."""
    plain = headline.replace("*", "").replace("`", "")
    return _TIME.sub(lambda found: f"{datetime.fromtimestamp(int(found[1]), UTC):%Y-%m-%d %H:%M} UTC", plain)


def table_lines(texts: Texts, table: Table, deepest: int = 52) -> list[str]:
    """Return a line for each pile and one for the score, the top card of a pile first.

    ``deepest`` is how many cards of a pile are named before the rest is only counted.
    """
    lines = [_pile_line(texts, pile, deepest) for pile in table.piles]
    return [*lines, score_line(texts, table)]


def score_line(texts: Texts, table: Table) -> str:
    """Return the score, and the pass through the stock where the rules count passes."""
    line = texts("table-score", score=table.score, full=table.full_score)
    passes = pass_text(texts, table)
    return f"{line}, {passes}" if passes else line


def pass_text(texts: Texts, table: Table, key: str = "table-pass") -> str:
    """Return which pass through the stock this is, of how many; nothing where their number is not limited."""
    if table.pass_number is None or table.pass_limit is None:
        return ""
    return texts(key, number=table.pass_number, limit=table.pass_limit)


@lru_cache(maxsize=2_000)  # a turn changes two or three piles, and all others stay as they were
def _pile_line(texts: Texts, pile: Pile, deepest: int) -> str:
    if pile.kind is PileKind.STOCK:
        return texts("table-stock", count=len(pile.cards))
    if pile.kind is PileKind.DISCARD:
        return texts("table-discard", count=len(pile.cards))
    # Of a foundation only the top matters, of the waste what lies fanned out: the rest follows from them.
    if pile.kind is PileKind.FOUNDATION:
        deepest = 1
    elif pile.kind is PileKind.WASTE:
        deepest = min(deepest, pile.spread)
    words = {"cards": _cards(texts, pile, deepest), "name": pile.name}
    if pile.suit is not None:
        words["suit"] = texts(f"suit-{pile.suit.name.lower()}")
    return texts(_PILE_LINES.get(pile.kind, "table-pile"), **words)


def _cards(texts: Texts, pile: Pile, deepest: int) -> str:
    seen = [card for card in reversed(pile.cards) if card]
    if not pile.cards:
        return texts("table-empty")
    parts = [cards_text(seen[:deepest])] if seen else []
    if len(seen) > deepest and pile.kind is not PileKind.FOUNDATION:
        parts.append(texts("table-more", count=len(seen) - deepest))
    if pile.hidden:
        parts.append(texts("table-hidden", count=pile.hidden))
    return ", ".join(parts)
