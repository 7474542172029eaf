"""Solvers and hints: what a game is worth when every card is known, and what to play when not.

Nothing here knows of Discord, and nothing but the engine below.
"""

from solve.analysis import Analysis, Drop
from solve.bounds import ScoreBounds
from solve.compiled import COMPILED
from solve.games.acesup.hints import hint_acesup, play_by_hints
from solve.games.acesup.solver import best_score
from solve.games.klondike.hints import hint_klondike, play_klondike_by_hints
from solve.games.klondike.solver import KlondikeSearch, Solution, Verdict, solve_klondike
from solve.hints import by_use, quick_hint, stock_hint
from solve.registry import Solvers, register, solvers_of

Par = ScoreBounds  # the former name; no new code should use it

__all__ = [
    "COMPILED",
    "Analysis",
    "Drop",
    "KlondikeSearch",
    "Par",
    "ScoreBounds",
    "Solution",
    "Solvers",
    "Verdict",
    "best_score",
    "by_use",
    "hint_acesup",
    "hint_klondike",
    "play_by_hints",
    "play_klondike_by_hints",
    "quick_hint",
    "register",
    "solve_klondike",
    "solvers_of",
    "stock_hint",
]
