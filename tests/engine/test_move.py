"""The notation: what records hold, and what players type."""

from __future__ import annotations

import dataclasses
from itertools import product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine import GAMES, Move, MoveKind, MoveSyntaxError, PileKind, TypedMove, pile_kind
from tests.engine.positions import ALL_NAMES

a_name = st.sampled_from(ALL_NAMES)
a_move = st.builds(Move, a_name, a_name, st.integers(1, 19))


@given(a_move)
def test_parsing_is_the_inverse_of_writing(move: Move) -> None:
    assert Move.parse(str(move)) == move


def test_parsing_is_the_inverse_of_writing_for_every_pair_of_piles() -> None:
    for source, target in product(ALL_NAMES, ALL_NAMES):
        assert Move.parse(str(Move(source, target))) == Move(source, target)


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("3-5", Move("3", "5")),
        ("3-5x2", Move("3", "5", 2)),
        ("7-1x13", Move("7", "1", 13)),
        ("7-1x19", Move("7", "1", 19)),
        ("w-fh", Move("w", "fh")),
        ("fh-3", Move("fh", "3")),
        ("s-w", Move("s", "w")),
        ("w-s", Move("w", "s")),
        ("2-d", Move("2", "d")),
        ("1+3-d", Move("1+3", "d")),
        ("c-1", Move("c", "1")),
        ("s-t", Move("s", "t")),
    ],
)
def test_a_move_is_written_in_one_way(text: str, move: Move) -> None:
    assert Move.parse(text) == move
    assert str(move) == text


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("s-w", MoveKind.DRAW),
        ("s-fc", MoveKind.DRAW),
        ("w-s", MoveKind.REDEAL),
        ("s-t", MoveKind.DEAL),
        ("2-d", MoveKind.DISCARD),
        ("1+3-d", MoveKind.PAIR),
        ("c-1", MoveKind.MOVE),
        ("3-5x2", MoveKind.MOVE),
        ("w-fh", MoveKind.MOVE),
        ("fh-3", MoveKind.MOVE),
        ("2-w", MoveKind.MOVE),
    ],
)
def test_a_move_knows_its_kind(text: str, kind: MoveKind) -> None:
    assert Move.parse(text).kind is kind


def test_kinds_know_whether_they_use_the_stock_or_discard() -> None:
    assert {kind for kind in MoveKind if kind.is_stock} == {MoveKind.DRAW, MoveKind.REDEAL, MoveKind.DEAL}
    assert {kind for kind in MoveKind if kind.is_discard} == {MoveKind.DISCARD, MoveKind.PAIR}


@given(a_move)
def test_every_move_that_can_be_written_has_a_kind_and_sources(move: Move) -> None:
    assert isinstance(move.kind, MoveKind)
    assert "+".join(move.sources) == move.source


def test_a_pair_has_two_sources_and_every_other_move_one() -> None:
    assert Move.parse("1+3-d").sources == ("1", "3")
    assert Move.parse("w-fh").sources == ("w",)


def test_a_name_stands_for_a_kind_of_pile() -> None:
    assert {name: kind for name in ALL_NAMES if (kind := pile_kind(name)) is not None} == {
        **dict.fromkeys(("f", "fc", "fd", "fh", "fs"), PileKind.FOUNDATION),
        **dict.fromkeys((*"123456789", "t"), PileKind.TABLEAU),
        "s": PileKind.STOCK,
        "w": PileKind.WASTE,
        "c": PileKind.CELL,
        "d": PileKind.DISCARD,
    }


@pytest.mark.parametrize(("typed", "source"), [("2", "2"), (" 2 ", "2"), ("1+3", "1+3"), ("3 1", "1+3")])
def test_a_discard_is_named_by_its_piles_alone(typed: str, source: str) -> None:
    game = GAMES["acesup"]
    assert game.parse_discard(game.start(1, "pairs"), typed) == Move(source, "d")


@pytest.mark.parametrize("typed", ["", "nonsense", "1+2+3", "1-d"])
def test_a_discard_from_no_pile_is_a_syntax_error_that_carries_what_was_typed(typed: str) -> None:
    game = GAMES["acesup"]
    with pytest.raises(MoveSyntaxError) as caught:
        game.parse_discard(game.start(1, "pairs"), typed)
    assert caught.value.text == typed


def test_a_move_takes_one_card_by_default() -> None:
    assert Move("3", "5") == Move("3", "5", 1)
    assert str(Move("3", "5", 1)) == "3-5"


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "3", "3-", "-5", "35", "3 5", "3>5", " 3-5", "3-5 ", "3-5\n", "3--5", "0-5", "3-0", "10-5",
        "3-5x", "3-5x0", "3-5x1", "3-5x01", "3-5x20", "3-5x-2", "3-5 x2", "3-5X2", "3-5×2", "W-fh", "w-FH",
        "f-3x", "ff-3", "fa-3", "1+-d", "1+0-d", "+1-d", "1+2+3-d", "c+1-d", "1+2", "w-f h", "٣-٥", "3‑5",
        "s-w s-w", "x" * 10_000, "ſ-w", "3-fſ", "é-1",
    ],
)  # fmt: skip
def test_a_record_holds_no_other_spelling(text: str) -> None:
    with pytest.raises(MoveSyntaxError) as caught:
        Move.parse(text)
    assert caught.value.text == text[:100]


