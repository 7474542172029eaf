"""Players who play on while the bot is killed, and an account of what their games must then be.

Each player asks for one thing at a time and keeps account of it: what the stand-in has accepted an answer
for must be in the database, as the engine plays it. What was asked for and not yet answered may be there or
not, but not twice.
"""

from __future__ import annotations

import asyncio
import random
import shutil
import socket
import sqlite3
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bot.discord_app.tables.controls import Action, ComponentId
from bot.storage import Settings, Store
from engine import GAMES, IllegalMove, Move, Record, replay
from tests.discord_app.pressing import parse_id
from tests.wire.interactions import Interaction
from tests.wire.payloads import BUTTON, Message, walk
from tests.wire.standin import StandIn, User

DEALS = (("klondike", "d1"), ("klondike", "d3"), ("acesup", "standard"))
ANSWER_TIMEOUT_S = 20.0
THINKING_S = 0.05


@dataclass(frozen=True)
class Kept:
    """A game as the database has it."""

    id: int
    record: str
    undone: str
    revision: int
    request_id: int


@dataclass(frozen=True)
class Ask:
    """What a player asks for: ``what`` is ``new``, ``draw``, ``undo``, ``redo``, ``table`` or a move.

    A press has the game and the revision of the table that it was made on; what is typed is about whatever
    is played now. ``deal`` is the record of a new game.
    """

    what: str
    game_id: int = 0
    revision: int | None = None
    deal: str = ""
    press: str = ""
    values: tuple[str, ...] = ()


@dataclass
class Account:
    """One player's games: ``games`` as last known by id, of which ``current`` is played now."""

    games: dict[int, Kept] = field(default_factory=dict)
    current: int = 0

    def after(self, ask: Ask, request_id: int) -> Kept | None:
        """Return the game that ``ask`` is about once it is done; a new one has no id yet, and -1 instead."""
        now = self.games.get(ask.game_id or self.current)
        if now is not None and now.request_id == request_id:
            return now
        if ask.what == "new":
            return Kept(-1, ask.deal, "", 0, request_id)
        if now is None or ask.what == "table" or ask.revision not in (None, now.revision):
            return now
        done = _done(now, ask.what)
        if done is None:
            return now
        record, undone = done
        return replace(now, record=record, undone=undone, revision=now.revision + 1, request_id=request_id)

    def note(self, game: Kept) -> None:
        """Take a game as it was shown; if it has changed, it is the one that is played now."""
        if self.games.get(game.id) != game:
            self.current = game.id
        self.games[game.id] = game


def _done(now: Kept, what: str) -> tuple[str, str] | None:
    """Return record and undone moves after something is done; None where it can't be."""
    record = Record.parse(now.record)
    moves = record.moves
    if what == "undo":
        if not moves:
            return None
        return str(replace(record, moves=moves[:-1])), f"{moves[-1]} {now.undone}".strip()
    game, state = GAMES[record.game], replay(record)
    first, _, rest = now.undone.partition(" ")
    if what == "redo":
        move, undone = (Move.parse(first) if first else None), rest
    else:
        move, undone = (game.stock_move(state) if what == "draw" else game.parse_move(state, what)), ""
    if move is None:
        return None
    try:
        game.apply(state, move)
    except IllegalMove:
        return None
    return str(record.play(move)), undone


