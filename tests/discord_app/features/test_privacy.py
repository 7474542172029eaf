"""``/privacy``, ``/export`` and ``/forget-me``: what users can read, get and delete."""

from __future__ import annotations

import asyncio
import gzip
import json
import sqlite3
from contextlib import closing
from typing import Any

import discord
import pytest
import simcord

from bot.discord_app.features.privacy import Privacy
from bot.service import OwnData, Position, Request
from bot.storage import Settings
from bot.text import languages, texts_for
from engine import Record
from tests.discord_app.direct import direct_bot
from tests.discord_app.playing import NOW_MS, PLACES, Answer, World, speak
from tests.discord_app.pressing import WEEKS_S, Player, Shown, player

pytestmark = pytest.mark.usefixtures("quiet")

EN, NO = texts_for("en"), texts_for("no")
everywhere = pytest.mark.parametrize("place", PLACES)
in_both = pytest.mark.parametrize(("locale", "texts"), [("en-US", EN), ("no", NO)], ids=["en", "no"])


async def plays(who: Player, games: int = 2) -> Shown:
    """Deal and play some games; return the last table."""
    for number in range(games):
        await who.types("new", game="klondike", seed=str(number))
        await who.types("draw")
    return who.shown


def attached(answer: Answer) -> bytes:
    """Return the only file of an answer."""
    [attachment] = answer.message.attachments
    data = answer.world.env.backend.cdn.get(attachment.url)
    assert data is not None
    return data


def mentions(world: World, user_id: int) -> list[str]:
    """Return the tables of the database that have the user's id anywhere."""
    with closing(sqlite3.connect(world.folder / "games.sqlite3")) as db:
        tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return [
            name for name in tables if str(user_id) in repr(db.execute(f"SELECT * FROM {name}").fetchall())
        ]


# ------------------------------------------------------------------------------------------ privacy


@everywhere
@in_both
async def test_privacy_answers_ephemerally(
    world: World, monkeypatch: pytest.MonkeyPatch, place: str, locale: str, texts: Any
) -> None:
    speak(monkeypatch, locale)
    answer = await world.seat(place=place).type("privacy")
    assert (answer.ephemeral, answer.text) == (True, texts("privacy-text"))


@pytest.mark.parametrize("language", languages())
def test_the_privacy_text_fits_and_names_the_commands(language: str) -> None:
    texts = texts_for(language)
    text = texts("privacy-text")
    assert 1500 < len(text) <= 4000
    for command in ("export", "forget-me", "settings"):
        assert f"`/{texts(f'command-{command}')}`" in text
    assert texts("settings-is-hidden") in text
    assert texts("settings-is-private") in text


# ------------------------------------------------------------------------------------------- export


@everywhere
@in_both
async def test_an_export_is_an_ephemeral_json_file(
    world: World, monkeypatch: pytest.MonkeyPatch, place: str, locale: str, texts: Any
) -> None:
    ada = player(world, place=place)
    await plays(ada)
    await ada.prefers(four_colours=True)
    speak(monkeypatch, locale)
    shown = await ada.types("export")
    assert (shown.ephemeral, shown.text) == (True, texts("export-done", games=2))
    [attachment] = shown.message.attachments
    assert attachment.filename == f"solitaire-{ada.seat.user_id}.json"
    content = attached(shown).decode()
    assert content.startswith('{\n "user_id": ')
    data = json.loads(content)
    assert data == await world.client.services.own_data.export(ada.seat.user_id)
    assert data["settings"]["four_colours"]
    assert [game["record"] for game in data["games"]] == ["klondike/d1/0 s-w", "klondike/d1/1 s-w"]
    assert data["games"][1]["table"]["message_id"]


async def test_an_export_has_unescaped_unicode(ada: Player) -> None:
    await ada.types("new", game="klondike", seed="blåbær 🂡")
    content = attached(await ada.types("export")).decode()
    assert "blåbær" in content
    assert "\\u" not in content.replace("\\\\u", "")


