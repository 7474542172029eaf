"""What may come between: a broken record, a midnight, a choice during a post."""

from __future__ import annotations

import asyncio

import pytest

from bot.service import Period
from bot.storage import NewGame, Status, StoredGame
from tests.service.test_daily import DAY_MS, MONDAY, TUESDAY, Bot, bot

__all__ = ["bot"]  # the fixture


async def test_a_broken_record_holds_up_neither_the_days_end_nor_a_board(bot: Bot) -> None:
    for user_id in (1, 2):
        await bot.daily(user_id)
        await bot.goes_on(user_id, 5)
    async with bot.store._transaction() as db:
        await db.execute("UPDATE games SET record = record || ' 9-d' WHERE owner_id = 1")
    bot.now_ms += DAY_MS
    view = await asyncio.wait_for(bot.services.boards.view(3, None, Period(MONDAY, MONDAY)), 10)
    assert [one.user_id for one in view.board.top] == [2]
    assert await bot.services.daily.settle_all() == 0


async def test_a_deal_asked_for_just_before_midnight_is_that_of_the_day_it_comes_on(
    bot: Bot, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = bot.store.create_game

    async def late(new: NewGame) -> StoredGame:
        bot.now_ms = max(bot.now_ms, bot.services.daily.calendar.end_ms(MONDAY))
        return await create(new)

    monkeypatch.setattr(bot.store, "create_game", late)
    bot.now_ms = bot.services.daily.calendar.end_ms(MONDAY) - 1
    turn = await bot.daily()
    assert (turn.game.day, turn.is_secret, turn.set_aside) == (TUESDAY, True, None)
    await bot.services.daily.settle_all()
    assert await bot.store.results_of(1) == []


async def test_yesterdays_daily_game_is_not_set_aside_as_if_it_could_be_resumed(bot: Bot) -> None:
    await bot.daily()
    first = await bot.goes_on(moves=3)
    bot.now_ms += DAY_MS
    assert (await bot.daily()).set_aside is None
    game = await bot.store.load_game(first.game.id)
    assert game is not None
    assert game.status is Status.EXPIRED


async def test_what_is_noted_of_a_post_does_not_undo_a_choice_made_meanwhile(bot: Bot) -> None:
    posts = bot.services.posts
    await posts.choose(1, 100, "en-US", 5)
    bot.now_ms += DAY_MS
    begun = await posts.next_due()
    assert begun is not None
    await posts.choose(1, 200, "no", 6)
    await posts.note(begun, "forbidden")
    await posts.put_back(begun)
    chosen = await posts.chosen(1)
    assert chosen is not None
    assert (chosen.channel_id, chosen.trouble, chosen.day) == (200, "", TUESDAY)


async def test_a_post_that_was_put_back_is_due_again_however_late(bot: Bot) -> None:
    posts = bot.services.posts
    await posts.choose(1, 100, "en-US", 5)
    bot.now_ms += DAY_MS
    for _ in range(5):
        begun = await posts.next_due()
        assert begun is not None
        await posts.put_back(begun)
        bot.now_ms += 3_600_000
    begun = await posts.next_due()
    assert begun is not None
    await posts.note(begun)
    await posts.put_back(begun)
    assert await posts.next_due() is None
