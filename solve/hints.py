"""Quick hints: useful moves that follow from what the player sees, found in milliseconds.

They are for when the hint players proper have no time or no process. A quick hint never depends on the
order of hidden cards, and following quick hints always comes to an end: each brings the game forward in a
way that no later one takes back.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine import Move, MoveKind, PileKind, Record, Table, find_game
from solve.registry import solvers_of


def quick_hint(record: Record, state: Any) -> Move | None:
    """Return a useful move in ``state``, to which ``record`` leads; None where there is none.

    A game without a quick hint player of its own gets :func:`stock_hint`.
    """
    return (solvers_of(record.game).quick_hint or stock_hint)(record, state)


def stock_hint(record: Record, state: Any) -> Move | None:
    """Return the move of the stock where it is legal, in any game."""
    game = find_game(record.game)
    move = game.stock_move(state)
    return move if move is not None and move in game.legal_moves(state) else None


def by_use(table: Table, moves: Iterable[Move]) -> list[Move]:
    """Sort legal moves by how useful they look.

    Discards and cards home come first, then what turns a card up or takes one off the waste, then all other
    moves of cards, and the stock last.
    """

    def rank(move: Move) -> int:
        if move.kind.is_stock:
            return 4
        if move.kind.is_discard or table.pile(move.target).kind is PileKind.FOUNDATION:
            return 1
        return 2 if turns_up(table, move) or table.pile(move.source).kind is PileKind.WASTE else 3

    return sorted(moves, key=rank)


def turns_up(table: Table, move: Move) -> bool:
    """True for a move from a column that turns up a card there."""
    if move.kind is not MoveKind.MOVE or table.pile(move.source).kind is not PileKind.TABLEAU:
        return False
    left = cards_left(table, move)
    return bool(left) and left[-1] is None


def cards_left(table: Table, move: Move) -> tuple[Any, ...]:
    """Return the cards that stay in the source of a move; None is a card face down."""
    return table.pile(move.source).cards[: -move.count]
