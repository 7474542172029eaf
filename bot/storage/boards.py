"""What every store can do with daily games and their boards.

A day is an ISO date, such as ``2026-12-24``; dates compare as texts. A user is on a server's board who has
played there and has not left it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.storage.base import DailyResult, StoredGame


@dataclass(frozen=True, slots=True)
class BoardQuery:
    """Which board: the days from ``first`` to ``last``, both empty for all; of everyone or one server.

    ``user_id`` is who asks. The best ``limit`` are wanted.
    """

    first: str
    last: str
    user_id: int
    server_id: int | None = None
    limit: int = 10


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a user stands: with ``rank`` 1 the best, the same for the same score, then a gap.

    ``score`` is the sum over ``days`` daily games.
    """

    user_id: int
    rank: int
    score: int
    days: int = 1


@dataclass(frozen=True, slots=True)
class Board:
    """The best, best first; the asker's own standing; how many there are; how often each score came.

    Who doesn't want to be seen is nowhere in it, except in ``own``, which is then where they would stand.
    """

    top: tuple[Standing, ...]
    own: Standing | None
    players: int
    scores: Mapping[int, int]


class BoardStore(Protocol):
    """Keeps what daily games scored."""

    async def daily_game(self, owner_id: int, day: str) -> StoredGame | None:
        """Return the owner's daily game of that day."""

    async def unsettled_dailies(self, before: str, limit: int) -> Sequence[StoredGame]:
        """Return daily games of days before that one which are still going."""

    async def board(self, query: BoardQuery) -> Board:
        """Return a board as it is now."""

    async def results_of(self, user_id: int) -> Sequence[DailyResult]:
        """Return the user's daily results, the first day first."""

    async def results_after(self, day: str, user_id: int, limit: int) -> Sequence[DailyResult]:
        """Return results in the order of day and user, from behind that of ``day`` and ``user_id`` on."""

    async def without_result(self, after: int, limit: int) -> Sequence[StoredGame]:
        """Return ended daily games with ids above ``after`` of which no result is kept, lowest first."""

    async def best_results(self, day: str, server_id: int | None) -> Sequence[DailyResult]:
        """Return the results, at most 25, of those with the day's best score who can be seen there."""

    async def enter_server(self, server_id: int, user_id: int) -> None:
        """Note that the user plays in that server."""

    async def leave_server(self, server_id: int, user_ids: Sequence[int]) -> None:
        """Take users off the boards of that server until they play there again."""

    async def unlist(self, user_ids: Sequence[int]) -> None:
        """Take users' results off all boards, until they choose settings again."""
