"""``python -m bot migrate-store FROM TO``: copies all games into another database and compares the two.

Progress is shown as a bar on a terminal and as occasional lines elsewhere. See ``docs/moving.md``.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from bot.operations.exit_codes import FAILED
from bot.storage import StoreError
from bot.storage.addresses import shown
from bot.storage.transfer import Moved, Progress, move

_LINE_INTERVAL_S = 10.0
_DIGEST_DIGITS = 12  # of the 64 of a SHA-256


def migrate_store(source: str, target: str, *, is_copy: bool = False) -> int:
    """Copy a store, print the result and what to do next, and return the exit code."""
    try:
        with _shown_progress() as progress:
            moved = asyncio.run(move(source, target, progress, is_copy=is_copy))
    except KeyboardInterrupt:
        return _fail(
            "Stopped. What has been copied is kept: run the same command again to continue from there."
        )
    except StoreError as error:
        return _fail(str(error))
    print("\n".join(_table(moved)))
    if moved.is_finished and is_copy:
        print(
            f"{shown(target)} has all that {shown(source)} had when this began. Keep it secret, as a backup."
        )
        return 0
    if moved.is_finished:
        print(f"Everything is moved. Set DATABASE_URL to the address of {shown(target)}, then start the bot.")
        return 0
    if moved.is_used:
        return _fail(
            f"Not finished: a bot is using {shown(source)}, and what it writes now is not copied. Stop every"
            " bot, then run the same command again; it will not take long."
        )
    return _fail("Not finished: the two differ. Stop every bot, then run the same command again.")


def _fail(reason: str) -> int:
    print(reason, file=sys.stderr)
    return FAILED


def _table(moved: Moved) -> Iterator[str]:
    """Yield the lines of a table that compares the two stores."""
    line = "{:<18}{:>12}{:>12}  {:<13} {:<13} {}".format
    yield f"{moved.changed} rows were written or deleted. Row counts, and the start of a SHA-256 of the rows:"
    yield line("", "from", "to", "from", "to", "").rstrip()
    for table in moved.tables:
        (here, digest_here), (there, digest_there) = table.source, table.target
        digests = (digest_here[:_DIGEST_DIGITS], digest_there[:_DIGEST_DIGITS])
        yield line(table.table, here, there, *digests, "same" if table.is_same else "DIFFERENT")


class _Rate:
    """Measures the rows per second of one stage, from its start."""

    def __init__(self) -> None:
        self._stage, self._started_s = "", 0.0

    def is_new_stage(self, stage: str) -> bool:
        """Return whether another stage starts now, and if so, start measuring it."""
        if stage == self._stage:
            return False
        self._stage, self._started_s = stage, time.monotonic()
        return True

    def text(self, done: int) -> str:
        """Return the rows per second so far, or an empty text at the start."""
        elapsed_s = time.monotonic() - self._started_s
        return f"{done / elapsed_s:,.0f} rows/s" if elapsed_s else ""


class _ProgressLines:
    """Prints progress as lines: the first and the last of each stage, and some in between."""

    def __init__(self) -> None:
        self._rate = _Rate()
        self._printed_s = 0.0

    def __call__(self, stage: str, table: str, done: int, total: int) -> None:
        """Print the progress, unless that was done a moment ago."""
        is_new_stage = self._rate.is_new_stage(stage)
        now_s = time.monotonic()
        if is_new_stage or done == total or now_s - self._printed_s > _LINE_INTERVAL_S:
            self._printed_s = now_s
            print(
                f"{stage} {table}: {done:,} of {total:,} rows {self._rate.text(done)}".rstrip(),
                file=sys.stderr,
            )


@contextmanager
def _shown_progress() -> Iterator[Progress]:
    """Show progress while the block runs."""
    try:
        # Imported here because a bot on SQLite need not install it.
        import rich.console  # noqa: PLC0415
        import rich.progress  # noqa: PLC0415
    except ModuleNotFoundError:
        yield _ProgressLines()
        return
    console = rich.console.Console(stderr=True)
    if not console.is_terminal:
        yield _ProgressLines()
        return
    rate = _Rate()
    columns = (
        rich.progress.TextColumn("{task.description}"),
        rich.progress.BarColumn(bar_width=20),
        rich.progress.MofNCompleteColumn(),
        rich.progress.TextColumn("{task.fields[rate]}"),
        rich.progress.TimeRemainingColumn(),
    )
    with rich.progress.Progress(*columns, console=console) as bar:
        task = bar.add_task("", total=None, rate="")

        def show(stage: str, table: str, done: int, total: int) -> None:
            if rate.is_new_stage(stage):
                bar.reset(task, total=total)
            bar.update(
                task, description=f"{stage} {table}", completed=done, total=total, rate=rate.text(done)
            )

        yield show
