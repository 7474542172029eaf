"""Records: the line of text in which a game is stored and shared."""

from __future__ import annotations

import dataclasses
import unicodedata
from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine import (
    GAMES,
    IllegalMove,
    Move,
    MoveSyntaxError,
    Outcome,
    Record,
    RecordSyntaxError,
    RulesSyntaxError,
    SeedError,
    SolitaireError,
    UnknownGame,
    find_game,
    normalise_seed,
    replay,
    shuffled_deck,
    states,
)
from engine.games.klondike import KlondikeReason
from engine.record import RECORD_MAX_CHARACTERS
from tests.engine.positions import ACESUP_CODES, ALL_NAMES, KLONDIKE_CODES


def normal(text: str) -> bool:
    try:
        return normalise_seed(text) == text
    except SeedError:
        return False


a_game_and_rules = st.sampled_from(
    [*(("klondike", code) for code in KLONDIKE_CODES), *(("acesup", code) for code in ACESUP_CODES)]
)
a_seed = st.one_of(
    st.integers(1, 10**20).map(str),
    st.text(st.characters(codec="utf-8"), min_size=1, max_size=64).filter(normal),
    st.text("/%~*_`|<>@#&?= +x-.\\[]()aåß²", min_size=1, max_size=64).filter(normal),
)
moves = st.lists(
    st.builds(Move, st.sampled_from(ALL_NAMES), st.sampled_from(ALL_NAMES), st.integers(1, 19)), max_size=20
)


@given(a_game_and_rules, a_seed, moves)
def test_parsing_is_the_inverse_of_writing(game: tuple[str, str], seed: str, played: list[Move]) -> None:
    record = Record(*game, seed, tuple(played))
    assert Record.parse(str(record)) == record
    assert Record.parse(record.code) == dataclasses.replace(record, moves=())


@given(a_seed)
def test_a_code_has_no_blank_no_further_slash_and_nothing_a_chat_formats(seed: str) -> None:
    game, rules, text = Record("acesup", "standard", seed).code.split("/")
    assert (game, rules) == ("acesup", "standard")
    assert text.split() == [text]
    assert all(character.isalnum() or character in "-._%" for character in text)


@pytest.mark.parametrize(
    ("seed", "written"),
    [
        ("24", "24"),
        ("mormor", "mormor"),
        ("på-ferie.2", "på-ferie.2"),
        ("god jul", "god%20jul"),
        ("a/b", "a%2Fb"),
        ("100 %", "100%20%25"),
        ("%41", "%2541"),
        ("a+b", "a%2Bb"),
        ("a\nb", "a%0Ab"),
        ("**fet**", "%2A%2Afet%2A%2A"),
        ("`kode`", "%60kode%60"),
        ("||hysj||", "%7C%7Chysj%7C%7C"),
        ("<@123>", "%3C%40123%3E"),
        ("@everyone", "%40everyone"),
        ("[a](b)", "%5Ba%5D%28b%29"),
        ("\\", "%5C"),
        ("#", "%23"),
        ("🂡", "%F0%9F%82%A1"),
        ("x\u0323", "x%CC%A3"),
    ],
)
def test_a_seed_is_written_as_one_word(seed: str, written: str) -> None:
    record = Record("acesup", "standard", seed)
    assert record.code == f"acesup/standard/{written}"
    assert Record.parse(str(record)) == record


@pytest.mark.parametrize("seed", ["~~strøket~~", "_kursiv_", "__understreket__"])
def test_a_seed_in_a_code_is_never_formatted_by_a_chat(seed: str) -> None:
    text = Record("acesup", "standard", seed).code.split("/")[2]
    assert "~" not in text
    assert "_" not in text


def test_a_seed_is_normalised_on_reading() -> None:
    nfd = unicodedata.normalize("NFD", "blåbær")
    assert Record.parse(f"acesup/standard/{nfd}").seed == "blåbær"
    assert Record.parse(f"acesup/standard/{quote(nfd)}").seed == "blåbær"
    assert Record.parse("acesup/standard/%20mormor%20").seed == "mormor"


def test_rules_are_made_canonical_on_reading() -> None:
    assert Record.parse("acesup/pairs+aces/1").rules == "aces+pairs"


def test_any_white_space_separates_moves() -> None:
    record = Record("klondike", "d1", "24", (Move("s", "w"), Move("2", "fc")))
    for text in (
        "klondike/d1/24 s-w 2-fc",
        "  klondike/d1/24\n\ts-w   2-fc\r\n",
        "klondike/d1/24\u2003s-w\u00a02-fc",
    ):
        assert Record.parse(text) == record
    assert str(record) == "klondike/d1/24 s-w 2-fc"


@pytest.mark.parametrize("text", ["", "  ", "klondike", "klondike/d1", "klondike/d1/24/5", "s-w 2-fc", "///"])
def test_a_text_without_game_rules_and_seed_is_not_a_record(text: str) -> None:
    with pytest.raises(RecordSyntaxError) as caught:
        Record.parse(text)
    assert caught.value.text == text


@pytest.mark.parametrize("text", ["/d1/24", "Klondike/d1/24", "sjuern/d1/24", "//", "klondike%20/d1/24"])
def test_a_record_of_an_unknown_game_raises(text: str) -> None:
    with pytest.raises(UnknownGame) as caught:
        Record.parse(text)
    assert text.startswith(caught.value.text + "/")


@pytest.mark.parametrize(
    "text", ["klondike//24", "klondike/d2/24", "klondike/standard/24", "acesup/d1/24", "acesup//1"]
)
def test_a_record_with_unknown_rules_raises_with_its_game(text: str) -> None:
    with pytest.raises(RulesSyntaxError) as caught:
        Record.parse(text)
    assert [caught.value.game, caught.value.text] == text.split("/")[:2]


