"""The operator's own commands, as they are typed."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.__main__ import main
from bot.service import Request, Services
from bot.storage import SqliteStore


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)  # away from anybody's .env
    path = tmp_path / "games.sqlite3"
    monkeypatch.setenv("DATABASE_URL", f"sqlite:///{path}")
    return path


async def play(path: Path) -> None:
    store = SqliteStore(path)
    await store.open()
    play = Services.over(store, lambda: 1_796_040_000_000).play
    await play.play_daily(Request(1, 1))
    await play.draw(Request(1, 2))
    await play.give_up(Request(1, 3))
    await store.close()


def test_verify_proves_a_board_and_finds_a_lie(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(play(path))
    assert main(["verify"]) == 0
    assert "1 results: 1 proved" in capsys.readouterr().out
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE daily_results SET score = 48")
    assert main(["verify"]) == 1
    assert "the board says 48" in capsys.readouterr().err


def test_verify_makes_no_database_where_there_is_none(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify"]) == 1
    assert "no database" in capsys.readouterr().err
    assert not path.exists()
