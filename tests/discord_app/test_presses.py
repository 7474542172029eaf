"""Presses: every control, in both languages, after a restart and after weeks, by anybody."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import pytest_asyncio
from discord.ui.view import BaseView
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.discord_app.tables.controls import Action, ComponentId, Panel
from bot.discord_app.tables.posting import MAX_TOKENS, Reach
from bot.service import Position
from bot.storage import Settings, Status
from bot.text import Texts, languages, texts_for
from bot.text.lessons import LESSONS, lesson_text
from bot.text.moves import move_text
from bot.text.names import game_name
from engine import GAMES, Move, Record
from tests.discord_app.direct import DirectBot, direct_bot
from tests.discord_app.playing import World
from tests.discord_app.pressing import (
    MANY_MOVES,
    RULE_SETS,
    WEEKS_S,
    Player,
    Wire,
    action_id,
    advised,
    chained,
    finishing,
    layout,
    open_wire,
    pressed,
    turn_at,
    wandered,
)
from tests.hints import advise, by_use
from tests.wire.payloads import walk
from tests.wire.standin import User

LANGUAGES = tuple(languages())
EN = texts_for("en")
DEAL = Record.parse("klondike/d1/36")
PLAYED = Record.parse("klondike/d1/36 6-7 s-w s-w")

quiet = pytest.mark.usefixtures("quiet")
in_every_language = pytest.mark.parametrize("language", LANGUAGES)


@pytest_asyncio.fixture
async def direct(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[DirectBot]:
    async with direct_bot(monkeypatch) as opened:
        yield opened


def discards(at: Position) -> list[Move]:
    return [move for move in at.legal_moves if move.target == "d"]


# ----------------------------------------------------------------------------------- every control


class Case(NamedTuple):
    """A control: the game and what redo has, the labels that lead to it, and what is then shown."""

    record: Record
    undone: str
    labels: Callable[[Texts, Position], list[str]]
    said: Callable[[Texts, Position], str]


def headline(texts: Texts, key: str, word: str, value: str) -> str:
    return texts(key, **{word: value})


CASES: dict[str, Case] = {
    "draw": Case(DEAL, "", lambda t, at: [t("move-draw")], lambda t, at: f"**{t('move-draw')}**"),
    "redeal": Case(
        Record.parse("klondike/d1/36" + 24 * " s-w"),
        "",
        lambda t, at: [t("move-redeal")],
        lambda t, at: t("move-redeal"),
    ),
    "deal": Case(
        Record.parse("acesup/standard/1"), "", lambda t, at: [t("move-deal")], lambda t, at: t("move-deal")
    ),
    "discard": Case(
        chained(),
        "",
        lambda t, at: [move_text(t, at.table, discards(at)[0])],
        lambda t, at: move_text(t, at.table, discards(at)[0]),
    ),
    "discard all": Case(
        chained(),
        "",
        lambda t, at: [t("control-discard-all", count=len(at.discard_chain))],
        lambda t, at: t("turn-discarded", count=len(at.discard_chain), cards=""),
    ),
    "undo": Case(
        PLAYED,
        "",
        lambda t, at: [t("control-undo")],
        lambda t, at: t("turn-undone", move=t("move-draw")),
    ),
    "redo": Case(
        DEAL,
        "s-w s-w",
        lambda t, at: [t("control-redo")],
        lambda t, at: t("turn-redone", move=t("move-draw")),
    ),
    "hint": Case(
        DEAL,
        "",
        lambda t, at: [t("control-hint")],
        lambda t, at: t("turn-hint", move=move_text(t, at.table, advise(at) or Move("", ""))),
    ),
    "finish": Case(
        finishing(),
        "",
        lambda t, at: [t("control-finish")],
        lambda t, at: t("turn-finished", count=len(at.finish)),
    ),
    "back": Case(
        DEAL, "", lambda t, at: [t("control-more"), t("control-back")], lambda t, at: t("turn-shown")
    ),
    "rules": Case(
        Record.parse("acesup/standard/1"),
        "",
        lambda t, at: [t("control-more"), t("control-rules")],
        lambda t, at: lesson_text(t, LESSONS["acesup"][0]),
    ),
    "share": Case(
        PLAYED,
        "",
        lambda t, at: [t("control-more"), t("control-share")],
        lambda t, at: t("share-deal", game=game_name(t, at.record.game), code=at.record.code),
    ),
    "settings": Case(
        DEAL,
        "",
        lambda t, at: [t("control-more"), t("control-settings")],
        lambda t, at: t("settings-title"),
    ),
    "give up": Case(
        DEAL,
        "",
        lambda t, at: [t("control-more"), t("control-give-up"), t("control-give-up-really")],
        lambda t, at: t("turn-given-up", score=0, full=52),
    ),
    "not give up": Case(
        DEAL,
        "",
        lambda t, at: [t("control-more"), t("control-give-up"), t("control-back")],
        lambda t, at: t("turn-shown"),
    ),
}


@quiet
@in_every_language
@pytest.mark.parametrize("name", CASES)
async def test_every_control_works_after_a_restart_and_after_weeks(
    world: World, ada: Player, name: str, language: str
) -> None:
    """Issues 116 of vrt-cogs, 66 of mau_mau_bot: buttons were dead after a restart or a time-out."""
    case, texts = CASES[name], texts_for(language, "en-US")
    await ada.prefers(language=language)
    await ada.holds(case.record, case.undone)
    at = Position.of(case.record)
    for label in case.labels(texts, at):
        await world.restart()
        await world.env.advance_time(WEEKS_S)
        await ada.press(label)
    assert case.said(texts, at) in ada.shown.text


@quiet
@in_every_language
async def test_the_menu_works_after_a_restart_and_after_weeks(
    world: World, ada: Player, language: str
) -> None:
    await ada.prefers(language=language)
    await ada.holds(DEAL)
    while "s-w" in (value := next(iter(ada.shown.options))):
        await ada.press(texts_for(language, "en-US")("move-draw"))
    words = ada.shown.options[value]
    await world.restart()
    await world.env.advance_time(WEEKS_S)
    assert f"**{words}**" in (await ada.choose(value)).text
    assert (await ada.seat.moves())[-1] == value


@quiet
@in_every_language
async def test_the_menu_has_pages_to_turn_and_moves_on_each_can_be_played(
    world: World, ada: Player, language: str
) -> None:
    await ada.prefers(language=language)
    await ada.holds(MANY_MOVES)
    moves = list(map(str, by_use(Position.of(MANY_MOVES))))
    first = list(ada.shown.options)
    assert first == [*moves[:23], "page-1"]
    await world.restart()
    assert list((await ada.choose("page-1")).options) == [*moves[23:], "page-0"]
    assert list((await ada.choose("page-0")).options) == first
    await ada.choose("page-1")
    await world.env.advance_time(WEEKS_S)
    await ada.choose(moves[-2])
    assert (await ada.seat.moves())[-1] == moves[-2]
    assert len(await ada.seat.moves()) == len(MANY_MOVES.moves) + 1


@quiet
async def test_controls_work_in_any_order(ada: Player) -> None:
    await ada.holds(DEAL)
    for label in ("Draw", "Hint", "Undo", "More", "Give up", "Back", "Redo", "Draw", "Undo", "Undo", "Redo"):
        await ada.press(label)
    assert await ada.seat.moves() == ["s-w"]
    for label in ("Hint", "More", "Back", "Draw"):
        await ada.press(label)
    assert await ada.seat.moves() == ["s-w", "s-w"]


@dataclass
class Offer:
    """A button, or a choice in a menu, in some position."""

    press: ComponentId
    choice: str = ""


def offers(at: Position, undone: str) -> Iterable[Offer]:
    """Yield everything that is enabled under a table, in every panel."""
    for panel in Panel:
        for part in layout(EN, turn_at(at, undone=undone), panel=panel):
            if "custom_id" in part and not part.get("disabled"):
                for option in part.get("options") or [{"value": ""}]:
                    yield Offer(pressed(part), option["value"])


ASIDES = (Action.RULES, Action.SHARE, Action.SETTINGS, Action.BOARD, Action.BEST, Action.ANALYSE)
IN_WORDS = (Action.SHARE, Action.ANALYSE)  # the second finds nothing here, where nothing is solved
SEVERAL = (Action.FINISH, Action.DISCARD_ALL)


@pytest.mark.parametrize(("key", "code"), RULE_SETS)
async def test_every_enabled_control_works_and_plays_one_move_at_most(
    direct: DirectBot, key: str, code: str
) -> None:
    """Only Finish and Discard all play more than one. (Issues 2 of TripleSolitaire, 14 of lsol.)"""
    ways = [list(wandered(key, code, seed, 200)) for seed in (1, 2)]
    ends = [Position.of(finishing(key, code))] if (key, code) == ("klondike", "d1") else []
    chains = [Position.of(chained(code))] if key == "acesup" else []
    for at in (*(at for way in ways for at in way[::50]), *(way[-1] for way in ways), *ends, *chains):
        undone = str(at.legal_moves[-1]) if at.legal_moves else ""
        for offer in offers(at, undone):
            before = await direct.holds(at, undone=undone)
            custom_id = str(replace(offer.press, game_id=before.id, revision=before.revision))
            [answer] = await direct.press(custom_id, *filter(None, [offer.choice]))
            after = await direct.store.load_game(before.id)
            assert after is not None
            assert answer.edits != (offer.press.action in ASIDES), offer
            assert answer.parts or offer.press.action in IN_WORDS, offer
            assert_plays(offer, before.record, after.record)


def assert_plays(offer: Offer, before: str, after: str) -> None:
    """Assert that the record changed as the control says."""
    was, now = before.split(" "), after.split(" ")
    action = offer.press.action
    if action is Action.UNDO:
        assert now == was[:-1]
    elif action in (Action.DRAW, Action.PLAY, Action.REDO) or (
        action is Action.MENU and not offer.choice.startswith("page-")
    ):
        assert now[:-1] == was
        assert now[-1] == (offer.choice or offer.press.detail or now[-1])
    elif action in SEVERAL:
        assert now[: len(was)] == was
        assert len(now) > len(was)
    else:
        assert now == was


# ------------------------------------------------------------------------------- custom_ids of any kind


@quiet
def test_any_custom_id_is_answered_and_nothing_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    async def open_bot(stack: AsyncExitStack) -> DirectBot:
        direct = await stack.enter_async_context(direct_bot(monkeypatch))
        await direct.holds(Position.of(DEAL))
        return direct

    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        direct = runner.run(open_bot(stack))

        @settings(max_examples=150, deadline=None)
        @given(
            custom_id=st.text(max_size=100)
            | st.from_regex(r"sol:[0-9]{1,18}:[0-9]{1,18}:[a-z]{1,16}(:[\w+-]{1,40})?", fullmatch=True)
            | st.builds(
                lambda action, detail: f"sol:1:0:{action}:{detail}",
                st.sampled_from(Action),
                st.from_regex(r"[\w+-]{1,40}", fullmatch=True)
                | st.sampled_from(["s-w", "1-fc", "w-s", "1+2-d"]),
            )
            | st.from_regex(r"(set|rules):[a-z_:0-9]{0,40}", fullmatch=True),
            values=st.lists(
                st.text(max_size=100) | st.sampled_from(["page-9", "s-w", "auto", "no"]), max_size=3
            ),
        )
        def check(custom_id: str, values: list[str]) -> None:
            assert len(runner.run(direct.press(custom_id, *values))) == 1

        check()
        runner.run(stack.aclose())


@quiet
@pytest.mark.parametrize(
    "custom_id", ["", "sol:1:0:jump", "old-button", "sol::", "set", "rules:klondike:0:up"]
)
@in_every_language
async def test_an_unknown_control_is_refused_ephemerally(
    direct: DirectBot, custom_id: str, language: str
) -> None:
    await direct.store.save_settings(1, Settings(language=language))
    [answer] = await direct.press(custom_id)
    assert answer.ephemeral
    assert answer.text == texts_for(language, "en-US")("fault-unknown-control")


@quiet
async def test_a_press_on_an_unknown_game_is_refused_ephemerally(direct: DirectBot) -> None:
    for action in Action:
        [answer] = await direct.press(str(ComponentId(77, 0, action)))
        key = "fault-shared-gone" if action is Action.SAME else "fault-no-such-game"
        assert (answer.ephemeral, answer.text) == (True, EN(key))


@quiet
@pytest.mark.parametrize("detail", ["", "7-7", "x", "s-w-s", "9-d", "none"])
async def test_a_forged_move_is_refused_ephemerally_and_changes_nothing(
    direct: DirectBot, detail: str
) -> None:
    game = await direct.holds(Position.of(DEAL))
    for sent in (
        await direct.press(str(ComponentId(game.id, 0, Action.PLAY, detail))),
        await direct.press(str(ComponentId(game.id, 0, Action.MENU, "0")), *filter(None, [detail])),
    ):
        [answer] = sent
        assert answer.ephemeral
        assert answer.text
        assert not answer.edits
    assert await direct.store.load_game(game.id) == game


@quiet
async def test_an_impossible_action_is_refused_ephemerally(direct: DirectBot) -> None:
    game = await direct.holds(Position.of(DEAL))
    wanted = {
        Action.UNDO: "fault-nothing-to-undo",
        Action.REDO: "fault-nothing-to-redo",
        Action.FINISH: "fault-nothing-to-finish",
    }
    for action, key in wanted.items():
        [answer] = await direct.press(str(ComponentId(game.id, 0, action)))
        assert (answer.ephemeral, answer.text) == (True, EN(key))


async def test_an_error_of_the_bot_is_answered_with_its_id(
    direct: DirectBot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Pycord's issue 89: a handler raised inside a button, and the player got no answer at all."""
    game = await direct.holds(Position.of(DEAL))
    monkeypatch.setattr(direct.client.tables, "update", lambda *_, **__: 1 // 0)
    [answer] = await direct.press(str(ComponentId(game.id, 0, Action.DRAW)))
    assert answer.ephemeral
    [record] = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert str(record.args and record.args[0]) in answer.text  # type: ignore[index]


# ------------------------------------------------------------------------------------ undo, redo, finish


@quiet
@pytest.mark.parametrize("key", GAMES)
async def test_undo_goes_back_to_the_deal_and_redo_to_the_end_one_move_a_press(ada: Player, key: str) -> None:
    """Issues 72 of t_games, 1 of shenzhen-solitaire: one move needed two undos; undo stopped half-way."""
    way = list(advised(key, next(iter(GAMES[key].presets)), 3))[:25]
    await ada.prefers(as_text=True)  # the table as text tells more than a picture would
    await ada.holds(way[-1].record)
    tables = [GAMES[key].table(at.state) for at in way]
    for table in tables[-2::-1]:
        assert "Undo" in ada.shown.labels
        await ada.press("Undo")
        assert await ada.seat.table() == table
    assert "Undo" not in ada.shown.labels
    for table in tables[1:]:
        assert "Redo" in ada.shown.labels
        await ada.press("Redo")
        assert await ada.seat.table() == table
    assert "Redo" not in ada.shown.labels
    assert await ada.seat.moves() == list(map(str, way[-1].record.moves))


@quiet
async def test_discard_all_plays_the_whole_chain_and_undo_takes_back_one_at_a_time(ada: Player) -> None:
    """AvaloniaUI's issue 22: undo glued cards together."""
    await ada.holds(chained())
    chain = Position.of(chained()).discard_chain
    before = await ada.seat.moves()
    await ada.do(Action.DISCARD_ALL)
    assert await ada.seat.moves() == before + list(map(str, chain))
    for left in range(len(chain) - 1, -1, -1):
        await ada.press("Undo")
        assert len(await ada.seat.moves()) == len(before) + left
    assert await ada.seat.moves() == before
    assert ada.shown.of(Action.DISCARD_ALL)


@quiet
@in_every_language
@pytest.mark.parametrize(("key", "code"), [("klondike", "d1"), ("acesup", "cell")])
async def test_finish_wins_says_how_many_moves_it_played_and_can_be_taken_back(
    ada: Player, key: str, code: str, language: str
) -> None:
    texts, record = texts_for(language, "en-US"), finishing(key, code)
    line = Position.of(record).finish
    await ada.prefers(language=language)
    await ada.holds(record)
    shown = await ada.press(texts("control-finish"))
    assert texts("turn-finished", count=len(line)) in shown.text
    assert "🎉" in shown.text
    assert (await ada.game()).status is Status.WON
    assert len(await ada.seat.moves()) == len(record.moves) + len(line)
    await ada.press(texts("control-undo"))
    assert (await ada.game()).status is Status.PLAYING
    assert len(await ada.seat.moves()) == len(record.moves) + len(line) - 1


# --------------------------------------------------------------------------------------------- hints


@quiet
async def test_a_hint_changes_no_revision_and_marks_its_cards_in_another_picture(ada: Player) -> None:
    plain = await ada.holds(DEAL)
    before = await ada.game()
    hinted = await ada.press("Hint")
    assert await ada.game() == before
    assert hinted.png != plain.png
    assert hinted.filename != plain.filename
    assert advise(Position.of(DEAL)) is not None
    assert [pressed(part).revision for part in hinted.controls] == [0] * len(hinted.controls)


@quiet
async def test_a_hint_can_be_asked_for_again_and_followed(ada: Player) -> None:
    await ada.holds(DEAL)
    for _ in range(3):
        await ada.press("Hint")
    move = advise(Position.of(DEAL))
    await ada.choose(str(move))
    assert await ada.seat.moves() == [str(move)]


def nothing_useful(at: Position) -> bool:
    return at.outcome is None and advise(at) is None


@quiet
async def test_a_hint_says_when_nothing_useful_is_left(ada: Player) -> None:
    stuck = next(at for seed in range(1, 50) for at in advised("klondike", "d1", seed) if nothing_useful(at))
    await ada.holds(stuck.record)
    assert EN("turn-no-hint-draw") in (await ada.press("Hint")).text


# ------------------------------------------------------------------------------------ the same message


@quiet
async def test_a_press_edits_the_same_message_and_it_has_one_picture_named_by_revision(ada: Player) -> None:
    """Issues 9856, 5139 of discord.py and 49 of node-red-discord: pictures piled up, old ones were shown."""
    shown = await ada.holds(DEAL)
    names, alts = [shown.filename], [shown.alt]
    for label in ("Draw", "Draw", "Undo", "Redo", "Draw"):
        again = await ada.press(label)
        assert again.message.id == shown.message.id
        assert again.picture  # the only one
        game = await ada.game()
        assert again.filename == f"table-{game.id}-{game.revision}.png"
        names.append(again.filename)
        alts.append(again.alt)
    assert len(set(names)) == len(names)
    assert all(one != other for one, other in pairwise(alts))
    assert all(0 < len(alt) <= 1024 for alt in alts)


@quiet
async def test_the_alt_text_begins_with_what_just_happened(ada: Player) -> None:
    await ada.holds(DEAL)
    assert (await ada.press("Draw")).alt.startswith("Draw: ")
    assert (await ada.press("Undo")).alt.startswith("Undone: Draw")


@quiet
async def test_the_picture_stays_above_the_controls_after_every_press(ada: Player) -> None:
    """discord.py's issue 5139: the picture jumped above the text."""
    await ada.holds(DEAL)
    for label in ("Draw", "Hint", "More", "Back", "Undo"):
        shown = await ada.press(label)
        kinds = [part["type"] for part in shown.message.components]
        assert kinds[:3] == [10, 12, 10]
        assert set(kinds[3:]) == {1}


@quiet
async def test_a_panel_leaves_the_picture_as_it_is(ada: Player) -> None:
    shown = await ada.holds(PLAYED)
    more = await ada.press("More")
    assert (more.filename, more.png) == (shown.filename, shown.png)
    assert "Give up" in more.labels
    back = await ada.press("Back")
    assert back.labels == shown.labels


@quiet
async def test_rules_and_settings_answer_ephemerally_share_publicly_and_the_table_stays(
    world: World, ada: Player
) -> None:
    table = await ada.holds(PLAYED)
    more = await ada.press("More")
    for label in ("Rules", "Share", "Settings"):
        answer = await ada.press(label, on=more)
        assert answer.ephemeral is (label != "Share")
        assert answer.message.id != table.message.id
        assert more.now().controls == more.controls
    assert (await ada.game()).revision == 0


@quiet
@pytest.mark.parametrize(
    "action", [a for a in Action if a is Action.ANALYSE or a not in (*ASIDES, Action.SAME)]
)
async def test_any_control_of_an_outdated_table_shows_the_current_one_and_plays_nothing(
    direct: DirectBot, action: Action
) -> None:
    game = await direct.holds(Position.of(chained()))
    await direct.press(str(ComponentId(game.id, 0, Action.UNDO)))
    now = await direct.store.load_game(game.id)
    for detail in ("1-d", "page-1"):
        [answer] = await direct.press(str(ComponentId(game.id, 0, action, detail)), detail)
        assert answer.edits
        assert EN("fault-stale") in answer.text
        assert await direct.store.load_game(game.id) == now


# ------------------------------------------------------------------------------------------- strangers


@quiet
@pytest.mark.parametrize("label", ["Draw", "Undo", "Hint", "More"])
async def test_a_press_by_somebody_else_answers_only_them_and_changes_nothing(
    ada: Player, ola: Player, label: str
) -> None:
    """Issue 215 of nextcord: a stranger pressed the buttons."""
    table = await ada.holds(PLAYED)
    before = await ada.game()
    answer = await ola.press(label, on=table)
    assert answer.ephemeral
    assert EN("fault-not-yours") in answer.text
    assert await ada.game() == before
    assert table.now().controls == table.controls
    assert table.now().filename == table.filename
    assert (await ada.live()).message_id == table.message.id


@quiet
@pytest.mark.parametrize("action", [action for action in Action if action is not Action.SAME])
async def test_no_press_by_somebody_else_has_an_effect(direct: DirectBot, action: Action) -> None:
    game = await direct.holds(Position.of(chained()), undone="s-t")
    for detail in ("", "1-d", "more"):
        press = str(ComponentId(game.id, game.revision, action, detail))
        [answer] = await direct.press(press, detail, user_id=2)
        assert answer.ephemeral
        assert not answer.edits
        assert answer.text == EN("fault-not-yours")
    assert await direct.store.load_game(game.id) == game


@quiet
@in_every_language
@pytest.mark.parametrize(
    "code", ["klondike/d3p2r/mormor", "acesup/cell+pairs/%2F%F0%9F%82%A1", "klondike/d1/36"]
)
async def test_somebody_else_can_play_the_same_deal_by_the_same_rules(
    world: World, ada: Player, ola: Player, code: str, language: str
) -> None:
    table = await ada.holds(code)
    await ola.prefers(language=language)
    await ola.press_id(
        next(c["custom_id"] for c in table.controls if pressed(c).action is Action.HINT), table
    )
    await world.restart()
    await world.env.advance_time(WEEKS_S)
    own = await ola.press(texts_for(language, "en-US")("control-same"))
    assert (await ola.game()).record == (await ada.game()).record == str(Record.parse(code))
    assert (await ola.game()).id != (await ada.game()).id
    assert not own.ephemeral
    assert own.message.id != table.message.id
    assert table.now().controls == table.controls
    assert own.of(Action.HINT)


@quiet
async def test_the_same_deal_starts_from_the_deal_and_sets_the_own_game_aside(
    ada: Player, ola: Player
) -> None:
    table = await ada.holds(PLAYED)
    mine = await ola.types("new", game="acesup", seed="1")
    await ola.press("Draw", on=table)
    dealt = await ola.press(EN("control-same"))
    assert (await ola.game()).record == "klondike/d1/36"
    assert "set aside" in dealt.text
    await ola.press("Deal", on=mine)
    assert (await ola.game()).record == "acesup/standard/1 s-t"


# -------------------------------------------------------------------------------- twice, and at once


@pytest_asyncio.fixture
async def wire(tmp_path: Path) -> AsyncIterator[Wire]:
    async with open_wire(tmp_path) as opened:
        yield opened


@pytest.mark.parametrize("action", [Action.DRAW, Action.GIVE_UP])
async def test_two_simultaneous_presses_of_one_button_move_once(wire: Wire, action: Action) -> None:
    """Issue 30 of Simple-Solitaire: a quick second press discarded an ace."""
    message = await wire.table()
    if action is Action.GIVE_UP:
        for step in (Panel.MORE, Panel.GIVE_UP):
            custom_id = str(ComponentId(1, 0, Action.PANEL, step))
            message = await (await wire.standin.press(message, custom_id)).shown()
    custom_id = action_id(message, action)
    one, other = [await wire.standin.press(message, custom_id) for _ in range(2)]
    answers = await asyncio.gather(one.shown(), other.shown())
    assert len([m for m in answers if EN("fault-stale") in m.text]) == 1
    assert {m.id for m in answers} == {message.id}
    assert await wire.record() == ("klondike/d1/36 s-w" if action is Action.DRAW else "klondike/d1/36")
    game = await wire.client._store.load_game(1)
    assert game is not None
    assert game.revision == 1


async def test_many_presses_at_once_are_all_answered_and_move_once(wire: Wire) -> None:
    message = await wire.table()
    presses = [await wire.standin.press(message, action_id(message, Action.DRAW)) for _ in range(6)]
    await asyncio.gather(*(press.shown() for press in presses))
    assert await wire.record() == "klondike/d1/36 s-w"


async def test_an_interaction_delivered_twice_moves_once(
    wire: Wire, caplog: pytest.LogCaptureFixture
) -> None:
    """DraftForge's issue 261: one click arrived twice and moved twice."""
    message = await wire.table()
    draw = await wire.standin.press(message, action_id(message, Action.DRAW))
    await wire.again(draw)
    await draw.shown()
    await wire.quietly(3)
    await wire.again(draw)
    await wire.quietly(4)
    assert await wire.record() == "klondike/d1/36 s-w"
    assert [r.getMessage() for r in caplog.records if r.levelno >= logging.ERROR] == []


async def test_a_deal_delivered_twice_at_once_is_dealt_once(
    wire: Wire, caplog: pytest.LogCaptureFixture
) -> None:
    message = await wire.table()
    ola = User(id=900_000_000_000_000_009, name="ola")
    refused = await (await wire.standin.press(message, action_id(message, Action.DRAW), user=ola)).shown()
    same = await wire.standin.press(refused, action_id(refused, Action.SAME), user=ola)
    await wire.again(same)
    await same.shown()
    await wire.quietly(4)
    assert await wire.client._store.load_game(2) is not None
    assert await wire.client._store.load_game(3) is None
    assert [r.getMessage() for r in caplog.records if r.levelno >= logging.ERROR] == []


async def test_presses_of_two_players_on_their_own_tables_do_not_mix(wire: Wire) -> None:
    ola = User(id=900_000_000_000_000_009, name="ola")
    mine, theirs = await wire.table(), await wire.table("acesup", "1", user=ola)
    one = await wire.standin.press(mine, action_id(mine, Action.DRAW))
    other = await wire.standin.press(theirs, action_id(theirs, Action.DRAW), user=ola)
    await asyncio.gather(one.shown(), other.shown())
    assert await wire.record(1) == "klondike/d1/36 s-w"
    assert await wire.record(2) == "acesup/standard/1 s-t"


async def test_a_press_is_answered_in_norwegian(wire: Wire) -> None:
    message = await wire.table(locale="no")
    press = await wire.standin.press(message, action_id(message, Action.DRAW), locale="no")
    labels = [p.get("label") for p in walk((await press.shown()).payload["components"])]
    assert {"Trekk kort", "Angre", "Gjenta", "Tips", "Mer"} <= set(labels)


# ----------------------------------------------------------------------- nothing is kept in memory


def kept_views(client: Any) -> int:
    """Return how many views and controls discord.py keeps for this client."""
    store = client._connection._view_store
    return sum(map(len, (store._views, store._synced_message_views, store._modals, store._dynamic_items)))


@quiet
async def test_discord_py_keeps_no_view_after_any_answer(world: World, ada: Player, ola: Player) -> None:
    table = await ada.holds(PLAYED)
    for label in ("Draw", "Undo", "Hint", "More", "Back"):
        table = await ada.press(label)
        assert kept_views(world.client) == 0
    await ola.press("Draw", on=table)
    assert kept_views(world.client) == 0
    await ola.press(EN("control-same"))
    assert kept_views(world.client) == 0
    more = await ada.press("More", on=table)
    for label in ("Rules", "Share", "Settings"):
        await ada.press(label, on=more)
        assert kept_views(world.client) == 0
    for command in ("table", "hint", "replay", "rules", "settings", "games", "help", "undo"):
        await ada.types(command)
        assert kept_views(world.client) == 0
    await ada.types("table")
    world.env.inject_error("POST", "/interactions/*/callback", status=400, code=30046)
    await ada.do(Action.HINT)
    assert kept_views(world.client) == 0


async def test_more_games_than_tokens_are_kept_leave_no_view_and_no_more_tokens(
    direct: DirectBot,
) -> None:
    position = Position.of(Record.parse("acesup/standard/1"))
    living = []
    for number in range(MAX_TOKENS + 100):
        game = await direct.holds(position)
        message_id = direct.message()
        custom_id = str(ComponentId(game.id, 0, Action.DRAW))
        [answer] = await direct.press(custom_id, message_id=message_id)
        assert answer.edits
        if number % 200 == 0:
            living.append(count_views())
    assert kept_views(direct.client) == 0
    assert count_views() <= max(living) + 5
    assert len(direct.client.tables._reaches) == MAX_TOKENS
    assert max(direct.client.tables._reaches) == message_id


def count_views() -> int:
    gc.collect()
    return sum(isinstance(thing, BaseView) for thing in gc.get_objects())


async def test_a_hundred_games_pressed_and_dealt_again_leave_no_view(direct: DirectBot) -> None:
    before = count_views()
    for number in range(1, 101):
        game = await direct.holds(Position.of(DEAL), owner=number)
        for revision, action in enumerate((Action.DRAW, Action.HINT)):
            custom_id = str(ComponentId(game.id, revision, action))
            assert len(await direct.press(custom_id, user_id=number)) == 1
        assert len(await direct.press(str(ComponentId(game.id, 0, Action.SAME)), user_id=number)) == 1
    assert kept_views(direct.client) == 0
    assert count_views() <= before + 1


async def test_the_token_of_a_table_that_is_still_played_is_kept(direct: DirectBot) -> None:
    """It is the only way to take the controls off a table that only its player sees."""
    reaches = direct.client.tables._reaches
    game = await direct.holds(Position.of(DEAL))
    message_id = direct.message()
    await direct.press(str(ComponentId(game.id, 0, Action.DRAW)), message_id=message_id)
    for number in range(2, MAX_TOKENS + 1):
        reaches[number] = Reach("another", Panel.MAIN)
    played = direct.pressed(str(ComponentId(game.id, 1, Action.DRAW)), message_id=message_id)
    await direct.answer(played)
    other = await direct.holds(Position.of(DEAL), owner=2)
    await direct.press(str(ComponentId(other.id, 0, Action.DRAW)), user_id=2)
    assert reaches[message_id].token == played.interaction.token
