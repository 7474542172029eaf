"""Moves, and the notation they are written in.

Every pile of a table has a name of one to three characters that players type:

====== ======================================== ====== =====================================
name   pile                                     name   pile
====== ======================================== ====== =====================================
1 … 9  a column (Klondike) or pile (Aces Up)    ``s``  the stock
``w``  the waste                                ``c``  the free cell
``fc`` a foundation, by its suit: ``fc`` ``fd`` ``d``  the discard pile
       ``fh`` ``fs``
``t``  the whole tableau at once (a deal)       1+3    two piles at once (a pair)
====== ======================================== ====== =====================================

A move is source, hyphen, target, and ``x`` and a count when it takes several cards from the end of a
column: ``3-5``, ``w-fh``, ``3-5x2``, ``s-w`` (a draw), ``w-s`` (a redeal), ``2-d`` (a discard).

Only the engine decodes these names: others ask :attr:`Move.kind`, :attr:`Move.sources` and
:func:`pile_kind`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from engine.errors import MoveSyntaxError
from engine.table import PileKind

STOCK, WASTE, CELL, DISCARD_PILE, TABLEAU = "s", "w", "c", "d", "t"

_PILE = r"(?:[1-9]\+[1-9]|f[cdhs]|[1-9a-z])"
_CANONICAL = re.compile(rf"({_PILE})-({_PILE})(?:x([2-9]|1[0-9]))?")
# What players type: any mix of blanks, hyphens, arrows and commas between the parts, in either case.
_TYPED = re.compile(
    rf"\s*({_PILE})[\s,>→:-]*({_PILE})(?:[\s,x×*]+([1-9]|1[0-9]))?\s*", re.IGNORECASE | re.ASCII
)
_TYPED_MAX_CHARACTERS = 40


class MoveKind(StrEnum):
    """What a move does, whatever the game."""

    DRAW = "draw"
    """Turns cards of the stock onto one pile, usually the waste."""
    REDEAL = "redeal"
    """Turns the waste over to be the stock again."""
    DEAL = "deal"
    """Deals cards from the stock to the whole tableau."""
    DISCARD = "discard"
    """Puts one card on the discard pile."""
    PAIR = "pair"
    """Puts the top cards of two piles on the discard pile together."""
    MOVE = "move"
    """Moves cards from one pile to another: all other moves."""

    @property
    def is_stock(self) -> bool:
        """True for draws, redeals and deals."""
        return self in (MoveKind.DRAW, MoveKind.REDEAL, MoveKind.DEAL)

    @property
    def is_discard(self) -> bool:
        """True for discards, of one card or of a pair."""
        return self in (MoveKind.DISCARD, MoveKind.PAIR)


@dataclass(frozen=True, slots=True)
class Move:
    """Take ``count`` cards from the pile ``source`` to the pile ``target``.

    ``count`` is the number of cards taken from the end of a column; a draw, a redeal, a deal and a
    discard are one action each, and count 1 however many cards they turn.

    >>> Move.parse("3-5x2")
    Move(source='3', target='5', count=2)
    >>> str(Move("w", "fh"))
    'w-fh'
    >>> Move("1+3", "d").kind, Move("1+3", "d").sources
    (<MoveKind.PAIR: 'pair'>, ('1', '3'))
    """

    source: str
    target: str
    count: int = 1

    def __str__(self) -> str:
        return f"{self.source}-{self.target}" + (f"x{self.count}" if self.count > 1 else "")

    @property
    def kind(self) -> MoveKind:
        """What the move does. It follows from the notation alone, whether the move is legal or not."""
        if self.source == STOCK:
            return MoveKind.DEAL if self.target == TABLEAU else MoveKind.DRAW
        if self.target == STOCK:
            return MoveKind.REDEAL
        if self.target == DISCARD_PILE:
            return MoveKind.PAIR if "+" in self.source else MoveKind.DISCARD
        return MoveKind.MOVE

    @property
    def sources(self) -> tuple[str, ...]:
        """The piles that cards are taken from: two for a pair, else one."""
        return tuple(self.source.split("+"))

    @classmethod
    def parse(cls, text: str) -> Move:
        """Read exactly what ``str(move)`` writes, as it stands in a record.

        :raises MoveSyntaxError: for anything else.
        """
        found = _CANONICAL.fullmatch(text)
        if found is None:
            raise MoveSyntaxError(text)
        return cls(found[1], found[2], int(found[3] or 1))


@dataclass(frozen=True, slots=True)
class TypedMove:
    """A move as typed: either pile may be a bare ``f``, and ``count`` is None where it is missing."""

    source: str
    target: str
    count: int | None = None

    @classmethod
    def parse(cls, text: str) -> TypedMove:
        """Read ``3 5``, ``35``, ``3>5``, ``W F``, ``3 5 2`` and ``3-5x2``: case and spacing don't matter.

        :raises MoveSyntaxError: when the text isn't a source, a target and perhaps a count.
        """
        found = _TYPED.fullmatch(text) if len(text) <= _TYPED_MAX_CHARACTERS else None
        if found is None:
            raise MoveSyntaxError(text)
        return cls(found[1].lower(), found[2].lower(), int(found[3]) if found[3] else None)


def pile_kind(name: str) -> PileKind | None:
    """Return the kind of pile that a name stands for, a bare ``f`` included; None for names of no fixed kind.

    >>> pile_kind("fh"), pile_kind("f"), pile_kind("3")
    (<PileKind.FOUNDATION: 'foundation'>, <PileKind.FOUNDATION: 'foundation'>, <PileKind.TABLEAU: 'tableau'>)
    """
    return PileKind.FOUNDATION if name.startswith("f") else _KINDS.get(name)


_KINDS = {
    STOCK: PileKind.STOCK,
    WASTE: PileKind.WASTE,
    CELL: PileKind.CELL,
    DISCARD_PILE: PileKind.DISCARD,
    **dict.fromkeys((TABLEAU, *"123456789"), PileKind.TABLEAU),
}
