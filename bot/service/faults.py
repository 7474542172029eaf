"""What can go wrong between a user and the rules. Each carries data; the sentences are in ``bot.text``.

ServiceFault
├── NoGame            the user has none yet
├── NoSuchGame        there is no game of that id
├── NoTarget          a move says where from, but not where to
├── NotYours          the game is somebody else's
├── Finished          the game has ended, so this can't be done in it
├── StaleTable        the game has moved on since the table that the user saw
├── TooManyMoves      the game is longer than any that is kept
├── NothingToUndo     the game stands at its deal
├── NothingToRedo     nothing was undone, or something else was played since
├── NothingToDiscard  no discard is possible now
├── NothingToFinish   the game can't be played out for certain
├── NotInContest      a daily game or one of a challenge has no such help
├── DailyFirst        the seed is that of a daily game which the user has not finished
├── DailySpent        the user had today's attempt already, and asked to be forgotten since
├── NoServer          what is asked for belongs to a server, and this is none
├── BadDay            a text is no day that there has been
├── HiddenPlayer      somebody else does not want to be seen
└── ChooseDiscard     several are, and the user named none
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.service.turn import Turn
    from engine import Move, Table


class ServiceFault(Exception):
    """Root of the faults of this package."""


class NoGame(ServiceFault):
    """The user has no game yet."""


class NoSuchGame(ServiceFault):
    """There is no game of that id."""


class NoTarget(ServiceFault):
    """A move says where from, but not where to."""


class NotYours(ServiceFault):
    """The game is somebody else's; ``turn`` is where it stands."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        super().__init__(f"game {turn.game.id}")


class Finished(ServiceFault):
    """The game has ended."""


class NothingToUndo(ServiceFault):
    """The game stands at its deal."""


class NothingToRedo(ServiceFault):
    """Nothing was undone, or something else was played since."""


class NothingToDiscard(ServiceFault):
    """No discard is possible."""


class NothingToFinish(ServiceFault):
    """The game can't be played out for certain."""


class NotInContest(ServiceFault):
    """A daily game, or one of a challenge, is played without this."""


class DailyFirst(ServiceFault):
    """These would be the cards of a daily game that the user has not finished."""


class DailySpent(ServiceFault):
    """The user's attempt of today is among what was forgotten on their wish; the day ends at ``ends_ms``."""

    def __init__(self, ends_ms: int) -> None:
        self.ends_ms = ends_ms
        super().__init__()


class NoServer(ServiceFault):
    """What is asked for belongs to a server, and a direct message is none."""


class BadDay(ServiceFault):
    """``text`` is no day, or one that is yet to come."""

    def __init__(self, text: str) -> None:
        self.text = text
        super().__init__(text)


class HiddenPlayer(ServiceFault):
    """The statistics are those of somebody who does not want to be seen."""


class ChooseDiscard(ServiceFault):
    """Several discards are possible: ``moves``, on ``table``."""

    def __init__(self, table: Table, moves: tuple[Move, ...]) -> None:
        self.table = table
        self.moves = moves
        super().__init__(", ".join(map(str, moves)))


class StaleTable(ServiceFault):
    """The user acted on an outdated table; ``turn`` is the game as it is now."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        super().__init__(f"game {turn.game.id} is at revision {turn.game.revision}")


class TooManyMoves(ServiceFault):
    """The game is longer than any that is kept."""
