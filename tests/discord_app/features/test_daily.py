"""The daily game as it is played: three users, two servers and a direct message, through two days."""

from __future__ import annotations

import re
from dataclasses import dataclass

import discord
import pytest
import simcord
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.discord_app.features.daily_posts import DailyPosts
from bot.discord_app.tables.controls import PLAY_DAILY as PLAY
from bot.discord_app.tables.controls import Action
from bot.storage import Status
from tests.discord_app.daily import MONDAY, TUESDAY, WEDNESDAY, daily_posts, play_on, record_of
from tests.discord_app.playing import Seat, World, speak
from tests.discord_app.pressing import player


@pytest.fixture(autouse=True)
def on_monday(world: World) -> None:
    world.clock.set(MONDAY)


@dataclass
class OtherServer:
    """A second server with a channel."""

    guild: simcord.GuildHandle
    channel: simcord.ChannelHandle

    def seat(self, world: World, name: str) -> Seat:
        user = world.seat(name).actor.user  # type: ignore[union-attr]
        return Seat(world, self.guild.add_member(user), self.channel)


@pytest.fixture
def other(world: World) -> OtherServer:
    guild = world.env.create_guild("Patience Club")
    return OtherServer(guild, guild.create_text_channel("games"))


async def day_of(seat: Seat) -> str:
    return (await seat.game()).day


async def test_everyone_gets_the_same_cards_everywhere(world: World, other: OtherServer) -> None:
    seats = [world.seat("ada"), other.seat(world, "bob"), world.seat("cleo", "direct")]
    for seat in seats:
        answer = await seat.type("daily")
        assert answer.ephemeral
    records = {str(await record_of(seat)) for seat in seats}
    assert len(records) == 1
    assert (await record_of(seats[0])).code.startswith(f"acesup/standard/{MONDAY}-")
    assert {await day_of(seat) for seat in seats} == {MONDAY}


async def test_the_seed_is_hidden_until_the_game_has_ended(world: World) -> None:
    ada = world.seat()
    answer = await ada.type("daily")
    seed = (await record_of(ada)).seed
    for command in ("daily", "table", "games", "replay"):
        answer = await ada.type(command)
        assert seed not in answer.text + str(answer.message.components)
    offered = await ada.offered("games", "resume")
    assert seed not in str(offered)
    await play_on(ada)
    assert seed in (await ada.type("daily")).text


async def test_undo_redo_hint_and_finish_are_not_offered_and_refused(world: World) -> None:
    ada = player(world)
    shown = await ada.types("daily")
    await play_on(ada.seat, 3)
    shown = await ada.types("table")
    assert not {"Undo", "Redo", "Hint", "Finish"} & set(shown.labels)
    before = await ada.game()
    for command in ("undo", "redo", "hint"):
        assert "everybody has the same chance" in (await ada.seat.type(command)).text
    assert await ada.game() == before


async def test_nothing_gives_a_player_a_second_attempt(world: World, other: OtherServer) -> None:
    ada = world.seat()
    await ada.type("daily")
    first = await ada.game()
    aside = await ada.new("acesup", "standard", "24")
    assert "`/daily` brings it back" in aside.text
    assert "score" not in aside.text.lower()
    await ada.type("daily")  # set aside and come back
    assert (await ada.game()).id == first.id
    await other.seat(world, "ada").type("daily")  # on another server
    await world.seat("ada", "direct").type("daily")  # in a direct message
    await world.restart()
    await world.seat("ada").type("daily")  # after a restart
    assert (await ada.game()).id == first.id
    await ada.gives_up()
    ended = await ada.game()
    assert ended.status is Status.GIVEN_UP
    await ada.type("daily")
    assert await ada.game() == ended
    for command in ("undo", "redo"):
        await ada.type(command)
    assert await ada.game() == ended
    results = await world.client._store.results_of(ada.user_id)
    assert [(result.day, result.game_id, result.score) for result in results] == [
        (MONDAY, ended.id, ended.score)
    ]


