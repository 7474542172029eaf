"""`/new winnable`, as players type it, in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.app import build_client
from bot.config import Config
from bot.discord_app.features.daily_posts import DailyPosts
from bot.service import TopUp
from bot.text import texts_for
from engine import GAMES, Outcome, Record, replay
from solve import pool
from tests.discord_app.playing import PLACES, World, speak

pytestmark = pytest.mark.usefixtures("quiet")

LANGUAGES = {"en": "en-US", "no": "no"}
in_both_languages = pytest.mark.parametrize("language", LANGUAGES)


@in_both_languages
@pytest.mark.parametrize("place", PLACES)
async def test_a_winnable_deal_is_announced_and_winnable(
    world: World, place: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    speak(monkeypatch, LANGUAGES[language])
    ada, texts = world.seat(place=place), texts_for(language)
    answer = await ada.type("new", game="acesup", rules="standard", winnable=True)
    assert answer.text.splitlines()[:2] == [texts("turn-new"), texts("turn-winnable")]
    assert answer.image.format == "PNG"
    deal = Record.parse((await ada.game()).record)
    won = deal.play(*pool.line("acesup", "standard", int(deal.seed)))
    assert GAMES["acesup"].outcome(replay(won)) is Outcome.WON
    shown = await ada.type("table")
    assert texts("turn-winnable") not in shown.text


@pytest.mark.parametrize("options", [{}, {"winnable": False}])
async def test_without_the_option_nothing_is_said(world: World, options: dict[str, bool]) -> None:
    answer = await world.seat().type("new", game="acesup", **options)
    texts = texts_for("en")
    assert texts("turn-new") in answer.text
    assert texts("turn-winnable") not in answer.text


@in_both_languages
@pytest.mark.parametrize("named", [{"seed": "7"}, {"code": "acesup/standard/7"}])
async def test_winnable_is_refused_with_a_seed_or_a_code(
    world: World, named: dict[str, str], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    speak(monkeypatch, LANGUAGES[language])
    answer = await world.seat().type("new", winnable=True, **named)
    assert (answer.ephemeral, answer.text) == (True, texts_for(language)("fault-certain-deal"))
    assert (await world.seat().type("new", winnable=False, **named)).pictures


@in_both_languages
async def test_without_a_known_winnable_deal_it_is_said_what_to_do(
    world: World, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    speak(monkeypatch, LANGUAGES[language])
    ada = world.seat()
    answer = await ada.type("new", game="acesup", rules="cell+pairs", winnable=True)
    told = texts_for(language)("fault-no-winnable", looks="yes", rules="`standard`, `aces`, `cell`, `pairs`")
    assert (answer.ephemeral, answer.text) == (True, told)
    await world.client._store.add_winnable(("acesup", "cell+pairs"), 5, "s-t")
    assert (await ada.type("new", game="acesup", rules="cell+pairs", winnable=True)).pictures
    assert (await ada.game()).record == "acesup/cell+pairs/5"


async def test_winnable_deals_are_known_after_a_restart(world: World) -> None:
    await world.client._store.add_winnable(("acesup", "cell+pairs"), 5, "s-t")
    await world.restart()
    answer = await world.seat().type("new", game="acesup", rules="cell+pairs", winnable=True)
    assert texts_for("en")("turn-winnable") in answer.text


async def test_the_search_for_deals_starts_and_ends_with_the_client(
    world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert world.client.services.top_up._task is None  # simulated time would wake it
    client = build_client(Config(database_url=f"sqlite:///{tmp_path}/other.sqlite3", shard_count=1))
    monkeypatch.setattr(client.feature(DailyPosts), "start", lambda: None)
    done: list[str] = []

    async def stop() -> None:
        done.append("stopped")

    monkeypatch.setattr(TopUp, "start", lambda _self: done.append("started"))
    monkeypatch.setattr(TopUp, "stop", lambda _self: stop())
    await world.env.restart_bot(client)
    assert done == ["started"]
    await client.close()
    assert done[-1] == "stopped"
