"""``/analyse``: which moves of an ended game cost something."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import pytest_asyncio

from bot.discord_app.layout import TEXT_MAX_CHARACTERS
from bot.discord_app.tables.controls import Action
from bot.render.image import draw_table
from bot.render.prose import captions
from bot.service import Position, Request, TurnAction
from bot.storage import Status
from bot.text import languages, texts_for
from bot.text.moves import move_text
from engine import Move, Record
from solve import Analysis, Drop, best_score, jobs
from solve.analysis import analyse
from tests.discord_app.endings import LOST, SCORE, analyses
from tests.discord_app.playing import GALLERY, World
from tests.discord_app.pressing import STATUS, Player, Shown, Wire, open_wire, won
from tests.thinking import Thinker, par
from tests.wire.payloads import walk as walk_payload

EN = texts_for("en")

quiet = pytest.mark.usefixtures("quiet")
in_every_language = pytest.mark.parametrize("language", languages())


def better_than(number: int) -> Move:
    """Return another legal move than the one that was played then."""
    at = Position.of(replace(LOST, moves=LOST.moves[:number]))
    return next(move for move in at.legal_moves if move != LOST.moves[number])


def choices() -> Iterator[int]:
    """Yield the numbers of the moves where there was a choice."""
    for number in range(len(LOST.moves)):
        if len(Position.of(replace(LOST, moves=LOST.moves[:number])).legal_moves) > 1:
            yield number


CHOICES = list(choices())
FIRST, SECOND = CHOICES[1], CHOICES[4]
DROPS = (Drop(FIRST, 46, 45, better_than(FIRST)), Drop(SECOND, 45, 40, better_than(SECOND)))
FOUND = Analysis(par(46, line="s-t s-t"), DROPS)


def really(record: str, _: float) -> Analysis:
    """The analysis without a clock."""
    return analyse(Record.parse(record), lambda game, _: best_score(game, budget_nodes=20_000), 1_000.0)


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    """Compile the solver, which takes longer in a new clone than Discord waits for an answer."""
    best_score(LOST, budget_nodes=10)


@pytest.fixture
def thinker(world: World) -> Thinker:
    world.thinker.knows(analyse=FOUND)
    return world.thinker


@quiet
@in_every_language
async def test_each_costly_move_is_named_with_a_better_one(
    ada: Player, thinker: Thinker, language: str
) -> None:
    texts = texts_for(language, "en-US")
    await ada.prefers(language=language)
    await ada.holds(LOST)
    shown = await analyses(ada)
    assert shown.ephemeral
    assert thinker.questions("analyse") == [str(LOST)]
    lines = shown.text.split("\n")
    assert lines[:2] == [
        texts("analysis-title"),
        texts("turn-best-proven", best=46, bound=46, score=SCORE),
    ]
    for line, drop in zip(lines[2:], FOUND.drops, strict=True):
        table = Position.of(replace(LOST, moves=LOST.moves[: drop.number])).table
        assert line == texts(
            "analysis-drop",
            number=drop.number + 1,
            move=move_text(texts, table, LOST.moves[drop.number]),
            better=move_text(texts, table, drop.better),
            before=drop.before,
            after=drop.after,
        )


@quiet
async def test_the_costliest_move_is_shown_with_the_better_one_marked(
    world: World, ada: Player, thinker: Thinker
) -> None:
    await ada.holds(LOST)
    game = await ada.game()
    shown = await analyses(ada)
    assert shown.filename == f"analysis-{game.id}-{SECOND}.png"
    at = Position.of(replace(LOST, moves=LOST.moves[:SECOND]))
    assert EN("analysis-alt", number=SECOND + 1) in shown.alt
    assert len(shown.alt) <= 1_024
    hinted = replace(
        await world.client.services.games.show(Request(ada.seat.user_id, 1)),
        action=TurnAction.HINTED,
        position=at,
        moves=(FOUND.drops[1].better,),
    )
    assert hinted.changed
    assert shown.png == draw_table(at.table, captions(EN, at.record, at.table), hinted.changed)
    assert await ada.game() == game


@quiet
async def test_every_claim_of_a_real_analysis_is_true(ada: Player, thinker: Thinker) -> None:
    analysis = really(str(LOST), 0)
    thinker.knows(analyse=analysis)
    await ada.holds(LOST)
    shown = await analyses(ada)
    assert analysis.drops
    for drop in analysis.drops:
        before = replace(LOST, moves=LOST.moves[: drop.number])
        assert best_score(before.play(drop.better), budget_nodes=200_000).score >= drop.before
        assert best_score(before.play(LOST.moves[drop.number]), budget_nodes=200_000).score <= drop.after
    assert f"Move {analysis.drops[0].number + 1}," in shown.text


@quiet
async def test_the_button_shows_the_best_line(ada: Player, thinker: Thinker) -> None:
    thinker.knows(best=FOUND.par)
    await ada.holds(LOST)
    await ada.world.client.follow_ups.wait()
    shown = await analyses(ada)
    assert shown.labels == [EN("control-best")]
    result = await ada.seat.actor.click(shown.message, custom_id=shown.of(Action.BEST))
    message = [*([result.response] if result.response else []), *result.followups][-1]
    best = Shown.of_message(ada.world, message)
    assert best.ephemeral
    assert best.filename.startswith("best-")
    assert shown.now().text == shown.text


@quiet
async def test_the_button_under_an_ended_table_does_the_same(ada: Player, thinker: Thinker) -> None:
    table = await ada.holds(LOST)
    await ada.press("More", on=table)
    pressed = await ada.press(EN("control-analyse"))
    assert pressed.ephemeral
    typed = await analyses(ada)
    assert (pressed.text, pressed.png) == (typed.text, typed.png)


@quiet
@in_every_language
async def test_the_move_that_lost_a_winnable_game_is_named(
    ada: Player, thinker: Thinker, language: str
) -> None:
    texts = texts_for(language, "en-US")
    await ada.prefers(language=language)
    drop = Drop(FIRST, 48, 44, better_than(FIRST))
    thinker.knows(analyse=Analysis(par(48), (drop,)))
    await ada.holds(LOST)
    last = (await analyses(ada)).text.split("\n")[-1]
    table = Position.of(replace(LOST, moves=LOST.moves[:FIRST])).table
    assert last == texts(
        "analysis-lost",
        number=FIRST + 1,
        move=move_text(texts, table, LOST.moves[FIRST]),
        better=move_text(texts, table, drop.better),
    )


@quiet
@in_every_language
async def test_an_analysis_without_costly_moves_says_so(ada: Player, thinker: Thinker, language: str) -> None:
    texts = texts_for(language, "en-US")
    await ada.prefers(language=language)
    thinker.knows(analyse=Analysis(par(SCORE, 48, line=""), ()))
    await ada.holds(LOST)
    shown = await analyses(ada)
    assert shown.text.split("\n") == [
        texts("analysis-title"),
        texts("turn-best-bound", bound=48),
        texts("analysis-nothing"),
    ]
    assert shown.pictures == []
    assert shown.labels == []


@quiet
@in_every_language
@pytest.mark.parametrize(("key", "code", "full"), [("acesup", "standard", 48), ("klondike", "d1", 52)])
async def test_the_analysis_of_a_won_game_says_that_no_move_cost_anything(
    ada: Player, thinker: Thinker, language: str, key: str, code: str, full: int
) -> None:
    texts = texts_for(language, "en-US")
    await ada.prefers(language=language)
    thinker.knows(analyse=Analysis(par(full), ()))
    await ada.holds(won(key, code))
    shown = await analyses(ada)
    assert shown.text.split("\n") == [texts("analysis-title"), texts("analysis-won")]
    assert shown.pictures == []
    assert shown.labels == []


@quiet
@in_every_language
async def test_the_costliest_of_many_moves_are_named_in_order(
    ada: Player, thinker: Thinker, language: str
) -> None:
    texts = texts_for(language, "en-US")
    await ada.prefers(language=language)
    numbers = CHOICES[:12]
    drops = tuple(Drop(n, 46, 46 - cost, better_than(n)) for cost, n in enumerate(numbers, start=1))
    thinker.knows(analyse=Analysis(par(46), drops))
    await ada.holds(LOST)
    shown = await analyses(ada)
    lines = shown.text.split("\n")
    assert lines[-1] == texts("analysis-more", count=4)
    for line, number in zip(lines[2:-1], numbers[4:], strict=True):
        assert f" {number + 1}," in line
    assert len(shown.text) <= TEXT_MAX_CHARACTERS
    assert shown.filename.endswith(f"-{numbers[-1]}.png")


@quiet
@pytest.mark.parametrize("as_text", [False, True])
async def test_without_pictures_an_analysis_comes_as_text(
    world: World, ada: Player, thinker: Thinker, as_text: bool
) -> None:
    await ada.prefers(as_text=as_text)
    if not as_text:
        world.allow_files(False)
    await ada.holds(LOST)
    shown = await analyses(ada)
    assert f"Move {FIRST + 1}," in shown.text
    assert shown.message.attachments == []
    assert not [part for part in shown.parts if part["type"] == GALLERY]


@quiet
@in_every_language
async def test_an_analysis_that_is_not_found_says_so(ada: Player, thinker: Thinker, language: str) -> None:
    texts = texts_for(language, "en-US")
    await ada.prefers(language=language)
    thinker.knows(analyse=None)
    await ada.holds(LOST)
    shown = await analyses(ada)
    assert shown.ephemeral
    assert shown.text == texts("analysis-unknown")


@quiet
async def test_a_refused_analysis_gives_the_reason(
    world: World, ada: Player, ola: Player, thinker: Thinker
) -> None:
    assert (await analyses(ada)).text == EN("fault-no-game")
    await ada.types("new", game="acesup", seed="1")
    assert (await analyses(ada)).text == EN("fault-not-finished")
    await ada.types("daily")
    assert (await analyses(ada)).text == EN("fault-analyse-later", contest="daily")
    await ada.seat.gives_up()
    assert (await analyses(ada)).text == EN("fault-analyse-later", contest="daily")
    seed = Record.parse((await ada.game()).record).seed
    await ada.types("new", game="klondike", seed=seed)
    await ada.seat.gives_up()
    assert (await analyses(ada)).text == EN("fault-analyse-later", contest="daily")
    assert ada.shown.ephemeral
    assert thinker.questions("analyse") == []


@quiet
async def test_a_game_of_a_challenge_is_analysed_when_all_have_ended_but_its_best_line_is_not_shown(
    world: World, ada: Player, ola: Player, thinker: Thinker
) -> None:
    code = LOST.code.split("/")
    deal = {"game": code[0], "rules": code[1], "seed": code[2]}
    made = await world.client.services.challenges.create(ada.seat.user_id, [ola.seat.user_id], **deal)
    for who in (ada, ola):
        turn = await world.client.services.challenges.play(
            Request(who.seat.user_id, who.seat.user_id), made.challenge.id
        )
        game = turn.game
        await who.world.client._store.save_if_revision(
            replace(game, record=str(LOST), status=STATUS[Position.of(LOST).outcome], score=SCORE)
        )
        if who is ada:
            assert (await analyses(ada)).text == EN("fault-analyse-later", contest="challenge")
    shown = await analyses(ada)
    assert f"Move {FIRST + 1}," in shown.text
    assert shown.labels == []
    assert (await ola.game()).status is Status.OVER


@quiet
async def test_a_past_daily_can_be_analysed(world: World, ada: Player, thinker: Thinker) -> None:
    thinker.knows(analyse=really)
    await ada.types("daily")
    await ada.types("draw")
    await ada.seat.gives_up()
    world.clock.now_ms += 24 * 60 * 60 * 1_000
    shown = await analyses(ada)
    assert EN("analysis-title") in shown.text
    assert EN("control-best") in shown.labels


# Over real sockets


@pytest_asyncio.fixture
async def wire(tmp_path: Path) -> AsyncIterator[Wire]:
    thinker = Thinker()
    thinker.knows(analyse=FOUND)
    async with open_wire(tmp_path, thinker) as opened:
        yield opened


@quiet
async def test_a_player_has_one_analysis_at_a_time_and_others_play_meanwhile(wire: Wire) -> None:
    thinker = wire.client.services.solvers
    assert isinstance(thinker, Thinker)
    thinker.hold()
    table = await wire.table(*LOST.code.split("/")[::2])
    game = await wire.client._store.load_game(1)
    assert game is not None
    await wire.client._store.save_if_revision(
        replace(game, record=str(LOST), status=Status.OVER, score=SCORE, request_id=1)
    )
    first = await wire.standin.interact("analyse", guild_id=wire.guild_id)
    await first.answer()
    await thinker.until_asked()
    second = await wire.standin.interact("analyse", guild_id=wire.guild_id)
    assert (await second.shown()).text == EN("fault-busy", work="analysis")
    assert (await (await wire.standin.interact("help", guild_id=wire.guild_id)).shown()).text
    thinker.let()
    shown = await first.shown()
    assert f"Move {FIRST + 1}," in shown.text
    assert shown.ephemeral
    assert shown.attachment().filename == f"analysis-1-{SECOND}.png"
    again = await wire.standin.interact("analyse", guild_id=wire.guild_id)
    assert (await again.shown()).text == shown.text
    assert table.id != shown.id
    buttons = [part for part in walk_payload(shown.payload["components"]) if part.get("custom_id")]
    assert len(buttons) == 1


@quiet
async def test_a_failed_analysis_frees_the_next_one(
    wire: Wire, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await wire.table(*LOST.code.split("/")[::2])
    game = await wire.client._store.load_game(1)
    assert game is not None
    await wire.client._store.save_if_revision(
        replace(game, record=str(LOST), status=Status.OVER, score=SCORE, request_id=1)
    )
    monkeypatch.setattr("bot.discord_app.features.analyse._picture", jobs.best)  # which fails
    shown = await (await wire.standin.interact("analyse", guild_id=wire.guild_id)).shown()
    assert shown.text.startswith("Something went wrong")
    caplog.clear()
    monkeypatch.undo()
    shown = await (await wire.standin.interact("analyse", guild_id=wire.guild_id)).shown()
    assert EN("analysis-title") in shown.text
