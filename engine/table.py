"""What a player may see of a game: piles of cards on a grid, without the hidden cards.

Pictures and texts are made from a :class:`Table` alone. A face-down card is None in it, so nothing made
from it can reveal one.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.cards import Card, Suit


class PileKind(StrEnum):
    """What a pile is for."""

    STOCK = "stock"
    WASTE = "waste"
    FOUNDATION = "foundation"
    TABLEAU = "tableau"
    CELL = "cell"
    DISCARD = "discard"


@dataclass(frozen=True, slots=True)
class Pile:
    """One pile.

    ``name`` is its name in the notation of :mod:`engine.move`. ``cards`` are listed bottom first, so the
    last is on top; None is a card face down. ``column`` and ``row`` are its place on the grid, in whole
    cards from the top left; a tableau pile grows downwards from its place. ``spread`` is how many of its
    top cards are fanned out so that each is seen; the others are squared under those. ``suit`` is a
    foundation's suit.
    """

    name: str
    kind: PileKind
    cards: tuple[Card | None, ...]
    column: int
    row: int = 0
    spread: int = 1
    suit: Suit | None = None

    @property
    def top(self) -> Card | None:
        """The card on top, or None where there is none or it is face down."""
        return self.cards[-1] if self.cards else None

    @property
    def hidden(self) -> int:
        """How many of its cards lie face down."""
        return self.cards.count(None)

    @property
    def typed(self) -> str:
        """What players type for it: its name, or ``f`` for any foundation."""
        return "f" if self.kind is PileKind.FOUNDATION else self.name


@dataclass(frozen=True, slots=True)
class Table:
    """Everything a player sees.

    ``score`` of ``full_score`` cards are home. ``pass_number`` counts the times through the stock from
    1, and ``pass_limit`` how many there may be; both are None in a game without passes, the limit alone
    when there is none.
    """

    piles: tuple[Pile, ...]
    score: int
    full_score: int
    pass_number: int | None = None
    pass_limit: int | None = None

    @property
    def passes_left(self) -> int | None:
        """How often the waste can still be turned over; None without a limit or without passes."""
        if self.pass_number is None or self.pass_limit is None:
            return None
        return self.pass_limit - self.pass_number

    def pile(self, name: str) -> Pile:
        """Return the pile of that name.

        :raises KeyError: when the table has none.
        """
        for pile in self.piles:
            if pile.name == name:
                return pile
        raise KeyError(name)


def diff(before: Table, after: Table) -> frozenset[tuple[str, int]]:
    """Return the cards of ``after`` that are new there, as (pile name, index from the bottom).

    A card is new where ``before`` had no card, a different one, or had it face down.
    """
    old = {pile.name: pile.cards for pile in before.piles}
    return frozenset(
        (pile.name, index)
        for pile in after.piles
        for index, card in enumerate(pile.cards)
        if index >= len(old.get(pile.name, ())) or old[pile.name][index] != card
    )
