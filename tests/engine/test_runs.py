"""What may lie on what, tested over all pairs of cards."""

from __future__ import annotations

from itertools import pairwise, product

from engine import DECK
from engine.runs import alternating_down


def test_alternating_down_is_one_rank_lower_in_the_other_colour() -> None:
    pairs = {(str(a), str(b)) for a, b in product(DECK, DECK) if alternating_down(a, b)}
    ranks = "KQJT98765432A"
    assert pairs == {
        (high + suit, low + other)
        for high, low in pairwise(ranks)
        for suit, others in (("C", "DH"), ("S", "DH"), ("D", "CS"), ("H", "CS"))
        for other in others
    }
