"""Fair use: a fast player never meets a limit, a script does, and nobody's limits are another one's."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from bot.service import LIMITS, Cost, ManyWaiting, RateLimiter, Services, StillBusy, TooFast
from bot.service.challenges.challenges import MAX_A_DAY
from bot.service.rate_limits import MAX_EXPENSIVE, MAX_KEPT, MAX_UNDER_WAY
from bot.storage import Store
from tests.service.conftest import Clock

ADA, OLA = 1, 2
HERE, THERE = 10, 20
EXPENSIVE = (Cost.REPLAY, Cost.BEST, Cost.ANALYSIS, Cost.EXPORT)
DAY_MS = 24 * 60 * 60 * 1000


class Hand:
    """A clock that is moved by hand."""

    now_ms = 1_700_000_000_000

    def __call__(self) -> int:
        return self.now_ms


@pytest.fixture
def hand() -> Hand:
    return Hand()


@pytest.fixture
def fair(hand: Hand) -> RateLimiter:
    return RateLimiter(hand)


def does(fair: RateLimiter, *works: Cost, user_id: int = ADA, channel_id: int = 0) -> None:
    with fair.admit(user_id, *works, channel_id=channel_id):
        pass


def refused(fair: RateLimiter, *works: Cost, user_id: int = ADA, channel_id: int = 0) -> TooFast:
    with pytest.raises(TooFast) as raised:
        does(fair, *works, user_id=user_id, channel_id=channel_id)
    return raised.value


def uses_up(fair: RateLimiter, *works: Cost, user_id: int = ADA, channel_id: int = 0) -> int:
    """How often that works until it doesn't."""
    times = 0
    while True:
        try:
            does(fair, *works, user_id=user_id, channel_id=channel_id)
        except TooFast:
            return times
        times += 1


# A player and a script


def test_a_whole_game_of_five_presses_a_second_and_bursts_meet_no_limit(
    fair: RateLimiter, hand: Hand
) -> None:
    for number in range(600):
        does(fair, Cost.PRESS)
        hand.now_ms += 200
        if number % 100 == 99:
            for _ in range(25):
                does(fair, Cost.PRESS)
            hand.now_ms += 3_000  # to look at what came of it


def test_whoever_types_a_command_a_second_meets_no_limit(fair: RateLimiter, hand: Hand) -> None:
    for _ in range(300):
        does(fair, Cost.COMMAND)
        hand.now_ms += 1_000


def test_twenty_deals_in_a_row_meet_no_limit(fair: RateLimiter, hand: Hand) -> None:
    for _ in range(20):
        does(fair, Cost.COMMAND, Cost.DEAL)
        hand.now_ms += 1_000


@pytest.mark.parametrize("work", [work for work in LIMITS if work not in EXPENSIVE])
def test_a_thousand_at_once_are_too_many_and_as_many_pass_as_the_limit_says(
    fair: RateLimiter, work: Cost
) -> None:
    passed = 0
    for _ in range(1_001):
        try:
            does(fair, work)
        except TooFast:
            continue
        passed += 1
    assert passed == LIMITS[work].at_once <= 1_000