class Player:
    """One user, with what they see, what they have asked for, and their account."""

    def __init__(self, standin: StandIn, number: int, seed: int, guild_id: int) -> None:
        self.user = User(id=10_000 + number, name=f"player{number}")
        self.account = Account()
        self.asked: tuple[Ask, Interaction] | None = None
        self.last: Interaction | None = None  # that was answered
        self.acknowledged = 0
        self.faults: list[str] = []
        self.guild_id = guild_id
        self._standin = standin
        self._random = random.Random(f"{seed}/{number}")
        self._seen: Message | None = None

    async def play(self, answers: asyncio.Semaphore, turns: int = sys.maxsize) -> None:
        """Ask for one thing after another, until cancelled; add every answer to `answers`."""
        for _ in range(turns):
            # What is on its way when this is cancelled must not be missing from the account.
            interaction = await asyncio.shield(asyncio.ensure_future(self._ask()))
            if self._random.random() < 0.1:  # as a gateway does at times
                await self._standin.gateway.dispatch("INTERACTION_CREATE", interaction.payload)
            await _shown(interaction)
            answers.release()
            self.settle()
            await asyncio.sleep(self._random.uniform(0, THINKING_S))

    async def _ask(self) -> Interaction:
        ask = self._choose()
        interaction = await self._send(ask)
        self.asked = ask, interaction
        return interaction

    def settle(self) -> None:
        """Take what was asked for into account if the stand-in has accepted an answer."""
        if self.asked is None or not self.asked[1]._shown.done():
            return
        ask, interaction = self.asked
        self.asked, self.last = None, interaction
        self.acknowledged += 1
        shown = interaction._shown.result()
        table = _table_of(shown)
        expected = self.account.after(ask, int(interaction.id))
        if table is None:  # why it can't be done
            if expected is not None and expected != self.account.games.get(expected.id):
                self.faults.append(f"{self.user.name}: {ask} was answered {shown.text!r}")
            return
        self._seen = shown
        assert expected is not None
        known = replace(expected, id=table.game_id) if expected.id == -1 else expected
        if (table.game_id, table.revision) != (known.id, known.revision):
            self.faults.append(f"{self.user.name}: {ask} shows {table}, not {known}")
        self.account.note(known)

    def drop(self) -> None:
        """Forget what was asked for last, and what before it: to ask for that anew would be to do it anew."""
        self.asked = self.last = None

    async def redeliver(self) -> None:
        """Deliver anew, to a bot that was started since, what was asked for last, answered or not."""
        if self.asked is not None and self.asked[1].acknowledged:
            self.drop()  # it was deferred: only the bot that did so would have answered
        elif self.asked is not None:
            interaction = self.asked[1]
            interaction.at_s = time.monotonic()  # or it would be too late to answer at all
            await self._standin.gateway.dispatch("INTERACTION_CREATE", interaction.payload)
            await _shown(interaction)
            self.settle()
        elif self.last is not None:
            path = f"/interactions/{self.last.id}/{self.last.token}/callback"
            requests = self._standin.requests
            before = len(requests)
            await self._standin.gateway.dispatch("INTERACTION_CREATE", self.last.payload)
            await until(lambda: any(request.path == path for request in requests[before:]))

    def compare(self, kept: dict[int, Kept], current: int) -> str:
        """Hold what the database has against the account, then take it over.

        Return where what was asked for last stood: ``idle``, ``before`` or ``after`` its commit.
        """
        account, asked = self.account, self.asked
        possible = account.after(asked[0], int(asked[1].id)) if asked else None
        where = "before" if asked else "idle"
        expected, currents = dict(account.games), {account.current}
        new = kept.keys() - expected.keys()
        if possible is not None:
            if possible.id == -1 and len(new) == 1:
                possible = replace(possible, id=new.pop())
            if kept.get(possible.id) == possible != expected.get(possible.id):
                expected[possible.id] = possible
                currents.add(possible.id)
                where = "after"
        if kept != expected:
            wrong = {key: (kept.get(key), expected.get(key)) for key in kept | expected}
            wrong = {key: pair for key, pair in wrong.items() if pair[0] != pair[1]}
            self.faults.append(f"{self.user.name}, {asked and asked[0]}: kept and expected differ: {wrong}")
        if current not in currents:
            self.faults.append(f"{self.user.name}: game {current} is current, none of {currents}")
        account.games, account.current = dict(kept), current
        return where

    def _choose(self) -> Ask:
        if not self.account.current or self._random.random() < 0.04:
            game, rules = self._random.choice(DEALS)
            return Ask("new", deal=f"{game}/{rules}/{self._random.randrange(1, 10**6)}")
        presses = list(_presses(self._seen)) if self._seen else []
        if not presses or self._random.random() < 0.3:
            return Ask(self._random.choices(("draw", "undo", "redo", "table"), (6, 2, 1, 1))[0])
        weights = [1 if press.what == "undo" else 4 for press in presses]
        return self._random.choices(presses, weights)[0]

    async def _send(self, ask: Ask) -> Interaction:
        if ask.press:
            assert self._seen is not None
            values = list(ask.values) or None
            return await self._standin.press(self._seen, ask.press, user=self.user, values=values)
        options = {}
        if ask.what == "new":
            options = dict(zip(("game", "rules", "seed"), ask.deal.split("/"), strict=True))
        return await self._standin.interact(ask.what, options, user=self.user, guild_id=self.guild_id)


