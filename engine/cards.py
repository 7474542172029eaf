"""Cards, and the shuffles that turn a seed into a deck.

A card is written rank then suit: ``"4C"``, ``"TD"``, ``"AS"``. :class:`Rank` runs from the ace, 1, to the
king, 13; a game in which the ace is high ranks it itself.
"""

from __future__ import annotations

import hashlib
import random
import unicodedata
from collections.abc import Iterator
from enum import IntEnum
from typing import NamedTuple

from engine.errors import SeedError

SEED_MAX_CHARACTERS = 64
GAME_NUMBER_MAX = 10**20


class Suit(IntEnum):
    """The four suits in the order clubs, diamonds, hearts, spades."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def is_red(self) -> bool:
        """True for diamonds and hearts."""
        return self in (Suit.DIAMONDS, Suit.HEARTS)

    @property
    def letter(self) -> str:
        """C, D, H or S."""
        return "CDHS"[self]


class Rank(IntEnum):
    """The thirteen ranks, ace 1 to king 13."""

    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13

    @property
    def letter(self) -> str:
        """A, 2 … 9, T, J, Q or K."""
        return "A23456789TJQK"[self - 1]


class Card(NamedTuple):
    """One card; a small immutable value.

    >>> str(Card(Rank.TEN, Suit.DIAMONDS))
    'TD'
    """

    rank: Rank
    suit: Suit

    @property
    def is_red(self) -> bool:
        """True for diamonds and hearts."""
        return self.suit.is_red

    def __str__(self) -> str:
        return self.rank.letter + self.suit.letter

    @classmethod
    def parse(cls, text: str) -> Card:
        """Return the card that ``text`` names, such as ``"4C"``.

        :raises ValueError: when it names none.
        """
        try:
            return _BY_NAME[text]
        except KeyError:
            raise ValueError(f"{text!r} is not a card; cards are written like 4C, TD or AS") from None


DECK: tuple[Card, ...] = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
"""The 52 cards: ace to king of clubs, then of diamonds, hearts and spades."""

_BY_NAME = {str(card): card for card in DECK}


def normalise_seed(text: str) -> str:
    """Return the seed as it is stored: trimmed of white space and in Unicode form NFC.

    :raises SeedError: when that is empty, longer than 64 characters, or has no UTF-8 form.
    """
    seed = unicodedata.normalize("NFC", text.strip()) if len(text) <= 8 * SEED_MAX_CHARACTERS else text
    if not seed:
        raise SeedError(text, "a seed needs at least one character")
    if len(seed) > SEED_MAX_CHARACTERS:
        raise SeedError(text, f"a seed has at most {SEED_MAX_CHARACTERS} characters")
    try:
        seed.encode("utf-8")
    except UnicodeEncodeError:
        raise SeedError(text, "a seed must have a UTF-8 form") from None
    return seed


def shuffled_deck(seed: str | int) -> tuple[Card, ...]:
    """Return the 52 cards in the order in which ``seed`` deals them, first dealt first.

    The same seed gives the same deck in every game, on every Python version, for ever. A plain whole number
    from 1 to 10^20 (no sign, no leading zero) is a PySolFC game number; any other text is shuffled by
    SHA-256. ``normalise_seed`` is applied first.

    :raises SeedError: when the text is not a seed.

    >>> " ".join(map(str, shuffled_deck(24)[:5]))
    '4C 5H QC 5D 2D'
    """
    if isinstance(seed, int) and not -(10**SEED_MAX_CHARACTERS) < seed < 10**SEED_MAX_CHARACTERS:
        raise SeedError("", f"a seed has at most {SEED_MAX_CHARACTERS} characters")
    text = normalise_seed(str(seed))
    number = game_number(text)
    if number is None:
        return _sha256_shuffle(text)
    if number < _FIRST_TWISTER_NUMBER:
        return _microsoft_shuffle(number)
    return _twister_shuffle(number)


def game_number(seed: str) -> int | None:
    """Return the PySolFC game number that a normalised seed is, or None when it is not one."""
    if seed.isascii() and seed.isdigit() and seed[0] != "0" and int(seed) <= GAME_NUMBER_MAX:
        return int(seed)
    return None


# PySolFC uses Microsoft's generator for the numbers that Microsoft's own programs had, and the Mersenne
# Twister for all above.
_FIRST_TWISTER_NUMBER = 32_000

# PySolFC shuffles a deck that is sorted in this order of suits.
_PYSOL_SUITS = (Suit.CLUBS, Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS)


def _microsoft_shuffle(number: int) -> tuple[Card, ...]:
    """Shuffle by Microsoft's generator: x ← 214013 x + 2531011 mod 2^31, result x >> 16.

    The unshuffled deck runs rank by rank, ace first, in the suit order clubs, diamonds, hearts, spades.
    For n = 51 … 1 the card at n is swapped with the one at (next result) mod (n + 1). The card that
    ends up last is dealt first.
    """
    deck = [Card(rank, suit) for rank in Rank for suit in Suit]
    x = number
    for n in range(51, 0, -1):
        x = (214_013 * x + 2_531_011) % 2**31
        j = (x >> 16) % (n + 1)
        deck[n], deck[j] = deck[j], deck[n]
    return tuple(reversed(deck))


def _twister_shuffle(number: int) -> tuple[Card, ...]:
    """Shuffle as PySolFC does, by ``random.Random(number)``, the Mersenne Twister.

    The unshuffled deck runs suit by suit (clubs, spades, hearts, diamonds), ace to king. For n = 51 … 1
    the card at n is swapped with the one at floor(random() · (n + 1)). The card that ends up last is
    dealt first. Python promises that ``random()`` stays the same in later versions, but nothing else in
    that module, so nothing else is used.
    """
    deck = [Card(rank, suit) for suit in _PYSOL_SUITS for rank in Rank]
    generator = random.Random(number)
    for n in range(51, 0, -1):
        j = int(generator.random() * (n + 1))
        deck[n], deck[j] = deck[j], deck[n]
    return tuple(reversed(deck))


def _sha256_shuffle(text: str) -> tuple[Card, ...]:
    """Shuffle by the stream of words of :func:`_sha256_words`.

    The deck starts in the order of :data:`DECK`. For n = 51 … 1: take the next word below the greatest
    multiple of n + 1 that is at most 2^32 (words at or above it are skipped, so that the shuffle is
    unbiased); swap the cards at n and at word mod (n + 1). The card that ends up at 0 is dealt first.
    """
    deck = list(DECK)
    words = _sha256_words(text)
    for n in range(51, 0, -1):
        limit = 2**32 - 2**32 % (n + 1)
        j = next(word for word in words if word < limit) % (n + 1)
        deck[n], deck[j] = deck[j], deck[n]
    return tuple(deck)


def _sha256_words(text: str) -> Iterator[int]:
    """Yield 32-bit words endlessly, eight from each block.

    Block i = 0, 1, 2 … is SHA-256 of the 8 bytes of i, most significant first, followed by the text in
    UTF-8. Its 32 bytes are read as eight unsigned numbers, most significant byte first.
    """
    block = 0
    while True:
        digest = hashlib.sha256(block.to_bytes(8, "big") + text.encode("utf-8")).digest()
        for start in range(0, 32, 4):
            yield int.from_bytes(digest[start : start + 4], "big")
        block += 1
