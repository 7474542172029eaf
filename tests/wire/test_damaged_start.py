"""A bot whose database is damaged, or none of its own, says so, ends, and leaves every byte as it is."""

from __future__ import annotations

import asyncio
import random
import re
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from bot.storage import SqliteStore, restore
from tests.storage.conftest import new_game
from tests.wire.bot_process import Nursery, bot_process
from tests.wire.standin import StandIn

PAGE = 4096


async def write_games(path: Path) -> None:
    """A database with games on many pages."""
    store = SqliteStore(path)
    await store.open()
    for owner in range(60):
        game = await store.create_game(new_game(owner, seed=owner))
        await store.save_if_revision(replace(game, record=game.record + " s-t" * 60))
    await store.close()


def truncated(path: Path) -> None:
    with path.open("rb+") as file:
        file.truncate(path.stat().st_size // 2)


def cut_inside_a_page(path: Path) -> None:
    with path.open("rb+") as file:
        file.truncate(PAGE * 5 + 1000)


def header_overwritten(path: Path) -> None:
    overwrite(path, 0, b"\xff" * 100)


def page_of_zeros(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        [page] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'games'").fetchone()
    overwrite(path, (page - 1) * PAGE, bytes(PAGE))


def random_bytes(path: Path) -> None:
    chance = random.Random(1)
    for page in range(1, path.stat().st_size // PAGE, 3):
        overwrite(path, page * PAGE, chance.randbytes(PAGE))


def only_random_bytes(path: Path) -> None:
    path.write_bytes(random.Random(2).randbytes(50_000))


def empty_with_a_log(path: Path) -> None:
    """SQLite would take the file for a new one, and delete the log."""
    left_by_a_kill(path)
    overwrite(path, 0, b"", cut=True)


def gone_but_for_its_log(path: Path) -> None:
    left_by_a_kill(path)
    path.unlink()


def damaged_with_a_log(path: Path) -> None:
    """What the killed bot left in its log must not be written into the damaged file."""
    left_by_a_kill(path)
    page_of_zeros_unseen(path)


def empty_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def another_programs(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE songs (title TEXT)")
        connection.execute("INSERT INTO songs VALUES ('Solitaire')")


def another_programs_with_a_log(path: Path) -> None:
    another_programs(path)
    left_by_a_kill(path, "INSERT INTO songs VALUES ('Patience')")


def overwrite(path: Path, at: int, content: bytes, *, cut: bool = False) -> None:
    with path.open("rb+") as file:
        file.seek(at)
        file.write(content)
        if cut:
            file.truncate()


def left_by_a_kill(path: Path, query: str = "UPDATE games SET score = 7") -> None:
    """Write something that is then in the log beside the file only, and let nobody write it home."""
    kept = path.with_name("kept")
    kept.mkdir()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute(query)
        connection.commit()
        for file in path.parent.glob(f"{path.name}*"):
            shutil.copy(file, kept)
    for file in kept.iterdir():
        shutil.copy(file, path.parent)
    shutil.rmtree(kept)


def page_of_zeros_unseen(path: Path) -> None:
    """Damage a page without opening the database, which would write the log home: the first of an index."""
    content = path.read_bytes()
    pages = [at for at in range(PAGE, len(content), PAGE) if content[at] in (2, 10)]
    assert pages
    for at in pages:
        overwrite(path, at, bytes(PAGE))


def contents(folder: Path) -> dict[str, bytes | None]:
    """What is in each file but the bot's log; None for a folder."""
    return {
        str(file.relative_to(folder)): None if file.is_dir() else file.read_bytes()
        for file in folder.rglob("*")
        if file.name != "log.txt"
    }


@pytest.mark.parametrize(
    "spoil",
    [
        truncated,
        cut_inside_a_page,
        header_overwritten,
        page_of_zeros,
        random_bytes,
        only_random_bytes,
        damaged_with_a_log,
        empty_with_a_log,
        gone_but_for_its_log,
        empty_folder,
        another_programs,
        another_programs_with_a_log,
    ],
)
async def test_a_damaged_database_is_refused_with_advice_and_left_untouched(
    tmp_path: Path, nursery: Nursery, spoil: Callable[[Path], None]
) -> None:
    async with StandIn() as standin, bot_process(tmp_path, nursery) as bot:
        await write_games(bot.database)
        spoil(bot.database)
        before = contents(tmp_path)
        await bot.start(standin.url)
        assert await bot.ended() == 1
        said = await asyncio.to_thread(bot.said)
        assert contents(tmp_path) == before
        assert standin.gateway.identified == 0
    assert "Traceback" not in said
    assert re.search(rf"{bot.database} .*nothing was changed\.", said)
    cure = "another file in DATABASE_URL" if spoil.__name__.startswith("another") else "restore BACKUP"
    assert cure in said


async def test_after_a_restore_the_bot_starts(tmp_path: Path, nursery: Nursery) -> None:
    """The cure that the message names is one."""
    async with StandIn() as standin, bot_process(tmp_path, nursery) as bot:
        await write_games(bot.database)
        backup = tmp_path / "backup.sqlite3"
        shutil.copy(bot.database, backup)
        damaged = bot.database
        page_of_zeros(damaged)
        await bot.start(standin.url)
        assert await bot.ended() == 1
        await restore(backup, damaged)
        await bot.start(standin.url)
        await standin.connected(60)
