"""Reports what the solvers say of one game, in lines of text. All moves are checked by the engine."""

from __future__ import annotations

from collections.abc import Sequence

from engine import Move, Record, find_game, replay
from solve.bounds import ScoreBounds
from solve.measuring.trial import WrongLine, score_after
from solve.registry import solvers_of


def report(game: Record, seconds: float) -> list[str] | None:
    """Return what a game is still worth, and the moves for it; None without a solver.

    :raises WrongLine: when the solver's moves don't reach the score it says.
    """
    entry = solvers_of(game.game)
    if entry.solver is None:
        return None
    bounds = entry.solver(game, seconds)
    report_bounds = _best if entry.finds_best else _verdict
    return [
        _head(game),
        *report_bounds(game, bounds, seconds),
        f"       {bounds.nodes:,} positions looked at",
    ]


def report_hint(game: Record) -> list[str] | None:
    """Return a hint, and what it is based on; None without a hint player."""
    player = solvers_of(game.game).hint
    if player is None:
        return None
    hint = player(replay(game)) or "none: no move brings the game forward"
    known = "what the player has seen, and which cards are unseen; not where each of those is"
    return [_head(game), f"hint   {hint}", f"known  {known}"]


def _head(game: Record) -> str:
    score = find_game(game.game).score(replay(game))
    return f"game   {game.code}, moves made: {len(game.moves)}, score: {score}"


def _best(game: Record, bounds: ScoreBounds, seconds: float) -> list[str]:
    best = f"{bounds.score}, proven"
    if not bounds.proven:
        best = f"at least {bounds.score}, at most {bounds.upper_bound}: not decided in {seconds:g} s"
    return [f"best   {best}", _checked(game, bounds.line, bounds.score)]


def _verdict(game: Record, bounds: ScoreBounds, seconds: float) -> list[str]:
    full = find_game(game.game).full_score
    if bounds.score == full:
        return ["can be won", _checked(game, bounds.line, full)]
    lost = bounds.upper_bound < full
    return ["can't be won, proven" if lost else f"unknown: not decided in {seconds:g} s"]


def _checked(game: Record, line: Sequence[Move], score: int) -> str:
    if score_after(game, line) != score:
        raise WrongLine(f"{game}: the line does not reach {score}")
    return f"moves  {' '.join(map(str, line)) or '–'}"
