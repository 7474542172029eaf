"""Every command, as players type it: in a server's channel, in a thread and in a direct message."""

from __future__ import annotations

import itertools
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import discord
import pytest

from bot.render.prose import pass_text
from bot.service import Position
from bot.storage import NewGame, Status
from bot.text import texts_for
from bot.text.cards import card_text
from engine import GAMES, Outcome, Record
from tests.discord_app.examples import COMMANDS
from tests.discord_app.playing import PLACES, Seat, World

pytestmark = pytest.mark.usefixtures("quiet")

EN = texts_for("en")
PLAYTHROUGHS = Path(__file__).resolve().parents[1] / "engine" / "data" / "playthroughs.tsv"

everywhere = pytest.mark.parametrize("place", PLACES)


def recorded(outcome: str, key: str) -> Record:
    """Return a recorded game with that outcome."""
    for line in PLAYTHROUGHS.read_text("utf-8").splitlines()[1:]:
        how, _, text = line.split("\t")
        if how == outcome and text.startswith(f"{key}/") and " " in text:
            return Record.parse(text)
    raise LookupError(outcome, key)


_requests = itertools.count(1)


async def given(seat: Seat, record: Record) -> None:
    """Store a game as if the player had come this far."""
    position = Position.of(record)
    status = {None: Status.PLAYING, Outcome.WON: Status.WON, Outcome.OVER: Status.OVER}[position.outcome]
    await seat.world.client._store.create_game(
        NewGame(seat.user_id, str(record), status, position.table.score, next(_requests), now_ms=1)
    )


async def test_every_registered_command_has_an_example(world: World) -> None:
    registered = {
        command["name"]
        for command in world.env.backend.visible_commands(
            user_id=world.seat().user_id, channel_id=world.channel.id
        )
    }
    assert registered == set(COMMANDS)


@everywhere
@pytest.mark.parametrize("command", COMMANDS)
async def test_every_command_answers_everywhere(world: World, place: str, command: str) -> None:
    seat = world.seat(place=place)
    await seat.new("klondike", "d1", "36")
    before, options, alone = COMMANDS[command]
    for earlier, about in before:
        await seat.type(earlier, **about)
    if "friend" in options:
        options = {"friend": world.seat(options["friend"]).actor}
    answer = await seat.type(command, **options)
    assert answer.ephemeral is alone
    assert answer.text.strip()


@pytest.mark.parametrize(
    "command", ["move", "draw", "discard", "undo", "redo", "hint", "table", "giveup", "replay", "share"]
)
async def test_without_a_game_commands_say_how_to_start_one(world: World, command: str) -> None:
    ada, ola = world.seat("ada"), world.seat("ola")
    await ola.new("acesup", "standard", "1")
    answer = await ada.type(command, **COMMANDS[command][1])
    assert (answer.ephemeral, answer.text) == (True, EN("fault-no-game"))


# The answer


@everywhere
async def test_a_turn_is_answered_publicly_with_one_picture(world: World, place: str) -> None:
    ada = world.seat(place=place)
    dealt = await ada.new("klondike", "d1", "36")
    for answer in (dealt, await ada.move("6", "7"), await ada.type("draw"), await ada.type("table")):
        assert not answer.ephemeral
        assert answer.image.format == "PNG"
        assert answer.image.width == 1100
        assert answer.image.width >= 1.5 * answer.image.height
        assert len(answer.png) <= 60_000


async def test_the_picture_is_between_the_headline_and_the_seed(world: World) -> None:
    answer = await world.seat().new("klondike", "d3p1", "god jul")
    kinds = [part["type"] for part in answer.message.components]
    assert kinds[:3] == [10, 12, 10]
    assert "`god jul`" in answer.message.components[2]["content"]


async def test_a_pictures_name_has_the_game_and_the_revision(world: World) -> None:
    """Issue 39 of node-red-discord: an old picture was shown again, because it was cached by name."""
    ada = world.seat()
    first = await ada.new("klondike", "d1", "36")
    answers = [first, *[await ada.type(command) for command in ("draw", "draw", "undo", "redo", "undo")]]
    assert [answer.revision for answer in answers] == [0, 1, 2, 3, 4, 5]
    other = await ada.new("klondike", "d1", "36")
    assert len({answer.filename for answer in (*answers, other)}) == 7


