"""What the interpreter is told once the bot is up, so that it gets in nobody's way.

Not done by the client itself: these are settings of a whole process, which may have more than one.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Callable
from contextlib import suppress

new_event_loop: Callable[[], asyncio.AbstractEventLoop] = asyncio.new_event_loop
with suppress(ImportError):  # the bot is some ten per cent faster with it, and runs without
    import uvloop

    new_event_loop = uvloop.new_event_loop

SWITCH_S = 0.001
_THRESHOLDS = (20_000, 20, 100)


def settle() -> None:
    """Take what there is now as there to stay, and look for garbage more rarely; hand over more often.

    A full collection walks over everything, which takes half a second with a thousand turns under way. All
    that was loaded at the start is left out from now on, and young garbage, such as that of a turn, is found
    without. The event loop waits for a thread that draws as long as the interpreter's switch interval.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_THRESHOLDS)
    sys.setswitchinterval(SWITCH_S)
