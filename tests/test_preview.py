"""The solvers of the preview, whose page waits at most five seconds for everything a press begins."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from bot.preview import BUDGET_MAX_S, BriefSolverPool
from bot.service import Priority
from bot.service.analysis.best_scores import BUDGET_S, DAILY_BUDGET_S
from solve import jobs

RECORD = "acesup/standard/1"


def budget(record: str, budget_s: float) -> float:
    """A job: how long it may take."""
    return budget_s


@pytest_asyncio.fixture
async def solvers(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[BriefSolverPool]:
    monkeypatch.setenv("SOLVE_PLAIN", "1")
    solvers = BriefSolverPool()
    yield solvers
    await solvers.close()


async def test_nobody_waits_while_it_warms_up(solvers: BriefSolverPool) -> None:
    solvers.start()
    assert not solvers.is_warm
    assert await solvers.ask(Priority.SLOW, jobs.best, RECORD, 10.0) is None


async def test_nobody_waits_while_it_is_busy(solvers: BriefSolverPool) -> None:
    solvers.start()
    assert solvers._warming is not None
    await solvers._warming
    busy = asyncio.create_task(solvers.ask(Priority.SLOW, budget, RECORD, 1.0))
    await asyncio.sleep(0)
    assert await solvers.ask(Priority.SLOW, budget, RECORD, 1.0) is None
    assert await busy == 1.0


async def test_no_job_takes_long(solvers: BriefSolverPool) -> None:
    solvers.start()
    assert solvers._warming is not None
    await solvers._warming
    assert await solvers.ask(Priority.SLOW, budget, RECORD, BUDGET_S) == BUDGET_MAX_S
    assert await solvers.ask(Priority.SLOW, budget, RECORD, DAILY_BUDGET_S) == DAILY_BUDGET_S
    assert await solvers.ask(Priority.SLOW, budget, RECORD, 0.5) == 0.5
    assert await solvers.ask(Priority.QUICK, jobs.hint, RECORD) == jobs.hint(RECORD)
