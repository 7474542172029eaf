"""Turns that are stored at the same moment share a transaction, and none of them does another harm."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Iterable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiosqlite
import pytest
import pytest_asyncio

from bot.storage import (
    AlreadyExists,
    DailyResult,
    RevisionConflict,
    SqliteStore,
    Status,
    StorageUnavailable,
    StoredGame,
    StoreError,
)
from tests.storage.conftest import new_daily, new_game

ROOT = Path(__file__).resolve().parents[2]
DAY = "2027-01-01"
PLAYERS = 20


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


@pytest_asyncio.fixture
async def store(path: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(path)
    await store.open()
    yield store
    await store.close()


def connection_of(store: SqliteStore) -> aiosqlite.Connection:
    assert store._connection is not None
    return store._connection


class Statements:
    """What SQLite was told, in order."""

    def __init__(self) -> None:
        self.all: list[str] = []

    def count(self, word: str) -> int:
        return sum(statement.startswith(word) for statement in self.all)


async def listen(store: SqliteStore) -> Statements:
    """Listen to all that the store's connection does from now on."""
    statements = Statements()
    await connection_of(store).set_trace_callback(statements.all.append)
    return statements


async def dealt(store: SqliteStore, players: Iterable[int] = range(PLAYERS)) -> list[StoredGame]:
    return [await store.create_game(new_game(player)) for player in players]


def moved(game: StoredGame) -> StoredGame:
    return replace(game, record=f"{game.record} s-t", score=game.score + 1)


def in_file(path: Path, game: StoredGame) -> tuple[str, int]:
    """Record and revision of a game, as another connection finds them."""
    query = "SELECT record, revision FROM games WHERE id = ?"
    with closing(sqlite3.connect(path)) as connection:
        [row] = connection.execute(query, (game.id,)).fetchall()
    return row[0], row[1]


async def together(*works: Any) -> list[Any]:
    return list(await asyncio.gather(*works, return_exceptions=True))


async def test_what_is_stored_at_the_same_moment_shares_a_transaction(store: SqliteStore, path: Path) -> None:
    games = await dealt(store)
    said = await listen(store)
    saved = await together(*(store.save_if_revision(moved(game)) for game in games))
    assert (said.count("BEGIN"), said.count("COMMIT")) == (1, 1)
    assert said.count("UPDATE games") == PLAYERS
    for game, after in zip(games, saved, strict=True):
        assert after == replace(moved(game), revision=1)
        assert in_file(path, game) == (after.record, 1)


async def test_what_comes_while_others_are_stored_goes_together_afterwards(store: SqliteStore) -> None:
    games = await dealt(store)
    said = await listen(store)
    first = asyncio.create_task(store.save_if_revision(moved(games[0])))
    while not said.all:  # noqa: ASYNC110 - told by no event
        await asyncio.sleep(0)
    await together(*(store.save_if_revision(moved(game)) for game in games[1:]))
    await first
    assert said.count("BEGIN") == 1  # the first was alone, and needed none
    assert said.count("UPDATE games") == PLAYERS


async def test_a_turn_that_is_alone_is_one_statement_and_on_the_disk(store: SqliteStore, path: Path) -> None:
    [game] = await dealt(store, [1])
    said = await listen(store)
    after = await store.save_if_revision(moved(game))
    assert [statement.split()[0] for statement in said.all] == ["UPDATE"]
    assert in_file(path, game) == (after.record, 1)
    assert not connection_of(store).in_transaction


async def test_a_turn_that_is_alone_is_kept_by_a_process_that_is_killed_after_it(path: Path) -> None:
    script = f"""
import asyncio, os, signal
from dataclasses import replace
from bot.storage import SqliteStore
from tests.storage.conftest import new_game
async def main():
    store = SqliteStore({str(path)!r})
    await store.open()
    game = await store.create_game(new_game(1))
    await store.save_if_revision(replace(game, record=game.record + " s-t"))
    os.kill(os.getpid(), signal.SIGKILL)
asyncio.run(main())
"""
    killed = await asyncio.to_thread(subprocess.run, [sys.executable, "-c", script], cwd=ROOT, check=False)
    assert killed.returncode == -signal.SIGKILL
    store = SqliteStore(path)
    await store.open()
    game = await store.current_game(1)
    await store.close()
    assert game is not None
    assert (game.record.split(" ")[1:], game.revision) == (["s-t"], 1)


