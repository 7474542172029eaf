"""Solvers: what a game is worth when every card is known. No Discord, and nothing but the engine below."""

from solve.acesup import Par, best_score
from solve.klondike import KlondikeSearch, Solution, Verdict, solve_klondike
from solve.klondike_hints import hint_klondike, play_klondike_by_hints

__all__ = [
    "KlondikeSearch",
    "Par",
    "Solution",
    "Verdict",
    "best_score",
    "hint_klondike",
    "play_klondike_by_hints",
    "solve_klondike",
]
