"""The daily game without Discord: seeds, attempts, days that end, and boards that say what records say."""

from __future__ import annotations

import asyncio
import hmac
from base64 import b32encode
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import pytest
import pytest_asyncio

from bot.service import DailyFirst, Finished, GameService, NotInContest, Request, Services, StaleTable, Turn
from bot.service.daily.boards import Period
from bot.service.daily.calendar import days_later
from bot.service.daily.verification import prove
from bot.storage import SqliteStore, Status
from engine import Record, replay
from engine.games.acesup import AcesUp

DAY_MS = 86_400_000
NOON_MS = 1_796_040_000_000  # 2026-11-30T12:00Z
MONDAY, TUESDAY = "2026-11-30", "2026-12-01"
SECRET = "a secret of the tests"


@dataclass
class Bot:
    """The services over one file, with a clock that stands still until it is set."""

    store: SqliteStore
    now_ms: int = NOON_MS
    requests: int = 0

    def __post_init__(self) -> None:
        self.services = Services.over(self.store, lambda: self.now_ms, secret=SECRET)

    @property
    def play(self) -> GameService:
        return self.services.games

    def request(self, user_id: int, game_id: int | None = None, revision: int | None = None) -> Request:
        self.requests += 1
        return Request(user_id, self.requests, game_id, revision)

    async def daily(self, user_id: int = 1) -> Turn:
        return await self.play.play_daily(self.request(user_id))

    async def goes_on(self, user_id: int = 1, moves: int = 1000, chance: Random | None = None) -> Turn:
        """Play the current game on: discards first, or at random where there is a ``chance``."""
        turn = await self.play.show(self.request(user_id))
        for _ in range(moves):
            if not turn.legal_moves:
                break
            move = chance.choice(turn.legal_moves) if chance else min(turn.legal_moves, key=_wish)
            turn = await self.play.move(self.request(user_id), str(move))
        return turn


def _wish(move: object) -> int:
    text = str(move)
    return 0 if text.endswith("-d") else 1 if text == "s-t" else 2


@pytest_asyncio.fixture
async def bot(tmp_path: Path) -> AsyncIterator[Bot]:
    store = SqliteStore(tmp_path / "games.sqlite3")
    await store.open()
    yield Bot(store)
    await store.close()


async def test_the_seed_is_the_hmac_of_the_date(bot: Bot) -> None:
    digest = hmac.new(SECRET.encode(), MONDAY.encode(), "sha256").digest()
    expected = f"{MONDAY}-{b32encode(digest).decode().lower()[:26]}"
    assert (await bot.services.daily.record(MONDAY)).seed == expected
    assert (await bot.daily()).position.record.seed == expected


async def test_another_secret_makes_other_seeds_but_not_of_a_day_that_was_dealt(bot: Bot) -> None:
    today = await bot.services.daily.record(MONDAY)
    other = Services.over(bot.store, lambda: bot.now_ms, secret="another secret here").daily
    assert await other.record(MONDAY) == today  # two players never get two deals
    bot.now_ms += DAY_MS
    assert (await other.record(TUESDAY)).seed != hmac_seed(TUESDAY)


def hmac_seed(day: str) -> str:
    digest = hmac.new(SECRET.encode(), day.encode(), "sha256").digest()
    return f"{day}-{b32encode(digest).decode().lower()[:26]}"


async def test_without_a_secret_one_is_made_once_and_kept(bot: Bot) -> None:
    first = Services.over(bot.store, lambda: bot.now_ms).daily
    second = Services.over(bot.store, lambda: bot.now_ms).daily
    assert await first._key() == await second._key()
    assert len(await first._key()) == 64


async def test_the_deal_of_a_day_to_come_is_not_to_be_had(bot: Bot) -> None:
    with pytest.raises(ValueError, match="not come"):
        await bot.services.daily.record(TUESDAY)


async def test_many_requests_at_once_make_one_game(bot: Bot) -> None:
    turns = await asyncio.gather(*(bot.daily() for _ in range(20)))
    assert len({turn.game.id for turn in turns}) == 1


async def test_two_processes_at_once_make_one_game(bot: Bot) -> None:
    others = [Services.over(bot.store, lambda: bot.now_ms, secret=SECRET) for _ in range(8)]
    turns = await asyncio.gather(
        *(services.games.play_daily(Request(1, number)) for number, services in enumerate(others, 100))
    )
    assert len({turn.game.id for turn in turns}) == 1


async def test_no_help_in_a_daily_game(bot: Bot) -> None:
    await bot.daily()
    await bot.goes_on(moves=3)
    for ask in (GameService.undo, GameService.redo, GameService.hint, GameService.finish):
        with pytest.raises(NotInContest):
            await ask(bot.play, bot.request(1))


