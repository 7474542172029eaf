"""Rate limits as users meet them: a fast player never, a script in one short sentence."""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest
import pytest_asyncio
import simcord

from bot.app import build_client
from bot.config import Config
from bot.discord_app import animations
from bot.discord_app import member_names as names
from bot.discord_app.features.challenges import ChallengesFeature
from bot.discord_app.features.challenges import messages as cards
from bot.discord_app.features.replay import Replay
from bot.discord_app.member_names import MemberNames
from bot.discord_app.tables.controls import Action, ComponentId
from bot.service import LIMITS, Cost, Position, TooFast
from bot.service.games.requests import RequestLog
from bot.text import languages, texts_for
from engine import Record
from solve import Analysis
from tests.discord_app.direct import Answered, DirectBot, direct_bot
from tests.discord_app.endings import BETTER, LOST, analyses, best_line, ends
from tests.discord_app.playing import Clock, World, open_world, speak
from tests.discord_app.pressing import Player, Shown, Wire, open_wire
from tests.thinking import Thinker, par
from tests.wire.interactions import Interaction
from tests.wire.payloads import User

EN = texts_for("en")
DEAL = "klondike/d1r/42"  # its stock can be turned over for ever
SENTENCE = re.compile(r"<t:(\d+):R>")

quiet = pytest.mark.usefixtures("quiet")
in_every_language = pytest.mark.parametrize("language", languages())


@pytest_asyncio.fixture
async def world(tmp_path: Path, raised: list[BaseException]) -> AsyncIterator[World]:
    """A server in which the bot has just started, with the limits of production."""
    async with AsyncExitStack() as stack:
        yield await open_world(stack, tmp_path, raised, LIMITS)


