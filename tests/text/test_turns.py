"""What is said about a turn, and moves in words."""

from __future__ import annotations

import random
import re
from dataclasses import replace

import pytest

from bot.service import TurnAction
from bot.storage import Status
from bot.text import texts_for
from bot.text.cards import card_text
from bot.text.lists import game_choice_text, games_text, help_text, rules_text
from bot.text.moves import move_text
from bot.text.turns import footer_text, headline_text
from engine import DECK, GAMES, Card, Record
from tests.text.conftest import finished, in_every_language, taken_back, turn_of

EN = texts_for("en")


def test_cards_are_written_with_ten_in_figures_and_outlined_black_suits() -> None:
    assert [card_text(Card.parse(name)) for name in ("TD", "AS", "2C", "KH")] == ["10♦", "A♤", "2♧", "K♥"]
    assert len({card_text(card) for card in DECK}) == 52


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ("klondike/d1/1 6-fh", "**6 → f: A♥ to the foundation**"),
        ("klondike/d1/4 1-4", "**1 → 4: 8♥ on 9♤**"),
        ("acesup/standard/1 2-d", "**Discard 2♦ from 2**"),
        ("acesup/standard/1 2-d 1-2", "**1 → 2: J♦ to the empty place**"),
        ("acesup/cell/1 1-c", "**1 → c: J♦ to the free cell**"),
        ("acesup/cell/1 1-c c-1", "**c → 1: J♦ to the empty place**"),
        ("acesup/standard/1 s-t", "**Deal**: 5♦ 7♥ 7♧ 5♥"),
        ("klondike/d1/1 s-w", "**Draw**: 4♥"),
    ],
)
def test_a_move_is_told_with_its_cards(record: str, words: str) -> None:
    assert headline_text(EN, turn_of(record)) == words


def test_a_discarded_pair_is_told_with_both_cards() -> None:
    assert headline_text(EN, turn_of("acesup/pairs/1 1+4-d")) == "**Discard J♦ J♧ from 1+4**"


def test_a_draw_of_three_names_the_three_with_the_playable_one_last() -> None:
    turn = turn_of("klondike/d3/1 s-w")
    words = headline_text(EN, turn)
    cards = [card_text(card) for card in turn.table.pile("w").cards if card]
    assert words == f"**Draw**: {' '.join(cards)}"
    assert len(cards) == 3


def test_the_waste_turned_over_is_told_without_cards() -> None:
    assert headline_text(EN, turn_of("klondike/d3/1" + " s-w" * 8 + " w-s")) == "**Turn the waste over**"


def test_an_undone_move_is_told_as_it_was_played() -> None:
    assert headline_text(EN, taken_back("klondike/d1/1 6-fh")) == "**Undone:** 6 → f: A♥ to the foundation"


def test_a_redone_move_is_told_as_it_was_played() -> None:
    turn = turn_of("klondike/d1/1 6-fh", TurnAction.REDONE)
    assert headline_text(EN, turn) == "**Redone:** 6 → f: A♥ to the foundation"


@in_every_language
def test_every_deed_is_told_and_no_two_alike(language: str) -> None:
    texts = texts_for(language)
    record = "acesup/standard/1 2-d"
    plain = set(TurnAction) - {TurnAction.UNDONE, TurnAction.GIVEN_UP, TurnAction.HINTED}
    turns = [turn_of(record, action) for action in plain]
    turns.append(replace(turn_of(record, TurnAction.HINTED), moves=turn_of(record).legal_moves[:1]))
    turns += [taken_back(record), turn_of(record, TurnAction.GIVEN_UP, status=Status.GIVEN_UP)]
    said = [headline_text(texts, turn) for turn in turns]
    assert all(said)
    assert len(set(said)) == len(TurnAction)


@in_every_language
@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("outcome", ["won", "over"])
def test_an_ending_is_told_after_the_move_with_the_score(language: str, key: str, outcome: str) -> None:
    turn = turn_of(finished(outcome, key))
    first, second = headline_text(texts_for(language), turn).split("\n")
    assert turn.table_before is not None
    assert move_text(texts_for(language), turn.table_before, turn.moves[0]) in first
    assert f"{turn.table.score} " in second
    assert str(turn.table.full_score) in second


def test_a_win_is_told_with_its_moves() -> None:
    record = finished("won", "acesup")
    ending = EN("turn-won", score=48, full=48, moves=len(record.moves))
    assert headline_text(EN, turn_of(record)).split("\n")[1] == ending
    assert f" {len(record.moves)} moves" in ending


def test_an_ended_game_shown_again_says_only_how_it_ended() -> None:
    record = finished("won", "acesup")
    ending = EN("turn-won", score=48, full=48, moves=len(record.moves))
    assert headline_text(EN, turn_of(record, TurnAction.SHOWN)) == ending


@in_every_language
def test_a_deal_that_is_over_at_once_says_both(language: str) -> None:
    texts = texts_for(language)
    assert headline_text(texts, turn_of("klondike/d3/10", TurnAction.DEALT)).split("\n") == [
        texts("turn-new"),
        texts("turn-over", score=0, full=52, moves=0),
    ]


@in_every_language
@pytest.mark.parametrize(("record", "score"), [("acesup/standard/1", 0), ("acesup/standard/1 2-d", 1)])
def test_a_game_set_aside_is_named_with_its_score(language: str, record: str, score: int) -> None:
    texts = texts_for(language)
    turn = replace(turn_of("klondike/d1/1", TurnAction.DEALT), set_aside=turn_of(record).game)
    line = headline_text(texts, turn).split("\n")[1]
    assert texts("game-acesup") in line
    assert f"{score}" in line


