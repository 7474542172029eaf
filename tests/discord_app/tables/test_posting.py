"""One live table for each game: where its controls are, and what happens when a message can't be edited."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.discord_app.tables.controls import Action
from bot.text import languages, texts_for
from engine import Record
from tests.discord_app.playing import World
from tests.discord_app.pressing import WEEKS_S, Player, Shown, Wire, action_id, open_wire, player

EN = texts_for("en")
DEAL = Record.parse("klondike/d1/36")

in_every_language = pytest.mark.parametrize("language", languages())
quiet = pytest.mark.usefixtures("quiet")


@pytest.fixture
def ada(world: World) -> Player:
    return player(world)


@pytest_asyncio.fixture
async def wire(tmp_path: Path) -> AsyncIterator[Wire]:
    async with open_wire(tmp_path) as opened:
        yield opened


# ------------------------------------------------------------------------------------- one live table


@quiet
async def test_a_command_takes_the_controls_off_the_older_message_and_keeps_its_picture(
    ada: Player,
) -> None:
    old = await ada.holds(DEAL)
    filename, png, text = old.filename, old.png, old.text
    new = await ada.types("draw")
    old = old.now()
    assert new.message.id != old.message.id
    assert old.controls == []
    assert (old.filename, old.png, old.text) == (filename, png, text)
    assert new.controls
    assert (await ada.live()).message_id == new.message.id


@quiet
async def test_the_old_controls_are_taken_off_even_after_a_restart_and_weeks(
    world: World, ada: Player
) -> None:
    old = await ada.holds(DEAL)
    await ada.press("Draw")
    pressed_name = ada.shown.filename
    await world.restart()
    await world.env.advance_time(WEEKS_S)
    await ada.types("table")
    assert old.now().controls == []
    assert old.now().filename == pressed_name


@quiet
async def test_a_channel_never_shows_two_live_tables_of_a_game(ada: Player) -> None:
    seen = [await ada.types("new", game="klondike", seed="36")]
    for command in ("draw", "table", "undo", "hint", "table"):
        seen.append(await ada.types(command))
        await ada.press("Draw")
        assert [bool(one.now().controls) for one in seen] == [False] * (len(seen) - 1) + [True]
        assert all(one.now().picture for one in seen)


@quiet
async def test_two_games_of_one_player_keep_their_tables(ada: Player) -> None:
    """TJ-Plays' issue 9: a second game broke the first."""
    klondike = await ada.types("new", game="klondike", seed="36")
    acesup = await ada.types("new", game="acesup", seed="1")
    assert klondike.now().controls
    for _ in range(2):
        klondike = await ada.press("Draw", on=klondike)
        acesup = await ada.press("Deal", on=acesup)
    assert (await ada.game(1)).record == "klondike/d1/36 s-w s-w"
    assert (await ada.game(2)).record == "acesup/standard/1 s-t s-t"
    await ada.press("Undo", on=klondike)
    assert acesup.now().controls
    assert (await ada.types("table")).filename == "table-1-3.png"  # what was played last is current
    assert klondike.now().controls == []
    assert acesup.now().controls


async def still_live(world: World, ada: Player) -> tuple[Shown, Shown]:
    """Return an outdated message that could not be edited and still has its controls, and the current one."""
    old = await ada.holds(DEAL)
    await world.restart()  # with no token the old message is edited through its channel
    world.env.inject_error("PATCH", "/channels/*/messages/*", status=403, code=50013)
    new = await ada.types("draw")
    assert old.now().controls
    return old, new


@quiet
@pytest.mark.parametrize("label", ["Draw", "Hint", "More"])
async def test_a_press_on_an_outdated_message_brings_the_current_table_there(
    world: World, ada: Player, label: str
) -> None:
    old, new = await still_live(world, ada)
    shown = await ada.press(label, on=old)
    assert shown.message.id == old.message.id
    assert EN("fault-stale") in shown.text
    assert shown.filename == new.filename
    assert await ada.seat.moves() == ["s-w"]
    assert new.now().controls == []
    assert (await ada.live()).message_id == old.message.id
    await ada.press("Draw")
    assert await ada.seat.moves() == ["s-w", "s-w"]


