"""What every store can do, in the words of the domain.

Every verb is atomic, and durable when it returns. Any of them raises :class:`StorageUnavailable` when the
database can't be read or written now, and :class:`StorageCorrupt` when its data can't be read any more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from bot.storage.models import (
    Board,
    BoardQuery,
    Challenge,
    DailyChannel,
    DailyResult,
    LiveTable,
    NewGame,
    Played,
    RuleSet,
    Settings,
    Status,
    StoredGame,
)


class Lock(Protocol):
    """Lets one process at a time do something; see :meth:`LockStore.lock`."""

    def __call__(self, what: str, *, waits: bool = False) -> AbstractAsyncContextManager[bool]:
        """Return a block in which nobody else does ``what``."""


class LockStore(Protocol):
    """Locks over all processes that share a database."""

    def lock(self, what: str, *, waits: bool = False) -> AbstractAsyncContextManager[bool]:
        """Return a block that one task at a time is in, over all processes.

        It gives True inside the lock. If another task holds it, it gives False at once and the block must do
        nothing; with ``waits`` it waits for the lock instead. A process that dies releases its locks. One
        that lost the database may still be in the block when the next one enters, so what is done there must
        be harmless when done twice: the lock saves work.

        :raises StorageUnavailable: when the database can't be asked.
        """


class GameStore(Protocol):
    """Games, settings, live tables, and values that belong to no player."""

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

    async def set_value(self, key: str, value: str) -> None:
        """Keep a value that belongs to no player, in place of the one of that key."""

    async def set_default(self, key: str, value: str) -> str:
        """Keep a value under a key that has none yet; return the one that is there now."""

    async def get_value(self, key: str) -> str | None:
        """Return what was last remembered under that key."""


class BoardStore(Protocol):
    """Results of daily games, and who plays on which server."""

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


class SocialStore(Protocol):
    """Challenges, daily posts, and everything about one user."""

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
        board without a name until :meth:`purge`.
        """

    async def purge(self, day: str) -> None:
        """Delete what was kept only until ``day``: marks, and results without a user."""


class WinnableDealStore(Protocol):
    """Deals known to be winnable, by PySolFC's numbers. They belong to nobody."""

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


class RetentionStore(Protocol):
    """Unfinished games that nobody plays on. Daily games end by their own rules."""

    async def untouched_games(self, before_ms: int, limit: int) -> Sequence[StoredGame]:
        """Return games that are still going and were last touched before that, longest untouched first.

        Daily games are not among them.
        """

    async def compact(self, game: StoredGame) -> None:
        """Keep of ``game.id`` its record, and that by which it was won, if it still has ``game.revision``.

        Status and score are written and the revision grows by one; what redo would play and where its
        controls are is deleted.

        :raises Stale: when it has another revision, or is not there.
        """


class Store(GameStore, BoardStore, SocialStore, WinnableDealStore, RetentionStore, LockStore, Protocol):
    """Everything a store can do."""
