"""However much is kept, no verb reads through a table of it: asked of the database's own plans.

A verb that is new joins ``CALLS``, and a kind of store that is new `tests.storage.plans`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from bot.storage import (
    BoardQuery,
    Challenge,
    DailyChannel,
    DailyResult,
    LiveTable,
    NewGame,
    Participant,
    RevisionConflict,
    Settings,
    SqliteStore,
    Status,
    Store,
    open_store,
)
from tests.storage.conftest import mark_of, new_daily, new_database, new_game
from tests.storage.crowd import (
    CHALLENGE,
    DAY_MS,
    DAYS,
    NAMED,
    NOW_MS,
    OPEN,
    OWN_GAMES,
    SERVER,
    TODAY,
    TOMORROW,
    crowd,
    game_of,
)
from tests.storage.plans import Statement, planner_of

OTHERS = 1_000
RULES = ("acesup", "standard")

Call = Callable[[Store], Awaitable[object]]


async def alone(store: Store) -> None:
    async with store.lock("a round"), store.lock("another", waits=True):
        pass


def in_challenge(number: int) -> NewGame:
    return replace(new_game(1), challenge_id=number)


def board(first: str, last: str, server_id: int | None = None) -> Call:
    return lambda store: store.board(BoardQuery(first, last, 1, server_id))


# In the order in which they are called. What a verb does differently by its arguments is called for each.
CALLS: Mapping[str, tuple[Call, ...]] = {
    "load_game": (lambda store: store.load_game(game_of(1, 1).id),),
    "current_game": (lambda store: store.current_game(1),),
    "unfinished_games": (lambda store: store.unfinished_games(1, 25),),
    "count_games": (lambda store: store.count_games(),),
    "load_settings": (lambda store: store.load_settings(1),),
    "live_table": (lambda store: store.live_table(game_of(1, 1).id),),
    "get_value": (lambda store: store.get_value("daily-seed:7"),),
    "daily_game": (lambda store: store.daily_game(1, TODAY),),
    "unsettled_dailies": (
        lambda store: store.unsettled_dailies(TODAY, 100),
        lambda store: store.unsettled_dailies(TOMORROW, 100),
    ),
    "board": (
        board(TODAY, TODAY),
        board(DAYS[3], DAYS[9]),
        board("", ""),
        board(TODAY, TODAY, SERVER),
        board(DAYS[3], DAYS[9], SERVER),
        board("", "", SERVER),
    ),
    "results_of": (lambda store: store.results_of(1),),
    "results_after": (lambda store: store.results_after(DAYS[3], 1_500, 100),),
    "without_result": (lambda store: store.without_result(0, 100),),
    "best_results": (
        lambda store: store.best_results(DAYS[7], None),
        lambda store: store.best_results(DAYS[7], SERVER),
    ),
    "load_challenge": (lambda store: store.load_challenge(CHALLENGE),),
    "challenges_since": (lambda store: store.challenges_since(1, NOW_MS - DAY_MS),),
    "daily_channel": (lambda store: store.daily_channel(1),),
    "played": (lambda store: store.played(1),),
    "game_on_deal": (
        lambda store: store.game_on_deal(1, "acesup/standard/1"),
        lambda store: store.game_on_deal(1, "acesup/standard/never"),
    ),
    "games_of": (lambda store: store.games_of(1, game_of(1, 9).id, 5),),
    "tables_of": (lambda store: store.tables_of(1),),
    "challenges_of": (lambda store: store.challenges_of(1),),
    "servers_of": (lambda store: store.servers_of(1),),
    "channels_chosen_by": (lambda store: store.channels_chosen_by(1),),
    "winnable_numbers": (lambda store: store.winnable_numbers(RULES, 1_000),),
    "winnable_line": (lambda store: store.winnable_line(RULES, 1),),
    "winnable_counts": (lambda store: store.winnable_counts(),),
    "seeds_had": (lambda store: store.seeds_had(1, RULES, 20),),
    "untouched_games": (
        lambda store: store.untouched_games(NOW_MS - 365 * DAY_MS, 100),
        lambda store: store.untouched_games(NOW_MS, 100),
    ),
    "lock": (alone,),
    # What these write changes nothing that another one looks for, but for "forget".
    "create_game": (
        lambda store: store.create_game(new_game(1)),
        lambda store: store.create_game(new_daily(1, TOMORROW)),
    ),
    "make_current": (lambda store: store.make_current(game_of(1, 0).id),),
    "save_if_revision": (
        lambda store: store.save_if_revision(game_of(1, 0)),
        lambda store: store.save_if_revision(game_of(1, 10), make_current=True),
        lambda store: store.save_if_revision(
            replace(game_of(1, OWN_GAMES - 1), status=Status.OVER),
            DailyResult(TODAY, 1, game_of(1, OWN_GAMES - 1).id, 39),
        ),
    ),
    "save_settings": (
        lambda store: store.save_settings(1, Settings(is_hidden=True)),
        lambda store: store.save_settings(1, Settings()),
    ),
    "change_settings": (lambda store: store.change_settings(1, lambda chosen: chosen),),
    "place_table": (lambda store: store.place_table(game_of(1, 1).id, LiveTable(1, 2, "x")),),
    "set_value": (lambda store: store.set_value("daily-seed:7", "y"),),
    "set_default": (
        lambda store: store.set_default("daily-seed:7", "z"),
        lambda store: store.set_default("another", "z"),
    ),
    "enter_server": (
        lambda store: store.enter_server(SERVER, 1),
        lambda store: store.enter_server(SERVER + 1, 1),
    ),
    "leave_server": (lambda store: store.leave_server(SERVER + 1, [1, 2]),),
    "unlist": (lambda store: store.unlist([1, 2]),),
    "create_challenge": (
        lambda store: store.create_challenge(
            Challenge(0, "acesup/standard/1", 1, 1, 1, "no", True, NOW_MS, (Participant(1), Participant(2)))
        ),
    ),
    "place_challenge": (lambda store: store.place_challenge(CHALLENGE, 2, 2),),
    "join_challenge": (
        lambda store: store.join_challenge(in_challenge(NAMED), 0),
        lambda store: store.join_challenge(in_challenge(OPEN), 10),
    ),
    "claim_daily_post": tuple([lambda store: store.claim_daily_post(TODAY, NOW_MS)] * 3),
    "note_daily_post": (lambda store: store.note_daily_post(1, TODAY),),
    "put_back_daily_post": (lambda store: store.put_back_daily_post(2, TODAY),),
    "set_daily_channel": (lambda store: store.set_daily_channel(DailyChannel(1, 2, "no", 1, TODAY)),),
    "drop_daily_channel": (lambda store: store.drop_daily_channel(2),),
    "add_winnable": (lambda store: store.add_winnable(RULES, 99, "s-t"),),
    "compact": (
        lambda store: store.compact(replace(game_of(1, 20), status=Status.EXPIRED)),
        lambda store: store.compact(replace(game_of(1, 20), status=Status.EXPIRED)),
    ),
    "forget": (lambda store: store.forget(2, TODAY, mark_of(2)),),
    "purge": (lambda store: store.purge(TODAY), lambda store: store.purge(TOMORROW)),
}

# Verbs that read through an index of everything, with nothing looked up beside it, and why they may.
READ_ALL = {
    "count_games": "once a minute, where METRICS_PORT is set",
    "board": "of everyone: the ranks and the average are of all",
    "winnable_counts": "one number for each rule set, of a pool that stops growing",
    "without_result": "for the operator's command verify alone",
}
# Verbs that sort more than ties, and what they sort.
SORTS = {
    "best_results": "those of one server who have the day's best score",
    "board": "sums over several days, which no index can have",
    "challenges_of": "one user's challenges",
    "load_challenge": "the players of one challenge",
    "results_of": "one user's results",
    "servers_of": "one user's servers",
}


def verbs() -> set[str]:
    """The members of every protocol that a store is."""
    protocols = [one for one in Store.__mro__ if getattr(one, "_is_protocol", False) and one is not Store]
    found = {name for one in protocols for name in vars(one) if not name.startswith("_")}
    return found - {"open", "close"}  # these bring the schema up to date, and no more


async def fill(store: Store, others: int) -> None:
    planner = planner_of(store)
    for table, (columns, rows) in crowd(others).items():
        await planner.fill(table, columns, rows)
    await planner.move_numbers_on()


def test_every_verb_of_every_protocol_is_called() -> None:
    assert set(CALLS) == verbs()
    assert {*READ_ALL, *SORTS} <= set(CALLS)


async def test_in_every_table_there_is_much(store: Store) -> None:
    tables = {table: len(rows) for table, (_, rows) in crowd(OTHERS).items()}
    assert await planner_of(store).tables() - {"counters", "migrations"} == set(tables)
    assert min(size for table, size in tables.items() if table != "daily_marks") > OTHERS


async def stated(store: Store) -> dict[str, list[Statement]]:
    """What each verb executes."""
    found: dict[str, list[Statement]] = {}
    for verb, calls in CALLS.items():
        with planner_of(store).noting() as noted:
            for call in calls:
                with suppress(RevisionConflict):
                    await call(store)
        found[verb] = list(noted)
    return found


async def test_no_verb_reads_through_a_table_or_sorts_what_has_no_bound(store: Store) -> None:
    planner = planner_of(store)
    await fill(store, OTHERS)
    executed = await stated(store)
    said, sorting = [], set()
    for condition in planner.conditions:
        await planner.execute(condition)
        for verb, statements in executed.items():
            for statement in statements:
                for step in await planner.unbounded(statement):
                    if verb in SORTS and "SCAN" not in step:
                        sorting.add(verb)
                    else:
                        said.append((verb, step, statement.text))
    assert said == []
    # SQLite reads these challenges in the order of their ids already.
    assert sorting == set(SORTS) - ({"challenges_of"} if isinstance(store, SqliteStore) else set())


async def costs(url: str, others: int) -> dict[str, int]:
    """What each verb costs among so many others."""
    store = open_store(url)
    await store.open()
    planner = planner_of(store)
    await fill(store, others)
    await planner.execute(planner.conditions[0])
    found = {verb: sum([await planner.work(call) for call in calls]) for verb, calls in CALLS.items()}
    await store.close()
    return found


async def test_no_verb_costs_more_for_what_others_have(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    """A plan does not say how many rows a range has, nor how many of them are passed over."""
    found = []
    for others in (OTHERS, 3 * OTHERS):
        async with new_database(kind, request, tmp_path / str(others)) as url:
            found.append(await costs(url, others))
    few, many = found
    assert {verb for verb in CALLS if many[verb] > 1.5 * few[verb] + 10} == set(READ_ALL)


async def test_what_refers_to_a_row_that_is_deleted_is_searched_for(store: Store) -> None:
    """A database looks for it with every deletion, and no plan of the deletion says so."""
    planner = planner_of(store)
    found = await planner.references()
    assert len(found) >= 3
    for table, column in found:
        looked_up = Statement(f"SELECT 1 FROM {table} WHERE {column} = 1", ())
        assert await planner.unbounded(looked_up) == [], table
