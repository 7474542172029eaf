"""Writes constraints.txt anew, or checks with --check that .venv holds just what it says.

    .venv/bin/python -m scripts.pin            the newest releases that pyproject.toml allows
    .venv/bin/python -m scripts.pin --check    what is installed, against the file

The file serves every supported Python, so each one found on this machine is asked, and the answers joined:
some packages are needed by some Pythons only. Nothing is installed.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import distributions
from pathlib import Path

from scripts import install

PYTHONS = ["python3.11", "python3.12", "python3.13"]

# What a new .venv brings along, and pip needs to be there before any pin can be read.
BROUGHT_ALONG = {"pip", "setuptools"}

HEADER = """\
# The exact releases that are installed and tested, dependencies of dependencies included.
# Written by `.venv/bin/python -m scripts.pin` from pyproject.toml; not edited by hand.
# play: the bot and its local browser chat
"""
FAST_HEADER = "# fast: makes the solvers fast, where there are wheels\n"
POSTGRES_HEADER = "# postgres: a PostgreSQL server for the games\n"
DEV_HEADER = "# dev: added by the tests and checks\n"


def resolve(python: str, requirements: list[str], known: dict[str, str]) -> dict[str, str]:
    """Name → version of all that `python` would install, keeping to the versions in `known`."""
    with tempfile.TemporaryDirectory() as folder:
        venv, report, limits = Path(folder, "venv"), Path(folder, "report"), Path(folder, "limits")
        limits.write_text("".join(f"{name}=={version}\n" for name, version in known.items()), "utf-8")
        subprocess.run([python, "-I", "-m", "venv", str(venv)], check=True)
        pip = [str(venv / "bin" / "python"), "-I", "-m", "pip", "-q", "install"]
        options = ["--dry-run", "--ignore-installed", "--report", str(report), "--constraint", str(limits)]
        subprocess.run([*pip, *options, *requirements], check=True)
        items = [item["metadata"] for item in json.loads(report.read_text("utf-8"))["install"]]
    return {install.normal(item["name"]): item["version"] for item in items}


def runs(python: str) -> bool:
    """True if there is such a command and it starts. (A version manager's stub is a command that may not.)"""
    path = shutil.which(python)
    return path is not None and subprocess.run([path, "-V"], capture_output=True, check=False).returncode == 0


def write() -> None:
    """Write constraints.txt: the play set first, then what dev adds."""
    if missing := [python for python in PYTHONS if not runs(python)]:
        sys.exit(f"nothing was written: what {', '.join(missing)} would need can't be asked here")
    everything: dict[str, str] = {}
    all_of_it = install.requirements("dev") + install.requirements(install.FAST)
    for python in PYTHONS:
        everything |= resolve(python, all_of_it, everything)
    play, fast, postgres = (
        {name for python in PYTHONS for name in resolve(python, install.requirements(one), everything)}
        for one in ("play", install.FAST, "postgres")
    )
    lines = {name: f"{name}=={version}\n" for name, version in sorted(everything.items())}
    text = HEADER + "".join(line for name, line in lines.items() if name in play)
    text += FAST_HEADER + "".join(line for name, line in lines.items() if name in fast - play)
    text += POSTGRES_HEADER + "".join(line for name, line in lines.items() if name in postgres - play - fast)
    text += DEV_HEADER + "".join(line for name, line in lines.items() if name not in play | fast | postgres)
    install.CONSTRAINTS.write_text(text, "utf-8")


def check() -> list[str]:
    """What is installed otherwise than pinned, one line each."""
    sections = install.pins()
    pinned = dict(line.split("==") for section in sections.values() for line in section)
    installed = {install.normal(package.name): package.version for package in distributions()}
    return [
        f"{name} {version} is installed, pinned is {pinned.get(name, 'none')}"
        for name, version in sorted(installed.items())
        if name not in BROUGHT_ALONG and pinned.get(name) != version
    ]


def main() -> int:
    """Return the exit code."""
    if sys.argv[1:] != ["--check"]:
        write()
        return 0
    faults = check()
    if faults:
        print("\n".join(faults))
        print("If pyproject.toml changed: .venv/bin/python -m scripts.pin. Else remove .venv and try again.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
