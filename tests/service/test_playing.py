"""Moving, drawing, discarding, undo and redo, and how games end."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from bot.service import (
    ChooseDiscard,
    Finished,
    NoGame,
    NoSuchGame,
    NothingToDiscard,
    NothingToFinish,
    NothingToRedo,
    NothingToUndo,
    NotYours,
    Position,
    Services,
    StaleTable,
    Turn,
    TurnAction,
)
from bot.storage import Status, Store, open_store
from engine import GAMES, IllegalMove, Move, MoveSyntaxError, Reason, Record
from engine.games.acesup import AcesUpReason
from engine.games.klondike import KlondikeReason
from tests.service.conftest import Clock, Player, finished

CHANGES: dict[str, Callable[..., Awaitable[Turn]]] = {
    "move": lambda player, **about: player.move("s t", **about),
    "draw": lambda player, **about: player.draw(**about),
    "discard": lambda player, **about: player.discard(**about),
    "discard_all": lambda player, **about: player.discard_all(**about),
    "undo": lambda player, **about: player.undo(**about),
    "redo": lambda player, **about: player.redo(**about),
    "give_up": lambda player, **about: player.give_up(**about),
}
CALLS = {
    **CHANGES,
    "show": lambda player, **about: player.show(**about),
    "hint": lambda player, **about: player.hint(**about),
    "finish": lambda player, **about: player.finish(**about),
}

call = pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
change = pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)


@call
async def test_without_a_game_there_is_nothing_to_do(ada: Player, ola: Player, call: Any) -> None:
    await ola.new()
    with pytest.raises(NoGame):
        await call(ada)


@call
async def test_a_game_that_is_not_there_is_no_game(ada: Player, call: Any) -> None:
    mine = await ada.new()
    with pytest.raises(NoSuchGame):
        await call(ada, game_id=mine.game.id + 1)


@call
async def test_nobody_acts_on_somebody_elses_game(ada: Player, ola: Player, call: Any) -> None:
    """Issue 215 of nextcord: a stranger pressed the buttons."""
    theirs = await ola.new("acesup", None, "1")
    with pytest.raises(NotYours) as raised:
        await call(ada, game_id=theirs.game.id)
    assert raised.value.turn.game == theirs.game
    assert (await ola.show()).game == theirs.game


async def playable(player: Player) -> Turn:
    """An Aces Up game in which every change is possible."""
    await player.new("acesup", "standard", "1")
    await player.draw()
    await player.draw()
    return await player.undo()


@change
async def test_a_change_is_stored_under_the_next_revision(
    ada: Player, store: Store, clock: Clock, change: Any
) -> None:
    before = await playable(ada)
    turn = await change(ada)
    assert turn.game.revision == before.game.revision + 1
    assert turn.game.updated_ms == clock.now_ms
    assert turn.game.created_ms == before.game.created_ms
    assert await store.load_game(turn.game.id) == turn.game
    assert Position.of(Record.parse(turn.game.record)).table == turn.table
    assert turn.game.score == turn.table.score


@change
async def test_a_request_delivered_twice_is_done_once(ada: Player, change: Any) -> None:
    await playable(ada)
    first = await change(ada, same=77)
    second = await change(ada, same=77)
    assert (second.game, second.table) == (first.game, first.table)


@change
async def test_a_request_delivered_twice_at_once_is_done_once(ada: Player, change: Any) -> None:
    """DraftForge's issue 261: one click arrived twice and moved twice."""
    before = await playable(ada)
    first, second = await asyncio.gather(change(ada, same=77), change(ada, same=77))
    assert (second.game, second.table) == (first.game, first.table)
    assert first.game.revision == before.game.revision + 1


async def test_a_request_delivered_again_after_another_one_is_not_done_again(ada: Player) -> None:
    await playable(ada)
    await ada.draw(same=77)
    drawn = await ada.draw(same=78)
    assert (await ada.draw(same=77)).game == drawn.game


@change
async def test_a_change_from_an_outdated_table_is_refused_with_the_present_one(
    ada: Player, change: Any
) -> None:
    seen = await playable(ada)
    now = await ada.draw()
    with pytest.raises(StaleTable) as raised:
        await change(ada, revision=seen.game.revision)
    assert (raised.value.turn.game, raised.value.turn.table) == (now.game, now.table)
    assert (await ada.show()).game == now.game


@change
async def test_a_change_from_the_present_table_is_done(ada: Player, change: Any) -> None:
    seen = await playable(ada)
    assert (await change(ada, revision=seen.game.revision)).game.revision == seen.game.revision + 1


