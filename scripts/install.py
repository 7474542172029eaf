"""Fills .venv with the pinned packages of a set: "play" (the bot and its browser chat), "postgres" or "dev".

Run by scripts/setup, on any Python from 3.11 on, with nothing installed. The project itself is not installed:
its scripts run from the repository, so a change to the code needs no new set-up.
"""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import re
import subprocess
import sys
import tomllib
from collections import deque
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
CONSTRAINTS = ROOT / "constraints.txt"

# Written last, removed first: a .venv without it is one whose installation was cut short.
STAMP = VENV / "installed"

# Each set holds those before it.
EXTRAS = {
    "play": ["preview"],
    "postgres": ["preview", "postgres"],
    "dev": ["preview", "postgres", "survey", "dev"],
}
FAST = (
    "fast"  # the extra that comes with every set, but only where there is a wheel: nothing is compiled here
)
# How pip names the package it turns to. A file on disk has a version: "Processing …/idna-3.20-….whl".
PIP_NAMES = re.compile(
    r"(?:Collecting |Requirement already satisfied: |Processing (?:.*/)?)([\w.]+(?:-[A-Za-z][\w.]*)*)"
)

PRINT_EVERY = 10
"""Where the output is no terminal, one line for so many packages."""


class SetupError(Exception):
    """Set-up cannot go on; the text says what is missing and the cure."""


def normal(name: str) -> str:
    """A package's name as indexes compare it: "Fluent.Runtime" is "fluent-runtime"."""
    return re.sub(r"[-_.]+", "-", name).lower()


