"""The best score of Aces Up: compared with brute force and known figures, every line replayed."""

from __future__ import annotations

import csv
from pathlib import Path
from random import Random

import pytest

from engine import Record, replay, shuffled_deck
from engine.games.acesup import AcesUpState
from solve import ScoreBounds, best_score
from tests.engine.positions import ACESUP, ACESUP_CODES, acesup
from tests.solve import brute

FORCED = Path(__file__).parent / "data" / "acesup_forced_best.tsv"
MOST_POSITIONS = 100_000  # for brute force in one deck


def assert_line_gives_the_score(state: AcesUpState, par: ScoreBounds) -> None:
    for move in par.line:
        state = ACESUP.apply(state, move)
    assert ACESUP.score(state) == par.score <= par.upper_bound


def assert_best(state: AcesUpState, limit: int) -> bool:
    """Compare with brute force; return False when that gave up."""
    best = brute.best(state, limit)
    par = best_score(state)
    assert par.proven
    assert_line_gives_the_score(state, par)
    assert best in (None, par.score), state
    return best is not None


def moved_on(state: AcesUpState, rng: Random, moves: int) -> AcesUpState:
    """Return the position after at most that many random moves."""
    for _ in range(moves):
        legal = list(ACESUP.legal_moves(state))
        if not legal:
            break
        state = ACESUP.apply(state, rng.choice(legal))
    return state


def compare(code: str, ranks: int, decks: int, limit: int) -> int:
    """Compare on random decks, also in mid-game; return how many brute force decided.

    From five ranks on only after some moves: nearer the end there are few enough positions.
    """
    rng = Random(f"{code} {ranks}")
    rules = ACESUP.parse_rules(code)
    decided = 0
    for _ in range(decks):
        state = brute.small_deal(rng, ranks, rules)
        decided += assert_best(
            moved_on(state, rng, rng.choice([0, 0, rng.randrange(9)]) + 4 * max(0, ranks - 4)), limit
        )
    return decided


@pytest.mark.parametrize("code", ACESUP_CODES)
@pytest.mark.parametrize(("ranks", "decks"), [(2, 10), (3, 6)])
def test_no_line_of_a_small_deck_is_better(code: str, ranks: int, decks: int) -> None:
    assert compare(code, ranks, decks, MOST_POSITIONS) > 0


@pytest.mark.parametrize("code", ["standard", "aces", "pairs", "aces+pairs"])
def test_no_line_of_four_ranks_is_better(code: str) -> None:
    assert compare(code, 4, 10, MOST_POSITIONS) > 5


@pytest.mark.slow
@pytest.mark.timeout(3_000)
@pytest.mark.parametrize("code", ACESUP_CODES)
@pytest.mark.parametrize(("ranks", "decks"), [(3, 60), (4, 30)])
def test_no_line_of_many_small_decks_is_better(code: str, ranks: int, decks: int) -> None:
    compare(code, ranks, decks, 200_000)


def known_forced(numbers: range) -> list[tuple[str, str, int]]:
    with FORCED.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return [
        (code, row["pysol_number"], int(row[column]))
        for row in rows
        for code, column in (("standard", "any_fill"), ("aces", "aces_only"))
        if int(row["pysol_number"]) in numbers
    ]


def assert_forced(cases: list[tuple[str, str, int]]) -> None:
    for code, seed, score in cases:
        record = Record("acesup", code, seed)
        par = best_score(record, forced=True)
        assert (par.score, par.proven) == (score, True), record.code
        assert_line_gives_the_score(replay(record), par)


def test_forced_discards_give_the_known_scores() -> None:
    assert_forced(
        [case for case in known_forced(range(1, 151)) if int(case[1]) in (2, 3, 4, 5, 6, 8, 10, 13)]
    )


@pytest.mark.slow
def test_forced_discards_give_all_known_scores() -> None:
    cases = known_forced(range(1, 151))
    assert len(cases) == 300
    assert_forced(cases)


def test_a_discard_can_be_worth_waiting_for() -> None:
    state = acesup("AD", "AH", "AS", "AC", stock="3S 3D 2S 3C 2C 2H 3H 2D")
    assert best_score(state, forced=True).score == 5
    assert best_score(state).score == 7


@pytest.mark.parametrize(
    ("code", "seed", "forced", "score"),
    [("standard", 8, 30, 30), ("standard", 3, 31, 31), ("aces", 15, 31, 39), ("aces", 4, 47, 48)],
)
def test_scores_of_whole_decks(code: str, seed: int, forced: int, score: int) -> None:
    record = Record("acesup", code, str(seed))
    assert best_score(record, forced=True).score == forced
    par = best_score(record)
    assert (par.score, par.proven) == (score, True)
    assert_line_gives_the_score(replay(record), par)


@pytest.mark.parametrize("code", ACESUP_CODES)
def test_a_budget_of_nodes_always_gives_the_same_bounds(code: str) -> None:
    state = ACESUP.deal(shuffled_deck(7), ACESUP.parse_rules(code))
    par = best_score(state, budget_nodes=4_000)
    assert par == best_score(state, budget_nodes=4_000)
    assert_line_gives_the_score(state, par)
    assert par.upper_bound <= 48
    if code in ("standard", "aces"):
        assert par.upper_bound >= best_score(state, forced=True).score


def test_a_budget_of_seconds_ends_the_search() -> None:
    par = best_score(Record.parse("acesup/cell/7"), budget_s=0.05)
    assert par.score <= par.upper_bound


def test_a_game_can_be_solved_from_the_middle() -> None:
    rng = Random(1)
    for code in ACESUP_CODES:
        state = moved_on(ACESUP.deal(shuffled_deck(5), ACESUP.parse_rules(code)), rng, 30)
        par = best_score(state, budget_nodes=3_000)
        assert par.score >= ACESUP.score(state)
        assert_line_gives_the_score(state, par)


def test_following_the_line_keeps_the_best_score() -> None:
    record = Record.parse("acesup/aces/15")
    par = best_score(record)
    for length in range(0, len(par.line), 7):
        assert best_score(record.play(*par.line[:length])).score == par.score


def test_the_best_score_of_an_ended_game_is_its_score() -> None:
    over = acesup("AC 2D", "AD 3C", "AH KS", "AS KH", discarded=8)
    assert best_score(over).line == ()
    assert best_score(over).score == 8


def test_other_games_and_impossible_positions_raise() -> None:
    with pytest.raises(ValueError, match="klondike"):
        best_score(Record.parse("klondike/d1/1"))
    with pytest.raises(ValueError, match="position"):
        best_score(acesup("2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2D 3D 4D"))
    with pytest.raises(ValueError, match="position"):
        best_score(acesup("2C", stock="3C 4C 5C"))
