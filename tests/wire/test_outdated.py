"""What another version of Discord, or of the bot, would send: it is answered, and nothing is guessed at."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from bot.discord_app.tables.controls import Action
from bot.text import texts_for
from tests.discord_app.pressing import action_id
from tests.wire.interactions import (
    AUTOCOMPLETE,
    COMMAND,
    COMPONENT,
    MODAL_SUBMIT,
    Interaction,
)
from tests.wire.payloads import BUTTON, Json
from tests.wire.storms import CHANNELS, DEALT, DREW, ERROR, GUILD, WENT, Player, Sea

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.usefixtures("no_stray_traceback")]

LANGUAGES = pytest.mark.parametrize(("locale", "language"), [("en-US", "en"), ("no", "no")])
TEXT, INTEGER, USER, CHANNEL, NUMBER = 3, 4, 6, 7, 10
SELECT = 3
UNKNOWN_TYPE = 99


def option(name: str, kind: int, value: Any, **more: Any) -> Json:
    return {"name": name, "type": kind, "value": value, **more}


def command(name: str, *options: Json, kind: int = 1, **more: Any) -> Json:
    return {"id": "77", "name": name, "type": kind, "options": list(options), **more}


FROM, TO = option("from", TEXT, "6"), option("to", TEXT, "7")

OUTDATED_COMMANDS = {
    "a name that is gone": command("patience"),
    "a name that is a group by now": command("new", {"name": "deal", "type": 1, "options": []}),
    "a group that is gone": command(
        "daily", {"name": "of", "type": 2, "options": [{"name": "x", "type": 1}]}
    ),
    "a command of a message's menu": command("Replay", kind=3, target_id="5"),
    "a command of a kind that is unknown": command("draw", kind=UNKNOWN_TYPE),
    "an option that is needed is missing": command("move", TO),
    "an option that is unknown": command("move", FROM, TO, option("pile", TEXT, "w")),
    "a text instead of a number": command("move", FROM, TO, option("count", TEXT, "one")),
    "a number instead of a text": command("move", option("from", INTEGER, 6), TO),
    "a fraction instead of a number": command("move", FROM, TO, option("count", NUMBER, 1.5)),
    "somebody instead of a text": command("move", option("from", USER, "5"), TO),
    "a text instead of a truth": command("new", option("winnable", TEXT, "yes")),
    "a choice that is gone": command("new", option("game", TEXT, "spider")),
    "an option of an unknown type": command("move", option("from", UNKNOWN_TYPE, "6"), TO),
    "an option without a value": command("move", {"name": "from", "type": TEXT}, TO),
    "a channel that is none": command("daily-channel", option("channel", CHANNEL, "general")),
}


async def still_plays(player: Player, record: str = DEALT) -> None:
    """The game is as it was, and goes on."""
    assert await player.record() == record
    shown = await (await player.types("table")).shown()
    await (await player.presses(shown, Action.DRAW)).shown()
    assert await player.record() == f"{record} s-w"


async def sends(player: Player, type_: int, data: Json | None, **about: Any) -> Interaction:
    about = {"guild_id": GUILD, "channel_id": player.channel_id, **about}
    return await player.sea.standin.send(type_, data, user=player.user, **about)


@LANGUAGES
@pytest.mark.parametrize("data", OUTDATED_COMMANDS.values(), ids=OUTDATED_COMMANDS)
async def test_a_command_of_another_version_is_recognised(
    sea: Sea, data: Json, locale: str, language: str
) -> None:
    player = await sea.reader()
    await player.deals()
    shown = await (await sends(player, COMMAND, data, locale=locale)).shown()
    assert shown.ephemeral
    assert shown.text == texts_for(language)("fault-outdated")
    await still_plays(player)


OUTDATED_COMPLETIONS = {
    "a command that is gone": command("patience", option("from", TEXT, "6", focused=True)),
    "an option that is gone": command("move", option("pile", TEXT, "6", focused=True)),
    "an option that does not complete": command("new", option("seed", TEXT, "6", focused=True)),
    "nothing": command("move", FROM),
}


@pytest.mark.parametrize("data", OUTDATED_COMPLETIONS.values(), ids=OUTDATED_COMPLETIONS)
async def test_an_option_of_another_version_gets_no_choices(sea: Sea, data: Json) -> None:
    answer = await (await sends(await sea.reader(), AUTOCOMPLETE, data)).answer()
    assert answer.choices == []


@pytest.mark.parametrize(
    "custom_id",
    [
        "sol:1:0:somersault",
        "sol:1:0:play:",
        "sol:one:0:draw",
        "sol:1",
        "board:moon:today",
        "daily:stop",
        "duel:1:fence",
        "forget:",
        "stats",
        "settings:colour",
        "nothing of ours",
        ":",
        "sol:" + "9" * 95,
    ],
)
async def test_an_unknown_press_is_answered(sea: Sea, custom_id: str) -> None:
    player = await sea.reader()
    table = await player.deals()
    data = {"custom_id": custom_id, "component_type": BUTTON, "id": 1}
    shown = await (await sends(player, COMPONENT, data, locale="no", message=table.payload)).shown()
    assert shown.ephemeral
    assert shown.text == texts_for("no")("fault-unknown-control")
    await still_plays(player)


async def test_a_choice_that_is_not_offered_is_refused(sea: Sea) -> None:
    player = await sea.reader()
    table = await player.deals()
    for values in ([], ["9-9"], ["page-x"], ["6-7", "s-w"], ["no move"]):
        data = {"custom_id": action_id(table, Action.MENU), "component_type": SELECT, "values": values}
        interaction = await sends(player, COMPONENT, {**data, "id": 1}, message=table.payload)
        assert (await interaction.shown()).text
        if values[:1] == ["6-7"]:
            break
    assert player.errors == []
    await still_plays(player, WENT if values else DEALT)


@LANGUAGES
@pytest.mark.parametrize("type_", [MODAL_SUBMIT, 6, UNKNOWN_TYPE], ids=["a form", "the next", "any other"])
async def test_an_interaction_of_an_unknown_type_is_answered(
    sea: Sea, type_: int, locale: str, language: str
) -> None:
    player = await sea.reader()
    await player.deals()
    data = {"custom_id": "form", "components": []}
    shown = await (await sends(player, type_, data, locale=locale)).shown()
    assert shown.text == texts_for(language)("fault-outdated")
    await still_plays(player)


@dataclass(frozen=True)
class Odd:
    """What is odd about an otherwise good interaction."""

    without: tuple[str, ...] = ()
    fields: dict[str, Any] = field(default_factory=dict)


ODDITIES = {
    "no guild locale": Odd(("guild_locale",)),
    "no guild": Odd(("guild",)),
    "no context, no owners, no entitlements": Odd(
        ("context", "authorizing_integration_owners", "entitlements", "entitlement_sku_ids")
    ),
    "an unknown context": Odd(fields={"context": UNKNOWN_TYPE}),
    "no permissions": Odd(("app_permissions",)),
    "no locale": Odd(("locale",)),
    "an unknown locale": Odd(fields={"locale": "tlh"}),
    "a field that is new": Odd(fields={"mood": {"of": ["the", "moon"]}}),
}


@pytest.mark.parametrize("odd", ODDITIES.values(), ids=ODDITIES)
async def test_an_unusual_interaction_is_a_turn_like_any_other(sea: Sea, odd: Odd) -> None:
    player = await sea.reader()
    await player.deals()
    about: Any = {"without": odd.without, **odd.fields}
    drawn = await (await sends(player, COMMAND, command("draw"), **about)).shown()
    assert await player.record() == DREW
    data = {"custom_id": action_id(drawn, Action.UNDO), "component_type": BUTTON, "id": 1}
    await (await sends(player, COMPONENT, data, message=drawn.payload, **about)).shown()
    await still_plays(player)


_THREAD = {
    "parent_id": str(CHANNELS[0]),
    "owner_id": "5",
    "member_count": 1,
    "message_count": 1,
    "thread_metadata": {
        "archived": False,
        "auto_archive_duration": 60,
        "archive_timestamp": "2026-01-01T00:00:00+00:00",
        "locked": False,
    },
}
PLACES: dict[str, Json] = {
    "a channel of an unknown type": {"type": UNKNOWN_TYPE},
    "a stage": {"type": 13, "bitrate": 64_000, "user_limit": 0},
    "a thread": {"type": 11, **_THREAD},
}


@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
async def test_an_unusual_channel_is_a_place_to_play(sea: Sea, place: Json) -> None:
    player = await sea.reader()
    await player.deals()
    channel = {**sea.standin.guilds[GUILD].channel(player.channel_id), "permissions": "0", **place}
    drawn = await (await sends(player, COMMAND, command("draw"), channel=channel)).shown()
    assert await player.record() == DREW
    data = {"custom_id": action_id(drawn, Action.UNDO), "component_type": BUTTON, "id": 1}
    await (await sends(player, COMPONENT, data, message=drawn.payload, channel=channel)).shown()
    await still_plays(player)


async def test_an_interaction_without_a_channel_is_a_turn(sea: Sea) -> None:
    player = await sea.reader()
    await player.deals()
    drawn = await (await sends(player, COMMAND, command("draw"), without=["channel"])).shown()
    assert await player.record() == DREW
    data = {"custom_id": action_id(drawn, Action.UNDO), "component_type": BUTTON, "id": 1}
    pressed = await sends(player, COMPONENT, data, message=drawn.payload, without=["channel"])
    await pressed.shown()
    await still_plays(player)


async def test_an_interaction_without_a_user_is_answered_with_an_error_id(sea: Sea) -> None:
    player = await sea.reader()
    table = await player.deals()
    assert ERROR.search(
        (await (await sends(player, COMMAND, command("draw"), without=["member"])).shown()).text
    )
    data = {"custom_id": action_id(table, Action.DRAW), "component_type": BUTTON, "id": 1}
    pressed = await sends(player, COMPONENT, data, message=table.payload, without=["member"])
    assert ERROR.search((await pressed.shown()).text)
    await still_plays(player)


@pytest.mark.parametrize("type_", [COMMAND, COMPONENT, AUTOCOMPLETE, MODAL_SUBMIT])
async def test_an_interaction_that_cannot_be_parsed_is_skipped(sea: Sea, type_: int) -> None:
    data = {"custom_id": "x", "component_type": BUTTON, "components": [], "name": "draw"}
    whole: Json = {**(await player_payload(sea)), "type": type_, "data": data}
    for without in ("data", "id", "token", "attachment_size_limit", "version"):
        payload = {key: value for key, value in whole.items() if key != without}
        await sea.standin.gateway.dispatch("INTERACTION_CREATE", payload)
    player = await sea.reader()
    await player.deals()
    await still_plays(player)


@pytest.mark.parametrize("channel", [{"id": "5", "type": 13}, {"id": "5", "type": 11}, {"type": 0}])
async def test_a_channel_that_cannot_be_parsed_is_skipped(sea: Sea, channel: Json) -> None:
    await sends(await sea.reader(), COMMAND, command("draw"), channel=channel)
    player = await sea.reader()
    await player.deals()
    await still_plays(player)


async def player_payload(sea: Sea) -> Json:
    """An interaction as it was sent and answered."""
    interaction = await (await sea.reader()).types("help")
    await interaction.shown()
    return dict(interaction.payload)


async def test_the_bot_never_had_to_reconnect(sea: Sea) -> None:
    """All that is above was sent over one connection."""
    assert (sea.standin.gateway.identified, sea.standin.gateway.resumed) == (1, 0)
