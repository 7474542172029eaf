"""The bot's configuration: read once from the environment, checked, frozen."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from zoneinfo import ZoneInfo

DEFAULT_DATABASE_URL = "sqlite:///solitaire.sqlite3"
DEFAULT_LOG_LEVEL = "INFO"
MIN_SECRET_CHARACTERS = 16


class ConfigError(ValueError):
    """A setting can't be used; the message says which, and what to write instead."""


@dataclass(frozen=True, slots=True)
class Config:
    """``token`` is Discord's for the bot, empty where none is needed; it never shows in a repr or a log.

    The day of the daily game turns at midnight in ``daily_zone``. ``daily_secret`` is the key of its
    seeds, as secret as the token; where it is empty, one is made and kept in the database.
    """

    token: str = field(default="", repr=False)
    daily_secret: str = field(default="", repr=False)
    daily_zone: tzinfo = UTC
    database_url: str = DEFAULT_DATABASE_URL
    log_level: str = DEFAULT_LOG_LEVEL

    @property
    def log_level_number(self) -> int:
        """The level as the logging module counts."""
        return logging.getLevelNamesMapping()[self.log_level]

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
        return cls(
            daily_secret=secret,
            daily_zone=_zone((environment.get("DAILY_TIMEZONE") or "UTC").strip()),
            token=(environment.get("DISCORD_TOKEN") or "").strip(),
            database_url=(environment.get("DATABASE_URL") or DEFAULT_DATABASE_URL).strip(),
            log_level=level,
        )


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
