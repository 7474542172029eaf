"""What players see when they come back to a game that expired after a year."""

from __future__ import annotations

import pytest

from bot.discord_app.features.daily_posts import DailyPosts
from bot.discord_app.tables.controls import Action
from bot.storage import Status
from bot.text import texts_for
from tests.discord_app.playing import World, speak
from tests.discord_app.pressing import Player, Shown

RECORD = "klondike/d3p2r/36 s-w s-w"
in_both = pytest.mark.parametrize("locale", ["en-US", "no"])


def ended_text(locale: str) -> str:
    return texts_for(locale[:2])("turn-expired", score=0, full=52)


async def left(world: World, ada: Player) -> Shown:
    """Let a game of Ada's expire; return its table as she last saw it."""
    await ada.types("new", game="klondike", rules="d3p2r", seed="36")
    await ada.types("draw")
    shown = await ada.types("draw")
    world.clock.now_ms += 366 * 86_400_000
    await world.client.feature(DailyPosts).scheduler.run_once()
    game = await ada.game()
    assert (game.record, game.status) == (RECORD, Status.EXPIRED)
    return shown


@in_both
async def test_the_table_says_why_the_game_ended_and_what_to_do(
    world: World, ada: Player, monkeypatch: pytest.MonkeyPatch, locale: str
) -> None:
    speak(monkeypatch, locale)
    await left(world, ada)
    shown = await ada.types("table")
    assert shown.text.startswith(ended_text(locale))
    texts = texts_for(locale[:2])
    assert shown.labels == [texts("control-more")]  # the other controls are disabled
    assert texts("games-none") in (await ada.types("games")).text
    assert await ada.seat.offered("games", "resume") == {}


@in_both
@pytest.mark.parametrize("action", [Action.DRAW, Action.UNDO])
async def test_a_press_on_the_old_message_shows_how_the_game_ended(
    world: World, ada: Player, monkeypatch: pytest.MonkeyPatch, locale: str, action: Action
) -> None:
    speak(monkeypatch, locale)
    old = await left(world, ada)
    answer = await ada.do(action, on=old)
    assert ended_text(locale) in answer.text
    assert (await ada.game()).record == RECORD


@in_both
@pytest.mark.parametrize("command", ["undo", "redo", "draw", "hint", "giveup"])
async def test_moves_are_refused_because_the_game_has_ended(
    world: World, ada: Player, monkeypatch: pytest.MonkeyPatch, locale: str, command: str
) -> None:
    speak(monkeypatch, locale)
    await left(world, ada)
    assert (await ada.types(command)).text == texts_for(locale[:2])("fault-finished")
    assert ((await ada.game()).record, (await ada.game()).status) == (RECORD, Status.EXPIRED)


async def test_a_new_game_has_the_rules_that_were_played_last(world: World, ada: Player) -> None:
    await left(world, ada)
    shown = await ada.types("new")
    assert (await ada.game()).record.startswith("klondike/d3p2r/")
    assert "set aside" not in shown.text


@in_both
async def test_an_expired_game_counts_and_can_be_shared_replayed_and_compared(
    world: World, ada: Player, ola: Player, monkeypatch: pytest.MonkeyPatch, locale: str
) -> None:
    speak(monkeypatch, locale)
    texts = texts_for(locale[:2])
    await ola.types("new", game="klondike", rules="d3p2r", seed="36")
    await ola.types("draw")
    await left(world, ada)
    assert "klondike/d3p2r/36" in (await ada.types("share")).text
    assert texts("replay-title", moves=2, score=0, full=52) in (await ada.types("replay")).text
    scores = texts("stats-scores", average="0", best=0, streak=0, longest=0)
    assert scores in (await ada.types("stats")).text
    compared = await ada.types("compare", friend=ola.seat.actor)
    assert texts("compare-line", name=texts("compare-you"), score=0, full=52, moves=2) in compared.text


async def test_a_game_left_for_less_than_a_year_is_kept(world: World, ada: Player) -> None:
    await ada.types("new", game="klondike", rules="d3p2r", seed="36")
    world.clock.now_ms += 364 * 86_400_000
    await world.client.feature(DailyPosts).scheduler.run_once()
    await ada.types("draw")
    assert (await ada.game()).status is Status.PLAYING