async def test_a_user_without_data_gets_the_defaults(ada: Player) -> None:
    shown = await ada.types("export")
    assert "no games" in shown.text
    assert json.loads(attached(shown))["games"] == []


async def test_without_attach_files_a_direct_message_is_suggested(world: World, ada: Player) -> None:
    ada.seat.channel = world.guild.create_text_channel(
        "no-files", overwrites={world.guild.default_role: discord.PermissionOverwrite(attach_files=False)}
    )
    shown = await ada.types("export")
    assert (shown.ephemeral, shown.text) == (True, EN("export-no-files"))
    assert not shown.message.attachments


async def test_a_file_that_is_too_large_is_compressed(world: World, ada: Player) -> None:
    privacy = world.client.feature(Privacy)
    await plays(ada, 8)
    plain = attached(await ada.types("export"))
    privacy.max_file_bytes = len(plain) - 1
    shown = await ada.types("export")
    assert shown.text == "\n".join([EN("export-done", games=8), EN("export-packed")])
    assert shown.message.attachments[0].filename.endswith(".json.gz")
    assert gzip.decompress(attached(shown)) == plain
    privacy.max_file_bytes = 100
    shown = await ada.types("export")
    assert (shown.text, list(shown.message.attachments)) == (EN("export-too-large"), [])


