"""What holds for the SQLite file."""
# ruff: noqa: ASYNC240 - the files are small, and nothing else waits for the loop

from __future__ import annotations

import asyncio
import re
import sqlite3
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

import aiosqlite
import pytest
import pytest_asyncio

from bot.storage import (
    BoardQuery,
    Challenge,
    DailyChannel,
    DailyResult,
    LiveTable,
    Participant,
    Settings,
    SqliteStore,
    Status,
    StoredGame,
    StoreError,
    open_store,
)
from bot.storage.sqlite import file as module
from bot.storage.sqlite import games as sqlite_games
from tests.storage.conftest import finish_daily, mark_of, new_daily, new_game

TODAY = "2027-01-01"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


@pytest_asyncio.fixture
async def store(path: Path) -> AsyncIterator[SqliteStore]:
    store = SqliteStore(path)
    await store.open()
    yield store
    await store.close()


def asked(path: Path, query: str) -> list[tuple[Any, ...]]:
    """What the file itself says, through a connection of its own."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def connection_of(store: SqliteStore) -> aiosqlite.Connection:
    assert store._connection is not None
    return store._connection


async def refusal(store: SqliteStore) -> str:
    """What `store` says when it refuses to open."""
    before = set(threading.enumerate())
    try:
        await store.open()
    except StoreError as error:
        # A connection that failed ends its thread in its own time, and not after the loop is closed.
        for thread in set(threading.enumerate()) - before:
            if not thread.name.startswith("asyncio_"):  # a worker of the loop's own, which ends it
                await asyncio.to_thread(thread.join)
        return str(error)
    await store.close()
    pytest.fail("it was opened")


async def pragma(store: SqliteStore, name: str) -> Any:
    rows = list(await connection_of(store).execute_fetchall(f"PRAGMA {name}"))
    return rows[0][0]


async def test_the_file_is_in_wal_mode(store: SqliteStore, path: Path) -> None:
    assert await pragma(store, "journal_mode") == "wal"
    assert asked(path, "PRAGMA journal_mode") == [("wal",)]


async def test_foreign_keys_are_enforced(store: SqliteStore) -> None:
    assert await pragma(store, "foreign_keys") == 1
    with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
        await connection_of(store).execute("INSERT INTO players (user_id, current_game) VALUES (1, 77)")


async def test_the_busy_time_out_is_five_seconds(store: SqliteStore) -> None:
    assert await pragma(store, "busy_timeout") == 5_000


async def test_a_commit_waits_for_the_disk(store: SqliteStore) -> None:
    assert await pragma(store, "synchronous") == 2  # FULL


async def test_another_process_that_writes_is_waited_for(store: SqliteStore, path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as backup:
        backup.execute("BEGIN IMMEDIATE")
        task = asyncio.create_task(store.create_game(new_game()))
        done, _ = await asyncio.wait({task}, timeout=0.1)
        assert not done
        backup.execute("COMMIT")
        game = await task
    assert await store.load_game(game.id) == game


async def test_the_file_is_sound_after_much_traffic(store: SqliteStore, path: Path) -> None:
    async def play(owner_id: int) -> None:
        game = await store.create_game(new_game(owner_id))
        for _ in range(10):
            game = await store.save_if_revision(replace(game, record=f"{game.record} s-t"))

    tasks = [asyncio.create_task(play(owner_id)) for owner_id in range(20)]
    await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    for task in tasks[::3]:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    await store.close()
    assert asked(path, "PRAGMA integrity_check") == [("ok",)]
    assert asked(path, "PRAGMA foreign_key_check") == []


async def test_closing_leaves_a_single_file_to_back_up(store: SqliteStore, path: Path) -> None:
    await store.create_game(new_game())
    await store.close()
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("statement", range(1, 7))
async def test_a_task_cancelled_at_any_statement_of_a_transaction_leaves_no_half(
    store: SqliteStore, statement: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`create_game` has six statements: BEGIN, whether it is dealt, the id, the game, the player, COMMIT."""
    before = await store.create_game(new_game(1))
    count = 0

    def cutting_off(method: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any) -> Any:
            nonlocal count
            count += 1
            task = asyncio.current_task()
            if count == statement and task is not None:
                task.cancel()
            return method(*arguments)

        return counted

    connection = connection_of(store)
    for name in ("execute", "execute_fetchall"):
        monkeypatch.setattr(connection, name, cutting_off(getattr(connection, name)))
    with pytest.raises(asyncio.CancelledError):
        await asyncio.create_task(store.create_game(new_game(1)))
    monkeypatch.undo()
    assert not connection.in_transaction
    current = await store.current_game(1)
    assert current is not None
    listed = await store.unfinished_games(1, 25)
    if statement < 6:
        assert (current, listed) == (before, [before])
    else:  # the COMMIT itself was on its way
        assert listed == [current, before]
    assert await store.create_game(new_game(1)) == await store.current_game(1)


