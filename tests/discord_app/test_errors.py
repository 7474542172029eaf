"""Wherever a player is told of an error of the bot, its id is told too, and the log has it."""

from __future__ import annotations

from typing import Any

import discord
import pytest
import simcord

from bot.discord_app.features.challenges import ChallengesFeature
from bot.discord_app.features.daily_posts import DailyPosts
from bot.discord_app.tables.controls import Action, ComponentId
from bot.service import GameService
from bot.telemetry.metrics import UNEXPECTED
from bot.text import languages, texts_for
from engine import Record
from tests.discord_app.direct import DirectBot, direct_bot
from tests.discord_app.errors import the_fault
from tests.discord_app.playing import World
from tests.discord_app.pressing import Player, lost, player
from tests.thinking import Thinker

EN = texts_for("en")
DEAL = Record.parse("klondike/d1/36")


class Broken(Exception):
    """What nobody expects."""


def fail(*_arguments: object, **_named: object) -> Any:
    raise Broken


async def fail_later(*_arguments: object, **_named: object) -> Any:
    raise Broken


def counted(world: World) -> float | None:
    """Return how many such errors the metrics have."""
    labels = {"kind": UNEXPECTED, "name": "Broken"}
    return world.client.metrics.registry.get_sample_value("solitaire_errors_total", labels)


COMMANDS = {
    "replay": "bot.discord_app.animations.draw_replay",
    "stats": "bot.service.players.stats.Stats.of",
    "rules": "bot.discord_app.features.rules.draw_table",
    "challenge": "bot.discord_app.features.challenges.messages.challenge_text",
    "daily": "bot.service.GameService.play_daily",
    "export": "bot.service.OwnData.export",
    "share": "bot.service.Sharing.share",
    "leaderboard": "bot.service.Boards.view",
}


@pytest.mark.parametrize(("command", "broken"), COMMANDS.items(), ids=COMMANDS)
async def test_a_failed_command_tells_the_error_id(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, command: str, broken: str
) -> None:
    ada = world.seat()
    await ada.new("klondike", "d1", "36")
    await ada.type("draw")
    monkeypatch.setattr(broken, fail)
    assert (await ada.type(command)).text == EN("fault-unexpected", id=the_fault(caplog, Broken))
    assert world.env.errors == []
    assert counted(world) == 1


async def test_a_failed_analysis_tells_the_error_id(
    world: World,
    ada: Player,
    thinker: Thinker,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    await ada.holds(lost())
    monkeypatch.setattr("bot.service.analysis.analyses.Analyses.analyse", fail_later)
    result = await ada.seat.actor.slash(world.channel, "analyse")  # type: ignore[call-arg, arg-type]
    error_id = the_fault(caplog, Broken)
    [told] = [m.content for m in (*result.followups, result.response) if m is not None and m.content]
    assert told == EN("fault-unexpected", id=error_id)
    assert world.env.errors == []


@pytest.mark.parametrize("action", [Action.DRAW, Action.UNDO, Action.RULES, Action.SHARE, Action.MENU])
async def test_a_failed_press_tells_the_error_id(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, action: Action
) -> None:
    async def tell(direct: DirectBot) -> None:
        monkeypatch.setattr(GameService, "_load", fail_later)
        [answer] = await direct.press(str(ComponentId(1, 0, action)), "page-1")
        assert answer.text == EN("fault-unexpected", id=the_fault(caplog, Broken))

    async with direct_bot(monkeypatch) as direct:
        await tell(direct)


@pytest.mark.parametrize(
    ("command", "option"),
    [("move", "from"), ("move", "to"), ("discard", "pile"), ("games", "resume"), ("new", "rules")],
)
async def test_failed_autocomplete_offers_the_error_id_as_a_choice(
    world: World,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    command: str,
    option: str,
) -> None:
    """discord.py would log it without an id, and the player would read "Loading options failed"."""
    monkeypatch.setattr(world.client.services.settings, "of", fail_later)
    offered = await world.seat().offered(command, option)
    error_id = the_fault(caplog, Broken)
    assert offered == {error_id: EN("fault-choices", id=error_id)}


def test_the_choice_that_tells_an_error_id_is_short_enough() -> None:
    for language in languages():
        assert len(texts_for(language)("fault-choices", id="0" * 6)) <= 100


async def test_a_comparison_that_cannot_be_drawn_comes_as_text_with_the_error_id(
    ada: Player, world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ola = player(world, "ola")
    for who, way in ((ada, "6-7"), (ola, "s-w")):
        await who.holds(f"klondike/d1/36 {way}")
        await who.seat.gives_up()
    monkeypatch.setattr("bot.discord_app.views.comparison.draw_table", fail)
    shown = await ada.types("compare", friend=ola.seat.actor)
    assert shown.pictures == []
    assert EN("table-score", score=0, full=52) in shown.text
    assert shown.text.endswith(EN("fault-not-drawn", id=the_fault(caplog, Broken)))


async def test_a_channel_that_discord_fails_on_is_answered_with_an_error_id(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    role = world.guild.create_role("manager", permissions=discord.Permissions(manage_guild=True))
    manager = world.seat("mia")
    world.env.backend.add_member_role(world.guild.id, manager.user_id, role.id)
    world.env.inject_error("POST", "/channels/*/messages", status=500, times=10)
    assert isinstance(manager.actor, simcord.MemberActor)
    result = await manager.actor.slash(world.channel, "daily-channel", channel=world.channel)
    told = "\n".join(message.content for message in result.followups) or result.response.content  # type: ignore[union-attr]
    error_id = the_fault(caplog, discord.HTTPException)
    assert told == EN("trouble-other", channel=world.channel.mention, id=error_id)


async def test_a_channel_without_permission_is_not_an_error_of_the_bot(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    world.env.inject_error("POST", "/channels/*/messages", status=403, code=50013, times=10)
    assert (
        await world.client.feature(DailyPosts).poster.try_channel(world.channel.id, EN, "abc123")
        == "forbidden"
    )
    assert "abc123" not in caplog.text


# Errors that no player waits for have their ids in the log only.


async def test_a_failed_daily_post_is_logged_with_an_error_id(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    posts, daily_posts = world.client.services.posts, world.client.feature(DailyPosts)
    await posts.choose(1, world.channel.id, "en-US", 1)
    monkeypatch.setattr(daily_posts.poster, "post_day", fail_later)
    world.clock.set("2026-12-01")
    await daily_posts.scheduler.run_once()
    the_fault(caplog, Broken)
    assert counted(world) == 1


async def test_a_challenge_message_that_cannot_be_updated_is_logged_with_an_error_id(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(world.client.services.challenges.__class__, "view", fail_later)
    await world.client.feature(ChallengesFeature).messages._update(1, 0)
    the_fault(caplog, Broken)


async def test_a_failed_best_score_is_logged_with_an_error_id(
    world: World,
    ada: Player,
    thinker: Thinker,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr("bot.service.analysis.best_scores.BestScores.of", fail_later)
    await ada.holds(lost())
    await world.client.follow_ups.wait()
    the_fault(caplog, Broken)
