"""What is said about a turn."""

from __future__ import annotations

from bot.service import Turn, TurnAction
from bot.storage import Status, StoredGame
from bot.text import Texts
from bot.text.cards import cards_text
from bot.text.dates import date_text
from bot.text.moves import move_text
from bot.text.names import deal_names, game_name
from engine import Card, PileKind, Record

_ENDINGS = {
    Status.WON: "turn-won",
    Status.OVER: "turn-over",
    Status.GIVEN_UP: "turn-given-up",
    Status.EXPIRED: "turn-expired",
}
_WON_OR_LOST = {"klondike"}  # games of which nobody asks how near one came
_CONTEST_ENDINGS = {
    Status.WON: "turn-won-contest",
    Status.OVER: "turn-over-contest",
    Status.GIVEN_UP: "turn-given-up-contest",
    Status.EXPIRED: "turn-expired-contest",
}


def headline_text(texts: Texts, turn: Turn) -> str:
    """Return what was done, how the game ended if it did, and what was set aside: a line each."""
    is_copied = turn.action is TurnAction.DEALT and turn.game.is_copy
    ended = turn.game.status in _ENDINGS and not is_copied  # not by this player
    lines = (
        []
        if turn.action is TurnAction.GIVEN_UP or (ended and turn.action is TurnAction.SHOWN)
        else [_deed(texts, turn)]
    )
    if turn.is_winnable:
        lines.append(texts("turn-winnable"))
    if ended:
        score, full, moves = turn.table.score, turn.table.full_score, len(turn.position.record.moves)
        words: dict[str, str | int] = {"score": score, "full": full, "moves": moves}
        own = None
        if turn.game.day and turn.game.status is Status.EXPIRED:
            own = texts("turn-expired-daily", **words)
        elif turn.game.is_contest:  # without "/undo goes back"
            own = texts(_CONTEST_ENDINGS[turn.game.status], **words)
        elif turn.game.status is Status.OVER:  # what has come to an end differs: moving, or only discarding
            own = texts.find(f"turn-over-{turn.position.record.game}", **words)
        lines.append(own or texts(_ENDINGS[turn.game.status], **words))
        if turn.best is not None:
            lines.append(best_text(texts, turn))
        if turn.game.challenge_id:
            lines.append(texts("turn-ended-challenge"))
        elif turn.ends_ms:
            lines.append(texts("turn-ended-daily", time=str(turn.ends_ms // 1000)))
    if turn.is_first:
        lines.append(texts("turn-first"))
    if turn.set_aside is not None:
        lines.append(_set_aside(texts, turn.set_aside))
    return "\n".join(filter(None, lines))


def best_text(texts: Texts, turn: Turn) -> str:
    """Return how well the deal could have been played; nothing where it was won, or nothing is known."""
    best, score, full = turn.best, turn.table.score, turn.table.full_score
    if best is None or score == full:
        return ""
    if turn.position.record.game in _WON_OR_LOST:
        key = "turn-could-be-won" if best.score == full else "turn-could-not-be-won"
        return texts(key) if best.score == full or best.upper_bound < full else ""
    if best.score > score:
        key = "turn-best-proven" if best.proven else "turn-best-found"
        return texts(key, best=best.score, bound=best.upper_bound, score=score)
    return texts("turn-best-made") if best.proven else texts("turn-best-bound", bound=best.upper_bound)


def footer_text(texts: Texts, turn: Turn) -> str:
    """Return the game, the rules and the seed.

    For a daily game it is its day, and the seed once it is finished; for a challenge never the seed.
    """
    words = deal_names(texts, turn.position.record)
    if turn.game.day:
        words["date"] = date_text(texts, turn.game.day)
        return texts("turn-footer-daily" if turn.hides_seed else "turn-footer-daily-ended", **words)
    # The others in a challenge may still play: its card gives the code away when all have ended.
    is_hidden = turn.hides_seed or turn.game.challenge_id
    return texts("turn-footer-hidden" if is_hidden else "turn-footer", **words)


def label_text(texts: Texts, turn: Turn) -> str:
    """Return what stands for the seed on pictures of a contest, or nothing."""
    return contest_text(texts, turn.game)


def contest_text(texts: Texts, game: StoredGame) -> str:
    """Return what names the contest that a game belongs to, or nothing."""
    if game.day:
        return texts("picture-daily", date=date_text(texts, game.day))
    return texts("picture-challenge") if game.challenge_id else ""


def _set_aside(texts: Texts, game: StoredGame) -> str:
    """Return which game gave way; how far a contest's has come is nobody else's business."""
    if game.is_contest:
        return texts("turn-set-aside-daily" if game.day else "turn-set-aside-challenge")
    name = game_name(texts, Record.parse(game.record).game)
    return texts("turn-set-aside", game=name, score=game.score)


def _deed(texts: Texts, turn: Turn) -> str:
    if turn.action is TurnAction.HINTED:
        return _hint(texts, turn)
    if turn.action is TurnAction.DEALT and turn.game.challenge_id:
        return texts("turn-new-challenge")
    if turn.action is TurnAction.DEALT and turn.game.day:
        date, time = date_text(texts, turn.game.day), str(turn.ends_ms // 1000)
        return texts("turn-new-daily", date=date, time=time)
    if turn.action is TurnAction.DEALT and turn.game.is_copy:
        moves, score, full = len(turn.position.record.moves), turn.table.score, turn.table.full_score
        return texts("turn-new-copy", moves=moves, score=score, full=full)
    if turn.action is TurnAction.DEALT:
        return texts("turn-new")
    if turn.action is TurnAction.RESUMED:
        return texts("turn-resumed")
    if not turn.moves or turn.table_before is None:
        return texts("turn-shown")
    if turn.action is TurnAction.SHOWN:
        return texts("turn-shown-last", move=move_text(texts, turn.table_before, turn.moves[-1]))
    if turn.action is TurnAction.UNDONE:
        return texts("turn-undone", move=move_text(texts, turn.table, turn.moves[0]))
    if turn.action is TurnAction.REDONE:
        return texts("turn-redone", move=move_text(texts, turn.table_before, turn.moves[0]))
    return _moved(texts, turn)


def _hint(texts: Texts, turn: Turn) -> str:
    if turn.moves:
        return texts("turn-hint", move=move_text(texts, turn.table, turn.moves[0]))
    can_draw = any(move.kind.is_stock for move in turn.legal_moves)
    return texts("turn-no-hint-draw" if can_draw else "turn-no-hint")


def _moved(texts: Texts, turn: Turn) -> str:
    assert turn.table_before is not None
    move = turn.moves[0]
    if len(turn.moves) > 1:
        fresh = _new_cards(turn, PileKind.DISCARD)
        if len(fresh) == len(turn.moves):
            return texts("turn-discarded", count=len(fresh), cards=cards_text(fresh))
        return texts("turn-finished", count=len(turn.moves))
    words = f"**{move_text(texts, turn.table_before, move)}**"
    if all(pile.kind is not PileKind.STOCK or pile.name != move.source for pile in turn.table_before.piles):
        return words
    return texts("turn-drawn", move=words, cards=cards_text(_new_cards(turn)))


def _new_cards(turn: Turn, kind: PileKind | None = None) -> list[Card]:
    """Return the cards that this turn brought to light, pile by pile in the order in which they lie."""
    changed = turn.changed
    return [
        card
        for pile in turn.table.piles
        if kind in (None, pile.kind)
        for index, card in enumerate(pile.cards)
        if card and (pile.name, index) in changed
    ]