async def test_a_table_shown_again_is_the_same_picture_with_its_bytes(world: World) -> None:
    """Issue 4022 of discord.py: the same file object sent twice arrived empty."""
    ada = world.seat()
    await ada.new("klondike", "d1", "36")
    drawn = await ada.type("draw")
    for _ in range(2):
        again = await ada.type("table")
        assert (again.filename, again.png) == (drawn.filename, drawn.png)


async def test_every_turn_has_its_own_alt_text_that_says_what_happened(world: World) -> None:
    """Issue 172 of White-Rabbit: no alt text."""
    ada = world.seat()
    alts = [(await ada.new("klondike", "d1", "36")).alt]
    moved = await ada.move("6", "7")
    alts += [moved.alt, *[(await ada.type(command)).alt for command in ("draw", "draw", "undo", "undo")]]
    assert len(set(alts)) == len(alts)
    assert all(0 < len(alt) <= 1024 for alt in alts)
    table = GAMES["klondike"].table(GAMES["klondike"].start("36", "d1"))
    card, onto = table.pile("6").top, table.pile("7").top
    assert card is not None
    assert onto is not None
    assert moved.alt.startswith(f"6 → 7: {card_text(card)} on {card_text(onto)}\n")


async def test_only_the_newest_table_of_a_game_has_controls(world: World) -> None:
    ada = world.seat()
    await ada.new("klondike", "d1", "36")
    for _ in range(3):
        await ada.type("draw")
    history = world.channel.history()
    live = [
        message for message in history if any(isinstance(c, discord.ActionRow) for c in message.components)
    ]
    assert [message.id for message in live] == [history[-1].id]


async def test_nothing_the_bot_sends_can_ping(world: World) -> None:
    ada = world.seat()
    await ada.new("klondike", "d1", "@everyone")
    for command, options in (("draw", {}), ("games", {}), ("help", {}), ("move", {"from_": "@here <@1>"})):
        await ada.type(command, **options)
    sent = [r.json for r in world.env.http_requests if r.method == "POST" and r.path.endswith("/callback")]
    assert len(sent) == 5
    assert [body["data"]["allowed_mentions"] for body in sent if body] == [{"parse": []}] * 5


# Dealing


@pytest.mark.parametrize(
    ("key", "code"), [(key, code) for key, game in GAMES.items() for code in game.presets]
)
async def test_every_preset_is_dealt_as_the_engine_deals_it(world: World, key: str, code: str) -> None:
    ada = world.seat()
    await ada.new(key, code, "24")
    assert await ada.table() == GAMES[key].table(GAMES[key].start("24", code))


async def test_two_players_with_the_same_seed_get_the_same_cards(world: World) -> None:
    ada, ola = world.seat("ada"), world.seat("ola", "direct")
    mine, theirs = await ada.new("klondike", "d3", "mormor"), await ola.new("klondike", "d3", "mormor")
    assert await ada.table() == await ola.table()
    assert mine.png == theirs.png


async def test_two_players_never_touch_each_others_game(world: World) -> None:
    """Issue 9 of TJ-Plays: the owner was kept in one global field, so a second game broke the first."""
    ada, ola = world.seat("ada"), world.seat("ola")
    await ada.new("klondike", "d1", "36")
    await ola.new("acesup", "standard", "1")
    await ada.move("6", "7")
    await ola.type("discard")
    await ada.type("draw")
    await ola.type("draw")
    await ola.type("undo")
    assert (await ada.moves(), await ola.moves()) == (["6-7", "s-w"], ["2-d"])


async def test_a_player_has_the_same_game_everywhere(world: World) -> None:
    await world.seat(place="server").new("klondike", "d1", "36")
    for place in ("direct", "thread", "server"):
        await world.seat(place=place).type("draw")
    assert await world.seat().moves() == ["s-w"] * 3


async def test_another_game_sets_the_old_one_aside_and_says_so(world: World) -> None:
    ada = world.seat()
    await ada.new("acesup", "standard", "1")
    await ada.type("discard")
    answer = await ada.new("klondike", "d1", "36")
    assert EN("turn-set-aside", game="Aces Up", score=1) in answer.text


