"""The controls under any table: within Discord's limits, and with clear labels."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest
import pytest_asyncio
from hypothesis import given
from hypothesis import strategies as st

from bot.app import build_client
from bot.config import Config
from bot.discord_app.layout import MENU_MAX_OPTIONS
from bot.discord_app.tables.controls import (
    Action,
    ComponentId,
    Controls,
    Panel,
    _page,
    page_number,
    panel_named,
    same_deal_button,
)
from bot.service import Position, Turn, TurnAction
from bot.storage import Status
from bot.text import Texts, languages, texts_for
from bot.text.moves import move_text
from engine import GAMES, Move, Record
from tests.discord_app.pressing import (
    BUTTON,
    MANY_MOVES,
    RULE_SETS,
    SELECT,
    chained,
    finishing,
    layout,
    lost,
    parse_id,
    pressed,
    turn_at,
    wandered,
    won,
)
from tests.hints import by_use

LANGUAGES = tuple(languages())
EN = texts_for("en")
TEXTS = tuple(map(texts_for, LANGUAGES))
LONGEST_SEED = "W" * 64
MANY = Position.of(MANY_MOVES)

by_rule_set = pytest.mark.parametrize(("key", "code"), RULE_SETS)
in_every_language = pytest.mark.parametrize("language", LANGUAGES)

presses = st.builds(
    ComponentId,
    st.integers(0, 10**18 - 1),
    st.integers(0, 10**18 - 1),
    st.sampled_from(Action),
    st.just("") | st.from_regex(r"[A-Za-z0-9_+-]{1,40}", fullmatch=True),
)


@pytest_asyncio.fixture(autouse=True)
async def loop() -> AsyncIterator[asyncio.AbstractEventLoop]:
    """discord.py makes no view without a running loop."""
    yield asyncio.get_running_loop()


def sample(key: str, code: str, games: int = 2, every: int = 9) -> Iterator[Position]:
    """Return positions from the deal to the end of several games, every outcome among them."""
    for seed in range(1, games + 1):
        way = list(wandered(key, code, seed, 260))
        offset = Random(seed).randrange(every)
        yield from (*way[offset::every], way[-1])


def every_layout(texts: Texts, at: Position, **about: Any) -> Iterator[list[dict[str, Any]]]:
    """Yield every set of controls of a position: all panels, and all pages of the menu."""
    turn = turn_at(at, **about)
    for panel in Panel:
        yield layout(texts, turn, panel=panel)
    for page in range(1, len(at.legal_moves) // (MENU_MAX_OPTIONS - 2) + 1):
        yield layout(texts, turn, page=page)


def assert_within_limits(parts: list[dict[str, Any]]) -> None:
    """Assert Discord's limits, from its documentation of components."""
    assert len(parts) <= 40
    named = [part for part in parts if "custom_id" in part]
    ids = [part["custom_id"] for part in named]
    assert len(set(ids)) == len(ids)
    assert all(1 <= len(name) <= 100 for name in ids)
    for part in parts:
        if part["type"] == BUTTON:
            assert 1 <= len(part["label"]) <= 80
        if part["type"] == 1:
            inside = part["components"]
            assert 1 <= len(inside) <= 5
            assert [one["type"] for one in inside] in ([SELECT], [BUTTON] * len(inside))
        if part["type"] == SELECT:
            assert 1 <= len(part["options"]) <= 25
            assert len(part["placeholder"]) <= 150
            values = [option["value"] for option in part["options"]]
            assert len(set(values)) == len(values)
            assert all(1 <= len(option["label"]) <= 100 for option in part["options"])
            assert all(1 <= len(value) <= 100 for value in values)


# -------------------------------------------------------------------------------------- the limits


@by_rule_set
async def test_every_set_of_controls_is_within_discords_limits(key: str, code: str) -> None:
    for at in sample(key, code):
        for texts in TEXTS:
            for parts in every_layout(texts, at, undone="s-w" if key == "klondike" else "s-t"):
                assert_within_limits(parts)


@pytest.mark.parametrize("status", Status)
@in_every_language
async def test_controls_are_within_the_limits_in_every_state_of_a_game(language: str, status: Status) -> None:
    for record in (MANY_MOVES, finishing(), chained(), lost(), won()):
        for parts in every_layout(texts_for(language), Position.of(record), status=status):
            assert_within_limits(parts)


