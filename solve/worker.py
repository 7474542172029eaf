"""A process that does jobs for another one: ``python -m solve.worker NICENESS``.

A question is a pickled function without arguments, on standard input. Its answer, on what was standard
output, is a pickled pair: what the function returned and "", or None and the traceback of what it raised,
without its message.
Whoever asks has one question open at a time. When the input ends the process does too, whatever it is doing:
so it outlives nobody who asks, however that one ends.
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
    """Give way to other processes by so much, and answer until the input ends."""
    for unwanted in (signal.SIGINT, signal.SIGTERM):  # they are for whoever asks, who then closes the input
        signal.signal(unwanted, signal.SIG_IGN)
    with suppress(OSError):  # where that is forbidden, jobs are done all the same
        os.nice(niceness)
    answers = os.dup(1)
    os.dup2(2, 1)  # so that nothing a job may print gets between the answers
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
        except Exception as error:  # noqa: BLE001 - a function that can't be found is answered as one that fails
            questions.put(_raising(error))


def _raising(error: Exception) -> Callable[[], Any]:
    def job() -> None:
        raise error

    return job


def _answered(job: Callable[[], Any]) -> bytes:
    try:
        return pickle.dumps((job(), ""))
    except Exception as error:  # noqa: BLE001 - whatever it is, whoever asked is waiting
        return pickle.dumps((None, _trace(error)))


def _trace(error: Exception) -> str:
    """Return where something was raised, and its class; the message may quote a text of a player."""
    frames = traceback.format_tb(error.__traceback__)
    return "".join(("Traceback (most recent call last):\n", *frames, type(error).__qualname__))


def _write(answers: int, answer: bytes) -> None:
    try:
        with os.fdopen(answers, "wb", closefd=False) as file:
            file.write(answer)
    except OSError:  # nobody waits for it any more
        os._exit(0)


if __name__ == "__main__":
    main(int(sys.argv[1]))
