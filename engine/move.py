"""A move as a small value, and the notation it is written in.

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
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.errors import MoveSyntaxError

_PILE = r"(?:[1-9]\+[1-9]|f[cdhs]|[1-9a-z])"
_CANONICAL = re.compile(rf"({_PILE})-({_PILE})(?:x([2-9]|1[0-9]))?")
# What people type: any mix of blanks, hyphens, arrows and commas between the parts, in either case.
_TYPED = re.compile(
    rf"\s*({_PILE})[\s,>→:-]*({_PILE})(?:[\s,x×*]+([1-9]|1[0-9]))?\s*", re.IGNORECASE | re.ASCII
)
_TYPED_MAX_CHARACTERS = 40


@dataclass(frozen=True, slots=True)
class Move:
    """Take ``count`` cards from the pile ``source`` to the pile ``target``.

    ``count`` is the number of cards taken from the end of a column; a draw, a redeal, a deal and a
    discard are one action each, and count 1 however many cards they turn.

    >>> Move.parse("3-5x2")
    Move(source='3', target='5', count=2)
    >>> str(Move("w", "fh"))
    'w-fh'
    """

    source: str
    target: str
    count: int = 1

    def __str__(self) -> str:
        return f"{self.source}-{self.target}" + (f"x{self.count}" if self.count > 1 else "")

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
    """A move as a player typed it: ``target`` may be a bare ``f``, ``count`` may be missing (None)."""

    source: str
    target: str
    count: int | None = None

    @classmethod
    def parse(cls, text: str) -> TypedMove:
        """Read ``3 5``, ``35``, ``3>5``, ``W F``, ``3 5 2`` and ``3-5x2``: case and blanks don't matter.

        :raises MoveSyntaxError: when the text isn't a source, a target and perhaps a count.
        """
        found = _TYPED.fullmatch(text) if len(text) <= _TYPED_MAX_CHARACTERS else None
        if found is None:
            raise MoveSyntaxError(text)
        return cls(found[1].lower(), found[2].lower(), int(found[3]) if found[3] else None)
