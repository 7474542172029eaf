"""A table in words: alt text of at most 1024 characters, however long the table is, and every pile in it."""

from __future__ import annotations

import random

import pytest

from bot.render.prose import ALT_TEXT_MAX_CHARACTERS, alt_text, pass_text, table_lines
from bot.text import texts_for
from bot.text.cards import card_text
from engine import DECK, GAMES, Card, PileKind, Record, Table
from tests.render.tables import (
    longest_aces_up,
    longest_klondike,
    opening,
    random_tables,
    with_cards,
    won_klondike,
)
from tests.text.conftest import in_every_language, turn_of

EN = texts_for("en")


def all_face_up() -> Table:
    """All 52 cards face up in the columns: more than any game comes to."""
    table = with_cards(opening(), "s", ())
    deck = list(DECK)
    for name in "1234567":
        cards, deck = tuple(deck[:8]), deck[8:]
        table = with_cards(table, name, cards)
    return table


LONG = {
    "a whole run in column 7": longest_klondike(),
    "four piles of thirteen": longest_aces_up(),
    "a won game": won_klondike(),
    "all face up": all_face_up(),
}
long_tables = pytest.mark.parametrize("table", LONG.values(), ids=LONG)


def labels(language: str, table: Table) -> list[str]:
    """What each line of the table begins with."""
    lines = table_lines(texts_for(language), table, 1)[:-1]
    assert len(lines) == len(table.piles)
    return [line.split(":")[0] + ":" for line in lines]


@in_every_language
@long_tables
@pytest.mark.parametrize("headline", ["", "**A headline** " * 20], ids=["alone", "after a headline"])
def test_the_longest_tables_fit_and_every_pile_is_named(language: str, table: Table, headline: str) -> None:
    text = alt_text(texts_for(language), table, headline)
    assert len(text) <= ALT_TEXT_MAX_CHARACTERS == 1024
    lines = text.split("\n")
    for label in labels(language, table):
        assert any(line.startswith(label) for line in lines), label
    assert lines[-1] == table_lines(texts_for(language), table, 1)[-1]


@in_every_language
@pytest.mark.parametrize("deepest", [1, 2, 3])
def test_deeper_cards_are_counted_where_they_do_not_fit_as_few_as_will_do(
    language: str, deepest: int
) -> None:
    """The cards of one deck always fit, so the words about the turn have to be very long."""
    texts, table = texts_for(language), longest_aces_up()
    short = "\n".join(table_lines(texts, table, deepest))
    headline = "x" * (ALT_TEXT_MAX_CHARACTERS - len(short) - 1)
    assert alt_text(texts, table, headline) == f"{headline}\n{short}"
    assert texts("table-more", count=13 - deepest) in short


@in_every_language
@long_tables
def test_the_top_card_of_every_column_is_named_first(language: str, table: Table) -> None:
    lines = alt_text(texts_for(language), table).split("\n")
    for pile in table.piles:
        if pile.kind is PileKind.TABLEAU and pile.top:
            line = next(line for line in lines if line.startswith(f"{pile.name}:"))
            assert line.split(": ")[1].startswith(card_text(pile.top))


@in_every_language
def test_what_fits_is_told_in_full(language: str) -> None:
    """Of every card face up in a column the name, of the hidden ones their number."""
    texts = texts_for(language)
    for table in random_tables(3):
        text = alt_text(texts, table)
        assert len(text) <= ALT_TEXT_MAX_CHARACTERS
        if len("\n".join(table_lines(texts, table))) > ALT_TEXT_MAX_CHARACTERS:
            continue
        for pile in table.piles:
            if pile.kind in (PileKind.TABLEAU, PileKind.CELL):
                assert all(card_text(card) in text for card in pile.cards if card)


@in_every_language
def test_no_hidden_card_is_named(language: str) -> None:
    table = opening("klondike", "d1", "24")
    seen = {card for pile in table.piles for card in pile.cards if card}
    text = alt_text(texts_for(language), table)
    assert [card_text(card) for card in DECK if card not in seen and card_text(card) in text.split()] == []


def test_a_headline_stands_first_without_its_marks() -> None:
    text = alt_text(EN, opening(), "**New game.** Type `/help`.")
    assert text.startswith("New game. Type /help.\n")


@in_every_language
def test_every_turn_of_a_game_has_its_own_alt_text(language: str) -> None:
    """Two pictures in a row that sound alike would tell a listener nothing."""
    game, choose = GAMES["klondike"], random.Random(7)
    state = game.start("7", "d1")
    before = alt_text(texts_for(language), game.table(state))
    for _ in range(60):
        state = game.apply(state, choose.choice(list(game.legal_moves(state))))
        text = alt_text(texts_for(language), game.table(state))
        assert text != before
        before = text


@in_every_language
@pytest.mark.parametrize(
    ("record", "told"),
    [
        ("klondike/d1p3/1", ["1", "3"]),
        ("klondike/d3p2/1" + " s-w" * 8 + " w-s", ["2", "2"]),
    ],
)
def test_the_pass_and_the_passes_allowed_are_told(language: str, record: str, told: list[str]) -> None:
    """Issue 48 of tty-solitaire: players could not tell how many passes were left."""
    table = turn_of(record).table
    words = pass_text(texts_for(language), table)
    assert [part for part in words.split() if part.isdigit()] == told
    assert words in alt_text(texts_for(language), table)


@in_every_language
def test_a_game_without_passes_tells_none(language: str) -> None:
    assert pass_text(texts_for(language), opening("acesup", "standard")) == ""


def test_a_table_in_words() -> None:
    table = turn_of(Record.parse("acesup/cell/1 2-d 1-c")).table
    lines = [line.split(": ") for line in table_lines(EN, table)[:-1]]
    assert [line[0] for line in lines][1:5] == ["1", "2", "3", "4"]
    assert lines[3] == ["3", card_text(Card.parse("9H"))]
    assert lines[6][1] == card_text(Card.parse("JD"))