def requirements(set_name: str) -> list[str]:
    """What pyproject.toml asks for in a set, or with one extra.

    Without the project's own name (as in "solitaire-bot[preview]").
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    asked = [*project["dependencies"]]
    for extra in EXTRAS.get(set_name, [set_name]):
        asked += project["optional-dependencies"][extra]
    return [requirement for requirement in asked if not requirement.startswith(project["name"])]


def pins() -> dict[str, list[str]]:
    """The lines of constraints.txt by set, and "fast": each has what those before it have not."""
    sections: dict[str, list[str]] = {"play": [], FAST: [], "postgres": [], "dev": []}
    current = sections["play"]
    for line in CONSTRAINTS.read_text("utf-8").splitlines():
        if header := re.match(f"# ({'|'.join(sections)}):", line):
            current = sections[header[1]]
        elif line and not line.startswith("#"):
            current.append(line)
    return sections


def fingerprint() -> str:
    """Changes when another set-up is due: other requirements, other pins, another Python."""
    facts = [sys.version_info[:2], requirements("dev"), requirements(FAST), pins()]
    return hashlib.sha256(repr(facts).encode()).hexdigest()


def is_ready(set_name: str) -> bool:
    """True if .venv holds this set, as pinned now."""
    try:
        installed, mark = STAMP.read_text("utf-8").split()
    except (OSError, ValueError):
        return False
    sets = list(EXTRAS)
    return installed in sets[sets.index(set_name) :] and mark == fingerprint()


class Progress:
    """One line, rewritten in place on a terminal; a line now and then elsewhere."""

    def __init__(self) -> None:
        self._in_place = sys.stderr.isatty()

    def say(self, text: str) -> None:
        """Show `text` instead of what stood there."""
        sys.stderr.write(f"\r\033[K{text}" if self._in_place else f"{text}\n")
        sys.stderr.flush()

    def count(self, done: int, total: int, text: str) -> None:
        """Show `text` if this is a terminal or `done` is a round number."""
        if self._in_place or done % PRINT_EVERY == 0 or done == total:
            self.say(text)

    def end(self) -> None:
        """Leave the line as it is and begin a new one."""
        if self._in_place:
            sys.stderr.write("\n")


def run(command: list[str], on_line: Callable[[str], None], keep_open: int) -> None:
    """Run `command` and hand over each line it prints.

    The command inherits the lock: if this process is killed, others still wait until the command ends.

    :raises SetupError: it failed; the text is the end of what it printed.
    """
    tail: deque[str] = deque(maxlen=12)
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        pass_fds=[keep_open],
        cwd=ROOT,
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            tail.append(line.rstrip())
            on_line(line.strip())
    if process.returncode:
        raise SetupError("\n".join(f"  {line}" for line in tail))


def make_venv(lock: int) -> None:
    """Make .venv, in place of any that is there.

    :raises SetupError: Python could not; on some systems its venv module lacks a part.
    """
    try:
        run([sys.executable, "-I", "-m", "venv", "--clear", str(VENV)], lambda _: None, lock)
    except SetupError as error:
        version = f"{sys.version_info[0]}.{sys.version_info[1]}"
        message = (
            f"{sys.executable} could not make {VENV.name}:\n{error}\n"
            f"On Debian or Ubuntu: apt install python{version}-venv. Or name another Python: PYTHON=..."
        )
        raise SetupError(message) from None


def install(set_name: str, progress: Progress, lock: int) -> int:
    """Install the set into .venv and return how many packages were not there before.

    :raises SetupError: pip could not; mostly there is no network.
    """
    sections = pins()
    sets = list(EXTRAS)
    total = sum(len(sections[name]) for name in sets[: sets.index(set_name) + 1])
    seen: set[str] = set()
    installed = 0
    unreachable = ""

    def on_line(line: str) -> None:
        nonlocal installed, unreachable
        if (found := PIP_NAMES.match(line)) and normal(found[1]) not in seen:
            seen.add(normal(found[1]))
            progress.count(len(seen), total, f"fetching {len(seen)} of {total} packages: {normal(found[1])}")
        elif "Retrying (" in line and not unreachable:
            unreachable = line.partition("connection broken by ")[2]
            progress.say("the package index does not answer; trying again")
        elif line.startswith("Installing collected packages:"):
            # Up to here pip has only fetched. From here on a stop leaves .venv half done.
            STAMP.unlink(missing_ok=True)
            installed = line.count(",") + 1
            progress.say(f"installing {installed} packages")

    try:
        run([*pip(), "--prefer-binary", *requirements(set_name)], on_line, lock)
    except SetupError as error:
        message = f"pip could not install the packages:\n{error}"
        if unreachable:  # what pip says of the packages then misleads
            message = (
                "the package index could not be reached. The first start needs the network, later ones do\n"
                f"not: connect, or set pip's proxy or index, and start again.\n  {unreachable}"
            )
        raise SetupError(message) from None
    return installed


def pip() -> list[str]:
    """The command that installs what is named after it, as pinned."""
    command = [str(PYTHON), "-I", "-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
    return [*command, "--progress-bar=off", "--constraint", str(CONSTRAINTS)]


def install_fast(progress: Progress, lock: int) -> list[str]:
    """Install what makes the bot and its solvers fast; return the requirements that can't be had here.

    Each for itself: one that has no wheel must not keep the others away.
    """
    progress.say("fetching what makes the bot fast")
    missing = []
    for requirement in requirements(FAST):
        try:
            run([*pip(), "--only-binary=:all:", requirement], lambda _: None, lock)
        except SetupError:
            missing.append(requirement)
    return missing


def set_up(set_name: str, progress: Progress) -> None:
    """Bring .venv to what is pinned, one process at a time.

    :raises SetupError: it cannot be done; the text says why.
    """
    # The lock is on a file that is always there and that no set-up replaces. It ends with its last holder.
    with (ROOT / "pyproject.toml").open() as locked:
        try:
            fcntl.flock(locked, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress.say("waiting for another set-up to end")
            fcntl.flock(locked, fcntl.LOCK_EX)
        if is_ready(set_name):
            return
        if not STAMP.exists() or not is_this_python():
            progress.say(f"making {VENV.name} with Python {sys.version.split()[0]}")
            make_venv(locked.fileno())
        count = install(set_name, progress, locked.fileno())
        missing = install_fast(progress, locked.fileno())
        STAMP.write_text(f"{set_name} {fingerprint()}\n", "utf-8")
        slower = (
            f"; all is slower without {' and '.join(missing)}, which can't be had here" if missing else ""
        )
        progress.say(f"installed {count} packages in {VENV.name}{slower}")


def is_this_python() -> bool:
    """True if .venv runs, and with this Python's version."""
    ask = [str(PYTHON), "-I", "-c", "import sys; print(sys.version_info[:2])"]
    try:
        answer = subprocess.run(ask, capture_output=True, text=True, check=False).stdout
    except OSError:
        return False
    return answer.strip() == str(sys.version_info[:2])


def main() -> int:
    """Return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ready", action="store_true", help="install nothing; exit 0 if all is there")
    parser.add_argument("set_name", choices=EXTRAS)
    arguments = parser.parse_args()
    if arguments.ready:
        return 0 if is_ready(arguments.set_name) else 1
    progress = Progress()
    try:
        set_up(arguments.set_name, progress)
    except SetupError as error:
        progress.end()
        print(f"Set-up failed: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        progress.end()
        print("Set-up stopped. The next start takes it up again.", file=sys.stderr)
        return 130
    progress.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
