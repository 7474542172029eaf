"""What the bot asks of the solvers: functions of plain values, to be called in another process.

Deals and positions come as the text of a record. Budgets are seconds of processor time. Everything here can
be called with any record that is legal; where a game has no solver, there is nothing to tell.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine import Move, Outcome, Record, find_game, replay
from solve import analysis
from solve.acesup import best_score
from solve.acesup_hints import hint_acesup
from solve.analysis import Analysis
from solve.klondike import Verdict, solve_klondike
from solve.klondike_hints import hint_klondike
from solve.par import Par


def warm_up() -> None:
    """Compile, or load, what the other jobs need."""
    for record in ("acesup/standard/1", "acesup/cell+pairs/1", "klondike/d3p1/1"):
        best(record, 0.05)
        hint(record)


def best(record: str, budget_s: float) -> Par | None:
    """Return the best score that can be reached from where a game stands; None without a solver."""
    game = Record.parse(record)
    solver = _SOLVERS.get(game.game)
    return solver(game, budget_s) if solver else None


def hint(record: str) -> str | None:
    """Return a good move from where a game stands, as a player sees it, or None."""
    game = Record.parse(record)
    adviser = _ADVISERS.get(game.game)
    move = adviser(replay(game)) if adviser else None
    return str(move) if move else None


def analyse(record: str, budget_s: float) -> Analysis | None:
    """Return where a game was lost; None without a solver. The budget is for all positions together."""
    game = Record.parse(record)
    solver = _SOLVERS.get(game.game)
    return analysis.analyse(game, solver, budget_s) if solver else None


def can_find(game: str) -> bool:
    """Return whether there is a solver of that game."""
    return game in _SOLVERS


def find(deal: str, budget_s: float) -> str | None:
    """Return moves that win a deal, as they stand in a record; None where none were found in time.

    Whatever the solver says, the moves have been played through: they do win.
    """
    par = best(deal, budget_s)
    if par is None:
        return None
    won = Record.parse(deal).play(*par.line)
    is_won = find_game(won.game).outcome(replay(won)) is Outcome.WON
    return " ".join(map(str, par.line)) if is_won else None


def _acesup(game: Record, budget_s: float) -> Par:
    return best_score(game, budget_s=budget_s)


def _klondike(game: Record, budget_s: float) -> Par:
    """Return the present score as the lower bound of a game that is not won, and one below the full score as
    the upper bound of one that is proven lost.
    """
    rules = find_game(game.game)
    found = solve_klondike(game, budget_s=budget_s)
    if found.verdict is Verdict.WON:
        return Par(rules.full_score, rules.full_score, found.line, found.nodes)
    is_lost = found.verdict is Verdict.LOST
    return Par(rules.score(replay(game)), rules.full_score - is_lost, (), found.nodes)


_SOLVERS: dict[str, analysis.Solver] = {"acesup": _acesup, "klondike": _klondike}
_ADVISERS: dict[str, Callable[[Any], Move | None]] = {"acesup": hint_acesup, "klondike": hint_klondike}
