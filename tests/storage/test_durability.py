"""A process that is killed loses nothing it has acknowledged."""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path

import pytest

from bot.storage import open_store

REPOSITORY = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("turns", [1, 25])
async def test_kill_9_between_turns_loses_no_acknowledged_turn(database_url: str, turns: int) -> None:
    player = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.storage.endless_player",
        database_url,
        cwd=REPOSITORY,
        stdout=asyncio.subprocess.PIPE,
    )
    assert player.stdout is not None
    async with asyncio.timeout(30):
        for _ in range(turns):
            told = await player.stdout.readline()
        player.send_signal(signal.SIGKILL)
        left = await player.stdout.read()
        assert await player.wait() == -signal.SIGKILL
    acknowledged = [line for line in (told + left).decode().split("\n")[:-1] if line][-1]
    game_id, revision, record = acknowledged.split(" ", 2)

    store = open_store(database_url)
    await store.open()
    try:
        kept = await store.current_game(1)
        assert kept is not None
        assert kept.id == int(game_id)
        # A turn that was under way may have been committed before it could be told, one at most.
        assert kept.revision - int(revision) in (0, 1)
        if kept.revision == int(revision):
            assert kept.record == record
    finally:
        await store.close()
