"""The best that was possible: told when the game has ended, but not while the cards are still played."""

from __future__ import annotations

import asyncio
import itertools
import logging
from dataclasses import replace

import pytest

from bot.service import AnalyseLater, GameService, NotFinished, Services, ShareLater, Turn
from bot.service.analysis.best_scores import _MAX_FOR_ONE, _MAX_KEPT
from bot.service.contests import JOINING_MS
from bot.service.daily.daily import DayBest
from bot.service.daily.verification import prove
from bot.storage import Status, Store
from engine import Move, Record
from solve import Analysis, Drop, Par, best_score
from tests.service.conftest import Clock, Player, finished
from tests.thinking import Thinker, par

SEED = "1"
DEAL = f"acesup/standard/{SEED}"
DAY_MS = 24 * 60 * 60 * 1000


@pytest.fixture
def thinker() -> Thinker:
    thinker = Thinker()
    thinker.knows(best=par(44))
    return thinker


async def gives_up(who: Player, seed: str = SEED, game: str = "acesup", rules: str = "standard") -> Turn:
    await who.new(game, rules, seed)
    return await who.give_up()


async def best_of(services: Services, turn: Turn) -> int | None:
    found = await services.best_scores.of(turn)
    return None if found is None else found.score


# Of a game that has ended


async def test_the_best_of_an_ended_game_is_worked_out_from_its_deal(
    ada: Player, services: Services, thinker: Thinker
) -> None:
    await ada.new("acesup", "standard", SEED)
    await ada.draw()
    await ada.undo()
    await ada.draw()
    turn = await ada.give_up()
    assert turn.best is None
    assert await best_of(services, turn) == 44
    assert thinker.questions("best") == [DEAL]
    assert (await ada.show()).best == par(44)


async def test_once_known_it_is_told_with_every_ended_game_of_the_deal_and_asked_for_no_more(
    ada: Player, ola: Player, services: Services, thinker: Thinker
) -> None:
    await services.best_scores.of(await gives_up(ada))
    theirs = await ola.new("acesup", "standard", SEED)
    assert theirs.best is None
    assert (await ola.draw()).best is None
    assert (await ola.give_up()).best == par(44)
    assert (await ola.resume(theirs.game.id)).best == par(44)
    assert await best_of(services, await ola.show()) == 44
    assert len(thinker.asked) == 1
    assert (await gives_up(ola, rules="aces")).best is None  # by other rules it is another deal


async def test_a_game_that_goes_on_again_is_told_nothing(ada: Player, services: Services) -> None:
    await ada.holds(finished("over", "acesup"))
    ended = await ada.show()
    assert ended.game.status is Status.OVER
    assert await best_of(services, ended) == 44
    assert (await ada.undo()).best is None
    assert (await ada.show()).best is None
    assert await best_of(services, await ada.show()) is None
    assert (await ada.redo()).best == par(44)


async def test_who_asks_for_the_same_meanwhile_waits_for_the_same_answer(
    ada: Player, ola: Player, services: Services, thinker: Thinker
) -> None:
    turns = [await gives_up(ada), await gives_up(ola), await gives_up(ada)]
    thinker.hold()
    asking = [asyncio.create_task(services.best_scores.of(turn)) for turn in turns]
    await thinker.until_asked()
    asking[0].cancel()  # which takes it from nobody
    await asyncio.sleep(0)
    thinker.let()
    assert await asyncio.gather(*asking[1:]) == [par(44)] * 2
    assert thinker.questions("best") == [DEAL]


async def test_what_could_not_be_worked_out_is_asked_for_again(
    ada: Player, services: Services, thinker: Thinker
) -> None:
    turn = await gives_up(ada)
    thinker.knows(best=None)
    assert await best_of(services, turn) is None
    thinker.knows(best=par(44))
    assert await best_of(services, turn) == 44
    assert len(thinker.asked) == 2


async def test_one_player_has_few_deals_worked_out_at_a_time_and_takes_no_place_from_others(
    ada: Player, ola: Player, services: Services, thinker: Thinker
) -> None:
    thinker.hold()
    turns = [await gives_up(ada, str(seed)) for seed in range(1, 51)]
    asking = [asyncio.create_task(services.best_scores.of(turn)) for turn in turns]
    await thinker.until_asked(_MAX_FOR_ONE)
    theirs = asyncio.create_task(services.best_scores.of(await gives_up(ola, "500")))
    await thinker.until_asked(_MAX_FOR_ONE + 1)
    assert len(services.best_scores._asked) == len(services.best_scores._askers) == _MAX_FOR_ONE + 1
    thinker.let()
    assert await theirs == par(44)
    answers = await asyncio.gather(*asking)
    assert answers.count(par(44)) == _MAX_FOR_ONE
    assert (services.best_scores._asked, services.best_scores._askers) == ({}, {})
    assert await best_of(services, turns[-1]) == 44


