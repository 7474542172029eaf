"""An answer that takes too long is acknowledged in time, and then stands where "is thinking…" was.

The store keeps an answer waiting at a gate, so that nothing depends on how fast the machine is. Every body
that breaks Discord's contract, in an edit as in a follow-up, fails the test.
"""

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
import pytest_asyncio

from bot.discord_app.errors import say_goodbye
from bot.discord_app.features.privacy import Privacy
from bot.discord_app.features.replay import Replay
from bot.discord_app.tables.controls import Action
from bot.discord_app.tables.message import RenderMode
from bot.discord_app.transport.deferral import ResponseDeferrer
from bot.discord_app.transport.webhook_adapter import ResponseState, RetryingWebhookAdapter
from bot.service import Turn as ServiceTurn
from bot.storage import Settings
from bot.text import texts_for
from tests.discord_app.pressing import action_id
from tests.wire.faults import Loss
from tests.wire.interactions import CHOICES, DEFERRED_REPLY, DEFERRED_UPDATE, REPLY, UPDATE, Interaction
from tests.wire.payloads import EPHEMERAL, LOADING, PNG_SIGNATURE, Message
from tests.wire.rest import Request
from tests.wire.storms import (
    DREW,
    ERROR,
    GUILD,
    STORMS,
    TURNS,
    Player,
    Sea,
    until,
)

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.usefixtures("no_stray_traceback")]

EN = texts_for("en")
CALLBACK = r"/callback$"
LATER = r"/webhooks/"
LONG_S = 60.0
SOME = ("/draw", "the button Draw", "/games")
HEAVY = (
    "a rate limit without Via",
    "closed after it took effect",
    "expired token (50027)",
    "deleted message (10008)",
    "no Attach Files (50013)",
    "edit cap (30046)",
)


class Gate:
    """Where whoever wants to know their settings waits, as nearly every answer does, until it is opened."""

    def __init__(self, load: Callable[[int], Awaitable[Settings]]) -> None:
        self._load = load
        self._opened = asyncio.Event()
        self.waiting = 0

    async def __call__(self, user_id: int) -> Settings:
        self.waiting += 1
        try:
            await self._opened.wait()
        finally:
            self.waiting -= 1
        return await self._load(user_id)

    def open(self) -> None:
        """Let everybody through, from now on."""
        self._opened.set()

    def close(self) -> None:
        """Let nobody through."""
        self._opened.clear()


@pytest_asyncio.fixture(loop_scope="module", autouse=True)
async def gate(sea: Sea, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Gate]:
    """An open gate; in the end the bot has nothing in mind of what was answered."""
    seen: set[RetryingWebhookAdapter] = set()
    open_state = RetryingWebhookAdapter.open_state

    def opening(self: RetryingWebhookAdapter, *args: Any, **named: Any) -> ResponseState:
        seen.add(self)
        return open_state(self, *args, **named)

    gate = Gate(sea.client._store.load_settings)
    gate.open()
    with monkeypatch.context() as patch:
        patch.setattr(RetryingWebhookAdapter, "open_state", opening)
        patch.setattr(sea.client._store, "load_settings", gate)
        yield gate
        gate.open()
        sea.standin.calm()
        await sea.calm()
    await until(lambda: not any(adapter._states for adapter in seen))
    assert len(seen) == 1
    assert sea.client.app.deferrer._present == 0


