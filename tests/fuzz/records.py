"""A program that looks for texts on which reading a record or a pasted code fails, led by coverage.

    python -m tests.fuzz.records [FOLDER …] [-runs=N] [-max_len=BYTES] [-max_total_time=SECONDS]

The options are libFuzzer's, passed on by atheris. What is found is written to ``crash-…`` in the present
folder, or to ``-artifact_prefix=``. Without a folder it starts from real records; with one it starts from
that folder's files and keeps there what reached something new. atheris is there for CPython on Linux x86-64
only.

A failure is an error that is not of the engine or the service, a record that is not what it was after being
written and read, or more than a few steps of a game for each move of the text.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import atheris

with atheris.instrument_imports(include=["engine", "bot.service"], enable_loader_override=False):
    from bot.service import ServiceError
    from bot.service.games.codes import play_words, read_code
    from engine import GAMES, Game, Record, SolitaireError, replay

SEEDS = Path(__file__).parents[1] / "engine" / "data" / "playthroughs.tsv"
MAX_MOVES = 200

_steps = 0


def _count_steps() -> None:
    """Count every move that a game makes."""
    for game in GAMES.values():
        original = type(game)._apply

        def apply(self: Game[Any, Any], state: Any, move: Any, original: Any = original) -> Any:
            global _steps  # noqa: PLW0603 - a counter of the whole program
            _steps += 1
            return original(self, state, move)

        setattr(type(game), "_apply", apply)  # noqa: B010 - mypy knows it as a method


def try_one(data: bytes) -> None:
    """Read the bytes as a record and as a pasted code; surrogates stand for bytes that are not UTF-8."""
    global _steps  # noqa: PLW0603
    text = data.decode("utf-8", "surrogateescape")
    _steps = 0
    try:
        record = Record.parse(text)
        assert Record.parse(str(record)) == record, "written and read, it is another record"
        if len(record.moves) <= MAX_MOVES:
            replay(record)
    except SolitaireError:
        pass
    try:
        deal, words = read_code(text)
        position = play_words(deal, words, MAX_MOVES)
        assert Record.parse(str(position.record)) == position.record, "written and read, it is another game"
    except (SolitaireError, ServiceError):
        pass
    assert _steps <= 4 * min(len(text.split()), MAX_MOVES) + 200, f"{_steps} steps"


def main() -> None:
    """Fuzz as the options say."""
    options = sys.argv[1:]
    _count_steps()
    with tempfile.TemporaryDirectory() as folder:
        if all(option.startswith("-") for option in options):
            for number, line in enumerate(SEEDS.read_text("utf-8").splitlines()[1:]):
                Path(folder, str(number)).write_text(line.split("\t")[2][:300], "utf-8")
            options = [folder, *options]
        atheris.Setup([sys.argv[0], *options], try_one)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
