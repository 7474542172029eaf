"""Solvers: what a game is worth when every card is known. No Discord, and nothing but the engine below."""

from solve.acesup import Par, best_score
from solve.klondike import KlondikeSearch, Solution, Verdict, solve_klondike

__all__ = ["KlondikeSearch", "Par", "Solution", "Verdict", "best_score", "solve_klondike"]
