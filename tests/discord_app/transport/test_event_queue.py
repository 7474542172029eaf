"""Events are parsed in order, in short slices, and one that can't be parsed is skipped."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import pytest

from bot.discord_app.transport import event_queue as module
from bot.discord_app.transport.event_queue import EventQueue
from bot.discord_app.transport.guard_parsers import guard_parsers
from bot.telemetry.metrics import Metrics

EVENT = "INTERACTION_CREATE"


def shielded_queue(parse: Callable[[Any], None]) -> EventQueue:
    """As the client has it."""
    parsers = {EVENT: parse}
    guard_parsers(parsers, Metrics())
    return EventQueue(parsers[EVENT])


async def empty(queue: EventQueue) -> None:
    """Wait until all events are parsed."""
    async with asyncio.timeout(5):
        while queue._working is not None:  # noqa: ASYNC110 - told by no event
            await asyncio.sleep(0)


async def test_events_keep_their_order_even_while_others_are_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SLICE_S", 0.0)
    taken: list[int] = []

    def parse(number: int) -> None:
        taken.append(number)
        if number % 10 == 0 and number < 100:
            queue(1_000 + number)

    queue = shielded_queue(parse)
    for number in range(50):
        queue(number)
    await asyncio.sleep(0)
    for number in range(50, 100):
        queue(number)
    await empty(queue)
    first = [number for number in taken if number < 1_000]
    assert first == [*range(100)]
    assert [number for number in taken if number >= 1_000] == [*range(1_000, 1_100, 10)]


async def test_events_are_not_parsed_on_arrival() -> None:
    taken: list[int] = []
    queue = shielded_queue(taken.append)
    queue(1)
    assert taken == []
    await empty(queue)
    assert taken == [1]


async def test_an_event_that_cannot_be_parsed_is_skipped(caplog: pytest.LogCaptureFixture) -> None:
    taken: list[int] = []

    def parse(number: int) -> None:
        if number % 3 == 1:
            raise KeyError(number)
        taken.append(number)

    queue = shielded_queue(parse)
    for number in range(9):
        queue(number)
    await empty(queue)
    assert taken == [0, 2, 3, 5, 6, 8]
    assert [record.levelno for record in caplog.records] == [logging.ERROR] * 3


async def test_other_tasks_run_between_two_slices(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the test's own clock each event takes a tenth of a slice."""
    now = 0.0

    def parse(_: int) -> None:
        nonlocal now
        now += module.SLICE_S / 10
        taken.append(now)

    monkeypatch.setattr("bot.discord_app.transport.event_queue.time.perf_counter", lambda: now)
    taken: list[float] = []
    queue = shielded_queue(parse)
    for number in range(100):
        queue(number)
    between: list[int] = []
    while queue._working is not None:
        await asyncio.sleep(0)
        between.append(len(taken))
    steps = [after - before for before, after in zip([0, *between], between, strict=False)]
    assert sum(steps) == 100
    assert max(steps) <= 12
    assert sum(step > 0 for step in steps) <= 12


async def test_events_after_a_pause_are_parsed_too() -> None:
    taken: list[int] = []
    queue = shielded_queue(taken.append)
    queue(1)
    await empty(queue)
    queue(2)
    await empty(queue)
    assert taken == [1, 2]
