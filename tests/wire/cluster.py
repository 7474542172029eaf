"""Two bots of two shards each over one PostgreSQL, and players who play on while any of the three dies.

Each player has a server, which belongs to a shard and so to one of the bots. When that bot dies, what the
database has of all its players is held against their accounts, while the other bot's players play on.
"""

from __future__ import annotations

import asyncio
import random
import signal
import sys
from collections import Counter, deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.storage import open_store
from tests.postgres import PostgresServer, postgres_server
from tests.wire.bot_process import BotProcess, Nursery, bot_process
from tests.wire.gateway import shard_of
from tests.wire.interactions import Interaction
from tests.wire.killing import KEPT, Games, Player, Tally, by_owner, gone, prefer_words, take, until
from tests.wire.standin import StandIn

COUNT = 4
HALVES = ((0, 1), (2, 3))
CONNECT_S = 60.0
PATIENCE_S = 60.0
LONGEST_LIFE_S = 2.5
LONGEST_STAY_TURNS = 6
OUTAGE_S = 0.4


def guild_of(shard: int, number: int = 0) -> int:
    """A server whose events come by that shard of `COUNT`."""
    return (10 + number) * (COUNT << 22) + (shard << 22) + 100


class Half:
    """One of the bots: the shards that it is, and the address by which it reaches the database."""

    def __init__(self, standin: StandIn, bot: BotProcess, shards: tuple[int, ...], url: str) -> None:
        self.standin = standin
        self.bot = bot
        self.shards = shards
        self.url = url

    async def start(self) -> None:
        """Start it; it connects by and by."""
        shards = ",".join(map(str, self.shards))
        settings = {"DATABASE_URL": self.url, "SHARD_COUNT": str(COUNT), "SHARD_IDS": shards}
        await self.bot.start(self.standin.url, **settings)

    async def connected(self) -> None:
        """Wait until each of its shards is in session."""
        for shard in self.shards:
            await self.standin.connected(CONNECT_S, shard)

    async def left(self, url: str) -> None:
        """Wait until the database at `url` has seen that it is dead, and does nothing more for it."""
        user = self.url.partition("//")[2].partition("@")[0]
        query = "SELECT 1 FROM pg_stat_activity WHERE usename = $1"
        while await ask(url, query, user):  # noqa: ASYNC110 - the server tells nobody
            await asyncio.sleep(0.01)

    async def died(self) -> None:
        """Wait until it has ended of a SIGKILL, and the stand-in has read all that it sent."""
        assert await self.bot.ended() == -signal.SIGKILL
        await gone(self.standin)
        sessions = [self.standin.gateway.session(shard) for shard in self.shards]
        await until(lambda: not any(session.connected.is_set() for session in sessions))


@asynccontextmanager
async def two_halves(
    folder: Path, standin: StandIn, server: PostgresServer, nurseries: Sequence[Nursery]
) -> AsyncIterator[tuple[Half, Half]]:
    """Two bots that are not started yet. Each has a user of its own, so that its connections can be told."""
    folders = folder / "one", folder / "other"
    for each in folders:
        each.mkdir()
        await ask(server.url, f"CREATE ROLE {each.name} SUPERUSER LOGIN")
    one_url, other_url = (server.url.replace("//bot@", f"//{each.name}@") for each in folders)
    standin.rest.session_start_limit["max_concurrency"] = COUNT
    async with bot_process(folders[0], nurseries[0]) as one, bot_process(folders[1], nurseries[1]) as other:
        yield Half(standin, one, HALVES[0], one_url), Half(standin, other, HALVES[1], other_url)


async def ask(url: str, query: str, *values: object) -> list[Any]:
    """Return the rows that a database answers with."""
    import asyncpg  # noqa: PLC0415 - it may be missing where these tests are skipped

    db = await asyncpg.connect(url)
    try:
        return list(await db.fetch(query, *values))
    finally:
        await db.close()


async def kept_of(url: str, owners: Sequence[int]) -> tuple[Games, dict[int, int]]:
    """Return the games and the current game of each of these users."""
    games = await ask(url, f"SELECT {KEPT} FROM games WHERE owner_id = ANY($1)", owners)
    current = await ask(url, "SELECT user_id, current_game FROM players WHERE user_id = ANY($1)", owners)
    return by_owner(games), dict(current)


