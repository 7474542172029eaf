"""Autocomplete: what is legal now, in words, within Discord's limits."""

from __future__ import annotations

import random

import pytest

from bot.discord_app.tables import autocomplete as choices
from bot.service import Position, Turn, TurnAction
from bot.storage import Status, StoredGame
from bot.text import texts_for
from bot.text.moves import move_text
from bot.text.names import rules_name
from engine import GAMES, Move, Record
from tests.discord_app.playing import PLACES, World

pytestmark = pytest.mark.usefixtures("quiet")

EN = texts_for("en")


def a_turn(record: Record) -> Turn:
    position = Position.of(record)
    game = StoredGame(1, 1, str(record), "", 0, Status.PLAYING, position.table.score, 1, 0, 0)
    return Turn(TurnAction.SHOWN, game, position)


async def test_moves_are_offered_as_a_whole_and_in_words(world: World) -> None:
    ada = world.seat()
    await ada.new("klondike", "d1", "36")
    table = await ada.table()
    assert await ada.offered("move", "from") == {
        text: move_text(EN, table, Move.parse(text)) for text in ("3-1", "3-5", "6-7")
    }


@pytest.mark.parametrize("place", PLACES)
async def test_autocomplete_works_everywhere(world: World, place: str) -> None:
    ada = world.seat(place=place)
    await ada.new("klondike", "d1", "36")
    assert set(await ada.offered("move", "from")) == {"3-1", "3-5", "6-7"}
    assert set(await ada.offered("games", "resume")) == {str((await ada.game()).id)}


async def test_every_offered_move_can_be_played(world: World) -> None:
    ada = world.seat()
    await ada.new("klondike", "d1", "36")
    for _ in range(6):
        offered = list(await ada.offered("move", "from"))
        if offered:
            await ada.type("move", from_=offered[0])
            assert (await ada.moves())[-1] == offered[0]
        else:
            await ada.type("draw")


@pytest.mark.parametrize(
    ("typed", "values"), [("3", ["3-1", "3-5"]), (" 6 ", ["6-7"]), ("x", []), ("→ 1", ["3-1"])]
)
async def test_typing_filters_the_moves(world: World, typed: str, values: list[str]) -> None:
    ada = world.seat()
    await ada.new("klondike", "d1", "36")
    assert list(await ada.offered("move", "from", typed)) == values


async def test_targets_are_those_of_the_source(world: World) -> None:
    ada = world.seat()
    await ada.new("klondike", "d1", "36")
    for source in ("3", " 3 ", "3-1"):
        assert list(await ada.offered("move", "to", "", from_=source)) == ["1", "5"]
    assert list(await ada.offered("move", "to", "", from_="7")) == []
    assert list(await ada.offered("move", "to", "", from_="hello")) == []


async def test_offered_targets_can_be_chosen(world: World) -> None:
    ada = world.seat()
    await ada.new("klondike", "d1", "1")
    offered = await ada.offered("move", "to", "", from_="6")
    assert list(offered) == ["fh"]
    await ada.move("6", "fh")
    assert await ada.moves() == ["6-fh"]


async def test_targets_can_be_searched_without_a_source(world: World) -> None:
    """Discord sends only what is filled in so far."""
    ada = world.seat()
    await ada.new("klondike", "d1", "36")
    assert isinstance(await ada.offered("move", "to"), dict)


async def test_discards_are_offered_by_pile(world: World) -> None:
    ada = world.seat()
    await ada.new("acesup", "pairs", "1")
    table = await ada.table()
    assert await ada.offered("discard", "pile") == {
        pile: move_text(EN, table, Move(pile, "d")) for pile in ("2", "1+4")
    }
    assert list(await ada.offered("discard", "pile", "1")) == ["1+4"]


async def test_klondike_offers_no_discards(world: World) -> None:
    ada = world.seat()
    await ada.new("klondike", "d1", "36")
    assert await ada.offered("discard", "pile") == {}


async def test_without_a_game_nothing_is_offered_and_nothing_fails(world: World) -> None:
    ada = world.seat()
    assert await ada.offered("move", "from") == {}
    assert await ada.offered("move", "to", "", from_="3") == {}
    assert await ada.offered("discard", "pile") == {}
    assert await ada.offered("games", "resume") == {}


