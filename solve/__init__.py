"""Solvers and hints: what a game is worth when every card is known, and what to do when not.

No Discord, and nothing but the engine below.
"""

from solve.acesup import best_score
from solve.analysis import Analysis, Drop
from solve.klondike import KlondikeSearch, Solution, Verdict, solve_klondike
from solve.par import Par

__all__ = [
    "Analysis",
    "Drop",
    "KlondikeSearch",
    "Par",
    "Solution",
    "Verdict",
    "best_score",
    "solve_klondike",
]