# ---------------------------------------------------------- where the old message can't be edited any more


@quiet
@pytest.mark.parametrize("code", [30046, 10008, 50013, 50027])
@pytest.mark.parametrize("label", ["Draw", "Hint", "More"])
async def test_a_table_that_cannot_be_edited_is_posted_anew(
    world: World, ada: Player, code: int, label: str
) -> None:
    """Issues 9856 of discord.py (50027) and 4413 of api-docs (30046)."""
    old = await ada.holds(DEAL)
    world.env.inject_error("POST", "/interactions/*/callback", status=400, code=code)
    new = await ada.press(label, on=old)
    assert new.message.id != old.message.id
    assert new.picture
    assert new.controls
    assert not new.ephemeral
    assert await ada.seat.moves() == (["s-w"] if label == "Draw" else [])
    assert old.now().controls == []
    await ada.press("Back" if label == "More" else "Draw")
    assert ada.shown.message.id == new.message.id


@pytest.mark.parametrize(("code", "status"), [(30046, 400), (10008, 404), (50013, 403), (50027, 401)])
async def test_a_table_that_cannot_be_edited_is_posted_anew_over_the_wire(
    wire: Wire, code: int, status: int
) -> None:
    old = await wire.table()
    refusal = {"code": code, "message": "refused"}
    wire.standin.answer_with("POST", "/callback$", status, refusal)
    for _ in range(2):  # by the token of the interaction, then through the channel
        wire.standin.answer_with("PATCH", f"/messages/{old.id}$", status, refusal)
    press = await wire.standin.press(old, action_id(old, Action.DRAW))
    new = await press.shown()
    await wire.quietly(3)
    assert new.id != old.id
    assert new.attachment().filename == "table-1-1.png"
    assert await wire.record() == "klondike/d1/36 s-w"
    late = await (await wire.standin.press(old, action_id(old, Action.DRAW))).shown()
    assert (late.id, late.attachment().filename) == (old.id, "table-1-1.png")
    assert EN("fault-stale") in late.text
    assert await wire.record() == "klondike/d1/36 s-w"


async def test_with_an_expired_interaction_the_table_is_posted_into_the_channel(
    wire: Wire,
) -> None:
    old = await wire.table()
    for _ in range(2):
        unknown = {"code": 10062, "message": "Unknown interaction"}
        wire.standin.answer_with("POST", "/callback$", 404, unknown)
    await wire.standin.press(old, action_id(old, Action.DRAW))
    await wire.quietly(3)
    newest = list(wire.standin.messages.values())[-1]
    assert newest.id != old.id
    assert newest.attachment().filename == "table-1-1.png"
    assert action_id(newest, Action.DRAW) == "sol:1:1:draw"
    with pytest.raises(StopIteration):
        action_id(wire.standin.messages[old.id], Action.DRAW)


@quiet
async def test_a_deleted_message_does_not_hinder_the_next_turn(world: World, ada: Player) -> None:
    old = await ada.holds(DEAL)
    world.env.backend.delete_message(old.message.channel_id, old.message.id)
    new = await ada.types("draw")
    assert new.picture
    await ada.press("Undo")
    assert await ada.seat.moves() == []


async def test_another_refusal_is_answered_with_an_error_id(world: World, ada: Player) -> None:
    table = await ada.holds(DEAL)
    world.env.inject_error("POST", "/interactions/*/callback", status=400, code=50035)
    result = await ada.seat.actor.click(table.message, custom_id=table.of(Action.DRAW))
    assert result.response is not None
    assert result.ephemeral
    assert await ada.seat.moves() == ["s-w"]  # it was played, and the next press says so
    assert EN("fault-stale") in (await ada.press("Draw", on=table)).text


