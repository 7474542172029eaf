"""Discord at its worst: whatever becomes of an answer, the move is made once and the player can go on.

Each turn is taken by somebody with a game of their own while a storm meets a request of its answer. Then the
player has an answer, or ``/table`` brings one; and the log has no traceback but those that have an error id.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from bot.discord_app.features.replay import Replay
from bot.discord_app.tables.controls import Action
from tests.wire.interactions import Interaction
from tests.wire.payloads import Message
from tests.wire.storms import GUILD, LONG_STORMS, QUICK, STORMS, TURNS, Player, Sea, Storm, Turn, until

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.usefixtures("no_stray_traceback")]

SLOW = pytest.mark.slow
some_or_all_turns = pytest.mark.parametrize(
    "turns",
    [
        pytest.param([TURNS[name] for name in QUICK], id="some turns"),
        pytest.param([*TURNS.values()], id="all turns", marks=SLOW),
    ],
)


@pytest.fixture(autouse=True)
def _impatient(sea: Sea, monkeypatch: pytest.MonkeyPatch) -> None:
    """A replay is never drawn so fast that its notice is left out."""
    monkeypatch.setattr(sea.client.feature(Replay), "patience_s", 0.0)


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
        await player.plays_on(turn)


async def voyage(sea: Sea, turn: Turn, storm: Storm) -> Voyage:
    player = sea.player()
    return Voyage(turn, storm, player, await turn.before(player))


@pytest.mark.parametrize(
    "turn",
    [
        pytest.param(turn, id=name, marks=[] if name == "the button Draw" else SLOW)
        for name, turn in TURNS.items()
    ],
)
@pytest.mark.parametrize("storm", STORMS.values(), ids=STORMS)
async def test_a_turn_survives_request_failures(sea: Sea, turn: Turn, storm: Storm) -> None:
    ship = await voyage(sea, turn, storm)
    await ship.sets_out()
    await sea.calm()
    await ship.is_safe()


@some_or_all_turns
@pytest.mark.parametrize(
    "storm",
    [
        pytest.param(storm, id=name, marks=SLOW if storm.fault.times > 2 else [])
        for name, storm in LONG_STORMS.items()
    ],
)
async def test_turns_survive_long_failures_while_others_play_on(
    sea: Sea, storm: Storm, turns: list[Turn]
) -> None:
    ships = [await voyage(sea, turn, storm) for turn in turns]
    other = sea.player()
    table = await other.deals()
    for ship in ships:
        await ship.sets_out()
    await (await other.presses(table, Action.DRAW)).shown()
    assert sea.is_answering, "the storm was over before"
    await sea.calm()
    for ship in ships:
        await ship.is_safe()


async def test_an_old_table_out_of_reach_holds_up_nobody(sea: Sea) -> None:
    """Taking the controls off an old message takes long; the next press is in time all the same."""
    player = sea.player()
    old = await player.deals()
    slow = TURNS["/draw, of which the table before"].storm(LONG_STORMS["a stall of 4 seconds"], player, old)
    new = await (await player.types("draw")).shown()
    pressed = await (await player.presses(new, Action.DRAW)).shown()
    assert (pressed.id, len(slow.met)) == (new.id, 1)
    assert await player.revision() == 2


LOSSES = {name: storm for name, storm in STORMS.items() if storm.fault.loss and not storm.tells}


@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
async def test_after_a_lost_connection_the_controls_are_with_the_answer(sea: Sea, loss: Storm) -> None:
    """Discord took the answer and could not say so; its message is found all the same."""
    player = sea.player()
    old = await player.deals()
    turn = TURNS["/draw"]
    turn.storm(loss, player, old)
    shown = await (await turn.take(player, old)).shown()
    await sea.calm()
    assert await player.live_message_id() == int(shown.id)
    assert (bool(player.controls(shown)), player.controls(old)) == (True, [])
    new = await (await player.types("table")).shown()
    await sea.calm()
    assert (bool(player.controls(new)), player.controls(shown)) == (True, [])


@pytest.mark.parametrize("name", ["/analyse, its answer", "/replay, its animation"])
@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
async def test_after_a_lost_connection_the_announced_animation_comes(
    sea: Sea, name: str, loss: Storm
) -> None:
    turn, player = TURNS[name], sea.player()
    table = await turn.before(player)
    turn.storm(loss, player, table)
    interaction = await turn.take(player, table)
    await sea.calm()
    files = [attachment.filename for m in player.messages for attachment in m.attachments]
    kind = "analysis" if "analyse" in name else "replay"
    assert sum(filename.startswith(kind) for filename in files) >= 1
    if "analyse" in name:  # it fills in what says "is thinking…", so that Discord can be asked for it
        assert sum(filename.startswith(kind) for filename in files) == 1
    assert player.has_answer(interaction)


@SLOW
@pytest.mark.parametrize("storm", STORMS.values(), ids=STORMS)
async def test_choices_that_cannot_be_sent_are_not_an_error(
    sea: Sea, storm: Storm, caplog: pytest.LogCaptureFixture
) -> None:
    player = await sea.reader()
    table = await player.deals()
    fault = TURNS["/draw"].storm(storm, player, table)
    await sea.standin.autocomplete(
        "move", "from", "6", user=player.user, guild_id=GUILD, channel_id=player.channel_id
    )
    await until(lambda: bool(fault.met))
    await sea.calm()
    assert [r.getMessage() for r in caplog.records if r.levelname == "ERROR"] == []
    sea.standin.calm()
    offered = await sea.standin.autocomplete(
        "move", "from", "6", user=player.user, guild_id=GUILD, channel_id=player.channel_id
    )
    assert [choice["value"] for choice in (await offered.answer()).choices] == ["6-7"]


@SLOW
@pytest.mark.parametrize("storm", STORMS.values(), ids=STORMS)
async def test_a_challenge_survives_failures_of_its_message(sea: Sea, storm: Storm) -> None:
    """The card is edited beside the game, by the interaction's token or else in its channel."""
    player = await sea.reader()
    card = await (await player.types("challenge")).shown()
    play = next(part["custom_id"] for part in player.controls(card) if part["custom_id"].endswith(":play"))
    fault = TURNS["/draw, of which the table before"].storm(storm, player, card)
    await (await sea.standin.press(card, play, user=player.user)).shown()
    await until(lambda: bool(fault.met))
    await sea.calm()
    sea.standin.calm()
    shown = await (await player.types("table")).shown()
    revision = await player.revision()
    await (await player.presses(shown, Action.PANEL)).shown()
    assert (await player.revision(), player.errors) == (revision, [])