@pytest.mark.parametrize(
    ("options", "key", "facts"),
    [
        ({"seed": "   "}, "fault-seed", {}),
        ({"seed": "x" * 65}, "fault-seed", {}),
        (
            {"game": "klondike", "rules": "d2"},
            "fault-rules-syntax",
            {"game": "Klondike", "text": "d2", "rules": "`d1`, `d3`, `d1p3`, `d1p1`, `d3p1`"},
        ),
    ],
)
async def test_a_deal_that_is_impossible_is_refused_ephemerally(
    world: World, options: dict[str, str], key: str, facts: dict[str, str]
) -> None:
    ada = world.seat()
    await ada.new("acesup", "standard", "1")
    game = await ada.game()
    answer = await ada.type("new", **options)
    assert (answer.ephemeral, answer.text) == (True, EN(key, **facts))
    assert await ada.game() == game


async def test_any_rules_may_be_typed(world: World) -> None:
    ada = world.seat()
    await ada.new("klondike", " D3P2R ", "1")
    assert (await ada.game()).record == "klondike/d3p2r/1"


# Moving


@pytest.mark.parametrize(
    ("game", "before", "typed", "move"),
    [
        ("klondike/d1/36", "", {"from_": "6", "to": "7"}, "6-7"),
        ("klondike/d1/36", "", {"from_": " 6 ", "to": " 7 "}, "6-7"),
        ("klondike/d1/36", "", {"from_": "6 7"}, "6-7"),
        ("klondike/d1/36", "", {"from_": "67"}, "6-7"),
        ("klondike/d1/36", "", {"from_": "6-7"}, "6-7"),
        ("klondike/d1/36", "", {"from_": "6 → 7"}, "6-7"),
        ("klondike/d1/36", "", {"from_": "6", "to": "7", "count": 1}, "6-7"),
        ("klondike/d1/36", "", {"from_": "6-7", "to": "7"}, "6-7"),
        ("klondike/d1/1", "", {"from_": "6", "to": "f"}, "6-fh"),
        ("klondike/d1/1", "", {"from_": "6", "to": "F"}, "6-fh"),
        ("klondike/d1/1", "", {"from_": "6", "to": "fh"}, "6-fh"),
        ("klondike/d1/1", "", {"from_": "6 FH"}, "6-fh"),
        ("klondike/d1/1", "", {"from_": "s", "to": "w"}, "s-w"),
        ("acesup/cell/1", "", {"from_": "1", "to": "c"}, "1-c"),
        ("acesup/cell/1", "", {"from_": "1", "to": "C"}, "1-c"),
        ("acesup/cell/1", "1-c", {"from_": " C ", "to": "1"}, "c-1"),
        ("acesup/standard/1", "", {"from_": "2", "to": "d"}, "2-d"),
        ("acesup/standard/1", "2-d", {"from_": "1", "to": "2"}, "1-2"),
    ],
)
async def test_a_move_can_be_typed_without_autocomplete(
    world: World, game: str, before: str, typed: dict[str, Any], move: str
) -> None:
    ada = world.seat()
    await given(ada, Record.parse(f"{game} {before}"))
    answer = await ada.type("move", **typed)
    assert not answer.ephemeral
    assert (await ada.moves())[-1] == move


async def test_the_waste_is_w_in_either_case(world: World) -> None:
    ada, seed, draws, target = world.seat(), *waste_play()
    for waste in ("w", "W", " w "):
        await ada.new("klondike", "d1", seed)
        for _ in range(draws):
            await ada.type("draw")
        await ada.move(waste, target)
        assert (await ada.moves())[-1].startswith("w-")


def waste_play() -> tuple[str, int, str]:
    """Return a seed, how often to draw, and the column that the card of the waste then goes to."""
    game = GAMES["klondike"]
    for seed in map(str, range(1, 50)):
        state = game.start(seed, "d1")
        for draws in range(1, 4):
            state = game.apply(state, game.stock_move(state))  # type: ignore[arg-type]
            columns = [m.target for m in game.legal_moves(state) if m.source == "w" and m.target in "1234567"]
            if columns:
                return seed, draws, columns[0]
    raise LookupError


async def test_a_run_moves_as_a_whole_with_or_without_a_count(world: World) -> None:
    ada = world.seat()
    record, move = run_of_two()
    for typed in ({"from_": move.source, "to": move.target}, {"from_": str(move)}):
        await given(ada, record)
        await ada.type("move", **typed)
        assert (await ada.moves())[-1] == str(move)
    await given(ada, record)
    await ada.type("move", from_=move.source, to=move.target, count=2)
    assert (await ada.moves())[-1] == str(move)
    answer = await ada.type("move", from_="1", to="2", count=13)
    assert answer.ephemeral


