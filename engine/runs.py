"""Predicates on runs of cards that games share: what may lie on what, and what may move as one."""

from __future__ import annotations

from engine.cards import Card


def alternating_down(lower: Card, upper: Card) -> bool:
    """True when ``upper`` may lie on ``lower``: one rank down, in the other colour."""
    return upper.rank == lower.rank - 1 and upper.is_red != lower.is_red


def same_suit_up(lower: Card, upper: Card) -> bool:
    """True when ``upper`` may lie on ``lower``: one rank up, in the same suit."""
    return upper.rank == lower.rank + 1 and upper.suit is lower.suit
