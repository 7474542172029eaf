"""A game as it stands after something was done: all that an answer is made from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from bot.storage import Status, StoredGame
from engine import Game, Move, Outcome, Record, Table, changes, find_game, states


class Deed(StrEnum):
    """What was done to get here."""

    DEALT = "dealt"
    MOVED = "moved"
    UNDONE = "undone"
    REDONE = "redone"
    SHOWN = "shown"
    RESUMED = "resumed"
    GIVEN_UP = "given-up"


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

    @classmethod
    def of(cls, record: Record) -> Position:
        """Play ``record`` through.

        :raises IllegalMove: when a move of it is not legal.
        """
        game = find_game(record.game)
        earlier, last = None, None
        for state in states(record):
            earlier, last = last, state
        return cls(record, last, None if earlier is None else game.table(earlier), game.table(last))

    def then(self, move: Move) -> Position:
        """Return the position after one more move.

        :raises IllegalMove: when the rules forbid it.
        """
        state = self.game.apply(self.state, move)
        return Position(self.record.play(move), state, self.table, self.game.table(state))


@dataclass(frozen=True, slots=True)
class Turn:
    """What was done (``deed``), the game as it is stored, and where it stands.

    ``move`` is the move that was played, undone or redone; ``seen`` is the table on which it was chosen,
    so that it can be told in words; ``set_aside`` is the unfinished game that gave way to this one.
    """

    deed: Deed
    game: StoredGame
    position: Position
    move: Move | None = None
    seen: Table | None = None
    set_aside: StoredGame | None = None

    @property
    def table(self) -> Table:
        """What the player sees now."""
        return self.position.table

    @property
    def changed(self) -> frozenset[tuple[str, int]]:
        """The cards to mark: what this turn changed, or, for a table shown again, its last move."""
        earlier = self.position.before if self.deed in (Deed.SHOWN, Deed.RESUMED) else self.seen
        return frozenset() if earlier is None else changes(earlier, self.table)

    @property
    def is_live(self) -> bool:
        """True while there is something to play."""
        return self.game.status is Status.PLAYING

    @property
    def legal_moves(self) -> tuple[Move, ...]:
        """Every move that can be played now, in the engine's order."""
        if self.game.status is Status.GIVEN_UP:
            return ()
        return tuple(self.position.game.legal_moves(self.position.state))