async def test_in_an_ended_game_nothing_is_offered(world: World) -> None:
    ada = world.seat()
    await ada.new("klondike", "d1", "36")
    await ada.gives_up()
    assert await ada.offered("move", "from") == {}
    assert await ada.offered("games", "resume") == {}


async def test_nobody_is_offered_another_players_moves(world: World) -> None:
    ada, ola = world.seat("ada"), world.seat("ola")
    await ada.new("klondike", "d1", "36")
    await ola.new("klondike", "d1", "1")
    assert set(await ola.offered("move", "from")) == {"6-fh", "7-fs"}
    assert set(await ola.offered("games", "resume")) == {str((await ola.game()).id)}


# Rules


@pytest.mark.parametrize("key", GAMES)
async def test_rules_of_the_chosen_game_are_offered_in_words(world: World, key: str) -> None:
    offered = await world.seat().offered("new", "rules", "", game=key)
    assert list(offered) == list(GAMES[key].presets)
    assert all(rules_name(EN, key, code) in name for code, name in offered.items())


@pytest.mark.parametrize("key", GAMES)
async def test_every_rule_set_offered_can_be_dealt(world: World, key: str) -> None:
    ada = world.seat()
    for code in await ada.offered("new", "rules", "", game=key):
        answer = await ada.type("new", game=key, rules=code)
        assert not answer.ephemeral


async def test_every_rule_set_offered_without_a_game_can_be_dealt(world: World) -> None:
    ada = world.seat()
    for code in await ada.offered("new", "rules"):
        answer = await ada.type("new", rules=code)
        assert not answer.ephemeral, code


@pytest.mark.parametrize(("typed", "code"), [("d3p2r", "d3p2r"), (" D1R", "d1r"), ("d1p9", "d1p9")])
async def test_valid_rules_are_offered_as_they_are_typed(world: World, typed: str, code: str) -> None:
    assert code in await world.seat().offered("new", "rules", typed, game="klondike")


# Discord's limits, over many tables


@pytest.mark.parametrize("language", ["en", "no"])
@pytest.mark.parametrize(
    ("key", "code"),
    [("klondike", "d1r"), ("klondike", "d3p2r"), ("acesup", "cell+pairs"), ("acesup", "aces")],
)
def test_never_more_than_25_choices_none_twice_each_short_enough(language: str, key: str, code: str) -> None:
    """Issue 9777 of discord.py: autocomplete offered more than 25 choices and failed."""
    texts, choose = texts_for(language), random.Random(f"{key} {code}")
    for seed in map(str, range(6)):
        record = Record(key, code, seed)
        for _ in range(60):
            turn = a_turn(record)
            for offered in (
                choices.moves(texts, turn, ""),
                choices.discards(texts, turn, ""),
                *(choices.targets(texts, turn, pile.name, "") for pile in turn.table.piles),
            ):
                assert len(offered) <= 25
                assert len({choice.value for choice in offered}) == len(offered)
                assert len({choice.name for choice in offered}) == len(offered)
                assert all(1 <= len(c.name) <= 100 and 1 <= len(c.value) <= 100 for c in offered)
            if not turn.legal_moves:
                break
            record = record.play(choose.choice(turn.legal_moves))


def test_of_very_many_games_25_are_offered() -> None:
    listed = [StoredGame(i, 1, f"klondike/d1/{i}", "", 0, Status.PLAYING, 0, 1, 0, 0) for i in range(60)]
    offered = choices.games(EN, listed, "")
    assert [choice.value for choice in offered] == [str(i) for i in range(25)]


@pytest.mark.parametrize("typed", "1234567")
def test_what_begins_with_the_typed_text_comes_first(typed: str) -> None:
    names = [choice.name for choice in choices.moves(EN, a_turn(Record("klondike", "d1", "36")), typed)]
    begins = [name.startswith(typed) for name in names]
    assert begins == sorted(begins, reverse=True)
    assert all(typed in name for name in names)
