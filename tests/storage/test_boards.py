"""What every store does with daily games and their boards."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pytest

from bot.storage import (
    AlreadyExists,
    Board,
    BoardQuery,
    DailyResult,
    RevisionConflict,
    Settings,
    Standing,
    Status,
    Store,
    StoredGame,
)
from tests.storage.conftest import OpenStore, finish_daily, mark_of, new_daily, new_game

BIG_ID = 2**63 - 1
YESTERDAY, TODAY, TOMORROW = "2026-12-31", "2027-01-01", "2027-01-02"


async def board_of(store: Store, day: str, user_id: int = 0, server_id: int | None = None) -> Board:
    return await store.board(BoardQuery(day, day, user_id, server_id))


async def seen_on(store: Store, day: str, server_id: int | None = None) -> list[int]:
    """The users on the board of a day, and nothing else there that doesn't fit to them."""
    board = await board_of(store, day, server_id=server_id)
    assert board.players == sum(board.scores.values()) == len(board.top)
    return [standing.user_id for standing in board.top]


# Daily games


async def test_a_daily_game_is_kept_with_its_day(store: Store) -> None:
    made = await store.create_game(new_daily(BIG_ID, TODAY))
    assert made.day == TODAY
    assert await store.daily_game(BIG_ID, TODAY) == made
    assert await store.load_game(made.id) == made
    assert await store.current_game(BIG_ID) == made


async def test_a_daily_game_is_found_by_its_owner_and_day_alone(store: Store) -> None:
    await store.create_game(new_game(1))
    mine = await store.create_game(new_daily(1, TODAY))
    await store.create_game(new_daily(2, TODAY))
    await store.create_game(new_daily(1, TOMORROW))
    assert await store.daily_game(1, TODAY) == mine
    assert await store.daily_game(1, YESTERDAY) is None
    assert await store.daily_game(3, TODAY) is None
    assert await store.daily_game(1, "") is None


async def test_a_save_leaves_day_challenge_and_source_alone(store: Store) -> None:
    game = await store.create_game(replace(new_daily(1, TODAY), challenge_id=7, is_copy=True))
    await store.save_if_revision(replace(game, day=TOMORROW, challenge_id=8, is_copy=False))
    kept = await store.load_game(game.id)
    assert kept is not None
    assert (kept.day, kept.challenge_id, kept.is_copy) == (TODAY, 7, True)


async def test_the_record_of_the_win_is_kept(store: Store) -> None:
    game = await store.create_game(new_game())
    assert game.won_record == ""
    won = await store.save_if_revision(
        replace(game, record="acesup/standard/24 1-d", won_record="acesup/standard/24 1-d")
    )
    taken_back = await store.save_if_revision(replace(won, record="acesup/standard/24"))
    assert taken_back.won_record == "acesup/standard/24 1-d"
    assert await store.load_game(game.id) == taken_back


@pytest.mark.parametrize("status", Status)
async def test_a_second_game_of_a_day_is_taken_and_leaves_nothing_behind(
    store: Store, status: Status
) -> None:
    daily = await store.create_game(replace(new_daily(1, TODAY), status=status))
    current = await store.create_game(new_game(1))
    with pytest.raises(AlreadyExists):
        await store.create_game(new_daily(1, TODAY))
    assert await store.games_of(1, 0, 100) == [daily, current]
    assert await store.current_game(1) == current
    assert await store.daily_game(1, TODAY) == daily


