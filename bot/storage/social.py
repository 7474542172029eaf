"""What every store can do with challenges, daily posts, and all that is kept of one user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from bot.storage.base import LiveTable, NewGame, Status, StoredGame


@dataclass(frozen=True, slots=True)
class Participant:
    """Who takes part in a challenge, and how far they are; game 0 is not dealt yet."""

    user_id: int
    game_id: int = 0
    status: Status = Status.PLAYING
    score: int = 0
    moves: int = 0


@dataclass(frozen=True, slots=True)
class Challenge:
    """One deal for several players; ``deal`` is a record without moves. Entrants stand in their order."""

    id: int
    deal: str
    creator_id: int
    channel_id: int
    message_id: int
    language: str
    is_open: bool
    created_ms: int
    participants: tuple[Participant, ...] = ()


@dataclass(frozen=True, slots=True)
class DailyChannel:
    """Where a server's daily post goes, in which language, and who chose so.

    ``day`` is that of the last post, which was begun at ``begun_ms``. If ``is_done`` it has arrived, or
    ``trouble`` says why it can't, or what was wrong with it.
    """

    server_id: int
    channel_id: int
    language: str
    chosen_by: int
    day: str
    begun_ms: int = 0
    is_done: bool = True
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Played:
    """One of a user's games in short; ``deal`` is its record without moves.

    ``is_started`` says that at least one move was made, ``is_won`` that it was won at some time.
    """

    game_id: int
    deal: str
    status: Status
    score: int
    day: str
    is_started: bool
    is_won: bool
    is_copy: bool


class SocialStore(Protocol):
    """Keeps challenges and daily posts, and gives and deletes what there is of a user."""

    async def create_challenge(self, challenge: Challenge) -> Challenge:
        """Keep a new challenge with its entrants, and give it an id; ``challenge.id`` is not looked at."""

    async def load_challenge(self, challenge_id: int) -> Challenge | None:
        """Return the challenge of that id."""

    async def challenges_since(self, creator_id: int, since_ms: int) -> Sequence[int]:
        """Return when the user's challenges were made that are younger than ``since_ms``, the first first."""

    async def place_challenge(self, challenge_id: int, channel_id: int, message_id: int) -> None:
        """Note which message shows the challenge."""

    async def join_challenge(self, new: NewGame, limit: int) -> StoredGame:
        """Deal the owner's game in the challenge ``new.challenge_id``; make it current.

        Who was not named takes the next place, if there are fewer than ``limit``.

        :raises Taken: when the owner has a game there already, or there is no place left, or no challenge.
        """

    async def set_daily_channel(self, channel: DailyChannel) -> None:
        """Keep where a server's daily post goes, in place of what was kept."""

    async def daily_channel(self, server_id: int) -> DailyChannel | None:
        """Return where a server's daily post goes."""

    async def drop_daily_channel(self, server_id: int) -> bool:
        """Forget where a server's daily post goes; return whether there was such a channel."""

    async def claim_daily_post(self, day: str, now_ms: int) -> DailyChannel | None:
        """Return a channel that has no post of ``day`` yet, and note that its post is begun.

        None if all have one. Nobody else gets it then, unless nothing is noted of it for 20 seconds: then
        one other, until two minutes have passed. So a post may get lost, but does not come again and again.
        """

    async def note_daily_post(self, server_id: int, day: str, trouble: str = "") -> None:
        """Note that the post of ``day`` has arrived, or why it can't, or what was wrong with it.

        Nothing is noted where no post is begun, since the channel was chosen anew meanwhile.
        """

    async def put_back_daily_post(self, server_id: int, day: str) -> None:
        """Let a post of ``day`` that was begun, and of which nothing is noted, be due again."""

    async def played(self, owner_id: int) -> Sequence[Played]:
        """Return all the owner's games in short, the first dealt first."""

    async def game_on_deal(self, owner_id: int, deal: str) -> StoredGame | None:
        """Return the owner's last ended game of that deal."""

    async def games_of(self, owner_id: int, after: int, limit: int) -> Sequence[StoredGame]:
        """Return the owner's games with ids above ``after``, lowest first."""

    async def tables_of(self, owner_id: int) -> Mapping[int, LiveTable]:
        """Return where the controls of the owner's games are, by the games' ids."""

    async def challenges_of(self, user_id: int) -> Sequence[Challenge]:
        """Return the challenges that the user made or takes part in, without their entrants."""

    async def servers_of(self, user_id: int) -> Sequence[int]:
        """Return the servers in which the user is known to play."""

    async def channels_chosen_by(self, user_id: int) -> Sequence[DailyChannel]:
        """Return the daily posts that the user arranged."""

    async def forget(self, user_id: int, day: str, mark: str) -> None:
        """Delete all that is kept of the user.

        Where the user has, or had, a daily game of ``day``, ``mark`` is kept for it; its result stays on the
        board without a name until :meth:`tidy`.
        """

    async def tidy(self, day: str) -> None:
        """Delete what was kept only until ``day``: marks, and results without a user."""