def run_of_two() -> tuple[Record, Any]:
    game = GAMES["klondike"]
    for seed in map(str, range(1, 200)):
        record = Record("klondike", "d1", seed)
        for move in game.legal_moves(game.start(seed, "d1")):
            after = Position.of(record.play(move))
            runs = [m for m in after.legal_moves if m.count == 2]
            if runs:
                return record.play(move), runs[0]
    raise LookupError


async def test_a_card_returns_from_a_named_foundation(world: World) -> None:
    ada = world.seat()
    record, move = way_back()
    await given(ada, record)
    await ada.move(move.source, move.target)
    assert (await ada.moves())[-1] == str(move)


async def test_a_card_returns_from_a_foundation_as_autocomplete_offers_it(world: World) -> None:
    ada = world.seat()
    record, move = way_back()
    await given(ada, record)
    assert str(move) in await ada.offered("move", "from")
    await ada.type("move", from_=str(move))
    assert (await ada.moves())[-1] == str(move)


def way_back() -> tuple[Record, Any]:
    """Return a game by rules that let cards return, in which one can."""
    won = recorded("won", "klondike")
    for length in range(len(won.moves)):
        record = Record(won.game, f"{won.rules}r", won.seed, won.moves[:length])
        back = [move for move in Position.of(record).legal_moves if move.source.startswith("f")]
        if back:
            return record, back[0]
    raise LookupError


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"from_": "1", "to": "2"}, "needs a black"),
        ({"from_": "1", "to": "9"}, "9"),
        ({"from_": "hello"}, "/move"),
        ({"from_": "hello", "to": "5"}, "hello"),
        ({"from_": "3"}, "/move"),
        ({"from_": "3", "to": "@everyone"}, "@everyone"),
        ({"from_": "💥" * 50, "to": "`" * 50}, "💥"),
        ({"from_": "1", "to": "1"}, "1"),
        ({"from_": "1", "to": "f"}, "♥"),
        ({"from_": "7", "to": "1", "count": 5}, "5"),
    ],
)
async def test_an_illegal_move_is_refused_ephemerally_and_changes_nothing(
    world: World, options: dict[str, Any], told: str
) -> None:
    ada, ola = world.seat("ada"), world.seat("ola")
    await ola.new("klondike", "d1", "1")
    await ada.new("klondike", "d1", "1")
    game, seen = await ada.game(), len(world.channel.history(viewer=ola.actor))
    answer = await ada.type("move", **options)
    assert answer.ephemeral
    assert told in answer.text
    assert not answer.pictures
    assert await ada.game() == game
    assert len(world.channel.history(viewer=ola.actor)) == seen


async def test_the_reason_of_a_refused_move_names_the_cards(world: World) -> None:
    ada = world.seat()
    await ada.new("klondike", "d1", "1")
    answer = await ada.move("1", "2")
    facts = {"card": "Q♥", "colour": "black", "rank": "K", "pile": "2", "end": "10♤"}
    assert answer.text == EN("illegal-wrong-column", **facts)


# Drawing and discarding


async def test_a_draw_names_its_cards(world: World) -> None:
    ada = world.seat()
    await ada.new("klondike", "d3", "36")
    answer = await ada.type("draw")
    cards = (await ada.table()).pile("w").cards
    assert len(cards) == 3
    assert all(card and card_text(card) in answer.text for card in cards)


async def test_the_last_single_card_of_the_stock_is_drawn_alone(world: World) -> None:
    """Issue 3422 of reactos: draw-three with a single card left made cards invisible."""
    ada = world.seat()
    await given(ada, single_card_left())
    before = await ada.table()
    answer = await ada.type("draw")
    after = await ada.table()
    assert (len(before.pile("s").cards), len(after.pile("s").cards)) == (1, 0)
    assert after.pile("w").cards[:-1] == before.pile("w").cards
    top = after.pile("w").top
    assert top is not None
    assert card_text(top) in answer.text
    assert card_text(top) in answer.alt


