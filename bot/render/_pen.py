"""One character at a time: Pillow's own font, and what it lacks put together from its letters and strokes.

Lengths in this module are in ems, the font size being 1, from the pen's place on the baseline upwards.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from threading import Lock
from types import MappingProxyType

from PIL import Image, ImageDraw, ImageFont

_SCALE = 4  # everything is drawn so much larger and averaged down
_BOLD = 0.022  # outline added to the regular face
_STROKE = 0.085  # thickness of accents and dashes
_LEAST_ADVANCE = 0.25  # of a blank and of thin letters
_BEARING = 0.04  # blank on the left, for outlines that reach back

Stroke = tuple[tuple[float, float], ...]

# A FreeType face must not be used by two threads at once.
_font_lock = Lock()

# Accents above, as strokes around the letter's middle and up from its top; a single point is a dot.
_ABOVE: MappingProxyType[str, tuple[Stroke, ...]] = MappingProxyType(
    {
        "\u0300": (((-0.10, 0.18), (0.04, 0.06)),),  # grave
        "\u0301": (((0.10, 0.18), (-0.04, 0.06)),),  # acute
        "\u0302": (((-0.13, 0.06), (0.0, 0.17), (0.13, 0.06)),),  # circumflex
        "\u0303": (((-0.15, 0.08), (-0.07, 0.13), (0.07, 0.08), (0.15, 0.13)),),  # tilde
        "\u0304": (((-0.14, 0.10), (0.14, 0.10)),),  # macron
        "\u0306": (((-0.13, 0.16), (-0.06, 0.08), (0.06, 0.08), (0.13, 0.16)),),  # breve
        "\u0307": (((0.0, 0.11),),),  # dot
        "\u0308": (((-0.11, 0.11),), ((0.11, 0.11),)),  # diaeresis
        "\u030b": (((-0.02, 0.18), (-0.12, 0.06)), ((0.16, 0.18), (0.06, 0.06))),  # double acute
        "\u030c": (((-0.13, 0.17), (0.0, 0.06), (0.13, 0.17)),),  # caron
    }
)
# Marks below, around the letter's middle and from the baseline.
_BELOW: MappingProxyType[str, tuple[Stroke, ...]] = MappingProxyType(
    {
        "\u0323": (((0.0, -0.13),),),  # dot below
        "\u0326": (((0.03, -0.08), (-0.04, -0.20)),),  # comma below
        "\u0327": (((0.0, -0.02), (0.06, -0.09), (0.04, -0.17), (-0.08, -0.19)),),  # cedilla
        "\u0328": (((0.10, 0.0), (0.03, -0.09), (0.06, -0.17), (0.15, -0.18)),),  # ogonek
    }
)
_RING = "\u030a"
_TALL = frozenset("bdfhklt")
# A letter and what is laid over it: strokes in ems from the letter's left end.
_STRUCK: MappingProxyType[str, tuple[str, Stroke]] = MappingProxyType(
    {
        "ø": ("o", ((0.07, -0.05), (0.52, 0.59))),
        "Ø": ("O", ((0.09, -0.05), (0.69, 0.76))),
        "đ": ("d", ((0.28, 0.63), (0.64, 0.63))),
        "Đ": ("D", ((0.0, 0.36), (0.34, 0.36))),
        "ł": ("l", ((0.0, 0.27), (0.24, 0.45))),
        "Ł": ("L", ((0.0, 0.24), (0.34, 0.46))),
        "ħ": ("h", ((0.0, 0.63), (0.36, 0.63))),
    }
)
# Two letters drawn into each other, and by how much.
_JOINED = MappingProxyType({"æ": ("ae", 0.10), "Æ": ("AE", 0.27), "œ": ("oe", 0.10), "Œ": ("OE", 0.27)})
# Strokes alone, and how far they move the pen.
_DRAWN: MappingProxyType[str, tuple[tuple[Stroke, ...], float]] = MappingProxyType(
    {
        "–": ((((0.06, 0.27), (0.48, 0.27)),), 0.54),
        "×": ((((0.09, 0.10), (0.43, 0.44)), ((0.09, 0.44), (0.43, 0.10))), 0.52),
        "•": ((((0.16, 0.27),),), 0.32),
        "→": ((((0.06, 0.27), (0.70, 0.27)), ((0.48, 0.47), (0.70, 0.27), (0.48, 0.07))), 0.80),
        "▶": (
            (  # its outline, and again inside of it until it is full
                ((0.13, 0.58), (0.13, 0.02), (0.57, 0.30), (0.13, 0.58)),
                ((0.19, 0.47), (0.19, 0.13), (0.46, 0.30), (0.19, 0.47)),
                ((0.25, 0.36), (0.25, 0.24), (0.34, 0.30), (0.25, 0.36)),
            ),
            0.74,
        ),
        "←": ((((0.10, 0.27), (0.74, 0.27)), ((0.32, 0.47), (0.10, 0.27), (0.32, 0.07))), 0.80),
    }
)
_DOTLESS = "ı"
_MISSING = "\ufffd"


def can_draw(character: str) -> bool:
    """True when a pen can write the character so that it can be recognised."""
    if any(character in drawn for drawn in (_STRUCK, _JOINED, _DRAWN, (_DOTLESS, _MISSING))):
        return True
    return _in_font(character) or _accented(character) is not None


@lru_cache(maxsize=8)
def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise TypeError("this build of Pillow has no FreeType, without which it can't draw smooth letters")
    return font


@lru_cache(maxsize=1024)
def _in_font(character: str) -> bool:
    """True when the font doesn't draw its sign for missing characters."""
    if not character.isprintable():
        return False
    with _font_lock:
        font = _font(40)
        found, missing = font.getmask(character), font.getmask("\uffff")
    return (found.size, bytes(found)) != (missing.size, bytes(missing))


