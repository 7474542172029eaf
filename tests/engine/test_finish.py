"""Finishing: the moves that finish a game are offered only where they are certain to win, and they do."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import DECK, GAMES, Card, Move, Outcome, Rank, Record, states
from engine.games.acesup import AcesUpState
from engine.games.klondike import REDEAL, KlondikeState
from engine.runs import alternating_down
from tests.engine.positions import (
    ACESUP,
    ACESUP_CODES,
    COMBINATIONS,
    KLONDIKE,
    PRESETS,
    cards,
    klondike,
    playout,
)

RULE_SETS = [*PRESETS, *COMBINATIONS]
PLAYTHROUGHS = Path(__file__).parent / "data" / "playthroughs.tsv"
CERTAIN = ("d1", "d1r")  # rules under which every card of stock and waste comes up again and again
CHANCY = ("d3", "d3r", "d1p1", "d1p3", "d3p1", "d1p9r")

EVERYTHING_HOME = (13, 13, 13, 13)

by_rule_set = pytest.mark.parametrize(("key", "code"), RULE_SETS)


def assert_wins(key: str, state: Any) -> None:
    """The line that is offered for a position is legal from its first move to its last, which wins."""
    game = GAMES[key]
    for move in game.finish(state):
        assert game.outcome(state) is None
        state = game.apply(state, move)
    assert game.outcome(state) is Outcome.WON


def recorded(key: str) -> list[Record]:
    lines = PLAYTHROUGHS.read_text("utf-8").splitlines()[1:]
    records = [Record.parse(line.split("\t")[2]) for line in lines]
    return [record for record in records if record.game == key]


@st.composite
def open_klondike(draw: st.DrawFn, codes: Sequence[str]) -> KlondikeState:
    """A position in which no card lies face down in a column: cards are taken off full foundations.

    They go to where they fit in the columns, or onto waste or stock.
    """
    heights = [13, 13, 13, 13]
    columns: list[list[Card]] = [[] for _ in range(7)]
    waste: list[Card] = []
    stock: list[Card] = []
    for _ in range(draw(st.integers(1, 40))):
        suit = draw(st.integers(0, 3))
        if not heights[suit]:
            continue
        heights[suit] -= 1
        card = DECK[13 * suit + heights[suit]]
        fitting = [column for column in columns if not column or alternating_down(column[-1], card)]
        draw(st.sampled_from([waste, stock, *fitting, *fitting])).append(card)
    return KlondikeState(
        KLONDIKE.parse_rules(draw(st.sampled_from(codes))),
        columns=tuple(map(tuple, columns)),
        hidden=(0,) * 7,
        foundations=tuple(DECK[13 * suit : 13 * suit + height] for suit, height in enumerate(heights)),
        stock=tuple(stock),
        waste=tuple(waste),
    )


def acesup_ending(rng: Random, code: str, others: int) -> AcesUpState:
    """An ending with an empty stock: the aces and that many other cards lie anywhere on the piles."""
    aces = [card for card in DECK if card.rank is Rank.ACE]
    rest = [card for card in DECK if card.rank is not Rank.ACE]
    left = [*aces, *rng.sample(rest, others)]
    rng.shuffle(left)
    cell = (left.pop(),) if "cell" in code and rng.random() < 0.5 else ()
    piles: list[list[Card]] = [[], [], [], []]
    for card in left:
        rng.choice(piles).append(card)
    gone = tuple(card for card in rest if card not in (*left, *cell))
    return AcesUpState(ACESUP.parse_rules(code), tuple(map(tuple, piles)), (), gone, cell)


def is_winnable(state: AcesUpState) -> bool:
    """Try every sequence of moves. Of the discard pile only the height matters."""
    seen: set[AcesUpState] = set()
    frontier = [state]
    while frontier:
        here = frontier.pop()
        if len(here.discarded) == 48:
            return True
        for move in ACESUP.legal_moves(here):
            there = ACESUP.apply(here, move)
            there = replace(there, discarded=tuple(sorted(there.discarded)))
            if there not in seen:
                seen.add(there)
                frontier.append(there)
    return False


# ---------------------------------------------------------------------------------------- every game


@by_rule_set
def test_wherever_a_line_is_offered_in_a_game_it_wins(key: str, code: str) -> None:
    for seed in range(1, 31):
        for state, _ in playout(key, code, seed, Random(f"{code}{seed}"), 250, eager=True):
            if GAMES[key].finish(state):
                assert_wins(key, state)


@pytest.mark.parametrize("key", GAMES)
def test_in_recorded_wins_a_line_is_offered_before_the_end_and_wins(key: str) -> None:
    offered = 0
    for record in recorded(key):
        for state in states(record):
            if GAMES[key].finish(state):
                assert_wins(key, state)
                offered += 1
    assert offered > 20


@by_rule_set
def test_nothing_is_offered_at_the_deal(key: str, code: str) -> None:
    assert not any(GAMES[key].finish(GAMES[key].start(seed, code)) for seed in range(1, 201))


@by_rule_set
def test_nothing_is_offered_once_the_game_has_ended(key: str, code: str) -> None:
    for seed in range(1, 11):
        *_, (last, _) = playout(key, code, seed, Random(seed), 400, eager=True)
        if GAMES[key].outcome(last) is not None:
            assert GAMES[key].finish(last) == ()


@pytest.mark.parametrize("key", GAMES)
def test_a_won_game_has_nothing_left_to_finish(key: str) -> None:
    wins = [last for *_, last in map(states, recorded(key)) if GAMES[key].outcome(last) is Outcome.WON]
    assert wins
    assert all(GAMES[key].finish(state) == () for state in wins)


@by_rule_set
def test_asking_twice_gives_the_same_line(key: str, code: str) -> None:
    for state, _ in playout(key, code, 7, Random(7), 250, eager=True):
        assert GAMES[key].finish(state) == GAMES[key].finish(state)


# ------------------------------------------------------------------------------------------ Klondike


@given(open_klondike(CERTAIN))
def test_klondike_is_finished_from_any_open_position_drawn_singly_without_limit(
    state: KlondikeState,
) -> None:
    assert bool(KLONDIKE.finish(state)) == (KLONDIKE.outcome(state) is None)
    assert_wins("klondike", state)


@given(open_klondike(CHANCY))
def test_klondike_by_other_rules_is_finished_only_without_stock_and_waste(state: KlondikeState) -> None:
    is_bare = not state.stock and not state.waste
    assert bool(KLONDIKE.finish(state)) == (is_bare and KLONDIKE.outcome(state) is None)
    if is_bare:
        assert_wins("klondike", state)


@given(open_klondike(CERTAIN), st.randoms(use_true_random=False))
def test_klondike_offers_it_whatever_the_order_of_the_stock(state: KlondikeState, rng: Any) -> None:
    shuffled = list(state.stock)
    rng.shuffle(shuffled)
    other = replace(state, stock=tuple(shuffled))
    assert bool(KLONDIKE.finish(other)) == bool(KLONDIKE.finish(state))
    assert_wins("klondike", other)


@given(open_klondike((*CERTAIN, *CHANCY)), st.integers(0, 6))
def test_klondike_offers_nothing_while_a_card_lies_face_down(state: KlondikeState, start: int) -> None:
    column = next((i % 7 for i in range(start, start + 7) if len(state.columns[i % 7]) > 1), None)
    if column is not None:
        hidden = tuple(int(i == column) for i in range(7))
        assert KLONDIKE.finish(replace(state, hidden=hidden)) == ()


@given(open_klondike(CERTAIN))
def test_klondike_takes_no_card_off_a_foundation_and_rearranges_none(state: KlondikeState) -> None:
    moves = KLONDIKE.finish(state)
    assert all(move.target.startswith("f") or "s" in (move.source, move.target) for move in moves)
    assert sum(move.target.startswith("f") for move in moves) == 52 - KLONDIKE.score(state)


@given(open_klondike(CERTAIN))
def test_klondike_draws_only_while_nothing_can_go_home(state: KlondikeState) -> None:
    for move in KLONDIKE.finish(state):
        if "s" in (move.source, move.target):
            assert not any(legal.target.startswith("f") for legal in KLONDIKE.legal_moves(state))
        state = KLONDIKE.apply(state, move)


@pytest.mark.parametrize("code", [*CERTAIN, *CHANCY])
def test_klondike_with_every_card_in_the_columns_is_finished_by_any_rules(code: str) -> None:
    columns = ["KS QH JS TH 9S 8H 7S 6H 5S 4H 3S 2H AS", "KH QS JH TS 9H 8S 7H 6S 5H 4S 3H 2S AH"]
    columns += [text.replace("S", "C").replace("H", "D") for text in columns]
    state = klondike(*columns, rules=code)
    assert len(KLONDIKE.finish(state)) == 52
    assert_wins("klondike", state)


def test_klondike_with_one_card_under_the_stock_is_not_finished_on_the_last_pass() -> None:
    one_left = (13, 13, 13, 12)
    assert KLONDIKE.finish(klondike(stock="KS", foundations=one_left, rules="d1p1")) == ()
    assert KLONDIKE.finish(klondike(waste="KS", foundations=one_left, rules="d3")) == ()
    assert len(KLONDIKE.finish(klondike("KS", foundations=one_left, rules="d3p1"))) == 1
    assert len(KLONDIKE.finish(klondike(stock="KS", foundations=one_left, rules="d1"))) == 2


@pytest.mark.parametrize("code", CERTAIN)
def test_klondike_brings_up_a_stock_in_the_worst_order_by_turning_the_waste_over(code: str) -> None:
    state = klondike(stock="KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS", foundations=(13, 13, 13, 0), rules=code)
    line = KLONDIKE.finish(state)
    assert REDEAL not in line  # the waste gives them back in the right order
    assert_wins("klondike", state)
    state = klondike(stock="2S AS 4S 3S 6S 5S 8S 7S TS 9S QS JS KS", foundations=(13, 13, 13, 0), rules=code)
    assert_wins("klondike", state)
    state = klondike(waste="AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS", foundations=(13, 13, 13, 0), rules=code)
    assert sum(move.target == "s" for move in KLONDIKE.finish(state)) == 1
    assert_wins("klondike", state)


# ------------------------------------------------------------------------------------------- Aces Up


def ending(code: str, *piles: str) -> AcesUpState:
    """The position in which just these cards are left."""
    laid = tuple(map(cards, piles))
    gone = tuple(card for card in DECK if card not in cards(" ".join(piles)))
    return AcesUpState(ACESUP.parse_rules(code), laid, (), gone)


def before_the_last_deal(state: AcesUpState) -> AcesUpState:
    """The position from which a deal leads to ``state``, in which every pile has a card."""
    tops = tuple(pile[-1] for pile in state.piles)
    return replace(state, piles=tuple(pile[:-1] for pile in state.piles), stock=tops[::-1])


@pytest.mark.parametrize("code", ACESUP_CODES)
def test_aces_up_offers_nothing_while_the_stock_has_cards(code: str) -> None:
    rng = Random(code)
    ends = [state for state in (acesup_ending(rng, code, 6) for _ in range(150)) if all(state.piles)]
    certain = [state for state in ends if ACESUP.finish(state)]
    assert len(certain) > 3
    assert not any(ACESUP.finish(before_the_last_deal(state)) for state in certain)
    for seed in range(1, 11):
        for state, _ in playout("acesup", code, seed, Random(seed), 200, eager=True):
            assert not (state.stock and ACESUP.finish(state))


def test_aces_up_offers_nothing_even_where_only_aces_are_left_to_deal() -> None:
    state = before_the_last_deal(ending("pairs", "5C AC", "5D AD", "AH", "AS"))
    assert ACESUP.outcome(ACESUP.apply(state, Move("1+2", "d"))) is Outcome.WON
    assert ACESUP.finish(state) == ()


@pytest.mark.parametrize("code", [code for code in ACESUP_CODES if "pairs" not in code])
def test_aces_up_without_pairs_finds_a_win_exactly_where_there_is_one(code: str) -> None:
    found = {True: 0, False: 0}
    rng = Random(code)
    for number in range(90):
        state = acesup_ending(rng, code, 1 + number % 7)
        winnable = is_winnable(state)
        assert bool(ACESUP.finish(state)) == (winnable and ACESUP.outcome(state) is None), state
        if winnable:
            assert_wins("acesup", state)
        found[winnable] += 1
    assert min(found.values()) >= 3


@pytest.mark.parametrize("code", [code for code in ACESUP_CODES if "pairs" in code])
def test_aces_up_with_pairs_finds_only_wins_and_nearly_all_of_them(code: str) -> None:
    """A card that is beaten can be worth keeping for a pair: so a win may be missed, but never invented."""
    rng = Random(code)
    found = missed = 0
    for number in range(60):
        state = acesup_ending(rng, code, 1 + number % 6)
        if ACESUP.finish(state):
            assert_wins("acesup", state)
            found += 1
        else:
            missed += is_winnable(state)
    assert found > 10
    assert missed < found // 2


@pytest.mark.parametrize("code", ACESUP_CODES)
def test_aces_up_finishes_a_mere_chain_of_discards(code: str) -> None:
    state = ending(code, "2S 3S 4S", "AS", "AH AC", "AD")
    assert [str(move) for move in ACESUP.finish(state)] == ["1-d", "1-d", "1-d"]
    assert_wins("acesup", state)


def test_aces_up_finishes_by_way_of_an_empty_pile() -> None:
    state = ending("standard", "AC AD", "5C", "AS AH", "")
    assert not any(move.target == "d" for move in ACESUP.legal_moves(state))
    assert_wins("acesup", state)


def shortest(state: AcesUpState) -> int:
    """How many moves a win takes at least, when every plain discard is played at once."""
    seen = {state}
    frontier = deque([(state, 0)])
    while frontier:
        here, moves = frontier.popleft()
        if len(here.discarded) == 48:
            return moves
        plain = [move for move in ACESUP.legal_moves(here) if move.target == "d" and "+" not in move.source]
        for move in plain[:1] or ACESUP.legal_moves(here):
            there = ACESUP.apply(here, move)
            if there not in seen:
                seen.add(there)
                frontier.append((there, moves + 1))
    raise LookupError(state)


@pytest.mark.parametrize("code", ["standard", "cell", "aces+cell", "pairs"])
def test_aces_up_is_finished_without_moving_cards_back_and_forth(code: str) -> None:
    rng = Random(code)
    for _ in range(40):
        state = acesup_ending(rng, code, rng.randint(1, 8))
        if line := ACESUP.finish(state):
            assert len(line) == shortest(state)


def test_aces_up_that_is_lost_is_not_finished() -> None:
    assert ACESUP.finish(ending("standard", "AC AD", "5C", "AS", "AH")) == ()


@pytest.mark.parametrize("code", ACESUP_CODES)
def test_aces_up_never_plays_a_move_twice_from_the_same_position(code: str) -> None:
    rng = Random(code)
    for _ in range(60):
        state = acesup_ending(rng, code, rng.randint(1, 9))
        line = ACESUP.finish(state)
        passed = [state]
        for move in line:
            passed.append(ACESUP.apply(passed[-1], move))
        assert all(one != other for one, other in combinations(passed, 2))
        assert all(a.target == "d" or (a.source, a.target) != (b.target, b.source) for a, b in pairwise(line))


def counted(monkeypatch: pytest.MonkeyPatch, ask: Callable[[], object]) -> int:
    """How often a position is made while ``ask`` runs."""
    made = 0
    apply = ACESUP._apply

    def counting(state: AcesUpState, move: Any) -> AcesUpState:
        nonlocal made
        made += 1
        return apply(state, move)

    with monkeypatch.context() as patch:
        patch.setattr(ACESUP, "_apply", counting)
        ask()
    return made


def test_aces_up_stops_a_search_that_grows_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(1)
    for _ in range(30):
        state = acesup_ending(rng, "cell+pairs", 20)
        assert counted(monkeypatch, lambda state=state: ACESUP.finish(state)) < 60_000  # type: ignore[misc]