async def test_the_longest_numbers_of_game_and_revision_fit_into_a_custom_id() -> None:
    turn = turn_at(MANY, revision=10**18 - 1)
    turn = replace(turn, game=replace(turn.game, id=10**18 - 1))
    for panel in Panel:
        assert_within_limits(layout(EN, turn, panel=panel))


@in_every_language
async def test_no_label_is_cut(language: str) -> None:
    texts = texts_for(language)
    for key, code in RULE_SETS:
        for at in sample(key, code, games=1):
            words = {move_text(texts, at.table, move) for move in at.legal_moves}
            parts = layout(texts, turn_at(at))
            shown = {option["label"] for part in parts for option in part.get("options", [])}
            if not at.outcome and any("s" not in (m.source, m.target) for m in at.legal_moves):
                assert words == shown


@in_every_language
async def test_no_two_controls_have_the_same_label(language: str) -> None:
    for key, code in RULE_SETS:
        for at in sample(key, code, games=1):
            for parts in every_layout(texts_for(language), at):
                labels = [part["label"] for part in parts if part["type"] == BUTTON]
                assert len(set(labels)) == len(labels)
                options = [o["label"] for part in parts for o in part.get("options", [])]
                assert len(set(options)) == len(options)


# ------------------------------------------------------------------------------- what there is when


@by_rule_set
async def test_the_menu_has_every_legal_move_and_no_other(key: str, code: str) -> None:
    for at in sample(key, code):
        menus = [part for part in layout(EN, turn_at(at)) if part["type"] == SELECT]
        if at.outcome:
            assert menus == []
            continue
        values = [option["value"] for option in menus[0]["options"]]
        if menus[0]["disabled"]:
            assert values == ["none"]
            assert all("s" in (move.source, move.target) for move in at.legal_moves)
        else:
            assert sorted(values) == sorted(map(str, at.legal_moves))


@by_rule_set
async def test_discards_and_cards_home_stand_first_in_the_menu_and_the_stock_last(
    key: str, code: str
) -> None:
    for at in sample(key, code):
        kinds = [at.table.pile(move.target).kind if move.target != "t" else None for move in by_use(at)]
        stock = ["s" in (move.source, move.target) for move in by_use(at)]
        home = [str(kind) in ("discard", "foundation") for kind in kinds]
        assert home == sorted(home, reverse=True)
        assert stock == sorted(stock)
        assert sorted(map(str, by_use(at))) == sorted(map(str, at.legal_moves))


@by_rule_set
async def test_finish_is_offered_exactly_where_the_engine_finds_a_line(key: str, code: str) -> None:
    ends = (
        [Position.of(finishing(key, code))] if (key, code) in (("klondike", "d1"), ("acesup", "cell")) else []
    )
    for at in (*sample(key, code), *ends):
        actions = [pressed(part).action for part in layout(EN, turn_at(at)) if "custom_id" in part]
        assert (Action.FINISH in actions) == bool(GAMES[key].finish(at.state))


@by_rule_set
async def test_every_discard_has_a_button_and_a_chain_has_one_for_all(key: str, code: str) -> None:
    for at in sample(key, code):
        named = [pressed(part) for part in layout(EN, turn_at(at)) if "custom_id" in part]
        discards = [press.detail for press in named if press.action is Action.PLAY]
        assert discards == [str(move) for move in at.legal_moves if move.target == "d"]
        everything = [press for press in named if press.action is Action.DISCARD_ALL]
        assert len(everything) == (len(at.discard_chain) > 1)


async def test_the_button_for_all_discards_says_how_many() -> None:
    at = Position.of(chained())
    labels = [part["label"] for part in layout(EN, turn_at(at)) if part["type"] == BUTTON]
    assert f"Discard all {len(at.discard_chain)}" in labels


