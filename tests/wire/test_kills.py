"""A bot that is killed at any moment has lost no turn that it acknowledged, and has done none twice."""

from __future__ import annotations

import asyncio
import random
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from bot.storage import SqliteStore
from tests.wire.bot_process import BotProcess, Nursery, bot_process
from tests.wire.killing import Player, Tally, gone, prefer_words, read, take
from tests.wire.standin import StandIn

GUILD, CHANNEL = 100, 101
PLAYERS = 16
LONGEST_LIFE_S = 0.6
PATIENCE_S = 60.0
SEED = 20_270_101


async def live(standin: StandIn, bot: BotProcess, players: Sequence[Player], chance: random.Random) -> None:
    """Start the bot, let all play, and kill it: while it starts, later, or right after an answer."""
    await bot.start(standin.url)
    when = chance.choices(("start", "time", "answer"), (1, 4, 5))[0] if standin.commands else "answer"
    if when == "start":
        await asyncio.sleep(chance.uniform(0, 0.2))
        bot.send(signal.SIGKILL)
    else:
        await standin.connected(60)
        await asyncio.gather(*(player.redeliver() for player in players if chance.random() < 0.2))
        life_s = chance.uniform(0, LONGEST_LIFE_S) if when == "time" else PATIENCE_S
        # All at once, or so few that nobody else's turn takes one's own to the disk with it.
        active = chance.sample(players, chance.choice((1, 3, PLAYERS)))
        count = chance.randint(1, 2 * len(active)) if when == "answer" else sys.maxsize
        answers = asyncio.Semaphore(0)
        playing = [asyncio.create_task(player.play(answers)) for player in active]
        counting = asyncio.create_task(take(answers, count))
        done, _ = await asyncio.wait(
            [counting, *playing], timeout=life_s, return_when=asyncio.FIRST_COMPLETED
        )
        bot.send(signal.SIGKILL)
        for task in (counting, *playing):
            task.cancel()
        for task in done:
            task.result()
        await asyncio.wait([counting, *playing])
    assert await bot.ended() == -signal.SIGKILL
    await gone(standin)


async def kill_often(folder: Path, nursery: Nursery, kills: int, seed: int = SEED) -> Tally:
    """Kill a bot that many times while all play; return what came of it."""
    tally, chance = Tally(), random.Random(seed)
    scratch = folder / "copy"
    scratch.mkdir()
    async with StandIn(checked=False) as standin, bot_process(folder, nursery) as bot:
        standin.add_guild(GUILD, CHANNEL)
        players = [Player(standin, number, seed, GUILD) for number in range(PLAYERS)]
        await prefer_words(SqliteStore(bot.database), players[::2])
        for _ in range(kills):
            await live(standin, bot, players, chance)
            tally.kills += 1
            games, current = read(bot.database, scratch)
            for player in players:
                player.settle()
                phase = player.compare(games.get(player.user.id, {}), current.get(player.user.id, 0))
                tally.phases[phase] += 1
                tally.faults += player.faults
            if tally.faults:
                break
        tally.acknowledged = sum(player.acknowledged for player in players)
    return tally


def check(tally: Tally) -> None:
    assert tally.faults == []
    # Turns were caught in every phase, or this proves little.
    assert set(tally.phases) == {"idle", "before", "after"}
    assert tally.acknowledged > 2 * tally.kills


async def test_kills_lose_and_double_no_turn(tmp_path: Path, nursery: Nursery) -> None:
    check(await kill_often(tmp_path, nursery, 8))


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_200_kills_lose_and_double_no_turn(tmp_path: Path, nursery: Nursery) -> None:
    tally = await kill_often(tmp_path, nursery, 200)
    check(tally)
    assert tally.kills == 200
