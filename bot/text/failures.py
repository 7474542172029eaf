"""Why something was not done, in a sentence that says what to do instead."""

from __future__ import annotations

from bot.service import ChooseDiscard, ServiceError
from bot.service.errors import Fact
from bot.text import Texts
from bot.text.cards import card_text, rank_text
from bot.text.moves import move_text
from bot.text.names import game_name, pile_name, plain, printable, quoted
from bot.text.sharing import SCALE
from engine import (
    GAMES,
    Card,
    IllegalMove,
    MoveSyntaxError,
    ParseError,
    PileKind,
    Rank,
    Reason,
    RecordSyntaxError,
    RulesSyntaxError,
    SolitaireError,
    UnknownGame,
    pile_kind,
)

TEXT_MAX_CHARACTERS = 100  # of what was typed; errors carry no more

_MISSING_PILES: dict[PileKind | None, str] = {
    PileKind.STOCK: "illegal-no-stock",
    PileKind.DISCARD: "illegal-no-discard-pile",
    PileKind.CELL: "illegal-no-cell",
}


def failure_text(texts: Texts, error: ServiceError | SolitaireError) -> str:
    """Return the sentence for an error that a user's own request caused."""
    if isinstance(error, IllegalMove):
        return _illegal(texts, error)
    if isinstance(error, ChooseDiscard):
        return _choose_discard(texts, error)
    if isinstance(error, ParseError):
        return _syntax(texts, error)
    if isinstance(error, ServiceError):
        return texts(error.key, **dict(_word(texts, name, fact) for name, fact in error.facts.items()))
    raise error


def _word(texts: Texts, name: str, fact: Fact) -> tuple[str, str | int]:
    """Return a fact as an argument of a message.

    Flags become ``yes`` and ``no``, several codes a list, or ``none``, and errors their own sentence. A
    moment, whose name ends in ``_ms``, becomes the first whole second that is not before it. Users' own text
    can't be Markdown any more; a move of it stands in backticks.
    """
    if isinstance(fact, bool):
        return name, "yes" if fact else "no"
    if isinstance(fact, tuple):
        return name, ", ".join(f"`{code}`" for code in fact) or "none"
    if isinstance(fact, IllegalMove):
        return name, failure_text(texts, fact)
    if isinstance(fact, MoveSyntaxError):
        return name, texts("fault-code-no-move")
    if isinstance(fact, str):
        return name, quoted(fact) if name == "move" else plain(fact, TEXT_MAX_CHARACTERS)
    if name.endswith("_ms"):
        return name.removesuffix("_ms"), str(-(-fact // 1000))
    return name, fact


def _illegal(texts: Texts, error: IllegalMove) -> str:
    facts = error.facts
    words = {name: card_text(fact) if isinstance(fact, Card) else fact for name, fact in facts.items()}
    pile = facts.get("pile")
    if isinstance(pile, str):
        words["pile"] = printable(pile)
        words["place"] = pile_name(texts, pile)
    key = f"illegal-{error.reason}"
    if error.reason is Reason.NO_SUCH_PILE and isinstance(pile, str):
        key = _MISSING_PILES.get(pile_kind(pile), key)
    card = facts.get("card")
    if isinstance(card, Card) and "end" in facts:
        if card.rank is Rank.KING:
            key += "-king"
        else:
            words["rank"] = rank_text(Rank(card.rank + 1))
            words["colour"] = texts("colour-black" if card.is_red else "colour-red")
    return texts(key, **words)


def _choose_discard(texts: Texts, error: ChooseDiscard) -> str:
    lines = [texts("fault-choose-discard")]
    for move in error.moves:
        words = move_text(texts, error.table, move)
        lines.append(texts("fault-choose-discard-line", pile=move.source, move=words))
    return "\n".join(lines)


def _syntax(texts: Texts, error: ParseError) -> str:
    if isinstance(error, RecordSyntaxError) and any(mark in error.text for _, mark in SCALE):
        return texts("fault-record-daily")
    words = {"text": plain(error.text, TEXT_MAX_CHARACTERS)}
    if isinstance(error, UnknownGame):
        words["games"] = ", ".join(game_name(texts, key) for key in GAMES)
    if isinstance(error, RulesSyntaxError):
        words["game"] = game_name(texts, error.game)
        words["rules"] = ", ".join(f"`{code}`" for code in GAMES[error.game].presets)
    return texts(f"fault-{error.key}", **words)
