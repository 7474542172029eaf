"""Moves in words, from the table on which they are chosen: the same words in menus, lists and answers."""

from __future__ import annotations

from bot.text import Texts
from bot.text.cards import card_text, cards_text
from engine import Move, MoveKind, PileKind, Record, Table, find_game, states


def move_text(texts: Texts, table: Table, move: Move) -> str:
    """Return for example ``3 → 5: 9♤ on 10♥``. ``move`` must be legal on ``table``."""
    if move.kind is MoveKind.DEAL:
        return texts("move-deal")
    if move.kind is MoveKind.DRAW:
        return texts("move-draw")
    if move.kind is MoveKind.REDEAL:
        return texts("move-redeal")
    sources = [table.pile(name) for name in move.sources]
    source = sources[0]
    cards = [card for pile in sources for card in pile.cards[-move.count :] if card]
    if move.kind.is_discard:
        return texts("move-discard", cards=cards_text(cards), source=move.source)
    target = table.pile(move.target)
    if target.kind is PileKind.FOUNDATION:
        return texts("move-home", source=move.source, card=card_text(cards[0]))
    if target.kind is PileKind.CELL:
        return texts("move-cell", source=move.source, card=card_text(cards[0]))
    words: dict[str, str | int] = {
        "source": move.source,
        "target": move.target,
        "card": card_text(cards[0]),
        "more": len(cards) - 1,
    }
    if target.top:
        words["onto"] = card_text(target.top)
    run = "back-" if source.kind is PileKind.FOUNDATION else "run-" if len(cards) > 1 else ""
    key = f"move-{run}{'onto' if target.top else 'empty'}"
    return texts("move-back" if key == "move-back-onto" else key, **words)


def line_text(texts: Texts, record: Record) -> str:
    """Return all moves of a record, one after the other."""
    game = find_game(record.game)
    moves = [
        move_text(texts, game.table(state), move)
        for state, move in zip(states(record), record.moves, strict=False)
    ]
    return " · ".join(moves)