def _accented(character: str) -> tuple[str, list[str]] | None:
    """Return the plain letter and its marks, or None when a pen can't put them together."""
    base, *marks = list(unicodedata.normalize("NFD", character))
    known = all(mark in _ABOVE or mark in _BELOW or mark == _RING for mark in marks)
    return (base, marks) if marks and known and _in_font(base) else None


class Pen:
    """Writes one character of font size ``size`` on a line of ``height`` pixels.

    ``baseline`` is how far below the line's top the character stands.
    """

    def __init__(self, size: int, height: int, baseline: int) -> None:
        self._em = size * _SCALE
        self._baseline = baseline * _SCALE
        self._canvas = Image.new("L", (2 * self._em, height * _SCALE), 0)
        self._draw = ImageDraw.Draw(self._canvas)
        self._end = 0.0

    @property
    def advance(self) -> int:
        """How far the next character stands from this one, in pixels."""
        return max(round(self._end * self._em / _SCALE), 1)

    def image(self) -> Image.Image:
        """Return what was written, mode "L", as high as the line."""
        wide = min((self.advance + round((_BEARING + 0.12) * self._em / _SCALE)) * _SCALE, self._canvas.width)
        return self._canvas.crop((0, 0, wide, self._canvas.height)).reduce(_SCALE)

    def write(self, character: str) -> None:
        """Write a character that ``can_draw`` admits."""
        if character in _STRUCK:
            letter, stroke = _STRUCK[character]
            self._letters(letter)
            self._strokes((stroke,), 0.0, 0.0, 0.8)
        elif character in _JOINED:
            self._letters(*_JOINED[character])
        elif character in _DRAWN:
            strokes, self._end = _DRAWN[character]
            self._strokes(strokes, 0.0, 0.0)
        elif character == _DOTLESS:
            self._dotless("i")
        elif character == _MISSING:
            self._box()
        elif _in_font(character):
            self._letters(character)
        else:
            self._write_accented(character)

    def _write_accented(self, character: str) -> None:
        base, marks = _accented(character) or (_MISSING, [])
        if base in "ij" and not all(mark in _BELOW for mark in marks):
            self._dotless(base)
        else:
            self._letters(base)
        middle = self._end / 2
        top = 0.71 if base.isupper() or base in _TALL else 0.55
        for mark in marks:
            if mark == _RING:
                self._ring(middle, top + 0.115)
            elif mark in _ABOVE:
                self._strokes(_ABOVE[mark], middle, top)
            else:
                self._strokes(_BELOW[mark], middle, 0.0)

    def _letters(self, letters: str, overlap: float = 0.0) -> None:
        with _font_lock:
            font = _font(self._em)
            for i, letter in enumerate(letters):
                x = (_BEARING + self._end - (overlap if i else 0.0)) * self._em
                width = _BOLD * self._em
                place = (x, self._baseline)
                self._draw.text(place, letter, 255, font, "ls", stroke_width=width, stroke_fill=255)
                self._end += max(font.getlength(letter) / self._em, _LEAST_ADVANCE) - (overlap if i else 0.0)

    def _dotless(self, letter: str) -> None:
        self._letters(letter)
        self._draw.rectangle((0, 0, self._canvas.width, self._baseline - 0.585 * self._em), 0)

    def _strokes(self, strokes: tuple[Stroke, ...], x: float, y: float, weight: float = 1.0) -> None:
        """Draw lines with round ends; ``weight`` thins them."""
        thick = _STROKE * weight * self._em
        for stroke in strokes:
            points = [self._place(x + dx, y + dy) for dx, dy in stroke]
            self._draw.line(points, 255, round(thick))
            radius = thick / 2 if len(points) > 1 else 0.62 * thick
            for px, py in points:
                self._draw.ellipse((px - radius, py - radius, px + radius, py + radius), 255)

    def _ring(self, x: float, y: float) -> None:
        radius = 0.105
        box = (*self._place(x - radius, y + radius), *self._place(x + radius, y - radius))
        self._draw.ellipse(box, None, 255, round(0.06 * self._em))

    def _box(self) -> None:
        """Draw the sign for a character that can't be drawn: a small empty box."""
        box = (*self._place(0.08, 0.60), *self._place(0.50, 0.04))
        self._draw.rounded_rectangle(box, 0.08 * self._em, None, 255, round(0.06 * self._em))
        self._end = 0.60

    def _place(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point in ems lies on the canvas."""
        return (_BEARING + x) * self._em, self._baseline - y * self._em
