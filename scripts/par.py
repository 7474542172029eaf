"""Measures the Aces Up solver: what is proven within how many seconds of processor time.

    python -m scripts.par 1 200                 PySolFC numbers 1 … 200, `standard`, at most 10 s each
    python -m scripts.par 1 200 cell 60         another rule set, other seconds

Prints a line for each deal, last a summary. Install numba (the extra `fast`) to see it fast.
"""

from __future__ import annotations

import sys
import time

from engine import GAMES, Record, replay
from solve import best_score


def main(first: int, last: int, code: str, seconds: float) -> None:
    """Solve each deal and print what came of it; every line of moves is replayed."""
    best_score(Record("acesup", code, "1"), budget_nodes=10)  # compiles or loads what there is to
    times = []
    print("seed", "forced", "score", "bound", "nodes", "seconds", sep="\t")
    for seed in range(first, last + 1):
        record = Record("acesup", code, str(seed))
        start = time.process_time()
        par = best_score(record, budget_s=seconds)
        took = time.process_time() - start
        if GAMES["acesup"].score(replay(record.play(*par.line))) != par.score:
            raise AssertionError(record.code)
        times.append(took if par.proven else float("inf"))
        forced = best_score(record, forced=True).score
        print(seed, forced, par.score, par.upper_bound, par.nodes, f"{took:.3f}", sep="\t", flush=True)
    for limit in (1, 10, 60):
        if limit <= seconds:
            print(f"# proven within {limit} s: {sum(took <= limit for took in times)} of {len(times)}")


if __name__ == "__main__":
    _, first, last, code, seconds = (
        [*sys.argv, "standard", "10"][:5] if len(sys.argv) != 4 else [*sys.argv, "10"]
    )
    main(int(first), int(last), code, float(seconds))
