"""What a player sees, and what a move changed in it."""

from __future__ import annotations

import dataclasses

import pytest

from engine import GAMES, Card, Move, Pile, PileKind, Table, diff
from tests.engine.positions import ACESUP, KLONDIKE, acesup, cards, klondike


def table(**piles: str) -> Table:
    """Build a table of piles; ``??`` is a card face down."""
    return Table(
        tuple(
            Pile(
                name,
                PileKind.TABLEAU,
                tuple(None if card == "??" else Card.parse(card) for card in text.split()),
                column=column,
            )
            for column, (name, text) in enumerate(piles.items())
        ),
        score=0,
        full_score=52,
    )


def test_the_top_of_a_pile_is_its_last_card() -> None:
    assert table(a="4C TD").pile("a").top == Card.parse("TD")
    assert table(a="4C ??").pile("a").top is None
    assert table(a="").pile("a").top is None


def test_hidden_counts_the_cards_face_down() -> None:
    assert table(a="?? ?? TD").pile("a").hidden == 2
    assert table(a="TD").pile("a").hidden == 0


def test_a_pile_is_found_by_its_name() -> None:
    assert table(a="4C", b="TD").pile("b").cards == cards("TD")
    with pytest.raises(KeyError):
        table(a="4C").pile("b")


def test_tables_and_piles_are_frozen_and_hashable() -> None:
    seen = table(a="4C ??")
    assert hash(seen) == hash(table(a="4C ??"))
    with pytest.raises(dataclasses.FrozenInstanceError):
        seen.score = 1  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        seen.piles[0].name = "b"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("number", "limit", "left"),
    [(1, 3, 2), (2, 3, 1), (3, 3, 0), (1, 1, 0), (4, None, None), (None, None, None), (None, 3, None)],
)
def test_passes_left_are_the_times_the_waste_can_still_be_turned_over(
    number: int | None, limit: int | None, left: int | None
) -> None:
    assert Table((), 0, 52, number, limit).passes_left == left


@pytest.mark.parametrize(
    ("before", "after", "new"),
    [
        ({"a": "4C"}, {"a": "4C"}, set()),
        ({"a": "4C"}, {"a": "4C TD"}, {("a", 1)}),  # a card where there was none
        ({"a": "4C TD"}, {"a": "4C"}, set()),  # a card that left is no new: there is nothing to mark
        ({"a": "4C TD"}, {"a": "4C 9S"}, {("a", 1)}),  # another card
        ({"a": "?? TD"}, {"a": "9S"}, {("a", 0)}),  # turned face up
        ({"a": "9S"}, {"a": "??"}, {("a", 0)}),  # turned face down
        ({"a": "?? ??"}, {"a": "??"}, set()),
        ({"a": "4C 9S", "b": "TD"}, {"a": "4C", "b": "TD 9S"}, {("b", 1)}),
        ({}, {"a": "4C TD"}, {("a", 0), ("a", 1)}),  # a pile that is new
        ({"a": "4C"}, {}, set()),
        ({"a": "4C 9S"}, {"a": "9S 4C"}, {("a", 0), ("a", 1)}),
    ],
)
def test_the_diff_is_the_cards_that_are_new(
    before: dict[str, str], after: dict[str, str], new: set[tuple[str, int]]
) -> None:
    assert diff(table(**before), table(**after)) == new


def klondike_diff(state: object, move: str) -> set[tuple[str, int]]:
    game = GAMES["klondike"]
    return set(diff(game.table(state), game.table(game.apply(state, Move.parse(move)))))


def test_a_run_that_moves_and_the_card_it_uncovers_are_new() -> None:
    state = klondike("TC", "4S 2D | 9H 8C")
    assert klondike_diff(state, "2-1x2") == {("1", 1), ("1", 2), ("2", 1)}


def test_the_cards_that_a_draw_turns_are_new() -> None:
    assert klondike_diff(klondike("TC", stock="4S 2D 8C AH", waste="5C", rules="d3"), "s-w") == {
        ("w", 1),
        ("w", 2),
        ("w", 3),
    }


