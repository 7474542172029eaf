"""The errors the engine raises on purpose.

    SolitaireError
    ├── ParseError             a text is not in the notation
    │   ├── MoveSyntaxError    not a move, such as ``3-5``
    │   ├── RulesSyntaxError   not a rule set, such as ``d3p2``
    │   ├── SeedError          not a seed (empty, too long, not encodable)
    │   ├── RecordSyntaxError  not a record, such as ``klondike/d1/42 3-5``
    │   └── UnknownGame        no game of that name
    └── IllegalMove            the notation is fine, the rules forbid it (:mod:`engine.illegal`)

Errors carry data and no prose for players: a front end turns them into a sentence in the player's
language. ``str(error)`` is for logs and developers.
"""

from __future__ import annotations

from typing import ClassVar


class SolitaireError(Exception):
    """Base class of the errors the engine raises on purpose."""


class ParseError(SolitaireError, ValueError):
    """A text is not in the notation.

    ``text`` is what was given, cut to 100 characters. ``key`` names the kind of text, for a front end.
    """

    key: ClassVar[str]

    def __init__(self, text: str, problem: str = "not understood") -> None:
        self.text = text[:100]
        self.problem = problem
        super().__init__(f"{self.text!r}: {problem}")


class MoveSyntaxError(ParseError):
    """The text is not a move such as ``3-5``, ``w-fh`` or ``3-5x2``."""

    key = "move-syntax"


class RulesSyntaxError(ParseError):
    """The text is not a rule set of the game whose key is ``game``."""

    key = "rules-syntax"

    def __init__(self, text: str, game: str, problem: str) -> None:
        self.game = game
        super().__init__(text, problem)


class SeedError(ParseError):
    """The text is not a seed: it is empty, longer than 64 characters, or has no UTF-8 form."""

    key = "seed"


class RecordSyntaxError(ParseError):
    """The text is not a record: ``game/rules/seed``, then the moves, separated by blanks."""

    key = "record-syntax"


class UnknownGame(ParseError):
    """No game is registered under that key."""

    key = "unknown-game"
