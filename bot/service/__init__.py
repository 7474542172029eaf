"""What a user can ask for, in plain calls: no Discord, no pictures, no sentences."""

from bot.service.faults import (
    ChooseDiscard,
    Finished,
    NoGame,
    NoSuchGame,
    NoTarget,
    NothingToDiscard,
    NothingToFinish,
    NothingToRedo,
    NothingToUndo,
    NotYours,
    ServiceFault,
    StaleTable,
    TooManyMoves,
)
from bot.service.play import Play, Request
from bot.service.turn import Deed, Position, Turn

__all__ = [
    "ChooseDiscard",
    "Deed",
    "Finished",
    "NoGame",
    "NoSuchGame",
    "NoTarget",
    "NotYours",
    "NothingToDiscard",
    "NothingToFinish",
    "NothingToRedo",
    "NothingToUndo",
    "Play",
    "Position",
    "Request",
    "ServiceFault",
    "StaleTable",
    "TooManyMoves",
    "Turn",
]
