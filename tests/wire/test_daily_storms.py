"""The daily post at Discord's worst: it comes once, from it one can play, and other servers get theirs."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
import pytest_asyncio

from bot.discord_app.features.daily_posts import DailyPosts
from bot.discord_app.tables.controls import PLAY_DAILY as PLAY
from bot.text import texts_for
from tests.discord_app.playing import NOW_MS, Clock
from tests.wire.interactions import COMMAND
from tests.wire.payloads import Message
from tests.wire.storms import GUILD, LONG_STORMS, STORMS, Player, Sea, Storm, open_sea

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.usefixtures("no_stray_traceback")]

EN = texts_for("en")
DAY_MS = 24 * 60 * 60 * 1000
AGAIN_MS = 60_000  # between two tries at a post of which nothing is known
CLOCK = Clock(NOW_MS)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def sea(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Sea]:
    """A bot whose days pass when a test says so."""
    async with open_sea(tmp_path_factory.mktemp("sea"), CLOCK) as opened:
        yield opened


def posts(player: Player) -> list[Message]:
    """What was posted in the player's channel with a button to play today's game."""
    return [m for m in player.messages if any(part["custom_id"] == PLAY for part in player.controls(m))]


def direct(sea: Sea, player: Player) -> str:
    """The channel in which the bot writes to a player alone."""
    return sea.standin.rest.dm_channel_id(player.user)


async def a_day_passes(sea: Sea, *arranged: Player) -> None:
    """Each arranges posts in their channel, as if it were a server's; then a day begins with its rounds."""
    services = sea.client.services
    for player in arranged:
        await services.posts.choose(player.channel_id, player.channel_id, "en", player.user.id)
    CLOCK.now_ms += DAY_MS
    for _ in range(3):
        await sea.client.feature(DailyPosts).scheduler.run_once()
        CLOCK.now_ms += AGAIN_MS


every_storm = pytest.mark.parametrize(
    "storm",
    [
        *(pytest.param(storm, id=name) for name, storm in STORMS.items()),
        *(pytest.param(storm, id=name, marks=pytest.mark.slow) for name, storm in LONG_STORMS.items()),
    ],
)


@every_storm
async def test_a_daily_post_appears_once_and_other_servers_get_theirs(sea: Sea, storm: Storm) -> None:
    player, other = sea.player(), sea.player()
    path = f"/channels/{player.channel_id}/messages$"
    fault = sea.standin.arm(replace(storm.fault, method="POST", path=re.compile(path), met=[]))
    await a_day_passes(sea, player, other)
    assert fault.met
    assert len(posts(other)) == 1
    still = await sea.client.services.posts.chosen(player.channel_id)
    if storm is STORMS["deleted channel (10003)"]:
        assert (posts(player), still) == ([], None)
        assert [m.text for m in sea.standin.messages.values() if m.channel_id == direct(sea, player)] == [
            EN("trouble-gone", channel=f"<#{player.channel_id}>")
        ]
    else:
        [post] = posts(player)
        assert still is not None
        assert still.is_done
        table = await (await sea.standin.press(post, PLAY, user=player.user)).shown()
        assert table.ephemeral
        assert (await player.record()).startswith("acesup/")
    for one in (player, other):
        await sea.client.services.posts.stop(one.channel_id)


@every_storm
async def test_trying_a_channel_makes_one_post(sea: Sea, storm: Storm) -> None:
    """Whoever chooses a channel reads what came of it, and the channel has no second post."""
    player = sea.player()
    path = f"/channels/{player.channel_id}/messages$"
    fault = sea.standin.arm(replace(storm.fault, method="POST", path=re.compile(path), met=[]))
    channel = sea.standin.guilds[GUILD].channel(player.channel_id)
    data = {
        "id": "77",
        "name": "daily-channel",
        "type": 1,
        "options": [{"name": "channel", "type": 7, "value": channel["id"]}],
        "resolved": {"channels": {channel["id"]: {**channel, "permissions": "0"}}},
    }
    interaction = await sea.standin.send(
        COMMAND, data, user=player.user, guild_id=GUILD, channel_id=player.channel_id
    )
    answer = await interaction.shown(40)  # so long discord.py tries
    assert fault.met
    assert answer.ephemeral
    chosen = await sea.client.services.posts.chosen(GUILD)
    here = chosen is not None and chosen.channel_id == player.channel_id
    assert (answer.text == EN("channel-chosen", channel=f"<#{player.channel_id}>")) == here
    assert len(posts(player)) == here
