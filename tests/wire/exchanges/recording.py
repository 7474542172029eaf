"""Recordings: made by running the script, stored as a file, and compared with one another."""

from __future__ import annotations

import difflib
import gzip
import importlib.metadata
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import traceback
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import PIL.features

from tests.postgres import postgres_server, rows_in
from tests.wire.exchanges import words
from tests.wire.exchanges.canonical import Json, Rows, in_order
from tests.wire.exchanges.players import furnish
from tests.wire.exchanges.stage import START_MS, Database, Stage, virtual_runner
from tests.wire.exchanges.virtual_time import VirtualClock
from tests.wire.standin import StandIn

ROOT = Path(__file__).parents[3]
KEPT = words.DATA / f"exchanges-{words.RECORDED_AT}.jsonl.gz"
MIGRATIONS = "migrations"  # what the store notes for itself
MAX_SHOWN = 20

Script = Callable[[Stage], Awaitable[None]]
Watch = Callable[[Json], None]
T = TypeVar("T")


@dataclass(frozen=True)
class Recording:
    """The exchanges, and what drew the pictures in them: other versions may write other bytes."""

    made_by: Json
    exchanges: Sequence[Json]

    @classmethod
    def read(cls, path: Path) -> Recording:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            made_by, *exchanges = map(json.loads, file)
        return cls(made_by, exchanges)

    def write(self, path: Path) -> None:
        text = "".join(in_order(one) + "\n" for one in (self.made_by, *self.exchanges))
        path.write_bytes(gzip.compress(text.encode(), mtime=0))


def made_by() -> Json:
    """The libraries that pictures depend on."""
    try:
        ng = importlib.metadata.version("zlib-ng")
    except importlib.metadata.PackageNotFoundError:
        ng = ""
    return {
        "pillow": importlib.metadata.version("pillow"),
        "freetype": PIL.features.version("freetype2"),
        "zlib": zlib.ZLIB_RUNTIME_VERSION,
        "zlib-ng": ng,
    }


# Making one


def record(script: Script, kind: str = "sqlite", watch: Watch = lambda _: None) -> Recording:
    """Play a script with the code of this process, over a database of that kind of its own."""
    return Recording(made_by(), run(_recorded(script, kind, watch)))


async def _recorded(script: Script, kind: str, watch: Watch) -> list[Json]:
    with new_database(kind) as database:
        async with open_stage(database, watch) as stage:
            if KEPT.exists():
                stage.names.pixels = _pixels(Recording.read(KEPT).exchanges)
            await stage.start()
            await script(stage)
            await stage.stop()
            return stage.exchanges


@asynccontextmanager
async def open_stage(
    database: Database, watch: Watch = lambda _: None, now_ms: int = START_MS
) -> AsyncIterator[Stage]:
    """A stage with its servers and people; where nothing fails, no request has had no route in the end."""
    async with StandIn(checked=False) as standin:
        with standin.client_settings():
            stage = Stage(standin, database, VirtualClock(now_ms), watch=watch)
            furnish(stage)
            yield stage
        standin.check()


def run(play: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine in virtual time; a failure ends the process, as the bot can't close in stopped time."""
    with virtual_runner() as runner:
        try:
            return runner.run(play)
        except BaseException:  # noqa: BLE001 - it is printed, and ends the process
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(1)


class Sqlite:
    """A database in a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.url = f"sqlite:///{path}"

    async def rows(self) -> Rows:
        with closing(sqlite3.connect(self.path)) as db:
            db.row_factory = sqlite3.Row
            tables = db.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            )
            names = [row["name"] for row in tables if row["name"] != MIGRATIONS]
            return {name: [dict(row) for row in db.execute(f"SELECT * FROM {name}")] for name in names}

    async def run(self, *statements: str) -> None:
        with closing(sqlite3.connect(self.path)) as db:
            for statement in statements:
                db.execute(statement)
            db.commit()


class Postgres:
    """A database of a server."""

    def __init__(self, url: str) -> None:
        self.url = url

    async def rows(self) -> Rows:
        return {name: rows for name, rows in (await rows_in(self.url)).items() if name != MIGRATIONS}

    async def run(self, *statements: str) -> None:
        import asyncpg  # noqa: PLC0415 - it may be missing

        db = await asyncpg.connect(self.url)
        for statement in statements:
            await db.execute(statement)
        await db.close()


@contextmanager
def new_database(kind: str) -> Iterator[Database]:
    """An empty database of a kind, `sqlite` or `postgres`, which goes when the block ends."""
    if kind == "postgres":
        with postgres_server() as server:
            yield Postgres(server.url)
    else:
        with tempfile.TemporaryDirectory() as folder:
            yield Sqlite(Path(folder) / "games.sqlite3")


def _pixels(exchanges: Sequence[Json]) -> dict[str, str]:
    files = (file for one in exchanges for request in one["requests"] for file in request.get("files", ()))
    return {file["sha256"]: file["pixels"] for file in files if "pixels" in file}


# Playing it again


def replay(database: str = "sqlite") -> Recording:
    """Play the script with the present code and the old words, in a process of its own.

    :raises AssertionError: it did not come to its end; the message says why.
    """
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        shutil.copytree(ROOT / "bot", root / "bot", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("engine", "solve", "cards_png", "tests"):
            (root / name).symlink_to(ROOT / name, target_is_directory=True)
        for language in words.LANGUAGES:
            words.present_file(root, language).write_text(words.with_old_words(root, language), "utf-8")
        result = root / "replayed.jsonl.gz"
        command = [
            sys.executable,
            "-m",
            "tests.wire.exchanges",
            "record",
            str(result),
            "--database",
            database,
        ]
        environment = {**os.environ, "SOLVE_PLAIN": "1"}
        done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr[-4000:]
        return Recording.read(result)


# Comparing


def differences(recorded: Recording, replayed: Recording) -> list[str]:
    """What differs, for people to read; at most `MAX_SHOWN` exchanges.

    Tables that one of the two databases does not have, as PostgreSQL has no counters, are passed over.
    """
    common = _tables(recorded) & _tables(replayed)
    for one in (*recorded.exchanges, *replayed.exchanges):
        one["stored"] = {table: rows for table, rows in one["stored"].items() if table in common}
    same_bytes = recorded.made_by == replayed.made_by
    found = list(_differing(recorded.exchanges, replayed.exchanges, same_bytes=same_bytes))
    return found if len(found) <= MAX_SHOWN else [*found[:MAX_SHOWN], f"… and {len(found) - MAX_SHOWN} more"]


def _tables(recording: Recording) -> set[str]:
    return {table for one in recording.exchanges for table in one["stored"]}


def _differing(before: Sequence[Json], after: Sequence[Json], *, same_bytes: bool) -> Iterator[str]:
    for old, new in zip(before, after, strict=False):
        ours, theirs = (_readable(one, same_bytes=same_bytes) for one in (old, new))
        if ours != theirs:
            lines = difflib.unified_diff(ours, theirs, "recorded", "now", lineterm="", n=2)
            yield "\n".join([f"exchange {old['n']}, {old['title']}", *lines])
    if len(before) != len(after):
        yield f"{len(before)} exchanges were recorded, and {len(after)} played"


def _readable(exchange: Json, *, same_bytes: bool) -> list[str]:
    if not same_bytes:
        exchange = json.loads(json.dumps(exchange), object_hook=_without_bytes)
    return json.dumps(exchange, sort_keys=True, ensure_ascii=False, indent=1).splitlines()


def _without_bytes(part: Json) -> Json:
    if "pixels" not in part:
        return part
    return {key: value for key, value in part.items() if key not in ("sha256", "size")}
