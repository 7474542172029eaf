"""Players who press controls, and positions in which each control can be pressed."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import simcord

from bot.discord_app.client import BotClient
from bot.discord_app.tables.controls import Action, ComponentId, Controls
from bot.discord_app.tables.message import MessageContent
from bot.service import Cost, Limit, Position, SolverPool, Turn, TurnAction
from bot.storage import LiveTable, NewGame, Settings, Status, StoredGame
from bot.text import Texts
from engine import GAMES, Outcome, Record
from tests.discord_app.playing import Answer, Seat, World, new_client
from tests.hints import advise
from tests.wire.interactions import Interaction
from tests.wire.payloads import Message
from tests.wire.payloads import walk as walk_payload
from tests.wire.standin import StandIn

BUTTON, SELECT, TEXT = 2, 3, 10
WEEKS_S = 3 * 7 * 24 * 60 * 60
STATUS = {None: Status.PLAYING, Outcome.WON: Status.WON, Outcome.OVER: Status.OVER}

# Cards may return from full foundations, and kings have many empty columns to go to: 30 legal moves.
MANY_MOVES = Record.parse(
    "klondike/d1r/2 7-6 7-3 5-2 5-2 5-1 s-w s-w s-w w-fc s-w s-w w-fh s-w s-w s-w s-w w-5 s-w s-w s-w "
    "w-fh s-w w-6 6-fh s-w w-fd s-w w-3 s-w w-6 s-w s-w s-w s-w w-7 s-w w-fs s-w w-1 5-1x2 s-w w-2 s-w "
    "w-s s-w w-3 6-3x3 6-7 s-w w-fh s-w s-w w-2 w-2 4-2 4-fd 3-fd s-w w-4 3-4x6 6-3 4-6x8 s-w w-fs 1-fs "
    "6-fs 1-fd 1-fs 6-fd 6-fs 2-fs 1-fd 1-2 2-1x7 2-fc 4-fc 7-6 7-fd 6-7x2 6-fs 7-6x3 7-3 7-1 6-7x7 6-1 "
    "7-2x8 3-7x3 3-fc 1-fc 2-fc s-w s-w s-w w-fh 1-fh 1-fc 2-fh 1-fh 1-fs 2-fc 7-fc w-fh 1-fh w-fs s-w "
    "w-fd 2-fd 2-fc 1-fc 6-fc 5-fc 7-fd 2-fd 7-fs 2-fs 7-fd 2-fd s-w 1-7x2 s-w w-fh 7-fh w-s s-w 7-fs"
)


@cache
def finishing(key: str = "klondike", code: str = "d1") -> Record:
    """Follow hints to the first position that can be finished."""
    return first(at.record for seed in range(1, 400) for at in advised(key, code, seed) if at.finish)


@cache
def chained(code: str = "standard") -> Record:
    """An Aces Up game with a chain of at least three discards, after a few deals."""
    walks = (at for seed in range(1, 100) for at in wandered("acesup", code, seed, 40))
    return first(at.record for at in walks if len(at.discard_chain) >= 3 and len(at.record.moves) >= 3)


@cache
def lost(key: str = "acesup", code: str = "standard") -> Record:
    """A game that is over, and not won."""
    walks = (at for seed in range(1, 100) for at in wandered(key, code, seed, 400))
    return first(at.record for at in walks if at.outcome is Outcome.OVER)


def won(key: str = "klondike", code: str = "d1") -> Record:
    """A game that has just been won."""
    at = Position.of(finishing(key, code))
    return at.then(*at.finish).record


def first(records: Iterator[Record]) -> Record:
    return next(records)


def advised(key: str, code: str, seed: int) -> Iterator[Position]:
    """Yield every position of a game that follows hints, from the deal on."""
    at = Position.of(Record(key, code, str(seed)))
    yield at
    while not at.outcome and (move := advise(at)) is not None:
        at = at.then(move)
        yield at


def wandered(key: str, code: str, seed: int, limit: int) -> Iterator[Position]:
    """Yield every position of a game played at random, which prefers discards and foundations."""
    rng = Random(f"{key}/{code}/{seed}")
    at = Position.of(Record(key, code, str(seed)))
    yield at
    for _ in range(limit):
        if not at.legal_moves:
            return
        home = [move for move in at.legal_moves if move.target[0] in "df" and rng.random() < 0.6]
        at = at.then(rng.choice(home or at.legal_moves))
        yield at


def turn_at(
    at: Position,
    action: TurnAction = TurnAction.SHOWN,
    *,
    undone: str = "",
    status: Status | None = None,
    revision: int = 7,
) -> Turn:
    """Return the turn that ends at a position, as the service would."""
    game = StoredGame(
        id=1,
        owner_id=1,
        record=str(at.record),
        undone=undone,
        revision=revision,
        status=status or STATUS[at.outcome],
        score=at.table.score,
        request_id=1,
        created_ms=0,
        updated_ms=0,
    )
    return Turn(action, game, at, moves=at.record.moves[-1:], table_before=at.before)


def layout(texts: Texts, turn: Turn, **about: Any) -> list[dict[str, Any]]:
    """Return every component of a table's message with its picture, parents first."""
    content = MessageContent("headline", "footer", "table.png", "alt")
    message = content.message(Controls(texts, turn).rows(**about))
    return every(message.view.to_components())  # type: ignore[no-untyped-call]


