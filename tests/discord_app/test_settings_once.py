"""The user's settings are read once for each interaction: counted as statements that the database gets."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import pytest
import pytest_asyncio
from simcord.backend.models import User

from bot.discord_app.tables.controls import Action
from bot.service import LIMITS, Cost, Position, Request
from engine import Record
from tests.discord_app.direct import DirectBot, direct_bot
from tests.discord_app.endings import BETTER, LOST
from tests.discord_app.examples import COMMANDS
from tests.discord_app.pressing import chained, finishing

pytestmark = pytest.mark.usefixtures("quiet")

DEAL = Record.parse("klondike/d1/36")
PLAYED = Record.parse("klondike/d1/36 6-7 s-w s-w")
ADA, OLA = 1, 2

# The whole statement reads settings; one that joins them, as a leaderboard does, is about other players.
READ = re.compile(r"\s*SELECT\s+(?:(?!\bFROM\b).)*\bFROM\s+settings\s+WHERE\s+user_id\s*=\s*(\d+)", re.DOTALL)

# Only these read them a second time: to export them, and to change them in a transaction, so that of two
# switches pressed at once both are kept.
TWICE = ("export", "set:four_colours:1", "set:language")


@pytest_asyncio.fixture
async def direct(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[DirectBot]:
    async with direct_bot(monkeypatch) as opened:
        yield opened


@asynccontextmanager
async def reads(direct: DirectBot) -> AsyncIterator[list[int]]:
    """Whose settings are read while the block is run, and while what it began is ended."""
    found: list[int] = []

    def note(statement: str) -> None:
        if read := READ.match(statement):
            found.append(int(read[1]))

    connection = direct.store._connection
    assert connection is not None
    await connection.set_trace_callback(note)
    try:
        yield found
        await direct.client.follow_ups.wait()
    finally:
        await connection.set_trace_callback(None)  # type: ignore[arg-type]


def options_of(about: Mapping[str, Any]) -> dict[str, Any]:
    """Return options as Discord names them; a friend is a user."""
    options = {name.rstrip("_"): value for name, value in about.items()}
    return options | ({"friend": User(OLA, "ola")} if "friend" in options else {})


async def test_every_command_reads_them_once(direct: DirectBot) -> None:
    examples = {**COMMANDS, "daily-channel": ([], {}, True)}
    assert {command.name for command in direct.client.tree.get_commands()} == set(examples)
    for user_id, (command, (before, options, _)) in enumerate(examples.items(), start=10):
        await direct.types("new", user_id, game="klondike", rules="d1", seed="36")
        for earlier, about in before:
            await direct.types(earlier, user_id, **options_of(about))
        async with reads(direct) as found:
            answered = await direct.types(command, user_id, **options_of(options))
        assert answered.sent, command
        assert (command, found) == (command, [user_id] * (2 if command in TWICE else 1))


async def test_every_autocomplete_reads_them_once(direct: DirectBot) -> None:
    await direct.types("new", ADA, game="acesup", seed="1")
    for command in direct.client.tree.get_commands():
        for option in command.parameters:  # type: ignore[union-attr]
            if option.autocomplete:
                async with reads(direct) as found:
                    answered = await direct.completes(command.name, option.display_name, "", ADA)
                assert answered.choices is not None, (command.name, option.name)
                assert (command.name, option.name, found) == (command.name, option.name, [ADA])


# A game, what redo would play, the ``custom_id`` of a control, and what is chosen in it.
PRESSES: tuple[tuple[Record, str, str, str], ...] = (
    (DEAL, "", "sol:{game}:0:draw", ""),
    (PLAYED, "", "sol:{game}:0:undo", ""),
    (DEAL, "s-w", "sol:{game}:1:redo", ""),
    (DEAL, "", "sol:{game}:0:hint", ""),
    (DEAL, "", "sol:{game}:0:play:6-7", ""),
    (DEAL, "", "sol:{game}:0:menu:0", "6-7"),
    (DEAL, "", "sol:{game}:0:panel:more", ""),
    (DEAL, "", "sol:{game}:0:rules", ""),
    (DEAL, "", "sol:{game}:0:share", ""),
    (DEAL, "", "sol:{game}:0:settings", ""),
    (DEAL, "", "sol:{game}:0:giveup", ""),
    (DEAL, "", "sol:{game}:0:same", ""),
    (DEAL, "", "sol:{daily}:0:board", ""),
    (chained(), "", "sol:{game}:0:all", ""),
    (finishing(), "", "sol:{game}:0:finish", ""),
    (LOST, "", "sol:{game}:0:analyse", ""),
    (LOST, "", "sol:{game}:0:best", ""),
    (DEAL, "", "rules:klondike:1:next", ""),
    (DEAL, "", "board:everyone:today", ""),
    (DEAL, "", "board:server:pick", "week"),
    (DEAL, "", "set:four_colours:1", ""),
    (DEAL, "", "set:language", "no"),
    (PLAYED, "", "stats:{user}:{user}:0", "klondike/d1"),
    (DEAL, "", "daily:play", ""),
    (DEAL, "", "forget:{user}", ""),
    (DEAL, "", "forget:{user}:no", ""),
    (DEAL, "", "duel:{challenge}:play", ""),
    (DEAL, "", "duel:{challenge}:show", ""),
    (DEAL, "", "duel:{challenge}:compare", ""),
)


def test_there_is_an_example_of_every_action() -> None:
    """The router can't tell them apart: an action of no example would look like one with."""
    named = {custom_id.split(":")[3] for _, _, custom_id, _ in PRESSES if custom_id.startswith("sol:")}
    assert named == set(Action)


