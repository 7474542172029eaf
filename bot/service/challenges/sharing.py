"""What a player tells others of a game, without telling them anything about its cards."""

from __future__ import annotations

from dataclasses import dataclass

from bot.service.contests import Contests
from bot.service.errors import ShareLater
from bot.service.turn import Turn
from bot.storage import Status
from engine import Record, find_game, states

DEALS = 12  # of four cards each, from the stock of Aces Up


@dataclass(frozen=True, slots=True)
class Share:
    """What may be told: ``deals`` is how a daily game went, deal by deal, and empty for any other.

    ``is_result`` says that the score may be told as the player's own.
    """

    turn: Turn
    deals: tuple[int | None, ...]
    is_result: bool


class Sharing:
    """Says what may be told."""

    def __init__(self, contests: Contests) -> None:
        self._contests = contests

    async def share(self, turn: Turn) -> Share:
        """Return what the player may tell of the game.

        :raises ShareLater: when the game is a contest that is still going for somebody.
        """
        game = turn.game
        if game.day and game.status is Status.PLAYING:
            raise ShareLater(is_daily=True)
        if game.challenge_id and not await self._contests.is_final(game.challenge_id):
            raise ShareLater(is_daily=False)
        deals = discards_by_deal(turn.position.record) if game.day else ()
        return Share(turn, deals, is_result=game.status is not Status.PLAYING and not game.is_copy)


def discards_by_deal(record: Record) -> tuple[int | None, ...]:
    """Return for each of the twelve deals how many cards were discarded until the next one.

    What was discarded before the first deal counts to the first. None stands for a later deal that the
    game did not come to.

    :raises IllegalMove: when the record breaks the rules.
    """
    game = find_game(record.game)
    counts = [0]
    before = 0
    for number, state in enumerate(states(record)):
        score = game.score(state)
        if number and record.moves[number - 1].kind.is_stock:
            counts.append(0)
        counts[-1] += score - before
        before = score
    told = (sum(counts[:2]), *counts[2:])
    return (*told, *[None] * (DEALS - len(told)))