@pytest.fixture
def hasty(sea: Sea, monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord is told very soon that an answer is coming."""
    monkeypatch.setattr(sea.client.app.deferrer, "patience_s", 0.01)


@pytest.fixture
def slow_replays(sea: Sea, monkeypatch: pytest.MonkeyPatch) -> None:
    """A replay takes so long to draw that there is a notice first."""

    async def draw(*_: object) -> bytes:
        await asyncio.sleep(0.1)
        return b"GIF89a"

    monkeypatch.setattr(sea.client.app.animations, "draw", draw)
    monkeypatch.setattr(sea.client.feature(Replay), "patience_s", 0.0)


@pytest.fixture
def patient(sea: Sea, monkeypatch: pytest.MonkeyPatch) -> None:
    """Discord is never told."""
    monkeypatch.setattr(sea.client.app.deferrer, "patience_s", LONG_S)


def of(sea: Sea, interaction: Interaction, pattern: str = "") -> list[Request]:
    """The requests that answered an interaction."""
    found = [r for r in sea.standin.requests if interaction.token in r.path]
    return [r for r in found if not pattern or pattern in f"{r.method} {r.path}"]


def ways(sea: Sea, interaction: Interaction) -> list[str]:
    """How an interaction was answered: the types of its first answers, and the methods of what came later."""
    return [str(r.json["type"]) if r.path.endswith("/callback") else r.method for r in of(sea, interaction)]


def thinks(message: Message) -> bool:
    return bool(message.payload["flags"] & LOADING)


def since(player: Player, known: list[Message]) -> list[Message]:
    """The messages in a player's channel that were not there before."""
    ids = {message.id for message in known}
    return [message for message in player.messages if message.id not in ids]


async def late(gate: Gate, asks: Callable[[], Awaitable[Interaction]]) -> Interaction:
    """Ask for something, and have it answered only after it was acknowledged."""
    gate.close()
    interaction = await asks()
    await interaction.answer()
    gate.open()
    return interaction


@pytest.mark.usefixtures("hasty")
async def test_a_slow_command_replaces_is_thinking(sea: Sea, gate: Gate) -> None:
    player = sea.player()
    await player.deals()
    known = player.messages
    gate.close()
    interaction = await player.types("draw")
    told = await interaction.answer()
    assert told.type == DEFERRED_REPLY
    assert told.message is not None
    assert thinks(told.message)
    gate.open()
    shown = await interaction.shown()
    await sea.calm()
    assert shown.attachment().filename.endswith("-1.png")
    assert not thinks(sea.standin.messages[shown.id])
    assert [message.id for message in since(player, known)] == [told.message.id] == [shown.id]
    assert ways(sea, interaction) == ["5", "PATCH"]
    assert await player.record() == DREW
    assert await player.live_message_id() == int(shown.id)
    assert player.controls(shown)
    assert player.controls(known[-1]) == []


@pytest.mark.usefixtures("hasty")
async def test_a_slow_press_edits_the_pressed_message(sea: Sea, gate: Gate) -> None:
    player = sea.player()
    table = await player.deals()
    known = player.messages
    interaction = await late(gate, lambda: player.presses(table, Action.DRAW))
    assert (await interaction.answer()).type == DEFERRED_UPDATE
    shown = await interaction.shown()
    await sea.calm()
    assert shown.id == table.id
    assert shown.attachment().filename.endswith("-1.png")
    assert ways(sea, interaction) == ["6", "PATCH"]
    assert since(player, known) == []
    assert await player.record() == DREW
    assert await player.live_message_id() == int(table.id)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("name", [name for name, turn in TURNS.items() if turn.path == CALLBACK])
async def test_every_turn_can_be_late(
    sea: Sea, gate: Gate, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sea.client.feature(Replay), "patience_s", 0.0)
    player, turn = sea.player(), TURNS[name]
    table = await turn.before(player)
    interaction = await late(gate, lambda: turn.take(player, table))
    shown = await interaction.shown()
    await sea.calm()
    assert [message.text for message in player.messages if thinks(message)] == []
    assert player.errors == []
    assert shown.id in sea.standin.messages or interaction.followups
    assert (await player.record(), await player.revision()) == (turn.record, turn.revision)
    await player.plays_on(turn)


@pytest.mark.usefixtures("hasty")
async def test_a_late_refusal_is_ephemeral(sea: Sea, gate: Gate) -> None:
    player = sea.player()
    await player.deals()
    known = player.messages
    interaction = await late(gate, lambda: player.types("move", from_="1", to="2"))
    shown = await interaction.shown()
    assert "column 2" in shown.text
    assert shown.ephemeral
    assert since(player, known) == [shown]
    assert ways(sea, interaction) == ["5", "DELETE", "POST"]
    assert of(sea, interaction)[-1].json["flags"] & EPHEMERAL


@pytest.mark.usefixtures("hasty")
async def test_a_late_private_table_is_ephemeral(sea: Sea, gate: Gate) -> None:
    player = sea.player()
    await sea.client._store.save_settings(player.user.id, Settings(is_private=True))
    await player.deals()
    known = player.messages
    interaction = await late(gate, lambda: player.types("draw"))
    shown = await interaction.shown()
    await sea.calm()
    assert shown.ephemeral
    assert shown.attachment().filename.endswith("-1.png")
    assert [message.id for message in since(player, known)] == [shown.id]
    assert await player.live_message_id() == int(shown.id)
    assert player.controls(known[-1]) == []  # by its token, which is the only way
    pressed = await late(gate, lambda: player.presses(shown, Action.DRAW))
    assert (await pressed.shown()).id == shown.id
    await sea.calm()
    again = await (await player.types("draw")).shown()
    await sea.calm()
    assert player.controls(shown) == []
    assert player.controls(again)


@pytest.mark.usefixtures("hasty")
async def test_a_late_ephemeral_answer_to_a_press_leaves_the_table(sea: Sea, gate: Gate) -> None:
    player = sea.player()
    table = await (await player.presses(await player.deals(), Action.PANEL)).shown()
    interaction = await late(gate, lambda: player.presses(table, Action.RULES))
    shown = await interaction.shown()
    assert shown.ephemeral
    assert shown.id != table.id
    assert ways(sea, interaction) == ["6", "POST"]
    assert sea.standin.messages[table.id] == table


@pytest.mark.usefixtures("hasty")
async def test_a_late_press_can_post_a_new_table(sea: Sea, gate: Gate) -> None:
    """The same cards for somebody else: a reply, and the pressed table is not theirs."""
    owner, player = sea.player(), sea.player()
    table = await owner.deals()
    other = await (await player.types("games")).shown()
    interaction = await late(
        gate,
        lambda: sea.standin.press(table, action_id(table, Action.DRAW), user=player.user),
    )
    refused = await interaction.shown()
    assert refused.ephemeral
    interaction = await late(
        gate, lambda: sea.standin.press(refused, action_id(refused, Action.SAME), user=player.user)
    )
    shown = await interaction.shown()
    await sea.calm()
    assert shown.id not in (table.id, refused.id, other.id)
    assert shown.attachment().filename.endswith("-0.png")
    assert await player.live_message_id() == int(shown.id)
    assert sea.standin.messages[table.id] == table


@pytest.mark.usefixtures("hasty")
async def test_a_handler_can_defer_itself_too(sea: Sea, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sea.client.feature(Privacy), "patience_s", 0.3)
    own_data, may_end = sea.client.services.own_data, asyncio.Event()
    export = own_data.export

    async def slowly(user_id: int) -> dict[str, Any]:
        await may_end.wait()
        return await export(user_id)

    monkeypatch.setattr(own_data, "export", slowly)
    player = sea.player()
    await player.deals()
    known = player.messages
    interaction = await player.types("export")
    await until(lambda: ways(sea, interaction) == ["5"])
    await asyncio.sleep(0.4)  # so that it says so itself as well
    may_end.set()
    shown = await interaction.shown()
    assert shown.ephemeral
    assert shown.attachment().filename.endswith(".json")
    assert since(player, known) == [shown]
    assert ways(sea, interaction) == ["5", "POST"]  # private from the start


@pytest.mark.usefixtures("hasty")
async def test_a_channel_can_be_chosen_late(sea: Sea, gate: Gate) -> None:
    player = sea.player()
    known = player.messages
    [command] = [c for c in sea.standin.commands if c["name"] == "daily-channel"]
    channel = {"id": str(player.channel_id), "type": 0, "name": "here", "permissions": "0", "flags": 0}
    data = {
        "id": command["id"],
        "name": "daily-channel",
        "type": 1,
        "options": [{"name": "channel", "type": 7, "value": channel["id"]}],
        "resolved": {"channels": {channel["id"]: channel}},
    }
    interaction = await late(
        gate,
        lambda: sea.standin.send(2, data, user=player.user, guild_id=GUILD, channel_id=player.channel_id),
    )
    shown = await interaction.shown()
    await sea.calm()
    assert shown.text == EN("channel-chosen", channel=f"<#{player.channel_id}>")
    assert shown.ephemeral
    assert ways(sea, interaction) == ["5", "POST"]  # private from the start
    assert [m.id for m in since(player, known) if thinks(m)] == []


@pytest.mark.usefixtures("hasty", "slow_replays")
async def test_a_late_notice_is_deleted_and_the_pressed_message_stays(
    sea: Sea, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ServiceTurn, "best_record", property(lambda turn: turn.position.record))
    player = sea.player()
    await player.has_lost()
    analysis = await (await player.types("analyse")).shown()
    await sea.calm()
    known = player.messages
    monkeypatch.setattr(ServiceTurn, "may_know_best", False)  # so that it does not say that it thinks
    interaction = await late(gate, lambda: player.presses(analysis, Action.BEST))
    await sea.calm()
    assert analysis.id in sea.standin.messages
    [animation] = since(player, known)
    assert animation.attachment().filename.endswith(".gif")
    assert ways(sea, interaction) == ["6", "POST", "POST", "DELETE"]


@pytest.mark.usefixtures("hasty", "slow_replays")
async def test_a_lost_follow_up_of_a_late_answer_is_repeated(sea: Sea, gate: Gate) -> None:
    player = sea.player()
    await player.deals()
    known = player.messages
    gate.close()
    interaction = await player.types("replay")
    await interaction.answer()
    sea.standin.drop("POST", LATER, loss=Loss.BEFORE)
    gate.open()
    await interaction.shown()
    await sea.calm()
    [animation] = since(player, known)
    assert animation.attachment().filename.endswith(".gif")
    assert ways(sea, interaction)[:3] == ["5", "PATCH", "POST"]


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("is_press", [False, True], ids=["a command", "a press"])
async def test_a_late_error_of_the_bot_is_ephemeral(
    sea: Sea, gate: Gate, monkeypatch: pytest.MonkeyPatch, *, is_press: bool
) -> None:
    player = sea.player()
    table = await player.deals()
    known = player.messages

    async def broken(_: int) -> Settings:
        raise ZeroDivisionError

    monkeypatch.setattr(gate, "_load", broken)
    interaction = await late(
        gate, lambda: player.presses(table, Action.DRAW) if is_press else player.types("draw")
    )
    shown = await interaction.shown()
    await sea.calm()
    assert shown.ephemeral
    assert ERROR.search(shown.text)
    assert since(player, known) == [shown]


async def test_autocomplete_is_never_deferred(sea: Sea, gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sea.client.app.deferrer, "patience_s", 0.0)
    player = sea.player()
    await player.deals()
    gate.close()
    typing = await sea.standin.autocomplete(
        "move", "from", "6", user=player.user, guild_id=GUILD, channel_id=player.channel_id
    )
    await until(lambda: gate.waiting == 1)
    command = await player.types("draw")
    await command.answer()
    assert not typing.acknowledged
    gate.open()
    assert (await typing.answer()).type == CHOICES
    await command.shown()


# At the same moment


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("is_press", [False, True], ids=["a command", "a press"])
async def test_an_answer_waits_for_a_deferral_under_way(sea: Sea, gate: Gate, *, is_press: bool) -> None:
    player = sea.player()
    table = await player.deals()
    telling = sea.standin.delay("POST", CALLBACK, 0.3)
    gate.close()
    interaction = await (player.presses(table, Action.DRAW) if is_press else player.types("draw"))
    await until(lambda: bool(telling.met))
    gate.open()
    shown = await interaction.shown()
    assert shown.attachment().filename.endswith("-1.png")
    assert ways(sea, interaction) == ["6" if is_press else "5", "PATCH"]


@pytest.mark.parametrize("is_press", [False, True], ids=["a command", "a press"])
async def test_there_is_no_deferral_while_the_answer_is_being_sent(
    sea: Sea, monkeypatch: pytest.MonkeyPatch, *, is_press: bool
) -> None:
    player = await sea.reader()
    table = await player.deals()
    monkeypatch.setattr(sea.client.app.deferrer, "patience_s", 0.3)
    told = asyncio.Event()
    acknowledge = RetryingWebhookAdapter.acknowledge

    async def acknowledging(self: RetryingWebhookAdapter, standing: ResponseState) -> None:
        told.set()
        await acknowledge(self, standing)

    monkeypatch.setattr(RetryingWebhookAdapter, "acknowledge", acknowledging)
    sea.standin.delay("POST", CALLBACK, 1.0)
    interaction = await (player.presses(table, Action.DRAW) if is_press else player.types("draw"))
    await told.wait()
    await interaction.shown()
    await sea.calm()
    assert ways(sea, interaction) == [str(UPDATE if is_press else REPLY)]


# What goes wrong


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("is_press", [False, True], ids=["a command", "a press"])
async def test_after_a_refused_deferral_the_answer_comes_first(
    sea: Sea, gate: Gate, *, is_press: bool
) -> None:
    player = sea.player()
    table = await player.deals()
    fault = sea.standin.answer_with("POST", CALLBACK, 404, {"code": 10062, "message": "Unknown interaction"})
    gate.close()
    interaction = await (player.presses(table, Action.DRAW) if is_press else player.types("draw"))
    await until(lambda: bool(fault.met))
    gate.open()
    assert (await interaction.shown()).attachment().filename.endswith("-1.png")
    kinds = (DEFERRED_UPDATE, UPDATE) if is_press else (DEFERRED_REPLY, REPLY)
    assert ways(sea, interaction) == [*map(str, kinds)]


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("loss", Loss)
@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("is_press", [False, True], ids=["a command", "a press"])
async def test_a_lost_deferral_is_survived(
    sea: Sea, gate: Gate, loss: Loss, times: int, *, is_press: bool
) -> None:
    player = sea.player()
    table = await player.deals()
    known = player.messages
    fault = sea.standin.drop("POST", CALLBACK, times, loss=loss)
    gate.close()
    interaction = await (player.presses(table, Action.DRAW) if is_press else player.types("draw"))
    await until(lambda: len(fault.met) == times)
    gate.open()
    shown = await interaction.shown()
    await sea.calm()
    assert shown.attachment().filename.endswith("-1.png")
    assert not thinks(sea.standin.messages[shown.id])
    assert [m.id for m in since(player, known)] == ([] if is_press else [shown.id])
    assert await player.live_message_id() == int(shown.id)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(
    ("name", "weather"),
    [
        pytest.param(name, weather, marks=[] if name in SOME and weather in HEAVY else pytest.mark.slow)
        for name in (*SOME, "/new", "the menu")
        for weather in STORMS
    ],
)
async def test_a_late_answer_survives_request_failures(sea: Sea, gate: Gate, name: str, weather: str) -> None:
    player, turn, storm = sea.player(), TURNS[name], STORMS[weather]
    table = await turn.before(player)
    gate.close()
    interaction = await turn.take(player, table)
    await interaction.answer()
    method = "POST" if name == "/games" else "PATCH"  # it is for its reader alone
    fault = replace(turn, method=method, path=LATER).storm(storm, player, table)
    gate.open()
    await until(lambda: bool(fault.met))
    await sea.calm()
    assert (await player.record(), await player.revision()) == (turn.record, turn.revision)
    assert player.has_answer(interaction) or not storm.answered
    assert bool(player.errors) <= storm.tells
    await player.plays_on(turn)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("command", ["draw", "games"])
async def test_if_is_thinking_was_deleted_the_answer_is_a_new_message(
    sea: Sea, gate: Gate, command: str
) -> None:
    player = sea.player()
    await player.deals()
    known = player.messages
    gate.close()
    interaction = await player.types(command)
    told = await interaction.answer()
    assert told.message is not None
    del sea.standin.messages[told.message.id]
    gate.open()
    shown = await interaction.shown()
    await sea.calm()
    assert [message.id for message in since(player, known)] == [shown.id]
    assert shown.ephemeral == (command == "games")
    assert player.errors == []


@pytest.mark.usefixtures("hasty")
async def test_a_lost_response_to_a_deletion_does_not_hold_up_the_answer(sea: Sea, gate: Gate) -> None:
    player = sea.player()
    await player.deals()
    gate.close()
    interaction = await player.types("games")
    await interaction.answer()
    fault = sea.standin.drop("DELETE", LATER, 2, loss=Loss.AFTER)  # aiohttp itself tries a second time
    gate.open()
    assert (await interaction.shown()).ephemeral
    assert len(fault.met) == 1 + 1
    assert player.errors == []


@pytest.mark.usefixtures("hasty")
async def test_a_public_is_thinking_is_never_replaced_by_an_ephemeral_answer(sea: Sea, gate: Gate) -> None:
    player = sea.player()
    await player.deals()
    known = player.messages
    gate.close()
    interaction = await player.types("move", from_="1", to="2")
    await interaction.answer()
    sea.standin.answer_with("DELETE", LATER, 403, {"code": 50013, "message": "Missing Permissions"}, times=9)
    gate.open()
    await sea.calm()
    assert [message.text for message in since(player, known)] == [""]
    assert "POST" not in ways(sea, interaction)


@pytest.mark.usefixtures("hasty")
async def test_without_attach_files_a_late_table_comes_as_text(
    sea: Sea, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = sea.player()
    await player.deals()
    monkeypatch.setattr(sea.standin, "app_permissions", "0")
    shown = await (await late(gate, lambda: player.types("draw"))).shown()
    assert shown.attachments == ()
    assert EN("fault-no-picture") in shown.text


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("is_press", [False, True], ids=["a command", "a press"])
async def test_an_interaction_delivered_twice_is_one_turn_and_one_message(
    sea: Sea, gate: Gate, *, is_press: bool
) -> None:
    player = sea.player()
    table = await player.deals()
    known = player.messages
    gate.close()
    interaction = await (player.presses(table, Action.DRAW) if is_press else player.types("draw"))
    await sea.standin.again(interaction)
    await until(lambda: gate.waiting >= 2 or (gate.waiting == 1 and not is_press))
    await interaction.answer()
    gate.open()
    shown = await interaction.shown()
    await sea.calm()
    assert [message.id for message in since(player, known)] == ([] if is_press else [shown.id])
    assert ways(sea, interaction).count("PATCH") == 1
    assert ways(sea, interaction).count("6" if is_press else "5") == 1
    assert await player.record() == DREW
    assert player.errors == []
    await sea.standin.again(interaction)
    await sea.calm()
    assert await player.record() == DREW
    assert [message.id for message in since(player, known)] == ([] if is_press else [shown.id])


# A bot that was killed since


either = pytest.mark.parametrize("tells", [False, True], ids=["answered", "acknowledged first"])


async def left(
    sea: Sea,
    gate: Gate,
    asks: Callable[[], Awaitable[Interaction]],
    kind: int,
    flags: int = 0,
    *,
    tells: bool,
) -> Interaction:
    """Ask for something that a bot that was killed since has acknowledged, as this one doesn't know.

    Where it ``tells``, this one tries to acknowledge it too, before it answers.
    """
    gate.close()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sea.client.app.deferrer, "patience_s", 0.3 if tells else LONG_S)
        interaction = await asks()
        await until(lambda: gate.waiting > 0)
    body = {"type": kind, **({"data": {"flags": flags}} if flags else {})}
    path = f"/interactions/{interaction.id}/{interaction.token}/callback"
    assert sea.standin.rest.answer(Request("POST", path, json=body)) == (204, None)
    if tells:
        await until(lambda: bool(of(sea, interaction, "GET")))
    gate.open()
    return interaction


@either
@pytest.mark.parametrize("flags", [0, EPHEMERAL], ids=["for all", "for the player"])
@pytest.mark.parametrize("command", ["draw", "games", "export"])
async def test_a_command_deferred_before_a_kill_is_answered(
    sea: Sea, gate: Gate, command: str, flags: int, monkeypatch: pytest.MonkeyPatch, *, tells: bool
) -> None:
    player = sea.player()
    await player.deals()
    known = player.messages
    if command == "export":  # which says itself that it is thinking
        monkeypatch.setattr(sea.client.feature(Privacy), "patience_s", 0.6)
        monkeypatch.setattr(
            sea.client.services.own_data, "export", slowly(sea.client.services.own_data.export)
        )
    interaction = await left(sea, gate, lambda: player.types(command), DEFERRED_REPLY, flags, tells=tells)
    shown = await interaction.shown()
    await sea.calm()
    assert [message.id for message in since(player, known)] == [shown.id]
    assert not thinks(sea.standin.messages[shown.id])
    assert shown.ephemeral == (command != "draw")
    assert not any(r.json.get("flags", 0) & EPHEMERAL for r in of(sea, interaction, "PATCH"))
    if command == "draw":
        assert shown.attachment().data.startswith(PNG_SIGNATURE)
    assert player.errors == []


@either
async def test_a_press_deferred_before_a_kill_edits_the_table(sea: Sea, gate: Gate, *, tells: bool) -> None:
    player = sea.player()
    table = await player.deals()
    known = player.messages
    interaction = await left(
        sea, gate, lambda: player.presses(table, Action.DRAW), DEFERRED_UPDATE, tells=tells
    )
    shown = await interaction.shown()
    await sea.calm()
    assert shown.id == table.id
    assert shown.attachment().filename.endswith("-1.png")
    assert shown.attachment().data.startswith(PNG_SIGNATURE)
    assert since(player, known) == []


@either
async def test_a_press_deferred_before_a_kill_can_be_answered_below_the_table(
    sea: Sea, gate: Gate, *, tells: bool
) -> None:
    player = sea.player()
    table = await (await player.presses(await player.deals(), Action.PANEL)).shown()
    known = player.messages
    interaction = await left(
        sea, gate, lambda: player.presses(table, Action.RULES), DEFERRED_UPDATE, tells=tells
    )
    shown = await interaction.shown()
    assert shown.ephemeral
    assert [message.id for message in since(player, known)] == [shown.id]
    assert sea.standin.messages[table.id] == table


@either
async def test_an_interaction_answered_before_a_kill_is_not_answered_again(
    sea: Sea, gate: Gate, *, tells: bool
) -> None:
    player = sea.player()
    await player.deals()
    known = player.messages
    interaction = await left(sea, gate, lambda: player.types("games"), REPLY, EPHEMERAL, tells=tells)
    await sea.calm()
    assert since(player, known) == [(await interaction.answer()).message]  # as it was left
    assert {"PATCH", "POST", "DELETE"}.isdisjoint(ways(sea, interaction))


# Many at once

AT_ONCE, PLACES, DEFERRALS_AT_ONCE = 2, 2, 3


@pytest.fixture
def small(sea: Sea, monkeypatch: pytest.MonkeyPatch) -> ResponseDeferrer:
    """The deferrer of a bot that is not made for many; nobody is told because an answer takes long."""
    deferrer = ResponseDeferrer(
        say_goodbye, patience_s=LONG_S, at_once=AT_ONCE, places=PLACES, deferrals_at_once=DEFERRALS_AT_ONCE
    )
    monkeypatch.setattr(sea.client.app, "deferrer", deferrer)
    return deferrer


async def test_many_at_once_are_deferred_and_get_their_own_tables(
    sea: Sea, gate: Gate, small: ResponseDeferrer, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = [sea.player() for _ in range(12)]
    for player in players:
        await (await player.types("new", game="klondike", seed=f"of {player.user.name}")).shown()
    await sea.calm()
    at_once = Peak(RetryingWebhookAdapter.acknowledge)
    monkeypatch.setattr(RetryingWebhookAdapter, "acknowledge", at_once)
    hurries = []
    build = sea.client.tables._builder.build

    async def building(*about: Any) -> Any:
        hurries.append(about[-1])
        return await build(*about)

    monkeypatch.setattr(sea.client.tables._builder, "build", building)
    sea.standin.delay("POST", CALLBACK, 0.05, times=len(players))
    gate.close()
    interactions = [await player.types("draw") for player in players]
    told = interactions[AT_ONCE:]
    answers = await asyncio.gather(*(interaction.answer() for interaction in told))
    assert [answer.type for answer in answers] == [DEFERRED_REPLY] * len(told)
    assert not any(interaction.acknowledged for interaction in interactions[:AT_ONCE])
    was_busy = small.is_busy
    assert gate.waiting == AT_ONCE + PLACES
    assert at_once.most == DEFERRALS_AT_ONCE
    gate.open()
    shown = await asyncio.gather(*(interaction.shown() for interaction in interactions))
    await sea.calm()
    assert (was_busy, small.is_busy) == (True, False)
    for player, table in zip(players, shown, strict=True):
        assert f"`of {player.user.name}`" in table.text
        assert table.attachment().filename.endswith("-1.png")
        assert await player.live_message_id() == int(table.id)
        assert await player.revision() == 1
        assert not any(thinks(message) for message in player.messages)
    assert hurries[0] is RenderMode.FAST
    assert hurries[-1] is RenderMode.FULL


async def test_a_deferral_that_hangs_holds_up_nobody(sea: Sea, gate: Gate, small: ResponseDeferrer) -> None:
    players = [await sea.reader() for _ in range(6)]
    for player in players:
        await player.deals()
    await sea.calm()
    gate.close()
    first = [await player.types("draw") for player in players[:2]]
    await until(lambda: gate.waiting == len(first))
    stuck = sea.standin.delay("POST", CALLBACK, 2.0)
    late_one = await players[2].types("draw")
    await until(lambda: bool(stuck.met))
    others = [await player.types("draw") for player in players[3:]]
    await asyncio.gather(*(interaction.answer() for interaction in others))
    gate.open()
    await asyncio.gather(*(interaction.shown() for interaction in [*first, *others]))
    assert not late_one.is_shown
    assert (await late_one.shown()).text
    assert small.is_busy is False


class Peak:
    """Counts how many are under way in a method, at most."""

    def __init__(self, method: Callable[..., Awaitable[None]]) -> None:
        self._method = method
        self._now = 0
        self.most = 0

    def __get__(self, owner: object, _: type) -> Callable[..., Awaitable[None]]:
        return functools.partial(self, owner)

    async def __call__(self, *about: Any) -> None:
        self._now += 1
        self.most = max(self.most, self._now)
        try:
            await self._method(*about)
        finally:
            self._now -= 1


def slowly(method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """Return what does the same, and takes so long that a handler would say that it is thinking."""

    async def slow(*about: Any) -> Any:
        await asyncio.sleep(0.7)
        return await method(*about)

    return slow
