"""What import-linter does not check: circles through packages, long modules, discord.py's private names."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import grimp
import pytest

from scripts import private_names

ROOT = Path(__file__).parent.parent
MAX_LINES = 400


def test_no_module_is_part_of_an_import_circle() -> None:
    """A package's own ``__init__`` counts as well, and so does every import behind TYPE_CHECKING."""
    graph = grimp.build_graph("bot", "cards_png", "engine", "solve", cache_dir=None)
    imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_no_module_is_too_long_to_read_in_one_sitting() -> None:
    """The solvers are left out: one algorithm is easier to follow in one file."""
    files = [file for top in ("bot", "cards_png", "engine", "scripts") for file in (ROOT / top).rglob("*.py")]
    too_long = {
        str(file.relative_to(ROOT)) for file in files if len(file.read_text("utf-8").splitlines()) > MAX_LINES
    }
    assert too_long == set()


@pytest.mark.parametrize("change", ["a name that is not listed", "a name that is no longer used"])
def test_the_list_of_private_names_has_to_be_exact(
    change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    assert private_names.main([]) == 0
    listed = private_names.LIST.read_text("utf-8")
    other = tmp_path / "private_names.txt"
    is_missing = change == "a name that is not listed"
    other.write_text(listed.replace("shards: _parent\n", "") if is_missing else f"{listed}shards: _gone\n")
    monkeypatch.setattr(private_names, "LIST", other)
    assert private_names.main([]) == 1
    assert ("shards: _parent: used" if is_missing else "shards: _gone: listed") in capsys.readouterr().out


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("def f(x): x._connection", {"_connection"}),
        ("def f(x): getattr(x, '_ready')", {"_ready"}),
        ("class Own:\n    def __init__(self) -> None:\n        self._x = 1\n    def x(self): self._x", set()),
        ("from discord.http import Route", {"discord.http.Route"}),
        ("import discord\ndiscord.gateway.DiscordWebSocket", {"discord.gateway"}),
        ("import discord\ndiscord.utils.MISSING, discord.app_commands.Choice", set()),
        ("import discord\nclass Own(discord.Client):\n    def _handle_ready(self): ...", {"_handle_ready"}),
    ],
)
def test_what_counts_as_a_private_name(
    source: str, names: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    module = Path(f"private_names_{abs(hash(source))}.py")
    module.write_text(source)
    assert private_names.private_names(module) == names
