"""The contract between a solitaire and everything that plays, stores or draws it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import ClassVar, Generic, TypeVar

from engine.cards import Card, shuffled_deck
from engine.errors import MoveSyntaxError
from engine.illegal import IllegalMove, Reason
from engine.move import DISCARD_PILE, Move, TypedMove
from engine.table import Table

S = TypeVar("S")
R = TypeVar("R")


class Outcome(StrEnum):
    """How a game ended."""

    WON = "won"
    OVER = "over"


class Game(ABC, Generic[S, R]):
    """The rules of one solitaire. It holds no state: ``S`` is a frozen state, ``R`` frozen rules.

    An author writes the class attributes and the abstract methods, and may override :meth:`_why_illegal`
    and :meth:`_resolve` to say more precisely why a move is illegal and what a half-typed one means.
    Laws that hold for every game (``tests/engine/test_laws.py`` proves them):

    - the same 52 cards, each once, are in every state;
    - a game has an outcome exactly when it has no legal move;
    - every legal move applies, and every other move raises :class:`IllegalMove`.
    """

    key: ClassVar[str]
    """The name in records and commands: ``"klondike"``."""

    presets: Mapping[str, R]
    """Rules by code, in menu order; the first is the default."""

    full_score: ClassVar[int]
    """The score that wins: how many cards can be brought home."""

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
        """Return what a player may see: piles, :meth:`score` and :attr:`full_score`."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """Return how the game ended, or None while it can go on. A win is looked for before a loss."""

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
        error = self._why_illegal(state, move)
        if error is not None:
            raise error
        return self._apply(state, move)

    def stock_move(self, state: S) -> Move | None:
        """Return what drawing from the stock means now, legal or not; None in a game without a stock."""
        return next((move for move in self.legal_moves(state) if move.kind.is_stock), None)

    def finish(self, state: S) -> tuple[Move, ...]:
        """Return moves that are certain to win from here, or none.

        They may depend only on what the player can see. The default finds none.
        """
        return ()

    def parse_move(self, state: S, text: str) -> Move:
        """Return the move a player means by ``text``, such as ``3 5``, ``W F`` or ``3-5x2``.

        A missing count and a bare ``f`` are filled in from the state. Whether the move is legal is for
        :meth:`apply` to say.

        :raises MoveSyntaxError: when the text is not a move in any state.
        """
        return self._resolve(state, TypedMove.parse(text))

    def parse_discard(self, state: S, piles: str) -> Move:
        """Return the discard from the piles a player names: ``2``, or ``1+3`` or ``1 3`` for a pair.

        :raises MoveSyntaxError: when the text names no pile.
        """
        source = "+".join(piles.replace("+", " ").split())
        try:
            return self.parse_move(state, f"{source}-{DISCARD_PILE}")
        except MoveSyntaxError:
            raise MoveSyntaxError(piles) from None  # with what was typed, and no more

    def _why_illegal(self, state: S, move: Move) -> IllegalMove | None:
        """Return why ``move`` is illegal, or None when it is legal."""
        if move in self.legal_moves(state):
            return None
        return IllegalMove(Reason.NOT_ALLOWED, move)

    def _resolve(self, state: S, typed: TypedMove) -> Move:
        """Return the complete move that ``typed`` means: the only legal move that fits, if there is one.

        If there is none or more than one, return what was typed, with count 1 where it is missing.
        """
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

    This is the usual test of a move generator: the counts must equal those of an independent program.
    """
    if depth == 0:
        return 1
    if depth == 1:
        return sum(1 for _ in game.legal_moves(state))
    return sum(perft(game, game.apply(state, move), depth - 1) for move in game.legal_moves(state))
