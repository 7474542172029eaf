"""A bot that is told to stop finishes what is under way, takes its leave of Discord, and leaves nothing."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from bot.discord_app.transport import in_flight
from tests.wire.bot_process import BotProcess, Nursery, bot_process
from tests.wire.interactions import Interaction
from tests.wire.killing import until
from tests.wire.standin import StandIn

GUILD, CHANNEL = 100, 101
SIGNALS = pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=["SIGTERM", "SIGINT"])
CALLBACK = "/callback$"


@asynccontextmanager
async def playing(
    folder: Path, nursery: Nursery, *, thinks: bool = False
) -> AsyncIterator[tuple[StandIn, BotProcess]]:
    """A bot that has dealt a game of Klondike, at revision 0."""
    async with StandIn() as standin, bot_process(folder, nursery, thinks=thinks) as bot:
        standin.add_guild(GUILD, CHANNEL)
        await bot.start(standin.url)
        await standin.connected(60)
        await shown(await standin.interact("new", {"game": "klondike", "seed": "1"}, guild_id=GUILD))
        yield standin, bot
        standin.check()


async def shown(interaction: Interaction) -> None:
    await interaction.shown(30)


async def arrived(standin: StandIn, interaction: Interaction) -> None:
    """Wait until the bot's answer has reached the stand-in, which may be slow to accept it."""
    await until(lambda: any(interaction.token in request.path for request in standin.requests))


async def stopped(standin: StandIn, bot: BotProcess, number: int) -> None:
    """Send the signal and wait; the bot must take its leave in order."""
    connection = standin.gateway.session().connection
    assert connection is not None
    bot.send(number)
    assert await bot.ended() == 0
    await until(lambda: standin.gateway.session().connection is None)
    assert connection.socket.close_code in (1000, 1001)
    assert "Traceback" not in bot.said()
    assert "never retrieved" not in bot.said()


def revisions(bot: BotProcess) -> list[int]:
    with closing(sqlite3.connect(bot.database)) as connection:
        return [row[0] for row in connection.execute("SELECT revision FROM games ORDER BY id")]


def files(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.iterdir())


@SIGNALS
async def test_an_idle_bot_stops_at_once(tmp_path: Path, nursery: Nursery, number: int) -> None:
    async with playing(tmp_path, nursery) as (standin, bot):
        await stopped(standin, bot, number)
        assert files(tmp_path) == ["games.sqlite3", "log.txt"]


@SIGNALS
async def test_a_turn_waiting_for_discord_is_finished(tmp_path: Path, nursery: Nursery, number: int) -> None:
    async with playing(tmp_path, nursery) as (standin, bot):
        standin.delay("POST", CALLBACK, 1)
        interaction = await standin.interact("draw", guild_id=GUILD)
        await arrived(standin, interaction)
        await stopped(standin, bot, number)
        assert interaction.acknowledged
        assert revisions(bot) == [1]
        # What follows an answer is done too: the controls are noted to be under the new message.
        answer = await interaction.answer()
        assert answer.message is not None
        with closing(sqlite3.connect(bot.database)) as connection:
            [placed] = connection.execute("SELECT message_id FROM live_tables").fetchone()
        assert str(placed) == answer.message.id


@SIGNALS
async def test_turns_sent_just_before_are_finished(tmp_path: Path, nursery: Nursery, number: int) -> None:
    async with playing(tmp_path, nursery) as (standin, bot):
        interaction = await standin.interact("draw", guild_id=GUILD)
        await stopped(standin, bot, number)
        assert interaction.acknowledged
        assert revisions(bot) == [1]


async def test_a_turn_waiting_for_the_database_is_finished(tmp_path: Path, nursery: Nursery) -> None:
    async with playing(tmp_path, nursery) as (standin, bot):
        with closing(sqlite3.connect(bot.database, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            interaction = await standin.interact("draw", guild_id=GUILD)
            stopping = asyncio.create_task(stopped(standin, bot, signal.SIGTERM))
            done, _ = await asyncio.wait({stopping}, timeout=0.7)
            assert not done
            other.execute("COMMIT")
        await stopping
        assert interaction.acknowledged
        assert revisions(bot) == [1]


async def test_interactions_that_come_while_it_stops_are_ignored(tmp_path: Path, nursery: Nursery) -> None:
    async with playing(tmp_path, nursery) as (standin, bot):
        standin.delay("POST", CALLBACK, 1.5)
        first = await standin.interact("draw", guild_id=GUILD)
        await arrived(standin, first)
        stopping = asyncio.create_task(stopped(standin, bot, signal.SIGTERM))
        await asyncio.sleep(in_flight.ARRIVING_S + 0.5)
        later = [
            await standin.interact("new", {"game": "acesup"}, guild_id=GUILD),
            await standin.interact("draw", guild_id=GUILD),
        ]
        await stopping
        assert first.acknowledged
        assert not any(interaction.acknowledged for interaction in later)
        assert revisions(bot) == [1]


async def test_an_answer_that_is_never_accepted_does_not_prevent_stopping(
    tmp_path: Path, nursery: Nursery
) -> None:
    async with playing(tmp_path, nursery) as (standin, bot):
        standin.delay("POST", CALLBACK, 25)
        interaction = await standin.interact("draw", guild_id=GUILD)
        await arrived(standin, interaction)
        await stopped(standin, bot, signal.SIGTERM)
        assert not interaction.acknowledged
        assert revisions(bot) == [1]


async def test_a_bot_can_be_stopped_while_it_logs_in(tmp_path: Path, nursery: Nursery) -> None:
    async with StandIn() as standin, bot_process(tmp_path, nursery) as bot:
        standin.delay("GET", "/users/@me$", 25)
        await bot.start(standin.url)
        await until(lambda: standin.requests)
        bot.send(signal.SIGTERM)
        assert await bot.ended() == 0
        assert "Traceback" not in bot.said()


def children_of(pid: int) -> set[str]:
    """The ids of the processes that any thread of a process has started."""
    return {
        child for task in Path(f"/proc/{pid}/task").glob("*/children") for child in task.read_text().split()
    }


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="whether a process is left over (no /proc)")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL], ids=["SIGTERM", "SIGKILL"])
async def test_no_process_is_left_over(tmp_path: Path, nursery: Nursery, number: int) -> None:
    """However the bot ends, what thinks for it ends too."""
    async with playing(tmp_path, nursery, thinks=True) as (standin, bot):
        await until(lambda: children_of(bot.pid))
        children = children_of(bot.pid)
        if number == signal.SIGTERM:
            await stopped(standin, bot, number)
        else:
            bot.send(number)
            assert await bot.ended() == -number
        await until(lambda: not any(Path(f"/proc/{child}/exe").exists() for child in children))