@given(st.text(max_size=45))
@example("3-5x\u0662")
def test_random_text_is_a_move_or_a_syntax_error(text: str) -> None:
    try:
        move = Move.parse(text)
    except MoveSyntaxError:
        return
    assert str(move) == text


def test_moves_are_frozen_and_compare_by_value() -> None:
    move = Move("3", "5", 2)
    with pytest.raises(dataclasses.FrozenInstanceError):
        move.count = 3  # type: ignore[misc]
    assert len({move, Move("3", "5", 2), Move("3", "5")}) == 2


# ------------------------------------------------------------------------------------ what is typed


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("3 5", TypedMove("3", "5")),
        ("35", TypedMove("3", "5")),
        ("3-5", TypedMove("3", "5")),
        ("3 - 5", TypedMove("3", "5")),
        ("3>5", TypedMove("3", "5")),
        ("3->5", TypedMove("3", "5")),
        ("3 → 5", TypedMove("3", "5")),
        ("3, 5", TypedMove("3", "5")),
        ("3:5", TypedMove("3", "5")),
        ("  3\t5\n", TypedMove("3", "5")),
        ("3 5 2", TypedMove("3", "5", 2)),
        ("3-5x2", TypedMove("3", "5", 2)),
        ("3-5X2", TypedMove("3", "5", 2)),
        ("3 5 x 2", TypedMove("3", "5", 2)),
        ("3-5×2", TypedMove("3", "5", 2)),
        ("3 5 *12", TypedMove("3", "5", 12)),
        ("3,5,2", TypedMove("3", "5", 2)),
        ("3 5 1", TypedMove("3", "5", 1)),
        ("3 5 19", TypedMove("3", "5", 19)),
        ("W F", TypedMove("w", "f")),
        ("wf", TypedMove("w", "f")),
        ("w fh", TypedMove("w", "fh")),
        ("WFH", TypedMove("w", "fh")),
        ("3F", TypedMove("3", "f")),
        ("F 4", TypedMove("f", "4")),
        ("fd4", TypedMove("fd", "4")),
        ("S W", TypedMove("s", "w")),
        ("1+3 D", TypedMove("1+3", "d")),
        ("1+3d", TypedMove("1+3", "d")),
        ("C 2", TypedMove("c", "2")),
    ],
)
def test_players_may_type_it_like_that(text: str, typed: TypedMove) -> None:
    assert TypedMove.parse(text) == typed


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "3", "f", "352", "3 5 0", "3 5 20", "3 5 -2", "3 5 2 1", "0 5", "3 0", "10 5", "3 10 ",
        "/3 5", "3/5", "3.5", "three five", "3 5;", "3-5x", "3 to 5", "1 + 3 d", "1+3", "3 5" + " " * 50,
        "@everyone", "3 5 ²", "٣ ٥", "３ ５", "3 5 x٢", "wff", "move 3 5",
    ],
)  # fmt: skip
def test_a_text_that_is_never_a_move_is_a_syntax_error(text: str) -> None:
    with pytest.raises(MoveSyntaxError) as caught:
        TypedMove.parse(text)
    assert caught.value.text == text[:100]


def test_a_typed_move_has_at_most_40_characters() -> None:
    assert TypedMove.parse("3" + " " * 38 + "5") == TypedMove("3", "5")
    with pytest.raises(MoveSyntaxError):
        TypedMove.parse("3" + " " * 39 + "5")


@given(a_move)
def test_every_recorded_move_can_be_typed(move: Move) -> None:
    for text in (str(move), str(move).upper(), f"  {move} ", str(move).replace("-", " ")):
        typed = TypedMove.parse(text)
        assert (typed.source, typed.target) == (move.source, move.target)
        assert typed.count == (None if move.count == 1 else move.count)


@given(st.one_of(st.text(max_size=45), st.text("123456789abcdfhstwxCDFHSTWX×*+-→> ,:0", max_size=12)))
def test_typed_text_is_a_move_of_known_piles_or_a_syntax_error(text: str) -> None:
    try:
        typed = TypedMove.parse(text)
    except MoveSyntaxError:
        return
    assert typed.source in ALL_NAMES
    assert typed.target in ALL_NAMES
    assert typed.count is None or 1 <= typed.count <= 19


@pytest.mark.parametrize("letter", ["\u017f", "\u212a", "\u0130", "\u0131"])
def test_letters_that_merely_fold_to_plain_ones_are_a_syntax_error(letter: str) -> None:
    """``re.IGNORECASE`` matches these four as letters from a to z without ``re.ASCII``."""
    for text in (f"{letter} 1", f"1 {letter}", f"f{letter} 1"):
        with pytest.raises(MoveSyntaxError):
            TypedMove.parse(text)
