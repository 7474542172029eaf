"""The registry: game key → its solver and its hint players.

A game's entry is made by one module or package of :mod:`solve.games`, which calls :func:`register`. All of
them are imported when the registry is first asked, in every process that asks it, so adding a game takes one
new file there and no edit of another.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

from engine import Move, Record
from solve.bounds import ScoreBounds

Solver = Callable[[Record, float], ScoreBounds]
"""Bounds the best score from the end of a record, within seconds of processor time."""

HintPlayer = Callable[[Any], Move | None]
"""Returns a good move in a state, or None. It may take seconds."""

QuickHintPlayer = Callable[[Record, Any], Move | None]
"""Returns a useful move in milliseconds, or None; it gets the record and the state at its end."""


@dataclass(frozen=True, slots=True)
class Solvers:
    """The entry of one game. Whatever it has none of is None.

    ``finds_best`` is False where the solver tells only whether the game can be won: then the lower bound of
    a game that can't is its present score. ``warm_up`` has codes of rules; solving and hinting one deal of
    each compiles, or loads, everything that any rules need.
    """

    solver: Solver | None = None
    hint: HintPlayer | None = None
    quick_hint: QuickHintPlayer | None = None
    finds_best: bool = True
    warm_up: tuple[str, ...] = ()


SOLVERS: dict[str, Solvers] = {}
"""What has been registered, by game key; ask :func:`solvers_of`."""


def register(game: str, entry: Solvers) -> None:
    """Register what solves and hints a game, by its key."""
    SOLVERS[game] = entry


def solvers_of(game: str) -> Solvers:
    """Return the entry of a game, an empty one where nothing is registered."""
    _import_games()
    return SOLVERS.get(game, Solvers())


@cache
def _import_games() -> None:
    package = import_module("solve.games")
    for module in iter_modules(package.__path__):
        import_module(f"{package.__name__}.{module.name}")
