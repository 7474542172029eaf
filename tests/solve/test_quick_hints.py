"""Quick hints: legal, useful, never in circles, and blind to hidden cards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any, NamedTuple

import pytest

from engine import GAMES, Game, Move, Outcome, PileKind, Record, Table
from solve import Solvers, by_use, quick_hint, stock_hint
from solve.games.acesup import quick_hints as acesup_hints
from solve.registry import SOLVERS
from tests.engine.positions import COMBINATIONS, PRESETS, klondike

RULE_SETS = [*PRESETS, *COMBINATIONS]
SEARCHING = [(key, code) for key, code in RULE_SETS if "cell" in code and "aces" not in code]
QUICK = [rules for rules in RULE_SETS if rules not in SEARCHING]
MANY_SEEDS, FEW_SEEDS = range(1, 104), range(1, 7)
MOST_HINTS = 1_000  # far beyond what any game needs

by_rule_set = pytest.mark.parametrize(("key", "code"), RULE_SETS)


class Position(NamedTuple):
    """A record, and the state it leads to."""

    record: Record
    state: Any

    @property
    def game(self) -> Game[Any, Any]:
        return GAMES[self.record.game]

    @property
    def table(self) -> Table:
        return self.game.table(self.state)

    @property
    def outcome(self) -> Outcome | None:
        return self.game.outcome(self.state)

    @property
    def legal_moves(self) -> list[Move]:
        return list(self.game.legal_moves(self.state))

    def then(self, move: Move) -> Position:
        return Position(self.record.play(move), self.game.apply(self.state, move))

    def hint(self) -> Move | None:
        return quick_hint(self.record, self.state)


def dealt(key: str, code: str, seed: int) -> Position:
    return Position(Record(key, code, str(seed)), GAMES[key].start(seed, code))


@cache
def follow(key: str, code: str, seed: int) -> tuple[tuple[Position, Move | None], ...]:
    """Return each position that following the hints leads to, with its hint; the last one has none.

    :raises AssertionError: when they don't come to an end.
    """
    at = dealt(key, code, seed)
    way: list[tuple[Position, Move | None]] = []
    while at.outcome is None and (move := at.hint()) is not None:
        assert move in at.legal_moves
        assert len(way) < MOST_HINTS, f"no end in {at.record.code}"
        way.append((at, move))
        at = at.then(move)
    return (*way, (at, None))


def assert_leads_on(key: str, code: str, seed: int) -> None:
    """Every hint is legal, none but a draw leads to a position that has been, and they come to an end."""
    passed: set[Any] = set()
    for at, _ in follow(key, code, seed):
        assert at.state not in passed or at.record.moves[-1].kind.is_stock
        passed.add(at.state)


@pytest.mark.parametrize(("key", "code"), QUICK)
def test_following_the_hints_never_goes_in_circles_and_comes_to_an_end(key: str, code: str) -> None:
    """Issue 13 of kgames: the hints went in circles for ever in a lost game."""
    for seed in MANY_SEEDS:
        assert_leads_on(key, code, seed)


@pytest.mark.parametrize(("key", "code"), SEARCHING)
def test_the_same_where_hints_take_a_long_search(key: str, code: str) -> None:
    for seed in FEW_SEEDS:
        assert_leads_on(key, code, seed)


@pytest.mark.slow
@pytest.mark.parametrize(("key", "code"), SEARCHING)
def test_the_same_where_hints_take_a_long_search_in_a_hundred_games(key: str, code: str) -> None:
    for seed in MANY_SEEDS:
        assert_leads_on(key, code, seed)


@pytest.mark.parametrize(("key", "code"), SEARCHING)
def test_the_same_when_the_search_is_cut_short(key: str, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acesup_hints, "_MOST_SEEN", acesup_hints._MOST_SEEN // 6)
    follow.cache_clear()
    for seed in range(1, 26):
        assert_leads_on(key, code, seed)
    follow.cache_clear()


@by_rule_set
def test_hints_lead_on_from_wherever_a_player_has_come(key: str, code: str) -> None:
    for seed in range(1, 4 if (key, code) in SEARCHING else 16):
        rng = Random(seed)
        at = dealt(key, code, seed)
        for _ in range(rng.randint(5, 90)):
            if not at.legal_moves:
                break
            at = at.then(rng.choice(at.legal_moves))
        passed: set[Any] = set()
        while at.outcome is None and (move := at.hint()) is not None:
            assert move in at.legal_moves
            assert move.kind.is_stock or at.state not in passed
            assert len(passed) < MOST_HINTS
            passed.add(at.state)
            at = at.then(move)


@pytest.mark.parametrize(("key", "code", "least"), [("klondike", "d1", 35), ("klondike", "d3", 10)])
def test_hints_win_a_good_part_of_the_games(key: str, code: str, least: int) -> None:
    ends = [follow(key, code, seed)[-1][0] for seed in MANY_SEEDS]
    assert sum(at.outcome is Outcome.WON for at in ends) >= least


def is_useful(at: Position, move: Move) -> bool:
    """True for a card that goes home, is discarded, turns another up, or leaves the waste."""
    if move.kind.is_stock:
        return False
    source, target = at.table.pile(move.sources[0]), at.table.pile(move.target)
    if target.kind in (PileKind.FOUNDATION, PileKind.DISCARD) or source.kind is PileKind.WASTE:
        return True
    left = source.cards[: -move.count]
    return bool(left) and left[-1] is None


@by_rule_set
def test_nothing_useful_is_left_where_a_hint_only_draws_or_there_is_none(key: str, code: str) -> None:
    for seed in FEW_SEEDS:
        for at, move in follow(key, code, seed):
            if at.outcome is None and (move is None or move.kind.is_stock):
                assert not [other for other in at.legal_moves if is_useful(at, other)]


def test_klondike_stops_drawing_once_a_whole_pass_has_shown_nothing() -> None:
    ends = [follow("klondike", "d1", seed)[-1][0] for seed in MANY_SEEDS]
    for at in (at for at in ends if at.outcome is None):
        moves = at.record.moves
        last = max((i + 1 for i, move in enumerate(moves) if not move.kind.is_stock), default=0)
        cards = len(at.table.pile("s").cards) + len(at.table.pile("w").cards)
        assert cards <= len(moves) - last <= 3 * (cards + 1)


def reshuffled(key: str, state: Any, rng: Random) -> Any:
    """Return the same table with the hidden cards in another order: in the stock, and face down."""
    hidden = list(state.stock)
    columns = getattr(state, "columns", ())
    depths = getattr(state, "hidden", ())
    for column, depth in zip(columns, depths, strict=True):
        hidden += column[:depth]
    rng.shuffle(hidden)
    stock, hidden = tuple(hidden[: len(state.stock)]), hidden[len(state.stock) :]
    if key == "acesup":
        return replace(state, stock=stock)
    laid = []
    for column, depth in zip(columns, depths, strict=True):
        laid.append((*hidden[:depth], *column[depth:]))
        hidden = hidden[depth:]
    return replace(state, stock=stock, columns=tuple(laid))


@by_rule_set
def test_a_hint_never_depends_on_hidden_cards(key: str, code: str) -> None:
    game = GAMES[key]
    compared = 0
    for seed in range(1, 3 if (key, code) in SEARCHING else 9):
        for at, move in follow(key, code, seed):
            other = at._replace(state=reshuffled(key, at.state, Random(f"{seed}/{at.record}")))
            assert other.table == at.table
            if game.outcome(at.state) is None and game.outcome(other.state) is None:
                assert other.hint() == move
                compared += other.state != at.state
    assert compared > 10


@pytest.mark.parametrize("key", GAMES)
def test_nor_in_games_played_at_random(key: str) -> None:
    for code in GAMES[key].presets:
        for seed in range(1, 4):
            rng = Random(f"{code}{seed}")
            at = dealt(key, code, seed)
            for _ in range(60):
                if at.outcome is not None:
                    break
                other = at._replace(state=reshuffled(key, at.state, rng))
                if other.outcome is None:
                    assert other.hint() == at.hint()
                at = at.then(rng.choice(at.legal_moves))


# ------------------------------------------------------------------- games without a quick hint player


@pytest.mark.parametrize("key", GAMES)
def test_a_game_without_a_quick_hint_player_is_told_to_draw(
    key: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = dealt(key, next(iter(GAMES[key].presets)), 1)
    monkeypatch.setitem(SOLVERS, key, Solvers())
    assert at.hint() == at.game.stock_move(at.state)


def test_there_is_no_stock_hint_where_nothing_can_be_drawn() -> None:
    state = klondike("KC", "QD", waste="", stock="")
    assert stock_hint(Record("klondike", "d1", "1"), state) is None
    assert stock_hint(Record("klondike", "d1", "1"), klondike("KC", stock="AC")) == Move("s", "w")


# ------------------------------------------------------------------------------------- the menu's order


def walked() -> Iterator[Position]:
    for key, code in RULE_SETS:
        rng = Random(code)
        at = dealt(key, code, 7)
        for _ in range(40):
            if not at.legal_moves:
                break
            yield at
            at = at.then(rng.choice(at.legal_moves))


def test_moves_are_sorted_by_use_and_otherwise_keep_the_engines_order() -> None:
    for at in walked():
        legal = at.legal_moves
        ordered = by_use(at.table, legal)
        assert sorted(map(str, ordered)) == sorted(map(str, legal))
        useful = [is_useful(at, move) for move in ordered]
        assert useful == sorted(useful, reverse=True)
        stock = [move.kind.is_stock for move in ordered]
        assert stock == sorted(stock)


def test_cards_home_come_before_cards_turned_up_and_those_before_others() -> None:
    state = klondike("AC", "9S | 8H", "9C", "KS | QD", "KC", stock="2C", waste="QH")
    moves = list(GAMES["klondike"].legal_moves(state))
    assert list(map(str, by_use(GAMES["klondike"].table(state), moves))) == [
        "1-fc",
        "2-3",
        "4-5",
        "w-5",
        "5-6",
        "5-7",
        "s-w",
    ]
