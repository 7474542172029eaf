"""What pictures, replays and leaderboards cost. Run by ``scripts/bench``.

Each figure is a median over many positions, and what is compared is measured alternately in one run: the
ratios mean something on a noisy machine, the milliseconds only little.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from bot.render.image import Captions, draw_table
from bot.storage import BoardQuery, SqliteStore
from engine import GAMES, Record, Table, changes, replay
from tests.bench.naive_render import draw_table_naively

POSITIONS = 150
REPLAYS = 60
REPLAYED_MOVES = 250
DAILY_RESULTS = 100_000
BOARDS = 40
CAPTIONS = Captions("Klondike · draw 1", "seed 24", "Score 12/52", "Pass 1 of 3")


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(prog="scripts/bench", description="Measure what a turn costs.")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    figures = {**measure_pictures(), **measure_replays(), **asyncio.run(measure_leaderboards())}
    if parser.parse_args().json:
        print(json.dumps(figures, indent=2))
        return
    for name, value in figures.items():
        print(f"{name:32} {value:>12,.2f}")
    ratio = figures["naive_render_ms_median"] / figures["render_ms_median"]
    print(f"\na picture costs 1/{ratio:.1f} of what the obvious way costs")


def measure_pictures() -> dict[str, float]:
    """Draw tables of both games, our way and the obvious way in turns; times in ms, sizes in bytes."""
    tables = list(_tables(POSITIONS))
    for table, changed in tables[:3]:  # loading the cards is not a picture's cost
        draw_table(table, CAPTIONS, changed)
        draw_table_naively(table)
    ours, naive, sizes, naive_sizes = [], [], [], []
    for table, changed in tables:
        ms, picture = _timed(draw_table, table, CAPTIONS, changed)
        naive_ms, naive_picture = _timed(draw_table_naively, table)
        ours.append(ms)
        naive.append(naive_ms)
        sizes.append(len(picture))
        naive_sizes.append(len(naive_picture))
    return {
        "render_ms_median": statistics.median(ours),
        "render_ms_p99": _percentile(ours, 99),
        "naive_render_ms_median": statistics.median(naive),
        "image_bytes_median": statistics.median(sizes),
        "image_bytes_max": max(sizes),
        "naive_image_bytes_max": max(naive_sizes),
    }


def measure_replays() -> dict[str, float]:
    """Replay records of 250 Klondike moves, as every turn does before it plays its own."""
    records = [_long_record(seed) for seed in range(REPLAYS)]
    times = [_timed(replay, record)[0] for record in records]
    return {"replay_250_moves_ms_median": statistics.median(times)}


async def measure_leaderboards() -> dict[str, float]:
    """Ask for boards over 100,000 daily results in SQLite: of one day, and as sums over a hundred days.

    ``leaderboard_ms_median`` is today's board of everyone, where all results are of today.
    """
    a_day = {f"leaderboard{name}": time for name, time in (await _board_times(days=1)).items()}
    sums = {f"leaderboard_sums{name}": time for name, time in (await _board_times(days=100)).items()}
    return a_day | sums


async def _board_times(days: int) -> dict[str, float]:
    chance = random.Random(1)
    names = [f"2026-{1 + number // 28:02}-{1 + number % 28:02}" for number in range(days)]
    players = [chance.randrange(10**16, 10**18) for _ in range(DAILY_RESULTS // days)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bench.sqlite3"
        store = SqliteStore(path)
        await store.open()
        with closing(sqlite3.connect(path)) as db, db:
            db.executemany(
                "INSERT INTO daily_results (day, user_id, game_id, score, is_listed) VALUES (?,?,?,?,1)",
                [(day, player, 1, min(48, int(chance.gauss(33, 7)))) for day in names for player in players],
            )
            db.executemany(
                "INSERT INTO server_players (server_id, user_id) VALUES (7, ?)",
                [(player,) for player in players[::20]],
            )
        first, last = (names[0], names[0]) if days == 1 else ("", "")
        times: dict[str, list[float]] = {"_ms_median": [], "_server_ms_median": []}
        for number in range(BOARDS):
            asker = players[number % len(players)]
            for name, server in (("_ms_median", None), ("_server_ms_median", 7)):
                start = time.perf_counter()
                await store.board(BoardQuery(first, last, asker, server))
                times[name].append((time.perf_counter() - start) * 1000)
        await store.close()
    return {name: statistics.median(values) for name, values in times.items()}


def _tables(count: int) -> Iterator[tuple[Table, frozenset[tuple[str, int]]]]:
    """Yield positions from random games of every kind, each with the cards that its last move changed."""
    chance = random.Random(1)
    rules = [(game, code) for game in GAMES.values() for code in game.presets]
    for number in range(count):
        game, code = rules[number % len(rules)]
        state = before = game.start(number + 1, code)
        for _ in range(chance.randrange(5, 90)):
            moves = list(game.legal_moves(state))
            if not moves:
                break
            before, state = state, game.apply(state, chance.choice(moves))
        table = game.table(state)
        yield table, changes(game.table(before), table)


def _long_record(seed: int) -> Record:
    """Return a random game of 250 moves; with no limit on passes there is always a move to make."""
    for attempt in range(1000):
        chance = random.Random(seed * 1000 + attempt)
        game = GAMES["klondike"]
        record = Record("klondike", "d1r", str(1 + seed * 1000 + attempt))
        state = game.start(record.seed, record.rules)
        while len(record.moves) < REPLAYED_MOVES and (moves := list(game.legal_moves(state))):
            move = chance.choice(moves)
            state, record = game.apply(state, move), record.play(move)
        if len(record.moves) == REPLAYED_MOVES:
            return record
    raise RuntimeError("no random game got that long")


def _timed(action: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    start = time.perf_counter()
    result = action(*arguments)
    return (time.perf_counter() - start) * 1000, result


def _percentile(values: list[float], percent: int) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[percent - 1]


if __name__ == "__main__":
    main()
