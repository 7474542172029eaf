"""Sharing a deal, dealing from a code, and comparing two games."""

from __future__ import annotations

import itertools
import re
from collections.abc import Awaitable, Callable

import pytest

from bot.discord_app.tables.controls import Action
from bot.service import GameService, Position, Request, Turn
from bot.storage import Status
from bot.text import languages, texts_for
from bot.text.dates import date_text
from bot.text.moves import move_text
from bot.text.sharing import NOT_DEALT, SCALE, square
from engine import Move, Record
from tests.discord_app.playing import World
from tests.discord_app.pressing import Player, Shown, lost, won

EN = texts_for("en")
TODAY = "2023-11-14"  # by the clock of every world
SQUARES = [mark for _, mark in SCALE] + [NOT_DEALT]

pytestmark = pytest.mark.usefixtures("quiet")
in_every_language = pytest.mark.parametrize("language", languages())
ids = itertools.count(700_000)


async def does(who: Player, what: Callable[[GameService, Request], Awaitable[Turn]]) -> Turn:
    """Return a request to the service, without Discord."""
    return await what(who.world.client.services.games, Request(who.seat.user_id, next(ids)))


async def daily(who: Player, deals: int = 3) -> None:
    """Play the daily game to its end: deal that often, discard what can go each time, and give up."""
    turn = await does(who, GameService.play_daily)
    for _ in range(deals):
        if turn.position.discard_chain:
            await does(who, GameService.discard_all)
        turn = await does(who, GameService.draw)
    await does(who, GameService.give_up)


# /share


@in_every_language
async def test_a_deal_is_shared_with_everybody_in_one_plain_line(
    world: World, ada: Player, language: str
) -> None:
    texts = texts_for(language)
    await ada.prefers(language=language, is_private=True)
    await ada.types("new", game="acesup", rules="standard", seed="mormor")
    shown = await ada.types("share")
    assert not shown.ephemeral
    assert shown.message.content == f"{texts('game-acesup')} · acesup/standard/mormor"
    assert shown.labels == [texts("share-play")]
    await ada.holds(lost("acesup"))
    score = Position.of(lost("acesup")).table.score
    result = await ada.types("share")
    assert result.message.content == f"{texts('game-acesup')} · {score}/48 · {lost('acesup').code}"


async def test_the_button_share_does_the_same_and_leaves_the_table(ada: Player) -> None:
    table = await ada.types("new", game="klondike", seed="36")
    more = await ada.press("More")
    shared = await ada.press("Share")
    assert not shared.ephemeral
    assert shared.message.content == (await ada.types("share")).message.content == "Klondike · klondike/d1/36"
    assert more.now().controls == more.controls
    assert table.now().message.id == more.message.id


@pytest.mark.parametrize("seed", ["<@1> @everyone", "https://a.b/c", "**b** `c` ||d||", "a\nb"])
async def test_a_shared_line_formats_mentions_and_links_nothing(ada: Player, seed: str) -> None:
    await ada.types("new", game="klondike", seed=seed)
    line = str((await ada.types("share")).message.content)
    assert not re.search(r"[@<>*_`|\n]|://", line)
    assert Record.parse(line.rsplit(" ", maxsplit=1)[-1]) == Record.parse((await ada.game()).record)


async def test_a_shared_line_deals_the_same_cards_pressed_or_pasted(
    world: World, ada: Player, ola: Player
) -> None:
    await ada.holds(won("klondike", "d1"))
    shared = await ada.types("share")
    await world.restart()
    await ola.press(EN("share-play"), on=shared)
    assert (await ola.game()).record == won("klondike", "d1").code
    await ola.types("new", code=shared.message.content)
    assert (await ola.game()).record == won("klondike", "d1").code
    assert not (await ola.game()).is_copy