async def test_after_an_undo_the_table_with_as_many_moves_is_outdated_all_the_same(ada: Player) -> None:
    dealt = await ada.new("acesup", None, "1")
    await ada.draw()
    back = await ada.undo()
    assert back.table == dealt.table
    with pytest.raises(StaleTable):
        await ada.draw(revision=dealt.game.revision)


async def test_two_requests_at_once_by_one_user_are_both_done(ada: Player) -> None:
    await ada.new("klondike", None, "1")
    turns = await asyncio.gather(ada.draw(), ada.draw())
    assert sorted(len(turn.position.record.moves) for turn in turns) == [1, 2]
    assert len((await ada.show()).position.record.moves) == 2


async def test_ten_requests_at_once_by_one_user_are_all_done(ada: Player) -> None:
    await ada.new("klondike", None, "1")
    await asyncio.gather(*(ada.draw() for _ in range(10)))
    assert [str(move) for move in (await ada.show()).position.record.moves] == ["s-w"] * 10


async def test_of_two_requests_at_once_from_one_table_one_is_done(ada: Player) -> None:
    """Simple-Solitaire's issue 30: a quick second press discarded an ace."""
    seen = (await ada.new("klondike", None, "1")).game.revision
    results = await asyncio.gather(ada.draw(revision=seen), ada.draw(revision=seen), return_exceptions=True)
    assert sorted(type(result).__name__ for result in results) == ["StaleTable", "Turn"]
    stale = next(result for result in results if isinstance(result, StaleTable))
    assert len(stale.turn.position.record.moves) == 1
    assert (await ada.show()).game == stale.turn.game


async def test_players_at_once_do_not_disturb_each_other(ada: Player, ola: Player) -> None:
    async def five_draws(player: Player) -> Turn:
        await player.new("klondike", None, str(player.user_id))
        for _ in range(5):
            turn = await player.draw()
        return turn

    for player, turn in zip((ada, ola), await asyncio.gather(five_draws(ada), five_draws(ola)), strict=True):
        assert turn.game.owner_id == player.user_id
        assert str(turn.position.record) == f"klondike/d1/{player.user_id}" + " s-w" * 5


# Moving


@pytest.mark.parametrize("text", ["6 7", "6-7", "67", " 6  7 ", "6→7", "6 > 7", "6,7", "6-7x1", "6 7 1"])
async def test_a_move_may_be_typed_in_many_ways(ada: Player, text: str) -> None:
    await ada.new("klondike", None, "36")
    turn = await ada.move(text)
    assert (turn.action, turn.moves) == (TurnAction.MOVED, (Move("6", "7"),))
    assert turn.position.record.moves == (Move("6", "7"),)


async def test_a_turn_tells_the_move_and_the_table_it_was_chosen_on(ada: Player) -> None:
    dealt = await ada.new("klondike", None, "36")
    turn = await ada.move("6 7")
    assert turn.table_before == dealt.table
    moved, bared = turn.table.pile("7"), turn.table.pile("6")
    assert turn.changed == {("7", len(moved.cards) - 1), ("6", len(bared.cards) - 1)}


async def test_what_is_no_move_is_refused_and_changes_nothing(ada: Player) -> None:
    game = (await ada.new()).game
    for text in ("", "hello", "3", "3 5 7 9", "💥", "1 2 99"):
        with pytest.raises(MoveSyntaxError):
            await ada.move(text)
    assert (await ada.show()).game == game


async def test_a_move_against_the_rules_is_refused_with_the_reason_and_changes_nothing(ada: Player) -> None:
    game = (await ada.new("acesup", None, "1")).game
    with pytest.raises(IllegalMove) as raised:
        await ada.move("1 2")
    assert raised.value.reason is AcesUpReason.PILE_TAKEN
    assert (await ada.show()).game == game


async def test_a_refused_move_keeps_what_can_be_redone(ada: Player) -> None:
    await playable(ada)
    with pytest.raises(IllegalMove):
        await ada.move("1 2")
    assert (await ada.redo()).moves == (Move("s", "t"),)


async def test_playing_in_a_game_makes_it_the_current_one(ada: Player) -> None:
    first = await ada.new("klondike", None, "1")
    await ada.new("klondike", None, "2")
    await ada.draw(game_id=first.game.id)
    assert (await ada.show()).game.id == first.game.id


async def test_a_refused_move_in_another_game_leaves_the_current_one_current(ada: Player) -> None:
    first = await ada.new("acesup", None, "1")
    second = await ada.new("klondike", None, "2")
    with pytest.raises(IllegalMove):
        await ada.move("1 2", game_id=first.game.id)
    assert (await ada.show()).game.id == second.game.id


