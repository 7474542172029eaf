"""Every error the engine raises on purpose, and what each one carries.

    SolitaireError
    ├── SyntaxFault            a text is not in the notation at all
    │   ├── MoveSyntaxError    … of a move, such as ``3-5``
    │   ├── RulesSyntaxError   … of a rule set, such as ``d3p2``
    │   ├── SeedError          … of a seed (empty, too long, not encodable)
    │   ├── RecordSyntaxError  … of a record, such as ``klondike/d1/42 3-5``
    │   └── UnknownGame        no game of that name
    └── IllegalMove            the notation is fine, the rules forbid it

Errors carry data and no prose for players: a front end turns them into a sentence in the reader's
language. ``str(error)`` is for logs and developers.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.cards import Card
    from engine.move import Move


class SolitaireError(Exception):
    """Root of all errors the engine raises on purpose."""


class SyntaxFault(SolitaireError, ValueError):
    """A text that is not in the notation; ``text`` is what was given, cut to 100 characters."""

    def __init__(self, text: str, problem: str = "not understood") -> None:
        self.text = text[:100]
        self.problem = problem
        super().__init__(f"{self.text!r}: {problem}")


class MoveSyntaxError(SyntaxFault):
    """Not a move: ``3-5``, ``w-fh``, ``3-5x2`` are."""


class RulesSyntaxError(SyntaxFault):
    """Not a rule set of the game whose key is ``game``."""

    def __init__(self, text: str, game: str, problem: str) -> None:
        self.game = game
        super().__init__(text, problem)


class SeedError(SyntaxFault):
    """Not a seed: it is empty, longer than 64 characters, or has no UTF-8 form."""


class RecordSyntaxError(SyntaxFault):
    """Not a record: ``game/rules/seed`` and then the moves, separated by blanks."""


class UnknownGame(SyntaxFault):
    """No game is registered under that key."""


class Reason(StrEnum):
    """Why a move is illegal. The facts that come with each are named behind it."""

    GAME_OVER = "game-over"
    NO_SUCH_PILE = "no-such-pile"  # pile
    SAME_PILE = "same-pile"  # pile
    EMPTY_PILE = "empty-pile"  # pile
    NOT_THERE = "not-there"  # pile: no card can ever be put there by hand
    NOT_FROM_THERE = "not-from-there"  # pile: no card can ever be taken from there by hand
    FACE_DOWN = "face-down"  # pile, shown (face-up cards there), count (cards asked for)
    ONE_AT_A_TIME = "one-at-a-time"  # pile, count
    NOT_ALLOWED = "not-allowed"
    # Klondike
    WRONG_COLUMN = "wrong-column"  # card, pile, end (the card the column ends in)
    KINGS_ONLY = "kings-only"  # card, pile
    WRONG_FOUNDATION = "wrong-foundation"  # card, needs (the card that goes there next)
    OTHER_SUIT = "other-suit"  # card, pile
    NO_RETURN = "no-return"
    STOCK_NOT_EMPTY = "stock-not-empty"
    NO_PASS_LEFT = "no-pass-left"  # passes
    NOTHING_TO_DRAW = "nothing-to-draw"
    # Aces Up
    ACE_STAYS = "ace-stays"  # card
    NOT_BEATEN = "not-beaten"  # card
    PILE_TAKEN = "pile-taken"  # pile
    ACES_ONLY = "aces-only"  # card
    CELL_TAKEN = "cell-taken"  # card (the one in the cell)
    CELL_STAYS = "cell-stays"  # card: the cell's card can only go to an empty pile
    NOT_A_PAIR = "not-a-pair"  # card, other
    STOCK_EMPTY = "stock-empty"


class IllegalMove(SolitaireError):
    """The rules forbid the move.

    ``reason`` says which rule, ``facts`` the cards, piles and numbers a front end needs to say why in
    a sentence (see :class:`Reason` for the names), ``move`` the move that was tried.
    """

    def __init__(self, reason: Reason, move: Move, **facts: Card | str | int) -> None:
        self.reason = reason
        self.move = move
        self.facts: Mapping[str, Card | str | int] = facts
        told = ", ".join(f"{name}={value}" for name, value in facts.items())
        super().__init__(f"{move}: {reason.value}" + (f" ({told})" if told else ""))
