"""What is kept of a user: exported whole, deleted whole, and nothing of anybody else either way."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any

import pytest

from bot.service import Daily, GameService, NoGame, NoSuchGame, OwnData
from bot.service.errors import DailyAlreadyPlayed
from bot.storage import (
    Challenge,
    DailyChannel,
    LiveTable,
    NewGame,
    Participant,
    Settings,
    Status,
    Store,
    StoredGame,
    is_postgres,
    sqlite_path,
)
from engine import Record
from tests.postgres import rows_in
from tests.service.conftest import Clock, Player, finished

DAY_MS = 24 * 60 * 60 * 1000

# Ids that are nowhere by chance, so that a search for them finds what belongs to their users.
ADA, OLA = 1_111_222_233_334_444, 5_555_666_677_778_888
SERVER, CHANNEL = 900_100, 900_200

Row = dict[str, Any]


@pytest.fixture
def daily(store: Store, clock: Clock) -> Daily:
    return Daily(store, clock)


@pytest.fixture
def own_data(store: Store, daily: Daily) -> OwnData:
    return OwnData(store, daily)


@pytest.fixture
def play(store: Store, clock: Clock, daily: Daily) -> GameService:
    return GameService(store, clock, daily=daily)


@pytest.fixture
def ada(play: GameService, store: Store) -> Player:
    return Player(play, store, ADA, count(71_000))


@pytest.fixture
def ola(play: GameService, store: Store) -> Player:
    return Player(play, store, OLA, count(82_000))


async def database(url: str) -> dict[str, list[Row]]:
    """Every row of every table."""
    if is_postgres(url):
        return await rows_in(url)
    with closing(sqlite3.connect(sqlite_path(url))) as db:
        db.row_factory = sqlite3.Row
        tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: [dict(row) for row in db.execute(f"SELECT * FROM {name}")] for name in tables}


async def mentioning(url: str, user_id: int) -> dict[str, list[Row]]:
    """The rows that have a user's id in them anywhere, by their tables."""
    found = {
        name: [row for row in rows if any(str(user_id) in str(value) for value in row.values())]
        for name, rows in (await database(url)).items()
    }
    return {name: rows for name, rows in found.items() if rows}