# Drawing


async def test_a_draw_turns_cards_onto_the_waste_and_marks_them(ada: Player) -> None:
    await ada.new("klondike", "d3", "1")
    turn = await ada.draw()
    assert len(turn.table.pile("w").cards) == 3
    assert turn.changed == {("w", 0), ("w", 1), ("w", 2)}


async def test_a_draw_from_an_empty_stock_turns_the_waste_over(ada: Player) -> None:
    await ada.new("klondike", "d3p3", "1")
    for _ in range(8):
        turn = await ada.draw()
    assert not turn.table.pile("s").cards
    turn = await ada.draw()
    assert (turn.moves, turn.table.pass_number) == ((Move("w", "s"),), 2)
    assert not turn.table.pile("w").cards


async def test_a_draw_past_the_last_pass_is_refused_with_the_reason(ada: Player) -> None:
    await ada.new("klondike", "d3p1", "1")
    for _ in range(8):
        turn = await ada.draw()
    with pytest.raises(IllegalMove) as raised:
        await ada.draw()
    assert raised.value.reason is KlondikeReason.NO_PASS_LEFT
    assert (await ada.show()).game == turn.game


async def test_in_aces_up_a_draw_deals_a_card_to_each_pile(ada: Player) -> None:
    await ada.new("acesup", None, "1")
    assert (await ada.draw()).changed == {(pile, 1) for pile in "1234"}


async def test_a_deal_from_an_empty_stock_is_refused(ada: Player) -> None:
    await ada.new("acesup", None, "1")
    for _ in range(12):
        turn = await ada.draw()
    with pytest.raises(IllegalMove) as raised:
        await ada.draw()
    assert raised.value.reason in (Reason.STOCK_EMPTY, Reason.GAME_OVER)
    assert (await ada.show()).game == turn.game


# Discarding


async def test_the_only_discard_needs_no_pile(ada: Player) -> None:
    await ada.new("acesup", None, "1")
    turn = await ada.discard()
    assert (turn.moves, turn.table.score) == ((Move("2", "d"),), 1)


async def test_several_discards_are_named_and_none_is_done(ada: Player) -> None:
    dealt = await ada.new("acesup", None, "21")
    with pytest.raises(ChooseDiscard) as raised:
        await ada.discard()
    assert raised.value.moves == (Move("2", "d"), Move("3", "d"), Move("4", "d"))
    assert raised.value.table == dealt.table
    assert (await ada.show()).game == dealt.game


async def test_no_discard_is_possible(ada: Player) -> None:
    game = (await ada.new("acesup", None, "8")).game
    with pytest.raises(NothingToDiscard):
        await ada.discard()
    assert (await ada.show()).game == game


async def test_klondike_has_no_discards(ada: Player) -> None:
    game = (await ada.new("klondike", None, "1")).game
    for pile in (None, "1"):
        with pytest.raises(IllegalMove) as raised:
            await ada.discard(pile)
        assert (raised.value.reason, raised.value.facts) == (Reason.NO_SUCH_PILE, {"pile": "d"})
    assert (await ada.show()).game == game


@pytest.mark.parametrize("pile", ["3", " 3 "])
async def test_a_named_pile_is_discarded_from(ada: Player, pile: str) -> None:
    await ada.new("acesup", None, "21")
    assert (await ada.discard(pile)).moves == (Move("3", "d"),)


@pytest.mark.parametrize("piles", ["1+4", "1 4", " 1 + 4 ", "1 +4"])
async def test_a_pair_is_discarded_from_both_piles(ada: Player, piles: str) -> None:
    await ada.new("acesup", "pairs", "1")
    turn = await ada.discard(piles)
    assert (turn.moves, turn.table.score) == ((Move("1+4", "d"),), 2)


async def test_a_card_that_nothing_beats_stays(ada: Player) -> None:
    """KDE's bug 309784: another program took any card as a discard."""
    game = (await ada.new("acesup", None, "1")).game
    with pytest.raises(IllegalMove) as raised:
        await ada.discard("1")
    assert raised.value.reason is AcesUpReason.NOT_BEATEN
    assert (await ada.show()).game == game


@pytest.mark.parametrize("pile", ["", "hello", "+", "1+", "💥"])
async def test_what_names_no_pile_cannot_be_discarded(ada: Player, pile: str) -> None:
    game = (await ada.new("acesup", None, "1")).game
    with pytest.raises((MoveSyntaxError, IllegalMove)):
        await ada.discard(pile)
    assert (await ada.show()).game == game


