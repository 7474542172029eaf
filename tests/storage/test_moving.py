"""A store is moved into another one with all that is in it, however often the move is killed."""

from __future__ import annotations

import asyncio
import os
import re
import resource
import signal
import sqlite3
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.__main__ import main
from bot.storage import (
    Challenge,
    DailyChannel,
    LiveTable,
    Settings,
    Store,
    StoreError,
    is_postgres,
    open_store,
    shown,
    sqlite_path,
)
from bot.storage import transfer as moving
from bot.storage.schema import MARK, NUMBERED, TABLES, UNFINISHED
from bot.storage.transfer import CHECKING, COPYING, move
from tests.postgres import schema
from tests.storage.conftest import STORES, finish_daily, mark_of, new_daily, new_game
from tests.storage.versions import VERSIONS, write_version

Make = Callable[[str], Awaitable[str]]
Content = dict[str, list[dict[str, Any]]]

REPOSITORY = Path(__file__).resolve().parents[2]
DAY, TODAY = "2026-11-29", "2026-11-30"
BIG_ID = 2**63 - 1
KILLS = 20
DIRECTIONS = [(source, target) for source in STORES for target in STORES]
EVERY_DIRECTION = pytest.mark.parametrize(
    ("source_kind", "target_kind"), DIRECTIONS, ids=[f"{here}-{there}" for here, there in DIRECTIONS]
)
UP_AND_DOWN = pytest.mark.parametrize(
    ("source_kind", "target_kind"), [("sqlite", "postgres"), ("postgres", "sqlite")]
)
EITHER_KIND = pytest.mark.parametrize("kind", STORES)


@pytest_asyncio.fixture
async def make(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Make]:
    """Gives the address of a place of that kind in which nothing is yet, each time another one."""
    async with AsyncExitStack() as stack:
        numbers = iter(range(1_000))

        async def new(kind: str) -> str:
            if kind == "sqlite":
                return f"sqlite:///{tmp_path / f'{next(numbers)}.sqlite3'}"
            return await stack.enter_async_context(schema(request.getfixturevalue("postgres_url")))

        yield new


@pytest.fixture(autouse=True)
def _small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moving, "CHUNK", 3)


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Store]:
    store = open_store(url)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


async def fill(store: Store) -> None:
    """Put something into every table, with what is hard to carry: long ids, empty texts, any letters."""
    games = [
        await store.create_game(new_game(owner, request_id=BIG_ID - number))
        for number, owner in enumerate((1, 1, 2, 3, 3, 4, 5, 6))
    ]
    games.append(await store.create_game(new_game(BIG_ID, seed="blåbærsyltetøy")))
    for game in games[::2]:
        await store.save_if_revision(replace(game, record=f"{game.record} s-t", undone="1-d 2-d"))
    await store.save_settings(1, Settings(language="no", is_hidden=True, tells_lost=True))
    await store.save_settings(BIG_ID, Settings())
    remains = '{"headline": "**Æsopp** 🂡 \\u00d8 \'\\"\\\\", "line": "a\nb\tc"}'
    await store.place_table(games[0].id, LiveTable(BIG_ID, 0, remains))
    await store.place_table(games[-1].id, LiveTable(1, BIG_ID, ""))
    await store.set_value("", "")
    await store.set_value("🂡 Ærlig talt", "é is not é")
    for owner in (*range(10, 17), BIG_ID):
        await finish_daily(store, owner, DAY, owner % 48)
        await store.enter_server(owner % 2, owner)
    await store.create_game(new_daily(20, TODAY))
    await store.forget(10, DAY, mark_of(10))
    await store.set_daily_channel(DailyChannel(BIG_ID, 1, "no", 11, DAY, 5, is_done=False, trouble=""))
    await store.set_daily_channel(DailyChannel(7, 1, "", 0, "", 0, is_done=True, trouble="«ikke lov»"))
    for creator in (1, 2, 3, BIG_ID):
        made = await store.create_challenge(
            Challenge(0, "klondike/d1/777", creator, 1, 2, "en", True, 1_000, ())
        )
        await store.join_challenge(replace(new_game(1), challenge_id=made.id), 8)
        await store.join_challenge(replace(new_game(BIG_ID), challenge_id=made.id), 8)
    for number in range(5):
        await store.add_winnable(("klondike", "d3"), number, "s-w")
        await store.add_winnable(("acesup", "standard"), BIG_ID - number, "")


