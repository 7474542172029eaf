"""What the bot asks of the solvers: functions of plain values, to be called in another process.

Deals and positions come as the text of a record. Budgets are seconds of processor time. Everything here can
be called with any record that is legal; where a game has no solver, there is nothing to tell.
"""

from __future__ import annotations

from collections.abc import Callable

from engine import Record
from solve import analysis
from solve.acesup import best_score
from solve.analysis import Analysis
from solve.par import Par


def warm_up() -> None:
    """Compile, or load, what the other jobs need."""
    for record in ("acesup/standard/1", "acesup/cell+pairs/1"):
        best(record, 0.05)


def best(record: str, budget_s: float) -> Par | None:
    """Return the best score that can be reached from where a game stands; None without a solver."""
    game = Record.parse(record)
    solver = _SOLVERS.get(game.game)
    return solver(game, budget_s) if solver else None


def hint(record: str) -> str | None:
    """Return a good move from where a game stands, as a player sees it, or None."""
    adviser = _ADVISERS.get(Record.parse(record).game)
    return adviser(record) if adviser else None


def analyse(record: str, budget_s: float) -> Analysis | None:
    """Return where a game was lost; None without a solver. The budget is for all positions together."""
    game = Record.parse(record)
    solver = _SOLVERS.get(game.game)
    return analysis.analyse(game, solver, budget_s) if solver else None


def _acesup(game: Record, budget_s: float) -> Par:
    return best_score(game, budget_s=budget_s)


_SOLVERS: dict[str, analysis.Solver] = {"acesup": _acesup}
_ADVISERS: dict[str, Callable[[str], str | None]] = {}
