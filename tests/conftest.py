"""Fixtures for all tests, and the closing lines that say what was not tested."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Iterator

import pytest

from tests.postgres import binaries, postgres_server

CHROMIUM_COMMANDS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium; without one the test is skipped."""
    for command in CHROMIUM_COMMANDS:
        if path := shutil.which(command):
            return path
    pytest.skip("the browser (no Chromium found)")


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """The address of a PostgreSQL database; each test makes a schema of its own there."""
    if url := os.environ.get("TEST_DATABASE_URL"):
        yield url
        return
    if binaries() is None:
        pytest.skip("PostgreSQL (no server: set TEST_DATABASE_URL)")
    with postgres_server() as server:
        yield server.url


@pytest.hookimpl(tryfirst=True)  # before -m selects by marker, and before xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that use Chromium, and keep them in one process: two browsers slow each other down."""
    for item in items:
        if "chromium" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
            item.add_marker(pytest.mark.xdist_group("browser"))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say what was not tested: the reason of every skip, and the slow proofs if they were left out."""
    reasons: Counter[str] = Counter()
    for report in terminalreporter.stats.get("skipped", []):
        if isinstance(report.longrepr, tuple):
            reasons[report.longrepr[2].removeprefix("Skipped: ")] += 1
    for reason, count in sorted(reasons.items()):
        terminalreporter.write_line(f"not tested: {reason}" + (f", {count} tests" if count > 1 else ""))
    if config.getoption("markexpr") == "not slow":
        terminalreporter.write_line("not tested: the slow proofs (scripts/test -m slow)")
