"""Challenges as friends play them: the message, its buttons, and its updates."""

from __future__ import annotations

import asyncio
import itertools
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any, cast

import discord
import pytest
import pytest_asyncio

from bot.discord_app.features.challenges import ChallengesFeature
from bot.discord_app.features.challenges.messages import EVERY_S
from bot.service import GameService, Request, Turn
from bot.service.contests import JOINING_MS
from bot.text import languages, texts_for
from engine import Record
from tests.discord_app.playing import World
from tests.discord_app.pressing import WEEKS_S, Player, Shown, Wire, open_wire, player

EN = texts_for("en")
CODE = "acesup/standard/1"
CARD = re.compile(r"[♧♦♥♤]")

in_every_language = pytest.mark.parametrize("language", languages())
quiet = pytest.mark.usefixtures("quiet")
ids = itertools.count(800_000)


@pytest.fixture
def eva(world: World) -> Player:
    return player(world, "eva")


async def challenges(who: Player, *friends: Player, **about: Any) -> Shown:
    """Return the message of a new challenge, by default on a fixed deal."""
    named = {f"friend{number}": friend.seat.actor for number, friend in enumerate(friends, start=1)}
    return await who.types(
        "challenge", **{"game": "acesup", "rules": "standard", "seed": "1"} | about, **named
    )


async def presses(who: Player, card: Shown, what: str) -> Shown:
    [custom_id] = [part["custom_id"] for part in card.now().buttons if part["custom_id"].endswith(f":{what}")]
    return await who.press_id(custom_id, on=card)


async def does(who: Player, what: Callable[[GameService, Request], Awaitable[Turn]]) -> Turn:
    """Return a request to the service, without Discord: no message is updated."""
    return await what(who.world.client.services.games, Request(who.seat.user_id, next(ids)))


async def ends(who: Player, card: Shown, discards: int = 0) -> None:
    """Play from the message: so many discards, and then give up by the buttons."""
    await presses(who, card, "play")
    for _ in range(discards):
        while not (moves := (await does(who, GameService.show)).position.discards):
            await does(who, GameService.draw)
        move = str(moves[0])
        await who.world.client.services.games.move(Request(who.seat.user_id, next(ids)), move)
    await who.seat.gives_up()


def name(who: Player) -> str:
    return f"<@{who.seat.user_id}>"


def lines(card: Shown) -> list[str]:
    return card.now().text.split("\n")


def tells_nothing(card: Shown) -> None:
    """Assert that the message has no cards, no picture, no seed and no code."""
    now = card.now()
    assert not CARD.search(now.text)
    assert now.pictures == []
    assert now.message.attachments == []
    assert "acesup/" not in now.text
    assert "seed" not in now.text.lower()


# The message


@quiet
@in_every_language
async def test_the_message_names_the_players_and_the_rules_and_no_cards(
    ada: Player, ola: Player, eva: Player, language: str
) -> None:
    texts = texts_for(language)
    await ada.prefers(language=language, is_private=True)
    card = await challenges(ada, ola, eva)
    assert not card.ephemeral
    title = texts(
        "challenge-title", creator=name(ada), friends=texts("names-and", first=name(ola), last=name(eva))
    )
    assert lines(card)[0] == title
    assert texts("game-acesup") in card.text
    for who in (ada, ola, eva):
        assert texts("challenge-waiting", name=name(who)) in lines(card)
    assert card.labels == [texts("challenge-play"), texts("challenge-show")]
    tells_nothing(card)


@quiet
async def test_nothing_pings(world: World, ada: Player, ola: Player) -> None:
    card = await challenges(ada, ola)
    await presses(ola, card, "play")
    sent = [r.json for r in world.env.http_requests if r.path.endswith("/callback") and r.json]
    edits = [r.json for r in world.env.http_requests if r.method == "PATCH" and r.json]
    assert edits
    assert all(body["data"]["allowed_mentions"] == {"parse": []} for body in sent if "data" in body)
    assert all(body.get("allowed_mentions", {"parse": []}) == {"parse": []} for body in edits)


@quiet
@in_every_language
async def test_the_message_follows_the_games_to_the_winner(
    world: World, ada: Player, ola: Player, language: str
) -> None:
    texts = texts_for(language)
    await ada.prefers(language=language)
    card = await challenges(ada, ola)
    await presses(ada, card, "play")
    assert texts("challenge-playing", name=name(ada), score=0, moves=0) in lines(card)
    tells_nothing(card)
    await world.env.advance_time(EVERY_S)
    await ada.seat.type("discard", pile="2")
    assert texts("challenge-playing", name=name(ada), score=1, moves=1) in lines(card)
    tells_nothing(card)
    await ada.seat.gives_up()
    assert texts("challenge-given-up", rank=1, name=name(ada), score=1, moves=1) in lines(card)
    tells_nothing(card)
    await ends(ola, card)
    assert texts("challenge-given-up", rank=2, name=name(ola), score=0, moves=0) in lines(card)
    assert texts("challenge-winner", names=name(ada), score=1) in lines(card)
    assert texts("challenge-code", code=CODE) in lines(card)
    assert card.now().labels == [texts("challenge-compare")]