async def test_all_that_can_be_discarded_goes_in_one_request_and_comes_back_one_by_one(ada: Player) -> None:
    dealt = await ada.new("acesup", None, "21")
    turn = await ada.discard_all()
    assert len(turn.moves) == turn.table.score >= 3
    assert turn.game.revision == 1
    assert not turn.position.discards
    for back in range(len(turn.moves)):
        assert (await ada.show()).table.score == len(turn.moves) - back
        undone = await ada.undo()
    assert undone.table == dealt.table


async def test_without_a_discard_nothing_goes(ada: Player) -> None:
    game = (await ada.new("acesup", None, "8")).game
    with pytest.raises(NothingToDiscard):
        await ada.discard_all()
    assert (await ada.show()).game == game


# Finishing and hints


async def finishable(player: Player) -> Turn:
    """A Klondike as early as it can be finished for certain."""
    won = finished("won", "klondike")
    for length in range(len(won.moves)):
        record = replace(won, moves=won.moves[:length])
        if Position.of(record).finish:
            await player.holds(record)
            return await player.show()
    raise LookupError(won)


async def test_a_game_that_is_certain_is_finished_in_one_request_and_taken_back_one_by_one(
    ada: Player,
) -> None:
    before = await finishable(ada)
    won = await ada.finish()
    assert (won.game.status, won.table.score) == (Status.WON, 52)
    assert won.moves == before.position.finish
    assert won.game.revision == before.game.revision + 1
    for _ in won.moves:
        back = await ada.undo()
    assert (back.table, back.game.status) == (before.table, Status.PLAYING)


async def test_a_game_that_is_not_certain_is_not_finished(ada: Player) -> None:
    game = (await ada.new("klondike", None, "1")).game
    with pytest.raises(NothingToFinish):
        await ada.finish()
    assert (await ada.show()).game == game


async def test_a_hint_names_a_legal_move_marks_its_cards_and_changes_nothing(ada: Player) -> None:
    dealt = await ada.new("klondike", None, "36")
    turn = await ada.hint()
    assert (turn.action, turn.game, turn.table) == (TurnAction.HINTED, dealt.game, dealt.table)
    [move] = turn.moves
    assert move in turn.legal_moves
    pile = turn.table.pile(move.source)
    assert turn.changed == {(move.source, len(pile.cards) - 1 - i) for i in range(move.count)}
    assert (await ada.show()).game == dealt.game


async def test_a_hint_for_an_outdated_table_is_refused(ada: Player) -> None:
    seen = await playable(ada)
    await ada.draw()
    with pytest.raises(StaleTable):
        await ada.hint(revision=seen.game.revision)


@pytest.mark.parametrize("outcome", ["won", "over"])
async def test_an_ended_game_has_no_hint(ada: Player, outcome: str) -> None:
    await ada.holds(finished(outcome, "klondike"))
    with pytest.raises(Finished):
        await ada.hint()


# Undo and redo


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("outcome", ["won", "over"])
async def test_undo_goes_back_to_the_deal_a_step_at_a_time_and_redo_plays_all_again(
    ada: Player, key: str, outcome: str
) -> None:
    """No move needs two undos, none is glued to another, and an ended game can be taken back."""
    record = finished(outcome, key)
    steps = min(len(record.moves), 12)
    await ada.holds(record)
    tables = [
        Position.of(replace(record, moves=record.moves[: len(record.moves) - back])).table
        for back in range(steps + 1)
    ]
    for back in range(1, steps + 1):
        turn = await ada.undo()
        assert (turn.action, turn.moves) == (TurnAction.UNDONE, (record.moves[-back],))
        assert (turn.table, turn.table_before) == (tables[back], tables[back - 1])
        assert turn.game.status is Status.PLAYING
    for back in range(steps - 1, -1, -1):
        turn = await ada.redo()
        assert (turn.action, turn.moves) == (TurnAction.REDONE, (record.moves[len(record.moves) - back - 1],))
        assert (turn.table, turn.table_before) == (tables[back], tables[back + 1])
    assert turn.game.status == Status(outcome)
    with pytest.raises(NothingToRedo):
        await ada.redo()


async def test_undo_ends_at_the_deal(ada: Player) -> None:
    dealt = await ada.new("klondike", None, "1")
    for _ in range(26):  # once through the stock, the redeal, and one card more
        await ada.draw()
    for _ in range(26):
        turn = await ada.undo()
    assert (turn.table, turn.position.record) == (dealt.table, dealt.position.record)
    with pytest.raises(NothingToUndo):
        await ada.undo()
    assert (await ada.show()).game == turn.game


