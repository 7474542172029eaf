"""The registry: what games have, and that a third game needs one new file, in worker processes too."""

from __future__ import annotations

import pickle
import re
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

import solve
from engine import GAMES, Move, Record, replay
from solve import ScoreBounds, Solvers, jobs, register, solvers_of
from solve.registry import SOLVERS

ROOT = Path(solve.__file__).parents[1]

# What a third game would have in solve/games/streets.py.
STREETS = '''
from engine import Move, Record, find_game, replay
from solve.bounds import ScoreBounds
from solve.registry import Solvers, register

def bound(record, budget_s):
    """Know nothing but the present score."""
    game = find_game(record.game)
    return ScoreBounds(game.score(replay(record)), game.full_score, (), 0)

def home_first(state):
    moves = list(find_game("streets").legal_moves(state))
    return next((move for move in moves if move.target.startswith("f")), moves[-1])

register("streets", Solvers(solver=bound, hint=home_first, warm_up=("any",)))
'''


@pytest.mark.parametrize("key", GAMES)
def test_every_game_has_a_solver_and_both_hint_players(key: str) -> None:
    entry = solvers_of(key)
    assert entry.solver
    assert entry.hint
    assert entry.quick_hint


@pytest.mark.parametrize("key", GAMES)
def test_a_solver_bounds_the_score_that_its_line_reaches(key: str) -> None:
    game = GAMES[key]
    deal = Record(key, next(iter(game.presets)), "1")
    bounds = jobs.best(deal.code, 5.0)
    assert isinstance(bounds, ScoreBounds)
    assert 0 <= bounds.score <= bounds.upper_bound <= game.full_score
    assert game.score(replay(deal.play(*bounds.line))) == bounds.score


def test_a_game_that_registers_nothing_has_nothing() -> None:
    assert solvers_of("chess") == Solvers()


def test_what_is_registered_is_what_the_jobs_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SOLVERS, "klondike", Solvers())  # restored after the test
    register("klondike", Solvers(hint=lambda _state: Move("s", "w")))
    assert jobs.hint("klondike/d1/1") == "s-w"
    assert not jobs.can_find("klondike")


def test_the_warm_up_solves_and_hints_what_games_ask_for(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(jobs, "best", lambda record, _budget: asked.append(f"best {record}"))
    monkeypatch.setattr(jobs, "hint", lambda record: asked.append(f"hint {record}"))
    jobs.warm_up()
    for rules in ("klondike/d3p1/1", "acesup/standard/1", "acesup/cell+pairs/1"):
        assert asked.count(f"best {rules}") == asked.count(f"hint {rules}") == 1


@pytest.fixture
def tree_with_a_third_game(tmp_path: Path) -> Path:
    """A copy of engine and solve with the game of CONTRIBUTING.md, and one more file in solve/games."""
    for package in ("engine", "solve"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    blocks = re.findall(r"   ```python\n(.*?)\n   ```", text, re.DOTALL)
    [shown] = [block for block in blocks if "class Streets(Game[" in block]
    code = re.sub(r"^   ", "", shown, flags=re.MULTILINE)
    (tmp_path / "engine" / "games" / "streets.py").write_text(code, encoding="utf-8")
    registry = tmp_path / "engine" / "games" / "__init__.py"
    lines = registry.read_text(encoding="utf-8").replace(
        "        AcesUp(),\n", "        AcesUp(),\n        Streets(),\n"
    )
    lines = lines.replace("\n\nGAMES", "\nfrom engine.games.streets import Streets\n\nGAMES", 1)
    registry.write_text(lines, encoding="utf-8")
    (tmp_path / "solve" / "games" / "streets.py").write_text(STREETS, encoding="utf-8")
    return tmp_path


def test_one_file_gives_a_third_game_a_solver_and_hints_in_a_worker(tree_with_a_third_game: Path) -> None:
    code = "streets/any/24"
    questions = [partial(jobs.hint, code), partial(jobs.best, code, 1.0), partial(jobs.find, code, 1.0)]
    process = subprocess.Popen(
        [sys.executable, "-m", "solve.worker", "0"],
        cwd=tree_with_a_third_game,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with process:
        assert process.stdin
        assert process.stdout
        told = []
        for question in questions:
            process.stdin.write(pickle.dumps(question))
            process.stdin.flush()
            told.append(pickle.load(process.stdout))
        process.stdin.close()
    (hint, _), (bounds, _), (line, _) = told
    assert str(Move.parse(hint)) == hint
    assert bounds == ScoreBounds(0, 52, (), 0)
    assert line is None


def test_the_command_line_knows_a_third_game(tree_with_a_third_game: Path) -> None:
    def run(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "solve", *words],
            cwd=tree_with_a_third_game,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    assert "best   at least 0, at most 52: not decided" in run("deal", "streets/any/24")
    assert "hint   " in run("deal", "streets/any/24", "--hint")
    assert "mean best score" in run("survey", "streets", "any", "1", "2", "--processes", "1")
