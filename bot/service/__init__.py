"""What a user can ask for, in plain calls: no Discord, no pictures, no sentences."""

from bot.service.daily import Daily
from bot.service.faults import (
    ChooseDiscard,
    DailyFirst,
    DailySpent,
    Finished,
    NoGame,
    NoSuchGame,
    NoTarget,
    NothingToDiscard,
    NothingToFinish,
    NothingToRedo,
    NothingToUndo,
    NotInContest,
    NotYours,
    ServiceFault,
    StaleTable,
    TooManyMoves,
)
from bot.service.play import Play, Request
from bot.service.turn import Deed, Position, Turn

__all__ = [
    "ChooseDiscard",
    "Daily",
    "DailyFirst",
    "DailySpent",
    "Deed",
    "Finished",
    "NoGame",
    "NoSuchGame",
    "NoTarget",
    "NotInContest",
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
