"""A table as a PNG picture.

Cards and table share one palette, so the picture is put together by copying palette indices: no pixel is
blended, and the file holds one byte a pixel. Every function may be called from several threads at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO

from PIL import Image

from bot.render import _lettering as lettering
from bot.render._deck import Piece, manifest, pieces
from bot.render._mark import Span, draw_mark
from bot.render.layout import HEADER_PX, HEIGHT_PX, WIDTH_PX, Box, Layout, first_visible, layout
from engine.table import Pile, PileKind, Table

_MARGIN = 28  # of the writing in the header
_HEADER_FONT = 30
_LABEL_FONT = 35
_SPACE = 30  # between two writings in the header
_TITLE_SHARE = 0.45  # of the header's width, at most
_ASIDE_SHARE = 0.22  # the same for the score and for the passes
_COMPRESS_LEVEL = 5


@dataclass(frozen=True, slots=True)
class Captions:
    """What is written in the header, in the reader's language; whatever is "" is left out.

    ``title`` is the game and its rules ("Klondike · draw 1"), ``seed`` what the player typed, ``score`` and
    ``passes`` stand at the right ("Score 12/52", "Pass 1 of 3"). Any text does: what can't be drawn becomes
    a small box, what is too long ends in "…".
    """

    title: str = ""
    seed: str = ""
    score: str = ""
    passes: str = ""


def draw_table(table: Table, captions: Captions, changed: frozenset[tuple[str, int]] = frozenset()) -> bytes:
    """Return the picture of a table as a PNG file, 1100 by 732 pixels.

    ``changed`` are the cards to mark, as (pile name, index from the bottom); those that can't be seen are
    passed over.
    """
    return encode(compose(table, captions, changed))


def compose(
    table: Table, captions: Captions, changed: frozenset[tuple[str, int]] = frozenset()
) -> Image.Image:
    """Return the picture of a table, mode "P"."""
    plan = layout(table)
    deck = pieces(plan.card.width)
    picture = _ground().copy()
    _write_header(picture, captions)
    for label in plan.labels:
        _write(picture, label.text, _LABEL_FONT, "light_on_felt", (label.x, label.baseline))
    for pile in table.piles:
        if pile.cards:
            _lay_pile(picture, pile, plan, deck, _changed_spans(pile, changed))
        else:
            _lay(picture, deck[_slot_name(pile, table)], plan.slot(pile.name))
    return picture


def encode(picture: Image.Image) -> bytes:
    """Return a picture in mode "P" as a PNG file."""
    file = BytesIO()
    picture.save(file, "PNG", compress_level=_COMPRESS_LEVEL)
    return file.getvalue()


@lru_cache(maxsize=1)
def _ground() -> Image.Image:
    """Return the empty table with the band for the header. Shared: copy it."""
    facts = manifest()
    ground = Image.new("P", (WIDTH_PX, HEIGHT_PX), facts.felt)
    ground.putpalette(facts.palette)
    ground.paste(facts.band, (0, 0, WIDTH_PX, HEADER_PX))
    return ground


def _lay(picture: Image.Image, piece: Piece, box: Box) -> None:
    picture.paste(piece.image, box.corners[:2], piece.mask)


def _lay_pile(
    picture: Image.Image, pile: Pile, plan: Layout, deck: Mapping[str, Piece], spans: Sequence[Span]
) -> None:
    """Lay the cards that are seen; the mark around a span comes under its cards, so that it hides none."""
    marks = {span.first: span for span in spans}
    for index in range(first_visible(pile), len(pile.cards)):
        card = pile.cards[index]
        if index in marks:
            draw_mark(picture, plan, pile.name, marks[index])
        _lay(picture, deck["back" if card is None else str(card)], plan.box(pile.name, index))
    if pile.kind is PileKind.STOCK and pile.top is None:
        _lay_count(picture, len(pile.cards), plan.box(pile.name, -1), deck["count"])


def _lay_count(picture: Image.Image, count: int, box: Box, plate: Piece) -> None:
    """Lay a plate with the number of cards on the middle of the stock."""
    x, y = box.left + box.width // 2, box.top + box.height // 2
    left, top = x - plate.image.width // 2, y - plate.image.height // 2
    _lay(picture, plate, Box(left, top, plate.image.width, plate.image.height))
    font = round(0.60 * plate.image.height)
    base = y + (lettering.cap_height(font) + 1) // 2
    _write(picture, str(count), font, "light_on_back", (x, base))


def _slot_name(pile: Pile, table: Table) -> str:
    """Return the picture for an empty pile."""
    if pile.kind is PileKind.FOUNDATION and pile.suit is not None:
        return f"slot_f{pile.suit.letter.lower()}"
    if pile.kind is PileKind.STOCK:
        return "slot_redeal" if _can_turn_over(table) else "slot_spent"
    return {PileKind.CELL: "slot_cell", PileKind.DISCARD: "slot_discard"}.get(pile.kind, "slot")


def _can_turn_over(table: Table) -> bool:
    has_waste = any(pile.kind is PileKind.WASTE and pile.cards for pile in table.piles)
    return has_waste and table.pass_number is not None and table.passes_left != 0


def _changed_spans(pile: Pile, changed: frozenset[tuple[str, int]]) -> list[Span]:
    """Return the runs of visible changed cards of a pile, each as its first and last index."""
    spans: list[Span] = []
    for index in range(first_visible(pile), len(pile.cards)):
        if (pile.name, index) in changed:
            if spans and spans[-1].last == index - 1:
                spans[-1] = Span(spans[-1].first, index)
            else:
                spans.append(Span(index, index))
    return spans


def _write_header(picture: Image.Image, captions: Captions) -> None:
    """Write score and passes at the right, the title at the left, and the seed after it in what is left."""
    room = WIDTH_PX - 2 * _MARGIN
    right = WIDTH_PX - _MARGIN
    for text, ramp in ((captions.score, "mark_on_band"), (captions.passes, "quiet_on_band")):
        if text.strip():
            image = _line(text, _HEADER_FONT, ramp, round(_ASIDE_SHARE * room))
            right -= image.width
            _paste_header(picture, image, right)
            right -= _SPACE
    left = _MARGIN
    if captions.title.strip():
        image = _line(captions.title, _HEADER_FONT, "light_on_band", round(_TITLE_SHARE * room))
        _paste_header(picture, image, left)
        left += image.width + _SPACE
    if captions.seed.strip():
        _paste_header(picture, _line(captions.seed, _HEADER_FONT, "quiet_on_band", right - left), left)


def _paste_header(picture: Image.Image, image: Image.Image, left: int) -> None:
    base = (HEADER_PX + lettering.cap_height(_HEADER_FONT)) // 2
    top = base - lettering.baseline(_HEADER_FONT)
    picture.paste(image, (left, top))


def _line(text: str, font: int, ramp: str, max_width: int) -> Image.Image:
    return lettering.line(text, font, manifest().ramps[ramp], max_width)


def _write(picture: Image.Image, text: str, font: int, ramp: str, place: tuple[int, int]) -> None:
    """Write a few letters or digits without accents, centred at x on the baseline y."""
    image = _line(text, font, ramp, WIDTH_PX)
    above, below = lettering.cap_height(font) + 2, 2
    base = lettering.baseline(font)
    written = image.crop((0, base - above, image.width, base + below))
    picture.paste(written, (place[0] - image.width // 2, place[1] - above))