async def test_a_game_that_is_not_played_now_becomes_it_where_it_is_to(store: SqliteStore) -> None:
    old, new = await store.create_game(new_game(1)), await store.create_game(new_game(1))
    once = await store.save_if_revision(moved(old))
    assert (await store.current_game(1)) == new
    assert (await store.load_game(old.id)) == once
    said = await listen(store)
    after = await store.save_if_revision(moved(once), make_current=True)
    assert (await store.current_game(1)) == after
    assert said.count("INSERT INTO players") == 1


async def test_a_game_that_is_played_now_stays_it(store: SqliteStore) -> None:
    [game, _] = await dealt(store, [1, 2])
    said = await listen(store)
    after = await store.save_if_revision(moved(game), make_current=True)
    assert (await store.current_game(1)) == after
    assert said.count("INSERT INTO players") == 0


async def test_one_that_comes_too_late_harms_nobody(store: SqliteStore, path: Path) -> None:
    games = await dealt(store)
    stale = replace(moved(games[3]), revision=7)
    works = [*games[:3], stale, *games[4:]]
    saved = await together(
        *(store.save_if_revision(game if game is stale else moved(game)) for game in works)
    )
    assert [type(one) for one in saved].count(RevisionConflict) == 1
    assert isinstance(saved[3], RevisionConflict)
    assert in_file(path, games[3]) == (games[3].record, 0)
    for game in (*games[:3], *games[4:]):
        assert in_file(path, game) == (moved(game).record, 1)


@pytest.mark.parametrize("refusal", [RevisionConflict, AlreadyExists])
async def test_a_refusal_does_not_make_the_others_begin_anew(
    store: SqliteStore, refusal: type[Exception]
) -> None:
    games = await dealt(store)
    said = await listen(store)

    async def refuse(_: aiosqlite.Connection) -> None:
        raise refusal

    saved = await together(
        store._commits.do(refuse), *(store.save_if_revision(moved(game)) for game in games)
    )
    assert isinstance(saved[0], refusal)
    assert [one.revision for one in saved[1:]] == [1] * PLAYERS
    assert (said.count("BEGIN"), said.count("UPDATE games")) == (1, PLAYERS)


async def test_one_that_sqlite_refuses_fails_alone(store: SqliteStore, path: Path) -> None:
    games = await dealt(store)
    wrong = 5
    await connection_of(store).execute(
        f"CREATE TRIGGER refuse BEFORE UPDATE ON games WHEN NEW.id = {games[wrong].id}"
        " BEGIN SELECT RAISE(ABORT, 'not this one'); END"
    )
    saved = await together(*(store.save_if_revision(moved(game)) for game in games))
    assert isinstance(saved[wrong], sqlite3.IntegrityError)
    for number, game in enumerate(games):
        kept = (game.record, 0) if number == wrong else (moved(game).record, 1)
        assert in_file(path, game) == kept
    assert not connection_of(store).in_transaction
    assert [one for one in saved if isinstance(one, Exception)] == [saved[wrong]]


async def test_one_that_raises_after_it_has_written_leaves_nothing_of_itself(
    store: SqliteStore, path: Path
) -> None:
    games = await dealt(store, [1, 2])

    async def half(db: aiosqlite.Connection) -> None:
        await db.execute("UPDATE games SET record = 'half' WHERE id = ?", (games[0].id,))
        raise LookupError

    saved = await together(store._commits.do(half), store.save_if_revision(moved(games[1])))
    assert isinstance(saved[0], LookupError)
    assert in_file(path, games[0]) == (games[0].record, 0)
    assert in_file(path, games[1]) == (moved(games[1]).record, 1)


async def test_a_caller_that_is_gone_before_it_was_its_turn_stores_nothing(
    store: SqliteStore, path: Path
) -> None:
    games = await dealt(store)
    async with store._reading():  # nobody else has the file
        tasks = [asyncio.create_task(store.save_if_revision(moved(game))) for game in games]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        for task in tasks[::3]:
            task.cancel()
        await asyncio.sleep(0)
    done = await together(*tasks)
    for number, (game, outcome) in enumerate(zip(games, done, strict=True)):
        if number % 3 == 0:
            assert isinstance(outcome, asyncio.CancelledError)
            assert in_file(path, game) == (game.record, 0)
        else:
            assert in_file(path, game) == (outcome.record, 1)


