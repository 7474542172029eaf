"""Restarts, missing permissions, unusual seeds, languages, failures, and when commands are registered."""

from __future__ import annotations

import asyncio
import logging
import os
import re
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import discord
import pytest
from discord import app_commands

from bot.discord_app.commands import Commands
from bot.discord_app.feature import Feature
from bot.discord_app.features import feature_classes
from bot.discord_app.localisation import FluentTranslator, label
from bot.discord_app.router import Router
from bot.render.prose import table_lines
from bot.service import GameService, Request
from bot.text import texts_for
from bot.text.lists import help_text
from bot.text.moves import move_text
from bot.text.names import quoted
from engine import Move, normalise_seed
from tests.discord_app.errors import the_fault
from tests.discord_app.playing import NOW_MS, PLACES, World, open_world, speak

EN, NO = texts_for("en"), texts_for("no")

quiet = pytest.mark.usefixtures("quiet")


# Restarts


@quiet
@pytest.mark.parametrize("place", PLACES)
async def test_a_game_goes_on_after_a_restart(world: World, place: str) -> None:
    """Issue 163 of PySolFC: the same number dealt other cards after a restart."""
    ada = world.seat(place=place)
    await ada.new("klondike", "d1", "36")
    await ada.move("6", "7")
    before = await ada.type("draw")
    await world.restart()
    after = await ada.type("table")
    assert (after.filename, after.png) == (before.filename, before.png)
    await ada.type("undo")
    await world.restart()
    await ada.type("redo")
    assert await ada.moves() == ["6-7", "s-w"]


@quiet
async def test_the_same_seed_deals_the_same_picture_after_a_restart(world: World) -> None:
    ada = world.seat()
    first = await ada.new("klondike", "d3", "163")
    await world.restart()
    assert (await ada.new("klondike", "d3", "163")).png == first.png


@quiet
async def test_two_draws_at_once_are_both_played(world: World) -> None:
    """As when somebody types fast, or in two windows."""
    ada = world.seat()
    await ada.new("klondike", "d1", "36")
    await asyncio.gather(*(world.client.services.games.draw(request) for request in requests(ada.user_id, 5)))
    await ada.type("draw")
    assert await ada.moves() == ["s-w"] * 6


def requests(user_id: int, count: int) -> list[Request]:
    return [Request(user_id, id=number) for number in range(1, count + 1)]


async def test_the_times_of_a_game_come_from_the_clock(world: World) -> None:
    ada = world.seat()
    await ada.new("klondike", "d1", "36")
    game = await ada.game()
    assert (game.created_ms, game.updated_ms) == (NOW_MS, NOW_MS)
    assert f"<t:{NOW_MS // 1000}:R>" in (await ada.type("games")).text


# Permissions


@quiet
async def test_without_attach_files_the_table_comes_as_text_with_the_reason(world: World) -> None:
    """Issue 205 of nakama: 50013, and nothing was said."""
    silent = world.guild.create_text_channel(
        "no-files", overwrites={world.guild.default_role: discord.PermissionOverwrite(attach_files=False)}
    )
    ada = world.seat()
    ada.channel = silent
    for answer in (await ada.new("klondike", "d1", "36"), await ada.type("draw"), await ada.type("table")):
        assert answer.pictures == []
        assert answer.message.attachments == []
        assert not answer.ephemeral
        assert EN("fault-no-picture") in answer.text
    lines = table_lines(EN, await ada.table())
    assert [line for line in lines if line not in answer.text] == []


@quiet
async def test_in_a_direct_message_no_permission_is_needed(world: World) -> None:
    """SimCord sends app_permissions 0 there, and there is no guild to have any."""
    ada = world.seat(place="direct")
    answer = await ada.new("klondike", "d1", "36")
    assert answer.image.width == 1100
    assert EN("fault-no-picture") not in answer.text


@quiet
async def test_a_player_who_left_the_server_can_go_on_in_a_direct_message(world: World) -> None:
    """Issue 52 of shenhe_bot: a member who had left."""
    await world.seat("ada").new("klondike", "d1", "36")
    member = world.seat("ada").actor
    world.guild.remove_member(member)
    direct = world.seat("ada", "direct")
    await direct.type("draw")
    assert await direct.moves() == ["s-w"]


# Seeds

SEEDS = {
    "everyone": "@everyone",
    "mention": "<@1> <@&2> <#3> </new:4>",
    "backticks": "` ``` @here ``` `",
    "markdown": "**b** __u__ ||s|| # h > q [x](https://example.org)",
    "right to left": "\u202eabc\u202c\u200f",
    "newlines": "a\nb\r\nc\u2028d",
    "controls": "a\x00\x1b[31mb",
    "emoji": "🂡" * 64,
    "slashes": "a/b%2Fc%",
    "moves": "1 2-d s-t",
}


