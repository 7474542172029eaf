"""Dealing, setting aside and coming back."""

from __future__ import annotations

import asyncio
import re

import pytest

from bot.service import GameService, NoSuchGame, NotYours, TurnAction
from bot.service.games.live_tables import LiveTables
from bot.service.players.settings import SettingsService
from bot.storage import LiveTable, Settings, Status, Store, open_store
from engine import (
    GAMES,
    Record,
    RulesSyntaxError,
    SeedError,
    UnknownGame,
    shuffled_deck,
)
from tests.service.conftest import Clock, Player, finished


async def test_the_first_game_is_the_first_of_the_menu_with_its_first_rules(ada: Player) -> None:
    turn = await ada.new()
    key, game = next(iter(GAMES.items()))
    assert (turn.position.record.game, turn.position.record.rules) == (key, next(iter(game.presets)))


async def test_a_new_game_is_stored_at_its_deal(ada: Player, store: Store, clock: Clock) -> None:
    turn = await ada.new("acesup", "cell", "mormor")
    game = turn.game
    assert turn.action is TurnAction.DEALT
    assert (game.record, game.undone, game.revision) == ("acesup/cell/mormor", "", 0)
    assert (game.owner_id, game.status, game.score) == (1, Status.PLAYING, 0)
    assert game.created_ms == game.updated_ms == clock.now_ms
    assert await store.load_game(game.id) == game
    assert (turn.moves, turn.table_before, turn.set_aside, turn.changed) == ((), None, None, frozenset())


@pytest.mark.parametrize(
    ("key", "code"), [(key, code) for key, game in GAMES.items() for code in game.presets]
)
async def test_every_preset_can_be_dealt(ada: Player, key: str, code: str) -> None:
    turn = await ada.new(key, code, "24")
    game = GAMES[key]
    assert turn.table == game.table(game.start("24", code))


async def test_rules_may_be_typed_in_capitals_and_with_blanks(ada: Player) -> None:
    assert (await ada.new("klondike", "  D3P2R ", "1")).position.record.rules == "d3p2r"


async def test_rules_are_kept_in_their_one_canonical_form(ada: Player) -> None:
    assert (await ada.new("acesup", "pairs+aces", "1")).position.record.rules == "aces+pairs"


async def test_a_seed_is_trimmed_and_normalised(ada: Player) -> None:
    turn = await ada.new("acesup", None, "  cafe\N{COMBINING ACUTE ACCENT} ")
    assert turn.position.record.seed == "caf\N{LATIN SMALL LETTER E WITH ACUTE}"


@pytest.mark.parametrize(
    "seed",
    [
        "a/b c",
        "100%",
        "%41",
        "x 3-5",
        "`@everyone` **b**",
        "line\nbreak",
        "\u202eright to left",
        "🂡" * 64,
        "0",
        "+7",
    ],
)
async def test_any_seed_comes_back_from_the_store_as_it_was(ada: Player, seed: str) -> None:
    dealt = await ada.new("klondike", None, seed)
    again = await ada.show()
    assert again.position.record.seed == seed
    assert again.table == dealt.table
    assert again.position.record.moves == ()


async def test_the_same_seed_deals_the_same_table_to_everybody(ada: Player, ola: Player) -> None:
    mine, theirs = await ada.new("klondike", "d3", "42"), await ola.new("klondike", "d3", "42")
    assert mine.table == theirs.table
    assert mine.game.id != theirs.game.id


async def test_the_same_number_deals_the_same_cards_after_a_restart(ada: Player, database_url: str) -> None:
    """PySolFC's issue 163."""
    before = await ada.new("klondike", None, "163")
    store = open_store(database_url)
    await store.open()
    try:
        restarted = Player(GameService(store, Clock()), store, 1)
        assert (await restarted.show()).table == before.table
        assert (await restarted.new("klondike", None, "163")).table == before.table
    finally:
        await store.close()


async def test_without_a_seed_every_game_is_another_deal(ada: Player) -> None:
    """privacy-friendly-solitaire's issue 27."""
    seeds = [(await ada.new()).position.record.seed for _ in range(20)]
    assert len(set(seeds)) == 20
    assert len({shuffled_deck(seed) for seed in seeds}) == 20
    assert all(re.fullmatch(r"[1-9]\d{0,8}", seed) for seed in seeds)


