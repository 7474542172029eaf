"""Unfinished games that nobody plays on: which are ended, when, and what is still true of them then."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

import pytest

from bot.service import Finished, Request, Retention, Services, StaleTable, Turn, TurnAction, compare
from bot.storage import LiveTable, NewGame, Status, Store, StoredGame, open_store
from engine import Record, replay
from engine.games.acesup import AcesUp
from tests.service.conftest import Clock, Player, finished

DAY_MS = 86_400_000
DAYS = 30
MOVES = ("2-d", "s-t", "4-d")
SCORE = 2


@pytest.fixture
def services(store: Store, clock: Clock) -> Services:
    return Services.over(store, clock, retention_days=DAYS)


@pytest.fixture
def retention(services: Services) -> Retention:
    return services.retention


async def left(player: Player, seed: str = "1") -> StoredGame:
    """A game that the player has begun and then left."""
    await player.new("acesup", "standard", seed)
    for move in MOVES:
        turn = await player.move(move)
    return turn.game


async def now(store: Store, game: StoredGame) -> StoredGame:
    kept = await store.load_game(game.id)
    assert kept is not None
    return kept


# Which games, and when


async def test_a_game_is_ended_as_it_stands_when_it_was_left_for_so_long(
    retention: Retention, ada: Player, store: Store, clock: Clock
) -> None:
    game = await left(ada)
    clock.now_ms = game.updated_ms + DAYS * DAY_MS - 1_000
    assert await retention.settle_some() == 0
    assert await now(store, game) == game
    assert await retention.settle_some() == 1
    kept = replace(game, status=Status.EXPIRED, score=SCORE, revision=game.revision + 1)
    assert await now(store, game) == kept
    assert await retention.settle_some() == 0
    assert await now(store, game) == kept


async def test_without_days_games_are_kept_for_ever(store: Store, ada: Player, clock: Clock) -> None:
    game = await left(ada)
    clock.now_ms += 36_500 * DAY_MS
    assert await Services.over(store, clock).retention.settle_some() == 0
    assert await now(store, game) == game


async def test_a_game_that_is_played_on_is_not_ended(
    retention: Retention, ada: Player, store: Store, clock: Clock
) -> None:
    game = await left(ada)
    clock.now_ms += (DAYS - 1) * DAY_MS
    touched = (await ada.draw()).game
    clock.now_ms += 2 * DAY_MS
    assert await retention.settle_some() == 0
    assert await now(store, game) == touched


async def test_games_that_have_ended_stay_as_they_are(
    retention: Retention, ada: Player, store: Store, clock: Clock
) -> None:
    await left(ada)
    ended = (await ada.give_up()).game
    clock.now_ms += 2 * DAYS * DAY_MS
    assert await retention.settle_some() == 0
    assert await now(store, ended) == ended


async def test_a_daily_game_ends_by_its_own_rules(
    services: Services, ada: Player, ola: Player, store: Store, clock: Clock
) -> None:
    """Today's stays; an older one enters the board."""
    await services.games.play_daily(ada.request())
    old = (await ada.draw()).game
    clock.now_ms += 2 * DAYS * DAY_MS
    new = (await services.games.play_daily(ola.request())).game
    assert await services.retention.settle_some() == 0
    assert [await now(store, game) for game in (old, new)] == [old, new]
    await services.daily.settle_all()
    assert (await now(store, old)).status is Status.EXPIRED
    assert [result.game_id for result in await store.results_of(1)] == [old.id]
    assert await now(store, new) == new


# Many at once, broken ones, and others who do the same


def of(owner_id: int, record: str, now_ms: int = 1, score: int = 0) -> NewGame:
    return NewGame(owner_id, record, Status.PLAYING, score, request_id=1, now_ms=now_ms)


async def test_a_batch_has_an_end_and_the_next_goes_on(retention: Retention, store: Store) -> None:
    for owner_id in range(130):
        await store.create_game(of(owner_id, f"acesup/standard/{owner_id}"))
    counts = [await retention.settle_some() for _ in range(3)]
    assert sum(counts) == 130
    assert counts[0] <= 100
    assert counts[-1] == 0
    assert (await store.count_games())[Status.EXPIRED] == 130


