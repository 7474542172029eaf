"""Discord at its worst: whatever becomes of an answer, the move is made once and the player can go on.

Each turn is taken by somebody with a game of their own while a storm meets a request of its answer. Then the
player has an answer, or ``/table`` brings one; and the log has no traceback but those that have an error id.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from bot.discord_app.controls import Action
from tests.wire.interactions import Interaction
from tests.wire.payloads import Message
from tests.wire.storms import LONG_STORMS, LOST, STORMS, TURNS, Player, Sea, Storm, Turn, until

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.usefixtures("no_stray_traceback")]

# The whole matrix takes a minute; these turns go every way by which a table is answered.
QUICK, SLOW = {"/draw", "the button Draw"}, [pytest.mark.slow]


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A replay is never drawn so fast that its notice is left out."""
    monkeypatch.setattr("bot.discord_app.replay.PATIENCE_S", 0.0)


@dataclass
class Voyage:
    """A turn on its way through a storm: who takes it, and what is on their table before."""

    turn: Turn
    storm: Storm
    player: Player
    table: Message
    interaction: Interaction = field(init=False)

    async def sets_out(self) -> None:
        """Let the storm break loose, and take the turn; return when it has met a request of the answer."""
        fault = self.turn.storm(self.storm, self.player, self.table)
        self.interaction = await self.turn.take(self.player, self.table)
        await until(lambda: bool(fault.met))

    async def is_safe(self) -> None:
        """The move is made once, the player has an answer, and can go on."""
        player, turn = self.player, self.turn
        assert (await player.record(), await player.revision()) == (turn.record, turn.revision)
        assert player.has_answer(self.interaction) or not self.storm.answered
        assert bool(player.errors) <= self.storm.tells
        shown = await (await player.types("table")).shown()
        assert shown.attachment().filename.endswith(f"-{turn.revision}.png")
        if turn.record != str(LOST):
            pressed = await (await player.presses(shown, Action.DRAW)).shown()
            assert pressed.id == shown.id
            assert await player.record() == f"{turn.record} s-w"


async def voyage(sea: Sea, turn: Turn, storm: Storm) -> Voyage:
    player = sea.player()
    return Voyage(turn, storm, player, await turn.before(player))


@pytest.mark.parametrize(
    "turn", [pytest.param(turn, id=name, marks=[] if name in QUICK else SLOW) for name, turn in TURNS.items()]
)
@pytest.mark.parametrize("storm", STORMS.values(), ids=STORMS)
async def test_a_turn_outlives_a_storm(sea: Sea, turn: Turn, storm: Storm) -> None:
    ship = await voyage(sea, turn, storm)
    await ship.sets_out()
    await sea.calm()
    await ship.is_safe()


@pytest.mark.parametrize("storm", LONG_STORMS.values(), ids=LONG_STORMS)
async def test_all_turns_outlive_a_long_storm_in_which_others_play_on(sea: Sea, storm: Storm) -> None:
    ships = [await voyage(sea, turn, storm) for turn in TURNS.values()]
    other = sea.player()
    table = await other.deals()
    for ship in ships:
        await ship.sets_out()
    await (await other.presses(table, Action.DRAW)).shown()
    assert sea.is_answering, "the storm was over before"
    await sea.calm()
    for ship in ships:
        await ship.is_safe()
