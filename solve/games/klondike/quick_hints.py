"""Rules of thumb for Klondike: a useful move that follows from the cards in sight."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from engine import Card, Move, PileKind, Rank, Record, Table
from engine.games.klondike import REDEAL, Klondike, KlondikeState
from solve.hints import cards_left, stock_hint, turns_up

_GAME = Klondike()


def quick_hint(record: Record, state: KlondikeState) -> Move | None:
    """Prefer safe cards home, then what turns a card up, then what the waste can play; draw last.

    Each move but a draw brings a card home, turns one up, shortens the waste, or frees a column that a king
    waits for, and no later hint takes that back. Drawing stops when a whole pass since the last other move
    has shown that nothing drawn can be played.
    """
    at = _Position(state, _GAME.table(state))
    moves = [move for move in _GAME.legal_moves(state) if not move.kind.is_stock]
    for is_useful in (_is_safe_home, _turns_up, _leaves_waste, _is_home, _frees_column, _frees_home):
        chosen = max(
            (move for move in moves if is_useful(at, move)),
            key=lambda move: at.table.pile(move.source).hidden,
            default=None,
        )
        if chosen is not None:
            return chosen
    last_draws = takewhile(lambda move: move.kind.is_stock, reversed(record.moves))
    return None if list(last_draws).count(REDEAL) >= 2 else stock_hint(record, state)


class _Position(NamedTuple):
    state: KlondikeState
    table: Table

    def kind(self, pile: str) -> PileKind:
        return self.table.pile(pile).kind


def _is_home(at: _Position, move: Move) -> bool:
    return at.kind(move.target) is PileKind.FOUNDATION


def _is_safe_home(at: _Position, move: Move) -> bool:
    """True for a card home on which no card of the other colour can still be wanted."""
    if not _is_home(at, move):
        return False
    card = at.table.pile(move.source).top
    others = [
        len(pile.cards)
        for pile in at.table.piles
        if card and pile.suit is not None and pile.suit.is_red != card.is_red
    ]
    return card is not None and (card.rank <= Rank.TWO or min(others) >= card.rank - 1)


def _turns_up(at: _Position, move: Move) -> bool:
    return turns_up(at.table, move)


def _leaves_waste(at: _Position, move: Move) -> bool:
    return at.kind(move.source) is PileKind.WASTE and at.kind(move.target) is PileKind.TABLEAU


def _frees_column(at: _Position, move: Move) -> bool:
    """True for a whole column moved onto another while a king waits on the waste or on hidden cards."""
    if at.kind(move.source) is not PileKind.TABLEAU or cards_left(at.table, move):
        return False
    return bool(at.table.pile(move.target).cards) and any(card.rank is Rank.KING for card in _waiting(at))


def _waiting(at: _Position) -> Iterator[Card]:
    for pile in at.table.piles:
        if pile.kind is PileKind.WASTE and pile.top:
            yield pile.top
        if pile.kind is PileKind.TABLEAU and pile.hidden:
            yield from (card for card in pile.cards if card)


def _frees_home(at: _Position, move: Move) -> bool:
    """True for a part of a run that uncovers a card which can then go home."""
    left = cards_left(at.table, move)
    if at.kind(move.source) is not PileKind.TABLEAU or not left or left[-1] is None:
        return False
    then = _GAME.apply(at.state, move)
    return any(_is_home(at, after) and after.source == move.source for after in _GAME.legal_moves(then))
