"""Illegal moves: the error, and the reasons that games share.

A game with reasons of its own declares them beside its rules, as another :class:`enum.StrEnum`
(``KlondikeReason`` is one). A reason's value is the key by which a front end finds its sentence, so no
two games give one value different meanings.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from engine.cards import Card
from engine.errors import SolitaireError
from engine.move import Move


class Reason(StrEnum):
    """Reasons that any game can give. The comment behind each names the facts that come with it."""

    GAME_OVER = "game-over"
    NO_SUCH_PILE = "no-such-pile"  # pile
    SAME_PILE = "same-pile"  # pile
    EMPTY_PILE = "empty-pile"  # pile
    NOT_THERE = "not-there"  # pile: players never put a card there themselves
    NOT_FROM_THERE = "not-from-there"  # pile: players never take a card from there themselves
    FACE_DOWN = "face-down"  # pile, shown (face-up cards there), count (cards asked for)
    ONE_AT_A_TIME = "one-at-a-time"  # pile, count
    STOCK_EMPTY = "stock-empty"
    NOT_ALLOWED = "not-allowed"


class IllegalMove(SolitaireError):
    """The rules forbid a move.

    ``reason`` is a member of :class:`Reason` or of the game's own reasons; ``facts`` has the cards, piles
    and numbers that a sentence about it needs; ``move`` is the move that was tried, or None where a player
    named none ("discard" in a game that has no discards).
    """

    def __init__(self, reason: StrEnum, move: Move | None = None, **facts: Card | str | int) -> None:
        self.reason = reason
        self.move = move
        self.facts: Mapping[str, Card | str | int] = facts
        told = ", ".join(f"{name}={value}" for name, value in facts.items())
        head = f"{move}: {reason.value}" if move else reason.value
        super().__init__(head + (f" ({told})" if told else ""))
