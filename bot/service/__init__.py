"""What a user can ask for, in plain calls: no Discord, no pictures, no sentences."""

from bot.service.boards import Boards, BoardView, Period
from bot.service.daily import Daily
from bot.service.faults import (
    BadDay,
    ChooseDiscard,
    DailyFirst,
    DailySpent,
    Finished,
    HiddenPlayer,
    NoGame,
    NoServer,
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
from bot.service.own_data import Forgotten, OwnData
from bot.service.play import Play, Request
from bot.service.services import Services
from bot.service.stats import GroupStats, PlayerStats, Stats
from bot.service.turn import Deed, Position, Turn

__all__ = [
    "BadDay",
    "BoardView",
    "Boards",
    "ChooseDiscard",
    "Daily",
    "DailyFirst",
    "DailySpent",
    "Deed",
    "Finished",
    "Forgotten",
    "GroupStats",
    "HiddenPlayer",
    "NoGame",
    "NoServer",
    "NoSuchGame",
    "NoTarget",
    "NotInContest",
    "NotYours",
    "NothingToDiscard",
    "NothingToFinish",
    "NothingToRedo",
    "NothingToUndo",
    "OwnData",
    "Period",
    "Play",
    "PlayerStats",
    "Position",
    "Request",
    "ServiceFault",
    "Services",
    "StaleTable",
    "Stats",
    "TooManyMoves",
    "Turn",
]
