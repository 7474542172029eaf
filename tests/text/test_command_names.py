"""Names and descriptions of the commands, in every language, are such as Discord takes."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Any

import discord
import pytest

from bot.discord_app.client import BotClient
from bot.discord_app.localisation import FluentTranslator
from bot.text import DEFAULT
from tests.text.conftest import LANGUAGES, in_every_language

COMMANDS = {
    "new": ["game", "rules", "seed", "code", "winnable"],
    "share": [],
    "challenge": ["friend1", "friend2", "friend3", "friend4", "friend5", "game", "rules", "seed"],
    "compare": ["friend"],
    "move": ["from", "to", "count"],
    "draw": [],
    "discard": ["pile"],
    "undo": [],
    "redo": [],
    "table": [],
    "games": ["resume"],
    "giveup": [],
    "rules": ["game"],
    "help": [],
    "stats": ["user"],
    "privacy": [],
    "export": [],
    "forget-me": [],
}


async def payloads(client: BotClient) -> list[dict[str, Any]]:
    translator = FluentTranslator()
    return [await c.get_translated_payload(client.tree, translator) for c in client.tree.get_commands()]


def localised(part: dict[str, Any], field: str, language: str) -> str:
    """A name or description as somebody reads it whose Discord is in `language`."""
    translations = part.get(f"{field}_localizations") or {}
    return str(part[field] if language == DEFAULT else translations[language])


def named(command: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The command and its options: all that has a name a player types, and a description."""
    yield command
    yield from command.get("options", [])


def is_name(text: str) -> bool:
    """Discord: 1 to 32 letters, digits, hyphens, underscores or apostrophes, in lower case."""
    letters = all(c in "-_'" or unicodedata.category(c)[0] in "LN" for c in text)
    return 1 <= len(text) <= 32 and letters and text == text.lower()


@pytest.mark.parametrize(
    ("text", "verdict"),
    [("gi-opp", True), ("Move", False), ("give up", False), ("x" * 33, False), ("", False)],
)
def test_the_check_of_names_itself(text: str, verdict: bool) -> None:
    assert is_name(text) is verdict


def test_every_language_is_one_of_discords() -> None:
    known = {locale.value for locale in discord.Locale}
    assert [language for language in LANGUAGES if language not in known and language != DEFAULT] == []


async def test_the_commands_and_options_that_were_promised_are_there(client: BotClient) -> None:
    there = {c["name"]: [option["name"] for option in c["options"]] for c in await payloads(client)}
    assert {name: there.get(name) for name in COMMANDS} == COMMANDS


@in_every_language
async def test_names_and_descriptions_keep_discords_rules(client: BotClient, language: str) -> None:
    for command in await payloads(client):
        for part in named(command):
            assert is_name(localised(part, "name", language)), part
            assert 1 <= len(localised(part, "description", language)) <= 100, part


@in_every_language
async def test_no_two_commands_or_options_have_one_name(client: BotClient, language: str) -> None:
    commands = await payloads(client)
    for group in (commands, *(command["options"] for command in commands)):
        names = [localised(part, "name", language) for part in group]
        assert len(set(names)) == len(names)


@in_every_language
async def test_choices_keep_discords_rules(client: BotClient, language: str) -> None:
    found = 0
    for command in await payloads(client):
        for option in command["options"]:
            choices = option.get("choices", [])
            assert len(choices) <= 25
            assert not choices or not option.get("autocomplete")
            for choice in choices:
                found += 1
                assert 1 <= len(localised(choice, "name", language)) <= 100
                assert 1 <= len(choice["value"]) <= 100
    assert found


@in_every_language
async def test_every_command_is_small_enough(client: BotClient, language: str) -> None:
    """Discord takes 8000 characters of names, descriptions and values."""
    for command in await payloads(client):
        size = 0
        for part in named(command):
            size += len(localised(part, "name", language)) + len(localised(part, "description", language))
            size += sum(
                len(localised(choice, "name", language)) + len(choice["value"])
                for choice in part.get("choices", [])
            )
        assert size <= 8000


async def test_commands_work_in_servers_direct_messages_and_groups_for_either_installation(
    client: BotClient,
) -> None:
    for command in await payloads(client):
        if command["name"] != "daily-channel":
            assert sorted(command["contexts"]) == [0, 1, 2]
            assert sorted(command["integration_types"]) == [0, 1]
            assert not command["default_member_permissions"]
        assert not command["nsfw"]


async def test_the_daily_post_is_for_those_who_manage_a_server(client: BotClient) -> None:
    [command] = [command for command in await payloads(client) if command["name"] == "daily-channel"]
    assert command["contexts"] == command["integration_types"] == [0]
    manage_server = discord.Permissions(manage_guild=True).value
    assert int(command["default_member_permissions"]) == manage_server


async def test_required_options_come_first(client: BotClient) -> None:
    for command in await payloads(client):
        required = [bool(option.get("required")) for option in command["options"]]
        assert required == sorted(required, reverse=True)


def test_no_intent_is_asked_for(client: BotClient) -> None:
    assert client.intents == discord.Intents.none()


def test_nothing_ever_pings(client: BotClient) -> None:
    assert client.allowed_mentions is not None
    assert client.allowed_mentions.to_dict().get("parse") == []
