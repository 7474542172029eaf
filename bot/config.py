"""The bot's configuration: read once from the environment, checked, frozen."""

from __future__ import annotations

import logging
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from enum import StrEnum
from zoneinfo import ZoneInfo

DEFAULT_DATABASE_URL = "sqlite:///solitaire.sqlite3"
DEFAULT_LOG_LEVEL = "INFO"
MIN_SECRET_CHARACTERS = 16
MAX_RETENTION_DAYS = 36_500
MAX_SHARDS = 100_000  # far beyond what Discord asks of anybody, and a slip of the finger is noticed


class LogFormat(StrEnum):
    """How a line of the log is written."""

    HUMAN = "human"
    JSON = "json"


class ConfigError(ValueError):
    """A setting can't be used; the message says which, and what to write instead."""


@dataclass(frozen=True, slots=True)
class Config:
    """``token`` is Discord's for the bot, empty where none is needed; it never shows in a repr or a log.

    The day of the daily game turns at midnight in ``daily_zone``. ``daily_secret`` is the key of its
    seeds, as secret as the token; where it is empty, one is made and kept in the database.
    ``metrics_port`` is where metrics and health are told on this machine, None where they are not; 0 takes
    any free one. ``shard_ids``, rising, are those of the bot's ``shard_count`` shards that this process is;
    None is all of them. A ``shard_count`` of None is as many as Discord recommends.
    ``retention_days`` is after how many days without a move an unfinished game is ended; None is never.
    """

    token: str = field(default="", repr=False)
    daily_secret: str = field(default="", repr=False)
    daily_zone: tzinfo = UTC
    database_url: str = field(default=DEFAULT_DATABASE_URL, repr=False)  # may have a password
    log_level: str = DEFAULT_LOG_LEVEL
    log_format: LogFormat = LogFormat.HUMAN
    metrics_port: int | None = None
    retention_days: int | None = None
    shard_count: int | None = None
    shard_ids: tuple[int, ...] | None = None

    @property
    def log_level_number(self) -> int:
        """The level as the logging module counts."""
        return logging.getLevelNamesMapping()[self.log_level]

    @property
    def is_part(self) -> bool:
        """True where other processes are to be shards of the bot too."""
        return len(self.shard_ids or ()) not in (0, self.shard_count)

    @classmethod
    def from_env(cls, environment: Mapping[str, str] = os.environ) -> Config:
        """Read the settings, which ``.env.example`` lists; what is missing or empty has a default.

        :raises ConfigError: when a value can't be used.
        """
        level = (environment.get("LOG_LEVEL") or DEFAULT_LOG_LEVEL).strip().upper()
        if level not in logging.getLevelNamesMapping():
            raise ConfigError(f"LOG_LEVEL is {level!r}; write DEBUG, INFO, WARNING or ERROR")
        secret = (environment.get("DAILY_SECRET") or "").strip()
        if 0 < len(secret) < MIN_SECRET_CHARACTERS:
            raise ConfigError(
                f"DAILY_SECRET has {len(secret)} characters, and could be guessed; write at least "
                f"{MIN_SECRET_CHARACTERS} random ones, or leave it out"
            )
        shard_count = _shard_count((environment.get("SHARD_COUNT") or "").strip())
        return cls(
            daily_secret=secret,
            daily_zone=_zone((environment.get("DAILY_TIMEZONE") or "UTC").strip()),
            token=(environment.get("DISCORD_TOKEN") or "").strip(),
            database_url=(environment.get("DATABASE_URL") or DEFAULT_DATABASE_URL).strip(),
            log_level=level,
            log_format=_format((environment.get("LOG_FORMAT") or LogFormat.HUMAN).strip().lower()),
            metrics_port=_port((environment.get("METRICS_PORT") or "").strip()),
            retention_days=_days((environment.get("RETENTION_DAYS") or "").strip()),
            shard_count=shard_count,
            shard_ids=_shard_ids((environment.get("SHARD_IDS") or "").strip(), shard_count),
        )


def _format(name: str) -> LogFormat:
    if name not in list(LogFormat):
        raise ConfigError(f"LOG_FORMAT is {name!r}; write human or json")
    return LogFormat(name)


def _port(text: str) -> int | None:
    """Return the number of a port, or None for an empty text.

    :raises ConfigError: when it is no port that can be chosen.
    """
    if not text:
        return None
    if not (_is_number(text) and 1 <= int(text) <= 65_535):
        raise ConfigError(
            f"METRICS_PORT is {text!r}; write a number from 1 to 65535, such as 9464, or leave it out"
        )
    return int(text)


def _days(text: str) -> int | None:
    """Return a number of days, or None for an empty text.

    :raises ConfigError: when it is none that can be chosen.
    """
    if not text:
        return None
    if not (_is_number(text) and 1 <= int(text) <= MAX_RETENTION_DAYS):
        raise ConfigError(
            f"RETENTION_DAYS is {text!r}; write a number from 1 to {MAX_RETENTION_DAYS}, such as 365, or "
            "leave it out, and unfinished games are kept for ever"
        )
    return int(text)


def _shard_count(text: str) -> int | None:
    """Return a number of shards, or None for an empty text.

    :raises ConfigError: when nobody can have so many.
    """
    if not text:
        return None
    if not (_is_number(text) and 1 <= int(text) <= MAX_SHARDS):
        raise ConfigError(
            f"SHARD_COUNT is {text!r}; write how many shards the bot has in all, from 1 to {MAX_SHARDS}, or"
            " leave it out to have as many as Discord recommends"
        )
    return int(text)


def _shard_ids(text: str, count: int | None) -> tuple[int, ...] | None:
    """Return the shards that a text such as ``0,3,5-7`` names, rising, or None for an empty one.

    :raises ConfigError: when it names none, one twice, or one that is not among ``count``.
    """
    if not text:
        return None
    if count is None:
        raise ConfigError(
            "SHARD_IDS is set, and SHARD_COUNT is not; write how many shards the bot has in all"
        )
    ids: list[int] = []
    for part in text.split(","):
        first, dash, last = (bound.strip() for bound in part.partition("-"))
        last = last if dash else first
        if not (_is_number(first) and _is_number(last) and int(first) <= int(last)):
            raise ConfigError(f"SHARD_IDS is {text!r}; write numbers and ranges, such as 0-15 or 0,3,5-7")
        if int(last) >= count:
            raise ConfigError(
                f"SHARD_IDS names shard {last}; of {count} (SHARD_COUNT) the last is {count - 1}"
            )
        ids += range(int(first), int(last) + 1)
    [(shard, times)] = Counter(ids).most_common(1)
    if times > 1:
        raise ConfigError(f"SHARD_IDS is {text!r}, which names shard {shard} twice; write each once")
    return tuple(sorted(ids))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 6


def _zone(name: str) -> tzinfo:
    """Return the time zone of that name.

    :raises ConfigError: when there is none.
    """
    if name == "UTC":
        return UTC
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # unknown, or no name at all: a folder, a path that leads out
        raise ConfigError(f"DAILY_TIMEZONE is {name!r}; write one such as Europe/Oslo, or UTC") from None