async def play_on(store: Store) -> None:
    """Change, add and delete things here and there, as an evening with the bot does."""
    for game in (*await store.unfinished_games(1, 9), *await store.unfinished_games(5, 9)):
        await store.save_if_revision(replace(game, record=f"{game.record} s-t", undone=""))
    await store.create_game(new_game(1))
    await store.create_game(new_game(99))
    await finish_daily(store, 99, DAY, 1)
    await store.forget(2, DAY, mark_of(2))
    await store.forget(12, DAY, mark_of(12))
    await store.forget(BIG_ID, DAY, mark_of(BIG_ID))
    await store.purge(TODAY)  # the result that nobody's name stands at goes, and so do the marks
    await store.forget(13, DAY, mark_of(13))
    await store.drop_daily_channel(7)
    await store.set_value("", "no longer empty")


_filled: list[bytes] = []  # the file, once it has been made: a hundred commits wait for the disk


async def filled(url: str) -> str:
    """Make a store with something in every table."""
    if _filled and not is_postgres(url):
        sqlite_path(url).write_bytes(_filled[0])
        return url
    async with opened(url) as store:
        await fill(store)
    content = await read(url)
    assert [table.name for table in TABLES if not content[table.name]] == []
    if not is_postgres(url):
        _filled.append(sqlite_path(url).read_bytes())
    return url


async def read(url: str) -> Content:
    """All that a store keeps, read with nothing of the program's own; each table in one order."""
    if is_postgres(url):
        content = await _read_postgres(url)
    else:
        content = _read_sqlite(sqlite_path(url))
    return {
        name: sorted(rows, key=lambda row: sorted(map(repr, row.items()))) for name, rows in content.items()
    }


