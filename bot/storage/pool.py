"""What every store can do with deals that are known to be winnable.

A rule set is a game's key and a canonical rules code; a deal of it is a number, PySolFC's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

RuleSet = tuple[str, str]


class PoolStore(Protocol):
    """Keeps deals that were found to be winnable. They belong to nobody."""

    async def add_winnable(self, rule_set: RuleSet, number: int, line: str) -> None:
        """Keep a deal, and moves that win it; one that is kept already stays as it is."""

    async def winnable_numbers(self, rule_set: RuleSet, limit: int) -> Sequence[int]:
        """Return the deals that are kept of a rule set, rising, at most ``limit``."""

    async def winnable_line(self, rule_set: RuleSet, number: int) -> str | None:
        """Return the moves that win a deal, or None where it is not kept."""

    async def winnable_counts(self) -> Mapping[RuleSet, int]:
        """Return how many deals are kept of each rule set that has any."""

    async def seeds_had(self, owner_id: int, rule_set: RuleSet, limit: int) -> Sequence[str]:
        """Return the seeds of the owner's games by those rules, the last dealt first, as records have them.

        At most the last ``limit`` games are looked at.
        """
