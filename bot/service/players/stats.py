"""Statistics: what follows from a user's games, for each game and rule set.

A game counts from its first move, or when it is given up. It counts as won once it was won, with the full
score, whatever was undone since. Where somebody else's text made the first moves, it does not count.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.service.daily.daily import Daily
from bot.service.errors import HiddenPlayer
from bot.storage import Played, Status, Store
from engine import GAMES, Record, find_game


@dataclass(frozen=True, slots=True)
class GroupStats:
    """A user's games of one game and rule set.

    ``played`` counts all that count, ``in_progress`` those of them that have not ended. ``scores`` says how
    often each score came among those that have ended, ``latest`` is the score of the last dealt of them, and
    ``full`` the highest score there can be. ``streak`` and ``longest_streak`` are wins in a row in the order
    of dealing.
    """

    game: str
    rules: str
    full: int
    played: int
    won: int
    in_progress: int
    scores: Mapping[int, int]
    latest: int | None
    streak: int
    longest_streak: int

    @property
    def key(self) -> str:
        """What names the group: ``klondike/d1``."""
        return f"{self.game}/{self.rules}"

    @property
    def ended(self) -> int:
        """How many games have ended."""
        return self.played - self.in_progress

    @property
    def win_rate(self) -> float:
        """The share of games that were won, 0 … 1."""
        return self.won / self.played

    @property
    def average(self) -> float | None:
        """The mean score of the games that have ended."""
        total = sum(score * number for score, number in self.scores.items())
        return total / self.ended if self.ended else None

    @property
    def best(self) -> int | None:
        """The highest score of the games that have ended."""
        return max(self.scores, default=None)


@dataclass(frozen=True, slots=True)
class PlayerStats:
    """A user's statistics: the groups in menu order, and on how many days in a row a daily game was finished.

    ``is_hidden`` says that nobody else may see them.
    """

    groups: tuple[GroupStats, ...]
    daily_streak: int
    longest_daily_streak: int
    is_hidden: bool

    def group(self, key: str = "") -> GroupStats | None:
        """Return the group of that key, or else the most played one, or None where no game counts."""
        named = [group for group in self.groups if group.key == key]
        return next(iter(named), max(self.groups, key=lambda group: group.played, default=None))


class Stats:
    """The service over one store."""

    def __init__(self, store: Store, daily: Daily) -> None:
        self._store = store
        self._daily = daily

    async def games_by_status(self) -> Mapping[Status, int]:
        """Return how many games are kept of each status, whoever's they are."""
        return await self._store.count_games()

    async def of(
        self, user_id: int, asker_id: int | None = None, *, asker_hides: bool | None = None
    ) -> PlayerStats:
        """Return a user's statistics, for themselves or for somebody else who asks.

        :param asker_hides: whether the asker hides from others, if that is known.
        :raises HiddenPlayer: when somebody else asks for those of a user who hides from others.
        """
        is_own = asker_id in (None, user_id)
        if is_own and asker_hides is not None:
            is_hidden = asker_hides
        else:
            is_hidden = (await self._store.load_settings(user_id)).is_hidden
        if is_hidden and not is_own:
            raise HiddenPlayer
        await self._daily.settle_all()
        # Tens of thousands of games take long enough to hold up others.
        groups = await asyncio.to_thread(grouped, await self._store.played(user_id))
        streak, longest = await self._daily.streak(user_id)
        return PlayerStats(groups, streak, longest, is_hidden)


def grouped(games: Sequence[Played]) -> tuple[GroupStats, ...]:
    """Return what all of a user's games, the first dealt first, come to.

    Groups stand in the order of the menus; rules that are in none come last.
    """
    newest = games[-1].game_id if games else 0
    groups: dict[tuple[str, str], list[Played]] = {}
    for one in games:
        if _counts(one):
            deal = Record.parse(one.deal)
            groups.setdefault((deal.game, deal.rules), []).append(one)
    return tuple(_group(*key, groups[key], newest) for key in sorted(groups, key=_menu_order))


def _group(game: str, rules: str, games: Sequence[Played], newest: int) -> GroupStats:
    """``newest`` is the last game of all: while it is being played, it breaks no streak."""
    full = find_game(game).full_score
    scores = [full if _is_won(one) else one.score for one in games if not _is_going(one)]
    streak, longest = _streaks(
        _is_won(one) for one in games if not (_is_going(one) and one.game_id == newest)
    )
    return GroupStats(
        game=game,
        rules=rules,
        full=full,
        played=len(games),
        won=sum(map(_is_won, games)),
        in_progress=len(games) - len(scores),
        scores=Counter(scores),
        latest=scores[-1] if scores else None,
        streak=streak,
        longest_streak=longest,
    )


def _counts(one: Played) -> bool:
    return not one.is_copy and (one.is_started or one.status is Status.GIVEN_UP)


def _is_won(one: Played) -> bool:
    return one.is_won or one.status is Status.WON


def _is_going(one: Played) -> bool:
    return one.status is Status.PLAYING and not one.is_won


def _streaks(wins: Iterable[bool]) -> tuple[int, int]:
    """Return the number of wins at the end, and the longest run of wins."""
    streak = longest = 0
    for is_win in wins:
        streak = streak + 1 if is_win else 0
        longest = max(longest, streak)
    return streak, longest


def _menu_order(key: tuple[str, str]) -> tuple[int, int, str]:
    game, rules = key
    presets = list(GAMES[game].presets)
    return list(GAMES).index(game), presets.index(rules) if rules in presets else len(presets), rules
