"""Cards, seeds and shuffles: whole decks are pinned, so that a seed always means the same deal."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
import unicodedata
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysol_cards.deal_game import Game as PysolGame

from engine import DECK, GAMES, Card, Rank, SeedError, Suit, normalise_seed, shuffled_deck
from engine import cards as engine_cards
from engine.cards import game_number

DATA = Path(__file__).with_name("data")
ROOT = Path(__file__).parents[2]


def rows(name: str) -> list[tuple[str, str]]:
    """Read a file of seeds and decks, without its heading."""
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    pairs = [(seed, deck) for seed, deck in (line.split("\t") for line in lines)]
    return [(seed, deck) for seed, deck in pairs if seed.isdigit()]


def written(deck: tuple[Card, ...]) -> str:
    return " ".join(map(str, deck))


# ----------------------------------------------------------------------------------------- cards


def test_the_deck_is_each_rank_of_each_suit_once() -> None:
    assert len(DECK) == len(set(DECK)) == 52
    assert set(DECK) == {Card(rank, suit) for rank in Rank for suit in Suit}
    assert written(DECK[:14]) == "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AD"


def test_parsing_is_the_inverse_of_writing_a_card() -> None:
    assert [Card.parse(str(card)) for card in DECK] == list(DECK)


@pytest.mark.parametrize("text", ["", "1C", "10C", "4c", "C4", "4C ", "4", "AX", "♠A"])
def test_other_texts_are_not_cards(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        Card.parse(text)


def test_diamonds_and_hearts_are_red() -> None:
    assert [suit.is_red for suit in Suit] == [False, True, True, False]
    assert {card.suit.letter for card in DECK if card.is_red} == {"D", "H"}


def test_ranks_count_from_the_ace_to_the_king() -> None:
    assert [int(rank) for rank in Rank] == list(range(1, 14))
    assert "".join(rank.letter for rank in Rank) == "A23456789TJQK"


# --------------------------------------------------------------------------- PySolFC's game numbers


def test_every_expected_number_is_pinned() -> None:
    assert [int(seed) for seed, _ in rows("pysol_deal_orders.tsv")] == [
        1, 2, 3, 24, 617, 11982, 31999, 32001, 54208, 100000, 211079, 10**9, 10**15, 10**20,
    ]  # fmt: skip


@pytest.mark.parametrize(("seed", "deck"), rows("pysol_deal_orders.tsv"))
def test_a_number_deals_the_pinned_deck(seed: str, deck: str) -> None:
    assert written(shuffled_deck(seed)) == deck
    assert written(shuffled_deck(int(seed))) == deck


@pytest.mark.parametrize(("seed", "deck"), rows("kpat_shuffle_vectors.tsv"))
def test_small_numbers_are_kpatience_numbers_too(seed: str, deck: str) -> None:
    assert seed in ("1", "24")
    assert written(shuffled_deck(seed)[::-1]) == deck  # its end is dealt first


def pysol_deck(number: int) -> str:
    """Deal with pysol-cards."""
    game = PysolGame("klondike", number, 1)
    game.deal()
    return " ".join("0A23456789TJQK"[card.rank] + "CSHD"[card.suit] for card in game.cards)


NUMBERS = sorted(
    {*range(1, 40), *range(31_980, 32_000), *range(32_001, 32_020)}
    | {2**k + d for k in (16, 31, 32, 33, 53, 63, 64, 66) for d in (-1, 0, 1)}
    | {10**k for k in range(20)}
    | {10**20 - 1, 10**20}
    | set(Random("small numbers").sample(range(1, 32_000), 150))
    | set(Random("large numbers").sample(range(32_001, 10**9), 150))
)


def test_numbers_deal_the_decks_of_pysol_cards() -> None:
    assert len(NUMBERS) > 350
    assert [n for n in NUMBERS if written(shuffled_deck(n)) != pysol_deck(n)] == []


def twister_deck(number: int) -> str:
    """Deal from the Mersenne Twister as the desktop program does, without the engine's code."""
    twister = Random(number)
    deck = [rank + suit for suit in "CSHD" for rank in "A23456789TJQK"]
    for last in reversed(range(1, 52)):
        other = int(twister.random() * (last + 1))
        held = deck[last]
        deck[last] = deck[other]
        deck[other] = held
    return " ".join(deck[::-1])