async def test_of_two_games_of_a_day_at_once_from_two_processes_one_is_dealt(
    store: Store, open_store: OpenStore
) -> None:
    other = await open_store()
    tasks = [(store, other)[i % 2].create_game(new_daily(1 + i // 10, TODAY)) for i in range(20)]
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert Counter(type(result) for result in results) == {StoredGame: 2, AlreadyExists: 18}
    for owner_id in (1, 2):
        [kept] = await store.games_of(owner_id, 0, 100)
        assert kept in results
        assert await other.current_game(owner_id) == kept


async def test_who_asked_to_be_forgotten_has_no_second_game_of_that_day(store: Store) -> None:
    await finish_daily(store, 1, TODAY, 5)
    await store.create_game(new_daily(2, TODAY))  # not finished: it was an attempt all the same
    for user_id in (1, 2):
        await store.forget(user_id, TODAY, mark_of(user_id))
        await store.forget(user_id, TODAY, mark_of(user_id))
        with pytest.raises(AlreadyExists):
            await store.create_game(new_daily(user_id, TODAY))
        assert await store.games_of(user_id, 0, 100) == []
        assert await store.current_game(user_id) is None


async def test_a_mark_bars_neither_others_nor_other_days_nor_other_games(store: Store) -> None:
    await finish_daily(store, 1, TODAY, 5)
    await store.forget(1, TODAY, mark_of(1))
    assert (await store.create_game(new_daily(2, TODAY))).day == TODAY
    assert (await store.create_game(new_daily(1, TOMORROW))).day == TOMORROW
    assert (await store.create_game(replace(new_game(1), day_mark=mark_of(1)))).day == ""


async def test_no_mark_is_left_of_who_had_no_game_of_that_day(store: Store) -> None:
    await finish_daily(store, 1, YESTERDAY, 5)
    await store.create_game(new_game(1))
    await store.forget(1, TODAY, mark_of(1))
    assert (await store.create_game(new_daily(1, TODAY))).day == TODAY


async def test_forgetting_and_dealing_anew_at_once_gives_no_second_attempt(
    store: Store, open_store: OpenStore
) -> None:
    other = await open_store()
    for user_id in range(1, 11):
        await finish_daily(store, user_id, TODAY, 5)
        _, dealt = await asyncio.gather(
            store.forget(user_id, TODAY, mark_of(user_id)),
            other.create_game(new_daily(user_id, TODAY)),
            return_exceptions=True,
        )
        assert isinstance(dealt, AlreadyExists)


async def test_unsettled_dailies_are_those_still_going_after_their_day(store: Store) -> None:
    await store.create_game(new_game(1))
    for owner_id, status in enumerate(Status):
        if status is not Status.PLAYING:
            await store.create_game(replace(new_daily(owner_id, YESTERDAY), status=status))
    older = await store.create_game(new_daily(7, "2026-02-28"))
    old = await store.create_game(new_daily(7, YESTERDAY))
    await store.create_game(new_daily(7, TODAY))
    await store.create_game(new_daily(8, TOMORROW))
    assert await store.unsettled_dailies(TODAY, 100) == [older, old]
    assert await store.unsettled_dailies("2026-02-28", 100) == []


async def test_at_most_the_limit_of_unsettled_dailies_is_listed_and_all_in_the_end(store: Store) -> None:
    games = {(await store.create_game(new_daily(owner_id, YESTERDAY))).id for owner_id in range(1, 8)}
    settled: list[int] = []
    while found := await store.unsettled_dailies(TODAY, 3):
        assert len(found) <= 3
        for game in found:
            await store.save_if_revision(replace(game, status=Status.EXPIRED))
            settled.append(game.id)
    assert sorted(settled) == sorted(games)


# Results


async def test_a_result_is_kept_with_the_last_turn(store: Store) -> None:
    game = await finish_daily(store, BIG_ID, TODAY, 48)
    assert await store.load_game(game.id) == game
    assert game.status is Status.OVER
    assert await store.results_of(BIG_ID) == [DailyResult(TODAY, BIG_ID, game.id, 48)]


async def test_a_save_without_a_result_enters_no_board(store: Store) -> None:
    game = await store.create_game(new_daily(1, TODAY))
    await store.save_if_revision(replace(game, status=Status.OVER, score=9))
    assert await store.results_of(1) == []
    assert await board_of(store, TODAY, 1) == Board((), None, 0, {})


async def test_a_stale_save_enters_no_board(store: Store) -> None:
    game = await store.create_game(new_daily(1, TODAY))
    played = await store.save_if_revision(replace(game, score=3))
    with pytest.raises(RevisionConflict):
        await store.save_if_revision(replace(game, score=9), DailyResult(TODAY, 1, game.id, 9))
    assert await store.results_of(1) == []
    assert await store.load_game(game.id) == played


async def test_the_first_result_of_a_day_stands_and_later_saves_are_kept(store: Store) -> None:
    game = await finish_daily(store, 1, TODAY, 5)
    saved = await store.save_if_revision(replace(game, score=9), DailyResult(TODAY, 1, game.id, 9))
    assert await store.load_game(game.id) == saved == replace(game, score=9, revision=game.revision + 1)
    assert await store.results_of(1) == [DailyResult(TODAY, 1, game.id, 5)]
    assert (await board_of(store, TODAY)).scores == {5: 1}


async def test_of_two_ends_at_once_from_two_processes_one_is_the_result(
    store: Store, open_store: OpenStore
) -> None:
    other = await open_store()
    game = await store.create_game(new_daily(1, TODAY))
    results = await asyncio.gather(
        *(
            keeper.save_if_revision(
                replace(game, status=status, score=score), DailyResult(TODAY, 1, game.id, score)
            )
            for keeper, status, score in ((store, Status.EXPIRED, 3), (other, Status.OVER, 4))
        ),
        return_exceptions=True,
    )
    assert sorted(type(result).__name__ for result in results) == ["RevisionConflict", "StoredGame"]
    [winner] = [result for result in results if isinstance(result, StoredGame)]
    assert await store.load_game(game.id) == winner
    assert await store.results_of(1) == [DailyResult(TODAY, 1, game.id, winner.score)]


@pytest.mark.parametrize("turns_of_the_loop", range(14))
async def test_wherever_a_save_is_cut_off_turn_and_result_are_both_there_or_neither(
    store: Store, turns_of_the_loop: int
) -> None:
    game = await store.create_game(new_daily(1, TODAY))
    result = DailyResult(TODAY, 1, game.id, 9)
    task = asyncio.create_task(store.save_if_revision(replace(game, score=9), result))
    for _ in range(turns_of_the_loop):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    kept = await store.load_game(game.id)
    assert kept is not None
    assert (kept.revision, await store.results_of(1)) in [(0, []), (1, [result])]


async def test_results_of_a_user_come_first_day_first_hidden_or_not(store: Store) -> None:
    days = ("2026-12-09", "2026-12-10", YESTERDAY, TODAY)
    games = {day: await finish_daily(store, 1, day, 5) for day in reversed(days)}
    await finish_daily(store, 2, TODAY, 6)
    expected = [DailyResult(day, 1, games[day].id, 5) for day in days]
    assert await store.results_of(1) == expected
    await store.save_settings(1, Settings(is_hidden=True))
    assert await store.results_of(1) == expected
    assert await store.results_of(3) == []


@pytest.mark.parametrize("limit", [1, 2, 5, 100])
async def test_results_after_pages_through_every_result_once(store: Store, limit: int) -> None:
    expected = []
    for day in (TODAY, YESTERDAY, TOMORROW):
        for user_id in (7, BIG_ID, 1, 4):
            game = await finish_daily(store, user_id, day, 5)
            expected.append(DailyResult(day, user_id, game.id, 5))
    await store.save_settings(4, Settings(is_hidden=True))
    found: list[DailyResult] = []
    last = ("", 0)
    while page := await store.results_after(*last, limit):
        assert len(page) <= limit
        assert not set(page) & set(found)
        found += page
        last = (page[-1].day, page[-1].user_id)
    assert found == sorted(expected, key=lambda result: (result.day, result.user_id))
    assert await store.results_after(TODAY, 7, 2) == await store.results_after(TODAY, 8, 2)


# One day's board


async def test_the_same_score_has_the_same_rank_and_then_there_is_a_gap(store: Store) -> None:
    for user_id, score in ((1, 7), (2, 9), (3, 9), (4, 7), (5, 0)):
        await finish_daily(store, user_id, TODAY, score)
    board = await board_of(store, TODAY, 4)
    ranks = [(standing.user_id, standing.rank, standing.score) for standing in board.top]
    assert ranks == [(2, 1, 9), (3, 1, 9), (1, 3, 7), (4, 3, 7), (5, 5, 0)]
    assert board.own == Standing(4, 3, 7)
    assert board.players == 5
    assert board.scores == {9: 2, 7: 2, 0: 1}


async def test_an_empty_board_has_nobody(store: Store) -> None:
    await finish_daily(store, 1, YESTERDAY, 5)
    nobody = Board((), None, 0, {})
    assert await store.board(BoardQuery(TODAY, TODAY, 1)) == nobody
    assert await store.board(BoardQuery(TODAY, TOMORROW, 1)) == nobody
    assert await store.board(BoardQuery(TODAY, TODAY, 1, server_id=5)) == nobody
    assert await store.board(BoardQuery("", "", 2, server_id=5)) == nobody


async def test_who_did_not_finish_that_day_has_no_standing(store: Store) -> None:
    await finish_daily(store, 1, TODAY, 5)
    await finish_daily(store, 2, YESTERDAY, 5)
    await store.create_game(new_daily(2, TODAY))
    board = await board_of(store, TODAY, 2)
    assert (board.own, board.players) == (None, 1)


@pytest.mark.parametrize("query", [BoardQuery(TODAY, TODAY, 3), BoardQuery(YESTERDAY, TODAY, 3)])
async def test_outside_the_best_ten_ones_own_standing_is_told_all_the_same(
    store: Store, query: BoardQuery
) -> None:
    for user_id in range(1, 15):
        await finish_daily(store, user_id, TODAY, user_id)
    board = await store.board(query)
    assert [standing.user_id for standing in board.top] == [14, 13, 12, 11, 10, 9, 8, 7, 6, 5]
    assert [standing.rank for standing in board.top] == list(range(1, 11))
    assert board.own == Standing(3, 12, 3)
    assert board.players == 14
    few = await store.board(replace(query, limit=2))
    assert few == replace(board, top=board.top[:2])


@pytest.mark.parametrize("first", [TODAY, YESTERDAY, ""])
async def test_who_is_hidden_is_nowhere_but_knows_where_they_would_stand(store: Store, first: str) -> None:
    for user_id, score in ((1, 9), (2, 7), (3, 7), (4, 5)):
        await finish_daily(store, user_id, TODAY, score)
    await store.save_settings(2, Settings(is_hidden=True))
    query = BoardQuery(first, TODAY if first else "", 2)
    board = await store.board(query)
    assert board == Board(
        top=(Standing(1, 1, 9), Standing(3, 2, 7), Standing(4, 3, 5)),
        own=Standing(2, 2, 7),
        players=3,
        scores={9: 1, 7: 1, 5: 1},
    )
    assert await store.board(replace(query, user_id=4)) == replace(board, own=Standing(4, 3, 5))


async def test_hiding_and_showing_again_hold_for_results_before_and_after(store: Store) -> None:
    await finish_daily(store, 1, YESTERDAY, 5)
    await finish_daily(store, 2, YESTERDAY, 5)
    await store.save_settings(1, Settings(is_hidden=True))
    await finish_daily(store, 1, TODAY, 5)
    for day, others in ((YESTERDAY, [2]), (TODAY, [])):
        assert await seen_on(store, day) == others
    await store.save_settings(1, Settings(language="no"))
    for day, everyone in ((YESTERDAY, [1, 2]), (TODAY, [1])):
        assert await seen_on(store, day) == everyone


async def test_other_settings_hide_nobody(store: Store) -> None:
    loud = Settings("no", is_private=True, as_text=True, four_colours=True, large_index=True)
    await store.save_settings(1, loud)
    await finish_daily(store, 1, TODAY, 5)
    await store.save_settings(1, replace(loud, language="en"))
    assert await seen_on(store, TODAY) == [1]


# Several days


async def test_a_board_of_several_days_sums_up_and_counts_the_days(store: Store) -> None:
    for user_id, day, score in (
        (1, YESTERDAY, 10),
        (1, TODAY, 20),
        (2, TODAY, 30),
        (3, YESTERDAY, 31),
        (3, TOMORROW, 40),
        (4, TODAY, 1),
    ):
        await finish_daily(store, user_id, day, score)
    board = await store.board(BoardQuery(YESTERDAY, TODAY, 1))
    assert board.top == (
        Standing(3, 1, 31),
        Standing(1, 2, 30, days=2),
        Standing(2, 2, 30),
        Standing(4, 4, 1),
    )
    assert board.own == Standing(1, 2, 30, days=2)
    assert board.players == 4
    assert board.scores == {10: 1, 20: 1, 30: 1, 31: 1, 1: 1}
    forever = await store.board(BoardQuery("", "", 4))
    assert forever.top[0] == Standing(3, 1, 71, days=2)
    assert forever.own == Standing(4, 4, 1)


async def test_the_first_and_the_last_day_count(store: Store) -> None:
    for day in ("2026-12-30", YESTERDAY, TODAY, TOMORROW):
        await finish_daily(store, 1, day, 5)
    board = await store.board(BoardQuery(YESTERDAY, TOMORROW, 1))
    assert board.top == (Standing(1, 1, 15, days=3),)


# A server's board


async def test_on_a_servers_board_is_who_has_entered_it(store: Store) -> None:
    for user_id, score in ((1, 9), (2, 7), (3, 5)):
        await finish_daily(store, user_id, TODAY, score)
    await store.enter_server(BIG_ID, 2)
    await store.enter_server(BIG_ID, 3)
    await store.enter_server(6, 1)
    board = await board_of(store, TODAY, 3, server_id=BIG_ID)
    assert board == Board((Standing(2, 1, 7), Standing(3, 2, 5)), Standing(3, 2, 5), 2, {7: 1, 5: 1})
    assert await seen_on(store, TODAY, 6) == [1]
    assert await seen_on(store, TODAY, 7) == []
    assert await seen_on(store, TODAY) == [1, 2, 3]


async def test_entering_a_server_again_changes_nothing(store: Store, open_store: OpenStore) -> None:
    other = await open_store()
    await asyncio.gather(*((store, other)[i % 2].enter_server(5, 1) for i in range(10)))
    await finish_daily(store, 1, TODAY, 9)
    await store.enter_server(5, 1)
    assert await seen_on(store, TODAY, 5) == [1]
    assert await store.servers_of(1) == [5]


async def test_who_left_a_server_is_off_its_boards_alone_until_they_play_there_again(store: Store) -> None:
    for user_id in (1, 2, 3):
        await finish_daily(store, user_id, TODAY, 9)
        await store.enter_server(5, user_id)
        await store.enter_server(6, user_id)
    await store.leave_server(5, [1, 3, 77])
    await store.leave_server(5, [])
    assert await seen_on(store, TODAY, 5) == [2]
    assert await seen_on(store, TODAY, 6) == [1, 2, 3]
    assert await seen_on(store, TODAY) == [1, 2, 3]
    await store.enter_server(5, 3)
    assert await seen_on(store, TODAY, 5) == [2, 3]


async def test_results_of_unlisted_users_are_off_all_boards_but_still_theirs(store: Store) -> None:
    for user_id in (1, 2, 3):
        await store.enter_server(5, user_id)
        for day in (YESTERDAY, TODAY):
            await finish_daily(store, user_id, day, user_id)
    before = await store.results_of(1)
    await store.unlist([1, 3, 77])
    await store.unlist([])
    for day in (YESTERDAY, TODAY):
        assert await seen_on(store, day) == await seen_on(store, day, 5) == [2]
        assert [result.user_id for result in await store.best_results(day, None)] == [2]
    forever = await store.board(BoardQuery("", "", 1))
    assert forever == Board((Standing(2, 1, 4, days=2),), Standing(1, 2, 2, days=2), 1, {2: 2})
    assert await store.results_of(1) == before
    assert await store.load_settings(1) == Settings()


# The best of a day


async def test_the_best_of_a_day_are_all_who_share_the_best_score(store: Store) -> None:
    games = {user_id: await finish_daily(store, user_id, TODAY, 9) for user_id in (8, 3)}
    await finish_daily(store, 5, TODAY, 8)
    await finish_daily(store, 6, YESTERDAY, 48)
    assert await store.best_results(TODAY, None) == [
        DailyResult(TODAY, user_id, games[user_id].id, 9) for user_id in (3, 8)
    ]
    assert await store.best_results(TOMORROW, None) == []


async def test_the_best_of_a_server_have_entered_it(store: Store) -> None:
    for user_id, score in ((1, 9), (2, 7), (3, 7), (4, 6)):
        await finish_daily(store, user_id, TODAY, score)
    for user_id in (2, 3, 4):
        await store.enter_server(5, user_id)
    await store.enter_server(6, 1)
    assert [result.user_id for result in await store.best_results(TODAY, 5)] == [2, 3]
    assert [result.user_id for result in await store.best_results(TODAY, 6)] == [1]
    assert await store.best_results(TODAY, 7) == []


@pytest.mark.parametrize("server_id", [None, 5])
async def test_the_best_are_looked_for_among_those_who_can_be_seen(
    store: Store, server_id: int | None
) -> None:
    for user_id, score in ((1, 9), (2, 8), (3, 7), (4, 7)):
        await store.enter_server(5, user_id)
        await finish_daily(store, user_id, TODAY, score)
    await store.save_settings(1, Settings(is_hidden=True))
    assert [result.user_id for result in await store.best_results(TODAY, server_id)] == [2]
    await store.forget(2, TODAY, mark_of(2))
    assert [result.user_id for result in await store.best_results(TODAY, server_id)] == [3, 4]


async def test_at_most_twenty_five_are_the_best(store: Store) -> None:
    for user_id in range(1, 28):
        await finish_daily(store, user_id, TODAY, 9)
    assert [result.user_id for result in await store.best_results(TODAY, None)] == list(range(1, 26))


# All of it at once, against boards that are counted here


@dataclass
class Row:
    day: str
    user_id: int
    game_id: int
    score: int
    is_listed: bool


@dataclass
class Model:
    """The same data as the store's, and the slow, obvious way to make boards of them."""

    rows: list[Row] = field(default_factory=list)
    hidden: set[int] = field(default_factory=set)
    servers: set[tuple[int, int]] = field(default_factory=set)

    def seen(self, query: BoardQuery) -> list[Row]:
        return [
            row
            for row in self.rows
            if row.is_listed
            and (not query.first or query.first <= row.day <= query.last)
            and (query.server_id is None or (query.server_id, row.user_id) in self.servers)
        ]

    def board(self, query: BoardQuery) -> Board:
        totals: Counter[int] = Counter()
        days: Counter[int] = Counter()
        scores: Counter[int] = Counter()
        for row in self.seen(query):
            totals[row.user_id] += row.score
            days[row.user_id] += 1
            scores[row.score] += 1

        def standing(user_id: int, score: int, count: int) -> Standing:
            rank = 1 + sum(total > score for total in totals.values())
            return Standing(user_id, rank, score, count)

        own = [
            row.score
            for row in self.rows
            if row.user_id == query.user_id and (not query.first or query.first <= row.day <= query.last)
        ]
        best = sorted(days, key=lambda user_id: (-totals[user_id], user_id))[: query.limit]
        return Board(
            top=tuple(standing(user_id, totals[user_id], days[user_id]) for user_id in best),
            own=standing(query.user_id, sum(own), len(own)) if own else None,
            players=len(days),
            scores=dict(scores),
        )

    def best(self, day: str, server_id: int | None) -> list[DailyResult]:
        rows = [row for row in self.seen(BoardQuery(day, day, 0, server_id)) if row.user_id > 0]
        best = sorted(
            (row for row in rows if row.score == max(row.score for row in rows)), key=lambda row: row.user_id
        )
        return [DailyResult(row.day, row.user_id, row.game_id, row.score) for row in best]

    def hide(self, user_id: int, *, is_hidden: bool) -> None:
        (self.hidden.add if is_hidden else self.hidden.discard)(user_id)
        for row in self.rows:
            if row.user_id == user_id:
                row.is_listed = not is_hidden

    def forget(self, user_id: int, game: StoredGame | None) -> None:
        """The user's game of the day, if there was one, becomes a nobody's."""
        for row in self.rows:
            if game is not None and row.game_id == game.id:
                row.user_id = -game.id
        self.rows = [row for row in self.rows if row.user_id != user_id]
        places = {(server, user) for server, user in self.servers if user == user_id}
        self.servers -= places
        if game is not None:
            self.servers |= {(server, -game.id) for server, _ in places}
        self.hidden.discard(user_id)


DAYS = ("2026-12-30", YESTERDAY, TODAY, TOMORROW)
USERS = range(1, 19)
SERVERS = (5, 6)


async def fill(store: Store, chance: random.Random) -> Model:
    """Users who play, hide, show themselves, come and go, and ask to be forgotten, in any order."""
    model = Model()
    attempts = [(day, user_id) for day in DAYS for user_id in USERS if chance.random() < 0.7]
    chance.shuffle(attempts)
    for day, user_id in attempts:
        score = chance.randint(0, 4)  # few, so that there are ties
        game = await finish_daily(store, user_id, day, score)
        model.rows.append(Row(day, user_id, game.id, score, user_id not in model.hidden))
        other = chance.choice(USERS)
        server_id = chance.choice(SERVERS)
        match chance.randrange(5):
            case 0:
                is_hidden = chance.random() < 0.6
                await store.save_settings(other, Settings(is_hidden=is_hidden))
                model.hide(other, is_hidden=is_hidden)
            case 1:
                await store.leave_server(server_id, [other])
                model.servers.discard((server_id, other))
            case _:
                await store.enter_server(server_id, other)
                model.servers.add((server_id, other))
    for user_id in chance.sample(USERS, 2):
        model.forget(user_id, await store.daily_game(user_id, TODAY))
        await store.forget(user_id, TODAY, mark_of(user_id))
    unlisted = chance.sample(USERS, 2)
    await store.unlist(unlisted)
    for row in model.rows:
        row.is_listed = row.is_listed and row.user_id not in unlisted
    return model


def queries(chance: random.Random) -> Sequence[BoardQuery]:
    spans = [("", "")] + [(first, last) for first in DAYS for last in DAYS if first <= last]
    return [
        BoardQuery(first, last, chance.choice(USERS), server_id, chance.choice((1, 3, 10, 100)))
        for first, last in spans
        for server_id in (None, *SERVERS, 7)
        for _ in range(4)
    ]


@pytest.mark.parametrize("seed", range(6))
async def test_every_board_is_what_counting_by_hand_gives(store: Store, seed: int) -> None:
    chance = random.Random(seed)
    model = await fill(store, chance)
    for query in queries(chance):
        assert await store.board(query) == model.board(query), query
    for day in DAYS:
        for server_id in (None, *SERVERS, 7):
            assert await store.best_results(day, server_id) == model.best(day, server_id)
    kept = await store.results_after("", 0, 1_000)
    assert kept == [
        DailyResult(row.day, row.user_id, row.game_id, row.score)
        for row in sorted(model.rows, key=lambda row: (row.day, row.user_id))
    ]
