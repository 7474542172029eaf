"""What is said about a turn."""

from __future__ import annotations

from bot.service import Deed, Turn
from bot.storage import Status
from bot.text import Texts
from bot.text.cards import cards_text
from bot.text.moves import move_text
from bot.text.names import deal_names, game_name
from engine import PileKind, Record

_ENDINGS = {Status.WON: "turn-won", Status.OVER: "turn-over", Status.GIVEN_UP: "turn-given-up"}


def headline_text(texts: Texts, turn: Turn) -> str:
    """Return what was done, how the game ended if it did, and what was set aside: a line each."""
    ended = turn.game.status in _ENDINGS
    lines = [] if turn.deed is Deed.GIVEN_UP or (ended and turn.deed is Deed.SHOWN) else [_deed(texts, turn)]
    if ended:
        score, full, moves = turn.table.score, turn.table.full_score, len(turn.position.record.moves)
        lines.append(texts(_ENDINGS[turn.game.status], score=score, full=full, moves=moves))
    if turn.set_aside is not None:
        aside = Record.parse(turn.set_aside.record)
        lines.append(
            texts(
                "turn-set-aside",
                game=game_name(texts, aside.game),
                score=turn.set_aside.score,
                full=turn.table.full_score,
            )
        )
    return "\n".join(lines)


def footer_text(texts: Texts, turn: Turn) -> str:
    """Return the game, the rules and the seed."""
    return texts("turn-footer", **deal_names(texts, turn.position.record))


def _deed(texts: Texts, turn: Turn) -> str:
    match turn.deed:
        case Deed.DEALT:
            return texts("turn-new")
        case Deed.RESUMED:
            return texts("turn-resumed")
        case Deed.MOVED if turn.move and turn.seen:
            return _moved(texts, turn)
        case Deed.UNDONE if turn.move:
            return texts("turn-undone", move=move_text(texts, turn.table, turn.move))
        case Deed.REDONE if turn.move and turn.seen:
            return texts("turn-redone", move=move_text(texts, turn.seen, turn.move))
        case _:
            return texts("turn-shown")


def _moved(texts: Texts, turn: Turn) -> str:
    assert turn.move is not None
    assert turn.seen is not None
    words = f"**{move_text(texts, turn.seen, turn.move)}**"
    if turn.seen.pile(turn.move.source).kind is not PileKind.STOCK:
        return words
    fresh = [turn.table.pile(name).cards[index] for name, index in sorted(turn.changed)]
    return texts("turn-drawn", move=words, cards=cards_text(card for card in fresh if card))
