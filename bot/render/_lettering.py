"""Writing on the table: any Unicode text as a strip of palette indices.

Pillow's own font has little more than ASCII. Accents and the Nordic letters are added here as strokes on its
letters; what is left is shown as a small empty box. Control characters, direction marks and loose accents
take no room and have no effect.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image

from bot.render._pen import Pen, can_draw

_ELLIPSIS = "…"
_MAX_CHARACTERS = 200  # more than a line holds; keeps the work bounded whatever is given


@dataclass(frozen=True, slots=True)
class Glyph:
    """One character: its coverage as an "L" image as high as the line, and how far the pen moves on."""

    image: Image.Image
    advance: int


@lru_cache(maxsize=512)
def line(text: str, size: int, ramp: tuple[int, ...], max_width: int) -> Image.Image:
    """Return ``text`` as one line in mode "P", cut off with an ellipsis at ``max_width`` pixels.

    ``size`` is the font size; the picture is ``line_height(size)`` high. ``ramp`` holds palette indices from
    background to foreground. The picture is shared: paste it, don't change it.
    """
    glyphs = _fitted([_glyph(character, size) for character in _drawable(text)], size, max_width)
    width = max(sum(glyph.advance for glyph in glyphs), 1)
    coverage = Image.new("L", (width + _overhang(size), line_height(size)), 0)
    x = 0
    for glyph in glyphs:
        coverage.paste(255, (x, 0), glyph.image)
        x += glyph.advance
    coverage = coverage.crop((0, 0, min(width + _overhang(size), max_width), coverage.height))
    steps = len(ramp) - 1
    indices = coverage.point([ramp[(value * steps + 127) // 255] for value in range(256)])
    return Image.frombytes("P", indices.size, indices.tobytes())


def line_height(size: int) -> int:
    """Return how high a line is, with room for accents above and tails below."""
    return round(1.3 * size)


def baseline(size: int) -> int:
    """Return how far below the top of a line the letters stand."""
    return size


def cap_height(size: int) -> int:
    """Return how high a capital letter or a digit is."""
    return round(0.72 * size)


def _overhang(size: int) -> int:
    return size // 10


def _fitted(glyphs: Sequence[Glyph], size: int, max_width: int) -> list[Glyph]:
    """Return the glyphs that fit, with an ellipsis at the end when some don't."""
    room = max_width - _overhang(size)
    if sum(glyph.advance for glyph in glyphs) <= room:
        return list(glyphs)
    ellipsis = _glyph(_ELLIPSIS, size)
    kept: list[Glyph] = []
    x = ellipsis.advance
    for glyph in glyphs:
        x += glyph.advance
        if x > room:
            break
        kept.append(glyph)
    return [*kept, ellipsis]


_SAME_LOOK = str.maketrans({"−": "-", "‐": "-", "‑": "-", "—": "–", "′": "’", "ß": "ss", "ẞ": "SS"})


def _drawable(text: str) -> Iterator[str]:
    """Yield the characters to draw: white space as blanks, nothing for what has no shape of its own."""
    for character in unicodedata.normalize("NFC", text[:_MAX_CHARACTERS]).translate(_SAME_LOOK):
        category = unicodedata.category(character)
        if character.isspace():
            yield " "
        elif category[0] == "M" or category in ("Cc", "Cf"):
            continue
        elif can_draw(character):
            yield character
        else:  # full-width letters, ligatures, superscripts and the like have a plain form
            plain = unicodedata.normalize("NFKC", character)
            yield from plain if all(map(can_draw, plain)) else "\ufffd"


@lru_cache(maxsize=2048)
def _glyph(character: str, size: int) -> Glyph:
    pen = Pen(size, line_height(size), baseline(size))
    pen.write(character)
    return Glyph(pen.image(), pen.advance)
