"""The committed cards, read once: sizes and palette from the manifest, pictures as palette images.

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
_STYLE = "classic"


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


def _folder() -> Traversable:
    return files(_PACKAGE) / _STYLE


@lru_cache(maxsize=1)
def manifest() -> Manifest:
    """Return the facts about the committed deck."""
    facts = json.loads((_folder() / "manifest.json").read_text(encoding="utf-8"))
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


@lru_cache(maxsize=8)
def pieces(width: int) -> Mapping[str, Piece]:
    """Return every picture of one width by its file name without ending: ``4C``, ``back``, ``slot`` …"""
    found = {}
    for entry in (_folder() / str(width)).iterdir():
        name, _, ending = entry.name.rpartition(".")
        if ending == "png":
            found[name] = _piece(entry.read_bytes(), is_card=not name.startswith("slot"))
    return MappingProxyType(found)


def _piece(png: bytes, *, is_card: bool) -> Piece:
    image = Image.open(BytesIO(png))
    image.load()
    felt = manifest().felt
    mask = image.point([0 if index == felt else 255 for index in range(256)], "1") if is_card else None
    return Piece(image, mask)
