"""What may be told of a game, and games that come from codes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.service import (
    BadMoveInCode,
    DailyFirst,
    GameService,
    Request,
    ServiceError,
    Services,
    ShareLater,
    TooManyMovesInCode,
    TurnAction,
)
from bot.service.challenges.sharing import DEALS, discards_by_deal
from bot.service.games.codes import play_words, read_code
from bot.storage import SqliteStore, Status
from engine import (
    GAMES,
    IllegalMove,
    MoveSyntaxError,
    Outcome,
    Record,
    RecordSyntaxError,
    RulesSyntaxError,
    SeedError,
    SolitaireError,
    UnknownGame,
    find_game,
    replay,
)
from engine.record import RECORD_MAX_CHARACTERS
from tests.service.conftest import PLAYTHROUGHS, Clock, Player, finished

ACESUP = [
    Record.parse(line.split("\t")[2])
    for line in PLAYTHROUGHS.read_text("utf-8").splitlines()[1:]
    if line.split("\t")[2].startswith("acesup/")
]


# The twelve deals


@pytest.mark.parametrize("record", ACESUP, ids=lambda record: record.code)
def test_each_deal_has_what_was_discarded_until_the_next(record: Record) -> None:
    """Counted anew from the text of the record: in it every discard is a `-d`, a pair two cards."""
    parts = str(Record("x", "x", "x", record.moves)).split(" s-t")
    counts = [part.count("-d") + part.count("+") for part in parts]
    expected = [counts[0] + sum(counts[1:2]), *counts[2:]]
    told = discards_by_deal(record)
    assert len(told) == DEALS
    assert [count for count in told if count is not None] == expected
    assert sum(count or 0 for count in told) == find_game("acesup").score(replay(record))


@pytest.mark.parametrize(
    ("record", "told"),
    [
        ("acesup/standard/1", [0]),
        ("acesup/standard/1 2-d", [1]),
        ("acesup/standard/1 2-d s-t", [1]),
        ("acesup/standard/1 s-t s-t", [0, 0]),
        ("acesup/standard/1 2-d s-t 4-d s-t", [2, 0]),
    ],
)
def test_a_deal_that_was_not_reached_has_no_number(record: str, told: list[int]) -> None:
    assert discards_by_deal(Record.parse(record)) == (*told, *[None] * (DEALS - len(told)))


# What may be told, and when


async def test_any_game_may_be_told_of_at_any_time_but_only_its_end_has_a_result(
    services: Services, ada: Player
) -> None:
    playing = await services.sharing.share(await ada.new("klondike", "d1", "36"))
    assert (playing.deals, playing.is_result) == ((), False)
    ended = await services.sharing.share(await ada.give_up())
    assert (ended.deals, ended.is_result) == ((), True)


async def test_the_daily_game_is_told_of_when_it_is_finished(services: Services, ada: Player) -> None:
    turn = await services.games.play_daily(ada.request())
    with pytest.raises(ShareLater) as raised:
        await services.sharing.share(turn)
    assert raised.value.facts["contest"] == "daily"
    await ada.draw()
    share = await services.sharing.share(await ada.give_up())
    assert (len(share.deals), share.is_result) == (DEALS, True)


async def test_a_daily_game_whose_day_is_over_is_told_of_unfinished(
    services: Services, ada: Player, clock: Clock
) -> None:
    await services.games.play_daily(ada.request())
    await ada.draw()
    clock.now_ms += 86_400_000
    share = await services.sharing.share(await ada.show())
    assert share.turn.game.status is Status.EXPIRED
    assert share.deals[0] == 0
    assert set(share.deals[1:]) == {None}


async def test_a_challenge_is_told_of_when_everybody_has_finished(
    services: Services, ada: Player, ola: Player
) -> None:
    view = await services.challenges.create(1, [2], seed="36")
    turn = await services.challenges.play(ada.request(), view.challenge.id)
    with pytest.raises(ShareLater) as raised:
        await services.sharing.share(turn)
    assert raised.value.facts["contest"] == "challenge"
    own = await ada.give_up()
    with pytest.raises(ShareLater):
        await services.sharing.share(own)
    await services.challenges.play(ola.request(), view.challenge.id)
    await ola.give_up()
    assert (await services.sharing.share(own)).is_result


async def test_a_copy_has_no_result_of_the_players_own(services: Services, ada: Player) -> None:
    turn = await ada.play.new_by_code(ada.request(), str(finished("won", "acesup")))
    assert turn.game.status is Status.WON
    assert not (await services.sharing.share(turn)).is_result


# Codes

CODE = "acesup/standard/mormor"
FORMS = {
    "as it is": CODE,
    "blanks": f"  {CODE}\n",
    "inline code": f"`{CODE}`",
    "a code block": f"```\n{CODE}\n```",
    "capitals": "AcesUp/STANDARD/mormor",
    "a shared line": f"Aces Up · {CODE}",
    "a shared result": f"Aces Up · 31/48 · {CODE}",
    "a sentence": f"try this: `{CODE}` it is hard",
    "a quotation": f"> Idiotkabalen · 31/48 · {CODE}",
}


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS)
async def test_a_code_deals_the_game_however_it_is_pasted(ada: Player, text: str) -> None:
    turn = await ada.play.new_by_code(ada.request(), text)
    assert turn.action is TurnAction.DEALT
    assert turn.game.record == CODE
    assert not turn.game.is_copy


@pytest.mark.parametrize(
    "seed", ["a/b c", "100%", "%41", "`@everyone` **b**", "line\nbreak", "🂡" * 64, "blåbær"]
)
@pytest.mark.parametrize("key", GAMES)
async def test_every_code_that_the_bot_writes_is_read(ada: Player, key: str, seed: str) -> None:
    dealt = await ada.new(key, None, seed)
    again = await ada.play.new_by_code(ada.request(), dealt.position.record.code)
    assert again.game.record == dealt.game.record
    assert again.table == dealt.table


@pytest.mark.parametrize("outcome", ["won", "over"])
@pytest.mark.parametrize("key", GAMES)
async def test_a_whole_record_is_the_game_as_it_stands_at_its_end(
    ada: Player, store: SqliteStore, key: str, outcome: str
) -> None:
    record = finished(outcome, key)
    turn = await ada.play.new_by_code(ada.request(), f"`{record}`")
    assert turn.table == find_game(key).table(replay(record))
    assert turn.game.status == outcome
    assert turn.game.is_copy
    assert turn.game.won_record == ""
    undone = await ada.undo()
    assert undone.position.record.moves == record.moves[:-1]
    assert undone.game.is_copy
    [played] = await store.played(1)
    assert played.is_copy


async def test_the_record_of_ones_own_game_can_be_gone_on_with(ada: Player) -> None:
    await ada.new("klondike", "d1", "36")
    await ada.move("6 7")
    text = (await ada.draw()).game.record
    copy = await ada.play.new_by_code(ada.request(), text.replace(" ", "  \n"))
    assert copy.game.record == text
    assert copy.set_aside is not None
    assert (await ada.draw()).game.record == f"{text} s-w"


async def test_a_code_delivered_twice_is_dealt_once(ada: Player, store: SqliteStore, clock: Clock) -> None:
    request = ada.request()
    one, other = await asyncio.gather(*[ada.play.new_by_code(request, CODE) for _ in range(2)])
    after_restart = await GameService(store, clock).new_by_code(request, CODE)
    assert one.game.id == other.game.id == after_restart.game.id


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", RecordSyntaxError),
        ("hello", RecordSyntaxError),
        ("acesup/standard", RecordSyntaxError),
        ("acesup/standard/a/b", RecordSyntaxError),
        ("https://example.org/a/b", RecordSyntaxError),
        ("Aces Up · daily 24 December 2026 · 31/48 🟨🟩", RecordSyntaxError),
        ("x" * (RECORD_MAX_CHARACTERS + 1), RecordSyntaxError),
        ("patience/standard/1", UnknownGame),
        ("`patience/standard/1`", UnknownGame),
        ("patience/standard/1 s-w", UnknownGame),
        ("acesup/d1/1", RulesSyntaxError),
        ("acesup//1", RulesSyntaxError),
        ("acesup/standard/", SeedError),
        ("acesup/standard/%FF", SeedError),
        (f"acesup/standard/{'x' * 65}", SeedError),
        ("acesup/standard/1 hello", BadMoveInCode),
        ("acesup/standard/1 1-d", BadMoveInCode),
    ],
)
async def test_what_is_wrong_with_a_bad_code_is_told_and_nothing_is_dealt(
    ada: Player, store: SqliteStore, text: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        await ada.play.new_by_code(ada.request(), text)
    assert await store.current_game(1) is None


@pytest.mark.parametrize(
    ("moves", "number", "text", "cause"),
    [
        ("s-t 2-d 9-d", 2, "2-d", IllegalMove),
        ("2-d 9-d", 2, "9-d", IllegalMove),
        ("2-d s-t 2-dx1", 3, "2-dx1", MoveSyntaxError),
        ("2d", 1, "2d", MoveSyntaxError),
    ],
)
async def test_the_first_move_that_is_not_possible_is_named(
    ada: Player, moves: str, number: int, text: str, cause: type[Exception]
) -> None:
    with pytest.raises(BadMoveInCode) as raised:
        await ada.play.new_by_code(ada.request(), f"acesup/standard/1 {moves}")
    assert (raised.value.facts["number"], raised.value.facts["move"]) == (number, text)
    assert isinstance(raised.value.facts["why"], cause)


def test_a_game_that_is_too_long_is_refused_before_it_is_played() -> None:
    deal, words = read_code("klondike/d1/36" + 11 * " s-w")
    assert len(play_words(deal, words, 11).record.moves) == 11
    with pytest.raises(TooManyMovesInCode) as raised:
        play_words(deal, ["nonsense"] * 11, 10)
    assert raised.value.facts["limit"] == 10


async def test_todays_deal_is_not_shown_by_its_code_nor_by_what_is_said_of_a_bad_move(
    services: Services, ada: Player
) -> None:
    code = (await services.daily.record(services.daily.today)).code
    for text in (code, f"{code} s-t", f"{code} 1-d", f"{code} nonsense", code.replace("standard", "pairs")):
        with pytest.raises(DailyFirst):
            await ada.play.new_by_code(ada.request(), text)
    await services.games.play_daily(ada.request())
    await ada.give_up()
    assert (await ada.play.new_by_code(ada.request(), code)).game.record == code


# Anything

words = st.sampled_from(
    [
        "acesup/standard/1",
        "klondike/d3p2r/a%20b",
        "klondike/d1/36",
        "`",
        "s-t",
        "s-w",
        "2-d",
        "6-7",
        "/",
        "%",
        "3-5x2",
    ]
)


@given(st.one_of(st.text(max_size=200), st.lists(st.one_of(words, st.text(max_size=9))).map(" ".join)))
@settings(max_examples=400, deadline=None)
def test_any_text_is_a_game_or_one_of_the_known_faults(text: str) -> None:
    try:
        deal, rest = read_code(text)
        position = play_words(deal, rest, 50)
    except (SolitaireError, ServiceError):
        return
    assert Record.parse(str(position.record)) == position.record


@given(st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_every_game_that_can_be_played_is_read_back(data: st.DataObject) -> None:
    key = data.draw(st.sampled_from(sorted(GAMES)))
    game = GAMES[key]
    rules = data.draw(st.sampled_from(sorted(game.presets)))
    record = Record(key, rules, data.draw(st.sampled_from(["1", "god jul", "`/`"])))
    state = replay(record)
    for _ in range(data.draw(st.integers(0, 25))):
        legal = list(game.legal_moves(state))
        if not legal:
            break
        move = data.draw(st.sampled_from(legal))
        record, state = record.play(move), game.apply(state, move)
    deal, rest = read_code(f"  `{record}`\n")
    assert play_words(deal, rest, 25).record == record


@given(st.text(max_size=80))
@settings(max_examples=60, deadline=None)
def test_the_service_deals_or_refuses_any_text(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    async def attempt() -> None:
        store = SqliteStore(":memory:")
        await store.open()
        try:
            play = Services.over(store, lambda: 1).games
            try:
                turn = await play.new_by_code(Request(1, 1), text)
            except (SolitaireError, ServiceError):
                assert await store.current_game(1) is None
            else:
                assert await store.current_game(1) == turn.game
        finally:
            await store.close()

    asyncio.run(attempt())


def test_the_recorded_games_are_there() -> None:
    assert len(ACESUP) >= 4
    assert {find_game("acesup").outcome(replay(record)) for record in ACESUP} >= {Outcome.WON, Outcome.OVER}
    assert isinstance(PLAYTHROUGHS, Path)
