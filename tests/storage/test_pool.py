"""What every store does with deals that are known to be winnable."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.storage import Status, Store
from tests.storage.conftest import OpenStore, mark_of, new_game

CELL = ("acesup", "cell")
D3P2R = ("klondike", "d3p2r")
LARGE = 999_999_999


async def test_nothing_is_known_at_first(store: Store) -> None:
    assert await store.winnable_numbers(CELL, 10) == []
    assert await store.winnable_line(CELL, 1) is None
    assert await store.winnable_counts() == {}


async def test_a_deal_is_kept_with_its_line(store: Store, open_store: OpenStore) -> None:
    await store.add_winnable(CELL, LARGE, "s-t 1-d")
    for one in (store, await open_store()):
        assert await one.winnable_numbers(CELL, 10) == [LARGE]
        assert await one.winnable_line(CELL, LARGE) == "s-t 1-d"


async def test_deals_are_known_by_game_rules_and_number(store: Store) -> None:
    await store.add_winnable(CELL, 7, "a")
    await store.add_winnable(("acesup", "pairs"), 7, "b")
    await store.add_winnable(("klondike", "cell"), 7, "c")
    await store.add_winnable(CELL, 8, "d")
    lines = [("acesup", "cell", 7), ("acesup", "pairs", 7), ("klondike", "cell", 7), ("acesup", "cell", 8)]
    assert [await store.winnable_line((game, rules), number) for game, rules, number in lines] == list("abcd")
    assert await store.winnable_counts() == {CELL: 2, ("acesup", "pairs"): 1, ("klondike", "cell"): 1}


async def test_a_deal_that_is_found_twice_is_kept_once_as_it_was(store: Store) -> None:
    await asyncio.gather(*(store.add_winnable(CELL, 7, line) for line in ("first", "second")))
    kept = await store.winnable_line(CELL, 7)
    assert kept in ("first", "second")  # whichever connection was quicker
    await store.add_winnable(CELL, 7, "third")
    assert await store.winnable_line(CELL, 7) == kept
    assert await store.winnable_numbers(CELL, 10) == [7]


async def test_numbers_rise_and_are_at_most_as_many_as_wanted(store: Store) -> None:
    for number in (30, 4, 100, 2):
        await store.add_winnable(CELL, number, "")
    assert await store.winnable_numbers(CELL, 10) == [2, 4, 30, 100]
    assert await store.winnable_numbers(CELL, 3) == [2, 4, 30]


async def test_the_seeds_a_user_had_are_theirs_by_those_rules_the_last_first(store: Store) -> None:
    for owner, record in (
        (1, "acesup/cell/5"),
        (1, "acesup/cell/mormor s-t s-t"),
        (2, "acesup/cell/6"),
        (1, "acesup/cell+pairs/7"),
        (1, "klondike/d1/8"),
        (1, "acesup/cell/9 s-t"),
        (1, "acesup/cell/5"),
    ):
        await store.create_game(replace(new_game(owner), record=record))
    assert await store.seeds_had(1, CELL, 100) == ["5", "9", "mormor", "5"]
    assert await store.seeds_had(2, CELL, 100) == ["6"]
    assert await store.seeds_had(3, CELL, 100) == []


async def test_seeds_are_had_however_the_game_ended(store: Store) -> None:
    for number, status in enumerate(Status):
        await store.create_game(replace(new_game(1, seed=number), status=status))
    assert len(await store.seeds_had(1, ("acesup", "standard"), 100)) == len(Status)


@pytest.mark.parametrize(("limit", "seeds"), [(1, []), (2, ["3"]), (3, ["3", "2"]), (9, ["3", "2", "1"])])
async def test_only_the_last_games_are_looked_at_for_seeds(
    store: Store, limit: int, seeds: list[str]
) -> None:
    for seed in (1, 2, 3):
        await store.create_game(new_game(1, seed=seed))
    await store.create_game(replace(new_game(1), record="klondike/d1/4"))
    assert await store.seeds_had(1, ("acesup", "standard"), limit) == seeds


async def test_rules_are_compared_letter_by_letter(store: Store) -> None:
    """Not as a pattern, in which some characters would stand for others."""
    await store.create_game(replace(new_game(1), record="klondike/d3p2r/1"))
    assert await store.seeds_had(1, ("klondike", "d_p2r"), 9) == []
    assert await store.seeds_had(1, ("klondike", "%"), 9) == []
    assert await store.seeds_had(1, D3P2R, 9) == ["1"]


async def test_known_deals_stay_when_whoever_asked_for_them_is_forgotten(store: Store) -> None:
    await store.add_winnable(D3P2R, 7, "s-w")
    await store.create_game(replace(new_game(1), record="klondike/d3p2r/7"))
    await store.forget(1, "2027-01-01", mark_of(1))
    assert await store.winnable_numbers(D3P2R, 10) == [7]
    assert await store.seeds_had(1, D3P2R, 10) == []
