"""Follow-ups to a table: the best score that was possible, and that a game is lost."""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import discord
import pytest
import pytest_asyncio
from cachetools import LRUCache

from bot.discord_app.layout import TEXT_MAX_CHARACTERS
from bot.discord_app.tables.controls import Action, ComponentId
from bot.discord_app.tables.follow_ups import MAX_TASKS
from bot.discord_app.tables.message import MessageContent
from bot.service import Position
from bot.service.analysis.best_scores import _MAX_FOR_ONE
from bot.text import languages, texts_for
from engine import Record
from solve import Par
from tests.discord_app.direct import DirectBot, direct_bot
from tests.discord_app.endings import BETTER, LOST, SCORE, best_line, ends
from tests.discord_app.playing import World, walk
from tests.discord_app.pressing import (
    Player,
    Shown,
    won,
)
from tests.thinking import Thinker, par

EN = texts_for("en")
SAID = EN("turn-best-proven", best=SCORE + 2, bound=SCORE + 2, score=SCORE)

quiet = pytest.mark.usefixtures("quiet")
in_every_language = pytest.mark.parametrize("language", languages())
ids = itertools.count(600_000)


async def said(world: World) -> None:
    """Wait until the follow-ups are sent."""
    await world.client.follow_ups.wait()


# The best score that was possible


@quiet
@in_every_language
@pytest.mark.parametrize(
    ("best", "key"),
    [
        (par(SCORE + 2), "turn-best-proven"),
        (par(SCORE + 2, 48), "turn-best-found"),
        (par(SCORE), "turn-best-made"),
        (par(SCORE, 48), "turn-best-bound"),
        (par(SCORE - 2, 48), "turn-best-bound"),
    ],
)
async def test_every_sentence_says_how_well_the_game_could_be_played(
    ada: Player, thinker: Thinker, language: str, best: Par, key: str
) -> None:
    texts = texts_for(language, "en-US")
    await ada.prefers(language=language)
    shown = await ends(ada, thinker, best)
    words = {"best": best.score, "bound": best.upper_bound, "score": SCORE}
    assert texts(key, **words) in shown.text.split("\n")
    assert (texts("control-best") in shown.labels) == (best.score > SCORE)


@quiet
@in_every_language
@pytest.mark.parametrize(
    ("best", "key"),
    [(par(52), "turn-could-be-won"), (par(0, 51), "turn-could-not-be-won"), (par(0, 52), None)],
)
async def test_an_ended_klondike_says_whether_it_could_be_won(
    world: World, ada: Player, thinker: Thinker, language: str, best: Par, key: str | None
) -> None:
    texts = texts_for(language, "en-US")
    await ada.prefers(language=language)
    thinker.knows(best=replace(best, line=Record.parse("klondike/d1/36 s-w s-w").moves))
    await ada.types("new", game="klondike", rules="d1", seed="36")
    ended = Shown.of_message(world, (await ada.seat.gives_up()).message)
    await said(world)
    sentences = {texts("turn-could-be-won"), texts("turn-could-not-be-won")}
    assert sentences & set(ended.now().text.split("\n")) == ({texts(key)} if key else set())
    assert (texts("control-best") in ended.now().labels) == (best.score == 52)


@quiet
@pytest.mark.parametrize(("key", "code"), [("acesup", "cell"), ("klondike", "d1")])
async def test_a_won_game_has_no_follow_up(
    world: World, ada: Player, thinker: Thinker, key: str, code: str
) -> None:
    thinker.knows(best=par(48))
    shown = await ada.holds(won(key, code))
    await said(world)
    assert shown.now().text == shown.text
    assert shown.now().labels == shown.labels
    assert thinker.asked == []


@quiet
async def test_a_known_best_score_is_shown_at_once(world: World, ada: Player, thinker: Thinker) -> None:
    await ends(ada, thinker)
    thinker.hold()
    again = await ada.types("table")
    assert SAID in again.text
    assert EN("control-best") in again.labels
    assert len(thinker.asked) == 1


@quiet
@pytest.mark.parametrize("as_text", [False, True])
async def test_without_pictures_the_sentence_is_above_the_table_as_text(
    world: World, ada: Player, thinker: Thinker, as_text: bool
) -> None:
    await ada.prefers(as_text=as_text)
    if not as_text:
        world.allow_files(False)
    shown = await ends(ada, thinker)
    assert SAID in shown.text.split("\n")
    assert shown.pictures == []
    assert EN("control-best") in shown.labels


@quiet
async def test_an_ephemeral_table_gets_the_sentence_too(ada: Player, thinker: Thinker) -> None:
    await ada.prefers(is_private=True)
    shown = await ends(ada, thinker)
    assert shown.ephemeral
    assert SAID in shown.text