async def live(player: Player, server_id: int, name: str) -> list[StoredGame]:
    """Let a player have something in every table: games of all kinds, a day, friends, settings."""
    store, user_id = player.store, player.user_id
    await player.new("klondike", "d1", f"{name} å/%")
    await player.draw()
    await player.draw()
    await player.undo()
    last = finished("won", "klondike")
    await player.holds(replace(last, moves=last.moves[:-1]))
    await player.move(str(last.moves[-1]))
    await player.undo()
    await player.play.play_daily(player.request())
    await player.draw()
    await player.give_up()
    await store.save_settings(user_id, Settings("no", as_text=True, is_hidden=name == "ada"))
    await store.enter_server(server_id, user_id)
    await store.enter_server(server_id + 1, user_id)
    await store.set_daily_channel(
        DailyChannel(server_id, CHANNEL, "no", user_id, "2023-11-14", 1_700_000_000_000, trouble="forbidden")
    )
    games = list(await store.games_of(user_id, 0, 100))
    await store.place_table(games[0].id, LiveTable(CHANNEL, user_id // 3, f"words of {name}"))
    return games


async def challenge_both(store: Store, creator: int, other: int) -> Challenge:
    participants = (Participant(creator), Participant(other))
    deal = Challenge(0, "acesup/cell/secret-seed", creator, CHANNEL, 5, "en", True, 1_000, participants)
    return await store.create_challenge(deal)


async def joined(player: Player, challenge: Challenge, status: Status = Status.PLAYING) -> StoredGame:
    new = NewGame(
        player.user_id, challenge.deal, Status.PLAYING, 0, next(player.ids), 5, challenge_id=challenge.id
    )
    game = await player.store.join_challenge(new, 10)
    return await player.store.save_if_revision(replace(game, status=status))


# ------------------------------------------------------------------------------------------- export


async def test_an_export_is_json_with_all_that_is_kept(
    own_data: OwnData, store: Store, ada: Player, ola: Player, database_url: str
) -> None:
    games = await live(ada, SERVER, "ada")
    await live(ola, SERVER + 5, "ola")
    challenge = await challenge_both(store, OLA, ADA)
    games.append(await joined(ada, challenge, Status.GIVEN_UP))
    data = await own_data.export(ADA)
    assert json.loads(json.dumps(data)) == data
    assert data["user_id"] == str(ADA)
    assert data["settings"] == asdict(Settings("no", as_text=True, is_hidden=True))
    assert data["current_game_id"] == str(games[-1].id)
    assert data["servers"] == [str(SERVER), str(SERVER + 1)]
    [result] = data["daily_results"]
    assert result == {"day": "2023-11-14", "game_id": str(games[2].id), "score": games[2].score}
    [channel] = data["daily_channels"]
    assert (channel["server_id"], channel["channel_id"], channel["language"]) == (
        str(SERVER),
        str(CHANNEL),
        "no",
    )
    assert channel["trouble"] == "forbidden"
    [entered] = data["challenges"]
    assert (entered["id"], entered["is_yours"], entered["your_place"]) == (str(challenge.id), False, 2)
    assert (entered["your_game_id"], entered["deal"]) == (str(games[-1].id), "acesup/cell/secret-seed")
    assert [one["id"] for one in data["games"]] == [str(game.id) for game in games]
    for one, game in zip(data["games"], games, strict=True):
        assert (one["record"], one["undone"], one["won_record"]) == (
            game.record,
            game.undone,
            game.won_record,
        )
        assert (one["status"], one["score"], one["day"]) == (game.status, game.score, game.day)
        assert (one["revision"], one["request_id"]) == (game.revision, str(game.request_id))
        for field, ms in (("created", game.created_ms), ("updated", game.updated_ms)):
            when = datetime.fromisoformat(one[field])
            assert when.utcoffset() == timedelta(0)
            assert round(when.timestamp() * 1000) == ms
    assert games[1].won_record
    assert data["games"][0]["table"] == {
        "channel_id": str(CHANNEL),
        "message_id": str(ADA // 3),
        "remains": "words of ada",
    }
    assert data["games"][1]["table"] is None


def leaves(value: Any) -> Iterator[str]:
    """Every text and number in an export."""
    if isinstance(value, dict):
        for inner in value.values():
            yield from leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner)
    else:
        yield str(value)


def iso(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds")


async def test_an_export_has_every_value_that_the_database_has_with_the_users_id(
    own_data: OwnData, store: Store, ada: Player, ola: Player, database_url: str
) -> None:
    games = await live(ada, SERVER, "ada")
    await live(ola, SERVER + 5, "ola")
    challenge = await challenge_both(store, ADA, OLA)
    await joined(ada, challenge, Status.OVER)
    written = set(leaves(await own_data.export(ADA)))
    rows = await mentioning(database_url, ADA)
    assert set(rows) == {
        "games",
        "players",
        "settings",
        "daily_results",
        "server_players",
        "daily_channels",
        "challenges",
        "challenge_players",
    }
    rows["live_tables"] = [
        row
        for row in (await database(database_url))["live_tables"]
        if row["game_id"] in {game.id for game in games}
    ]
    flags = ("is_", "as_", "four_", "large_")
    for table, found in rows.items():
        for row in found:
            for column, value in row.items():
                if column.startswith(flags) or value in (0, ""):
                    continue
                text = iso(value) if column.endswith("_ms") else str(value)
                assert text in written, (table, column)


async def test_an_export_has_nothing_of_others(
    own_data: OwnData, store: Store, ada: Player, ola: Player
) -> None:
    await live(ada, SERVER, "ada")
    games = await live(ola, SERVER + 5, "ola")
    for creator, other in ((OLA, ADA), (ADA, OLA)):
        challenge = await challenge_both(store, creator, other)
        games.append(await joined(ola, challenge))
        await joined(ada, challenge, Status.OVER)
    text = json.dumps(await own_data.export(ADA), ensure_ascii=False)
    for secret in (str(OLA), "ola å", "words of ola", str(SERVER + 5), str(SERVER + 6), str(OLA // 3)):
        assert secret not in text
    exported = {one["id"] for one in json.loads(text)["games"]}
    assert not exported & {str(game.id) for game in games}


async def test_of_nobody_there_is_nothing_but_defaults(own_data: OwnData, ola: Player) -> None:
    await live(ola, SERVER, "ola")
    data = await own_data.export(ADA)
    assert data.pop("user_id") == str(ADA)
    assert data.pop("settings") == asdict(Settings())
    assert not any(data.values())


async def test_a_large_account_is_exported_whole(
    own_data: OwnData, ada: Player, ola: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.service.players.own_data._BATCH", 3)
    for number in range(10):
        await (ola if number % 3 == 2 else ada).new("acesup", "standard", str(number))
    games = (await own_data.export(ADA))["games"]
    assert [Record.parse(one["record"]).seed for one in games] == ["0", "1", "3", "4", "6", "7", "9"]


async def test_the_seed_of_a_daily_game_is_left_out_until_it_has_ended(
    own_data: OwnData, daily: Daily, ada: Player, clock: Clock
) -> None:
    await ada.play.play_daily(ada.request())
    await ada.draw()
    seed = (await daily.record(daily.today)).seed
    data = await own_data.export(ADA)
    assert seed not in json.dumps(data)
    assert data["games"][0]["record"] == "acesup/standard/? s-t"
    clock.now_ms += DAY_MS  # nobody looked at the game since
    [game] = (await own_data.export(ADA))["games"]
    assert (Record.parse(game["record"]).seed, game["status"]) == (seed, "expired")
    await ada.play.play_daily(ada.request())
    await ada.give_up()
    assert (await daily.record(daily.today)).seed in json.dumps(await own_data.export(ADA))


@pytest.mark.parametrize("status", [None, Status.PLAYING, Status.OVER])
async def test_the_seed_of_a_challenge_is_left_out_until_ones_own_game_has_ended(
    own_data: OwnData, store: Store, ada: Player, status: Status | None
) -> None:
    challenge = await challenge_both(store, ADA, OLA)
    if status is not None:
        await joined(ada, challenge, status)
    text = json.dumps(await own_data.export(ADA))
    assert ("secret-seed" in text) is (status is Status.OVER)
    assert ("acesup/cell/?" in text) is (status is not Status.OVER)


# ------------------------------------------------------------------------------------------- forget


async def test_after_forgetting_no_table_mentions_the_user(
    own_data: OwnData, store: Store, ada: Player, ola: Player, database_url: str
) -> None:
    games = await live(ada, SERVER, "ada")
    await live(ola, SERVER + 5, "ola")
    challenge = await challenge_both(store, ADA, OLA)
    await joined(ada, challenge)
    await store.place_table(games[-1].id, LiveTable(CHANNEL, 6, "more words of ada"))
    done = await own_data.forget(ADA)
    assert done.games == len(games) + 1
    assert await mentioning(database_url, ADA) == {}
    text = json.dumps(await database(database_url), ensure_ascii=False)
    assert "words of ada" not in text
    assert "ada å" not in text
    kept = {row["id"] for row in (await database(database_url))["games"]}
    assert not kept & {game.id for game in games}
    assert {row["game_id"] for row in (await database(database_url))["live_tables"]} <= kept
    data = await own_data.export(ADA)
    assert [key for key, value in data.items() if value and key not in ("user_id", "settings")] == []
    assert data["settings"] == asdict(Settings())


async def test_what_others_have_stays_as_it_is(
    own_data: OwnData, store: Store, ada: Player, ola: Player, database_url: str
) -> None:
    await live(ada, SERVER, "ada")
    await live(ola, SERVER + 5, "ola")
    challenge = await challenge_both(store, ADA, OLA)
    await joined(ola, challenge)
    await joined(ada, challenge)
    before, rows = await own_data.export(OLA), await mentioning(database_url, OLA)
    await own_data.forget(ADA)
    after = await own_data.export(OLA)
    assert [challenge.pop("your_place") for challenge in (*before["challenges"], *after["challenges"])] == [
        2,
        1,
    ]
    assert after == before
    assert await mentioning(database_url, OLA) == rows
    kept = await store.load_challenge(challenge.id)
    assert kept is not None
    assert kept.creator_id == 0
    assert [entrant.user_id for entrant in kept.participants] == [OLA]


@pytest.mark.parametrize("ended", [True, False])
async def test_there_is_no_second_attempt_at_the_daily_game(
    own_data: OwnData, daily: Daily, ada: Player, ola: Player, clock: Clock, database_url: str, ended: bool
) -> None:
    await ada.play.play_daily(ada.request())
    await ada.draw()
    if ended:
        await ada.give_up()
    done = await own_data.forget(ADA)
    assert done.daily_ends_ms == daily.ends_ms(daily.today) > 0
    with pytest.raises(DailyAlreadyPlayed):
        await ada.play.play_daily(ada.request())
    assert (await own_data.forget(ADA)).daily_ends_ms == 0
    with pytest.raises(DailyAlreadyPlayed):
        await ada.play.play_daily(ada.request())
    assert await mentioning(database_url, ADA) == {}
    await ola.play.play_daily(ola.request())
    clock.now_ms += DAY_MS
    await ada.play.play_daily(ada.request())
    assert await daily.settle_all() == 1
    left = await database(database_url)
    assert left["daily_marks"] == []
    assert [row for row in left["daily_results"] if row["user_id"] < 0] == []


async def test_who_had_no_daily_game_may_still_play_it(own_data: OwnData, ada: Player) -> None:
    await ada.new("klondike", "d1", "1")
    assert (await own_data.forget(ADA)).daily_ends_ms == 0
    await ada.play.play_daily(ada.request())


async def test_a_repeated_request_does_not_bring_a_deleted_game_back(
    own_data: OwnData, ada: Player, database_url: str
) -> None:
    dealing, drawing = ada.request(), ada.request()
    await ada.play.new(dealing, game="klondike", rules="d1", seed="36")
    turn = await ada.play.draw(drawing)
    await own_data.forget(ADA)
    for again in (
        ada.play.new(dealing, game="klondike", rules="d1", seed="36"),
        ada.play.draw(drawing),
        ada.play.newest(turn),
    ):
        with pytest.raises(NoSuchGame):
            await again
    assert await mentioning(database_url, ADA) == {}


async def test_what_is_pressed_under_a_deleted_game_says_that_it_is_gone(
    own_data: OwnData, ada: Player, ola: Player
) -> None:
    game_id = (await ada.new("klondike", "d1", "36")).game.id
    await own_data.forget(ADA)
    for gone in (
        ada.draw(game_id=game_id, revision=0),
        ada.show(game_id=game_id),
        ada.resume(game_id),
        ola.play.deal_same(ola.request(game_id=game_id)),
    ):
        with pytest.raises(NoSuchGame):
            await gone
    with pytest.raises(NoGame):
        await ada.draw()
    assert (await ada.new("klondike", "d1", "36")).game.id > game_id
