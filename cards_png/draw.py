"""Draw every deck, its 52 faces, back and empty places, and write them as PNG files beside this program.

Everything is drawn six times as large and averaged down, so edges are smooth; then each pixel takes the
nearest colour of the shared palette. Integer arithmetic and Pillow's own font throughout: running it again
gives the same bytes. Run ``python cards_png/draw.py`` or ``python -m cards_png.draw``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

if __package__ in (None, ""):  # run as a file: the packages are one folder up
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cards_png import shapes
from cards_png.style import (
    CLASSIC,
    STYLES,
    TEXT_STEPS,
    CardSize,
    Colour,
    Style,
    nearest,
    palette,
    ramp,
    text_pairs,
)
from engine.cards import DECK, Card, Rank, Suit

_HERE = Path(__file__).resolve().parent

SCALE = 6
"""The scale at which everything is drawn before it is reduced to the size of the card."""

_FONT_SIZE = 360  # for letters at the large scale; they are fitted into their box afterwards
_BOLD = 15  # outline width added to a letter at that size, which makes the regular face a bold one


class Sheet:
    """A card being drawn. Coordinates are pixels of the finished card, fractions allowed."""

    def __init__(self, size: CardSize, ground: Colour) -> None:
        self.size = size
        self.image = Image.new("RGB", (size.width * SCALE, size.height * SCALE), ground)
        self._pen = ImageDraw.Draw(self.image)

    def rounded(self, inset: float, radius: float, fill: Colour) -> None:
        """Fill the card's rectangle, ``inset`` from its edges."""
        far_x, far_y = self.size.width - inset, self.size.height - inset
        self.panel((inset, inset, far_x, far_y), radius, fill)

    def panel(self, box: tuple[float, float, float, float], radius: float, fill: Colour) -> None:
        """Fill a rectangle (left, top, right, bottom) with round corners."""
        left, top, right, bottom = (round(v * SCALE) for v in box)
        self._pen.rounded_rectangle((left, top, right - 1, bottom - 1), round(radius * SCALE), fill)

    def shape(self, shape: shapes.Shape, centre: shapes.Point, size: shapes.Point, fill: Colour) -> None:
        """Fill a shape stretched over the box of that width and height around ``centre``."""
        left, top = (centre[0] - size[0] / 2) * SCALE, (centre[1] - size[1] / 2) * SCALE
        # Pillow fills the pixels under the outline too, so the last one must lie inside of the box.
        wide, high = size[0] * SCALE - 1, size[1] * SCALE - 1
        for polygon in shape:
            self._pen.polygon([(left + x * wide, top + y * high) for x, y in polygon], fill)

    def suit(self, suit: Suit, centre: shapes.Point, height: float, fill: Colour) -> None:
        """Fill a suit's sign of that height around ``centre``."""
        self.shape(shapes.SUITS[suit], centre, (height * shapes.SUIT_WIDTHS[suit], height), fill)

    def letters(self, text: str, left: float, top: float, size: tuple[float, float], fill: Colour) -> None:
        """Fill letters stretched over a box of that width and height."""
        mask = _letters(text).resize((round(size[0] * SCALE), round(size[1] * SCALE)), Image.Resampling.BOX)
        self.image.paste(fill, (round(left * SCALE), round(top * SCALE)), mask)

    def finished(self, colours: tuple[Colour, ...]) -> Image.Image:
        """Return the card at its real size, mode "P"."""
        small = self.image.reduce(SCALE)
        values = iter(small.tobytes())
        indices = bytes(map(_nearest_in(colours).__getitem__, zip(values, values, values, strict=True)))
        image = Image.frombytes("P", small.size, indices)
        image.putpalette(bytes(v for colour in colours for v in colour))
        return image


class _Nearest(dict[Colour, int]):
    """Maps any colour to the index of the nearest one in a palette, and remembers it."""

    def __init__(self, colours: tuple[Colour, ...]) -> None:
        super().__init__()
        self._colours = colours

    def __missing__(self, colour: Colour) -> int:
        self[colour] = nearest(colour, self._colours)
        return self[colour]


@cache
def _nearest_in(colours: tuple[Colour, ...]) -> _Nearest:
    return _Nearest(colours)


@cache
def _letters(text: str) -> Image.Image:
    """Return bold letters as a mask, cropped to their ink; two letters are set close together."""
    font = ImageFont.load_default(_FONT_SIZE)
    mask = Image.new("L", (_FONT_SIZE * 2, _FONT_SIZE * 2), 0)
    pen = ImageDraw.Draw(mask)
    x = 60.0
    for letter in text:
        pen.text((x, 60), letter, 255, font, stroke_width=_BOLD, stroke_fill=255)
        x += font.getlength(letter) - 0.02 * _FONT_SIZE
    return mask.crop(mask.getbbox())


def rank_text(rank: Rank) -> str:
    """Return the text in the corner of a card: A, 2 … 10, J, Q or K."""
    return "10" if rank is Rank.TEN else rank.letter


