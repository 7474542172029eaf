"""Solvers: what a game is worth when every card is known. No Discord, and nothing but the engine below."""

from solve._compiled import COMPILED
from solve.acesup import best_score
from solve.analysis import Analysis, Drop
from solve.par import Par

__all__ = ["COMPILED", "Analysis", "Drop", "Par", "best_score"]
