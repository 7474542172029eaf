"""An event that discord.py can't read is passed over.

discord.py takes events apart in the task that reads them. One that lacks a field, such as those of
a channel of a new kind may, would end that task, and the bot with it, whenever somebody plays there.
"""

from __future__ import annotations

import functools
import logging
import secrets
from collections.abc import Callable, MutableMapping
from typing import Any

log = logging.getLogger(__name__)

Parser = Callable[[Any], None]


def shield(parsers: MutableMapping[str, Parser]) -> None:
    """Make each parser of an event log what it can't read, with an error id, instead of raising it."""
    for event, parse in parsers.items():
        parsers[event] = _shielded(event, parse)


def _shielded(event: str, parse: Parser) -> Parser:
    @functools.wraps(parse)
    def shielded(data: Any) -> None:
        try:
            parse(data)
        except Exception:
            log.exception("error %s in event %s, which is passed over", secrets.token_hex(3), event)

    return shielded
