"""What a solver knows of a position, in any game."""

from __future__ import annotations

from dataclasses import dataclass

from engine import Move


@dataclass(frozen=True, slots=True)
class ScoreBounds:
    """Bounds on the best score that can be reached: at least ``score``, by ``line``, at most ``upper_bound``.

    The line ends with its last gain, whatever is left in the stock then. ``nodes`` is how many positions
    were looked at.
    """

    score: int
    upper_bound: int
    line: tuple[Move, ...]
    nodes: int

    @property
    def proven(self) -> bool:
        """True when no line scores more."""
        return self.score == self.upper_bound
