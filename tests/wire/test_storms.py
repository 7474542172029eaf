"""Discord at its worst: whatever becomes of an answer, the move is made once and the player can go on.

Each turn is taken by somebody with a game of their own while a storm meets one request of its answer. Then the
player has an answer, or ``/table`` brings one; and the log has no traceback that no error id was told of.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import re
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from bot.discord_app.controls import Action
from tests.wire.storms import LONG_STORMS, LOST, STORMS, TURNS, Player, Sea, Storm, Turn, open_sea

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
    """Fails a test in which something was logged as an error, other than with an id that a player was told."""
    yield
    gc.collect()  # an exception that nobody looked at is logged when its task goes
    errors = [r for r in caplog.get_records("call") if r.levelno >= logging.ERROR]
    stray = [r.getMessage() for r in errors if not _WITH_ID.match(r.getMessage())]
    assert stray == []


@pytest.fixture(autouse=True)
def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A replay is never drawn so fast that its notice is left out."""
    monkeypatch.setattr("bot.discord_app.replay.PATIENCE_S", 0.0)


async def weather(sea: Sea, turn: Turn, storm: Storm) -> None:
    """Take a turn through a storm; then look how the game stands, and go on."""
    player = sea.player()
    table = await turn.before(player)
    fault = turn.storm(storm, player, table)
    interaction = await turn.take(player, table)  # type: ignore[arg-type]
    await sea.calm()
    assert fault.met, "the storm met no request"
    assert (await player.record(), await player.revision()) == (turn.record, turn.revision)
    assert player.has_answer(interaction) or not storm.answered
    await goes_on(sea, turn, player)


async def goes_on(sea: Sea, turn: Turn, player: Player) -> None:
    """The table stands where it should, and its controls play on."""
    shown = await (await player.types("table")).shown()
    assert shown.attachment().filename.endswith(f"-{turn.revision}.png")
    if turn.record != str(LOST):
        pressed = await (await player.presses(shown, Action.DRAW)).shown()
        assert pressed.id == shown.id
        assert await player.record() == f"{turn.record} s-w"


@pytest.mark.parametrize(
    "turn", [pytest.param(turn, id=name, marks=[] if name in QUICK else SLOW) for name, turn in TURNS.items()]
)
@pytest.mark.parametrize("storm", STORMS.values(), ids=STORMS)
async def test_a_turn_outlives_a_storm(sea: Sea, turn: Turn, storm: Storm) -> None:
    await weather(sea, turn, storm)


@pytest.mark.parametrize("storm", LONG_STORMS.values(), ids=LONG_STORMS)
async def test_all_turns_outlive_a_long_storm(sea: Sea, storm: Storm) -> None:
    results = await asyncio.gather(
        *(weather(sea, turn, storm) for turn in TURNS.values()), return_exceptions=True
    )
    failed = {name: r for name, r in zip(TURNS, results, strict=True) if r is not None}
    assert failed == {}
