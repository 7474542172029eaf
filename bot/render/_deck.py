"""The committed decks, each read on first use: sizes and palette from its manifest, pictures in mode "P".

Everything here is read only after loading, so threads may share it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO
from types import MappingProxyType

from PIL import Image

_PACKAGE = "cards_png"


@dataclass(frozen=True, slots=True)
class Deck:
    """What a player may choose about the cards: four colours for the suits, a large rank and suit."""

    four_colours: bool = False
    large_index: bool = False

    @property
    def folder(self) -> str:
        """The folder in ``cards_png`` in which this deck lies."""
        return ("four_colours" if self.four_colours else "classic") + ("_large" if self.large_index else "")

    @property
    def compact(self) -> Deck:
        """The deck in the same colours whose index fits into the tightest column."""
        return Deck(self.four_colours)


_CLASSIC = Deck()


@dataclass(frozen=True, slots=True)
class CardSize:
    """A size in which the cards are there, in pixels.

    Rank and suit stand side by side in the rows from ``index_top``, ``index_height`` of them.
    """

    width: int
    height: int
    index_height: int
    index_top: int

    @property
    def strip(self) -> int:
        """How much of a card must stay visible, from its top, so that rank and suit can be read."""
        return self.index_top + self.index_height + 2


@dataclass(frozen=True, slots=True)
class Manifest:
    """What ``cards_png/draw.py`` tells about the deck. Colours are indices into ``palette``.

    ``palette`` is red, green, blue of each colour in turn. ``ramps`` go from background to foreground;
    ``sizes`` from the largest to the smallest.
    """

    palette: bytes
    felt: int
    band: int
    rim: int
    mark: int
    back: int
    ramps: Mapping[str, tuple[int, ...]]
    sizes: tuple[CardSize, ...]


@dataclass(frozen=True, slots=True)
class Piece:
    """A picture to be laid on the table: ``image``, mode "P", covers what is below where ``mask`` is set."""

    image: Image.Image
    mask: Image.Image | None


def _folder(deck: Deck) -> Traversable:
    return files(_PACKAGE) / deck.folder


@lru_cache(maxsize=4)
def manifest(deck: Deck = _CLASSIC) -> Manifest:
    """Return the facts about a deck."""
    facts = json.loads((_folder(deck) / "manifest.json").read_text(encoding="utf-8"))
    return Manifest(
        palette=bytes.fromhex("".join(colour[1:] for colour in facts["palette"])),
        felt=facts["felt"],
        band=facts["band"],
        rim=facts["rim"],
        mark=facts["mark"],
        back=facts["back"],
        ramps=MappingProxyType({name: tuple(indices) for name, indices in facts["ramps"].items()}),
        sizes=tuple(CardSize(**size) for size in facts["sizes"]),
    )


def size_of(width: int, deck: Deck) -> CardSize:
    """Return the size of that width in a deck."""
    return next(size for size in manifest(deck).sizes if size.width == width)


@lru_cache(maxsize=16)
def pieces(width: int, deck: Deck = _CLASSIC) -> Mapping[str, Piece]:
    """Return every picture of one width by its file name without ending: ``4C``, ``back``, ``slot`` …"""
    found = {}
    felt = manifest(deck).felt
    for entry in (_folder(deck) / str(width)).iterdir():
        name, _, ending = entry.name.rpartition(".")
        if ending == "png":
            found[name] = _piece(entry.read_bytes(), None if name.startswith("slot") else felt)
    return MappingProxyType(found)


def _piece(png: bytes, clear: int | None) -> Piece:
    """Return a picture in which the colour ``clear`` covers nothing."""
    image = Image.open(BytesIO(png))
    image.load()
    if clear is None:
        return Piece(image, None)
    mask = image.point([0 if index == clear else 255 for index in range(256)], "1")
    return Piece(image, mask)
