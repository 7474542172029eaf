"""A process that runs jobs for another process: ``python -m solve.worker NICENESS``.

A question is a pickled function without arguments, on standard input. Its answer, on what was standard
output, is a pickled pair: what the function returned and "", or None and the traceback of the exception
without its message. Only one question may be open at a time. When the input ends, the process ends too,
whatever it is doing: so it never outlives its parent, however that ends.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any


def main(niceness: int) -> None:
    """Lower the priority by ``niceness``, then answer until the input ends."""
    for unwanted in (signal.SIGINT, signal.SIGTERM):  # they are for the parent, which then closes the input
        signal.signal(unwanted, signal.SIG_IGN)
    with suppress(OSError):  # where that is forbidden, jobs run all the same
        os.nice(niceness)
    answers = os.dup(1)
    os.dup2(2, 1)  # so that nothing a job prints gets between the answers
    questions: SimpleQueue[Callable[[], Any]] = SimpleQueue()
    threading.Thread(target=_read, args=(questions,), daemon=True).start()
    while True:
        _write(answers, _answered(questions.get()))


def _read(questions: SimpleQueue[Callable[[], Any]]) -> None:
    while True:
        try:
            questions.put(pickle.load(sys.stdin.buffer))
        except (EOFError, OSError):
            os._exit(0)
        except Exception as error:  # noqa: BLE001 - a function that can't be loaded counts as one that fails
            questions.put(_raising(error))


def _raising(error: Exception) -> Callable[[], Any]:
    def job() -> None:
        raise error

    return job


def _answered(job: Callable[[], Any]) -> bytes:
    try:
        return pickle.dumps((job(), ""))
    except Exception as error:  # noqa: BLE001 - whatever it is, the parent is waiting
        return pickle.dumps((None, _trace(error)))


def _trace(error: Exception) -> str:
    """Return where an exception was raised, and its class; its message may quote a player's text."""
    frames = traceback.format_tb(error.__traceback__)
    return "".join(("Traceback (most recent call last):\n", *frames, type(error).__qualname__))


def _write(answers: int, answer: bytes) -> None:
    try:
        with os.fdopen(answers, "wb", closefd=False) as file:
            file.write(answer)
    except OSError:  # the parent is gone
        os._exit(0)


if __name__ == "__main__":
    main(int(sys.argv[1]))