def test_a_script_gets_no_more_than_what_comes_back(fair: RateLimiter, hand: Hand) -> None:
    passed = 0
    for _ in range(1_000):
        hand.now_ms += 10
        try:
            does(fair, Cost.PRESS)
        except TooFast:
            continue
        passed += 1
    limit = LIMITS[Cost.PRESS]
    assert passed in range(limit.at_once, limit.at_once + 10_000 // limit.every_ms + 1)


def test_it_is_said_when_to_go_on_and_then_it_works(fair: RateLimiter, hand: Hand) -> None:
    uses_up(fair, Cost.CHALLENGE)
    until_ms = refused(fair, Cost.CHALLENGE).until_ms
    assert until_ms > hand.now_ms
    hand.now_ms = until_ms - 1
    assert refused(fair, Cost.CHALLENGE).until_ms == until_ms
    hand.now_ms = until_ms
    does(fair, Cost.CHALLENGE)


def test_after_a_pause_there_is_everything_again(fair: RateLimiter, hand: Hand) -> None:
    limit = LIMITS[Cost.PRESS]
    assert uses_up(fair, Cost.PRESS) == limit.at_once
    hand.now_ms += limit.at_once * limit.every_ms
    assert uses_up(fair, Cost.PRESS) == limit.at_once


def test_being_refused_costs_nothing(fair: RateLimiter, hand: Hand) -> None:
    uses_up(fair, Cost.PRESS)
    until = {refused(fair, Cost.PRESS).until_ms for _ in range(500)}
    assert until == {hand.now_ms + LIMITS[Cost.PRESS].every_ms}


def test_two_users_do_not_influence_one_another(fair: RateLimiter) -> None:
    uses_up(fair, Cost.PRESS)
    assert uses_up(fair, Cost.PRESS, user_id=OLA) == LIMITS[Cost.PRESS].at_once


def test_one_kind_of_work_does_not_use_up_another(fair: RateLimiter) -> None:
    uses_up(fair, Cost.PRESS)
    assert uses_up(fair, Cost.COMMAND) == LIMITS[Cost.COMMAND].at_once


def test_a_flood_is_told_once_every_few_seconds(fair: RateLimiter, hand: Hand) -> None:
    uses_up(fair, Cost.CHALLENGE, user_id=OLA)
    start_ms, told_ms = hand.now_ms, []
    for _ in range(1_000):
        if refused(fair, Cost.CHALLENGE, user_id=OLA).is_told:
            told_ms.append(hand.now_ms - start_ms)
        hand.now_ms += 10
    # The very first refusal, which ended using it up, was told already.
    assert told_ms == [3_000, 6_000, 9_000]


def test_what_fails_costs_only_that_it_was_asked_for(fair: RateLimiter) -> None:
    for _ in range(LIMITS[Cost.CHALLENGE].at_once * 3):
        with (
            pytest.raises(LookupError),
            fair.admit(ADA, Cost.COMMAND, Cost.CHALLENGE, channel_id=HERE),
        ):
            raise LookupError
    assert uses_up(fair, Cost.CHALLENGE, channel_id=HERE) == LIMITS[Cost.CHALLENGE].at_once
    asked = LIMITS[Cost.CHALLENGE].at_once * 3
    assert uses_up(fair, Cost.COMMAND) == LIMITS[Cost.COMMAND].at_once - asked


def test_what_is_refused_for_one_kind_of_work_takes_nothing_of_the_other(fair: RateLimiter) -> None:
    uses_up(fair, Cost.CHALLENGE)
    for _ in range(100):
        refused(fair, Cost.COMMAND, Cost.CHALLENGE)
    assert uses_up(fair, Cost.COMMAND) == LIMITS[Cost.COMMAND].at_once


def test_without_limits_nothing_is_counted(hand: Hand) -> None:
    fair = RateLimiter(hand, {})
    for _ in range(1_000):
        does(fair, *(work for work in Cost))
        with fair.alone(ADA, Cost.REPLAY):
            pass
        assert fair.may_complete(ADA)
    assert len(fair) == 0


# Channels


@pytest.mark.parametrize("work", [Cost.PUBLIC, Cost.CHALLENGE])
def test_many_users_together_can_not_fill_a_channel(fair: RateLimiter, work: Cost) -> None:
    here = {Cost.PUBLIC: Cost.PUBLIC_HERE, Cost.CHALLENGE: Cost.CHALLENGE_HERE}[work]
    passed = sum(uses_up(fair, work, user_id=user_id, channel_id=HERE) for user_id in range(1, 100))
    assert passed == LIMITS[here].at_once
    does(fair, work, user_id=200, channel_id=THERE)
    refused(fair, work, user_id=200, channel_id=HERE)


@pytest.mark.parametrize("work", [Cost.PUBLIC, Cost.CHALLENGE])
def test_one_user_alone_can_not_use_up_what_a_channel_has(fair: RateLimiter, work: Cost) -> None:
    uses_up(fair, work, channel_id=HERE)
    does(fair, work, user_id=OLA, channel_id=HERE)


# Expensive work


@pytest.fixture(params=EXPENSIVE)
def work(request: pytest.FixtureRequest) -> Cost:
    return Cost(request.param)


def test_one_expensive_thing_at_a_time(fair: RateLimiter, work: Cost) -> None:
    with fair.alone(ADA, work):
        for other in EXPENSIVE:
            with pytest.raises(StillBusy) as busy, fair.alone(ADA, other):
                pass
            assert busy.value.facts["work"] == work.value
        with fair.alone(OLA, work):
            pass


def test_after_it_there_is_a_pause_that_begins_when_it_ends(
    fair: RateLimiter, hand: Hand, work: Cost
) -> None:
    with fair.alone(ADA, work):
        hand.now_ms += 60_000
    ended_ms = hand.now_ms
    with pytest.raises(TooFast) as raised, fair.alone(ADA, work):
        pass
    assert raised.value.until_ms == ended_ms + LIMITS[work].every_ms
    for other in set(EXPENSIVE) - {work}:
        with fair.alone(ADA, other):
            pass
    hand.now_ms = raised.value.until_ms
    with fair.alone(ADA, work):
        pass


def test_after_a_failure_there_is_no_pause(fair: RateLimiter, work: Cost) -> None:
    for _ in range(5):
        with pytest.raises(LookupError), fair.alone(ADA, work):
            raise LookupError
    with fair.alone(ADA, work):
        pass


# Bounds


def test_memory_follows_those_who_used_something_just_now(fair: RateLimiter, hand: Hand) -> None:
    most = 0
    for user_id in range(100_000):
        hand.now_ms += 10
        does(fair, Cost.PRESS, user_id=user_id)
        most = max(most, len(fair))
    assert most <= LIMITS[Cost.PRESS].every_ms // 10 + 1


def test_a_hundred_thousand_users_at_once_are_not_all_kept(fair: RateLimiter) -> None:
    for user_id in range(100_000):
        does(fair, Cost.PRESS, user_id=user_id)
    assert len(fair) == MAX_KEPT
    refused_now = 100_000 - 1
    assert uses_up(fair, Cost.PRESS, user_id=refused_now) == LIMITS[Cost.PRESS].at_once - 1


def test_a_clock_that_is_set_back_locks_nobody_out(fair: RateLimiter, hand: Hand) -> None:
    uses_up(fair, Cost.CHALLENGE)
    hand.now_ms -= DAY_MS
    until_ms = refused(fair, Cost.CHALLENGE).until_ms
    assert until_ms <= hand.now_ms + LIMITS[Cost.CHALLENGE].every_ms


def test_so_many_requests_are_under_way_and_no_more(fair: RateLimiter) -> None:
    with ExitStack() as requests:
        for user_id in range(MAX_UNDER_WAY):
            requests.enter_context(fair.admit(user_id, Cost.PRESS))
        assert fair.under_way == MAX_UNDER_WAY
        with pytest.raises(ManyWaiting) as first:
            does(fair, Cost.PRESS, user_id=-1)
        with pytest.raises(ManyWaiting) as second:
            does(fair, Cost.PRESS, user_id=-1)
        assert (first.value.is_told, second.value.is_told) == (True, False)
        assert not fair.may_complete(-1)
    assert fair.under_way == 0
    does(fair, Cost.PRESS, user_id=-1)
    assert fair.may_complete(-1)


def test_something_expensive_is_done_for_so_many_users_and_no_more(fair: RateLimiter) -> None:
    with ExitStack() as requests:
        for user_id in range(MAX_EXPENSIVE):
            requests.enter_context(fair.alone(user_id, EXPENSIVE[user_id % len(EXPENSIVE)]))
        for work in EXPENSIVE:
            with pytest.raises(ManyWaiting), fair.alone(-1, work):
                pass
        does(fair, Cost.PRESS, user_id=-1)
    with fair.alone(-1, Cost.REPLAY):
        pass


def test_a_thousand_users_who_press_at_once_are_all_let_in(fair: RateLimiter) -> None:
    with ExitStack() as requests:
        for user_id in range(1_000):
            requests.enter_context(fair.admit(user_id, Cost.PRESS))
        assert fair.under_way == 1_000


def test_choices_come_as_fast_as_anybody_types_and_no_faster(fair: RateLimiter, hand: Hand) -> None:
    for _ in range(300):
        hand.now_ms += 200
        assert fair.may_complete(ADA)
    assert sum(fair.may_complete(OLA) for _ in range(1_000)) == LIMITS[Cost.COMPLETION].at_once
    hand.now_ms += LIMITS[Cost.COMPLETION].every_ms
    assert fair.may_complete(OLA)


def test_choices_for_all_users_together_are_bounded(fair: RateLimiter) -> None:
    served = sum(fair.may_complete(user_id) for user_id in range(5_000))
    assert served == LIMITS[Cost.COMPLETIONS].at_once


# Challenges of a day


async def make(services: Services, user_id: int = ADA) -> None:
    await services.challenges.create(user_id, [3], game="acesup", rules="standard", seed="1")


async def test_a_user_makes_so_many_challenges_a_day_whatever_is_restarted(
    services: Services, store: Store, clock: Clock
) -> None:
    began_ms = clock.now_ms
    for _ in range(MAX_A_DAY):
        await make(services)
    restarted = Services.over(store, clock)
    with pytest.raises(TooFast) as raised:
        await make(restarted)
    assert began_ms + DAY_MS < raised.value.until_ms <= clock.now_ms + DAY_MS
    await make(restarted, user_id=OLA)
    clock.now_ms = raised.value.until_ms
    await make(restarted)
