"""The tables that every store has, as far as it takes to copy them; what they mean is said in the migrations.

They stand in an order in which each comes after those it refers to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

Row = tuple[Any, ...]
Key = tuple[Any, ...]

# A key in ``memory``, kept from the first row that is moved into a store until all is there and compared.
MARK = "unfinished-move"

UNFINISHED = (
    "Games are being moved into this database, and not all of them have arrived; nothing was changed. Run "
    "the same python -m bot migrate-store again, until it says that all is moved."
)
USED = (
    "a bot or another migrate-store uses this database, into which games are to be moved; nothing was"
    " changed. Stop the bot first."
)


@dataclass(frozen=True)
class Table:
    """A table: its key, its other columns by their type, and who refers to it.

    ``referring`` names columns of other tables that hold this one's key, which is then one column.
    ``also_unique`` are columns besides the key that no two rows of which ``also_unique_where`` is true share.
    ``where`` is true for the rows that are copied.
    """

    name: str
    key: tuple[str, ...]
    numbers: str = ""  # BIGINT, separated by blanks
    texts: str = ""  # TEXT, those of the key too
    referring: Sequence[tuple[str, str]] = ()
    also_unique: tuple[str, ...] = ()
    also_unique_where: str = "TRUE"
    where: str = "TRUE"
    _texts: frozenset[str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_texts", frozenset(self.texts.split()))

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """All columns, those of the key first."""
        return tuple(dict.fromkeys((*self.key, *self.numbers.split(), *self.texts.split())))

    @cached_property
    def types(self) -> tuple[type, ...]:
        """What the columns hold: ``int`` or ``str``."""
        return tuple(str if column in self._texts else int for column in self.columns)

    def key_of(self, row: Row) -> Key:
        """Return the key of a row of :attr:`columns`."""
        return row[: len(self.key)]

    def say(self, key: Key) -> str:
        """Name a row, for a sentence about it."""
        named = ", ".join(f"{column} {value!r}" for column, value in zip(self.key, key, strict=True))
        return f"{self.name}, {named}"


TABLES = (
    Table("memory", ("key",), texts="key value", where=f"key <> '{MARK}'"),
    Table(
        "settings",
        ("user_id",),
        numbers="is_private as_text four_colours large_index is_hidden tells_lost",
        texts="language",
    ),
    Table(
        "games",
        ("id",),
        numbers="owner_id revision score last_request created_ms updated_ms challenge_id is_copy",
        texts="record undone status day won_record",
        referring=(("players", "current_game"), ("live_tables", "game_id")),
        also_unique=("owner_id", "day"),
        also_unique_where="day <> ''",
    ),
    Table("players", ("user_id",), numbers="current_game"),
    Table("live_tables", ("game_id",), numbers="channel_id message_id", texts="remains"),
    Table("daily_results", ("day", "user_id"), numbers="game_id score is_listed", texts="day"),
    Table("daily_marks", ("day", "mark"), texts="day mark"),
    Table("server_players", ("server_id", "user_id")),
    Table(
        "daily_channels",
        ("server_id",),
        numbers="channel_id chosen_by begun_ms is_done",
        texts="language day trouble",
    ),
    Table(
        "challenges",
        ("id",),
        numbers="creator_id channel_id message_id is_open created_ms",
        texts="deal language",
        referring=(("challenge_players", "challenge_id"),),
    ),
    Table("challenge_players", ("challenge_id", "user_id"), numbers="game_id place"),
    Table("winnable_deals", ("game", "rules", "number"), texts="game rules line"),
)

# What numbers are given out for once: a table, and what SQLite's counters and PostgreSQL's sequences call it.
NUMBERED = {"games": "game_numbers", "challenges": "challenge_numbers"}
