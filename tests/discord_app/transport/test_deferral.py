"""Many at once: who has to wait is told so, nobody waits for those who take long, and a flood is refused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import discord
import pytest
from discord.webhook.async_ import async_context

from bot.discord_app.tables.controls import Action, ComponentId
from bot.discord_app.transport import deferral as attending
from bot.discord_app.transport import in_flight
from bot.discord_app.transport import webhook_adapter as delivery
from bot.discord_app.transport.webhook_adapter import ResponseState, RetryingWebhookAdapter
from bot.service import LIMITS, Cost, Position
from bot.storage import StoredGame
from bot.text import texts_for
from engine import Record
from tests.discord_app.pressing import Bare, bare_bot, open_wire, press

DEAL = "klondike/d1r/42"


class Telling(RetryingWebhookAdapter):
    """Notes who was told to wait, in place of Discord."""

    def __init__(self) -> None:
        super().__init__(1)
        self.told: list[str] = []

    def open_state(self, interaction: discord.Interaction[Any], *, is_private: bool = False) -> ResponseState:
        interaction._session = None  # type: ignore[assignment]
        return super().open_state(interaction, is_private=is_private)

    async def acknowledge(self, state: ResponseState) -> None:
        if not state.deferred:
            self.told.append(state.token)
            state.deferred = 6


@pytest.fixture
async def bare(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Bare]:
    async with bare_bot(monkeypatch, limits=LIMITS) as bare:
        yield bare


@contextmanager
def telling() -> Iterator[Telling]:
    """Send what is answered from here by a :class:`Telling` instead of the real adapter."""
    delivery = Telling()
    token = async_context.set(delivery)
    try:
        yield delivery
    finally:
        async_context.reset(token)


class Stuck:
    """Turns that wait for the store until they are let on."""

    def __init__(self, bare: Bare, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun = 0
        self.may_end = asyncio.Event()
        self._load = bare.store.load_game
        monkeypatch.setattr(bare.store, "load_game", self._wait)

    async def _wait(self, game_id: int) -> StoredGame | None:
        self.begun += 1
        await self.may_end.wait()
        return await self._load(game_id)


async def draws(bare: Bare, user_id: int) -> Any:
    """Have a user with a game of their own press Draw; return the interaction, which is being answered."""
    game = await bare.holds(Position.of(Record.parse(DEAL)), owner=user_id)
    interaction = bare.interaction(user_id, custom_id=str(ComponentId(game.id, 0, Action.DRAW)), values=())
    interaction.answering = asyncio.create_task(press(interaction))
    return interaction


async def settled() -> None:
    """Let everything go on that can."""
    for _ in range(20):
        await asyncio.sleep(0.005)


async def test_whoever_comes_when_many_are_here_is_told_and_answered_in_the_end(
    bare: Bare, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck = Stuck(bare, monkeypatch)
    with telling() as discord_:
        pressed = [await draws(bare, user_id) for user_id in range(1, 31)]
        await settled()
        assert set(discord_.told) == {one.token for one in pressed[attending.AT_ONCE :]}
        assert stuck.begun == attending.AT_ONCE + attending.PLACES
        stuck.may_end.set()
        await asyncio.gather(*(one.answering for one in pressed))
    assert all(one.sent for one in pressed)


async def test_no_more_wait_than_can_be_answered(bare: Bare, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bare.client.services.rate_limiter, "_max_under_way", 25)
    stuck = Stuck(bare, monkeypatch)
    with telling() as discord_:
        pressed = [await draws(bare, user_id) for user_id in range(1, 31)]
        await settled()
        assert len(discord_.told) == 25 - attending.AT_ONCE
        assert [bool(one.sent) for one in pressed] == [False] * 25 + [True] * 5
        stuck.may_end.set()
        await asyncio.gather(*(one.answering for one in pressed))


async def test_what_a_script_floods_does_not_wait_in_front_of_others(
    bare: Bare, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck = Stuck(bare, monkeypatch)
    at_once = LIMITS[Cost.PRESS].at_once
    with telling() as discord_:
        pressed = [await draws(bare, 1) for _ in range(at_once + 50)]
        await settled()
        assert len(discord_.told) == at_once - attending.AT_ONCE
        assert all(one.response.is_done() for one in pressed[at_once:])
        stuck.may_end.set()
        await asyncio.gather(*(one.answering for one in pressed))


async def test_whoever_takes_long_holds_up_nobody(bare: Bare, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as those who wait for a replay, of which one is drawn after the other."""
    monkeypatch.setattr(attending, "PATIENCE_S", 0.02)
    stuck = Stuck(bare, monkeypatch)
    with telling() as discord_:
        pressed = [await draws(bare, user_id) for user_id in range(1, 41)]
        await settled()
        assert stuck.begun == len(pressed)
        assert set(discord_.told) == {one.token for one in pressed}
        assert not bare.client.app.deferrer.is_busy
        stuck.may_end.set()
        await asyncio.gather(*(one.answering for one in pressed))
    assert all(one.sent for one in pressed)


