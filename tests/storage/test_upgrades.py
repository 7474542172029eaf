"""A database of every earlier version is brought up to date with all that is in it, or left as it is."""
# ruff: noqa: ASYNC240 - the files are small, and nothing else waits for the loop

from __future__ import annotations

import asyncio
import re
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import asdict, fields
from pathlib import Path

import pytest

from bot.service import Request, Services
from bot.storage import BoardQuery, LiveTable, Settings, SqliteStore, StoreError
from bot.storage.sqlite.file import migrations
from tests.storage.versions import VERSIONS, rows, write_version

REPOSITORY = Path(__file__).resolve().parents[2]
NEWEST = max(migrations())
EVERY_VERSION = pytest.mark.parametrize("version", VERSIONS)
NOW_MS = 1_800_000_000_000
KILLS = 30


@asynccontextmanager
async def opened(path: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(path)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def test_there_is_a_database_of_every_version() -> None:
    """Whoever adds a migration adds a text of what it left: see `tests.storage.versions`."""
    assert list(migrations()) == VERSIONS


def test_in_each_something_is_in_every_table(tmp_path: Path) -> None:
    for version in VERSIONS:
        path = tmp_path / f"{version}.sqlite3"
        write_version(path, version)
        assert [row["number"] for row in rows(path, "migrations")] == list(range(1, version + 1))
        with closing(sqlite3.connect(path)) as connection:
            tables = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        assert [name for (name,) in tables if not rows(path, name)] == []


@EVERY_VERSION
async def test_every_game_is_as_it_was(tmp_path: Path, version: int) -> None:
    path = tmp_path / "games.sqlite3"
    write_version(path, version)
    before, players = rows(path, "games"), rows(path, "players")
    names = {"last_request": "request_id"}
    async with opened(path) as store:
        for row in before:
            game = await store.load_game(int(str(row["id"])))
            assert game is not None
            kept = asdict(game)
            for column, value in row.items():
                assert kept[names.get(column, column)] == value, (row["id"], column)
        for row in players:
            current = await store.current_game(int(str(row["user_id"])))
            assert current is not None
            assert current.id == row["current_game"]
    assert len(rows(path, "games")) == len(before) > 0


@EVERY_VERSION
async def test_settings_tables_and_memory_are_as_they_were(tmp_path: Path, version: int) -> None:
    path = tmp_path / "games.sqlite3"
    write_version(path, version)
    settings, tables, memory = (rows(path, name) for name in ("settings", "live_tables", "memory"))
    async with opened(path) as store:
        for row in settings:
            kept = await store.load_settings(int(str(row.pop("user_id"))))
            assert kept == Settings(**row)  # type: ignore[arg-type]
        for row in tables:
            live = await store.live_table(int(str(row.pop("game_id"))))
            content = str(row.pop("remains"))
            assert live == LiveTable(**row, content_json=content)  # type: ignore[arg-type]
        for row in memory:
            assert await store.get_value(str(row["key"])) == row["value"]
    assert (bool(settings), bool(tables), bool(memory)) == (version >= 2, version >= 2, True)
    assert len(fields(Settings)) == 7


@pytest.mark.parametrize("version", [version for version in VERSIONS if version >= 3])
async def test_boards_challenges_and_channels_are_as_they_were(tmp_path: Path, version: int) -> None:
    path = tmp_path / "games.sqlite3"
    write_version(path, version)
    async with opened(path) as store:
        board = await store.board(BoardQuery("2023-11-14", "2023-11-14", user_id=71))
        assert [standing.user_id for standing in board.top] == [71]
        assert [result.score for result in await store.results_of(73)] == [1]
        challenge = await store.load_challenge(4)
        assert challenge is not None
        assert (challenge.deal, challenge.message_id, challenge.is_open) == ("klondike/d1/777", 920, False)
        assert [(entrant.user_id, entrant.game_id) for entrant in challenge.participants] == [
            (71, 11),
            (72, 12),
        ]
        channel = await store.daily_channel(900)
        assert channel is not None
        assert (channel.channel_id, channel.language, channel.day) == (910, "no", "2023-11-14")
        assert list(await store.servers_of(71)) == [900, 901]
        if version >= 4:
            assert await store.winnable_line(("klondike", "d3"), 4711) == "s-w"


@EVERY_VERSION
async def test_the_current_game_is_played_on(tmp_path: Path, version: int) -> None:
    path = tmp_path / "games.sqlite3"
    write_version(path, version)
    async with opened(path) as store:
        play = Services.over(store, lambda: NOW_MS).games
        shown = await play.show(Request(71, 1_001))
        assert (shown.game.id, shown.game.revision) == (2, 11)
        again = await play.redo(Request(71, 1_002))
        assert again.game.record == f"{shown.game.record} s-t"
        back = await play.undo(Request(71, 1_003))
        assert (back.game.record, back.game.revision) == (shown.game.record, 13)
        new = await play.new(Request(71, 1_004), game="klondike")
        assert new.game.id > max(int(str(row["id"])) for row in rows(path, "games")[:-1])
        assert new.set_aside is not None
        assert new.set_aside.id == 2


@EVERY_VERSION
async def test_afterwards_it_is_like_a_new_one(tmp_path: Path, version: int) -> None:
    path, new = tmp_path / "games.sqlite3", tmp_path / "new.sqlite3"
    write_version(path, version)
    async with opened(path), opened(new):
        pass
    check_whole(path)
    assert rows(path, "migrations") == rows(new, "migrations")
    with closing(sqlite3.connect(path)) as old, closing(sqlite3.connect(new)) as fresh:
        schema = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
        assert old.execute(schema).fetchall() == fresh.execute(schema).fetchall()


def check_whole(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


async def test_a_newer_one_is_refused_and_stays_as_it_is_with_its_log(tmp_path: Path) -> None:
    """The newer program was killed, so part of what it wrote is in the log beside the file only."""
    path = tmp_path / "games.sqlite3"
    write_version(path, NEWEST)
    newer = sqlite3.connect(path)
    newer.execute("INSERT INTO migrations VALUES (?)", (NEWEST + 1,))
    newer.commit()
    killed = tmp_path / "killed"
    killed.mkdir()
    for file in tmp_path.glob("games.sqlite3*"):
        (killed / file.name).write_bytes(file.read_bytes())
    newer.close()
    before = contents(killed)
    assert len(before) == 3
    with pytest.raises(StoreError, match=r"newer version.*nothing was changed.*Update the program"):
        await SqliteStore(killed / path.name).open()
    assert contents(killed) == before


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@pytest.mark.parametrize("version", [version for version in VERSIONS if version < NEWEST])
async def test_an_upgrade_that_is_killed_leaves_a_whole_version_and_can_be_done_again(
    tmp_path: Path, version: int
) -> None:
    path, folder = tmp_path / "games.sqlite3", tmp_path / "killed"
    folder.mkdir()
    write_version(path, version)
    before = {str(row["id"]): row["record"] for row in rows(path, "games")}
    command = ("-m", "tests.storage.upgrader", str(path), str(folder), str(KILLS))
    upgrader = await asyncio.create_subprocess_exec(sys.executable, *command, cwd=REPOSITORY)
    assert await asyncio.wait_for(upgrader.wait(), 120) == 0
    found = set()
    for killed in (folder / f"{number}.sqlite3" for number in range(KILLS)):
        check_whole(killed)
        numbers = [int(str(row["number"])) for row in rows(killed, "migrations")]
        assert numbers == list(range(1, len(numbers) + 1))
        found.add(len(numbers))
        assert {str(row["id"]): row["record"] for row in rows(killed, "games")} == before
        check_columns(killed, len(numbers))
        async with opened(killed) as store:
            assert await store.current_game(71) is not None
        assert len(rows(killed, "migrations")) == NEWEST
    assert found >= {version, NEWEST - 1}  # some were caught before the first step, some before the last


def check_columns(path: Path, version: int) -> None:
    """The tables are those of a database of that version, no more and no less."""
    other = path.with_name(f"version-{version}.sqlite3")
    if not other.exists():
        write_version(other, version)
    schema = "SELECT type, name, tbl_name FROM sqlite_master ORDER BY type, name"
    with closing(sqlite3.connect(path)) as one, closing(sqlite3.connect(other)) as two:
        assert one.execute(schema).fetchall() == two.execute(schema).fetchall()


def test_the_texts_say_what_they_are() -> None:
    for version in VERSIONS:
        text = (Path(__file__).parent / "data" / f"version_{version}.sql").read_text("utf-8")
        assert re.match(rf"-- A database as version {version} of the schema has it\.", text)
