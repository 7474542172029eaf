"""``python -m bot doctor``: looks at all that the bot needs, and says what to do about what is wrong.

Nothing is changed by it. It can be run beside the bot.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import sqlite3
import stat
import time
from contextlib import closing
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path

import aiohttp

from bot.config import Config
from bot.operations.doctor.findings import Finding, named, wrong
from bot.operations.doctor.on_discord import OFFLINE, TIMEOUT_S, look_at_discord
from bot.operations.doctor.postgres import half_moved, look_at_postgres
from bot.operations.health import HOST, MARK, refusal
from bot.render.deck_check import check_decks
from bot.render.image import draw_table
from bot.render.prose import captions
from bot.service import Position
from bot.storage import is_postgres, sqlite_path
from bot.storage.sqlite.file import migrations
from bot.storage.tables import MARK as MOVE_MARK
from bot.text import languages, texts_for
from engine import Record
from solve import COMPILED

ALONE_WITH_ITS_FILE = "SHARD_IDS leaves shards to other processes; an SQLite file is for one alone"
_MIN_FREE_MB = 200
_MAX_SKEW_S = 5.0
_RESTORE = "python -m bot restore BACKUP"
_GATEWAY = "https://discord.com/api/v10/gateway"


async def examine(config: Config) -> list[Finding]:
    """Look at everything, one after the other."""
    findings = []
    for look in (
        _settings,
        _processes,
        _database,
        _privacy,
        _room,
        _pictures,
        _solvers,
        _metrics,
        _clock,
        look_at_discord,
    ):
        findings += await look(config)
    return findings


async def _settings(config: Config) -> list[Finding]:
    log = f"log level {config.log_level}, as {config.log_format.value}"
    kept = f"for {config.retention_days} days" if config.retention_days else "for ever"
    zone = f"{log}, days of {config.daily_zone}, unfinished games kept {kept}"
    if config.token:
        return [Finding("settings", f"a token, {zone}")]
    return [
        Finding(
            "settings", f"no token, {zone}", "Set DISCORD_TOKEN to run on Discord; scripts/play needs none."
        )
    ]


async def _processes(config: Config) -> list[Finding]:
    """Look whether the processes that are to share the games can."""
    if not config.is_part or is_postgres(config.database_url):
        return []
    cure = "Set DATABASE_URL to one PostgreSQL database, in every process alike (docs/moving.md)."
    return wrong("processes", ALONE_WITH_ITS_FILE, cure)


async def _database(config: Config) -> list[Finding]:
    if is_postgres(config.database_url):
        return await look_at_postgres(config.database_url)
    try:
        path = sqlite_path(config.database_url)
    except ValueError as error:
        return wrong("database", "unknown", str(error))
    if not path.exists():
        folder = path.absolute().parent
        missing = path if folder.exists() else folder
        return [Finding("database", f"{missing} is not there yet", "It is made at the first start.")]
    return await asyncio.to_thread(_look_into, path)


def _look_into(path: Path) -> list[Finding]:
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=rw", uri=True, timeout=5)) as db:
            tables = {row[0] for row in db.execute("SELECT name FROM sqlite_master")}
            if not {"migrations", "games"} <= tables:
                return wrong("database", f"{path} is another program's", "Name another file in DATABASE_URL.")
            found = " ".join(str(db.execute("PRAGMA quick_check(1)").fetchone()[0]).split())
            version = db.execute("SELECT MAX(number) FROM migrations").fetchone()[0]
            games = db.execute("SELECT COUNT(*) FROM games").fetchone()[0]
            is_half_moved = db.execute("SELECT 1 FROM memory WHERE key = ?", (MOVE_MARK,)).fetchone()
            db.execute("BEGIN IMMEDIATE")  # whether it may be written to; nothing is
            db.execute("ROLLBACK")
    except sqlite3.Error as error:
        return wrong(
            "database",
            f"{path} can't be used ({error})",
            f"See that file and folder are writable; if it is damaged: {_RESTORE}",
        )
    if found != "ok":
        return wrong("database", f"{path} is damaged ({found})", f"Stop the bot, then: {_RESTORE}")
    if is_half_moved:
        return half_moved()
    known = max(migrations())
    if version > known:
        return wrong("database", f"schema {version}, known here: {known}", "Update the program.")
    if version < known:
        cure = "The next start brings it up to date. Back it up before: python -m bot backup FILE"
        return [Finding("database", f"{path} is sound, {games} games, schema {version} of {known}", cure)]
    return [Finding("database", f"{path} is sound, {games} games")]


async def _privacy(config: Config) -> list[Finding]:
    """Look at who else on this machine can read what is secret: the coming deals, and the token."""
    try:
        path = sqlite_path(config.database_url)
    except ValueError:
        beside = []  # a server's, or said above
    else:
        beside = [path.with_name(path.name + ending) for ending in ("", "-wal", "-shm")]
    open_to_others = [str(file) for file in (*beside, Path(".env")) if _is_open_to_others(file)]
    if not open_to_others:
        return []
    names = " ".join(open_to_others)
    how = f"other users of this machine can read {', '.join(open_to_others)}"
    return [Finding("privacy", how, f"If there are any: chmod 600 {names}")]


def _is_open_to_others(file: Path) -> bool:
    """Return whether a file, where it is there and the system knows such a thing, can be read by others."""
    try:
        return os.name == "posix" and bool(file.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH))
    except OSError:
        return False


async def _room(config: Config) -> list[Finding]:
    try:
        folder = sqlite_path(config.database_url).absolute().parent
        free_mb = shutil.disk_usage(folder).free // 2**20
    except (OSError, ValueError):
        return []  # a server's, or said above
    if free_mb < _MIN_FREE_MB:
        return wrong("disk", f"{free_mb} MB free in {folder}", "Make room: a full disk stops every game.")
    return [Finding("disk", f"{free_mb} MB free in {folder}")]


async def _pictures(_: Config) -> list[Finding]:
    try:
        count, size = await asyncio.to_thread(check_decks)
        drawn = await asyncio.to_thread(_draw)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what the operator wants to know
        return wrong("pictures", f"can't be drawn ({error})", "Install anew: scripts/setup play")
    names = ", ".join(languages())
    cards = f"{count} pictures of cards, {size // 1024} kB, all there; a table is drawn, {drawn} bytes"
    return [Finding("pictures", cards), Finding("languages", names)]


def _draw() -> int:
    record, texts = Record.parse("klondike/d1/24"), texts_for("en")
    table = Position.of(record).table
    return len(draw_table(table, captions(texts, record, table)))


async def _solvers(_: Config) -> list[Finding]:
    if COMPILED:
        return [Finding("solvers", "compiled")]
    cure = "Hints are simpler and take longer. Where there is a wheel: pip install solitaire-bot[fast]"
    return [Finding("solvers", "plain Python", cure)]


async def _metrics(config: Config) -> list[Finding]:
    """See whether the port of the metrics is free, or who has it."""
    if not config.metrics_port:
        return []
    url = f"http://{HOST}:{config.metrics_port}"
    try:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the bot does
            probe.bind((HOST, config.metrics_port))
    except OSError as error:
        ready = await _said_by(f"{url}/readyz")
        if ready is None:
            return wrong("metrics", refusal(config.metrics_port, error), "Set another one, or none.")
        return [Finding("metrics", f"the bot is running and serves them at {url}; it says: {ready}")]
    return [Finding("metrics", f"port {config.metrics_port} is free")]


async def _said_by(url: str) -> str | None:
    """Return what a running bot says of itself, or None where something else answers or nothing does."""
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=TIMEOUT_S)) as session,
            session.get(url) as response,
        ):
            text = (await response.content.read(200)).decode("utf-8", "replace").strip()
            return text if response.headers.get(MARK) else None
    except (aiohttp.ClientError, TimeoutError, OSError):
        return None


async def _clock(_: Config) -> list[Finding]:
    """Compare the clock with Discord's: by it days begin, and answers must come in three seconds."""
    try:
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=TIMEOUT_S)) as session:
            before = time.time()
            async with session.get(_GATEWAY) as response:
                theirs = parsedate_to_datetime(response.headers["Date"]).astimezone(UTC)
    except (aiohttp.ClientError, TimeoutError, KeyError, ValueError, OSError) as error:
        return [Finding("clock", f"not compared, since Discord can't be reached ({named(error)})", OFFLINE)]
    skew_s = (datetime.fromtimestamp((before + time.time()) / 2, UTC) - theirs).total_seconds()
    if abs(skew_s) > _MAX_SKEW_S:
        return wrong("clock", f"{skew_s:+.0f} s from Discord's", "Have the system set its clock, as by NTP.")
    return [Finding("clock", "as Discord's")]
