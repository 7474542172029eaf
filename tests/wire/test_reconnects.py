"""The gateway at its worst: sessions end, events come late or twice, and every turn is taken once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import pytest

from bot.discord_app.tables.controls import Action
from tests.wire.gateway import Gateway
from tests.wire.interactions import Interaction
from tests.wire.payloads import Message
from tests.wire.storms import QUICK, TURNS, Player, Sea, Turn, until

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.usefixtures("no_error")]

# Those in which a storm meets a later request are the same turns.
TURNS = {name: turn for name, turn in TURNS.items() if turn.path == "/callback$"}
some_or_all_turns = pytest.mark.parametrize(
    "turns",
    [
        pytest.param([TURNS[name] for name in QUICK if name in TURNS], id="some turns"),
        pytest.param([*TURNS.values()], id="all turns", marks=pytest.mark.slow),
    ],
)
every_turn = pytest.mark.parametrize("turn", TURNS.values(), ids=TURNS)


@dataclass
class Seated:
    """A player with a turn to take."""

    turn: Turn
    player: Player
    table: Message

    async def takes(self) -> Interaction:
        return await self.turn.take(self.player, self.table)

    async def took_it_once(self) -> None:
        """The game stands where the turn leads to, and goes on from a table that shows it."""
        player, turn = self.player, self.turn
        assert (await player.record(), await player.revision()) == (turn.record, turn.revision)
        assert player.errors == []
        await player.plays_on(turn)


async def seated(sea: Sea, turns: list[Turn]) -> list[Seated]:
    return [await seat(sea, turn) for turn in turns]


async def seat(sea: Sea, turn: Turn) -> Seated:
    player = sea.player()
    return Seated(turn, player, await turn.before(player))


async def _closed(gateway: Gateway) -> None:
    await gateway.disconnect()


async def _closed_normally(gateway: Gateway) -> None:
    await gateway.disconnect(1000)


async def _cut(gateway: Gateway) -> None:
    await gateway.cut()


async def _asked(gateway: Gateway) -> None:
    await gateway.ask_to_reconnect()


async def _invalidated(gateway: Gateway) -> None:
    await gateway.invalidate(resumable=True)


ENDS: dict[str, Callable[[Gateway], Awaitable[None]]] = {
    "closed (4000)": _closed,
    "closed without a reason (1000)": _closed_normally,
    "cut": _cut,
    "op 7, reconnect": _asked,
    "op 9, invalid session, resumable": _invalidated,
}


@some_or_all_turns
@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
async def test_interactions_sent_while_disconnected_are_answered_after_the_resume(
    sea: Sea, end: Callable[[Gateway], Awaitable[None]], turns: list[Turn]
) -> None:
    seats, gateway = await seated(sea, turns), sea.standin.gateway
    identified, resumed = gateway.identified, gateway.resumed
    await end(gateway)
    asked = [await seat.takes() for seat in seats]
    for interaction in asked:
        await interaction.shown(20)
    await sea.calm()
    assert (gateway.identified, gateway.resumed) == (identified, resumed + 1)
    for seat in seats:
        await seat.took_it_once()


@some_or_all_turns
@pytest.mark.parametrize("end", [_cut, _asked], ids=["cut", "op 7, reconnect"])
async def test_answered_interactions_are_not_repeated_after_the_resume(
    sea: Sea, end: Callable[[Gateway], Awaitable[None]], turns: list[Turn]
) -> None:
    """The client lost the number of the last event: Discord sends again what was done already."""
    seats, gateway = await seated(sea, turns), sea.standin.gateway
    resumed = gateway.resumed
    asked = [await seat.takes() for seat in seats]
    for interaction in asked:
        await interaction.shown(20)
    await sea.calm()
    await end(gateway)
    for interaction in asked:
        await sea.standin.again(interaction)
    await until(lambda: gateway.resumed == resumed + 1)
    await _all_is_delivered(sea)
    for seat in seats:
        await seat.took_it_once()


@some_or_all_turns
async def test_an_invalid_session_loses_interactions_but_no_game(sea: Sea, turns: list[Turn]) -> None:
    seats, gateway = await seated(sea, turns), sea.standin.gateway
    before = [await seat.player.record() for seat in seats]
    identified = gateway.identified
    await gateway.invalidate(resumable=False)
    lost = [await seat.takes() for seat in seats]
    await until(lambda: gateway.identified == identified + 1)
    await _all_is_delivered(sea)
    assert not any(interaction.acknowledged for interaction in lost)
    assert [await seat.player.record() for seat in seats] == before
    for interaction in [await seat.takes() for seat in seats]:
        await interaction.shown(20)
    await sea.calm()
    for seat in seats:
        await seat.took_it_once()


@every_turn
async def test_a_turn_delivered_twice_is_played_once(sea: Sea, turn: Turn) -> None:
    """DraftForge's issue 261: one click arrived twice and moved twice."""
    at = await seat(sea, turn)
    interaction = await at.takes()
    await sea.standin.again(interaction)
    await interaction.shown()
    await sea.calm()
    count = len(at.player.messages)
    await sea.standin.again(interaction)
    await _all_is_delivered(sea)
    assert len(at.player.messages) == count
    await at.took_it_once()


async def test_a_turn_delivered_again_later_leaves_the_live_table(sea: Sea) -> None:
    player = sea.player()
    await player.deals()
    early = await player.types("draw")
    old = await early.shown()
    new = await (await player.types("table")).shown()
    await sea.standin.again(early)
    await _all_is_delivered(sea)
    assert (await player.live_message_id(), player.controls(old)) == (int(new.id), [])
    pressed = await (await player.presses(new, Action.DRAW)).shown()
    assert pressed.id == new.id


async def _all_is_delivered(sea: Sea) -> None:
    """Events come in order: when a later one is answered, the earlier ones have been taken up."""
    await (await sea.player().types("help")).shown()
    await sea.calm()
