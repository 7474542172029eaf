"""Challenges: one deal, several players, and how far each of them is."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable

import pytest

from bot.service import (
    ChallengeClosed,
    ChallengeFull,
    Challenges,
    ChallengeView,
    DailyFirst,
    NobodyElse,
    NoSuchChallenge,
    NothingToCompare,
    NotInContest,
    NotInvited,
    OwnGameFirst,
    Services,
    Turn,
    TurnAction,
)
from bot.service.contests import JOINING_MS, MAX_PLAYERS
from bot.storage import Status, Store, open_store
from engine import Record, RulesSyntaxError, SeedError, UnknownGame
from tests.service.conftest import Clock, Player

CODE = "acesup/standard/1"


@pytest.fixture
def challenges(services: Services) -> Challenges:
    return services.challenges


@pytest.fixture
def user(services: Services, store: Store) -> Callable[[int], Player]:
    players: dict[int, Player] = {}

    def find(user_id: int) -> Player:
        ids = itertools.count(user_id * 1_000_000)
        return players.setdefault(user_id, Player(services.games, store, user_id, ids))

    return find


@pytest.fixture
def ada(user: Callable[[int], Player]) -> Player:
    return user(1)


@pytest.fixture
def ola(user: Callable[[int], Player]) -> Player:
    return user(2)


async def made(challenges: Challenges, *friends: int, creator: int = 1) -> int:
    view = await challenges.create(creator, friends, game="acesup", rules="standard", seed="1")
    return view.challenge.id


async def ends(challenges: Challenges, player: Player, challenge_id: int, discards: int = 0) -> Turn:
    """The player's game in the challenge, given up after so many discards."""
    await challenges.play(player.request(), challenge_id)
    for _ in range(discards):
        while not (moves := (await player.show()).position.discards):
            await player.draw()
        await player.move(str(moves[0]))
    return await player.give_up()


def seen(view: ChallengeView) -> list[tuple[int, int, int, bool]]:
    return [(one.user_id, one.rank, one.score, one.has_begun) for one in view.contenders]


# Making one


async def test_the_creator_takes_part_and_nobody_has_begun(challenges: Challenges, clock: Clock) -> None:
    view = await challenges.create(1, [2, 3], game="acesup", rules="standard", seed="1", language="no")
    assert seen(view) == [(1, 0, 0, False), (2, 0, 0, False), (3, 0, 0, False)]
    assert (view.deal, view.challenge.language) == (Record.parse(CODE), "no")
    assert (view.winners, view.is_final, view.joins_until_ms, view.can_compare) == ((), False, 0, False)
    assert await challenges.view(view.challenge.id) == view


async def test_nobody_plays_twice_and_nobody_alone(challenges: Challenges) -> None:
    view = await challenges.create(1, [2, 1, 2])
    assert [one.user_id for one in view.contenders] == [1, 2]
    with pytest.raises(NobodyElse):
        await challenges.create(1, [1, 1])


async def test_with_nobody_named_anybody_can_join(challenges: Challenges) -> None:
    view = await challenges.create(1, [])
    assert view.challenge.is_open
    assert view.joins_until_ms == view.challenge.created_ms + JOINING_MS


async def test_the_deal_is_chosen_as_for_a_new_game(challenges: Challenges, ada: Player) -> None:
    await ada.new("acesup", "cell", "1")
    view = await challenges.create(1, [2])
    assert (view.deal.game, view.deal.rules) == ("acesup", "cell")
    assert view.deal.seed != "1"
    assert (await challenges.create(1, [2])).deal.seed != view.deal.seed
    for error, about in (
        (UnknownGame, {"game": "patience"}),
        (RulesSyntaxError, {"game": "acesup", "rules": "d1"}),
        (SeedError, {"seed": "x" * 65}),
    ):
        with pytest.raises(error):
            await challenges.create(1, [2], **about)


async def test_todays_daily_deal_is_no_challenge_before_it_is_finished(
    services: Services, challenges: Challenges, ada: Player, ola: Player
) -> None:
    seed = (await services.daily.record(services.daily.today)).seed
    with pytest.raises(DailyFirst):
        await challenges.create(1, [2], seed=seed)
    await services.games.play_daily(ada.request())
    await ada.give_up()
    view = await challenges.create(1, [2], seed=seed)
    with pytest.raises(DailyFirst):
        await challenges.play(ola.request(), view.challenge.id)


# Playing


async def test_everybody_gets_the_same_cards_on_a_table_of_their_own(
    challenges: Challenges, ada: Player, ola: Player
) -> None:
    challenge_id = await made(challenges, 2)
    mine = await challenges.play(ada.request(), challenge_id)
    theirs = await challenges.play(ola.request(), challenge_id)
    assert mine.action is theirs.action is TurnAction.DEALT
    assert mine.table == theirs.table
    assert mine.game.id != theirs.game.id
    assert mine.game.challenge_id == challenge_id
    assert mine.is_secret
    assert mine.hides_seed
    assert (await ada.show()).game.id == mine.game.id
    for help_ in (ada.undo, ada.redo, ada.hint):
        with pytest.raises(NotInContest):
            await help_()


