"""``python -m bot doctor``: looks at all that the bot needs, and says what to do about what is wrong.

Nothing is changed by it. It can be run beside the bot.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import time
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path

import aiohttp
import discord

from bot.config import Config
from bot.render.image import draw_table
from bot.render.prose import captions
from bot.service import Position
from bot.storage import sqlite_path
from bot.storage.sqlite_file import migrations
from bot.text import languages, texts_for
from engine import Record
from solve import COMPILED

_MIN_FREE_MB = 200
_MAX_SKEW_S = 5.0
_TIMEOUT_S = 10.0
_RESTORE = "python -m bot restore BACKUP"
_GATEWAY = "https://discord.com/api/v10/gateway"


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, how it is, and what to do where something is wrong."""

    what: str
    how: str
    cure: str = ""
    is_wrong: bool = False

    def __str__(self) -> str:
        mark = "WRONG" if self.is_wrong else "note " if self.cure else "ok   "
        return f"{mark}  {self.what}: {self.how}" + (f"\n       {self.cure}" if self.cure else "")


async def examine(config: Config) -> list[Finding]:
    """Look at everything, one after the other."""
    findings = []
    for look in (_settings, _database, _room, _pictures, _solvers, _clock, _discord):
        findings += await look(config)
    return findings


def _wrong(what: str, how: str, cure: str) -> list[Finding]:
    return [Finding(what, how, cure, is_wrong=True)]


async def _settings(config: Config) -> list[Finding]:
    zone = f"log level {config.log_level}, days of {config.daily_zone}"
    if config.token:
        return [Finding("settings", f"a token, {zone}")]
    return [
        Finding(
            "settings", f"no token, {zone}", "Set DISCORD_TOKEN to run on Discord; scripts/play needs none."
        )
    ]


async def _database(config: Config) -> list[Finding]:
    try:
        path = sqlite_path(config.database_url)
    except ValueError as error:
        return _wrong("database", "unknown", str(error))
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
                return _wrong(
                    "database", f"{path} is another program's", "Name another file in DATABASE_URL."
                )
            found = " ".join(str(db.execute("PRAGMA quick_check(1)").fetchone()[0]).split())
            version = db.execute("SELECT MAX(number) FROM migrations").fetchone()[0]
            games = db.execute("SELECT COUNT(*) FROM games").fetchone()[0]
            db.execute("BEGIN IMMEDIATE")  # whether it may be written to; nothing is
            db.execute("ROLLBACK")
    except sqlite3.Error as error:
        return _wrong(
            "database",
            f"{path} can't be used ({error})",
            f"See that file and folder are writable; if it is damaged: {_RESTORE}",
        )
    if found != "ok":
        return _wrong("database", f"{path} is damaged ({found})", f"Stop the bot, then: {_RESTORE}")
    known = max(migrations())
    if version > known:
        return _wrong("database", f"schema {version}, known here: {known}", "Update the program.")
    if version < known:
        cure = "The next start brings it up to date. Back it up before: python -m bot backup FILE"
        return [Finding("database", f"{path} is sound, {games} games, schema {version} of {known}", cure)]
    return [Finding("database", f"{path} is sound, {games} games")]


async def _room(config: Config) -> list[Finding]:
    try:
        folder = sqlite_path(config.database_url).absolute().parent
        free_mb = shutil.disk_usage(folder).free // 2**20
    except (OSError, ValueError):
        return []  # said above
    if free_mb < _MIN_FREE_MB:
        return _wrong("disk", f"{free_mb} MB free in {folder}", "Make room: a full disk stops every game.")
    return [Finding("disk", f"{free_mb} MB free in {folder}")]


async def _pictures(_: Config) -> list[Finding]:
    try:
        size = await asyncio.to_thread(_draw)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is what the operator wants to know
        return _wrong("pictures", f"can't be drawn ({error})", "Install anew: scripts/setup play")
    names = ", ".join(languages())
    return [Finding("pictures", f"a table is drawn, {size} bytes"), Finding("languages", names)]


def _draw() -> int:
    record, texts = Record.parse("klondike/d1/24"), texts_for("en")
    table = Position.of(record).table
    return len(draw_table(table, captions(texts, record, table)))


async def _solvers(_: Config) -> list[Finding]:
    if COMPILED:
        return [Finding("solvers", "compiled")]
    cure = "Hints are simpler and take longer. Where there is a wheel: pip install solitaire-bot[fast]"
    return [Finding("solvers", "plain Python", cure)]


async def _clock(_: Config) -> list[Finding]:
    """Compare the clock with Discord's: by it days begin, and answers must come in three seconds."""
    try:
        async with aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=_TIMEOUT_S)) as session:
            before = time.time()
            async with session.get(_GATEWAY) as response:
                theirs = parsedate_to_datetime(response.headers["Date"]).astimezone(UTC)
    except (aiohttp.ClientError, TimeoutError, KeyError, ValueError, OSError) as error:
        return [Finding("clock", f"not compared, since Discord can't be reached ({_name(error)})", _OFFLINE)]
    skew_s = (datetime.fromtimestamp((before + time.time()) / 2, UTC) - theirs).total_seconds()
    if abs(skew_s) > _MAX_SKEW_S:
        return _wrong("clock", f"{skew_s:+.0f} s from Discord's", "Have the system set its clock, as by NTP.")
    return [Finding("clock", "as Discord's")]


_OFFLINE = "Is there a network? The bot needs discord.com, port 443."


async def _discord(config: Config) -> list[Finding]:
    if not config.token:
        return []
    client = discord.Client(intents=discord.Intents.none())
    try:
        async with asyncio.timeout(_TIMEOUT_S):
            await client.login(config.token)
            info = await client.application_info()
    except discord.LoginFailure:
        return _wrong("Discord", "it does not accept the token", "Copy DISCORD_TOKEN anew from its web page.")
    except (discord.HTTPException, aiohttp.ClientError, TimeoutError, OSError) as error:
        return [Finding("Discord", f"not asked ({_name(error)})", _OFFLINE)]
    finally:
        await client.close()
    return [Finding("Discord", f"the token is that of {client.user}"), *_invitation(info)]


def _invitation(info: discord.AppInfo) -> list[Finding]:
    """Look at what a server that invites the bot lets it do."""
    params = info.install_params
    missing = (
        []
        if params is None
        else [name for name in ("attach_files", "send_messages") if not getattr(params.permissions, name)]
    )
    if missing:
        names = " and ".join(name.replace("_", " ").title() for name in missing)
        cure = f"Installation → Default Install Settings: add {names}. Daily posts and pictures need them."
        return [Finding("permissions", f"the invitation lacks {names}", cure)]
    return [
        Finding("permissions", "the invitation has what is needed" if params else "no invitation is set up")
    ]


def _name(error: BaseException) -> str:
    return str(error) or type(error).__name__
