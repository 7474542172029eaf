"""``python -m solve deal`` solves one game, ``survey`` many, ``figures`` compares with published figures.

Exit codes: 0; 1 when something failed; 2 for wrong arguments or a missing package; 130 after Ctrl-C.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from pathlib import Path

from engine import GAMES, SolitaireError
from engine.cards import GAME_NUMBER_MAX
from solve.measuring import commands
from solve.measuring.commands import UsageError
from solve.measuring.results import ResultsError
from solve.measuring.trial import FILLS, FORCED, HINTS, PHASES, SOLVE

FAILED, USAGE, INTERRUPTED = 1, 2, 130  # exit codes

_MOST_PROCESSES = 60  # Windows can't wait for more


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; return the exit code."""
    options = vars(_parser().parse_args(arguments))
    command: Callable[..., bool] = options.pop("command")
    try:
        return 0 if command(**options) else INTERRUPTED
    except (UsageError, SolitaireError) as error:
        print(error, file=sys.stderr)
        return USAGE
    except ResultsError as error:
        print(error, file=sys.stderr)
    except BrokenProcessPool:
        print(
            "A process died, perhaps from lack of memory: fewer of them (--processes) need less.",
            file=sys.stderr,
        )
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    return FAILED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m solve", description="Solve games, and measure solvers.")
    parsers = parser.add_subparsers(metavar="command", required=True)

    deal = parsers.add_parser("deal", help="what one game is worth, and the moves for it")
    deal.set_defaults(command=commands.deal)
    deal.add_argument(
        "words", nargs="+", metavar="record", help="such as acesup/standard/24, with moves or without"
    )
    _add_seconds(deal)
    deal.add_argument("--hint", action="store_true", help="give one move, from what a player sees")

    survey = parsers.add_parser(
        "survey", help="the same for a range of PySolFC numbers, as a table and a plot"
    )
    survey.set_defaults(command=commands.survey, how=SOLVE)
    survey.add_argument("key", metavar="game", help=" or ".join(GAMES))
    survey.add_argument("code", metavar="rules", help="standard, d1, d3p2r …")
    survey.add_argument("first", type=_number)
    survey.add_argument("last", type=_number)
    _add_seconds(survey)
    how = survey.add_mutually_exclusive_group()
    for name, text in (
        (HINTS, "follow the hints instead of solving"),
        (FORCED, "Aces Up: solve with every discard forced"),
        (PHASES, "Aces Up: play for the most discards before each deal"),
        (FILLS, "Aces Up: fill empty piles whenever possible"),
    ):
        how.add_argument(f"--{name}", dest="how", action="store_const", const=name, help=text)
    survey.add_argument(
        "--tsv", type=Path, metavar="FILE", help="write a line for each deal as it is finished"
    )
    survey.add_argument("--resume", action="store_true", help="continue that file")
    _add_output(survey)

    figures = parsers.add_parser("figures", help="published figures and ours, as a table and a plot")
    figures.set_defaults(command=commands.figures)
    figures.add_argument("--deals", type=_number, metavar="N", help="for each row, instead of its own number")
    figures.add_argument(
        "--tsv-dir", type=Path, metavar="DIR", help="store results there; those already there count"
    )
    figures.add_argument("--markdown", action="store_true", help="print the table as the README has it")
    _add_output(figures)
    return parser


def _add_seconds(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seconds", type=_seconds, default=10.0, help="processor time for each deal (default: %(default)g)"
    )


def _add_output(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--plot", type=Path, metavar="FILE", help="plot the results, as .png or .svg")
    parser.add_argument(
        "--processes",
        type=_processes,
        default=min(os.cpu_count() or 1, _MOST_PROCESSES),
        metavar="N",
        help="default: %(default)s",
    )


def _seconds(text: str) -> float:
    with suppress(ValueError):
        if 0 < float(text) < 1e6:
            return float(text)
    raise argparse.ArgumentTypeError(f"{text} is not a number of seconds")


def _processes(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= _MOST_PROCESSES):
        raise argparse.ArgumentTypeError(f"{text} is not a number from 1 to {_MOST_PROCESSES}")
    return int(text)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= GAME_NUMBER_MAX):
        raise argparse.ArgumentTypeError(f"{text} is not a whole number from 1 to {GAME_NUMBER_MAX}")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
