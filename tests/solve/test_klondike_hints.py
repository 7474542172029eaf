"""Klondike hints: honest, legal, never in circles, and better than quick hints."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from random import Random

import pytest

from engine import Card, Outcome, Record, replay, shuffled_deck
from engine.games.klondike import DRAW, KlondikeState
from solve.games.klondike import hints
from solve.games.klondike.hints import hint_klondike, play_klondike_by_hints
from tests.engine.positions import KLONDIKE

CODES = ("d1", "d3", "d1p3", "d1p1", "d3p1", "d3p2", "d1r", "d3r")
EFFORT = 4  # little: only the strength depends on it


def deal(code: str, number: int) -> KlondikeState:
    return KLONDIKE.deal(shuffled_deck(number), KLONDIKE.parse_rules(code))


def moved_on(state: KlondikeState, rng: Random, moves: int) -> KlondikeState:
    """Return a position after at most that many moves: random ones, but cards that can go home do."""
    for _ in range(moves):
        legal = list(KLONDIKE.legal_moves(state))
        if not legal:
            break
        homeward = [move for move in legal if move.target.startswith("f")]
        state = KLONDIKE.apply(state, rng.choice(homeward or legal))
    return state


def with_unseen_shuffled(state: KlondikeState, rng: Random) -> KlondikeState:
    """Return a position that looks the same: unseen are cards face down, and the stock in the first pass."""
    unseen = [card for column, n in zip(state.columns, state.hidden, strict=True) for card in column[:n]]
    if state.pass_number == 1:
        unseen += state.stock
    rng.shuffle(unseen)
    columns: list[tuple[Card, ...]] = []
    for column, n in zip(state.columns, state.hidden, strict=True):
        columns.append((*unseen[:n], *column[n:]))
        del unseen[:n]
    stock = tuple(unseen) if state.pass_number == 1 else state.stock
    return replace(state, columns=tuple(columns), stock=stock)


@pytest.mark.parametrize("code", CODES)
def test_the_order_of_unseen_cards_never_changes_a_hint(code: str) -> None:
    rng = Random(code)
    compared = 0
    for number in range(12):
        state = moved_on(deal(code, number + 1), rng, rng.choice([0, 5, 20, 60]))
        if KLONDIKE.outcome(state) is not None:  # unseen cards can end a game
            continue
        hint = hint_klondike(state, seed=number, effort=EFFORT)
        for _ in range(4):
            other = with_unseen_shuffled(state, rng)
            if KLONDIKE.outcome(other) is None:
                assert hint_klondike(other, seed=number, effort=EFFORT) == hint
                compared += other != state
    assert compared > 10


def test_another_card_in_sight_can_change_a_hint() -> None:
    found = {hint_klondike(moved_on(deal("d1p1", n), Random(1), 4), effort=EFFORT) for n in range(1, 20)}
    assert len(found) > 5


@pytest.mark.parametrize("code", CODES)
def test_following_every_hint_comes_to_an_end(code: str) -> None:
    for number in (1, 2):
        record = play_klondike_by_hints(Record("klondike", code, str(number)), effort=EFFORT)
        state = replay(record)  # every move is legal
        assert hint_klondike(state, effort=EFFORT) is None
        assert len(record.moves) < 1_000
        assert record.moves


@pytest.mark.parametrize("code", CODES)
def test_a_hint_does_not_depend_on_the_hints_before_it(code: str) -> None:
    record = play_klondike_by_hints(Record("klondike", code, "4"), effort=EFFORT)
    state = replay(Record("klondike", code, "4"))
    for i, move in enumerate(record.moves):
        if i % 4 == 0:
            hints._idle.clear()  # forgets the last question
        assert hint_klondike(state, effort=EFFORT) == move
        state = KLONDIKE.apply(state, move)


@pytest.mark.parametrize("code", CODES)
def test_each_hint_is_a_step_towards_something_that_is_never_undone(code: str) -> None:
    """From any position, even one that no hint leads to."""
    rng = Random(code)
    for number in range(1, 5):
        state = moved_on(deal(code, number), rng, 25)
        while (move := hint_klondike(state, effort=2)) is not None:
            steps = 0
            before = gains(state)
            while move is not None and gains(state) == before:
                state = KLONDIKE.apply(state, move)
                move = hint_klondike(state, effort=2)
                steps += 1
                # Look through the stock, go through it once more to the wanted card, make room for it.
                assert steps <= 4 * 24 + 4
            assert all(a >= b for a, b in zip(gains(state), before, strict=True))


def gains(state: KlondikeState) -> tuple[int, ...]:
    """Return what hints increase and never decrease."""
    return (
        KLONDIKE.score(state),
        -sum(state.hidden),
        -len(state.stock + state.waste),
        sum(not column for column in state.columns) if not any(state.hidden) else 0,
    )


@pytest.mark.parametrize("code", ["d1", "d3"])
def test_with_unlimited_passes_the_stock_is_looked_through_first(code: str) -> None:
    state = deal(code, 11)
    seen_all = False
    while state.stock:
        move = hint_klondike(state, effort=EFFORT)
        assert move is not None
        assert move == DRAW or move.target.startswith("f")
        state = KLONDIKE.apply(state, move)
        seen_all = not state.stock
    assert seen_all


def test_a_game_that_is_over_has_no_hint() -> None:
    record = play_klondike_by_hints(Record("klondike", "d1", "1"))
    assert KLONDIKE.outcome(replay(record)) is Outcome.WON
    assert hint_klondike(replay(record)) is None


def test_cards_do_not_come_back_from_foundations() -> None:
    rng = Random(3)
    for number in range(1, 8):
        move = hint_klondike(moved_on(deal("d1r", number), rng, 60), effort=EFFORT)
        assert move is None or not move.source.startswith("f")


def test_other_games_raise() -> None:
    with pytest.raises(ValueError, match="acesup"):
        play_klondike_by_hints(Record.parse("acesup/standard/1"))


PLAIN = """
from engine import Record, replay
from solve.compiled import COMPILED
from solve.games.klondike.hints import hint_klondike
assert not COMPILED
for code in {codes}:
    print(hint_klondike(replay(Record.parse(code)), effort=8))
"""


def test_plain_python_gives_the_same_hints() -> None:
    games = []
    for code in ("d1", "d3", "d1p3", "d3p1"):
        record = play_klondike_by_hints(Record("klondike", code, "3"), effort=EFFORT)
        games += [
            Record("klondike", code, "3").play(*record.moves[:n])
            for n in (0, 30, 45)
            if n < len(record.moves)
        ]
    program = PLAIN.format(codes=[str(game) for game in games])
    result = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "SOLVE_PLAIN": "1"},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    expected = [hint_klondike(replay(game), effort=8) for game in games]
    assert result.stdout.split() == [str(move) for move in expected]


def test_hints_win_games_that_a_rule_of_thumb_does_not() -> None:
    """Deals won when this was written; a rule of thumb (home, turn up, then the waste) wins none."""
    games = [Record("klondike", "d3", str(number)) for number in (2, 9, 13, 17, 20)]
    scores = [KLONDIKE.score(replay(play_klondike_by_hints(game, effort=8))) for game in games]
    assert scores.count(52) >= 3
