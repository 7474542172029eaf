"""What holds for the SQLite file."""
# ruff: noqa: ASYNC240 - the files are small, and nothing else waits for the loop

from __future__ import annotations

import asyncio
import re
import sqlite3
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiosqlite
import pytest
import pytest_asyncio

from bot.storage import SqliteStore, Status, StoreError, open_store, sqlite_games
from bot.storage import sqlite_file as module
from tests.storage.conftest import new_game


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


@pytest_asyncio.fixture
async def store(path: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(path)
    await store.open()
    yield store
    await store.close()


def asked(path: Path, query: str) -> list[tuple[Any, ...]]:
    """What the file itself says, through a connection of its own."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def connection_of(store: SqliteStore) -> aiosqlite.Connection:
    assert store._connection is not None
    return store._connection


async def refusal(store: SqliteStore) -> str:
    """What `store` says when it refuses to open."""
    before = set(threading.enumerate())
    try:
        await store.open()
    except StoreError as error:
        # A connection that failed ends its thread in its own time, and not after the loop is closed.
        for thread in set(threading.enumerate()) - before:
            await asyncio.to_thread(thread.join)
        return str(error)
    await store.close()
    pytest.fail("it was opened")


async def pragma(store: SqliteStore, name: str) -> Any:
    rows = list(await connection_of(store).execute_fetchall(f"PRAGMA {name}"))
    return rows[0][0]


async def test_the_file_is_in_wal_mode(store: SqliteStore, path: Path) -> None:
    assert await pragma(store, "journal_mode") == "wal"
    assert asked(path, "PRAGMA journal_mode") == [("wal",)]


async def test_foreign_keys_are_enforced(store: SqliteStore) -> None:
    assert await pragma(store, "foreign_keys") == 1
    with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
        await connection_of(store).execute("INSERT INTO players (user_id, current_game) VALUES (1, 77)")


async def test_the_busy_time_out_is_five_seconds(store: SqliteStore) -> None:
    assert await pragma(store, "busy_timeout") == 5_000


async def test_a_commit_waits_for_the_disk(store: SqliteStore) -> None:
    assert await pragma(store, "synchronous") == 2  # FULL


async def test_another_process_that_writes_is_waited_for(store: SqliteStore, path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as backup:
        backup.execute("BEGIN IMMEDIATE")
        task = asyncio.create_task(store.create_game(new_game()))
        done, _ = await asyncio.wait({task}, timeout=0.1)
        assert not done
        backup.execute("COMMIT")
        game = await task
    assert await store.load_game(game.id) == game


async def test_the_file_is_sound_after_much_traffic(store: SqliteStore, path: Path) -> None:
    async def play(owner_id: int) -> None:
        game = await store.create_game(new_game(owner_id))
        for _ in range(10):
            game = await store.save_if_revision(replace(game, record=f"{game.record} s-t"))

    tasks = [asyncio.create_task(play(owner_id)) for owner_id in range(20)]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks[::3]:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await store.close()
    assert asked(path, "PRAGMA integrity_check") == [("ok",)]
    assert asked(path, "PRAGMA foreign_key_check") == []


async def test_closing_leaves_a_single_file_to_back_up(store: SqliteStore, path: Path) -> None:
    await store.create_game(new_game())
    await store.close()
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("statement", range(1, 6))
async def test_a_task_cancelled_at_any_statement_of_a_transaction_leaves_no_half(
    store: SqliteStore, statement: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`create_game` has five statements: BEGIN, the id, the game, the player, COMMIT."""
    before = await store.create_game(new_game(1))
    count = 0

    def cutting_off(method: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any) -> Any:
            nonlocal count
            count += 1
            task = asyncio.current_task()
            if count == statement and task is not None:
                task.cancel()
            return method(*arguments)

        return counted

    connection = connection_of(store)
    for name in ("execute", "execute_fetchall"):
        monkeypatch.setattr(connection, name, cutting_off(getattr(connection, name)))
    with pytest.raises(asyncio.CancelledError):
        await asyncio.create_task(store.create_game(new_game(1)))
    monkeypatch.undo()
    assert not connection.in_transaction
    current = await store.current_game(1)
    assert current is not None
    listed = await store.unfinished_games(1, 25)
    if statement < 5:
        assert (current, listed) == (before, [before])
    else:  # the COMMIT itself was on its way
        assert listed == [current, before]
    assert await store.create_game(new_game(1)) == await store.current_game(1)


async def test_a_failing_statement_leaves_no_half(store: SqliteStore, path: Path) -> None:
    game = await store.create_game(new_game())
    with pytest.raises(sqlite3.IntegrityError):
        await store.save_if_revision(replace(game, score=9, status="lost"))  # type: ignore[arg-type]
    assert not connection_of(store).in_transaction
    assert await store.load_game(game.id) == game


async def test_a_game_and_its_being_current_are_committed_together(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(_db: object, _game_id: int) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(sqlite_games, "set_current", broken)
    with pytest.raises(sqlite3.OperationalError, match="disk"):
        await store.create_game(new_game())
    assert asked(path, "SELECT COUNT(*) FROM games") == [(0,)]


async def test_a_store_that_is_not_open_says_so(path: Path) -> None:
    store = SqliteStore(path)
    with pytest.raises(StoreError, match="not open"):
        await store.current_game(1)
    with pytest.raises(StoreError, match="not open"):
        await store.create_game(new_game())


async def test_folders_on_the_way_are_made(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "new" / "folder" / "games.sqlite3")
    await store.open()
    await store.close()
    assert (tmp_path / "new" / "folder" / "games.sqlite3").is_file()


# Migrations


def test_migrations_are_numbered_without_a_gap() -> None:
    assert list(module.migrations()) == list(range(1, len(module.migrations()) + 1))


def test_every_script_in_the_folder_is_a_migration() -> None:
    folder = Path(module.__file__).parent / "migrations"
    names = sorted(file.name for file in folder.iterdir() if file.is_file())
    assert [name[:4] for name in names] == [f"{number:04}" for number in module.migrations()]


async def test_every_migration_is_noted_once(store: SqliteStore, path: Path) -> None:
    await store.close()
    await store.open()
    assert asked(path, "SELECT number FROM migrations") == [(number,) for number in module.migrations()]


async def test_a_later_migration_finds_the_games_of_earlier_versions(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await store.create_game(new_game())
    await store.close()
    later = {**module.migrations(), 900: "ALTER TABLE games ADD COLUMN stars BIGINT NOT NULL DEFAULT 5;"}
    monkeypatch.setattr(module, "migrations", lambda: later)
    await store.open()
    assert await store.current_game(1) == game
    assert asked(path, "SELECT stars FROM games") == [(5,)]
    assert asked(path, "SELECT MAX(number) FROM migrations") == [(900,)]


async def test_a_failing_migration_leaves_nothing_and_can_be_tried_again(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await store.create_game(new_game())
    await store.close()
    good = "CREATE TABLE stars (game BIGINT NOT NULL);"
    failing = {
        **module.migrations(),
        900: f"{good}\nUPDATE games SET score = 99;\nINSERT INTO nowhere VALUES (1);",
    }
    monkeypatch.setattr(module, "migrations", lambda: failing)
    assert str(path) in await refusal(store)
    assert asked(path, "SELECT name FROM sqlite_master WHERE name = 'stars'") == []
    assert asked(path, "SELECT score FROM games") == [(0,)]
    assert asked(path, "SELECT MAX(number) < 900 FROM migrations") == [(1,)]

    monkeypatch.setattr(module, "migrations", lambda: {**failing, 900: good})
    await store.open()
    assert await store.current_game(1) == game
    assert asked(path, "SELECT COUNT(*) FROM stars") == [(0,)]


async def test_a_script_without_its_note_is_not_committed(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The note of an earlier script stands in the way of this one's: then the script itself is undone too."""
    await store.close()
    failing = {
        **module.migrations(),
        900: "CREATE TABLE stars (game BIGINT NOT NULL); INSERT INTO migrations (number) VALUES (900);",
    }
    monkeypatch.setattr(module, "migrations", lambda: failing)
    assert str(path) in await refusal(store)
    assert asked(path, "SELECT name FROM sqlite_master WHERE name = 'stars'") == []
    assert asked(path, "SELECT MAX(number) < 900 FROM migrations") == [(1,)]


async def test_a_file_of_a_newer_version_is_refused_and_untouched(store: SqliteStore, path: Path) -> None:
    await store.create_game(new_game())
    await store.close()
    newer = max(module.migrations()) + 1
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO migrations (number) VALUES (?)", (newer,))
    before = path.read_bytes()
    assert re.search(
        rf"{path} .*newer version.*nothing was changed.*Update the program", await refusal(store)
    )
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


# Files that are no database of ours


@pytest.mark.parametrize(
    "content",
    [b"My shopping list: milk, bread\n", b"no database " * 5_000],
    ids=["a line", "many pages"],
)
async def test_a_file_that_is_no_database_is_refused_and_untouched(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    said = await refusal(SqliteStore(path))
    assert re.search(rf"{path} .*nothing was changed.*put a backup in its place", said)
    assert path.read_bytes() == content
    assert [file.name for file in path.parent.iterdir()] == [path.name]


async def damage(store: SqliteStore, path: Path, name: str) -> bytes:
    """Overwrite the page on which a table or an index begins; return the whole file as it then is."""
    for owner_id in range(40):
        await store.create_game(new_game(owner_id, seed="x" * 60))
    await store.close()
    [(page,)] = asked(path, f"SELECT rootpage FROM sqlite_master WHERE name = '{name}'")
    [(size,)] = asked(path, "PRAGMA page_size")
    content = bytearray(path.read_bytes())
    content[(page - 1) * size : page * size] = b"\xa5" * size
    path.write_bytes(content)
    return bytes(content)


async def test_a_damaged_database_is_refused_and_untouched(store: SqliteStore, path: Path) -> None:
    damaged = await damage(store, path, "sqlite_autoindex_migrations_1")
    assert re.search(rf"{path} .*nothing was changed.*put a backup in its place", await refusal(store))
    assert path.read_bytes() == damaged


async def test_a_database_whose_games_are_damaged_is_refused_and_untouched(
    store: SqliteStore, path: Path
) -> None:
    damaged = await damage(store, path, "games")
    assert str(path) in await refusal(store)
    assert path.read_bytes() == damaged


async def test_a_database_of_another_program_is_refused_and_untouched(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE games (title TEXT)")
    before = path.read_bytes()
    assert str(path) in await refusal(SqliteStore(path))
    assert path.read_bytes() == before


async def test_a_folder_is_no_database(tmp_path: Path) -> None:
    assert "can't be used as the database" in await refusal(SqliteStore(tmp_path))


async def test_a_file_is_no_folder_for_a_database(path: Path) -> None:
    path.write_bytes(b"")
    assert "can't be used as the database" in await refusal(SqliteStore(path / "games.sqlite3"))


async def test_a_store_that_could_not_be_opened_can_be_once_the_cause_is_gone(path: Path) -> None:
    path.write_bytes(b"My shopping list")
    store = SqliteStore(path)
    assert str(path) in await refusal(store)
    path.unlink()
    await store.open()
    assert (await store.create_game(new_game())).status is Status.PLAYING
    await store.close()


# Addresses


def test_an_address_names_a_file() -> None:
    store = open_store("sqlite:///folder/games.sqlite3")
    assert isinstance(store, SqliteStore)
    assert store._path == Path("folder/games.sqlite3")


@pytest.mark.parametrize("url", ["", "games.sqlite3", "sqlite:///", "sqlite://games", "mysql:///games"])
def test_another_address_is_refused_with_one_that_works(url: str) -> None:
    with pytest.raises(ValueError, match=r"sqlite:///path/to/file\.sqlite3"):
        open_store(url)
