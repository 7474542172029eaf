"""What a player's games come to: an example for each rule, and the same from the records alone."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.service import (
    Daily,
    GameService,
    GroupStats,
    HiddenPlayer,
    Position,
    ServiceError,
    Stats,
)
from bot.service.players.stats import grouped
from bot.storage import Played, Settings, SqliteStore, Status, StoredGame
from engine import GAMES, Move, Outcome, Record, SolitaireError
from tests.service.conftest import Clock, Player, finished
from tests.service.test_truth import act, requests

DAY_MS = 24 * 60 * 60 * 1000


def played(*games: str, deal: str = "klondike/d1/1", score: int = 7) -> list[Played]:
    """Games of those kinds in the order of dealing, all of the same deal."""
    return [game(kind, number, deal, score) for number, kind in enumerate(games, start=1)]


def game(kind: str, number: int = 1, deal: str = "klondike/d1/1", score: int = 7) -> Played:
    base = Played(number, deal, Status.PLAYING, score, "", is_started=True, is_won=False, is_copy=False)
    kinds: dict[str, dict[str, Any]] = {
        "won": {"status": Status.WON, "is_won": True, "score": 52 if "klondike" in deal else 48},
        "won, then undone": {"is_won": True},
        "won, undone and lost": {"status": Status.OVER, "is_won": True},
        "won, undone and given up": {"status": Status.GIVEN_UP, "is_won": True},
        "won before wins were noted": {"status": Status.WON, "score": 52},
        "over": {"status": Status.OVER},
        "given up": {"status": Status.GIVEN_UP},
        "given up at the deal": {"status": Status.GIVEN_UP, "is_started": False, "score": 0},
        "expired": {"status": Status.EXPIRED},
        "expired at the deal": {"status": Status.EXPIRED, "is_started": False, "score": 0},
        "going": {},
        "dealt": {"is_started": False, "score": 0},
        "copied and won": {"status": Status.WON, "is_won": True, "is_copy": True},
    }
    return replace(base, **kinds[kind])


def only(games: Sequence[Played]) -> GroupStats:
    [group] = grouped(games)
    return group


# ------------------------------------------------------------------------------------- what counts


@pytest.mark.parametrize("kind", ["dealt", "expired at the deal", "copied and won"])
def test_what_does_not_count(kind: str) -> None:
    assert grouped(played(kind)) == ()
    assert only(played(kind, "won")).played == 1


@pytest.mark.parametrize(
    ("kind", "won", "ended"),
    [
        ("won", 1, 1),
        ("won, then undone", 1, 1),
        ("won, undone and lost", 1, 1),
        ("won, undone and given up", 1, 1),
        ("won before wins were noted", 1, 1),
        ("over", 0, 1),
        ("given up", 0, 1),
        ("given up at the deal", 0, 1),
        ("expired", 0, 1),
        ("going", 0, 0),
    ],
)
def test_what_counts_as_what(kind: str, won: int, ended: int) -> None:
    group = only(played(kind))
    assert (group.played, group.won, group.ended, group.in_progress) == (1, won, ended, 1 - ended)
    assert group.best == (52 if won else (0 if "deal" in kind else 7) if ended else None)


def test_the_scores_are_those_of_games_that_have_ended_and_a_win_has_the_full_one() -> None:
    kinds = ("over", "won, then undone", "given up at the deal", "expired", "going")
    group = only(played(*kinds))
    assert group.scores == {7: 2, 52: 1, 0: 1}
    assert group.average == pytest.approx((7 + 52 + 0 + 7) / 4)
    assert (group.best, group.latest, group.full) == (52, 7, 52)
    assert group.win_rate == pytest.approx(1 / 5)


def test_without_an_ended_game_there_is_no_average() -> None:
    group = only(played("going", "going"))
    assert (group.average, group.best, group.latest, group.scores) == (None, None, None, {})
    assert group.win_rate == 0


@pytest.mark.parametrize(("key", "full"), [("klondike", 52), ("acesup", 48)])
def test_the_full_score_of_each_game(key: str, full: int) -> None:
    for code in GAMES[key].presets:
        group = only(played("won, then undone", deal=f"{key}/{code}/x"))
        assert (group.full, group.scores) == (full, {full: 1})


# ------------------------------------------------------------------------------------------ streaks


@pytest.mark.parametrize(
    ("kinds", "streaks"),
    [
        (["won"], (1, 1)),
        (["won", "won", "over", "won"], (1, 2)),
        (["won", "won", "over"], (0, 2)),
        (["won", "given up"], (0, 1)),
        (["won", "given up at the deal"], (0, 1)),
        (["won", "expired"], (0, 1)),
        (["won", "going"], (1, 1)),  # it is still being played
        (["won", "going", "won"], (1, 1)),  # set aside
        (["won", "going", "dealt"], (0, 1)),  # set aside for one that does not count yet
        (["won", "dealt", "won"], (2, 2)),
        (["won", "expired at the deal", "copied and won", "won"], (2, 2)),
        (["won", "won, then undone"], (2, 2)),
        (["won", "won, undone and lost", "won, undone and given up"], (3, 3)),
        (["over"], (0, 0)),
        (["going"], (0, 0)),
    ],
)
def test_streaks(kinds: list[str], streaks: tuple[int, int]) -> None:
    group = only(played(*kinds))
    assert (group.streak, group.longest_streak) == streaks


def test_a_game_set_aside_for_another_kind_breaks_its_own_streak_only() -> None:
    games = [*played("won", "going"), *played("won", deal="acesup/standard/1")]
    games = [replace(one, game_id=number) for number, one in enumerate(games, start=1)]
    klondike, acesup = grouped(games)
    assert (klondike.streak, acesup.streak) == (0, 1)


# ------------------------------------------------------------------------------------------- groups


def test_groups_stand_in_the_order_of_the_menus_and_other_rules_come_last() -> None:
    codes = [(key, code) for key, game in GAMES.items() for code in game.presets]
    codes.insert(len(GAMES["klondike"].presets), ("klondike", "d1p2"))
    codes.insert(len(GAMES["klondike"].presets) + 1, ("klondike", "d3p2r"))
    codes.append(("acesup", "cell+pairs"))
    shuffled = Random(1).sample(codes, len(codes))
    games = [game("over", n, f"{key}/{code}/1") for n, (key, code) in enumerate(shuffled, start=1)]
    assert [(group.game, group.rules) for group in grouped(games)] == codes


def test_seeds_and_days_make_no_groups() -> None:
    games = [game("over", n, f"acesup/standard/{seed}") for n, seed in enumerate(("1", "å%2F", "2"), start=1)]
    games.append(replace(game("over", 4, "acesup/standard/x"), day="2026-11-30"))
    assert only(games).played == 4


async def test_the_most_played_group_is_the_default(store: SqliteStore, clock: Clock, ada: Player) -> None:
    for seed in "12":
        await ada.new("acesup", "cell", seed)
        await ada.give_up()
    await ada.new("klondike", "d1", "1")
    await ada.give_up()
    stats = await Stats(store, Daily(store, clock)).of(1)
    assert [group.key for group in stats.groups] == ["klondike/d1", "acesup/cell"]
    for key, found in (("", "acesup/cell"), ("klondike/d1", "klondike/d1"), ("klondike/d3", "acesup/cell")):
        group = stats.group(key)
        assert group is not None
        assert group.key == found


async def test_of_nobody_there_are_none(store: SqliteStore, clock: Clock) -> None:
    stats = await Stats(store, Daily(store, clock)).of(1)
    assert stats.groups == ()
    assert stats.group() is None


# ----------------------------------------------------------------------------------- through the service


async def stats_of(player: Player, clock: Clock) -> GroupStats | None:
    return (await Stats(player.store, Daily(player.store, clock)).of(player.user_id)).group()


async def before_the_end(player: Player, outcome: str = "won", key: str = "klondike") -> Move:
    """Lets the player come to where one move ends the game; that move."""
    record = finished(outcome, key)
    await player.holds(replace(record, moves=record.moves[:-1]))
    return record.moves[-1]


async def test_win_undo_win_counts_once(ada: Player, clock: Clock) -> None:
    last = await before_the_end(ada)
    await ada.move(str(last))
    for _ in range(3):
        await ada.undo()
        await ada.move(str(last))
    group = await stats_of(ada, clock)
    assert group is not None
    assert (group.played, group.won, group.scores, group.longest_streak) == (1, 1, {52: 1}, 1)


async def test_a_win_stays_one_when_all_is_undone_and_the_game_given_up(ada: Player, clock: Clock) -> None:
    last = await before_the_end(ada)
    await ada.move(str(last))
    while (await ada.undo()).can_undo:
        pass
    going = await stats_of(ada, clock)
    await ada.give_up()
    given_up = await stats_of(ada, clock)
    assert going == given_up
    assert given_up is not None
    assert (given_up.played, given_up.won, given_up.in_progress, given_up.scores) == (1, 1, 0, {52: 1})


async def test_a_game_counts_from_its_first_move_whatever_is_undone(ada: Player, clock: Clock) -> None:
    await ada.new("klondike", "d1", "36")
    assert await stats_of(ada, clock) is None
    await ada.draw()
    await ada.undo()
    group = await stats_of(ada, clock)
    assert group is not None
    assert (group.played, group.in_progress) == (1, 1)


async def test_quitting_before_the_first_move_does_not_count_but_giving_up_does(
    ada: Player, clock: Clock
) -> None:
    await ada.new("klondike", "d1", "36")
    await ada.new("klondike", "d1", "37")
    assert await stats_of(ada, clock) is None
    await ada.give_up()
    group = await stats_of(ada, clock)
    assert group is not None
    assert (group.played, group.won, group.best) == (1, 0, 0)


async def test_a_daily_game_counts_in_its_group_and_for_the_daily_streak(
    store: SqliteStore, clock: Clock, ada: Player
) -> None:
    stats = Stats(store, Daily(store, clock))
    for day in range(4):
        await ada.play.play_daily(ada.request())
        await ada.draw()
        if day < 3:
            await ada.give_up()
        clock.now_ms += DAY_MS
    found = await stats.of(1)  # the last one's day has passed
    assert (found.daily_streak, found.longest_daily_streak) == (4, 4)
    [group] = found.groups
    assert (group.key, group.played, group.in_progress) == ("acesup/standard", 4, 0)
    clock.now_ms += 2 * DAY_MS
    assert (await stats.of(1)).daily_streak == 0


async def test_players_are_kept_apart(ada: Player, ola: Player, clock: Clock) -> None:
    await ada.new("klondike", "d1", "36")
    await ada.draw()
    assert await stats_of(ola, clock) is None


async def test_who_hides_is_shown_to_nobody_else(store: SqliteStore, clock: Clock, ada: Player) -> None:
    stats = Stats(store, Daily(store, clock))
    await ada.new("klondike", "d1", "36")
    await ada.draw()
    assert not (await stats.of(1, 2)).is_hidden
    await store.save_settings(1, Settings(is_hidden=True))
    with pytest.raises(HiddenPlayer):
        await stats.of(1, 2)
    own = await stats.of(1, 1)
    assert own.is_hidden
    assert own.groups
    await store.save_settings(1, Settings())
    assert (await stats.of(1, 2)).groups == own.groups


# -------------------------------------------------------------------------- rebuilt from the records


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(requests, min_size=10, max_size=40))
def test_whatever_is_played_statistics_follow_from_the_records(requests: Sequence[Any]) -> None:
    asyncio.run(rebuilt(requests))


async def rebuilt(requests: Sequence[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store, clock = SqliteStore(Path(folder) / "games.sqlite3"), Clock()
        await store.open()
        try:
            play = GameService(store, clock)
            players = {1: Player(play, store, 1), 2: Player(play, store, 2)}
            for near in (1, 2):  # so that some games get won
                await before_the_end(players[near], "won", "acesup" if near == 1 else "klondike")
            last_id = {1: 1, 2: 2}
            for number, (user_id, action, again, age) in enumerate(requests, start=1):
                last_id[user_id] = last_id[user_id] if again else 10 * number + user_id
                with suppress(ServiceError, SolitaireError):
                    await act(players[user_id], last_id[user_id], action, age)
            for user_id in players:
                await check(store, clock, user_id)
        finally:
            await store.close()


async def test_playouts_to_the_end_give_the_statistics_of_their_records(
    store: SqliteStore, clock: Clock, ada: Player
) -> None:
    rng = Random(5)
    for seed in range(12):
        code = rng.choice(["standard", "cell", "pairs"])
        turn = await ada.new("acesup", code, str(seed))
        for _ in range(rng.choice([0, 3, 400])):
            if not turn.legal_moves:
                break
            discards = [move for move in turn.legal_moves if move.target == "d"]
            turn = await ada.move(str(rng.choice(discards or turn.legal_moves)))
        if rng.random() < 0.4 and turn.can_undo:
            await ada.undo()
        if rng.random() < 0.3 and (await ada.show()).game.status is Status.PLAYING:
            await ada.give_up()
    await before_the_end(ada, "won", "acesup")
    await ada.move(str((await ada.show()).legal_moves[0]))
    await check(store, clock, 1)


async def check(store: SqliteStore, clock: Clock, user_id: int) -> None:
    """The statistics are those that the records give when they are played through, one after the other."""
    games: list[StoredGame] = []
    for number in count(1):
        found = await store.load_game(number)
        if found is None:
            break
        games += [found] if found.owner_id == user_id else []
    stats = await Stats(store, Daily(store, clock)).of(user_id)
    assert {group.key: facts(group) for group in stats.groups} == expected(games)


def facts(group: GroupStats) -> tuple[Any, ...]:
    scores = dict(group.scores)
    return group.played, group.won, group.in_progress, scores, group.streak, group.longest_streak


def expected(games: Sequence[StoredGame]) -> dict[str, tuple[Any, ...]]:
    """Written the long way: every record is replayed, and nothing else of the game is believed.

    That it was given up, and by which moves it was won, are the two facts that its record can't have.
    """
    results: dict[str, list[int | None]] = {}
    wins: dict[str, list[bool]] = {}
    for kept in games:
        record = Record.parse(kept.record)
        at = Position.of(record)
        has_won = at.outcome is Outcome.WON
        if kept.won_record:
            winning = Position.of(Record.parse(kept.won_record))
            assert winning.outcome is Outcome.WON
            assert winning.record.code == record.code
            has_won = True
        given_up = kept.status is Status.GIVEN_UP
        if not (record.moves or kept.undone or given_up):
            continue
        key = f"{record.game}/{record.rules}"
        going = not (has_won or given_up or at.outcome)
        score = at.table.full_score if has_won else at.table.score
        results.setdefault(key, []).append(None if going else score)
        wins.setdefault(key, [])
        if not going or kept is not games[-1]:
            wins[key].append(has_won)
    return {key: summed(results[key], wins[key]) for key in results}


def summed(results: Sequence[int | None], wins: Sequence[bool]) -> tuple[Any, ...]:
    marks = "".join("w" if win else "-" for win in wins)
    runs = [len(run) for run in marks.split("-")]
    scores = Counter(score for score in results if score is not None)
    won = marks.count("w")
    return len(results), won, len(results) - scores.total(), dict(scores), runs[-1], max(runs)
