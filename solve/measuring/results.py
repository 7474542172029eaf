"""Result files: a comment with the plan, the names of the columns, then a line for each deal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, fields
from pathlib import Path
from typing import TextIO

from solve.measuring.trial import Plan, Trial

_COLUMNS = tuple(field.name for field in fields(Trial))


class ResultsError(Exception):
    """A result file can't be read, written or continued; the message is for the user."""


class Results:
    """A result file that is being written."""

    def __init__(self, path: Path, file: TextIO) -> None:
        self._path = path
        self._file = file

    def add(self, trial: Trial) -> None:
        """Write one more result at once.

        :raises ResultsError: when that fails.
        """
        with _naming_the_file(self._path):
            self._file.write(_line(astuple(trial)))
            self._file.flush()


@contextmanager
def opened(path: Path) -> Iterator[Results]:
    """Open a file that was begun, to append to it.

    :raises ResultsError: when it can't be written.
    """
    with _naming_the_file(path):
        file = path.open("a", encoding="utf-8", newline="")
    with file:
        yield Results(path, file)


def begin(path: Path, plan: Plan, *, resume: bool) -> tuple[Trial, ...]:
    """Return the results in the file; write the head of a new one.

    :raises ResultsError: when it can't be written; without ``resume``, when it is not empty; with ``resume``,
        when its plan is another.
    """
    with _naming_the_file(path):
        if not path.exists() or not path.stat().st_size:
            path.write_text(f"# {plan}\n" + _line(_COLUMNS), encoding="utf-8", newline="")
            return ()
    if not resume:
        raise ResultsError(f"{path} exists: continue it with --resume, or choose another name")
    known, trials = read(path)
    if str(known) != str(plan):
        raise ResultsError(f"{path} has results of “{known}”, not of “{plan}”")
    with _naming_the_file(path), path.open("r+b") as file:
        file.truncate(file.read().rfind(b"\n") + 1)
    return trials


def read(path: Path) -> tuple[Plan, tuple[Trial, ...]]:
    """Return the plan and the results, in the order of the numbers.

    :raises ResultsError: when it is not a result file.
    """
    with _naming_the_file(path):
        content = path.read_bytes()
    try:
        lines = content.decode("utf-8").split("\n")[:-1]  # the last may have been cut off
        mark, game, rules, how, *rest = lines[0].split()
        if mark != "#" or lines[1] != "\t".join(_COLUMNS):
            raise ValueError
        trials = {trial.number: trial for trial in map(_trial, lines[2:])}
        return Plan(game, rules, how, float(*rest)), tuple(trials[number] for number in sorted(trials))
    except (ValueError, IndexError, TypeError):
        raise ResultsError(f"{path} is not a result file") from None


def _line(values: Sequence[object]) -> str:
    return "\t".join(f"{value:.3f}" if isinstance(value, float) else str(value) for value in values) + "\n"


def _trial(line: str) -> Trial:
    number, score, bound, forced, moves, nodes, ms = line.split("\t")
    return Trial(int(number), int(score), int(bound), int(forced), int(moves), int(nodes), float(ms))


@contextmanager
def _naming_the_file(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ResultsError(f"{path}: {error.strerror}") from None
