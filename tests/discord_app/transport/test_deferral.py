"""Many at once: users who have to wait are told, slow answers hold up nobody, and floods are refused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest

from bot.discord_app.tables.controls import Action, ComponentId
from bot.discord_app.transport import webhook_adapter
from bot.discord_app.transport.deferral import PLACES, ResponseDeferrer
from bot.service import LIMITS, Cost, Position
from bot.storage import StoredGame
from bot.text import texts_for
from engine import Record
from tests.discord_app.direct import Answered, DirectBot, direct_bot
from tests.discord_app.pressing import open_wire

DEAL = "klondike/d1r/42"
LONG_S = 60.0  # nobody is told to wait because of the time it takes


@pytest.fixture
async def direct(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[DirectBot]:
    async with direct_bot(monkeypatch, limits=LIMITS, defers=True) as opened:
        opened.client.app.deferrer.patience_s = LONG_S
        yield opened


@pytest.fixture
def deferrer(direct: DirectBot) -> ResponseDeferrer:
    return direct.client.app.deferrer


class Stuck:
    """Makes turns wait for the store until ``may_end`` is set."""

    def __init__(self, direct: DirectBot, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun = 0
        self.may_end = asyncio.Event()
        self._load = direct.store.load_game
        monkeypatch.setattr(direct.store, "load_game", self._wait)

    async def _wait(self, game_id: int) -> StoredGame | None:
        self.begun += 1
        await self.may_end.wait()
        return await self._load(game_id)


class Presses:
    """Presses on Draw that are being answered."""

    def __init__(self, direct: DirectBot, stuck: Stuck) -> None:
        self.answered: list[Answered] = []
        self._direct = direct
        self._stuck = stuck
        self._tasks: list[asyncio.Task[Answered]] = []

    async def begin(self, user_id: int) -> None:
        """Have a user press Draw in a game of their own."""
        game = await self._direct.holds(Position.of(Record.parse(DEAL)), owner=user_id)
        pressed = self._direct.pressed(str(ComponentId(game.id, 0, Action.DRAW)), user_id=user_id)
        self.answered.append(pressed)
        self._tasks.append(asyncio.create_task(self._direct.answer(pressed)))

    async def settled(self) -> None:
        """Wait until nothing changes any more."""
        before, unchanged = None, 0
        while unchanged < 20:
            await asyncio.sleep(0.005)
            now = self._stuck.begun, [(one.deferred, len(one.sent)) for one in self.answered]
            before, unchanged = now, unchanged + 1 if now == before else 0

    async def end(self) -> None:
        """Wait until all are answered."""
        await asyncio.gather(*self._tasks)

    @property
    def deferred(self) -> list[Answered]:
        """Those that were deferred."""
        return [one for one in self.answered if one.deferred]


async def test_beyond_a_number_at_once_interactions_are_deferred_and_answered_later(
    direct: DirectBot, deferrer: ResponseDeferrer, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck = Stuck(direct, monkeypatch)
    presses = Presses(direct, stuck)
    for user_id in range(1, 31):
        await presses.begin(user_id)
    await presses.settled()
    assert presses.deferred == presses.answered[deferrer.at_once :]
    assert stuck.begun == deferrer.at_once + PLACES
    stuck.may_end.set()
    await presses.end()
    assert all(one.sent for one in presses.answered)


async def test_no_more_wait_than_can_be_answered(
    direct: DirectBot, deferrer: ResponseDeferrer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(direct.client.services.rate_limiter, "_max_under_way", 25)
    stuck = Stuck(direct, monkeypatch)
    presses = Presses(direct, stuck)
    for user_id in range(1, 31):
        await presses.begin(user_id)
    await presses.settled()
    assert presses.deferred == presses.answered[deferrer.at_once : 25]
    assert [bool(one.sent) for one in presses.answered] == [False] * 25 + [True] * 5
    stuck.may_end.set()
    await presses.end()


async def test_a_flood_of_one_user_does_not_wait_in_front_of_others(
    direct: DirectBot, deferrer: ResponseDeferrer, monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck = Stuck(direct, monkeypatch)
    presses = Presses(direct, stuck)
    at_once = LIMITS[Cost.PRESS].at_once
    for _ in range(at_once + 50):
        await presses.begin(1)
    await presses.settled()
    within, beyond = presses.answered[:at_once], presses.answered[at_once:]
    assert [one for one in within if one.deferred] == within[deferrer.at_once :]
    assert all(one.is_acknowledged for one in beyond)
    assert sum(bool(one.sent) for one in beyond) == 1  # told once; the others are only acknowledged
    stuck.may_end.set()
    await presses.end()


async def test_an_answer_that_takes_long_holds_up_nobody(
    direct: DirectBot, deferrer: ResponseDeferrer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as an animation, which waits until those before it are drawn."""
    deferrer.patience_s = 0.02
    stuck = Stuck(direct, monkeypatch)
    presses = Presses(direct, stuck)
    for user_id in range(1, 41):
        await presses.begin(user_id)
    await presses.settled()
    assert stuck.begun == len(presses.answered)
    assert presses.deferred == presses.answered
    assert not deferrer.is_busy
    stuck.may_end.set()
    await presses.end()
    assert all(one.sent for one in presses.answered)


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
async def test_private_commands_are_deferred_ephemerally(
    tmp_path: Path, command: str, options: Mapping[str, str]
) -> None:
    async with open_wire(tmp_path) as wire:
        await wire.table()
        wire.client.app.deferrer.at_once = 0
        asked = await wire.standin.interact(command, dict(options), guild_id=wire.guild_id)
        answer = await asked.shown()
        told = next(r for r in wire.standin.requests if asked.token in r.path)
        assert (told.json["type"], told.json["data"]["flags"]) == (5, 64)
        assert answer.payload["flags"] & 64
        assert not any(request.method == "DELETE" for request in wire.standin.requests)


