"""What the solvers say of one game, as lines of text. Every line of moves was played through the engine."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine import Move, Record, find_game, replay
from engine.games.acesup import AcesUpState
from engine.games.klondike import KlondikeState
from solve.acesup import best_score
from solve.acesup_hints import hint_acesup
from solve.klondike import Verdict, solve_klondike
from solve.klondike_hints import hint_klondike
from solve.trial import FalseLine, score_after


def tell(game: Record, seconds: float) -> list[str] | None:
    """Return what a game is worth from where it stands, and how; None without a solver.

    :raises FalseLine: when the solver's moves don't do what it says.
    """
    solver = _SOLVERS.get(game.game)
    return [_head(game), *solver(game, seconds)] if solver else None


def tell_hint(game: Record) -> list[str] | None:
    """Return the next move from what a player sees, and what that is; None without hints."""
    adviser = _ADVISERS.get(game.game)
    if adviser is None:
        return None
    move, known = adviser(replay(game))
    return [_head(game), f"hint   {move or 'none: no move brings the game on'}", f"known  {known}"]


def _head(game: Record) -> str:
    score = find_game(game.game).score(replay(game))
    return f"game   {game.code}, moves made: {len(game.moves)}, score: {score}"


def _acesup(game: Record, seconds: float) -> list[str]:
    par = best_score(game, budget_s=seconds)
    best = f"{par.score}, proven"
    if not par.proven:
        best = f"at least {par.score}, at most {par.upper_bound}: not decided in {seconds:g} s"
    return [f"best   {best}", _checked(game, par.line, par.score), _effort(par.nodes)]


def _klondike(game: Record, seconds: float) -> list[str]:
    solution = solve_klondike(game, budget_s=seconds)
    if solution.verdict is Verdict.WON:
        line = _checked(game, solution.line, find_game(game.game).full_score)
        return ["can be won", line, _effort(solution.nodes)]
    told = (
        "can't be won, proven"
        if solution.verdict is Verdict.LOST
        else f"unknown: not decided in {seconds:g} s"
    )
    return [told, _effort(solution.nodes)]


def _checked(game: Record, line: Sequence[Move], score: int) -> str:
    if score_after(game, line) != score:
        raise FalseLine(f"{game}: the line does not give {score}")
    return f"moves  {' '.join(map(str, line)) or '–'}"


def _effort(nodes: int) -> str:
    return f"       {nodes:,} positions looked at"


def _hint_acesup(state: AcesUpState) -> tuple[Move | None, str]:
    left = len(state.stock)
    return hint_acesup(state), f"the table, and which {left} cards are in the stock; not their order"


def _hint_klondike(state: KlondikeState) -> tuple[Move | None, str]:
    down = sum(state.hidden)
    stock = len(state.stock) if state.pass_number == 1 else 0
    known = f"the table, and which {down + stock} cards are face down or not yet drawn; not where they are"
    return hint_klondike(state), known


_SOLVERS: dict[str, Callable[[Record, float], list[str]]] = {"acesup": _acesup, "klondike": _klondike}
_ADVISERS: dict[str, Callable[[Any], tuple[Move | None, str]]] = {
    "acesup": _hint_acesup,
    "klondike": _hint_klondike,
}