@asynccontextmanager
async def limited(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> AsyncIterator[DirectBot]:
    async with direct_bot(monkeypatch, clock, LIMITS) as direct:
        yield direct


def too_fast(until_ms: int, language: str = "en") -> str:
    return texts_for(language)("fault-too-fast", time=str(-(-until_ms // 1000)))


async def press_draw(direct: DirectBot, game_id: int, user_id: int = 1) -> Answered:
    """Press Draw on the table as it is now."""
    game = await direct.store.load_game(game_id)
    assert game is not None
    custom_id = str(ComponentId(game_id, game.revision, Action.DRAW))
    return await direct.answer(direct.pressed(custom_id, user_id=user_id))


def is_turn(answered: Answered) -> bool:
    return [sent.edits for sent in answered.sent] == [True]


def test_the_default_client_has_the_limits(tmp_path: Path) -> None:
    client = build_client(Config(database_url=f"sqlite:///{tmp_path}/games.sqlite3"), clock=Clock())
    rate_limiter = client.services.rate_limiter
    for user_id, (work, limit) in enumerate(LIMITS.items()):
        for _ in range(limit.at_once):
            with rate_limiter.admit(user_id, work):
                pass
        with pytest.raises(TooFast), rate_limiter.admit(user_id, work):
            pass


# Presses


@quiet
async def test_a_whole_game_of_five_presses_a_second_and_a_burst_meets_no_limit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock()
    async with limited(monkeypatch, clock) as direct:
        game = await direct.holds(Position.of(Record.parse(DEAL)))
        for number in range(250):
            assert is_turn(await press_draw(direct, game.id))
            if not 100 <= number < 125:  # which come at once
                clock.now_ms += 200
        kept = await direct.store.load_game(game.id)
        assert kept is not None
        assert kept.record.count("s-w") + kept.record.count("w-s") == 250


@quiet
async def test_a_thousand_presses_at_once_are_too_many_and_nothing_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock()
    async with limited(monkeypatch, clock) as direct:
        mine, other = [await direct.holds(Position.of(Record.parse(DEAL)), owner=owner) for owner in (1, 2)]
        answered = [await press_draw(direct, mine.id) for _ in range(1_000)]
        turns = [one for one in answered if is_turn(one)]
        assert len(turns) == LIMITS[Cost.PRESS].at_once
        assert all(one.is_acknowledged for one in answered)
        [said] = [one.sent for one in answered if one.sent and not is_turn(one)]
        assert [(sent.text, sent.ephemeral) for sent in said] == [
            (too_fast(clock.now_ms + LIMITS[Cost.PRESS].every_ms), True)
        ]
        kept = await direct.store.load_game(mine.id)
        assert kept is not None
        assert len(kept.record.split(" ")[1:]) == len(turns)
        assert is_turn(await press_draw(direct, other.id, user_id=2))
        clock.now_ms += LIMITS[Cost.PRESS].every_ms
        assert is_turn(await press_draw(direct, mine.id))


@quiet
@in_every_language
async def test_a_flood_is_refused_in_the_users_language_and_then_only_acknowledged(
    world: World, ada: Player, language: str
) -> None:
    await ada.prefers(language=language)
    await ada.holds(DEAL)
    await uses_up(world, ada, Cost.PRESS)
    refused = await ada.do(Action.DRAW)
    assert refused.ephemeral
    assert refused.text == too_fast(world.clock.now_ms + LIMITS[Cost.PRESS].every_ms, language)
    table = (await ada.live()).message_id
    ada.shown = Shown.of_message(world, await message_of(world, table))
    actor: Any = ada.seat.actor
    silent = await actor.click(ada.shown.message, custom_id=ada.shown.of(Action.DRAW))
    assert silent.acknowledged
    assert not silent.followups
    assert await ada.seat.moves() == []
    world.clock.now_ms += 10_000
    assert (await ada.do(Action.DRAW)).picture
    assert await ada.seat.moves() == ["s-w"]


async def uses_up(world: World, who: Player, work: Cost) -> None:
    """Use up a user's limit, without Discord."""
    for _ in range(LIMITS[work].at_once):
        with world.client.services.rate_limiter.admit(who.seat.user_id, work):
            pass


async def message_of(world: World, message_id: int) -> Any:
    stored = world.env.backend.get_message(world.channel.id, message_id)
    return simcord.ResponseMessage(world.env, stored)


# Commands


@quiet
async def test_a_flood_of_commands_is_answered_each_time_and_changes_nothing(
    world: World, ada: Player, ola: Player
) -> None:
    await ada.holds(DEAL)
    shown = [await ada.types("draw") for _ in range(LIMITS[Cost.COMMAND].at_once + 5)]
    moves = await ada.seat.moves()
    assert len(moves) == LIMITS[Cost.COMMAND].at_once - 1  # the table was looked at before
    refused = shown[len(moves) :]
    until_ms = world.clock.now_ms + LIMITS[Cost.COMMAND].every_ms
    assert [(one.ephemeral, one.text) for one in refused] == [(True, too_fast(until_ms))] * 6
    await ola.holds(DEAL)
    assert (await ola.types("draw")).picture
    world.clock.now_ms = until_ms
    assert (await ada.types("draw")).picture
    assert len(await ada.seat.moves()) == len(moves) + 1


@quiet
async def test_many_new_games_in_a_row_are_too_many_and_the_last_one_is_played_on(
    world: World, ada: Player
) -> None:
    for number in range(LIMITS[Cost.DEAL].at_once):
        world.clock.now_ms += 100
        assert (await ada.types("new", game="acesup", seed=str(number + 1))).picture
        world.clock.now_ms += 100
    last = await ada.game()
    world.clock.now_ms += 5_000  # which allows commands again, but no deal
    refused = await ada.types("new", game="acesup", seed="99")
    assert SENTENCE.search(refused.text)
    assert await ada.game() == last
    assert (await ada.types("table")).picture


@quiet
async def test_a_refused_deal_does_not_count(world: World, ada: Player) -> None:
    for _ in range(LIMITS[Cost.DEAL].at_once + 5):
        world.clock.now_ms += 1_000
        assert (await ada.types("new", game="acesup", rules="nonsense")).ephemeral
    assert (await ada.types("new", game="acesup", seed="1")).picture


@quiet
async def test_autocomplete_stops_for_a_script_and_comes_back(world: World, ada: Player) -> None:
    await ada.holds(DEAL)
    offered = [await ada.seat.offered("move", "from") for _ in range(LIMITS[Cost.COMPLETION].at_once + 10)]
    assert all(offered[: LIMITS[Cost.COMPLETION].at_once])
    assert not any(offered[LIMITS[Cost.COMPLETION].at_once :])
    world.clock.now_ms += LIMITS[Cost.COMPLETION].every_ms
    assert await ada.seat.offered("move", "from")


# What everybody in the channel sees


@quiet
async def test_shared_lines_are_limited_typed_or_pressed(world: World, ada: Player) -> None:
    table = await ada.holds(DEAL)
    more = await ada.do(Action.PANEL, "more", on=table)
    for number in range(LIMITS[Cost.PUBLIC].at_once):
        shared = await (ada.types("share") if number % 2 else ada.do(Action.SHARE, on=more))
        assert not shared.ephemeral
    before = len(world.env.backend.messages[world.channel.id])
    refused = await ada.types("share")
    assert refused.ephemeral
    assert SENTENCE.search(refused.text)
    await ada.do(Action.SHARE, on=more)
    public = [
        message
        for message in list(world.env.backend.messages[world.channel.id].values())[before:]
        if not discord.MessageFlags._from_value(message.flags).ephemeral
    ]
    assert public == []


async def challenge(who: Player, *friends: Player, **about: Any) -> Shown:
    named = {f"friend{number}": friend.seat.actor for number, friend in enumerate(friends, start=1)}
    return await who.types("challenge", **{"game": "acesup", "seed": "1"} | about, **named)


@quiet
@in_every_language
async def test_challenges_are_limited(world: World, ada: Player, ola: Player, language: str) -> None:
    await ada.prefers(language=language)
    for _ in range(LIMITS[Cost.CHALLENGE].at_once):
        assert (await challenge(ada, ola)).labels
    until_ms = world.clock.now_ms + LIMITS[Cost.CHALLENGE].every_ms
    refused = await challenge(ada, ola)
    assert (refused.ephemeral, refused.text) == (True, too_fast(until_ms, language))
    assert (await challenge(ola, ada)).labels
    world.clock.now_ms = until_ms
    assert (await challenge(ada, ola)).labels


@quiet
async def test_a_refused_challenge_does_not_count(ada: Player, ola: Player) -> None:
    for _ in range(LIMITS[Cost.CHALLENGE].at_once + 2):
        assert (await challenge(ada, ola, rules="nonsense")).ephemeral
    for _ in range(LIMITS[Cost.CHALLENGE].at_once):
        assert (await challenge(ada, ola)).labels


@quiet
async def test_an_ended_game_updates_its_challenge_however_many_updates_wait(
    world: World, ada: Player, ola: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cards, "MAX_WAITING", 0)
    card = await challenge(ada, ola)
    [play] = [part["custom_id"] for part in card.buttons if part["custom_id"].endswith(":play")]
    await ada.press_id(play, on=card)
    await ada.seat.type("draw")
    assert world.client.feature(ChallengesFeature).messages._tasks == set()
    assert EN("challenge-waiting", name=f"<@{ada.seat.user_id}>") in card.now().text
    await ada.seat.gives_up()
    given_up = EN("challenge-given-up", rank=1, name=f"<@{ada.seat.user_id}>", score=0, moves=1)
    assert given_up in card.now().text


def test_the_tokens_of_challenge_messages_are_bounded(world: World) -> None:
    for number in range(1_000):
        world.client.feature(ChallengesFeature).messages._tokens[number] = "token"
    assert len(world.client.feature(ChallengesFeature).messages._tokens) == cards._MAX_TOKENS


# Replays


@quiet
@in_every_language
async def test_a_replay_can_be_repeated_after_a_pause(
    world: World, ada: Player, ola: Player, language: str
) -> None:
    await ada.prefers(language=language)
    await ada.holds(DEAL + " s-w s-w")
    assert (await ada.types("replay")).filename.endswith(".gif")
    until_ms = world.clock.now_ms + LIMITS[Cost.REPLAY].every_ms
    refused = await ada.types("replay")
    assert (refused.ephemeral, refused.text) == (True, too_fast(until_ms, language))
    await ola.holds(DEAL + " s-w")
    assert (await ola.types("replay")).filename.endswith(".gif")
    world.clock.now_ms = until_ms
    assert (await ada.types("replay")).filename.endswith(".gif")


@quiet
async def test_a_replay_that_cannot_be_sent_does_not_count(world: World, ada: Player) -> None:
    await ada.holds(DEAL + " s-w s-w")
    world.allow_files(False)
    for _ in range(3):
        assert (await ada.types("replay")).text == EN("replay-no-files")


@quiet
async def test_an_analysis_can_be_repeated_after_a_pause_and_a_failed_one_at_once(
    world: World, ada: Player, thinker: Thinker
) -> None:
    await ada.holds(LOST)
    thinker.knows(analyse=None)
    for _ in range(3):
        assert (await analyses(ada)).text == EN("analysis-unknown")
    thinker.knows(analyse=Analysis(par(46, line="s-t s-t"), ()))
    assert EN("analysis-title") in (await analyses(ada)).text
    until_ms = world.clock.now_ms + LIMITS[Cost.ANALYSIS].every_ms
    assert (await analyses(ada)).text == too_fast(until_ms)
    world.clock.now_ms = until_ms
    assert EN("analysis-title") in (await analyses(ada)).text


@quiet
async def test_a_best_line_can_be_repeated_after_a_pause_and_a_failed_one_at_once(
    world: World, ada: Player, thinker: Thinker
) -> None:
    table = await ends(ada, thinker)
    await world.restart()
    thinker.knows(best=None)
    for _ in range(3):
        assert (await best_line(ada, table)).text == EN("replay-no-best")
    thinker.knows(best=BETTER)
    assert (await best_line(ada, table)).filename.startswith("best-")
    until_ms = world.clock.now_ms + LIMITS[Cost.BEST].every_ms
    assert (await best_line(ada, table)).text == too_fast(until_ms)
    world.clock.now_ms = until_ms
    assert (await best_line(ada, table)).filename.startswith("best-")


@quiet
async def test_an_export_can_be_repeated_after_a_pause(world: World, ada: Player) -> None:
    await ada.holds(DEAL)
    assert (await ada.types("export")).message.attachments
    until_ms = world.clock.now_ms + LIMITS[Cost.EXPORT].every_ms
    assert (await ada.types("export")).text == too_fast(until_ms)
    world.clock.now_ms = until_ms
    assert (await ada.types("export")).message.attachments
    world.clock.now_ms += LIMITS[Cost.EXPORT].every_ms
    world.allow_files(False)
    for _ in range(3):
        assert (await ada.types("export")).text == EN("export-no-files")


@pytest_asyncio.fixture
async def wire(tmp_path: Path) -> AsyncIterator[Wire]:
    async with open_wire(tmp_path, limits=LIMITS) as opened:
        yield opened


async def test_a_failed_replay_can_be_repeated_at_once(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    await wire.table()
    with monkeypatch.context() as patched:
        patched.setattr(animations, "_draw", lambda *_: 1 / 0)
        failed = await (await wire.standin.interact("replay", guild_id=wire.guild_id)).shown()
    assert failed.text.startswith("Something went wrong")
    shown = await (await wire.standin.interact("replay", guild_id=wire.guild_id)).shown()
    assert shown.attachment().filename.endswith(".gif")


@quiet
@in_every_language
async def test_a_player_has_one_replay_at_a_time_and_a_full_queue_takes_no_more(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    texts, drawn, draw = texts_for(language), threading.Event(), animations._draw

    def slowly(*arguments: Any) -> bytes:
        drawn.wait(20)
        return draw(*arguments)

    async def asks(user: User) -> Interaction:
        locale = {"en": "en-US"}.get(language, language)
        return await wire.standin.interact("replay", guild_id=wire.guild_id, user=user, locale=locale)

    monkeypatch.setattr(animations, "_draw", slowly)
    monkeypatch.setattr(animations, "MAX_QUEUED", 1)
    wire.client.feature(Replay).patience_s = 20
    ada, ola = User(1_001, "ada"), User(1_002, "ola")
    for user in (ada, ola):
        await wire.table(user=user)
    try:
        first = await asks(ada)
        await wire.until(lambda: wire.client.app.animations.queued == 1)
        assert (await (await asks(ada)).shown()).text == texts("fault-busy", work="replay")
        assert (await (await asks(ola)).shown()).text == texts("fault-many-waiting")
    finally:
        drawn.set()
    assert (await first.shown()).attachment().filename.endswith(".gif")
    assert (await (await asks(ola)).shown()).attachment().filename.endswith(".gif")


# Where everything is full


@quiet
@in_every_language
async def test_presses_and_commands_are_refused_when_too_many_wait(
    world: World, ada: Player, ola: Player, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    speak(monkeypatch, {"en": "en-US"}.get(language, language))
    for who in (ada, ola):
        await who.holds(DEAL)
    rate_limiter = world.client.services.rate_limiter
    with monkeypatch.context() as patched:
        patched.setattr(rate_limiter, "_max_under_way", 0)
        answers = [await ada.do(Action.DRAW), await ola.types("draw")]
    assert [one.text for one in answers] == [texts_for(language)("fault-many-waiting")] * 2
    assert all(one.ephemeral for one in answers)
    assert rate_limiter.under_way == 0
    assert await ada.seat.moves() == await ola.seat.moves() == []
    assert (await ola.types("draw")).picture


@quiet
async def test_a_full_solver_queue_refuses_an_analysis_which_does_not_count(
    world: World, ada: Player, thinker: Thinker, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await ends(ada, thinker)
    await world.restart()
    thinker.knows(analyse=Analysis(BETTER, ()))
    with monkeypatch.context() as patched:
        patched.setattr(thinker, "is_full", lambda _: True)
        assert (await analyses(ada)).text == EN("fault-many-waiting")
        world.clock.now_ms += LIMITS[Cost.REFUSAL].every_ms
        assert (await best_line(ada, table)).text == EN("fault-many-waiting")
    assert EN("analysis-title") in (await analyses(ada)).text
    assert (await best_line(ada, table)).filename.startswith("best-")


async def test_name_lookups_are_bounded_and_lists_beyond_that_do_not_wait() -> None:
    asked: list[int] = []
    answer = asyncio.Event()

    async def fetch_user(user_id: int) -> SimpleNamespace:
        asked.append(user_id)
        await answer.wait()
        return SimpleNamespace(name="n", global_name=None, avatar="a", display_name=f"user {user_id}")

    client: Any = SimpleNamespace(fetch_user=fetch_user)
    known = MemberNames(client, patience_s=60)
    lists = [range(first, first + 10) for first in range(1, 2_001, 10)]
    waiting = [asyncio.create_task(known.of(users, None)) for users in lists]
    await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    assert len(asked) == len(known._asking) == names._MAX_ASKING
    answer.set()
    found = [await one for one in waiting]
    assert sum(len(people.names) for people in found) == names._MAX_ASKING
    assert all(not people.gone for people in found)
    late = await known.of(lists[-1], None)
    assert late.names == {user_id: f"user {user_id}" for user_id in lists[-1]}


@quiet
async def test_the_answers_kept_for_repeated_requests_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    async with direct_bot(monkeypatch) as direct:
        games = direct.client.services.games
        monkeypatch.setattr(games, "_requests", RequestLog(games.newest, max_kept=20))
        game = await direct.holds(Position.of(Record.parse(DEAL)))
        for _ in range(50):
            assert is_turn(await press_draw(direct, game.id))
        assert len(games._requests._answers) == 20
        assert games._pending == {}
