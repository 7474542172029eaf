"""Follow-ups over real sockets: the player does something else while a solver works.

And no press reveals what a solver found about cards that others still play.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.discord_app.tables.controls import Action, ComponentId
from bot.service import Position, Request
from bot.storage import NewGame
from bot.text import languages, texts_for
from engine import Record
from solve import Par
from tests.discord_app.direct import DirectBot, direct_bot
from tests.discord_app.endings import BETTER, LOST, SCORE
from tests.discord_app.pressing import (
    STATUS,
    Wire,
    action_id,
    open_wire,
    parse_id,
)
from tests.thinking import Thinker, par
from tests.wire.payloads import Message
from tests.wire.payloads import walk as walk_payload
from tests.wire.standin import PLAYER

EN = texts_for("en")
AT = Record.parse("acesup/standard/1 s-t")

quiet = pytest.mark.usefixtures("quiet")
in_every_language = pytest.mark.parametrize("language", languages())
ids = itertools.count(500_000)


def best_said(language: str = "en") -> str:
    return texts_for(language)("turn-best-proven", best=SCORE + 2, bound=SCORE + 2, score=SCORE)


@pytest.fixture
def thinker() -> Thinker:
    thinker = Thinker()
    thinker.knows(best=BETTER)
    thinker.hold()
    return thinker


@pytest_asyncio.fixture
async def wire(tmp_path: Path, thinker: Thinker) -> AsyncIterator[Wire]:
    async with open_wire(tmp_path, thinker) as opened:
        yield opened


async def holds(wire: Wire, record: Record, **settings: Any) -> Message:
    """Store a game that has come this far, and show its table."""
    at, store = Position.of(record), wire.client._store
    await store.save_settings(PLAYER.id, replace(await store.load_settings(PLAYER.id), **settings))
    await store.create_game(
        NewGame(PLAYER.id, str(record), STATUS[at.outcome], at.table.score, next(ids), now_ms=1)
    )
    return await types(wire, "table")


async def types(wire: Wire, command: str, **options: Any) -> Message:
    return await (await wire.standin.interact(command, options, guild_id=wire.guild_id)).shown()


async def press(wire: Wire, message: Message, action: Action, detail: str = "") -> Message:
    named = [part["custom_id"] for part in walk_payload(message.payload["components"]) if "custom_id" in part]
    presses = {name: parse_id(name) for name in named}
    [custom_id] = [
        name for name, one in presses.items() if one and one.action is action and detail in ("", one.detail)
    ]
    return await (await wire.standin.press(message, custom_id)).shown()


def now(wire: Wire, message: Message) -> Message:
    return wire.standin.messages[message.id]


def labels(message: Message) -> list[str]:
    parts = walk_payload(message.payload["components"])
    return [part["label"] for part in parts if part.get("label") and not part.get("disabled")]


async def said(wire: Wire) -> None:
    """Wait until everything is answered, and the follow-ups are sent."""
    answering = ("on_interaction", "CommandTree-invoker")
    await wire.until(lambda: not any(task.get_name().endswith(answering) for task in asyncio.all_tasks()))
    await wire.client.follow_ups.wait()


async def let(wire: Wire, thinker: Thinker) -> None:
    """Let the solvers answer, and wait until the follow-ups are sent."""
    thinker.let()
    await said(wire)


# The best score that was possible


@quiet
@in_every_language
async def test_an_ended_table_gets_the_best_score_and_keeps_its_picture(
    wire: Wire, thinker: Thinker, language: str
) -> None:
    texts = texts_for(language, "en-US")
    first = await holds(wire, LOST, language=language)
    assert texts("control-best") not in labels(first)
    await let(wire, thinker)
    told = now(wire, first)
    assert best_said(language) in told.text.split("\n")
    assert told.text.replace(f"\n{best_said(language)}", "") == first.text
    assert told.attachments == first.attachments
    assert set(labels(first)) < set(labels(told))
    assert texts("control-best") in labels(told)
    assert len(wire.standin.messages) == 1


@quiet
async def test_the_best_line_meets_discords_contract(wire: Wire, thinker: Thinker) -> None:
    table = await holds(wire, LOST, is_private=True)
    await let(wire, thinker)
    shown = await press(wire, now(wire, table), Action.BEST)
    assert shown.attachment().filename.startswith("best-")
    assert shown.ephemeral


@quiet
async def test_a_game_continued_by_undo_gets_no_best_score(wire: Wire, thinker: Thinker) -> None:
    undone = await press(wire, await holds(wire, LOST), Action.UNDO)
    await let(wire, thinker)
    assert now(wire, undone) == undone
    redone = await press(wire, undone, Action.REDO)
    assert best_said() in redone.text  # by now it is known


@quiet
async def test_only_the_newest_message_gets_the_best_score(wire: Wire, thinker: Thinker) -> None:
    old = await holds(wire, LOST)
    new = await types(wire, "table")
    await let(wire, thinker)
    assert best_said() in now(wire, new).text
    assert best_said() not in now(wire, old).text
    assert labels(now(wire, old)) == []
    assert len(thinker.asked) == 1


@quiet
async def test_an_opened_panel_stays_and_the_best_score_is_added_once(wire: Wire, thinker: Thinker) -> None:
    table = await holds(wire, LOST)
    for panel in ("more", "main", "more"):
        table = await press(wire, table, Action.PANEL, panel)
    await let(wire, thinker)
    told = now(wire, table)
    assert told.text.count(best_said()) == 1
    assert labels(told) == labels(table)
    main = await press(wire, told, Action.PANEL, "main")
    assert main.text.count(best_said()) == 1
    assert EN("control-best") in labels(main)
    assert len(thinker.asked) == 1


@quiet
async def test_a_panel_opened_while_the_best_score_is_added_stays(wire: Wire, thinker: Thinker) -> None:
    table = await holds(wire, LOST)
    tables, turn = wire.client.tables, await wire.client.services.games.show(Request(PLAYER.id, next(ids)))
    async with tables._lock(turn.game.id):  # as a press does while it is answered
        pressing = asyncio.create_task(press(wire, table, Action.PANEL, "more"))
        await asyncio.sleep(0.05)
        thinker.let()
        await asyncio.sleep(0.05)
    more = await pressing
    await said(wire)
    assert now(wire, table).text.count(best_said()) == 1
    assert EN("control-rules") in labels(more)


@quiet
@pytest.mark.parametrize(
    ("status", "code"), [(404, 10008), (401, 50027), (403, 50013), (404, 0), (400, 50035)]
)
async def test_a_refused_edit_does_not_matter(wire: Wire, thinker: Thinker, status: int, code: int) -> None:
    table = await holds(wire, LOST)
    await thinker.until_asked()
    wire.standin.answer_with("PATCH", f"/messages/{table.id}$", status, {"code": code, "message": "no"})
    await let(wire, thinker)
    assert now(wire, table) == table
    assert len(wire.standin.messages) == 1
    assert best_said() in (await types(wire, "table")).text


@quiet
async def test_a_game_that_was_deleted_meanwhile_gets_no_best_score(wire: Wire, thinker: Thinker) -> None:
    table = await holds(wire, LOST)
    await thinker.until_asked()
    await wire.client.services.own_data.forget(PLAYER.id)
    await let(wire, thinker)
    assert now(wire, table) == table


@quiet
async def test_closing_cancels_follow_ups(wire: Wire, thinker: Thinker) -> None:
    table = await holds(wire, LOST)
    await thinker.until_asked()
    await wire.client.close()
    assert wire.client.follow_ups._tasks == set()
    assert now(wire, table) == table


@quiet
async def test_a_best_line_that_must_be_solved_is_deferred(
    wire: Wire, thinker: Thinker, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await holds(wire, LOST)
    await let(wire, thinker)
    wire.client.services.best_scores._known.clear()
    thinker.hold()
    told = now(wire, table)
    pressed = await wire.standin.press(told, action_id(told, Action.BEST))
    await pressed.answer()  # "is thinking…"
    await thinker.until_asked()
    thinker.let()
    assert (await pressed.shown()).attachment().filename.startswith("best-")


# A game that can't be won any more


def lost_said(wire: Wire, language: str = "en") -> list[Message]:
    texts = texts_for(language, "en-US")
    sentences = (texts("turn-lost"), texts("turn-lost-from-start"))
    return [message for message in wire.standin.messages.values() if message.text in sentences]


@quiet
@in_every_language
async def test_a_lost_game_is_told_once_ephemerally_and_again_after_undo(
    wire: Wire, thinker: Thinker, language: str
) -> None:
    thinker.knows(best=par(40))
    thinker.let()
    table = await holds(wire, AT, tells_lost=True, language=language)
    await said(wire)
    [told] = lost_said(wire, language)
    assert told.ephemeral
    assert told.text == texts_for(language, "en-US")("turn-lost")
    assert now(wire, table) == table

    async def count(action: Action) -> int:
        nonlocal table
        table = await press(wire, now(wire, table), action)
        await said(wire)
        return len(lost_said(wire, language))

    assert await count(Action.DRAW) == 1
    assert await count(Action.UNDO) == 1  # where it was told
    thinker.knows(best=par(40, 48))
    assert await count(Action.UNDO) == 1  # not lost there
    thinker.knows(best=par(40))
    assert await count(Action.REDO) == 2
    table = await types(wire, "table")
    await said(wire)
    assert len(lost_said(wire, language)) == 2


@quiet
@in_every_language
async def test_an_unwinnable_deal_is_told_once(wire: Wire, thinker: Thinker, language: str) -> None:
    thinker.knows(best=par(40))
    thinker.let()
    table = await holds(wire, Record.parse(AT.code), tells_lost=True, language=language)
    await said(wire)
    await press(wire, table, Action.DRAW)
    await said(wire)
    [told] = lost_said(wire, language)
    assert told.text == texts_for(language, "en-US")("turn-lost-from-start")
    assert len(thinker.asked) == 1


@quiet
@pytest.mark.parametrize("best", [None, par(48), par(40, 48)])
async def test_an_unproven_loss_is_not_told(wire: Wire, thinker: Thinker, best: Par | None) -> None:
    thinker.knows(best=best)
    await holds(wire, AT, tells_lost=True)
    await let(wire, thinker)
    assert lost_said(wire) == []
    assert len(thinker.asked) == 1


@quiet
async def test_without_the_setting_a_lost_game_is_not_told(wire: Wire, thinker: Thinker) -> None:
    thinker.knows(best=par(40))
    await holds(wire, AT)
    await let(wire, thinker)
    assert lost_said(wire) == []
    assert thinker.asked == []


@quiet
async def test_a_newer_turn_cancels_the_question_about_the_older_one(wire: Wire, thinker: Thinker) -> None:
    thinker.knows(best=par(40))
    table = await holds(wire, AT, tells_lost=True)
    for _ in range(4):
        table = await press(wire, table, Action.DRAW)
    await thinker.until_asked()
    assert (thinker.waiting, thinker.broken_off) == (1, len(thinker.asked) - 1)
    await let(wire, thinker)
    assert len(lost_said(wire)) == 1
    game = await wire.client.services.games.current(PLAYER.id)
    assert game is not None
    assert thinker.asked[-1].record == game.record


@quiet
async def test_a_lost_game_that_cannot_be_told_does_not_matter(wire: Wire, thinker: Thinker) -> None:
    thinker.knows(best=par(40))
    await holds(wire, AT, tells_lost=True)
    await thinker.until_asked()
    wire.standin.answer_with("POST", "/webhooks/", 401, {"code": 50027, "message": "Invalid Webhook Token"})
    await let(wire, thinker)
    assert lost_said(wire) == []


# Forged presses


@pytest_asyncio.fixture
async def direct(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[DirectBot]:
    async with direct_bot(monkeypatch) as opened:
        opened.thinker.knows(best=par(47, line="s-t s-t"), analyse=None)
        yield opened


ADA, OLA, EVA = 1, 2, 3


def request(user_id: int) -> Request:
    return Request(user_id, next(ids))


async def everything(direct: DirectBot, user_id: int, *game_ids: int) -> list[str]:
    """Return the answers to every press about these games that changes none and looks no names up."""
    said: list[str] = []
    games = [await direct.store.load_game(game_id) for game_id in game_ids]
    for game in filter(None, games):
        for action in Action:
            if action in (Action.GIVE_UP, Action.DRAW, Action.UNDO, Action.BOARD):
                continue
            for revision in range(game.revision + 1):
                custom_id = str(ComponentId(game.id, revision, action))
                said += map(str, await direct.press(custom_id, user_id=user_id))
    await direct.client.follow_ups.wait()
    return said


def tells_nothing(said: list[str]) -> None:
    assert said
    for text in said:
        assert not re.search(r"\b47\b", text)
        assert "best-" not in text
        assert ":best" not in text


@quiet
async def test_no_press_reveals_the_best_line_of_a_daily_game_on_its_day(
    direct: DirectBot, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    services, play = direct.client.services, direct.client.services.games
    await services.best_scores.work_out_today()
    deal = direct.thinker.questions("best")
    theirs = await play.play_daily(request(ADA))
    mine = await play.play_daily(request(OLA))
    tells_nothing(await everything(direct, OLA, mine.game.id, theirs.game.id))
    ended = await play.give_up(request(ADA))
    tells_nothing(await everything(direct, OLA, mine.game.id, theirs.game.id))
    tells_nothing(await everything(direct, ADA, mine.game.id, theirs.game.id))
    practice = await play.new(request(ADA), game="acesup", seed=ended.position.record.seed)
    await play.give_up(request(ADA))
    tells_nothing(await everything(direct, ADA, practice.game.id))
    exported = json.dumps((await services.own_data.export(ADA))["daily_results"])
    assert not re.search(r"\b47\b", exported)
    assert not re.search(r"\b47\b", caplog.text)
    assert direct.thinker.questions("best") == deal


@quiet
async def test_no_press_reveals_the_best_line_of_an_open_challenge(direct: DirectBot) -> None:
    challenges, play = direct.client.services.challenges, direct.client.services.games
    deal: dict[str, Any] = {"game": "acesup", "rules": "standard", "seed": "1"}
    made = await challenges.create(ADA, [OLA], **deal)
    games = [(await challenges.play(request(who), made.challenge.id)).game.id for who in (ADA, OLA)]
    await play.give_up(request(ADA))
    for who in (ADA, OLA, EVA):
        tells_nothing(await everything(direct, who, *games))
    practice = await play.new(request(ADA), **deal)  # she knows the seed of her own game by now
    await play.give_up(request(ADA))
    tells_nothing(await everything(direct, ADA, practice.game.id))
    assert direct.thinker.asked == []
