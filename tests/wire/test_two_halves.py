"""Whoever plays at both bots of a cluster at the same moment has one game, whose turns are taken in order."""

from __future__ import annotations

import asyncio
import itertools
import signal
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from functools import partial

import pytest
import pytest_asyncio

from bot.storage import Settings, Store, open_store
from tests.postgres import binaries, postgres_server
from tests.wire.bot_process import Nursery
from tests.wire.cluster import COUNT, Half, guild_of, two_halves
from tests.wire.interactions import Interaction
from tests.wire.killing import ANSWER_TIMEOUT_S, _table_of, until
from tests.wire.payloads import Message
from tests.wire.standin import Request, StandIn, User

ROUNDS = 15
HERE, THERE = 1, 2  # a shard of each bot
DEALT = "klondike/d1/1"

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(binaries() is None, reason="PostgreSQL (no server of our own)"),
]


@dataclass
class Both:
    """Two bots that run, and their database."""

    standin: StandIn
    halves: tuple[Half, Half]
    store: Store
    _numbers: itertools.count[int] = field(default_factory=lambda: itertools.count(7_000_000))

    async def player(self) -> TwoPlaces:
        """Somebody new, who plays without pictures, so that the turns come closer together."""
        number = next(self._numbers)
        await self.store.save_settings(number, Settings(as_text=True))
        return TwoPlaces(self, User(id=number, name=f"player{number}"))


@dataclass
class TwoPlaces:
    """A player who is in a server of each shard."""

    both: Both
    user: User

    async def types(self, shard: int, command: str, **options: str) -> Interaction:
        return await self.both.standin.interact(command, options, user=self.user, guild_id=guild_of(shard))

    async def presses(self, table: Message, action: str) -> Interaction:
        press = _table_of(table)
        assert press is not None
        custom_id = f"sol:{press.game_id}:{press.revision}:{action}"
        return await self.both.standin.press(table, custom_id, user=self.user)

    async def has_two_tables(self) -> tuple[Message, Message]:
        """Begin a game in one server, and show it in the other one."""
        here = await shown(await self.types(HERE, "new", game="klondike", rules="d1", seed="1"))
        return here, await shown(await self.types(THERE, "table"))

    async def game(self) -> tuple[str, int]:
        """The current game as the database has it, and how often it was changed."""
        game = await self.both.store.current_game(self.user.id)
        assert game is not None
        return game.record, game.revision


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def both(tmp_path_factory: pytest.TempPathFactory, nurseries: Sequence[Nursery]) -> AsyncIterator[Both]:
    async with StandIn() as standin:
        for shard in range(COUNT):
            standin.add_guild(guild_of(shard), 1_000 + shard)
        with postgres_server() as server:
            store = open_store(server.url)
            await store.open()
            folder = tmp_path_factory.mktemp("halves")
            async with two_halves(folder, standin, server, nurseries) as halves:
                await asyncio.gather(*(half.start() for half in halves))
                await asyncio.gather(*(half.connected() for half in halves))
                yield Both(standin, halves, store)
            await store.close()
        standin.check()


async def shown(interaction: Interaction) -> Message:
    return await interaction.shown(ANSWER_TIMEOUT_S)


async def revisions(*interactions: Interaction) -> list[int]:
    """The revisions of the tables that a player sees in the end, rising."""
    tables = [_table_of(message) for message in await asyncio.gather(*map(shown, interactions))]
    assert None not in tables
    return sorted(table.revision for table in tables if table is not None)


async def test_two_that_start_together_register_the_commands_once(both: Both) -> None:
    assert [request.method for request in both.standin.requests if "commands" in request.path].count(
        "PUT"
    ) == 1


async def test_a_button_pressed_in_two_servers_at_once_makes_one_move(both: Both) -> None:
    for _ in range(ROUNDS):
        player = await both.player()
        tables = await player.has_two_tables()
        presses = await asyncio.gather(*(player.presses(table, "draw") for table in tables))
        # Who comes second is shown the table as it is now.
        assert await revisions(*presses) == [1, 1]
        assert await player.game() == (f"{DEALT} s-w", 1)


