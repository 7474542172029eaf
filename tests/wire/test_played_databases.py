"""The present code works on databases and messages that the code of `RECORDED_AT` wrote."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import pytest

from tests.postgres import binaries
from tests.wire.exchanges.left import Left
from tests.wire.exchanges.recording import ROOT

needs_postgres = pytest.mark.skipif(binaries() is None, reason="PostgreSQL (no server of our own)")
both_kinds = pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgres", marks=needs_postgres)])

UNDER_TABLES = {
    "draw",
    "play",
    "menu",
    "all",
    "undo",
    "redo",
    "hint",
    "finish",
    "giveup",
    "same",
    "best",
    "analyse",
}
BESIDE_TABLES = {"board", "share", "rules", "settings", "panel:more", "panel:main", "panel:giveup"}
SETTINGS = {"language", "is_private", "as_text", "four_colours", "large_index", "is_hidden", "tells_lost"}
ELSEWHERE = {
    *(f"duel:{what}" for what in ("play", "show", "compare")),
    *(f"rules:{game}:{way}" for game in ("klondike", "acesup") for way in ("next", "game")),
    *("board:server:pick", "board:everyone:pick", "board:everyone", "board:server:all"),
    *("daily:play", "stats", "forget", "forget:no"),
    *(f"set:{name}" for name in SETTINGS),
}


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_something_is_in_every_table(kind: str) -> None:
    sql = Left.read(kind).sql
    created = set(re.findall(r'^CREATE TABLE (?:public\.)?"?(\w+)', sql, re.MULTILINE))
    filled = set(re.findall(r'^INSERT INTO (?:public\.)?"?(\w+)', sql, re.MULTILINE))
    assert len(created) == {"sqlite": 14, "postgres": 13}[kind]
    assert created - filled == set()


@pytest.mark.slow
@both_kinds
def test_its_controls_work_its_codes_are_understood_and_its_games_go_on(kind: str) -> None:
    command = [sys.executable, "-m", "tests.wire.exchanges", "go-on", "--database", kind]
    environment = {**os.environ, "SOLVE_PLAIN": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr[-4000:]
    report = json.loads(done.stdout)
    assert report["problems"] == []
    assert set(report["done"]) >= UNDER_TABLES | BESIDE_TABLES | ELSEWHERE
    assert {"draw", "play", "menu", "all", "undo", "redo", "finish"} <= set(report["moved"])
    assert report["done"]["unfinished game"] >= 15
    assert report["done"]["shared line"] >= 5
    assert report["done"]["record"] >= 30
