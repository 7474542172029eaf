"""Requests that play several moves, and the law that no other one does."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from bot.service import (
    Finished,
    NothingToDiscard,
    NothingToFinish,
    NotYours,
    Position,
    ServiceError,
    StaleTable,
    Turn,
    TurnAction,
)
from bot.storage import Status, Store
from engine import GAMES, IllegalMove, Move, Record, SolitaireError
from tests.engine.positions import COMBINATIONS, PRESETS
from tests.hints import advise
from tests.service.conftest import Player, finished

RULE_SETS = [*PRESETS, *COMBINATIONS]
ACES_UP_RULES = [code for key, code in RULE_SETS if key == "acesup"]

by_rule_set = pytest.mark.parametrize(("key", "code"), RULE_SETS)


def chain_in(code: str, least: int = 3) -> Position:
    """A position of an Aces Up game in which at least so many discards follow from one another."""
    for seed in range(1, 300):
        rng = Random(seed)
        at = Position.of(Record("acesup", code, str(seed)))
        while at.outcome is None:
            if len(at.discard_chain) >= least:
                return at
            deals = [move for move in at.legal_moves if move.source == "s"]
            at = at.then(rng.choice(deals or at.legal_moves))
    raise LookupError(code)


def ready_in(key: str, code: str) -> Position:
    """A position in which the game can be finished for the first time, as hints lead there."""
    for seed in range(1, 400):
        at = Position.of(Record(key, code, str(seed)))
        while at.outcome is None and (move := advise(at)) is not None:
            at = at.then(move)
            if at.finish:
                return at
    raise LookupError(key, code)


# -------------------------------------------------------------------------------------- discard all


@pytest.mark.parametrize("code", ACES_UP_RULES)
async def test_discard_all_plays_the_whole_chain_as_one_turn(ada: Player, code: str) -> None:
    at = chain_in(code)
    held = await ada.holds(at.record)
    turn = await ada.play.discard_all(ada.request())
    assert turn.action is TurnAction.MOVED
    assert turn.moves == at.discard_chain
    assert turn.position.record == at.record.play(*at.discard_chain)
    assert turn.game.revision == held.revision + 1
    assert turn.table.score == at.table.score + len(turn.moves)
    assert turn.table_before == at.table


@pytest.mark.parametrize("code", ACES_UP_RULES)
async def test_after_it_no_single_card_can_be_discarded(ada: Player, code: str) -> None:
    await ada.holds(chain_in(code).record)
    turn = await ada.play.discard_all(ada.request())
    assert [move for move in turn.position.discards if "+" not in move.source] == []


@pytest.mark.parametrize("code", ACES_UP_RULES)
async def test_undo_takes_the_chain_back_one_at_a_time_and_redo_plays_it_again(
    ada: Player, code: str
) -> None:
    at = chain_in(code)
    await ada.holds(at.record)
    done = await ada.play.discard_all(ada.request())
    for left in range(len(done.moves) - 1, -1, -1):
        turn = await ada.undo()
        assert turn.position.record == at.record.play(*done.moves[:left])
    assert turn.table == at.table
    for count in range(1, len(done.moves) + 1):
        turn = await ada.redo()
        assert turn.position.record == at.record.play(*done.moves[:count])
    assert turn.table == done.table


@pytest.mark.parametrize("code", ACES_UP_RULES)
def test_the_order_of_the_discards_makes_no_difference(code: str) -> None:
    at = chain_in(code)
    ends = set()
    for seed in range(20):
        rng, here = Random(seed), at
        while singles := [move for move in here.discards if "+" not in move.source]:
            here = here.then(rng.choice(singles))
        ends.add(tuple(pile.cards for pile in here.table.piles if pile.name != "d"))
    assert len(ends) == 1


async def test_discard_all_never_discards_a_pair_or_moves_a_card(ada: Player) -> None:
    for seed in range(1, 30):
        rng = Random(seed)
        at = Position.of(Record("acesup", "cell+pairs", str(seed)))
        for _ in range(rng.randint(3, 40)):
            at = at.then(rng.choice(at.legal_moves)) if at.legal_moves else at
        assert all(move.target == "d" and "+" not in move.source for move in at.discard_chain)


async def test_where_nothing_can_be_discarded_it_is_refused(ada: Player, store: Store) -> None:
    seeds = (str(seed) for seed in range(1, 99))
    seed = next(s for s in seeds if not Position.of(Record("acesup", "standard", s)).discards)
    dealt = await ada.new("acesup", None, seed)
    with pytest.raises(NothingToDiscard):
        await ada.play.discard_all(ada.request())
    assert await store.load_game(dealt.game.id) == dealt.game


async def test_in_a_game_without_discards_it_is_refused(ada: Player) -> None:
    await ada.new("klondike")
    with pytest.raises(IllegalMove):
        await ada.play.discard_all(ada.request())


# ------------------------------------------------------------------------------------------- finish


@pytest.mark.parametrize(("key", "code"), [("klondike", "d1"), ("klondike", "d1r"), ("acesup", "cell")])
async def test_finish_wins_in_one_turn_and_tells_its_moves(ada: Player, key: str, code: str) -> None:
    at = ready_in(key, code)
    held = await ada.holds(at.record)
    turn = await ada.play.finish(ada.request())
    assert turn.game.status is Status.WON
    assert turn.table.score == turn.table.full_score
    assert turn.moves == at.finish
    assert turn.position.record == at.record.play(*turn.moves)
    assert turn.game.revision == held.revision + 1


@pytest.mark.parametrize(("key", "code"), [("klondike", "d1"), ("acesup", "cell")])
async def test_a_finish_is_taken_back_one_at_a_time_to_where_it_began_and_beyond(
    ada: Player, key: str, code: str
) -> None:
    at = ready_in(key, code)
    await ada.holds(at.record)
    done = await ada.play.finish(ada.request())
    for left in range(len(done.moves) - 1, -1, -1):
        turn = await ada.undo()
        assert turn.game.status is Status.PLAYING
        assert turn.position.record == at.record.play(*done.moves[:left])
    assert turn.table == at.table
    assert len((await ada.undo()).position.record.moves) == len(at.record.moves) - 1
    for _ in range(len(done.moves) + 1):
        turn = await ada.redo()
    assert turn.game.status is Status.WON


@by_rule_set
async def test_where_it_is_not_certain_it_is_refused_and_nothing_is_played(
    ada: Player, store: Store, key: str, code: str
) -> None:
    dealt = await ada.new(key, code, "36")
    with pytest.raises(NothingToFinish):
        await ada.play.finish(ada.request())
    assert await store.load_game(dealt.game.id) == dealt.game


# -------------------------------------------------------------------------------- both of them at once


BOTH = pytest.mark.parametrize("what", ["discard_all", "finish"])


def position_for(what: str) -> Position:
    return chain_in("standard") if what == "discard_all" else ready_in("klondike", "d1")


async def ask(player: Player, what: str, **about: int) -> Turn:
    service = player.play
    request = player.request(**about)
    return await (service.discard_all(request) if what == "discard_all" else service.finish(request))


@BOTH
async def test_a_request_delivered_twice_is_done_once(ada: Player, what: str) -> None:
    at = position_for(what)
    await ada.holds(at.record)
    first, second = await asyncio.gather(ask(ada, what, same=77), ask(ada, what, same=77))
    third = await ask(ada, what, same=77)
    assert first.game == second.game == third.game
    assert first.table == second.table == third.table


@BOTH
async def test_of_two_at_once_from_the_same_table_one_is_done(ada: Player, what: str) -> None:
    at = position_for(what)
    held = await ada.holds(at.record)
    about = {"game_id": held.id, "revision": held.revision}
    done = await asyncio.gather(ask(ada, what, **about), ask(ada, what, **about), return_exceptions=True)
    assert sorted(type(one).__name__ for one in done) == ["StaleTable", "Turn"]
    game = await ada.store.load_game(held.id)
    assert game is not None
    assert game.revision == held.revision + 1


@BOTH
async def test_from_an_outdated_table_nothing_is_played(ada: Player, what: str) -> None:
    at = position_for(what)
    held = await ada.holds(at.record)
    back = await ada.undo()
    with pytest.raises(StaleTable):
        await ask(ada, what, game_id=held.id, revision=held.revision)
    assert (await ada.show()).game == back.game


@BOTH
async def test_somebody_else_can_do_neither(ada: Player, ola: Player, what: str) -> None:
    held = await ada.holds(position_for(what).record)
    with pytest.raises(NotYours):
        await ask(ola, what, game_id=held.id)
    assert (await ada.show()).game == held


@BOTH
async def test_a_game_given_up_does_neither(ada: Player, what: str) -> None:
    await ada.holds(position_for(what).record)
    await ada.give_up()
    with pytest.raises(Finished):
        await ask(ada, what)


@pytest.mark.parametrize("outcome", ["won", "over"])
@pytest.mark.parametrize("key", GAMES)
@BOTH
async def test_an_ended_game_does_neither(ada: Player, what: str, key: str, outcome: str) -> None:
    held = await ada.holds(finished(outcome, key))
    with pytest.raises((ServiceError, SolitaireError)):
        await ask(ada, what)
    assert (await ada.show()).game == held


# ------------------------------------------------------------------------------ nothing plays by itself


@by_rule_set
async def test_any_other_request_makes_the_record_one_move_longer_at_most(
    ada: Player, key: str, code: str
) -> None:
    """Issues 2 of TripleSolitaire, 14 of lsol: cards were played that nobody had asked for."""
    rng = Random(f"{key}{code}")
    turn = await ada.new(key, code, "5")
    for _ in range(40):
        if not turn.legal_moves:
            break
        before = len(turn.position.record.moves)
        move: Move = rng.choice(turn.legal_moves)
        text = str(move)
        turn = await (ada.draw() if "s" in (move.source, move.target) else ada.move(text))
        assert turn.moves == (move,)
        assert len(turn.position.record.moves) == before + 1
        if rng.random() < 0.3:
            hinted = await ada.play.hint(ada.request()) if turn.legal_moves else turn
            assert len(hinted.position.record.moves) == before + 1
        if rng.random() < 0.3:
            assert len((await ada.undo()).position.record.moves) == before
            assert len((await ada.redo()).position.record.moves) == before + 1


@by_rule_set
async def test_undo_goes_back_over_everything_to_the_deal_and_redo_to_the_end(
    ada: Player, key: str, code: str
) -> None:
    """Issues 72 of t_games, 1 of shenzhen-solitaire, 22 of AvaloniaUI."""
    at = Position.of(Record(key, code, "11"))
    rng = Random(code)
    way = [at]
    while at.legal_moves and len(way) < 30:
        at = at.then(rng.choice(at.legal_moves))
        way.append(at)
    await ada.holds(at.record)
    for passed in way[-2::-1]:
        turn = await ada.undo()
        assert (turn.table, turn.position.record) == (passed.table, passed.record)
    assert not turn.can_undo
    for passed in way[1:]:
        turn = await ada.redo()
        assert (turn.table, turn.position.record) == (passed.table, passed.record)
    assert not turn.can_redo