async def test_a_failing_statement_leaves_no_half(store: SqliteStore, path: Path) -> None:
    game = await store.create_game(new_game())
    with pytest.raises(sqlite3.IntegrityError):
        await store.save_if_revision(replace(game, score=9, status="lost"))  # type: ignore[arg-type]
    assert not connection_of(store).in_transaction
    assert await store.load_game(game.id) == game


async def test_a_game_and_its_being_current_are_committed_together(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(_db: object, _game_id: int) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(sqlite_games, "set_current", broken)
    with pytest.raises(sqlite3.OperationalError, match="disk"):
        await store.create_game(new_game())
    assert asked(path, "SELECT COUNT(*) FROM games") == [(0,)]


async def test_a_store_that_is_not_open_says_so(path: Path) -> None:
    store = SqliteStore(path)
    with pytest.raises(StoreError, match="not open"):
        await store.current_game(1)
    with pytest.raises(StoreError, match="not open"):
        await store.create_game(new_game())


async def test_folders_on_the_way_are_made(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "new" / "folder" / "games.sqlite3")
    await store.open()
    await store.close()
    assert (tmp_path / "new" / "folder" / "games.sqlite3").is_file()


# What several verbs write at once, and what is left of who is forgotten


async def lived_in(store: SqliteStore) -> tuple[StoredGame, Challenge]:
    """Fills every table on behalf of users 4001 and 4002; returns a game and a challenge still going."""
    await finish_daily(store, 4000, TODAY, 5)
    await store.enter_server(6, 4000)
    await store.forget(4000, TODAY, mark_of(4000))
    for user_id in (4001, 4002):
        await finish_daily(store, user_id, TODAY, 5)
        await store.enter_server(6, user_id)
        await store.save_settings(user_id, Settings("no"))
        await store.set_daily_channel(DailyChannel(user_id + 90, 50, "no", user_id, TODAY))
    participants = (Participant(4001), Participant(4002))
    challenge = await store.create_challenge(
        Challenge(
            0, "acesup/standard/24", 4001, 30, 40, "no", is_open=True, created_ms=1, participants=participants
        )
    )
    await store.join_challenge(replace(new_game(4002), challenge_id=challenge.id), limit=9)
    game = await store.create_game(new_daily(4001, "2027-01-02"))
    await store.place_table(game.id, LiveTable(50, 60, "remains"))
    return game, challenge


def dump(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


Verb = Callable[[SqliteStore, StoredGame, Challenge], Awaitable[object]]
VERBS: Mapping[str, Verb] = {
    "create_game": lambda store, _game, _challenge: store.create_game(new_daily(4002, "2027-01-02")),
    "save_if_revision": lambda store, game, _challenge: store.save_if_revision(
        replace(game, score=9), DailyResult(game.day, game.owner_id, game.id, 9)
    ),
    "save_settings": lambda store, _game, _challenge: store.save_settings(4001, Settings(is_hidden=True)),
    "create_challenge": lambda store, _game, challenge: store.create_challenge(challenge),
    "join_challenge (named)": lambda store, _game, challenge: store.join_challenge(
        replace(new_game(4001), challenge_id=challenge.id), limit=9
    ),
    "join_challenge (open)": lambda store, _game, challenge: store.join_challenge(
        replace(new_game(4003), challenge_id=challenge.id), limit=9
    ),
    "leave_server": lambda store, _game, _challenge: store.leave_server(6, [4001, 4002]),
    "unlist": lambda store, _game, _challenge: store.unlist([4001, 4002]),
    "claim_daily_post": lambda store, _game, _challenge: store.claim_daily_post("2027-01-02", 1),
    "compact": lambda store, game, _challenge: store.compact(replace(game, status=Status.EXPIRED)),
    "forget": lambda store, _game, _challenge: store.forget(4001, TODAY, mark_of(4001)),
    "purge": lambda store, _game, _challenge: store.purge("2027-01-02"),
}


@pytest.mark.parametrize("verb", VERBS)
async def test_a_verb_that_fails_at_any_of_its_statements_has_changed_nothing(
    store: SqliteStore, path: Path, verb: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, challenge = await lived_in(store)
    connection = connection_of(store)
    before = dump(path)
    left = 0

    def failing(method: Callable[..., Any]) -> Callable[..., Any]:
        def counted(query: str, *arguments: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0:
                raise sqlite3.OperationalError("disk I/O error")
            return method(query, *arguments)

        return counted

    for name in ("execute", "executemany", "execute_fetchall"):
        monkeypatch.setattr(connection, name, failing(getattr(connection, name)))
    for failing_statement in range(1, 100):
        left = failing_statement
        try:
            await VERBS[verb](store, game, challenge)
        except sqlite3.OperationalError:
            assert not connection.in_transaction
            assert dump(path) == before
        else:
            break
    assert failing_statement > 3  # more than BEGIN, one statement, COMMIT were tried, so that it can succeed
    assert dump(path) != before


async def test_a_result_that_can_not_be_kept_keeps_the_turn_from_being_kept(store: SqliteStore) -> None:
    game = await store.create_game(new_daily(1, TODAY))
    with pytest.raises(sqlite3.IntegrityError):
        await store.save_if_revision(
            replace(game, score=9),
            DailyResult(TODAY, 1, game.id, None),  # type: ignore[arg-type]
        )
    assert await store.load_game(game.id) == game


def tables_with(path: Path, value: object) -> dict[str, list[tuple[Any, ...]]]:
    """The rows of the whole file in which a value stands in any column."""
    names = [name for (name,) in asked(path, "SELECT name FROM sqlite_master WHERE type = 'table'")]
    found = {name: [row for row in asked(path, f"SELECT * FROM {name}") if value in row] for name in names}
    return {name: rows for name, rows in found.items() if rows}


async def test_nowhere_in_the_file_is_the_id_of_who_is_forgotten(store: SqliteStore, path: Path) -> None:
    """A table that is new has to be filled by `lived_in`, and emptied by `forget`."""
    await lived_in(store)
    game = await store.daily_game(4001, TODAY)
    assert game is not None
    of_users = {
        table
        for (table,) in asked(path, "SELECT name FROM sqlite_master WHERE type = 'table'")
        for column in asked(path, f"SELECT name FROM pragma_table_info('{table}')")
        if column[0] in {"user_id", "owner_id", "creator_id", "chosen_by"}
    }
    assert set(tables_with(path, 4001)) == of_users
    others = tables_with(path, 4002)
    await store.forget(4001, TODAY, mark_of(4001))
    assert tables_with(path, 4001) == {}
    assert tables_with(path, 4002) == others
    assert asked(path, "SELECT * FROM live_tables") == []
    nobody = tables_with(path, -game.id)
    assert nobody == {
        "daily_results": [(TODAY, -game.id, game.id, 5, 1)],
        "server_players": [(6, -game.id)],
    }
    assert tables_with(path, mark_of(4001)) == {"daily_marks": [(TODAY, mark_of(4001))]}
    assert asked(path, "PRAGMA foreign_key_check") == []

    await store.purge("2027-01-02")
    assert tables_with(path, -game.id) == {}
    assert tables_with(path, mark_of(4001)) == {}
    assert tables_with(path, 4002) == others


async def test_a_nobody_without_a_result_is_tidied_up_too(store: SqliteStore, path: Path) -> None:
    game = await store.create_game(new_daily(4001, TODAY))
    await store.enter_server(6, 4001)
    await store.forget(4001, TODAY, mark_of(4001))
    await store.purge(TODAY)
    assert tables_with(path, -game.id) == {}


# How SQLite looks for what it is asked


async def plan(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch, asking: Callable[[], Awaitable[object]]
) -> list[str]:
    """Returns SQLite's steps for every query of a verb, such as ``SEARCH r USING INDEX … (day=?)``."""
    connection = connection_of(store)
    queries: list[tuple[str, Sequence[Any]]] = []

    def noting(method: Callable[..., Any]) -> Callable[..., Any]:
        def noted(query: str, values: Sequence[Any] = ()) -> Any:
            queries.append((query, values))
            return method(query, values)

        return noted

    with monkeypatch.context() as patch:
        for name in ("execute", "execute_fetchall"):
            patch.setattr(connection, name, noting(getattr(connection, name)))
        await asking()
    steps = []
    for query, values in queries:
        if query not in {"BEGIN IMMEDIATE", "COMMIT"}:
            rows = await connection.execute_fetchall(f"EXPLAIN QUERY PLAN {query}", values)
            steps += [row[3] for row in rows]
    assert steps
    return steps


def of_tables(steps: Sequence[str]) -> list[str]:
    """The steps that look into tables of the file: not into what a query itself has made."""
    return [step for step in steps if re.match(r"(SCAN|SEARCH) (?!totals\b|own\b|counts\b|\()", step)]


@pytest.mark.parametrize("server_id", [None, 6])
async def test_a_board_of_one_day_is_read_off_indexes(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch, server_id: int | None
) -> None:
    query = BoardQuery(TODAY, TODAY, 1, server_id)
    *board, own = of_tables(await plan(store, monkeypatch, lambda: store.board(query)))
    assert all(re.match(r"SEARCH \w+ USING COVERING INDEX", step) for step in board)
    assert len(board) == (2 if server_id is None else 4)
    assert re.match(r"SEARCH \w+ USING (COVERING )?INDEX .*\bday=\?.*\buser_id=\?|.*user_id=\?.*day=\?", own)


async def test_the_scores_of_a_day_are_counted_without_sorting(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = await plan(store, monkeypatch, lambda: store.board(BoardQuery(TODAY, TODAY, 1)))
    assert not [step for step in steps if "GROUP BY" in step]


@pytest.mark.parametrize("server_id", [None, 6])
@pytest.mark.parametrize("first", ["2026-12-01", ""])
async def test_a_board_of_several_days_is_read_off_indexes(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch, first: str, server_id: int | None
) -> None:
    query = BoardQuery(first, TODAY if first else "", 1, server_id)
    steps = of_tables(await plan(store, monkeypatch, lambda: store.board(query)))
    assert all("USING COVERING INDEX" in step for step in steps)
    if first or server_id:  # else it is about all results there are
        assert all(step.startswith("SEARCH") for step in steps)


async def test_the_sums_of_all_days_are_made_without_sorting(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the count of each score sorts: the results come off the index user by user."""
    steps = await plan(store, monkeypatch, lambda: store.board(BoardQuery("", "", 1)))
    assert len([step for step in steps if "GROUP BY" in step]) == 1


# Migrations


def test_migrations_are_numbered_without_a_gap() -> None:
    assert list(module.migrations()) == list(range(1, len(module.migrations()) + 1))


def test_every_script_in_the_folder_is_a_migration() -> None:
    folder = Path(module.__file__).parent / "migrations"
    names = sorted(file.name for file in folder.iterdir() if file.is_file())
    assert [name[:4] for name in names] == [f"{number:04}" for number in module.migrations()]


async def test_every_migration_is_noted_once(store: SqliteStore, path: Path) -> None:
    await store.close()
    await store.open()
    assert asked(path, "SELECT number FROM migrations") == [(number,) for number in module.migrations()]


async def test_a_later_migration_finds_the_games_of_earlier_versions(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await store.create_game(new_game())
    await store.close()
    later = {**module.migrations(), 900: "ALTER TABLE games ADD COLUMN stars BIGINT NOT NULL DEFAULT 5;"}
    monkeypatch.setattr(module, "migrations", lambda: later)
    await store.open()
    assert await store.current_game(1) == game
    assert asked(path, "SELECT stars FROM games") == [(5,)]
    assert asked(path, "SELECT MAX(number) FROM migrations") == [(900,)]


async def test_a_failing_migration_leaves_nothing_and_can_be_tried_again(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = await store.create_game(new_game())
    await store.close()
    good = "CREATE TABLE stars (game BIGINT NOT NULL);"
    failing = {
        **module.migrations(),
        900: f"{good}\nUPDATE games SET score = 99;\nINSERT INTO nowhere VALUES (1);",
    }
    monkeypatch.setattr(module, "migrations", lambda: failing)
    assert str(path) in await refusal(store)
    assert asked(path, "SELECT name FROM sqlite_master WHERE name = 'stars'") == []
    assert asked(path, "SELECT score FROM games") == [(0,)]
    assert asked(path, "SELECT MAX(number) < 900 FROM migrations") == [(1,)]

    monkeypatch.setattr(module, "migrations", lambda: {**failing, 900: good})
    await store.open()
    assert await store.current_game(1) == game
    assert asked(path, "SELECT COUNT(*) FROM stars") == [(0,)]


async def test_a_script_without_its_note_is_not_committed(
    store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The note of an earlier script stands in the way of this one's: then the script itself is undone too."""
    await store.close()
    failing = {
        **module.migrations(),
        900: "CREATE TABLE stars (game BIGINT NOT NULL); INSERT INTO migrations (number) VALUES (900);",
    }
    monkeypatch.setattr(module, "migrations", lambda: failing)
    assert str(path) in await refusal(store)
    assert asked(path, "SELECT name FROM sqlite_master WHERE name = 'stars'") == []
    assert asked(path, "SELECT MAX(number) < 900 FROM migrations") == [(1,)]


async def test_a_file_of_a_newer_version_is_refused_and_untouched(store: SqliteStore, path: Path) -> None:
    await store.create_game(new_game())
    await store.close()
    newer = max(module.migrations()) + 1
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("INSERT INTO migrations (number) VALUES (?)", (newer,))
    before = path.read_bytes()
    assert re.search(
        rf"{path} .*newer version.*nothing was changed.*Update the program", await refusal(store)
    )
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


VERSION_2_GAMES = [
    StoredGame(1, 71, "acesup/standard/24", "", 0, Status.PLAYING, 0, 501, 1_000, 1_000),
    StoredGame(2, 71, "acesup/standard/%C3%B8 s-t 1-d", "2-d 3-d", 7, Status.OVER, 3, 502, 1_001, 2_000),
    StoredGame(
        *(5, 72, "klondike/d1/42 s-w w-fh", "", 2, Status.WON, 52, 2**63 - 1, 1_002, 4_102_444_800_000),
        won_record="klondike/d1/42 s-w w-fh",
    ),
    StoredGame(9, 2**63 - 1, "klondike/d3/'x'", "s-w", 4, Status.GIVEN_UP, 1, 504, 1_003, 3_000),
]


def write_version_2(path: Path) -> None:
    """Make a file as version 2 of the program left it, with something in every table."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE migrations (number BIGINT NOT NULL PRIMARY KEY)")
        for number in (1, 2):
            connection.executescript(module.migrations()[number])
            connection.execute("INSERT INTO migrations (number) VALUES (?)", (number,))
        for game in VERSION_2_GAMES:
            connection.execute("INSERT INTO games VALUES (?,?,?,?,?,?,?,?,?,?)", astuple(game)[:10])
        connection.executemany("INSERT INTO players VALUES (?,?)", [(71, 1), (72, 5), (2**63 - 1, 9)])
        connection.execute("INSERT INTO memory VALUES ('commands', 'one')")
        connection.execute("INSERT INTO settings VALUES (71, 'no', 1, 0, 1, 0), (72, '', 0, 1, 0, 1)")
        connection.execute("INSERT INTO live_tables VALUES (1, 11, 12, 'a'), (9, 13, 14, 'ø')")
        connection.commit()


@pytest_asyncio.fixture
async def migrated(path: Path) -> AsyncIterator[SqliteStore]:
    """A store on a file of version 2."""
    write_version_2(path)
    store = SqliteStore(path)
    await store.open()
    yield store
    await store.close()


async def test_a_file_of_version_2_keeps_its_games(migrated: SqliteStore, path: Path) -> None:
    assert {game.status for game in VERSION_2_GAMES} == {*Status} - {Status.EXPIRED}
    for game in VERSION_2_GAMES:
        assert await migrated.load_game(game.id) == game
    assert asked(path, "SELECT COUNT(*) FROM games") == [(len(VERSION_2_GAMES),)]
    assert asked(path, "SELECT number FROM migrations") == [(number,) for number in module.migrations()]
    assert await migrated.games_of(71, 0, 10) == VERSION_2_GAMES[:2]


async def test_a_file_of_version_2_keeps_players_settings_tables_and_memory(migrated: SqliteStore) -> None:
    for user_id, game in ((71, 0), (72, 2), (2**63 - 1, 3)):
        assert await migrated.current_game(user_id) == VERSION_2_GAMES[game]
    assert await migrated.load_settings(71) == Settings("no", is_private=True, four_colours=True)
    assert await migrated.load_settings(72) == Settings("", as_text=True, large_index=True)
    assert await migrated.load_settings(73) == Settings()
    assert await migrated.live_table(1) == LiveTable(11, 12, "a")
    assert await migrated.live_table(9) == LiveTable(13, 14, "ø")
    assert await migrated.live_table(2) is None
    assert await migrated.get_value("commands") == "one"


async def test_a_file_of_version_2_is_played_on(migrated: SqliteStore) -> None:
    playing = VERSION_2_GAMES[0]
    saved = await migrated.save_if_revision(replace(playing, score=4, status=Status.EXPIRED))
    assert await migrated.current_game(71) == saved
    assert (await migrated.create_game(new_game(71))).id == 10
    daily = await finish_daily(migrated, 71, TODAY, 5)
    assert await migrated.daily_game(71, TODAY) == daily
    assert [played.is_won for played in await migrated.played(72)] == [True]
    await migrated.forget(71, TODAY, mark_of(71))
    assert await migrated.games_of(71, 0, 10) == []
    assert await migrated.load_game(5) == VERSION_2_GAMES[2]


async def test_no_game_of_version_2_is_a_daily_game_or_of_a_challenge(migrated: SqliteStore) -> None:
    assert await migrated.unsettled_dailies("9999-12-31", 10) == []
    assert await migrated.results_after("", 0, 10) == []
    assert await migrated.challenges_of(71) == []


async def test_after_the_migration_foreign_keys_hold_and_are_enforced(
    migrated: SqliteStore, path: Path
) -> None:
    assert asked(path, "PRAGMA foreign_key_check") == []
    assert asked(path, "PRAGMA integrity_check") == [("ok",)]
    assert await pragma(migrated, "foreign_keys") == 1
    for table in ("players", "live_tables"):
        assert asked(path, f'SELECT "table", "to" FROM pragma_foreign_key_list(\'{table}\')') == [
            ("games", "id")
        ]
    connection = connection_of(migrated)
    for statement in (
        "INSERT INTO players (user_id, current_game) VALUES (1, 77)",
        "INSERT INTO live_tables (game_id, channel_id, message_id, remains) VALUES (77, 1, 1, '')",
        "INSERT INTO challenge_players (challenge_id, user_id, game_id, place) VALUES (77, 1, 0, 1)",
        "DELETE FROM games WHERE id = 1",
    ):
        with pytest.raises(sqlite3.IntegrityError, match="FOREIGN KEY"):
            await connection.execute(statement)


async def test_an_old_file_has_the_same_tables_and_indexes_as_a_new_one(
    migrated: SqliteStore, path: Path, tmp_path: Path
) -> None:
    new = tmp_path / "new.sqlite3"
    fresh = SqliteStore(new)
    await fresh.open()
    await fresh.close()
    schema = "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY type, name"
    assert asked(path, schema) == asked(new, schema)
    assert asked(path, "SELECT name FROM sqlite_master WHERE name LIKE '%anew%'") == []


async def test_a_migration_that_can_not_be_finished_leaves_version_2_as_it_was(path: Path) -> None:
    """The last statements of the script fail, after all games were moved; then it is tried again."""
    write_version_2(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE challenge_players (in_the_way TEXT)")
    before = dump(path)
    assert str(path) in await refusal(SqliteStore(path))
    assert dump(path) == before
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE challenge_players")
    store = SqliteStore(path)
    await store.open()
    for game in VERSION_2_GAMES:
        assert await store.load_game(game.id) == game
    await store.close()


# Files that are no database of ours


@pytest.mark.parametrize(
    "content",
    [b"My shopping list: milk, bread\n", b"no database " * 5_000],
    ids=["a line", "many pages"],
)
async def test_a_file_that_is_no_database_is_refused_and_untouched(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    said = await refusal(SqliteStore(path))
    assert re.search(rf"{path} .*nothing was changed.*put a backup in its place", said)
    assert path.read_bytes() == content
    assert [file.name for file in path.parent.iterdir()] == [path.name]


async def damage(store: SqliteStore, path: Path, name: str) -> bytes:
    """Overwrite the page on which a table or an index begins; return the whole file as it then is."""
    for owner_id in range(40):
        await store.create_game(new_game(owner_id, seed="x" * 60))
    await store.close()
    [(page,)] = asked(path, f"SELECT rootpage FROM sqlite_master WHERE name = '{name}'")
    [(size,)] = asked(path, "PRAGMA page_size")
    content = bytearray(path.read_bytes())
    content[(page - 1) * size : page * size] = b"\xa5" * size
    path.write_bytes(content)
    return bytes(content)


async def test_a_damaged_database_is_refused_and_untouched(store: SqliteStore, path: Path) -> None:
    damaged = await damage(store, path, "sqlite_autoindex_migrations_1")
    assert re.search(rf"{path} .*nothing was changed.*put a backup in its place", await refusal(store))
    assert path.read_bytes() == damaged


async def test_a_database_whose_games_are_damaged_is_refused_and_untouched(
    store: SqliteStore, path: Path
) -> None:
    damaged = await damage(store, path, "games")
    assert str(path) in await refusal(store)
    assert path.read_bytes() == damaged


async def test_a_database_of_another_program_is_refused_and_untouched(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("CREATE TABLE games (title TEXT)")
    before = path.read_bytes()
    assert str(path) in await refusal(SqliteStore(path))
    assert path.read_bytes() == before


async def test_a_folder_is_no_database(tmp_path: Path) -> None:
    assert "can't be used as the database" in await refusal(SqliteStore(tmp_path))


async def test_a_file_is_no_folder_for_a_database(path: Path) -> None:
    path.write_bytes(b"")
    assert "can't be used as the database" in await refusal(SqliteStore(path / "games.sqlite3"))


async def test_a_store_that_could_not_be_opened_can_be_once_the_cause_is_gone(path: Path) -> None:
    path.write_bytes(b"My shopping list")
    store = SqliteStore(path)
    assert str(path) in await refusal(store)
    path.unlink()
    await store.open()
    assert (await store.create_game(new_game())).status is Status.PLAYING
    await store.close()


# Addresses


def test_an_address_names_a_file() -> None:
    store = open_store("sqlite:///folder/games.sqlite3")
    assert isinstance(store, SqliteStore)
    assert store._path == Path("folder/games.sqlite3")


@pytest.mark.parametrize("url", ["", "games.sqlite3", "sqlite:///", "sqlite://games", "mysql:///games"])
def test_another_address_is_refused_with_one_that_works(url: str) -> None:
    with pytest.raises(ValueError, match=r"sqlite:///path/to/file\.sqlite3"):
        open_store(url)
