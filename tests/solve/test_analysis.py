"""Where a game was lost: every move that cost something is found, and every claim is true."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import pairwise
from random import Random

import pytest

from engine import GAMES, IllegalMove, Move, Record, replay, states
from solve import ScoreBounds, best_score, jobs
from solve.analysis import Analysis, analyse
from solve.registry import SOLVERS, Solvers
from tests.solve.brute import best

ACESUP = GAMES["acesup"]
LONG_S = 1_000.0


def played(code: str, seed: int, *, deals_last: bool = False) -> Record:
    """A random game played to its end; with ``deals_last`` it discards whenever it can."""
    record, chance = Record.parse(code), Random(seed)
    while True:
        state = replay(record)
        moves = list(ACESUP.legal_moves(state))
        if ACESUP.outcome(state) is not None:
            return record
        if deals_last:
            moves = [move for move in moves if move.target == "d"] or moves
        record = record.play(chance.choice(moves))


@cache
def solved(record: Record) -> ScoreBounds:
    return best_score(record, budget_nodes=400_000)


def exact(record: Record, _: float) -> ScoreBounds:
    return solved(record)


def before_move(game: Record, number: int) -> Record:
    return replace(game, moves=game.moves[:number])


def assert_true(game: Record, analysis: Analysis, most: Callable[[Record], int]) -> None:
    """Check every claim of an analysis; ``most`` returns how much is possible from a position."""
    assert analysis.par.score <= most(before_move(game, 0)) <= analysis.par.upper_bound
    reached = replay(replace(game, moves=analysis.par.line))
    assert ACESUP.score(reached) == analysis.par.score
    for drop in analysis.drops:
        at = before_move(game, drop.number)
        assert most(at) >= drop.before > drop.after >= most(at.play(game.moves[drop.number]))
        assert most(at.play(drop.better)) >= drop.before


QUICK = ("acesup/standard/3", "acesup/aces/2", "acesup/aces/5", "acesup/pairs/2")


@pytest.mark.parametrize("code", QUICK)
@pytest.mark.parametrize("deals_last", [False, True])
def test_it_finds_exactly_the_moves_after_which_less_is_possible(code: str, deals_last: bool) -> None:
    game = played(code, 1, deals_last=deals_last)
    values = [exact(before_move(game, number), 0) for number in range(len(game.moves) + 1)]
    assert all(value.proven for value in values)
    analysis = analyse(game, exact, LONG_S)
    dropped = [
        (number, before.score, after.score)
        for number, (before, after) in enumerate(pairwise(values))
        if after.score < before.score
    ]
    assert [(drop.number, drop.before, drop.after) for drop in analysis.drops] == dropped
    assert analysis.par.score == values[0].score
    assert_true(game, analysis, lambda record: exact(record, 0).score)


def late(code: str, seed: int, stock: int) -> tuple[Record, int]:
    """A random game, and the number of moves after which its stock had ``stock`` cards."""
    game = played(code, seed, deals_last=True)
    for number, state in enumerate(states(game)):
        if len(state.stock) == stock:
            return game, number
    raise LookupError(code)


@pytest.mark.parametrize("seed", range(1, 6))
@pytest.mark.parametrize("code", ["acesup/standard/7", "acesup/pairs/7", "acesup/cell/7", "acesup/aces/7"])
def test_brute_force_finds_the_same_moves(code: str, seed: int) -> None:
    game, first = late(code, seed, 4)
    values = {number: best(replay(before_move(game, number))) for number in range(first, len(game.moves) + 1)}

    def from_there(record: Record, budget_s: float) -> ScoreBounds:
        """Leave out the moves before: none of them counts as costing anything."""
        if len(record.moves) < first:
            return replace(exact(before_move(game, first), budget_s), line=())
        return exact(record, budget_s)

    analysis = analyse(game, from_there, LONG_S)
    dropped = [
        (number, values[number], values[number + 1])
        for number in range(first, len(game.moves))
        if values[number + 1] != values[number]
    ]
    assert [(drop.number, drop.before, drop.after) for drop in analysis.drops] == dropped
    for drop in analysis.drops:
        better = before_move(game, drop.number).play(drop.better)
        assert best(replay(better)) == drop.before


@pytest.mark.parametrize("slack", [1, 3])
def test_with_a_solver_that_proves_little_every_claim_is_still_true(slack: int) -> None:
    chance = Random(slack)
    game = played("acesup/standard/3", 2)

    def vague(record: Record, _: float) -> ScoreBounds:
        par = exact(record, 0)
        if chance.random() < 0.5:
            return par
        here = ACESUP.score(replay(record))
        if chance.random() < 0.5:
            return ScoreBounds(here, min(par.score + slack, 48), (), 1)
        return replace(par, upper_bound=min(par.score + slack, 48))

    for _ in range(20):
        assert_true(game, analyse(game, vague, LONG_S), lambda record: exact(record, 0).score)


def test_the_best_of_the_deal_is_at_least_that_of_any_later_position() -> None:
    game = played("acesup/standard/3", 1, deals_last=True)

    def far_sighted(record: Record, _: float) -> ScoreBounds:
        """Know nothing at the deal, and the final score later."""
        if not record.moves:
            return ScoreBounds(0, 48, (), 1)
        return ScoreBounds(ACESUP.score(replay(record)), 48, (), 1)

    analysis = analyse(game, far_sighted, LONG_S)
    assert analysis.drops == ()
    assert analysis.par.score == ACESUP.score(replay(game)) > 0
    assert_true(game, analysis, lambda record: exact(record, 0).score)


def test_only_the_deal_and_the_end_are_solved_where_nothing_was_lost() -> None:
    line = best_score(Record.parse("acesup/standard/3")).line
    asked: list[Record] = []

    def counting(record: Record, budget_s: float) -> ScoreBounds:
        asked.append(record)
        return exact(record, budget_s)

    assert analyse(Record.parse("acesup/standard/3").play(*line), counting, LONG_S).drops == ()
    assert len(asked) == 2


def test_without_time_only_the_deal_and_the_end_are_solved() -> None:
    asked: list[tuple[int, float]] = []

    def slow(record: Record, budget_s: float) -> ScoreBounds:
        asked.append((len(record.moves), budget_s))
        return exact(record, budget_s)

    game = played("acesup/standard/3", 1)
    analysis = analyse(game, slow, 0.0)
    assert asked == [(0, 0.0), (len(game.moves), 0.0)]
    assert analysis.drops == ()
    assert analysis.par.score == exact(before_move(game, 0), 0).score


def test_a_game_without_moves_lost_nothing() -> None:
    game = Record.parse("acesup/standard/3")
    assert analyse(game, exact, LONG_S) == Analysis(exact(game, 0), ())


def test_a_score_that_a_move_reduces_is_no_error() -> None:
    """With returns a score can sink: the best line of a position may then be empty."""
    game = Record.parse("acesup/standard/3").play(Move.parse("s-t"))
    answers = {0: ScoreBounds(5, 48, (), 1), 1: ScoreBounds(3, 4, (), 1)}
    analysis = analyse(game, lambda record, _: answers[len(record.moves)], LONG_S)
    assert analysis == Analysis(ScoreBounds(5, 48, (), 2), ())


# Jobs


def test_jobs_give_the_solvers_answers_for_the_text_of_a_record() -> None:
    game = played("acesup/standard/3", 1, deals_last=True)
    deal = jobs.best("acesup/standard/3", 60.0)
    assert deal is not None
    assert deal.score == best_score(Record.parse("acesup/standard/3")).score
    analysis = jobs.analyse(str(game), 60.0)
    assert analysis is not None
    assert analysis.par.score == deal.score
    assert_true(game, analysis, lambda record: exact(record, 0).score)


def test_a_game_without_a_solver_has_no_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    for key in GAMES:
        monkeypatch.setitem(SOLVERS, key, Solvers())
    for key, game in GAMES.items():
        code = f"{key}/{next(iter(game.presets))}/1"
        assert jobs.best(code, 1.0) is None
        assert jobs.hint(code) is None
        assert jobs.analyse(code, 1.0) is None


def test_an_illegal_record_raises() -> None:
    with pytest.raises(IllegalMove):
        jobs.best("acesup/standard/3 1-2", 1.0)