@pytest.mark.parametrize(
    "record",
    ["acesup/standard/1 1-1", "klondike/d1/1 fc-1", "nothing/at/all", "💥", "acesup/standard/1 s-t x"],
)
async def test_a_broken_record_holds_up_nobody_and_is_told_once(
    retention: Retention, store: Store, record: str, caplog: pytest.LogCaptureFixture
) -> None:
    broken = await store.create_game(of(1, record, score=7))
    whole = await store.create_game(of(2, "acesup/standard/1 2-d", now_ms=2))
    assert [await retention.settle_some() for _ in range(3)] == [2, 0, 0]
    assert [(game.status, game.score) for game in (await now(store, broken), await now(store, whole))] == [
        (Status.EXPIRED, 7),
        (Status.EXPIRED, 1),
    ]
    [said] = [entry for entry in caplog.records if entry.levelno >= logging.ERROR]
    assert f"game {broken.id} " in said.getMessage()


async def test_the_score_is_what_the_record_comes_to(retention: Retention, store: Store) -> None:
    game = await store.create_game(of(1, f"acesup/standard/1 {' '.join(MOVES)}", score=48))
    await retention.settle_some()
    assert (await now(store, game)).score == SCORE == AcesUp().score(replay(Record.parse(game.record)))


async def test_a_game_that_is_touched_meanwhile_is_left_alone(
    retention: Retention, ada: Player, store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    thin = store.compact

    async def too_late(game: StoredGame) -> None:
        await ada.draw()
        await thin(game)

    monkeypatch.setattr(store, "compact", too_late)
    game = await left(ada)
    clock.now_ms += 2 * DAYS * DAY_MS
    assert await retention.settle_some() == 0
    touched = await now(store, game)
    assert (touched.status, touched.record) == (Status.PLAYING, f"{game.record} s-t")


async def test_two_processes_at_once_end_each_game_once(
    store: Store, database_url: str, clock: Clock
) -> None:
    other = open_store(database_url)
    await other.open()
    for owner_id in range(30):
        await store.create_game(of(owner_id, "acesup/standard/1 2-d"))
    two = [Retention(one, clock, DAYS) for one in (store, other)]
    assert sum(await asyncio.gather(*(one.settle_some() for one in two))) == 30
    for owner_id in range(30):
        [game] = await store.games_of(owner_id, 0, 10)
        assert (game.status, game.revision, game.score) == (Status.EXPIRED, 1, 1)
    await other.close()


async def test_while_one_ends_games_nobody_else_looks_for_any(
    retention: Retention, store: Store, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store.create_game(of(1, "acesup/standard/1 2-d"))
    thin = store.compact

    async def meanwhile(game: StoredGame) -> None:
        monkeypatch.setattr(store, "compact", thin)
        assert await Retention(store, clock, DAYS).settle_some() == 0
        await thin(game)

    monkeypatch.setattr(store, "compact", meanwhile)
    assert await retention.settle_some() == 1


# What a player finds who comes back


async def come_back(services: Services, player: Player, clock: Clock) -> StoredGame:
    """The player leaves a game, one move of it taken back, and comes back a year later."""
    await left(player)
    game = (await player.undo()).game
    await services.live_tables.place(game.id, LiveTable(1, 2, "x"))
    clock.now_ms += 365 * DAY_MS
    assert await services.retention.settle_some() == 1
    return game


async def test_the_table_is_shown_as_it_was_left_and_can_not_be_played_on(
    services: Services, ada: Player, clock: Clock
) -> None:
    game = await come_back(services, ada, clock)
    turn = await ada.show()
    assert (turn.game.id, turn.game.record, turn.game.status) == (game.id, game.record, Status.EXPIRED)
    assert turn.table.score == 1
    assert (turn.legal_moves, turn.can_undo, turn.can_redo, turn.has_hints) == ((), False, False, False)
    assert await ada.unfinished() == []
    for ask in (ada.draw, ada.undo, ada.redo, ada.discard_all, ada.give_up, ada.finish):
        with pytest.raises(Finished):
            await ask()
    assert (await ada.show()).game == turn.game


async def test_a_press_on_the_old_table_shows_how_it_stands(
    services: Services, ada: Player, clock: Clock
) -> None:
    game = await come_back(services, ada, clock)
    with pytest.raises(StaleTable) as raised:
        await ada.draw(game_id=game.id, revision=game.revision)
    turn: Turn = raised.value.turn
    assert (turn.game.id, turn.game.status) == (game.id, Status.EXPIRED)
    assert await services.live_tables.of(game.id) is None


async def test_a_new_game_is_of_the_same_kind(services: Services, ada: Player, clock: Clock) -> None:
    await ada.new("klondike", "d3p2r", "36")
    await ada.draw()
    clock.now_ms += 365 * DAY_MS
    await services.retention.settle_some()
    turn = await ada.new()
    assert (turn.position.record.game, turn.position.record.rules) == ("klondike", "d3p2r")
    assert (turn.action, turn.set_aside, turn.is_first) == (TurnAction.DEALT, None, False)


async def test_the_same_cards_can_be_dealt_again(services: Services, ada: Player, clock: Clock) -> None:
    game = await come_back(services, ada, clock)
    again = await services.games.deal_same(ada.request(game_id=game.id))
    assert again.game.record == "acesup/standard/1"
    assert (await ada.draw()).game.id == again.game.id


async def test_statistics_count_it_as_ended(services: Services, ada: Player, clock: Clock) -> None:
    await come_back(services, ada, clock)
    group = (await services.stats.of(1)).group()
    assert group is not None
    assert (group.played, group.in_progress, group.won, dict(group.scores)) == (1, 0, 0, {1: 1})


@pytest.mark.parametrize("undone", [1, 1_000])
async def test_a_game_that_was_won_stays_won(
    services: Services, store: Store, ada: Player, clock: Clock, undone: int
) -> None:
    """However much of it was taken back before it was left: down to its deal too."""
    won = finished("won", "acesup")
    await ada.holds(replace(won, moves=won.moves[:-1]))
    turn = await ada.move(str(won.moves[-1]))
    assert turn.game.status is Status.WON
    for _ in range(min(undone, len(won.moves))):
        turn = await ada.undo()
    before = (await services.stats.of(1)).group()
    clock.now_ms += 365 * DAY_MS
    assert await services.retention.settle_some() == 1
    kept = await now(store, turn.game)
    assert (kept.status, kept.won_record, kept.undone) == (Status.EXPIRED, str(won), "")
    assert (await services.stats.of(1)).group() == before
    assert before is not None
    assert before.won == 1


async def test_it_is_shared_and_compared_as_any_game_that_has_ended(
    services: Services, ada: Player, ola: Player, clock: Clock
) -> None:
    await left(ola)
    clock.now_ms += 2 * DAYS * DAY_MS
    await services.retention.settle_some()
    await come_back(services, ada, clock)
    assert (await services.sharing.share(await ada.show())).is_result
    own, other = await services.comparing.pair(ada.request(), 2)
    found = compare(Record.parse(own.record), Record.parse(other.record))
    assert (found.one.moves, found.other.moves) == (len(MOVES) - 1, len(MOVES))


async def test_a_challenge_goes_on_without_who_left_it(
    services: Services, ada: Player, ola: Player, clock: Clock
) -> None:
    """The other one, who waited for the end, gets it."""
    view = await services.challenges.create(1, [2], seed="1", game="acesup")
    for player in (ada, ola):
        await services.challenges.play(player.request(), view.challenge.id)
    await ada.draw()
    await ola.discard_all()
    ended = await ola.give_up()
    clock.now_ms += 365 * DAY_MS
    assert await services.retention.settle_some() == 1
    view = await services.challenges.view(view.challenge.id)
    assert view.is_final
    assert view.winners == (2,)
    assert [(one.user_id, one.status, one.moves) for one in view.contenders] == [
        (2, Status.GIVEN_UP, len(ended.position.record.moves)),
        (1, Status.EXPIRED, 1),
    ]
    again = await services.challenges.play(ada.request(), view.challenge.id)
    assert (again.action, again.game.status) == (TurnAction.SHOWN, Status.EXPIRED)
    with pytest.raises(Finished):
        await ada.draw()


async def test_an_export_has_it_and_forgetting_deletes_it(
    services: Services, ada: Player, store: Store, clock: Clock
) -> None:
    game = await come_back(services, ada, clock)
    [exported] = (await services.own_data.export(1))["games"]
    assert (exported["record"], exported["status"], exported["table"]) == (game.record, "expired", None)
    await services.own_data.forget(1)
    assert await store.load_game(game.id) is None


async def test_the_same_request_delivered_again_after_it_is_answered_with_the_table(
    services: Services, ada: Player, store: Store, clock: Clock
) -> None:
    game = await come_back(services, ada, clock)
    later = Services.over(store, clock, retention_days=DAYS).games
    turn = await later.undo(Request(1, game.request_id))
    assert (turn.action, turn.game.status) == (TurnAction.SHOWN, Status.EXPIRED)
