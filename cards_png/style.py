"""The look of the decks: colours, sizes, and the palette that a deck's cards and table share.

Every edge on the table runs between two known flat colours, so the palette is those colours and a few steps
between each pair that meet; no statistics over pixels, and the same palette on every machine.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

Colour = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class CardSize:
    """A size in which the cards are drawn, in pixels.

    ``index_height`` is the height of rank and suit in the corner, ``index_top`` the space above it.
    """

    width: int
    height: int
    index_height: int
    index_top: int

    @property
    def corner(self) -> float:
        """The radius of a corner."""
        return 0.075 * self.width


@dataclass(frozen=True, slots=True)
class Style:
    """One deck, and the table it is played on.

    ``suits`` stand in the order of ``engine.Suit``, ``sizes`` from the largest to the smallest.
    ``index_margin`` is the room beside rank and suit, in card widths (but 3.5 pixels at least), ``index_gap``
    the room between the two, in index heights. A four-colour deck differs in ``suits``, one with a large
    index in ``sizes`` and in the room around the index.
    """

    name: str = "classic"
    felt: Colour = (29, 94, 74)
    band: Colour = (19, 66, 52)
    hollow: Colour = (24, 81, 64)
    rim: Colour = (70, 136, 114)
    paper: Colour = (253, 252, 247)
    edge: Colour = (92, 98, 104)
    panel: Colour = (248, 235, 200)
    gold: Colour = (201, 146, 38)
    back: Colour = (38, 60, 112)
    lattice: Colour = (104, 134, 190)
    light: Colour = (255, 255, 255)
    quiet: Colour = (176, 214, 196)
    mark: Colour = (255, 204, 51)
    suits: tuple[Colour, Colour, Colour, Colour] = ((24, 26, 32), (204, 24, 36), (204, 24, 36), (24, 26, 32))
    sizes: tuple[CardSize, ...] = (
        CardSize(136, 190, 31, 4),
        CardSize(104, 146, 31, 4),
        CardSize(84, 118, 26, 4),
        CardSize(64, 90, 19, 3),
    )
    index_margin: float = 0.065
    index_gap: float = 0.16


CLASSIC = Style()

_GREEN = (0, 122, 84)
_BLUE = (24, 64, 220)
_RED, _BLACK = CLASSIC.suits[2:]
FOUR_COLOURS = replace(CLASSIC, name="four_colours", suits=(_GREEN, _BLUE, _RED, _BLACK))
"""Green clubs, blue diamonds, red hearts, black spades, as in card rooms.

Each has a contrast of 4.5 or more with paper and with panel. The green leans to blue and the blue is bright,
so that to those who see no red, no green or no blue no two suits become one colour.
"""

# The height of what columns show of a card while they have room, less the free rows above and below.
_LARGE_SIZES = (
    CardSize(136, 190, 48, 4),
    CardSize(104, 146, 44, 4),
    CardSize(84, 118, 36, 4),
    CardSize(64, 90, 26, 3),
)


def with_large_index(style: Style) -> Style:
    """Return the style with rank and suit as large as card and column allow.

    Colours, and so the palette, stay: where a column is tight its cards can be mixed with those of ``style``.
    """
    return replace(style, name=f"{style.name}_large", sizes=_LARGE_SIZES, index_margin=0.04, index_gap=0.1)


STYLES = (CLASSIC, with_large_index(CLASSIC), FOUR_COLOURS, with_large_index(FOUR_COLOURS))
"""All decks."""

TEXT_STEPS = 5
"""How many colours an anti-aliased letter on the table is drawn with, its background included."""


def text_pairs(style: Style) -> dict[str, tuple[Colour, Colour]]:
    """Return background and foreground of each kind of lettering on the table, by name."""
    return {
        "light_on_felt": (style.felt, style.light),
        "light_on_band": (style.band, style.light),
        "quiet_on_band": (style.band, style.quiet),
        "mark_on_band": (style.band, style.mark),
        "light_on_back": (style.back, style.light),
        "mark_on_felt": (style.felt, style.mark),
    }


def palette(style: Style) -> tuple[Colour, ...]:
    """Return every colour of the style once, the felt first; at most 128."""
    inks = tuple(dict.fromkeys(style.suits))
    found: dict[Colour, None] = {style.felt: None}
    ramps: list[tuple[Colour, Colour, int]] = [(a, b, TEXT_STEPS) for a, b in text_pairs(style).values()]
    ramps += [(style.paper, ink, 5) for ink in inks] + [(style.panel, ink, 4) for ink in inks]
    ramps += [
        (style.felt, style.edge, 4),
        (style.edge, style.paper, 4),
        (style.felt, style.hollow, 2),
        (style.felt, style.rim, 4),
        (style.hollow, style.rim, 4),
        (style.back, style.lattice, 4),
        (style.back, style.paper, 4),
        (style.panel, style.gold, 4),
        (style.paper, style.gold, 4),
        (style.paper, style.panel, 3),
    ]
    for start, end, steps in ramps:
        found.update(dict.fromkeys(ramp(start, end, steps)))
    return tuple(found)


def ramp(start: Colour, end: Colour, steps: int) -> tuple[Colour, ...]:
    """Return ``steps`` evenly spaced colours, both ends included."""
    return tuple(
        (
            _between(start[0], end[0], i, steps),
            _between(start[1], end[1], i, steps),
            _between(start[2], end[2], i, steps),
        )
        for i in range(steps)
    )


def _between(start: int, end: int, i: int, steps: int) -> int:
    return start + ((end - start) * i * 2 + steps - 1) // (2 * (steps - 1))


def nearest(colour: Colour, colours: tuple[Colour, ...]) -> int:
    """Return the index of the colour closest to ``colour``; green weighs most, blue least."""

    def distance(i: int) -> int:
        red, green, blue = (a - b for a, b in zip(colour, colours[i], strict=True))
        return 3 * red * red + 6 * green * green + 2 * blue * blue

    return min(range(len(colours)), key=distance)