def draw_face(card: Card, size: CardSize, style: Style) -> Sheet:
    """Draw one face: rank and suit side by side at the top, the picture below."""
    sheet = _blank_card(size, style)
    ink = style.suits[card.suit]
    _draw_index(sheet, card, style)
    if card.rank in (Rank.JACK, Rank.QUEEN, Rank.KING):
        _draw_court(sheet, card, ink, style)
    elif card.rank is Rank.ACE:
        _draw_ace(sheet, card.suit, ink, style)
    else:
        _draw_pip(sheet, card.suit, ink)
    return sheet


def _blank_card(size: CardSize, style: Style) -> Sheet:
    sheet = Sheet(size, style.felt)
    line = 1.5 if size.width > 80 else 1.0
    sheet.rounded(0, size.corner, style.edge)
    sheet.rounded(line, size.corner - line, style.paper)
    return sheet


def _draw_index(sheet: Sheet, card: Card, style: Style) -> None:
    """Draw rank and suit, both as high as the index; the rank gets narrower where the card ends."""
    size, ink = sheet.size, style.suits[card.suit]
    high, top, left = size.index_height, size.index_top, max(style.index_margin * size.width, 3.5)
    gap = style.index_gap * high
    suit_wide = high * shapes.SUIT_WIDTHS[card.suit]
    text = rank_text(card.rank)
    shape = _letters(text)
    room = size.width - 2 * left - gap - suit_wide
    wide = min(high * shape.width / shape.height, 1.42 * high, room)
    sheet.letters(text, left, top, (wide, high), ink)
    sheet.suit(card.suit, (left + wide + gap + suit_wide / 2, top + high / 2), high, ink)


def _middle(size: CardSize) -> tuple[float, float]:
    """Return the centre of the part of a card below the index."""
    return size.width / 2, (size.index_top + size.index_height + size.height) / 2


def _draw_pip(sheet: Sheet, suit: Suit, ink: Colour) -> None:
    sheet.suit(suit, _middle(sheet.size), 0.60 * sheet.size.width, ink)


def _draw_ace(sheet: Sheet, suit: Suit, ink: Colour, style: Style) -> None:
    """Draw the pip on a round shield with a thin gold line around it."""
    x, y = _middle(sheet.size)
    r = 0.42 * sheet.size.width
    sheet.shape((shapes.disc(0.5, 0.5, 0.5),), (x, y), (2 * r, 2 * r), style.gold)
    sheet.shape((shapes.disc(0.5, 0.5, 0.5),), (x, y), (2 * r - 3, 2 * r - 3), style.paper)
    sheet.shape((shapes.disc(0.5, 0.5, 0.5),), (x, y), (2 * r - 8, 2 * r - 8), style.panel)
    sheet.suit(suit, (x, y), 0.56 * sheet.size.width, ink)


def _draw_court(sheet: Sheet, card: Card, ink: Colour, style: Style) -> None:
    """Draw a framed panel, and in it the pip under the crown, coronet or feathered cap of its rank."""
    size = sheet.size
    margin = 0.085 * size.width
    top = size.index_top + size.index_height + 0.06 * size.width
    box = (margin, top, size.width - margin, size.height - margin)
    round_off = 0.05 * size.width
    sheet.panel(box, round_off, style.gold)
    inner = (box[0] + 2, box[1] + 2, box[2] - 2, box[3] - 2)
    sheet.panel(inner, round_off - 1, style.panel)
    x, room = size.width / 2, inner[3] - inner[1]
    crown_high, pip_high = 0.31 * room, 0.53 * room
    crown_wide = 1.75 * crown_high
    y = inner[1] + 0.05 * room
    for part, colour in zip(shapes.HEADGEAR[card.rank.letter], (ink, style.gold), strict=True):
        sheet.shape(part, (x, y + crown_high / 2), (crown_wide, crown_high), colour)
    y += crown_high + 0.05 * room
    sheet.suit(card.suit, (x, y + pip_high / 2), pip_high, ink)


def draw_back(size: CardSize, style: Style) -> Sheet:
    """Draw the back: a lattice in a frame, and in the middle a lozenge with the four suits."""
    sheet = _blank_card(size, style)
    margin = 3 if size.width > 80 else 2  # so narrow that the colour shows even where columns are tightest
    sheet.rounded(margin, size.corner - margin, style.back)
    _draw_lattice(sheet, margin + round(0.045 * size.width), style)
    x, y = size.width / 2, size.height / 2
    wide, high = 0.66 * size.width, 0.66 * size.width
    lozenge = (((0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5)),)
    for inset, colour in ((0, style.lattice), (5, style.back)):
        sheet.shape(lozenge, (x, y), (wide - inset, high - inset), colour)
    reach, pip = 0.135 * size.width, 0.15 * size.width
    places = ((0, -reach), (reach, 0), (0, reach), (-reach, 0))
    for suit, (dx, dy) in zip((Suit.SPADES, Suit.HEARTS, Suit.CLUBS, Suit.DIAMONDS), places, strict=True):
        sheet.suit(suit, (x + dx, y + dy), pip, style.lattice)
    return sheet