@dataclass
class ClusterTally(Tally):
    """What a run came to.

    ``lives`` counts the bots that were played on before they were killed, ``survived`` those before which the
    other bot's players were answered while this one was dead. ``caught`` is how many turns the ``outages`` of
    the database kept waiting.
    """

    lives: int = 0
    survived: int = 0
    outages: int = 0
    caught: int = 0


class Table:
    """The seats at one bot, taken by its players in turn.

    While it holds `may_kill` it may kill its bot, while it holds `may_ask` it may ask the database.
    """

    def __init__(self, half: Half, players: Sequence[Player], seats: int, seed: int) -> None:
        self.half = half
        self.players = players
        self.may_kill = asyncio.Lock()
        self.may_ask = asyncio.Lock()
        self.is_playing = False
        self._chance = random.Random(f"{seed}/{half.shards}")
        self._seats = seats
        self._waiting = deque(self._chance.sample(players, len(players)))
        self._asking: set[Player] = set()

    @property
    def acknowledged(self) -> int:
        """How many turns its players were answered."""
        return sum(player.acknowledged for player in self.players)

    @property
    def has_seen_all(self) -> bool:
        """Whether each of its players was answered at least once."""
        return all(player.acknowledged for player in self.players)

    def pending(self) -> list[Interaction]:
        """What its players have asked for and not been answered."""
        return [player.asked[1] for player in self._asking if player.asked and not player.asked[1].is_shown]

    async def play(self) -> None:
        """Let all play on a bot that is connected, and kill it at any moment, or right after an answer."""
        chance = self._chance
        resting = await self._redeliver()
        # All at once, or so few that nobody else's turn takes one's own to the disk with it.
        seats = chance.choice((1, self._seats, self._seats))
        life_s, count = chance.choice(
            ((chance.uniform(0, LONGEST_LIFE_S), sys.maxsize), (PATIENCE_S, chance.randint(1, 4 * seats)))
        )
        answers = asyncio.Semaphore(0)
        tasks = [asyncio.create_task(self._sit(answers)) for _ in range(seats)]
        tasks.append(asyncio.create_task(take(answers, count)))
        self.is_playing = True
        done, _ = await asyncio.wait(tasks, timeout=life_s, return_when=asyncio.FIRST_COMPLETED)
        async with self.may_kill:
            self.half.bot.send(signal.SIGKILL)
        self.is_playing = False
        for task in tasks:
            task.cancel()
        for task in done:
            task.result()
        await asyncio.wait(tasks)
        self._waiting += resting

    async def _redeliver(self) -> list[Player]:
        """Deliver anew some of what was asked of the bot before this one, answered or not.

        Return who takes no seat now: what they had been answered already is looked at once more, at some
        time, and if they had gone on by then it would be done once more.
        """
        again = [player for player in self._asking if self._chance.random() < 0.5]
        for player in self._asking.difference(again):
            player.drop()  # as Discord has told them by now
        resting = [player for player in again if player.asked is None]
        for player in resting:
            self._waiting.remove(player)
        self._asking = set(again).difference(resting)
        await asyncio.gather(*(player.redeliver() for player in again))
        return resting

    async def _sit(self, answers: asyncio.Semaphore) -> None:
        """Take a seat for some turns, and then the next one does."""
        while True:
            player = self._waiting.popleft()
            self._asking.add(player)
            try:
                await player.play(answers, self._chance.randint(1, LONGEST_STAY_TURNS))
                self._asking.discard(player)
            finally:
                # Who was not answered yet is the next to be seated.
                (self._waiting.append if player.acknowledged else self._waiting.appendleft)(player)

    async def die_early(self) -> None:
        """Kill the bot while it starts."""
        await asyncio.sleep(self._chance.uniform(0, 0.4))
        self.half.bot.send(signal.SIGKILL)

    async def compare(self, url: str) -> Counter[str]:
        """Hold what the database has against all accounts; count where the turns under way stood."""
        async with self.may_ask:
            await self.half.left(url)
            games, current = await kept_of(url, [player.user.id for player in self.players])
        phases: Counter[str] = Counter()
        for player in self.players:
            player.settle()
            phase = player.compare(games.get(player.user.id, {}), current.get(player.user.id, 0))
            phases[phase] += player in self._asking
        return phases