async def test_nothing_can_be_redone_before_an_undo(ada: Player) -> None:
    await ada.new("klondike", None, "1")
    await ada.draw()
    with pytest.raises(NothingToRedo):
        await ada.redo()


async def test_a_new_move_clears_what_could_be_redone(ada: Player) -> None:
    await ada.new("klondike", None, "36")
    await ada.draw()
    await ada.undo()
    turn = await ada.move("6 7")
    assert turn.game.undone == ""
    with pytest.raises(NothingToRedo):
        await ada.redo()


async def test_what_can_be_redone_survives_a_look_at_the_table(ada: Player) -> None:
    await playable(ada)
    await ada.show()
    assert (await ada.redo()).moves == (Move("s", "t"),)


async def test_a_table_shown_again_marks_the_last_move_and_changes_nothing(ada: Player) -> None:
    await ada.new("klondike", "d3", "1")
    turn = await ada.draw()
    shown = await ada.show()
    assert (shown.action, shown.game, shown.table) == (TurnAction.SHOWN, turn.game, turn.table)
    assert shown.changed == turn.changed


# Endings


@pytest.mark.parametrize("key", GAMES)
async def test_a_win_can_be_taken_back_and_won_again_in_the_one_game(
    ada: Player, store: Store, key: str
) -> None:
    """Issue 320 of matrix-os: win, undo, win counted two wins. saito-lite 274: "You lose" after the win."""
    record = finished("won", key)
    game = await ada.holds(replace(record, moves=record.moves[:-1]))
    won = await ada.move(str(record.moves[-1]))
    assert (won.game.status, won.table.score) == (Status.WON, won.table.full_score)
    assert won.legal_moves == ()
    assert await ada.unfinished() == []
    back = await ada.undo()
    assert back.game.status is Status.PLAYING
    assert record.moves[-1] in back.legal_moves
    assert await ada.unfinished() == [game.id]
    again = await ada.redo()
    assert (again.game.status, again.game.id) == (Status.WON, game.id)
    assert await store.load_game(game.id + 1) is None


@pytest.mark.parametrize("key", GAMES)
async def test_a_lost_game_is_over_when_no_card_can_move_and_undo_goes_on(ada: Player, key: str) -> None:
    record = finished("over", key)
    await ada.holds(replace(record, moves=record.moves[:-1]))
    over = await ada.move(str(record.moves[-1]))
    assert over.game.status is Status.OVER
    assert over.legal_moves == ()
    back = await ada.undo()
    assert back.game.status is Status.PLAYING
    assert back.legal_moves != ()


@pytest.mark.parametrize("outcome", ["won", "over"])
@pytest.mark.parametrize("key", GAMES)
async def test_in_an_ended_game_nothing_can_be_played_or_given_up(
    ada: Player, key: str, outcome: str
) -> None:
    game = await ada.holds(finished(outcome, key))
    for text in ("1 2", "s t", "s w"):
        with pytest.raises(IllegalMove):
            await ada.move(text)
    with pytest.raises(IllegalMove):
        await ada.draw()
    with pytest.raises(Finished):
        await ada.give_up()
    assert (await ada.show()).game == game


async def test_giving_up_ends_a_game_for_good(ada: Player) -> None:
    before = await playable(ada)
    given = await ada.give_up()
    assert (given.action, given.game.status) == (TurnAction.GIVEN_UP, Status.GIVEN_UP)
    assert (given.table, given.game.record) == (before.table, before.game.record)
    assert (given.legal_moves, given.changed) == ((), frozenset())
    assert await ada.unfinished() == []


@change
async def test_in_a_game_given_up_nothing_can_be_done(ada: Player, change: Any) -> None:
    await playable(ada)
    given = await ada.give_up()
    with pytest.raises(Finished):
        await change(ada)
    assert (await ada.show()).game == given.game


async def test_a_game_given_up_can_still_be_looked_at(ada: Player) -> None:
    await playable(ada)
    given = await ada.give_up()
    assert (await ada.show()).table == given.table


async def test_switches_of_one_user_pressed_at_once_in_two_processes_are_all_kept(database_url: str) -> None:
    stores = [open_store(database_url) for _ in range(2)]
    for store in stores:
        await store.open()
    first, second = (Services.over(store, Clock()).settings for store in stores)
    names = ("is_private", "as_text", "four_colours", "large_index", "is_hidden", "tells_lost")
    await asyncio.gather(
        *(
            settings.change(1, name, value=True)
            for settings, name in zip((first, second) * 3, names, strict=True)
        )
    )
    chosen = await first.of(1)
    assert [name for name in names if getattr(chosen, name)] == [*names]
    for store in stores:
        await store.close()
