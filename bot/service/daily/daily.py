"""The daily game: one Aces Up deal for everyone and one attempt each, from midnight to midnight.

Nobody can know a deal beforehand: its seed is made of the date with a key that only this program has, by
HMAC-SHA256. Of the 256 bits the first 130 are used, in 26 letters and digits.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import logging
import secrets
from dataclasses import dataclass, replace

from bot.clock import Clock
from bot.service.daily.calendar import Calendar, days_later
from bot.service.turn import Position
from bot.storage import DailyResult, RevisionConflict, Status, Store, StoredGame
from engine import Record, SolitaireError

log = logging.getLogger(__name__)

GAME = "acesup"
RULES = "standard"

_SEED_CHARACTERS = 26
_BATCH = 100


@dataclass(frozen=True, slots=True)
class DayBest:
    """The best possible score of a day: at least ``score``, and at most ``upper_bound``."""

    score: int
    upper_bound: int


class Daily:
    """What is true of the days' games, whoever plays them.

    ``secret`` is the key of the seeds; without one it is made once and kept in the store.
    """

    def __init__(
        self, store: Store, clock: Clock, calendar: Calendar | None = None, secret: str = ""
    ) -> None:
        self._store = store
        self._clock = clock
        self.calendar = calendar or Calendar()
        self._secret = secret
        self._seeds: dict[str, str] = {}
        self._tidied = ""

    @property
    def today(self) -> str:
        """The present day."""
        return self.calendar.day_at(self._clock())

    def ends_ms(self, day: str) -> int:
        """Return when a day is over, or 0 if it is."""
        return 0 if self.is_over(day) else self.calendar.end_ms(day)

    def is_over(self, day: str) -> bool:
        """Return whether a day has passed."""
        return day < self.today

    async def record(self, day: str) -> Record:
        """Return the deal of today or of a day that has passed.

        What a day's seed was is kept when it is first asked for: another secret changes only later days.

        :raises ValueError: when the day is yet to come.
        """
        if day > self.today:
            raise ValueError(f"{day} has not come yet")
        if day not in self._seeds:
            made = _seed(await self._key(), day)
            self._seeds = {day: await self._store.set_default(f"daily-seed:{day}", made)}
        return Record(GAME, RULES, self._seeds[day])

    async def mark(self, user_id: int, day: str) -> str:
        """Return what a user is known by on that day after asking to be forgotten."""
        # A key of its own: another DAILY_SECRET in the middle of a day must not give a second attempt.
        key = await self._store.set_default("daily-mark-key", secrets.token_hex(32))
        return hmac.new(key.encode(), f"{day}/{user_id}".encode(), hashlib.sha256).hexdigest()

    def is_of_today(self, seed: str) -> bool:
        """Return whether a seed may be that of today's daily game: it begins like it."""
        return seed[10:11] == "-" and seed[:10] == self.today

    async def is_spoiled_by(self, seed: str, user_id: int) -> bool:
        """Return whether the user has yet to finish a daily game of that seed, which must be normalised."""
        if seed != (await self.record(self.today)).seed:
            return False
        game = await self._store.daily_game(user_id, self.today)
        return game is None or game.status is Status.PLAYING

    async def settled(self, game: StoredGame) -> StoredGame:
        """Return the game, ended as it stands if its day has passed before it was finished."""
        while game.day and game.status is Status.PLAYING and self.is_over(game.day):
            ended = replace(game, status=Status.EXPIRED, updated_ms=self._clock())
            try:
                result = await self.result(ended)
            except SolitaireError as error:  # one broken record must not hold up all days and all boards
                log.error("daily game %d can't be settled: %s", game.id, error)
                result = None
            try:
                return await self._store.save_if_revision(ended, result)
            except RevisionConflict:  # somebody else was quicker, with a last move or with this
                again = await self._store.load_game(game.id)
                if again is None:
                    return game
                game = again
        return game

    async def result(self, game: StoredGame) -> DailyResult | None:
        """Return what an ended daily game enters the board with, as :func:`result_of` does.

        A score above the best possible can't be; should it ever be, it is a fault of ours, and the board
        stays as it is.

        :raises IllegalMove: when the record breaks the rules.
        """
        result = result_of(game)
        best = await self.best(game.day) if result else None
        if result and best and result.score > best.upper_bound:
            # Without the best score: others may still play.
            log.error(
                "daily game %d of %s scored %d, more than is possible; it is not on the board",
                game.id,
                game.day,
                result.score,
            )
            return None
        return result

    async def best(self, day: str) -> DayBest | None:
        """Return the best possible score of a day, once it is worked out; secret until the day is over."""
        kept = await self._store.get_value(_best_key(day))
        return DayBest(*map(int, kept.split())) if kept else None

    async def keep_best(self, day: str, best: DayBest) -> None:
        """Keep the best possible score of a day; one that is kept already stays."""
        await self._store.set_default(_best_key(day), f"{best.score} {best.upper_bound}")

    async def settle_some(self) -> int:
        """End at most a hundred games whose day has passed; return how many."""
        games = await self._store.unsettled_dailies(self.today, _BATCH)
        for game in games:
            await self.settled(game)
        return len(games)

    async def settle_all(self) -> int:
        """End every game whose day has passed, and delete what was kept for a day only; return how many."""
        count = 0
        while some := await self.settle_some():
            count += some
        if self._tidied != self.today:
            self._tidied = self.today
            await self._store.purge(self.today)
        return count

    async def streak(self, user_id: int) -> tuple[int, int]:
        """Return on how many days in a row the user has finished the daily game: up to now, and at most.

        Today not being finished yet breaks nothing.
        """
        days = {result.day for result in await self._store.results_of(user_id)}
        longest = length = 0
        for day in sorted(days):
            length = length + 1 if days_later(day, -1) in days else 1
            longest = max(longest, length)
        last = self.today if self.today in days else days_later(self.today, -1)
        current = 0
        while last in days:
            current, last = current + 1, days_later(last, -1)
        return current, longest

    async def _key(self) -> str:
        if not self._secret:
            self._secret = await self._store.set_default("daily-secret", secrets.token_hex(32))
        return self._secret


def result_of(game: StoredGame) -> DailyResult | None:
    """Return what an ended daily game enters the board with: its record, played through again, says how much.

    None for a game that is still going, that is no daily game, or whose day passed without a move.

    :raises IllegalMove: when the record breaks the rules.
    """
    if not game.day or game.status is Status.PLAYING:
        return None
    position = Position.of(Record.parse(game.record))
    if game.status is Status.EXPIRED and not position.record.moves:
        return None
    return DailyResult(game.day, game.owner_id, game.id, position.table.score)


def _best_key(day: str) -> str:
    return f"daily-best:{day}"


def _seed(secret: str, day: str) -> str:
    digest = hmac.new(secret.encode(), day.encode(), hashlib.sha256).digest()
    return f"{day}-{base64.b32encode(digest).decode().lower()[:_SEED_CHARACTERS]}"
