"""Two games side by side."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.service import (
    Comparison,
    NobodyElse,
    NoGame,
    NothingToCompare,
    OwnGameFirst,
    Position,
    Services,
    compare,
)
from engine import IllegalMove, Move, Record
from tests.service.conftest import Player, finished

DEAL = Record.parse("acesup/standard/1")


def games(one: str, other: str) -> Comparison:
    return compare(*(Record.parse(f"acesup/standard/1 {moves}".strip()) for moves in (one, other)))


def test_results_stand_side_by_side_and_the_first_difference_is_named() -> None:
    found = games("2-d s-t 4-d", "2-d s-t s-t")
    assert (found.one.score, found.one.moves, found.one.next_move) == (2, 3, Move("4", "d"))
    assert (found.other.score, found.other.moves, found.other.next_move) == (1, 3, Move("s", "t"))
    assert (found.shared, found.full_score, found.are_same) == (2, 48, False)
    assert found.table == Position.of(Record.parse("acesup/standard/1 2-d s-t")).table


@pytest.mark.parametrize("moves", ["", "2-d s-t"])
def test_the_same_games_are_the_same(moves: str) -> None:
    found = games(moves, moves)
    assert found.are_same
    assert (found.one, found.one.next_move) == (found.other, None)


def test_a_game_that_ended_where_the_other_went_on_has_no_next_move() -> None:
    found = games("2-d", "2-d s-t s-t")
    assert (found.shared, found.one.next_move, found.other.next_move) == (1, None, Move("s", "t"))
    assert not found.are_same


def test_games_can_part_at_their_first_move() -> None:
    found = games("2-d", "s-t")
    assert found.shared == 0
    assert found.table == Position.of(DEAL).table


def test_coming_together_again_later_changes_nothing() -> None:
    found = compare(*(Record.parse(f"klondike/d1/36 {moves}") for moves in ("6-7 s-w", "s-w 6-7")))
    assert (found.shared, found.one.next_move, found.other.next_move) == (0, Move("6", "7"), Move("s", "w"))


@pytest.mark.parametrize("other", ["acesup/standard/2", "acesup/aces/1", "klondike/d1/1"])
def test_games_of_different_deals_are_not_compared(other: str) -> None:
    with pytest.raises(ValueError, match="deal"):
        compare(DEAL, Record.parse(other))


def test_a_record_that_breaks_the_rules_is_not_compared() -> None:
    with pytest.raises(IllegalMove):
        games("2-d 1-d", "2-d")


@given(st.integers(0, 20), st.integers(0, 20))
@settings(max_examples=40, deadline=None)
def test_two_stretches_of_one_game_part_where_the_shorter_ends(first: int, second: int) -> None:
    whole = finished("won", "klondike")
    one, other = (replace(whole, moves=whole.moves[:length]) for length in (first, second))
    found, turned = compare(one, other), compare(other, one)
    assert found.shared == turned.shared == min(first, second)
    assert found.are_same == (first == second)
    assert (found.one, found.other, found.table) == (turned.other, turned.one, turned.table)


# Whose games


async def test_the_current_game_is_compared_with_the_friends_last_on_that_deal(
    services: Services, ada: Player, ola: Player
) -> None:
    for draws in (1, 2):
        await ola.new("klondike", "d1", "36")
        for _ in range(draws):
            await ola.draw()
        theirs = (await ola.give_up()).game
    await ola.new("klondike", "d1", "37")
    await ola.give_up()
    await ada.new("klondike", "d1", "36")
    mine = (await ada.give_up()).game
    assert await services.comparing.pair(ada.request(), 2) == (mine, theirs)


async def test_nothing_is_compared_before_both_have_ended(
    services: Services, ada: Player, ola: Player
) -> None:
    with pytest.raises(NoGame):
        await services.comparing.pair(ada.request(), 2)
    await ada.new("klondike", "d1", "36")
    await ola.new("klondike", "d1", "36")
    with pytest.raises(OwnGameFirst):
        await services.comparing.pair(ada.request(), 2)
    await ada.give_up()
    with pytest.raises(NothingToCompare):
        await services.comparing.pair(ada.request(), 2)
    await ola.give_up()
    assert await services.comparing.pair(ada.request(), 2)


async def test_who_hides_is_not_compared_with_and_nobody_with_themself(
    services: Services, ada: Player, ola: Player
) -> None:
    for player in (ada, ola):
        await player.new("klondike", "d1", "36")
        await player.give_up()
    with pytest.raises(NobodyElse):
        await services.comparing.pair(ada.request(), 1)
    await services.settings.change(2, "is_hidden", value=True)
    with pytest.raises(NothingToCompare):
        await services.comparing.pair(ada.request(), 2)
    assert await services.comparing.pair(ola.request(), 1)


async def test_todays_daily_is_compared_once_both_have_finished_it(
    services: Services, ada: Player, ola: Player
) -> None:
    for player in (ada, ola):
        await services.games.play_daily(player.request())
    with pytest.raises(OwnGameFirst):
        await services.comparing.pair(ada.request(), 2)
    await ada.give_up()
    with pytest.raises(NothingToCompare):
        await services.comparing.pair(ada.request(), 2)
    await ola.give_up()
    one, other = await services.comparing.pair(ada.request(), 2)
    assert one.day == other.day == services.daily.today
