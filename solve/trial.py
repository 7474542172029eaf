"""One deal put to the test: solved, or played by somebody. All games and methods are told apart here only.

Every line of moves is played through the engine before it counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from engine import GAMES, Move, Record, replay
from solve.acesup import best_score
from solve.acesup_hints import play_by_hints
from solve.klondike import Verdict, solve_klondike
from solve.klondike_hints import play_klondike_by_hints
from solve.published import PLAYED, play_fills, play_phases

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
        """True when all cards are known. Who plays without knowing the stock takes the time it takes."""
        return self.how in (SOLVE, FORCED)


@dataclass(frozen=True, slots=True)
class Trial:
    """What came of one deal.

    ``score`` was reached, and more than ``bound`` can't be: for a player, not for the cards, if one played.
    ``forced`` is the best score with every discard forced, where that was asked too; else it is ``score``.
    ``moves`` is the length of the line, ``ms`` the processor time in milliseconds.
    """

    number: int
    score: int
    bound: int
    forced: int
    moves: int
    nodes: int
    ms: float


class FalseLine(Exception):
    """A line of moves that does not give what its solver says: a fault of the solver."""


def can_be_done(plan: Plan) -> bool:
    """True when there is such a method for the game, and it plays these rules."""
    if plan.how in (PHASES, FILLS) and plan.rules not in PLAYED:
        return False
    return (plan.game, plan.how) in _TRIALS


def put_to_test(plan: Plan, number: int) -> Trial:
    """Return what comes of a PySolFC number.

    :raises KeyError: when there is no such method for the game.
    :raises FalseLine: when the moves don't give the score.
    """
    return _TRIALS[plan.game, plan.how](Record(plan.game, plan.rules, str(number)), plan.seconds)


def warm_up(plan: Plan) -> None:
    """Compile, or load, what a method needs, so that no deal's time contains that."""
    put_to_test(replace(plan, seconds=0.05), 1)


def score_after(game: Record, line: Sequence[Move]) -> int:
    """Play the line from where the game stands; return the score."""
    return GAMES[game.game].score(replay(game.play(*line)))


def _solve_acesup(deal: Record, seconds: float) -> Trial:
    state = replay(deal)
    par, ms = _timed(lambda: best_score(state, budget_s=seconds))
    forced = best_score(state, budget_s=seconds, forced=True).score
    return _with_line(
        deal, Trial(int(deal.seed), par.score, par.upper_bound, forced, 0, par.nodes, ms), par.line
    )


def _force_acesup(deal: Record, seconds: float) -> Trial:
    state = replay(deal)
    par, ms = _timed(lambda: best_score(state, budget_s=seconds, forced=True))
    trial = Trial(int(deal.seed), par.score, par.upper_bound, par.score, 0, par.nodes, ms)
    return _with_line(deal, trial, par.line)


def _solve_klondike(deal: Record, seconds: float) -> Trial:
    """A deal that is not won counts as no cards: how many can be brought home, nobody asked."""
    state = replay(deal)
    solution, ms = _timed(lambda: solve_klondike(state, budget_s=seconds))
    full = GAMES[deal.game].full_score
    score = full if solution.verdict is Verdict.WON else 0
    bound = full - 1 if solution.verdict is Verdict.LOST else full
    trial = Trial(int(deal.seed), score, bound, score, 0, solution.nodes, ms)
    return _with_line(deal, trial, solution.line) if score else trial


def _play_acesup(deal: Record, _seconds: float) -> Trial:
    state, ms = _timed(lambda: play_by_hints(deal))
    score = GAMES[deal.game].score(state)
    return Trial(int(deal.seed), score, score, score, 0, 0, ms)


def _play_klondike(deal: Record, _seconds: float) -> Trial:
    played, ms = _timed(lambda: play_klondike_by_hints(deal))
    score = GAMES[deal.game].score(replay(played))
    return Trial(int(deal.seed), score, score, score, len(played.moves), 0, ms)


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
        raise FalseLine(f"{deal.code}: the line does not give {trial.score}")
    return replace(trial, moves=len(line))


_TRIALS: dict[tuple[str, str], Callable[[Record, float], Trial]] = {
    ("acesup", SOLVE): _solve_acesup,
    ("acesup", FORCED): _force_acesup,
    ("acesup", HINTS): _play_acesup,
    ("acesup", PHASES): _by_player(play_phases),
    ("acesup", FILLS): _by_player(play_fills),
    ("klondike", SOLVE): _solve_klondike,
    ("klondike", HINTS): _play_klondike,
}
