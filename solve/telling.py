"""What the solvers say of one game, as lines of text. Every line of moves was played through the engine."""

from __future__ import annotations

from engine import Move, Record, find_game, replay
from solve.acesup import best_score
from solve.trial import FalseLine, score_after


def tell(game: Record, seconds: float) -> list[str] | None:
    """Return what a game is worth from where it stands, and how; None without a solver."""
    if game.game == "acesup":
        return _acesup(game, seconds)
    return None


def tell_hint(game: Record) -> list[str] | None:
    """Return the next move from what a player sees, and what is known for it; None without hints."""
    return None


def _acesup(game: Record, seconds: float) -> list[str]:
    par = best_score(game, budget_s=seconds)
    if score_after(game, par.line) != par.score:
        raise FalseLine(f"{game}: the line does not give {par.score}")
    if par.proven:
        best = f"{par.score}, proven"
    else:
        best = f"at least {par.score}, at most {par.upper_bound}; not decided in {seconds:g} s"
    return [*_head(game), f"best   {best}", *_line(par.line), f"       {par.nodes:,} positions looked at"]


def _head(game: Record) -> list[str]:
    score = find_game(game.game).score(replay(game))
    return [f"game   {game.code}, {len(game.moves)} moves made, score {score}"]


def _line(line: tuple[Move, ...]) -> list[str]:
    return [f"moves  {' '.join(map(str, line)) or '–'}"]
