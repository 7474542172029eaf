"""What every store can do with games, in the words of the domain. Dataclasses come out, never rows.

Times are integer milliseconds since 1970 in UTC and named ``…_ms``. Ids of users and requests are
Discord's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

LARGEST_ID = 2**63 - 1  # BIGINT; nothing is ever found under a greater number


class Status(StrEnum):
    """Where a game stands. A game can leave ``WON`` and ``OVER`` again by undo, but not the others.

    ``EXPIRED`` is a game that time has ended: a daily game whose day was over before the game was, or any
    other that nobody touched for as long as unfinished games are kept.
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
    """A game to be kept. ``record`` is the text of an ``engine.Record``.

    ``day`` is the date of the daily game that this is, or empty; ``day_mark`` is what the owner is known by
    for that day after asking to be forgotten. ``challenge_id`` is the challenge that it is dealt for, or 0.
    ``is_copy`` says that the first moves came from a text and not from the owner.
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
    """A game as it is kept.

    ``undone`` holds the moves that redo plays again, separated by blanks, the next one first.
    ``revision`` grows by one with every change, ``request_id`` is the request that made the last one.
    ``won_record`` is the record by which the game was first won, whatever was undone since, or empty.
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
    """How a player likes it; the defaults are for someone who has never chosen.

    ``language`` is one of Discord's locales, or empty to follow the player's Discord. With ``is_private``
    only the player sees the table, with ``as_text`` it is written instead of drawn. ``four_colours`` and
    ``large_index`` choose the deck. With ``is_hidden`` nobody else sees the player on boards or in
    statistics. With ``tells_lost`` the player is told when a game can't be won any more.
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
    """The message that has the controls of a game; ``remains`` is the front end's own."""

    channel_id: int
    message_id: int
    content_json: str


@dataclass(frozen=True, slots=True)
class DailyResult:
    """What a finished daily game scored. A negative ``user_id`` is somebody who asked to be forgotten."""

    day: str
    user_id: int
    game_id: int
    score: int


class StoreError(Exception):
    """The store can't be used: the message says what is wrong and what to do."""


class StorageUnavailable(StoreError):
    """The store can't be written or read now, and nothing was changed: no room, no right, a failing disk."""


class StorageCorrupt(StoreError):
    """What is stored can't be read any more; a backup has to take its place."""


class RevisionConflict(Exception):
    """The game has been changed since the revision that the caller knew; nothing was written."""


class AlreadyExists(Exception):
    """What can be had only once is had already: a day's game, or a place in a challenge."""


class GameStore(Protocol):
    """Keeps games and how players like them."""

    async def open(self) -> None:
        """Make the store ready and bring its schema up to date.

        :raises StoreError: when that can't be done; what is stored stays untouched.
        """

    async def close(self) -> None:
        """Finish what is under way and let go of every resource."""

    async def create_game(self, new: NewGame) -> StoredGame:
        """Keep a new game at revision 0 and make it its owner's current one.

        Where that is the game which this very request has dealt already, perhaps in another process, it is
        returned and nothing is kept.

        :raises Taken: when the owner has, or had, a daily game of that day.
        """

    async def load_game(self, game_id: int) -> StoredGame | None:
        """Return the game of that id."""

    async def current_game(self, owner_id: int) -> StoredGame | None:
        """Return the game that the owner plays now, finished or not."""

    async def make_current(self, game_id: int) -> None:
        """Make the game the one its owner plays now."""

    async def unfinished_games(self, owner_id: int, limit: int) -> Sequence[StoredGame]:
        """Return the owner's games that are still going, the last touched first."""

    async def save_if_revision(
        self, game: StoredGame, result: DailyResult | None = None, *, make_current: bool = False
    ) -> StoredGame:
        """Replace what is kept of ``game.id`` if it still has ``game.revision``; return it as kept.

        Record, undone, status, score, request_id, updated_ms and won_record are written, and the revision
        grows by one. ``result`` enters the board with it, unless that day's result of the user is there.
        With ``make_current`` the game becomes the one its owner plays now.

        :raises Stale: when it has another revision, or is not there.
        """

    async def count_games(self) -> Mapping[Status, int]:
        """Return how many games are kept of each status, also of those that there are none of."""

    async def load_settings(self, user_id: int) -> Settings:
        """Return what the user has chosen, or the defaults."""

    async def save_settings(self, user_id: int, settings: Settings) -> None:
        """Keep what the user has chosen."""

    async def change_settings(self, user_id: int, change: Callable[[Settings], Settings]) -> None:
        """Keep what ``change`` makes of what the user has chosen; nobody else changes that meanwhile.

        ``change`` may be called more than once.
        """

    async def live_table(self, game_id: int) -> LiveTable | None:
        """Return where the game's controls are."""

    async def place_table(self, game_id: int, table: LiveTable) -> LiveTable | None:
        """Keep where the game's controls are now; return where they were before, if anywhere.

        Nothing is kept of a game that is not there.
        """

    async def remember(self, key: str, value: str) -> None:
        """Keep a value that belongs to no player, in place of the one of that key."""

    async def remember_once(self, key: str, value: str) -> str:
        """Keep a value under a key that has none yet; return the one that is there now."""

    async def recall(self, key: str) -> str | None:
        """Return what was last remembered under that key."""
