"""The figures of ``scripts/bench --scale`` in tables and sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from scripts.measure_disk import KINDS as GAMES
from scripts.measure_scale import CLUSTERS, KIND_NAMES, KINDS, ONE, PICTURES, PLAYERS, SQLITE, TWO, WORDS

_NAMES = {SQLITE: "SQLite", ONE: "PostgreSQL", TWO: "PostgreSQL"}
_PROCESSES = {SQLITE: "1 process", ONE: "1 process", TWO: "2 processes"}

# What is said of each kind of table, by the name of its figure: in words, with how many digits.
_LINES: tuple[tuple[str, str, int], ...] = (
    ("turns_per_s", "turns a second", 1),
    ("turn_ms_median", "a turn, as the player sees it, ms", 2),
    ("turn_ms_p99", "… the slowest of a hundred, ms", 2),
    ("turns_per_bot_cpu_s", "turns for a second of a bot's processor", 1),
    ("bot_cpu_ms", "processor of the bots, ms a turn", 2),
    ("database_cpu_ms", "processor of PostgreSQL, ms a turn", 2),
    ("database_cpu_share", "… its share of the two", 3),
    ("standin_cpu_ms", "processor of stand-in and players, ms a turn", 2),
    ("standin_cpu_share", "… its share of all three", 3),
    ("cores_used", "cores used by all three", 2),
    ("cores_used_by_others", "cores used by others meanwhile", 2),
    ("store_ms", "waiting for the store before the answer, ms", 2),
    ("store_time_share", "… its share of the bot's time for a turn", 3),
    ("store_after_answer_ms", "waiting for the store after the answer, ms", 2),
    ("save_ms_median", "storing a move, ms", 2),
    ("save_ms_p99", "… the slowest of a hundred, ms", 2),
    ("wal_bytes", "written to PostgreSQL's log, bytes a turn", 0),
    ("write_transactions", "transactions that wrote, a turn", 2),
    ("connections", "connections to PostgreSQL", 0),
    ("unanswered", "presses without an answer", 0),
)

_DISK = {
    "postgres_gb_per_million": "PostgreSQL",
    "sqlite_gb_per_million": "SQLite",
    "moves_median": "moves",
    "record_bytes_median": "record, bytes",
}

# What was aimed at, as a sentence with the figure in it; each says whether it was reached.
_AIMS: tuple[tuple[str, Callable[[Mapping[str, Any]], tuple[float, bool]]], ...] = (
    ("{:.0f} presses had no answer; aim: none", lambda f: _at_most(_unanswered(f), 0)),
    (
        "two processes make {:.2f} of the turns of one for a second of processor; aim: at least 0.9",
        lambda f: _at_least(_by(f, "turns_per_bot_cpu_s", TWO, ONE), 0.9),
    ),
    (
        "a bot over PostgreSQL needs {:.2f} times the processor of one over SQLite; aim: at most 1.25",
        lambda f: _at_most(_by(f, "bot_cpu_ms", ONE, SQLITE), 1.25),
    ),
    (
        "PostgreSQL takes {:.2f} of the processor that bots and database take; aim: at most 0.25",
        lambda f: _at_most(f[f"{PICTURES}_{TWO}_database_cpu_share"], 0.25),
    ),
)


def report(figures: Mapping[str, Any]) -> list[str]:
    """Return all that is to be read, in lines."""
    lines: list[str] = []
    for kind in KINDS:
        lines += [KIND_NAMES[kind], *_table(figures, kind), ""]
    lines += ["what PostgreSQL is asked for a turn, each a way there and back"]
    for turn in ("press", "draw", "new"):
        name = turn if turn == "press" else f"/{turn}"
        lines += [_line(f"    {name}", figures[f"queries_per_{turn}"])]
        lines += [_line(f"        {what}", times) for what, times in figures[f"queries_of_{turn}"].items()]
    lines += [
        _line("    rows updated by a press", figures["rows_updated_per_turn"]),
        _line("    … share without a new entry in an index", figures["rows_updated_without_index_share"], 2),
        "",
        f"{'a million ended games, GB':34}" + "".join(f"{head:>14}" for head in _DISK.values()),
    ]
    for game in GAMES:
        values = [figures[f"disk_{game}_{name}"] for name in _DISK]
        lines += [f"    {game:30}" + "".join(f"{value:>14.{2 * (value < 10)}f}" for value in values)]
    return [*lines, "", *_sentences(figures)]


def _line(what: str, value: float, digits: int = 1) -> str:
    return f"{what:46} {value:>12.{digits}f}"


def _table(figures: Mapping[str, Any], kind: str) -> list[str]:
    lines = [
        f"    {'':46}" + "".join(f"{names[name]:>14}" for name in CLUSTERS) for names in (_NAMES, _PROCESSES)
    ]
    for what, said, digits in _LINES:
        values = [figures[f"{kind}_{name}_{what}"] for name in CLUSTERS]
        lines += [f"    {said:46}" + "".join(f"{value:>14.{digits}f}" for value in values)]
    return lines


def _sentences(figures: Mapping[str, Any]) -> list[str]:
    lines: list[str] = []
    for kind, tables in ((PICTURES, "as pictures"), (WORDS, "in words")):
        one, two = (figures[f"{kind}_{name}_turns_per_s"] for name in (ONE, TWO))
        ratio, of_two = figures[f"{kind}_two_to_one"], f"{kind}_{TWO}"
        used, others = figures[f"{of_two}_cores_used"], figures[f"{of_two}_cores_used_by_others"]
        share = 100 * figures[f"{of_two}_standin_cpu_share"]
        each = figures[f"{of_two}_turns_per_bot_cpu_s"]
        bots = figures[f"{of_two}_bot_cpu_ms"] / max(figures[f"{of_two}_database_cpu_ms"], 0.001)
        lines += [
            f"Tables {tables}, {PLAYERS} players: {one:.0f} turns a second in one process, {two:.0f} in two,",
            f"    {ratio:.2f} times as many, round for round, over one PostgreSQL.",
            f"    Two used {used:.2f} of {figures['cores']} cores, others of this machine {others:.2f};",
            f"    of those {used:.2f} the stand-in with the players had {share:.0f} %.",
            f"    A bot makes {each:.0f} turns for a second of a processor; while {bots:.0f} cores are busy",
            "    with bots, one is with PostgreSQL.",
        ]
    lines += ["Where no core is left, a second process has none to use: more processes want more cores.", ""]
    for sentence, reached in _AIMS:
        value, is_reached = reached(figures)
        lines += [f"{'reached' if is_reached else 'MISSED '}  {sentence.format(value)}"]
    return lines


def _by(figures: Mapping[str, Any], what: str, one: str, other: str) -> float:
    return float(figures[f"{PICTURES}_{one}_{what}"] / figures[f"{PICTURES}_{other}_{what}"])


def _unanswered(figures: Mapping[str, Any]) -> float:
    return sum(float(figures[f"{kind}_{name}_unanswered"]) for kind in KINDS for name in CLUSTERS)


def _at_most(value: float, limit: float) -> tuple[float, bool]:
    return value, value <= limit


def _at_least(value: float, limit: float) -> tuple[float, bool]:
    return value, value >= limit
