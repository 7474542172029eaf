"""What is stored, as dataclasses. Dataclasses come out of a store, never rows.

Times are integer milliseconds since 1970 in UTC and named ``…_ms``. Ids of users, servers, channels, messages
and requests are Discord's. A day is an ISO date, such as ``2026-12-24``; dates compare as texts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

LARGEST_ID = 2**63 - 1  # BIGINT; nothing is ever found under a greater number

RuleSet = tuple[str, str]
"""A game's key and a canonical rules code."""


class Status(StrEnum):
    """Where a game stands. Undo leads out of ``WON`` and ``OVER`` again, but not out of the others.

    ``EXPIRED``: the day of a daily game ended before the game did, or the retention time of another game.
    """

    PLAYING = "playing"
    WON = "won"
    OVER = "over"
    GIVEN_UP = "given_up"
    EXPIRED = "expired"

    @property
    def is_final(self) -> bool:
        """True where no undo leads back into the game."""
        return self in (Status.GIVEN_UP, Status.EXPIRED)


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game to be stored. ``record`` is the text of an ``engine.Record``.

    ``day`` is the date of a daily game, else empty; ``day_mark`` identifies the owner on that day after they
    asked to be forgotten. ``challenge_id`` is the challenge it is dealt for, or 0. ``is_copy`` says that the
    first moves came from a pasted record and not from the owner.
    """

    owner_id: int
    record: str
    status: Status
    score: int
    request_id: int
    now_ms: int
    day: str = ""
    day_mark: str = ""
    challenge_id: int = 0
    is_copy: bool = False


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A stored game.

    ``undone`` has the moves that redo plays again, separated by blanks, next one first. ``revision`` grows
    by one with every change; ``request_id`` made the last one. ``won_record`` is the record by which the game
    was first won, whatever was undone since, or empty.
    """

    id: int
    owner_id: int
    record: str
    undone: str
    revision: int
    status: Status
    score: int
    request_id: int
    created_ms: int
    updated_ms: int
    day: str = ""
    challenge_id: int = 0
    is_copy: bool = False
    won_record: str = ""

    @property
    def is_contest(self) -> bool:
        """True for a daily game and one of a challenge: others play the same deal."""
        return bool(self.day or self.challenge_id)


@dataclass(frozen=True, slots=True)
class Settings:
    """A player's settings.

    ``language`` is one of Discord's locales, or empty to follow the player's Discord. With ``is_private``
    only the player sees the table; with ``as_text`` it is written instead of drawn. ``four_colours`` and
    ``large_index`` choose the deck. With ``is_hidden`` nobody else sees the player on boards or in
    statistics. With ``tells_lost`` the player is told when a game can no longer be won.
    """

    language: str = ""
    is_private: bool = False
    as_text: bool = False
    four_colours: bool = False
    large_index: bool = False
    is_hidden: bool = False
    tells_lost: bool = False


@dataclass(frozen=True, slots=True)
class LiveTable:
    """The message that has a game's controls; ``content_json`` is the front end's own."""

    channel_id: int
    message_id: int
    content_json: str


@dataclass(frozen=True, slots=True)
class DailyResult:
    """The score of a finished daily game. A negative ``user_id`` stands for a user who was forgotten."""

    day: str
    user_id: int
    game_id: int
    score: int


@dataclass(frozen=True, slots=True)
class BoardQuery:
    """Which board: the days from ``first`` to ``last``, both empty for all; of everyone or one server.

    ``user_id`` is who asks; ``limit`` is the length of the list.
    """

    first: str
    last: str
    user_id: int
    server_id: int | None = None
    limit: int = 10


@dataclass(frozen=True, slots=True)
class Standing:
    """A user's place on a board. Rank 1 is the best; equal scores share a rank, then there is a gap.

    ``score`` is the sum over ``days`` daily games.
    """

    user_id: int
    rank: int
    score: int
    days: int = 1


@dataclass(frozen=True, slots=True)
class Board:
    """The top of a board, the asker's own place, the number of players, and how often each score occurred.

    Players who hide are left out, except in ``own``, which is then where they would stand.
    """

    top: tuple[Standing, ...]
    own: Standing | None
    players: int
    scores: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class Participant:
    """A player of a challenge, and how far they are; game 0 is not dealt yet."""

    user_id: int
    game_id: int = 0
    status: Status = Status.PLAYING
    score: int = 0
    moves: int = 0


@dataclass(frozen=True, slots=True)
class Challenge:
    """One deal for several players; ``deal`` is a record without moves."""

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
    """Where a server's daily post goes, in which language, and who chose that.

    ``day`` is that of the last post, which was begun at ``begun_ms``. With ``is_done`` it has arrived, or
    ``trouble`` says why it couldn't.
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
    """The summary of a game; ``deal`` is its record without moves.

    ``is_started``: at least one move was made. ``is_won``: it was won at some time.
    """

    game_id: int
    deal: str
    status: Status
    score: int
    day: str
    is_started: bool
    is_won: bool
    is_copy: bool