def single_card_left() -> Record:
    """Return a game that draws three, with one card in its stock."""
    game = GAMES["klondike"]
    for seed in map(str, range(1, 200)):
        record, choose = Record("klondike", "d3", seed), random.Random(seed)
        state = game.start(seed, "d3")
        for _ in range(150):
            if len(state.stock) == 1:
                return record
            legal = list(game.legal_moves(state))
            if not legal:
                break
            from_waste = [move for move in legal if move.source == "w" and move.target != "s"]
            move = choose.choice(from_waste or legal)
            state, record = game.apply(state, move), record.play(move)
    raise LookupError


async def test_the_passes_left_are_shown(world: World) -> None:
    """Issue 48 of tty-solitaire: players could not tell."""
    ada = world.seat()
    await ada.new("klondike", "d3p3", "36")
    for _ in range(9):
        answer = await ada.type("draw")
    words = pass_text(EN, await ada.table())
    assert {"2", "3"} <= set(words.split())
    assert words in answer.alt


async def test_after_the_last_pass_a_draw_is_refused_with_a_reason(world: World) -> None:
    ada = world.seat()
    await ada.new("klondike", "d3p1", "36")
    for _ in range(8):
        await ada.type("draw")
    answer = await ada.type("draw")
    assert (answer.ephemeral, answer.text) == (True, EN("illegal-no-pass-left", passes=1))


async def test_the_only_discard_needs_no_pile(world: World) -> None:
    ada = world.seat()
    await ada.new("acesup", "standard", "1")
    answer = await ada.type("discard")
    assert not answer.ephemeral
    assert await ada.moves() == ["2-d"]


async def test_several_discards_are_listed_to_choose_from(world: World) -> None:
    ada = world.seat()
    await ada.new("acesup", "standard", "21")
    answer = await ada.type("discard")
    assert answer.ephemeral
    assert [f"`/discard {pile}`" in answer.text for pile in "1234"] == [False, True, True, True]
    assert await ada.moves() == []
    await ada.type("discard", pile=" 3 ")
    assert await ada.moves() == ["3-d"]


async def test_discard_says_when_there_is_nothing_to_discard(world: World) -> None:
    ada = world.seat()
    await ada.new("acesup", "standard", "8")
    answer = await ada.type("discard")
    assert (answer.ephemeral, answer.text) == (True, EN("fault-nothing-to-discard"))


async def test_an_unbeaten_card_is_not_discarded(world: World) -> None:
    """Bug 309784 of KDE: any card was taken as a discard. Simple-Solitaire 30: an ace was discarded."""
    ada = world.seat()
    await ada.new("acesup", "standard", "5")
    answer = await ada.type("discard", pile="1")
    assert (answer.ephemeral, answer.text) == (True, EN("illegal-ace-stays", card="A♥", suit="hearts"))
    assert await ada.moves() == []


@pytest.mark.parametrize("piles", ["1+4", "1 4", " 1 + 4 "])
async def test_a_pair_is_discarded(world: World, piles: str) -> None:
    ada = world.seat()
    await ada.new("acesup", "pairs", "1")
    answer = await ada.type("discard", pile=piles)
    assert not answer.ephemeral
    assert "J♦ J♧" in answer.text
    assert await ada.moves() == ["1+4-d"]


# Undo, redo, endings


async def test_undo_and_redo_reach_the_deal_and_the_last_move(world: World) -> None:
    ada = world.seat()
    dealt = await ada.new("klondike", "d1", "36")
    pictures = [dealt.png, (await ada.move("6", "7")).png, (await ada.type("draw")).png]
    for _ in range(2):
        undone = await ada.type("undo")
    assert await ada.moves() == []
    assert undone.text.split("\n")[0] != dealt.text.split("\n")[0]
    nothing = await ada.type("undo")
    assert (nothing.ephemeral, nothing.text) == (True, EN("fault-nothing-to-undo"))
    assert [(await ada.type("redo")).png for _ in range(2)] == pictures[1:]
    nothing = await ada.type("redo")
    assert (nothing.ephemeral, nothing.text) == (True, EN("fault-nothing-to-redo"))


@pytest.mark.parametrize("key", GAMES)
async def test_a_win_is_announced_undone_and_announced_again(world: World, key: str) -> None:
    """Issue 274 of saito-lite: "You lose" after the winning move."""
    ada, won = world.seat(), recorded("won", key)
    await given(ada, replace(won, moves=won.moves[:-1]))
    answer = await ada.type("move", from_=str(won.moves[-1]))
    full = (await ada.table()).full_score
    told = EN("turn-won", score=full, full=full, moves=len(won.moves))
    assert told in answer.text
    assert told not in (await ada.type("undo")).text
    assert (await ada.game()).status is Status.PLAYING
    assert told in (await ada.type("redo")).text
    over = await ada.type("draw")
    assert (over.ephemeral, over.text) == (True, EN("illegal-game-over"))


