from __future__ import annotations

import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image

from bot.render._deck import Deck, manifest, pieces, size_of
from cards_png import draw, shapes
from cards_png.style import CLASSIC, STYLES, CardSize, Style, nearest, palette
from engine import DECK

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ROOT / "cards_png"
FOLDER = FOLDERS / CLASSIC.name
WIDTHS = [size.width for size in CLASSIC.sizes]
DECKS = [Deck(four, large) for four in (False, True) for large in (False, True)]
STYLE_OF = {deck: next(style for style in STYLES if style.name == deck.folder) for deck in DECKS}
DRAWN = [
    pytest.param(style, size, id=f"{style.name}-{size.width}") for style in STYLES for size in style.sizes
]
SIZED_DECKS = [pytest.param(deck, width, id=f"{deck.folder}-{width}") for deck in DECKS for width in WIDTHS]


@pytest.mark.parametrize(("style", "size"), DRAWN)
def test_the_committed_pictures_are_what_the_program_draws(style: Style, size: CardSize) -> None:
    drawn = dict(draw.sheets(size, style))
    committed = {path.stem: path for path in (FOLDERS / style.name / str(size.width)).glob("*.png")}
    assert drawn.keys() == committed.keys()
    assert {str(card) for card in DECK} | {"back"} <= drawn.keys()
    for name, image in drawn.items():
        with Image.open(committed[name]) as found:
            assert found.mode == "P"
            assert found.size == image.size, name
            assert found.tobytes() == image.tobytes(), name
            assert found.getpalette() == image.getpalette(), name


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name)
def test_the_committed_manifest_is_what_the_program_writes(style: Style) -> None:
    assert (FOLDERS / style.name / "manifest.json").read_text(encoding="utf-8") == draw.manifest(style)


def test_the_committed_decks_are_those_a_player_can_choose() -> None:
    folders = {path.parent.name for path in FOLDERS.glob("*/manifest.json")}
    assert folders == {deck.folder for deck in DECKS} == {style.name for style in STYLES}


def test_all_decks_together_take_at_most_a_megabyte_and_a_half() -> None:
    assert sum(path.stat().st_size for path in FOLDERS.rglob("*.png")) <= 1_500_000


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


@pytest.mark.parametrize("deck", DECKS, ids=lambda deck: deck.folder)
def test_one_palette_of_at_most_128_colours_is_shared_by_a_whole_deck(deck: Deck) -> None:
    colours = palette(STYLE_OF[deck])
    assert len(set(colours)) == len(colours) <= 128
    assert all(nearest(colour, colours) == i for i, colour in enumerate(colours))
    assert manifest(deck).palette == bytes(value for colour in colours for value in colour)
    # In a tight column the normal cards stand in for those with a large index.
    assert manifest(deck.compact).palette == manifest(deck).palette


@pytest.mark.parametrize(("deck", "width"), SIZED_DECKS)
def test_all_52_faces_differ_from_each_other_within_the_visible_strip(deck: Deck, width: int) -> None:
    size = size_of(width, deck)
    part = (0, 0, width, size.index_top + size.index_height)
    seen = {pieces(width, deck)[str(card)].image.crop(part).tobytes() for card in DECK}
    assert len(seen) == 52


@pytest.mark.parametrize("width", [104, 136])
@pytest.mark.parametrize("deck", DECKS, ids=lambda deck: deck.folder)
def test_suits_are_told_apart_by_shape_on_a_phone(deck: Deck, width: int) -> None:
    """Shrunk to 400 pixels and without colour, the four signs differ in at least a tenth of their area."""
    high = round(size_of(width, deck).index_height * 400 / 1100)
    signs = []
    for suit in shapes.SUITS:
        sheet = draw.Sheet(CardSize(high, high, 0, 0), (255, 255, 255))
        sheet.shape(suit, (high / 2, high / 2), (high, high), (0, 0, 0))
        signs.append(sheet.image.reduce(draw.SCALE).convert("L").tobytes())
    for a, b in combinations(signs, 2):
        assert sum(abs(x - y) for x, y in zip(a, b, strict=True)) >= 0.1 * 255 * high * high


@pytest.mark.parametrize(("deck", "width"), SIZED_DECKS)
def test_without_its_colours_every_face_still_differs_from_every_other(deck: Deck, width: int) -> None:
    """Ink is black and all else is white: what is left is shape alone."""
    style = STYLE_OF[deck]
    inks = {palette(style).index(ink) for ink in style.suits}
    as_ink = [255 if index in inks else 0 for index in range(256)]
    size = size_of(width, deck)
    part = (0, 0, width, size.index_top + size.index_height)
    seen = {pieces(width, deck)[str(card)].image.crop(part).point(as_ink).tobytes() for card in DECK}
    assert len(seen) == 52


def luminance(colour: tuple[int, ...]) -> float:
    """How bright a colour is, 0 … 1, as WCAG defines it."""
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in (c / 255 for c in colour)]
    return sum(share * v for share, v in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name)
def test_every_suit_has_the_contrast_that_text_must_have(style: Style) -> None:
    """4.5 to 1, WCAG's bound for text, on the card and on the panel of aces and court cards."""
    for ground in (style.paper, style.panel):
        for ink in style.suits:
            assert (luminance(ground) + 0.05) / (luminance(ink) + 0.05) >= 4.5


def test_four_colours_are_four_and_two_are_two() -> None:
    assert [len(set(STYLE_OF[deck].suits)) for deck in DECKS] == [2, 2, 4, 4]


@pytest.mark.parametrize(("deck", "width"), SIZED_DECKS)
def test_the_index_lies_inside_its_strip_and_clear_of_the_edge(deck: Deck, width: int) -> None:
    size, style = size_of(width, deck), STYLE_OF[deck]
    ground = nearest(style.paper, palette(style))
    bottom = size.index_top + size.index_height
    for card in DECK:
        face = pieces(width, deck)[str(card)].image
        assert set(face.crop((6, bottom, width - 6, bottom + 2)).tobytes()) == {ground}, card
        assert set(face.crop((width - 3, 8, width - 2, bottom)).tobytes()) == {ground}, card


@pytest.mark.parametrize("deck", [deck for deck in DECKS if deck.large_index], ids=lambda deck: deck.folder)
def test_rank_and_suit_of_a_large_index_are_at_least_1_3_times_as_high(deck: Deck) -> None:
    ground = nearest(STYLE_OF[deck].paper, palette(STYLE_OF[deck]))
    for width in WIDTHS:
        assert size_of(width, deck).height == size_of(width, deck.compact).height
        for card in DECK:
            large, normal = (
                index_rows(pieces(width, each)[str(card)].image, size_of(width, each).strip, ground)
                for each in (deck, deck.compact)
            )
            assert large >= 1.3 * normal, (card, width)


def index_rows(face: Image.Image, strip: int, ground: int) -> int:
    """In how many rows of a card's strip anything is drawn, inside of its edge."""
    inner = face.crop((5, 3, face.width - 5, strip))
    drawn = Image.frombytes("L", inner.size, inner.tobytes()).point(
        [0 if index == ground else 255 for index in range(256)]
    )
    box = drawn.getbbox()
    assert box is not None
    return box[3] - box[1]


def test_cards_are_transparent_outside_of_their_round_corners() -> None:
    with Image.open(FOLDER / "104" / "AS.png") as ace:
        assert ace.info["transparency"] == manifest().felt == ace.getpixel((0, 0))
