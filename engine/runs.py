"""Rules about runs of cards that games can share."""

from __future__ import annotations

from engine.cards import Card


def alternating_down(lower: Card, upper: Card) -> bool:
    """True when ``upper`` may lie on ``lower``: one rank down, in the other colour."""
    return upper.rank == lower.rank - 1 and upper.is_red != lower.is_red
