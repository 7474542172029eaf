"""Adding a game takes one file: this one is added to the others and played through the bot to its end.

No language file and no other module mentions it. The complete game in CONTRIBUTING.md is read from there and
played too.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any

import pytest
import pytest_asyncio

from bot.storage import Status
from bot.text import languages, texts_for
from engine import GAMES, Card, Game, Move, Outcome, Pile, PileKind, RulesSyntaxError, Table
from tests.discord_app.playing import PLACES, World, open_world, speak

pytestmark = pytest.mark.usefixtures("quiet")

EN = texts_for("en")
CONTRIBUTING = Path(__file__).resolve().parents[2] / "CONTRIBUTING.md"

# The whole game

COLUMNS = ("1", "2", "3", "4", "5", "6", "7")


@dataclass(frozen=True, slots=True)
class GolfRules:
    """With ``wrap`` aces and kings are neighbours."""

    wrap: bool = False


@dataclass(frozen=True, slots=True)
class GolfState:
    """Every pile is bottom first."""

    rules: GolfRules
    columns: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    waste: tuple[Card, ...]


class Golf(Game[GolfState, GolfRules]):
    """Golf: seven open columns of five; what is one rank above or below the waste's top may go onto it."""

    key = "golf"
    presets = MappingProxyType({"plain": GolfRules(), "wrap": GolfRules(wrap=True)})

    def deal(self, deck: Sequence[Card], rules: GolfRules) -> GolfState:
        columns = tuple(tuple(deck[i : i + 5]) for i in range(0, 35, 5))
        return GolfState(rules, columns, tuple(deck[36:])[::-1], (deck[35],))

    def legal_moves(self, state: GolfState) -> Iterator[Move]:
        top = state.waste[-1].rank
        for name, column in zip(COLUMNS, state.columns, strict=True):
            if column and abs(column[-1].rank - top) in ((1, 12) if state.rules.wrap else (1,)):
                yield Move(name, "w")
        if state.stock:
            yield Move("s", "w")

    def _apply(self, state: GolfState, move: Move) -> GolfState:
        if move.source == "s":
            return replace(state, stock=state.stock[:-1], waste=(*state.waste, state.stock[-1]))
        i = COLUMNS.index(move.source)
        column = state.columns[i]
        columns = (*state.columns[:i], column[:-1], *state.columns[i + 1 :])
        return replace(state, columns=columns, waste=(*state.waste, column[-1]))

    def table(self, state: GolfState) -> Table:
        piles = [Pile("s", PileKind.STOCK, (None,) * len(state.stock), column=0)]
        for i, (name, cards) in enumerate(zip(COLUMNS, state.columns, strict=True)):
            piles.append(Pile(name, PileKind.TABLEAU, cards, column=i + 1, spread=len(cards)))
        piles.append(Pile("w", PileKind.WASTE, state.waste, column=8))
        return Table(tuple(piles), self.score(state), 52)

    def outcome(self, state: GolfState) -> Outcome | None:
        if len(state.waste) == 52:
            return Outcome.WON
        return None if any(self.legal_moves(state)) else Outcome.OVER

    def score(self, state: GolfState) -> int:
        return len(state.waste)

    def rules_code(self, rules: GolfRules) -> str:
        return "wrap" if rules.wrap else "plain"

    def parse_rules(self, code: str) -> GolfRules:
        if code not in self.presets:
            raise RulesSyntaxError(code, self.key, "Golf rules are plain or wrap")
        return self.presets[code]


# The tests

WON = [
    "s-w",
    "1-w",
    "1-w",
    "3-w",
    "s-w",
    "2-w",
    "7-w",
    "7-w",
    "s-w",
    "s-w",
    "7-w",
    "s-w",
    "2-w",
    "2-w",
    "3-w",
    "5-w",
    "4-w",
    "s-w",
    "s-w",
    "4-w",
    "s-w",
    "6-w",
    "s-w",
    "6-w",
    "6-w",
    "7-w",
    "s-w",
    "s-w",
    "3-w",
    "1-w",
    "1-w",
    "2-w",
    "1-w",
    "4-w",
    "5-w",
    "6-w",
    "s-w",
    "3-w",
    "5-w",
    "5-w",
    "s-w",
    "2-w",
    "7-w",
    "s-w",
    "s-w",
    "3-w",
    "4-w",
    "4-w",
    "5-w",
    "6-w",
    "s-w",
]
"""How seed 2 is won by the plain rules, found by trying."""


def shown_in_contributing() -> Game[Any, Any]:
    """Return the complete game of CONTRIBUTING.md, as a module of its own would define it."""
    text = CONTRIBUTING.read_text("utf-8")
    blocks = [textwrap.dedent(block) for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL)]
    [source] = [block for block in blocks if "(Game[" in block]
    module = ModuleType("shown_in_contributing")
    sys.modules[module.__name__] = module  # dataclasses look their module up
    try:
        exec(compile(source, str(CONTRIBUTING), "exec"), module.__dict__)
    finally:
        del sys.modules[module.__name__]
    [made] = [
        value()
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Game) and value is not Game
    ]
    return made