def test_32000_is_the_first_number_of_the_twister() -> None:
    assert written(shuffled_deck(32_000)) == twister_deck(32_000)
    # pysol-cards deals this one number with Microsoft's generator; the desktop program does not.
    assert pysol_deck(32_000) != twister_deck(32_000)
    assert written(shuffled_deck(31_999)) != twister_deck(31_999)
    assert written(shuffled_deck(32_001)) == twister_deck(32_001)


def test_a_number_and_its_digits_are_one_seed() -> None:
    assert shuffled_deck(54208) == shuffled_deck("54208") == shuffled_deck(" 54208\n")


@pytest.mark.parametrize(
    ("seed", "number"),
    [
        ("1", 1),
        ("99", 99),
        ("100000000000000000000", 10**20),
        ("100000000000000000001", None),
        ("0", None),
        ("00", None),
        ("007", None),
        ("+7", None),
        ("-7", None),
        ("7.0", None),
        ("7 7", None),
        ("1_000", None),
        ("1e3", None),
        ("٧", None),  # a digit, but not an ASCII one
        ("²", None),
        ("mormor", None),
    ],
)
def test_only_plain_whole_numbers_are_game_numbers(seed: str, number: int | None) -> None:
    assert game_number(seed) == number


# ---------------------------------------------------------------------------------------- SHA-256


