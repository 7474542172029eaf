"""Two games on one deal side by side: what each came to, and where they parted."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from bot.service.errors import NobodyElse, NothingToCompare, OwnGameFirst
from bot.service.games.requests import Request
from bot.service.games.service import GameService
from bot.storage import Status, Store, StoredGame
from engine import Move, Record, Table, find_game, replay, states


@dataclass(frozen=True, slots=True)
class Line:
    """One of the two games: ``next_move`` is what was played where they parted, None if it ended there."""

    score: int
    moves: int
    next_move: Move | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two games on the same deal, which went the same way for ``shared`` moves, up to ``table``."""

    one: Line
    other: Line
    full_score: int
    shared: int
    table: Table

    @property
    def are_same(self) -> bool:
        """True when they are the same move by move."""
        return self.one.moves == self.other.moves == self.shared


class Comparing:
    """Finds the games that users compare."""

    def __init__(self, store: Store, games: GameService) -> None:
        self._store = store
        self._games = games

    async def pair(self, request: Request, friend_id: int) -> tuple[StoredGame, StoredGame]:
        """Return the user's current game, and the last ended one of a friend on the same deal.

        Both have ended, so neither learns anything too early; that goes for today's daily game too.

        :raises NoGame: when the user has no game.
        :raises OwnGameFirst: when it has not ended.
        :raises NobodyElse: when the friend is the user.
        :raises NothingToCompare: when the friend has no such game, or does not want to be seen.
        """
        own = (await self._games.show(request)).game
        if own.status is Status.PLAYING:
            raise OwnGameFirst
        if friend_id == request.user_id:
            raise NobodyElse
        if (await self._store.load_settings(friend_id)).is_hidden:
            raise NothingToCompare
        other = await self._store.game_on_deal(friend_id, Record.parse(own.record).code)
        if other is None:
            raise NothingToCompare
        return own, other


def compare(one: Record, other: Record) -> Comparison:
    """Put two games side by side.

    :raises ValueError: when they are not of the same deal.
    :raises IllegalMove: when a record breaks the rules.
    """
    if one.code != other.code:
        raise ValueError(f"{one.code} is not the deal of {other.code}")
    game = find_game(one.game)
    shared = 0
    for mine, theirs in zip(one.moves, other.moves, strict=False):
        if mine != theirs:
            break
        shared += 1
    parting = next(islice(states(one), shared, None))
    table = game.table(parting)
    return Comparison(_line(one, shared), _line(other, shared), table.full_score, shared, table)


def _line(record: Record, shared: int) -> Line:
    score = find_game(record.game).score(replay(record))
    return Line(score, len(record.moves), next(iter(record.moves[shared:]), None))
