"""What a solver says of a position, in any game."""

from __future__ import annotations

from dataclasses import dataclass

from engine import Move


@dataclass(frozen=True, slots=True)
class Par:
    """What is known of the best score: it is at least ``score``, by ``line``, and at most ``upper_bound``.

    The line ends with its last gain; what is still in the stock then would gain nothing. ``nodes`` is how
    many positions were looked at.
    """

    score: int
    upper_bound: int
    line: tuple[Move, ...]
    nodes: int

    @property
    def proven(self) -> bool:
        """True when no line scores more."""
        return self.score == self.upper_bound
