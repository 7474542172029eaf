"""The PNG files that are written here: what any decoder makes of them is the picture."""

from __future__ import annotations

import struct
import zlib
from io import BytesIO
from itertools import islice, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from bot.render import _png
from bot.render._png import png_of
from bot.render.image import Captions, Deck, compose, draw_table
from engine import Table
from tests.render.tables import longest_aces_up, longest_klondike, opening, random_tables, won_klondike

CAPTIONS = Captions("Klondike · draw 1", "mormor", "Score 12/52", "Pass 1 of 3")
TABLES = (opening(), longest_klondike(), longest_aces_up(), won_klondike(), opening("acesup", "cell"))
IMAGE_MAX_BYTES = 60_000

hurried = pytest.mark.parametrize("hurry", [False, True], ids=["at leisure", "in a hurry"])


@pytest.fixture(autouse=True)
def library(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Packs with the standard library where a test asks for it, as where zlib-ng is not installed."""
    if getattr(request, "param", "") == "zlib":
        monkeypatch.setattr(_png, "compress", zlib.compress)


def decoded(png: bytes) -> Image.Image:
    with Image.open(BytesIO(png)) as image:
        image.verify()  # every chunk's checksum
    image = Image.open(BytesIO(png))
    image.load()
    return image


def chunks(png: bytes) -> list[tuple[bytes, bytes]]:
    """Name and content of each chunk; every length and checksum must be right."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    found, at = [], 8
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        name, content = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        (checksum,) = struct.unpack_from(">I", png, at + 8 + length)
        assert checksum == zlib.crc32(name + content)
        found.append((name, content))
        at += 12 + length
    assert at == len(png)
    return found


def assert_is(png: bytes, picture: Image.Image) -> None:
    image = decoded(png)
    assert (image.format, image.mode, image.size) == ("PNG", "P", picture.size)
    assert image.tobytes() == picture.tobytes()
    assert image.convert("RGB").tobytes() == picture.convert("RGB").tobytes()
    assert "transparency" not in image.info


@pytest.mark.parametrize("library", ["the one there is", "zlib"], indirect=True)
@hurried
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(
    "deck", [Deck(), Deck(four_colours=True, large_index=True)], ids=["classic", "other"]
)
def test_the_file_of_a_table_has_every_pixel(table: Table, deck: Deck, *, hurry: bool) -> None:
    picture = compose(table, CAPTIONS, deck=deck)
    assert_is(draw_table(table, CAPTIONS, deck=deck, hurry=hurry), picture)
    assert_is(png_of(picture, hurry=hurry), picture)


@hurried
def test_the_file_of_any_table_has_every_pixel(*, hurry: bool) -> None:
    for table in islice(random_tables(7), 0, None, 60):
        assert_is(draw_table(table, CAPTIONS, hurry=hurry), compose(table, CAPTIONS))


@settings(max_examples=50, deadline=None)
@given(
    width=st.integers(1, 40),
    height=st.integers(1, 40),
    colours=st.integers(1, 256),
    noise=st.randoms(use_true_random=False),
    hurry=st.booleans(),
)
def test_a_picture_of_any_size_and_palette(
    width: int, height: int, colours: int, noise: object, *, hurry: bool
) -> None:
    pixels = bytes(noise.randrange(colours) for _ in range(width * height))  # type: ignore[attr-defined]
    picture = Image.frombytes("P", (width, height), pixels)
    picture.putpalette([value % 256 for n in range(colours) for value in (n, 7 * n, 255 - n)])
    assert_is(png_of(picture, hurry=hurry), picture)


@hurried
def test_the_chunks_are_those_of_a_picture_with_a_palette(*, hurry: bool) -> None:
    picture = compose(opening(), CAPTIONS)
    found = chunks(png_of(picture, hurry=hurry))
    assert [name for name, _ in found] == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]
    content = dict(found)
    assert struct.unpack(">IIBBBBB", content[b"IHDR"]) == (*picture.size, 8, 3, 0, 0, 0)
    assert len(content[b"PLTE"]) % 3 == 0
    assert len(content[b"PLTE"]) // 3 in range(max(picture.tobytes()) + 1, 257)
    rows = zlib.decompress(content[b"IDAT"])
    assert len(rows) == picture.height * (picture.width + 1)
    assert set(rows[:: picture.width + 1]) == {0}  # no filter
    assert content[b"IEND"] == b""


@pytest.mark.parametrize("library", ["the one there is", "zlib"], indirect=True)
@pytest.mark.parametrize("table", TABLES)
def test_a_file_is_small_and_one_made_in_a_hurry_is_larger(table: Table) -> None:
    small, large = (len(draw_table(table, CAPTIONS, hurry=hurry)) for hurry in (False, True))
    assert small <= IMAGE_MAX_BYTES
    assert small < large <= 2 * IMAGE_MAX_BYTES


def test_every_call_makes_the_same_file() -> None:
    pngs = [draw_table(opening(), CAPTIONS) for _ in range(3)]
    assert all(one == other for one, other in pairwise(pngs))
