"""What a turn costs on the wire: the bot in one process, a stand-in for Discord with its players in another.

Limits for each user are off, since one player presses here as fast as a hundred would.
"""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any, Self

from bot.storage import SqliteStore
from engine import GAMES, Record, find_game
from tests.wire.interactions import Interaction
from tests.wire.payloads import Message, User, walk
from tests.wire.standin import StandIn

ROOT = Path(__file__).parents[1]
GUILD, CHANNEL = 100, 101
STORED_GAMES = 100_000
TURNS = 150  # of each kind
ROUND = 10  # as many of one kind, then of the next: what is compared must have the same noise
WARM_UP_TURNS = 20
BURST = 1_000
DEALT_AT_ONCE = 25
PLAYER = User(5, "player")
ANSWER_TIMEOUT_S = 60.0
LONGEST_REPORT = 2**24  # bytes

Figures = dict[str, float]


def percentile(values: list[float], percent: int) -> float:
    """Return the value that so many per cent of them don't exceed."""
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


async def measure_wire() -> tuple[Figures, Figures]:
    """Return what turns cost, and the medians of the phases of a turn, as the bot sees it, in ms."""
    with tempfile.TemporaryDirectory() as folder:
        few, many = Path(folder) / "few.sqlite3", Path(folder) / "many.sqlite3"
        async with _measured(few) as bot:
            rss_few = await _memory(bot)
        await _fill(many)
        async with _measured(many) as bot:
            rss_many = await _memory(bot)
            figures, phases = await _measure_turns(bot)
            figures |= await _measure_burst(bot)
    return {**figures, "rss_mb_100k_games": rss_many, "rss_mb_no_games": rss_few}, phases


async def _memory(bot: _Bot) -> float:
    """Return what is in use once the bot has warmed up."""
    await _turns(bot, WARM_UP_TURNS)
    return float((await bot.order("report"))["rss_mb"])


class MeasuredBot:
    """The measured process; see :mod:`scripts.measured_bot`."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def started(cls, address: str, **settings: str) -> Self:
        """Start one that connects to the stand-in at the address."""
        command = [sys.executable, "-m", "scripts.measured_bot", address]
        command += [f"{name}={value}" for name, value in settings.items()]
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            *command, cwd=ROOT, stdin=pipe, stdout=pipe, limit=LONGEST_REPORT
        )
        return cls(process)

    @property
    def pid(self) -> int:
        """The number of its process."""
        return self._process.pid

    async def order(self, word: str) -> dict[str, Any]:
        """Say what it is to do, and return what it reports."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(f"{word}\n".encode())
        answer: dict[str, Any] = json.loads(await self._process.stdout.readline())
        return answer

    async def end(self) -> None:
        """Stop it, if it runs."""
        if self._process.returncode is not None:
            return
        assert self._process.stdin
        self._process.stdin.write(b"end\n")
        await asyncio.wait_for(self._process.wait(), 20)


class _Bot:
    """The measured process, and the stand-in that it is connected to."""

    def __init__(self, standin: StandIn, measured: MeasuredBot) -> None:
        self.standin = standin
        self.order = measured.order
        self.shown: dict[int, Message] = {}  # by user: the message with the player's table

    async def deal(self, user: User, number: int) -> None:
        """Let a user begin a game."""
        game = "klondike" if number % 2 else "acesup"
        asked = await self.standin.interact(
            "new", {"game": game, "seed": str(number)}, user=user, guild_id=GUILD
        )
        self.shown[user.id] = await asked.shown(ANSWER_TIMEOUT_S)


@asynccontextmanager
async def _measured(database: Path) -> AsyncIterator[_Bot]:
    async with StandIn(checked=False) as standin:
        standin.add_guild(GUILD, CHANNEL)
        process = await MeasuredBot.started(standin.url, DATABASE_URL=f"sqlite:///{database}")
        bot = _Bot(standin, process)
        await standin.connected(30)
        await bot.deal(PLAYER, 1)
        await bot.order("watch")
        try:
            yield bot
        finally:
            await process.end()


async def _turns(bot: _Bot, count: int) -> tuple[list[float], list[int]]:
    """Let one player press, again and again; return the times in ms and the pictures' sizes in bytes."""
    chance = random.Random(count)
    times, sizes = [], []
    for number in range(count):
        presses = _presses(bot.shown[PLAYER.id])
        if not presses:
            await bot.deal(PLAYER, 1000 + number)
            presses = _presses(bot.shown[PLAYER.id])
        custom_id, values = chance.choice(presses)
        start = time.perf_counter()
        pressed = await bot.standin.press(bot.shown[PLAYER.id], custom_id, user=PLAYER, values=values)
        message = bot.shown[PLAYER.id] = await pressed.shown(ANSWER_TIMEOUT_S)
        times.append((time.perf_counter() - start) * 1000)
        sizes.append(len(message.attachment().data))
        assert message.attachment().payload["width"] == 1100
    return times, sizes


