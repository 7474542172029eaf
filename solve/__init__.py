"""Solvers: what a game is worth when every card is known. No Discord, and nothing but the engine below."""

from solve.acesup import best_score
from solve.par import Par

__all__ = ["Par", "best_score"]
