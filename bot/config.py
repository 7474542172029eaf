"""The bot's configuration: read once from the environment, checked, frozen."""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field

DEFAULT_DATABASE_URL = "sqlite:///solitaire.sqlite3"
DEFAULT_LOG_LEVEL = "INFO"


class ConfigError(ValueError):
    """A setting can't be used; the message says which, and what to write instead."""


@dataclass(frozen=True, slots=True)
class Config:
    """``token`` is Discord's for the bot, empty where none is needed; it never shows in a repr or a log."""

    token: str = field(default="", repr=False)
    database_url: str = DEFAULT_DATABASE_URL
    log_level: str = DEFAULT_LOG_LEVEL

    @property
    def log_level_number(self) -> int:
        """The level as the logging module counts."""
        return logging.getLevelNamesMapping()[self.log_level]

    @classmethod
    def from_env(cls, environment: Mapping[str, str] = os.environ) -> Config:
        """Read ``DISCORD_TOKEN``, ``DATABASE_URL`` and ``LOG_LEVEL``; what is missing or empty has a default.

        :raises ConfigError: when a value can't be used.
        """
        level = (environment.get("LOG_LEVEL") or DEFAULT_LOG_LEVEL).strip().upper()
        if level not in logging.getLevelNamesMapping():
            raise ConfigError(f"LOG_LEVEL is {level!r}; write DEBUG, INFO, WARNING or ERROR")
        return cls(
            token=(environment.get("DISCORD_TOKEN") or "").strip(),
            database_url=(environment.get("DATABASE_URL") or DEFAULT_DATABASE_URL).strip(),
            log_level=level,
        )
