"""A game as it stands after something was done: all that an answer is made from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from bot.storage import Status, StoredGame
from bot.telemetry.trace import ENGINE, measure
from engine import Game, Move, MoveKind, Outcome, Record, Table, changes, find_game, states
from solve import ScoreBounds

_ENDINGS = {Outcome.WON: Status.WON, Outcome.OVER: Status.OVER, None: Status.PLAYING}


class TurnAction(StrEnum):
    """What was done to get here."""

    DEALT = "dealt"
    MOVED = "moved"
    UNDONE = "undone"
    REDONE = "redone"
    SHOWN = "shown"
    RESUMED = "resumed"
    GIVEN_UP = "given-up"
    HINTED = "hinted"


@dataclass(frozen=True, slots=True)
class Position:
    """A record played through: ``table`` is where it stands, ``before`` the table one move earlier."""

    record: Record
    state: Any
    before: Table | None
    table: Table

    @property
    def game(self) -> Game[Any, Any]:
        """The rules."""
        return find_game(self.record.game)

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, or None."""
        return self.game.outcome(self.state)

    @property
    def status(self) -> Status:
        """The status of a game that has come here by playing."""
        return _ENDINGS[self.outcome]

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """Every legal move, in the engine's order."""
        return tuple(self.game.legal_moves(self.state))

    @property
    def finish(self) -> tuple[Move, ...]:
        """The moves that win for certain from here, or none."""
        return self.game.finish(self.state)

    @property
    def discards(self) -> tuple[Move, ...]:
        """Every legal discard."""
        return tuple(move for move in self.legal_moves if move.kind.is_discard)

    @property
    def discard_chain(self) -> tuple[Move, ...]:
        """All discards of single cards that follow from one another, until none is left.

        Their order makes no difference: a card that is beaten stays so, because what beats the card that
        beat it beats it too.
        """
        chain: tuple[Move, ...] = ()
        here = self
        while True:
            move = next((move for move in here.discards if move.kind is MoveKind.DISCARD), None)
            if move is None:
                return chain
            here, chain = here.then(move), (*chain, move)

    @classmethod
    def of(cls, record: Record) -> Position:
        """Play ``record`` through.

        :raises IllegalMove: when a move of it is not legal.
        """
        with measure(ENGINE):
            game = find_game(record.game)
            earlier, last = None, None
            for state in states(record):
                earlier, last = last, state
            return cls(record, last, None if earlier is None else game.table(earlier), game.table(last))

    def then(self, *moves: Move) -> Position:
        """Return the position after ``moves``; ``before`` is this one's table.

        :raises IllegalMove: when the rules forbid one of them.
        """
        with measure(ENGINE):
            state = self.state
            for move in moves:
                state = self.game.apply(state, move)
            return Position(self.record.play(*moves), state, self.table, self.game.table(state))


@dataclass(frozen=True, slots=True)
class Turn:
    """What was done (``deed``), the game as it is stored, and where it stands.

    ``ends_ms`` is when the day of a daily game is over, 0 for other games and if it has passed.
    ``moves`` are those that were played, undone or redone; ``seen`` is the table before, on which the first
    of them was chosen; ``set_aside`` is the unfinished game that gave way to this one;
    ``is_first`` says that the player never had a game before, ``has_daily_cards`` that this game, whatever
    it is itself, was dealt from the seed of today's daily game, ``is_winnable`` that it was dealt because it
    can be won. ``best`` is what could have been reached from the deal with all cards known, where that is
    known and may be told.
    """

    action: TurnAction
    game: StoredGame
    position: Position
    moves: tuple[Move, ...] = ()
    table_before: Table | None = None
    set_aside: StoredGame | None = None
    is_first: bool = False
    ends_ms: int = 0
    has_daily_cards: bool = False
    is_winnable: bool = False
    best: ScoreBounds | None = None

    @property
    def is_secret(self) -> bool:
        """True while others who play the same deal must not see its cards."""
        return bool(self.ends_ms or self.game.challenge_id or self.has_daily_cards)

    @property
    def hides_seed(self) -> bool:
        """True while the player must not know the seed either."""
        return self.game.is_contest and self.game.status is Status.PLAYING

    @property
    def has_hints(self) -> bool:
        """True when the player may be told what to do."""
        return self.game.status is Status.PLAYING and not self.game.is_contest

    @property
    def may_know_best(self) -> bool:
        """True when the player may be told how the deal is played best."""
        return self.game.status is not Status.PLAYING and not self.is_secret

    @property
    def best_record(self) -> Record | None:
        """The deal as it is played best, where that is known and better than the player."""
        if self.best is None or self.best.score <= self.table.score:
            return None
        return replace(self.position.record, moves=self.best.line)

    @property
    def finish(self) -> tuple[Move, ...]:
        """The moves that win for certain, where the game may be played out by itself."""
        return () if self.game.day or self.game.status is not Status.PLAYING else self.position.finish

    @property
    def table(self) -> Table:
        """What the player sees now."""
        return self.position.table

    @property
    def changed(self) -> frozenset[tuple[str, int]]:
        """The cards to mark: what this turn changed, or the last move of a table that is shown again.

        For a hint, the cards that it would move.
        """
        if self.action is TurnAction.HINTED:
            return frozenset(mark for move in self.moves for mark in _taken(self.table, move))
        earlier = (
            self.position.before
            if self.action in (TurnAction.SHOWN, TurnAction.RESUMED)
            else self.table_before
        )
        return frozenset() if earlier is None else changes(earlier, self.table)

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """Every move that can be played now, in the engine's order."""
        return self.position.legal_moves if self.game.status is Status.PLAYING else ()

    @property
    def can_undo(self) -> bool:
        """True when there is a move to take back."""
        return bool(self.position.record.moves) and self._can_go_back

    @property
    def can_redo(self) -> bool:
        """True when there is a move to play again."""
        return bool(self.game.undone) and self._can_go_back

    @property
    def _can_go_back(self) -> bool:
        return not self.game.status.is_final and not self.game.is_contest


def _taken(table: Table, move: Move) -> set[tuple[str, int]]:
    """Return the cards that ``move`` takes, as (pile name, index from the bottom)."""
    piles = [table.pile(name) for name in move.sources]
    return {
        (pile.name, index)
        for pile in piles
        for index in range(max(len(pile.cards) - move.count, 0), len(pile.cards))
    }