async def test_playing_the_seed_gives_no_early_look_and_no_second_attempt(world: World) -> None:
    ada, bob = world.seat("ada"), world.seat("bob")
    await ada.type("daily")
    done = await play_on(ada)
    record = await record_of(ada)
    for game, rules in (("acesup", "standard"), ("acesup", "pairs"), ("klondike", "d1")):
        answer = await bob.new(game, rules, record.seed)  # ada told her
        assert answer.ephemeral
        assert "`/daily`" in answer.text
        assert not answer.pictures
    assert await world.client._store.current_game(bob.user_id) is None
    await ada.new("acesup", "standard", record.seed)  # practice is allowed now, and does not count
    assert await day_of(ada) == ""
    await play_on(ada)
    assert [result.game_id for result in await world.client._store.results_of(ada.user_id)] == [done.id]


async def test_tomorrow_has_another_deal_and_todays_is_gone(world: World) -> None:
    ada = world.seat()
    await ada.type("daily")
    monday = await record_of(ada)
    world.clock.set(TUESDAY)
    await ada.type("daily")
    tuesday = await record_of(ada)
    assert monday.seed != tuesday.seed
    assert await day_of(ada) == TUESDAY


async def test_a_game_can_be_left_and_resumed_until_its_day_ends(world: World) -> None:
    ada = player(world)
    world.clock.set(MONDAY, 23, 59)
    await ada.types("daily")
    await play_on(ada.seat, 6)
    shown = await ada.types("table")
    before = await ada.game()
    world.clock.set(TUESDAY, 0, 0)
    answer = await ada.do(Action.DRAW, on=shown)
    assert "The day ended" in answer.text
    after = await ada.game(before.id)
    assert (after.status, after.record) == (Status.EXPIRED, before.record)
    [result] = await world.client._store.results_of(ada.seat.user_id)
    assert (result.day, result.score) == (MONDAY, before.score)
    assert await play_on(ada.seat, 3) == after


async def test_an_opened_game_without_a_move_does_not_count(world: World) -> None:
    ada = world.seat()
    await ada.type("daily")
    world.clock.set(TUESDAY)
    await world.client.feature(DailyPosts).scheduler.run_once()
    assert (await ada.game()).status is Status.EXPIRED
    assert await world.client._store.results_of(ada.user_id) == []


async def test_a_week_without_the_bot_is_settled_once(world: World) -> None:
    ada = world.seat()
    await ada.type("daily")
    await play_on(ada, 9)
    score = (await ada.game()).score
    world.clock.set("2026-12-09")
    await world.restart()
    for _ in range(3):
        await world.client.feature(DailyPosts).scheduler.run_once()
    [result] = await world.client._store.results_of(ada.user_id)
    assert (result.day, result.score) == (MONDAY, score)


@pytest.mark.parametrize("locale", ["en-US", "no"])
async def test_two_days_of_three_players_on_two_servers(
    world: World, other: OtherServer, monkeypatch: pytest.MonkeyPatch, locale: str
) -> None:
    speak(monkeypatch, locale)
    ada, bob, cleo = world.seat("ada"), other.seat(world, "bob"), world.seat("cleo", "direct")
    scores = {}
    for seat, name, moves in ((ada, "ada", 1000), (bob, "bob", 30)):
        await seat.type("daily")
        scores[name] = (await play_on(seat, moves)).score
    await bob.gives_up()
    here = (await ada.type("leaderboard")).text
    assert f"{scores['ada']} · ada" in here
    assert "bob" not in here
    there = (await bob.type("leaderboard")).text
    assert f"{scores['bob']} · bob" in there
    assert "ada" not in there
    everyone = (await cleo.type("leaderboard")).text
    assert everyone.index("ada") < everyone.index("bob")
    world.clock.set(TUESDAY)
    await cleo.type("daily")
    await play_on(cleo)
    today = (await cleo.type("leaderboard", scope="everyone")).text
    assert "cleo" in today
    assert "ada" not in today
    yesterday = (await cleo.type("leaderboard", when=MONDAY)).text
    assert f"{scores['ada']} · ada" in yesterday
    week = (await cleo.type("leaderboard", when="week")).text
    assert all(name in week for name in ("ada", "bob", "cleo"))


async def test_the_board_has_a_picture_with_alt_text_and_is_edited_in_place_for_the_asker(
    world: World,
) -> None:
    ada, bob = player(world), player(world, "bob")
    await ada.types("daily")
    await play_on(ada.seat)
    shown = await ada.types("leaderboard")
    assert shown.image.size[0] == 1100
    assert "You discarded" in shown.alt
    everyone = await ada.press("Everyone")
    assert everyone.message.id == shown.message.id
    assert "everyone" in everyone.text
    theirs = await bob.press("This server", on=everyone)
    assert theirs.message.id != shown.message.id
    assert theirs.ephemeral


