"""Lists the private names of discord.py that the bot uses, and compares them with the list on file.

    python -m scripts.private_names             fails if the code and the list differ
    python -m scripts.private_names --write     writes the list anew

discord.py may change them in any release. So only ``bot/discord_app/transport`` may use them, and each is
listed in its ``private_names.txt``, to be checked before discord.py's version is raised. What counts:

- an attribute with a leading underscore, also in ``getattr`` and the like, that neither the module nor one it
  imports from this package defines;
- a method with a leading underscore that overrides one of discord.py's;
- anything imported from one of discord.py's undocumented modules, such as ``discord.http``.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import inspect
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

PACKAGE = Path("bot/discord_app")
TRANSPORT = PACKAGE / "transport"
LIST = TRANSPORT / "private_names.txt"
HEADER = "# discord.py's private names, by module. Written by `python -m scripts.private_names --write`.\n"

_DOCUMENTED = {"abc", "app_commands", "errors", "ext", "opus", "types", "ui", "utils"}
_BY_NAME = {"getattr", "setattr", "hasattr", "delattr"}


def _sees_discord(path: Path) -> bool:
    return PACKAGE in path.parents or "import discord\n" in path.read_text("utf-8")


def private_names(path: Path) -> set[str]:
    """Return the private names of discord.py that a module uses."""
    tree = ast.parse(path.read_text("utf-8"))
    own = set(_defined(tree))
    for imported in _modules_of_ours(tree):
        own |= set(_defined(ast.parse(imported.read_text("utf-8"))))
    used = {name for name in _attributes(tree) if _is_private(name) and name not in own}
    return used | set(_imported(tree)) | set(_overridden(path))


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def _modules_of_ours(tree: ast.Module) -> Iterator[Path]:
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=str(module)) if module.startswith("bot.discord_app."):
                path = Path(*module.split("."))
                yield path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def _defined(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a module, its classes and its methods' ``self`` are given in it."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
                yield name


def _attributes(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(attr=name):
                yield name
            case ast.Call(func=ast.Name(id=function), args=[_, ast.Constant(value=str(name)), *_]):
                if function in _BY_NAME:
                    yield name


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=str(module), names=names) if module.split(".")[0] == "discord":
                for name in names:
                    if _is_undocumented(module) or _is_private(name.name):
                        yield f"{module}.{name.name}"
            case ast.Import(names=names):
                yield from (name.name for name in names if _is_undocumented(name.name))
            case ast.Attribute(value=ast.Name(id="discord"), attr=name):
                if inspect.ismodule(getattr(importlib.import_module("discord"), name, None)):
                    yield from ([] if name in _DOCUMENTED else [f"discord.{name}"])


def _is_undocumented(module: str) -> bool:
    top, *rest = module.split(".")
    return top == "discord" and bool(rest) and rest[0] not in _DOCUMENTED


def _overridden(path: Path) -> Iterator[str]:
    module = importlib.import_module(".".join(path.with_suffix("").parts).removesuffix(".__init__"))
    for _, kind in inspect.getmembers(module, inspect.isclass):
        if kind.__module__ == module.__name__:
            theirs = [base for base in kind.__mro__ if base.__module__.partition(".")[0] == "discord"]
            yield from (
                name
                for name in vars(kind)
                if _is_private(name) and any(name in vars(base) for base in theirs)
            )


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare or write the list; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m scripts.private_names")
    parser.add_argument("--write", action="store_true", help="write the list anew")
    options = parser.parse_args(arguments)
    found = {path: private_names(path) for path in sorted(Path("bot").rglob("*.py")) if _sees_discord(path)}
    outside = {path: names for path, names in found.items() if names and TRANSPORT not in path.parents}
    for path, names in outside.items():
        print(f"{path} uses private names of discord.py: {', '.join(sorted(names))}. Only {TRANSPORT} may.")
    lines = [
        f"{path.stem}: {name}\n"
        for path, names in found.items()
        if path not in outside
        for name in sorted(names)
    ]
    if options.write:
        LIST.write_text(HEADER + "".join(lines), "utf-8")
        return bool(outside)
    listed = [line for line in LIST.read_text("utf-8").splitlines(keepends=True) if not line.startswith("#")]
    for line in sorted(set(lines) ^ set(listed)):
        state = "used, but not listed" if line in lines else "listed, but not used"
        print(f"{line.strip()}: {state} in {LIST}")
    return bool(outside or set(lines) != set(listed))


if __name__ == "__main__":
    sys.exit(main())
