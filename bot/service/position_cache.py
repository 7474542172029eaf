"""Positions that were replayed lately, so that a turn need not replay its game from the deal."""

from __future__ import annotations

from cachetools import LRUCache

from bot.service.turn import Position
from engine import Record

MAX_KEPT = 1_000  # of some ten kilobytes


class PositionCache:
    """Positions by the text of their record. They can't be stale: a record says everything."""

    def __init__(self, max_kept: int = MAX_KEPT) -> None:
        self._kept: LRUCache[str, Position] = LRUCache(max_kept)

    def of(self, record: str) -> Position:
        """Return the position of a record.

        :raises ParseError: when the text is none.
        :raises IllegalMove: when a move of it is not legal.
        """
        position = self._kept.get(record)
        if position is None:
            position = self._kept[record] = Position.of(Record.parse(record))
        return position

    def keep(self, record: str, position: Position) -> None:
        """Keep a position that was reached by playing on, if it equals the replayed one.

        It doesn't where several moves were made at once: its ``before`` is not one move earlier.
        """
        earlier = self._kept.get(record.rpartition(" ")[0])  # without its last move
        if earlier is not None and earlier.table is position.before:
            self._kept[record] = position
