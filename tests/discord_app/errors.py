"""Errors of the bot, as the log has them."""

from __future__ import annotations

import logging
import re

import pytest


def the_fault(caplog: pytest.LogCaptureFixture, kind: type[BaseException]) -> str:
    """Return the id of the only error in the log, which has the traceback of an exception of that kind."""
    [record] = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert record.exc_info is not None
    assert isinstance(record.exc_info[1], kind)
    assert record.exc_info[2] is not None
    error_id = record.__dict__["error_id"]
    assert re.fullmatch("[0-9a-f]{6}", error_id)
    return str(error_id)
