"""The rules as short illustrated lessons: for each page a position of a real game, and the words to it.

A position is given by its record, so a picture can't show what the rules don't allow, and a player can deal
the same cards. The first pages of a game follow one deal from the first card to the win; then come the rule
sets, then advice. The sentences are in the language files, as ``lesson-<game>-<name>``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bot.text import Texts
from bot.text.cards import card_text
from engine import Card, Record


@dataclass(frozen=True, slots=True)
class Lesson:
    """One page.

    ``record`` leads to the position that is shown; what its last move changed is marked. ``cards`` are those
    that the words speak of, by the name they have in the sentence; all of them lie open on that table.
    """

    name: str
    record: Record
    cards: Mapping[str, Card]

    @property
    def key(self) -> str:
        """The key of its sentences."""
        return f"lesson-{self.record.game}-{self.name}"


def lesson_text(texts: Texts, lesson: Lesson) -> str:
    """Return the heading and the sentences of a page."""
    return texts(lesson.key, **{name: card_text(card) for name, card in lesson.cards.items()})


def _lesson(name: str, record: str, **cards: str) -> Lesson:
    named = {place: Card.parse(card) for place, card in cards.items()}
    return Lesson(name, Record.parse(record), MappingProxyType(named))


# To where the waste is turned over for the first time, and from there to the win.
_KLONDIKE_FIRST_PASS = (
    "5-4 4-3x2 5-7 1-5 3-1x3 3-fd s-w w-fs s-w w-fh 4-fh 7-4x2 6-fh 6-fs 7-4 6-fs 4-7x4 7-fs s-w s-w s-w s-w "
    "w-5 w-5 7-5x4 7-1 6-1 6-2 w-6 s-w s-w w-fh s-w 3-4 w-3 5-3x8 s-w s-w w-fd s-w s-w s-w s-w s-w w-5 s-w "
    "6-7x2 w-6 s-w w-2 2-fs 4-fs s-w w-1 2-1x2 s-w 2-1 w-2 w-2 7-2x3 7-fc 5-7x2 s-w s-w s-w w-fd s-w w-fh "
    "7-fh 4-fh w-s"
)
_KLONDIKE_REST = (
    "s-w w-fd 3-fd s-w s-w s-w w-fc s-w s-w w-fc s-w w-fc 1-fc 1-fd 1-fs 3-fc 3-fd 1-fd 3-fs 2-fs 3-fd 3-fs "
    "7-fc 7-fh 5-fh 2-fh 2-fs s-w w-fc 1-fc 1-fd 3-fd 3-fs w-s s-w w-fh 2-fh 2-fs 6-fh s-w w-fc 1-fc 1-fd "
    "3-fd s-w w-fc 1-fc"
)
_ACES_UP_WIN = (
    "3-d s-t 4-d 4-d 2-4 1-d 1-d s-t 3-d 3-d 2-3 3-d 4-3 1-d s-t 2-d s-t 1-d 3-d 2-d 4-d s-t 2-d 3-d s-t 1-d "
    "s-t 4-d 4-d 4-d s-t 3-d 2-d 1-d 1-d s-t 3-d 4-d s-t 3-d 3-d 3-d 3-d 3-d 2-3 2-d 3-d 2-3 2-d 1-d s-t 2-d "
    "2-d 3-2 4-d 1-d s-t 1-d 1-d 1-d 3-d 1-d 4-1 1-d 4-1 4-d 4-d 2-d"
)

LESSONS: Mapping[str, tuple[Lesson, ...]] = MappingProxyType(
    {
        "klondike": (
            _lesson("start", "klondike/d1/746"),
            _lesson("columns", "klondike/d1/746 5-4", card="JC", onto="QD", turned="5D"),
            _lesson("run", "klondike/d1/746 5-4 4-3x2", card="QD", rider="JC", onto="KC", turned="2H"),
            _lesson("empty", "klondike/d1/746 5-4 4-3x2 5-7 1-5 3-1x3", king="KC", turned="AD"),
            _lesson("home", "klondike/d1/746 5-4 4-3x2 5-7 1-5 3-1x3 3-fd", card="AD"),
            _lesson("stock", "klondike/d1/746 5-4 4-3x2 5-7 1-5 3-1x3 3-fd s-w", card="AS"),
            _lesson("end", f"klondike/d1/746 {_KLONDIKE_FIRST_PASS} {_KLONDIKE_REST}"),
            _lesson("rules-one", f"klondike/d1p3/746 {_KLONDIKE_FIRST_PASS}"),
            _lesson(
                "rules-three",
                "klondike/d3/746 5-4 4-3x2 5-7 1-5 3-1x3 3-fd s-w",
                first="AS",
                second="AH",
                top="4D",
            ),
            _lesson(
                "tips-turn",
                "klondike/d1/746 5-4 4-3x2 5-7 1-5 3-1x3 3-fd s-w w-fs s-w w-fh 4-fh 7-4x2",
                card="6C",
                rider="5D",
                turned="4S",
            ),
            _lesson("tips-home", "klondike/d1/539 7-fh 1-fh 7-5 5-1x2 5-2", kept="3H", low="2S", turned="2D"),
        ),
        "acesup": (
            _lesson("start", "acesup/standard/873"),
            _lesson("discard", "acesup/standard/873 3-d", high="KH", low="JH"),
            _lesson("deal", "acesup/standard/873 3-d s-t"),
            _lesson("chain", "acesup/standard/873 3-d s-t 4-d", high="AC", low="3C", bared="9C"),
            _lesson("empty", "acesup/standard/873 3-d s-t 4-d 4-d 2-4", moved="AC", bared="KH", low="6H"),
            _lesson("end", f"acesup/standard/873 {_ACES_UP_WIN}"),
            _lesson("rules-aces", "acesup/aces/106 1-d s-t 2-d 2-d", stuck="8S"),
            _lesson("rules-cell", "acesup/cell/5 2-d s-t 1-c", parked="4C", high="AH", low="9H"),
            _lesson("rules-pairs", "acesup/pairs/114 2-d 4-d s-t", one="6S", other="6D"),
            _lesson(
                "tips-places",
                "acesup/standard/284 2-d s-t 4-d 3-d s-t 1-d 3-d 4-d 4-d 1-4",
                moved="AH",
                low="8H",
            ),
            _lesson("tips-deal", "acesup/standard/873 3-d s-t 4-d 4-d 2-4 1-d 1-d s-t", high="QD", low="9D"),
        ),
    }
)
"""The lessons of each game by its key, in the order of the pages."""