@by_rule_set
async def test_permanent_buttons_keep_their_places(key: str, code: str) -> None:
    """The menu, then draw, undo, redo, hint, more, at every table, so that the thumb finds them."""
    for at in sample(key, code):
        if at.outcome:
            continue
        for undone in ("", str(at.legal_moves[0])):
            parts = layout(EN, turn_at(at, undone=undone))
            rows = [part["components"] for part in parts if part["type"] == 1]
            assert [part["type"] for part in rows[0]] == [SELECT]
            actions = [pressed(part).action for part in rows[1]]
            assert actions == [Action.DRAW, Action.UNDO, Action.REDO, Action.HINT, Action.PANEL]


@by_rule_set
async def test_draw_undo_and_redo_are_enabled_exactly_when_they_work(key: str, code: str) -> None:
    for at in sample(key, code):
        for undone in ("", "1-2"):
            turn = turn_at(at, undone=undone)
            parts = {pressed(part).action: part for part in layout(EN, turn) if part["type"] == BUTTON}
            assert parts[Action.UNDO]["disabled"] == (not at.record.moves)
            assert parts[Action.REDO]["disabled"] == (not undone)
            if at.outcome is None:
                drawing = any("s" in (move.source, move.target) for move in at.legal_moves)
                assert parts[Action.DRAW]["disabled"] == (not drawing)


@pytest.mark.parametrize("record", [won(), lost()], ids=["won", "lost"])
async def test_an_ended_game_offers_undo_and_views_only(record: Record) -> None:
    parts = layout(EN, turn_at(Position.of(record)))
    on = [pressed(part) for part in parts if "custom_id" in part and not part.get("disabled")]
    assert [press.action for press in on] == [Action.UNDO, Action.PANEL]


async def test_a_game_given_up_offers_no_undo() -> None:
    turn = turn_at(MANY, TurnAction.GIVEN_UP, status=Status.GIVEN_UP, undone="7-fs")
    on = [pressed(part) for part in layout(EN, turn) if "custom_id" in part and not part.get("disabled")]
    assert [(press.action, press.detail) for press in on] == [(Action.PANEL, Panel.MORE)]
    more = layout(EN, turn, panel=Panel.MORE)
    assert "Give up" not in [part.get("label") for part in more]
    assert Action.ANALYSE in [pressed(part).action for part in more if "custom_id" in part]


@pytest.mark.parametrize(
    ("turn", "offered"),
    [
        (turn_at(Position.of(lost())), True),
        (turn_at(Position.of(won())), False),
        (turn_at(MANY), False),
        (replace(turn_at(Position.of(lost())), ends_ms=1), False),
        (replace(turn_at(Position.of(lost())), has_daily_cards=True), False),
    ],
    ids=["lost", "won", "playing", "daily", "its cards"],
)
async def test_analyse_is_offered_where_it_can_tell_something(turn: Turn, offered: bool) -> None:
    more = layout(EN, turn, panel=Panel.MORE)
    assert (Action.ANALYSE in [pressed(part).action for part in more if "custom_id" in part]) is offered


async def test_more_has_rules_share_settings_give_up_and_back() -> None:
    parts = [part for part in layout(EN, turn_at(MANY), panel=Panel.MORE) if part["type"] == BUTTON]
    assert [part["label"] for part in parts] == ["Rules", "Share", "Settings", "Give up", "Back"]


async def test_giving_up_asks_for_confirmation() -> None:
    more = [part for part in layout(EN, turn_at(MANY), panel=Panel.MORE) if part["type"] == BUTTON]
    assert Action.GIVE_UP not in [pressed(part).action for part in more]
    asked = [part for part in layout(EN, turn_at(MANY), panel=Panel.GIVE_UP) if part["type"] == BUTTON]
    assert [pressed(part).action for part in asked] == [Action.GIVE_UP, Action.PANEL]


async def test_every_custom_id_has_the_game_and_the_revision() -> None:
    for panel in Panel:
        for part in layout(EN, turn_at(MANY, revision=3), panel=panel):
            if "custom_id" in part:
                assert (pressed(part).game_id, pressed(part).revision) == (1, 3)


@in_every_language
async def test_the_button_for_the_same_deal_fits_and_names_the_game(language: str) -> None:
    for key in ("control-same", "share-play", "control-play-daily"):
        label = texts_for(language)(key)
        button = same_deal_button(turn_at(MANY), label)
        assert button.label == label
        assert 1 <= len(label) <= 80
    assert parse_id(str(button.custom_id)) == ComponentId(1, 7, Action.SAME)


