from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.render._deck import manifest
from bot.render.layout import HEADER_PX, Box, Layout, first_visible, label_text, layout
from engine import DECK, Pile, PileKind, Table
from tests.render.tables import (
    longest_aces_up,
    longest_klondike,
    opening,
    random_tables,
    with_cards,
    won_klondike,
)

EXTREMES = {
    "longest klondike": longest_klondike(),
    "longest aces up": longest_aces_up(),
    "won klondike": won_klondike(),
    "klondike": opening(),
    "aces up": opening("acesup", "cell"),
}
PHONE_PX = 400  # how wide a phone shows the picture
READABLE_PX = 11  # how high rank and suit must then be


@st.composite
def grids(draw: st.DrawFn) -> Table:
    """Any grid of piles that a third game might use."""
    places = draw(
        st.lists(st.tuples(st.integers(0, 13), st.integers(0, 4)), min_size=1, max_size=20, unique=True)
    )
    piles = []
    for number, (column, row) in enumerate(places):
        kind = draw(st.sampled_from(PileKind))
        size = draw(st.integers(0, 26))
        hidden = draw(st.integers(0, size))
        cards = (None,) * hidden + DECK[: size - hidden]
        piles.append(Pile(f"p{number}", kind, cards, column, row, draw(st.integers(0, size))))
    return Table(tuple(piles), 0, 52)


def assert_inside(box: Box, plan: Layout) -> None:
    assert box.left > 0
    assert box.right < plan.width
    assert box.top > HEADER_PX
    assert box.bottom < plan.height


def assert_sound(table: Table) -> Layout:
    plan = layout(table)
    assert plan.width == 1100
    assert plan.width >= 1.5 * plan.height
    for pile in table.piles:
        assert_inside(plan.slot(pile.name), plan)
        assert len(plan.boxes[pile.name]) == len(pile.cards)
        for index in range(len(pile.cards)):
            assert_inside(plan.box(pile.name, index), plan)
        for index in range(first_visible(pile)):
            assert plan.box(pile.name, index) == plan.slot(pile.name)
    return plan


def assert_apart(table: Table, plan: Layout) -> None:
    """No card of a pile lies on a card or the empty place of another pile."""
    places = [(p.name, box) for p in table.piles for box in (plan.slot(p.name), *plan.boxes[p.name])]
    for (name, box), (other_name, other) in combinations(places, 2):
        assert name == other_name or not box.overlaps(other), (name, other_name)


def strips(table: Table, name: str) -> list[int]:
    """How much of each face-up card but the last is seen, in pixels from its top."""
    plan, pile = layout(table), table.pile(name)
    boxes = plan.boxes[name]
    return [
        b.top - a.top for card, a, b in zip(pile.cards, boxes, boxes[1:], strict=False) if card is not None
    ]


@pytest.mark.parametrize("name", EXTREMES)
def test_extremes_are_sound_and_piles_keep_apart(name: str) -> None:
    assert_apart(EXTREMES[name], assert_sound(EXTREMES[name]))


@pytest.mark.parametrize("seed", [1, 2])
def test_every_position_of_every_game_is_sound_and_readable(seed: int) -> None:
    for table in random_tables(seed):
        plan = assert_sound(table)
        assert_apart(table, plan)
        for pile in table.piles:
            assert min(strips(table, pile.name)[first_visible(pile) :], default=999) >= plan.card.strip


@settings(max_examples=300, deadline=None)
@given(grids())
def test_any_grid_with_any_cards_stays_inside(table: Table) -> None:
    assert_sound(table)


@pytest.mark.parametrize(
    ("table", "name"), [(longest_klondike(), "7"), (longest_aces_up(), "1"), (longest_aces_up(), "4")]
)
def test_rank_and_suit_are_readable_on_a_phone_in_the_longest_columns(table: Table, name: str) -> None:
    card = layout(table).card
    assert card.index_height * PHONE_PX / 1100 >= READABLE_PX
    assert len(strips(table, name)) == 12
    assert min(strips(table, name)) >= card.index_top + card.index_height


def test_cards_face_down_show_in_the_longest_column_too() -> None:
    plan = layout(longest_klondike())
    assert all(plan.box("7", i + 1).top - plan.box("7", i).top >= 5 for i in range(6))


def test_cards_face_down_give_way_before_those_face_up() -> None:
    table = opening()
    loose = strips(with_cards(table, "7", (None,) * 6 + DECK[:3]), "7")
    tighter = strips(with_cards(table, "7", (None,) * 6 + DECK[:9]), "7")
    assert loose[0] == pytest.approx(tighter[0], abs=1)


def test_aces_up_has_larger_cards_than_klondike() -> None:
    assert layout(opening("acesup", "standard")).card.width > layout(opening()).card.width


def test_the_card_size_stays_the_same_through_a_game() -> None:
    assert layout(longest_klondike()).card == layout(won_klondike()).card == layout(opening()).card
    assert layout(longest_aces_up()).card == layout(opening("acesup", "cell")).card


def test_a_third_game_may_have_columns_below_other_piles() -> None:
    cells = [Pile("abcd"[i], PileKind.CELL, (), i) for i in range(4)]
    columns = [Pile(str(i + 1), PileKind.TABLEAU, DECK[:11], i, 1, 11) for i in range(8)]
    table = Table((*cells, *columns), 0, 52)
    plan = assert_sound(table)
    assert_apart(table, plan)
    assert {plan.slot(pile.name).top for pile in columns} == {plan.slot("1").top}
    assert min(strips(table, "1")) >= plan.card.strip
    assert plan.card.width >= 84


def test_the_waste_is_fanned_so_that_its_top_cards_can_be_read() -> None:
    table = with_cards(opening(), "w", DECK[:9])
    plan = layout(table)
    assert plan.box("w", 5) == plan.slot("w")
    assert [plan.box("w", i).top for i in range(6, 9)] == sorted({plan.box("w", i).top for i in range(6, 9)})
    assert plan.box("w", 8).top - plan.box("w", 7).top >= plan.card.strip


def test_a_fan_without_room_below_goes_to_the_right() -> None:
    piles = [
        Pile("w", PileKind.WASTE, DECK[:3], 0, 0, 3),
        Pile("s", PileKind.STOCK, (None,), 0, 1),
        Pile("1", PileKind.TABLEAU, DECK[5:6], 2, 0, 1),
    ]
    plan = layout(Table(tuple(piles), 0, 52))
    assert plan.box("w", 2).top == plan.slot("w").top
    assert plan.box("w", 2).left > plan.box("w", 1).left > plan.slot("w").left
    assert not plan.box("w", 2).overlaps(plan.slot("1"))


def test_what_a_player_types_stands_above_its_pile() -> None:
    for table in EXTREMES.values():
        plan = layout(table)
        assert {label.text for label in plan.labels} == {label_text(pile) for pile in table.piles}
        for label in plan.labels:
            below = [slot for slot in plan.slots.values() if slot.left < label.x < slot.right]
            assert any(0 < slot.top - label.baseline < 15 for slot in below)


def test_foundations_share_one_label() -> None:
    assert [label.text for label in layout(opening()).labels].count("f") == 1


def test_an_unknown_pile_or_card_is_an_error() -> None:
    plan = layout(opening())
    with pytest.raises(KeyError):
        plan.slot("x")
    with pytest.raises(KeyError):
        plan.box("x", 0)
    with pytest.raises(IndexError):
        plan.box("1", 1)


def test_sizes_run_from_the_largest_to_the_smallest() -> None:
    widths = [size.width for size in manifest().sizes]
    assert widths == sorted(widths, reverse=True)
