"""The engine understands any text or raises an error of its own; and nothing else changes."""

from __future__ import annotations

import contextlib
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bot.service import ServiceError
from bot.service.games.codes import play_words, read_code
from engine import (
    GAMES,
    Move,
    MoveSyntaxError,
    Record,
    RecordSyntaxError,
    SeedError,
    SolitaireError,
    SyntaxFault,
    TypedMove,
    normalise_seed,
    replay,
    shuffled_deck,
    states,
)
from engine.cards import SEED_MAX_CHARACTERS
from engine.record import RECORD_MAX_CHARACTERS
from tests.discord_app.pressing import MANY_MOVES, chained, finishing, lost, won
from tests.fuzz.texts import BUDGET, counts, fuzz, hostile

MOVES = (
    "3-5",
    "3-5x2",
    "w-fh",
    "s-w",
    "w-s",
    "2-d",
    "1+3-d",
    "s-t",
    "c-2",
    "W F",
    "35",
    "3 5 2",
    "3→5 × 13",
    "f 1",
)
SEEDS = ("42", "100000000000000000000", "mormor", "god jul", "åß", "%2F", "-5", "007", "klondike/d1/5")
RULES = ("d1", "d3p2r", "d1p9", "standard", "aces+cell+pairs", "pairs")
MOVE_PATTERN = r"\s*(?:[1-9]\+[1-9]|f[cdhs]|[1-9a-zA-Z])[\s,>→:-]*[1-9a-z](?:[\s,x×*]+(?:[1-9]|1[0-9]))?\s*"
RECORD_PATTERN = (
    r"(?:klondike/d[13](?:p[1-9])?r?|acesup/standard)/[!-~]{1,70}(?: [1-7swfd]-[1-7swtd](?:x[2-9])?){0,9}"
)


@cache
def records() -> tuple[str, ...]:
    played = (
        MANY_MOVES,
        finishing(),
        won(),
        finishing("acesup", "cell"),
        chained(),
        lost(),
        lost("klondike", "d3p2"),
    )
    return (*map(str, played), "klondike/d1/42", "acesup/aces+cell/god%20jul", "acesup/standard/24 s-t")


@cache
def positions() -> tuple[tuple[Any, Any], ...]:
    return tuple((GAMES[record.game], replay(record)) for record in map(Record.parse, records()))


@pytest.mark.parametrize("count", counts("moves"))
def test_of_a_typed_move_come_a_move_or_an_error_of_the_engine(count: int) -> None:
    def check(text: str) -> None:
        with contextlib.suppress(MoveSyntaxError):
            move = Move.parse(text)
            assert str(move) == text
        with contextlib.suppress(MoveSyntaxError):
            assert (TypedMove.parse(text).count or 1) in range(1, 20)
            assert len(text) <= 40
        for game, state in positions():
            legal = list(game.legal_moves(state))
            try:
                move = game.parse_move(state, text)
                assert Move.parse(str(move)) == move
                game.apply(state, move)
            except SolitaireError:
                assert list(game.legal_moves(state)) == legal
            else:
                assert move in legal

    fuzz(check, hostile(*MOVES, pattern=MOVE_PATTERN), count, known=(f"1{' ' * 6000}2", f"1 2{' ' * 38}"))


@pytest.mark.parametrize("count", counts("seeds"))
def test_of_a_seed_come_a_deck_and_a_code_that_leads_back_or_an_error_of_the_engine(count: int) -> None:
    def check(text: str) -> None:
        try:
            seed = normalise_seed(text)
        except SeedError:
            return
        assert 1 <= len(seed) <= SEED_MAX_CHARACTERS
        assert len(set(shuffled_deck(seed))) == 52
        code = Record("klondike", "d1", seed).code
        assert Record.parse(code).seed == seed
        assert len(code) <= len("klondike/d1/") + 12 * SEED_MAX_CHARACTERS
        assert not set(code) & set("`<>@|*_~\\:[]() \n")

    fuzz(check, hostile(*SEEDS), count)


@pytest.mark.parametrize("count", counts("rules"))
def test_of_a_rules_code_come_rules_or_an_error_of_the_engine(count: int) -> None:
    def check(text: str) -> None:
        for game in GAMES.values():
            with contextlib.suppress(SyntaxFault):
                rules = game.parse_rules(text)
                assert game.parse_rules(game.rules_code(rules)) == rules
                assert text.isascii()

    fuzz(check, hostile(*RULES, pattern=r"d[13](?:p\d)?r?|(?:aces|cell|pairs|\+){1,6}"), count)


@pytest.mark.parametrize("count", counts("records"))
def test_of_a_record_come_a_game_or_an_error_of_the_engine(count: int) -> None:
    def check(text: str) -> None:
        with contextlib.suppress(SolitaireError):
            record = Record.parse(text)
            assert Record.parse(str(record)) == record
            *_, last = states(record)
            assert len(GAMES[record.game].table(last).piles) > 4

    fuzz(check, hostile(*records(), pattern=RECORD_PATTERN), count)


@pytest.mark.parametrize("count", counts("codes"))
def test_of_a_pasted_text_come_a_game_or_a_known_error(count: int) -> None:
    def check(text: str) -> None:
        with contextlib.suppress(SolitaireError, ServiceError):
            deal, words = read_code(text)
            assert not deal.moves
            position = play_words(deal, words, 300)
            assert Record.parse(str(position.record)) == position.record

    pasted = [f"Klondike · 12/52 · {record}" for record in records()]
    quoted = [f"> `{record}` and more `acesup/standard/1`" for record in records()]
    fuzz(check, hostile(*records(), *pasted, *quoted, pattern=f"`?{RECORD_PATTERN}`?"), count)


def test_a_text_longer_than_any_record_is_not_looked_at() -> None:
    endless = f"klondike/d1/1 {'s-w ' * RECORD_MAX_CHARACTERS}"
    for read in (Record.parse, read_code):
        with pytest.raises(RecordSyntaxError) as caught:
            read(endless)
        assert len(caught.value.text) <= 100


def test_the_slow_proof_tries_a_hundred_thousand_texts() -> None:
    tests = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    used = re.findall(r"counts\(\"(\w+)\"\)", tests)
    assert sorted(used) == sorted(BUDGET)  # each in one test, which asserts that it gets there
    assert sum(slow for _, slow in BUDGET.values()) >= 100_000
