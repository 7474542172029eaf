"""Surveys: the same test for a range of PySolFC numbers, in several processes, and what it shows."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from engine import GAMES
from solve.measuring import chances, results
from solve.measuring.chances import Estimate
from solve.measuring.trial import Plan, Trial, put_to_test, warm_up
from solve.measuring.workers import answers
from solve.registry import solvers_of


@dataclass(frozen=True, slots=True)
class Survey:
    """What came of the deals, in the order of their numbers."""

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
        """How many can be won, or were."""
        return sum(trial.score == self.full for trial in self.trials)

    @property
    def lost(self) -> int:
        """How many can't be won, or were not."""
        return sum(trial.bound < self.full for trial in self.trials)

    @property
    def unknown(self) -> int:
        """Of how many that is not known."""
        return len(self.trials) - self.won - self.lost

    @property
    def chance(self) -> Estimate:
        """The share that is won."""
        return chances.share(self.won, len(self.trials), perhaps=self.unknown)

    @property
    def mean_score(self) -> Estimate:
        """The mean score; where some are not proven, the interval reaches up to that of the bounds."""
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
    """Test the deals of these numbers; ``seen`` is called with each, in the order in which they are done.

    With ``tsv``, results are written to that file, a line each as it comes; with ``resume``, what the file
    already has is not done again. Ctrl-C ends it early: the survey is of what was done by then.

    :raises ResultsError: when the file can't be written, is there already without ``resume``, or is of
        another plan.
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
        pass  # that something is missing, who asked sees from the number of trials
    return Survey(plan, tuple(trials[number] for number in sorted(trials)))


def _tested(plan: Plan, numbers: Sequence[int], processes: int) -> Generator[Trial]:
    if numbers:
        yield from answers(
            partial(put_to_test, plan), numbers, partial(warm_up, plan), min(processes, len(numbers))
        )