async def test_without_a_game_the_current_one_is_dealt_again_by_the_same_rules(ada: Player) -> None:
    await ada.new("acesup", "pairs", "1")
    again = (await ada.new()).position.record
    assert (again.game, again.rules) == ("acesup", "pairs")
    assert again.seed != "1"


async def test_without_a_game_other_rules_are_those_of_the_current_one(ada: Player) -> None:
    await ada.new("acesup", "pairs", "1")
    assert (await ada.new(rules="cell")).position.record.rules == "cell"


async def test_another_game_starts_with_its_own_first_rules(ada: Player) -> None:
    await ada.new("acesup", "pairs", "1")
    assert (await ada.new("klondike")).position.record.rules == "d1"


async def test_an_unknown_game_is_refused_and_nothing_is_dealt(ada: Player, store: Store) -> None:
    with pytest.raises(UnknownGame):
        await ada.new("freecell")
    assert await store.current_game(1) is None


@pytest.mark.parametrize("rules", ["", "d2", "cell", "d1p0", "d1 p3"])
async def test_unknown_rules_are_refused_and_nothing_is_dealt(ada: Player, store: Store, rules: str) -> None:
    with pytest.raises(RulesSyntaxError) as raised:
        await ada.new("klondike", rules)
    assert raised.value.game == "klondike"
    assert await store.current_game(1) is None


@pytest.mark.parametrize("seed", ["", "   ", "x" * 65, "\ud800"])
async def test_what_cannot_be_a_seed_is_refused_and_nothing_is_dealt(
    ada: Player, store: Store, seed: str
) -> None:
    with pytest.raises(SeedError):
        await ada.new(seed=seed)
    assert await store.current_game(1) is None


async def test_a_refused_deal_leaves_the_current_game_current(ada: Player) -> None:
    mine = await ada.new("acesup", None, "1")
    with pytest.raises(SeedError):
        await ada.new(seed="x" * 65)
    assert (await ada.show()).game == mine.game


async def test_starting_another_game_sets_the_old_one_aside_and_says_so(ada: Player) -> None:
    first = await ada.new("acesup", None, "1")
    played = await ada.discard()
    second = await ada.new("klondike")
    assert second.set_aside == played.game
    assert (await ada.show()).game == second.game
    assert await ada.unfinished() == [second.game.id, first.game.id]


async def test_nothing_of_a_game_set_aside_is_lost(ada: Player) -> None:
    await ada.new("acesup", None, "1")
    await ada.discard()
    await ada.draw()
    aside = await ada.undo()
    other = await ada.new("klondike")
    back = await ada.resume(aside.game.id)
    assert (back.action, back.game, back.table) == (TurnAction.RESUMED, aside.game, aside.table)
    assert back.set_aside == other.game
    assert len((await ada.redo()).position.record.moves) == 2


async def test_a_second_game_does_not_break_the_first_of_somebody_else(ada: Player, ola: Player) -> None:
    """TJ-Plays' issue 9: the owner was kept in one global field."""
    mine = await ada.new("acesup", None, "1")
    theirs = await ola.new("klondike", None, "2")
    drawn = await ada.draw()
    assert (drawn.game.id, drawn.game.owner_id) == (mine.game.id, 1)
    assert (await ola.show()).game == theirs.game


@pytest.mark.parametrize("outcome", ["won", "over"])
async def test_a_finished_game_is_not_set_aside(ada: Player, outcome: str) -> None:
    await ada.holds(finished(outcome, "klondike"))
    assert (await ada.new()).set_aside is None


async def test_a_game_given_up_is_not_set_aside(ada: Player) -> None:
    await ada.new()
    await ada.give_up()
    assert (await ada.new()).set_aside is None


async def test_coming_back_to_the_current_game_sets_nothing_aside(ada: Player) -> None:
    game = (await ada.new()).game
    back = await ada.resume(game.id)
    assert (back.game, back.set_aside) == (game, None)


async def test_somebody_elses_game_cannot_be_resumed(ada: Player, ola: Player) -> None:
    theirs = await ola.new("klondike", None, "1")
    mine = await ada.new("acesup", None, "1")
    with pytest.raises(NotYours) as raised:
        await ada.resume(theirs.game.id)
    assert raised.value.turn.game == theirs.game
    assert (await ada.show()).game == mine.game
    assert (await ola.show()).game == theirs.game


