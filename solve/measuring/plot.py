"""Plots of surveys, drawn with matplotlib (the extra ``survey``)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from math import isinf
from pathlib import Path

from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from engine import GAMES
from solve.measuring.figures import Quantity, Row
from solve.measuring.survey import Survey
from solve.measuring.trial import FILLS, FORCED, HINTS, PHASES, SOLVE, Plan

_DOTS_PER_INCH = 150
_TITLES = {"acesup": "Aces Up", "klondike": "Klondike"}
_NAMES = {
    SOLVE: "all cards known",
    FORCED: "all cards known, discards forced",
    HINTS: "hints followed",
    PHASES: "most discards before each deal",
    FILLS: "fills whenever possible",
}
_COLOURS = {SOLVE: "#1b6ca8", FORCED: "#7fb2d6", HINTS: "#d1495b", PHASES: "#8d8d8d", FILLS: "#b5a642"}
_GAME_COLOURS = {
    "acesup": ("#0b3c5d", "#1b6ca8", "#4f9bd0", "#9cc7e6"),
    "klondike": ("#7a1f2b", "#d1495b", "#e8a05c", "#c98a1b", "#6d4c41"),
}
_OTHER_COLOURS = ("#2e5e4e", "#5fa57f", "#a3c9a8")


def of_survey(survey: Survey, path: Path) -> None:
    """Draw the scores of one survey and the time its deals took.

    :raises OSError: when the file can't be written.
    """
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    figure.suptitle(f"{_name(survey.plan)}, {len(survey.trials):,} deals", fontsize=11)
    if survey.finds_best:
        _scores(left, survey)
    else:
        _verdicts(left, survey)
    if survey.plan.is_solving:
        _decided(right, [survey])
    else:
        _times(right, survey)
    _save(figure, path)


def of_figures(rows: Sequence[Row], surveys: Mapping[Plan, Survey], path: Path) -> None:
    """Draw everything measured for the table of figures; three panels share their colours.

    :raises OSError: when the file can't be written.
    """
    figure = Figure(figsize=(9, 7.4), layout="constrained")
    (scores, times), (acesup, klondike) = figure.subplots(2, 2)
    _reached(scores, [survey for plan, survey in surveys.items() if plan.rules == "standard"])
    solved = [survey for plan, survey in surveys.items() if plan.how == SOLVE]
    _decided(times, [survey for survey in solved if survey.plan.rules in GAMES[survey.plan.game].presets])
    _chances(acesup, "acesup", rows, surveys)
    _chances(klondike, "klondike", rows, surveys)
    keys: dict[str, Artist] = {}
    for axes in (scores, acesup, klondike):
        handles, labels = axes.get_legend_handles_labels()
        keys |= dict(zip(labels, handles, strict=True))
    figure.legend(list(keys.values()), list(keys), loc="outside lower center", ncols=3, fontsize=8)
    _save(figure, path)


def _save(figure: Figure, path: Path) -> None:
    for axes in figure.axes:
        axes.spines[["top", "right"]].set_visible(False)
        axes.set_title(axes.get_title(), fontsize=11)
    # Without a date, the same survey gives the same file.
    metadata = {"Date": None} if path.suffix == ".svg" else None
    figure.savefig(path, dpi=_DOTS_PER_INCH, metadata=metadata)


def _name(plan: Plan) -> str:
    return f"{_title(plan.game)} {plan.rules}, {_NAMES[plan.how]}"


def _title(game: str) -> str:
    return _TITLES.get(game, game.capitalize())


def _scores(axes: Axes, survey: Survey) -> None:
    """Draw how many deals have each score."""
    counts = [0] * (survey.full + 1)
    for trial in survey.trials:
        counts[trial.score] += 1
    axes.bar(range(survey.full + 1), counts, width=0.85, color=_COLOURS[survey.plan.how])
    axes.set_title("Best score" if survey.plan.is_solving else "Score reached")
    axes.set_xlabel(_unit(survey.plan.game))
    axes.set_ylabel("deals")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    first = next(score for score, count in enumerate(counts) if count)
    axes.set_xlim(first - 1, survey.full + 1)


def _unit(game: str) -> str:
    return {"acesup": "cards discarded", "klondike": "cards on the foundations"}.get(game, "score")


def _verdicts(axes: Axes, survey: Survey) -> None:
    """Draw how many deals can be won, can't, or are undecided."""
    names = ("can be won", "can't be won", "unknown")
    counts = (survey.won, survey.lost, survey.unknown)
    bars = axes.bar(names, counts, width=0.6, color=("#2e8b57", "#d1495b", "#8d8d8d"))
    axes.bar_label(bars, [f"{count:,}" for count in counts])
    axes.set_title("Can it be won?")
    axes.set_ylabel("deals")


