"""Files of results: a comment with the plan, the names of the columns, then a line for each deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, fields
from pathlib import Path
from typing import TextIO

from solve.measuring.trial import Plan, Trial

_COLUMNS = tuple(field.name for field in fields(Trial))


class ResultsError(Exception):
    """A file of results that can't be read, written or gone on with; the message is for the user."""


class Results:
    """A file of results that is being written."""

    def __init__(self, path: Path, file: TextIO) -> None:
        self._path = path
        self._file = file

    def add(self, trial: Trial) -> None:
        """Write one more result, at once.

        :raises ResultsError: when that fails.
        """
        with _told(self._path):
            self._file.write(_line(astuple(trial)))
            self._file.flush()


@contextmanager
def opened(path: Path) -> Iterator[Results]:
    """Open a file that was begun, to add to it.

    :raises ResultsError: when it can't be written.
    """
    with _told(path):
        file = path.open("a", encoding="utf-8", newline="")
    with file:
        yield Results(path, file)


def begin(path: Path, plan: Plan, *, resume: bool) -> tuple[Trial, ...]:
    """Return what the file has; a new one gets its head.

    :raises ResultsError: when it can't be written; without ``resume`` also when it has anything, with
        ``resume`` when that is of another plan.
    """
    with _told(path):
        if not path.exists() or not path.stat().st_size:
            path.write_text(f"# {plan}\n" + _line(_COLUMNS), encoding="utf-8", newline="")
            return ()
    if not resume:
        raise ResultsError(f"{path} exists: --resume goes on with it, or choose another name")
    known, trials = read(path)
    if str(known) != str(plan):
        raise ResultsError(f"{path} is of “{known}”, not of “{plan}”")
    with _told(path), path.open("r+b") as file:
        file.truncate(file.read().rfind(b"\n") + 1)
    return trials


def read(path: Path) -> tuple[Plan, tuple[Trial, ...]]:
    """Return the plan and the results, in the order of the numbers.

    :raises ResultsError: when the file is not one of results.
    """
    with _told(path):
        content = path.read_bytes()
    try:
        lines = content.decode("utf-8").split("\n")[:-1]  # behind the last line end: a line that was cut off
        mark, game, rules, how, *rest = lines[0].split()
        if mark != "#" or lines[1] != "\t".join(_COLUMNS):
            raise ValueError
        trials = {trial.number: trial for trial in map(_trial, lines[2:])}
        return Plan(game, rules, how, float(*rest)), tuple(trials[number] for number in sorted(trials))
    except (ValueError, IndexError, TypeError):
        raise ResultsError(f"{path} is not a file of results") from None


def _line(values: Sequence[object]) -> str:
    return "\t".join(f"{value:.3f}" if isinstance(value, float) else str(value) for value in values) + "\n"


def _trial(line: str) -> Trial:
    number, score, bound, forced, moves, nodes, ms = line.split("\t")
    return Trial(int(number), int(score), int(bound), int(forced), int(moves), int(nodes), float(ms))


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ResultsError(f"{path}: {error.strerror}") from None