@pytest.mark.parametrize("thinks_aloud", [True, False])
async def test_waiting_users_are_told_when_the_bot_stops(tmp_path: Path, *, thinks_aloud: bool) -> None:
    async with open_wire(tmp_path) as wire:
        wire.client.in_flight.finish_s = 0.2
        await wire.table()
        wire.client.app.deferrer.at_once = 0
        for _ in range(PLACES):
            await wire.client.app.deferrer._places.acquire()
        asked = await wire.standin.interact("draw" if thinks_aloud else "settings", guild_id=wire.guild_id)
        await wire.until(lambda: asked.acknowledged)
        await wire.client.in_flight.finish()
        answer = await asked.shown()
        assert texts_for("en")("fault-stopping") in str(answer.payload)
        assert answer.payload["flags"] & 64


async def test_a_late_answer_that_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise the game's next answer would wait for minutes."""
    async with open_wire(tmp_path) as wire:
        await wire.table()
        wire.client.app.deferrer.at_once = 0
        monkeypatch.setattr(webhook_adapter, "CALLBACK_S", 0.5)
        wire.standin.delay("PATCH", "@original$", 8)
        drawn = await wire.standin.interact("draw", guild_id=wire.guild_id)
        told = await drawn.shown()
        assert "(Error " in str(told.payload)
        shown = await (await wire.standin.interact("table", guild_id=wire.guild_id)).shown()
        assert shown.attachment().data
        assert (await wire.record()).endswith(" s-w")


async def test_a_deferred_interaction_is_told_an_error_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object, **__: object) -> None:
        raise RuntimeError

    async with open_wire(tmp_path) as wire:
        await wire.table()
        wire.client.app.deferrer.at_once = 0
        monkeypatch.setattr(wire.client.tables, "post", broken)
        told = await (await wire.standin.interact("draw", guild_id=wire.guild_id)).shown()
        assert "(Error " in str(told.payload)
