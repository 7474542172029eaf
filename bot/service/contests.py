"""Which challenges are still going, and who must not be told more of their deals meanwhile."""

from __future__ import annotations

from bot.clock import Clock
from bot.storage import Challenge, Participant, Status, Store
from engine import Record

MAX_PLAYERS = 10  # of an open challenge
JOINING_MS = 24 * 60 * 60 * 1000  # how long anybody can join one


def joins_until_ms(challenge: Challenge, now_ms: int) -> int:
    """Return until when anybody can join; 0 where nobody else can (any more)."""
    until_ms = challenge.created_ms + JOINING_MS
    has_room = len(challenge.participants) < MAX_PLAYERS or not all(
        one.game_id for one in challenge.participants
    )
    return until_ms if challenge.is_open and has_room and now_ms < until_ms else 0


def players_of(challenge: Challenge) -> tuple[Participant, ...]:
    """Return who is waited for: all who were named, or, in an open challenge, who has begun."""
    begun = tuple(entrant for entrant in challenge.participants if entrant.game_id)
    return begun if challenge.is_open else challenge.participants


def is_final(challenge: Challenge, now_ms: int) -> bool:
    """Return whether nothing can change any more: the deal may be known to everybody."""
    has_ended = all(entrant.status is not Status.PLAYING for entrant in players_of(challenge))
    return has_ended and not joins_until_ms(challenge, now_ms)


class Contests:
    """What is true of challenges, whoever asks."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    async def is_final(self, challenge_id: int) -> bool:
        """Return whether a challenge's deal may be known to everybody; that of one that is gone may."""
        challenge = await self._store.load_challenge(challenge_id)
        return challenge is None or is_final(challenge, self._clock())

    async def are_about(self, seed: str, user_id: int) -> bool:
        """Return whether the user takes part in a challenge that is still going, on the cards of ``seed``.

        The rules don't matter. Nor do others count: whoever challenged a friend who never plays would keep
        the cards from all for ever.
        """
        for challenge in await self._store.challenges_of(user_id):
            if Record.parse(challenge.deal).seed == seed and not await self.is_final(challenge.id):
                return True
        return False
