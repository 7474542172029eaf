"""Aces Up: a solver that finds the best score, and two hint players."""

from __future__ import annotations

from engine import Record
from engine.games.acesup import AcesUp
from solve.bounds import ScoreBounds
from solve.games.acesup.hints import hint_acesup
from solve.games.acesup.quick_hints import quick_hint
from solve.games.acesup.solver import best_score
from solve.registry import Solvers, register


def bound_score(record: Record, budget_s: float) -> ScoreBounds:
    """Return what is known of the best score after so many seconds."""
    return best_score(record, budget_s=budget_s)


register(
    AcesUp.key,
    Solvers(solver=bound_score, hint=hint_acesup, quick_hint=quick_hint, warm_up=("standard", "cell+pairs")),
)