@quiet
@in_every_language
async def test_the_same_score_is_a_tie(ada: Player, ola: Player, eva: Player, language: str) -> None:
    texts = texts_for(language)
    await ada.prefers(language=language)
    card = await challenges(ada, ola, eva)
    for who, discards in ((ada, 1), (ola, 0), (eva, 1)):
        tells_nothing(card)
        await ends(who, card, discards)
    both = texts("names-and", first=name(ada), last=name(eva))
    assert texts("challenge-tie", names=both, score=1) in lines(card)
    assert texts("challenge-given-up", rank=3, name=name(ola), score=0, moves=0) in lines(card)


@quiet
async def test_a_random_seed_is_hidden_until_the_end(world: World, ada: Player, ola: Player) -> None:
    card = await ada.types("challenge", game="klondike", friend1=ola.seat.actor)
    [challenge] = await world.client._store.challenges_of(ada.seat.user_id)
    seed = Record.parse(challenge.deal).seed
    table = await presses(ola, card, "play")
    await ola.seat.type("draw")
    await ola.types("games")
    shown = [card.now().text, table.text, table.alt, ola.shown.text, (await ola.types("share")).text]
    assert [text for text in shown if seed in text] == []
    assert ola.shown.ephemeral
    assert ola.shown.text == EN("fault-share-later", contest="challenge")
    await ola.seat.gives_up()
    assert (await ola.types("share")).ephemeral
    await ends(ada, card)
    assert f"klondike/d1/{seed}" in card.now().text
    assert f"klondike/d1/{seed}" in (await ola.types("share")).text
    assert not ola.shown.ephemeral


# Playing


@quiet
async def test_everybody_plays_the_same_cards_ephemerally(ada: Player, ola: Player) -> None:
    card = await challenges(ada, ola)
    mine, theirs = await presses(ada, card, "play"), await presses(ola, card, "play")
    assert mine.ephemeral
    assert theirs.ephemeral
    assert mine.png == theirs.png
    assert (await ada.seat.type("draw")).ephemeral
    assert (await ada.game()).record == f"{CODE} s-t"
    assert (await ola.game()).record == CODE


@quiet
async def test_play_returns_to_the_game_even_after_a_restart_and_weeks(
    world: World, ada: Player, ola: Player
) -> None:
    card = await challenges(ada, ola)
    await presses(ola, card, "play")
    await ola.seat.type("draw")
    before = await ola.game()
    await world.restart()
    await world.env.advance_time(WEEKS_S)
    shown = await presses(ola, card, "play")
    assert shown.ephemeral
    assert EN("turn-resumed") in shown.text
    assert await ola.game() == before
    await world.restart()
    await ola.seat.gives_up()
    assert EN("challenge-given-up", rank=1, name=name(ola), score=0, moves=1) in lines(card)


@quiet
@in_every_language
async def test_a_stranger_is_refused_and_deals_nothing(
    world: World, ada: Player, ola: Player, eva: Player, language: str
) -> None:
    await eva.prefers(language=language)
    card = await challenges(ada, ola)
    answer = await presses(eva, card, "play")
    assert answer.ephemeral
    assert answer.text == texts_for(language, "en-US")("fault-not-invited")
    assert await world.client._store.current_game(eva.seat.user_id) is None
    assert name(eva) not in card.now().text


