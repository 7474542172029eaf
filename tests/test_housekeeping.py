"""What the interpreter is told, in a process of its own: the tests' own is to stay as it is."""

from __future__ import annotations

import asyncio
import subprocess
import sys

import pytest

from bot.operations import runtime

SETTLED = """
import gc, sys
from bot.operations import runtime
before = gc.get_freeze_count()
runtime.tune_interpreter()
print(before, gc.get_freeze_count() > 1_000, gc.get_threshold(), sys.getswitchinterval(), gc.isenabled())
"""
LOOP = """
import asyncio, sys
if {hidden}:
    sys.modules["uvloop"] = None
from bot.operations.runtime import new_event_loop

async def main():
    await asyncio.sleep(0)
    await asyncio.to_thread(print, type(asyncio.get_running_loop()).__module__.partition(".")[0])

with asyncio.Runner(loop_factory=new_event_loop) as runner:
    runner.run(main())
"""


def printed(script: str) -> str:
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", script], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.strip()


def test_what_is_there_stays_and_is_not_looked_through() -> None:
    expected = (0, True, runtime._GC_THRESHOLDS, runtime.SWITCH_INTERVAL_S, True)
    assert printed(SETTLED) == " ".join(map(str, expected))


def test_without_uvloop_the_standard_loop_is_used() -> None:
    assert printed(LOOP.format(hidden=True)) == "asyncio"


def test_with_uvloop_its_loop_is_used() -> None:
    pytest.importorskip("uvloop", reason="the faster event loop (uvloop is not installed)")
    assert printed(LOOP.format(hidden=False)) == "uvloop"


def test_a_loop_is_a_new_one_each_time() -> None:
    first, second = runtime.new_event_loop(), runtime.new_event_loop()
    try:
        assert isinstance(first, asyncio.AbstractEventLoop)
        assert first is not second
    finally:
        first.close()
        second.close()
