"""Formats the log: one event per line, for people or as JSON, from structlog and ``logging`` alike.

Every layer logs through ``logging.getLogger(__name__)``. Those records, the ones from discord.py, aiohttp and
asyncio, and all tracebacks pass through one formatter, which adds the current request
(:mod:`bot.telemetry.trace`) and removes secrets and user input (:mod:`bot.telemetry.redaction`).
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

from bot.telemetry.redaction import Redactor
from bot.telemetry.trace import current

# The fields a call may add through ``extra``. Anything else, such as what other libraries add, is dropped.
FIELDS = ("error_id", "ms", "phases_ms")

# Only these go down to DEBUG. Other libraries would log whole payloads there, with tokens and user input.
_OWN = ("bot", "engine", "solve")


def set_up_logging(level: int, redactor: Redactor, *, as_json: bool, stream: TextIO | None = None) -> None:
    """Send every record of the process through one formatter to ``stream``, by default standard error."""
    stream = stream or sys.stderr
    handler = logging.StreamHandler(stream)
    handler.setFormatter(log_formatter(redactor, as_json=as_json, colours=_supports_colours(stream)))
    root = logging.getLogger()
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


def log_formatter(redactor: Redactor, *, as_json: bool, colours: bool = False) -> logging.Formatter:
    """Return the formatter for every line of the log."""
    last: Sequence[Processor]
    if as_json:
        last = [structlog.processors.JSONRenderer()]
    else:
        last = [
            _printable,
            structlog.dev.ConsoleRenderer(
                colors=colours,
                timestamp_key="time",
                pad_event_to=0,
                exception_formatter=structlog.dev.plain_traceback,  # the default one shows local variables
            ),
        ]
    return _Formatter(
        redactor,
        foreign_pre_chain=[structlog.stdlib.ExtraAdder(FIELDS)],
        processors=[_EventFields(redactor), *last],
    )


class _Formatter(structlog.stdlib.ProcessorFormatter):
    """Redacts exceptions among a record's arguments before they are formatted into its message."""

    def __init__(self, redactor: Redactor, **options: Any) -> None:
        super().__init__(**options)
        self._redactor = redactor

    def format(self, record: logging.LogRecord) -> str:
        """Return a record's line, or a report of its failure: ``logging`` would print the raw record."""
        try:
            return self._format(record)
        except Exception as error:  # noqa: BLE001 - whatever it is, logging must not fail
            where = f"{record.pathname}:{record.lineno}"
            bad = logging.LogRecord(
                record.name,
                record.levelno,
                record.pathname,
                record.lineno,
                "a log record from %s can't be formatted",
                (where,),
                (type(error), error, error.__traceback__),
            )
            return super().format(bad)

    def _format(self, record: logging.LogRecord) -> str:
        if isinstance(record.args, tuple) and any(isinstance(arg, BaseException) for arg in record.args):
            record = copy.copy(record)
            record.args = tuple(
                _UnquotedStr(self._redactor.message(arg, _user_input()))
                if isinstance(arg, BaseException)
                else arg
                for arg in record.args or ()
            )
        return super().format(record)


class _UnquotedStr(str):
    """A string that ``%r`` formats without quotation marks."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class _EventFields:
    """The processor that puts together a line's fields, in order, from the record and the current request."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor

    def __call__(self, logger: WrappedLogger, name: str, event_dict: EventDict) -> EventDict:
        record: logging.LogRecord = event_dict.pop("_record")
        event_dict.pop("_from_structlog", None)
        error, stack = _error(event_dict.pop("exc_info", None)), event_dict.pop("stack_info", None)
        event, _, traceback = str(event_dict.pop("event", "")).partition("\nTraceback")
        typed = _user_input()
        line: EventDict = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": self._redactor.text(event, typed),
            **_request_fields(),
            **{key: self._redactor.value(value, typed) for key, value in event_dict.items()},
        }
        if error is not None:
            line["exception"] = self._redactor.exception(error, typed)
        elif traceback or stack:
            text = f"Traceback{traceback}" if traceback else str(stack)
            line["exception"] = self._redactor.text(text, typed)
        return line


def _request_fields() -> dict[str, Any]:
    trace = current()
    if trace is None:
        return {}
    fields = {"command": trace.what, "user": trace.user_id, "game": trace.game_id, "shard": trace.shard_id}
    return {key: value for key, value in fields.items() if value is not None}


def _user_input() -> tuple[str, ...]:
    trace = current()
    return trace.typed if trace is not None else ()


def _error(exc_info: Any) -> BaseException | None:
    if exc_info is True:
        exc_info = sys.exc_info()
    if isinstance(exc_info, tuple):
        exc_info = exc_info[1]
    return exc_info if isinstance(exc_info, BaseException) else None


def _printable(_: WrappedLogger, __: str, event_dict: EventDict) -> EventDict:
    """Escape control characters, so that an event stays on one line and can't control a terminal."""
    for key, value in event_dict.items():
        if isinstance(value, str):
            kept = "\n" if key == "exception" else ""
            event_dict[key] = "".join(c if c.isprintable() or c in kept else ascii(c)[1:-1] for c in value)
    return event_dict


def _supports_colours(stream: TextIO) -> bool:
    return stream.isatty() and "NO_COLOR" not in os.environ