async def test_a_second_press_goes_back_to_the_same_game(challenges: Challenges, ada: Player) -> None:
    challenge_id = await made(challenges, 2)
    dealt = await challenges.play(ada.request(), challenge_id)
    await ada.draw()
    other = await ada.new("klondike", "d1", "36")
    back = await challenges.play(ada.request(), challenge_id)
    assert (back.action, back.game.id) == (TurnAction.RESUMED, dealt.game.id)
    assert back.set_aside is not None
    assert back.set_aside.id == other.game.id
    assert (await ada.show()).game.id == dealt.game.id
    await ada.give_up()
    shown = await challenges.play(ada.request(), challenge_id)
    assert (shown.action, shown.game.id, shown.game.status) == (
        TurnAction.SHOWN,
        dealt.game.id,
        Status.GIVEN_UP,
    )


async def test_presses_at_once_make_one_game(
    challenges: Challenges, store: Store, user: Callable[[int], Player]
) -> None:
    for challenge_id in (await made(challenges, 2), await made(challenges)):
        for player in (user(2), user(1)):
            before = len(await store.played(player.user_id))
            turns = await asyncio.gather(*[challenges.play(player.request(), challenge_id) for _ in range(5)])
            assert len({turn.game.id for turn in turns}) == 1
            assert len(await store.played(player.user_id)) == before + 1


async def test_an_unfinished_game_is_set_aside(challenges: Challenges, ada: Player) -> None:
    challenge_id = await made(challenges, 2)
    before = await ada.new("klondike", "d1", "36")
    turn = await challenges.play(ada.request(), challenge_id)
    assert turn.set_aside == before.game
    assert not turn.is_first


async def test_strangers_are_not_let_into_a_named_challenge(
    challenges: Challenges, store: Store, user: Callable[[int], Player]
) -> None:
    challenge_id = await made(challenges, 2)
    with pytest.raises(NotInvited):
        await challenges.play(user(3).request(), challenge_id)
    assert await store.current_game(3) is None
    assert len((await challenges.view(challenge_id)).contenders) == 2
    with pytest.raises(NoSuchChallenge):
        await challenges.play(user(3).request(), challenge_id + 1)


async def test_an_open_challenge_takes_ten_players(
    challenges: Challenges, user: Callable[[int], Player]
) -> None:
    challenge_id = await made(challenges)
    for number in range(2, MAX_PLAYERS + 1):
        assert (await challenges.view(challenge_id)).joins_until_ms
        await challenges.play(user(number).request(), challenge_id)
    with pytest.raises(ChallengeFull):
        await challenges.play(user(11).request(), challenge_id)
    assert (await challenges.view(challenge_id)).joins_until_ms  # its creator has a place, and has not begun
    await challenges.play(user(1).request(), challenge_id)
    assert not (await challenges.view(challenge_id)).joins_until_ms


async def test_an_open_challenge_can_be_joined_for_a_day_and_gone_on_with_for_ever(
    challenges: Challenges, ada: Player, ola: Player, clock: Clock
) -> None:
    challenge_id = await made(challenges)
    await challenges.play(ola.request(), challenge_id)
    clock.now_ms += JOINING_MS
    with pytest.raises(ChallengeClosed):
        await challenges.play(ada.request(), challenge_id)
    assert (await challenges.play(ola.request(), challenge_id)).action is TurnAction.RESUMED
    assert not (await challenges.view(challenge_id)).joins_until_ms


async def test_a_named_challenge_can_be_played_whenever(
    challenges: Challenges, ola: Player, clock: Clock
) -> None:
    challenge_id = await made(challenges, 2)
    clock.now_ms += 30 * JOINING_MS
    assert (await challenges.play(ola.request(), challenge_id)).action is TurnAction.DEALT


# How it stands


async def test_the_best_stand_first_then_who_plays_then_who_has_not_begun(
    challenges: Challenges, user: Callable[[int], Player]
) -> None:
    challenge_id = await made(challenges, 2, 3, 4, 5)
    await challenges.play(user(2).request(), challenge_id)
    await user(2).draw()
    await ends(challenges, user(3), challenge_id, 1)
    await ends(challenges, user(5), challenge_id, 3)
    view = await challenges.view(challenge_id)
    assert seen(view) == [
        (5, 1, 3, True),
        (3, 2, 1, True),
        (2, 0, 0, True),
        (1, 0, 0, False),
        (4, 0, 0, False),
    ]
    assert view.contenders[2].moves == 1
    assert (view.winners, view.is_final, view.can_compare) == ((), False, True)