async def test_no_more_than_some_hundred_deals_are_kept(ada: Player, services: Services) -> None:
    turn = await gives_up(ada)
    for seed in range(1, _MAX_KEPT + 20):
        record = replace(turn.position.record, seed=str(seed))
        await services.best_scores.of(replace(turn, position=replace(turn.position, record=record)))
    assert len(services.best_scores._known) == _MAX_KEPT
    assert (await ada.show()).best is None  # the first is forgotten


async def test_what_is_told_is_true(ada: Player, services: Services, thinker: Thinker) -> None:
    thinker.knows(best=lambda record, budget_s: best_score(Record.parse(record), budget_nodes=20_000))
    turn = await gives_up(ada, "3")
    found = await services.best_scores.of(turn)
    assert found is not None
    assert found.proven
    best = replace(turn, best=found).best_record
    assert best is not None
    assert best.code == turn.position.record.code
    assert (await ada.holds(best)).score == found.score


# Whose cards others still play


async def test_of_a_daily_game_nothing_is_told_until_its_day_is_over(
    ada: Player, services: Services, thinker: Thinker, clock: Clock
) -> None:
    await services.games.play_daily(ada.request())
    ended = await ada.give_up()
    practice = await gives_up(ada, ended.position.record.seed)
    other_rules = await gives_up(ada, ended.position.record.seed, rules="aces")
    klondike = await gives_up(ada, ended.position.record.seed, "klondike", "d1")
    for turn in (ended, practice, other_rules, klondike):
        assert await best_of(services, turn) is None
        with pytest.raises(AnalyseLater) as later:
            await services.analyses.check(turn)
        assert later.value.facts["contest"] == "daily"
    assert thinker.asked == []
    clock.now_ms += DAY_MS
    for game_id in (ended.game.id, practice.game.id):
        turn = await ada.show(game_id=game_id)
        await services.analyses.check(turn)
        assert await best_of(services, turn) == 44


async def opened(ada: Player, ola: Player, services: Services, *, is_open: bool = False) -> int:
    friends = [] if is_open else [ola.user_id]
    made = await services.challenges.create(ada.user_id, friends, game="acesup", rules="standard", seed=SEED)
    return made.challenge.id


@pytest.mark.parametrize("is_open", [False, True])
async def test_whoever_takes_part_in_a_challenge_is_told_nothing_of_its_cards_until_it_is_over(
    ada: Player, ola: Player, services: Services, thinker: Thinker, clock: Clock, is_open: bool
) -> None:
    challenge_id = await opened(ada, ola, services, is_open=is_open)
    await services.challenges.play(ada.request(), challenge_id)
    mine = await ada.give_up()
    practice = await gives_up(ada)
    others = [await gives_up(ada, rules="aces"), await gives_up(ada, game="klondike", rules="d1")]
    for turn in (mine, practice, *others):
        assert await best_of(services, turn) is None
        with pytest.raises(AnalyseLater) as later:
            await services.analyses.check(turn)
        assert later.value.facts["contest"] == "challenge"
    assert not await services.best_scores.is_lost(await ada.new("acesup", "standard", SEED))
    assert thinker.asked == []
    await services.challenges.play(ola.request(), challenge_id)
    await ola.give_up()
    clock.now_ms += JOINING_MS if is_open else 0
    practice = await ada.show(game_id=practice.game.id)
    await services.analyses.check(practice)
    await services.analyses.check(await ada.show(game_id=mine.game.id))
    assert await best_of(services, practice) == 44
    assert await services.best_scores.is_lost(await ada.new("acesup", "standard", SEED))


async def test_what_somebody_else_found_out_is_told_to_nobody_in_a_challenge(
    ada: Player, ola: Player, play: GameService, store: Store, services: Services
) -> None:
    await opened(ada, ola, services)
    eva = Player(play, store, 3, itertools.count(3_000))
    assert await best_of(services, await gives_up(eva)) == 44
    assert (await gives_up(eva)).best == par(44)
    assert (await gives_up(ola)).best is None
    assert (await gives_up(ada)).best is None
    assert (await ada.show()).best is None


