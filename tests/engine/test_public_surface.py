"""What the engine exports, and that it needs nothing but Python."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import engine

ENGINE = Path(engine.__file__).parent


def test_the_engine_exports_exactly_this() -> None:
    assert engine.__all__ == [
        "DECK",
        "GAMES",
        "Card",
        "Game",
        "IllegalMove",
        "Move",
        "MoveKind",
        "MoveSyntaxError",
        "Outcome",
        "ParseError",
        "Pile",
        "PileKind",
        "Rank",
        "Reason",
        "Record",
        "RecordSyntaxError",
        "RulesSyntaxError",
        "SeedError",
        "SolitaireError",
        "Suit",
        "SyntaxFault",
        "Table",
        "TypedMove",
        "UnknownGame",
        "changes",
        "diff",
        "find_game",
        "normalise_seed",
        "perft",
        "pile_kind",
        "replay",
        "shuffled_deck",
        "states",
    ]
    assert [name for name in engine.__all__ if not hasattr(engine, name)] == []


def test_the_import_line_of_the_design_works() -> None:
    names: dict[str, object] = {}
    exec("from engine import GAMES, Move, Outcome, Record, replay, shuffled_deck, perft", names)
    assert set(names) >= {"GAMES", "Move", "Outcome", "Record", "replay", "shuffled_deck", "perft"}


def test_the_games_are_klondike_and_aces_up_in_menu_order() -> None:
    assert list(engine.GAMES) == ["klondike", "acesup"]
    assert [game.key for game in engine.GAMES.values()] == ["klondike", "acesup"]


def test_the_engine_imports_the_standard_library_and_itself_only() -> None:
    foreign = set()
    files = sorted(ENGINE.rglob("*.py"))
    assert len(files) > 8
    for path in files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            imported = []
            if isinstance(node, ast.Import):
                imported = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, "imports in the engine are absolute"
                imported = [node.module or ""]
            foreign |= {name.split(".")[0] for name in imported}
    assert foreign - set(sys.stdlib_module_names) == {"engine"}


def test_the_engine_runs_where_nothing_is_installed() -> None:
    """Isolated, without site-packages: play a move there, and look at what was loaded."""
    program = (
        "import json, sys; sys.path.insert(0, sys.argv[1]); import engine;"
        "state = engine.replay(engine.Record.parse('klondike/d1/24 s-w'));"
        "sys.stdout.write(json.dumps([engine.GAMES['klondike'].score(state), sorted(sys.modules)]))"
    )
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-W", "error", "-c", program, str(ENGINE.parent)],
        capture_output=True,
        text=True,
        check=True,
    )
    score, modules = json.loads(run.stdout)
    assert score == 0
    loaded = {name.split(".")[0] for name in modules} - set(sys.stdlib_module_names)
    assert loaded == {"engine", "__main__"} - set(sys.stdlib_module_names)
