"""Thinking in other processes: it answers or it doesn't, it can die, and it ends with whoever asks."""

from __future__ import annotations

import asyncio
import logging
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
import pytest_asyncio

from bot.service import Priority, SolverPool
from bot.service.analysis.solver_pool import _IDLE_S
from solve import Par, jobs

RECORD = "acesup/standard/3 s-t"
ROOT = Path(__file__).resolve().parents[2]
MINUTE_S = 60
SIGNALS_S = 10

pytestmark = pytest.mark.usefixtures("plain")


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled."""
    monkeypatch.setenv("SOLVE_PLAIN", "1")


@pytest.fixture
def warm(monkeypatch: pytest.MonkeyPatch) -> None:
    """Warming up takes no time once a process has started."""
    monkeypatch.setattr("bot.service.analysis.solver_pool.jobs", SimpleNamespace(warm_up=os.getpid))


@pytest_asyncio.fixture
async def solvers(warm: None) -> AsyncIterator[SolverPool]:
    solvers = SolverPool(waiting_max=4)
    yield solvers
    await solvers.close()


def is_there(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def pid_of(solvers: SolverPool, lane: Priority = Priority.SLOW) -> int:
    await solvers.ask(Priority.SLOW, os.getpid)  # which waits for the warm-up
    pid = await solvers.ask(lane, os.getpid)
    assert pid is not None
    return pid


async def begun(solvers: SolverPool) -> asyncio.Task[object]:
    """A job of a minute that is being done."""
    await pid_of(solvers)
    sleep: Callable[[float], object] = time.sleep
    task = asyncio.create_task(solvers.ask(Priority.SLOW, sleep, MINUTE_S))
    await asyncio.sleep(0.05)
    return task


def errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]


# Answers


async def test_a_job_is_done_in_another_process_that_gives_way_to_this_one() -> None:
    solvers = SolverPool()
    try:
        found = await solvers.ask(Priority.SLOW, jobs.best, RECORD, 5.0)
        assert isinstance(found, Par)
        assert found.proven
        assert await solvers.ask(Priority.QUICK, jobs.hint, RECORD) == jobs.hint(RECORD)
        pids = {await pid_of(solvers, lane): lane for lane in Priority}
        assert os.getpid() not in pids
        for pid, lane in pids.items():
            assert os.getpriority(os.PRIO_PROCESS, pid) == min(
                os.getpriority(os.PRIO_PROCESS, 0) + lane.value, 19
            )
    finally:
        await solvers.close()


async def test_while_it_warms_up_the_quick_lane_has_no_answer_and_the_slow_one_waits(
    solvers: SolverPool,
) -> None:
    solvers.start()
    assert await solvers.ask(Priority.QUICK, math.sqrt, 4.0) is None
    assert await solvers.ask(Priority.SLOW, math.sqrt, 4.0) == 2.0
    assert await solvers.ask(Priority.QUICK, math.sqrt, 9.0) == 3.0


async def test_questions_that_wait_for_the_warm_up_count_among_those_that_wait(solvers: SolverPool) -> None:
    solvers.start()
    answers = await asyncio.gather(*(solvers.ask(Priority.SLOW, math.sqrt, 4.0) for _ in range(10)))
    assert sorted(answers, key=str) == [2.0] * 4 + [None] * 6


async def test_more_questions_than_may_wait_are_answered_at_once_with_none(
    solvers: SolverPool, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    busy = await begun(solvers)
    waiting = [asyncio.create_task(solvers.ask(Priority.SLOW, math.sqrt, 4.0)) for _ in range(3)]
    await asyncio.sleep(0)
    assert (solvers.is_full(Priority.SLOW), solvers.is_full(Priority.QUICK)) == (True, False)
    assert await solvers.ask(Priority.SLOW, math.sqrt, 9.0) is None
    assert caplog.messages[-1] == "sqrt was not done, since 4 others wait"
    assert await solvers.ask(Priority.QUICK, math.sqrt, 9.0) == 3.0  # nobody waits there
    assert not any(task.done() for task in (busy, *waiting))
    waiting.pop().cancel()
    await asyncio.sleep(0)
    assert not solvers.is_full(Priority.SLOW)
    waiting.append(asyncio.create_task(solvers.ask(Priority.SLOW, math.sqrt, 4.0)))
    await asyncio.sleep(0)
    assert not waiting[-1].done()  # there is room again
    await solvers.close()
    assert await asyncio.gather(busy, *waiting) == [None] * 4


async def test_a_job_that_fails_answers_none_and_is_in_the_log_and_the_process_goes_on(
    solvers: SolverPool, caplog: pytest.LogCaptureFixture
) -> None:
    pid = await pid_of(solvers)
    assert await solvers.ask(Priority.SLOW, math.sqrt, -1.0) is None
    [message] = errors(caplog)
    assert message.startswith("sqrt failed\nTraceback")
    assert "ValueError" in message
    assert await pid_of(solvers) == pid


async def test_a_question_or_an_answer_that_can_not_be_sent_disturbs_nobody(
    solvers: SolverPool, caplog: pytest.LogCaptureFixture
) -> None:
    assert await solvers.ask(Priority.SLOW, open, os.devnull) is None
    assert await solvers.ask(Priority.SLOW, lambda: 1) is None
    assert len(errors(caplog)) == 2
    assert await solvers.ask(Priority.SLOW, math.sqrt, 4.0) == 2.0


async def test_what_a_job_prints_does_not_get_between_the_answers(solvers: SolverPool) -> None:
    await solvers.ask(Priority.SLOW, print, "hello")
    assert await solvers.ask(Priority.SLOW, math.sqrt, 4.0) == 2.0


# Processes that die


async def test_when_the_process_is_killed_there_is_no_answer_and_the_next_question_has_another_process(
    solvers: SolverPool, caplog: pytest.LogCaptureFixture
) -> None:
    pid = await pid_of(solvers)
    busy, next_one = await begun(solvers), asyncio.create_task(solvers.ask(Priority.SLOW, os.getpid))
    os.kill(pid, signal.SIGKILL)
    assert await busy is None
    assert await next_one not in (None, pid)
    [message] = errors(caplog)
    assert message.startswith("the process of the slow lane died at sleep: ")
    assert not is_there(pid)


async def test_when_it_is_killed_while_nothing_is_asked_only_the_next_question_has_no_answer(
    solvers: SolverPool,
) -> None:
    pid = await pid_of(solvers, Priority.QUICK)
    os.kill(pid, signal.SIGKILL)
    await solvers.ask(Priority.QUICK, os.getpid)
    assert await solvers.ask(Priority.QUICK, os.getpid) not in (None, pid)


async def test_a_start_that_nobody_waits_for_any_more_is_not_in_vain(solvers: SolverPool) -> None:
    """A player waits for less than a start takes: were it begun anew each time, it would never end."""
    os.kill(await pid_of(solvers, Priority.QUICK), signal.SIGKILL)
    await solvers.ask(Priority.QUICK, os.getpid)
    asking = asyncio.create_task(solvers.ask(Priority.QUICK, os.getpid))
    await asyncio.sleep(0.01)
    asking.cancel()
    first = solvers._lanes[Priority.QUICK]
    assert await solvers.ask(Priority.QUICK, math.sqrt, 4.0) == 2.0
    assert first._process is not None


async def test_who_no_longer_waits_disturbs_nobody(solvers: SolverPool, tmp_path: Path) -> None:
    pid = await pid_of(solvers)
    asking = [
        asyncio.create_task(solvers.ask(Priority.SLOW, job, *arguments))
        for job, arguments in (
            (time.sleep, (0.3,)),
            ((tmp_path / "not asked any more").touch, ()),
            ((tmp_path / "asked").touch, ()),
        )
    ]
    await asyncio.sleep(0.1)
    for task in asking[:2]:  # the first is being done, the second waits
        task.cancel()
    await asking[2]
    assert [entry.name for entry in os.scandir(tmp_path)] == ["asked"]
    assert await pid_of(solvers) == pid


async def test_without_questions_the_process_ends_and_comes_back_with_the_next(
    warm: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(_IDLE_S, Priority.SLOW, 0.05)
    solvers = SolverPool()
    try:
        pid = await pid_of(solvers)
        quick = await pid_of(solvers, Priority.QUICK)
        async with asyncio.timeout(SIGNALS_S):
            while True:
                if not is_there(pid):
                    break
                await asyncio.sleep(0.01)
        assert await pid_of(solvers) != pid
        assert await pid_of(solvers, Priority.QUICK) == quick
        await solvers.ask(Priority.SLOW, time.sleep, 0.2)  # which is longer than that, and not idle
        assert errors(caplog) == []
    finally:
        await solvers.close()


# The end


async def test_closing_ends_a_job_of_a_minute_at_once_and_leaves_no_process(
    solvers: SolverPool, caplog: pytest.LogCaptureFixture
) -> None:
    pids = [await pid_of(solvers, lane) for lane in Priority]
    busy = await begun(solvers)
    waiting = [asyncio.create_task(solvers.ask(Priority.SLOW, math.sqrt, 4.0)) for _ in range(3)]
    await asyncio.sleep(0)
    async with asyncio.timeout(MINUTE_S / 2):
        await solvers.close()
        assert await asyncio.gather(busy, *waiting) == [None] * 4
    assert not any(map(is_there, pids))
    assert [worker._process for worker in solvers._lanes.values()] == [None, None]
    assert errors(caplog) == []


async def test_closed_solvers_answer_none_and_can_be_closed_again(solvers: SolverPool) -> None:
    await pid_of(solvers)
    await solvers.close()
    assert [await solvers.ask(lane, os.getpid) for lane in Priority] == [None, None]
    solvers.start()
    await solvers.close()
    assert [worker._process for worker in solvers._lanes.values()] == [None, None]


@pytest.mark.parametrize("after_s", [0, 0.01, 0.2])
async def test_closing_while_it_warms_up_leaves_no_process(
    after_s: float, caplog: pytest.LogCaptureFixture
) -> None:
    solvers = SolverPool()
    asking = asyncio.create_task(solvers.ask(Priority.SLOW, math.sqrt, 4.0))
    await asyncio.sleep(after_s)
    async with asyncio.timeout(SIGNALS_S):
        await solvers.close()
        assert await asking is None
    assert [worker._process for worker in solvers._lanes.values()] == [None, None]
    assert errors(caplog) == []


PARENT = """
import asyncio, os, signal, sys, time
from bot.service import SolverPool, Priority