@quiet
@pytest.mark.parametrize("seed", SEEDS.values(), ids=SEEDS)
@pytest.mark.parametrize("place", ["server", "direct"])
async def test_any_seed_is_shown_as_inline_code_and_can_be_played(
    world: World, seed: str, place: str
) -> None:
    ada = world.seat(place=place)
    dealt = await ada.new("acesup", "standard", seed)
    drawn = await ada.type("draw")
    shown = quoted(normalise_seed(seed))
    for answer in (dealt, drawn):
        footer = next(part["content"] for part in answer.parts if shown in part.get("content", ""))
        assert "\n" not in footer
        assert footer.count("`") == 2
        assert "@" not in answer.text.replace(shown, "")
        assert answer.image.width == 1100
    listed = await ada.type("games")
    assert shown in listed.text
    [name] = (await ada.offered("games", "resume")).values()
    assert 1 <= len(name) <= 100
    assert (await ada.game()).record.count(" ") == 1
    assert all(
        request.json["data"]["allowed_mentions"] == {"parse": []}
        for request in world.env.http_requests
        if request.path.endswith("/callback") and request.json and request.json["type"] == 4
    )


# Languages


@quiet
async def test_norwegians_are_answered_in_norwegian(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """SimCord always says "en-US", so `speak` changes the interaction's payload."""
    speak(monkeypatch, "no")
    ada = world.seat()
    assert (await ada.type("draw")).text == NO("fault-no-game")
    dealt = await ada.new("klondike", "d1", "36")
    assert NO("turn-new") in dealt.text
    assert dealt.alt.startswith(NO("turn-new").replace("*", "").replace("`", "")[:10])
    table = await ada.table()
    assert (await ada.offered("move", "from"))["6-7"] == move_text(NO, table, Move("6", "7"))
    assert (await ada.move("1", "2")).text.endswith(".")
    assert (await ada.type("undo")).text == NO("fault-nothing-to-undo")
    assert (await ada.type("help")).text == help_text(NO)
    assert NO("games-title") in (await ada.type("games")).text


@quiet
@pytest.mark.parametrize("locale", ["en-GB", "de", "zh-CN"])
async def test_other_languages_are_answered_in_english(
    world: World, monkeypatch: pytest.MonkeyPatch, locale: str
) -> None:
    speak(monkeypatch, locale)
    assert (await world.seat().type("draw")).text == EN("fault-no-game")


@quiet
async def test_each_player_is_answered_in_their_own_language(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, ola = world.seat("ada"), world.seat("ola")
    english = await ada.new("klondike", "d1", "36")
    with monkeypatch.context() as context:
        speak(context, "no")
        norwegian = await ola.new("klondike", "d1", "36")
    assert EN("turn-new") in english.text
    assert NO("turn-new") in norwegian.text
    assert (await ada.type("undo")).text == EN("fault-nothing-to-undo")


async def test_norwegian_names_of_commands_are_registered(world: World) -> None:
    registered = [
        request.json for request in world.env.http_requests if request.method == "PUT" and request.json
    ]
    [commands] = registered
    names = {command["name"]: command["name_localizations"] for command in commands}
    assert names["draw"]["no"] == NO("command-draw")
    options = {option["name"]: option for command in commands for option in command["options"]}
    assert options["from"]["name_localizations"]["no"] == NO("command-move.from")


# Failures


class Broken(Exception):
    """What no handler expects."""


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("command", ["draw", "undo", "table", "new", "games"])
async def test_an_error_of_the_bot_is_answered_with_an_id_that_is_logged_with_the_traceback(
    world: World,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    place: str,
    command: str,
) -> None:
    """Issue 89 of Pycord: a handler raised and the player got no answer at all."""
    ada = world.seat(place=place)
    await ada.new("klondike", "d1", "36")
    before = await ada.game()

    async def fail(*_arguments: object, **_named: object) -> None:
        raise Broken("the cards fell off the table")

    method = {"table": "show", "games": "unfinished"}.get(command, command)
    monkeypatch.setattr(GameService, method, fail)
    if command in ("draw", "undo", "table"):  # their methods were looked up when the feature was made
        monkeypatch.setattr(GameService, "_load", fail)
    answer = await ada.type(command)
    monkeypatch.undo()
    found = re.search(r"\b[0-9a-f]{6}\b", answer.text)
    assert answer.ephemeral
    assert found
    assert answer.text == EN("fault-unexpected", id=found[0])
    [record] = [r for r in caplog.records if r.levelno == logging.ERROR]
    assert found[0] in record.getMessage()
    assert command in record.getMessage()
    assert record.exc_info is not None
    assert isinstance(record.exc_info[1], Broken)
    assert record.exc_info[2] is not None
    assert await ada.game() == before
    assert world.env.errors == []  # discord.py has nothing left to handle


async def test_two_errors_have_two_ids(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = world.seat()

    async def fail(*_arguments: object, **_named: object) -> None:
        raise Broken

    monkeypatch.setattr(GameService, "new", fail)
    assert (await ada.type("new")).text != (await ada.type("new")).text
    assert world.env.errors == []


async def test_a_table_that_cannot_be_drawn_comes_as_text_and_the_move_is_kept(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ada = world.seat()
    await ada.new("klondike", "d1", "36")

    def fail(*_arguments: object, **_named: object) -> None:
        raise Broken

    with monkeypatch.context() as context:
        context.setattr("bot.discord_app.tables.message.draw_table", fail)
        answer = await ada.type("draw")
    assert EN("fault-not-drawn", id=the_fault(caplog, Broken)) in answer.text
    assert "9♦" in answer.text  # the drawn card, as text
    assert not answer.pictures
    assert await ada.moves() == ["s-w"]
    assert (await ada.type("table")).image.width == 1100


async def test_a_refused_answer_leaves_the_move_played_and_the_bot_running(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    ada = world.seat()
    await ada.new("klondike", "d1", "36")
    world.env.inject_error("POST", "/interactions/*/callback", status=500, times=1)
    await ada.type("draw")
    assert await ada.moves() == ["s-w"]
    assert world.env.errors == []
    assert any(r.levelno == logging.ERROR for r in caplog.records)
    await ada.type("draw")
    assert await ada.moves() == ["s-w", "s-w"]


# Registering commands


async def test_commands_are_registered_once(world: World) -> None:
    """Issue 12 of Verification-Bot: a reconnect pushed the commands again every time."""
    assert world.syncs == 1
    for _ in range(3):
        await world.restart()
    assert world.syncs == 1


async def test_changed_commands_are_registered_again(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def with_one_more(tree: app_commands.CommandTree[discord.Client]) -> None:
        @tree.command(description="Something new")
        async def dance(interaction: discord.Interaction) -> None:
            await interaction.response.send_message("💃")

    class Dancing(Feature):
        def register(self, commands: Commands, router: Router) -> None:
            with_one_more(commands._tree)

    monkeypatch.setattr("bot.discord_app.client.feature_classes", lambda: [*feature_classes(), Dancing])
    await world.restart()
    assert world.syncs == 2
    assert (await world.seat().type("dance")).text == "💃"
    await world.restart()
    assert world.syncs == 2
    monkeypatch.undo()
    await world.restart()
    assert world.syncs == 3


async def test_a_changed_description_is_registered_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def louder(key: str) -> app_commands.locale_str:
        text = label(key)
        return app_commands.locale_str(f"{text.message}!", key=key) if key.endswith(".description") else text

    monkeypatch.setattr("bot.discord_app.commands.label", louder)
    await world.restart()
    assert world.syncs == 2


async def test_a_changed_translation_is_registered_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def silent(*_: object) -> None:
        return None

    monkeypatch.setattr(FluentTranslator, "translate", silent)
    await world.restart()
    assert world.syncs == 2


def known_at_discord(world: World) -> dict[Any, dict[str, Any]]:
    """Return the commands as Discord has them, to be changed as another program would.

    (SimCord lacks the routes that edit and delete a command.)
    """
    kept: dict[Any, dict[str, Any]] = world.env.backend.commands[None]
    return kept


async def test_commands_that_are_missing_at_discord_are_registered_again(world: World) -> None:
    count = len(known_at_discord(world))
    known_at_discord(world).popitem()
    await world.restart()
    assert world.syncs == 2
    assert len(await world.client.tree.fetch_commands()) == count


async def test_commands_that_were_edited_elsewhere_are_registered_again(world: World) -> None:
    draw = next(command for command in known_at_discord(world).values() if command["name"] == "draw")
    draw["description"] = "Something else altogether"
    await world.restart()
    assert world.syncs == 2


async def test_with_another_database_commands_are_registered_again(world: World, tmp_path: Path) -> None:
    world.folder = tmp_path / "other"
    await world.restart()
    assert world.syncs == 2


# Starting and ending


async def test_no_intent_is_asked_for(world: World) -> None:
    assert world.client.intents.value == 0


async def test_the_bot_closes_its_database_when_it_ends(tmp_path: Path, raised: list[BaseException]) -> None:
    async with AsyncExitStack() as stack:
        world = await open_world(stack, tmp_path, raised)
        await world.seat().new("klondike", "d1", "36")
    assert sorted(name for _, _, names in os.walk(tmp_path) for name in names) == ["games.sqlite3"]