async def test_a_hidden_player_is_on_no_board_and_sees_their_place_ephemerally(world: World) -> None:
    ada, bob = player(world), player(world, "bob")
    for one in (ada, bob):
        await one.types("daily")
        await play_on(one.seat)
    await ada.prefers(is_hidden=True)
    assert "ada" not in (await bob.types("leaderboard")).text
    own = await ada.types("leaderboard")
    assert own.ephemeral
    assert "You would be number 1," in own.text
    await ada.prefers(is_hidden=False)
    assert "ada" in (await bob.types("leaderboard")).text


async def test_a_player_who_left_the_server_is_not_on_its_board(world: World) -> None:
    ada, bob = world.seat("ada"), world.seat("bob")
    for one in (ada, bob):
        await one.type("daily")
        await play_on(one)
    world.client.app.member_names._known.clear()
    world.guild.remove_member(ada.actor)
    assert "ada" not in (await bob.type("leaderboard")).text


async def test_a_deleted_user_is_on_no_board(world: World) -> None:
    ada, bob = world.seat("ada"), world.seat("bob")
    for one in (ada, bob):
        await one.type("daily")
        await play_on(one)
    world.client.app.member_names._known.clear()
    world.env.backend.get_user(ada.user_id).name = "deleted_user_1a2b3c4d5e"
    world.env.backend.get_user(ada.user_id).avatar = None
    text = (await bob.type("leaderboard", scope="everyone")).text
    assert "deleted_user" not in text
    assert "one player" in text


async def test_without_an_answer_from_discord_a_player_stands_for_the_name(world: World) -> None:
    ada, bob = world.seat("ada"), world.seat("bob", "direct")
    await ada.type("daily")
    await play_on(ada)
    world.client.app.member_names._known.clear()
    world.env.inject_error("GET", "/users/*", status=500, times=None)
    assert "a player" in (await bob.type("leaderboard")).text


@pytest.mark.parametrize(
    "name", ["@everyone", "<@1>", "**bold**", "# big", "`code`", "line\nbreak", "x" * 32]
)
async def test_a_name_neither_pings_nor_formats(world: World, name: str) -> None:
    ada = world.seat("ada")
    world.env.backend.get_user(ada.user_id).global_name = name
    await ada.type("daily")
    await play_on(ada)
    answer = await ada.type("leaderboard")
    line = next(line for line in answer.text.split("\n") if line.startswith("**🥇"))
    unescaped = re.sub(r"\\.", "", line.removeprefix("**").removesuffix("**"))
    assert not re.search(r"[*_~`|<>@#]", unescaped)


@pytest.mark.parametrize("when", ["tomorrow", "2026-12-01", "31.2.2026", "9999-99-99", "💥", "2026-11-30x"])
async def test_an_invalid_day_is_refused_with_valid_ones(world: World, when: str) -> None:
    answer = await world.seat().type("leaderboard", when=when)
    assert answer.ephemeral
    assert "2026-12-24" in answer.text


async def test_a_direct_message_has_no_server_board(world: World) -> None:
    ada = world.seat("ada", "direct")
    assert "everyone" in (await ada.type("leaderboard")).text
    assert (await ada.type("leaderboard", scope="server")).ephemeral


# The daily post


@pytest.fixture
def manager(world: World) -> Seat:
    """A member who may manage the server."""
    seat = world.seat("mia")
    role = world.guild.create_role("manager", permissions=discord.Permissions(manage_guild=True))
    world.env.backend.add_member_role(world.guild.id, seat.user_id, role.id)
    return seat


async def choose(manager: Seat, channel: simcord.ChannelHandle) -> str:
    actor = manager.actor
    assert isinstance(actor, simcord.MemberActor)
    result = await actor.slash(manager.world.channel, "daily-channel", channel=channel)
    return "\n".join(message.content for message in result.followups) or result.response.content  # type: ignore[union-attr]