@pytest.mark.parametrize(
    ("discards", "ranks", "winners"),
    [((1, 3, 2), [1, 2, 3], (2,)), ((2, 2, 1), [1, 1, 3], (1, 2)), ((0, 0, 0), [1, 1, 1], (1, 2, 3))],
)
async def test_when_all_have_ended_the_best_have_won(
    challenges: Challenges,
    user: Callable[[int], Player],
    discards: tuple[int, ...],
    ranks: list[int],
    winners: tuple[int, ...],
) -> None:
    challenge_id = await made(challenges, 2, 3)
    for number, count in enumerate(discards, start=1):
        view = await challenges.view(challenge_id)
        assert (view.winners, view.is_final) == ((), False)
        assert await challenges.is_final(challenge_id) is False
        await ends(challenges, user(number), challenge_id, count)
    view = await challenges.view(challenge_id)
    assert [one.rank for one in view.contenders] == ranks
    assert (view.winners, view.is_final) == (winners, True)
    assert await challenges.is_final(challenge_id)


async def test_an_open_challenge_is_decided_when_all_who_joined_have_ended_and_final_when_nobody_can_join(
    challenges: Challenges, ola: Player, user: Callable[[int], Player], clock: Clock
) -> None:
    challenge_id = await made(challenges)
    await ends(challenges, ola, challenge_id, 2)
    view = await challenges.view(challenge_id)
    assert (view.winners, view.is_final) == ((), False)
    await ends(challenges, user(3), challenge_id, 1)
    view = await challenges.view(challenge_id)
    assert (view.winners, view.is_final) == ((2,), False)
    await challenges.play(user(4).request(), challenge_id)
    assert (await challenges.view(challenge_id)).winners == ()
    clock.now_ms += JOINING_MS
    assert not (await challenges.view(challenge_id)).is_final
    await user(4).give_up()
    view = await challenges.view(challenge_id)
    assert (view.winners, view.is_final) == ((2,), True)


async def test_who_asked_to_be_forgotten_is_in_it_no_more(
    challenges: Challenges, store: Store, ada: Player, ola: Player, user: Callable[[int], Player]
) -> None:
    challenge_id = await made(challenges, 2, 3)
    await ends(challenges, ola, challenge_id)
    await ends(challenges, user(3), challenge_id, 1)
    await store.forget(1, "2026-01-01", "")
    view = await challenges.view(challenge_id)
    assert view.challenge.creator_id == 0
    assert (seen(view), view.winners) == ([(3, 1, 1, True), (2, 2, 0, True)], (3,))
    assert view.is_final
    with pytest.raises(NotInvited):
        await challenges.play(ada.request(), challenge_id)
    for number in (2, 3):
        await store.forget(number, "2026-01-01", "")
    view = await challenges.view(challenge_id)
    assert (view.contenders, view.winners, view.is_final) == ((), (), True)


async def test_it_outlives_a_restart(
    challenges: Challenges, ada: Player, database_url: str, clock: Clock
) -> None:
    challenge_id = await made(challenges, 2)
    await ends(challenges, ada, challenge_id, 1)
    store = open_store(database_url)
    await store.open()
    try:
        later = Services.over(store, clock).challenges
        assert seen(await later.view(challenge_id)) == [(1, 1, 1, True), (2, 0, 0, False)]
    finally:
        await store.close()


# Comparing


async def test_ones_own_ended_game_is_compared_with_the_best_other(
    challenges: Challenges, ada: Player, user: Callable[[int], Player]
) -> None:
    challenge_id = await made(challenges, 2, 3, 4)
    with pytest.raises(OwnGameFirst):
        await challenges.pair(1, challenge_id)
    own = await ends(challenges, ada, challenge_id, 1)
    with pytest.raises(NothingToCompare):
        await challenges.pair(1, challenge_id)
    await ends(challenges, user(2), challenge_id)
    best = await ends(challenges, user(3), challenge_id, 3)
    assert await challenges.pair(1, challenge_id) == (own.game, best.game)
    assert await challenges.pair(3, challenge_id) == (best.game, own.game)


async def test_who_still_plays_or_only_watches_compares_when_all_is_over(
    challenges: Challenges, user: Callable[[int], Player]
) -> None:
    challenge_id = await made(challenges, 2, 3)
    second = await ends(challenges, user(1), challenge_id, 1)
    first = await ends(challenges, user(2), challenge_id, 2)
    await challenges.play(user(3).request(), challenge_id)
    for number in (3, 9):
        with pytest.raises(OwnGameFirst):
            await challenges.pair(number, challenge_id)
    await user(3).give_up()
    assert await challenges.pair(9, challenge_id) == (first.game, second.game)


async def test_a_daily_game_whose_day_is_over_does_not_give_way(
    services: Services, challenges: Challenges, ada: Player, clock: Clock
) -> None:
    await services.games.play_daily(ada.request())
    await ada.draw()
    clock.now_ms += 24 * 60 * 60 * 1000
    turn = await challenges.play(ada.request(), await made(challenges))
    assert turn.set_aside is None
    assert [result.score for result in await ada.store.results_of(ada.user_id)]
