"""The figures of a survey, as lines of a table."""

from __future__ import annotations

from math import isinf

from solve.measuring.chances import Estimate, mean, percentile
from solve.measuring.survey import Survey
from solve.measuring.trial import FORCED

_LIMITS_S = (1, 10, 60)


def facts(survey: Survey) -> list[tuple[str, str]]:
    """Return lines of a name and a figure.

    :raises ValueError: when the survey has no deals.
    """
    trials = survey.trials
    if not trials:
        raise ValueError("the survey has no deals")
    numbers = f"{trials[0].number} … {trials[-1].number}" if len(trials) > 1 else str(trials[0].number)
    lines = [("deals", f"{len(trials):,} (numbers {numbers})")]
    return lines + (_of_solved(survey) if survey.plan.is_solving else _of_played(survey))


def _of_solved(survey: Survey) -> list[tuple[str, str]]:
    count = len(survey.trials)
    lines = [
        ("can be won", f"{survey.won:,} = {percent(survey.chance.value)}, 95 %: {_interval(survey.chance)}"),
        ("can't be won", f"{survey.lost:,}"),
        ("unknown", f"{survey.unknown:,}"),
    ]
    if survey.finds_best:
        lines.append(("mean best score", _mean(survey.mean_score)))
    if survey.plan.game == "acesup" and survey.plan.how != FORCED:
        forced = mean([trial.forced for trial in survey.trials])
        gaining = sum(trial.score > trial.forced for trial in survey.trials)
        lines.append(("mean best score, every discard forced", _mean(forced)))
        lines.append(
            ("deals that gain by waiting with a discard", f"{gaining:,} = {percent(gaining / count)}")
        )
    times = survey.times_ms()
    for limit in _LIMITS_S:
        if limit <= survey.plan.seconds:
            done = sum(ms <= 1000 * limit for ms in times)
            lines.append((f"proven within {limit} s", f"{done:,} = {percent(done / count)}"))
    for name, value in (("median", percentile(times, 50)), ("99 of 100 within", percentile(times, 99))):
        text = f"more than {survey.plan.seconds:g} s" if isinf(value) else milliseconds(value)
        lines.append((f"processor time, {name}", text))
    return lines


def _of_played(survey: Survey) -> list[tuple[str, str]]:
    chance = survey.chance
    lines = [
        ("won", f"{survey.won:,} = {percent(chance.value)}, 95 %: {_interval(chance)}"),
        ("that is", f"{one_in(chance.value)}, 95 %: {one_in(chance.high)} … {one_in(chance.low)}"),
        ("mean score", _mean(survey.mean_score)),
    ]
    moves = sum(trial.moves for trial in survey.trials)
    took = sum(trial.ms for trial in survey.trials)
    if moves:
        lines.append(("hints for a game", f"{moves / len(survey.trials):.0f}"))
        lines.append(("processor time for a hint", milliseconds(took / moves)))
    lines.append(("processor time for a game", milliseconds(took / len(survey.trials))))
    return lines


def percent(value: float) -> str:
    """Return a share such as ``48.4 %``, below 1 % with two decimals."""
    return f"{100 * value:.2f} %" if 0 < value < 0.01 else f"{100 * value:.1f} %"


def one_in(value: float) -> str:
    """Return a small share such as ``1 in 35.9``."""
    if not value:
        return "none"
    return f"1 in {1 / value:.1f}" if value > 0.01 else f"1 in {1 / value:.0f}"


def milliseconds(value: float) -> str:
    """Return a time with two or three digits."""
    if value >= 1000:
        return f"{value / 1000:.1f} s"
    return f"{value:.0f} ms" if value >= 10 else f"{value:.2f} ms"


def _interval(estimate: Estimate) -> str:
    return f"{percent(estimate.low)} … {percent(estimate.high)}"


def _mean(estimate: Estimate) -> str:
    if isinf(estimate.high):
        return f"{estimate.value:.2f}"
    return f"{estimate.value:.2f}, 95 %: {estimate.low:.2f} … {estimate.high:.2f}"