async def main():
    asyncio.get_running_loop().add_signal_handler(signal.SIGINT, asyncio.current_task().cancel)
    solvers = SolverPool()
    solvers.start()
    if sys.argv[1] == "warm":
        await solvers.ask(Priority.SLOW, os.getpid)
        print(*[await solvers.ask(lane, os.getpid) for lane in Priority], flush=True)
    else:
        await asyncio.sleep(float(sys.argv[1]))
        print("0", flush=True)
    try:
        await solvers.ask(Priority.SLOW, time.sleep, 60)
    finally:
        await solvers.close()

try:
    asyncio.run(main())
except asyncio.CancelledError:
    pass
"""


def parent(how: str) -> tuple[subprocess.Popen[str], list[int]]:
    """A program that thinks, in a group of its own as in a terminal, and the ids of what thinks for it."""
    program = subprocess.Popen(
        [sys.executable, "-c", PARENT, how],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert program.stdout
    return program, [int(pid) for pid in program.stdout.readline().split()]


def test_what_thinks_ends_with_a_bot_that_was_killed_though_it_has_much_to_do() -> None:
    program, pids = parent("warm")
    with program:
        assert all(map(is_there, pids))
        program.kill()
    until = time.monotonic() + SIGNALS_S
    while any(map(is_there, pids)) and time.monotonic() < until:
        time.sleep(0.01)
    assert not any(map(is_there, pids))


@pytest.mark.parametrize("how", ["warm", "0", "0.1"])
def test_ctrl_c_in_a_terminal_ends_the_bot_without_a_traceback(how: str) -> None:
    program, pids = parent(how)
    os.killpg(program.pid, signal.SIGINT)
    _, said = program.communicate(timeout=SIGNALS_S)
    assert said == ""
    assert program.returncode == 0
    assert not any(map(is_there, filter(None, pids)))
