"""What can go wrong between a user and the rules. Each carries data; the sentences are in ``bot.text``.

ServiceFault
├── NoGame            there is no such game, or the user has none yet
├── NotYours          the game is somebody else's
├── Finished          the game has ended, so this can't be done in it
├── StaleTable        the game has moved on since the table that the user saw
├── NothingToUndo     the game stands at its deal
├── NothingToRedo     nothing was undone, or something else was played since
├── NothingToDiscard  no discard is possible now
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
    """There is no such game, or the user has none yet."""


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
