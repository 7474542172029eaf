"""A whole game as an animation: a GIF file, which Discord plays wherever it shows a picture.

The pictures are those of ``bot.render.image``, in full size and in the deck's own colours. A frame stores the
smallest rectangle around what differs from the one before, and in it what stays is left transparent, so a
move takes about seven kilobytes. Frames are drawn, compared and packed one at a time: what is held is two
pictures and the file.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from struct import pack

from PIL import GifImagePlugin, Image, ImageChops

from bot.render._deck import Deck, manifest
from bot.render.image import Captions, Step, compose
from bot.render.layout import HEIGHT_PX, WIDTH_PX
from engine.table import PileKind, Table

MAX_BYTES = 8 * 1024 * 1024
MAX_FRAMES = 800
"""Of a longer game some moves are left out."""

MOVE_MS = 800
DRAW_MS = 300
"""How long a draw is seen on which the next one follows at once."""
FIRST_MS = 1500
LAST_MS = 5000
MOVES_MAX_MS = 70_000
"""How long all moves but the last take together; beyond that each is shortened by the same factor."""
LEAST_MS = 50  # browsers slow down anything much shorter

_CLASSIC = Deck()
_KEEP = 1  # GIF's code for leaving a frame where it is when the next one is laid on it


@dataclass(frozen=True, slots=True)
class Frame:
    """One position of a game, with what ``draw_table`` takes for it."""

    table: Table
    captions: Captions
    changed: frozenset[tuple[str, int]] = frozenset()


def draw_replay(frames: Sequence[Frame], deck: Deck = _CLASSIC, max_bytes: int = MAX_BYTES) -> bytes:
    """Return the positions as an endless GIF animation of at most ``max_bytes``, 1100 by 732 pixels.

    ``frames[0]`` is the deal and ``frames[i]`` the position after the i-th move; the number of the move is
    written in the header as "▶ 12/87", with a bar below it. A move is seen for 0.8 seconds, and less in a
    long game, so that the whole takes at most a minute and a half. If the file would get too large, frames
    are left out: first draws on which another draw follows, then any, evenly, but never the first or the
    last.

    :raises ValueError: when there is no frame, or the first and the last alone take more than ``max_bytes``.
    """
    if not frames:
        raise ValueError("a replay needs at least one frame")
    passing = _passing(frames)
    chosen = _thinned(range(len(frames)), passing, MAX_FRAMES)
    while True:
        blocks, size = _pack(frames, chosen, deck, max_bytes, _durations(chosen, passing))
        if size <= max_bytes:
            return b"".join(blocks)
        if len(chosen) <= 2:
            raise ValueError(f"the first and the last frame take more than {max_bytes} bytes")
        # What fitted was the file's head and all frames but the last one; the margin is for those that
        # show two moves at once, which are larger.
        fitted = len(blocks) - 2
        chosen = _thinned(chosen, passing, max(min(9 * fitted // 10, len(chosen) - 1), 2))


def _passing(frames: Sequence[Frame]) -> frozenset[int]:
    """Return the frames that show a draw from the stock on which the next draw follows."""
    draws = [_is_draw(a.table, b.table) for a, b in pairwise(frames)]
    return frozenset(i + 1 for i in range(len(draws) - 1) if draws[i] and draws[i + 1])


def _is_draw(before: Table, after: Table) -> bool:
    """True when nothing but stock and waste has changed; so it is when the waste is turned over, too."""
    loose = (PileKind.STOCK, PileKind.WASTE)
    return all(pile.kind in loose or pile == old for old, pile in zip(before.piles, after.piles, strict=True))


def _thinned(numbers: Sequence[int], passing: frozenset[int], count: int) -> Sequence[int]:
    """Return ``count`` of the frame numbers in their order, if there are more: the ends, and the rest evenly.

    Passing frames go before any other does.
    """
    if len(numbers) <= count:
        return numbers
    inner = numbers[1:-1]
    lasting = [number for number in inner if number not in passing]
    fleeting = [number for number in inner if number in passing]
    room = count - 2
    kept = lasting + _evenly(fleeting, room - len(lasting)) if room > len(lasting) else _evenly(lasting, room)
    return [numbers[0], *sorted(kept), numbers[-1]]


def _evenly(numbers: Sequence[int], count: int) -> list[int]:
    return [numbers[i * len(numbers) // count] for i in range(count)]


def _durations(chosen: Sequence[int], passing: frozenset[int]) -> list[int]:
    """Return how long each frame is seen, in milliseconds, as whole hundredths of a second."""
    wished = [DRAW_MS if number in passing else MOVE_MS for number in chosen[1:-1]]
    total = max(sum(wished), MOVES_MAX_MS)
    moves = [max(wish * MOVES_MAX_MS // total // 10 * 10, LEAST_MS) for wish in wished]
    return [FIRST_MS, *moves, LAST_MS][-len(chosen) :]


def _pack(
    frames: Sequence[Frame], chosen: Sequence[int], deck: Deck, max_bytes: int, durations_ms: Sequence[int]
) -> tuple[list[bytes], int]:
    """Return the file in pieces, its head and one a frame, and its size; stop when that is too large."""
    last = len(frames) - 1
    clear = len(manifest(deck).palette) // 3  # the first index that no picture has
    blocks = [_head(manifest(deck).palette)]
    size = len(blocks[0]) + 1
    before: Image.Image | None = None
    for number, duration_ms in zip(chosen, durations_ms, strict=True):
        frame = frames[number]
        step = Step(number, last) if last else None
        picture = compose(frame.table, frame.captions, frame.changed, deck, step)
        part, corner = (picture, (0, 0)) if before is None else _difference(before, picture, clear)
        block = b"".join(
            GifImagePlugin.getdata(part, corner, duration=duration_ms, transparency=clear, disposal=_KEEP)
        )
        blocks.append(block)
        size += len(block)
        if size > max_bytes:
            break
        before = picture
    blocks[-1] += b";"
    return blocks, size


def _head(palette: bytes) -> bytes:
    """Return a GIF file's beginning: size, colours and that it is to be repeated for ever."""
    bits = max((len(palette) // 3).bit_length(), 2)  # one more colour than there are, for what is transparent
    screen = pack("<6sHHBBB", b"GIF89a", WIDTH_PX, HEIGHT_PX, 0x80 | (bits - 1) << 4 | (bits - 1), 0, 0)
    loop = pack("<BBB11sBBHB", 0x21, 0xFF, 11, b"NETSCAPE2.0", 3, 1, 0, 0)
    return screen + palette.ljust(3 << bits, b"\0") + loop


def _difference(before: Image.Image, after: Image.Image, clear: int) -> tuple[Image.Image, tuple[int, int]]:
    """Return the part of ``after`` that differs, and its place; the pixels that don't are ``clear``."""
    differs = ImageChops.difference(_as_grey(before), _as_grey(after))
    # GIF has no empty frame: where nothing has changed, one transparent pixel makes the time pass.
    box = differs.getbbox() or (0, 0, 1, 1)
    part = Image.new("P", (box[2] - box[0], box[3] - box[1]), clear)
    part.paste(after.crop(box), (0, 0), differs.crop(box).point([0] + [255] * 255, "1"))
    return part, box[:2]


def _as_grey(picture: Image.Image) -> Image.Image:
    """Return the palette indices as if they were shades: Pillow compares only those."""
    return Image.frombytes("L", picture.size, picture.tobytes())