# ----------------------------------------------------------------------------------------- the pages


async def test_over_25_moves_are_paged_each_on_exactly_one_page() -> None:
    moves = by_use(MANY)
    assert len(moves) > MENU_MAX_OPTIONS
    pages = [option_values(page) for page in range(2)]
    assert pages[0][-1] == "page-1"
    assert pages[1][-1] == "page-0"
    assert pages[0][:-1] + pages[1][:-1] == list(map(str, moves))


def option_values(page: int) -> list[str]:
    parts = layout(EN, turn_at(MANY), page=page)
    return [option["value"] for part in parts for option in part.get("options", [])]


@given(st.integers(0, 400), st.integers(-3, 40))
def test_a_page_has_at_most_25_entries_and_leads_on_and_back(count: int, page: int) -> None:
    moves = [Move(str(1 + n % 9), "w", 1 + n) for n in range(count)]
    shown, others = _page(moves, page)
    assert len(shown) + len(others) <= MENU_MAX_OPTIONS
    assert bool(shown) == bool(moves)
    for other in others:
        assert _page(moves, other)[0] != shown


@given(st.integers(0, 400))
def test_from_the_first_page_every_move_is_reached_once(count: int) -> None:
    moves = [Move(str(1 + n % 9), "w", 1 + n) for n in range(count)]
    seen, page = [], 0
    while True:
        shown, others = _page(moves, page)
        seen += shown
        if page + 1 not in others:
            break
        assert page in _page(moves, page + 1)[1]
        page += 1
    assert seen == moves


@pytest.mark.parametrize("page", [-1, 2, 999])
async def test_a_page_out_of_range_is_the_nearest_one(page: int) -> None:
    assert option_values(page) == option_values(0 if page < 0 else 1)


@given(st.text() | st.from_regex(r"page-[0-9]{1,30}", fullmatch=True))
def test_any_choice_means_a_page(choice: str) -> None:
    assert 0 <= page_number(choice) <= 999


@given(st.integers(0, 999))
def test_page_numbers_round_trip(page: int) -> None:
    assert page_number(f"page-{page}") == page


# ------------------------------------------------------------------------------------- the custom_ids


@given(presses)
def test_custom_ids_round_trip(press: ComponentId) -> None:
    assert parse_id(str(press)) == press
    assert len(str(press)) <= 100


@given(st.text() | st.from_regex(r"sol:\d+:\d+:[a-z]+(:.*)?") | st.from_regex(r"sol:.*"))
def test_any_text_is_a_valid_custom_id_or_none(text: str) -> None:
    press = parse_id(text)
    assert press is None or isinstance(press.action, Action)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "sol",
        "sol:1:2",
        "sol:1:2:",
        "sol:1:2:jump",
        "sol:1:2:DRAW",
        "sol:-1:2:draw",
        "sol:1:2:draw:",
        "sol:1:2:draw\n",
        "sol:1:2:play:a b",
        "sol:1:2:play:1-2:3",
        f"sol:{10**18}:2:draw",
        "xsol:1:2:draw",
        "set:as_text:1",
        "rules:klondike:1:next",
    ],
)
def test_an_invalid_custom_id_is_not_routed(text: str) -> None:
    found = build_client(Config()).router.find(text)
    assert found is None or not found[0].pattern.pattern.startswith("sol:")


@pytest.mark.parametrize("panel", Panel)
def test_a_panel_is_found_by_its_name(panel: Panel) -> None:
    assert panel_named(str(panel)) is panel


@given(st.text())
def test_any_other_name_is_the_main_panel(name: str) -> None:
    assert panel_named(name) in Panel
    if name not in [str(panel) for panel in Panel]:
        assert panel_named(name) is Panel.MAIN


async def test_the_longest_seed_changes_nothing_about_the_controls() -> None:
    short, long = (Position.of(Record("klondike", "d1", seed)) for seed in ("1", LONGEST_SEED))
    for at in (short, long):
        assert [len(row.children) for row in Controls(EN, turn_at(at)).rows()][1:] == [5]
        assert_within_limits(layout(EN, turn_at(at)))