async def test_after_its_end_nothing_changes_a_daily_game(bot: Bot) -> None:
    await bot.daily()
    ended = await bot.goes_on()
    assert ended.game.status in (Status.OVER, Status.WON)
    for ask in (
        GameService.undo,
        GameService.draw,
        GameService.discard,
        GameService.give_up,
        GameService.discard_all,
    ):
        with pytest.raises((Finished, NotInContest)):
            await ask(bot.play, bot.request(1))
    assert await bot.store.load_game(ended.game.id) == ended.game
    [result] = await bot.store.results_of(1)
    assert result.score == ended.table.score


async def test_a_move_at_the_last_moment_counts_and_one_after_it_does_not(bot: Bot) -> None:
    bot.now_ms = bot.services.daily.calendar.end_ms(MONDAY) - 1
    await bot.daily()
    turn = await bot.play.draw(bot.request(1))
    bot.now_ms += 1
    with pytest.raises(StaleTable) as caught:
        await bot.play.draw(bot.request(1, turn.game.id, turn.game.revision))
    assert caught.value.turn.game.status is Status.EXPIRED
    [result] = await bot.store.results_of(1)
    assert (result.day, result.score) == (MONDAY, turn.table.score)


async def test_a_game_belongs_to_the_day_on_which_it_was_started(bot: Bot) -> None:
    bot.now_ms = bot.services.daily.calendar.end_ms(MONDAY) - 1
    first = await bot.daily()
    bot.now_ms += 1
    second = await bot.daily()
    assert [first.game.day, second.game.day] == [MONDAY, TUESDAY]
    assert first.position.record.seed != second.position.record.seed


async def test_settling_by_many_at_once_counts_once(bot: Bot) -> None:
    for user_id in range(1, 30):
        await bot.daily(user_id)
        await bot.goes_on(user_id, moves=user_id % 7)
    bot.now_ms += 7 * DAY_MS
    others = [Services.over(bot.store, lambda: bot.now_ms).daily for _ in range(4)]
    await asyncio.gather(*(daily.settle_all() for daily in others))
    assert await bot.store.unsettled_dailies("9999", 100) == []
    counted = [user_id for user_id in range(1, 30) if await bot.store.results_of(user_id)]
    assert counted == [user_id for user_id in range(1, 30) if user_id % 7]


async def test_an_outdated_game_is_not_among_the_unfinished(bot: Bot) -> None:
    await bot.daily()
    await bot.goes_on(moves=2)
    assert len(await bot.play.unfinished(1)) == 1
    bot.now_ms += DAY_MS
    assert await bot.play.unfinished(1) == []


async def test_the_daily_deal_is_not_to_be_looked_at_beforehand(bot: Bot) -> None:
    seed = (await bot.services.daily.record(MONDAY)).seed
    for game, rules in (("acesup", "standard"), ("acesup", "cell+pairs"), ("klondike", "d3p2r")):
        with pytest.raises(DailyFirst):
            await bot.play.new(bot.request(1), game=game, rules=rules, seed=f" {seed} ")
    await bot.daily()
    with pytest.raises(DailyFirst):
        await bot.play.new(bot.request(1), game="acesup", seed=seed)
    await bot.goes_on()
    turn = await bot.play.new(bot.request(1), game="acesup", seed=seed)
    assert turn.game.day == ""


async def test_dealing_the_same_again_leads_to_ones_own_attempt(bot: Bot) -> None:
    theirs = await bot.daily(1)
    mine = await bot.play.deal_same(bot.request(2, theirs.game.id, 0))
    assert (mine.game.owner_id, mine.game.day) == (2, MONDAY)
    again = await bot.play.deal_same(bot.request(1, theirs.game.id, 0))
    assert again.game.id == theirs.game.id
    bot.now_ms += DAY_MS
    practice = await bot.play.deal_same(bot.request(2, theirs.game.id, 0))
    assert practice.game.day == ""
    assert practice.position.record.seed == theirs.position.record.seed


async def test_a_streak_is_of_days_in_a_row_and_today_may_be_missing(bot: Bot) -> None:
    daily = bot.services.daily
    for day in (0, 1, 2, 4, 5):
        bot.now_ms = NOON_MS + day * DAY_MS
        await bot.daily()
        await bot.play.draw(bot.request(1))
        await bot.play.give_up(bot.request(1))
    assert await daily.streak(1) == (2, 3)
    bot.now_ms += DAY_MS
    assert await daily.streak(1) == (2, 3)
    bot.now_ms += DAY_MS
    assert await daily.streak(1) == (0, 3)
    assert await daily.streak(2) == (0, 0)


