"""How much of a disk a stored game takes, with all that is kept beside it."""

from __future__ import annotations

import asyncio
import random
import sqlite3
import statistics
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from bot.storage import SqliteStore, Status, open_store
from bot.storage.rows import GAME
from engine import Outcome, Record, find_game
from tests.postgres import schema

KLONDIKE, ACES_UP, DAILY = KINDS = ("klondike", "acesup", "daily")
LONGEST = 120  # moves; about what a won game of Klondike takes
DIFFERENT = 200
A_PLAYER = 50  # games of one owner
DAY = date(2026, 1, 1)  # the first of the days of daily games
WON_EVERY = 10  # so many games one is won, and its record kept twice

_COLUMNS = {
    "games": GAME,
    "live_tables": "game_id, channel_id, message_id, remains",
    "players": "user_id, current_game",
    "daily_results": "day, user_id, game_id, score, is_listed",
}

Rows = dict[str, list[tuple[Any, ...]]]


async def measure_disk(url: str, folder: Path, games: int, remains: str) -> dict[str, float]:
    """Store so many random games of each kind; return what a million of them take, in gigabytes.

    What is stored is what the bot keeps of an ended game: its row, its owner's, where its table was (whose
    message left ``remains``), for a daily game its result, and all indexes. It is written once and in order:
    a database in use also has room that updates have left and the next ones fill again.
    """
    figures: dict[str, float] = {}
    for kind in KINDS:
        rows = _rows(kind, games, remains)
        in_postgres = await _postgres_bytes(url, rows)
        in_sqlite = await _sqlite_bytes(folder / f"{kind}.sqlite3", rows)
        figures |= {
            f"disk_{kind}_moves_median": statistics.median(row[2].count(" ") for row in rows["games"]),
            f"disk_{kind}_record_bytes_median": statistics.median(len(row[2]) for row in rows["games"]),
            f"disk_{kind}_postgres_gb_per_million": in_postgres / games / 1000,
            f"disk_{kind}_sqlite_gb_per_million": in_sqlite / games / 1000,
        }
    return figures


def _rows(kind: str, games: int, remains: str) -> Rows:
    """Return the rows of so many ended games, by table."""
    chance = random.Random(kind)
    ended = [_ended(ACES_UP if kind == ACES_UP else KLONDIKE, seed) for seed in range(1, DIFFERENT + 1)]
    rows: Rows = {name: [] for name in _COLUMNS}
    for number in range(1, games + 1):
        record, status, score = ended[number % DIFFERENT]
        owner_id = 10**17 + number // A_PLAYER
        day = str(DAY + timedelta(days=number % A_PLAYER)) if kind == DAILY else ""
        won = record if number % WON_EVERY == 0 else ""
        ids = [chance.randrange(10**18, 2 * 10**18) for _ in range(3)]
        at_ms = 1_790_000_000_000 + number * 1000
        state = ("won" if won else status, score, ids[0], at_ms, at_ms + 300_000)
        rows["games"].append((number, owner_id, record, "", record.count(" "), *state, day, 0, 0, won))
        rows["live_tables"].append((number, ids[1], ids[2], remains))
        if number % A_PLAYER == 0:
            rows["players"].append((owner_id, number))
        if day:
            rows["daily_results"].append((day, owner_id, number, score, 1))
    return rows


def _ended(key: str, seed: int) -> tuple[str, str, int]:
    """Return a random game's record, how it ended and its score; one that does not end is given up."""
    chance, game = random.Random(seed), find_game(key)
    record = Record(key, next(iter(game.presets)), str(seed))
    state = game.start(record.seed, record.rules)
    while len(record.moves) < LONGEST and (moves := list(game.legal_moves(state))):
        move = chance.choice(moves)
        state, record = game.apply(state, move), record.play(move)
    over = {None: Status.GIVEN_UP, Outcome.OVER: Status.OVER, Outcome.WON: Status.WON}
    return str(record), over[game.outcome(state)].value, game.score(state)


async def _postgres_bytes(url: str, rows: Rows) -> int:
    """Return by how much the tables and indexes of an empty database grow."""
    import asyncpg  # noqa: PLC0415 - it is an extra

    async with schema(url) as own:
        store = open_store(own)
        await store.open()
        await store.close()
        db = await asyncpg.connect(own)
        try:
            before = await _size(db)
            for table, columns in _COLUMNS.items():
                await db.copy_records_to_table(table, records=rows[table], columns=columns.split(", "))
            return await _size(db) - before
        finally:
            await db.close()


async def _size(db: Any) -> int:
    query = (
        "SELECT SUM(pg_total_relation_size(format('%I.%I', schemaname, tablename)::regclass))::bigint"
        " FROM pg_tables WHERE schemaname = current_schema()"
    )
    return int(await db.fetchval(query))


async def _sqlite_bytes(path: Path, rows: Rows) -> int:
    """Return by how much an empty database's file grows."""
    store = SqliteStore(path)
    await store.open()
    await store.close()
    return await asyncio.to_thread(_growth, path, rows)


def _growth(path: Path, rows: Rows) -> int:
    before = path.stat().st_size
    with closing(sqlite3.connect(path)) as db:
        with db:
            for table, columns in _COLUMNS.items():
                places = ", ".join("?" * len(columns.split(", ")))
                db.executemany(f"INSERT INTO {table} ({columns}) VALUES ({places})", rows[table])
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return path.stat().st_size - before
