"""Databases as each version of the schema wrote them, from the texts in `data`.

A text is written once, when its version is new, and never changed after: what the program makes of a file
that is older than itself must not depend on how the program is today.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path

DATA = Path(__file__).parent / "data"
VERSIONS = sorted(int(re.sub(r"\D", "", file.name)) for file in DATA.glob("version_*.sql"))


def write_version(path: Path, version: int) -> None:
    """Make a file as that version left it, with something in every table."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.executescript((DATA / f"version_{version}.sql").read_text("utf-8"))


def rows(path: Path, table: str) -> list[dict[str, object]]:
    """What is in a table, by the names of its columns; nothing where the table is not there."""
    with closing(sqlite3.connect(path)) as connection:
        connection.row_factory = sqlite3.Row
        there = connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        return [dict(row) for row in connection.execute(f"SELECT * FROM {table}")] if there else []