@pytest.mark.parametrize("seed", range(6))
async def test_the_board_is_what_a_replay_of_all_records_says(bot: Bot, seed: int) -> None:
    chance = Random(seed)
    users = range(1, 9)
    for _ in range(3):
        for user_id in users:
            if chance.random() < 0.8:
                await bot.daily(user_id)
                await bot.goes_on(user_id, chance.choice([0, 3, 20, 400]), chance)
                if chance.random() < 0.3 and (await bot.play.show(bot.request(user_id))).legal_moves:
                    await bot.play.give_up(bot.request(user_id))
        bot.now_ms += DAY_MS
    await bot.services.daily.settle_all()

    told: dict[str, dict[int, int]] = {}
    for user_id in users:
        for game in await bot.store.games_of(user_id, 0, 100):
            record = Record.parse(game.record)
            if game.day and (record.moves or game.status is Status.GIVEN_UP):
                told.setdefault(game.day, {})[user_id] = AcesUp().score(replay(record))

    for first, last in [(MONDAY, MONDAY), (TUESDAY, TUESDAY), (MONDAY, days_later(MONDAY, 6)), ("", "")]:
        days = [day for day in told if not first or first <= day <= last]
        sums = {user: sum(told[day].get(user, 0) for day in days) for day in days for user in told[day]}
        board = (await bot.services.boards.view(1, None, Period(first, last))).board
        assert board.players == len(sums)
        assert {one.user_id: one.score for one in board.top} == sums
        for one in [*board.top, *filter(None, [board.own])]:
            assert one.rank == 1 + sum(score > sums[one.user_id] for score in sums.values())
        scores = [score for day in days for score in told[day].values()]
        assert dict(board.scores) == {score: scores.count(score) for score in scores}

    proof = await prove(bot.store, bot.services.daily)
    assert (proof.results, proof.problems) == (sum(map(len, told.values())), [])


async def test_a_board_that_lies_is_found_out(bot: Bot) -> None:
    for user_id in (1, 2, 3, 4):
        await bot.daily(user_id)
        await bot.goes_on(user_id, 200)
    game = (await bot.play.show(bot.request(2))).game
    async with bot.store._transaction() as db:
        await db.execute("UPDATE daily_results SET score = score + 1 WHERE user_id = 1")
        await db.execute("UPDATE games SET record = record || ' 9-d' WHERE id = ?", (game.id,))
        await db.execute("UPDATE daily_results SET game_id = 999 WHERE user_id = 3")
        await db.execute("UPDATE games SET record = replace(record, 'standard', 'pairs') WHERE owner_id = 4")
    proof = await prove(bot.store, bot.services.daily)
    assert proof.results == 4
    assert [problem.split(":")[0].split(",")[1] for problem in proof.problems] == [
        f" user {n}" for n in (1, 2, 3, 4)
    ]


async def test_a_result_that_is_missing_is_found_out(bot: Bot) -> None:
    await bot.daily(1)
    await bot.goes_on(1, 200)
    await bot.daily(2)  # opened, and not played: rightly not on the board
    bot.now_ms += DAY_MS
    await bot.services.daily.settle_all()
    assert (await prove(bot.store, bot.services.daily)).problems == []
    async with bot.store._transaction() as db:
        await db.execute("DELETE FROM daily_results")
    [problem] = (await prove(bot.store, bot.services.daily)).problems
    assert "user 1" in problem
    assert "not on the board" in problem


async def test_a_stored_score_that_is_wrong_never_enters_the_board(bot: Bot) -> None:
    await bot.daily()
    turn = await bot.goes_on(moves=6)
    await bot.store.save_if_revision(replace(turn.game, score=48))
    await bot.play.give_up(bot.request(1))
    [result] = await bot.store.results_of(1)
    assert result.score == turn.table.score < 48


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("today", MONDAY, MONDAY),
        (" Yesterday ", "2026-11-29", "2026-11-29"),
        ("week", MONDAY, "2026-12-06"),
        ("all", "", ""),
        ("2026-11-01", "2026-11-01", "2026-11-01"),
        ("1.11.2026", "2026-11-01", "2026-11-01"),
        ("24. 12. 2025", "2025-12-24", "2025-12-24"),
    ],
)
async def test_days_can_be_named_in_many_ways(bot: Bot, text: str, first: str, last: str) -> None:
    assert bot.services.boards.period(text) == Period(first, last)


async def test_the_best_game_of_a_day_is_told_when_it_is_over(bot: Bot) -> None:
    for user_id, moves in ((1, 400), (2, 400), (3, 5)):
        await bot.daily(user_id)
        await bot.goes_on(user_id, moves)
    boards = bot.services.boards
    assert await boards.best_game(MONDAY, None) is None
    bot.now_ms += DAY_MS
    await bot.services.daily.settle_all()
    best = await boards.best_game(MONDAY, None)
    assert best is not None
    scores = [(await bot.store.results_of(user_id))[0].score for user_id in (1, 2, 3)]
    assert AcesUp().score(replay(best)) == max(scores)
    assert await boards.best_game("2026-11-01", None) is None
