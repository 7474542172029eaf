"""Attacks on the daily game: early looks, public tables, and boards that reveal too much."""

from __future__ import annotations

import asyncio
import re
from types import SimpleNamespace
from unittest.mock import AsyncMock

import aiohttp
import discord
import pytest

from bot.discord_app.features.daily_posts import DailyPosts
from bot.discord_app.features.daily_posts.posts import OTHER, UNREACHED, _nonce
from bot.discord_app.features.daily_posts.scheduler import _AT_ONCE
from bot.discord_app.layout import Message
from bot.discord_app.member_names import MemberNames
from bot.discord_app.tables.controls import Action, ComponentId
from bot.service import Request
from bot.storage import DailyChannel
from bot.text import texts_for
from tests.discord_app.daily import MONDAY, TUESDAY, play_on, record_of
from tests.discord_app.daily import daily_posts as posts_in
from tests.discord_app.direct import direct_bot
from tests.discord_app.playing import World
from tests.discord_app.pressing import player


@pytest.fixture(autouse=True)
def on_monday(world: World) -> None:
    world.clock.set(MONDAY)


async def test_no_button_reveals_the_seed_of_an_unfinished_daily_game(world: World) -> None:
    ada = player(world)
    table = await ada.types("daily")
    seed = (await record_of(ada.seat)).seed
    for panel in ("more", "giveup", "main"):
        game = await ada.game()
        shown = await ada.press_id(str(ComponentId(game.id, game.revision, Action.PANEL, panel)), on=table)
        assert all(pressed not in str(shown.controls) for pressed in (seed, Action.SHARE, Action.SAME))


async def test_no_forged_press_reveals_the_seed_either(monkeypatch: pytest.MonkeyPatch) -> None:
    async with direct_bot(monkeypatch) as direct:
        game = (await direct.client.services.games.play_daily(Request(1, 1))).game
        seed = game.record.split("/")[2]
        for action in (*Action, *Action):  # the second time on the table as it is then
            now = await direct.store.load_game(game.id)
            assert now is not None
            for sent in await direct.press(str(ComponentId(game.id, now.revision, action)), "s-t"):
                told = str(sent)
                now = await direct.store.load_game(game.id)
                assert now is not None
                assert seed not in told or now.status != "playing", action
                assert sent.ephemeral or sent.edits or (action is Action.SHARE and seed not in told)


async def test_practice_on_the_cards_of_the_day_is_ephemeral(world: World) -> None:
    ada = player(world)
    await ada.types("daily")
    await play_on(ada.seat)
    record = await record_of(ada.seat)
    for game, rules in (("acesup", "standard"), ("acesup", "pairs"), ("klondike", "d1")):
        shown = await ada.types("new", game=game, rules=rules, seed=record.seed)
        assert shown.ephemeral
        for command in ("table", "draw", "undo", "replay"):
            assert (await ada.types(command)).ephemeral, command
    world.clock.set(TUESDAY)
    assert not (await ada.types("table")).ephemeral


async def test_a_press_does_not_show_the_place_of_a_player_who_hid_meanwhile(world: World) -> None:
    ada = player(world)
    await ada.types("daily")
    await play_on(ada.seat)
    board = await ada.types("leaderboard")
    assert not board.ephemeral
    await ada.prefers(is_hidden=True)
    shown = await ada.press("Everyone", on=board)
    assert "You would be" in shown.text
    assert shown.ephemeral
    assert "You would be" not in board.now().text
    again = await ada.press("This server", on=shown)  # this one only ada sees, so it can change in place
    assert again.message.id == shown.message.id


async def test_ranks_are_not_written_as_a_markdown_list(world: World) -> None:
    scores = [9, 8, 7, 5, 5, 1]
    seats = [world.seat(f"player{score}{number}") for number, score in enumerate(scores)]
    for seat in seats:
        await seat.type("daily")
        await seat.gives_up()
    async with world.client._store._transaction() as db:  # type: ignore[attr-defined]
        for seat, score in zip(seats, scores, strict=True):
            await db.execute("UPDATE daily_results SET score = ? WHERE user_id = ?", (score, seat.user_id))
    text = (await seats[0].type("leaderboard")).text
    assert re.findall(r"^(\d)(\\?)\. (\d)", text, re.MULTILINE) == [
        ("4", "\\", "5"),
        ("4", "\\", "5"),
        ("6", "\\", "1"),
    ]


