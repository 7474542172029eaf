"""Games whose end is known, as codes that a player can paste."""

from __future__ import annotations

WON_KLONDIKE = (
    "klondike/d3/4 2-fs 7-fs s-w s-w s-w s-w s-w s-w s-w s-w w-fd 7-3 5-1 7-2 w-s s-w s-w s-w s-w s-w s-w "
    "w-1 7-1 s-w s-w w-s s-w s-w s-w s-w s-w s-w s-w w-7 s-w w-s s-w s-w s-w s-w s-w s-w w-5 7-5x2 7-5 "
    "6-7 6-1 3-6x2 s-w w-s s-w w-5 s-w s-w s-w s-w s-w s-w w-s s-w s-w s-w s-w s-w w-fd s-w s-w w-s s-w "
    "w-1 s-w s-w w-1 s-w w-7 s-w s-w w-5 w-s s-w s-w s-w w-7 s-w s-w w-7 w-2 w-s s-w w-2 1-4x7 3-1 w-3 "
    "w-7 s-w w-3 w-7 6-7x3 6-fh 4-fh 6-fs s-w s-w w-s s-w w-6 5-6x7 5-2 5-3 s-w w-2 3-5 3-fh 7-fh 6-fs "
    "6-fh 7-fs 6-fs 4-7x3 4-fh 4-fs 2-fs 5-3x2 w-5 w-5 w-fh 4-fh 4-fs 4-6 4-fc 3-fc 3-fd 7-fc 3-fc 7-fd "
    "3-fd 7-fc 6-fc 7-fd 6-fd 7-fc 6-fc 7-fd 2-fd 6-fh 7-fc 2-fc 6-fs 7-fd 2-fd 7-fc 4-fs 5-fd w-fh 2-fs "
    "2-fd 6-fh 6-fc 5-fc 7-fh 1-fh 7-fs"
)
WON_KLONDIKE_ONCE = (
    "klondike/d1p1/3 5-fd 3-fs 6-1 5-7 5-3 5-3 2-5 s-w w-fc s-w s-w s-w s-w w-3 6-3 6-5 s-w s-w w-fs s-w "
    "w-4 s-w w-5 s-w s-w s-w w-fs w-2 s-w s-w s-w s-w s-w w-fh s-w w-fh w-3 w-fh w-fc 4-fc 4-fh s-w s-w "
    "s-w s-w w-fs s-w w-fs w-5 w-fh w-7 1-4x2 7-1x3 7-fh 3-7x6 3-fs 2-fs 7-5x4 7-fs w-fs w-3 6-3 w-1 "
    "4-1x3 7-4x2 4-3x3 4-fh w-4 w-5 w-1 s-w w-1 6-1 6-fd 5-fd 5-fc 1-fd 5-fd 1-fc 5-fc 1-fd 5-fd 1-fc "
    "5-fc 1-fd 2-fh 3-fd 5-fh 1-fc 5-fc 3-fs 1-fd 5-fd 1-fc 7-fd 7-fs 7-fh 3-fh 1-fh 3-fs 1-fs 3-fd 4-fh "
    "5-fc 7-fc"
)
WON_ACESUP = (
    "acesup/standard/462 2-d 4-d s-t 1-d s-t 3-d 2-d 4-d 1-d s-t s-t 3-d 3-d s-t 1-d 3-d s-t 4-d 4-d 4-d "
    "1-d s-t 4-d s-t 3-d 1-d 4-d 2-d s-t 4-d s-t 3-d 4-d 4-d 3-d 3-d 3-d 3-d 4-d 2-4 2-d 2-d s-t 4-d 1-d "
    "s-t 2-d 2-d 2-d 3-d 1-d 2-d 2-d 2-d 2-d 1-2 1-d 1-d 1-d 1-d 1-d 3-1 3-d"
)
WON_CELL = (
    "acesup/cell/8 s-t 2-d 2-d 1-2 1-d 4-c 4-d s-t 3-d 4-d 2-4 4-d 3-4 3-d 1-3 s-t 1-d c-1 3-d 2-d 4-d "
    "s-t 1-c 3-d 3-d 4-3 3-d 4-3 c-4 2-c 4-d s-t s-t 3-d s-t 2-d 1-d 4-d s-t s-t 4-d s-t 2-d 4-d 4-d 4-d "
    "4-d c-4 4-d 2-4 2-d 2-d 2-d 4-c 1-4 1-d 3-d 3-d 3-d 3-d 3-d 4-d 1-4 4-d 1-4 1-d 4-d c-4 s-t 2-c 2-d "
    "4-2 3-d 3-d c-3 s-t 1-c 3-d 3-d c-3 1-c 2-d 4-d 3-d"
)
WON_PAIRS = (
    "acesup/pairs/4 4-d s-t 1-d 3-d 3-d 4-d 1+2-d s-t 1-d 4-d 2-1 2-d s-t 4-d 1-4 3-d 3-d s-t 2-d 1-d 4-d "
    "s-t 1-d 2-d s-t 1-d 2-d s-t 4-d 3-d 1+4-d 2-d 4-d s-t 3-d 4-d 2-d s-t 1-d 2-d 2-d 1+4-d 3-d 3-2 3-d "
    "3-d s-t 1-d 3-d 4-d s-t 2-d 4-d 3-d 2-3 1-d s-t 2-d 3-d 3-d 1-3 3-d"
)
LOST_KLONDIKE = "klondike/d1p1/103 s-w s-w s-w s-w s-w s-w s-w s-w s-w s-w s-w s-w s-w s-w s-w s-w s-w"
MANY_MOVES = (
    "klondike/d1p1r/266 5-fd 7-fs s-w s-w s-w w-3 s-w s-w s-w s-w w-4 s-w w-7 s-w s-w s-w s-w s-w s-w s-w "
    "s-w w-fh 1-7 w-1 6-1 6-7 s-w w-7 s-w s-w s-w s-w s-w w-7 5-7 5-fh 5-fd s-w w-2 3-fd 4-7 4-fd 4-2 "
    "2-4x3 4-5x4 7-4x8 4-1x9 w-4 7-4 3-7 3-fc w-3 6-3 6-2 6-fc 1-fc 7-fc 7-fd w-7 w-7 w-4 w-fs w-fh 1-fh "
    "6-fc w-5 w-2 7-2x3 7-fs 3-fs 3-fh 1-fs 3-fc 7-fs 1-fd 1-fc w-4 w-fh 5-fh 5-fc 1-fh w-fd 2-fd 2-fc "
    "w-5 w-fh w-fs 5-fs 5-fd 1-fs 4-fc 5-fs 1-fd 2-fh 5-fd 4-fh 2-fc 1-fs 4-fc 5-fs 2-fd 1-fh 4-fd 1-fc "
    "2-fs s-w"
)


def until(record: str, *, left: int) -> str:
    """A record without its last moves."""
    return " ".join(record.split()[:-left])


def deal_of(record: str) -> str:
    return record.split(maxsplit=1)[0]


def moves_of(record: str, *, last: int) -> list[str]:
    """The last moves of a record."""
    return record.split()[-last:]
