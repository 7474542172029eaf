"""Reference data of one evening: a database dump of each kind, and the messages that the bot had posted."""

from __future__ import annotations

import gzip
import json
import re
import sqlite3
import subprocess
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from tests.postgres import binaries
from tests.wire.exchanges.canonical import Json
from tests.wire.exchanges.recording import Postgres, Sqlite
from tests.wire.exchanges.stage import Database, Stage
from tests.wire.exchanges.words import DATA, RECORDED_AT
from tests.wire.payloads import Attachment, Message
from tests.wire.standin import StandIn, User

_NOT_FOR_US = re.compile(r"^(SET|SELECT pg_catalog\.set_config|\\|--|$)")


@dataclass(frozen=True)
class Left:
    """A database dump, the messages and private channels at Discord, and the time of the dump."""

    sql: str
    messages: Sequence[Json]
    dm_channels: dict[str, Json]
    now_ms: int

    @classmethod
    def read(cls, kind: str) -> Left:
        about = json.loads(gzip.decompress(_about(kind).read_bytes()))
        return cls(_sql(kind).read_text("utf-8"), about["messages"], about["dm_channels"], about["now_ms"])

    def write(self, kind: str) -> None:
        _sql(kind).write_text(self.sql, "utf-8")
        about = {"now_ms": self.now_ms, "dm_channels": self.dm_channels, "messages": self.messages}
        lines = json.dumps(about, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        _about(kind).write_bytes(gzip.compress(lines.encode(), mtime=0))

    @classmethod
    def of(cls, stage: Stage) -> Left:
        """What is there now; the bot should be stopped."""
        standin = stage.standin
        channels = {id_: {"id": user.id, "name": user.name} for id_, user in standin.rest.dm_channels.items()}
        messages = [
            {"payload": one.payload, "attachments": [file.payload for file in one.attachments]}
            for one in standin.messages.values()
        ]
        return cls(_dump(stage.database), messages, channels, stage.clock.now_ms)

    def give_to(self, standin: StandIn) -> None:
        """Let a stand-in have those messages, with empty files."""
        for id_, user in self.dm_channels.items():
            standin.rest.dm_channels[id_] = User(user["id"], user["name"])
        for one in self.messages:
            files = tuple(Attachment(payload, b"") for payload in one["attachments"])
            standin.messages[one["payload"]["id"]] = Message(one["payload"], files)


def _sql(kind: str) -> Path:
    return DATA / f"played-{RECORDED_AT}-{kind}.sql"


def _about(kind: str) -> Path:
    return DATA / f"played-{RECORDED_AT}-{kind}.json.gz"


def _dump(database: Database) -> str:
    if isinstance(database, Sqlite):
        with closing(sqlite3.connect(database.path)) as db:
            return "".join(f"{line}\n" for line in db.iterdump())
    assert isinstance(database, Postgres)
    programs = binaries()
    assert programs is not None
    command = [str(programs / "bin" / "pg_dump"), "--inserts", "--no-owner", "--no-privileges", database.url]
    dumped = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return "".join(f"{line}\n" for line in dumped.splitlines() if not _NOT_FOR_US.match(line))


async def restore(database: Database, sql: str) -> None:
    """Make what the text says in an empty database."""
    if isinstance(database, Sqlite):
        with closing(sqlite3.connect(database.path)) as db:
            db.execute("PRAGMA journal_mode = WAL")
            db.executescript(sql)
        return
    await database.run(sql)
