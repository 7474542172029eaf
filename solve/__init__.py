"""Solvers: what a game is worth when every card is known. No Discord, and nothing but the engine below."""

from solve.acesup import Par, best_score
from solve.acesup_hints import hint_acesup, play_by_hints

__all__ = ["Par", "best_score", "hint_acesup", "play_by_hints"]
