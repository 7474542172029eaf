"""Hints for positions: the solvers' quick ones, as the tests use them to come forward in a game."""

from __future__ import annotations

import solve
from bot.service import Position
from engine import Move


def advise(at: Position) -> Move | None:
    return solve.quick_hint(at.record, at.state)


def by_use(at: Position) -> list[Move]:
    return solve.by_use(at.table, at.legal_moves)