async def test_where_all_callers_are_gone_nothing_is_begun(store: SqliteStore) -> None:
    games = await dealt(store)
    said = await listen(store)
    async with store._reading():
        tasks = [asyncio.create_task(store.save_if_revision(moved(game))) for game in games]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.sleep(0)
    await together(*tasks)
    assert (await store.save_if_revision(moved(games[0]))).revision == 1
    assert said.count("BEGIN") == 0


async def test_closing_while_many_wait_stores_each_or_says_that_it_is_closed(
    store: SqliteStore, path: Path
) -> None:
    games = await dealt(store)
    async with store._reading():
        closing_it = asyncio.create_task(store.close())
        await asyncio.sleep(0)
        tasks = [asyncio.create_task(store.save_if_revision(moved(game))) for game in games]
        await asyncio.sleep(0)
    await closing_it
    async with asyncio.timeout(5):
        done = await together(*tasks)
    assert [type(outcome) for outcome in done] == [StoreError] * PLAYERS
    assert [in_file(path, game)[1] for game in games] == [0] * PLAYERS
    await store.open()
    assert (await store.save_if_revision(moved(games[0]))).revision == 1


async def test_those_who_came_before_it_was_closed_are_stored(store: SqliteStore, path: Path) -> None:
    games = await dealt(store)
    async with store._reading():
        tasks = [asyncio.create_task(store.save_if_revision(moved(game))) for game in games]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        closing_it = asyncio.create_task(store.close())
        await asyncio.sleep(0)
    await closing_it
    assert [outcome.revision for outcome in await together(*tasks)] == [1] * PLAYERS
    assert [in_file(path, game)[1] for game in games] == [1] * PLAYERS


async def test_on_a_full_disk_each_is_told_and_nothing_is_half_stored(store: SqliteStore, path: Path) -> None:
    games = await dealt(store)
    db = connection_of(store)
    [[pages]] = await db.execute_fetchall("PRAGMA page_count")
    await db.execute_fetchall(f"PRAGMA max_page_count = {pages}")
    long = " ".join(["s-t"] * 5_000)
    saved = await together(
        *(store.save_if_revision(replace(game, record=f"{game.record} {long}")) for game in games)
    )
    assert [type(one) for one in saved] == [StorageUnavailable] * PLAYERS
    assert [in_file(path, game) for game in games] == [(game.record, 0) for game in games]
    assert not db.in_transaction
    await db.execute_fetchall("PRAGMA max_page_count = 100000")
    saved = await together(*(store.save_if_revision(moved(game)) for game in games))
    assert [one.revision for one in saved] == [1] * PLAYERS


async def test_on_a_disk_with_room_for_some_those_are_stored_whole(store: SqliteStore, path: Path) -> None:
    games = await dealt(store)
    db = connection_of(store)
    [[pages]] = await db.execute_fetchall("PRAGMA page_count")
    await db.execute_fetchall(f"PRAGMA max_page_count = {pages + 12}")
    long = " ".join(["s-t"] * 5_000)
    works = [replace(game, record=f"{game.record} {long}") for game in games]
    saved = await together(*(store.save_if_revision(game) for game in works))
    assert {type(one) for one in saved} == {StorageUnavailable, StoredGame}
    for game, work, one in zip(games, works, saved, strict=True):
        kept = (work.record, 1) if isinstance(one, StoredGame) else (game.record, 0)
        assert in_file(path, game) == kept


async def test_a_daily_game_and_its_result_are_stored_in_one_with_others(
    store: SqliteStore, path: Path
) -> None:
    games = await dealt(store, range(2, 8))
    daily = await store.create_game(new_daily(1, DAY))
    said = await listen(store)
    ended = replace(moved(daily), status=Status.OVER)
    await together(
        store.save_if_revision(ended, DailyResult(DAY, 1, daily.id, ended.score)),
        *(store.save_if_revision(moved(game)) for game in games),
    )
    assert said.count("BEGIN") == 1
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT game_id, score FROM daily_results").fetchall() == [
            (daily.id, ended.score)
        ]