def _draw_lattice(sheet: Sheet, inset: int, style: Style) -> None:
    """Draw a net of thin diagonals inside a thin frame.

    Its meshes are a whole number of pixels, so that the same rows of pixels come again and again and
    compress well.
    """
    size = sheet.size
    mesh = round(size.width / 7.5)
    sheet.rounded(inset, 0.02 * size.width, style.lattice)
    sheet.rounded(inset + 1, 0.02 * size.width, style.back)
    corner = (inset + 1) * SCALE
    net = Image.new("RGB", (sheet.image.width - 2 * corner, sheet.image.height - 2 * corner), style.back)
    pen = ImageDraw.Draw(net)
    reach = net.height // 2
    for i in range(-20, 21):
        x = net.width // 2 + i * mesh * SCALE
        for lean in (reach, -reach):
            pen.line((x - lean, 0, x + lean, net.height), style.lattice, SCALE)
    sheet.image.paste(net, (corner, corner))


def draw_count(size: CardSize, style: Style) -> Sheet:
    """Draw the round plate in the middle of the stock that shows its number of cards."""
    across = round(0.68 * size.width)
    sheet = Sheet(CardSize(across, across, 0, 0), style.felt)
    disc = (shapes.disc(0.5, 0.5, 0.5),)
    for inset, colour in ((0, style.back), (4, style.paper), (9, style.back)):
        sheet.shape(disc, (across / 2, across / 2), (across - inset, across - inset), colour)
    return sheet


def _slot(size: CardSize, style: Style) -> Sheet:
    sheet = Sheet(size, style.felt)
    sheet.rounded(0, size.corner, style.rim)
    sheet.rounded(2, size.corner - 2, style.hollow)
    return sheet


def _slot_with(shape: shapes.Shape, share: float) -> Callable[[CardSize, Style], Sheet]:
    """Return a drawer of an empty place with a shape in it, ``share`` of the card's width wide."""

    def drawer(size: CardSize, style: Style) -> Sheet:
        sheet = _slot(size, style)
        wide = share * size.width
        sheet.shape(shape, (size.width / 2, size.height / 2), (wide, wide), style.rim)
        return sheet

    return drawer


SLOTS: dict[str, Callable[[CardSize, Style], Sheet]] = {
    "slot": _slot,
    "slot_redeal": _slot_with(shapes.arc_arrow(), 0.46),
    "slot_spent": _slot_with(shapes.cross(), 0.36),
    "slot_cell": _slot_with(shapes.brackets(), 0.52),
    "slot_discard": _slot_with(shapes.tray(), 0.44),
    **{f"slot_f{suit.letter.lower()}": _slot_with(shapes.SUITS[suit], 0.52) for suit in Suit},
}
"""Empty places by file name: a plain one, the stock that can and can't be turned over, cell, foundations …"""


def sheets(size: CardSize, style: Style = CLASSIC) -> Iterator[tuple[str, Image.Image]]:
    """Yield every picture of one size by file name without ending, mode "P"; index 0 is the felt."""
    colours = palette(style)
    for card in DECK:
        yield str(card), draw_face(card, size, style).finished(colours)
    yield "back", draw_back(size, style).finished(colours)
    yield "count", draw_count(size, style).finished(colours)
    for name, drawer in SLOTS.items():
        yield name, drawer(size, style).finished(colours)


def manifest(style: Style = CLASSIC) -> str:
    """Return as JSON what a renderer needs to know: the palette, the sizes, and indices by their use.

    ``ramps`` are palette indices from background to foreground, for drawing smooth letters.
    """
    colours = palette(style)
    facts = {
        "palette": ["#" + bytes(colour).hex() for colour in colours],
        "felt": colours.index(style.felt),
        "band": colours.index(style.band),
        "rim": colours.index(style.rim),
        "mark": colours.index(style.mark),
        "back": colours.index(style.back),
        "ramps": {
            name: [colours.index(colour) for colour in ramp(start, end, TEXT_STEPS)]
            for name, (start, end) in text_pairs(style).items()
        },
        "sizes": [
            {"width": s.width, "height": s.height, "index_height": s.index_height, "index_top": s.index_top}
            for s in style.sizes
        ],
    }
    return json.dumps(facts, indent=1) + "\n"


def save(image: Image.Image, path: Path) -> None:
    """Write one picture; the felt outside of a card's round corners is transparent in the file."""
    if not path.name.startswith("slot"):
        image.info["transparency"] = 0
    image.save(path, "PNG", compress_level=9)


def main(folder: Path = _HERE, style: Style = CLASSIC) -> None:
    """Write every picture and the manifest of one deck to ``folder / style.name``."""
    target = folder / style.name
    for size in style.sizes:
        (target / str(size.width)).mkdir(parents=True, exist_ok=True)
        for name, image in sheets(size, style):
            save(image, target / str(size.width) / f"{name}.png")
    (target / "manifest.json").write_text(manifest(style), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    argparse.ArgumentParser(description="Draw the cards again, into the folder of this program.").parse_args()
    for each in STYLES:
        main(style=each)
