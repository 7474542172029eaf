"""Trials: one deal, solved or played.

Any game with a solver or a hint player can be solved or played by hints; the other methods are for Aces Up.
Every line of moves is played through the engine before it counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

from engine import GAMES, Move, Record, replay
from solve.games.acesup.hints import play_by_hints
from solve.games.acesup.solver import best_score
from solve.measuring.players import PLAYED, play_fills, play_phases
from solve.registry import Solvers, solvers_of

T = TypeVar("T")

# What can be done with a deal.
SOLVE, FORCED, HINTS, PHASES, FILLS = "solve", "forced", "hints", "phases", "fills"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is done with each deal of a game: solved within ``seconds`` of processor time, or played."""

    game: str
    rules: str
    how: str
    seconds: float

    def __str__(self) -> str:
        limit = f" {self.seconds:g}" if self.is_solving else ""
        return f"{self.game} {self.rules} {self.how}{limit}"

    @property
    def is_solving(self) -> bool:
        """True when the method knows all cards; only then ``seconds`` limits the time."""
        return self.how in (SOLVE, FORCED)


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of one deal.

    ``score`` was reached, and no more than ``bound`` can be; for a player both are the score reached.
    ``forced`` is the best score with every discard forced where that was measured too, else ``score``.
    ``moves`` is the length of the line, ``ms`` the processor time in milliseconds.
    """

    number: int
    score: int
    bound: int
    forced: int
    moves: int
    nodes: int
    ms: float


class WrongLine(Exception):
    """A line of moves does not reach the score its solver says: a bug in the solver."""


def is_possible(plan: Plan) -> bool:
    """True when the game has such a method for these rules."""
    if plan.how in (PHASES, FILLS) and plan.rules not in PLAYED:
        return False
    return _method(plan) is not None


def run_trial(plan: Plan, number: int) -> Trial:
    """Return the result of a PySolFC number.

    :raises ValueError: when the game has no such method.
    :raises WrongLine: when the moves don't reach the score.
    """
    method = _method(plan)
    if method is None:
        raise ValueError(f"{plan} is not possible")
    return method(Record(plan.game, plan.rules, str(number)), plan.seconds)


def warm_up(plan: Plan) -> None:
    """Compile, or load, what a method needs, so that no deal's time includes it."""
    run_trial(replace(plan, seconds=0.05), 1)


def score_after(game: Record, line: Sequence[Move]) -> int:
    """Return the score after the moves of a line."""
    return GAMES[game.game].score(replay(game.play(*line)))


def _method(plan: Plan) -> Callable[[Record, float], Trial] | None:
    entry = solvers_of(plan.game)
    if (plan.game, plan.how) in _OF_ONE_GAME:
        return _OF_ONE_GAME[plan.game, plan.how]
    if plan.how == SOLVE and entry.solver:
        return partial(_solve, entry)
    if plan.how == HINTS and entry.hint:
        return partial(_play, entry)
    return None


def _solve(entry: Solvers, deal: Record, seconds: float) -> Trial:
    """Solve a deal. Where the solver does not look for the best score, a deal that is not won counts as 0."""
    assert entry.solver
    solver = entry.solver
    bounds, ms = _timed(lambda: solver(deal, seconds))
    is_known = entry.finds_best or bounds.score == GAMES[deal.game].full_score
    score = bounds.score if is_known else 0
    trial = Trial(int(deal.seed), score, bounds.upper_bound, score, 0, bounds.nodes, ms)
    return _with_line(deal, trial, bounds.line) if is_known else trial


def _play(entry: Solvers, deal: Record, _seconds: float) -> Trial:
    """Follow the hints until there is none."""
    assert entry.hint
    hint, game = entry.hint, GAMES[deal.game]

    def play() -> tuple[int, int]:
        state, count = replay(deal), 0
        while (move := hint(state)) is not None:
            state, count = game.apply(state, move), count + 1
        return game.score(state), count

    (score, moves), ms = _timed(play)
    return Trial(int(deal.seed), score, score, score, moves, 0, ms)


def _solve_acesup(deal: Record, seconds: float) -> Trial:
    """Solve a deal; then once more, with every discard forced."""
    trial = _solve(solvers_of(deal.game), deal, seconds)
    return replace(trial, forced=best_score(deal, budget_s=seconds, forced=True).score)


def _force_acesup(deal: Record, seconds: float) -> Trial:
    bounds, ms = _timed(lambda: best_score(deal, budget_s=seconds, forced=True))
    trial = Trial(int(deal.seed), bounds.score, bounds.upper_bound, bounds.score, 0, bounds.nodes, ms)
    return _with_line(deal, trial, bounds.line)


def _play_acesup(deal: Record, _seconds: float) -> Trial:
    """Follow the hints, with the estimates kept from one to the next."""
    state, ms = _timed(lambda: play_by_hints(deal))
    score = GAMES[deal.game].score(state)
    return Trial(int(deal.seed), score, score, score, 0, 0, ms)


def _by_player(play: Callable[[Record], int]) -> Callable[[Record, float], Trial]:
    def trial(deal: Record, _seconds: float) -> Trial:
        score, ms = _timed(lambda: play(deal))
        return Trial(int(deal.seed), score, score, score, 0, 0, ms)

    return trial


def _timed(action: Callable[[], T]) -> tuple[T, float]:
    """Return the result, and how many milliseconds of processor time it took."""
    start = time.thread_time()
    return action(), 1000 * (time.thread_time() - start)


def _with_line(deal: Record, trial: Trial, line: Sequence[Move]) -> Trial:
    """Return the trial with the length of its line, which has been played through."""
    if score_after(deal, line) != trial.score:
        raise WrongLine(f"{deal.code}: the line does not reach {trial.score}")
    return replace(trial, moves=len(line))


_OF_ONE_GAME: dict[tuple[str, str], Callable[[Record, float], Trial]] = {
    ("acesup", SOLVE): _solve_acesup,
    ("acesup", FORCED): _force_acesup,
    ("acesup", HINTS): _play_acesup,
    ("acesup", PHASES): _by_player(play_phases),
    ("acesup", FILLS): _by_player(play_fills),
}