def every(components: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return components with those inside and beside each."""
    inner = [[*(one.get("components") or []), *filter(None, [one.get("accessory")])] for one in components]
    return [part for one, parts in zip(components, inner, strict=True) for part in (one, *every(parts))]


def parse_id(custom_id: str) -> ComponentId | None:
    """Parse the ``custom_id`` of a control under a table; return None for any other."""
    found = re.fullmatch(r"sol:(\d+):(\d+):([a-z]+)(?::(.+))?", custom_id)
    if found is None or found[3] not in set(Action):
        return None
    return ComponentId(int(found[1]), int(found[2]), Action(found[3]), found[4] or "")


def pressed(part: dict[str, Any]) -> ComponentId:
    """Return what a control under a table does."""
    press = parse_id(str(part["custom_id"]))
    assert press is not None, part["custom_id"]
    return press


class Shown(Answer):
    """A message of the bot as it was at that moment, with its controls."""

    @classmethod
    def of_message(cls, world: World, message: simcord.ResponseMessage) -> Shown:
        """Copy a message: SimCord's own object would follow its edits."""
        return cls(world, simcord.ResponseMessage(world.env, deepcopy(message._message)))

    @property
    def controls(self) -> list[dict[str, Any]]:
        return [part for part in every(self.message.components) if "custom_id" in part]

    @property
    def buttons(self) -> list[dict[str, Any]]:
        return [part for part in self.controls if part["type"] == BUTTON]

    @property
    def labels(self) -> list[str]:
        """The labels of the enabled buttons."""
        return [part["label"] for part in self.buttons if not part.get("disabled")]

    @property
    def menu(self) -> dict[str, Any]:
        """The menu of moves, or of languages."""
        [menu] = [part for part in self.controls if part["type"] == SELECT]
        return menu

    @property
    def options(self) -> dict[str, str]:
        """What the menu offers: labels by value."""
        return {option["value"]: option["label"] for option in self.menu["options"]}

    def labelled(self, label: str) -> str:
        """Return the ``custom_id`` of the only button of that label."""
        [found] = [part for part in self.buttons if part["label"] == label]
        return str(found["custom_id"])

    def of(self, action: Action, detail: str | None = None) -> str:
        """Return the ``custom_id`` of the only control that does that."""
        presses = [(part["custom_id"], pressed(part)) for part in self.controls]
        [found] = [name for name, p in presses if p.action is action and detail in (None, p.detail)]
        return str(found)

    def now(self) -> Shown:
        """Return the same message as it is now."""
        stored = self.world.env.backend.get_message(self.message.channel_id, self.message.id)
        return Shown.of_message(self.world, simcord.ResponseMessage(self.world.env, stored))


@dataclass
class Player:
    """A member who presses; ``shown`` is the message they look at."""

    seat: Seat
    shown: Shown

    @property
    def world(self) -> World:
        return self.seat.world

    async def holds(self, record: Record | str, undone: str = "") -> Shown:
        """Store a game that has come this far, and show its table; ``undone`` is what redo would play."""
        record = Record.parse(record) if isinstance(record, str) else record
        at = Position.of(record)
        store = self.world.client._store
        new = NewGame(
            self.seat.user_id, str(record), STATUS[at.outcome], at.table.score, next(_request_ids), 1
        )
        game = await store.create_game(new)
        if undone:
            await store.save_if_revision(replace(game, undone=undone))
        return await self.types("table")

    async def types(self, command: str, **options: Any) -> Shown:
        """Type a slash command, and look at the answer."""
        answer = await self.seat.type(command, **options)
        self.shown = Shown.of_message(self.world, answer.message)
        return self.shown

    async def press(self, label: str, on: Shown | None = None) -> Shown:
        """Press the button of that label, and look at the answer."""
        return await self.press_id((on or self.shown).labelled(label), on)

    async def do(self, action: Action, detail: str | None = None, on: Shown | None = None) -> Shown:
        """Press the button that does that."""
        return await self.press_id((on or self.shown).of(action, detail), on)

    async def press_id(self, custom_id: str, on: Shown | None = None) -> Shown:
        message = (on or self.shown).message
        result = await self.seat.actor.click(message, custom_id=custom_id)
        return self._see(result)

    async def choose(self, value: str, on: Shown | None = None) -> Shown:
        """Choose in the only menu."""
        seen = on or self.shown
        custom_id = str(seen.menu["custom_id"])
        return self._see(await self.seat.actor.select(seen.message, [value], custom_id=custom_id))

    async def prefers(self, **settings: Any) -> None:
        """Store these settings, without Discord."""
        store = self.world.client._store
        chosen = replace(await store.load_settings(self.seat.user_id), **settings)
        await store.save_settings(self.seat.user_id, chosen)

    async def settings(self) -> Settings:
        return await self.world.client.services.settings.of(self.seat.user_id)

    async def game(self, game_id: int | None = None) -> StoredGame:
        """Return a game from the database, by default the current one."""
        if game_id is None:
            return await self.seat.game()
        game = await self.world.client._store.load_game(game_id)
        assert game is not None
        return game

    async def live(self) -> LiveTable:
        """Return where the current game has its controls, from the database."""
        live = await self.world.client._store.live_table((await self.game()).id)
        assert live is not None
        return live

    def _see(self, result: simcord.InteractionResult) -> Shown:
        assert result.acknowledged, "the press was not answered"
        assert not result.followups
        assert result.response is not None
        self.shown = Shown.of_message(self.world, result.response)
        return self.shown


_request_ids = itertools.count(10_000)


def player(world: World, name: str = "ada", place: str = "server") -> Player:
    """Return the member of that name, who looks at no message yet."""
    nothing: Any = None
    return Player(world.seat(name, place), nothing)


def messages(world: World) -> list[Shown]:
    """Return every message of the channel, oldest first, ephemeral ones too."""
    stored = world.env.backend.messages[world.channel.id].values()
    return [Shown.of_message(world, simcord.ResponseMessage(world.env, message)) for message in stored]


RULE_SETS = (
    *((key, code) for key, game in GAMES.items() for code in game.presets),
    ("klondike", "d1r"),
    ("klondike", "d3p2r"),
    ("acesup", "aces+cell"),
    ("acesup", "cell+pairs"),
    ("acesup", "aces+cell+pairs"),
)


# ------------------------------------------------------------------------------- over real sockets


class Wire(NamedTuple):
    """The unmodified client at a stand-in for Discord, over real sockets."""

    standin: StandIn
    guild_id: int
    client: BotClient

    async def table(self, code: str = "klondike", seed: str = "36", **about: Any) -> Message:
        options = {"game": code, "seed": seed}
        return await (await self.standin.interact("new", options, guild_id=self.guild_id, **about)).shown()

    async def again(self, interaction: Interaction) -> None:
        """Deliver an interaction a second time."""
        await self.standin.gateway.dispatch("INTERACTION_CREATE", interaction.payload)

    async def record(self, game_id: int = 1) -> str:
        game = await self.client._store.load_game(game_id)
        assert game is not None
        return game.record

    async def until(self, condition: Callable[[], bool], timeout_s: float = 5) -> None:
        """Let the client work until a condition is met."""
        async with asyncio.timeout(timeout_s):
            while True:
                if condition():
                    return
                await asyncio.sleep(0)

    async def quietly(self, callbacks: int) -> None:
        """Wait until that many answers to interactions were tried, and their tasks have ended."""
        path = "/callback"
        await self.until(lambda: sum(r.path.endswith(path) for r in self.standin.requests) >= callbacks)
        await self.until(
            lambda: not any(task.get_name().endswith(": on_interaction") for task in asyncio.all_tasks())
        )


@asynccontextmanager
async def open_wire(
    folder: Path, solvers: SolverPool | None = None, limits: Mapping[Cost, Limit] | None = None
) -> AsyncIterator[Wire]:
    """Start the bot at a stand-in; at the end any body that broke Discord's contract fails the test."""
    async with StandIn() as standin:
        guild = standin.add_guild(100, 101)
        with standin.client_settings():
            client = new_client(folder, solvers=solvers, limits=limits)
            running = asyncio.create_task(client.start("token"))
            await standin.connected()
            yield Wire(standin, guild.id, client)
            await client.close()
            await running
        standin.check()


def action_id(message: Message, action: Action) -> str:
    """Return the ``custom_id`` of the message's control that does that."""
    named = [part["custom_id"] for part in walk_payload(message.payload["components"]) if "custom_id" in part]
    return str(next(name for name in named if (press := parse_id(name)) and press.action is action))