def _presses(message: Message) -> list[tuple[str, list[str] | None]]:
    """Return the presses that make a move: buttons, and choices of a menu."""
    found: list[tuple[str, list[str] | None]] = []
    for component in walk(message.payload["components"]):
        custom_id = component.get("custom_id", "")
        if component.get("disabled"):
            continue
        if custom_id.endswith((":draw", ":all")):
            found.append((custom_id, None))
        found += [
            (custom_id, [option["value"]])
            for option in component.get("options", ())
            if not option["value"].startswith("page-")
        ]
    return found


async def _measure_turns(bot: _Bot) -> tuple[Figures, Figures]:
    """A word, a turn, and a turn drawn the obvious way, in turns; then the phases of our own turns."""
    floor, ours, naive, sizes = [], [], [], []
    for _ in range(TURNS // ROUND):
        for _ in range(ROUND):
            start = time.perf_counter()
            await (await bot.standin.interact("floor", user=PLAYER, guild_id=GUILD)).shown()
            floor.append((time.perf_counter() - start) * 1000)
        times, bytes_ = await _turns(bot, ROUND)
        ours += times
        sizes += bytes_
        await bot.order("naive")
        naive += (await _turns(bot, ROUND))[0]
        await bot.order("ours")
    await bot.order("watch")
    await _turns(bot, TURNS)
    report = await bot.order("report")
    return {
        "text_floor_ms_median": statistics.median(floor),
        "turn_ms_median": statistics.median(ours),
        "turn_ms_p99": percentile(ours, 99),
        "naive_turn_ms_median": statistics.median(naive),
        "turn_image_bytes_max": max(sizes),
    }, report["phases_ms_median"]


async def _measure_burst(bot: _Bot) -> Figures:
    """A thousand users press at once."""
    users = [User(10_000 + number, f"player{number}") for number in range(BURST)]
    waiting = iter(enumerate(users))

    async def deal() -> None:
        for number, user in waiting:
            await bot.deal(user, number + 1)

    await asyncio.gather(*(deal() for _ in range(DEALT_AT_ONCE)))
    bot.standin.requests.clear()
    chance = random.Random(1)
    await bot.order("watch")
    presses = [(user, *chance.choice(_presses(bot.shown[user.id]))) for user in users]
    start = time.perf_counter()
    pressed = [
        await bot.standin.press(bot.shown[user.id], custom_id, user=user, values=values)
        for user, custom_id, values in presses
    ]
    acknowledged = await asyncio.gather(*(_acknowledged(one) for one in pressed))
    shown = await asyncio.gather(*(one.shown(ANSWER_TIMEOUT_S) for one in pressed), return_exceptions=True)
    took_s = time.perf_counter() - start
    report = await bot.order("report")
    answered = [message for message in shown if isinstance(message, Message)]
    return {
        "burst_acked": sum(at is not None for at in acknowledged),
        "burst_answered": len(answered),
        "burst_worst_ack_s": max(at or ANSWER_TIMEOUT_S for at in acknowledged),
        "burst_turns_per_s": len(answered) / took_s,
        "loop_lag_ms_max": report["loop_lag_ms_max"],
    }


async def _acknowledged(interaction: Interaction) -> float | None:
    """Return how many seconds after the press it was acknowledged, or None where it wasn't."""
    try:
        await interaction.answer(ANSWER_TIMEOUT_S)
    except TimeoutError:
        return None
    assert interaction.acknowledged_at_s is not None
    return interaction.acknowledged_at_s - interaction.at_s


async def _fill(path: Path) -> None:
    """Write a database with so many games, of which each has been going on for a while."""
    store = SqliteStore(path)
    await store.open()
    await store.close()
    records = [str(_record(number)) for number in range(200)]
    rows = [
        (number, number // 2, records[number % len(records)], "", 40, "playing", 5, number, 1, 1)
        for number in range(1, STORED_GAMES + 1)
    ]
    with closing(sqlite3.connect(path)) as db, db:
        db.executemany(
            "INSERT INTO games (id, owner_id, record, undone, revision, status, score, last_request,"
            " created_ms, updated_ms, day, challenge_id, is_copy, won_record)"
            " VALUES (?,?,?,?,?,?,?,?,?,?,'',0,0,'')",
            rows,
        )
        db.execute("UPDATE counters SET value = ? WHERE name = 'games'", (STORED_GAMES,))


def _record(seed: int) -> Record:
    """Return a random game of at most forty moves."""
    chance = random.Random(seed)
    key = list(GAMES)[seed % len(GAMES)]
    game = find_game(key)
    record = Record(key, next(iter(game.presets)), str(seed + 1))
    state = game.start(record.seed, record.rules)
    while len(record.moves) < 40 and (moves := list(game.legal_moves(state))):
        move = chance.choice(moves)
        state, record = game.apply(state, move), record.play(move)
    return record
