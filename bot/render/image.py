"""A table as a PNG picture.

A deck and its table share one palette, so the picture is put together by copying palette indices: no pixel is
blended, and the file holds one byte a pixel. Every function may be called from several threads at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from PIL import Image

from bot.render import _lettering as lettering
from bot.render._deck import Deck, Manifest, Piece, manifest, pieces, size_of
from bot.render._mark import Span, draw_mark
from bot.render._png import png_of
from bot.render.layout import HEADER_PX, HEIGHT_PX, WIDTH_PX, Box, Layout, first_visible, layout
from engine.table import Pile, PileKind, Table

__all__ = ["Captions", "Deck", "Step", "compose", "draw_table"]

_MARGIN = 28  # of the writing in the header
_HEADER_FONT = 30
_LABEL_FONT = 35
_SPACE = 30  # between two writings in the header
_TITLE_SHARE = 0.45  # of the header's width, at most
_ASIDE_SHARE = 0.22  # the same for the score and for the passes
_BAR_PX = 4  # how high the bar is that shows how far a replay has come
_CLASSIC = Deck()


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


class Step(NamedTuple):
    """Which move of how many a picture of a replay shows."""

    number: int
    total: int


def draw_table(
    table: Table,
    captions: Captions,
    changed: frozenset[tuple[str, int]] = frozenset(),
    deck: Deck = _CLASSIC,
    *,
    hurry: bool = False,
) -> bytes:
    """Return the picture of a table as a PNG file, 1100 by 732 pixels; a larger file, but sooner, in a hurry.

    ``changed`` are the cards to mark, as (pile name, index from the bottom); those that can't be seen are
    passed over.
    """
    return png_of(compose(table, captions, changed, deck), hurry=hurry)


def compose(
    table: Table,
    captions: Captions,
    changed: frozenset[tuple[str, int]] = frozenset(),
    deck: Deck = _CLASSIC,
    step: Step | None = None,
) -> Image.Image:
    """Return the picture of a table, mode "P". ``step`` is written in the header, with a bar below it."""
    plan = layout(table)
    cards = _Cards(deck, plan)
    picture = _ground(deck).copy()
    _write_header(picture, captions, cards.facts, step)
    if step is not None:
        _draw_bar(picture, step, cards.facts)
    for label in plan.labels:
        ramp = cards.facts.ramps["light_on_felt"]
        _write(picture, label.text, _LABEL_FONT, ramp, (label.x, label.baseline))
    for pile in table.piles:
        if pile.cards:
            _lay_pile(picture, pile, cards, _changed_spans(pile, changed))
        else:
            _lay(picture, cards.pieces[_slot_name(pile, table)], plan.slot(pile.name))
    return picture


class _Cards:
    """A deck as it lies on one table: its pictures in the size of the layout."""

    def __init__(self, deck: Deck, plan: Layout) -> None:
        self.plan = plan
        self.facts = manifest(deck)
        self.pieces = pieces(plan.card.width, deck)
        self._compact = pieces(plan.card.width, deck.compact)
        self._strip = size_of(plan.card.width, deck).strip

    def faces(self, pile: Pile) -> Mapping[str, Piece]:
        """Return the pictures for the covered cards of a pile: all with one index, and none cut off."""
        covered = range(first_visible(pile), len(pile.cards) - 1)
        seen = (self.plan.rows_seen(pile.name, i) for i in covered if pile.cards[i] is not None)
        return self.pieces if all(rows >= self._strip for rows in seen) else self._compact


@lru_cache(maxsize=4)
def _ground(deck: Deck) -> Image.Image:
    """Return the empty table with the band for the header. Shared: copy it."""
    facts = manifest(deck)
    ground = Image.new("P", (WIDTH_PX, HEIGHT_PX), facts.felt)
    ground.putpalette(facts.palette)
    ground.paste(facts.band, (0, 0, WIDTH_PX, HEADER_PX))
    return ground


def _lay(picture: Image.Image, piece: Piece, box: Box) -> None:
    picture.paste(piece.image, box.corners[:2], piece.mask)


def _lay_pile(picture: Image.Image, pile: Pile, cards: _Cards, spans: Sequence[Span]) -> None:
    """Lay the cards that are seen; the mark around a span comes under its cards, so that it hides none."""
    plan = cards.plan
    marks = {span.first: span for span in spans}
    faces = cards.faces(pile)
    for index in range(first_visible(pile), len(pile.cards)):
        card = pile.cards[index]
        if index in marks:
            draw_mark(picture, cards.facts, plan, pile.name, marks[index])
        if index == len(pile.cards) - 1:
            faces = cards.pieces
        _lay(picture, faces["back" if card is None else str(card)], plan.box(pile.name, index))
    if pile.kind is PileKind.STOCK and pile.top is None:
        _lay_count(picture, len(pile.cards), plan.box(pile.name, -1), cards)


def _lay_count(picture: Image.Image, count: int, box: Box, cards: _Cards) -> None:
    """Lay a plate with the number of cards on the middle of the stock."""
    plate = cards.pieces["count"]
    x, y = box.left + box.width // 2, box.top + box.height // 2
    left, top = x - plate.image.width // 2, y - plate.image.height // 2
    _lay(picture, plate, Box(left, top, plate.image.width, plate.image.height))
    font = round(0.60 * plate.image.height)
    base = y + (lettering.cap_height(font) + 1) // 2
    _write(picture, str(count), font, cards.facts.ramps["light_on_back"], (x, base))


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


def _write_header(picture: Image.Image, captions: Captions, facts: Manifest, step: Step | None) -> None:
    """Write score, passes and step at the right, the title at the left, and the seed in what is left."""
    room = WIDTH_PX - 2 * _MARGIN
    right = WIDTH_PX - _MARGIN
    aside = round(_ASIDE_SHARE * room)
    for text, ramp in ((captions.score, "mark_on_band"), (captions.passes, "quiet_on_band")):
        if text.strip():
            image = lettering.line(text, _HEADER_FONT, facts.ramps[ramp], aside)
            right -= image.width
            _paste_header(picture, image, right)
            right -= _SPACE
    if step is not None:
        right = _write_step(picture, step, facts, right, aside) - _SPACE
    left = _MARGIN
    if captions.title.strip():
        ink = facts.ramps["light_on_band"]
        title_room = min(round(_TITLE_SHARE * room), right - left)
        image = lettering.line(captions.title, _HEADER_FONT, ink, title_room)
        _paste_header(picture, image, left)
        left += image.width + _SPACE
    if captions.seed.strip() and right - left > _SPACE:
        ink = facts.ramps["quiet_on_band"]
        _paste_header(picture, lettering.line(captions.seed, _HEADER_FONT, ink, right - left), left)


def _write_step(picture: Image.Image, step: Step, facts: Manifest, right: int, room: int) -> int:
    """Write the step; return where its place begins, which is the same for every step of a replay."""
    ramp = facts.ramps["light_on_band"]
    widest = lettering.line(f"▶ {step.total}/{step.total}", _HEADER_FONT, ramp, room)
    left = right - widest.width
    _paste_header(picture, lettering.line(f"▶ {step.number}/{step.total}", _HEADER_FONT, ramp, room), left)
    return left


def _draw_bar(picture: Image.Image, step: Step, facts: Manifest) -> None:
    """Draw how far the step is on its way, over the blank last rows of the header's writing."""
    done = WIDTH_PX * step.number // max(step.total, 1)
    picture.paste(facts.rim, (0, HEADER_PX - _BAR_PX, WIDTH_PX, HEADER_PX))
    picture.paste(facts.mark, (0, HEADER_PX - _BAR_PX, done, HEADER_PX))


def _paste_header(picture: Image.Image, image: Image.Image, left: int) -> None:
    base = (HEADER_PX + lettering.cap_height(_HEADER_FONT)) // 2
    top = base - lettering.baseline(_HEADER_FONT)
    picture.paste(image, (left, top))


def _write(picture: Image.Image, text: str, font: int, ramp: tuple[int, ...], place: tuple[int, int]) -> None:
    """Write a few letters or digits without accents, centred at x on the baseline y."""
    image = lettering.line(text, font, ramp, WIDTH_PX)
    above, below = lettering.cap_height(font) + 2, 2
    base = lettering.baseline(font)
    written = image.crop((0, base - above, image.width, base + below))
    picture.paste(written, (place[0] - image.width // 2, place[1] - above))
