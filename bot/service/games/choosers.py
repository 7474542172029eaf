"""Which moves a player means who names none: by the stock, by "discard", by "finish"."""

from __future__ import annotations

from bot.service.errors import ChooseDiscard, NothingToDiscard, NothingToFinish
from bot.service.turn import Position
from engine import IllegalMove, Move, PileKind, Reason
from engine.move import DISCARD_PILE, STOCK


def stock_move(at: Position) -> tuple[Move]:
    """Return what the stock does now: a draw, a redeal or a deal.

    :raises IllegalMove: when the game has no stock.
    """
    move = at.game.stock_move(at.state)
    if move is None:
        raise IllegalMove(Reason.NO_SUCH_PILE, pile=STOCK)
    return (move,)


def only_discard(at: Position) -> tuple[Move]:
    """Return the discard that is possible, if there is just one.

    :raises ChooseDiscard: when there are several.
    :raises NothingToDiscard: when there is none.
    :raises IllegalMove: when nothing is ever discarded here, or the game is over.
    """
    _check_discarding(at)
    if not at.discards:
        raise NothingToDiscard
    if len(at.discards) > 1:
        raise ChooseDiscard(at.table, at.discards)
    return (at.discards[0],)


def discard_chain(at: Position) -> tuple[Move, ...]:
    """Return every discard of a single card that follows from the last.

    :raises NothingToDiscard: when there is none.
    :raises IllegalMove: when nothing is ever discarded here, or the game is over.
    """
    _check_discarding(at)
    chain = at.discard_chain
    if not chain:
        raise NothingToDiscard
    return chain


def _check_discarding(at: Position) -> None:
    """Object to discarding where no card can be discarded whatever happens."""
    if at.outcome is not None:
        raise IllegalMove(Reason.GAME_OVER)
    if all(pile.kind is not PileKind.DISCARD for pile in at.table.piles):
        raise IllegalMove(Reason.NO_SUCH_PILE, pile=DISCARD_PILE)


def finish(at: Position) -> tuple[Move, ...]:
    """Return the moves that win for certain.

    :raises NothingToFinish: when there are none that do.
    """
    line = at.finish
    if not line:
        raise NothingToFinish
    return line
