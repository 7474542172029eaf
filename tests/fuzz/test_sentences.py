"""A user's text is quoted safely in every sentence: no formatting, no ping, no reversed line."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from functools import lru_cache

import pytest

from bot.discord_app.tables.autocomplete import games as game_choices
from bot.render._lettering import line, line_height
from bot.service import BadDay, BadMoveInCode, BoardView, Period, Share, Turn, TurnAction
from bot.service.games.codes import read_code
from bot.storage import Board, Standing, Status
from bot.text import Texts, texts_for
from bot.text.boards import board_text
from bot.text.failures import failure_text
from bot.text.lists import games_text
from bot.text.names import plain, quoted
from bot.text.sharing import share_text
from bot.text.stats import stats_title
from bot.text.turns import footer_text, headline_text
from engine import (
    MoveSyntaxError,
    Record,
    RecordSyntaxError,
    RulesSyntaxError,
    SeedError,
    SolitaireError,
    UnknownGame,
    normalise_seed,
)
from tests.fuzz.texts import counts, fuzz, hostile
from tests.limits import CONTENT_MAX, TEXT_MAX, choice_faults, direction_faults, skeleton, speech_faults
from tests.text.conftest import LANGUAGES, in_every_language, turn_of

Say = Callable[[Texts, str], str]


def of_error(make: Callable[[str], SolitaireError]) -> Say:
    return lambda texts, text: failure_text(texts, make(text))


# Sentences that repeat what was typed.
REPLIES: dict[str, Say] = {
    "move": of_error(MoveSyntaxError),
    "rules": of_error(lambda text: RulesSyntaxError(text, "klondike", "")),
    "game": of_error(UnknownGame),
    "code": of_error(RecordSyntaxError),
    "seed": of_error(SeedError),
    "day": lambda texts, text: failure_text(texts, BadDay(text)),
    "move in a code": lambda texts, text: failure_text(texts, BadMoveInCode(7, text, MoveSyntaxError(text))),
}


# Sentences that name a deal by its seed.
DEALS: dict[str, Callable[[Texts, Turn], str]] = {
    "footer": footer_text,
    "headline": headline_text,
    "list": lambda texts, turn: games_text(texts, [turn.game, turn.game]),
    "share": lambda texts, turn: share_text(texts, Share(turn, (), is_result=True)),
}

TOP = (Standing(1, 1, 40), Standing(2, 1, 40), Standing(3, 3, 12))
BOARD = BoardView(
    period=Period("2023-11-01", "2023-11-01"),
    server_id=None,
    board=Board(TOP, TOP[1], players=3, scores={40: 2, 12: 1}),
    is_over=True,
    ends_ms=0,
    is_playing=False,
    is_hidden=False,
)

# Sentences that name a person.
PEOPLE: dict[str, Say] = {
    "statistics": stats_title,
    "no statistics": lambda texts, name: texts("stats-none-other", name=plain(name)),
    "board": lambda texts, name: board_text(texts, BOARD, {1: name, 2: name, 3: "Ola"}, user_id=2),
}


@pytest.mark.parametrize("count", counts("sentences"))
def test_a_users_text_does_not_change_the_sentence_around_it(count: int) -> None:
    languages = [*map(texts_for, LANGUAGES), texts_for("en", "no"), texts_for("no", "en")]

    def check(text: str) -> None:
        texts = languages[sum(map(ord, text)) % len(languages)]
        for what, say in (REPLIES | PEOPLE).items():
            if text or what not in PEOPLE:
                same(what, say(texts, text), say(texts, "x"))
        with contextlib.suppress(SeedError):
            names_a_deal(texts, normalise_seed(text))

    fuzz(check, hostile("/new", "/draw", "klondike/d1/5", "Kari Nordmann"), count)


def names_a_deal(texts: Texts, seed: str) -> None:
    turn = dealt(seed)
    for what, say in DEALS.items():
        same(what, say(texts, turn), say(texts, dealt("x")))
    assert quoted(seed) in footer_text(texts, turn)
    assert read_code(share_text(texts, Share(turn, (), is_result=True)))[0] == turn.position.record
    [choice] = game_choices(texts, [turn.game], "")
    assert not choice_faults([choice.to_dict()])
    assert not direction_faults(choice.name), choice.name


@lru_cache(2)
def dealt(seed: str) -> Turn:
    record = Record("klondike", "d3p2r", seed)  # the longest rules in words
    return turn_of(record, TurnAction.DEALT, status=Status.PLAYING)


def same(what: str, said: str, usual: str) -> None:
    """Assert that two sentences differ only in what is quoted."""
    faults = speech_faults(said)
    assert not faults, (what, said, faults)
    assert len(said) <= CONTENT_MAX or what == "list", (what, len(said))
    assert bones(said) == bones(usual), (what, said)


def bones(text: str) -> list[str]:
    """Return the characters that Discord would format or break a line at, in order."""
    return [character for character in skeleton(text) if character in "\n`*_~|<>@#[]:"]


@in_every_language
def test_the_longest_list_of_games_fits_a_message(language: str) -> None:
    longest = normalise_seed("W" * 64)
    games = [turn_of(Record("acesup", "aces+cell+pairs", longest)).game] * 25
    assert len(games_text(texts_for(language), games)) <= TEXT_MAX


@pytest.mark.parametrize("count", counts("pictures"))
def test_any_text_on_a_picture_stays_in_its_line(count: int) -> None:
    def check(text: str) -> None:
        written = line(text, 24, (0, 1, 2), 300)
        assert written.width <= 300
        assert written.height == line_height(24)

    fuzz(check, hostile("seed 42", "klondike/d1/5"), count)