def _decided(axes: Axes, surveys: Sequence[Survey]) -> None:
    """Draw the share of deals that is proven within a time."""
    games = {survey.plan.game for survey in surveys}
    colours = {game: cycle(_GAME_COLOURS.get(game, _OTHER_COLOURS)) for game in games}
    for survey in surveys:
        times = [ms / 1000 for ms in survey.times_ms() if not isinf(ms)]
        share = [100 * (i + 1) / len(survey.trials) for i in range(len(times))]
        end = max([survey.plan.seconds, *times[-1:]])
        axes.step(
            [*times, end],
            [*share, *(share[-1:] or [0])],
            where="post",
            color=next(colours[survey.plan.game]),
            linestyle="--" if survey.plan.game == "acesup" else "-",
            label=f"{_title(survey.plan.game)} {survey.plan.rules}",
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
    """Draw the share of deals in which at least that many cards were discarded."""
    for survey in surveys:
        count = len(survey.trials)
        scores = range(20, survey.full + 1)
        share = [100 * sum(trial.score >= score for trial in survey.trials) / count for score in scores]
        axes.step(scores, share, where="mid", color=_COLOURS[survey.plan.how], label=_NAMES[survey.plan.how])
    axes.set_title("Aces Up, standard: how far it goes")
    axes.set_xlabel("cards discarded, at least")
    axes.set_ylabel("% of deals")
    axes.set_ylim(0, 103)
    axes.grid(alpha=0.3)


def _chances(axes: Axes, game: str, rows: Sequence[Row], surveys: Mapping[Plan, Survey]) -> None:
    """Draw the share of games won by rule set, with its interval, and the published shares."""
    names = _rule_sets(game, surveys)
    heights = {
        plan: names.index(plan.rules) + offset
        for rules in names
        for plan, offset in _spread([plan for plan in surveys if (plan.game, plan.rules) == (game, rules)])
    }
    for how, name in _NAMES.items():
        plans = [plan for plan in heights if plan.how == how]
        if plans:
            chances = [surveys[plan].chance for plan in plans]
            below = [100 * (chance.value - chance.low) for chance in chances]
            above = [100 * (chance.high - chance.value) for chance in chances]
            axes.errorbar(
                [100 * chance.value for chance in chances],
                [heights[plan] for plan in plans],
                xerr=[below, above],
                fmt="o",
                markersize=4,
                capsize=2,
                color=_COLOURS[how],
                label=name,
            )
    marks = [
        (100 * published.value, heights[row.plan])
        for row in rows
        if row.plan in heights and row.quantity is Quantity.WON
        for published in row.published
    ]
    if marks:
        axes.plot(*zip(*marks, strict=True), "k|", markersize=11, label="published")
    axes.set_title(f"{_title(game)}: games won")
    axes.set_yticks(range(len(names)), names)
    axes.set_ylim(len(names) - 0.5, -0.5)
    axes.set_xlim(0, 101)
    axes.set_xlabel("% of deals, with 95 % interval")
    axes.grid(axis="x", alpha=0.3)


def _rule_sets(game: str, surveys: Mapping[Plan, Survey]) -> list[str]:
    """Return the measured rule sets, presets first."""
    presets = list(GAMES[game].presets)
    names = dict.fromkeys(plan.rules for plan in surveys if plan.game == game)
    return sorted(names, key=lambda rules: presets.index(rules) if rules in presets else len(presets))


def _spread(plans: Sequence[Plan]) -> list[tuple[Plan, float]]:
    """Return the plans of one rule set, each with its offset from the line of the rule set."""
    ordered = sorted(plans, key=lambda plan: list(_NAMES).index(plan.how))
    return [(plan, 0.18 * (i - (len(ordered) - 1) / 2)) for i, plan in enumerate(ordered)]
