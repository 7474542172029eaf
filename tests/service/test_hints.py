"""Hints: legal, leading on and not in circles, honest where there are none, and blind to hidden cards."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import pytest

from bot.service import Finished, GameService, NotYours, Position, StaleTable, TurnAction
from bot.service.hints import _MAX_SEEN, advise
from bot.storage import Store
from engine import GAMES, Move, Outcome, PileKind, Record, Table
from tests.engine.positions import COMBINATIONS, PRESETS
from tests.service.conftest import Clock, Player, finished

RULE_SETS = [*PRESETS, *COMBINATIONS]
SEARCHING = [(key, code) for key, code in RULE_SETS if "cell" in code and "aces" not in code]
QUICK = [rules for rules in RULE_SETS if rules not in SEARCHING]
MANY_SEEDS, FEW_SEEDS = range(1, 104), range(1, 7)
MOST_HINTS = 1_000  # far beyond what any game needs

by_rule_set = pytest.mark.parametrize(("key", "code"), RULE_SETS)


def stock(move: Move) -> bool:
    return "s" in (move.source, move.target)


@cache
def follow(key: str, code: str, seed: int) -> tuple[tuple[Position, Move | None], ...]:
    """Each position on the way that hints lead, with the hint; at the end the last one, without.

    :raises AssertionError: when it leads to no end.
    """
    at = Position.of(Record(key, code, str(seed)))
    way: list[tuple[Position, Move | None]] = []
    while at.outcome is None and (move := advise(at)) is not None:
        assert move in at.legal_moves
        assert len(way) < MOST_HINTS, f"no end in {at.record.code}"
        way.append((at, move))
        at = at.then(move)
    return (*way, (at, None))


def assert_leads_on(key: str, code: str, seed: int) -> None:
    """Every hint on the way is legal, none leads back to where one has been, and the way ends."""
    passed: set[Any] = set()
    for at, _ in follow(key, code, seed):
        assert at.state not in passed or stock(at.record.moves[-1])
        passed.add(at.state)


@pytest.mark.parametrize(("key", "code"), QUICK)
def test_who_follows_the_hints_never_goes_in_circles_and_comes_to_an_end(key: str, code: str) -> None:
    """Issue 13 of kgames: the hint went round in circles for ever in a dead game."""
    for seed in MANY_SEEDS:
        assert_leads_on(key, code, seed)


@pytest.mark.parametrize(("key", "code"), SEARCHING)
def test_so_it_is_where_hints_take_a_long_search(key: str, code: str) -> None:
    for seed in FEW_SEEDS:
        assert_leads_on(key, code, seed)


@pytest.mark.slow
@pytest.mark.parametrize(("key", "code"), SEARCHING)
def test_so_it_is_where_hints_take_a_long_search_in_a_hundred_games(key: str, code: str) -> None:
    for seed in MANY_SEEDS:
        assert_leads_on(key, code, seed)


@pytest.mark.parametrize(("key", "code"), SEARCHING)
def test_so_it_is_when_the_search_is_cut_short(key: str, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.service.hints._MAX_SEEN", _MAX_SEEN // 6)
    follow.cache_clear()
    for seed in range(1, 26):
        assert_leads_on(key, code, seed)
    follow.cache_clear()


@by_rule_set
def test_from_wherever_a_game_stands_hints_lead_on(key: str, code: str) -> None:
    """Not only from the deal: a player may have played as they liked."""
    for seed in range(1, 4 if (key, code) in SEARCHING else 16):
        rng = Random(seed)
        at = Position.of(Record(key, code, str(seed)))
        for _ in range(rng.randint(5, 90)):
            if not at.legal_moves:
                break
            at = at.then(rng.choice(at.legal_moves))
        passed: set[Any] = set()
        while at.outcome is None and (move := advise(at)) is not None:
            assert move in at.legal_moves
            assert stock(move) or at.state not in passed
            assert len(passed) < MOST_HINTS
            passed.add(at.state)
            at = at.then(move)


@pytest.mark.parametrize(("key", "code", "least"), [("klondike", "d1", 35), ("klondike", "d3", 10)])
def test_hints_win_a_good_part_of_the_games(key: str, code: str, least: int) -> None:
    ends = [follow(key, code, seed)[-1][0] for seed in MANY_SEEDS]
    assert sum(at.outcome is Outcome.WON for at in ends) >= least


# ---------------------------------------------------------------------------------------- usefulness


def useful(at: Position, move: Move) -> bool:
    """A card home or discarded, one turned up, or one off the waste: what nobody would call idle."""
    if stock(move):
        return False
    source, target = at.table.pile(move.source.split("+")[0]), at.table.pile(move.target)
    if target.kind in (PileKind.FOUNDATION, PileKind.DISCARD) or source.kind is PileKind.WASTE:
        return True
    left = source.cards[: -move.count]
    return bool(left) and left[-1] is None


@by_rule_set
def test_nothing_useful_is_left_where_a_hint_only_draws_or_is_none(key: str, code: str) -> None:
    for seed in FEW_SEEDS:
        for at, move in follow(key, code, seed):
            if at.outcome is None and (move is None or stock(move)):
                assert not [other for other in at.legal_moves if useful(at, other)]


def test_klondike_gives_up_drawing_once_a_whole_pass_has_shown_nothing() -> None:
    ends = [follow("klondike", "d1", seed)[-1][0] for seed in MANY_SEEDS]
    for at in (at for at in ends if at.outcome is None):
        idle = list(at.record.moves)
        tail = idle[max((i + 1 for i, move in enumerate(idle) if not stock(move)), default=0) :]
        cards = len(at.table.pile("s").cards) + len(at.table.pile("w").cards)
        assert cards <= len(tail) <= 3 * (cards + 1)


async def test_where_none_is_left_the_turn_has_no_move_and_can_still_be_played(ada: Player) -> None:
    ends = (follow("klondike", "d1", seed)[-1][0] for seed in MANY_SEEDS)
    stuck = next(at for at in ends if at.outcome is None)
    await ada.holds(stuck.record)
    turn = await ada.play.hint(ada.request())
    assert turn.action is TurnAction.HINTED
    assert turn.moves == ()
    assert turn.changed == frozenset()
    assert turn.legal_moves


# -------------------------------------------------------------------------------------- hidden cards


def reshuffled(key: str, state: Any, rng: Random) -> Any:
    """The same table with other cards hidden: those in the stock, and those that lie face down."""
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
def test_a_hint_never_looks_at_hidden_cards(key: str, code: str) -> None:
    game = GAMES[key]
    told = 0
    for seed in range(1, 3 if (key, code) in SEARCHING else 9):
        for at, move in follow(key, code, seed):
            other_state = reshuffled(key, at.state, Random(f"{seed}/{at.record}"))
            table: Table = game.table(other_state)
            assert table == at.table
            if game.outcome(at.state) is None and game.outcome(other_state) is None:
                assert advise(replace(at, state=other_state)) == move
                told += other_state != at.state
    assert told > 10


@pytest.mark.parametrize("key", GAMES)
def test_it_makes_no_difference_either_in_games_played_at_random(key: str) -> None:
    game = GAMES[key]
    for code in game.presets:
        for seed in range(1, 4):
            rng = Random(f"{code}{seed}")
            at = Position.of(Record(key, code, str(seed)))
            for _ in range(60):
                if at.outcome is not None:
                    break
                other = reshuffled(key, at.state, rng)
                if game.outcome(other) is None:
                    assert advise(replace(at, state=other)) == advise(at)
                at = at.then(rng.choice(at.legal_moves))


# -------------------------------------------------------------------------------------- in the service


async def test_a_hint_changes_nothing_at_all(ada: Player, store: Store) -> None:
    game = (await ada.new("klondike", "d1", "36")).game
    for _ in range(3):
        turn = await ada.play.hint(ada.request(game_id=game.id, revision=game.revision))
        assert turn.game == game
    assert await store.load_game(game.id) == game


@by_rule_set
async def test_the_marked_cards_are_those_that_the_hint_would_move(ada: Player, key: str, code: str) -> None:
    way = [at for seed in (1, 2) for at, move in follow(key, code, seed) if move is not None][::7]
    for at in way:
        await ada.holds(at.record)
        turn = await ada.play.hint(ada.request())
        [move] = turn.moves
        assert move == advise(at)
        taken = {
            (pile.name, len(pile.cards) - 1 - i)
            for pile in at.table.piles
            if pile.name in move.source.split("+")
            for i in range(move.count)
        }
        assert turn.changed == taken
        assert all(0 <= index < len(at.table.pile(name).cards) for name, index in turn.changed)


async def test_after_a_hint_undo_and_redo_are_as_before(ada: Player) -> None:
    await ada.new("klondike", "d1", "36")
    await ada.draw()
    await ada.draw()
    await ada.undo()
    turn = await ada.play.hint(ada.request())
    assert (turn.can_undo, turn.can_redo) == (True, True)
    assert len((await ada.redo()).position.record.moves) == 2


@pytest.mark.parametrize("outcome", ["won", "over"])
@pytest.mark.parametrize("key", GAMES)
async def test_an_ended_game_has_no_hint(ada: Player, key: str, outcome: str) -> None:
    await ada.holds(finished(outcome, key))
    with pytest.raises(Finished):
        await ada.play.hint(ada.request())


async def test_a_game_given_up_has_no_hint(ada: Player) -> None:
    await ada.new()
    await ada.give_up()
    with pytest.raises(Finished):
        await ada.play.hint(ada.request())


async def test_a_hint_for_an_outdated_table_shows_the_present_one(ada: Player) -> None:
    dealt = await ada.new("klondike", "d1", "36")
    drawn = await ada.draw()
    with pytest.raises(StaleTable) as raised:
        await ada.play.hint(ada.request(game_id=dealt.game.id, revision=dealt.game.revision))
    assert raised.value.turn.game == drawn.game


async def test_somebody_else_gets_no_hint(ada: Player, ola: Player) -> None:
    dealt = await ada.new("klondike", "d1", "36")
    with pytest.raises(NotYours):
        await ola.play.hint(ola.request(game_id=dealt.game.id))


async def test_another_adviser_can_be_put_in_its_place(store: Store, clock: Clock) -> None:
    asked: list[Position] = []

    def last(at: Position) -> Move | None:
        asked.append(at)
        return at.legal_moves[-1]

    player = Player(GameService(store, clock, last), store, 1)
    dealt = await player.new("klondike", "d1", "36")
    turn = await player.play.hint(player.request())
    assert turn.moves == (dealt.legal_moves[-1],)
    assert [at.record for at in asked] == [dealt.position.record]