@pytest.mark.parametrize(
    "seed", ["", "%20", "%09%0A", "%FF", "a%C3", "%ED%A0%80", "\ud800", "%41\udfff", "x" * 65, "%20" * 200]
)
def test_a_record_with_an_impossible_seed_raises(seed: str) -> None:
    with pytest.raises(SeedError):
        Record.parse(f"klondike/d1/{seed} s-w")


@pytest.mark.parametrize("move", ["3_5", "W-FH", "3-5x1", "draw", "1+2+3-d", "@everyone"])
def test_a_record_with_a_word_that_is_not_a_move_raises_with_the_word(move: str) -> None:
    with pytest.raises(MoveSyntaxError) as caught:
        Record.parse(f"klondike/d1/24 s-w {move} s-w")
    assert caught.value.text == move


def test_a_record_has_a_maximum_length() -> None:
    longest = "klondike/d1/24" + " s-w" * 50_000
    with pytest.raises(RecordSyntaxError):
        Record.parse(longest)
    longest = longest[: RECORD_MAX_CHARACTERS - 2]
    assert len(longest) == RECORD_MAX_CHARACTERS - 2
    assert len(Record.parse(longest).moves) == 49_996
    assert Record.parse(longest + "  ").moves == Record.parse(longest).moves
    with pytest.raises(RecordSyntaxError):
        Record.parse(longest + "   ")


@given(
    st.one_of(
        st.text(max_size=200),
        st.text("klondiesuptar/d13%20 -wfx+\ud800", max_size=60),
        st.builds(
            "{}/{}/{} {}".format,
            st.sampled_from(["klondike", "acesup", "x", ""]),
            st.one_of(st.sampled_from(["d1", "d3p2r", "standard", "cell+aces"]), st.text(max_size=5)),
            st.text(max_size=70),
            st.text(max_size=30),
        ),
    )
)
@example("klondike/d1/%")
@example("klondike/d1/%\udc80")
@example("klondike/d1/\u2028")
def test_reading_any_text_gives_a_record_or_an_error_of_the_engine(text: str) -> None:
    try:
        record = Record.parse(text)
    except SolitaireError:
        return
    assert Record.parse(str(record)) == record
    assert len(shuffled_deck(record.seed)) == 52


def test_records_are_frozen_and_compare_by_value() -> None:
    record = Record("klondike", "d1", "24")
    with pytest.raises(dataclasses.FrozenInstanceError):
        record.seed = "25"  # type: ignore[misc]
    assert record == Record.parse("klondike/d1/24")
    assert hash(record) == hash(Record.parse("klondike/d1/24"))


def test_playing_returns_a_longer_record_and_keeps_the_first() -> None:
    record = Record("klondike", "d1", "24")
    longer = record.play(Move("s", "w")).play(Move("s", "w"), Move("w", "s"))
    assert str(longer) == "klondike/d1/24 s-w s-w w-s"
    assert record.moves == ()
    assert record.play() == record


# ------------------------------------------------------------------------------------------ replay


def test_replaying_is_dealing_and_applying() -> None:
    game = GAMES["acesup"]
    state = game.start(24, "standard")
    assert replay(Record("acesup", "standard", "24")) == state
    after = game.apply(state, Move("s", "t"))
    assert replay(Record.parse("acesup/standard/24 s-t")) == after


def test_states_are_the_deal_and_one_for_each_move() -> None:
    """So one undo takes back one move, together with the card that it turned up."""
    # PySolFC's game 24 begins with 5C | 9H | AC | 8C | 7D | 6S | KH; the ace uncovers 9S.
    record = Record.parse("klondike/d1/24 3-fc s-w s-w")
    seen = list(states(record))
    assert len(seen) == 4
    assert seen[1].hidden == (0, 1, 1, 3, 4, 5, 6)
    undone = dataclasses.replace(record, moves=record.moves[:-1])
    assert replay(undone) == seen[-2]
    assert replay(dataclasses.replace(record, moves=())) == seen[0]
    assert seen[0].hidden == (0, 1, 2, 3, 4, 5, 6)


def test_an_illegal_move_in_a_record_is_found() -> None:
    record = Record.parse("klondike/d1/24 3-fc s-w 1-2 s-w")
    seen: list[object] = []
    with pytest.raises(IllegalMove) as caught:
        seen.extend(states(record))
    assert (caught.value.reason, caught.value.move) == (KlondikeReason.WRONG_COLUMN, Move("1", "2"))
    with pytest.raises(IllegalMove):
        replay(record)


def test_no_move_is_legal_after_the_end_of_a_game() -> None:
    deals = " s-t" * 12
    record = Record.parse("acesup/standard/24" + deals)
    state = replay(record)
    assert GAMES["acesup"].outcome(state) in (None, Outcome.OVER)
    with pytest.raises(IllegalMove):
        replay(record.play(Move("s", "t")))


def test_replaying_a_record_of_an_unknown_game_raises() -> None:
    with pytest.raises(UnknownGame):
        replay(Record("chess", "d1", "24"))


def test_a_game_is_found_by_its_key_in_any_mapping() -> None:
    assert find_game("klondike") is GAMES["klondike"]
    assert find_game("other", {"other": GAMES["acesup"]}) is GAMES["acesup"]
    with pytest.raises(UnknownGame) as caught:
        find_game("klondike", {"other": GAMES["acesup"]})
    assert caught.value.problem == "the games are other"
