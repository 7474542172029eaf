"""``python -m bot migrate-store FROM TO``: copies all games into another database, and compares both.

It says how far it is: with a bar on a terminal, in lines now and then elsewhere. See ``docs/moving.md``.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from bot.storage.addresses import shown
from bot.storage.base import StoreError
from bot.storage.moving import Moved, Progress, move

TROUBLE = 1
_PAUSE_S = 10.0  # between two lines
_SUM_SHOWN = 12  # of a sum's 64 digits


def migrate_store(source: str, target: str, *, is_copy: bool = False) -> int:
    """Move a store, and say what came of it and what to do next; return the exit code."""
    try:
        with _shown_progress() as progress:
            moved = asyncio.run(move(source, target, progress, is_copy=is_copy))
    except KeyboardInterrupt:
        return _fail("Stopped. What has been copied is kept: run the same again to go on from there.")
    except StoreError as error:
        return _fail(str(error))
    print("\n".join(_table(moved)))
    if moved.is_finished and is_copy:
        print(
            f"{shown(target)} has all that {shown(source)} had when this began. Keep it secret, as a backup."
        )
        return 0
    if moved.is_finished:
        print(f"All is moved. Set DATABASE_URL to the address of {shown(target)}, then start the bot.")
        return 0
    if moved.is_used:
        return _fail(
            f"Not finished, since a bot uses {shown(source)}, and what it writes now is not copied. Stop "
            "every bot, then run the same again: it takes a moment."
        )
    return _fail("Not finished, since not all is the same. Stop every bot, then run the same again.")


def _fail(why: str) -> int:
    print(why, file=sys.stderr)
    return TROUBLE


def _table(moved: Moved) -> Iterator[str]:
    """Yield the lines of a table: what both stores have."""
    line = "{:<18}{:>12}{:>12}  {:<13} {:<13} {}".format
    yield f"{moved.changed} rows were written or deleted. Rows, and the beginning of a SHA-256 over them:"
    yield line("", "from", "to", "from", "to", "").rstrip()
    for table in moved.tables:
        (here, sum_here), (there, sum_there) = table.source, table.target
        sums = (sum_here[:_SUM_SHOWN], sum_there[:_SUM_SHOWN])
        yield line(table.table, here, there, *sums, "same" if table.is_same else "DIFFERENT")


class _Pace:
    """How fast the rows of one stage go, from its beginning."""

    def __init__(self) -> None:
        self._stage, self._began_s = "", 0.0

    def begins(self, stage: str) -> bool:
        """Return whether another stage begins now; its rows are counted from here."""
        if stage == self._stage:
            return False
        self._stage, self._began_s = stage, time.monotonic()
        return True

    def say(self, done: int) -> str:
        """Return the rows a second so far."""
        passed_s = time.monotonic() - self._began_s
        return f"{done / passed_s:,.0f} rows/s" if passed_s else ""


class _Lines:
    """Progress as lines, the first and the last of each stage and some in between."""

    def __init__(self) -> None:
        self._pace = _Pace()
        self._said_s = 0.0

    def __call__(self, stage: str, table: str, done: int, total: int) -> None:
        """Say how far it is, unless that has just been said."""
        begins = self._pace.begins(stage)
        now_s = time.monotonic()
        if begins or done == total or now_s - self._said_s > _PAUSE_S:
            self._said_s = now_s
            print(
                f"{stage} {table}: {done:,} of {total:,} rows {self._pace.say(done)}".rstrip(),
                file=sys.stderr,
            )


@contextmanager
def _shown_progress() -> Iterator[Progress]:
    """Show how far a move is, while the block runs."""
    try:
        # Imported here because a bot on SQLite need not install it.
        import rich.console  # noqa: PLC0415
        import rich.progress as shown_by  # noqa: PLC0415
    except ModuleNotFoundError:
        yield _Lines()
        return
    console = rich.console.Console(stderr=True)
    if not console.is_terminal:
        yield _Lines()
        return
    pace = _Pace()
    columns = (
        shown_by.TextColumn("{task.description}"),
        shown_by.BarColumn(bar_width=20),
        shown_by.MofNCompleteColumn(),
        shown_by.TextColumn("{task.fields[pace]}"),
        shown_by.TimeRemainingColumn(),
    )
    with shown_by.Progress(*columns, console=console) as bar:
        task = bar.add_task("", total=None, pace="")

        def show(stage: str, table: str, done: int, total: int) -> None:
            if pace.begins(stage):
                bar.reset(task, total=total)
            bar.update(task, description=f"{stage} {table}", completed=done, total=total, pace=pace.say(done))

        yield show