@in_every_language
def test_the_footer_names_game_rules_and_seed(language: str) -> None:
    texts = texts_for(language)
    footer = footer_text(texts, turn_of("klondike/d3p1/god%20jul"))
    for part in (texts("game-klondike"), "`god jul`"):
        assert part in footer


@in_every_language
@pytest.mark.parametrize(
    ("key", "code"),
    [("klondike", "d1r"), ("klondike", "d3p2r"), ("acesup", "aces+cell+pairs"), ("acesup", "cell")],
)
def test_no_two_legal_moves_of_a_table_are_worded_alike(language: str, key: str, code: str) -> None:
    """They stand in one list: a player has to be able to choose."""
    texts, game, choose = texts_for(language), GAMES[key], random.Random(f"{key} {code}")
    for seed in range(3):
        state = game.start(seed, code)
        for _ in range(120):
            legal = list(game.legal_moves(state))
            if not legal:
                break
            table = game.table(state)
            words = [move_text(texts, table, move) for move in legal]
            assert len(set(words)) == len(legal)
            assert not any("{" in text or "\n" in text for text in words)
            state = game.apply(state, choose.choice(legal))


@in_every_language
def test_several_cards_moved_at_once_are_counted(language: str) -> None:
    game = GAMES["klondike"]
    for seed in range(200):
        state = game.start(seed, "d1")
        for _ in range(60):
            runs = [move for move in game.legal_moves(state) if move.count > 2]
            if runs:
                words = move_text(texts_for(language), game.table(state), runs[0])
                assert f" {runs[0].count - 1} " in words
                return
            legal = [
                move
                for move in game.legal_moves(state)
                if move.source in "1234567" and move.target in "1234567"
            ]
            state = game.apply(state, legal[0] if legal else next(iter(game.legal_moves(state))))
            if game.outcome(state):
                break
    pytest.fail("no run of three found")


# Lists


@in_every_language
def test_a_list_names_every_game_with_rules_seed_score_and_time(language: str) -> None:
    texts = texts_for(language)
    games = [turn_of("klondike/d1/god%20jul").game, turn_of("acesup/pairs/1 2-d").game]
    lines = [line for line in games_text(texts, games).split("\n") if "<t:1700000000:R>" in line]
    told = [("1.", "game-klondike", "god jul", 0), ("2.", "game-acesup", "1", 1)]
    for line, (number, game, seed, score) in zip(lines, told, strict=True):
        assert line.startswith(f"{number} ")
        assert texts(game) in line
        assert f"`{seed}`" in line
        assert re.search(rf"\b{score}\b", line.split(f"`{seed}`")[1])
    assert "`pairs`" in lines[1]


@in_every_language
def test_no_games_are_a_sentence(language: str) -> None:
    assert "/" in games_text(texts_for(language), [])


@in_every_language
@pytest.mark.parametrize("key", GAMES)
def test_the_rules_name_every_preset(language: str, key: str) -> None:
    text = rules_text(texts_for(language), key)
    assert [code for code in GAMES[key].presets if f"`{code}`" not in text] == []


@in_every_language
def test_the_help_names_every_command(language: str) -> None:
    texts = texts_for(language)
    text = help_text(texts)
    keys = ("new", "move", "draw", "discard", "undo", "redo", "table", "games", "giveup", "rules")
    assert [key for key in keys if f"`/{texts(f'command-{key}')}" not in text] == []


@in_every_language
def test_a_choice_of_a_game_is_plain_text(language: str) -> None:
    words = game_choice_text(texts_for(language), turn_of("acesup/standard/god%20jul").game)
    assert "god jul" in words
    assert not set(words) & set("`*<>")


@in_every_language
def test_long_texts_fit_a_message(language: str) -> None:
    """Discord takes 2000 characters in a message; /rules without a game has all of them in one."""
    texts = texts_for(language)
    assert len(help_text(texts)) <= 2000
    assert all(len(rules_text(texts, key)) <= 2000 for key in GAMES)
    assert len("\n".join(rules_text(texts, key) for key in GAMES)) <= 2000


@in_every_language
def test_the_longest_list_of_games_fits_a_message(language: str) -> None:
    """All text of a message built of components may have 4000 characters."""
    games = [turn_of(Record("klondike", "d1p3r", "x" * 64)).game] * 25
    assert len(games_text(texts_for(language), games)) <= 4000


@in_every_language
def test_a_game_that_time_has_ended_is_told_by_what_ended_it(language: str) -> None:
    """A daily game by its day, any other by its having been left."""
    texts = texts_for(language)
    turn = turn_of("acesup/standard/1 2-d", TurnAction.SHOWN, status=Status.EXPIRED)
    daily = replace(turn, game=replace(turn.game, day="2026-12-24"))
    challenge = replace(turn, game=replace(turn.game, challenge_id=7))
    for one, key, more in (
        (turn, "turn-expired", []),
        (daily, "turn-expired-daily", []),
        (challenge, "turn-expired-contest", [texts("turn-ended-challenge")]),
    ):
        assert headline_text(texts, one).split("\n") == [texts(key, score=1, full=48), *more]
    assert "/" not in headline_text(texts, daily)
