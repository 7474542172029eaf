"""The contract between a solitaire and everything that plays, stores or draws it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import ClassVar, Generic, TypeVar

from engine.cards import Card, shuffled_deck
from engine.errors import IllegalMove, Reason
from engine.move import Move, TypedMove
from engine.table import Table

S = TypeVar("S")
R = TypeVar("R")


class Outcome(StrEnum):
    """How a game ended."""

    WON = "won"
    OVER = "over"


class Game(ABC, Generic[S, R]):
    """The rules of one solitaire. It holds no state: ``S`` is a frozen state, ``R`` frozen rules.

    An author writes the class attributes and the methods marked abstract, and may write
    :meth:`_objection` and :meth:`_complete` to say more precisely why a move is illegal and what a
    half-typed one means. Laws that hold for every game (``tests/engine/test_laws.py`` proves them):

    - the same 52 cards, each once, are in every state;
    - a game has an outcome exactly when it has no legal move;
    - every legal move applies, and every other move raises :class:`IllegalMove`.
    """

    key: ClassVar[str]
    """The name in records and commands: ``"klondike"``."""

    presets: Mapping[str, R]
    """Rules by code, in menu order; the first is the default."""

    @abstractmethod
    def deal(self, deck: Sequence[Card], rules: R) -> S:
        """Return the state after dealing ``deck``, 52 cards, first dealt first."""

    @abstractmethod
    def legal_moves(self, state: S) -> Iterator[Move]:
        """Yield every legal move once, in a fixed order; none when the game has an outcome."""

    @abstractmethod
    def _apply(self, state: S, move: Move) -> S:
        """Return the state after a move that is known to be legal."""

    @abstractmethod
    def table(self, state: S) -> Table:
        """Return what a player may see."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Return how the game ended, or None while it is still going. A win is seen before a loss."""

    @abstractmethod
    def score(self, state: S) -> int:
        """Return how many cards are home."""

    @abstractmethod
    def rules_code(self, rules: R) -> str:
        """Return the one canonical code of ``rules``."""

    @abstractmethod
    def parse_rules(self, code: str) -> R:
        """Return the rules that ``code`` stands for, whether it is a preset or not.

        :raises RulesSyntaxError: when it stands for none.
        """

    def start(self, seed: str | int, rules_code: str) -> S:
        """Return the state after dealing the deck of ``seed``.

        :raises SeedError: when the text can't be a seed.
        :raises RulesSyntaxError: when the code is no rule set of this game.
        """
        return self.deal(shuffled_deck(seed), self.parse_rules(rules_code))

    def apply(self, state: S, move: Move) -> S:
        """Return the state after ``move``; ``state`` itself never changes.

        :raises IllegalMove: when the rules forbid it, with the reason.
        """
        objection = self._objection(state, move)
        if objection is not None:
            raise objection
        return self._apply(state, move)

    def stock_move(self, state: S) -> Move | None:
        """Return what drawing from the stock means now, legal or not; None in a game without a stock."""
        return next((move for move in self.legal_moves(state) if "s" in (move.source, move.target)), None)

    def finish(self, state: S) -> tuple[Move, ...]:
        """Return a line of moves that wins for certain from here, or nothing where none is plain to see.

        It may depend on nothing that the player can't see. The default never finds one.
        """
        return ()

    def parse_move(self, state: S, text: str) -> Move:
        """Return the move a player means by ``text``, such as ``3 5``, ``W F`` or ``3-5x2``.

        A missing count and a bare ``f`` are completed from the state. The move may be illegal; that
        is for :meth:`apply` to say.

        :raises MoveSyntaxError: when the text is no move in any state.
        """
        return self._complete(state, TypedMove.parse(text))

    def _objection(self, state: S, move: Move) -> IllegalMove | None:
        """Return why ``move`` is illegal, or None when it is legal."""
        if move in self.legal_moves(state):
            return None
        return IllegalMove(Reason.NOT_ALLOWED, move)

    def _complete(self, state: S, typed: TypedMove) -> Move:
        """Return the full move that ``typed`` stands for: the only legal one that fits, if there is one."""
        fitting = [
            move
            for move in self.legal_moves(state)
            if move.source == typed.source
            and move.target.startswith(typed.target)
            and typed.count in (None, move.count)
        ]
        if len(fitting) == 1:
            return fitting[0]
        return Move(typed.source, typed.target, typed.count or 1)


def perft(game: Game[S, R], state: S, depth: int) -> int:
    """Return how many sequences of exactly ``depth`` legal moves start at ``state``.

    The usual proof of a move generator: the counts are compared with those of another program.
    """
    if depth == 0:
        return 1
    if depth == 1:
        return sum(1 for _ in game.legal_moves(state))
    return sum(perft(game, game.apply(state, move), depth - 1) for move in game.legal_moves(state))
