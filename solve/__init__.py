"""Solvers and hints: what a game is worth when every card is known, and what to do when not.

No Discord, and nothing but the engine below.
"""

from solve._compiled import COMPILED
from solve.acesup import best_score
from solve.acesup_hints import hint_acesup, play_by_hints
from solve.analysis import Analysis, Drop
from solve.klondike import KlondikeSearch, Solution, Verdict, solve_klondike
from solve.klondike_hints import hint_klondike, play_klondike_by_hints
from solve.par import Par

__all__ = [
    "COMPILED",
    "Analysis",
    "Drop",
    "KlondikeSearch",
    "Par",
    "Solution",
    "Verdict",
    "best_score",
    "hint_acesup",
    "hint_klondike",
    "play_by_hints",
    "play_klondike_by_hints",
    "solve_klondike",
]
