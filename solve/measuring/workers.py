"""Answers one question for many values, in several processes."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")


def ask_all(
    ask: Callable[[T], R], values: Iterable[T], prepare: Callable[[], None], processes: int
) -> Generator[R]:
    """Yield what ``ask`` returns for each value, as it comes; every process first calls ``prepare``.

    A single process is this one. When the iterator is closed, open questions are dropped and the processes
    end at once; they also end when this process does, however it ends.

    :raises BrokenProcessPool: when one of the processes died.
    """
    if processes == 1:
        prepare()
        yield from map(ask, values)
        return
    others = set(multiprocessing.active_children())
    # Not forked: the fork of a process with threads, such as one with a progress bar, can hang.
    pool = ProcessPoolExecutor(
        processes, multiprocessing.get_context("spawn"), initializer=_become_worker, initargs=(prepare,)
    )
    try:
        waiting = set[Future[R]]()
        for value in values:
            waiting.add(pool.submit(ask, value))
            if len(waiting) >= 2 * processes:  # each process has one at work and one ready
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                yield from (future.result() for future in done)
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            yield from (future.result() for future in done)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in set(multiprocessing.active_children()) - others:
            process.kill()


def _become_worker(prepare: Callable[[], None]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    threading.Thread(target=_end_with_parent, daemon=True).start()
    prepare()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
