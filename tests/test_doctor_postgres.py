"""What the doctor, and the operator's other commands, say where the games are in PostgreSQL."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from bot.__main__ import main
from bot.config import Config
from bot.operations.doctor.database import check_database
from bot.operations.doctor.files import check_disk_space, check_file_permissions
from bot.operations.doctor.finding import Finding
from bot.operations.doctor.postgres import check_postgres, stored_value
from bot.operations.exit_codes import FAILED
from bot.operations.verify import verify
from bot.storage import StoreError, open_store
from bot.storage.postgres import inspect as module
from bot.storage.postgres import migrations
from bot.storage.postgres.server import connect
from bot.storage.schema import MARK
from tests.postgres import schema
from tests.storage.conftest import new_game


@pytest_asyncio.fixture
async def url(postgres_url: str) -> AsyncIterator[str]:
    async with schema(postgres_url) as address:
        yield address


async def keep_a_game(url: str) -> None:
    store = open_store(url)
    await store.open()
    await store.create_game(new_game())
    await store.set_value("key", "value")
    await store.close()


async def first(url: str) -> Finding:
    return (await check_postgres(url))[0]


async def test_an_empty_database_is_made_at_the_first_start(url: str) -> None:
    found = await first(url)
    assert (found.is_wrong, "empty" in found.state, "first start" in found.advice) == (False, True, True)


async def test_a_sound_one_is_named_with_its_games_and_the_room_that_is_left(url: str) -> None:
    await keep_a_game(url)
    found, *rest = await check_postgres(url)
    assert not found.is_wrong
    assert ", 1 games" in found.state
    assert "PostgreSQL 1" in found.state
    assert any(finding.subject == "connections" and not finding.is_wrong for finding in rest)


async def test_a_server_that_does_not_wait_for_its_disk_is_wrong(url: str) -> None:
    await keep_a_game(url)
    [risk] = [
        one for one in await check_postgres(f"{url}&synchronous_commit=off") if one.subject == "durability"
    ]
    assert risk.is_wrong
    assert "synchronous_commit" in risk.advice


async def test_a_server_without_room_is_wrong(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = await module.inspect(url)

    async def full(_: str) -> module.Inspection:
        return replace(seen, room=3)

    monkeypatch.setattr(module, "inspect", full)
    [found] = [one for one in await check_postgres(url) if one.subject == "connections"]
    assert (found.is_wrong, "only 3 more" in found.state) == (True, True)


async def test_what_the_bot_would_refuse_is_wrong(url: str) -> None:
    db = await connect(url)
    await db.execute("CREATE TABLE theirs (x int)")
    assert "another program" in (await first(url)).state
    await db.execute("DROP TABLE theirs")
    await keep_a_game(url)
    newer = max(migrations()) + 1
    await db.execute("INSERT INTO migrations (number) VALUES ($1)", newer)
    found = await first(url)
    assert (found.is_wrong, f"schema {newer}" in found.state) == (True, True)
    await db.close()


async def test_a_schema_that_is_not_there_is_no_empty_database(url: str) -> None:
    missing = f"{url}_missing"
    found = await first(missing)
    assert (found.is_wrong, "no such schema" in found.state) == (True, True)
    with pytest.raises(StoreError, match="no such schema"):
        await open_store(missing).open()


async def test_migrations_of_another_program_are_not_ours(url: str) -> None:
    db = await connect(url)
    await db.execute("CREATE TABLE migrations (number BIGINT); CREATE TABLE theirs (x int)")
    assert "another program" in (await first(url)).state
    with pytest.raises(StoreError, match="another program's"):
        await open_store(url).open()
    await db.close()


@asynccontextmanager
async def stranger(url: str) -> AsyncIterator[str]:
    """The address of the same schema, for a user with no rights but to look into it."""
    name = f"stranger_{secrets.token_hex(4)}"
    where = url.partition("search_path=")[2]
    db = await connect(url)
    await db.execute(f"CREATE ROLE {name} LOGIN; GRANT USAGE ON SCHEMA {where} TO {name}")
    try:
        yield f"postgresql://{name}@{url.partition('@')[2]}"
    finally:
        await db.execute(f"DROP OWNED BY {name}; DROP ROLE {name}")
        await db.close()


async def test_who_may_not_make_tables_reads_so_before_the_first_start(url: str) -> None:
    async with stranger(url) as address:
        found = await first(address)
        assert (found.is_wrong, "may not make tables" in found.state) == (True, True)
        with pytest.raises(StoreError, match="permission denied"):
            await open_store(address).open()


async def test_who_may_not_write_to_the_tables_reads_so(url: str) -> None:
    await keep_a_game(url)
    async with stranger(url) as address:
        db = await connect(url)
        await db.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA {url.partition('search_path=')[2]} TO PUBLIC")
        await db.close()
        found = await first(address)
        assert (found.is_wrong, "daily_results" in found.state) == (True, True)


async def test_one_that_may_only_be_read_is_wrong(url: str) -> None:
    await keep_a_game(url)
    found = await first(f"{url}&default_transaction_read_only=on")
    assert (found.is_wrong, "read-only" in found.state) == (True, True)


async def test_a_server_that_can_not_be_reached_is_wrong_and_no_password_is_told() -> None:
    found = await first("postgresql://bot:hush@127.0.0.1:9/games")
    assert found.is_wrong
    assert "hush" not in str(found)


async def test_what_is_remembered_is_found_and_nothing_is_where_nothing_can_be_asked(url: str) -> None:
    assert await stored_value(url, "key") is None
    await keep_a_game(url)
    assert await stored_value(url, "key") == "value"
    assert await stored_value("postgresql://127.0.0.1:9/games", "key") is None


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_a_half_moved_database_is_wrong(kind: str, url: str, tmp_path: Path) -> None:
    address = url if kind == "postgres" else f"sqlite:///{tmp_path / 'games.sqlite3'}"
    store = open_store(address)
    await store.open()
    await store.set_value(MARK, "from somewhere")
    await store.close()
    [found] = await check_database(Config(database_url=address))
    assert (found.is_wrong, "migrate-store" in found.advice) == (True, True)


async def test_files_of_sqlite_are_not_looked_for(
    url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: object
) -> None:
    monkeypatch.chdir(str(tmp_path))
    config = Config(database_url=url)
    assert await check_file_permissions(config) == []
    assert await check_disk_space(config) == []
    assert (await check_database(config))[0].subject == "database"


@pytest.mark.parametrize("command", [["backup", "x"], ["restore", "x"]])
def test_a_copy_of_a_server_is_made_with_its_own_tools(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://bot:hush@127.0.0.1:9/games")
    assert main(command) == FAILED
    said = capsys.readouterr().err
    assert "pg_dump" in said
    assert "hush" not in said


async def test_boards_in_postgres_are_proved(
    url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    await keep_a_game(url)
    code = await verify(Config(database_url=url))
    assert (code, "0 results" in capsys.readouterr().out) == (0, True)
