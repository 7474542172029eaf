"""An analysis in words."""

from __future__ import annotations

from bot.service import Turn
from bot.text import Texts
from bot.text.moves import move_text
from bot.text.turns import best_text
from engine import find_game, states
from solve import Analysis

_MAX_DROPS = 8


def analysis_text(texts: Texts, turn: Turn, analysis: Analysis) -> str:
    """Return how well the deal could have been played, and which moves cost how much.

    ``turn`` is the game as it ended, with the best of its deal. Of more than eight moves the costliest are
    named.
    """
    lines = [texts("analysis-title"), best_text(texts, turn)]
    record = turn.position.record
    game, position = find_game(record.game), list(states(record))
    costliest = sorted(analysis.drops, key=lambda drop: drop.after - drop.before)[:_MAX_DROPS]
    for drop in sorted(costliest, key=lambda drop: drop.number):
        table = game.table(position[drop.number])
        words: dict[str, str | int] = {
            "number": drop.number + 1,
            "move": move_text(texts, table, record.moves[drop.number]),
            "better": move_text(texts, table, drop.better),
            "before": drop.before,
            "after": drop.after,
        }
        lost = "analysis-lost" if drop.before == turn.table.full_score else "analysis-drop"
        lines.append(texts(lost, **words))
    if len(analysis.drops) > _MAX_DROPS:
        lines.append(texts("analysis-more", count=len(analysis.drops) - _MAX_DROPS))
    if not analysis.drops:
        won = turn.table.score == turn.table.full_score
        lines.append(texts("analysis-won" if won else "analysis-nothing"))
    return "\n".join(filter(None, lines))
