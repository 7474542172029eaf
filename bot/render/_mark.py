"""The mark around what the last move changed: a bright frame outside of the cards, so that it hides none."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from PIL import Image, ImageDraw

from bot.render._deck import Manifest
from bot.render.layout import Box, Layout

THICK_PX = 5  # on the table, beside the cards
THIN_PX = 2  # on a card that lies below, in the rows that its rank and suit leave free
_SCALE = 6  # corners are drawn so much larger and averaged down


class Span(NamedTuple):
    """Cards of one pile that lie one on another: the indices of the first and the last."""

    first: int
    last: int


def draw_mark(picture: Image.Image, facts: Manifest, plan: Layout, pile_name: str, span: Span) -> None:
    """Frame the cards of ``span`` on the picture, mode "P", whose deck has those ``facts``.

    Where the span lies on a card the frame is thin, and where another card lies on the span it is open.
    """
    boxes = plan.boxes[pile_name]
    box, opens = _visible_part(boxes, span)
    under = boxes[span.first - 1] if span.first else box
    thin = "top" if under.top < box.top else "left" if under.left < box.left else ""
    _draw_frame(picture, facts, box, thin, opens, round(0.075 * plan.card.width))


def _visible_part(boxes: tuple[Box, ...], span: Span) -> tuple[Box, str]:
    """Return what is seen of the span, and its side that another card covers: "bottom", "right" or ""."""
    first, last = boxes[span.first], boxes[span.last]
    right, bottom, opens = last.right, last.bottom, ""
    if span.last + 1 < len(boxes):
        cover = boxes[span.last + 1]
        if cover.top > last.top:
            bottom, opens = cover.top, "bottom"
        elif cover.left > last.left:
            right, opens = cover.left, "right"
    return Box(first.left, first.top, right - first.left, bottom - first.top), opens


def _draw_frame(picture: Image.Image, facts: Manifest, box: Box, thin: str, opens: str, radius: int) -> None:
    """Draw four bars around ``box`` and round off the corners where two thick ones meet."""
    wide = {side: THIN_PX if side == thin else 0 if side == opens else THICK_PX for side in _SIDES}
    left, top = box.left - wide["left"], box.top - wide["top"]
    right, bottom = box.right + wide["right"], box.bottom + wide["bottom"]
    rounded = {(x, y) for x in ("left", "right") for y in ("top", "bottom") if wide[x] == wide[y] == THICK_PX}
    cut = {corner: radius + THICK_PX if corner in rounded else 0 for corner in _CORNERS}
    bars = (
        (left, top + cut["left", "top"], box.left, bottom - cut["left", "bottom"]),
        (box.right, top + cut["right", "top"], right, bottom - cut["right", "bottom"]),
        (left + cut["left", "top"], top, right - cut["right", "top"], box.top),
        (left + cut["left", "bottom"], box.bottom, right - cut["right", "bottom"], bottom),
    )
    for bar in bars:
        if bar[0] < bar[2] and bar[1] < bar[3]:
            picture.paste(facts.mark, bar)
    for x, y in rounded:
        corner, mask = _corner(x, y, radius, facts.ramps["mark_on_felt"])
        place = (left if x == "left" else right - corner.width, top if y == "top" else bottom - corner.height)
        picture.paste(corner, place, mask)


_SIDES = ("left", "top", "right", "bottom")
_CORNERS = tuple((x, y) for x in ("left", "right") for y in ("top", "bottom"))


@lru_cache(maxsize=32)
def _corner(x: str, y: str, radius: int, ramp: tuple[int, ...]) -> tuple[Image.Image, Image.Image]:
    """Return a quarter of a ring around a card's corner, mode "P", and where it is to be laid.

    ``ramp`` holds palette indices from the table's to the mark's.
    """
    reach = radius + THICK_PX
    large = Image.new("L", (2 * reach * _SCALE,) * 2, 0)
    far, inset = 2 * reach * _SCALE - 1, THICK_PX * _SCALE
    pen = ImageDraw.Draw(large)
    pen.ellipse((0, 0, far, far), 255)
    pen.ellipse((inset, inset, far - inset, far - inset), 0)
    left, top = (0 if x == "left" else reach), (0 if y == "top" else reach)
    ring = large.reduce(_SCALE).crop((left, top, left + reach, top + reach))
    steps = len(ramp) - 1
    indices = ring.point([ramp[(value * steps + 127) // 255] for value in range(256)])
    mask = ring.point([255 if value > 255 // (2 * steps) else 0 for value in range(256)], "1")
    return Image.frombytes("P", indices.size, indices.tobytes()), mask
