"""Klondike: a solver that tells whether a game can be won, and two hint players."""

from __future__ import annotations

from engine import Record, replay
from engine.games.klondike import Klondike
from solve.bounds import ScoreBounds
from solve.games.klondike.hints import hint_klondike
from solve.games.klondike.quick_hints import quick_hint
from solve.games.klondike.solver import Verdict, solve_klondike
from solve.registry import Solvers, register

_GAME = Klondike()


def bound_score(record: Record, budget_s: float) -> ScoreBounds:
    """Return the full score where the game can be won, else its present score and what may still be."""
    found = solve_klondike(record, budget_s=budget_s)
    if found.verdict is Verdict.WON:
        return ScoreBounds(_GAME.full_score, _GAME.full_score, found.line, found.nodes)
    upper_bound = _GAME.full_score - (found.verdict is Verdict.LOST)
    return ScoreBounds(_GAME.score(replay(record)), upper_bound, (), found.nodes)


register(
    _GAME.key,
    Solvers(
        solver=bound_score,
        hint=hint_klondike,
        quick_hint=quick_hint,
        finds_best=False,
        warm_up=("d3p1",),
    ),
)