async def test_nobody_is_dealt_the_cards_of_a_challenge_that_is_going_on(
    ada: Player, ola: Player, services: Services, play: GameService
) -> None:
    """Its deal is a secret: with a game of one's own on it, one could see the best line and then play."""
    challenge_id = await opened(ada, ola, services)
    mine = await services.challenges.play(ada.request(), challenge_id)
    for who in (ada, ola):
        with pytest.raises(ShareLater) as later:
            await play.deal_same(who.request(game_id=mine.game.id))
        assert later.value.facts["contest"] == "challenge"
    await ada.give_up()
    await services.challenges.play(ola.request(), challenge_id)
    await ola.give_up()
    same = await play.deal_same(ola.request(game_id=mine.game.id))
    assert same.position.record.code == DEAL


# Lost games


async def test_a_game_is_lost_when_that_is_proven_of_where_it_stands(
    ada: Player, services: Services, thinker: Thinker
) -> None:
    await ada.new("acesup", "standard", SEED)
    turn = await ada.draw()
    for found, is_lost in ((par(48), False), (par(40, 48), False), (par(40, 47), True), (None, False)):
        thinker.knows(best=found)
        assert await services.best_scores.is_lost(turn) is is_lost
    assert thinker.questions("best") == [f"{DEAL} s-t"] * 4


async def test_of_an_ended_game_and_in_contests_it_is_never_said_that_it_is_lost(
    ada: Player, ola: Player, services: Services, thinker: Thinker
) -> None:
    turns = [await gives_up(ada), await services.games.play_daily(ada.request())]
    seed = (await ada.give_up()).position.record.seed
    turns.append(await ada.new("acesup", "standard", seed))
    turns.append(await ada.new("klondike", "d1", seed))
    turns.append(await services.challenges.play(ada.request(), await opened(ada, ola, services)))
    assert [await services.best_scores.is_lost(turn) for turn in turns] == [False] * 5
    assert thinker.asked == []


# The day's best


async def test_the_days_best_is_worked_out_once_and_kept_across_a_restart(
    services: Services, store: Store, clock: Clock, thinker: Thinker
) -> None:
    await services.best_scores.work_out_today()
    day = services.daily.today
    deal = (await services.daily.record(day)).code
    assert thinker.questions("best") == [deal]
    again = Services.over(store, clock, solvers=thinker)
    await again.best_scores.work_out_today()
    assert len(thinker.asked) == 1
    assert await again.daily.best(day) == DayBest(44, 44)
    clock.now_ms += DAY_MS
    assert await again.daily.best(again.daily.today) is None
    thinker.knows(best=par(40, 46))
    await again.best_scores.work_out_today()
    assert await again.daily.best(again.daily.today) == DayBest(40, 46)
    assert await again.daily.best(day) == DayBest(44, 44)


async def test_what_could_not_be_worked_out_today_is_not_kept(services: Services, thinker: Thinker) -> None:
    thinker.knows(best=None)
    await services.best_scores.work_out_today()
    assert await services.daily.best(services.daily.today) is None
    thinker.knows(best=par(44))
    await services.best_scores.work_out_today()
    assert await services.daily.best(services.daily.today) == DayBest(44, 44)


async def test_an_answer_that_comes_after_midnight_is_kept_for_its_day(
    services: Services, thinker: Thinker, clock: Clock
) -> None:
    day = services.daily.today
    thinker.hold()
    working = asyncio.create_task(services.best_scores.work_out_today())
    await thinker.until_asked()
    clock.now_ms += DAY_MS
    thinker.let()
    await working
    assert await services.daily.best(day) == DayBest(44, 44)
    assert await services.daily.best(services.daily.today) is None