@pytest.mark.parametrize("key", GAMES)
async def test_a_lost_game_is_announced_and_can_be_undone(world: World, key: str) -> None:
    ada, lost = world.seat(), recorded("over", key)
    await given(ada, replace(lost, moves=lost.moves[:-1]))
    answer = await ada.type("move", from_=str(lost.moves[-1]))
    table = await ada.table()
    ending = "turn-over-acesup" if key == "acesup" else "turn-over"
    assert EN(ending, score=table.score, full=table.full_score, moves=0) in answer.text
    await ada.type("undo")
    assert (await ada.game()).status is Status.PLAYING


async def test_a_game_given_up_stays_over(world: World) -> None:
    ada = world.seat()
    await ada.new("klondike", "d1", "36")
    await ada.type("draw")
    asked = await ada.type("giveup")
    assert EN("give-up-question") in asked.text
    assert (await ada.game()).status is Status.PLAYING
    answer = await ada.gives_up()
    assert EN("turn-given-up", score=0, full=52, moves=1) in answer.text
    for command in ("draw", "undo", "redo", "giveup", "hint"):
        refused = await ada.type(command)
        assert (refused.ephemeral, refused.text) == (True, EN("fault-finished"))
    assert not (await ada.type("table")).ephemeral


# Lists


async def test_games_are_listed_ephemerally_and_resumed(world: World) -> None:
    ada, ola = world.seat("ada"), world.seat("ola")
    await ada.new("acesup", "standard", "1")
    first = await ada.game()
    await ada.new("klondike", "d1", "36")
    await ola.new("klondike", "d3", "77")
    listed = await ada.type("games")
    assert listed.ephemeral
    assert [seed in listed.text for seed in ("`36`", "`1`", "`77`")] == [True, True, False]
    choices = await ada.offered("games", "resume")
    assert list(choices) == [str((await ada.game()).id), str(first.id)]
    back = await ada.type("games", resume=str(first.id))
    assert EN("turn-resumed") in back.text
    assert await ada.game() == first


async def test_games_says_when_there_are_none(world: World) -> None:
    answer = await world.seat().type("games")
    assert (answer.ephemeral, answer.text) == (True, EN("games-none"))


@pytest.mark.parametrize("resume", ["77", "klondike", "-1", "²", "9" * 18, "9" * 30, "1 OR 1=1"])
async def test_what_is_not_a_game_cannot_be_resumed(world: World, resume: str) -> None:
    ada = world.seat()
    await ada.new("klondike", "d1", "36")
    game = await ada.game()
    answer = await ada.type("games", resume=resume)
    assert (answer.ephemeral, answer.text) == (True, EN("fault-no-such-game"))
    assert await ada.game() == game


async def test_somebody_elses_game_cannot_be_resumed(world: World) -> None:
    """Issue 215 of nextcord: a stranger played."""
    ada, ola = world.seat("ada"), world.seat("ola")
    await ola.new("klondike", "d1", "36")
    theirs = await ola.game()
    await ada.new("acesup", "standard", "1")
    answer = await ada.type("games", resume=str(theirs.id))
    assert answer.ephemeral
    assert answer.text == EN("fault-no-such-game")  # not even whose it is
    assert (await ada.game()).record == "acesup/standard/1"
    assert await ola.game() == theirs


async def test_25_games_with_long_seeds_can_be_listed(world: World) -> None:
    ada = world.seat()
    for number in range(25):
        await given(ada, Record("klondike", "d1p3r", f"{'x' * 60}{number}"))
    answer = await ada.type("games")
    assert answer.text.count("`x") == 25


@pytest.mark.parametrize("game", [None, *GAMES])
async def test_rules_are_shown_ephemerally(world: World, game: str | None) -> None:
    answer = await world.seat().type("rules", **({"game": game} if game else {}))
    assert answer.ephemeral
    assert answer.text


async def test_help_fits_into_a_message_and_says_how_to_start(world: World) -> None:
    answer = await world.seat().type("help")
    assert answer.ephemeral
    assert re.search(r"`/new`", answer.text)
