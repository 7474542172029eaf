"""An example of every command."""

from __future__ import annotations

from typing import Any

# By command, after a fresh deal of seed 36: what is typed before it, its options, and whether only the player
# sees the answer. ``/daily-channel`` is not here: only those who manage a server have it.
COMMANDS: dict[str, tuple[list[tuple[str, dict[str, Any]]], dict[str, Any], bool]] = {
    "new": ([], {}, False),
    "move": ([], {"from_": "6", "to": "7"}, False),
    "draw": ([], {}, False),
    "discard": ([("new", {"game": "acesup", "seed": "1"})], {"pile": "2"}, False),
    "undo": ([("draw", {})], {}, False),
    "redo": ([("draw", {}), ("undo", {})], {}, False),
    "hint": ([], {}, False),
    "table": ([], {}, False),
    "giveup": ([], {}, False),
    "replay": ([("draw", {})], {}, False),
    "analyse": ([], {}, True),
    "share": ([], {}, False),
    "challenge": ([], {"game": "acesup"}, False),
    "compare": ([], {"friend": "ola"}, True),
    "daily": ([], {}, True),
    "leaderboard": ([], {}, False),
    "games": ([], {}, True),
    "rules": ([], {"game": "acesup"}, True),
    "settings": ([], {}, True),
    "stats": ([("draw", {})], {}, False),
    "privacy": ([], {}, True),
    "export": ([], {}, True),
    "forget-me": ([], {}, True),
    "help": ([], {}, True),
}
