"""How scores are distributed, as a PNG picture of bars: for a leaderboard and for a player's statistics.

It has the colours and the lettering of the tables. Writings are few and large, so that they can be read where
a phone shows the picture 400 pixels wide. Every function may be called from several threads at once.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import count
from typing import NamedTuple

from PIL import Image, ImageDraw

from bot.render import _lettering as lettering
from bot.render._deck import Manifest, Piece, manifest
from bot.render._png import png_of
from bot.render.layout import HEADER_PX, WIDTH_PX

__all__ = ["HEIGHT_PX", "BarCaptions", "draw_bars"]

HEIGHT_PX = 600

_MARGIN = 28  # between the picture's edge and what is written or drawn
_HEADER_FONT = 30
_FONT = 34  # of everything below the header
_SPACE = 30  # between two writings in the header or above the bars
_SUBTITLE_SHARE = 0.45  # of the header's width, at most
_LANE = 46  # the height of a line of writing below the header
_PADDING = 8  # below the header and at the bottom
_ARROW_ROOM = 32  # between the writings above and the highest bar
_ARROW_HEIGHT = 19
_ARROW_WIDTH = 21
_ARROW_GAP = 4  # between the arrow's point and its bar
_LINE_PX = 3  # the mean's line and the arrow's
_DASH, _DASH_PITCH = 12, 20  # of the mean's line
_SHADE_PX = 2  # on either side of it
_AXIS_PX = 3
_GRID_PX = 2
_TICK_PX = 9  # how far a tick reaches down from the axis
_TICK_MARGIN = 8  # between a score below the axis and the picture's edge
_TICK_GAP = 16  # the least room between two scores below the axis
_COUNT_GAP = 14  # between a count and the bars
_MOST_COUNTS = 4
_WIDEST_COUNT = 260
_STEP = 5  # a part of the scores begins at a multiple of it
_NARROWEST_PART = 15
_WIDEST_PART = 30  # where more is needed all scores are shown
_WIDEST_BAR = 63
_BAR_SHADES = 3  # of the ramp to white: a bar is darker, so that a white line is seen on it
_RADIUS = 6  # of a bar's upper corners
_LEAST_HEIGHT = _RADIUS  # of a bar: one player among thousands must be seen, too
_MIDDLE = lettering.baseline(_FONT) - lettering.cap_height(_FONT) // 2  # of digits, from a line's top
_SCALE = 6  # what is not upright is drawn so much larger and averaged down


@dataclass(frozen=True, slots=True)
class BarCaptions:
    """What is written on the picture, in the reader's language; whatever is "" is left out.

    ``title`` ("Klondike · today") and ``subtitle`` ("34 players") stand in the header, ``own`` ("you: 23")
    above the marked bar, ``mean`` ("average 21.4") above its line, ``axis`` ("score") below the scores. Any
    text does: what can't be drawn becomes a small box, what is too long ends in "…".
    """

    title: str = ""
    subtitle: str = ""
    own: str = ""
    mean: str = ""
    axis: str = ""


def draw_bars(
    counts: Mapping[int, int],
    captions: BarCaptions,
    own: int | None = None,
    mean: float | None = None,
    *,
    full: int,
) -> bytes:
    """Return how often each score was reached as a PNG file, 1100 by 600 pixels.

    ``counts`` may leave out scores that nobody has; ``full`` is the highest score there can be. An arrow
    points at the bar of the score ``own``, or at its place on the axis where it has none, and a dashed line
    stands at ``mean``. Where all of these lie close together, only that part of the scores is shown.

    :raises ValueError: when a score is not in 0 … ``full``, or a count is negative.
    """
    for score in (*counts, own, mean):
        if score is not None and not 0 <= score <= full:
            raise ValueError(f"{score} is not in 0 … {full}")
    if any(number < 0 for number in counts.values()):
        raise ValueError("a count is negative")
    used = {score: number for score, number in counts.items() if number}
    return png_of(_compose(used, captions, own, mean, full))


class _Axis:
    """Where the scores ``first`` … ``last`` lie in the pixels ``left`` … ``right``."""

    def __init__(self, first: int, last: int, left: int, right: int) -> None:
        self.first, self.last = first, last
        self.left, self.right = left, right
        shown = last - first + 1
        self._pitch = (right - left) // shown
        self._start = left + (right - left - shown * self._pitch) // 2
        # An odd number of pixels, so that a line can stand on the middle.
        self.bar_width = min(self._pitch - max(self._pitch // 5, 2), _WIDEST_BAR) - 1 | 1

    def x(self, score: float) -> int:
        """Return the middle of a score's bar; a mean lies between two of them."""
        return self._start + round((score - self.first) * self._pitch) + self._pitch // 2