@quiet
@in_every_language
async def test_an_open_challenge_can_be_joined_for_a_day(
    world: World, ada: Player, ola: Player, eva: Player, language: str
) -> None:
    texts = texts_for(language)
    await ada.prefers(language=language)
    card = await challenges(ada)
    assert lines(card)[0] == texts("challenge-title-open", creator=name(ada))
    until_ms = world.clock.now_ms + JOINING_MS
    assert texts("challenge-open", time=str(until_ms // 1000)) in card.text
    await ends(ola, card, 1)
    await ends(ada, card)
    assert texts("challenge-winner", names=name(ola), score=1) in lines(card)
    tells_nothing(card)
    world.clock.now_ms = until_ms
    refused = await presses(eva, card, "play")
    assert refused.ephemeral
    assert refused.text == EN("fault-challenge-closed")
    await presses(eva, card, "show")
    assert texts("challenge-code", code=CODE) in lines(card)
    assert card.now().labels == [texts("challenge-compare")]


@quiet
async def test_bots_and_oneself_cannot_be_challenged(world: World, ada: Player, ola: Player) -> None:
    robot = world.guild.add_member(world.env.create_user("robot", bot=True))
    for friends, key in (((robot,), "no-player"), ((ada.seat.actor,), "nobody-else")):
        answer = await ada.types("challenge", friend1=friends[0])
        assert answer.ephemeral
        assert answer.text == EN(f"fault-{key}")
    card = await challenges(ada, ola, ada, ola)
    assert sum(line.startswith("▹") for line in lines(card)) == 2


@quiet
@pytest.mark.parametrize(
    "about", [{"rules": "nonsense"}, {"seed": "x" * 65}, {"game": "klondike", "rules": "cell"}]
)
async def test_an_impossible_deal_makes_no_challenge(
    world: World, ada: Player, ola: Player, about: dict[str, str]
) -> None:
    assert (await challenges(ada, ola, **about)).ephemeral
    assert await world.client._store.challenges_of(ada.seat.user_id) == []


@quiet
@pytest.mark.parametrize("what", ["play", "show", "compare", "fly", ""])
async def test_an_unknown_challenge_and_an_unknown_button_are_answered(
    ada: Player, ola: Player, what: str
) -> None:
    card = await challenges(ada, ola)
    before = card.now().text
    custom_id = f"duel:999:{what}"
    answer = await press_anything(ada, card, custom_id)
    known = what in ("play", "show", "compare")
    assert answer.text == EN("fault-no-such-challenge" if known else "fault-unknown-control")
    assert card.now().text == before


async def press_anything(who: Player, on: Shown, custom_id: str) -> Shown:
    """Press a button that the message has no more, or never had."""
    stored = who.world.env.backend.get_message(on.message.channel_id, on.message.id)
    kept = stored.components
    button = {"type": 2, "style": 2, "label": "x", "custom_id": custom_id}
    stored.components = [{"type": 1, "components": [button]}]
    try:
        return await who.press_id(custom_id, on=on)
    finally:
        stored.components = kept


# Places


@quiet
async def test_the_buttons_work_in_a_direct_message(world: World) -> None:
    ada = player(world, "ada", "direct")
    card = await ada.types("challenge", game="acesup", seed="1")
    table = await presses(ada, card, "play")
    assert table.picture
    await ada.seat.gives_up()
    assert EN("challenge-given-up", rank=1, name=name(ada), score=0, moves=0) in lines(card)


@quiet
async def test_a_challenge_can_be_played_in_another_server(world: World, ada: Player, ola: Player) -> None:
    card = await challenges(ada, ola)
    await presses(ola, card, "play")
    other = world.env.create_guild("Another club")
    channel = other.create_text_channel("games")
    member = other.add_member(ola.seat.actor.user)  # type: ignore[union-attr]
    await world.env.advance_time(EVERY_S)
    result = await member.slash(channel, "draw")
    assert result.response is not None
    assert result.response.ephemeral
    assert EN("challenge-playing", name=name(ola), score=0, moves=1) in lines(card)


# Updates of the message


@quiet
async def test_the_message_is_edited_at_most_every_ten_seconds_but_at_once_at_the_end(
    world: World, ada: Player, ola: Player
) -> None:
    card = await challenges(ada, ola)
    await presses(ada, card, "play")
    edits = edits_of(world, card)
    for _ in range(4):
        await ada.seat.type("draw")
    assert edits_of(world, card) == edits
    await world.env.advance_time(EVERY_S)
    assert edits_of(world, card) == edits + 1
    assert EN("challenge-playing", name=name(ada), score=0, moves=4) in lines(card)
    await ada.seat.type("draw")
    await ada.seat.gives_up()
    assert edits_of(world, card) == edits + 2
    assert EN("challenge-given-up", rank=1, name=name(ada), score=0, moves=5) in lines(card)
    await world.env.advance_time(EVERY_S)
    assert edits_of(world, card) == edits + 2


def edits_of(world: World, card: Shown) -> int:
    return sum(r.method == "PATCH" and str(card.message.id) in r.path for r in world.env.http_requests)


@quiet
async def test_a_deleted_message_does_not_hinder_the_game(
    world: World, ada: Player, ola: Player, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    card = await challenges(ada, ola)
    table = await presses(ada, card, "play")
    world.env.backend.delete_message(card.message.channel_id, card.message.id)
    await world.env.advance_time(EVERY_S)
    drawn = await ada.press("Deal", on=table)
    assert drawn.picture
    assert await ada.seat.moves() == ["s-t"]
    assert "can't edit the message" in caplog.text
    [challenge] = await world.client._store.challenges_of(ada.seat.user_id)
    assert challenge.message_id == 0
    caplog.clear()
    await ada.seat.gives_up()
    assert "challenge" not in caplog.text


@quiet
async def test_a_message_that_cannot_be_edited_is_updated_by_a_press(
    world: World, ada: Player, ola: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = await challenges(ada, ola)
    await presses(ada, card, "play")
    cards = world.client.feature(ChallengesFeature).messages

    async def refuse(*_: Any) -> None:
        raise discord.Forbidden(cast("Any", Response()), {"code": 50001, "message": "Missing Access"})

    monkeypatch.setattr(cards, "_edit_by_token", refuse)
    await ada.seat.gives_up()
    assert EN("challenge-playing", name=name(ada), score=0, moves=0) in lines(card)
    await presses(ola, card, "show")
    assert EN("challenge-given-up", rank=1, name=name(ada), score=0, moves=0) in lines(card)


class Response:
    status = 403
    reason = "Forbidden"


async def test_a_failed_update_is_logged_and_reaches_no_player(
    world: World, ada: Player, ola: Player, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    card = await challenges(ada, ola)

    async def fail(*_: Any) -> None:
        raise ConnectionError("no network")

    monkeypatch.setattr(world.client.feature(ChallengesFeature).messages, "_edit", fail)
    table = await presses(ada, card, "play")
    assert table.picture
    assert "could not update the message" in caplog.text
    caplog.clear()


@quiet
async def test_no_task_is_left_when_the_client_closes(world: World, ada: Player, ola: Player) -> None:
    card = await challenges(ada, ola)
    await presses(ada, card, "play")
    await ada.seat.type("draw")
    assert world.client.feature(ChallengesFeature).messages._tasks
    await world.client.feature(ChallengesFeature).messages.close()
    await asyncio.sleep(0)
    assert not world.client.feature(ChallengesFeature).messages._tasks


@quiet
async def test_the_message_survives_players_who_were_forgotten(
    world: World, ada: Player, ola: Player, eva: Player
) -> None:
    card = await challenges(ada, ola, eva)
    await ends(ola, card, 1)
    await ends(eva, card)
    await world.client._store.forget(ada.seat.user_id, "2000-01-01", "")
    await presses(ola, card, "show")
    assert lines(card)[0] == EN("challenge-title-nobody")
    assert name(ada) not in card.now().text
    assert EN("challenge-winner", names=name(ola), score=1) in lines(card)
    for who in (ola, eva):
        await world.client._store.forget(who.seat.user_id, "2000-01-01", "")
    shown = await press_anything(ola, card, "duel:1:show")
    assert EN("challenge-empty") in shown.text


# Comparing


@quiet
async def test_compare_shows_the_own_game_and_the_best_other_to_a_spectator_the_best_two(
    world: World, ada: Player, ola: Player, eva: Player
) -> None:
    card = await challenges(ada, ola)
    await ends(ada, card, 2)
    stranger = await press_anything(eva, card, "duel:1:compare")
    assert stranger.text == EN("fault-own-game-first")
    assert (await press_anything(ola, card, "duel:1:compare")).text == EN("fault-own-game-first")
    assert (await press_anything(ada, card, "duel:1:compare")).text == EN("fault-nothing-to-compare")
    await ends(ola, card)
    own = await presses(ola, card, "compare")
    assert own.ephemeral
    assert EN("compare-line", name=EN("compare-you"), score=0, full=48, moves=0) in own.text
    assert own.text.index(EN("compare-you")) < own.text.index(name(ada))
    assert own.picture
    watched = await presses(eva, card, "compare")
    assert watched.ephemeral
    assert watched.text.index(name(ada)) < watched.text.index(name(ola))
    assert EN("compare-you") not in watched.text


# Twice, over real sockets


@pytest_asyncio.fixture
async def wire(tmp_path: Path) -> AsyncIterator[Wire]:
    async with open_wire(tmp_path) as opened:
        yield opened


async def test_a_double_click_makes_one_game(wire: Wire) -> None:
    card = await (
        await wire.standin.interact("challenge", {"game": "acesup"}, guild_id=wire.guild_id)
    ).shown()
    one, other = [await wire.standin.press(card, "duel:1:play") for _ in range(2)]
    for answered in (one, other):
        await answered.shown()
    game = await wire.client._store.load_game(1)
    assert game is not None
    assert [played.game_id for played in await wire.client._store.played(game.owner_id)] == [1]


async def test_a_challenge_delivered_twice_is_answered_once(wire: Wire) -> None:
    first = await wire.standin.interact("challenge", {"game": "acesup"}, guild_id=wire.guild_id)
    await first.shown()
    await wire.again(first)
    await wire.quietly(2)
