"""The time, handed in so that tests and the offline preview can choose it."""

from __future__ import annotations

import time
from collections.abc import Callable

Clock = Callable[[], int]
"""Returns the milliseconds since 1970 in UTC."""


def system_clock() -> int:
    """Return the time of this machine in milliseconds since 1970 in UTC."""
    return time.time_ns() // 1_000_000
