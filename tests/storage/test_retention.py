"""What every store does with unfinished games that nobody plays on."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.storage import DailyResult, LiveTable, RevisionConflict, Status, Store, StoredGame
from tests.storage.conftest import OpenStore, finish_daily, new_daily, new_game

TODAY = "2027-01-01"
TABLE = LiveTable(50, 60, "remains")


def expired(game: StoredGame, score: int = 3) -> StoredGame:
    return replace(game, status=Status.EXPIRED, score=score)


async def test_games_come_that_are_still_going_the_longest_untouched_first(store: Store) -> None:
    games = [
        await store.create_game(new_game(owner, now_ms=now)) for owner, now in ((1, 30), (2, 10), (1, 20))
    ]
    for status in set(Status) - {Status.PLAYING}:
        ended = await store.create_game(new_game(now_ms=5))
        await store.save_if_revision(replace(ended, status=status))
    assert await store.untouched_games(31, 10) == [games[1], games[2], games[0]]
    assert await store.untouched_games(30, 10) == [games[1], games[2]]
    assert await store.untouched_games(31, 1) == [games[1]]
    assert await store.untouched_games(10, 10) == []


async def test_of_two_touched_at_the_same_moment_the_one_dealt_first_comes_first(store: Store) -> None:
    games = [await store.create_game(new_game(owner)) for owner in (3, 1, 2)]
    assert await store.untouched_games(2_000, 10) == games


async def test_a_game_that_is_played_on_is_touched(store: Store) -> None:
    game = await store.create_game(new_game(now_ms=1_000))
    await store.save_if_revision(replace(game, record=f"{game.record} s-t", updated_ms=5_000))
    assert await store.untouched_games(5_000, 10) == []


async def test_daily_games_do_not_come(store: Store) -> None:
    await store.create_game(new_daily(1, TODAY))
    await finish_daily(store, 2, TODAY, 5)
    assert await store.untouched_games(2_000, 10) == []


async def test_a_thinned_game_is_its_record(store: Store, open_store: OpenStore) -> None:
    """With its place among the owner's games, and the message of its table forgotten."""
    other = await store.create_game(new_game(now_ms=900))
    await store.place_table(other.id, TABLE)
    game = await store.create_game(new_game())
    record = f"{game.record} s-t"
    game = await store.save_if_revision(
        replace(game, record=record, undone="1-d 2-d", won_record=f"{record} 1-d", score=7)
    )
    await store.place_table(game.id, TABLE)
    await store.compact(expired(game))
    kept = replace(expired(game), undone="", revision=game.revision + 1)
    for one in (store, await open_store()):
        assert await one.load_game(game.id) == kept
        assert await one.current_game(1) == kept
        assert await one.live_table(game.id) is None
        assert await one.live_table(other.id) == TABLE
        assert await one.unfinished_games(1, 10) == [other]
        assert await one.untouched_games(2_000, 10) == [other]
        assert await one.game_on_deal(1, "acesup/standard/24") == kept


async def test_a_game_that_was_changed_meanwhile_is_left_alone(store: Store) -> None:
    game = await store.create_game(new_game())
    await store.place_table(game.id, TABLE)
    touched = await store.save_if_revision(replace(game, record=f"{game.record} s-t", undone="1-d"))
    with pytest.raises(RevisionConflict):
        await store.compact(expired(game))
    assert await store.load_game(game.id) == touched
    assert await store.live_table(game.id) == TABLE


async def test_a_game_is_thinned_once(store: Store) -> None:
    game = await store.create_game(new_game())
    await store.compact(expired(game))
    with pytest.raises(RevisionConflict):
        await store.compact(expired(game, 9))
    kept = await store.load_game(game.id)
    assert kept is not None
    assert kept.score == 3


async def test_a_game_that_is_not_there_can_not_be_thinned(store: Store) -> None:
    game = await store.create_game(new_game())
    with pytest.raises(RevisionConflict):
        await store.compact(replace(expired(game), id=99))
    await store.forget(1, TODAY, "mark")
    with pytest.raises(RevisionConflict):
        await store.compact(expired(game))


async def test_of_two_who_thin_a_game_and_one_who_plays_it_one_succeeds(
    store: Store, open_store: OpenStore
) -> None:
    other = await open_store()
    for owner in range(10):
        game = await store.create_game(new_game(owner))
        played = replace(game, record=f"{game.record} s-t", status=Status.OVER)
        outcomes = await asyncio.gather(
            *(store.compact(expired(game)), other.save_if_revision(played), other.compact(expired(game))),
            return_exceptions=True,
        )
        assert sum(isinstance(outcome, RevisionConflict) for outcome in outcomes) == 2
        kept = await store.load_game(game.id)
        assert kept is not None
        assert kept.revision == 1
        assert kept.record == (game.record if kept.status is Status.EXPIRED else played.record)


async def test_boards_and_challenges_still_have_it(store: Store) -> None:
    daily = await store.create_game(new_daily(1, TODAY))
    await store.save_if_revision(replace(daily, status=Status.OVER), DailyResult(TODAY, 1, daily.id, 5))
    game = await store.create_game(new_game())
    results = await store.results_of(1)
    await store.compact(expired(game))
    assert await store.results_of(1) == results
    assert [(one.game_id, one.status, one.score) for one in await store.played(1)] == [
        (daily.id, Status.OVER, 0),
        (game.id, Status.EXPIRED, 3),
    ]


@pytest.mark.parametrize(("undone", "won_record"), [("", "acesup/standard/24 s-t"), ("s-t", "x")])
async def test_a_win_is_kept_of_a_game_that_was_taken_back_to_its_deal(
    store: Store, undone: str, won_record: str
) -> None:
    game = await store.create_game(new_game())
    game = await store.save_if_revision(replace(game, undone=undone, won_record=won_record))
    await store.compact(expired(game, 0))
    [played] = await store.played(1)
    assert (played.is_won, played.is_started, played.status) == (True, True, Status.EXPIRED)
