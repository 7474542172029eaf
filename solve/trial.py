"""One deal put to the test: solved, or played by somebody. All games and methods are told apart here only.

Every line of moves is played through the engine before it counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from engine import GAMES, Move, Record, replay
from solve.acesup import best_score
from solve.published import PLAYED, play_fills, play_phases

FULL_SCORE = {"acesup": 48, "klondike": 52}

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
    start = time.thread_time()
    par = best_score(state, budget_s=seconds)
    ms = 1000 * (time.thread_time() - start)
    if score_after(deal, par.line) != par.score:
        raise FalseLine(f"{deal.code}: the line does not give {par.score}")
    forced = best_score(state, budget_s=seconds, forced=True).score
    return Trial(int(deal.seed), par.score, par.upper_bound, forced, len(par.line), par.nodes, ms)


def _force_acesup(deal: Record, seconds: float) -> Trial:
    state = replay(deal)
    start = time.thread_time()
    par = best_score(state, budget_s=seconds, forced=True)
    ms = 1000 * (time.thread_time() - start)
    if score_after(deal, par.line) != par.score:
        raise FalseLine(f"{deal.code}: the line does not give {par.score}")
    return Trial(int(deal.seed), par.score, par.upper_bound, par.score, len(par.line), par.nodes, ms)


def _by_player(play: Callable[[Record], int]) -> Callable[[Record, float], Trial]:
    def trial(deal: Record, _seconds: float) -> Trial:
        start = time.thread_time()
        score = play(deal)
        return Trial(int(deal.seed), score, score, score, 0, 0, 1000 * (time.thread_time() - start))

    return trial


_TRIALS: dict[tuple[str, str], Callable[[Record, float], Trial]] = {
    ("acesup", SOLVE): _solve_acesup,
    ("acesup", FORCED): _force_acesup,
    ("acesup", PHASES): _by_player(play_phases),
    ("acesup", FILLS): _by_player(play_fills),
}
