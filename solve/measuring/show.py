"""Tables and a progress bar in the terminal, with rich (the extra ``survey``)."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

_WIDTH = 150  # of a table that does not go to a terminal


class Bar:
    """A progress bar that counts deals."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task = progress.add_task("", total=None)

    def begin(self, title: str, total: int) -> None:
        """Start again at 0 of ``total``."""
        self._progress.reset(self._task, description=title, total=total)

    def count(self, _done: object) -> None:
        """Count one more."""
        self._progress.advance(self._task)


@contextmanager
def bar() -> Iterator[Bar]:
    """Show a progress bar on standard error."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        _Rate(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as progress:
        yield Bar(progress)


class _Rate(ProgressColumn):
    def render(self, task: Task) -> Text:
        """Return deals a second."""
        return Text(f"{task.speed:.1f} deals/s" if task.speed else "starting", style="cyan")


def table(title: str, lines: Iterable[Sequence[str]], heads: Sequence[str] = ()) -> None:
    """Print a table."""
    shown = Table(title=title, title_justify="left", show_header=bool(heads))
    lines = list(lines)
    for head in heads or [""] * max(map(len, lines), default=0):
        shown.add_column(head)
    for line in lines:
        shown.add_row(*map(Text, line))
    Console(width=None if sys.stdout.isatty() else _WIDTH).print(shown)