async def test_every_press_and_choice_reads_them_once(direct: DirectBot) -> None:
    services, pressed = direct.client.services, []
    direct.thinker.knows(best=BETTER, analyse=None)
    challenge = (await services.challenges.create(OLA, [], game="acesup", seed="1")).challenge
    for user_id, (record, undone, template, choice) in enumerate(PRESSES, start=10):
        game = await direct.holds(Position.of(record), user_id, undone)
        daily = (await services.games.play_daily(Request(OLA, 1))).game
        ids = {"game": game.id, "daily": daily.id, "user": user_id, "challenge": challenge.id}
        asker = OLA if "{daily}" in template else user_id
        custom_id = template.format(**ids)
        async with reads(direct) as found:
            sent = await direct.press(custom_id, *filter(None, [choice]), user_id=asker)
        assert sent, template
        assert (template, found) == (template, [asker] * (2 if template in TWICE else 1))
        route = direct.client.router.find(custom_id)
        assert route is not None
        pressed.append(route[0])
    assert set(pressed) == set(direct.client.router.routes)


async def test_a_refusal_reads_them_once(direct: DirectBot) -> None:
    game = await direct.holds(Position.of(DEAL), ADA)
    for custom_id, user_id in (
        (f"sol:{game.id}:0:draw", OLA),
        (f"sol:{game.id}:0:play:1-2", ADA),
        ("sol:999:0:draw", ADA),
        ("old-button", ADA),
    ):
        async with reads(direct) as found:
            [sent] = await direct.press(custom_id, user_id=user_id)
        assert sent.ephemeral
        assert (custom_id, found) == (custom_id, [user_id])


async def test_a_flood_costs_one_read_and_then_none(monkeypatch: pytest.MonkeyPatch) -> None:
    async with direct_bot(monkeypatch, limits=LIMITS) as direct:
        game = await direct.holds(Position.of(DEAL), ADA)
        for _ in range(LIMITS[Cost.PRESS].at_once):
            with direct.client.services.rate_limiter.admit(ADA, Cost.PRESS):
                pass
        for expected in ([ADA], [], []):
            async with reads(direct) as found:
                await direct.press(f"sol:{game.id}:0:draw")
            assert found == expected