class Cluster:
    """Both tables, and the database."""

    def __init__(self, server: PostgresServer, tables: tuple[Table, Table], seed: int) -> None:
        self.tally = ClusterTally()
        self._server = server
        self._tables = tables
        self._chance = random.Random(seed)

    async def run(self, kills: int, outages: Sequence[signal.Signals]) -> ClusterTally:
        """Kill the bots that often in all, more often if it takes longer until all have played.

        The database is stopped by these signals meanwhile, at even distances.
        """
        tally = self.tally

        def is_over() -> bool:
            enough = tally.kills >= kills and tally.outages == len(outages)
            return bool(tally.faults) or (enough and all(table.has_seen_all for table in self._tables))

        async def stop_database() -> None:
            for number, how in enumerate(outages, 1):
                at = number * kills // (len(outages) + 1)
                while tally.kills < at and not tally.faults:  # noqa: ASYNC110 - nobody tells of a kill
                    await asyncio.sleep(0.05)
                await self._stop_database(how)

        async with asyncio.TaskGroup() as group:
            group.create_task(stop_database())
            for table, other in (self._tables, self._tables[::-1]):
                group.create_task(self._live(table, other, is_over))
        tally.acknowledged = sum(table.acknowledged for table in self._tables)
        return tally

    async def _live(self, table: Table, other: Table, is_over: Callable[[], bool]) -> None:
        """Start one bot and kill it, again and again."""
        tally, others = self.tally, -1
        while not is_over():
            await table.half.start()
            if others >= 0 and self._chance.random() < 0.1:
                await table.die_early()
                await table.half.died()
                await table.compare(self._server.url)
            else:
                await table.half.connected()
                tally.survived += 0 <= others < other.acknowledged
                await table.play()
                await table.half.died()
                others = other.acknowledged
                tally.phases += await table.compare(self._server.url)
                tally.lives += 1
            tally.kills += 1
            tally.faults += [fault for player in table.players for fault in player.faults]

    async def _stop_database(self, how: signal.Signals) -> None:
        """Stop the database while both play, and start it again.

        One bot may be killed meanwhile; the other one lives to make up for what it kept waiting.
        """
        one, other = self._tables
        while not (one.is_playing and other.is_playing):
            if self.tally.faults:
                return
            await asyncio.sleep(0.005)
        async with one.may_kill, one.may_ask, other.may_ask:
            await asyncio.to_thread(self._server.stop, how)
            await asyncio.sleep(OUTAGE_S)
            waiting = one.pending()
            self.tally.caught += len(waiting) + len(other.pending())
            await asyncio.to_thread(self._server.start)
            await until(lambda: all(interaction.is_shown for interaction in waiting))
            self.tally.outages += 1


@asynccontextmanager
async def cluster(
    folder: Path, nurseries: Sequence[Nursery], *, players: int, servers: int, seats: int, seed: int
) -> AsyncIterator[Cluster]:
    """So many players, evenly in so many servers of all shards; ``seats`` play at one bot at a time.

    Nine of ten play without pictures, so that more turns are played.
    """
    async with StandIn(checked=False) as standin:
        guilds = [guild_of(number % COUNT, number // COUNT) for number in range(servers)]
        for number, guild_id in enumerate(guilds):
            standin.add_guild(guild_id, 1_000_000 + number)
        everybody = [Player(standin, number, seed, guilds[number % servers]) for number in range(players)]
        with postgres_server() as server:
            await prefer_words(open_store(server.url), [p for n, p in enumerate(everybody) if n % 10])
            async with two_halves(folder, standin, server, nurseries) as halves:
                one, other = (
                    Table(
                        half,
                        [p for p in everybody if shard_of(p.guild_id, COUNT) in half.shards],
                        seats,
                        seed,
                    )
                    for half in halves
                )
                yield Cluster(server, (one, other), seed)