def sha256_deck(text: str) -> str:
    """Shuffle as the engine's docstring specifies, without the engine's code."""
    data = text.encode()

    def words() -> Iterator[int]:
        number = 0
        while True:
            block = hashlib.sha256(bytes.fromhex(f"{number:016x}") + data).hexdigest()
            yield from (int(block[8 * k : 8 * k + 8], 16) for k in range(8))
            number += 1

    stream = words()
    deck = [rank + suit for suit in "CDHS" for rank in "A23456789TJQK"]
    n = 51
    while n > 0:
        word = next(stream)
        if word >= (2**32 // (n + 1)) * (n + 1):
            continue
        j = word % (n + 1)
        deck[j], deck[n] = deck[n], deck[j]
        n -= 1
    return " ".join(deck)


PINNED = {
    "mormor": (
        "TH KC 8H QC KH 9C 6S TD 7H QH KS 5D JC 5C 6D 7C 2C QD QS AH 9H 4H JD 8C 9S AS "
        "JS 8S 9D AC 3C JH 5H 7D 4C AD 4S 3H 3D 8D 5S 6H 3S 4D 6C 2S TS 2H TC 2D 7S KD"
    ),
    "god jul": (
        "QS 7D 6C 8D 4C 4S 3H 7H 2H KS 2D 6S 4H AD AS TC TS 5S TD 8H 9C 5H 8S 2C JC KD "
        "9D KH 9H 7C 9S AC 3S JD AH JS 6H 2S 3D 6D 7S 3C QD QC 5D JH TH KC QH 4D 5C 8C"
    ),
    "007": (
        "5D KH JH 8C 7C 5H QD KD 6C 4S TS AH JD 9D KC 3H 9H 8S 7D 2D TD 6H 3S AC 2H 3C "
        "5C TC 7H AS QC JS 9C JC 8D QH 4C 4H AD 9S 6D TH 4D 5S 2S 8H QS 7S 6S KS 3D 2C"
    ),
    "0": (
        "6C JS 9C TS 7C QC 9H 4H 7D KH 3C 8D 2H JC AH 4C TH 3S 8C JH TC 4S 9S 5C JD QS "
        "KS 2C QH 7H 6H 3D 4D KD 2S KC AS 7S 6S TD AC 6D 5D 3H 8S AD 5S 9D 2D 8H QD 5H"
    ),
    "100000000000000000001": (
        "7H 2D 8H 2S 9D 5S JD 7C 5D 6C TH KD 9C QS QD 6H 3D TC AS AD TS 9H 4S 4C KS KH "
        "3C 8C 6S TD 8S 2H 5C 2C QC 3H 7S 4D 4H JC 8D AC 3S 7D JH JS 9S AH QH 6D 5H KC"
    ),
    "å": (
        "9D 9H 4C 6D 2C 6S 8H AD 8D TC JH 9C 3D KC 7D 2H 3C 9S AH JC 3S 7S 4H 4S 7C TH "
        "8S 2S 6H 5H 4D 5C KS 5D AC 2D 6C TS 3H AS TD QD QH JS 8C KH QS KD JD 5S 7H QC"
    ),
    "🂡": (
        "4H 2S 9C TC KC KS 3H 9H 5C 9S 4S 6S 2H 9D AC 7H KH 4C 3D 4D 2C AD QD QC KD 3C "
        "JS TH 8C JD QS AS 5S 5D 6D 5H TS 7S 6C JC 7C 6H TD 2D 7D 8H JH 3S AH 8S 8D QH"
    ),
}


@pytest.mark.parametrize("seed", PINNED)
def test_a_text_deals_the_pinned_deck(seed: str) -> None:
    assert written(shuffled_deck(seed)) == PINNED[seed]


@given(st.text(st.characters(codec="utf-8"), max_size=80))
def test_any_text_is_shuffled_as_specified(text: str) -> None:
    try:
        seed = normalise_seed(text)
    except SeedError:
        return
    if game_number(seed) is None:
        assert written(shuffled_deck(text)) == sha256_deck(seed)


@given(st.one_of(st.integers(1, 10**20).map(str), st.text(st.characters(codec="utf-8"), max_size=64)))
def test_every_seed_deals_each_card_once(text: str) -> None:
    try:
        deck = shuffled_deck(text)
    except SeedError:
        return
    assert sorted(deck) == sorted(DECK)
    assert {type(card) for card in deck} == {Card}


def shuffled_by(monkeypatch: pytest.MonkeyPatch, *first: int) -> tuple[Card, ...]:
    """Shuffle by the words given, then by zeros."""

    def words(text: str) -> Iterator[int]:
        yield from first
        while True:
            yield 0

    monkeypatch.setattr(engine_cards, "_sha256_words", words)
    return engine_cards._sha256_shuffle("any")


def test_words_that_would_favour_a_card_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    fair_52, fair_51 = 2**32 - 2**32 % 52, 2**32 - 2**32 % 51
    assert fair_51 == 2**32 - 1
    plain = shuffled_by(monkeypatch)
    assert shuffled_by(monkeypatch, fair_52) == plain  # one too many
    assert shuffled_by(monkeypatch, 2**32 - 1, fair_52, 2**32 - 2, 0, fair_51, 0) == plain
    # The word just below is used, and leaves the last card where it is.
    used = shuffled_by(monkeypatch, fair_52 - 1)
    assert used != plain
    assert used[51] == DECK[51]


def test_the_shuffle_favours_no_card_and_no_place() -> None:
    """Pearson's chi-square over card × place for 6000 fixed seeds: (52 - 1)² = 2601 degrees of freedom."""
    counts = dict.fromkeys(((card, place) for card in DECK for place in range(52)), 0)
    seeds = 6000
    for number in range(seeds):
        for place, card in enumerate(shuffled_deck(f"fair {number}")):
            counts[card, place] += 1
    expected = seeds / 52
    chi_square = sum((count - expected) ** 2 for count in counts.values()) / expected
    deviation = (2 * 2601) ** 0.5
    assert abs(chi_square - 2601) < 4 * deviation


def test_neighbours_in_the_deck_are_no_likelier_to_stay_neighbours() -> None:
    seeds = 3000
    kept = 0
    order = {card: place for place, card in enumerate(DECK)}
    for number in range(seeds):
        deck = shuffled_deck(f"neighbours {number}")
        kept += sum(order[after] == order[before] + 1 for before, after in pairwise(deck))
    # 51 pairs of neighbours, each of which follows the other with a chance of 1 in 52: about one a deck.
    assert 0.93 < kept / seeds / (51 / 52) < 1.07


def test_different_seeds_deal_different_decks() -> None:
    seeds = [*map(str, range(1, 300)), *map(str, range(32_000, 32_300)), *(f"seed {n}" for n in range(300))]
    assert len({shuffled_deck(seed) for seed in seeds}) == len(seeds)


def test_a_seed_deals_the_same_cards_after_a_restart() -> None:
    """Also with another seed of Python's own hashes."""
    seeds = ["1", "32000", "54208", "mormor", "🂡"]
    program = (
        "import json, sys; sys.path.insert(0, sys.argv[1]); from engine import shuffled_deck;"
        "decks = [' '.join(map(str, shuffled_deck(seed))) for seed in json.loads(sys.argv[2])];"
        "sys.stdout.write(json.dumps(decks))"
    )
    for hash_seed in ("1", "2"):
        run = subprocess.run(
            [sys.executable, "-c", program, str(ROOT), json.dumps(seeds)],
            env={"PYTHONHASHSEED": hash_seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert json.loads(run.stdout) == [written(shuffled_deck(seed)) for seed in seeds]


def test_a_seed_gives_every_game_and_every_rule_set_the_same_deck() -> None:
    """Klondike's and Aces Up's first cards, read back from the tables, are those of the deck."""
    for seed in ("24", "mormor"):
        deck = shuffled_deck(seed)
        for code in GAMES["acesup"].presets:
            table = GAMES["acesup"].table(GAMES["acesup"].start(seed, code))
            assert tuple(table.pile(name).top for name in "1234") == deck[:4]
        for code in GAMES["klondike"].presets:
            table = GAMES["klondike"].table(GAMES["klondike"].start(seed, code))
            assert tuple(table.pile(name).top for name in "7654321") == deck[21:28]


# ------------------------------------------------------------------------------------------ seeds


def test_one_letter_written_in_two_ways_is_one_seed() -> None:
    nfd = unicodedata.normalize("NFD", "å")
    assert len(nfd) == 2
    assert normalise_seed(nfd) == "å"
    assert shuffled_deck(nfd) == shuffled_deck("å")


@pytest.mark.parametrize("text", [" mormor", "mormor\n", "\t mormor \r\n", "\u00a0mormor\u2003"])
def test_white_space_around_a_seed_does_not_count(text: str) -> None:
    assert normalise_seed(text) == "mormor"
    assert shuffled_deck(text) == shuffled_deck("mormor")


def test_white_space_and_case_within_a_seed_count() -> None:
    assert normalise_seed("god  jul") == "god  jul"
    assert len({shuffled_deck(text) for text in ("god jul", "god  jul", "God jul", "godjul")}) == 4


def test_a_seed_may_have_64_characters() -> None:
    assert normalise_seed("x" * 64) == "x" * 64
    assert normalise_seed("  " + "x" * 64 + "  ") == "x" * 64
    assert normalise_seed("🂡" * 64) == "🂡" * 64  # characters, not bytes
    assert normalise_seed(unicodedata.normalize("NFD", "å" * 64)) == "å" * 64


@pytest.mark.parametrize(
    "text",
    ["", " ", "\t\n", "x" * 65, "x" * 100_000, " " * 100_000, "\ud800", "a\udfffb", "\U0001d160" * 64],
    ids=["empty", "blank", "blanks", "65", "huge", "huge blank", "surrogate", "surrogate within", "grows"],
)
def test_a_text_that_is_not_a_seed_raises(text: str) -> None:
    with pytest.raises(SeedError) as caught:
        normalise_seed(text)
    assert caught.value.text == text[:100]
    with pytest.raises(SeedError):
        shuffled_deck(text)


def test_blanks_do_not_count_up_to_512_characters() -> None:
    """Beyond that no text is looked at more closely."""
    assert normalise_seed(" " * 511 + "x") == "x"
    with pytest.raises(SeedError):
        normalise_seed(" " * 512 + "x")


@pytest.mark.parametrize("number", [0, -1, 10**20 + 1])
def test_a_number_outside_the_range_is_a_text(number: int) -> None:
    assert written(shuffled_deck(number)) == sha256_deck(str(number))


def test_a_number_too_long_for_a_seed_is_a_seed_error() -> None:
    with pytest.raises(SeedError):
        shuffled_deck(10**64)


def test_even_a_number_that_python_will_not_print_is_a_seed_error() -> None:
    with pytest.raises(SeedError):
        shuffled_deck(10**5000)


@given(st.text(max_size=100))
def test_normalising_a_seed_is_idempotent(text: str) -> None:
    try:
        seed = normalise_seed(text)
    except SeedError:
        return
    assert normalise_seed(seed) == seed
    assert 1 <= len(seed) <= 64
    assert seed == seed.strip()
    assert unicodedata.is_normalized("NFC", seed)
