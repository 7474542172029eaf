"""The real bot over real sockets: an unmodified client logs in to the stand-in, registers, and answers.

The fixture `discord_standin` fails every test in which a body broke Discord's published contract (where the
document is at hand) or a request had no route.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from io import BytesIO
from pathlib import Path

import pytest
import pytest_asyncio
from PIL import Image

from bot.app import build_client
from bot.config import Config
from bot.discord_app.client import BotClient
from bot.text import texts_for
from tests.wire.interactions import CHOICES, REPLY
from tests.wire.payloads import Message
from tests.wire.standin import OWNER, PLAYER, StandIn, User

GUILD, CHANNEL = 100, 101
EN, NO = texts_for("en"), texts_for("no")
IMAGE_MAX_BYTES = 60_000
HERE = pytest.mark.parametrize("guild_id", [GUILD, None], ids=["in a server", "in a direct message"])


@asynccontextmanager
async def running(standin: StandIn, folder: Path) -> AsyncIterator[BotClient]:
    """The bot, logged in and connected. A failure of its own ends the test."""
    client = build_client(Config(token="token", database_url=f"sqlite:///{folder}/games.sqlite3"))
    task = asyncio.create_task(client.start("token"))
    connected = asyncio.create_task(standin.connected())
    try:
        done, _ = await asyncio.wait({task, connected}, return_when=asyncio.FIRST_COMPLETED)
        if task in done:
            task.result()
        await connected
        yield client
    finally:
        connected.cancel()
        await client.close()
        await task


@pytest_asyncio.fixture
async def bot(discord_standin: StandIn, tmp_path: Path) -> AsyncIterator[BotClient]:
    discord_standin.add_guild(GUILD, CHANNEL)
    async with running(discord_standin, tmp_path) as client:
        yield client


def syncs(standin: StandIn) -> int:
    return sum(request.method == "PUT" and request.path.endswith("/commands") for request in standin.requests)


def picture(message: Message) -> Image.Image:
    """The only picture of a message, decoded from the bytes that came over the wire."""
    attachment = message.attachment()
    assert attachment.filename.endswith(".png")
    assert len(attachment.data) <= IMAGE_MAX_BYTES
    image = Image.open(BytesIO(attachment.data))
    image.load()
    assert image.format == "PNG"
    assert image.width == 1100
    assert (attachment.payload["width"], attachment.payload["height"]) == image.size
    return image


def revision(message: Message) -> int:
    found = re.fullmatch(r"table-\d+-(\d+)\.png", message.attachment().filename)
    assert found is not None
    return int(found[1])


async def test_the_bot_logs_in_registers_and_connects_without_intents(
    discord_standin: StandIn, bot: BotClient
) -> None:
    names = {command["name"] for command in discord_standin.commands}
    assert {
        "new",
        "move",
        "draw",
        "discard",
        "undo",
        "redo",
        "table",
        "games",
        "giveup",
        "rules",
        "help",
    } <= names
    assert syncs(discord_standin) == 1
    assert discord_standin.gateway.identified == 1
    assert bot.intents.value == 0
    await asyncio.wait_for(bot.wait_until_ready(), 5)


@HERE
async def test_new_and_draw_are_answered_with_pictures(
    discord_standin: StandIn, bot: BotClient, guild_id: int | None
) -> None:
    dealt = await discord_standin.interact(
        "new", {"game": "klondike", "rules": "d3", "seed": "god jul"}, guild_id=guild_id
    )
    answer = await dealt.answer()
    assert answer.type == REPLY
    assert len(answer.files) == 1
    first = await dealt.shown()
    second = await (await discord_standin.interact("draw", guild_id=guild_id)).shown()
    assert picture(first).tobytes() != picture(second).tobytes()
    assert (revision(first), revision(second)) == (0, 1)
    for message in (first, second):
        assert not message.ephemeral
        assert "`god jul`" in message.text
        assert 0 < len(message.attachment().payload["description"]) <= 1024
    assert EN("turn-new") in first.text


@HERE
async def test_an_illegal_move_is_answered_ephemerally(
    discord_standin: StandIn, bot: BotClient, guild_id: int | None
) -> None:
    await (
        await discord_standin.interact("new", {"game": "klondike", "seed": "1"}, guild_id=guild_id)
    ).shown()
    refused = await (
        await discord_standin.interact("move", {"from": "1", "to": "2"}, guild_id=guild_id)
    ).shown()
    assert refused.ephemeral
    assert refused.attachments == ()
    assert "Q♥" in refused.text


async def test_moves_are_offered_while_they_are_typed(discord_standin: StandIn, bot: BotClient) -> None:
    await (await discord_standin.interact("new", {"game": "klondike", "seed": "36"}, guild_id=GUILD)).shown()
    offered = await (await discord_standin.autocomplete("move", "from", "6", guild_id=GUILD)).answer()
    assert offered.type == CHOICES
    assert [choice["value"] for choice in offered.choices] == ["6-7"]
    moved = await (await discord_standin.interact("move", {"from": "6-7"}, guild_id=GUILD)).shown()
    assert revision(moved) == 1


async def test_a_norwegian_is_answered_in_norwegian(discord_standin: StandIn, bot: BotClient) -> None:
    interaction = await discord_standin.interact("draw", guild_id=GUILD, locale="no")
    assert (await interaction.shown()).text == NO("fault-no-game")


async def test_every_command_that_needs_no_option_is_answered(
    discord_standin: StandIn, bot: BotClient
) -> None:
    await (await discord_standin.interact("new", {"game": "klondike", "seed": "36"}, guild_id=GUILD)).shown()
    for command in ("draw", "undo", "redo", "table", "games", "rules", "help", "discard", "giveup"):
        answered = await (await discord_standin.interact(command, guild_id=GUILD)).answer()
        assert answered.type == REPLY, command


async def test_a_seed_that_looks_like_a_mention_pings_nobody(
    discord_standin: StandIn, bot: BotClient
) -> None:
    shown = await (
        await discord_standin.interact("new", {"seed": "@everyone `<@1>`"}, guild_id=GUILD)
    ).shown()
    sent = [request.json for request in discord_standin.requests if request.path.endswith("/callback")]
    assert [body["data"]["allowed_mentions"] for body in sent] == [{"parse": []}]
    assert shown.payload["mentions"] == []


async def test_two_players_play_their_own_games(discord_standin: StandIn, bot: BotClient) -> None:
    for seed, user in (("1", PLAYER), ("2", OWNER)):
        options = {"game": "klondike", "seed": seed}
        await (await discord_standin.interact("new", options, guild_id=GUILD, user=user)).shown()
    mine = await (await discord_standin.interact("draw", guild_id=GUILD)).shown()
    theirs = await (await discord_standin.interact("table", guild_id=GUILD, user=OWNER)).shown()
    assert ("`1`" in mine.text, "`2`" in theirs.text) == (True, True)
    assert (revision(mine), revision(theirs)) == (1, 0)


async def test_one_interaction_delivered_twice_moves_once(discord_standin: StandIn, bot: BotClient) -> None:
    """DraftForge's issue 261: one click arrived twice and moved twice."""
    await (await discord_standin.interact("new", {"game": "klondike", "seed": "1"}, guild_id=GUILD)).shown()
    interaction = await discord_standin.interact("draw", guild_id=GUILD)
    await discord_standin.gateway.dispatch("INTERACTION_CREATE", interaction.payload)
    await interaction.shown()
    table = await (await discord_standin.interact("table", guild_id=GUILD)).shown()
    assert revision(table) == 1
    await (await discord_standin.interact("draw", guild_id=GUILD)).shown()
    await discord_standin.gateway.dispatch("INTERACTION_CREATE", interaction.payload)
    table = await (await discord_standin.interact("table", guild_id=GUILD)).shown()
    assert revision(table) == 2