def test_after_a_redeal_the_stock_is_new() -> None:
    assert klondike_diff(klondike("TC", waste="4S 2D AH"), "w-s") == {("s", 0), ("s", 1), ("s", 2)}


def test_a_deal_is_new_on_every_pile() -> None:
    state = acesup("AC", "", "KH 9D", "2S", stock="3C 4C 5C 6C")
    after = ACESUP.apply(state, Move("s", "t"))
    assert diff(ACESUP.table(state), ACESUP.table(after)) == {("1", 1), ("2", 0), ("3", 2), ("4", 1)}


def test_a_discard_is_new_on_the_discard_pile() -> None:
    state = acesup("AC", "5C", discarded=3)
    after = ACESUP.apply(state, Move("2", "d"))
    assert diff(ACESUP.table(state), ACESUP.table(after)) == {("d", 3)}


def test_the_klondike_table_has_every_pile_in_its_place() -> None:
    state = klondike(
        "KH", "4S | TD", foundations=(2, 0, 1, 0), stock="9C 9D", waste="5C 6C", rules="d1p3", pass_number=2
    )
    seen = KLONDIKE.table(state)
    assert [(p.name, p.kind.value, p.column, p.row) for p in seen.piles] == [
        ("s", "stock", 0, 0),
        ("w", "waste", 0, 1),
        *((str(n), "tableau", n, 0) for n in range(1, 8)),
        ("fc", "foundation", 8, 0),
        ("fd", "foundation", 8, 1),
        ("fh", "foundation", 8, 2),
        ("fs", "foundation", 8, 3),
    ]
    assert [p.suit.letter for p in seen.piles if p.suit is not None] == ["C", "D", "H", "S"]
    assert seen.pile("s").cards == (None, None)
    assert seen.pile("w").cards == cards("5C 6C")
    assert seen.pile("1").cards == cards("KH")
    assert seen.pile("2").cards == (None, *cards("TD"))
    assert (seen.pile("2").spread, seen.pile("2").hidden) == (2, 1)
    assert seen.pile("fc").cards == cards("AC 2C")
    assert (seen.score, seen.full_score) == (3, 52)
    assert (seen.pass_number, seen.pass_limit, seen.passes_left) == (2, 3, 1)


def test_the_aces_up_table_has_every_pile_in_its_place() -> None:
    state = acesup("AC 9H", "", "KH", "2S", stock="3C 4C 5C 6C", discarded=5)
    seen = ACESUP.table(state)
    assert [(p.name, p.kind.value, p.column, p.row) for p in seen.piles] == [
        ("s", "stock", 0, 0),
        *((str(n), "tableau", n, 0) for n in range(1, 5)),
        ("d", "discard", 5, 0),
    ]
    assert seen.pile("s").cards == (None,) * 4
    assert seen.pile("1").cards == cards("AC 9H")
    assert seen.pile("1").spread == 2
    assert len(seen.pile("d").cards) == 5
    assert (seen.score, seen.full_score) == (5, 48)
    assert (seen.pass_number, seen.pass_limit, seen.passes_left) == (None, None, None)


def test_the_free_cell_is_on_the_table_where_the_rules_have_one() -> None:
    seen = ACESUP.table(acesup("AC", cell="9D", rules="cell"))
    assert [p.name for p in seen.piles] == ["s", "1", "2", "3", "4", "d", "c"]
    assert (seen.pile("c").kind, seen.pile("c").cards) == (PileKind.CELL, cards("9D"))
    for code in ("aces+cell", "cell+pairs", "aces+cell+pairs"):
        assert ACESUP.table(acesup("AC", rules=code)).pile("c").cards == ()
    for code in ("standard", "aces", "pairs", "aces+pairs"):
        with pytest.raises(KeyError):
            ACESUP.table(acesup("AC", rules=code)).pile("c")


def test_no_two_piles_share_a_place_on_the_grid() -> None:
    for key, game in GAMES.items():
        for code in game.presets:
            piles = game.table(game.start(1, code)).piles
            assert len({(p.column, p.row) for p in piles}) == len(piles), (key, code)
