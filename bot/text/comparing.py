"""Two games on one deal, compared in words."""

from __future__ import annotations

from bot.service import Comparison
from bot.text import Texts
from bot.text.moves import move_text
from engine import Move, Table


def comparison_text(texts: Texts, comparison: Comparison, one: str, other: str) -> str:
    """Return both results and where the games parted; ``one`` and ``other`` are the players' names."""
    lines = [texts("compare-title")]
    for name, line in ((one, comparison.one), (other, comparison.other)):
        full = comparison.full_score
        lines.append(texts("compare-line", name=name, score=line.score, full=full, moves=line.moves))
    if comparison.are_same:
        return "\n".join([*lines, "", texts("compare-same")])
    lines += ["", parting_text(texts, comparison)]
    for name, line in ((one, comparison.one), (other, comparison.other)):
        played = _played(texts, comparison.table, line.next_move)
        lines.append(texts("compare-played", name=name, played=played))
    return "\n".join(lines)


def parting_text(texts: Texts, comparison: Comparison) -> str:
    """Return at which move the two games parted."""
    return texts("compare-parted", number=comparison.shared + 1)


def _played(texts: Texts, table: Table, move: Move | None) -> str:
    return texts("compare-ended") if move is None else move_text(texts, table, move)
