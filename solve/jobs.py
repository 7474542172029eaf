"""What the bot asks of the solvers: functions of plain values, which can be called in another process.

Deals and positions are the text of a record, budgets are seconds of processor time. Any record will do whose
moves are legal; for a game without a solver the answer is None.
"""

from __future__ import annotations

from engine import GAMES, Outcome, Record, find_game, replay
from solve import analysis
from solve.analysis import Analysis
from solve.bounds import ScoreBounds
from solve.registry import solvers_of


def warm_up() -> None:
    """Compile, or load, what the other jobs need."""
    for game in GAMES:
        for rules in solvers_of(game).warm_up:
            record = Record(game, rules, "1").code
            best(record, 0.05)
            hint(record)


def best(record: str, budget_s: float) -> ScoreBounds | None:
    """Return bounds on the best score that can be reached from the end of a record."""
    game = Record.parse(record)
    solver = solvers_of(game.game).solver
    return solver(game, budget_s) if solver else None


def hint(record: str) -> str | None:
    """Return a good move at the end of a record, chosen by what the player sees, or None."""
    game = Record.parse(record)
    player = solvers_of(game.game).hint
    move = player(replay(game)) if player else None
    return str(move) if move else None


def analyse(record: str, budget_s: float) -> Analysis | None:
    """Return where a game was lost. The budget is for all positions together."""
    game = Record.parse(record)
    solver = solvers_of(game.game).solver
    return analysis.analyse(game, solver, budget_s) if solver else None


def can_find(game: str) -> bool:
    """Return whether the game has a solver."""
    return solvers_of(game).solver is not None


def find(deal: str, budget_s: float) -> str | None:
    """Return moves that win a deal, as they are written in a record; None where none were found in time.

    The moves are played through, so they win even if the solver is wrong.
    """
    bounds = best(deal, budget_s)
    if bounds is None:
        return None
    won = Record.parse(deal).play(*bounds.line)
    is_won = find_game(won.game).outcome(replay(won)) is Outcome.WON
    return " ".join(map(str, bounds.line)) if is_won else None
