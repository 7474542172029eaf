"""What every store does, whatever it keeps games in."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from dataclasses import asdict, fields, replace
from typing import Any

import pytest

from bot.storage import LiveTable, NewGame, RevisionConflict, Settings, Status, Store, StoredGame
from tests.storage.conftest import OpenStore, new_game

# Discord's ids are 64 bits wide, and times are milliseconds: neither fits 32 bits.
BIG_ID = 2**63 - 1
LATE_MS = 4_102_444_800_000


async def test_a_new_game_is_kept_as_it_was_given(store: Store) -> None:
    new = NewGame(BIG_ID, "klondike/d1/%F0%9F%82%A1 s-w", Status.PLAYING, 3, BIG_ID - 1, LATE_MS)
    made = await store.create_game(new)
    assert made == StoredGame(
        id=made.id,
        owner_id=BIG_ID,
        record="klondike/d1/%F0%9F%82%A1 s-w",
        undone="",
        revision=0,
        status=Status.PLAYING,
        score=3,
        request_id=BIG_ID - 1,
        created_ms=LATE_MS,
        updated_ms=LATE_MS,
    )
    assert await store.load_game(made.id) == made
    assert isinstance(made.status, Status)


async def test_every_game_has_an_id_of_its_own(store: Store) -> None:
    made = [await store.create_game(new_game(owner)) for owner in (1, 1, 2)]
    assert len({game.id for game in made}) == 3


async def test_games_are_counted_by_status_also_where_there_are_none(store: Store) -> None:
    assert await store.count_games() == dict.fromkeys(Status, 0)
    for status in (Status.PLAYING, Status.PLAYING, Status.WON, Status.EXPIRED):
        await store.create_game(replace(new_game(1), status=status))
    expected = dict.fromkeys(Status, 0) | {Status.PLAYING: 2, Status.WON: 1, Status.EXPIRED: 1}
    assert await store.count_games() == expected


async def test_an_unknown_game_is_none(store: Store) -> None:
    assert await store.load_game(1) is None
    assert await store.current_game(1) is None
    assert await store.unfinished_games(1, 25) == []


async def test_a_new_game_becomes_its_owners_current_one_and_nobody_elses(store: Store) -> None:
    first = await store.create_game(new_game(1))
    other = await store.create_game(new_game(2))
    second = await store.create_game(new_game(1))
    assert await store.current_game(1) == second
    assert await store.current_game(2) == other
    assert await store.load_game(first.id) == first


async def test_the_current_game_is_changed_for_its_owner_alone(store: Store) -> None:
    first = await store.create_game(new_game(1))
    await store.create_game(new_game(1))
    other = await store.create_game(new_game(2))
    await store.make_current(first.id)
    assert await store.current_game(1) == first
    assert await store.current_game(2) == other


async def test_a_finished_game_stays_the_current_one(store: Store) -> None:
    game = await store.create_game(new_game())
    won = await store.save_if_revision(replace(game, status=Status.WON))
    assert await store.current_game(1) == won


async def test_a_save_writes_the_turn_and_raises_the_revision_by_one(store: Store) -> None:
    game = await store.create_game(new_game())
    played = replace(
        game,
        record=f"{game.record} s-t",
        undone="2-d 1-d",
        status=Status.OVER,
        score=7,
        request_id=99,
        updated_ms=2_000,
    )
    saved = await store.save_if_revision(played)
    assert saved == replace(played, revision=1)
    assert await store.load_game(game.id) == saved


async def test_a_save_leaves_owner_and_birth_alone(store: Store) -> None:
    game = await store.create_game(new_game(1))
    await store.save_if_revision(replace(game, owner_id=2, created_ms=5))
    kept = await store.load_game(game.id)
    assert kept is not None
    assert (kept.owner_id, kept.created_ms) == (1, 1_000)


async def test_a_save_touches_no_other_game(store: Store) -> None:
    other = await store.create_game(new_game(1))
    game = await store.create_game(new_game(1))
    await store.save_if_revision(replace(game, score=5))
    assert await store.load_game(other.id) == other


@pytest.mark.parametrize("status", Status)
async def test_every_status_is_kept(store: Store, status: Status) -> None:
    game = await store.create_game(replace(new_game(), status=status))
    kept = await store.load_game(game.id)
    assert kept is not None
    assert kept.status is status


async def test_of_two_saves_from_one_revision_the_second_is_stale_and_writes_nothing(store: Store) -> None:
    game = await store.create_game(new_game())
    first = await store.save_if_revision(replace(game, score=1))
    with pytest.raises(RevisionConflict):
        await store.save_if_revision(replace(game, score=2))
    assert await store.load_game(game.id) == first


async def test_of_two_saves_at_once_from_one_revision_one_wins(store: Store) -> None:
    game = await store.create_game(new_game())
    saves = [store.save_if_revision(replace(game, score=score)) for score in (1, 2)]
    results = await asyncio.gather(*saves, return_exceptions=True)
    assert sorted(type(result).__name__ for result in results) == ["RevisionConflict", "StoredGame"]
    winner = next(result for result in results if isinstance(result, StoredGame))
    assert await store.load_game(game.id) == winner


async def test_of_two_saves_from_two_processes_one_wins(store: Store, open_store: OpenStore) -> None:
    game = await store.create_game(new_game())
    other = await open_store()
    results = await asyncio.gather(
        store.save_if_revision(replace(game, score=1)),
        other.save_if_revision(replace(game, score=2)),
        return_exceptions=True,
    )
    assert sorted(type(result).__name__ for result in results) == ["RevisionConflict", "StoredGame"]


async def test_a_game_that_went_back_in_moves_is_stale_all_the_same(store: Store) -> None:
    """After an undo an old number of moves is valid again, an old revision never."""
    dealt = await store.create_game(new_game())
    played = await store.save_if_revision(replace(dealt, record=f"{dealt.record} s-t"))
    await store.save_if_revision(replace(played, record=dealt.record))
    with pytest.raises(RevisionConflict):
        await store.save_if_revision(replace(dealt, score=9))


async def test_saving_a_game_that_is_not_there_is_stale(store: Store) -> None:
    game = await store.create_game(new_game())
    with pytest.raises(RevisionConflict):
        await store.save_if_revision(replace(game, id=game.id + 1))


async def test_unfinished_games_come_last_touched_first(store: Store) -> None:
    games = [await store.create_game(new_game(now_ms=now_ms)) for now_ms in (1_000, 2_000, 3_000)]
    touched = await store.save_if_revision(replace(games[0], updated_ms=4_000))
    assert await store.unfinished_games(1, 25) == [touched, games[2], games[1]]


async def test_of_games_touched_in_the_same_millisecond_the_newer_comes_first(store: Store) -> None:
    games = [await store.create_game(new_game()) for _ in range(3)]
    assert await store.unfinished_games(1, 25) == games[::-1]


async def test_unfinished_games_are_the_owners_and_still_going(store: Store) -> None:
    await store.create_game(new_game(2))
    for status in (Status.WON, Status.OVER, Status.GIVEN_UP):
        await store.create_game(replace(new_game(1), status=status))
    playing = await store.create_game(new_game(1))
    assert await store.unfinished_games(1, 25) == [playing]


async def test_a_won_game_that_is_taken_back_is_unfinished_again(store: Store) -> None:
    game = await store.create_game(new_game())
    won = await store.save_if_revision(replace(game, status=Status.WON))
    assert await store.unfinished_games(1, 25) == []
    again = await store.save_if_revision(replace(won, status=Status.PLAYING))
    assert await store.unfinished_games(1, 25) == [again]


async def test_at_most_the_limit_is_listed(store: Store) -> None:
    games = [await store.create_game(new_game(now_ms=now_ms)) for now_ms in range(30)]
    assert await store.unfinished_games(1, 25) == games[:4:-1]
    assert await store.unfinished_games(1, 1) == games[-1:]


async def test_the_last_value_under_a_key_is_remembered(store: Store) -> None:
    assert await store.get_value("commands") is None
    await store.set_value("commands", "one")
    await store.set_value("commands", "to ♠ 'quoted' \"twice\"")
    await store.set_value("other", "")
    assert await store.get_value("commands") == "to ♠ 'quoted' \"twice\""
    assert await store.get_value("other") == ""


async def test_settings_are_the_defaults_until_they_are_chosen(store: Store) -> None:
    assert await store.load_settings(1) == Settings()


@pytest.mark.parametrize("field", [field.name for field in fields(Settings)])
async def test_every_setting_is_kept_for_its_user_alone(store: Store, field: str) -> None:
    choice: dict[str, Any] = {field: "no" if field == "language" else True}
    chosen = Settings(**choice)
    await store.save_settings(BIG_ID, chosen)
    await store.save_settings(2, Settings(language="en"))
    kept = await store.load_settings(BIG_ID)
    assert kept == chosen
    assert type(getattr(kept, field)) is type(getattr(chosen, field))
    await store.save_settings(BIG_ID, Settings())
    assert await store.load_settings(BIG_ID) == Settings()
    assert await store.load_settings(2) == Settings(language="en")


async def test_settings_changed_at_once_in_two_processes_are_all_kept(
    store: Store, open_store: OpenStore
) -> None:
    other = await open_store()
    names = [field.name for field in fields(Settings) if isinstance(field.default, bool)]

    def turn_on(name: str) -> Callable[[Settings], Settings]:
        return lambda chosen: Settings(**{**asdict(chosen), name: True})

    await asyncio.gather(
        *(
            one.change_settings(1, turn_on(name))
            for one, name in zip(itertools.cycle((store, other)), names, strict=False)
        )
    )
    chosen = await store.load_settings(1)
    assert [name for name in names if getattr(chosen, name)] == names
    assert await store.load_settings(2) == Settings()


async def test_the_place_of_a_games_controls_is_kept_and_the_one_before_told(store: Store) -> None:
    game, other = await store.create_game(new_game()), await store.create_game(new_game())
    first, second = LiveTable(BIG_ID, BIG_ID - 1, '{"a": "ø"}'), LiveTable(7, 8, "")
    assert await store.live_table(game.id) is None
    assert await store.place_table(game.id, first) is None
    assert await store.place_table(game.id, second) == first
    assert await store.live_table(game.id) == second
    assert await store.live_table(other.id) is None


async def test_where_a_game_that_is_not_there_has_its_controls_is_not_kept(store: Store) -> None:
    game = await store.create_game(new_game())
    await store.place_table(game.id, LiveTable(1, 2, ""))
    await store.forget(1, "", "")
    assert await store.place_table(game.id, LiveTable(1, 3, "")) is None
    assert await store.live_table(game.id) is None


async def test_the_places_of_all_controls_of_an_owners_games(store: Store) -> None:
    games = [await store.create_game(new_game(owner)) for owner in (1, 2, 1, 1)]
    places = {game.id: LiveTable(BIG_ID, BIG_ID - game.id, "ø") for game in games[:3]}
    for game_id, place in places.items():
        await store.place_table(game_id, place)
    assert await store.tables_of(1) == {games[n].id: places[games[n].id] for n in (0, 2)}
    assert await store.tables_of(3) == {}


async def test_of_two_places_at_once_each_is_told_to_one_as_the_one_before(store: Store) -> None:
    game = await store.create_game(new_game())
    places = [LiveTable(1, message_id, "") for message_id in range(10)]
    told = await asyncio.gather(*(store.place_table(game.id, place) for place in places))
    last = await store.live_table(game.id)
    assert {None, *places} == {*told, last}
    assert len(set(told)) == 10


async def test_another_process_sees_what_was_acknowledged(store: Store, open_store: OpenStore) -> None:
    other = await open_store()
    game = await store.create_game(new_game())
    saved = await store.save_if_revision(replace(game, score=4))
    await store.set_value("key", "value")
    assert await other.current_game(1) == saved
    assert await other.unfinished_games(1, 25) == [saved]
    assert await other.get_value("key") == "value"


async def test_what_was_kept_is_there_after_a_restart(store: Store, open_store: OpenStore) -> None:
    first = await store.create_game(new_game())
    await store.create_game(new_game())
    await store.make_current(first.id)
    await store.set_value("key", "value")
    await store.close()
    again = await open_store()
    assert await again.current_game(1) == first
    assert len(await again.unfinished_games(1, 25)) == 2
    assert await again.get_value("key") == "value"


async def test_a_store_can_be_closed_twice_and_opened_again(store: Store) -> None:
    game = await store.create_game(new_game())
    await store.close()
    await store.close()
    await store.open()
    assert await store.load_game(game.id) == game


async def test_fifty_tasks_at_once_all_get_their_turn(store: Store) -> None:
    """Nobody reads "database is locked"; every game is kept once, under an id of its own."""

    async def play(owner_id: int) -> StoredGame:
        game = await store.create_game(new_game(owner_id))
        for score in range(1, 5):
            game = await store.save_if_revision(replace(game, score=score))
            assert await store.current_game(owner_id) == game
        return game

    games = await asyncio.gather(*(play(owner_id) for owner_id in range(50)))
    assert len({game.id for game in games}) == 50
    assert {(game.revision, game.score) for game in games} == {(4, 4)}


async def test_fifty_tasks_of_two_processes_all_get_their_turn(store: Store, open_store: OpenStore) -> None:
    other = await open_store()

    async def play(mine: Store, owner_id: int) -> StoredGame:
        game = await mine.create_game(new_game(owner_id))
        return await mine.save_if_revision(replace(game, score=1))

    games = await asyncio.gather(*(play((store, other)[i % 2], i) for i in range(50)))
    assert len({game.id for game in games}) == 50
    assert [await store.current_game(i) for i in range(50)] == games


@pytest.mark.parametrize("turns_of_the_loop", range(12))
async def test_a_cancelled_task_leaves_the_store_usable(store: Store, turns_of_the_loop: int) -> None:
    """Wherever it is cut off, a save has happened as a whole or not at all, and the next one works."""
    game = await store.create_game(new_game())
    task = asyncio.create_task(
        store.save_if_revision(replace(game, score=1, record="acesup/standard/24 s-t"))
    )
    for _ in range(turns_of_the_loop):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    kept = await store.load_game(game.id)
    assert kept is not None
    whole = (1, 1, "acesup/standard/24 s-t")
    assert (kept.revision, kept.score, kept.record) in (whole, (0, 0, "acesup/standard/24"))
    assert (await store.save_if_revision(replace(kept, score=2))).score == 2


async def test_cancelling_one_of_many_waiting_tasks_costs_only_that_one(store: Store) -> None:
    tasks = [asyncio.create_task(store.create_game(new_game(owner_id))) for owner_id in range(20)]
    await asyncio.sleep(0)
    for task in tasks[::2]:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for owner_id in range(1, 20, 2):
        assert await store.current_game(owner_id) == tasks[owner_id].result()


async def test_one_request_that_is_dealt_twice_at_once_deals_one_game(open_store: OpenStore) -> None:
    first, second = await open_store(), await open_store()
    dealt = await asyncio.gather(*(store.create_game(new_game(request_id=7)) for store in (first, second)))
    assert dealt[0] == dealt[1] == await first.current_game(1)
    assert len(await first.unfinished_games(1, 9)) == 1
    played = await second.save_if_revision(replace(dealt[0], record=f"{dealt[0].record} s-t", request_id=8))
    assert (await first.create_game(new_game(request_id=9))).id != played.id
