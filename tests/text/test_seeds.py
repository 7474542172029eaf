"""A seed is anybody's text. Whatever it contains, it stays inside inline code and on its line."""

from __future__ import annotations

import re
import unicodedata
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from bot.discord_app.tables.autocomplete import NAME_MAX_CHARACTERS, games
from bot.render.image import draw_table
from bot.render.prose import captions
from bot.service import TurnAction
from bot.text import texts_for
from bot.text.failures import failure_text
from bot.text.lists import game_choice_text, games_text
from bot.text.names import printable, quoted
from bot.text.turns import footer_text, headline_text
from engine import GAMES, MoveSyntaxError, Record, RulesSyntaxError, SeedError, normalise_seed
from tests.limits import direction_faults
from tests.text.conftest import LANGUAGES, turn_of

NASTY = [
    "@everyone",
    "<@123456789012345678>",
    "<@&1> <#2> <t:0:R> </new:1>",
    "` @everyone `",
    "``` x ```",
    "**b** __u__ ~~s~~ ||spoiler|| *i* # h",
    "a\nb\r\nc",
    "\u202eevil\u202c \u2066x\u2069",
    "\u200b\u200f\ufeff",
    "\\",
    "`",
    "https://example.org [x](https://example.org)",
    "\x1b[31m\x00",
    "🂡" * 64,
    "שלום",
    "e\u0301\u0302\u0303\u0304",
]


def is_seed(text: str) -> bool:
    try:
        normalise_seed(text)
    except SeedError:
        return False
    return True


seeds = st.one_of(
    st.sampled_from(NASTY), st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=64)
).filter(is_seed)
languages = st.sampled_from(LANGUAGES)


def stays_on_its_line(text: str) -> bool:
    """No character breaks the line, turns its direction or hides."""
    return all(c == " " or unicodedata.category(c)[0] not in "CZ" for c in text)


@given(seeds)
def test_a_quoted_seed_cannot_leave_its_inline_code(seed: str) -> None:
    code = quoted(normalise_seed(seed))
    assert re.fullmatch(r"\u2068?`[^`\n]+`\u2069?", code)
    assert not direction_faults(code)


@given(languages, seeds)
def test_the_footer_shows_any_seed_in_inline_code_on_one_line(language: str, seed: str) -> None:
    footer = footer_text(texts_for(language), turn_of(Record("acesup", "standard", normalise_seed(seed))))
    assert footer.count("`") == 2
    assert quoted(normalise_seed(seed)) in footer
    assert not direction_faults(footer)
    assert "\n" not in footer
    assert not re.search(r"[@<>]", footer.replace(quoted(normalise_seed(seed)), ""))


@given(languages, seeds)
def test_the_list_shows_any_seed_in_inline_code_on_one_line(language: str, seed: str) -> None:
    texts = texts_for(language)
    plain = turn_of(Record("acesup", "standard", "1")).game
    odd = turn_of(Record("acesup", "standard", normalise_seed(seed))).game
    text = games_text(texts, [odd, plain])
    assert text.count("\n") == games_text(texts, [plain, plain]).count("\n")
    assert quoted(normalise_seed(seed)) in text
    assert text.count("`") == games_text(texts, [plain, plain]).count("`")


@given(languages, seeds)
def test_a_choice_shows_any_seed_on_one_line_within_discords_limit(language: str, seed: str) -> None:
    game = turn_of(Record("klondike", "d3p2r", normalise_seed(seed))).game
    assert not direction_faults(game_choice_text(texts_for(language), game))
    [choice] = games(texts_for(language), [game], "")
    assert 1 <= len(choice.name) <= NAME_MAX_CHARACTERS == 100
    assert choice.value == str(game.id)


@given(languages, seeds)
def test_a_headline_never_repeats_a_seed(language: str, seed: str) -> None:
    texts = texts_for(language)
    odd = turn_of(Record("acesup", "standard", normalise_seed(seed)), TurnAction.DEALT)
    plain = turn_of(Record("acesup", "standard", "1"), TurnAction.DEALT)
    assert headline_text(texts, odd) == headline_text(texts, plain)


@pytest.mark.parametrize("seed", NASTY)
def test_any_seed_can_be_drawn(seed: str) -> None:
    if not is_seed(seed):
        seed = f"x{seed}"
    record = Record("acesup", "standard", normalise_seed(seed))
    table = turn_of(record).table
    png = draw_table(table, captions(texts_for("en"), record, table))
    assert Image.open(BytesIO(png)).size[0] == 1100


@given(languages, st.text(max_size=200))
def test_whatever_was_typed_leaves_the_sentence_about_it_whole(language: str, typed: str) -> None:
    texts = texts_for(language)
    for error, same in (
        (MoveSyntaxError(typed), MoveSyntaxError("x")),
        (RulesSyntaxError(typed, "klondike", ""), RulesSyntaxError("x", "klondike", "")),
    ):
        text = failure_text(texts, error)
        assert not direction_faults(text)
        assert "\n" not in text
        assert text.count("`") == failure_text(texts, same).count("`")


@given(st.text())
def test_what_is_printable_has_as_many_characters_as_before(text: str) -> None:
    assert len(printable(text)) == len(text)
    assert stays_on_its_line(printable(text))
    assert printable(printable(text)) == printable(text)


def test_every_game_can_be_listed() -> None:
    listed = [turn_of(Record(key, code, "1")).game for key, game in GAMES.items() for code in game.presets]
    assert len(games(texts_for("en"), listed, "")) == 1  # all these have the same id