# ------------------------------------------------------------------------------ without Attach Files


@quiet
@in_every_language
async def test_without_attach_files_a_press_answers_as_text_with_the_reason(
    world: World, ada: Player, language: str
) -> None:
    texts = texts_for(language, "en-US")
    await ada.prefers(language=language)
    table = await ada.holds(DEAL)
    world.allow_files(False)
    shown = await ada.press(texts("move-draw"))
    assert shown.message.id == table.message.id
    assert shown.pictures == []
    assert not shown.message.attachments
    assert texts("fault-no-picture") in shown.text
    assert texts("table-stock", count=23) in shown.text
    await ada.press(texts("control-undo"))
    assert await ada.seat.moves() == []


@quiet
async def test_a_restored_permission_restores_the_picture(world: World, ada: Player) -> None:
    await ada.holds(DEAL)
    world.allow_files(False)
    await ada.press("Draw")
    world.allow_files(True)
    shown = await ada.press("Draw")
    assert shown.picture
    assert EN("fault-no-picture") not in shown.text


@quiet
async def test_a_table_as_text_loses_its_controls_to_the_next_one_too(world: World, ada: Player) -> None:
    world.allow_files(False)
    old = await ada.holds(DEAL)
    text = old.text
    await ada.types("draw")
    assert old.now().controls == []
    assert old.now().text == text


# ------------------------------------------------------------------------------- only the player sees it


@quiet
async def test_a_private_table_is_played_in_its_own_ephemeral_message(ada: Player) -> None:
    await ada.prefers(is_private=True)
    table = await ada.holds(DEAL)
    assert table.ephemeral
    for label in ("Draw", "Hint", "Undo", "More", "Back", "Redo"):
        shown = await ada.press(label)
        assert shown.ephemeral
        assert shown.message.id == table.message.id
        assert shown.picture


@quiet
async def test_a_private_table_loses_its_controls_to_the_next_one(ada: Player) -> None:
    await ada.prefers(is_private=True)
    old = await ada.holds(DEAL)
    await ada.press("Draw")
    new = await ada.types("draw")
    assert new.ephemeral
    assert old.now().controls == []
    assert old.now().picture


@quiet
async def test_a_private_table_is_replaced_by_a_public_one_after_the_setting_changes(
    ada: Player,
) -> None:
    await ada.prefers(is_private=True)
    private = await ada.holds(DEAL)
    await ada.prefers(is_private=False)
    public = await ada.types("table")
    assert not public.ephemeral
    assert private.now().controls == []


@quiet
async def test_the_buttons_of_a_private_table_work_after_a_restart(world: World, ada: Player) -> None:
    await ada.prefers(is_private=True)
    old = await ada.holds(DEAL)
    await world.restart()
    new = await ada.types("draw")
    if old.now().controls:
        shown = await ada.press("Draw", on=old)
        assert EN("fault-stale") in shown.text
        assert shown.filename == new.filename
        assert new.now().controls == []


@quiet
@pytest.mark.parametrize("code", [30046, 10008, 50027])
async def test_a_private_table_that_cannot_be_edited_is_sent_anew_ephemerally(
    world: World, ada: Player, code: int
) -> None:
    await ada.prefers(is_private=True)
    old = await ada.holds(DEAL)
    world.env.inject_error("POST", "/interactions/*/callback", status=400, code=code)
    new = await ada.press("Draw")
    assert new.message.id != old.message.id
    assert new.ephemeral
    assert new.picture


@quiet
@pytest.mark.parametrize("place", ["thread", "direct"])
async def test_tables_work_in_threads_and_direct_messages(world: World, place: str) -> None:
    ada = player(world, "ada", place)
    old = await ada.holds(DEAL)
    pressed = await ada.press("Draw")
    assert pressed.message.id == old.message.id
    await world.restart()
    await ada.types("table")
    assert old.now().controls == []
    assert old.now().picture
