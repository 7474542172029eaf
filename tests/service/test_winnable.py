"""Deals that can be won: which are dealt, what is said where none is known, and how more are found."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, ParamSpec, TypeVar

import pytest

from bot.service import (
    NoWinnable,
    NullSolverPool,
    Priority,
    SeedWithWinnable,
    Services,
    SolverPool,
    TopUp,
    TurnAction,
)
from bot.service.games import top_up as finding
from bot.service.games import winnable as module
from bot.service.games.top_up import ASKED_PAUSE_S, PAUSE_S
from bot.service.games.winnable import TARGET, WANTED_TARGET, Winnable
from bot.storage import RuleSet, StorageUnavailable, Store
from engine import GAMES, Outcome, Record, RulesSyntaxError, replay
from solve import jobs, pool
from tests.service.conftest import Player

P = ParamSpec("P")
T = TypeVar("T")

CUSTOM = ("acesup", "cell+pairs")
PRESETS = [(key, code) for key, game in GAMES.items() if jobs.can_find(key) for code in game.presets]


class Thinker(NullSolverPool):
    """Thinks at once, in this process; `asked` is what it was asked."""

    thinks = True

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[Any, ...]] = []
        self.is_busy = False
        self.has_been_asked = asyncio.Event()

    def is_idle(self, lane: Priority) -> bool:
        return not self.is_busy

    async def ask(self, lane: Priority, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        self.asked.append((lane, job, *args))
        self.has_been_asked.set()
        return job(*args, **kwargs)


@pytest.fixture
def thinker() -> Thinker:
    return Thinker()


@pytest.fixture
def winnable(services: Services) -> Winnable:
    return services.winnable


@pytest.fixture
def top_up(winnable: Winnable, thinker: Thinker, store: Store) -> TopUp:
    return TopUp(winnable, thinker, store.lock)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> dict[RuleSet, list[int]]:
    """Pools that a test can put together, in place of those that ship; empty at first."""
    pools: dict[RuleSet, list[int]] = {}
    monkeypatch.setattr(pool, "numbers", lambda game, rules: pools.get((game, rules), []))
    return pools


async def deal(player: Player, game: str | None = None, rules: str | None = None) -> Record:
    turn = await player.play.new(player.request(), game=game, rules=rules, winnable=True)
    assert turn.is_winnable
    return turn.position.record


def wins(record: Record) -> bool:
    return GAMES[record.game].outcome(replay(record)) is Outcome.WON


# Dealing


@pytest.mark.parametrize(("game", "rules"), PRESETS)
async def test_a_winnable_deal_of_a_preset_is_one_of_the_pool(ada: Player, game: str, rules: str) -> None:
    record = await deal(ada, game, rules)
    assert (record.game, record.rules, record.moves) == (game, rules, ())
    assert int(record.seed) in pool.numbers(game, rules)
    assert wins(record.play(*pool.line(game, rules, int(record.seed))))


async def test_what_is_left_out_is_as_in_the_game_before(ada: Player) -> None:
    await ada.new("acesup", "pairs", "1")
    record = await deal(ada)
    assert (record.game, record.rules) == ("acesup", "pairs")


async def test_without_the_wish_a_deal_is_not_said_to_be_winnable(ada: Player) -> None:
    assert not (await ada.new("acesup", "cell")).is_winnable
    await deal(ada, "acesup", "cell")
    assert not (await ada.show()).is_winnable


async def test_a_repeated_request_deals_once_and_is_answered_alike(ada: Player, services: Services) -> None:
    request = ada.request()
    turn = await ada.play.new(request, game="acesup", rules="cell", winnable=True)
    again = await ada.play.new(request, game="acesup", rules="cell", winnable=True)
    after_a_restart = await Services.over(ada.store, lambda: 1).games.new(
        request, game="acesup", rules="cell", winnable=True
    )
    for other in (again, after_a_restart):
        assert (other.game, other.action, other.is_winnable) == (turn.game, TurnAction.DEALT, True)


async def test_nobody_gets_a_deal_twice_while_there_is_another(
    ada: Player, small: dict[RuleSet, list[int]]
) -> None:
    small["acesup", "cell"] = list(range(1, 31))
    await ada.new("acesup", "cell", "7")
    had = [(await deal(ada, "acesup", "cell")).seed for _ in range(29)]
    assert sorted(map(int, [*had, "7"])) == small["acesup", "cell"]
    assert int((await deal(ada, "acesup", "cell")).seed) in small["acesup", "cell"]


async def test_what_others_had_is_dealt_all_the_same(
    ada: Player, ola: Player, small: dict[RuleSet, list[int]]
) -> None:
    small["acesup", "cell"] = [5]
    assert (await deal(ada, "acesup", "cell")).seed == (await deal(ola, "acesup", "cell")).seed == "5"


async def test_deals_are_drawn_at_random(ada: Player) -> None:
    assert len({(await deal(ada, "acesup", "standard")).seed for _ in range(10)}) == 10


async def test_deals_that_were_found_since_are_dealt_too(ada: Player, store: Store) -> None:
    await store.add_winnable(CUSTOM, 987_654_321, "s-t")
    assert str(await deal(ada, *CUSTOM)) == "acesup/cell+pairs/987654321"


@pytest.mark.parametrize("seed", ["1", "mormor", ""])
async def test_a_seed_is_one_certain_deal(ada: Player, seed: str) -> None:
    with pytest.raises(SeedWithWinnable):
        await ada.play.new(ada.request(), game="acesup", seed=seed, winnable=True)
    assert await ada.store.current_game(1) is None


async def test_rules_that_there_are_not_are_no_winnable_ones(ada: Player) -> None:
    with pytest.raises(RulesSyntaxError):
        await deal(ada, "acesup", "kings")


# Where none is known


async def test_of_other_rules_none_is_known_until_one_was_found(
    ada: Player, top_up: TopUp, store: Store
) -> None:
    with pytest.raises(NoWinnable) as raised:
        await deal(ada, *CUSTOM)
    assert raised.value.facts["looks"]
    assert raised.value.facts["rules"] == ("standard", "aces", "cell", "pairs")
    assert await store.current_game(1) is None
    assert await top_up.go() == ASKED_PAUSE_S
    for _ in range(20):
        if await store.winnable_counts():
            break
        await top_up.go()
    record = await deal(ada, *CUSTOM)
    line = await store.winnable_line(CUSTOM, int(record.seed))
    assert line is not None
    assert wins(Record.parse(f"{record} {line}"))


async def test_of_a_game_without_a_solver_none_is_looked_for(
    ada: Player, winnable: Winnable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "can_find", lambda game: game != "klondike")
    with pytest.raises(NoWinnable) as raised:
        await deal(ada, "klondike", "d1p2r")
    assert not raised.value.facts["looks"]
    assert not winnable.asked.is_set()


async def test_whoever_asks_for_much_does_not_fill_the_memory(
    ada: Player, winnable: Winnable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "can_find", lambda _game: True)
    looked_for = 0
    for draw in "13":
        for passes in range(1, 10):
            for returns in ("", "r"):
                rules = f"d{draw}p{passes}{returns}"
                if rules not in GAMES["klondike"].presets:
                    with pytest.raises(NoWinnable) as raised:
                        await deal(ada, "klondike", rules)
                    looked_for += raised.value.facts["looks"] is True
    assert looked_for == len(winnable._tries) == module._WANTED_MAX < 30
    for _ in range(3):  # whoever was there first still is
        with pytest.raises(NoWinnable) as raised:
            await deal(ada, "klondike", "d1p2")
        assert raised.value.facts["looks"]
    assert len(winnable._tries) == module._WANTED_MAX


async def test_asking_again_does_not_prolong_the_search(
    ada: Player, winnable: Winnable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_WANTED_TRIES", 3)
    for _ in range(3):
        with pytest.raises(NoWinnable):
            await deal(ada, *CUSTOM)
        wanted = await winnable.next_wanted()
        assert wanted == (CUSTOM, True)
        await winnable.note(CUSTOM, 1, None)
    wanted = await winnable.next_wanted()
    assert wanted is None or wanted[0] != CUSTOM


# Looking for more


async def test_the_preset_of_which_fewest_are_known_comes_first(
    winnable: Winnable, store: Store, small: dict[RuleSet, list[int]]
) -> None:
    small |= {rule_set: list(range(1, 50)) for rule_set in PRESETS}
    small["acesup", "aces"] = [1, 2]
    assert await winnable.next_wanted() == (("acesup", "aces"), False)
    small["acesup", "pairs"] = [1, 2, 3]
    for number in (5, 6):
        await store.add_winnable(("acesup", "aces"), number, "")
    assert await winnable.next_wanted() == (("acesup", "pairs"), False)


async def test_with_enough_known_of_all_presets_nothing_is_looked_for_until_asked_for(
    ada: Player, winnable: Winnable, top_up: TopUp, thinker: Thinker, small: dict[RuleSet, list[int]]
) -> None:
    small |= {rule_set: list(range(1, TARGET + 1)) for rule_set in PRESETS}
    assert await top_up.go() is None
    assert thinker.asked == []
    with pytest.raises(NoWinnable):
        await deal(ada, *CUSTOM)
    assert winnable.asked.is_set()
    assert await top_up.go() == ASKED_PAUSE_S
    assert not winnable.asked.is_set()
    small[CUSTOM] = list(range(WANTED_TARGET))
    assert await top_up.go() is None
    assert len(thinker.asked) == 1


async def test_what_is_asked_for_is_looked_for_by_turns_first_what_nobody_knows_a_deal_of(
    ada: Player, winnable: Winnable, store: Store
) -> None:
    others = [CUSTOM, ("acesup", "aces+cell"), ("acesup", "aces+pairs")]
    for rule_set in others:
        with pytest.raises(NoWinnable):
            await deal(ada, *rule_set)
    looked_for = []
    for _ in range(6):
        wanted = await winnable.next_wanted()
        assert wanted is not None
        looked_for.append(wanted[0])
        await winnable.note(wanted[0], 1, None)
    assert sorted(looked_for[:3]) == sorted(looked_for[3:]) == sorted(others)
    await winnable.note(CUSTOM, 5, "s-t")
    for _ in range(4):
        wanted = await winnable.next_wanted()
        assert wanted is not None
        assert wanted[0] != CUSTOM
        await winnable.note(wanted[0], 1, None)


async def test_one_number_of_at_most_nine_digits_is_looked_at_in_the_slow_lane(
    top_up: TopUp, thinker: Thinker
) -> None:
    assert await top_up.go() == PAUSE_S
    [(lane, job, text, budget_s)] = thinker.asked
    record = Record.parse(text)
    assert (lane, job) == (Priority.SLOW, jobs.find)
    assert (record.game, record.rules) in PRESETS
    assert 1 <= int(record.seed) <= 999_999_999
    assert 0 < budget_s <= 2


async def test_only_proven_deals_are_kept(
    top_up: TopUp, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[str | None] = [None, "s-t", None]
    monkeypatch.setattr(jobs, "find", lambda _deal, _budget: found.pop(0))
    for kept in (0, 1, 1):
        await top_up.go()
        assert sum((await store.winnable_counts()).values()) == kept


async def test_nothing_is_looked_for_while_the_slow_lane_is_busy(top_up: TopUp, thinker: Thinker) -> None:
    thinker.is_busy = True
    assert await top_up.go() == PAUSE_S
    assert thinker.asked == []


class Tries:
    """Counts how often somebody wants to be alone."""

    def __init__(self, store: Store | None) -> None:
        self.count = 0
        self._store = store

    @asynccontextmanager
    async def alone(self, what: str, *, waits: bool = False) -> AsyncIterator[bool]:
        self.count += 1
        await asyncio.sleep(0 if self.count < 100 else 60)  # as where a server is asked
        if self._store is None:
            raise StorageUnavailable("the database is away")
        async with self._store.lock(what, waits=waits) as alone:
            yield alone


async def test_while_another_process_looks_its_end_is_waited_for_and_not_asked_for_on_and_on(
    winnable: Winnable, thinker: Thinker, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = Tries(store)
    top_up = TopUp(winnable, thinker, tries.alone)
    async with store.lock("top-up"):
        assert await top_up.go() == PAUSE_S
        winnable.asked.set()
        top_up.start()
        await asyncio.sleep(0.1)
        await top_up.stop()
        assert tries.count == 2
        assert thinker.asked == []
        monkeypatch.setattr(finding, "ASKED_PAUSE_S", 0.01)
        top_up.start()
    await asyncio.wait_for(thinker.has_been_asked.wait(), 10)
    await top_up.stop()


async def test_a_database_that_is_away_is_not_asked_on_and_on(winnable: Winnable, thinker: Thinker) -> None:
    tries = Tries(None)
    top_up = TopUp(winnable, thinker, tries.alone)
    winnable.asked.set()
    top_up.start()
    await asyncio.sleep(0.1)
    await top_up.stop()
    assert tries.count == 1


async def test_without_solvers_nothing_is_looked_for(winnable: Winnable, store: Store) -> None:
    solvers = NullSolverPool()
    solvers.start()
    assert not solvers.is_idle(Priority.SLOW)
    top_up = TopUp(winnable, solvers, store.lock)
    assert await top_up.go() == PAUSE_S
    assert await store.winnable_counts() == {}
    top_up.start()
    assert top_up._task is None


async def test_a_lane_is_idle_when_it_is_warm_and_nobody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    solvers = SolverPool()
    warm = asyncio.Event()
    monkeypatch.setattr(solvers, "_warm", warm.wait)
    assert not solvers.is_idle(Priority.SLOW)
    solvers.start()
    assert not solvers.is_idle(Priority.SLOW)
    warm.set()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert solvers.is_idle(Priority.SLOW)
    solvers._lanes[Priority.SLOW]._waiting = 1
    assert (solvers.is_idle(Priority.SLOW), solvers.is_idle(Priority.QUICK)) == (False, True)
    await solvers.close()
    assert not solvers.is_idle(Priority.QUICK)


async def test_the_top_up_goes_on_whatever_fails_and_ends_when_it_is_stopped(
    top_up: TopUp, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("bot.service.games.top_up.PAUSE_S", 0)
    done = asyncio.Event()
    gone = 0

    async def go() -> float | None:
        nonlocal gone
        gone += 1
        if gone == 3:
            done.set()
            return None
        raise RuntimeError("the disk is full")

    monkeypatch.setattr(top_up, "go", go)
    top_up.start()
    await asyncio.wait_for(done.wait(), 5)
    await asyncio.sleep(0.05)
    assert gone == 3
    await top_up.stop()
    assert "the disk is full" in caplog.text


async def test_whoever_asks_wakes_the_top_up(
    ada: Player, top_up: TopUp, monkeypatch: pytest.MonkeyPatch
) -> None:
    went = asyncio.Queue[bool]()

    async def go() -> None:
        await went.put(top_up._winnable.asked.is_set())
        top_up._winnable.asked.clear()

    monkeypatch.setattr(top_up, "go", go)
    top_up.start()
    assert await asyncio.wait_for(went.get(), 5) is False
    with pytest.raises(NoWinnable):
        await deal(ada, *CUSTOM)
    assert await asyncio.wait_for(went.get(), 5) is True
    await top_up.stop()


async def test_a_top_up_that_never_began_can_be_stopped(top_up: TopUp) -> None:
    await top_up.stop()
