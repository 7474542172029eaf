"""An event that discord.py can't read is passed over.

discord.py takes events apart in the task that reads them. One that lacks a field, such as those of
a channel of a new kind may, would end that task, and the bot with it, whenever somebody plays there.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, MutableMapping
from typing import Any

from bot.discord_app.errors import new_error_id, report
from bot.telemetry.metrics import Metrics

Parser = Callable[[Any], None]


def guard_parsers(parsers: MutableMapping[str, Parser], metrics: Metrics) -> None:
    """Make each parser of an event report what it can't read, instead of raising it."""
    for event, parse in parsers.items():
        parsers[event] = _shielded(event, parse, metrics)


def _shielded(event: str, parse: Parser, metrics: Metrics) -> Parser:
    @functools.wraps(parse)
    def shielded(data: Any) -> None:
        try:
            parse(data)
        except Exception as error:  # noqa: BLE001 - it is of no use to anybody else
            error_id = new_error_id()
            report(metrics, error, "error %s in event %s, passed over", error_id, event, error_id=error_id)

    return shielded