async def _read_postgres(url: str) -> Content:
    import asyncpg  # noqa: PLC0415 - it may be missing where these tests are skipped

    db = await asyncpg.connect(url)
    try:
        names = await db.fetch("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
        content = {name: [dict(row) for row in await db.fetch(f"SELECT * FROM {name}")] for (name,) in names}
        if content:
            content["counters"] = [
                {"name": name, "value": await db.fetchval(f"SELECT last_value FROM {sequence}")}
                for name, sequence in NUMBERED.items()
            ]
            content.pop("migrations")
        return content
    finally:
        await db.close()


def _read_sqlite(path: Path) -> Content:
    if not path.exists():
        return {}
    with closing(sqlite3.connect(path)) as db:
        db.row_factory = sqlite3.Row
        names = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        content = {name: [dict(row) for row in db.execute(f"SELECT * FROM {name}")] for name in names}
        content.pop("migrations", None)
        return content


def is_marked(content: Content) -> bool:
    return any(row["key"] == MARK for row in content.get("memory", ()))


def numbers(content: Content) -> dict[str, int]:
    return {row["name"]: row["value"] for row in content["counters"]}


async def change(url: str, *statements: str) -> None:
    """Change a store behind the program's back."""
    if is_postgres(url):
        import asyncpg  # noqa: PLC0415 - as above

        db = await asyncpg.connect(url)
        try:
            for statement in statements:
                await db.execute(statement)
        finally:
            await db.close()
        return
    with closing(sqlite3.connect(sqlite_path(url), isolation_level=None)) as lite:
        for statement in statements:
            lite.execute(statement)


def run(*arguments: str) -> int:
    """Type the command; it has a loop of its own."""
    return main(["migrate-store", *arguments])


# What is copied


@EITHER_KIND
async def test_every_table_and_column_that_a_store_has_is_copied(make: Make, kind: str) -> None:
    """Whoever adds a table or a column adds it to `bot.storage.schema` too."""
    url = await filled(await make(kind))
    content = await read(url)
    assert set(content) == {*(table.name for table in TABLES), "counters"} | ({"migrations"} & set(content))
    for table in TABLES:
        for row in content[table.name]:
            assert set(row) == set(table.columns)
            assert tuple(type(row[column]) for column in table.columns) == table.types


@EITHER_KIND
async def test_keys_and_references_are_those_of_the_schema(make: Make, kind: str) -> None:
    url = await make(kind)
    async with opened(url):
        pass
    if is_postgres(url):
        keys, references = await _postgres_keys(url)
    else:
        keys, references = _sqlite_keys(sqlite_path(url))
    assert {table.name: table.key for table in TABLES} == keys
    declared = {(name, column, table.name) for table in TABLES for name, column in table.referring}
    assert declared == references
    places = {table.name: place for place, table in enumerate(TABLES)}
    assert all(places[parent] < places[child] for child, _, parent in references)


def _sqlite_keys(path: Path) -> tuple[dict[str, tuple[str, ...]], set[tuple[str, str, str]]]:
    keys, references = {}, set()
    with closing(sqlite3.connect(path)) as db:
        for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            columns = [(row[5], row[1]) for row in db.execute(f"PRAGMA table_info({name})") if row[5]]
            keys[name] = tuple(column for _, column in sorted(columns))
            references |= {(name, row[3], row[2]) for row in db.execute(f"PRAGMA foreign_key_list({name})")}
    return {name: key for name, key in keys.items() if name not in ("migrations", "counters")}, references


async def _postgres_keys(url: str) -> tuple[dict[str, tuple[str, ...]], set[tuple[str, str, str]]]:
    import asyncpg  # noqa: PLC0415 - as above

    db = await asyncpg.connect(url)
    found = await db.fetch(
        "SELECT conrelid::regclass::text AS name, contype::text, confrelid::regclass::text AS parent,"
        " ARRAY(SELECT attname::text FROM unnest(conkey) WITH ORDINALITY AS part (number, place)"
        " JOIN pg_attribute ON attrelid = conrelid AND attnum = number ORDER BY place) AS columns"
        " FROM pg_constraint WHERE connamespace = current_schema()::regnamespace AND contype IN ('p', 'f')"
    )
    await db.close()
    keys = {row["name"]: tuple(row["columns"]) for row in found if row["contype"] == "p"}
    references = {(row["name"], row["columns"][0], row["parent"]) for row in found if row["contype"] == "f"}
    del keys["migrations"]
    return keys, references


@EVERY_DIRECTION
async def test_all_arrives_and_the_source_stays_as_it_is(
    make: Make, source_kind: str, target_kind: str
) -> None:
    source, target = await filled(await make(source_kind)), await make(target_kind)
    before = await read(source)
    file = b"" if is_postgres(source) else sqlite_path(source).read_bytes()
    moved = await move(source, target)
    assert moved.is_finished
    assert await read(target) == before == await read(source)
    assert is_postgres(source) or sqlite_path(source).read_bytes() == file
    assert moved.changed == sum(len(before[table.name]) for table in TABLES)


async def test_there_and_back_again_it_is_the_same(make: Make, tmp_path: Path) -> None:
    there, back, source = await make("postgres"), await make("sqlite"), tmp_path / "old.sqlite3"
    write_version(source, VERSIONS[-1])
    async with opened(f"sqlite:///{source}"):
        pass
    assert (await move(f"sqlite:///{source}", there)).is_finished
    assert (await move(there, back)).is_finished
    assert await read(back) == await read(f"sqlite:///{source}")
    with closing(sqlite3.connect(sqlite_path(back))) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []


async def test_nobody_else_can_read_a_new_file(make: Make) -> None:
    target = await make("sqlite")
    await move(await filled(await make("sqlite")), target)
    assert sqlite_path(target).stat().st_mode & 0o777 == 0o600


@EVERY_DIRECTION
async def test_afterwards_the_bot_plays_on_and_no_id_is_given_out_twice(
    make: Make, source_kind: str, target_kind: str
) -> None:
    source, target = await make(source_kind), await make(target_kind)
    async with opened(source) as store:
        await fill(store)
        last = await store.create_game(new_game(50))
        challenge = await store.create_challenge(
            Challenge(0, "klondike/d1/777", 50, 1, 2, "en", True, 1_000, ())
        )
        await store.forget(50, TODAY, mark_of(50))  # so that no game has the last number any more
    assert (await move(source, target)).is_finished
    async with opened(target) as store:
        assert (await store.create_game(new_game(51))).id == last.id + 1
        new = await store.create_challenge(Challenge(0, "klondike/d1/1", 51, 1, 2, "en", True, 1_000, ()))
        assert new.id == challenge.id + 1
        current = await store.current_game(3)
        assert current is not None
        played = await store.save_if_revision(replace(current, record=f"{current.record} s-t"))
        assert played.revision == current.revision + 1
        assert await store.get_value("🂡 Ærlig talt") == "é is not é"


async def test_an_empty_store_can_be_moved_and_its_first_game_is_number_one(make: Make) -> None:
    source, target = await make("sqlite"), await make("postgres")
    async with opened(source):
        pass
    assert (await move(source, target)).is_finished
    async with opened(target) as store:
        assert (await store.create_game(new_game(1))).id == 1


# Done once more


@EVERY_DIRECTION
async def test_it_is_begun_while_the_bot_plays_and_ended_once_it_is_stopped(
    make: Make, source_kind: str, target_kind: str
) -> None:
    source, target = await make(source_kind), await make(target_kind)
    async with opened(source) as store:
        await fill(store)
        first = await move(source, target)
        assert (first.is_same, first.is_used, first.is_finished) == (True, True, False)
        with pytest.raises(StoreError, match="migrate-store again"):
            await open_store(target).open()
        await play_on(store)
    second = await move(source, target)
    assert second.is_finished
    assert 0 < second.changed < first.changed
    assert await read(target) == await read(source)


@EVERY_DIRECTION
@pytest.mark.parametrize("step", ["_compare", "_copy"])
async def test_it_is_not_finished_while_a_bot_has_come_or_was_there_until_it_was_compared(
    make: Make, source_kind: str, target_kind: str, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = await filled(await make(source_kind)), await make(target_kind)
    async with AsyncExitStack() as bot:

        async def come() -> None:
            await bot.enter_async_context(opened(source))

        monkeypatch.setattr(moving, step, first_doing(come, getattr(moving, step)))
        if step == "_copy":
            monkeypatch.setattr(moving, "_compare", first_doing(bot.aclose, moving._compare))
        moved = await move(source, target)
        assert (moved.is_same, moved.is_used, moved.is_finished) == (True, True, False)


async def test_a_bot_in_another_schema_of_the_same_database_is_no_bot_on_the_source(make: Make) -> None:
    source, target, other = await filled(await make("postgres")), await make("sqlite"), await make("postgres")
    async with opened(other):
        assert (await move(source, target)).is_finished


@UP_AND_DOWN
async def test_what_is_written_while_it_is_copied_is_found(
    make: Make, source_kind: str, target_kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot has gone by the time that anybody looks for it."""
    source, target = await filled(await make(source_kind)), await make(target_kind)

    async def evening() -> None:
        async with opened(source) as store:
            await play_on(store)

    with monkeypatch.context() as patch:
        patch.setattr(moving, "_copy", first_doing(evening, moving._copy))
        first = await move(source, target)
    assert not first.is_finished
    assert {"games", "players"} <= {table.table for table in first.tables if not table.is_same}
    assert (await move(source, target)).is_finished
    assert await read(target) == await read(source)


def first_doing(
    something: Callable[[], Awaitable[None]], step: Callable[..., Awaitable[Any]]
) -> Callable[..., Awaitable[Any]]:
    """Return a step of the move before which something else is done."""

    async def both(*arguments: Any) -> Any:
        await something()
        return await step(*arguments)

    return both


@EVERY_DIRECTION
async def test_a_copy_for_a_backup_has_all_as_it_was_when_it_began_while_the_bot_plays_on(
    make: Make, source_kind: str, target_kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = await filled(await make(source_kind)), await make(target_kind)
    before = await read(source)
    async with opened(source) as store:
        monkeypatch.setattr(moving, "_copy", first_doing(lambda: play_on(store), moving._copy))
        assert (await move(source, target, is_copy=True)).is_finished
        copied = await read(target)
        assert {**copied, "counters": []} == {**before, "counters": []}
        assert await read(source) != before
    async with opened(target) as other:
        assert (await other.create_game(new_game(1))).id > numbers(before)["games"]


@UP_AND_DOWN
async def test_another_store_takes_the_place_of_a_half_moved_one(
    make: Make, source_kind: str, target_kind: str
) -> None:
    """Their ids mean other games, and daily games of the same users and days have other ids."""
    one, other, target = await make(source_kind), await make(source_kind), await make(target_kind)
    async with opened(one) as store:
        await fill(store)
        assert not (await move(one, target)).is_finished
    async with opened(other) as store:
        for owner in (*range(16, 9, -1), BIG_ID, 1, 2, 3):
            await finish_daily(store, owner, DAY, 5)
        await store.create_game(new_daily(20, TODAY))
    assert (await move(other, target)).is_finished
    there = await read(target)
    for name, value in numbers(there).items():
        assert value >= max(numbers(await read(one))[name], numbers(await read(other))[name])
    assert {**there, "counters": []} == {**await read(other), "counters": []}


@pytest.mark.slow
@UP_AND_DOWN
async def test_killed_at_any_statement_it_is_ended_by_the_next_run(
    make: Make, source_kind: str, target_kind: str
) -> None:
    source, whole = await filled(await make(source_kind)), await make(target_kind)
    targets = [await make(target_kind) for _ in range(KILLS)]
    mover = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.storage.mover", source, whole, *targets, cwd=REPOSITORY, stdout=PIPE
    )
    told, _ = await asyncio.wait_for(mover.communicate(), 120)
    assert mover.returncode == 0
    assert int(told) > 2 * KILLS
    content = await read(source)
    assert await read(whole) == content
    rows = set()
    for target in targets:
        left = await read(target)
        rows.add(sum(len(left.get(table.name, ())) for table in TABLES))
        if left.get("games"):
            assert is_marked(left)
            with pytest.raises(StoreError, match="migrate-store again"):
                await open_store(target).open()
        assert (await move(source, target)).is_finished
        assert await read(target) == content
    assert len(rows) > KILLS / 3  # they were killed in the middle of it


# The check at the end


@UP_AND_DOWN
async def test_what_is_wrong_in_the_target_is_found(
    make: Make, source_kind: str, target_kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = await filled(await make(source_kind)), await make(target_kind)
    counter = "UPDATE counters SET value = 1 WHERE name = 'games'"
    if is_postgres(target):
        counter = "SELECT setval('game_numbers', 1)"
    wrong = {
        "UPDATE games SET record = record || ' s-t' WHERE id = 2": "games",
        "UPDATE live_tables SET message_id = message_id - 1 WHERE game_id = 9": "live_tables",
        "DELETE FROM winnable_deals WHERE number = 3": "winnable_deals",
        "INSERT INTO server_players VALUES (5, 5)": "server_players",
        "UPDATE memory SET value = '' WHERE key LIKE '%talt'": "memory",
        counter: "game numbers",
    }
    with monkeypatch.context() as patch:
        patch.setattr(moving, "_compare", first_doing(lambda: change(target, *wrong), moving._compare))
        moved = await move(source, target)
    assert {table.table for table in moved.tables if not table.is_same} == set(wrong.values())
    assert not moved.is_finished
    assert is_marked(await read(target))
    mended = await move(source, target)
    assert (mended.is_finished, mended.changed) == (True, len(wrong) - 1)
    assert await read(target) == await read(source)


@UP_AND_DOWN
async def test_it_tells_how_far_it_is(make: Make, source_kind: str, target_kind: str) -> None:
    told: list[tuple[str, str, int, int]] = []
    source = await filled(await make(source_kind))
    await move(source, await make(target_kind), lambda *news: told.append(news))
    content = await read(source)
    rows = sum(len(content[table.name]) for table in TABLES)
    for stage, total in ((COPYING, rows), (CHECKING, 2 * rows)):
        done = [done for said, _, done, _ in told if said == stage]
        assert done == sorted(done)
        assert done[-1] == total
        assert len(set(done)) > rows / 4
        assert {all_of_it for said, _, _, all_of_it in told if said == stage} == {total}


# What is refused


@EITHER_KIND
async def test_a_target_with_games_is_refused_and_stays_as_it_is(make: Make, kind: str) -> None:
    source, target = await filled(await make("sqlite")), await make(kind)
    async with opened(target) as store:
        await store.create_game(new_game(7))
    before = await read(target)
    with pytest.raises(StoreError, match="something in it already; nothing was changed"):
        await move(source, target)
    assert await read(target) == before


@EITHER_KIND
async def test_so_is_one_that_a_move_has_filled(make: Make, kind: str) -> None:
    """Else a command typed once more would undo what has been played there since."""
    source, target = await filled(await make("sqlite")), await make(kind)
    await move(source, target)
    async with opened(target) as store:
        await store.create_game(new_game(7))
    before = await read(target)
    with pytest.raises(StoreError, match="something in it already; nothing was changed"):
        await move(source, target)
    assert await read(target) == before


@EITHER_KIND
async def test_so_are_an_old_one_with_games_and_one_of_another_program(
    make: Make, kind: str, tmp_path: Path
) -> None:
    source, target = await filled(await make("sqlite")), await make(kind)
    create = "CREATE TABLE customers (id BIGINT NOT NULL PRIMARY KEY)"
    await change(target, create)
    with pytest.raises(StoreError, match="another program's"):
        await move(source, target)
    with pytest.raises(Exception, match="exists"):  # it is there still
        await change(target, create)
    old = tmp_path / "old.sqlite3"
    write_version(old, 1)
    content = old.read_bytes()
    with pytest.raises(StoreError, match="something in it already; nothing was changed"):
        await move(source, f"sqlite:///{old}")
    assert old.read_bytes() == content


@EITHER_KIND
async def test_so_is_one_that_a_bot_uses(make: Make, kind: str) -> None:
    source, target = await filled(await make("sqlite")), await make(kind)
    async with opened(target):
        with pytest.raises(StoreError, match="Stop the bot first"):
            await move(source, target)
    assert not (await read(target))["memory"]


@EITHER_KIND
async def test_so_are_the_source_itself_and_a_source_that_is_not_whole(make: Make, kind: str) -> None:
    source, half, other = await filled(await make(kind)), await make(kind), await make(kind)
    with pytest.raises(StoreError, match="the same database; nothing was changed"):
        await move(source, source)
    async with opened(source):
        await move(source, half)
    with pytest.raises(StoreError, match=re.escape(UNFINISHED)):
        await move(half, other)
    assert await read(other) == {}


@EITHER_KIND
async def test_a_source_of_another_version_is_refused_and_stays_as_it_is(make: Make, kind: str) -> None:
    source, target = await filled(await make(kind)), await make("sqlite")
    for statement, cure in (
        ("INSERT INTO migrations VALUES (9999)", "Update the program"),
        ("DELETE FROM migrations WHERE number > 0", "Start the bot on it once"),
    ):
        await change(source, statement)
        before = await read(source)
        with pytest.raises(StoreError, match=f"nothing was changed.*{cure}"):
            await move(source, target)
        assert await read(source) == before
        assert not sqlite_path(target).exists()


async def test_of_two_moves_into_one_file_the_second_is_refused(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = await filled(await make("postgres")), await make("sqlite")

    async def second() -> None:
        with pytest.raises(StoreError, match="uses this database"):
            await move(source, target)

    monkeypatch.setattr(moving, "_copy", first_doing(second, moving._copy))
    assert (await move(source, target)).is_finished


async def test_of_two_moves_into_one_database_the_first_ends(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = await filled(await make("postgres")), await make("postgres")
    copy = moving._copy

    async def second() -> None:
        monkeypatch.setattr(moving, "_copy", copy)
        assert (await move(source, target)).is_finished

    monkeypatch.setattr(moving, "_copy", first_doing(second, copy))
    with pytest.raises(StoreError, match="Another migrate-store"):
        await move(source, target)
    assert await read(target) == await read(source)


# What can go wrong on the way


async def test_a_text_that_the_target_cannot_keep_is_named(make: Make) -> None:
    source, target = await filled(await make("sqlite")), await make("postgres")
    await change(source, "UPDATE live_tables SET remains = 'a' || char(0) WHERE game_id = 1")
    with pytest.raises(StoreError, match="live_tables, game_id 1: remains has a NUL character"):
        await move(source, target)
    assert is_marked(await read(target))
    await change(source, "UPDATE live_tables SET remains = 'a' WHERE game_id = 1")
    assert (await move(source, target)).is_finished


@pytest.mark.parametrize(
    ("value", "said"), [("CAST(x'ff' AS TEXT)", "Could not decode"), ("x'00'", "remains is bytes, not str")]
)
async def test_so_is_what_is_no_text_at_all(make: Make, value: str, said: str) -> None:
    source = await filled(await make("sqlite"))
    await change(source, f"UPDATE live_tables SET remains = {value} WHERE game_id = 1")
    with pytest.raises(StoreError, match=said) as caught:
        await move(source, await make("sqlite"))
    assert "\n" not in str(caught.value)


async def test_a_reference_to_nothing_is_told(make: Make) -> None:
    source = await filled(await make("sqlite"))
    await change(source, "DELETE FROM games WHERE id = (SELECT current_game FROM players WHERE user_id = 3)")
    with pytest.raises(StoreError, match=r"players.*foreign key"):
        await move(source, await make("postgres"))


async def test_a_connection_that_is_cut_is_told_and_the_next_run_goes_on(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = await filled(await make("postgres")), await make("postgres")
    cut = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE application_name = 'solitaire-migrate-store'"
    )
    with monkeypatch.context() as patch:
        patch.setattr(moving, "_compare", first_doing(lambda: change(target, cut), moving._compare))
        with pytest.raises(StoreError, match="run the same command again"):
            await move(source, target)
    assert (await move(source, target)).is_finished
    assert await read(target) == await read(source)


async def test_a_full_disk_is_told_and_the_next_run_goes_on(make: Make) -> None:
    """Files of the process that moves may not grow beyond a size, which SQLite takes for a full disk."""
    source, target = await filled(await make("sqlite")), await make("sqlite")
    async with opened(source) as store:
        for number in range(200):
            game = await store.create_game(new_game(number))
            await store.save_if_revision(replace(game, record=f"{game.record}{' s-t' * 2_000}"))
    mover = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "bot", "migrate-store", source, target),
        cwd=REPOSITORY,
        stderr=PIPE,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (800_000, 800_000)),
    )
    _, said = await asyncio.wait_for(mover.communicate(), 60)
    assert mover.returncode == 1
    *_, last = said.decode().splitlines()
    assert "run the same command again" in last
    assert "Traceback" not in said.decode()
    assert (await move(source, target)).is_finished
    assert await read(target) == await read(source)


async def test_ctrl_c_in_the_middle_ends_it_and_the_next_run_goes_on(make: Make) -> None:
    source, target = await make("sqlite"), await make("postgres")
    async with opened(source) as store:
        await fill(store)
    with closing(sqlite3.connect(sqlite_path(source))) as db, db:
        db.execute(
            "WITH RECURSIVE many (n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM many WHERE n < 100000)"
            " INSERT INTO games SELECT n, n, 'klondike/d1/' || n, '', 0, 'playing', 0, 0, 0, 0, '', 0, 0, ''"
            " FROM many"
        )
    mover = await asyncio.create_subprocess_exec(
        sys.executable, *("-m", "bot", "migrate-store", source, target), cwd=REPOSITORY, stderr=PIPE
    )
    assert mover.stderr is not None
    async with asyncio.timeout(60):
        assert (await mover.stderr.readline()).startswith(b"copying")
        mover.send_signal(signal.SIGINT)
        said = (await mover.stderr.read()).decode()
        assert await mover.wait() == 1
    assert said.splitlines() == [
        "Stopped. What has been copied is kept: run the same command again to continue from there."
    ]
    left = await read(target)
    assert is_marked(left)
    assert len(left["games"]) < 100_000


# As it is typed


def test_it_says_what_it_did_and_what_to_do_next(
    database_urls: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = database_urls
    asyncio.run(filled(source))
    capsys.readouterr()
    assert run(source, target) == 0
    said = capsys.readouterr()
    assert re.search(r"^games +(\d+) +\1  (\w{12})  \2  same$", said.out, re.MULTILINE)
    assert f"Set DATABASE_URL to the address of {shown(target)}, then start the bot." in said.out
    assert re.search(r"^copying .* of [\d,]+ rows", said.err)
    assert run(source, target) == 1
    assert "something in it already" in capsys.readouterr().err


def test_a_copy_is_made_while_a_bot_plays(
    database_urls: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = database_urls
    asyncio.run(filled(source))

    async def play() -> int:
        async with opened(source):
            return await asyncio.to_thread(run, "--copy", source, target)

    assert asyncio.run(play()) == 0
    assert "had when this began" in capsys.readouterr().out


def test_while_a_bot_plays_it_says_that_it_is_not_finished(
    database_urls: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    source, target = database_urls
    asyncio.run(filled(source))

    async def play() -> int:
        async with opened(source):
            return await asyncio.to_thread(run, source, target)

    assert asyncio.run(play()) == 1
    assert "Stop every bot, then run the same command again" in capsys.readouterr().err
    assert run(source, target) == 0


@pytest.fixture
def database_urls(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, str]:
    monkeypatch.chdir(tmp_path)
    return f"sqlite:///{tmp_path / 'here.sqlite3'}", f"sqlite:///{tmp_path / 'there.sqlite3'}"


def test_on_a_terminal_it_shows_a_bar(
    database_urls: tuple[str, str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("rich", reason="a progress bar (rich is not installed)")
    monkeypatch.setenv("FORCE_COLOR", "1")  # by which rich takes anything for a terminal
    monkeypatch.setenv("COLUMNS", "120")
    source, target = database_urls
    asyncio.run(filled(source))
    capsys.readouterr()
    assert run(source, target) == 0
    said = capsys.readouterr().err
    for part in ("checking winnable_deals", "━━━━", "rows/s"):
        assert part in said


SECRET = "S3kr3t"


@pytest.mark.parametrize(
    ("address", "said"),
    [
        (f"postgresql://user:{SECRET}@127.0.0.1:1/games", "can't be reached"),
        (f"postgresql://user:{SECRET}/x@127.0.0.1/games", "%40"),
        (f"postgresql://user:{SECRET}#x@127.0.0.1/games", "%40"),
        (f"postgresql://user:x?{SECRET}@127.0.0.1:1/games", ""),
        (f"postgresql://127.0.0.1:1/games?user=u&password={SECRET}", "can't be reached"),
        (f"postgresql://user:{SECRET}", "can't be reached"),
        (f"mysql://user:{SECRET}@127.0.0.1/games", "no address of a store"),
        ("games.sqlite3", "no address of a store"),
        ("sqlite:///missing.sqlite3", "no database"),
        ("sqlite:////proc/nowhere/games.sqlite3", "no database"),
    ],
)
def test_an_address_that_leads_nowhere_is_told_without_its_password(
    address: str,
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    asyncio.run(filled("sqlite:///good.sqlite3"))
    capsys.readouterr()
    for arguments in ((address, "sqlite:///new.sqlite3"), ("sqlite:///good.sqlite3", address)):
        if arguments[1].startswith("sqlite:///missing"):
            continue
        assert run(*arguments) == 1
        out, err = capsys.readouterr()
        assert SECRET not in out + err
        assert len(err.splitlines()) == 1
        if arguments[0] == address:
            assert said in err
    assert not Path("new.sqlite3").exists()


@pytest.mark.parametrize("place", ["proc/self", "file"])
async def test_a_folder_that_cannot_be_written_is_told(make: Make, tmp_path: Path, place: str) -> None:
    source = await filled(await make("sqlite"))
    (tmp_path / "file").touch()
    folder = Path("/proc/self") if place == "proc/self" else tmp_path / "file"
    with pytest.raises(StoreError) as caught:
        await move(source, f"sqlite:///{folder / 'games.sqlite3'}")
    assert "\n" not in str(caught.value)


async def test_a_user_without_the_right_to_write_is_told(make: Make) -> None:
    source, target = await filled(await make("sqlite")), await make("postgres")
    name = f"reader_{os.getpid()}"
    await change(
        target,
        f"CREATE ROLE {name} LOGIN PASSWORD '{name}'",
        f"GRANT USAGE ON SCHEMA {schema_of(target)} TO {name}",
    )
    try:
        with pytest.raises(StoreError, match=r"permission denied.*Give that user the right"):
            await move(source, re.sub("(?<=//)[^@]*(?=@)", f"{name}:{name}", target))
        assert await read(target) == {}
    finally:
        await change(target, f"DROP OWNED BY {name}", f"DROP ROLE {name}")


def schema_of(url: str) -> str:
    return url.rpartition("search_path=")[2]


@EITHER_KIND
async def test_verify_does_not_look_at_a_half_moved_store(
    make: Make, kind: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = await filled(await make("sqlite")), await make(kind)
    async with opened(source):
        await move(source, target)
    monkeypatch.setenv("DATABASE_URL", target)
    assert await asyncio.to_thread(main, ["verify"]) == 1
    assert "migrate-store again" in capsys.readouterr().err
