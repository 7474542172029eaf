"""What every store does with challenges, daily posts, and all that is kept of one user."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from bot.storage import (
    AlreadyExists,
    BoardQuery,
    Challenge,
    DailyChannel,
    DailyResult,
    LiveTable,
    NewGame,
    Participant,
    Played,
    RevisionConflict,
    Settings,
    Status,
    Store,
    StoredGame,
)
from tests.storage.conftest import OpenStore, finish_daily, mark_of, new_daily, new_game

BIG_ID = 2**63 - 1
LATE_MS = 4_102_444_800_000
YESTERDAY, TODAY, TOMORROW = "2026-12-31", "2027-01-01", "2027-01-02"
DEAL = "acesup/standard/24"


def new_challenge(*users: int, creator_id: int = 1, is_open: bool = False) -> Challenge:
    return Challenge(
        id=0,
        deal=DEAL,
        creator_id=creator_id,
        channel_id=30,
        message_id=40,
        language="no",
        is_open=is_open,
        created_ms=LATE_MS,
        participants=tuple(map(Participant, users)),
    )


def entry(challenge: Challenge, owner_id: int) -> NewGame:
    return replace(new_game(owner_id), record=challenge.deal, challenge_id=challenge.id)


async def entrants_of(store: Store, challenge: Challenge) -> tuple[Participant, ...]:
    kept = await store.load_challenge(challenge.id)
    assert kept is not None
    return kept.participants


# Challenges


@pytest.mark.parametrize("is_open", [True, False])
async def test_a_challenge_is_kept_as_it_was_given(store: Store, is_open: bool) -> None:
    given = replace(
        new_challenge(BIG_ID, 2, is_open=is_open),
        deal="klondike/d1/%F0%9F%82%A1",
        creator_id=BIG_ID,
        channel_id=BIG_ID - 1,
        message_id=BIG_ID - 2,
    )
    made = await store.create_challenge(given)
    assert made == replace(given, id=made.id)
    kept = await store.load_challenge(made.id)
    assert kept == made
    assert kept.is_open is is_open


async def test_every_challenge_has_an_id_of_its_own(store: Store, open_store: OpenStore) -> None:
    other = await open_store()
    made = await asyncio.gather(
        *((store, other)[i % 2].create_challenge(replace(new_challenge(1), id=5)) for i in range(10))
    )
    assert len({challenge.id for challenge in made}) == 10
    assert all(challenge.id > 0 for challenge in made)


async def test_it_is_known_when_a_user_made_challenges(store: Store) -> None:
    for creator_id, created_ms in ((1, 30), (1, 10), (2, 25), (1, 20), (1, LATE_MS)):
        made = replace(new_challenge(2, creator_id=creator_id), created_ms=created_ms)
        await store.create_challenge(made)
    assert list(await store.challenges_since(1, 10)) == [20, 30, LATE_MS]
    assert list(await store.challenges_since(2, 0)) == [25]
    assert list(await store.challenges_since(3, 0)) == []


async def test_an_unknown_challenge_is_none(store: Store) -> None:
    made = await store.create_challenge(new_challenge())
    assert await store.load_challenge(0) is None
    assert await store.load_challenge(made.id + 1) is None


async def test_the_place_of_a_challenge_is_changed_for_it_alone(store: Store) -> None:
    made, other = [await store.create_challenge(new_challenge(1, 2)) for _ in range(2)]
    await store.place_challenge(made.id, BIG_ID, BIG_ID - 1)
    placed = replace(made, channel_id=BIG_ID, message_id=BIG_ID - 1)
    assert await store.load_challenge(made.id) == placed
    assert await store.load_challenge(other.id) == other


async def test_who_joins_has_a_game_that_is_current_and_of_the_challenge(store: Store) -> None:
    challenge = await store.create_challenge(new_challenge(1, 2))
    game = await store.join_challenge(entry(challenge, 2), limit=2)
    assert (game.record, game.owner_id, game.challenge_id) == (DEAL, 2, challenge.id)
    assert game.status is Status.PLAYING
    assert await store.load_game(game.id) == game
    assert await store.current_game(2) == game
    assert await entrants_of(store, challenge) == (Participant(1), Participant(2, game.id))


async def test_entrants_stand_in_the_order_in_which_they_were_named_and_came(store: Store) -> None:
    challenge = await store.create_challenge(new_challenge(9, 3, 6))
    for user_id in (8, 6, 1, 9):
        await store.join_challenge(entry(challenge, user_id), limit=10)
    assert [entrant.user_id for entrant in await entrants_of(store, challenge)] == [9, 3, 6, 8, 1]


async def test_entrants_are_shown_as_far_as_they_have_come(store: Store) -> None:
    challenge = await store.create_challenge(new_challenge(1, 2, 3, 4))
    other = await store.create_challenge(new_challenge(1))
    games = [await store.join_challenge(entry(challenge, user_id), limit=4) for user_id in (1, 2, 3)]
    await store.join_challenge(entry(other, 1), limit=1)
    await store.save_if_revision(
        replace(games[0], record=f"{DEAL} s-t 1-d 10-dx2", status=Status.WON, score=48)
    )
    await store.save_if_revision(
        replace(games[1], record=f"{DEAL} s-t", undone="1-d 2-d", status=Status.GIVEN_UP, score=3)
    )
    found = await entrants_of(store, challenge)
    assert found == (
        Participant(1, games[0].id, Status.WON, 48, 3),
        Participant(2, games[1].id, Status.GIVEN_UP, 3, 1),
        Participant(3, games[2].id, Status.PLAYING, 0, 0),
        Participant(4),
    )
    assert all(isinstance(entrant.status, Status) for entrant in found)


async def test_joining_twice_is_taken_and_leaves_nothing_behind(store: Store) -> None:
    challenge = await store.create_challenge(new_challenge(1, is_open=True))
    for user_id in (1, 2):  # named, and come by themselves
        game = await store.join_challenge(entry(challenge, user_id), limit=10)
        current = await store.create_game(new_game(user_id))
        before = await entrants_of(store, challenge)
        with pytest.raises(AlreadyExists):
            await store.join_challenge(entry(challenge, user_id), limit=10)
        assert await store.games_of(user_id, 0, 100) == [game, current]
        assert await store.current_game(user_id) == current
        assert await entrants_of(store, challenge) == before


@pytest.mark.parametrize("status", [status for status in Status if status is not Status.PLAYING])
async def test_an_ended_game_still_has_its_place(store: Store, status: Status) -> None:
    challenge = await store.create_challenge(new_challenge(1))
    game = await store.join_challenge(entry(challenge, 1), limit=10)
    await store.save_if_revision(replace(game, status=status))
    with pytest.raises(AlreadyExists):
        await store.join_challenge(entry(challenge, 1), limit=10)


async def test_who_finds_no_place_is_refused_and_leaves_nothing_behind(store: Store) -> None:
    challenge = await store.create_challenge(new_challenge(1, is_open=True))
    await store.join_challenge(entry(challenge, 2), limit=2)
    current = await store.create_game(new_game(3))
    before = await entrants_of(store, challenge)
    with pytest.raises(AlreadyExists):
        await store.join_challenge(entry(challenge, 3), limit=2)
    assert await store.games_of(3, 0, 100) == [current]
    assert await store.current_game(3) == current
    assert await entrants_of(store, challenge) == before
    assert await store.challenges_of(3) == []
    await store.join_challenge(entry(challenge, 3), limit=3)


async def test_whoever_is_named_has_a_place_whatever_the_limit(store: Store) -> None:
    challenge = await store.create_challenge(new_challenge(1, 2, 3))
    for user_id in (3, 1, 2):
        await store.join_challenge(entry(challenge, user_id), limit=0)
    with pytest.raises(AlreadyExists):
        await store.join_challenge(entry(challenge, 4), limit=0)
    assert [entrant.user_id for entrant in await entrants_of(store, challenge)] == [1, 2, 3]


async def test_places_of_one_challenge_are_no_places_of_another(store: Store) -> None:
    full, free = [await store.create_challenge(new_challenge(is_open=True)) for _ in range(2)]
    await store.join_challenge(entry(full, 1), limit=1)
    game = await store.join_challenge(entry(free, 1), limit=1)
    assert await entrants_of(store, free) == (Participant(1, game.id),)


async def test_of_many_who_join_at_once_from_two_processes_as_many_as_fit_get_in(
    store: Store, open_store: OpenStore
) -> None:
    other = await open_store()
    challenge = await store.create_challenge(new_challenge(1, is_open=True))
    joining = [(store, other)[i % 2].join_challenge(entry(challenge, 1 + i // 2), limit=4) for i in range(20)]
    results = await asyncio.gather(*joining, return_exceptions=True)
    games = [result for result in results if isinstance(result, StoredGame)]
    assert [result for result in results if not isinstance(result, StoredGame | AlreadyExists)] == []
    assert len(games) == len({game.owner_id for game in games}) == 4
    found = await entrants_of(store, challenge)
    assert {(entrant.user_id, entrant.game_id) for entrant in found} == {
        (game.owner_id, game.id) for game in games
    }
    for user_id in range(1, 11):
        mine = [game for game in games if game.owner_id == user_id]
        assert await store.games_of(user_id, 0, 100) == mine


async def test_challenges_of_a_user_are_those_made_and_those_taken_part_in(store: Store) -> None:
    made = await store.create_challenge(new_challenge(2, creator_id=1))
    named = await store.create_challenge(new_challenge(3, 1, creator_id=2))
    both = await store.create_challenge(new_challenge(1, 2, creator_id=1, is_open=True))
    joined = await store.create_challenge(new_challenge(creator_id=4, is_open=True))
    await store.join_challenge(entry(joined, 1), limit=5)
    await store.create_challenge(new_challenge(2, creator_id=3))
    expected = [replace(challenge, participants=()) for challenge in (made, named, both, joined)]
    assert await store.challenges_of(1) == expected
    assert await store.challenges_of(77) == []


# Daily posts


def channel(server_id: int = 5, **changes: Any) -> DailyChannel:
    kept = DailyChannel(server_id, channel_id=50, language="no", chosen_by=1, day=YESTERDAY)
    return replace(kept, **changes)


async def claims(store: Store, day: str, now_ms: int) -> list[DailyChannel]:
    """Every channel that is given out at that moment, each noted as arrived before the next."""
    found: list[DailyChannel] = []
    while given := await store.claim_daily_post(day, now_ms):
        assert given.server_id not in {earlier.server_id for earlier in found}
        found.append(given)
        await store.note_daily_post(given.server_id, day)
    return sorted(found, key=lambda given: given.server_id)


@pytest.mark.parametrize(
    "given",
    [
        DailyChannel(BIG_ID, BIG_ID - 1, "nb-NO", BIG_ID - 2, TODAY, LATE_MS, False, "mangler ♠"),
        DailyChannel(BIG_ID, 1, "", 0, ""),
    ],
    ids=["all of it", "the defaults"],
)
async def test_a_daily_channel_is_kept_as_it_was_given(store: Store, given: DailyChannel) -> None:
    await store.set_daily_channel(given)
    kept = await store.daily_channel(BIG_ID)
    assert kept == given
    assert kept.is_done is given.is_done


async def test_a_server_has_one_daily_channel_the_last_chosen(store: Store) -> None:
    await store.set_daily_channel(channel(5, trouble="old", is_done=False))
    await store.set_daily_channel(channel(6))
    await store.set_daily_channel(channel(5, channel_id=51, language="", chosen_by=2))
    assert await store.daily_channel(5) == channel(5, channel_id=51, language="", chosen_by=2)
    assert await store.daily_channel(6) == channel(6)
    assert await store.daily_channel(7) is None


async def test_a_dropped_channel_gets_no_post_and_can_be_dropped_once(store: Store) -> None:
    await store.set_daily_channel(channel(5))
    await store.set_daily_channel(channel(6))
    assert await store.drop_daily_channel(5) is True
    assert await store.drop_daily_channel(5) is False
    assert await store.daily_channel(5) is None
    assert [given.server_id for given in await claims(store, TODAY, LATE_MS)] == [6]


async def test_channels_chosen_by_a_user_are_that_users_alone(store: Store) -> None:
    mine = [channel(server_id, chosen_by=BIG_ID, is_done=False) for server_id in (9, 4)]
    for kept in (*mine, channel(5)):
        await store.set_daily_channel(kept)
    assert await store.channels_chosen_by(BIG_ID) == mine[::-1]
    assert await store.channels_chosen_by(2) == []


async def test_a_claimed_post_is_begun_and_not_yet_arrived(store: Store) -> None:
    await store.set_daily_channel(channel(begun_ms=7))
    begun = channel(day=TODAY, begun_ms=LATE_MS, is_done=False)
    assert await store.claim_daily_post(TODAY, LATE_MS) == begun
    assert await store.daily_channel(5) == begun
    await store.note_daily_post(5, TODAY)
    assert await store.daily_channel(5) == replace(begun, is_done=True)


async def test_each_channel_without_the_days_post_is_given_out_once(store: Store) -> None:
    for server_id, day in ((1, ""), (2, "2026-02-01"), (3, YESTERDAY), (4, TODAY), (5, TOMORROW)):
        await store.set_daily_channel(channel(server_id, day=day))
    assert [given.server_id for given in await claims(store, TODAY, LATE_MS)] == [1, 2, 3]
    assert await claims(store, TODAY, LATE_MS + 30_000) == []
    assert [given.server_id for given in await claims(store, TOMORROW, LATE_MS)] == [1, 2, 3, 4]


async def test_of_two_processes_that_claim_at_once_none_gets_what_the_other_has(
    store: Store, open_store: OpenStore
) -> None:
    other = await open_store()
    for server_id in range(10):
        await store.set_daily_channel(channel(server_id))

    async def claim_all(mine: Store) -> list[int]:
        found: list[int] = []
        while given := await mine.claim_daily_post(TODAY, LATE_MS):
            assert given.server_id not in found
            found.append(given.server_id)
        return found

    found = await asyncio.gather(*(claim_all(mine) for mine in (store, other, store, other)))
    assert sorted(server_id for mine in found for server_id in mine) == list(range(10))


@pytest.mark.parametrize(
    ("later_ms", "is_given"),
    [(0, False), (19_999, False), (20_000, True), (120_000, True), (120_001, False), (86_400_000, False)],
)
async def test_a_post_that_does_not_arrive_is_begun_again_from_20_seconds_to_2_minutes_later(
    store: Store, later_ms: int, is_given: bool
) -> None:
    await store.set_daily_channel(channel())
    first = await store.claim_daily_post(TODAY, LATE_MS)
    again = await store.claim_daily_post(TODAY, LATE_MS + later_ms)
    assert (again is not None) is is_given
    if again is not None and first is not None:
        assert (again.server_id, again.day, again.is_done) == (5, TODAY, False)
        await store.note_daily_post(5, TODAY)
        assert await store.claim_daily_post(TODAY, LATE_MS + later_ms + 1) is None


@pytest.mark.parametrize("later_ms", [1_000, 60_000, 3_600_000])
@pytest.mark.parametrize("trouble", ["", "no permission"])
async def test_a_post_that_arrived_or_can_not_is_not_begun_again_that_day(
    store: Store, trouble: str, later_ms: int
) -> None:
    await store.set_daily_channel(channel())
    await store.claim_daily_post(TODAY, LATE_MS)
    await store.note_daily_post(5, TODAY, trouble)
    kept = await store.daily_channel(5)
    assert kept == channel(day=TODAY, begun_ms=LATE_MS, is_done=True, trouble=trouble)
    assert await store.claim_daily_post(TODAY, LATE_MS + later_ms) is None


@pytest.mark.parametrize("again_ms", [20_000, 119_000])
async def test_two_minutes_after_it_was_first_begun_nobody_gets_a_post_that_was_begun_again(
    store: Store, again_ms: int
) -> None:
    await store.set_daily_channel(channel())
    await store.claim_daily_post(TODAY, LATE_MS)
    assert await store.claim_daily_post(TODAY, LATE_MS + again_ms) is not None
    assert await store.claim_daily_post(TODAY, LATE_MS + 120_001) is None
    assert await store.claim_daily_post(TODAY, LATE_MS + again_ms + 60_000 + 60_001) is None


async def test_a_post_that_is_begun_again_is_given_to_one_of_two_processes(
    store: Store, open_store: OpenStore
) -> None:
    other = await open_store()
    await store.set_daily_channel(channel())
    await store.claim_daily_post(TODAY, LATE_MS)
    claimed = await asyncio.gather(
        *(mine.claim_daily_post(TODAY, LATE_MS + 30_000) for mine in (store, other))
    )
    assert sum(given is not None for given in claimed) == 1


@pytest.mark.parametrize("is_done", [True, False])
async def test_the_next_day_a_channel_gets_a_post_whatever_the_day_before_was_like(
    store: Store, is_done: bool
) -> None:
    await store.set_daily_channel(channel(is_done=is_done, trouble="" if is_done else "no permission"))
    assert await store.claim_daily_post(TODAY, LATE_MS) is not None
    await store.note_daily_post(5, TODAY)
    assert await store.daily_channel(5) == channel(day=TODAY, begun_ms=LATE_MS)


async def test_the_trouble_of_yesterday_does_not_keep_todays_post_from_being_begun_again(
    store: Store,
) -> None:
    await store.set_daily_channel(channel(is_done=False, trouble="no permission"))
    await store.claim_daily_post(TODAY, LATE_MS)
    assert await store.claim_daily_post(TODAY, LATE_MS + 30_000) is not None


async def test_a_note_is_for_its_server_and_day_alone(store: Store) -> None:
    for server_id in (5, 6):
        await store.set_daily_channel(channel(server_id, day=TODAY, is_done=False))
    await store.note_daily_post(5, YESTERDAY, "too late")
    await store.note_daily_post(5, TOMORROW, "too early")
    await store.note_daily_post(7, TODAY, "nowhere")
    assert await store.daily_channel(5) == channel(5, day=TODAY, is_done=False)
    await store.note_daily_post(5, TODAY)
    assert await store.daily_channel(5) == channel(5, day=TODAY, is_done=True)
    assert await store.daily_channel(6) == channel(6, day=TODAY, is_done=False)
    assert await store.daily_channel(7) is None


# A user's games


async def test_played_tells_every_game_of_the_user_in_short(store: Store) -> None:
    dealt = await store.create_game(new_game(1, seed="ny"))
    daily = await finish_daily(store, 1, TODAY, 7)
    await store.create_game(new_game(2))
    copy = await store.create_game(
        replace(new_game(1), record="klondike/d1/%C3%B8 s-w 3-5x2", is_copy=True, score=1)
    )
    undone = await store.create_game(new_game(1, seed=3))
    await store.save_if_revision(replace(undone, undone="s-t", score=2))
    won = await store.create_game(new_game(1, seed=4))
    won = await store.save_if_revision(
        replace(won, record=f"{won.record} 1-d", status=Status.WON, score=48, won_record=f"{won.record} 1-d")
    )
    await store.save_if_revision(
        replace(won, record="acesup/standard/4", undone="1-d", status=Status.PLAYING, score=0)
    )
    found = await store.played(1)
    playing = Status.PLAYING
    assert found == [
        Played(dealt.id, "acesup/standard/ny", playing, 0, "", False, False, False),
        Played(daily.id, f"acesup/standard/{TODAY}", Status.OVER, 7, TODAY, True, False, False),
        Played(copy.id, "klondike/d1/%C3%B8", playing, 1, "", True, False, True),
        Played(undone.id, "acesup/standard/3", playing, 2, "", True, False, False),
        Played(won.id, "acesup/standard/4", playing, 0, "", True, True, False),
    ]
    for game in found:
        assert isinstance(game.status, Status)
        assert {type(flag) for flag in (game.is_started, game.is_won, game.is_copy)} == {bool}
    assert await store.played(3) == []


async def keep(store: Store, owner_id: int, record: str, status: Status = Status.OVER) -> StoredGame:
    """Deals the game and then plays it to where the record and the status say."""
    game = await store.create_game(replace(new_game(owner_id), record=record.partition(" ")[0]))
    return await store.save_if_revision(replace(game, record=record, status=status))


# Codes of deals that are easily mistaken for one another: beginnings, wildcards, upper and lower case.
CODES = (
    "acesup/standard/1",
    "acesup/standard/12",
    "acesup/standard/1_",
    "acesup/standard/_",
    "acesup/standard/__",
    "acesup/standard/%",
    "acesup/standard/%25",
    "acesup/standard/1%",
    "acesup/standard/*",
    "acesup/standard/?",
    "acesup/standard/[1]",
    "acesup/standard/a",
    "acesup/standard/A",
    "acesup/standard/1-2",
    "acesup/standard/1.",
    "acesup/standard/'",
    "klondike/d1/1",
    "klondike/d1+u/1",
)


@pytest.mark.parametrize("moves", ["", " s-t", " s-t 1-d 12-dx2"], ids=["no move", "one", "more"])
async def test_a_game_is_found_by_the_whole_code_of_its_deal(store: Store, moves: str) -> None:
    games = {code: await keep(store, 1, code + moves) for code in CODES}
    for code in CODES:
        assert await store.game_on_deal(1, code) == games[code]


@pytest.mark.parametrize("missing", CODES)
async def test_a_deal_that_was_not_played_is_not_taken_for_another(store: Store, missing: str) -> None:
    for code in CODES:
        if code != missing:
            await keep(store, 1, code + " s-t")
    assert await store.game_on_deal(1, missing) is None


@pytest.mark.parametrize("code", ["", "acesup", "acesup/standard/", f"{DEAL} s-t", f"{DEAL} ", "s-t"])
async def test_what_is_no_deal_finds_no_game(store: Store, code: str) -> None:
    await keep(store, 1, f"{DEAL} s-t")
    await keep(store, 1, DEAL)
    assert await store.game_on_deal(1, code) is None


@pytest.mark.parametrize("status", Status)
async def test_a_game_on_a_deal_has_ended_in_any_way(store: Store, status: Status) -> None:
    game = await keep(store, 1, f"{DEAL} s-t", status)
    assert await store.game_on_deal(1, DEAL) == (None if status is Status.PLAYING else game)


async def test_of_several_games_on_a_deal_the_owners_last_ended_one_is_found(store: Store) -> None:
    await keep(store, 1, f"{DEAL} s-t")
    last = await keep(store, 1, f"{DEAL} s-t 1-d", Status.GIVEN_UP)
    await keep(store, 1, f"{DEAL} s-t", Status.PLAYING)
    await keep(store, 2, f"{DEAL} s-t")
    await keep(store, 1, "acesup/standard/25")
    assert await store.game_on_deal(1, DEAL) == last
    assert await store.game_on_deal(3, DEAL) is None


@pytest.mark.parametrize("limit", [1, 3, 7, 100])
async def test_games_of_pages_through_all_the_users_games_once(store: Store, limit: int) -> None:
    games = []
    for i in range(7):
        # Touched in another order than dealt, and in every status.
        game = await store.create_game(new_game(1, now_ms=9_000 - i))
        await store.create_game(new_game(2))
        games.append(await store.save_if_revision(replace(game, status=list(Status)[i % len(Status)])))
    found: list[StoredGame] = []
    while page := await store.games_of(1, found[-1].id if found else 0, limit):
        assert len(page) <= limit
        assert not {game.id for game in page} & {game.id for game in found}
        found += page
    assert found == games
    assert await store.games_of(3, 0, 100) == []


async def test_servers_of_a_user_are_those_entered_and_not_left(store: Store) -> None:
    for server_id, user_id in ((9, 1), (BIG_ID, 1), (4, 1), (4, 2), (5, 2)):
        await store.enter_server(server_id, user_id)
    assert await store.servers_of(1) == [4, 9, BIG_ID]
    await store.leave_server(9, [1])
    assert await store.servers_of(1) == [4, BIG_ID]
    assert await store.servers_of(3) == []


# Forgetting


async def live_a_life(store: Store, user_id: int, other_id: int) -> None:
    """Leaves something of the user in every corner; the other one is challenged and challenges."""
    await store.save_settings(user_id, Settings("no", is_private=True))
    await finish_daily(store, user_id, YESTERDAY, 10 + user_id)
    await finish_daily(store, user_id, TODAY, 20 + user_id)
    game = await store.create_game(new_game(user_id))
    await store.place_table(game.id, LiveTable(60, 600 + user_id, "remains"))
    for server_id in (5, 6):
        await store.enter_server(server_id, user_id)
    challenge = await store.create_challenge(new_challenge(user_id, other_id, creator_id=user_id))
    for player in (user_id, other_id):
        game = await store.join_challenge(entry(challenge, player), limit=2)
        await store.place_table(game.id, LiveTable(61, 600 + player, "remains"))
    await store.set_daily_channel(channel(100 + user_id, chosen_by=user_id))


async def all_of(store: Store, user_id: int) -> dict[str, object]:
    """Whatever the store tells of a user, apart from where others are concerned too."""
    games = await store.games_of(user_id, 0, 1_000)
    return {
        "games": games,
        "played": await store.played(user_id),
        "current": await store.current_game(user_id),
        "unfinished": await store.unfinished_games(user_id, 100),
        "tables": [await store.live_table(game.id) for game in games],
        "daily": [await store.daily_game(user_id, day) for day in (YESTERDAY, TODAY)],
        "results": await store.results_of(user_id),
        "own standing": (await store.board(BoardQuery("", "", user_id))).own,
        "settings": await store.load_settings(user_id),
        "servers": await store.servers_of(user_id),
        "channels": await store.channels_chosen_by(user_id),
        "challenges": [challenge.id for challenge in await store.challenges_of(user_id)],
    }


async def forget(store: Store, user_id: int) -> None:
    await store.forget(user_id, TODAY, mark_of(user_id))


async def all_challenges(store: Store, ids: Sequence[int]) -> list[Challenge]:
    return [challenge for id_ in ids if (challenge := await store.load_challenge(id_))]


async def test_of_who_is_forgotten_the_store_tells_what_it_tells_of_a_stranger(store: Store) -> None:
    await live_a_life(store, 1, 2)
    await live_a_life(store, 2, 1)
    games = await store.games_of(1, 0, 1_000)
    stranger = await all_of(store, 77)
    assert all(value != stranger[name] for name, value in (await all_of(store, 1)).items())
    await forget(store, 1)
    assert await all_of(store, 1) == stranger
    for game in games:
        assert await store.load_game(game.id) is None
        assert await store.live_table(game.id) is None


async def test_forgetting_takes_nothing_from_others(store: Store) -> None:
    for user_id, other_id in ((1, 2), (2, 1), (3, 2)):
        await live_a_life(store, user_id, other_id)
    await store.set_value("key", "value")
    before = {user_id: await all_of(store, user_id) for user_id in (2, 3)}
    await forget(store, 1)
    for user_id, told in before.items():
        after = await all_of(store, user_id)
        # Who did worse than the forgotten one of yesterday has moved up; all else is as it was.
        assert {**after, "own standing": 0} == {**told, "own standing": 0}
    assert await store.get_value("key") == "value"


async def test_a_challenge_goes_on_without_who_is_forgotten(store: Store) -> None:
    own = await store.create_challenge(new_challenge(2, 1, 3, creator_id=1, is_open=True))
    others = await store.create_challenge(new_challenge(2, 3, creator_id=2))
    games = {user_id: await store.join_challenge(entry(own, user_id), limit=3) for user_id in (3, 1)}
    before = await all_challenges(store, [own.id, others.id])
    await forget(store, 1)
    left = (Participant(2), Participant(3, games[3].id))
    assert await all_challenges(store, [own.id, others.id]) == [
        replace(before[0], creator_id=0, participants=left),
        before[1],
    ]
    game = await store.join_challenge(entry(own, 4), limit=3)
    assert await entrants_of(store, own) == (*left, Participant(4, game.id))


async def test_the_daily_post_that_a_forgotten_user_arranged_goes_on_without_the_name(store: Store) -> None:
    await store.set_daily_channel(channel(5, chosen_by=1))
    await store.set_daily_channel(channel(6, chosen_by=2))
    await forget(store, 1)
    assert await store.daily_channel(5) == channel(5, chosen_by=0)
    assert await store.daily_channel(6) == channel(6, chosen_by=2)


async def test_a_turn_of_a_forgotten_game_is_stale_and_enters_no_board(store: Store) -> None:
    game = await store.create_game(new_daily(1, TODAY))
    await forget(store, 1)
    with pytest.raises(RevisionConflict):
        await store.save_if_revision(replace(game, score=9), DailyResult(TODAY, 1, game.id, 9))
    assert await store.results_of(1) == []
    assert await store.results_after("", 0, 10) == []


async def test_who_is_forgotten_can_begin_anew(store: Store) -> None:
    await live_a_life(store, 1, 2)
    await forget(store, 1)
    game = await store.create_game(new_game(1))
    assert await store.current_game(1) == game
    assert await store.games_of(1, 0, 100) == [game]


async def test_a_stranger_can_be_forgotten(store: Store) -> None:
    await live_a_life(store, 1, 2)
    before = await all_of(store, 1)
    await forget(store, 77)
    assert await all_of(store, 1) == before


async def test_ids_of_forgotten_games_are_never_given_out_again(store: Store, open_store: OpenStore) -> None:
    given = {(await store.create_game(new_game(2))).id}
    for _ in range(3):
        for _ in range(2):
            given.add((await store.create_game(new_game(1))).id)
        await forget(store, 1)  # the highest id there is goes with it
    await store.forget(2, TODAY, mark_of(2))
    await store.close()
    again = await open_store()
    given.add((await again.create_game(new_game(1))).id)
    assert len(given) == 8


async def test_the_result_of_the_day_stays_without_a_name_until_the_day_is_tidied_up(store: Store) -> None:
    games = {}
    for user_id in (1, 2):
        await finish_daily(store, user_id, YESTERDAY, 5)
        games[user_id] = await finish_daily(store, user_id, TODAY, 10 * user_id)
        await store.enter_server(5, user_id)
    await store.enter_server(6, 1)
    await forget(store, 2)
    for server_id in (None, 5):
        board = await store.board(BoardQuery(TODAY, TODAY, 1, server_id))
        assert [(standing.rank, standing.score) for standing in board.top] == [(1, 20), (2, 10)]
        nobody = board.top[0].user_id
        assert nobody < 0
        assert board.top[1].user_id == 1
        assert (board.players, board.scores) == (2, {20: 1, 10: 1})
        earlier = await store.board(BoardQuery(YESTERDAY, YESTERDAY, 1, server_id))
        assert [standing.user_id for standing in earlier.top] == [1]
    assert (await store.board(BoardQuery(TODAY, TODAY, 1, server_id=6))).players == 1
    assert DailyResult(TODAY, nobody, games[2].id, 20) in await store.results_after("", 0, 10)

    await store.purge(TODAY)
    assert (await store.board(BoardQuery(TODAY, TODAY, 1, server_id=5))).players == 2
    await store.purge(TOMORROW)
    for server_id in (None, 5):
        board = await store.board(BoardQuery(TODAY, TODAY, 1, server_id))
        assert [(standing.rank, standing.user_id) for standing in board.top] == [(1, 1)]
    assert [result.user_id for result in await store.results_after("", 0, 10)] == [1, 1]


async def test_two_who_are_forgotten_are_two_on_the_board(store: Store) -> None:
    for user_id in (1, 2, 3):
        await finish_daily(store, user_id, TODAY, 5)
    for user_id in (1, 2):
        await forget(store, user_id)
    board = await store.board(BoardQuery(TODAY, TODAY, 3))
    assert (board.players, board.scores) == (3, {5: 3})
    assert len({standing.user_id for standing in board.top}) == 3


async def test_a_hidden_result_stays_hidden_when_its_user_is_forgotten(store: Store) -> None:
    await finish_daily(store, 1, TODAY, 5)
    await store.save_settings(1, Settings(is_hidden=True))
    await forget(store, 1)
    assert (await store.board(BoardQuery(TODAY, TODAY, 2))).players == 0


async def test_tidying_up_takes_marks_of_days_before_and_no_others(store: Store) -> None:
    for user_id, day in ((1, YESTERDAY), (2, TODAY)):
        await finish_daily(store, user_id, day, 5)
        await store.forget(user_id, day, mark_of(user_id))
    await store.purge(TODAY)
    with pytest.raises(AlreadyExists):
        await store.create_game(new_daily(2, TODAY))
    # Whoever asks decides that yesterday is over; the store has only let go of the mark.
    assert (await store.create_game(new_daily(1, YESTERDAY))).day == YESTERDAY


async def test_tidying_up_takes_nothing_from_who_was_not_forgotten(store: Store) -> None:
    await live_a_life(store, 1, 2)
    await store.create_game(new_daily(2, YESTERDAY))
    before = [await all_of(store, user_id) for user_id in (1, 2)]
    await store.purge(TOMORROW)
    assert [await all_of(store, user_id) for user_id in (1, 2)] == before


@pytest.mark.parametrize("turns_of_the_loop", range(0, 40, 3))
async def test_wherever_forgetting_is_cut_off_all_is_there_or_nothing(
    store: Store, turns_of_the_loop: int
) -> None:
    await live_a_life(store, 1, 2)
    before, stranger = await all_of(store, 1), await all_of(store, 77)
    task = asyncio.create_task(forget(store, 1))
    for _ in range(turns_of_the_loop):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert await all_of(store, 1) in (before, stranger)
    await forget(store, 1)
    assert await all_of(store, 1) == stranger


async def test_two_processes_that_forget_at_once_leave_one_result_and_one_mark(
    store: Store, open_store: OpenStore
) -> None:
    other = await open_store()
    await finish_daily(store, 1, TODAY, 5)
    await asyncio.gather(*(forget(mine, 1) for mine in (store, other, store, other)))
    assert [result.score for result in await store.results_after("", 0, 10)] == [5]
    with pytest.raises(AlreadyExists):
        await store.create_game(new_daily(1, TODAY))
