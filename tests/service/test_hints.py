"""Hints as the service gives them; tests/solve has what the hints themselves are worth."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from bot.service import Finished, GameService, NotYours, Position, StaleTable, TurnAction
from bot.storage import Store
from engine import GAMES, Move, Record
from tests.engine.positions import COMBINATIONS, PRESETS
from tests.hints import advise
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


async def test_where_none_is_left_the_turn_has_no_move_and_can_still_be_played(ada: Player) -> None:
    ends = (follow("klondike", "d1", seed)[-1][0] for seed in MANY_SEEDS)
    stuck = next(at for at in ends if at.outcome is None)
    await ada.holds(stuck.record)
    turn = await ada.play.hint(ada.request())
    assert turn.action is TurnAction.HINTED
    assert turn.moves == ()
    assert turn.changed == frozenset()
    assert turn.legal_moves


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
            if pile.name in move.sources
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


async def test_another_hint_player_can_be_put_in_its_place(store: Store, clock: Clock) -> None:
    asked: list[Record] = []
    service = GameService(store, clock)

    def last(record: Record, state: Any) -> Move | None:
        asked.append(record)
        return list(GAMES[record.game].legal_moves(state))[-1]

    service.quick_hint = last
    player = Player(service, store, 1)
    dealt = await player.new("klondike", "d1", "36")
    turn = await player.play.hint(player.request())
    assert turn.moves == (dealt.legal_moves[-1],)
    assert asked == [dealt.position.record]
