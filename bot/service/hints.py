"""A first hint: one useful move that follows from what the player sees.

An adviser gets a position and returns a move, or None where it knows of nothing useful. It must not depend
on the order of hidden cards, and whoever follows it must not go round in circles: each of its moves brings
the game nearer to an end by something that no later advice takes back.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from itertools import takewhile
from typing import Any

from bot.service.turn import Position
from engine import Card, Move, PileKind, Rank

Adviser = Callable[[Position], Move | None]

_MAX_SEEN = 300  # a bound on what a hint costs; few phases of an Aces Up game have as many positions


def advise(at: Position) -> Move | None:
    """Return a useful move in any game; a game without an adviser of its own gets told of its stock."""
    return _ADVISERS.get(at.record.game, _stock_or_nothing)(at)


def by_use(at: Position) -> list[Move]:
    """Return every legal move, the most useful first: discards and cards home, then what bares cards."""

    def rank(move: Move) -> int:
        if "s" in (move.source, move.target):
            return 4
        target = at.table.pile(move.target).kind
        if target in (PileKind.DISCARD, PileKind.FOUNDATION):
            return 1
        return 2 if _turns_up(at, move) or move.source == "w" else 3

    return sorted(at.legal_moves, key=rank)


def _stock_or_nothing(at: Position) -> Move | None:
    move = at.game.stock_move(at.state)
    return move if move in at.legal_moves else None


def _klondike(at: Position) -> Move | None:
    """Prefer cards home that can never be missed, then what turns up a card, then what the waste can play.

    Each such move puts a card home, turns one up, shortens the waste, or frees a column that a king waits
    for, and nothing here takes that back. Drawing comes last, and no more when a whole pass since the last
    other move has shown that nothing drawn can be played.
    """
    moves = [move for move in at.legal_moves if "s" not in (move.source, move.target)]
    for useful in (_is_safe_home, _turns_up, _leaves_waste, _is_home, _frees_column, _frees_home):
        chosen = max(
            (move for move in moves if useful(at, move)),
            key=lambda move: at.table.pile(move.source).hidden,
            default=None,
        )
        if chosen is not None:
            return chosen
    stock_moves = takewhile(lambda move: "s" in (move.source, move.target), reversed(at.record.moves))
    redeals = sum(move.target == "s" for move in stock_moves)
    return None if redeals >= 2 else _stock_or_nothing(at)


def _is_home(at: Position, move: Move) -> bool:
    return at.table.pile(move.target).kind is PileKind.FOUNDATION


def _is_safe_home(at: Position, move: Move) -> bool:
    """True for a card home that no card of the other colour can still want to lie on."""
    if not _is_home(at, move):
        return False
    card = at.table.pile(move.source).top
    others = [
        len(pile.cards)
        for pile in at.table.piles
        if card
        and pile.kind is PileKind.FOUNDATION
        and pile.suit is not None
        and pile.suit.is_red != card.is_red
    ]
    return card is not None and (card.rank <= Rank.TWO or min(others) >= card.rank - 1)


def _run_left(at: Position, move: Move) -> tuple[Card | None, ...]:
    """Return what stays in the source when ``move`` takes its cards."""
    return at.table.pile(move.source).cards[: -move.count]


def _turns_up(at: Position, move: Move) -> bool:
    left = _run_left(at, move)
    return at.table.pile(move.source).kind is PileKind.TABLEAU and bool(left) and left[-1] is None


def _leaves_waste(at: Position, move: Move) -> bool:
    return move.source == "w" and at.table.pile(move.target).kind is PileKind.TABLEAU


def _frees_column(at: Position, move: Move) -> bool:
    """True for a whole column moved onto another while a king waits on the waste or on hidden cards."""
    if at.table.pile(move.source).kind is not PileKind.TABLEAU or _run_left(at, move):
        return False
    return bool(at.table.pile(move.target).cards) and any(card.rank is Rank.KING for card in _waiting(at))


def _waiting(at: Position) -> Iterator[Card]:
    for pile in at.table.piles:
        if pile.kind is PileKind.WASTE and pile.top:
            yield pile.top
        if pile.kind is PileKind.TABLEAU and pile.hidden:
            yield from (card for card in pile.cards if card)


def _frees_home(at: Position, move: Move) -> bool:
    """True for a part of a run that bares a card which can then go home."""
    left = _run_left(at, move)
    if at.table.pile(move.source).kind is not PileKind.TABLEAU or not left or left[-1] is None:
        return False
    then = at.then(move)
    return any(_is_home(then, after) and after.source == move.source for after in then.legal_moves)


def _aces_up(at: Position) -> Move | None:
    """Look for the most discards before the next deal, and return the first move on the shortest way there.

    Single cards that can go, go, even where one is half of a pair. Otherwise pairs and moves of visible
    cards are searched breadth first; the stock plays no part. Whoever follows the advice goes down the way
    that was found, one step shorter each time, until no discard is left and the deal comes.
    """
    best: tuple[Move, ...] = ()
    most = at.table.score
    seen = {at.state}
    frontier: deque[tuple[Any, tuple[Move, ...]]] = deque([(at.state, ())])
    while frontier and len(seen) < _MAX_SEEN:
        here, line = frontier.popleft()
        moves = [move for move in at.game.legal_moves(here) if move.source != "s"]
        forced = [move for move in moves if move.target == "d" and "+" not in move.source][:1]
        for move in forced or moves:
            there = at.game.apply(here, move)
            if there in seen:
                continue
            seen.add(there)
            frontier.append((there, (*line, move)))
            if at.game.score(there) > most:
                most, best = at.game.score(there), (*line, move)
    return best[0] if best else _stock_or_nothing(at)


_ADVISERS: dict[str, Adviser] = {"klondike": _klondike, "acesup": _aces_up}