async def test_different_buttons_pressed_in_two_servers_at_once_make_one_move(both: Both) -> None:
    made = set()
    for _ in range(ROUNDS):
        player = await both.player()
        await player.has_two_tables()
        tables = [await shown(await player.types(shard, "draw")) for shard in (HERE, THERE)]
        newest = await shown(await player.types(HERE, "table"))
        presses = await asyncio.gather(player.presses(tables[1], "draw"), player.presses(newest, "undo"))
        assert await revisions(*presses) == [3, 3]
        record, revision = await player.game()
        assert revision == 3
        made.add(record)
    assert made <= {f"{DEALT} s-w s-w s-w", f"{DEALT} s-w"}


async def test_commands_in_two_servers_at_once_are_played_one_after_the_other(both: Both) -> None:
    for _ in range(ROUNDS):
        player = await both.player()
        await player.has_two_tables()
        typed = await asyncio.gather(player.types(HERE, "draw"), player.types(THERE, "draw"))
        # Who was first may see what the second one came to.
        assert await revisions(*typed) in ([1, 2], [2, 2])
        assert await player.game() == (f"{DEALT} s-w s-w", 2)


async def test_many_commands_in_two_servers_at_once_are_all_played(both: Both) -> None:
    player = await both.player()
    await player.has_two_tables()
    shards = [HERE, THERE] * 8
    typed = await asyncio.gather(*(player.types(shard, "draw") for shard in shards))
    assert (await revisions(*typed))[-1] == 16
    assert await player.game() == (" ".join([DEALT, *["s-w"] * 16]), 16)


async def test_an_interaction_delivered_to_both_bots_is_played_once(both: Both) -> None:
    gateway, requests = both.standin.gateway, both.standin.requests
    for _ in range(ROUNDS):
        player = await both.player()
        await player.has_two_tables()
        typed = await player.types(HERE, "draw")
        await gateway.dispatch("INTERACTION_CREATE", typed.payload, shard=THERE)
        assert await revisions(typed) == [1]
        callback = f"/interactions/{typed.id}/{typed.token}/callback"
        await until(partial(both_answer, requests, callback))
        assert await player.game() == (f"{DEALT} s-w", 1)


async def test_a_new_game_requested_from_both_bots_is_dealt_once(both: Both) -> None:
    gateway, requests = both.standin.gateway, both.standin.requests
    for _ in range(ROUNDS):
        player = await both.player()
        typed = await player.types(HERE, "new", game="klondike", rules="d1", seed="1")
        await gateway.dispatch("INTERACTION_CREATE", typed.payload, shard=THERE)
        assert await revisions(typed) == [0]
        callback = f"/interactions/{typed.id}/{typed.token}/callback"
        await until(partial(both_answer, requests, callback))
        assert await player.game() == (DEALT, 0)
        assert len(await both.store.unfinished_games(player.user.id, 9)) == 1


def both_answer(requests: Sequence[Request], callback: str) -> bool:
    return [request.path for request in requests].count(callback) == 2


async def test_a_dead_bot_costs_its_servers_answers_but_nobody_a_game(both: Both) -> None:
    one, _ = both.halves
    player, friend = await both.player(), await both.player()
    await player.has_two_tables()
    await shown(await friend.types(HERE, "new", game="klondike", rules="d1", seed="1"))
    one.bot.send(signal.SIGKILL)
    await one.died()
    lost = [await player.types(HERE, "draw"), await both.standin.interact("draw", user=friend.user)]
    for number in range(1, 4):  # the game goes on where the other bot is
        assert await revisions(await player.types(THERE, "draw")) == [number]
    assert not any(interaction.acknowledged for interaction in lost)
    await one.start()
    await one.connected()
    assert await revisions(await player.types(HERE, "draw")) == [4]
    assert await revisions(await both.standin.interact("draw", user=friend.user)) == [1]
    assert not any(interaction.acknowledged for interaction in lost)