class _Writing(NamedTuple):
    """A line of text as a picture, and where it begins."""

    image: Image.Image
    left: int

    @property
    def right(self) -> int:
        """The first column of pixels right of it."""
        return self.left + self.image.width

    def meets(self, other: _Writing, space: int) -> bool:
        """True when the two, in the same row, have less than ``space`` between them."""
        return self.left < other.right + space and other.left < self.right + space


def _compose(
    counts: Mapping[int, int], captions: BarCaptions, own: int | None, mean: float | None, full: int
) -> Image.Image:
    """Return the picture, mode "P". No count is 0."""
    facts = manifest()
    light, mark = facts.ramps["light_on_felt"], facts.ramps["mark_on_felt"]
    picture = _ground().copy()
    _write_header(picture, captions, facts)

    most = max(counts.values(), default=0)
    labels = {number: _line(_grouped(number), light[:-1], _WIDEST_COUNT) for number in _round_counts(most)}
    left = _MARGIN + max((label.width + _COUNT_GAP for label in labels.values()), default=0)
    marked = [score for score in (own, mean) if score is not None]
    axis = _Axis(*_part_shown([*counts, *marked], full), left, WIDTH_PX - _MARGIN)

    # The mean's writing and the own one share a lane unless they would meet; then the mean's is above.
    own_sign = None if own is None else _centred(captions.own, mark, axis.x(own), _MARGIN)
    mean_sign = None if mean is None else _centred(captions.mean, light, axis.x(mean), _MARGIN)
    upper = lower = HEADER_PX + _PADDING
    if own_sign is not None and mean_sign is not None and own_sign.meets(mean_sign, _SPACE):
        lower += _LANE
    top = lower + _ARROW_ROOM + (_LANE if marked else 0)
    base = HEIGHT_PX - _PADDING - _TICK_PX - (2 if captions.axis.strip() else 1) * _LANE
    heights = {score: _height(number, most, base - top) for score, number in counts.items()}

    for number, label in labels.items():
        y = base - _height(number, most, base - top)
        picture.paste(facts.rim, (axis.left, y, axis.right, y + _GRID_PX))
        picture.paste(label, (axis.left - _COUNT_GAP - label.width, y - _MIDDLE))
    for score, height in heights.items():
        _draw_bar(picture, axis, score, base, height, mark if score == own else light[:_BAR_SHADES])
    if mean is not None and mean_sign is not None:
        _draw_mean(picture, axis.x(mean), upper + _LANE, base, facts)
        picture.paste(mean_sign.image, (mean_sign.left, upper))
    if own is not None and own_sign is not None:
        _draw_arrow(picture, axis.x(own), lower + _LANE, base - heights.get(own, 0), mark)
        picture.paste(own_sign.image, (own_sign.left, lower))
    _draw_axis(picture, axis, base, _ticks(axis, max(counts, default=None), own, facts), facts)
    if captions.axis.strip():
        image = _line(captions.axis, light[:-1], axis.right - axis.left)
        middle = (axis.left + axis.right) // 2
        picture.paste(image, (middle - image.width // 2, base + _TICK_PX + _LANE))
    return picture


@lru_cache(maxsize=1)
def _ground() -> Image.Image:
    """Return the felt with the band for the header. Shared: copy it."""
    facts = manifest()
    ground = Image.new("P", (WIDTH_PX, HEIGHT_PX), facts.felt)
    ground.putpalette(facts.palette)
    ground.paste(facts.band, (0, 0, WIDTH_PX, HEADER_PX))
    return ground


def _write_header(picture: Image.Image, captions: BarCaptions, facts: Manifest) -> None:
    """Write the subtitle at the right, and the title in what is left."""
    room = WIDTH_PX - 2 * _MARGIN
    base = (HEADER_PX + lettering.cap_height(_HEADER_FONT)) // 2
    top = base - lettering.baseline(_HEADER_FONT)
    if captions.subtitle.strip():
        ink = facts.ramps["quiet_on_band"]
        image = lettering.line(captions.subtitle, _HEADER_FONT, ink, round(_SUBTITLE_SHARE * room))
        picture.paste(image, (WIDTH_PX - _MARGIN - image.width, top))
        room -= image.width + _SPACE
    if captions.title.strip():
        image = lettering.line(captions.title, _HEADER_FONT, facts.ramps["light_on_band"], room)
        picture.paste(image, (_MARGIN, top))


def _line(text: str, ramp: tuple[int, ...], room: int) -> Image.Image:
    return lettering.line(text, _FONT, ramp, room)


def _centred(text: str, ramp: tuple[int, ...], x: int, margin: int) -> _Writing:
    """Return a text with its middle at ``x``, or as near to it as the margin allows."""
    image = _line(text, ramp, WIDTH_PX - 2 * margin)
    left = min(max(x - image.width // 2, margin), WIDTH_PX - margin - image.width)
    return _Writing(image, left)


def _grouped(number: int) -> str:
    """Return a number with a blank between each three digits, as every language can read it."""
    return f"{number:,}".replace(",", " ")


def _round_counts(most: int) -> range:
    """Return the counts to be written at the left: at most four of them, and none when there is nobody."""
    steps = (digit * 10**zeros for zeros in count() for digit in (1, 2, 5))
    step = next(step for step in steps if most // step <= _MOST_COUNTS)
    return range(step, most + 1, step)


def _part_shown(scores: Collection[float], full: int) -> tuple[int, int]:
    """Return the first and the last score to be shown: all of them, or a part with all ``scores`` in it."""
    if not scores:
        return 0, full
    first = int(min(scores)) // _STEP * _STEP
    last = min(-int(-max(scores) // _STEP) * _STEP, full)
    while last - first < min(_NARROWEST_PART, full):
        first, last = max(first - _STEP, 0), min(last + _STEP, full)
    return (first, last) if last - first <= _WIDEST_PART else (0, full)


def _ticks(axis: _Axis, highest: int | None, own: int | None, facts: Manifest) -> dict[int, _Writing]:
    """Return what is written below the axis: the own score, the highest, and round ones that find room."""
    step = _STEP if axis.last - axis.first <= _WIDEST_PART else 2 * _STEP
    wished = [own, highest, *range(axis.first, axis.last + 1, step)]
    ticks: dict[int, _Writing] = {}
    for score in wished:
        if score is not None:
            ink = facts.ramps["mark_on_felt"] if score == own else facts.ramps["light_on_felt"]
            writing = _centred(str(score), ink, axis.x(score), _TICK_MARGIN)
            if not any(writing.meets(other, _TICK_GAP) for other in ticks.values()):
                ticks[score] = writing
    return ticks


def _height(number: int, most: int, room: int) -> int:
    """Return how high a bar is when the highest fills the room; it is never too low to be seen."""
    return max(room * number // most, _LEAST_HEIGHT)


def _draw_axis(
    picture: Image.Image, axis: _Axis, base: int, ticks: Mapping[int, _Writing], facts: Manifest
) -> None:
    ink = facts.ramps["light_on_felt"][-2]
    picture.paste(ink, (axis.left, base, axis.right, base + _AXIS_PX))
    for score, writing in ticks.items():
        x = axis.x(score)
        picture.paste(ink, (x - 1, base + _AXIS_PX, x + 2, base + _TICK_PX))
        picture.paste(writing.image, (writing.left, base + _TICK_PX))


def _draw_bar(
    picture: Image.Image, axis: _Axis, score: int, base: int, height: int, ramp: tuple[int, ...]
) -> None:
    """Draw a bar with rounded upper corners."""
    left, top = axis.x(score) - axis.bar_width // 2, base - height
    right = left + axis.bar_width
    end = _bar_end(axis.bar_width, ramp)
    picture.paste(end.image, (left, top), end.mask)
    picture.paste(ramp[-1], (left, top + end.image.height, right, base))


def _draw_mean(picture: Image.Image, x: int, top: int, base: int, facts: Manifest) -> None:
    """Draw a dashed line; bars are darker beside it, so that it is as clear on them as between them."""
    light, mark = facts.ramps["light_on_felt"], facts.ramps["mark_on_felt"]
    half = _LINE_PX // 2
    box = (x - half - _SHADE_PX, top, x + half + 1 + _SHADE_PX, base)
    beside = picture.crop(box)
    darker = bytes(
        {light[_BAR_SHADES - 1]: light[_BAR_SHADES - 2], mark[-1]: mark[-3]}.get(index, index)
        for index in range(256)
    )
    picture.paste(Image.frombytes("P", beside.size, beside.tobytes().translate(darker)), box)
    for y in range(top, base, _DASH_PITCH):
        picture.paste(light[-1], (x - half, y, x + half + 1, min(y + _DASH, base)))


def _draw_arrow(picture: Image.Image, x: int, top: int, end: int, ramp: tuple[int, ...]) -> None:
    """Draw an arrow that comes down from ``top`` and stops just above ``end``."""
    head = _arrow_head(ramp)
    point = end - _ARROW_GAP
    picture.paste(ramp[-1], (x - _LINE_PX // 2, top, x + _LINE_PX // 2 + 1, point - head.image.height + 1))
    picture.paste(head.image, (x - head.image.width // 2, point - head.image.height), head.mask)


@lru_cache(maxsize=64)
def _bar_end(width: int, ramp: tuple[int, ...]) -> Piece:
    """Return the upper end of a bar, as high as its corners are round."""
    radius = min(_RADIUS, width // 3)
    large = Image.new("L", (width * _SCALE, radius * _SCALE), 0)
    box = (0, 0, width * _SCALE - 1, 3 * radius * _SCALE)
    ImageDraw.Draw(large).rounded_rectangle(box, radius * _SCALE, 255)
    return _smooth(large, ramp)


@lru_cache(maxsize=4)
def _arrow_head(ramp: tuple[int, ...]) -> Piece:
    """Return a triangle that points down."""
    large = Image.new("L", (_ARROW_WIDTH * _SCALE, _ARROW_HEIGHT * _SCALE), 0)
    right, bottom = large.width - 1, large.height - 1
    ImageDraw.Draw(large).polygon(((0, 0), (right, 0), (right / 2, bottom)), 255)
    return _smooth(large, ramp)


def _smooth(large: Image.Image, ramp: tuple[int, ...]) -> Piece:
    """Return a shape averaged down, in the colours of ``ramp``; its background covers nothing."""
    coverage = large.reduce(_SCALE)
    steps = len(ramp) - 1
    indices = coverage.point([ramp[(value * steps + 127) // 255] for value in range(256)])
    mask = indices.point([0 if index == ramp[0] else 255 for index in range(256)], "1")
    return Piece(Image.frombytes("P", indices.size, indices.tobytes()), mask)
