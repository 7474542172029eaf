"""Unexpected errors: logged with a traceback, counted, and given an id that a user can quote."""

from __future__ import annotations

import logging
import secrets

from bot.telemetry.metrics import UNEXPECTED, Metrics

log = logging.getLogger(__name__)


def new_error_id() -> str:
    """Return a random id of six hexadecimal digits, by which an error can be found in the log."""
    return secrets.token_hex(3)


def report_error(
    metrics: Metrics, error: BaseException, what: str, *facts: object, error_id: str = ""
) -> str:
    """Log an unexpected error with its traceback, count it, and return its id.

    :param what: a log message with ``%``-placeholders for ``facts``.
    :param error_id: the id, if the error has one already.
    """
    error_id = error_id or new_error_id()
    metrics.error(UNEXPECTED, type(error).__name__)
    log.error(what, *facts, exc_info=error, extra={"error_id": error_id})
    return error_id


def describe(error: BaseException) -> str:
    """Return the error's message, or its class where it has none."""
    return str(error) or type(error).__name__
