"""How many sequences of legal moves there are, of five deals by every preset and some combinations.

The counts in ``data/perft.tsv`` come from the reference generator; here both programs must agree with them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from engine import GAMES, perft
from tests.engine.positions import ACESUP_CODES, COMBINATIONS, PRESETS, reference_perft

NUMBERS = (1, 2, 3, 24, 11982)
FAST_DEPTH = 6
FAST_REFERENCE_DEPTH = 5


def pinned() -> dict[tuple[str, str, int], list[int]]:
    """Read the counts by game, rules and number; the first is that of single moves."""
    table = {}
    text = Path(__file__).with_name("data").joinpath("perft.tsv").read_text(encoding="utf-8")
    for line in text.splitlines()[1:]:
        deal, counts = line.split("\t")
        key, code, number = deal.split("/")
        table[key, code, int(number)] = [int(count) for count in counts.split()]
    return table


PINNED = pinned()
RULES = sorted({(key, code) for key, code, _ in PINNED})


def test_every_preset_and_every_aces_up_combination_is_pinned_for_five_deals() -> None:
    wanted = {
        *PRESETS,
        ("klondike", "d1r"),
        ("klondike", "d3p2r"),
        *(("acesup", code) for code in ACESUP_CODES),
    }
    assert set(RULES) == wanted
    assert set(PINNED) == {(key, code, number) for key, code in wanted for number in NUMBERS}
    assert {len(counts) for counts in PINNED.values()} == {7}
    assert set(RULES) - set(PRESETS) < set(COMBINATIONS)


@pytest.mark.parametrize(("key", "code"), RULES)
def test_the_engine_counts_as_pinned(key: str, code: str) -> None:
    for number in NUMBERS:
        state = GAMES[key].start(number, code)
        counts = [perft(GAMES[key], state, depth) for depth in range(1, FAST_DEPTH + 1)]
        assert counts == PINNED[key, code, number][:FAST_DEPTH], number


@pytest.mark.parametrize(("key", "code"), RULES)
def test_the_reference_counts_as_pinned(key: str, code: str) -> None:
    for number in NUMBERS:
        state = GAMES[key].start(number, code)
        counts = [reference_perft(key, state, depth) for depth in range(1, FAST_REFERENCE_DEPTH + 1)]
        assert counts == PINNED[key, code, number][:FAST_REFERENCE_DEPTH], number


def test_no_move_is_one_sequence_and_one_move_each_legal_one() -> None:
    for key, code in PRESETS:
        state = GAMES[key].start(24, code)
        assert perft(GAMES[key], state, 0) == 1
        assert perft(GAMES[key], state, 1) == len(list(GAMES[key].legal_moves(state)))


@pytest.mark.slow
@pytest.mark.parametrize(("key", "code"), RULES)
def test_both_count_as_pinned_seven_moves_deep(key: str, code: str) -> None:
    for number in NUMBERS:
        state = GAMES[key].start(number, code)
        assert perft(GAMES[key], state, 7) == PINNED[key, code, number][6], number
        assert [reference_perft(key, state, depth) for depth in (6, 7)] == PINNED[key, code, number][5:], (
            number
        )
