"""Discord at its worst: whatever becomes of an answer, the move is made once and the player can go on.

Each turn is taken by somebody with a game of their own while a storm meets a request of its answer. Then the
player has an answer, or ``/table`` brings one; and the log has no traceback but those that have an error id.
"""

from __future__ import annotations

import gc
import logging
import re
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field

import pytest
import pytest_asyncio

from bot.discord_app.controls import Action
from tests.wire.interactions import Interaction
from tests.wire.payloads import Message
from tests.wire.storms import LONG_STORMS, LOST, STORMS, TURNS, Player, Sea, Storm, Turn, open_sea, until

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.usefixtures("no_stray_traceback")]

# The whole matrix takes a minute; these turns go every way by which a table is answered.
QUICK, SLOW = {"/draw", "the button Draw"}, [pytest.mark.slow]

_WITH_ID = re.compile(r"error [0-9a-f]{6} in ")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def sea(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Sea]:
    async with open_sea(tmp_path_factory.mktemp("sea")) as opened:
        yield opened


@pytest.fixture
def no_stray_traceback(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Fails a test in which something was logged as an error, other than with an error id."""
    yield
    gc.collect()  # an exception that nobody looked at is logged when its task goes
    errors = [r for r in caplog.get_records("call") if r.levelno >= logging.ERROR]
    assert [r.getMessage() for r in errors if not _WITH_ID.match(r.getMessage())] == []


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
