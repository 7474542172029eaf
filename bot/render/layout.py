"""Where everything stands on the picture of a table. Pure arithmetic in pixels; nothing is drawn here.

The picture is always 1100 by 732. The grid of the piles decides which of the committed card sizes is used;
columns that grow overlap more tightly, and the picture stays as it is. It is the same for every deck: all
have cards of the same sizes, and with a large index a column that is too tight for it shows the normal one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from bot.render._deck import CardSize, manifest
from engine.table import Pile, PileKind, Table

WIDTH_PX = 1100
HEIGHT_PX = 732  # a little wider than 1.5 : 1, so that phones neither crop nor shrink it
HEADER_PX = 44  # the band with title, seed and score

_SIDE = 24
_BOTTOM = 14
_LABEL = 36  # the room above a pile for what players type
_TOP = HEADER_PX + _LABEL + 4
_GAP = 12  # the least room between two piles side by side or one above the other
_LOOSE_GAP = 0.55  # the most room between two columns, in card widths
_LONGEST_RUN = 13  # as many face-up cards as a suit has must fit in a column, readable
_LONGEST_LOWER_RUN = 11  # the same where the column stands below other piles: or cards would get too small
_UP_STEP = 0.36  # how far cards are fanned when there is room, in card heights
_DOWN_STEP = 0.14  # the same for cards face down
_TIGHT_DOWN_STEP = 6  # pixels


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in pixels from the picture's top left; ``right`` and ``bottom`` are just outside of it."""

    left: int
    top: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """The first column of pixels right of it."""
        return self.left + self.width

    @property
    def bottom(self) -> int:
        """The first row of pixels below it."""
        return self.top + self.height

    @property
    def corners(self) -> tuple[int, int, int, int]:
        """Left, top, right, bottom: what Pillow crops and pastes by."""
        return self.left, self.top, self.right, self.bottom

    def overlaps(self, other: Box) -> bool:
        """True when the two have a pixel in common."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


@dataclass(frozen=True, slots=True)
class Label:
    """What a player types for a pile, written centred at ``x`` and standing on the line ``baseline``."""

    text: str
    x: int
    baseline: int


@dataclass(frozen=True, slots=True)
class Layout:
    """The places on one picture, in pixels."""

    width: int
    height: int
    card: CardSize
    labels: tuple[Label, ...]
    slots: Mapping[str, Box]
    boxes: Mapping[str, tuple[Box, ...]]

    def slot(self, pile_name: str) -> Box:
        """Return where a pile stands, and where its empty place is drawn.

        :raises KeyError: when the table has no such pile.
        """
        return self.slots[pile_name]

    def box(self, pile_name: str, index: int) -> Box:
        """Return the rectangle of the card at ``index`` from the bottom, covered by others or not.

        :raises KeyError: when the table has no such pile.
        :raises IndexError: when the pile has no such card.
        """
        return self.boxes[pile_name][index]

    def rows_seen(self, pile_name: str, index: int) -> int:
        """Return how many rows of a card are seen over its whole width, from its top.

        A card on which another one lies further right has none of that kind.

        :raises KeyError: when the table has no such pile.
        :raises IndexError: when the pile has no such card.
        """
        boxes = self.boxes[pile_name]
        box = boxes[index]
        if box is boxes[-1]:
            return box.height
        return min(boxes[index + 1].top - box.top, box.height)


def layout(table: Table) -> Layout:
    """Return where the piles, their cards and their labels stand."""
    size = _choose_size(table.piles, manifest().sizes)
    lefts = _column_lefts(table.piles, size)
    stacks = _stacks(table.piles).values()
    gap = max(*map(_row_gap, stacks), round(0.12 * size.height))
    slots = {
        pile.name: Box(lefts[pile.column], top, size.width, size.height)
        for stack in stacks
        for pile, top in zip(stack, _row_tops(stack, size, gap), strict=True)
    }
    labels = tuple(
        Label(label_text(pile), slots[pile.name].left + size.width // 2, slots[pile.name].top - 9)
        for stack in stacks
        for pile in _labelled(stack)
    )
    boxes = {pile.name: _card_boxes(pile, slots, table.piles) for pile in table.piles}
    return Layout(WIDTH_PX, HEIGHT_PX, size, labels, MappingProxyType(slots), MappingProxyType(boxes))


def label_text(pile: Pile) -> str:
    """Return what a player types to name the pile; for any foundation that is ``f``."""
    return "f" if pile.kind is PileKind.FOUNDATION else pile.name


def first_visible(pile: Pile) -> int:
    """Return the index of the lowest card of which something can be seen; 0 when the pile is empty."""
    return max(len(pile.cards) - max(pile.spread, 1), 0)


def _choose_size(piles: Sequence[Pile], sizes: Sequence[CardSize]) -> CardSize:
    """Return the largest size in which the whole grid fits, or else the smallest one."""
    columns = 1 + max(pile.column for pile in piles)
    stacks = _stacks(piles).values()
    for size in sizes:
        width = columns * size.width + (columns - 1) * _GAP
        height = max(_least_height(stack, size) for stack in stacks)
        if width <= WIDTH_PX - 2 * _SIDE and height <= HEIGHT_PX - _TOP - _BOTTOM:
            return size
    return sizes[-1]


def _stacks(piles: Sequence[Pile]) -> dict[int, list[Pile]]:
    """Return the piles of each grid column, from the top down."""
    stacks: dict[int, list[Pile]] = {}
    for pile in sorted(piles, key=lambda pile: (pile.column, pile.row)):
        stacks.setdefault(pile.column, []).append(pile)
    return stacks


def _labelled(stack: Sequence[Pile]) -> list[Pile]:
    """Return the piles that bear a label: all but those under a pile with the same label."""
    return [pile for i, pile in enumerate(stack) if not i or label_text(pile) != label_text(stack[i - 1])]


def _row_gap(stack: Sequence[Pile]) -> int:
    """Return the least room between two rows of a grid column; more when a label stands there."""
    return _LABEL + 4 if len(_labelled(stack)) > 1 else _GAP


def _least_height(stack: Sequence[Pile], size: CardSize) -> int:
    last = stack[-1]
    height = last.row * (size.height + _row_gap(stack)) + size.height
    if last.kind is not PileKind.TABLEAU:
        return height
    return height + size.strip * ((_LONGEST_LOWER_RUN if last.row else _LONGEST_RUN) - 1)


def _column_lefts(piles: Sequence[Pile], size: CardSize) -> list[int]:
    """Return the left edge of every grid column: spread over the whole width, but not too far apart."""
    columns = 1 + max(pile.column for pile in piles)
    room = WIDTH_PX - 2 * _SIDE - size.width
    pitch = min(room / max(columns - 1, 1), size.width * (1 + _LOOSE_GAP))
    start = (WIDTH_PX - size.width - pitch * (columns - 1)) / 2
    return [round(start + pitch * column) for column in range(columns)]


def _row_tops(stack: Sequence[Pile], size: CardSize, gap: int) -> list[int]:
    """Return the top edge of each pile of a grid column: ``gap`` between rows, or less if they don't fit."""
    room = HEIGHT_PX - _TOP - _BOTTOM - size.height
    pitch = size.height + gap
    if stack[-1].row:
        pitch = min(pitch, room // stack[-1].row)
    return [_TOP + pile.row * pitch for pile in stack]


def _card_boxes(pile: Pile, slots: Mapping[str, Box], piles: Sequence[Pile]) -> tuple[Box, ...]:
    slot = slots[pile.name]
    squared = first_visible(pile)
    fanned = pile.cards[squared:]
    down = _room_below(pile, slots, piles)
    right = 0 if pile.kind is PileKind.TABLEAU else _room_right(pile, slots, piles)
    if right > down:
        step = min(right / max(len(fanned) - 1, 1), 0.8 * slot.width)
        offsets = [(round(i * step), 0) for i in range(len(fanned))]
    else:
        offsets = [(0, offset) for offset in _fan(fanned, slot.height, down)]
    offsets = [(0, 0)] * squared + offsets
    return tuple(Box(slot.left + dx, slot.top + dy, slot.width, slot.height) for dx, dy in offsets)


def _room_below(pile: Pile, slots: Mapping[str, Box], piles: Sequence[Pile]) -> int:
    """Return how far down the pile may be fanned before it meets the next pile's label or the edge."""
    slot = slots[pile.name]
    lower = [slots[p.name].top for p in piles if p.column == pile.column and p.row > pile.row]
    limit = min(lower) - _LABEL - 4 if lower else HEIGHT_PX - _BOTTOM
    return max(limit - slot.bottom, 0)


def _room_right(pile: Pile, slots: Mapping[str, Box], piles: Sequence[Pile]) -> int:
    """Return how far to the right the pile may be fanned before it meets another or the edge.

    Tableau piles need their whole column from their row down.
    """
    slot = slots[pile.name]
    others = [
        slots[p.name].left - _GAP
        for p in piles
        if p.column > pile.column and (p.row == pile.row or (p.kind is PileKind.TABLEAU and p.row < pile.row))
    ]
    return max(min(others, default=WIDTH_PX - _SIDE) - slot.right, 0)


def _fan(cards: Sequence[object | None], card_height: int, room: int) -> list[int]:
    """Return how far below the first each card lies, the last one at most ``room``.

    Cards face down (None) give way first, down to a few pixels; then those face up; in the end both.
    """
    covered = cards[:-1]
    hidden = sum(card is None for card in covered)
    shown = len(covered) - hidden
    down, up = _DOWN_STEP * card_height, _UP_STEP * card_height
    if hidden * down + shown * up > room:
        down = max(_TIGHT_DOWN_STEP, (room - shown * up) / hidden) if hidden else down
    if hidden * down + shown * up > room:
        up = max(down, (room - hidden * down) / shown) if shown else up
    if hidden * down + shown * up > room:
        down = up = room / len(covered)
    depths = [0.0]
    for card in covered:
        depths.append(depths[-1] + (down if card is None else up))
    return [int(depth + 1e-6) for depth in depths][: len(cards)]
