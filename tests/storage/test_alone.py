"""One at a time does what is to be done once."""

from __future__ import annotations

import asyncio

from bot.storage import Store


async def test_one_is_alone_and_the_next_is_told_so(store: Store) -> None:
    async with store.lock("rounds") as first:
        assert first
        async with store.lock("rounds") as second:
            assert not second


async def test_who_has_left_lets_the_next_one_in(store: Store) -> None:
    for _ in range(2):
        async with store.lock("rounds") as alone:
            assert alone


async def test_a_fault_in_the_block_lets_the_next_one_in(store: Store) -> None:
    try:
        async with store.lock("rounds"):
            raise LookupError
    except LookupError:
        pass
    async with store.lock("rounds") as alone:
        assert alone


async def test_something_else_is_done_at_the_same_time(store: Store) -> None:
    async with store.lock("rounds") as first, store.lock("top-up") as second:
        assert first
        assert second


async def test_one_after_the_other_where_they_wait(store: Store) -> None:
    inside, most, turns = 0, 0, []

    async def work(number: int) -> None:
        nonlocal inside, most
        async with store.lock("commands", waits=True) as alone:
            assert alone
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0.01)
            inside -= 1
            turns.append(number)

    await asyncio.gather(*map(work, range(5)))
    assert most == 1
    assert sorted(turns) == [0, 1, 2, 3, 4]


async def test_who_no_longer_waits_holds_up_nobody(store: Store) -> None:
    async def wait() -> None:
        async with store.lock("commands", waits=True):
            pass

    async with store.lock("commands"):
        waiting = asyncio.create_task(wait())
        done, _ = await asyncio.wait({waiting}, timeout=0.05)
        assert not done
        waiting.cancel()
        await asyncio.wait({waiting})
    async with store.lock("commands") as alone:
        assert alone


async def test_many_are_alone_at_different_things_at_once(store: Store) -> None:
    all_are_in = asyncio.Barrier(16)

    async def enter(what: str) -> None:
        async with store.lock(what) as alone:
            assert alone
            await asyncio.wait_for(all_are_in.wait(), 10)

    await asyncio.gather(*(enter(f"identify {bucket}") for bucket in range(16)))