@quiet
async def test_a_table_in_a_direct_message_gets_the_sentence_too(world: World, thinker: Thinker) -> None:
    thinker.knows(best=BETTER)
    eva = Player(world.seat("eva", "direct"), None)  # type: ignore[arg-type]
    await eva.holds(LOST)
    await said(world)
    assert SAID in eva.shown.now().text


@quiet
async def test_the_message_that_loses_the_table_keeps_the_sentence(ada: Player, thinker: Thinker) -> None:
    old = await ends(ada, thinker)
    await ada.types("table")
    assert old.now().controls == []
    assert old.now().text == old.text
    assert SAID in old.now().text
    assert old.now().filename == old.filename


@quiet
@pytest.mark.parametrize("trouble", [discord.HTTPException, OSError, TimeoutError])
async def test_an_unreachable_discord_does_not_matter(
    world: World,
    ada: Player,
    thinker: Thinker,
    monkeypatch: pytest.MonkeyPatch,
    trouble: type[Exception],
) -> None:
    async def out_of_reach(*_: Any, **__: Any) -> None:
        response: Any = type("Response", (), {"status": 502, "reason": "Bad Gateway"})
        raise discord.HTTPException(response, "no") if trouble is discord.HTTPException else trouble

    monkeypatch.setattr(discord.Webhook, "edit_message", out_of_reach)
    await ends(ada, thinker)
    assert (await ada.press("Undo")).controls