async def test_a_game_that_is_not_there_cannot_be_resumed(ada: Player) -> None:
    mine = await ada.new()
    with pytest.raises(NoSuchGame):
        await ada.resume(mine.game.id + 1)
    assert (await ada.show()).game == mine.game


async def test_the_last_touched_of_the_unfinished_games_comes_first(ada: Player) -> None:
    first = (await ada.new("klondike", None, "1")).game.id
    second = (await ada.new("klondike", None, "2")).game.id
    await ada.draw(game_id=first)
    assert await ada.unfinished() == [first, second]


async def test_at_most_25_games_are_listed_the_newest(ada: Player) -> None:
    made = [(await ada.new()).game.id for _ in range(27)]
    assert await ada.unfinished() == made[:1:-1]


async def test_unfinished_games_are_ones_own(ada: Player, ola: Player) -> None:
    await ola.new()
    assert await ada.unfinished() == []


async def test_finished_games_are_not_listed(ada: Player) -> None:
    await ada.new()
    await ada.give_up()
    for outcome in ("won", "over"):
        await ada.holds(finished(outcome, "acesup"))
    assert await ada.unfinished() == []


async def test_a_deal_delivered_twice_is_dealt_once(ada: Player) -> None:
    request = ada.request()
    first = await ada.play.new(request, game="klondike")
    second = await ada.play.new(request, game="klondike")
    assert (second.game, second.table, second.action) == (first.game, first.table, TurnAction.DEALT)
    assert await ada.unfinished() == [first.game.id]


async def test_a_deal_delivered_twice_at_once_is_dealt_once(ada: Player) -> None:
    """DraftForge's issue 261: one click arrived twice."""
    request = ada.request()
    turns = await asyncio.gather(*(ada.play.new(request, game="klondike") for _ in range(2)))
    assert turns[0].game.id == turns[1].game.id
    assert len(await ada.unfinished()) == 1


async def test_a_deal_delivered_twice_is_answered_alike(ada: Player) -> None:
    await ada.new("acesup")
    request = ada.request()
    first = await ada.play.new(request, game="klondike")
    assert await ada.play.new(request, game="klondike") == first


async def test_the_same_cards_can_be_dealt_to_somebody_else(ada: Player, ola: Player) -> None:
    theirs = await ola.new("klondike", "d3p2r", "å/b %")
    await ola.draw()
    mine = await ada.play.deal_same(ada.request(game_id=theirs.game.id, revision=1))
    assert (mine.game.owner_id, mine.game.revision, mine.game.id != theirs.game.id) == (1, 0, True)
    assert mine.table == theirs.table
    assert (await ola.show()).game.revision == 1


async def test_the_same_cards_of_no_game_cannot_be_dealt(ada: Player) -> None:
    for game_id in (None, 7):
        with pytest.raises(NoSuchGame):
            await ada.play.deal_same(ada.request(game_id=game_id))


async def test_settings_are_each_players_own_and_kept(store: Store) -> None:
    settings = SettingsService(store)
    assert await settings.of(1) == Settings()
    assert await settings.change(1, "language", "no") == Settings(language="no")
    assert await settings.change(1, "as_text", value=True) == Settings(language="no", as_text=True)
    assert await settings.of(1) == Settings(language="no", as_text=True)
    assert await settings.of(2) == Settings()


async def test_the_message_that_had_the_controls_is_told_once_another_has_them(ada: Player) -> None:
    game = (await ada.new()).game
    live_tables = LiveTables(ada.store)
    first, second = LiveTable(5, 10, "a"), LiveTable(5, 11, "b")
    assert await live_tables.place(game.id, first) is None
    assert await live_tables.place(game.id, first) is None
    assert await live_tables.place(game.id, second) == first
    assert await live_tables.place(game.id, first) == second


async def test_a_deal_without_any_move_that_fits_is_over_at_once(ada: Player) -> None:
    """Record: a Klondike that draws three, seed 10, in which no card can ever move."""
    turn = await ada.new("klondike", "d3", "10")
    assert turn.game.status is Status.OVER
    assert turn.legal_moves == ()
    assert await ada.unfinished() == []


async def test_the_records_used_here_are_what_they_are_called() -> None:
    for key in GAMES:
        for outcome in ("won", "over"):
            record = finished(outcome, key)
            assert isinstance(record, Record)
            assert len(record.moves) >= 2
