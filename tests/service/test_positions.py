"""A position that is kept is what playing its record through leads to, however it was come to."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

from bot.service import Position, ServiceError, Services
from bot.service.position_cache import PositionCache
from engine import GAMES, IllegalMove, Move, Record, RecordSyntaxError
from tests.discord_app.pressing import chained, finishing
from tests.service.conftest import Player, finished

DEALS = [(game.key, code) for game in GAMES.values() for code in game.presets]


def assert_true(positions: PositionCache) -> None:
    """Every position that is kept must be that of its record, in every field."""
    for text, kept in positions._kept.items():
        anew = Position.of(Record.parse(text))
        assert kept.record == anew.record
        assert str(kept.record) == text
        assert kept.table == anew.table
        assert kept.before == anew.before
        assert kept.state == anew.state
        assert kept.outcome == anew.outcome


async def step(player: Player, chance: random.Random) -> None:
    """Do one thing or another that a player may do in the current game."""
    action = chance.choices(
        ("move", "undo", "redo", "finish", "discard all", "show", "hint", "give up", "resume"),
        (60, 14, 10, 4, 4, 2, 2, 0.3, 2),
    )[0]
    if action == "move":
        turn = await player.show()
        if turn.legal_moves:
            await player.move(str(chance.choice(turn.legal_moves)))
    elif action == "undo":
        await player.undo()
    elif action == "redo":
        await player.redo()
    elif action == "finish":
        await player.finish()
    elif action == "discard all":
        await player.discard_all()
    elif action == "show":
        await player.show()
    elif action == "hint":
        await player.hint()
    elif action == "give up":
        given_up = (await player.give_up()).position.record
        await player.new(given_up.game, given_up.rules, given_up.seed)
    elif unfinished := await player.unfinished():
        await player.resume(chance.choice(unfinished))


@pytest.mark.parametrize(("game", "rules"), DEALS)
async def test_after_any_turns_all_that_is_kept_is_true(
    services: Services, ada: Player, ola: Player, game: str, rules: str
) -> None:
    chance = random.Random(f"{game} {rules}")
    for player in (ada, ola, ada):
        await player.new(game, rules, "en to tre")  # with a space, and the same for both
    for _ in range(120):
        with suppress(ServiceError, IllegalMove):
            await step(chance.choice((ada, ola)), chance)
    assert len(services.games._positions._kept) > 20
    assert_true(services.games._positions)


@pytest.mark.parametrize("record", [finishing(), finishing("klondike", "d3"), chained()], ids=str)
async def test_after_several_moves_at_once_what_is_kept_is_true(
    services: Services, ada: Player, record: Record
) -> None:
    await ada.holds(record)
    turn = await (ada.finish() if record.game == "klondike" else ada.discard_all())
    assert len(turn.moves) > 1
    while (await ada.show()).position.record.moves != record.moves:
        await ada.undo()
        assert_true(services.games._positions)
    for _ in turn.moves:
        shown = await ada.redo()
        assert_true(services.games._positions)
        anew = Position.of(shown.position.record)
        assert (shown.table, shown.position.before) == (anew.table, anew.before)


@pytest.mark.parametrize("outcome", ["won", "over"])
async def test_the_end_of_a_game_is_kept_as_it_is(services: Services, ada: Player, outcome: str) -> None:
    record = finished(outcome, "klondike" if outcome == "won" else "acesup")
    await ada.holds(record)
    await ada.undo()
    turn = await ada.redo()
    assert turn.position.outcome is not None
    again = await ada.show()
    assert again.position == Position.of(record)
    assert_true(services.games._positions)


async def test_a_turn_does_not_play_its_game_through_from_the_deal(
    ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    await ada.new("klondike", "d1", "36")
    await ada.draw()
    played: list[Record] = []
    of = Position.of

    def noted(record: Record) -> Position:
        played.append(record)
        return of(record)

    monkeypatch.setattr(Position, "of", noted)
    for _ in range(5):
        await ada.draw()
        await ada.show()
    await ada.undo()
    await ada.redo()
    assert played == []


DRAW = Move.parse("s-w")


def moved(count: int) -> str:
    return "klondike/d1/36" + " s-w" * count


def test_only_so_many_are_kept_and_those_that_were_asked_for_last() -> None:
    positions = PositionCache(max_kept=3)
    for count in range(4):
        positions.of(moved(count))
    positions.of(moved(1))
    positions.of(moved(9))
    assert set(positions._kept) == {moved(1), moved(3), moved(9)}


def test_those_that_were_played_on_to_are_bounded_too() -> None:
    positions = PositionCache(max_kept=3)
    position = positions.of(moved(0))
    for count in range(1, 10):
        position = position.then(DRAW)
        positions.keep(moved(count), position)
    assert set(positions._kept) == {moved(7), moved(8), moved(9)}
    assert_true(positions)


def test_what_several_moves_led_to_is_not_kept() -> None:
    positions = PositionCache()
    start = positions.of(moved(0))
    positions.of(moved(1))
    positions.keep(moved(2), start.then(DRAW, DRAW))
    assert moved(2) not in positions._kept


@pytest.mark.parametrize(
    ("text", "fault"), [("klondike", RecordSyntaxError), ("klondike/d1/36 1-1", IllegalMove)]
)
def test_what_is_no_game_is_not_kept(text: str, fault: type[Exception]) -> None:
    positions = PositionCache()
    for _ in range(2):
        with pytest.raises(fault):
            positions.of(text)
    assert not positions._kept