async def test_an_error_of_the_bot_is_only_logged(
    world: World, ada: Player, thinker: Thinker, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    shown = await ends(ada, thinker, broken)  # type: ignore[arg-type]
    assert [r.getMessage() for r in caplog.records if r.levelno >= logging.ERROR] == [
        "could not follow up a turn"
    ]
    assert shown.controls


@quiet
async def test_without_a_best_score_nothing_is_said(ada: Player, thinker: Thinker) -> None:
    before = await ada.holds(LOST)
    shown = await ends(ada, thinker, None)
    assert shown.text == before.text


@pytest.mark.parametrize("headline", ["short", "x" * 3_990, "x" * 5_000])
@pytest.mark.parametrize("footer", ["short", "y" * 300])
def test_the_text_of_a_table_fits_into_a_message(headline: str, footer: str) -> None:
    parts = walk(MessageContent(headline, footer).message([]).view.to_components())  # type: ignore[no-untyped-call]
    written = "".join(part["content"] for part in parts if "content" in part)
    assert len(written) <= TEXT_MAX_CHARACTERS
    assert written.startswith("short" if headline == "short" else "x" * 3_000)
    assert written.endswith(footer)


# The best line


@quiet
@in_every_language
async def test_the_button_shows_the_best_line_as_an_ephemeral_animation(
    ada: Player, thinker: Thinker, language: str
) -> None:
    texts = texts_for(language, "en-US")
    await ada.prefers(language=language)
    table = await ends(ada, thinker)
    game = await ada.game()
    shown = await best_line(ada)
    assert shown.ephemeral
    assert shown.filename == f"best-{game.id}-{game.revision}.gif"
    words = {"moves": 2, "score": SCORE + 2, "full": 48}
    assert texts("replay-best-title", **words) in shown.text
    assert shown.alt == texts("replay-best-alt", **words)
    assert shown.image.n_frames > 2  # type: ignore[attr-defined]
    assert table.now().text == table.text
    assert await ada.game() == game


@quiet
@pytest.mark.parametrize("as_text", [False, True])
async def test_without_pictures_the_best_line_comes_as_text(
    world: World, ada: Player, thinker: Thinker, as_text: bool
) -> None:
    await ada.prefers(as_text=as_text)
    if not as_text:
        world.allow_files(False)
    await ends(ada, thinker)
    shown = await best_line(ada)
    assert shown.ephemeral
    assert shown.message.attachments == []
    assert EN("replay-best-title", moves=2, score=SCORE + 2, full=48) in shown.text
    assert shown.text.split("\n")[-1] == " · ".join([EN("move-deal")] * 2)


@quiet
async def test_after_a_restart_the_best_line_is_solved_again(
    world: World, ada: Player, thinker: Thinker
) -> None:
    await ends(ada, thinker)
    await world.restart()
    shown = await best_line(ada)
    assert shown.ephemeral
    assert shown.filename.startswith("best-")
    assert len(thinker.asked) == 2


@quiet
async def test_a_best_line_that_is_not_found_again_is_reported(
    world: World, ada: Player, thinker: Thinker
) -> None:
    table = await ends(ada, thinker)
    await world.restart()
    thinker.knows(best=None)
    shown = await best_line(ada, table)
    assert shown.ephemeral
    assert shown.text == EN("replay-no-best")


@quiet
async def test_nobody_else_sees_the_best_line_of_a_game(ada: Player, ola: Player, thinker: Thinker) -> None:
    table = await ends(ada, thinker)
    answer = await ola.press_id(table.of(Action.BEST), on=table)
    assert answer.ephemeral
    assert EN("fault-not-yours") in answer.text
    assert answer.pictures == []
    assert str(SCORE + 2) not in answer.text


# While others still play the same cards


@quiet
async def test_after_the_day_the_best_score_and_line_are_shown(
    world: World, ada: Player, thinker: Thinker
) -> None:
    thinker.knows(best=par(47, line="s-t s-t"))
    await world.client.services.best_scores.work_out_today()
    await ada.types("daily")
    await ada.seat.gives_up()
    world.clock.now_ms += 24 * 60 * 60 * 1000
    board = await ada.types("leaderboard", when="yesterday")
    assert EN("board-best-proven", best=47, bound=47) in board.text
    await ada.types("table")
    await said(world)
    assert EN("turn-best-proven", best=47, bound=47, score=(await ada.game()).score) in ada.shown.now().text
    ada.shown = ada.shown.now()
    assert (await best_line(ada)).filename.startswith("best-")


# Many at once


@pytest_asyncio.fixture
async def direct(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[DirectBot]:
    async with direct_bot(monkeypatch) as opened:
        yield opened


@quiet
async def test_two_hundred_games_that_end_at_once_have_a_bounded_number_of_follow_ups(
    direct: DirectBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    thinker, follow_ups = direct.thinker, direct.client.follow_ups
    thinker.hold()
    thinker.knows(best=par(48, line="s-t"))
    deals = {owner: Position.of(Record.parse(f"acesup/standard/{owner}")) for owner in range(1, 201)}
    games = [await direct.holds(at, owner) for owner, at in deals.items()]

    async def end(game_id: int, owner: int) -> None:
        custom_id = str(ComponentId(game_id, 0, Action.GIVE_UP))
        assert len(await direct.press(custom_id, user_id=owner)) == 1

    await asyncio.gather(*(end(game.id, game.owner_id) for game in games))
    assert len(follow_ups._tasks) == len(follow_ups._pending) == MAX_TASKS
    last = games[-1]
    custom_id = str(ComponentId(last.id, 1, Action.PANEL, "more"))
    [answer] = await direct.press(custom_id, user_id=last.owner_id)
    assert answer.parts
    edits = direct.edits
    thinker.let()
    await follow_ups.wait()
    assert direct.edits == edits + MAX_TASKS
    assert follow_ups._tasks == set()
    assert follow_ups._pending == {}
    assert direct.client.services.best_scores._asked == {}


@quiet
async def test_one_player_who_ends_many_games_waits_for_few_solvers(direct: DirectBot) -> None:
    direct.thinker.hold()
    for seed in range(1, 31):
        game = await direct.holds(Position.of(Record.parse(f"acesup/standard/{seed}")), 1)
        custom_id = str(ComponentId(game.id, 0, Action.GIVE_UP))
        await direct.press(custom_id, message_id=direct.message())
    assert direct.thinker.waiting <= _MAX_FOR_ONE
    await direct.client.follow_ups.close()


@quiet
async def test_of_a_players_games_only_the_last_is_checked_for_being_lost(
    direct: DirectBot,
) -> None:
    await direct.client.services.settings.change(1, "tells_lost", value=True)
    direct.thinker.hold()
    for seed in range(1, 31):
        game = await direct.holds(Position.of(Record.parse(f"acesup/standard/{seed}")), 1)
        custom_id = str(ComponentId(game.id, 0, Action.DRAW))
        await direct.press(custom_id, message_id=direct.message())
        await asyncio.sleep(0)
    await direct.thinker.until_asked()
    assert direct.thinker.waiting == 1
    assert direct.thinker.asked[-1].record == "acesup/standard/30 s-t"
    await direct.client.follow_ups.close()


@quiet
async def test_the_games_told_to_be_lost_are_bounded(
    direct: DirectBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(direct.client.follow_ups, "_told", LRUCache(3))
    direct.thinker.knows(best=par(1))
    await direct.client.services.settings.change(1, "tells_lost", value=True)
    for seed in range(1, 9):
        game = await direct.holds(Position.of(Record.parse(f"acesup/standard/{seed}")), 1)
        custom_id = str(ComponentId(game.id, 0, Action.DRAW))
        await direct.press(custom_id, message_id=direct.message())
        await direct.client.follow_ups.wait()
    assert list(direct.client.follow_ups._told.values()) == [1, 1, 1]
