from __future__ import annotations

import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image

from bot.render._deck import manifest, pieces
from cards_png import draw, shapes
from cards_png.style import CLASSIC, CardSize, nearest, palette
from engine import DECK

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "cards_png" / CLASSIC.name
WIDTHS = [size.width for size in CLASSIC.sizes]


@pytest.mark.parametrize("size", CLASSIC.sizes, ids=WIDTHS)
def test_the_committed_pictures_are_what_the_program_draws(size: CardSize) -> None:
    drawn = dict(draw.sheets(size))
    committed = {path.stem: path for path in (FOLDER / str(size.width)).glob("*.png")}
    assert drawn.keys() == committed.keys()
    assert {str(card) for card in DECK} | {"back"} <= drawn.keys()
    for name, image in drawn.items():
        with Image.open(committed[name]) as found:
            assert found.mode == "P"
            assert found.size == image.size, name
            assert found.tobytes() == image.tobytes(), name
            assert found.getpalette() == image.getpalette(), name


def test_the_committed_manifest_is_what_the_program_writes() -> None:
    assert (FOLDER / "manifest.json").read_text(encoding="utf-8") == draw.manifest()


def test_the_program_writes_the_same_bytes_again(tmp_path: Path) -> None:
    smallest = CLASSIC.sizes[-1]
    for name, image in draw.sheets(smallest):
        if name in ("QH", "back", "slot_cell"):
            draw.save(image, tmp_path / f"{name}.png")
            assert (tmp_path / f"{name}.png").read_bytes() == (
                FOLDER / str(smallest.width) / f"{name}.png"
            ).read_bytes()


@pytest.mark.parametrize("how", [["cards_png/draw.py"], ["-m", "cards_png.draw"]])
def test_the_program_can_be_run_both_ways(how: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, *how, "--help"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "cards" in done.stdout


def test_one_palette_of_at_most_128_colours_is_shared_by_all() -> None:
    colours = palette(CLASSIC)
    assert len(set(colours)) == len(colours) <= 128
    assert all(nearest(colour, colours) == i for i, colour in enumerate(colours))
    assert manifest().palette == bytes(value for colour in colours for value in colour)


@pytest.mark.parametrize("width", WIDTHS)
def test_all_52_faces_differ_from_each_other_within_the_visible_strip(width: int) -> None:
    size = next(size for size in manifest().sizes if size.width == width)
    part = (0, 0, width, size.index_top + size.index_height)
    seen = {pieces(width)[str(card)].image.crop(part).tobytes() for card in DECK}
    assert len(seen) == 52


@pytest.mark.parametrize("width", [104, 136])
def test_suits_are_told_apart_by_shape_on_a_phone(width: int) -> None:
    """Shrunk to 400 pixels and without colour, the four signs differ in at least a tenth of their area."""
    high = round(31 * 400 / 1100)
    signs = []
    for suit in shapes.SUITS:
        sheet = draw.Sheet(CardSize(high, high, 0, 0), (255, 255, 255))
        sheet.shape(suit, (high / 2, high / 2), (high, high), (0, 0, 0))
        signs.append(sheet.image.reduce(draw.SCALE).convert("L").tobytes())
    for a, b in combinations(signs, 2):
        assert sum(abs(x - y) for x, y in zip(a, b, strict=True)) >= 0.1 * 255 * high * high


@pytest.mark.parametrize("width", WIDTHS)
def test_the_index_lies_inside_its_strip_and_clear_of_the_edge(width: int) -> None:
    size = next(size for size in CLASSIC.sizes if size.width == width)
    ground = nearest(CLASSIC.paper, palette(CLASSIC))
    for card in DECK:
        face = pieces(width)[str(card)].image
        below = face.crop(
            (6, size.index_top + size.index_height, width - 6, size.index_top + size.index_height + 2)
        )
        assert set(below.tobytes()) == {ground}, card


def test_cards_are_transparent_outside_of_their_round_corners() -> None:
    with Image.open(FOLDER / "104" / "AS.png") as ace:
        assert ace.info["transparency"] == manifest().felt == ace.getpixel((0, 0))
