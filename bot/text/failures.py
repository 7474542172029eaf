"""Why something was not done, in a sentence that says what to do instead."""

from __future__ import annotations

from bot.service import (
    AnalyseLater,
    BadDay,
    BadMoveInCode,
    ChallengeClosed,
    ChallengeFull,
    ChooseDiscard,
    CodeAlone,
    DailyAlreadyPlayed,
    DailyFirst,
    Finished,
    HiddenPlayer,
    ManyWaiting,
    NobodyElse,
    NoGame,
    NoPlayer,
    NoServer,
    NoSuchChallenge,
    NoSuchGame,
    NoTarget,
    NotFinished,
    NothingBetter,
    NothingToCompare,
    NothingToDiscard,
    NothingToFinish,
    NothingToRedo,
    NothingToUndo,
    NotInContest,
    NotInvited,
    NotWorkedOut,
    NotYours,
    NoWinnable,
    OwnGameFirst,
    SeedWithWinnable,
    ServiceError,
    ShareLater,
    StaleTable,
    StillBusy,
    TooFast,
    TooManyMoves,
    TooManyMovesInCode,
)
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
    Rank,
    Reason,
    RecordSyntaxError,
    RulesSyntaxError,
    SeedError,
    SolitaireError,
    SyntaxFault,
    UnknownGame,
)

_FAULTS: dict[type[ServiceError], str] = {
    NoGame: "fault-no-game",
    NoServer: "fault-no-server",
    NoSuchGame: "fault-no-such-game",
    NoTarget: "fault-move-target",
    NotYours: "fault-not-yours",
    Finished: "fault-finished",
    StaleTable: "fault-stale",
    TooManyMoves: "fault-too-many-moves",
    NothingToUndo: "fault-nothing-to-undo",
    NothingToRedo: "fault-nothing-to-redo",
    NothingToDiscard: "fault-nothing-to-discard",
    NothingToFinish: "fault-nothing-to-finish",
    ChooseDiscard: "fault-choose-discard",
    NotInContest: "fault-not-in-contest",
    DailyFirst: "fault-daily-first",
    DailyAlreadyPlayed: "fault-daily-spent",
    BadDay: "fault-bad-day",
    HiddenPlayer: "fault-hidden-player",
    CodeAlone: "fault-code-alone",
    SeedWithWinnable: "fault-certain-deal",
    NoWinnable: "fault-no-winnable",
    BadMoveInCode: "fault-code-move",
    TooManyMovesInCode: "fault-code-too-many-moves",
    ShareLater: "fault-share-later",
    NotFinished: "fault-not-finished",
    AnalyseLater: "fault-analyse-later",
    NoSuchChallenge: "fault-no-such-challenge",
    NotInvited: "fault-not-invited",
    ChallengeFull: "fault-challenge-full",
    ChallengeClosed: "fault-challenge-closed",
    NoPlayer: "fault-no-player",
    NobodyElse: "fault-nobody-else",
    OwnGameFirst: "fault-own-game-first",
    NothingToCompare: "fault-nothing-to-compare",
    TooFast: "fault-too-fast",
    StillBusy: "fault-busy",
    ManyWaiting: "fault-many-waiting",
    NotWorkedOut: "analysis-unknown",
    NothingBetter: "replay-no-best",
}

_SYNTAX: dict[type[SyntaxFault], str] = {
    MoveSyntaxError: "fault-move-syntax",
    SeedError: "fault-seed",
    RecordSyntaxError: "fault-record-syntax",
    RulesSyntaxError: "fault-rules-syntax",
    UnknownGame: "fault-unknown-game",
}


TEXT_MAX_CHARACTERS = 100  # of what was typed; errors carry no more

_MISSING_PILES = {"s": "illegal-no-stock", "d": "illegal-no-discard-pile", "c": "illegal-no-cell"}


def failure_text(texts: Texts, error: ServiceError | SolitaireError) -> str:
    """Return the sentence for an error that a user's own request caused."""
    if isinstance(error, IllegalMove):
        return _illegal(texts, error)
    if isinstance(error, ChooseDiscard):
        return _choose_discard(texts, error)
    if isinstance(error, SyntaxFault):
        return _syntax(texts, error)
    if isinstance(error, ServiceError):
        return texts(_FAULTS[type(error)], **_facts(texts, error))
    raise error


def _facts(texts: Texts, error: ServiceError) -> dict[str, str | int]:
    if isinstance(error, BadDay):
        return {"text": plain(error.text, TEXT_MAX_CHARACTERS)}
    if isinstance(error, DailyAlreadyPlayed):
        return {"time": str(error.ends_ms // 1000)}
    if isinstance(error, TooFast):  # rounded up: at that second it works for certain
        return {"time": str(-(-error.until_ms // 1000))}
    if isinstance(error, StillBusy):
        return {"work": error.work}
    if isinstance(error, BadMoveInCode):
        is_move = isinstance(error.cause, IllegalMove)
        why = failure_text(texts, error.cause) if is_move else texts("fault-code-no-move")
        return {"number": error.number, "move": quoted(error.text), "why": why}
    if isinstance(error, TooManyMovesInCode):
        return {"limit": error.limit}
    if isinstance(error, NoWinnable):
        looks = "yes" if error.is_looked_for else "no"
        return {"looks": looks, "rules": ", ".join(f"`{code}`" for code in error.presets) or "none"}
    if isinstance(error, (ShareLater, AnalyseLater)):
        return {"contest": "daily" if error.is_daily else "challenge"}
    return {}


def _illegal(texts: Texts, error: IllegalMove) -> str:
    facts = error.facts
    words = {name: card_text(fact) if isinstance(fact, Card) else fact for name, fact in facts.items()}
    pile = facts.get("pile")
    if isinstance(pile, str):
        words["pile"] = printable(pile)
        words["place"] = pile_name(texts, pile)
    key = f"illegal-{error.reason}"
    if error.reason is Reason.NO_SUCH_PILE and pile in _MISSING_PILES:
        key = _MISSING_PILES[pile]
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


def _syntax(texts: Texts, error: SyntaxFault) -> str:
    if isinstance(error, RecordSyntaxError) and any(mark in error.text for _, mark in SCALE):
        return texts("fault-record-daily")
    words = {"text": plain(error.text, TEXT_MAX_CHARACTERS)}
    if isinstance(error, UnknownGame):
        words["games"] = ", ".join(game_name(texts, key) for key in GAMES)
    if isinstance(error, RulesSyntaxError):
        words["game"] = game_name(texts, error.game)
        words["rules"] = ", ".join(f"`{code}`" for code in GAMES[error.game].presets)
    return texts(_SYNTAX[type(error)], **words)
