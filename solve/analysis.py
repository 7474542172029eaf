"""Where a game was lost: the moves after which less was possible than before.

What is possible never grows during a game. So if it is the same at both ends of a stretch of moves, none of
them cost anything; otherwise the stretch is halved. That way only a few positions need solving.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from engine import Move, Record
from solve.bounds import ScoreBounds

Solver = Callable[[Record, float], ScoreBounds]

_MOST_FOR_ONE = 0.25  # of the time left, for one position


@dataclass(frozen=True, slots=True)
class Drop:
    """A move that cost something: ``before`` was possible, and after it at most ``after``.

    ``number`` counts the moves of the game from 0; ``better`` is the first move of a line that reaches
    ``before``.
    """

    number: int
    before: int
    after: int
    better: Move


@dataclass(frozen=True, slots=True)
class Analysis:
    """The bounds of the best score from the deal, and the moves proven to have cost something, in order."""

    par: ScoreBounds
    drops: tuple[Drop, ...]


def analyse(game: Record, solver: Solver, budget_s: float) -> Analysis:
    """Return where a game was lost, as far as ``solver`` can prove it in ``budget_s`` seconds in total.

    When they are over, the stretches not yet halved are left out; the deal and the end are always solved.
    """
    until = time.thread_time() + budget_s
    known: dict[int, ScoreBounds] = {}

    def value(number: int) -> ScoreBounds:
        if number not in known:
            left = max(until - time.thread_time(), 0.0)
            known[number] = solver(replace(game, moves=game.moves[:number]), _MOST_FOR_ONE * left)
        return known[number]

    drops: list[Drop] = []
    stretches = [(0, len(game.moves))]
    value(0)
    while stretches and (len(known) < 2 or time.thread_time() < until):
        first, last = stretches.pop()
        before, after = value(first), value(last)
        if before.score <= after.upper_bound:
            continue
        if last - first > 1:
            middle = (first + last) // 2
            stretches += [(middle, last), (first, middle)]
        elif before.line:  # without one, the score had been reached already
            drops.append(Drop(first, before.score, after.upper_bound, before.line[0]))
    return Analysis(_best_known(game, known), tuple(drops))


def _best_known(game: Record, known: Mapping[int, ScoreBounds]) -> ScoreBounds:
    """Return the best bounds known of the deal: what a later position leads to, the deal does too."""
    number = max(known, key=lambda number: (known[number].score, -number))
    best = known[number]
    nodes = sum(par.nodes for par in known.values())
    return ScoreBounds(best.score, known[0].upper_bound, (*game.moves[:number], *best.line), nodes)
