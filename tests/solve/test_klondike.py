"""Klondike with all cards known: compared with brute force and known results, every line replayed."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from engine import Card, Rank, Record, Suit, replay, shuffled_deck
from engine.games.klondike import COLUMNS, FOUNDATIONS, KlondikeRules, KlondikeState
from solve import KlondikeSearch, Solution, Verdict, solve_klondike
from solve.games.klondike import search as core
from tests.engine.positions import KLONDIKE, klondike
from tests.solve import klondike_brute as brute

DATA = Path(__file__).parent / "data"
CODES = ("d1", "d3", "d1p1", "d1p3", "d3p1", "d3p2", "d1r", "d3r", "d3p2r", "d1p1r")


def assert_line_wins(state: KlondikeState, solution: Solution) -> None:
    """Replay the line; only a game that can be won has one."""
    for move in solution.line:
        state = KLONDIKE.apply(state, move)
    assert (KLONDIKE.score(state) == 52) == (solution.verdict is Verdict.WON)
    assert solution.line == () or solution.verdict is Verdict.WON


def late_positions(code: str, count: int) -> Iterator[KlondikeState]:
    """Yield positions near the end, alternating with positions of careless play from a deal.

    Most of the former can be won, most of the latter can't.
    """
    rng = Random(code)
    for i in range(count):
        if i % 2:
            state = KLONDIKE.start(str(rng.randrange(10**6)), code)
            yield moved_on(state, rng, rng.randrange(40, 220), home=0.7)
        else:
            state = brute.late_deal(rng, rng.randint(8, 18), KLONDIKE.parse_rules(code))
            yield moved_on(state, rng, rng.choice([0, rng.randrange(25)]), home=0.2)


def moved_on(state: KlondikeState, rng: Random, moves: int, *, home: float) -> KlondikeState:
    """Return the position after that many random moves; ``home`` is how often a card goes home if it can."""
    for _ in range(moves):
        legal = list(KLONDIKE.legal_moves(state))
        homeward = [move for move in legal if move.target in FOUNDATIONS]
        others = [move for move in legal if move not in homeward]
        choices = homeward if homeward and (not others or rng.random() < home) else others
        if not choices:
            break
        state = KLONDIKE.apply(state, rng.choice(choices))
    return state


def compare(code: str, count: int, limit: int) -> Counter[bool | None]:
    """Compare with brute force; return how often that says won, lost and unknown."""
    found: Counter[bool | None] = Counter()
    for state in late_positions(code, count):
        can_be_won = brute.can_be_won(state, limit)
        found[can_be_won] += 1
        if can_be_won is not None:
            solution = solve_klondike(state)
            assert (solution.verdict is Verdict.WON) == can_be_won, state
            assert_line_wins(state, solution)
    return found


def test_brute_force_agrees_under_every_kind_of_rules() -> None:
    found: Counter[bool | None] = Counter()
    for code in CODES:
        found += compare(code, 40, 700)
    assert found[True] > 100
    assert found[False] > 100


@pytest.mark.slow
@pytest.mark.parametrize("code", CODES)
def test_brute_force_agrees_on_many_positions(code: str) -> None:
    found = compare(code, 300, 2_000)
    assert found[True] > 100
    assert found[False] > 5


def known(draw: int) -> list[tuple[str, Verdict, int]]:
    """Return number, verdict with returns and unlimited passes, and how hard it was to find."""
    verdicts = {"Solved": Verdict.WON, "Unsolvable": Verdict.LOST}
    with (DATA / f"klondike_draw{draw}.tsv").open(encoding="utf-8", newline="") as file:
        return [
            (row["seed"], verdicts[row["result"]], int(row["states_visited"]))
            for row in csv.DictReader(file, delimiter="\t")
        ]


@pytest.mark.parametrize("draw", [1, 3])
def test_easy_known_deals_are_decided_correctly(draw: int) -> None:
    easy = [(seed, verdict) for seed, verdict, visited in known(draw) if visited < 100]
    lost = [
        (seed, verdict) for seed, verdict, visited in known(draw) if verdict is Verdict.LOST and visited < 999
    ]
    assert lost
    for seed, verdict in easy[:25] + lost[:10]:
        record = Record("klondike", f"d{draw}r", seed)
        solution = solve_klondike(record)
        assert solution.verdict is verdict, seed
        assert_line_wins(replay(record), solution)


@pytest.mark.slow
@pytest.mark.parametrize("draw", [1, 3])
def test_known_deals_are_decided_correctly_or_not_at_all(draw: int) -> None:
    decided = 0
    for seed, verdict, _ in known(draw):
        record = Record("klondike", f"d{draw}r", seed)
        solution = solve_klondike(record, budget_nodes=20_000)
        if solution.verdict is not Verdict.UNKNOWN:
            assert solution.verdict is verdict, seed
            decided += 1
        assert_line_wins(replay(record), solution)
    assert decided > 400


def row_by_row(deal: str, rules: KlondikeRules) -> KlondikeState:
    """Read 52 cards of two digits for the rank and one for the suit, dealt row by row from the left."""
    deck = [Card(Rank(int(deal[i : i + 2])), Suit(int(deal[i + 2]) - 1)) for i in range(0, len(deal), 3)]
    cards = iter(deck)
    columns: list[list[Card]] = [[] for _ in range(7)]
    for row in range(7):
        for column in columns[row:]:
            column.append(next(cards))
    return KlondikeState(
        rules, tuple(map(tuple, columns)), tuple(range(7)), ((),) * 4, stock=tuple(cards)[::-1]
    )


def minimal_deals() -> list[dict[str, str]]:
    with (DATA / "klondike_minimal.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


@pytest.mark.parametrize("row", minimal_deals(), ids=lambda row: row["test"])
def test_deals_that_another_solver_decided(row: dict[str, str]) -> None:
    state = row_by_row(row["deal"], KlondikeRules(int(row["draw"]), None, row["worrying_back"] == "true"))
    solution = solve_klondike(state, budget_nodes=60_000)
    assert solution.verdict is (Verdict.LOST if "Impossible" in row["test"] else Verdict.WON)
    assert_line_wins(state, solution)


def test_a_deal_that_needs_a_card_back_from_its_foundation() -> None:
    row = next(row for row in minimal_deals() if row["worrying_back"] == "true")
    assert solve_klondike(row_by_row(row["deal"], KlondikeRules(1, None, False))).verdict is Verdict.LOST
    solution = solve_klondike(row_by_row(row["deal"], KlondikeRules(1, None, True)))
    assert any(move.source.startswith("f") for move in solution.line)


@pytest.mark.parametrize("code", CODES)
def test_a_budget_of_nodes_always_gives_the_same(code: str) -> None:
    state = KLONDIKE.deal(shuffled_deck(12), KLONDIKE.parse_rules(code))
    solution = solve_klondike(state, budget_nodes=500)
    assert solution == solve_klondike(state, budget_nodes=500)
    assert solution.nodes <= 500
    assert_line_wins(state, solution)


def test_a_budget_of_seconds_ends_the_search() -> None:
    assert solve_klondike(Record.parse("klondike/d3r/54"), budget_s=0.05).verdict is Verdict.UNKNOWN


@pytest.mark.parametrize("code", ["d1", "d3", "d1p3", "d1p1", "d3r"])
def test_a_game_stays_winnable_along_its_line(code: str) -> None:
    seed = next(
        n for n in range(1, 99) if solve_klondike(Record("klondike", code, str(n)), budget_nodes=2_000).line
    )
    record = Record("klondike", code, str(seed))
    line = solve_klondike(record).line
    for length in range(0, len(line), 13):
        played = record.play(*line[:length])
        solution = solve_klondike(played)
        assert solution.verdict is Verdict.WON
        assert_line_wins(replay(played), solution)


def test_a_line_makes_no_useless_draw() -> None:
    for code in ("d1", "d3"):
        line = solve_klondike(Record("klondike", code, "4")).line
        sources = [move.source for move in line]
        last_draw = len(sources) - sources[::-1].index("s") - 1
        assert "w" in sources[last_draw:]


def test_a_won_game_needs_no_moves() -> None:
    assert solve_klondike(klondike(foundations=(13, 13, 13, 13))) == Solution(Verdict.WON, (), 0)


def test_a_card_on_the_only_cards_it_can_go_to_loses() -> None:
    blocked = ("AC QD QH | JS", "2C", "2D", "2S", "2H", "3D", "3H")
    state = klondike(*blocked)
    assert solve_klondike(state).verdict is Verdict.LOST


def test_the_column_of_a_run_makes_no_difference() -> None:
    rng = Random(3)
    compared = 0
    while compared < 30:
        state = moved_on(KLONDIKE.start(str(rng.randrange(10**6)), "d1"), rng, rng.randrange(80), home=0.5)
        solution = solve_klondike(state, budget_nodes=300)
        for move in KLONDIKE.legal_moves(state):
            if move.source in COLUMNS and move.target in COLUMNS:
                after = KLONDIKE.apply(state, move)
                column = COLUMNS.index(move.source)
                if len(after.columns[column]) > state.hidden[column]:
                    moved = solve_klondike(after, budget_nodes=300)
                    assert (moved.verdict, moved.nodes) == (solution.verdict, solution.nodes)
                    assert_line_wins(after, moved)
                    compared += 1


def test_a_search_can_be_reused_with_other_cards() -> None:
    search = KlondikeSearch()
    fresh: list[tuple[Verdict, int]] = []
    again: list[tuple[Verdict, int]] = []
    for seed in range(1, 30):
        state = KLONDIKE.deal(shuffled_deck(seed), KLONDIKE.parse_rules("d3"))
        search.load(state)
        again.append((search.decide(budget_nodes=300), search.nodes))
        solution = solve_klondike(state, budget_nodes=300)
        fresh.append((solution.verdict, solution.nodes))
    assert again == fresh


def test_a_search_that_starts_with_little_room_grows() -> None:
    state = KLONDIKE.start("6", "d3r")
    small, large = KlondikeSearch(), KlondikeSearch()
    small.search, small._size = core.new_search(4, 64), 64
    for search in (small, large):
        search.load(state)
        assert search.decide() is Verdict.WON
    assert (small.nodes, small.line(state)) == (large.nodes, large.line(state))


def test_with_a_budget_of_0_the_answer_is_unknown() -> None:
    assert solve_klondike(Record.parse("klondike/d3/2"), budget_nodes=0).verdict is Verdict.UNKNOWN


def test_cards_can_be_exchanged_in_place() -> None:
    state = replay(Record.parse("klondike/d1/4"))
    search = KlondikeSearch()
    search.load(state)
    for i in range(6):
        search.position.columns[20 * 6 + i] = core.number(*state.columns[6][5 - i])
    verdict = search.decide(budget_nodes=10_000)
    column = (*state.columns[6][5::-1], state.columns[6][6])
    other = KlondikeState(
        state.rules, (*state.columns[:6], column), state.hidden, state.foundations, state.stock
    )
    solution = solve_klondike(other, budget_nodes=10_000)
    assert (verdict, search.nodes) == (solution.verdict, solution.nodes)


def test_other_games_and_impossible_positions_raise() -> None:
    with pytest.raises(ValueError, match="acesup"):
        solve_klondike(Record.parse("acesup/standard/1"))
    with pytest.raises(ValueError, match="position"):
        solve_klondike(klondike(" ".join(map(str, shuffled_deck(1)[:16])) + " | KC"))
    with pytest.raises(ValueError, match="position"):
        solve_klondike(klondike(*["AC 2C 3C 4C 5C 6C | 7C"] * 7))
    with pytest.raises(ValueError, match="position"):
        solve_klondike(klondike(stock=" ".join(map(str, shuffled_deck(1)[:25]))))


@pytest.mark.slow
def test_plain_python_gives_the_same_after_the_same_number_of_positions() -> None:
    program = (
        "from engine import Record; from solve import solve_klondike\n"
        "for code in 'd1', 'd3', 'd1p3', 'd3p1', 'd3r':\n"
        "    for n in range(1, 20):\n"
        "        print(solve_klondike(Record('klondike', code, str(n)), budget_nodes=3_000))\n"
    )
    outputs = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "SOLVE_PLAIN": plain, "PYTHONPATH": str(Path(__file__).parents[2])},
            capture_output=True,
            check=True,
        ).stdout
        for plain in ("", "1")
    ]
    assert outputs[0] == outputs[1]
    assert outputs[0].count(b"Solution") == 95
