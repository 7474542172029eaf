"""The log: one event a line, for people or as JSON, from structlog and the standard library alike.

Call sites use ``logging.getLogger(__name__)``, which every layer may. What they say, what discord.py,
aiohttp and asyncio say, and every traceback go through one formatter, which adds what is under way
(:mod:`bot.telemetry.trace`) and takes out what no log may have (:mod:`bot.telemetry.redaction`).
"""

from __future__ import annotations

import copy
import logging
import os
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, TextIO

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from bot.config import Config, LogFormat
from bot.storage import passwords
from bot.telemetry.redaction import Redactor
from bot.telemetry.trace import current

# The fields that a call may add by ``extra``; whatever else other libraries put there is left out.
FIELDS = ("error_id", "ms", "phases_ms")

# At DEBUG these of others would show whole payloads, tokens and texts in them, so they stay at INFO.
_OWN = ("bot", "engine", "solve")


def set_up_logging(config: Config, stream: TextIO | None = None) -> None:
    """Send every record of the process through one formatter to ``stream``, by default standard error."""
    stream = stream or sys.stderr
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter(config, colours=_likes_colours(stream)))
    root, level = logging.getLogger(), config.log_level_number
    for other in root.handlers[:]:
        root.removeHandler(other)
    root.addHandler(handler)
    root.setLevel(max(level, logging.INFO))
    for name in _OWN:
        logging.getLogger(name).setLevel(level)
    logging.captureWarnings(capture=True)
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
    )


def formatter(config: Config, *, colours: bool = False) -> logging.Formatter:
    """Return the one formatter, which knows the secrets of ``config`` so that it can leave them out."""
    redactor = Redactor((config.token, config.daily_secret, *passwords(config.database_url)))
    last: Sequence[Processor]
    if config.log_format is LogFormat.JSON:
        last = [structlog.processors.JSONRenderer()]
    else:
        last = [
            _printable,
            structlog.dev.ConsoleRenderer(
                colors=colours,
                timestamp_key="time",
                pad_event_to=0,
                exception_formatter=structlog.dev.plain_traceback,  # the other one shows local variables
            ),
        ]
    return _Formatter(
        redactor,
        foreign_pre_chain=[structlog.stdlib.ExtraAdder(FIELDS)],
        processors=[_Facts(redactor), *last],
    )


class _Formatter(structlog.stdlib.ProcessorFormatter):
    """Redacts exceptions among a record's arguments before they are written into its sentence."""

    def __init__(self, redactor: Redactor, **options: Any) -> None:
        super().__init__(**options)
        self._redactor = redactor

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of a record; also of one that can't be written, which logging would print raw."""
        try:
            return self._format(record)
        except Exception as error:  # noqa: BLE001 - whatever it is, it must not hold up what is logged
            where = f"{record.pathname}:{record.lineno}"
            bad = logging.LogRecord(
                record.name,
                record.levelno,
                record.pathname,
                record.lineno,
                "a line of %s can't be written",
                (where,),
                (type(error), error, error.__traceback__),
            )
            return super().format(bad)

    def _format(self, record: logging.LogRecord) -> str:
        if isinstance(record.args, tuple) and any(isinstance(arg, BaseException) for arg in record.args):
            record = copy.copy(record)
            record.args = tuple(
                _Said(self._redactor.message(arg, _typed())) if isinstance(arg, BaseException) else arg
                for arg in record.args or ()
            )
        return super().format(record)


class _Said(str):
    """A text without quotation marks also where it is asked for by ``%r``."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class _Facts:
    """The processor that makes the line's fields, in order, of what a record has and what is under way."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor

    def __call__(self, logger: WrappedLogger, name: str, event_dict: EventDict) -> EventDict:
        record: logging.LogRecord = event_dict.pop("_record")
        event_dict.pop("_from_structlog", None)
        error, stack = _error(event_dict.pop("exc_info", None)), event_dict.pop("stack_info", None)
        event, _, trail = str(event_dict.pop("event", "")).partition("\nTraceback")
        typed = _typed()
        line: EventDict = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": self._redactor.text(event, typed),
            **_under_way(),
            **{key: self._redactor.value(value, typed) for key, value in event_dict.items()},
        }
        if error is not None:
            line["exception"] = self._redactor.exception(error, typed)
        elif trail or stack:
            line["exception"] = self._redactor.text(f"Traceback{trail}" if trail else str(stack), typed)
        return line


def _under_way() -> dict[str, Any]:
    trace = current()
    if trace is None:
        return {}
    facts = {"command": trace.what, "user": trace.user_id, "game": trace.game_id, "shard": trace.shard_id}
    return {key: value for key, value in facts.items() if value is not None}


def _typed() -> tuple[str, ...]:
    trace = current()
    return trace.typed if trace is not None else ()


def _error(exc_info: Any) -> BaseException | None:
    if exc_info is True:
        exc_info = sys.exc_info()
    if isinstance(exc_info, tuple):
        exc_info = exc_info[1]
    return exc_info if isinstance(exc_info, BaseException) else None


def _printable(_: WrappedLogger, __: str, event_dict: EventDict) -> EventDict:
    """Write out control characters, so that an event stays on its line and a terminal is told nothing."""
    for key, value in event_dict.items():
        if isinstance(value, str):
            kept = "\n" if key == "exception" else ""
            event_dict[key] = "".join(c if c.isprintable() or c in kept else ascii(c)[1:-1] for c in value)
    return event_dict


def _likes_colours(stream: TextIO) -> bool:
    return stream.isatty() and "NO_COLOR" not in os.environ
