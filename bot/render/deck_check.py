"""Whether all pictures of cards are where they should be, as they should be: for the doctor."""

from __future__ import annotations

from importlib.resources import files
from io import BytesIO

from PIL import Image

from bot.render._deck import Deck, manifest
from engine import DECK

_PLACES = ("", "_cell", "_discard", "_fc", "_fd", "_fh", "_fs", "_redeal", "_spent")
_NAMES = (*map(str, DECK), "back", *(f"slot{place}" for place in _PLACES))


def check_decks() -> tuple[int, int]:
    """Read every picture of every deck in every size; return how many there are, and their bytes in all.

    :raises OSError: when one is missing, can't be read, or is not as large as its deck says.
    """
    count = size_bytes = 0
    for deck in (Deck(four, large) for four in (False, True) for large in (False, True)):
        for size in manifest(deck).sizes:
            for name in _NAMES:
                file = files("cards_png") / deck.folder / str(size.width) / f"{name}.png"
                png = file.read_bytes()
                with Image.open(BytesIO(png)) as image:
                    image.load()
                    if image.size != (size.width, size.height):
                        raise OSError(f"{file} has {image.width} x {image.height} pixels")
                count, size_bytes = count + 1, size_bytes + len(png)
    return count, size_bytes
