"""Hints that are thought out: used when they come in time, dropped when the player moves on."""

from __future__ import annotations

import asyncio
import logging

import pytest

from bot.service import NoSuchGame, NotInContest, Priority, Services, StaleTable, Turn, TurnAction
from engine import Record
from tests.hints import advise
from tests.service.conftest import Player
from tests.thinking import Thinker

DEAL = Record.parse("klondike/d1/36")
quick = pytest.mark.usefixtures("impatient")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.service.games.hints.PATIENCE_S", 0.05)


def other_than_plain(turn: Turn) -> str:
    """A legal move that is no plain hint."""
    plain = advise(turn.position)
    return next(str(move) for move in turn.legal_moves if move != plain)


async def hinted(ada: Player, thinker: Thinker) -> tuple[Turn, str]:
    """A new game, and the hint that the thinker has for it."""
    turn = await ada.new("klondike", "d1", "36")
    hint = other_than_plain(turn)
    thinker.knows(hint=hint)
    return turn, hint


async def test_a_hint_is_what_was_thought_out_of_the_game_so_far(ada: Player, thinker: Thinker) -> None:
    turn, hint = await hinted(ada, thinker)
    shown = await ada.hint()
    assert (shown.action, [str(move) for move in shown.moves]) == (TurnAction.HINTED, [hint])
    assert shown.game == turn.game
    assert [(one.lane, one.job, one.record) for one in thinker.asked] == [
        (Priority.QUICK, "hint", turn.game.record)
    ]


async def test_where_there_is_no_answer_the_hint_is_the_plain_one(ada: Player, thinker: Thinker) -> None:
    turn = await ada.new("klondike", "d1", "36")
    assert (await ada.hint()).moves == (advise(turn.position),)
    assert len(thinker.asked) == 1


@quick
async def test_where_the_answer_takes_too_long_the_hint_is_the_plain_one_and_nobody_waits_any_more(
    ada: Player, thinker: Thinker
) -> None:
    turn, _ = await hinted(ada, thinker)
    thinker.hold()
    assert (await ada.hint()).moves == (advise(turn.position),)
    assert (thinker.waiting, thinker.broken_off) == (0, 1)


@pytest.mark.parametrize("hint", ["7-1", "s-t", "no move", "", "s-w s-w"])
async def test_a_hint_that_the_rules_forbid_is_logged_and_the_plain_one_is_given(
    ada: Player, thinker: Thinker, caplog: pytest.LogCaptureFixture, hint: str
) -> None:
    turn = await ada.new("klondike", "d1", "36")
    thinker.knows(hint=hint)
    assert (await ada.hint()).moves == (advise(turn.position),)
    [message] = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    assert message == f"{hint!r} is no hint for a game of klondike: the rules forbid it"


@pytest.mark.parametrize("how", ["move", "undo", "give_up"])
async def test_a_player_who_moves_on_gets_the_table_as_it_is_and_the_thinking_is_broken_off(
    ada: Player, thinker: Thinker, how: str
) -> None:
    await hinted(ada, thinker)
    await ada.draw()
    thinker.hold()
    hint = asyncio.create_task(ada.hint())
    await thinker.until_asked()
    moves_on = {"move": ada.draw, "undo": ada.undo, "give_up": ada.give_up}[how]
    after = await moves_on()
    with pytest.raises(StaleTable) as stale:
        await hint
    assert stale.value.turn.game == after.game
    assert (thinker.waiting, thinker.broken_off) == (0, 1)
    assert (await ada.show()).game == after.game


async def test_a_hint_for_a_game_that_is_deleted_meanwhile_says_so(
    ada: Player, thinker: Thinker, services: Services
) -> None:
    await hinted(ada, thinker)
    thinker.hold()
    hint = asyncio.create_task(ada.hint())
    await thinker.until_asked()
    await services.own_data.forget(ada.user_id)
    thinker.let()
    with pytest.raises(NoSuchGame):
        await hint


async def test_two_presses_at_once_are_one_question_and_both_get_the_hint(
    ada: Player, thinker: Thinker
) -> None:
    turn, hint = await hinted(ada, thinker)
    thinker.hold()
    presses = [asyncio.create_task(ada.hint(game_id=turn.game.id, revision=0)) for _ in range(5)]
    await thinker.until_asked()
    await asyncio.sleep(0.01)
    thinker.let()
    for shown in await asyncio.gather(*presses):
        assert (shown.action, [str(move) for move in shown.moves]) == (TurnAction.HINTED, [hint])
    assert len(thinker.asked) == 1
    await ada.hint()
    assert len(thinker.asked) == 2  # nothing is kept


async def test_who_no_longer_waits_for_a_hint_takes_it_from_nobody(ada: Player, thinker: Thinker) -> None:
    _, hint = await hinted(ada, thinker)
    thinker.hold()
    first, second = [asyncio.create_task(ada.hint()) for _ in range(2)]
    await thinker.until_asked()
    first.cancel()
    await asyncio.sleep(0)
    thinker.let()
    assert [str(move) for move in (await second).moves] == [hint]


async def test_after_moving_on_the_next_hint_is_thought_out_anew(ada: Player, thinker: Thinker) -> None:
    await hinted(ada, thinker)
    thinker.hold()
    late = asyncio.create_task(ada.hint())
    await thinker.until_asked()
    turn = await ada.draw()
    hint = other_than_plain(turn)
    thinker.knows(hint=hint)
    fresh = asyncio.create_task(ada.hint())
    await asyncio.sleep(0.01)
    thinker.let()
    assert [str(move) for move in (await fresh).moves] == [hint]
    with pytest.raises(StaleTable):
        await late
    assert thinker.questions("hint") == [str(DEAL), turn.game.record]


async def test_games_of_others_do_not_break_off_a_hint(ada: Player, ola: Player, thinker: Thinker) -> None:
    _, hint = await hinted(ada, thinker)
    thinker.hold()
    waiting = asyncio.create_task(ada.hint())
    await thinker.until_asked()
    await ola.new("klondike", "d1", "36")
    await ola.draw()
    thinker.let()
    assert [str(move) for move in (await waiting).moves] == [hint]


async def test_in_a_contest_nothing_is_thought_out(
    ada: Player, ola: Player, thinker: Thinker, services: Services
) -> None:
    await services.games.play_daily(ada.request())
    with pytest.raises(NotInContest):
        await ada.hint()
    challenge = await services.challenges.create(ada.user_id, [ola.user_id], game="acesup", seed="1")
    await services.challenges.play(ada.request(), challenge.challenge.id)
    with pytest.raises(NotInContest):
        await ada.hint()
    assert thinker.asked == []


async def test_others_play_on_while_a_hint_is_thought_out(ada: Player, ola: Player, thinker: Thinker) -> None:
    await hinted(ada, thinker)
    thinker.hold()
    waiting = asyncio.create_task(ada.hint())
    await thinker.until_asked()
    await ola.new("klondike", "d1", "1")
    for _ in range(5):
        await ola.draw()
    assert not waiting.done()
    thinker.let()
    await waiting