async def test_a_slow_export_follows_a_deferral(
    world: World, ada: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    await plays(ada)
    export = OwnData.export

    async def take_time(own_data: OwnData, user_id: int) -> dict[str, Any]:
        await asyncio.sleep(0.2)
        return await export(own_data, user_id)

    monkeypatch.setattr(OwnData, "export", take_time)
    world.client.feature(Privacy).patience_s = 0.01
    assert isinstance(ada.seat.actor, simcord.MemberActor)
    result = await ada.seat.actor.slash(world.channel, "export")
    callbacks = [r.json for r in world.env.http_requests if r.path.endswith("/callback")]
    assert callbacks[-1] == {"type": 5, "data": {"flags": 64}}  # deferred ephemerally
    message = result.response
    assert message is not None
    assert message.ephemeral
    assert len(json.loads(attached(Answer(world, message)))["games"]) == 2


# ------------------------------------------------------------------------------------------- forget


@everywhere
@in_both
async def test_everything_is_deleted_after_confirmation(
    world: World, monkeypatch: pytest.MonkeyPatch, place: str, locale: str, texts: Any
) -> None:
    ada = player(world, place=place)
    await plays(ada)
    await ada.prefers(large_index=True)
    speak(monkeypatch, locale)
    asked = await ada.types("forget-me")
    assert asked.ephemeral
    assert asked.text == texts("forget-question", games=2)
    assert asked.labels == [texts("forget-yes"), texts("forget-no")]
    assert [part["style"] for part in asked.buttons] == [4, 2]
    assert mentions(world, ada.seat.user_id)
    done = await ada.press(texts("forget-yes"))
    assert done.message.id == asked.message.id
    assert done.ephemeral
    assert done.text == texts("forget-done", games=2)
    assert not done.controls
    assert mentions(world, ada.seat.user_id) == []
    assert await ada.settings() == Settings()


async def test_the_last_answer_is_in_the_language_that_was_chosen(ada: Player) -> None:
    await ada.prefers(language="no")
    await ada.types("forget-me")
    done = await ada.press(NO("forget-yes"))
    assert done.text == NO("forget-done", games=0)


async def test_the_other_button_deletes_nothing(world: World, ada: Player) -> None:
    await plays(ada)
    await ada.types("forget-me")
    kept = await ada.press("Keep everything")
    assert (kept.text, kept.controls) == (EN("forget-kept"), [])
    assert (await ada.game()).record == "klondike/d1/1 s-w"


async def test_the_button_deletes_after_a_restart_and_weeks(world: World, ada: Player) -> None:
    await plays(ada)
    await ada.types("forget-me")
    await world.restart()
    await world.env.advance_time(WEEKS_S)
    await ada.press("Delete everything")
    assert mentions(world, ada.seat.user_id) == []


@pytest.mark.parametrize("answer", ["", ":no"])
async def test_somebody_elses_press_deletes_nothing(monkeypatch: pytest.MonkeyPatch, answer: str) -> None:
    """Nobody else sees the buttons; a press forged with another user's id must do nothing either."""
    async with direct_bot(monkeypatch) as direct:
        for owner in (1, 2):
            await direct.holds(Position.of(Record.parse("klondike/d1/36 s-w")), owner)
        [sent] = await direct.press(f"forget:2{answer}", user_id=1)
        assert (sent.edits, sent.ephemeral, sent.text) == (False, True, EN("forget-not-yours"))
        assert [len(await direct.store.played(owner)) for owner in (1, 2)] == [1, 1]
        [sent] = await direct.press("forget:2", user_id=2)
        assert sent.edits
        assert [len(await direct.store.played(owner)) for owner in (1, 2)] == [1, 0]


async def test_other_players_keep_their_data(world: World, ada: Player, ola: Player) -> None:
    await plays(ada)
    table = await plays(ola)
    before = await world.client.services.own_data.export(ola.seat.user_id)
    await ada.types("forget-me")
    await ada.press("Delete everything")
    assert await world.client.services.own_data.export(ola.seat.user_id) == before
    await ola.press("Draw", on=table)
    assert await ola.seat.moves() == ["s-w", "s-w"]


@in_both
async def test_old_buttons_of_a_deleted_game_say_so(
    world: World, ada: Player, ola: Player, monkeypatch: pytest.MonkeyPatch, locale: str, texts: Any
) -> None:
    table = await plays(ada)
    await plays(ada)
    more = await ada.press("More")
    await ada.types("forget-me")
    await ada.press("Delete everything")
    speak(monkeypatch, locale)
    for who in (ada, ola):
        for label, shown in (
            ("Draw", table),
            ("Undo", table),
            ("Hint", table),
            ("Rules", more),
            ("Share", more),
        ):
            answer = await who.press(label, on=shown)
            assert (answer.ephemeral, answer.text) == (True, texts("fault-no-such-game"))
    assert mentions(world, ada.seat.user_id) == []
    assert (await ada.types("table")).text == texts("fault-no-game")


async def test_deleting_gives_no_second_daily_game_and_says_so(world: World, ada: Player) -> None:
    play = world.client.services.games
    await ada.types("new", game="klondike", seed="1")
    await play.play_daily(request(ada))
    await ada.types("forget-me")
    done = await ada.press("Delete everything")
    end = world.client.services.daily.ends_ms(world.client.services.daily.today)
    assert end > NOW_MS
    assert done.text == "\n".join(
        [EN("forget-done", games=2), EN("forget-done-daily", time=str(end // 1000))]
    )
    await ada.types("forget-me")
    again = await ada.press("Delete everything")
    assert again.text == EN("forget-done", games=0)


def request(who: Player) -> Request:
    return Request(who.seat.user_id, 77)


async def test_a_deleted_player_starts_as_a_newcomer(world: World, ada: Player) -> None:
    await plays(ada)
    await ada.types("forget-me")
    await ada.press("Delete everything")
    dealt = await ada.types("new", game="klondike", seed="36")
    assert EN("turn-first") in dealt.text
    assert len(await world.client._store.played(ada.seat.user_id)) == 1


async def test_a_failed_deletion_is_answered_and_deletes_nothing(
    world: World, ada: Player, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await plays(ada)

    async def fail(*_: object) -> None:
        raise RuntimeError

    await ada.types("forget-me")
    monkeypatch.setattr(OwnData, "forget", fail)
    answer = await ada.press("Delete everything")
    assert "Something went wrong" in answer.text
    assert mentions(world, ada.seat.user_id)
    caplog.clear()
