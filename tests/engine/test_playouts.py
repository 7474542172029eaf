"""A thousand random games of every preset, the laws checked after each move; and walks by the reference."""

from __future__ import annotations

from collections import Counter
from enum import StrEnum
from random import Random
from typing import Any

import pytest

from engine import DECK, GAMES, Game, IllegalMove, Move, Outcome, PileKind, Rank, Record, replay
from tests.engine.positions import (
    COMBINATIONS,
    PRESETS,
    assert_agrees_with_reference,
    cards_in,
    choose,
    likely_moves,
    playout,
)

PLAYOUTS = 1000
LONGEST = 75  # moves, for a player who brings cards home
LONGEST_AIMLESS = 30  # moves, for one who doesn't
SORTED_DECK = sorted(DECK)


def check_laws(game: Game[Any, Any], state: Any, legal: list[Move]) -> None:
    """Check what is quick to check, in every state."""
    assert len(set(legal)) == len(legal)
    outcome = game.outcome(state)
    assert (outcome is None) == bool(legal)
    score = game.score(state)
    table = game.table(state)
    assert table.score == score
    assert (outcome is Outcome.WON) == (score == table.full_score)
    shown = [card for pile in table.piles for card in pile.cards]
    hidden = shown.count(None)
    assert len(shown) == 52
    assert len(set(shown) - {None}) == 52 - hidden
    for pile in table.piles:
        if pile.kind is PileKind.STOCK:
            assert pile.hidden == len(pile.cards)
        elif pile.kind is PileKind.DISCARD:
            assert all(card is not None and card.rank is not Rank.ACE for card in pile.cards)
        elif pile.kind is PileKind.FOUNDATION:
            assert pile.suit is not None
            assert pile.cards == DECK[13 * pile.suit : 13 * pile.suit + len(pile.cards)]
        elif pile.cards:
            assert pile.top is not None


def check_slow_laws(game: Game[Any, Any], state: Any, legal: list[Move]) -> None:
    """Check the rest, in a few states: the cards themselves, every legal move, and many that are not."""
    assert sorted(cards_in(state)) == SORTED_DECK
    for move in legal:
        assert sorted(cards_in(game.apply(state, move))) == SORTED_DECK
        assert Move.parse(str(move)) == move
    allowed = set(legal)
    for move in likely_moves(game.key):
        if move.count in (1, 2) and move not in allowed:
            with pytest.raises(IllegalMove) as caught:
                game.apply(state, move)
            assert isinstance(caught.value.reason, StrEnum)


@pytest.mark.parametrize(("key", "code"), PRESETS)
def test_the_laws_hold_in_a_thousand_random_games(key: str, code: str) -> None:
    game = GAMES[key]
    rng = Random(f"{key} {code}")
    endings: Counter[Outcome | None] = Counter()
    for number in range(1, PLAYOUTS + 1):
        # Two players in turn: one moves anyhow, the other brings home what can go home.
        eager = number % 2 == 0
        longest = LONGEST if eager else LONGEST_AIMLESS
        state = game.start(number, code)
        moves: list[Move] = []
        sampled = rng.randrange(LONGEST_AIMLESS) if number % 10 < 2 else -1
        while True:
            legal = list(game.legal_moves(state))
            check_laws(game, state, legal)
            if len(moves) == sampled:
                check_slow_laws(game, state, legal)
            if not legal or len(moves) == longest:
                break
            move = choose(rng, state, legal, eager=eager)
            state = game.apply(state, move)
            moves.append(move)
        assert sorted(cards_in(state)) == SORTED_DECK
        record = Record(key, code, str(number), tuple(moves))
        assert replay(Record.parse(str(record))) == state
        endings[game.outcome(state)] += 1
    assert endings.total() == PLAYOUTS
    # The walks go far enough to matter: some games end by themselves.
    assert endings[Outcome.OVER] > 0


@pytest.mark.parametrize(("key", "code"), [*PRESETS, *COMBINATIONS])
def test_a_hundred_random_games_agree_with_the_reference(key: str, code: str) -> None:
    """The same moves to the same places, and the same end, in every state on the way."""
    for number in range(1, 101):
        for state, _ in playout(key, code, number, Random(number), 40, eager=number % 2 == 0):
            assert_agrees_with_reference(key, state)


@pytest.mark.parametrize(("key", "code"), [*PRESETS, *COMBINATIONS])
def test_a_few_long_random_games_agree_with_the_reference(key: str, code: str) -> None:
    for number in range(101, 106):
        for state, _ in playout(key, code, number, Random(number), 250, eager=True):
            assert_agrees_with_reference(key, state)