async def test_a_second_start_registers_nothing_and_continues_the_game(
    discord_standin: StandIn, tmp_path: Path
) -> None:
    discord_standin.add_guild(GUILD, CHANNEL)
    async with running(discord_standin, tmp_path):
        dealt = await (
            await discord_standin.interact("new", {"game": "acesup", "seed": "1"}, guild_id=GUILD)
        ).shown()
    async with running(discord_standin, tmp_path):
        assert syncs(discord_standin) == 1
        shown = await (await discord_standin.interact("table", guild_id=GUILD)).shown()
        drawn = await (await discord_standin.interact("draw", guild_id=GUILD)).shown()
    assert shown.attachment().data == dealt.attachment().data
    assert revision(drawn) == 1
    assert discord_standin.gateway.identified == 2


async def test_commands_that_were_removed_are_registered_again(
    discord_standin: StandIn, tmp_path: Path
) -> None:
    async with running(discord_standin, tmp_path):
        count = len(discord_standin.commands)
    discord_standin.commands.pop()
    async with running(discord_standin, tmp_path):
        assert (syncs(discord_standin), len(discord_standin.commands)) == (2, count)


async def test_a_reconnect_registers_nothing(discord_standin: StandIn, bot: BotClient) -> None:
    """Issue 12 of Verification-Bot: a reconnect pushed the commands again every time."""
    await bot.wait_until_ready()
    await discord_standin.gateway.disconnect()
    shown = await (await discord_standin.interact("new", {"seed": "1"}, guild_id=GUILD)).shown()
    picture(shown)
    assert syncs(discord_standin) == 1


async def test_a_server_error_is_survived(discord_standin: StandIn, bot: BotClient) -> None:
    """Discord's own hiccup: the client sends the answer again, and the picture is still whole."""
    discord_standin.answer_with(
        "POST", "/callback$", 500, {"message": "500: Internal Server Error", "code": 0}
    )
    shown = await (await discord_standin.interact("new", {"seed": "1"}, guild_id=GUILD)).shown()
    picture(shown)


async def test_many_players_at_once_are_all_answered(discord_standin: StandIn, bot: BotClient) -> None:
    """Issue 6474 of AstrBot: "database is locked" under load. NabBot 89: drawing blocked everybody else."""
    players = [User(id=1_000 + number, name=f"player{number}") for number in range(20)]
    asked = [
        await discord_standin.interact("new", {"seed": player.name}, guild_id=GUILD, user=player)
        for player in players
    ]
    shown = [await interaction.shown(timeout_s=20) for interaction in asked]
    assert [f"`{player.name}`" in message.text for player, message in zip(players, shown, strict=True)] == [
        True
    ] * 20
    assert len({picture(message).tobytes() for message in shown}) == 20
