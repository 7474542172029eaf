"""Laws of the engine, each one a test over every registered game.

Games are walked by numbers that Hypothesis draws: at each step the number picks one of the legal moves.
Nothing here knows the rules of a game, so a new game is tested as soon as it is registered.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine import (
    DECK,
    GAMES,
    Card,
    Game,
    IllegalMove,
    Move,
    MoveKind,
    Outcome,
    PileKind,
    Reason,
    Record,
    TypedMove,
    pile_kind,
    replay,
    states,
)
from tests.engine.positions import (
    COMBINATIONS,
    PRESETS,
    cards_in,
    every_move,
    likely_moves,
    playout,
    with_cards_renamed,
)

RULES = {
    key: [*game.presets, *(code for other, code in COMBINATIONS if other == key)]
    for key, game in GAMES.items()
}


class Walk(NamedTuple):
    """A game some moves after the deal, and the record of how it came there."""

    game: Game[Any, Any]
    record: Record
    state: Any


@st.composite
def walks(draw: st.DrawFn, key: str, longest: int = 60) -> Walk:
    """Walk up to so many moves into a game; small numbers prefer the moves that are listed first."""
    game = GAMES[key]
    record = Record(key, draw(st.sampled_from(RULES[key])), str(draw(st.integers(1, 10**6))))
    state = game.start(record.seed, record.rules)
    for choice in draw(st.lists(st.integers(0, 11), max_size=longest)):
        legal = list(game.legal_moves(state))
        if not legal:
            break
        move = legal[choice % len(legal)]
        state = game.apply(state, move)
        record = record.play(move)
    return Walk(game, record, state)


law = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
over_all_games = pytest.mark.parametrize("key", GAMES)


@over_all_games
@law
@given(data=st.data())
def test_the_52_cards_are_there_after_every_move(key: str, data: st.DataObject) -> None:
    walk = data.draw(walks(key))
    for state in states(walk.record):
        assert sorted(cards_in(state)) == sorted(DECK)


@over_all_games
@law
@given(data=st.data())
def test_a_game_has_an_outcome_exactly_when_it_has_no_legal_move(key: str, data: st.DataObject) -> None:
    game, record, _ = data.draw(walks(key))
    for state in states(record):
        assert (game.outcome(state) is None) == (next(game.legal_moves(state), None) is not None)


@over_all_games
@law
@given(data=st.data())
def test_every_legal_move_applies_and_changes_the_state(key: str, data: st.DataObject) -> None:
    game, _, state = data.draw(walks(key))
    before = dataclasses.replace(state)
    for move in game.legal_moves(state):
        after = game.apply(state, move)
        assert type(after) is type(state)
        assert after != state
        assert sorted(cards_in(after)) == sorted(DECK)
        assert state == before


@over_all_games
@law
@given(data=st.data())
def test_moves_are_listed_once_and_always_in_the_same_order(key: str, data: st.DataObject) -> None:
    game, record, state = data.draw(walks(key))
    legal = list(game.legal_moves(state))
    assert len(set(legal)) == len(legal)
    assert list(game.legal_moves(state)) == legal
    assert list(game.legal_moves(replay(record))) == legal


@over_all_games
@law
@given(data=st.data())
def test_every_legal_move_is_in_the_notation_and_can_be_typed(key: str, data: st.DataObject) -> None:
    game, _, state = data.draw(walks(key))
    for move in game.legal_moves(state):
        assert Move.parse(str(move)) == move
        for text in (
            str(move),
            str(move).upper(),
            f" {str(move).replace('-', ' ')} ",
            str(move).replace("-", ""),
        ):
            assert game.parse_move(state, text) == move


@over_all_games
@law
@given(data=st.data(), text=st.text("123456789abcdfhstwxFSWTCD×*+-→> ,:", min_size=2, max_size=9))
def test_every_typed_move_is_completed_to_a_move_of_the_notation(
    key: str, data: st.DataObject, text: str
) -> None:
    game, _, state = data.draw(walks(key))
    try:
        TypedMove.parse(text)
    except ValueError:
        return
    move = game.parse_move(state, text)
    assert Move.parse(str(move)) == move


def refusal(game: Game[Any, Any], state: Any, move: Move) -> IllegalMove | None:
    """Return the error that a move raises. (``pytest.raises`` is too slow for so many moves.)"""
    try:
        game.apply(state, move)
    except IllegalMove as error:
        return error
    return None


def refusals(game: Game[Any, Any], state: Any, moves: Iterator[Move]) -> int:
    """Try every move that is not legal; return how many there were."""
    legal = set(game.legal_moves(state))
    tried = 0
    for move in moves:
        if move in legal:
            continue
        tried += 1
        error = refusal(game, state, move)
        assert error is not None, f"{move} applies and is not listed"
        assert isinstance(error.reason, StrEnum)
        assert error.move == move
    return tried


@over_all_games
@settings(law, max_examples=25)
@given(data=st.data())
def test_every_other_move_is_illegal_for_a_reason_and_changes_nothing(key: str, data: st.DataObject) -> None:
    game, record, state = data.draw(walks(key))
    assert refusals(game, state, likely_moves(key)) > 1000
    assert state == replay(record)


@over_all_games
def test_every_move_that_can_be_written_is_legal_or_illegal_for_a_reason(key: str) -> None:
    """All 273 600 of them, in one state of the first preset."""
    game = GAMES[key]
    state = middle(key, next(iter(game.presets)))
    legal = list(game.legal_moves(state))
    assert refusals(game, state, every_move()) == 120 * 120 * 19 - len(legal)


@pytest.mark.slow
@pytest.mark.parametrize(("key", "code"), [*PRESETS, *COMBINATIONS])
def test_every_move_that_can_be_written_is_legal_or_illegal_in_more_states(key: str, code: str) -> None:
    game = GAMES[key]
    seen = [state for state, _ in playout(key, code, 1, Random(1), 200, eager=True)]
    for state in (seen[0], seen[len(seen) // 2], seen[-1]):
        legal = list(game.legal_moves(state))
        assert refusals(game, state, every_move()) == 120 * 120 * 19 - len(legal)


def middle(key: str, code: str) -> Any:
    """Return the state halfway through a random game that is neither won nor over."""
    seen = [state for state, _ in playout(key, code, 24, Random(24), 40, eager=True)]
    return seen[len(seen) // 2]


@over_all_games
@law
@given(data=st.data())
def test_replaying_the_record_gives_the_state(key: str, data: st.DataObject) -> None:
    game, record, state = data.draw(walks(key))
    assert replay(record) == state
    assert replay(Record.parse(str(record))) == state
    assert Record.parse(str(record)) == record
    assert len(list(states(record))) == len(record.moves) + 1
    assert game.rules_code(game.parse_rules(record.rules)) == record.rules


@over_all_games
@law
@given(data=st.data())
def test_taking_back_the_last_move_gives_the_state_before(key: str, data: st.DataObject) -> None:
    _, record, _ = data.draw(walks(key))
    seen = list(states(record))
    for length, state in enumerate(seen):
        assert replay(dataclasses.replace(record, moves=record.moves[:length])) == state


@over_all_games
@law
@given(data=st.data())
def test_states_rules_and_tables_are_frozen_and_hashable(key: str, data: st.DataObject) -> None:
    game, record, state = data.draw(walks(key, 25))
    same = replay(record)
    assert hash(same) == hash(state)
    assert len({same, state}) == 1
    for value in (state, game.parse_rules(record.rules), game.table(state)):
        hash(value)
        for field in dataclasses.fields(value):
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(value, field.name, None)


# ------------------------------------------------------------------------------------------ tables


def hidden_cards(game: Game[Any, Any], state: Any) -> list[Card]:
    """Return the cards of the state that the table does not show."""
    shown = {card for pile in game.table(state).piles for card in pile.cards}
    return [card for card in DECK if card not in shown]


@over_all_games
@law
@given(data=st.data())
def test_the_table_has_every_card_once_hidden_or_not(key: str, data: st.DataObject) -> None:
    game, _, state = data.draw(walks(key))
    table = game.table(state)
    shown = list(cards_in(table))
    assert len(set(shown)) == len(shown)
    assert sum(pile.hidden for pile in table.piles) == 52 - len(shown)
    assert sum(len(pile.cards) for pile in table.piles) == 52


@over_all_games
@law
@given(data=st.data())
def test_the_table_does_not_depend_on_the_order_of_hidden_cards(key: str, data: st.DataObject) -> None:
    game, _, state = data.draw(walks(key))
    hidden = hidden_cards(game, state)
    order = data.draw(st.permutations(hidden))
    renamed = with_cards_renamed(
        state, dict(zip(DECK, DECK, strict=True)) | dict(zip(hidden, order, strict=True))
    )
    assert sorted(cards_in(renamed)) == sorted(DECK)
    assert (renamed == state) == (order == hidden)
    assert game.table(renamed) == game.table(state)


@over_all_games
@law
@given(data=st.data())
def test_the_stock_lies_face_down_and_in_the_tableau_no_card_lies_under_a_hidden_one(
    key: str, data: st.DataObject
) -> None:
    game, _, state = data.draw(walks(key))
    for pile in game.table(state).piles:
        if pile.kind is PileKind.STOCK:
            assert pile.hidden == len(pile.cards)
        else:
            assert pile.cards[: pile.hidden] == (None,) * pile.hidden
            assert pile.top is not None or not pile.cards


@over_all_games
@law
@given(data=st.data())
def test_pile_names_are_unique_and_of_the_notation(key: str, data: st.DataObject) -> None:
    game, _, state = data.draw(walks(key))
    piles = game.table(state).piles
    assert len({pile.name for pile in piles}) == len(piles)
    assert len({(pile.column, pile.row) for pile in piles}) == len(piles)
    for pile in piles:
        assert Move.parse(f"{pile.name}-{pile.name}").source == pile.name
        assert game.table(state).pile(pile.name) is not None


@over_all_games
@law
@given(data=st.data())
def test_every_legal_move_is_between_piles_that_are_on_the_table(key: str, data: st.DataObject) -> None:
    """``t``, the whole tableau, is the one name that is no pile."""
    game, _, state = data.draw(walks(key))
    names = {pile.name for pile in game.table(state).piles} | {"t"}
    for move in game.legal_moves(state):
        assert {*move.sources, move.target} <= names


def card_counts(game: Game[Any, Any], state: Any) -> dict[str, int]:
    """Return how many cards each pile of the table has."""
    return {pile.name: len(pile.cards) for pile in game.table(state).piles}


@over_all_games
@law
@given(data=st.data())
def test_the_kind_of_every_legal_move_matches_what_it_does(key: str, data: st.DataObject) -> None:
    game, _, state = data.draw(walks(key))
    before = card_counts(game, state)
    kinds = {pile.name: pile.kind for pile in game.table(state).piles}
    for move in game.legal_moves(state):
        after = card_counts(game, game.apply(state, move))
        changed = {name: after[name] - before[name] for name in before if after[name] != before[name]}
        lost = {name for name, change in changed.items() if change < 0}
        won = {name: change for name, change in changed.items() if change > 0}
        assert lost == set(move.sources), move
        assert move.kind.is_stock == (PileKind.STOCK in {kinds[name] for name in changed}), move
        assert move.kind.is_discard == (PileKind.DISCARD in {kinds[name] for name in won}), move
        if move.kind is MoveKind.DEAL:
            assert {kinds[name] for name in lost} == {PileKind.STOCK}
            assert {kinds[name] for name in won} == {PileKind.TABLEAU}
        else:
            assert set(won) == {move.target}, move
        if move.kind is MoveKind.DRAW:
            assert {kinds[name] for name in lost} == {PileKind.STOCK}
        elif move.kind is MoveKind.REDEAL:
            assert kinds[move.target] is PileKind.STOCK
            assert (before[move.target], after[move.source]) == (0, 0)
        elif move.kind is not MoveKind.DEAL:
            taken = 2 if move.kind is MoveKind.PAIR else move.count
            assert won == {move.target: taken}, move
            assert all(changed[name] == -taken // len(move.sources) for name in move.sources), move


@over_all_games
@law
@given(data=st.data())
def test_a_pile_has_the_kind_that_its_name_stands_for(key: str, data: st.DataObject) -> None:
    game, _, state = data.draw(walks(key))
    for pile in game.table(state).piles:
        assert pile_kind(pile.name) in (pile.kind, None)
        assert pile_kind(pile.typed) in (pile.kind, None)


@over_all_games
@law
@given(data=st.data())
def test_the_table_has_the_score_and_a_full_score_is_a_win(key: str, data: st.DataObject) -> None:
    game, record, _ = data.draw(walks(key))
    for state in states(record):
        table = game.table(state)
        assert table.score == game.score(state)
        assert 0 <= table.score <= table.full_score == game.full_score
        assert (game.outcome(state) is Outcome.WON) == (table.score == table.full_score)
        home = {PileKind.FOUNDATION, PileKind.DISCARD}
        assert table.score == sum(len(pile.cards) for pile in table.piles if pile.kind in home)


@over_all_games
@law
@given(data=st.data())
def test_the_stock_move_is_the_legal_move_of_the_stock_if_there_is_one(key: str, data: st.DataObject) -> None:
    game, record, _ = data.draw(walks(key))
    for state in states(record):
        of_the_stock = [move for move in game.legal_moves(state) if move.kind.is_stock]
        assert len(of_the_stock) <= 1
        if of_the_stock:
            assert game.stock_move(state) == of_the_stock[0]
        elif (move := game.stock_move(state)) is not None:
            assert refusals(game, state, iter([move])) == 1


@over_all_games
def test_a_game_is_registered_under_its_key_and_its_presets_under_their_codes(key: str) -> None:
    game = GAMES[key]
    assert game.key == key
    for code, rules in game.presets.items():
        assert game.rules_code(rules) == code
        assert game.parse_rules(code) == rules


@over_all_games
def test_the_same_seed_deals_the_same_state_and_another_seed_another(key: str) -> None:
    for code in RULES[key]:
        game = GAMES[key]
        assert game.start(24, code) == game.start("24", code) == game.start(" 24 ", code)
        assert len({game.start(number, code) for number in range(1, 50)}) == 49


# ------------------------------------------------------------------------------ recorded playthroughs


def playthroughs() -> list[tuple[str, int, str]]:
    """Read the recorded games: how each ended, its score and its record."""
    text = Path(__file__).with_name("data").joinpath("playthroughs.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines()[1:]]
    return [(outcome, int(score), record) for outcome, score, record in rows]


def test_every_preset_has_a_recorded_game_that_was_won_and_one_that_was_not() -> None:
    recorded = {(outcome, *record.split("/")[:2]) for outcome, _, record in playthroughs()}
    assert recorded == {(outcome, *preset) for outcome in ("won", "over") for preset in PRESETS}


@pytest.mark.parametrize(("outcome", "score", "text"), playthroughs(), ids=lambda v: str(v)[:24])
def test_a_recorded_game_still_ends_as_recorded(outcome: str, score: int, text: str) -> None:
    record = Record.parse(text)
    assert str(record) == text
    game = GAMES[record.game]
    *before, last = states(record)
    assert [game.outcome(state) for state in before] == [None] * len(record.moves)
    assert (game.outcome(last), game.score(last)) == (Outcome(outcome), score)
    assert list(game.legal_moves(last)) == []


# -------------------------------------------------------------------------------- the base class


@dataclasses.dataclass(frozen=True)
class OneByOne:
    """The state of a game in which cards are turned from the stock to the foundation, one by one."""

    stock: tuple[Card, ...]
    turned: tuple[Card, ...] = ()


class Turning(Game[OneByOne, str]):
    """The smallest possible game, which shows what the base class does by itself."""

    key = "turning"
    presets = {"plain": "plain"}  # noqa: RUF012
    full_score = 52

    def deal(self, deck: Any, rules: str) -> OneByOne:
        return OneByOne(tuple(deck))

    def legal_moves(self, state: OneByOne) -> Iterator[Move]:
        if state.stock:
            yield Move("s", "fc" if state.stock[-1].is_red else "fd")

    def _apply(self, state: OneByOne, move: Move) -> OneByOne:
        return OneByOne(state.stock[:-1], state.turned + state.stock[-1:])

    def table(self, state: OneByOne) -> Any:
        raise NotImplementedError

    def outcome(self, state: OneByOne) -> Outcome | None:
        return None if state.stock else Outcome.WON

    def score(self, state: OneByOne) -> int:
        return len(state.turned)

    def rules_code(self, rules: str) -> str:
        return rules

    def parse_rules(self, code: str) -> str:
        return code


def test_by_default_a_move_that_is_not_listed_is_illegal() -> None:
    game = Turning()
    state = game.deal(DECK, "plain")
    with pytest.raises(IllegalMove) as caught:
        game.apply(state, Move("s", "fs"))
    assert caught.value.reason is Reason.NOT_ALLOWED
    assert game.score(game.apply(state, Move("s", "fd"))) == 1


def test_by_default_a_typed_move_means_the_only_legal_one_that_fits() -> None:
    game = Turning()
    state = game.deal(DECK, "plain")
    assert game.parse_move(state, "s f") == Move("s", "fd")
    assert game.parse_move(state, "s f 2") == Move("s", "f", 2)
    assert game.parse_move(state, "s w") == Move("s", "w")


def test_by_default_the_stock_move_is_the_legal_one() -> None:
    game = Turning()
    assert game.stock_move(game.deal(DECK, "plain")) == Move("s", "fd")
    assert game.stock_move(OneByOne(())) is None
