"""Draws the pictures of README.md from two real games, with the renderer that the bot itself uses.

    .venv/bin/python -m scripts.pictures

The games were found among random playouts of many seeds. They are kept here as records, so that the pictures
show the same positions for ever; the same renderer gives the same bytes.
"""

from __future__ import annotations

from pathlib import Path

from bot.render.image import draw_table
from bot.render.prose import captions
from bot.text import DEFAULT, texts_for
from engine import Record, changes, find_game, states

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"

RECORDS = {
    "klondike": (
        "klondike/d3/1006 6-fs s-w s-w s-w w-7 1-3 2-1 6-7 s-w w-7 s-w s-w s-w w-4 w-fc s-w 7-4x4 w-s s-w"
        " s-w s-w s-w s-w w-fd s-w s-w w-s s-w s-w w-2 s-w w-5 w-4 7-4 4-5x8 4-2 s-w 6-4 4-3x2 s-w 7-4 7-5"
        " w-5 s-w 4-fh 4-fc 5-4x12 4-fh w-fh s-w 4-fc 4-fh 5-fs 5-2 7-5 3-fh w-6 7-1 2-fh w-1 w-s s-w s-w"
        " w-3 w-7 w-7 5-7x2"
    ),
    "acesup": (
        "acesup/cell/2322 1-d s-t 3-d 4-c 4-d 2-4 1-d s-t 1-d 3-1 1-d 4-1 s-t 1-d 2-d s-t 3-d 2-d s-t s-t"
        " s-t 1-d 1-d 3-d 2-d 4-d 4-d 4-d 4-d s-t s-t"
    ),
}


def picture(text: str) -> bytes:
    """Return the table after the last move of a record, that move marked, as a PNG file."""
    record = Record.parse(text)
    game = find_game(record.game)
    *_, before, after = (game.table(state) for state in states(record))
    return draw_table(after, captions(texts_for(DEFAULT), record, after), changes(before, after))


def main() -> None:
    """Write a picture of each record, named as its key says."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, text in RECORDS.items():
        path = FOLDER / f"{name}.png"
        path.write_bytes(picture(text))
        print(f"{path.relative_to(FOLDER.parent.parent)}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
