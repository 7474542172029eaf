"""The commands of ``python -m solve``. Each returns False when Ctrl-C ended it early, with part of it done.

rich and matplotlib are imported where they are needed: solving one deal needs neither.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from engine import Record, find_game, replay
from solve.measuring import figures as published
from solve.measuring import results
from solve.measuring.facts import facts
from solve.measuring.report import report, report_hint
from solve.measuring.results import ResultsError
from solve.measuring.survey import Survey, run
from solve.measuring.trial import Plan, is_possible

_MOST_DEALS = 10_000_000
_PLOTS = (".png", ".svg")


class UsageError(Exception):
    """The arguments make no sense, or a package is missing; the message says which."""


def deal(words: Sequence[str], seconds: float, *, hint: bool) -> bool:
    """Print what a game is worth, or a hint.

    :raises SolitaireError: when the words are not a record, or one of its moves is illegal.
    :raises UsageError: when the game has no solver, or no hint player.
    """
    record = Record.parse(" ".join(words).strip("'\"` "))
    replay(record)
    lines = report_hint(record) if hint else report(record, seconds)
    if lines is None:
        raise UsageError(f"{record.game} has no {'hint player' if hint else 'solver'}")
    print("\n".join(lines))
    return True


def survey(
    key: str,
    code: str,
    first: int,
    last: int,
    *,
    how: str,
    seconds: float,
    processes: int,
    tsv: Path | None,
    resume: bool,
    plot: Path | None,
) -> bool:
    """Survey a range of numbers: print a table, draw a plot.

    :raises SolitaireError: when the game or the rule set does not exist.
    :raises ResultsError: when a file can't be read or written.
    :raises UsageError: for a range or file name that makes no sense, and when a package is missing.
    """
    game = find_game(key)
    plan = Plan(key, game.rules_code(game.parse_rules(code)), how, seconds)
    if not is_possible(plan):
        raise UsageError(f"{key} {plan.rules} has no “{how}”")
    if not first <= last < first + _MOST_DEALS:
        raise UsageError(f"{first} … {last} is not a range of 1 to {_MOST_DEALS:,} numbers")
    if resume and not tsv:
        raise UsageError("--resume continues the file that --tsv names")
    _check_output(plot)
    job = _Job(plan, range(first, last + 1), tsv)
    surveys, is_whole = _measured([job], processes, resume=resume)
    done = surveys.get(plan)
    if done:
        _table(str(plan), facts(done))
        _draw(plot, lambda plots, path: plots.of_survey(done, path))
    if not is_whole:
        kept = f"; they are in {tsv}, and --resume continues it" if tsv else ""
        print(
            f"interrupted after {len(done.trials) if done else 0:,} of {len(job.numbers):,} deals{kept}",
            file=sys.stderr,
        )
    return is_whole


def figures(
    *, deals: int | None, tsv_dir: Path | None, markdown: bool, processes: int, plot: Path | None
) -> bool:
    """Measure what others have published: print a table, draw a plot.

    :raises ResultsError: when a file can't be read or written.
    :raises UsageError: for a file name that makes no sense, and when a package is missing.
    """
    if deals and deals > _MOST_DEALS:
        raise UsageError(f"at most {_MOST_DEALS:,} deals")
    _check_output(plot)
    jobs = [
        _job(plan, deals or number, tsv_dir)
        for plan, number in {row.plan: row.deals for row in published.ROWS}.items()
    ]
    surveys, is_whole = _measured(jobs, processes, resume=True)
    rows = [row for row in published.ROWS if row.plan in surveys]
    if rows and markdown:
        print(published.markdown(rows, surveys))
    elif rows:
        lines = [published.cells(row, surveys[row.plan]) for row in rows]
        _table("Published figures and ours", lines, published.HEADS)
        print("\n".join(published.sources(rows)))
    if rows:
        _draw(plot, lambda plots, path: plots.of_figures(rows, surveys, path))
    if not is_whole:
        kept = f"; the results are in {tsv_dir}, and the same command continues" if tsv_dir else ""
        print(f"interrupted: the last row is short, and others are missing{kept}", file=sys.stderr)
    return is_whole


@dataclass(frozen=True, slots=True)
class _Job:
    """A plan, the numbers to measure, and the file for the results."""

    plan: Plan
    numbers: Sequence[int]
    tsv: Path | None


def _job(plan: Plan, deals: int, folder: Path | None) -> _Job:
    """Return the job for a row of the figures: the first numbers, and those in the file."""
    if folder is None:
        return _Job(plan, range(1, deals + 1), None)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ResultsError(f"{folder}: {error.strerror}") from None
    tsv = folder / f"{plan.game}-{plan.rules}-{plan.how}.tsv"
    known = results.read(tsv)[1] if tsv.exists() else ()
    numbers = {*range(1, deals + 1), *(trial.number for trial in known)}
    return _Job(plan, sorted(numbers), tsv)


def _measured(jobs: Sequence[_Job], processes: int, *, resume: bool) -> tuple[dict[Plan, Survey], bool]:
    """Do the jobs under a progress bar; return the surveys, and whether they are complete."""
    from solve.measuring import show  # noqa: PLC0415

    done = {}
    with show.bar() as bar:
        for i, job in enumerate(jobs, 1):
            bar.begin(f"{i}/{len(jobs)} {job.plan}" if len(jobs) > 1 else str(job.plan), len(job.numbers))
            found = run(
                job.plan, job.numbers, processes=processes, tsv=job.tsv, resume=resume, seen=bar.count
            )
            if found.trials:
                done[job.plan] = found
            if len(found.trials) < len(job.numbers):
                return done, False
    return done, True


def _table(title: str, lines: Sequence[Sequence[str]], heads: Sequence[str] = ()) -> None:
    from solve.measuring import show  # noqa: PLC0415

    show.table(title, lines, heads)


def _draw(path: Path | None, draw: Callable[[ModuleType, Path], None]) -> None:
    if path is None:
        return
    from solve.measuring import plot  # noqa: PLC0415

    try:
        draw(plot, path)
    except OSError as error:
        raise ResultsError(f"{path}: {error.strerror}") from None


def _check_output(plot: Path | None) -> None:
    """Raise now for what would fail after hours of measuring."""
    if plot and plot.suffix not in _PLOTS:
        raise UsageError(f"{plot}: a plot is a file in {' or '.join(_PLOTS)}")
    if plot and not os.access(plot if plot.exists() else plot.parent, os.W_OK):
        raise UsageError(f"{plot} can't be written")
    missing = [name for name in ("rich", *["matplotlib"] * bool(plot)) if find_spec(name) is None]
    if missing:
        raise UsageError(
            f"this needs {' and '.join(missing)}: scripts/setup dev, or pip install {' '.join(missing)}"
        )
