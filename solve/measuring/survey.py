"""Surveys: the same test for many PySolFC numbers, in several processes, and its statistics."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from engine import GAMES
from solve.measuring import chances, results
from solve.measuring.chances import Estimate
from solve.measuring.trial import Plan, Trial, run_trial, warm_up
from solve.measuring.workers import ask_all
from solve.registry import solvers_of


@dataclass(frozen=True, slots=True)
class Survey:
    """The results of a plan, in the order of the numbers."""

    plan: Plan
    trials: tuple[Trial, ...]

    @property
    def full(self) -> int:
        """The score that wins."""
        return GAMES[self.plan.game].full_score

    @property
    def finds_best(self) -> bool:
        """False when the deals were only asked whether they can be won."""
        return not self.plan.is_solving or solvers_of(self.plan.game).finds_best

    @property
    def won(self) -> int:
        """How many deals can be won, or were."""
        return sum(trial.score == self.full for trial in self.trials)

    @property
    def lost(self) -> int:
        """How many deals can't be won, or were not."""
        return sum(trial.bound < self.full for trial in self.trials)

    @property
    def unknown(self) -> int:
        """How many deals are undecided."""
        return len(self.trials) - self.won - self.lost

    @property
    def chance(self) -> Estimate:
        """The share of deals won."""
        return chances.share(self.won, len(self.trials), perhaps=self.unknown)

    @property
    def mean_score(self) -> Estimate:
        """The mean score; if some scores are not proven, the interval extends to that of the bounds."""
        low = chances.mean([trial.score for trial in self.trials])
        return Estimate(low.value, low.low, chances.mean([trial.bound for trial in self.trials]).high)

    def times_ms(self) -> list[float]:
        """Return how long each answer took, in rising order; infinity where there is none.

        The question is the best score, or whether the game can be won if that is all the solver finds.
        """
        return sorted(trial.ms if self._is_answered(trial) else float("inf") for trial in self.trials)

    def _is_answered(self, trial: Trial) -> bool:
        if self.finds_best:
            return trial.score == trial.bound
        return trial.score == self.full or trial.bound < self.full


def run(
    plan: Plan,
    numbers: Sequence[int],
    *,
    processes: int = 1,
    tsv: Path | None = None,
    resume: bool = False,
    seen: Callable[[Trial], object] = bool,
) -> Survey:
    """Test the deals of these numbers; ``seen`` is called with each result as it comes.

    With ``tsv``, each result is written to that file as it comes; with ``resume``, results that the file
    already has are not measured again. Ctrl-C ends it early, with a survey of what was done by then.

    :raises ResultsError: when the file can't be written, exists without ``resume``, or has another plan.
    :raises BrokenProcessPool: when a process died.
    """
    known = {trial.number: trial for trial in results.begin(tsv, plan, resume=resume)} if tsv else {}
    trials = {number: known[number] for number in numbers if number in known}
    for trial in trials.values():
        seen(trial)
    new = _tested(plan, [number for number in numbers if number not in known], processes)
    try:
        with closing(new), results.opened(tsv) if tsv else nullcontext() as file:
            for trial in new:
                trials[trial.number] = trial
                if file:
                    file.add(trial)
                seen(trial)
    except KeyboardInterrupt:
        pass  # the caller sees from the number of trials that some are missing
    return Survey(plan, tuple(trials[number] for number in sorted(trials)))


def _tested(plan: Plan, numbers: Sequence[int], processes: int) -> Generator[Trial]:
    if numbers:
        yield from ask_all(
            partial(run_trial, plan), numbers, partial(warm_up, plan), min(processes, len(numbers))
        )
