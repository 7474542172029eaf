"""One bot at one stand-in for many storms: players with games of their own, and every kind of turn."""

from __future__ import annotations

import asyncio
import itertools
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bot.app import build_client
from bot.clock import Clock, system_clock
from bot.config import Config
from bot.discord_app.client import BotClient
from bot.discord_app.tables.controls import Action
from bot.service import Position
from bot.storage import Settings, Status
from solve import Analysis, Drop
from tests.discord_app.pressing import action_id, lost
from tests.thinking import Thinker, par
from tests.wire.faults import Fault, Loss, Refusal
from tests.wire.interactions import Interaction
from tests.wire.payloads import Json, Message, walk
from tests.wire.standin import StandIn, User

GUILD = 100
CHANNELS = range(1_000, 3_000)  # one for each player, so that nobody waits for another's rate limit
SEED = "36"
DEALT = f"klondike/d1/{SEED}"
LOST = lost()
_AT = next(
    n for n in range(len(LOST.moves)) if len(Position.of(replace(LOST, moves=LOST.moves[:n])).legal_moves) > 1
)
_OTHER = next(
    m for m in Position.of(replace(LOST, moves=LOST.moves[:_AT])).legal_moves if m != LOST.moves[_AT]
)
FOUND = Analysis(par(46, line="s-t s-t"), (Drop(_AT, 46, 45, _OTHER),))
ERROR = re.compile(r"\(Error [0-9a-f]{6}\)")

# The bot's tasks that answer somebody; between two interactions there are none.
_ANSWERING = re.compile(r"discord\.py: on_interaction|CommandTree-invoker|challenge message")


async def until(condition: Callable[[], bool], timeout_s: float = 40.0) -> None:
    """Wait until something is so.

    :raises TimeoutError: when it never is.
    """
    async with asyncio.timeout(timeout_s):
        while not condition():  # noqa: ASYNC110 - what is waited for is told by no event
            await asyncio.sleep(0.005)


@dataclass
class Sea:
    """The bot under test, and the stand-in that it talks to."""

    standin: StandIn
    client: BotClient
    _numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(1))

    def player(self) -> Player:
        """Somebody new, in a channel of their own."""
        number = next(self._numbers)
        user = User(id=5_000_000 + number, name=f"player{number}")
        return Player(self, user, CHANNELS[number])

    async def reader(self) -> Player:
        """Somebody new who plays without pictures, where they are not what it is about: they take time."""
        player = self.player()
        await self.client._store.save_settings(player.user.id, Settings(as_text=True))
        return player

    async def calm(self) -> None:
        """Wait until nobody is being answered any more."""
        await until(lambda: not self.is_answering)

    @property
    def is_answering(self) -> bool:
        """Whether the bot is at work on an answer."""
        return any(_ANSWERING.search(task.get_name()) for task in asyncio.all_tasks())


@dataclass
class Player:
    """A player, and the message with their table."""

    sea: Sea
    user: User
    channel_id: int

    async def types(self, command: str, **options: object) -> Interaction:
        """Send a slash command, and do not wait."""
        return await self.sea.standin.interact(
            command,
            {name.rstrip("_"): value for name, value in options.items()},
            user=self.user,
            guild_id=GUILD,
            channel_id=self.channel_id,
        )

    async def presses(self, table: Message, action: Action, *values: str) -> Interaction:
        """Press a control, and do not wait."""
        custom_id = action_id(table, action)
        return await self.sea.standin.press(table, custom_id, user=self.user, values=list(values) or None)

    async def deals(self) -> Message:
        """Begin the game that every turn is taken in."""
        return await (await self.types("new", game="klondike", seed=SEED)).shown()

    async def has_lost(self) -> Message:
        """Come to the end of a game of which an analysis is known."""
        await (await self.types("new", game=LOST.game, rules=LOST.rules, seed=LOST.seed)).shown()
        store = self.sea.client._store
        game = await store.current_game(self.user.id)
        assert game is not None
        score = Position.of(LOST).table.score
        await store.save_if_revision(replace(game, record=str(LOST), status=Status.OVER, score=score))
        return await (await self.types("table")).shown()

    async def record(self) -> str:
        """The current game as the database has it."""
        game = await self.sea.client._store.current_game(self.user.id)
        return game.record if game else ""

    async def revision(self) -> int:
        """How often the current game was changed, as the database has it."""
        game = await self.sea.client._store.current_game(self.user.id)
        return game.revision if game else -1

    async def plays_on(self, turn: Turn) -> None:
        """Look at the table after a turn, which must show what the turn led to, and play on from it."""
        shown = await (await self.types("table")).shown()
        assert shown.attachment().filename.endswith(f"-{turn.revision}.png")
        if turn.record != str(LOST):
            pressed = await (await self.presses(shown, Action.DRAW)).shown()
            assert pressed.id == shown.id
            assert await self.record() == f"{turn.record} s-w"

    async def live_message_id(self) -> int:
        """The message that the database says has the controls."""
        store = self.sea.client._store
        game = await store.current_game(self.user.id)
        live = game and await store.live_table(game.id)
        return live.message_id if live else 0

    def controls(self, message: Message) -> list[Json]:
        """What can be pressed on a message, as it is by now."""
        now = self.sea.standin.messages[message.id]
        return [part for part in walk(now.payload["components"]) if "custom_id" in part]

    def has_answer(self, interaction: Interaction) -> bool:
        """Whether they see an answer: to the interaction, or else a newer message in their channel."""
        return interaction.is_shown or any(int(m.id) > int(interaction.id) for m in self.messages)

    @property
    def messages(self) -> list[Message]:
        """What the bot has ever written in their channel, as it is now."""
        return [m for m in self.sea.standin.messages.values() if m.channel_id == str(self.channel_id)]

    @property
    def errors(self) -> list[str]:
        """What the bot has told them of its own errors."""
        return [m.text for m in self.messages if ERROR.search(m.text)]