async def test_the_days_best_is_told_nowhere_until_the_day_is_over(
    ada: Player, services: Services, thinker: Thinker, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    thinker.knows(best=par(43, 47))
    await services.best_scores.work_out_today()
    await services.games.play_daily(ada.request())
    await ada.draw()
    turn = await ada.give_up()
    assert turn.best is None
    boards = services.boards
    today = await boards.view(ada.user_id, None, boards.period("today"))
    assert (today.board.players, today.best, today.code) == (1, None, "")
    for period in ("week", "all"):
        assert (await boards.view(ada.user_id, None, boards.period(period))).best is None
    exported = str(await services.own_data.export(ada.user_id))
    assert "43" not in exported.replace(turn.position.record.seed, "")
    assert "daily-best" not in exported
    assert "43" not in caplog.text
    clock.now_ms += DAY_MS
    before = await boards.view(ada.user_id, None, boards.period("yesterday"))
    assert before.best == DayBest(43, 47)
    for period in ("today", "week", "all"):
        assert (await boards.view(ada.user_id, None, boards.period(period))).best is None


async def test_a_score_above_the_best_possible_is_refused_and_logged_without_telling_the_best(
    ada: Player, services: Services, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    """Such a score is a fault of ours: of the rules, or of what thinks."""
    day = services.daily.today
    await services.games.play_daily(ada.request())
    await services.daily.keep_best(day, DayBest(0, 0))
    while not (await ada.show()).position.discards:
        await ada.draw()
    await ada.discard_all()
    turn = await ada.give_up()
    assert turn.game.status is Status.GIVEN_UP
    [message] = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    told = f"daily game {turn.game.id} of {day} scored {turn.game.score}, more than is possible"
    assert message == f"{told}; it is not on the board"
    assert list(await store.results_of(ada.user_id)) == []
    proof = await prove(store, services.daily)
    assert proof.problems == [f"{day}, user 1, game {turn.game.id}: it is not on the board"]


async def test_so_it_is_with_a_game_that_is_settled_when_its_day_is_over(
    ada: Player, services: Services, store: Store, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    day = services.daily.today
    await services.games.play_daily(ada.request())
    while not (await ada.show()).position.discards:
        await ada.draw()
    await ada.discard_all()
    await services.daily.keep_best(day, DayBest(0, 0))
    clock.now_ms += DAY_MS
    assert await services.daily.settle_all() == 1
    assert list(await store.results_of(ada.user_id)) == []
    assert "more than is possible" in caplog.text


async def test_verify_names_a_score_above_the_best_possible_that_is_on_a_board(
    ada: Player, services: Services, store: Store
) -> None:
    day = services.daily.today
    await services.games.play_daily(ada.request())
    while not (await ada.show()).position.discards:
        await ada.draw()
    await ada.discard_all()
    turn = await ada.give_up()
    assert (await prove(store, services.daily)).problems == []
    await services.daily.keep_best(day, DayBest(0, turn.game.score - 1))
    [problem] = (await prove(store, services.daily)).problems
    assert problem.endswith(
        f"{turn.game.score} is more than the best possible, {turn.game.score - 1}: a fault of the program"
    )


async def test_a_score_as_good_as_the_best_possible_is_on_the_board(
    ada: Player, services: Services, store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    day = services.daily.today
    await services.games.play_daily(ada.request())
    while not (await ada.show()).position.discards:
        await ada.draw()
    turn = await ada.discard_all()
    await services.daily.keep_best(day, DayBest(0, turn.game.score))
    await ada.give_up()
    assert [result.score for result in await store.results_of(ada.user_id)] == [turn.game.score]
    assert caplog.messages == []


# Who may have a game analysed


async def test_a_game_that_is_going_on_is_not_analysed(ada: Player, services: Services) -> None:
    turn = await ada.new("acesup", "standard", SEED)
    with pytest.raises(NotFinished):
        await services.analyses.check(turn)
    await services.analyses.check(await ada.give_up())


@pytest.mark.parametrize(
    ("best", "better"), [(None, par(42, 46)), (par(44), par(44)), (par(42), par(42)), (par(40), par(42, 46))]
)
async def test_an_analysis_says_the_better_of_what_is_known(
    ada: Player, services: Services, thinker: Thinker, best: Par | None, better: Par
) -> None:
    turn = await gives_up(ada)
    drop = Drop(0, 42, 41, Move.parse("s-t"))
    thinker.knows(best=best, analyse=Analysis(par(42, 46), (drop,)))
    await services.best_scores.of(turn)
    assert await services.analyses.analyse(await ada.show()) == Analysis(better, (drop,))
    assert thinker.questions("analyse") == [DEAL]


async def test_an_analysis_that_can_not_be_worked_out_is_none(ada: Player, services: Services) -> None:
    turn = await gives_up(ada)
    assert await services.analyses.analyse(replace(turn, best=par(44))) is None


async def test_whether_one_wants_to_be_told_of_lost_games_is_kept_exported_and_forgotten(
    ada: Player, services: Services
) -> None:
    assert (await services.own_data.export(ada.user_id))["settings"]["tells_lost"] is False
    await services.settings.change(ada.user_id, "tells_lost", value=True)
    assert (await services.own_data.export(ada.user_id))["settings"]["tells_lost"] is True
    await ada.new("acesup", "standard", SEED)
    await services.own_data.forget(ada.user_id)
    assert not (await services.settings.of(ada.user_id)).tells_lost
