"""Hostile texts: by themselves, inside something valid, and in great numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

NASTY = (
    # what Python's str and int accept and the notation does not
    "",
    " ",
    "\x00",
    "1\x00",
    "\ud800",
    "\udfff1",
    "٣",
    "１",
    "²",
    "①",
    "𝟙",
    "᠑",
    "1_0",
    "+1",
    "-1",
    "0",
    "00000001",
    "1e9",
    "0x10",
    "NaN",
    "9" * 19,
    "9" * 20,
    str(2**63 - 1),
    str(2**63),
    str(2**64),
    "9" * 5000,
    "ſ",
    "\N{KELVIN SIGN}",
    "İ",
    "ß",
    "ﬀ",
    "\u1fef",  # normalised, it is a backtick
    "\u037e",
    "e" + "\u0301" * 80,
    "a" * 6000,
    "/" * 6000,
    "((((((((((((((((((((" * 200,
    "[" * 3000,
    # Discord's
    "`",
    "``",
    "` @everyone `",
    "```\n@here\n```",
    "\\",
    "\\`",
    "@everyone",
    "@here",
    "<@123456789012345678>",
    "<@&1>",
    "<#2>",
    "</new:1>",
    "<t:0:R>",
    "<:a:1>",
    "https://example.org",
    "<https://example.org>",
    "[x](https://example.org)",
    "**",
    "__",
    "~~",
    "||x||",
    "_x_",
    "# x",
    "\n# x",
    "\n> x",
    "\n-# x",
    "\n- x",
    "a\nb\r\nc\u2028d\u2029e\x0bf\x85g",
    "/new",
    "/draw",
    # bidirectional and invisible characters
    "\u202eevil\u202c",
    "\u2066x",
    "\u2069",
    "\u2068",
    "\u061c",
    "\u200b",
    "\u200f",
    "\ufeff",
    "\u3000",
    "\xad",
    "\U000e0041",
    "שלום",
    "مرحبا 5",
    # percent signs, Fluent, SQL, JSON, paths
    "%",
    "%ff",
    "%00",
    "%60",
    "%E2%80%AE",
    "%ED%A0%80",
    "%25",
    "%2F",
    "{ $text }",
    "{",
    "'; DROP TABLE games; --",
    '"',
    "%_*?[",
    "../../etc/passwd",
    "\x1b[31m",
    "🂡" * 64,
    "🟥🟩",
)

anything = st.text(st.characters(exclude_categories=()), max_size=40)  # surrogates too
nasty = st.sampled_from(NASTY)


def hostile(*valid: str, pattern: str = "") -> st.SearchStrategy[str]:
    """Return random texts, and some that begin as one of ``valid`` or match ``pattern``."""
    kinds = [
        nasty,
        anything,
        st.lists(st.one_of(nasty, anything), min_size=2, max_size=4).map("".join),
        st.builds(lambda text, times: (text * times)[:6000], anything, st.sampled_from([50, 500, 6000])),
    ]
    if valid:
        kinds += [_spliced(valid)] * 3
    if pattern:
        kinds += [st.from_regex(pattern, fullmatch=True)] * 2
    return st.one_of(kinds)


def _spliced(valid: Sequence[str]) -> st.SearchStrategy[str]:
    def splice(number: int, put: str, at: int, length: int) -> str:
        text = valid[number]
        at %= len(text) + 1
        return text[:at] + put + text[at + length :]

    put = st.one_of(nasty, anything, st.sampled_from(["", " ", "/", "-", "x", ":", "1", "s-w "]))
    return st.builds(splice, st.integers(0, len(valid) - 1), put, st.integers(0, 6000), st.integers(0, 3))


# How many texts each kind of input gets: in the usual tests, and in the slow proof.
BUDGET = {
    "moves": (200, 10_000),
    "seeds": (400, 30_000),
    "records": (200, 7_000),
    "codes": (200, 7_000),
    "rules": (300, 14_000),
    "controls": (300, 18_000),
    "sentences": (150, 5_000),
    "pictures": (40, 2_000),
    "played": (150, 3_000),
    "asked": (150, 3_000),
    "commands": (120, 4_000),
    "typing": (80, 2_000),
    "presses": (100, 3_000),
    "people": (20, 600),
}
_BATCH = 20  # texts of one example: making examples takes the time
_ROUNDS = 8


def counts(kind: str) -> list[Any]:
    """Return how many texts of a kind to try, for ``pytest.mark.parametrize``."""
    usual, slow = BUDGET[kind]
    return [usual, pytest.param(slow, marks=pytest.mark.slow)]


def fuzz(
    check: Callable[[str], None], texts: st.SearchStrategy[str], count: int, known: Iterable[str] = ()
) -> None:
    """Check every text of ``NASTY`` and ``known``, and ``count`` other texts, each once.

    Each text that Hypothesis makes is tried backwards too, and with its upper and lower case exchanged.
    """
    for text in dict.fromkeys((*known, *NASTY)):
        check(text)
    passed: set[str] = set()

    def check_all(many: list[str]) -> None:
        for text in (variant for one in many for variant in (one, one[::-1], one.swapcase())):
            if len(passed) < count and text not in passed:
                check(text)
                passed.add(text)

    batches = st.lists(texts, min_size=_BATCH, max_size=_BATCH, unique=True)
    for round_number in range(_ROUNDS):
        missing = count - len(passed)
        if missing:
            few = settings(
                max_examples=50 + missing // (2 * _BATCH),  # the first few are always simple
                deadline=None,
                suppress_health_check=list(HealthCheck),
            )
            run = few(given(batches)(check_all))
            # If Hypothesis is derandomized, a second round would repeat the first.
            (seed(round_number)(run) if round_number else run)()
    assert len(passed) == count, f"only {len(passed)} texts were tried"