@asynccontextmanager
async def open_sea(folder: Path, clock: Clock = system_clock) -> AsyncIterator[Sea]:
    """Start the bot at a stand-in; at the end every body that broke Discord's contract fails the test."""
    thinker = Thinker()
    thinker.knows(analyse=FOUND)
    async with StandIn() as standin:
        standin.add_guild(GUILD, *CHANNELS)
        with standin.client_settings():
            config = Config(database_url=f"sqlite:///{folder}/games.sqlite3", daily_secret="the tests'")
            client = build_client(config, clock, thinker)
            client.autostart = False
            running = asyncio.create_task(client.start("token"))
            await standin.connected()
            await client.wait_until_ready()
            yield Sea(standin, client)
            await client.close()
            await running
        standin.check()


@dataclass(frozen=True)
class Turn:
    """A kind of turn: what is on the table before, what the player does, and where the game then stands.

    The storm meets the requests of that ``method`` and ``path``, in which ``{table}`` is the table's message.
    """

    before: Callable[[Player], Awaitable[Message]]
    take: Callable[[Player, Message], Awaitable[Interaction]]
    record: str
    revision: int
    method: str = "POST"
    path: str = "/callback$"

    def storm(self, storm: Storm, player: Player, table: Message) -> Fault:
        """Let the storm break loose over that player's answer."""
        path = re.compile(self.path.format(table=table.id))
        user_id = None if "{table}" in self.path else player.user.id
        return player.sea.standin.arm(
            replace(storm.fault, method=self.method, path=path, user_id=user_id, met=[])
        )


@dataclass(frozen=True)
class Storm:
    """What is done to the request; whether there must be an answer all the same, and may be an error's id."""

    fault: Fault
    answered: bool = True
    tells: bool = False


def _storm(times: int = 1, *, answered: bool = True, tells: bool = False, **about: Any) -> Storm:
    return Storm(Fault("", re.compile(""), times, **about), answered, tells)


def _refused(status: int, code: int, *, answered: bool = True) -> Storm:
    return _storm(refusal=Refusal.of_code(status, code), answered=answered, tells=answered)


async def _nothing(player: Player) -> Message:
    return await (await player.types("help")).shown()


async def _dealt(player: Player) -> Message:
    return await player.deals()


async def _drawn(player: Player) -> Message:
    return await (await player.presses(await player.deals(), Action.DRAW)).shown()


async def _over(player: Player) -> Message:
    return await player.has_lost()


DREW, WENT = f"{DEALT} s-w", f"{DEALT} 6-7"
_FOLLOW_UP, _OLD_TABLE = "/webhooks/[^/]+/[^/]+$", "/messages/{table}$"

