"""How cards stand in running text.

Discord draws the filled black suits as dark pictures that all but vanish on its dark theme. The outlined
ones, ♤ and ♧, are plain letters in the colour of the text, clear in both themes and named aloud by screen
readers. The red suits are shown in red wherever a chat draws them as pictures, and as letters elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine import Card, Rank, Suit

SUITS = {Suit.CLUBS: "♧", Suit.DIAMONDS: "♦", Suit.HEARTS: "♥", Suit.SPADES: "♤"}


def rank_text(rank: Rank) -> str:
    """Return A, 2 … 10, J, Q or K."""
    return "10" if rank is Rank.TEN else rank.letter


def card_text(card: Card) -> str:
    """Return for example ``10♥``."""
    return rank_text(card.rank) + SUITS[card.suit]


def cards_text(cards: Iterable[Card]) -> str:
    """Return the cards with blanks between."""
    return " ".join(map(card_text, cards))