@pytest.mark.parametrize(
    ("command", "options"),
    [
        ("analyse", {}),
        ("export", {}),
        ("forget-me", {}),
        ("help", {}),
        ("privacy", {}),
        ("rules", {"game": "klondike"}),
        ("settings", {}),
    ],
)
async def test_nobody_else_sees_that_something_private_was_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, options: Mapping[str, str]
) -> None:
    async with open_wire(tmp_path) as wire:
        await wire.table()
        monkeypatch.setattr(attending, "AT_ONCE", 0)
        asked = await wire.standin.interact(command, dict(options), guild_id=wire.guild_id)
        answer = await asked.shown()
        told = next(r for r in wire.standin.requests if asked.token in r.path)
        assert (told.json["type"], told.json["data"]["flags"]) == (5, 64)
        assert answer.payload["flags"] & 64
        assert not any(request.method == "DELETE" for request in wire.standin.requests)


@pytest.mark.parametrize("thinks_aloud", [True, False])
async def test_whoever_waits_when_the_bot_must_end_is_not_left_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, thinks_aloud: bool
) -> None:
    monkeypatch.setattr(in_flight, "FINISH_S", 0.2)
    async with open_wire(tmp_path) as wire:
        await wire.table()
        monkeypatch.setattr(attending, "AT_ONCE", 0)
        for _ in range(attending.PLACES):
            await wire.client.app.deferrer._places.acquire()
        asked = await wire.standin.interact("draw" if thinks_aloud else "settings", guild_id=wire.guild_id)
        await wire.until(lambda: asked.acknowledged)
        await wire.client.in_flight.finish()
        answer = await asked.shown()
        assert texts_for("en")("fault-stopping") in str(answer.payload)
        assert answer.payload["flags"] & 64


async def test_an_answer_that_hangs_on_its_way_is_given_up_as_a_first_one_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the game's next answer would wait for it for minutes."""
    async with open_wire(tmp_path) as wire:
        await wire.table()
        monkeypatch.setattr(attending, "AT_ONCE", 0)
        monkeypatch.setattr(delivery, "CALLBACK_S", 0.5)
        wire.standin.delay("PATCH", "@original$", 8)
        drawn = await wire.standin.interact("draw", guild_id=wire.guild_id)
        told = await drawn.shown()
        assert "(Error " in str(told.payload)
        shown = await (await wire.standin.interact("table", guild_id=wire.guild_id)).shown()
        assert shown.attachment().data
        assert (await wire.record()).endswith(" s-w")


async def test_whoever_was_told_to_wait_is_told_of_a_fault_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError

    async with open_wire(tmp_path) as wire:
        await wire.table()
        monkeypatch.setattr(attending, "AT_ONCE", 0)
        monkeypatch.setattr(wire.client.tables, "post", broken)
        told = await (await wire.standin.interact("draw", guild_id=wire.guild_id)).shown()
        assert "(Error " in str(told.payload)
