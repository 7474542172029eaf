"""Outlines of everything on a card that isn't a letter: suits, crowns, arrows.

A shape is a tuple of polygons that are filled with one colour. Their points lie in the unit square, x to the
right and y down, so that a shape can be placed into any box.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, pi, sin
from types import MappingProxyType

Point = tuple[float, float]
Polygon = tuple[Point, ...]
Shape = tuple[Polygon, ...]
Curve = tuple[Point, Point, Point]
"""A cubic Bézier curve from the current point: two control points and the end."""

_STEPS = 24


def path(start: Point, parts: Iterable[Curve | Point]) -> Polygon:
    """Return the polygon that starts at ``start`` and follows curves and straight lines (bare points)."""
    points = [start]
    for part in parts:
        if isinstance(part[0], tuple):
            points += _bezier(points[-1], part)
        else:
            points.append(part)
    return tuple(points)


def mirrored(half: Polygon) -> Polygon:
    """Return ``half``, which runs down on the right, closed with its mirror image at x = 0.5."""
    return half + tuple((1 - x, y) for x, y in reversed(half))


def disc(x: float, y: float, radius: float, height: float | None = None) -> Polygon:
    """Return a circle, or an ellipse when its vertical half axis ``height`` is given."""
    tall = radius if height is None else height
    return tuple((x + radius * cos(a * pi / 30), y + tall * sin(a * pi / 30)) for a in range(60))


def bar(left: float, top: float, right: float, bottom: float) -> Polygon:
    """Return a rectangle."""
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def _bezier(start: Point, curve: Curve) -> list[Point]:
    (x0, y0), ((x1, y1), (x2, y2), (x3, y3)) = start, curve
    points = []
    for step in range(1, _STEPS + 1):
        t = step / _STEPS
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        points.append((a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3))
    return points


# The foot of clubs and spades.
_STEM = mirrored(path((0.535, 0.62), (((0.54, 0.84), (0.60, 0.94), (0.74, 1.0)),)))

CLUB: Shape = (
    disc(0.5, 0.228, 0.228),
    disc(0.225, 0.595, 0.225),
    disc(0.775, 0.595, 0.225),
    ((0.45, 0.36), (0.55, 0.36), (0.60, 0.55), (0.55, 0.66), (0.45, 0.66), (0.40, 0.55)),
    _STEM,
)
DIAMOND: Shape = (
    mirrored(
        path(
            (0.5, 0.0),
            (((0.60, 0.19), (0.74, 0.36), (0.91, 0.5)), ((0.74, 0.64), (0.60, 0.81), (0.5, 1.0))),
        )
    ),
)
HEART: Shape = (
    mirrored(
        path(
            (0.5, 0.22),
            (
                ((0.54, 0.07), (0.63, 0.0), (0.745, 0.0)),
                ((0.89, 0.0), (1.0, 0.12), (1.0, 0.29)),
                ((1.0, 0.58), (0.64, 0.76), (0.5, 1.0)),
            ),
        )
    ),
)
SPADE: Shape = (
    mirrored(
        path(
            (0.5, 0.0),
            (
                ((0.57, 0.23), (1.0, 0.38), (1.0, 0.65)),
                ((1.0, 0.78), (0.90, 0.865), (0.775, 0.865)),
                ((0.66, 0.865), (0.57, 0.80), (0.535, 0.70)),
            ),
        )
    ),
    _STEM,
)
SUITS = (CLUB, DIAMOND, HEART, SPADE)
"""In the order of ``engine.Suit``."""
SUIT_WIDTHS = (1.0, 0.92, 1.0, 0.96)
"""The width of each at a height of 1."""

# The headgear on the pip of a court card, with another outline for each rank.
_KING: Shape = (
    mirrored(
        path(
            (0.5, 0.50),
            (
                ((0.55, 0.36), (0.66, 0.28), (0.79, 0.30)),
                ((0.99, 0.33), (1.04, 0.56), (0.91, 0.79)),
                (0.5, 0.79),
            ),
        )
    ),
    bar(0.46, 0.0, 0.54, 0.44),
    bar(0.37, 0.10, 0.63, 0.20),
)
_QUEEN: Shape = (
    mirrored(
        (
            (0.5, 0.20),
            (0.62, 0.55),
            (0.77, 0.22),
            (0.82, 0.57),
            (1.0, 0.32),
            (0.92, 0.79),
            (0.5, 0.79),
        )
    ),
    disc(0.5, 0.10, 0.065, 0.10),
    disc(0.775, 0.13, 0.06, 0.09),
    disc(0.225, 0.13, 0.06, 0.09),
    disc(0.975, 0.25, 0.055, 0.085),
    disc(0.025, 0.25, 0.055, 0.085),
)
_JACK: Shape = (
    path(
        (0.12, 0.79),
        (
            ((0.05, 0.45), (0.30, 0.30), (0.52, 0.34)),
            ((0.76, 0.37), (0.90, 0.55), (0.88, 0.79)),
        ),
    ),
    path(
        (0.66, 0.42),
        (
            ((0.60, 0.14), (0.80, -0.02), (1.06, 0.0)),
            ((1.04, 0.26), (0.94, 0.46), (0.74, 0.50)),
        ),
    ),
)
_BAND: Shape = (bar(0.07, 0.83, 0.93, 1.0),)
HEADGEAR = MappingProxyType({"J": (_JACK, _BAND), "Q": (_QUEEN, _BAND), "K": (_KING, _BAND)})
"""By the rank's letter: the part in the suit's colour, and the golden band below it."""


def arc_arrow() -> Shape:
    """Return a circular arrow, clockwise with a gap at the upper right: the waste can be turned over."""
    start, end, outer, inner = 0.0, 1.5, 0.5, 0.36
    angles = [pi * (start + (end - start) * i / 60) for i in range(61)]
    ring = [(0.5 + outer * cos(a), 0.5 + outer * sin(a)) for a in angles]
    ring += [(0.5 + inner * cos(a), 0.5 + inner * sin(a)) for a in reversed(angles)]
    head = ((0.5, -0.18), (0.5, 0.32), (0.84, 0.07))
    return (tuple(ring), head)


def cross() -> Shape:
    """Return a diagonal cross: nothing left."""
    return (
        ((0.0, 0.14), (0.14, 0.0), (1.0, 0.86), (0.86, 1.0)),
        ((0.86, 0.0), (1.0, 0.14), (0.14, 1.0), (0.0, 0.86)),
    )


def tray() -> Shape:
    """Return an arrow down into an open box: the discard pile."""
    return (
        bar(0.43, 0.0, 0.57, 0.40),
        ((0.22, 0.36), (0.78, 0.36), (0.5, 0.68)),
        bar(0.0, 0.56, 0.13, 1.0),
        bar(0.87, 0.56, 1.0, 1.0),
        bar(0.0, 0.87, 1.0, 1.0),
    )


def brackets() -> Shape:
    """Return four corners of a frame: the free cell, which holds one card."""
    long, thin = 0.30, 0.11
    corner = (bar(0.0, 0.0, long, thin), bar(0.0, 0.0, thin, long))
    return tuple(
        tuple((1 - x if right else x, 1 - y if low else y) for x, y in polygon)
        for right in (False, True)
        for low in (False, True)
        for polygon in corner
    )
