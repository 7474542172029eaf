"""Deals that are known to be winnable: those that ship with the solvers, and those found since."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Mapping
from dataclasses import replace

from bot.service.errors import NoWinnable
from bot.storage import RuleSet, Store
from engine import GAMES, Record
from solve import jobs, pool

TARGET = 2_000  # known deals of a preset: enough not to meet one twice
WANTED_TARGET = 20  # of other rules, once somebody has asked for them

_WANTED_MAX = 20  # rule sets at a time, whoever asks
_WANTED_TRIES = 200  # deals looked at for one of them before it is given up
_HAD_MAX = 10_000  # games of a user that are looked at for what they have had


class Winnable:
    """The service over one store. It also knows of which rules more deals are wanted."""

    def __init__(self, store: Store) -> None:
        self.asked = asyncio.Event()
        """Set when rules are asked for of which too few deals are known."""
        self._store = store
        self._tries: dict[RuleSet, int] = {}

    async def pick(self, user_id: int, deal: Record) -> Record:
        """Return a deal that can be won by the rules of ``deal``: at random one that the user has not had.

        Where they have had all that are known, it is any of them.

        :raises NoWinnable: when none is known of these rules; from now on one is looked for.
        """
        rule_set = (deal.game, deal.rules)
        numbers = {*pool.numbers(*rule_set), *await self._store.winnable_numbers(rule_set, TARGET)}
        is_looked_for = len(numbers) < WANTED_TARGET and self._want(rule_set)
        if not numbers:
            raise NoWinnable(_presets_known(deal.game), is_looked_for=is_looked_for)
        had = set(await self._store.seeds_had(user_id, rule_set, _HAD_MAX))
        fresh = [number for number in numbers if str(number) not in had]
        return replace(deal, seed=str(secrets.choice(fresh or list(numbers))))

    def _want(self, rule_set: RuleSet) -> bool:
        """Note that deals of these rules are wanted; return whether they will be looked for."""
        if not jobs.can_find(rule_set[0]):
            return False
        if rule_set not in self._tries:
            if len(self._tries) >= _WANTED_MAX:
                return False
            self._tries[rule_set] = _WANTED_TRIES
            self.asked.set()
        return True

    async def next_wanted(self) -> tuple[RuleSet, bool] | None:
        """Return the rules of which a deal is to be looked for next, and whether somebody has asked for them.

        What was asked for comes first, then presets; of several the one of which the fewest deals are known,
        and of those the one that was tried least. None where enough are known of all.
        """
        self.asked.clear()
        kept = await self._store.winnable_counts()
        for rule_set, tries in list(self._tries.items()):
            if not tries or _known(rule_set, kept) >= WANTED_TARGET:
                del self._tries[rule_set]
        if self._tries:
            first = min(self._tries, key=lambda rule_set: (_known(rule_set, kept), -self._tries[rule_set]))
            return first, True
        fewest = min(_presets(), key=lambda rule_set: _known(rule_set, kept))
        return None if _known(fewest, kept) >= TARGET else (fewest, False)

    async def note(self, rule_set: RuleSet, number: int, line: str | None) -> None:
        """Keep what came of looking at a deal: moves that win it, or None."""
        if rule_set in self._tries:
            self._tries[rule_set] -= 1
        if line is not None:
            await self._store.add_winnable(rule_set, number, line)


def _presets() -> list[RuleSet]:
    """Return all presets of which winnable deals can be found."""
    return [(key, code) for key, game in GAMES.items() if jobs.can_find(key) for code in game.presets]


def _presets_known(game: str) -> tuple[str, ...]:
    return tuple(code for code in GAMES[game].presets if pool.numbers(game, code))


def _known(rule_set: RuleSet, kept: Mapping[RuleSet, int]) -> int:
    return len(pool.numbers(*rule_set)) + kept.get(rule_set, 0)
