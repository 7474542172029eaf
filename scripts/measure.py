"""What turns, pictures, replays and leaderboards cost. Run by ``scripts/bench``.

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
from bot.storage import BoardQuery, NewGame, SqliteStore, Status
from engine import GAMES, Record, Table, changes, replay
from scripts.measure_scale import measure_scale
from scripts.measure_wire import measure_wire, percentile
from scripts.scale_report import report
from tests.bench.naive_render import draw_table_naively

POSITIONS = 150
REPLAYS = 60
REPLAYED_MOVES = 250
DAILY_RESULTS = 100_000
BOARDS = 40
COMMITS = 300
CAPTIONS = Captions("Klondike · draw 1", "seed 24", "Score 12/52", "Pass 1 of 3")


# What was aimed at, as a sentence with the figures in it; each says whether it was reached.
AIMS: tuple[tuple[str, Callable[[dict[str, float]], tuple[float, bool]]], ...] = (
    ("a turn costs {:.1f} times a word; aim: at most 6", lambda f: _at_most(_turn(f, "text_floor"), 6)),
    (
        "a turn costs {:.2f} of what the obvious way costs; aim: at most 0.5",
        lambda f: _at_most(_turn(f, "naive_turn"), 0.5),
    ),
    (
        "{:.0f} of 1000 presses at once were answered; aim: all",
        lambda f: _at_least(f["burst_answered"], 1000),
    ),
    (
        "the last was acknowledged after {:.2f} s; aim: at most 2",
        lambda f: _at_most(f["burst_worst_ack_s"], 2),
    ),
    ("{:.0f} of them a second; aim: at least 200", lambda f: _at_least(f["burst_turns_per_s"], 200)),
    (
        "the event loop was late by {:.0f} ms at most; aim: under 50",
        lambda f: _at_most(f["loop_lag_ms_max"], 50),
    ),
    (
        "100,000 stored games take {:.1f} MB of memory; aim: none",
        lambda f: _at_most(f["rss_mb_100k_games"] - f["rss_mb_no_games"], 2),
    ),
)


def main() -> None:
    """Measure everything and print it."""
    parser = argparse.ArgumentParser(prog="scripts/bench", description="Measure what a turn costs.")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    parser.add_argument("--scale", action="store_true", help="measure one and two processes over PostgreSQL")
    options = parser.parse_args()
    if options.scale:
        scale = asyncio.run(measure_scale())
        print(json.dumps(scale, indent=2) if options.json else "\n".join(report(scale)))
        return
    wire, phases = asyncio.run(measure_wire())
    figures = {
        **wire,
        **measure_pictures(),
        **asyncio.run(measure_commits()),
        **measure_replays(),
        **asyncio.run(measure_leaderboards()),
    }
    if options.json:
        print(json.dumps({**figures, "turn_phases_ms_median": phases}, indent=2))
        return
    for name, value in figures.items():
        print(f"{name:32} {value:>12,.2f}")
    print("\na turn by phase, ms")
    for name, value in phases.items():
        print(f"    {name:28} {value:>12,.2f}")
    print()
    for sentence, reached in AIMS:
        value, is_reached = reached(figures)
        print(f"{'reached' if is_reached else 'MISSED '}  {sentence.format(value)}")


def _turn(figures: dict[str, float], other: str) -> float:
    return figures["turn_ms_median"] / figures[f"{other}_ms_median"]


def _at_most(value: float, limit: float) -> tuple[float, bool]:
    return value, value <= limit


def _at_least(value: float, limit: float) -> tuple[float, bool]:
    return value, value >= limit


async def measure_commits() -> dict[str, float]:
    """Store one turn after another in SQLite, each on the disk before the next begins."""
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "bench.sqlite3")
        await store.open()
        game = await store.create_game(NewGame(1, str(_long_record(1)), Status.PLAYING, 0, 1, 1))
        times = []
        for _ in range(COMMITS):
            start = time.perf_counter()
            game = await store.save_if_revision(game, make_current=True)
            times.append((time.perf_counter() - start) * 1000)
        await store.close()
    return {"commit_ms_median": statistics.median(times)}


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
        "render_ms_p99": percentile(ours, 99),
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


if __name__ == "__main__":
    main()
