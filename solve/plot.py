"""Plots of surveys, with matplotlib (the extra ``survey``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isinf
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from engine import GAMES
from solve.figures import Row
from solve.survey import Survey
from solve.trial import FILLS, FORCED, HINTS, PHASES, SOLVE, Plan

KINDS = (".png", ".svg")

_DOTS_PER_INCH = 150
_NAMES = {SOLVE: "all cards known", FORCED: "… every discard forced", HINTS: "hints", PHASES: "phase search"}
_COLOURS = {SOLVE: "#1b6ca8", FORCED: "#7fb2d6", HINTS: "#d1495b", PHASES: "#8d8d8d", FILLS: "#8d8d8d"}
_MANY_COLOURS = (
    "#1b6ca8",
    "#d1495b",
    "#2e8b57",
    "#8d5fb5",
    "#c98a1b",
    "#5f6b73",
    "#17a2a2",
    "#a0522d",
    "#d36ba6",
)


def of_survey(survey: Survey, path: Path) -> None:
    """Draw the scores of one survey, and the time that the deals took.

    :raises OSError: when the file can't be written.
    """
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    figure.suptitle(f"{_name(survey.plan)}, {len(survey.trials):,} deals", fontsize=11)
    if survey.plan.game == "klondike" and survey.plan.is_solving:
        _verdicts(left, survey)
    else:
        _scores(left, survey)
    if survey.plan.is_solving:
        _decided(right, [survey])
    else:
        _times(right, survey)
    _save(figure, path)


def of_figures(rows: Sequence[Row], surveys: Mapping[Plan, Survey], path: Path) -> None:
    """Draw all that was measured for the table of figures.

    :raises OSError: when the file can't be written.
    """
    figure = Figure(figsize=(9, 7), layout="constrained")
    (scores, times), (acesup, klondike) = figure.subplots(2, 2)
    _reached(
        scores,
        [survey for plan, survey in surveys.items() if plan.game == "acesup" and plan.rules == "standard"],
    )
    _decided(times, [survey for plan, survey in surveys.items() if plan.how == SOLVE])
    _chances(acesup, "acesup", rows, surveys)
    _chances(klondike, "klondike", rows, surveys)
    _save(figure, path)


def _save(figure: Figure, path: Path) -> None:
    for axes in figure.axes:
        axes.spines[["top", "right"]].set_visible(False)
    # Without a date and with fixed ids, the same survey gives the same file.
    metadata = {"Date": None} if path.suffix == ".svg" else None
    figure.savefig(path, dpi=_DOTS_PER_INCH, metadata=metadata)


def _name(plan: Plan) -> str:
    return f"{plan.game} {plan.rules}, {_NAMES.get(plan.how, plan.how).lstrip('… ')}"


def _scores(axes: Axes, survey: Survey) -> None:
    """Draw how many deals have which score."""
    counts = [0] * (survey.full + 1)
    for trial in survey.trials:
        counts[trial.score] += 1
    axes.bar(range(survey.full + 1), counts, width=0.85, color=_COLOURS[survey.plan.how])
    axes.set_title("Best score" if survey.plan.is_solving else "Score reached")
    axes.set_xlabel(_unit(survey.plan.game))
    axes.set_ylabel("deals")
    first = next(score for score, count in enumerate(counts) if count)
    axes.set_xlim(first - 1, survey.full + 1)


def _unit(game: str) -> str:
    return "cards discarded" if game == "acesup" else "cards on the foundations"


def _verdicts(axes: Axes, survey: Survey) -> None:
    """Draw how many deals can be won."""
    names = ("can be won", "can't be won", "unknown")
    counts = (survey.won, survey.lost, survey.unknown)
    bars = axes.bar(names, counts, width=0.6, color=("#2e8b57", "#d1495b", "#8d8d8d"))
    axes.bar_label(bars, [f"{count:,}" for count in counts])
    axes.set_title("Can it be won?")
    axes.set_ylabel("deals")


def _decided(axes: Axes, surveys: Sequence[Survey]) -> None:
    """Draw the share of deals that is proven over the time allowed for each."""
    for survey, colour in zip(surveys, _MANY_COLOURS, strict=False):
        times = [ms / 1000 for ms in survey.times_ms() if not isinf(ms)]
        share = [100 * (i + 1) / len(survey.trials) for i in range(len(times))]
        end = max([survey.plan.seconds, *times[-1:]])
        axes.step(
            [*times, end],
            [*share, *(share[-1:] or [0])],
            where="post",
            color=colour,
            label=f"{survey.plan.game} {survey.plan.rules}",
        )
    axes.set_title("Proven within a time")
    axes.set_xscale("log")
    axes.set_xlabel("seconds of processor time for a deal")
    axes.set_ylabel("% of deals")
    axes.set_ylim(0, 103)
    axes.grid(alpha=0.3)
    if len(surveys) > 1:
        axes.legend(fontsize=7, loc="lower right")


def _times(axes: Axes, survey: Survey) -> None:
    """Draw how long the games took."""
    axes.hist([trial.ms / 1000 for trial in survey.trials], bins=30, color=_COLOURS[survey.plan.how])
    axes.set_title("Time for a game")
    axes.set_xlabel("seconds of processor time")
    axes.set_ylabel("deals")


def _reached(axes: Axes, surveys: Sequence[Survey]) -> None:
    """Draw the share of deals in which at least so many cards were discarded."""
    for survey in surveys:
        count = len(survey.trials)
        scores = range(20, survey.full + 1)
        share = [100 * sum(trial.score >= score for trial in survey.trials) / count for score in scores]
        axes.step(scores, share, where="mid", color=_COLOURS[survey.plan.how], label=_NAMES[survey.plan.how])
    axes.set_title("Aces Up, standard: how far it goes")
    axes.set_xlabel("at least so many cards discarded")
    axes.set_ylabel("% of deals")
    axes.set_ylim(0, 103)
    axes.grid(alpha=0.3)
    if surveys:
        axes.legend(fontsize=8, loc="lower left")


def _chances(axes: Axes, game: str, rows: Sequence[Row], surveys: Mapping[Plan, Survey]) -> None:
    """Draw the share that is won by rule set, with its interval, and what is published on it."""
    names = list(dict.fromkeys(plan.rules for plan in surveys if plan.game == game))
    names.sort(
        key=lambda rules: list(GAMES[game].presets).index(rules) if rules in GAMES[game].presets else 99
    )
    labels = set[str]()

    def label(text: str) -> str:
        is_new = text not in labels
        labels.add(text)
        return text if is_new else "_"

    for plan, survey in surveys.items():
        if plan.game != game:
            continue
        at = names.index(plan.rules) + _OFFSETS[plan.how]
        value, low, high = (
            100 * share for share in (survey.chance.value, survey.chance.low, survey.chance.high)
        )
        axes.errorbar(
            [value],
            [at],
            xerr=[[value - low], [high - value]],
            fmt="o",
            markersize=4,
            capsize=2,
            color=_COLOURS[plan.how],
            label=label(_NAMES.get(plan.how, "fills whenever possible")),
        )
        values = {
            100 * published.value
            for row in rows
            if row.plan == plan and row.quantity.value == "won"
            for published in row.published
        }
        if values:
            axes.plot(list(values), [at] * len(values), "k|", markersize=11, label=label("published"))
    axes.set_title(f"{game.capitalize() if game != 'acesup' else 'Aces Up'}: games won")
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlim(0, 101)
    axes.set_xlabel("% of deals, with 95 % interval")
    axes.grid(axis="x", alpha=0.3)
    if labels:
        axes.legend(fontsize=7)


_OFFSETS = {SOLVE: -0.24, FORCED: -0.08, HINTS: 0.08, PHASES: 0.24, FILLS: 0.24}
