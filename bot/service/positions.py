"""Positions that were played through lately, so that a turn need not play its game through from the deal."""

from __future__ import annotations

from collections import OrderedDict

from bot.service.turn import Position
from engine import Record

_MAX_KEPT = 1_000  # of some ten kilobytes


class Positions:
    """Positions by the text of their record. A record is the whole truth, so none can be out of date."""

    def __init__(self, max_kept: int = _MAX_KEPT) -> None:
        self._max_kept = max_kept
        self._kept: OrderedDict[str, Position] = OrderedDict()

    def of(self, record: str) -> Position:
        """Return the position of a record.

        :raises SyntaxFault: when the text is none.
        :raises IllegalMove: when a move of it is not legal.
        """
        position = self._kept.get(record)
        if position is None:
            position = self._kept[record] = Position.of(Record.parse(record))
            self._drop()
        else:
            self._kept.move_to_end(record)
        return position

    def keep(self, record: str, position: Position) -> None:
        """Keep a position that was come to by playing on, if it is what playing through leads to.

        What it is not where several moves were made at once: ``before`` is one move earlier.
        """
        earlier = self._kept.get(record.rpartition(" ")[0])  # without its last move
        if earlier is not None and earlier.table is position.before:
            self._kept[record] = position
            self._drop()

    def _drop(self) -> None:
        while len(self._kept) > self._max_kept:
            self._kept.popitem(last=False)
