"""The user's settings are read once for each interaction: counted as statements that the database gets."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from bot.discord_app.tables.controls import Action
from tests.discord_app.examples import COMMANDS
from tests.discord_app.playing import World
from tests.discord_app.pressing import Player, chained

pytestmark = pytest.mark.usefixtures("quiet")

READ = re.compile(r"SELECT\s+language\b.*\bFROM\s+settings\s+WHERE\s+user_id", re.DOTALL)


@asynccontextmanager
async def reads(world: World) -> AsyncIterator[list[str]]:
    """The statements that read settings while the block is run."""
    found: list[str] = []
    connection = world.client._store._connection  # type: ignore[attr-defined]

    def note(statement: str) -> None:
        if READ.search(statement):
            found.append(statement)

    await connection.set_trace_callback(note)
    try:
        yield found
    finally:
        await connection.set_trace_callback(None)


@pytest.mark.parametrize("command", COMMANDS)
async def test_a_command_reads_the_settings_once(world: World, command: str) -> None:
    seat = world.seat()
    await seat.new("klondike", "d1", "36")
    before, options, _ = COMMANDS[command]
    for earlier, about in before:
        await seat.type(earlier, **about)
    if "friend" in options:
        options = {"friend": world.seat(options["friend"]).actor}
    async with reads(world) as found:
        await seat.type(command, **options)
    assert len(found) == (2 if command == "export" else 1)  # which exports them too


@pytest.mark.parametrize(
    ("command", "option"),
    [("new", "rules"), ("games", "resume"), ("move", "from"), ("discard", "pile"), ("leaderboard", "when")],
)
async def test_an_option_being_typed_reads_them_once(world: World, command: str, option: str) -> None:
    seat = world.seat()
    await seat.new("acesup", "standard", "1")
    option = {"new": "rules", "games": "resume", "move": "from", "discard": "pile", "leaderboard": "when"}[
        command
    ]
    async with reads(world) as found:
        await seat.offered(command, option)
    assert len(found) == 1


async def test_a_press_reads_them_once(world: World, ada: Player) -> None:
    """One press of every kind that a table has, one after another."""
    await ada.holds(chained())

    async def press(who: Player, action: Action, detail: str | None = None) -> None:
        async with reads(world) as found:
            await who.do(action, detail)
            await asyncio.sleep(0)
        assert (action, len(found)) == (action, 1)

    await press(ada, Action.DISCARD_ALL)
    await press(ada, Action.UNDO)
    await press(ada, Action.REDO)
    await press(ada, Action.HINT)
    await press(ada, Action.DRAW)
    await press(ada, Action.PANEL, "more")
    table = ada.shown
    for action in (Action.RULES, Action.SHARE, Action.SETTINGS):
        ada.shown = table
        await press(ada, action)
    ada.shown = table
    await press(ada, Action.PANEL, "giveup")
    await press(ada, Action.GIVE_UP)


async def test_every_other_control_reads_them_once(world: World, ada: Player) -> None:
    """The pages of rules, the boards and the question of /forget-me, each by its ``custom_id``."""
    await ada.types("new", game="klondike", rules="d1", seed="36")
    for command, custom_id in {
        "rules": "rules:klondike:1:next",
        "leaderboard": "board:everyone:2023-11-14",
        "forget-me": f"forget:{ada.seat.user_id}:no",
    }.items():
        await ada.types(command)
        async with reads(world) as found:
            await ada.press_id(custom_id)
        assert (custom_id, len(found)) == (custom_id, 1)


async def test_a_switch_reads_them_once_more_to_change_them(ada: Player, world: World) -> None:
    """The change reads them in its own transaction, so that two switches pressed at once are both kept."""
    await ada.types("settings")
    async with reads(world) as found:
        await ada.press_id("set:four_colours:1")
    assert len(found) == 2


async def test_a_refusal_reads_them_once(ada: Player, world: World) -> None:
    await ada.types("new", game="klondike", rules="d1", seed="36")
    async with reads(world) as found:
        await ada.types("move", from_="1", to="2")
    assert len(found) == 1
