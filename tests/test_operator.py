"""The operator's own commands, as they are typed."""

from __future__ import annotations

import asyncio
import itertools
import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from email.utils import formatdate
from pathlib import Path

import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from bot.__main__ import main
from bot.config import Config
from bot.operations.doctor import checks, clock, files, installation
from bot.operations.doctor.clock import check_clock
from bot.service import Position, Request, Services
from bot.storage import SqliteStore, StoreError, backup, restore
from engine import Record


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)  # away from anybody's .env
    path = tmp_path / "games.sqlite3"
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{path}")
    return path


async def play(path: Path) -> None:
    store = SqliteStore(path)
    await store.open()
    play = Services.over(store, lambda: 1_796_040_000_000).games
    await play.play_daily(Request(1, 1))
    await play.draw(Request(1, 2))
    await play.give_up(Request(1, 3))
    await store.close()


def test_verify_proves_a_board_and_finds_a_lie(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(play(path))
    assert main(["verify"]) == 0
    assert "1 results: 1 verified" in capsys.readouterr().out
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE daily_results SET score = 48")
    assert main(["verify"]) == 1
    assert "the board says 48" in capsys.readouterr().err


def test_verify_makes_no_database_where_there_is_none(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify"]) == 1
    assert "no database" in capsys.readouterr().err
    assert not path.exists()


# Backup and restore


async def keep_playing(store: SqliteStore, stop: asyncio.Event) -> list[int]:
    """Deal and draw until told to stop; return the id of each game whose last turn was answered, in order."""
    play, done = Services.over(store, lambda: 1).games, []
    for number in itertools.count():
        turn = await play.new(Request(1, 10 * number), game="acesup", seed=str(1 + number))
        await play.draw(Request(1, 10 * number + 1))
        done.append(turn.game.id)
        if stop.is_set():
            break
    return done


async def test_a_backup_under_load_is_whole_and_has_all_that_was_answered_before(
    path: Path, tmp_path: Path
) -> None:
    store, stop, target = SqliteStore(path), asyncio.Event(), tmp_path / "copy.sqlite3"
    await store.open()
    before = await keep_playing_for(store, 30)
    playing = asyncio.create_task(keep_playing(store, stop))
    games = await backup(path, target)
    stop.set()
    await playing
    await store.close()
    assert games >= before
    copy = SqliteStore(target, must_exist=True)
    await copy.open()
    for number in range(1, games + 1):
        game = await copy.load_game(number)
        assert game is not None
        Position.of(Record.parse(game.record))
    await copy.close()
    assert set(snapshot(tmp_path)) == {"copy.sqlite3", "games.sqlite3"}


async def keep_playing_for(store: SqliteStore, games: int) -> int:
    play = Services.over(store, lambda: 1).games
    for number in range(games):
        await play.new(Request(2, 1_000_000 + number), game="klondike", seed=str(1 + number))
    return games


def test_a_restored_backup_is_what_it_was_and_what_was_there_is_moved_aside(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(play(path))
    assert main(["backup", "copy.sqlite3"]) == 0
    assert "all 1 games" in capsys.readouterr().out
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE games SET score = 7")
    assert main(["restore", "copy.sqlite3"]) == 0
    assert "games.before-restore-1.sqlite3" in capsys.readouterr().out

    def score(file: Path) -> int:
        with closing(sqlite3.connect(file)) as db:
            return int(db.execute("SELECT score FROM games").fetchone()[0])

    assert score(path) == score(tmp_path / "copy.sqlite3") != 7
    assert score(tmp_path / "games.before-restore-1.sqlite3") == 7
    assert main(["verify"]) == 0


def test_nobody_else_can_read_a_backup_and_a_restored_database_has_its_old_permissions(path: Path) -> None:
    asyncio.run(play(path))
    path.chmod(0o640)
    assert main(["backup", "copy.sqlite3"]) == 0
    assert Path("copy.sqlite3").stat().st_mode & 0o777 == 0o600
    Path("copy.sqlite3").chmod(0o644)
    assert main(["restore", "copy.sqlite3"]) == 0
    assert path.stat().st_mode & 0o777 == 0o640
    path.unlink()
    assert main(["restore", "copy.sqlite3"]) == 0
    assert path.stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can restore for another user")
def test_what_root_restores_belongs_to_the_user_the_bot_runs_as(path: Path, tmp_path: Path) -> None:
    asyncio.run(play(path))
    assert main(["backup", "copy.sqlite3"]) == 0
    os.chown(path, 10_001, 10_002)
    os.chown(tmp_path, 10_003, 10_004)
    assert main(["restore", "copy.sqlite3"]) == 0
    assert (path.stat().st_uid, path.stat().st_gid) == (10_001, 10_002)
    path.unlink()
    assert main(["restore", "copy.sqlite3"]) == 0
    assert (path.stat().st_uid, path.stat().st_gid) == (10_003, 10_004)


def test_a_damaged_database_gives_way_to_a_backup_with_all_that_lay_beside_it(path: Path) -> None:
    asyncio.run(play(path))
    assert main(["backup", "copy.sqlite3"]) == 0
    path.write_bytes(path.read_bytes()[:5_000])
    for beside in ("-wal", "-shm"):
        path.with_name(path.name + beside).write_bytes(b"left over")
    assert main(["restore", "copy.sqlite3"]) == 0
    assert main(["verify"]) == 0
    assert path.with_name("games.before-restore-1.sqlite3").stat().st_size == 5_000


def snapshot(folder: Path) -> dict[str, bytes]:
    return {
        file.name: file.read_bytes() for file in folder.iterdir() if not file.name.endswith(("-shm", "-wal"))
    }


def test_nothing_is_overwritten_and_nothing_unfit_put_in_place(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(play(path))
    assert main(["backup", "copy.sqlite3"]) == 0
    whole = (tmp_path / "copy.sqlite3").read_bytes()
    (tmp_path / "damaged.sqlite3").write_bytes(whole[:9_000] + b"\0" * 9_000 + whole[18_000:])
    (tmp_path / "list.sqlite3").write_bytes(b"milk and bread\n" * 900)
    with closing(sqlite3.connect(tmp_path / "other.sqlite3")) as db, db:
        db.execute("CREATE TABLE games (id INTEGER)")
    (tmp_path / "newer.sqlite3").write_bytes(whole)
    with closing(sqlite3.connect(tmp_path / "newer.sqlite3")) as db, db:
        db.execute("INSERT INTO migrations (number) VALUES (9999)")
    before = snapshot(tmp_path)
    for arguments, why in (
        (["backup", "copy.sqlite3"], "already"),
        (["backup", "nowhere/copy.sqlite3"], "could not be copied"),
        (["restore", "missing.sqlite3"], "no database"),
        (["restore", "damaged.sqlite3"], "nothing was changed"),
        (["restore", "list.sqlite3"], "nothing was changed"),
        (["restore", "other.sqlite3"], "no database of this program"),
        (["restore", "newer.sqlite3"], "newer version"),
    ):
        assert main(arguments) == 1, arguments
        assert why in capsys.readouterr().err
        assert snapshot(tmp_path) == before, arguments


async def test_nothing_is_restored_under_a_bot_that_runs(path: Path, tmp_path: Path) -> None:
    store = SqliteStore(path)
    await store.open()
    await keep_playing_for(store, 1)
    await backup(path, tmp_path / "copy.sqlite3")
    with pytest.raises(StoreError, match="Stop the bot"):
        await restore(tmp_path / "copy.sqlite3", path)
    assert await keep_playing_for(store, 2) == 2
    await store.close()


# The doctor


def examined(capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = main(["doctor"])
    return code, capsys.readouterr().out


@pytest.fixture
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    local = tuple(check for check in checks.CHECKS if check is not check_clock)
    monkeypatch.setattr(checks, "CHECKS", local)


@pytest.mark.usefixtures("offline")
def test_the_doctor_finds_a_sound_set_up_sound(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(play(path))
    code, said = examined(capsys)
    assert code == 0
    assert "WRONG" not in said
    for what in ("is intact, 1 games", "MB free", "a table was drawn", "en, no"):
        assert what in said


@pytest.mark.usefixtures("offline")
def test_the_doctor_makes_no_database(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, said = examined(capsys)
    assert (code, path.exists()) == (0, False)
    assert "does not exist yet" in said


@pytest.mark.usefixtures("offline")
@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda path: path.write_bytes(path.read_bytes()[:5_000]), "restore BACKUP"),
        (lambda path: path.write_bytes(b"milk and bread\n" * 900), "can't be used"),
        (lambda path: execute(path, "INSERT INTO migrations (number) VALUES (9999)"), "Update the program"),
        (lambda path: execute(path, "DROP TABLE migrations"), "another program"),
    ],
    ids=["cut off", "no database", "newer", "another program's"],
)
def test_the_doctor_says_what_is_wrong_with_a_database(
    path: Path, capsys: pytest.CaptureFixture[str], spoil: Callable[[Path], object], said: str
) -> None:
    asyncio.run(play(path))
    spoil(path)
    before = path.read_bytes()
    code, text = examined(capsys)
    assert code == 1
    assert said in text.partition("WRONG")[2]
    assert path.read_bytes() == before


def execute(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as db, db:
        db.execute(statement)


@pytest.mark.usefixtures("offline")
def test_the_doctor_names_an_old_schema_a_full_disk_and_pictures_that_fail(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(play(path))
    execute(path, "DELETE FROM migrations WHERE number = (SELECT MAX(number) FROM migrations)")

    def fail(*_: object) -> bytes:
        raise OSError("no such font")

    monkeypatch.setattr(installation, "draw_table", fail)
    monkeypatch.setattr(files, "MIN_FREE_MB", 10**9)
    code, said = examined(capsys)
    assert code == 1
    for what in ("next start migrates it", "Free some space", "can't be drawn (no such font)"):
        assert what in said


@pytest.mark.parametrize(("skew_s", "code"), [(0, 0), (-60, 1), (60, 1)])
async def test_the_doctor_compares_the_clock_with_discords(
    skew_s: int, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def answer(_: web.Request) -> web.Response:
        return web.Response(headers={"Date": formatdate(time.time() + skew_s, usegmt=True)})

    app = web.Application()
    app.router.add_get("/gateway", answer)
    async with TestServer(app) as server:
        monkeypatch.setattr(clock, "GATEWAY_URL", str(server.make_url("/gateway")))
        [finding] = await check_clock(Config())
    assert finding.is_wrong is bool(code)
    assert str(finding).startswith("WRONG" if code else "ok")


async def test_the_doctor_tells_of_a_discord_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "GATEWAY_URL", "http://127.0.0.1:9/gateway")
    [finding] = await check_clock(Config())
    assert not finding.is_wrong
    assert "network" in str(finding)