async def test_each_day_is_posted_once_even_across_restarts(world: World, manager: Seat) -> None:
    ada = world.seat("ada")
    await ada.type("daily")
    await play_on(ada)
    assert world.channel.mention in await choose(manager, world.channel)
    assert len(daily_posts(world)) == 1  # the trial, with today's game
    await world.client.feature(DailyPosts).scheduler.run_once()
    assert len(daily_posts(world)) == 1
    world.clock.set(TUESDAY)
    for _ in range(2):
        await world.client.feature(DailyPosts).scheduler.run_once()
    await world.restart()
    await world.client.feature(DailyPosts).scheduler.run_once()
    assert len(daily_posts(world)) == 2
    post = daily_posts(world)[-1]
    assert "ada" in post.text
    assert "1 December 2026" in post.text
    assert [item["media"]["url"].rsplit(".", 1)[1] for item in post.pictures] == ["png", "gif"]
    await player(world, "bob").press_id(PLAY, on=post)
    assert await day_of(world.seat("bob")) == TUESDAY
    world.clock.set(WEDNESDAY)
    await world.client.feature(DailyPosts).scheduler.run_once()
    assert len(daily_posts(world)) == 3


async def test_only_server_managers_have_the_command(world: World, manager: Seat) -> None:
    ada = world.seat("ada")
    assert isinstance(ada.actor, simcord.MemberActor)
    with pytest.raises(simcord.SetupError):
        await ada.actor.slash(world.channel, "daily-channel", channel=world.channel)
    assert "/daily-channel" in (await manager.type("daily-channel")).text


async def test_a_channel_without_permission_is_refused_at_once(world: World, manager: Seat) -> None:
    shut = world.guild.create_text_channel(
        "shut", overwrites={world.guild.default_role: discord.PermissionOverwrite(send_messages=False)}
    )
    assert "Send Messages" in await choose(manager, shut)
    assert "No channel" in (await manager.type("daily-channel")).text


async def test_a_lost_permission_is_told_once_to_the_one_who_chose_the_channel(
    world: World, manager: Seat
) -> None:
    await choose(manager, world.channel)
    world.env.backend.set_overwrite(
        world.channel.id,
        Overwrite(
            world.guild.default_role.id,
            OverwriteType.ROLE,
            deny=discord.Permissions(send_messages=True).value,
        ),
    )
    for day in (TUESDAY, WEDNESDAY):
        world.clock.set(day)
        await world.client.feature(DailyPosts).scheduler.run_once()
    direct = manager.actor.user.dm_channel  # type: ignore[union-attr]
    [told] = direct.history()
    assert "Send Messages" in told.content
    assert "Send Messages" in (await manager.type("daily-channel")).text


async def test_a_deleted_channel_ends_the_posts_with_a_direct_message(world: World, manager: Seat) -> None:
    channel = world.guild.create_text_channel("brief")
    await choose(manager, channel)
    world.env.backend.delete_channel(channel.id)
    world.clock.set(TUESDAY)
    for _ in range(2):
        await world.client.feature(DailyPosts).scheduler.run_once()
    [told] = manager.actor.user.dm_channel.history()  # type: ignore[union-attr]
    assert "gone" in told.content
    assert "No channel" in (await manager.type("daily-channel")).text


async def test_without_attach_files_the_post_comes_as_text(world: World, manager: Seat) -> None:
    ada = world.seat("ada")
    await ada.type("daily")
    await play_on(ada)
    await choose(manager, world.channel)
    world.clock.set(TUESDAY)
    where = f"/channels/{world.channel.id}/messages"
    world.env.inject_error("POST", where, status=403, code=50013)  # as Discord refuses files
    await world.client.feature(DailyPosts).scheduler.run_once()
    post = daily_posts(world)[-1]
    assert "ada" in post.text
    assert post.pictures == []
    assert "Attach Files" in (await manager.type("daily-channel")).text


async def test_posts_can_be_ended(world: World, manager: Seat) -> None:
    await choose(manager, world.channel)
    assert "There will be no more daily posts" in (await manager.type("daily-channel", off=True)).text
    world.clock.set(TUESDAY)
    await world.client.feature(DailyPosts).scheduler.run_once()
    assert len(daily_posts(world)) == 1


async def test_a_failed_post_is_retried_and_appears_once(world: World, manager: Seat) -> None:
    await choose(manager, world.channel)
    world.clock.set(TUESDAY)
    world.env.inject_error("POST", f"/channels/{world.channel.id}/messages", status=400, times=2)
    await world.client.feature(DailyPosts).scheduler.run_once()
    assert len(daily_posts(world)) == 1
    world.clock.now_ms += 30_000
    for _ in range(2):
        await world.client.feature(DailyPosts).scheduler.run_once()
    assert len(daily_posts(world)) == 2
