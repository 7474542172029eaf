"""How much one user may ask for, so that nobody holds up the others: limits a player never meets.

Each kind of work has a :class:`Limit`: so many at once, and one more each so many milliseconds. It is counted
by the generic cell rate algorithm (ITU-T I.371, annex A), a token bucket that needs one number for each user:
when they will have everything again. Who has everything is not kept, so memory follows those who have used
something just now, and all who are under way at once are bounded too.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType

from bot.clock import Clock
from bot.service.errors import ManyWaiting, StillBusy, TooFast

MAX_UNDER_WAY = 3_000  # requests; those who came last would wait for more than ten seconds
MAX_EXPENSIVE = 60  # users for whom something expensive is done, or waits to be
MAX_KEPT = 20_000  # users of one kind of work; beyond that the ones who used it longest ago get it all again

NOWHERE = 0
_EVERYBODY = 0


class Cost(Enum):
    """What is counted. What ends in ``HERE`` is counted for a channel, whoever asks."""

    PRESS = "press"
    COMMAND = "command"
    COMPLETION = "completion"  # choices for an option that is being typed
    COMPLETIONS = "completions"  # of all users together
    DEAL = "deal"  # a game more to keep
    PUBLIC = "public"  # a message for all in a channel that is no table
    PUBLIC_HERE = "public-here"
    CHALLENGE = "challenge"
    CHALLENGE_HERE = "challenge-here"
    REPLAY = "replay"
    BEST = "best"
    ANALYSIS = "analysis"
    EXPORT = "export"
    REFUSAL = "refusal"  # a sentence that says to wait


@dataclass(frozen=True, slots=True)
class Limit:
    """``at_once`` in a burst, and one more every ``every_ms``."""

    at_once: int
    every_ms: int


LIMITS: Mapping[Cost, Limit] = MappingProxyType(
    {
        # A hand presses five times a second at most, and types a command each second or two.
        Cost.PRESS: Limit(50, 160),
        Cost.COMMAND: Limit(20, 1_000),
        Cost.COMPLETION: Limit(40, 200),
        Cost.COMPLETIONS: Limit(1_000, 4),
        Cost.DEAL: Limit(20, 10_000),
        Cost.PUBLIC: Limit(6, 15_000),
        Cost.PUBLIC_HERE: Limit(30, 2_000),
        Cost.CHALLENGE: Limit(3, 5 * 60_000),
        Cost.CHALLENGE_HERE: Limit(10, 60_000),
        Cost.REPLAY: Limit(1, 10_000),
        Cost.BEST: Limit(1, 5_000),
        Cost.ANALYSIS: Limit(1, 10_000),
        Cost.EXPORT: Limit(1, 30_000),
        Cost.REFUSAL: Limit(1, 3_000),
    }
)

_HERE = {Cost.PUBLIC: Cost.PUBLIC_HERE, Cost.CHALLENGE: Cost.CHALLENGE_HERE}
# Asking costs something whatever comes of it. What nothing came of costs nothing more.
_ASKING = (Cost.PRESS, Cost.COMMAND, Cost.COMPLETION)


class RateLimiter:
    """Counts in memory: after a restart everybody has everything. Work without a limit is not counted."""

    def __init__(
        self, clock: Clock, limits: Mapping[Cost, Limit] = LIMITS, *, max_under_way: int = MAX_UNDER_WAY
    ) -> None:
        self._clock = clock
        self._counts = {work: _Count(limit) for work, limit in limits.items()}
        self._max_under_way = max_under_way
        self._under_way = 0
        self._busy: dict[int, Cost] = {}

    def __len__(self) -> int:
        """How many numbers are kept."""
        return len(self._busy) + sum(map(len, self._counts.values()))

    @property
    def under_way(self) -> int:
        """How many requests are being answered."""
        return self._under_way

    @contextmanager
    def admit(self, user_id: int, *works: Cost, channel_id: int = NOWHERE) -> Iterator[None]:
        """Let a request in, which costs all of ``works``; where it fails, only that it was asked for.

        :raises TooFast: when the user, or the channel, has had too much of one of them.
        :raises ManyWaiting: when as many requests as can be are under way.
        """
        if self._under_way >= self._max_under_way:
            raise self.many_wait(user_id)
        counted = [(work, user_id) for work in works]
        counted += [(_HERE[work], channel_id) for work in works if work in _HERE and channel_id != NOWHERE]
        self._check(user_id, counted)
        for work, who in counted:
            self._take(work, who)
        self._under_way += 1
        try:
            yield
        except BaseException:
            for work, who in counted:
                if work not in _ASKING:
                    self._give_back(work, who)
            raise
        finally:
            self._under_way -= 1

    @contextmanager
    def alone(self, user_id: int, work: Cost) -> Iterator[None]:
        """Do something expensive for a user: one at a time, and, unless it fails, none for a while after it.

        :raises StillBusy: when something expensive is being done for the user.
        :raises TooFast: when it was done just now.
        :raises ManyWaiting: when something expensive is being done for as many users as can be.
        """
        if user_id in self._busy:
            raise StillBusy(self._busy[user_id].value, is_told=self._tells(user_id))
        self._check(user_id, [(work, user_id)])
        if len(self._busy) >= MAX_EXPENSIVE:
            raise self.many_wait(user_id)
        self._busy[user_id] = work
        try:
            yield
            self._take(work, user_id)
        finally:
            del self._busy[user_id]

    def may_complete(self, user_id: int) -> bool:
        """Return whether there are choices for what a user types just now."""
        counted = [(Cost.COMPLETION, user_id), (Cost.COMPLETIONS, _EVERYBODY)]
        if self._under_way >= self._max_under_way or self._longest_wait_ms(counted):
            return False
        for work, who in counted:
            self._take(work, who)
        return True

    def many_wait(self, user_id: int) -> ManyWaiting:
        """Return what to raise where another queue is full."""
        return ManyWaiting(is_told=self._tells(user_id))

    def _check(self, user_id: int, counted: list[tuple[Cost, int]]) -> None:
        wait_ms = self._longest_wait_ms(counted)
        if wait_ms:
            raise TooFast(self._clock() + wait_ms, is_told=self._tells(user_id))

    def _tells(self, user_id: int) -> bool:
        """Return whether a user is told that they must wait: once every few seconds."""
        if self._wait_ms(Cost.REFUSAL, user_id):
            return False
        self._take(Cost.REFUSAL, user_id)
        return True

    def _longest_wait_ms(self, counted: list[tuple[Cost, int]]) -> int:
        return max(self._wait_ms(work, who) for work, who in counted)

    def _wait_ms(self, work: Cost, who: int) -> int:
        count = self._counts.get(work)
        return count.wait_ms(who, self._clock()) if count else 0

    def _take(self, work: Cost, who: int) -> None:
        if work in self._counts:
            self._counts[work].take(who, self._clock())

    def _give_back(self, work: Cost, who: int) -> None:
        if work in self._counts:
            self._counts[work].give_back(who)


class _Count:
    """Of one kind of work: when each user (or channel) will have all of it again, the last one at the end."""

    def __init__(self, limit: Limit) -> None:
        self._limit = limit
        self._all_at_ms: OrderedDict[int, int] = OrderedDict()

    def __len__(self) -> int:
        return len(self._all_at_ms)

    def wait_ms(self, who: int, now_ms: int) -> int:
        """Return how long it takes until one is left; 0 where one is."""
        return max(0, self._missing_ms(who, now_ms) - (self._limit.at_once - 1) * self._limit.every_ms)

    def take(self, who: int, now_ms: int) -> None:
        """Count one more."""
        self._all_at_ms[who] = now_ms + self._missing_ms(who, now_ms) + self._limit.every_ms
        self._all_at_ms.move_to_end(who)
        while len(self._all_at_ms) > MAX_KEPT or next(iter(self._all_at_ms.values())) <= now_ms:
            self._all_at_ms.popitem(last=False)

    def give_back(self, who: int) -> None:
        """Count one less."""
        if who in self._all_at_ms:
            self._all_at_ms[who] -= self._limit.every_ms

    def _missing_ms(self, who: int, now_ms: int) -> int:
        """Return how long until nothing is missing; no longer than for all, were the clock set back."""
        missing_ms = self._all_at_ms.get(who, now_ms) - now_ms
        return min(max(0, missing_ms), self._limit.at_once * self._limit.every_ms)