@in_every_language
async def test_the_daily_is_shared_with_its_date_score_and_a_row_of_squares(
    world: World, ada: Player, language: str
) -> None:
    texts = texts_for(language)
    await ada.prefers(language=language)
    await daily(ada, deals=5)
    game = await ada.game()
    shown = await ada.types("share")
    line = str(shown.message.content)
    assert not shown.ephemeral
    assert date_text(texts, TODAY) in line
    assert f"{game.score}/48" in line
    row = line.rsplit(" ", maxsplit=1)[-1]
    assert len(row) == 12
    assert set(row) <= set(SQUARES)
    assert row[5:] == 7 * NOT_DEALT
    assert NOT_DEALT not in row[:5]
    assert Record.parse(game.record).seed not in line
    assert not re.search(r"[@<>*_`|\n]|://", line)
    assert shown.labels == [texts("control-play-daily")]


async def test_the_button_under_a_shared_daily_deals_an_attempt_of_ones_own(
    world: World, ada: Player, ola: Player
) -> None:
    await daily(ada)
    shared = await ada.types("share")
    table = await ola.press(EN("control-play-daily"), on=shared)
    assert table.ephemeral
    assert (await ola.game()).day == TODAY
    await ola.press(EN("control-play-daily"), on=shared)
    assert len(await world.client._store.played(ola.seat.user_id)) == 1
    world.clock.set("2023-11-15")
    await ola.press(EN("control-play-daily"), on=shared)
    assert (await ola.game()).day == "2023-11-15"  # as the label says
    assert (await ada.types("share")).labels == [EN("share-play")]


@in_every_language
async def test_an_unfinished_daily_is_not_shared(ada: Player, language: str) -> None:
    texts = texts_for(language)
    await ada.prefers(language=language)
    await does(ada, GameService.play_daily)
    refused = await ada.types("share")
    assert refused.ephemeral
    assert refused.text == texts("fault-share-later", contest="daily")


def test_the_scale_of_squares_has_five_colours_from_none_to_many() -> None:
    row = [square(count) for count in range(13)]
    assert len(set(row)) == len(SCALE) == 5
    assert [row.index(mark) for _, mark in SCALE] == [7, 5, 3, 1, 0]
    assert square(None) not in row


# /new code


@in_every_language
async def test_a_pasted_record_is_a_copy_that_can_be_continued(ada: Player, language: str) -> None:
    texts = texts_for(language, "en-US")
    await ada.prefers(language=language)
    shown = await ada.types("new", code="`klondike/d1/36 6-7 s-w s-w`")
    assert texts("turn-new-copy", moves=3, score=0, full=52) in shown.text
    assert (await ada.game()).is_copy
    await ada.press(texts("control-undo"))
    assert await ada.seat.moves() == ["6-7", "s-w"]


async def test_a_copy_of_a_won_game_does_not_congratulate(ada: Player) -> None:
    record = won("acesup", "standard")
    assert len(str(record)) <= 6000  # the longest that can be typed
    shown = await ada.types("new", code=str(record))
    assert "You won" not in shown.text
    assert EN("turn-new-copy", moves=len(record.moves), score=48, full=48) in shown.text
    assert (await ada.game()).status is Status.WON


@in_every_language
@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("hello", ["hello", "acesup/standard/mormor"]),
        ("patience/d1/1", ["patience"]),
        ("klondike/standard/1", ["standard", "d1p3"]),
        ("klondike/d1/%FF", ["64"]),
        ("klondike/d1/36 6-7 hello", ["2", "`hello`"]),
        ("klondike/d1/36 s-w 6-8", ["2", "`6-8`"]),
    ],
)
async def test_an_invalid_code_is_explained_ephemerally(
    ada: Player, language: str, code: str, told: list[str]
) -> None:
    await ada.prefers(language=language)
    shown = await ada.types("new", code=code)
    assert shown.ephemeral
    assert [part for part in told if part not in shown.text] == []


@in_every_language
@pytest.mark.parametrize("more", [{"game": "acesup"}, {"rules": "d1"}, {"seed": "1"}])
async def test_a_code_excludes_the_other_options(ada: Player, language: str, more: dict[str, str]) -> None:
    await ada.prefers(language=language)
    shown = await ada.types("new", code="klondike/d1/36", **more)
    assert shown.ephemeral
    assert shown.text == texts_for(language, "en-US")("fault-code-alone")


