"""Hints for Aces Up: honest, legal, the same asked singly or all at once, and stronger than quick hints."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from random import Random

import pytest

from engine import Move, Outcome, Record, replay
from engine.games.acesup import AcesUpState
from solve import hint_acesup, play_by_hints, quick_hint
from tests.engine.positions import ACESUP, ACESUP_CODES, acesup

EFFORT = 2
SCRIPT = """
from engine import Record, replay
from solve import hint_acesup
from tests.solve.test_acesup_hints import followed
for code in ("standard", "aces+cell", "pairs"):
    print(*followed(Record("acesup", code, "8"), effort=1, moves=16))
"""


def positions(code: str, games: int) -> list[AcesUpState]:
    """Return a position from each of some random games, before their ends."""
    rng = Random(code)
    found = []
    for number in range(1, games + 1):
        state = there = ACESUP.start(number, code)
        for _ in range(rng.randrange(80)):
            if ACESUP.outcome(there) is not None:
                break
            state = there
            there = ACESUP.apply(state, rng.choice(list(ACESUP.legal_moves(state))))
        found.append(state)
    return found


def followed(record: Record, effort: int, moves: int | None = None) -> tuple[Move, ...]:
    """Return the moves of a player who asks for a hint before each."""
    while moves is None or len(record.moves) < moves:
        move = hint_acesup(replay(record), effort=effort)
        if move is None:
            break
        record = record.play(move)
    return record.moves


@pytest.mark.parametrize("code", ACESUP_CODES)
def test_the_order_of_the_stock_never_changes_a_hint(code: str) -> None:
    rng = Random(1)
    for state in positions(code, 12):
        hint = hint_acesup(state, effort=EFFORT)
        for _ in range(2):
            stock = rng.sample(state.stock, len(state.stock))
            assert hint_acesup(replace(state, stock=tuple(stock)), effort=EFFORT) == hint


@pytest.mark.parametrize("code", ACESUP_CODES)
def test_a_hint_is_legal_and_always_the_same(code: str) -> None:
    for state in positions(code, 12):
        hint = hint_acesup(state, seed=3, effort=EFFORT)
        assert hint is not None
        assert hint in ACESUP.legal_moves(state)
        assert hint_acesup(state, seed=3, effort=EFFORT) == hint


@pytest.mark.parametrize("code", ACESUP_CODES)
def test_hints_asked_one_by_one_and_all_at_once_end_the_same(code: str) -> None:
    for number in (1, 2):
        record = Record("acesup", code, str(number))
        end = replay(record.play(*followed(record, effort=EFFORT)))
        assert ACESUP.outcome(end) is not None
        assert play_by_hints(record, effort=EFFORT) == end


def test_hints_lead_from_any_position_to_an_end() -> None:
    for code in ACESUP_CODES:
        for state in positions(code, 3):
            assert ACESUP.outcome(play_by_hints(state, effort=1)) is not None


def test_a_certain_win_is_found() -> None:
    won = play_by_hints(acesup("AC", "AD 2S", "AH", "AS", discarded=47))
    assert ACESUP.outcome(won) is Outcome.WON


def test_there_is_no_hint_when_the_game_has_ended() -> None:
    assert hint_acesup(acesup("AC 2D", "AD 3C", "AH KS", "AS KH", discarded=44)) is None


def test_other_games_and_impossible_positions_raise() -> None:
    with pytest.raises(ValueError, match="klondike"):
        play_by_hints(Record.parse("klondike/d1/1"))
    with pytest.raises(ValueError, match="position"):
        hint_acesup(acesup("2C", stock="3C 4C 5C"))


def by_quick_hints(seed: int) -> AcesUpState:
    """Return the end of a game of ``standard`` played by quick hints."""
    record = Record("acesup", "standard", str(seed))
    state: AcesUpState = replay(record)
    while (move := quick_hint(record, state)) is not None:
        state = ACESUP.apply(state, move)
    return state


def test_hints_win_more_than_quick_hints() -> None:
    seeds = range(1, 201)
    by_hints = [ACESUP.score(play_by_hints(Record("acesup", "standard", str(n)), effort=0)) for n in seeds]
    alone = [ACESUP.score(by_quick_hints(n)) for n in seeds]
    assert by_hints.count(48) > alone.count(48)


def test_without_numba_the_hints_are_the_same() -> None:
    environment = {**os.environ, "SOLVE_PLAIN": "1"}
    plain = subprocess.run(
        [sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True
    )
    mine = [
        " ".join(map(str, followed(Record("acesup", rules, "8"), effort=1, moves=16)))
        for rules in ("standard", "aces+cell", "pairs")
    ]
    assert plain.stdout.splitlines() == mine