@pytest.mark.parametrize("looking_s", [10.0, -1.0])
async def test_players_who_left_are_not_shown_without_a_name(
    world: World, monkeypatch: pytest.MonkeyPatch, looking_s: float
) -> None:
    monkeypatch.setattr("bot.discord_app.views.board.LOOKUP_S", looking_s)
    ada = world.seat()
    await ada.type("daily")
    await ada.gives_up()
    async with world.client._store._transaction() as db:  # type: ignore[attr-defined]
        for user_id in range(1, 41):
            await db.execute("INSERT INTO daily_results VALUES (?, ?, 1, 40, 1)", (MONDAY, user_id))
            await db.execute("INSERT INTO server_players VALUES (?, ?)", (world.guild.id, user_id))
    text = (await ada.type("leaderboard")).text
    assert "a player" not in text
    assert ("🥇 0 · ada" in text) == (looking_s > 0)


# The daily post


async def test_no_two_servers_share_a_nonce(world: World) -> None:
    """Discord would take the second post for a repetition of the first one, and not show it."""
    servers = (2_000_006 + 7, 1_000_003 + 7, 7, 2**63 - 1)
    nonces = {
        _nonce(DailyChannel(server, 1, "en-US", 1, day)) for server in servers for day in (MONDAY, TUESDAY)
    }
    assert len(nonces) == 8
    assert max(map(len, nonces)) <= 25


async def test_a_failing_post_does_not_hold_up_the_others(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    posts, daily_posts = world.client.services.posts, world.client.feature(DailyPosts)
    tried = []

    async def fails(channel: DailyChannel) -> str:
        tried.append(channel.server_id)
        raise RuntimeError("a fault of ours")

    for server_id in (1, 2, 3):
        await posts.choose(server_id, world.channel.id, "en-US", 1)
    monkeypatch.setattr(daily_posts.poster, "post_day", fails)
    world.clock.set(TUESDAY)
    await daily_posts.scheduler.run_once()
    assert sorted(tried) == [1, 2, 3]
    assert "failed" in caplog.text
    caplog.clear()


async def test_while_discord_is_out_of_reach_posts_stay_due(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    posts, daily_posts = world.client.services.posts, world.client.feature(DailyPosts)
    for server_id in (1, 2, world.guild.id):
        await posts.choose(server_id, world.channel.id, "en-US", 1)
    send = daily_posts.poster._send
    unreached = AsyncMock(return_value=UNREACHED)
    monkeypatch.setattr(daily_posts.poster, "_send", unreached)
    world.clock.set(TUESDAY, 0)
    for _ in range(20):
        await daily_posts.scheduler.run_once()
        world.clock.now_ms += 30_000
    assert unreached.await_count <= 20 * _AT_ONCE  # a few tries a round, since the others would fail too
    monkeypatch.setattr(daily_posts.poster, "_send", send)
    await daily_posts.scheduler.run_once()
    assert len(posts_in(world)) == 3


async def test_a_lost_connection_is_told_from_a_refusal(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    error = aiohttp.ClientConnectorError(SimpleNamespace(ssl=True, host="h", port=1), OSError("no net"))  # type: ignore[arg-type]
    monkeypatch.setattr(discord.abc.Messageable, "send", AsyncMock(side_effect=error))
    poster = world.client.feature(DailyPosts).poster
    assert await poster._send(world.channel.id, Message("text"), "nonce") == UNREACHED
    assert await poster.try_channel(world.channel.id, texts_for("en-US")) == OTHER


# Names


async def test_many_lists_at_once_look_each_name_up_once() -> None:
    asked: list[int] = []

    async def fetch_user(user_id: int) -> SimpleNamespace:
        asked.append(user_id)
        await asyncio.sleep(0.01)
        return SimpleNamespace(name="n", global_name=None, avatar="a", display_name=f"user {user_id}")

    names = MemberNames(SimpleNamespace(fetch_user=fetch_user))  # type: ignore[arg-type]
    lists = [range(number % 3 + 1, number % 3 + 11) for number in range(50)]
    found = await asyncio.gather(*(names.of(users, None) for users in lists))
    assert sorted(asked) == list(range(1, 13))
    assert all(
        people.names[user] == f"user {user}"
        for people, users in zip(found, lists, strict=True)
        for user in users
    )
    await asyncio.sleep(0)
    assert not names._asking