async def test_todays_daily_cannot_be_dealt_by_its_code(world: World, ada: Player, ola: Player) -> None:
    await daily(ada)
    code = Record.parse((await ada.game()).record).code
    for text in (code, f"{code} 1-d"):
        refused = await ola.types("new", code=text)
        assert refused.ephemeral
        assert refused.text == EN("fault-daily-first")
    await daily(ola)
    await ola.types("new", code=code)
    assert (await ola.game()).record == code


# /compare


async def compared(who: Player, friend: Player) -> Shown:
    return await who.types("compare", friend=friend.seat.actor)


@in_every_language
async def test_two_games_are_compared_with_the_table_where_they_parted(
    ada: Player, ola: Player, language: str
) -> None:
    texts = texts_for(language)
    await ada.prefers(language=language)
    for who, way in ((ada, ["6-7", "s-w"]), (ola, ["6-7", "s-w", "s-w"])):
        await who.holds(f"klondike/d1/36 {' '.join(way)}")
        await does(who, GameService.give_up)
    shown = await compared(ada, ola)
    name = f"<@{ola.seat.user_id}>"
    table = Position.of(Record.parse("klondike/d1/36 6-7 s-w")).table
    assert shown.ephemeral
    assert shown.text.split("\n") == [
        texts("compare-title"),
        texts("compare-line", name=texts("compare-you"), score=0, full=52, moves=2),
        texts("compare-line", name=name, score=0, full=52, moves=3),
        "",
        texts("compare-parted", number=3),
        texts("compare-played", name=texts("compare-you"), played=texts("compare-ended")),
        texts("compare-played", name=name, played=move_text(texts, table, Move("s", "w"))),
    ]
    assert shown.image.width == 1100
    assert texts("compare-parted", number=3).replace("*", "") in shown.alt


async def test_with_tables_as_text_a_comparison_has_the_table_as_text(ada: Player, ola: Player) -> None:
    await ada.prefers(as_text=True)
    for who, way in ((ada, "6-7"), (ola, "s-w")):
        await who.holds(f"klondike/d1/36 {way}")
        await does(who, GameService.give_up)
    shown = await compared(ada, ola)
    assert shown.pictures == []
    assert EN("table-score", score=0, full=52) in shown.text


async def test_identical_games_are_said_to_be_the_same(ada: Player, ola: Player) -> None:
    for who in (ada, ola):
        await who.holds(lost("acesup"))
    shown = await compared(ada, ola)
    assert EN("compare-same") in shown.text
    assert shown.pictures == []


@in_every_language
async def test_an_impossible_comparison_is_refused_ephemerally(
    ada: Player, ola: Player, language: str
) -> None:
    texts = texts_for(language, "en-US")
    await ada.prefers(language=language)
    said = [(await compared(ada, ola)).text]
    await ada.types("new", game="klondike", seed="36")
    said.append((await compared(ada, ola)).text)
    await does(ada, GameService.give_up)
    said += [(await compared(ada, who)).text for who in (ada, ola)]
    await ola.holds("klondike/d1/36")
    await does(ola, GameService.give_up)
    await ola.prefers(is_hidden=True)
    said.append((await compared(ada, ola)).text)
    keys = ("no-game", "own-game-first", "nobody-else", "nothing-to-compare", "nothing-to-compare")
    assert said == [texts(f"fault-{key}") for key in keys]
    assert ada.shown.ephemeral


async def test_a_share_of_a_deleted_game_is_answered(world: World, ada: Player, ola: Player) -> None:
    await ada.types("new", game="klondike", seed="36")
    shared = await ada.types("share")
    await world.client._store.forget(ada.seat.user_id, "2000-01-01", "")
    answer = await ola.press_id(shared.of(Action.SAME), on=shared)
    assert answer.ephemeral