@pytest_asyncio.fixture
async def world(
    tmp_path: Path, raised: list[BaseException], monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[World]:
    for game in (Golf(), shown_in_contributing()):
        monkeypatch.setitem(GAMES, game.key, game)
    async with AsyncExitStack() as stack:
        yield await open_world(stack, tmp_path, raised)


def test_no_language_names_the_third_game() -> None:
    assert [name for name, source in languages().items() if "golf" in source.casefold()] == []


async def test_the_third_game_is_in_the_menu_under_its_key(world: World) -> None:
    commands = world.env.backend.commands[None].values()
    [options] = [command["options"] for command in commands if command["name"] == "new"]
    [choices] = [option["choices"] for option in options if option["name"] == "game"]
    assert {"Golf": "golf", "Streets": "streets"}.items() <= {c["name"]: c["value"] for c in choices}.items()


@pytest.mark.parametrize("locale", ["en-US", "no"])
@pytest.mark.parametrize("place", PLACES)
async def test_the_third_game_is_dealt_played_drawn_undone_and_redone(
    world: World, monkeypatch: pytest.MonkeyPatch, place: str, locale: str
) -> None:
    speak(monkeypatch, locale)
    texts, ada, golf = texts_for(locale), world.seat(place=place), Golf()
    state = golf.start("2", "plain")
    dealt = await ada.new("golf", "plain", "2")
    assert await ada.table() == golf.table(state)
    assert texts("turn-footer", game="Golf", rules="plain", seed="`2`") in dealt.text
    pictures = [dealt]
    for text in WON[:3]:
        if text == "s-w":
            pictures.append(await ada.type("draw"))
        else:
            assert text in await ada.offered("move", "from")
            pictures.append(await ada.move(*text.split("-")))
        state = golf.apply(state, Move.parse(text))
        assert await ada.table() == golf.table(state)
    assert len({answer.png for answer in pictures}) == len({answer.alt for answer in pictures}) == 4
    assert all(answer.image.width == 1100 for answer in pictures)
    for _ in range(3):
        undone = await ada.type("undo")
    assert (await ada.table(), undone.revision) == (golf.table(golf.start("2", "plain")), 6)
    for _ in range(3):
        await ada.type("redo")
    assert await ada.moves() == WON[:3]


async def test_the_third_game_is_won_undone_and_won_again(world: World) -> None:
    ada = world.seat()
    await ada.new("golf", "plain", "2")
    for text in WON:
        answer = await (ada.type("draw") if text == "s-w" else ada.type("move", from_=text))
        assert not answer.ephemeral
    won = EN("turn-won", score=52, full=52, moves=len(WON))
    assert won in answer.text
    assert (await ada.game()).status is Status.WON
    await ada.type("undo")
    assert (await ada.game()).status is Status.PLAYING
    assert won in (await ada.type("redo")).text
    await world.restart()
    assert won in (await ada.type("table")).text


async def test_the_third_game_is_lost_when_nothing_can_move(world: World) -> None:
    ada = world.seat()
    await ada.new("golf", "plain", "1")
    for _ in range(16):
        answer = await ada.type("draw")
    while (await ada.game()).status is Status.PLAYING:
        [move, *_] = await ada.offered("move", "from")
        answer = await ada.type("move", from_=move)
    table = await ada.table()
    assert EN("turn-over", score=table.score, full=52, moves=0) in answer.text


async def test_an_illegal_move_in_the_third_game_is_refused_ephemerally(world: World) -> None:
    ada = world.seat()
    await ada.new("golf", "plain", "2")
    game = await ada.game()
    for from_, to in (("1", "2"), ("w", "1"), ("9", "w"), ("1", "f"), ("s", "1")):
        answer = await ada.move(from_, to)
        assert (answer.ephemeral, answer.pictures) == (True, [])
        assert answer.text
    assert await ada.game() == game
    for _ in range(16):
        await ada.type("draw")
    assert (await ada.type("draw")).ephemeral


async def test_every_other_command_knows_the_third_game(world: World) -> None:
    ada = world.seat()
    await ada.new("golf", "wrap", "7")
    assert list(await ada.offered("new", "rules", "", game="golf")) == ["plain", "wrap"]
    rules = await ada.type("rules", game="golf")
    assert rules.ephemeral
    assert all(f"`{code}`" in rules.text for code in ("plain", "wrap"))
    assert (await ada.type("discard")).ephemeral
    assert "Golf" in (await ada.type("games")).text
    hinted = await ada.type("hint")
    assert not hinted.ephemeral
    assert (await ada.type("replay")).pictures
    wrong = await ada.type("new", game="golf", rules="d1")
    assert "`plain`, `wrap`" in wrong.text
    game = await ada.game()
    await ada.new("streets", "any", "1")
    back = await ada.type("games", resume=str(game.id))
    assert await ada.game() == game
    assert not back.ephemeral
    assert "Golf" in (await ada.gives_up()).text


@pytest.mark.parametrize("code", ["any", "kings"])
async def test_the_game_in_contributing_is_dealt_played_undone_and_given_up(world: World, code: str) -> None:
    ada = world.seat()
    await ada.new("streets", code, "24")
    streets = GAMES["streets"]
    state = streets.start("24", code)
    played = []
    for _ in range(5):
        text = next(iter(await ada.offered("move", "from")))
        await ada.type("move", from_=text)
        state = streets.apply(state, Move.parse(text))
        played.append(text)
    assert await ada.moves() == played
    assert await ada.table() == streets.table(state)
    nothing_to_draw = await ada.type("draw")
    assert (nothing_to_draw.ephemeral, nothing_to_draw.text) == (True, EN("illegal-no-stock"))
    for _ in range(5):
        await ada.type("undo")
    assert await ada.table() == streets.table(streets.start("24", code))
    assert EN("turn-given-up", score=0, full=52, moves=0) in (await ada.gives_up()).text
