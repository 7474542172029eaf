"""Tunes the interpreter for a long-running bot: event loop, garbage collection, thread switching.

The client doesn't do this itself, because these are settings of the whole process, which may run several.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Callable
from contextlib import suppress

new_event_loop: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop
with suppress(ImportError):  # optional; makes the bot about ten per cent faster
    import uvloop

    new_event_loop = uvloop.new_event_loop

SWITCH_INTERVAL_S = 0.001
_GC_THRESHOLDS = (20_000, 20, 100)


def tune_interpreter() -> None:
    """Freeze the objects that exist now, collect garbage less often, and switch threads more often.

    A full collection visits every object, which takes half a second with a thousand turns in flight. Frozen
    objects are skipped, and the garbage of a turn is young, so that it is found without a full collection.
    A thread that draws a picture holds up the event loop for up to one switch interval.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_GC_THRESHOLDS)
    sys.setswitchinterval(SWITCH_INTERVAL_S)