async def until(condition: Callable[[], object]) -> None:
    """Wait until `condition` holds.

    :raises TimeoutError: when it doesn't for long.
    """
    async with asyncio.timeout(ANSWER_TIMEOUT_S):
        while not condition():  # noqa: ASYNC110 - what it looks at tells nobody
            await asyncio.sleep(0.005)


async def gone(standin: StandIn) -> None:
    """Wait until the stand-in has read all that dead bots sent."""
    assert standin._runner is not None
    server = standin._runner.server
    assert server is not None
    await until(lambda: not any(map(_is_left, server.connections)))


def _is_left(connection: Any) -> bool:
    """Whether nobody is at the other end of a connection, which is still open at ours."""
    transport = connection.transport
    if transport is None:
        return False
    end = transport.get_extra_info("socket")
    # The state is the first byte of what the kernel tells; 1 is ESTABLISHED (net/tcp_states.h).
    return bool(end.fileno() < 0 or end.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] != 1)


async def _shown(interaction: Interaction) -> None:
    """Wait until the player sees an answer. Up to Python 3.11 `wait_for` may swallow a cancellation."""
    async with asyncio.timeout(ANSWER_TIMEOUT_S):
        await asyncio.shield(interaction._shown)


def _table_of(message: Message) -> ComponentId | None:
    """Return the game and revision that a message's controls name."""
    for component in walk(message.payload["components"]):
        press = parse_id(component.get("custom_id", ""))
        if press is not None:
            return press
    return None


def _presses(message: Message) -> list[Ask]:
    """Return the turns that the controls of a message offer."""
    asks = []
    for component in walk(message.payload["components"]):
        custom_id = component.get("custom_id", "")
        press = parse_id(custom_id)
        if press is None or component.get("disabled"):
            continue
        table = press.game_id, press.revision
        if press.action in (Action.DRAW, Action.UNDO, Action.REDO):
            asks.append(Ask(press.action.value, *table, press=custom_id))
        elif press.action is Action.PLAY:
            asks.append(Ask(press.detail, *table, press=custom_id))
        elif press.action is Action.MENU and component["type"] != BUTTON:
            asks += [
                Ask(option["value"], *table, press=custom_id, values=(option["value"],))
                for option in component["options"]
                if not option["value"].startswith("page-")
            ]
    return asks


Games = dict[int, dict[int, Kept]]  # by owner and id
KEPT = "owner_id, id, record, undone, revision, last_request"


def by_owner(rows: Iterable[Any]) -> Games:
    """Return games from rows of the columns ``KEPT``."""
    games: Games = {}
    for owner, *rest in rows:
        games.setdefault(owner, {})[rest[0]] = Kept(*rest)
    return games


def read(database: Path, scratch: Path) -> tuple[Games, dict[int, int]]:
    """Check a copy of a killed bot's database; return the games and the current game of each user.

    It is a copy so that the next bot itself has to mend what was left unfinished.

    :raises AssertionError: when it is damaged.
    """
    for name in (database.name, f"{database.name}-wal"):
        (scratch / name).unlink(missing_ok=True)
        if (database.parent / name).exists():
            shutil.copyfile(database.parent / name, scratch / name)
    (scratch / f"{database.name}-shm").unlink(missing_ok=True)
    with closing(sqlite3.connect(scratch / database.name)) as connection:
        found = connection.execute("PRAGMA integrity_check").fetchall()
        assert found == [("ok",)], found
        games = by_owner(connection.execute(f"SELECT {KEPT} FROM games"))
        return games, dict(connection.execute("SELECT user_id, current_game FROM players"))


@dataclass
class Tally:
    """What a run of kills came to; ``phases`` counts where the turns under way stood."""

    kills: int = 0
    acknowledged: int = 0
    faults: list[str] = field(default_factory=list)
    phases: Counter[str] = field(default_factory=Counter)


async def take(answers: asyncio.Semaphore, count: int) -> None:
    """Return in the moment in which so many turns are answered."""
    for _ in range(count):
        await answers.acquire()


async def prefer_words(store: Store, players: Sequence[Player]) -> None:
    """Let these have the table in words: no picture is drawn, so more turns are played."""
    await store.open()
    for player in players:
        await store.save_settings(player.user.id, Settings(as_text=True))
    await store.close()
