"""The tree of errors, what each carries, and that every reason occurs in some test."""

from __future__ import annotations

import inspect
import re
from enum import StrEnum

import pytest

import engine.errors
import engine.illegal
from engine import (
    Card,
    IllegalMove,
    Move,
    MoveSyntaxError,
    ParseError,
    Reason,
    RecordSyntaxError,
    RulesSyntaxError,
    SeedError,
    SolitaireError,
    UnknownGame,
)
from engine.games.acesup import AcesUpReason
from engine.games.klondike import KlondikeReason
from tests.engine import test_acesup, test_klondike


def drawn_tree(text: str) -> dict[str, str]:
    """Read the tree in the docstring: each error and its base class."""
    parents: dict[str, str] = {}
    above: list[tuple[int, str]] = []
    for line in text.splitlines():
        found = re.match(r"([ │├└─]{4,})([A-Z]\w+)", line)
        if not found:
            continue
        depth, name = len(found[1]), found[2]
        above = [entry for entry in above if entry[0] < depth]
        parents[name] = above[-1][1] if above else "Exception"
        above.append((depth, name))
    return parents


def test_the_tree_in_the_docstring_is_complete() -> None:
    classes = [
        kind
        for module in (engine.errors, engine.illegal)
        for _, kind in inspect.getmembers(module, inspect.isclass)
        if issubclass(kind, Exception) and kind.__module__ == module.__name__
    ]
    assert drawn_tree(engine.errors.__doc__ or "") == {
        kind.__name__: kind.__bases__[0].__name__ for kind in classes
    }


@pytest.mark.parametrize("kind", [MoveSyntaxError, SeedError, RecordSyntaxError, UnknownGame])
def test_a_parse_error_carries_the_text_it_was_given(kind: type[ParseError]) -> None:
    error = kind("3~5", "why")
    assert isinstance(error, SolitaireError)
    assert isinstance(error, ValueError)
    assert (error.text, error.problem, str(error)) == ("3~5", "why", "'3~5': why")


def test_a_rules_syntax_error_carries_its_game_too() -> None:
    error = RulesSyntaxError("d2", "klondike", "why")
    assert (error.text, error.game, error.problem) == ("d2", "klondike", "why")


def test_a_parse_error_keeps_no_more_than_100_characters() -> None:
    assert MoveSyntaxError("x" * 100_000).text == "x" * 100
    assert len(str(MoveSyntaxError("\U0010ffff" * 100_000))) < 1200


def test_an_illegal_move_carries_its_reason_its_facts_and_the_move() -> None:
    card = Card.parse("7D")
    error = IllegalMove(
        KlondikeReason.WRONG_COLUMN, Move("3", "5"), card=card, pile="5", end=Card.parse("8D")
    )
    assert (error.reason, error.move) == (KlondikeReason.WRONG_COLUMN, Move("3", "5"))
    assert error.facts == {"card": card, "pile": "5", "end": Card.parse("8D")}
    assert str(error) == "3-5: wrong-column (card=7D, pile=5, end=8D)"
    assert str(IllegalMove(Reason.GAME_OVER, Move("3", "5"))) == "3-5: game-over"


def test_an_illegal_move_may_have_no_move() -> None:
    error = IllegalMove(Reason.NO_SUCH_PILE, pile="d")
    assert (error.move, str(error)) == (None, "no-such-pile (pile=d)")


class ThirdReason(StrEnum):
    """What a third game declares in its own file."""

    NOT_ON_SUNDAYS = "not-on-sundays"


def test_a_game_can_give_reasons_of_its_own() -> None:
    error = IllegalMove(ThirdReason.NOT_ON_SUNDAYS, Move("3", "5"))
    assert error.reason is ThirdReason.NOT_ON_SUNDAYS
    assert str(error) == "3-5: not-on-sundays"


def test_an_illegal_move_is_not_a_parse_error() -> None:
    assert not issubclass(IllegalMove, ValueError)
    assert issubclass(IllegalMove, SolitaireError)


CASES = [*test_klondike.ILLEGAL, *test_acesup.ILLEGAL]
ENUMS = (Reason, KlondikeReason, AcesUpReason)
REASONS: list[StrEnum] = [reason for reasons in ENUMS for reason in reasons]


def test_no_two_reasons_have_the_same_value() -> None:
    """A front end finds the sentence by the value."""
    assert len({reason.value for reason in REASONS}) == len(REASONS)


def test_every_reason_occurs_in_some_test() -> None:
    assert {case.reason for case in CASES} == set(REASONS)


def promised_facts() -> dict[StrEnum, set[str]]:
    """Read the facts of each reason from the comment behind it."""
    promised: dict[StrEnum, set[str]] = {}
    for reasons, line in ((kind, line) for kind in ENUMS for line in inspect.getsource(kind).splitlines()):
        found = re.match(r'    ([A-Z_]+) = "[a-z-]+"(?:\s+# (.*))?$', line)
        if found:
            told = re.sub(r"\([^)]*\)|:.*", "", found[2] or "")
            promised[reasons[found[1]]] = {name.strip() for name in told.split(",") if name.strip()}
    return promised


def test_every_reason_comes_with_the_facts_that_are_promised() -> None:
    promised = promised_facts()
    assert set(promised) == set(REASONS)
    assert promised[KlondikeReason.WRONG_COLUMN] == {"card", "pile", "end"}
    assert promised[AcesUpReason.CELL_STAYS] == {"card"}
    assert promised[Reason.GAME_OVER] == set()
    for case in CASES:
        assert set(case.facts) == promised[case.reason], case.name
