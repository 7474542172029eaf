"""Solvers: what a game is worth when every card is known. No Discord, and nothing but the engine below."""

from solve.acesup import best_score
from solve.analysis import Analysis, Drop
from solve.klondike import Solution, Verdict, solve_klondike
from solve.par import Par

__all__ = ["Analysis", "Drop", "Par", "Solution", "Verdict", "best_score", "solve_klondike"]
