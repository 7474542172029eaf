"""Events that discord.py can't parse are skipped.

discord.py parses events in the task that reads them. One that lacks a field, such as those of a new kind of
channel may, would end that task, and the bot with it, whenever somebody plays there.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, MutableMapping
from typing import Any

from bot.telemetry.error_reports import new_error_id, report_error
from bot.telemetry.metrics import Metrics

Parser = Callable[[Any], None]


def guard_parsers(parsers: MutableMapping[str, Parser], metrics: Metrics) -> None:
    """Make each event parser report what it can't parse instead of raising."""
    for event, parse in parsers.items():
        parsers[event] = _guarded(event, parse, metrics)


def _guarded(event: str, parse: Parser, metrics: Metrics) -> Parser:
    @functools.wraps(parse)
    def guarded(data: Any) -> None:
        try:
            parse(data)
        except Exception as error:  # noqa: BLE001 - reported; nobody else could use it
            error_id = new_error_id()
            report_error(metrics, error, "error %s in event %s, skipped", error_id, event, error_id=error_id)

    return guarded
