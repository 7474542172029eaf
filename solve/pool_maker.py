"""Makes the pools of :mod:`solve.pool`: tries the numbers 1, 2, 3 … and keeps the deals that it can win.

::

    python -m solve.pool_maker acesup standard 1200 --budget 0.2

writes ``solve/pools/acesup-standard.tsv`` with 1,200 deals, trying each for at most 0.2 seconds of processor
time. The pools were made like this, with numba, on one core:

======== ======== ====== ============ ================
game     rules    budget last number  mean moves
======== ======== ====== ============ ================
acesup   standard 0.2    2,405        71
acesup   aces     0.2    12,459       65
acesup   cell     0.5    1,215        78
acesup   pairs    0.5    1,340        65
klondike d1       0.3    1,316        229
klondike d3       0.2    1,534        163
klondike d1p3     0.3    1,463        151
klondike d1p1     0.2    5,033        110
klondike d3p1     0.2    45,263       95
======== ======== ====== ============ ================

A slower machine may miss a deal; every deal in a pool is proven by its line.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

from engine import Record
from solve import jobs
from solve.pool import pack

FOLDER = Path(__file__).parent / "pools"


def make(
    game: str, rules: str, count: int, *, first: int = 1, budget_s: float = 1.0
) -> Iterator[tuple[int, str]]:
    """Yield number and packed line of ``count`` deals that are won, from number ``first`` on.

    ``budget_s`` is the seconds of processor time for each deal.
    """
    number, found = first, 0
    while found < count:
        deal = Record(game, rules, str(number))
        line = jobs.find(deal.code, budget_s)
        if line is not None:
            found += 1
            yield number, pack(deal, Record.parse(f"{deal.code} {line}").moves)
        number += 1


def write(path: Path, deals: Iterator[tuple[int, str]]) -> None:
    """Write a pool, each deal as soon as it is found."""
    with path.open("w", encoding="ascii", newline="\n") as file:
        for number, packed in deals:
            file.write(f"{number}\t{packed}\n")
            file.flush()


def main(arguments: Sequence[str] | None = None) -> None:
    """Make the pool that the arguments name."""
    parser = argparse.ArgumentParser(prog="python -m solve.pool_maker", description="Makes a pool of deals.")
    parser.add_argument("game")
    parser.add_argument("rules")
    parser.add_argument("count", type=int)
    parser.add_argument("--first", type=int, default=1, help="the first number to try (default: %(default)s)")
    parser.add_argument(
        "--budget",
        type=float,
        default=1.0,
        help="seconds of processor time for a deal (default: %(default)s)",
    )
    options = parser.parse_args(arguments)
    deals = make(options.game, options.rules, options.count, first=options.first, budget_s=options.budget)
    write(FOLDER / f"{options.game}-{options.rules}.tsv", deals)


if __name__ == "__main__":
    main()