TURNS = {
    "/new": Turn(_nothing, lambda p, _: p.types("new", game="klondike", seed=SEED), DEALT, 0),
    "/draw": Turn(_dealt, lambda p, _: p.types("draw"), DREW, 1),
    "/draw, of which the table before": Turn(
        _dealt, lambda p, _: p.types("draw"), DREW, 1, "PATCH", _OLD_TABLE
    ),
    "/move": Turn(_dealt, lambda p, _: p.types("move", from_="6", to="7"), WENT, 1),
    "/undo": Turn(_drawn, lambda p, _: p.types("undo"), DEALT, 2),
    "/table": Turn(_drawn, lambda p, _: p.types("table"), DREW, 1),
    "/giveup": Turn(_dealt, lambda p, _: p.types("giveup"), DEALT, 0),
    "/games": Turn(_dealt, lambda p, _: p.types("games"), DEALT, 0),
    "/help": Turn(_dealt, lambda p, _: p.types("help"), DEALT, 0),
    "the button Draw": Turn(_dealt, lambda p, t: p.presses(t, Action.DRAW), DREW, 1),
    "the button Undo": Turn(_drawn, lambda p, t: p.presses(t, Action.UNDO), DEALT, 2),
    "the button More": Turn(_dealt, lambda p, t: p.presses(t, Action.PANEL), DEALT, 0),
    "the menu": Turn(_dealt, lambda p, t: p.presses(t, Action.MENU, "6-7"), WENT, 1),
    "/replay": Turn(_drawn, lambda p, _: p.types("replay"), DREW, 1),
    "/replay, its animation": Turn(_drawn, lambda p, _: p.types("replay"), DREW, 1, "POST", _FOLLOW_UP),
    "/replay, its notice": Turn(_drawn, lambda p, _: p.types("replay"), DREW, 1, "DELETE", r"/messages/\d+$"),
    "/analyse": Turn(_over, lambda p, _: p.types("analyse"), str(LOST), 1),
    "/analyse, its answer": Turn(_over, lambda p, _: p.types("analyse"), str(LOST), 1, "POST", _FOLLOW_UP),
}

# All turns take a minute to draw; these go every way by which something is answered.
QUICK = ("the button Draw", "/draw", "the menu", "/replay, its animation", "/analyse, its answer")

STORMS = {
    "a rate limit": _storm(refusal=Refusal.rate_limit(0.05)),
    "two rate limits": _storm(2, refusal=Refusal.rate_limit(0.05)),
    "a global rate limit": _storm(refusal=Refusal.rate_limit(0.05, is_global=True)),
    "a rate limit without Via": _storm(refusal=Refusal.rate_limit(0.05, via=False), tells=True),
    "a global rate limit without Via": _storm(
        refusal=Refusal.rate_limit(0.05, is_global=True, via=False), tells=True
    ),
    "reset before it took effect": _storm(loss=Loss.BEFORE, resets=True),
    "reset after it took effect": _storm(loss=Loss.AFTER, resets=True),
    "closed before it took effect": _storm(loss=Loss.BEFORE),
    "closed after it took effect": _storm(loss=Loss.AFTER),
    "lost twice, the first after it took effect": _storm(2, loss=Loss.AFTER, resets=True),
    "lost until it is given up": _storm(3, loss=Loss.BEFORE, resets=True, tells=True),
    "expired token (50027)": _refused(401, 50027, answered=False),
    "unknown interaction (10062)": _refused(404, 10062, answered=False),
    "already acknowledged (40060)": _refused(400, 40060, answered=False),
    "deleted message (10008)": _refused(404, 10008),
    "deleted channel (10003)": _refused(404, 10003),
    "no Attach Files (50013)": _refused(403, 50013),
    "no access (50001)": _refused(403, 50001),
    "edit cap (30046)": _refused(400, 30046),
}

# With these everybody has to wait for seconds; so all turns are taken at once.
LONG_STORMS = {
    "500": _storm(refusal=Refusal(500, {"message": "500: Internal Server Error", "code": 0})),
    "502, not even in JSON": _storm(
        refusal=Refusal(502, "<html>Bad Gateway</html>", {"Server": "cloudflare"})
    ),
    "503": _storm(refusal=Refusal(503, {"message": "503: Service Unavailable", "code": 0})),
    "500 after it took effect": _storm(refusal=Refusal(500, {"message": "500", "code": 0}), after_all=True),
    "502 until it is given up": _storm(5, refusal=Refusal(502, "Bad Gateway"), answered=False, tells=True),
    "a stall of 4 seconds": _storm(delay_s=4.0, answered=False),
    "a stall of 4 seconds after it took effect": _storm(late_s=4.0),
}
