"""A rule of thumb for Aces Up: as many discards as possible before the next deal."""

from __future__ import annotations

from collections import deque

from engine import Move, MoveKind, Record
from engine.games.acesup import AcesUp, AcesUpState
from solve.hints import stock_hint

_MOST_SEEN = 300  # positions; bounds the cost of a hint, and few phases of a game have as many
_GAME = AcesUp()


def quick_hint(record: Record, state: AcesUpState) -> Move | None:
    """Return the first move of the shortest way to the most discards before the next deal, else the deal.

    Single cards that can be discarded are, even where one is half of a pair. Otherwise pairs and moves of
    cards are searched breadth first. Following the hints goes along the way that was found, which is one step
    shorter each time, until no discard is left and the deal comes.
    """
    best: tuple[Move, ...] = ()
    most = _GAME.score(state)
    seen = {state}
    frontier: deque[tuple[AcesUpState, tuple[Move, ...]]] = deque([(state, ())])
    while frontier and len(seen) < _MOST_SEEN:
        here, line = frontier.popleft()
        moves = [move for move in _GAME.legal_moves(here) if not move.kind.is_stock]
        forced = [move for move in moves if move.kind is MoveKind.DISCARD][:1]
        for move in forced or moves:
            there = _GAME.apply(here, move)
            if there in seen:
                continue
            seen.add(there)
            frontier.append((there, (*line, move)))
            if _GAME.score(there) > most:
                most, best = _GAME.score(there), (*line, move)
    return best[0] if best else stock_hint(record, state)
