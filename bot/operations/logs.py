"""Sets up the process's log as its configuration says."""

from __future__ import annotations

import logging
from typing import TextIO

from bot.config import Config, LogFormat
from bot.service import ServiceError
from bot.storage import passwords
from bot.telemetry import log
from bot.telemetry.redaction import Redactor


def set_up_logging(config: Config, stream: TextIO | None = None) -> None:
    """Send every record of the process, redacted, to ``stream``, by default standard error."""
    as_json = config.log_format is LogFormat.JSON
    log.set_up_logging(config.log_level_number, redactor_for(config), as_json=as_json, stream=stream)
    for name in ("discord.client", "discord.state"):
        logging.getLogger(name).addFilter(_is_relevant)


def formatter(config: Config) -> logging.Formatter:
    """Return the log's formatter, without colours."""
    return log.log_formatter(redactor_for(config), as_json=config.log_format is LogFormat.JSON)


def redactor_for(config: Config) -> Redactor:
    """Return a redactor that knows every secret of a configuration."""
    secrets = (config.token, config.daily_secret, *passwords(config.database_url))
    return Redactor(secrets, class_only=(ServiceError,))


def _is_relevant(record: logging.LogRecord) -> bool:
    """Drop discord.py's advice to ask for the guilds intent and for voice: this bot needs neither."""
    message = record.getMessage()
    return "intent seems to be disabled" not in message and "voice will NOT be supported" not in message
