from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from bot.render._deck import manifest, pieces
from bot.render.image import Captions, compose, draw_table
from bot.render.layout import HEADER_PX, Box, first_visible, layout
from engine import DECK, PileKind, Table, changes
from tests.bench.naive_render import draw_table_naively
from tests.render.tables import (
    longest_aces_up,
    longest_klondike,
    opening,
    random_tables,
    with_cards,
    won_klondike,
)

CAPTIONS = Captions("Klondike · draw 1", "mormor", "Score 12/52", "Pass 1 of 3")
TABLES = (opening(), longest_klondike(), longest_aces_up(), won_klondike(), opening("acesup", "cell"))


def decode(png: bytes) -> Image.Image:
    image = Image.open(BytesIO(png))
    image.load()
    return image


def differing(a: Image.Image, b: Image.Image) -> tuple[int, int, int, int] | None:
    """The smallest box around the pixels in which two palette pictures differ."""
    as_grey = [Image.frombytes("L", image.size, image.tobytes()) for image in (a, b)]
    return ImageChops.difference(*as_grey).getbbox()


def assert_shows(picture: Image.Image, box: Box, asset: str, width: int, *, rows: int | None = None) -> None:
    """The picture shows the asset there, in its first ``rows`` rows, wherever it covers what is below."""
    piece = pieces(width)[asset]
    high = rows or box.height
    part = (0, 0, box.width, high)
    seen = picture.crop((box.left, box.top, box.right, box.top + high))
    wanted = seen.copy()
    wanted.paste(piece.image.crop(part), (0, 0), piece.mask.crop(part) if piece.mask else None)
    assert differing(seen, wanted) is None, asset


def assert_cards_shown(table: Table, picture: Image.Image) -> None:
    plan = layout(table)
    for pile in table.piles:
        for index in range(first_visible(pile), len(pile.cards)):
            if pile.kind is PileKind.STOCK:
                continue  # it bears the number of its cards
            card, box = pile.cards[index], plan.box(pile.name, index)
            is_top = index == len(pile.cards) - 1
            rows = None if is_top else plan.card.index_top + plan.card.index_height
            if is_top or card is not None:
                assert_shows(picture, box, "back" if card is None else str(card), plan.card.width, rows=rows)


@pytest.mark.parametrize("table", TABLES)
def test_every_card_is_its_asset_and_every_rank_and_suit_is_seen(table: Table) -> None:
    assert_cards_shown(table, compose(table, CAPTIONS))


@pytest.mark.parametrize("table", TABLES)
def test_marks_hide_no_card_and_no_rank_or_suit(table: Table) -> None:
    every_card = frozenset((p.name, i) for p in table.piles for i in range(len(p.cards)))
    assert_cards_shown(table, compose(table, CAPTIONS, every_card))
    for one in every_card:
        assert_cards_shown(table, compose(table, CAPTIONS, frozenset({one})))


def test_cards_are_shown_through_whole_games_with_the_last_change_marked() -> None:
    before: Table | None = None
    for number, table in enumerate(random_tables(5)):
        if number % 7 == 0 and before is not None:
            assert_cards_shown(table, compose(table, CAPTIONS, changes(before, table)))
        before = table


def test_a_change_is_marked_around_its_card_only() -> None:
    table = longest_klondike()
    plan = layout(table)
    plain = compose(table, CAPTIONS)
    box = plan.box("3", 2)
    marked = differing(plain, compose(table, CAPTIONS, frozenset({("3", 2)})))
    assert marked == (box.left - 5, box.top - 2, box.right + 5, box.bottom + 5)


def test_cards_that_cannot_be_seen_are_not_marked() -> None:
    table = with_cards(opening(), "w", DECK[:9])
    plain = compose(table, CAPTIONS)
    for unseen in (("w", 0), ("s", 0), ("nowhere", 0), ("w", 99)):
        assert differing(plain, compose(table, CAPTIONS, frozenset({unseen}))) is None


def test_a_table_that_looks_the_same_gives_the_same_picture_whatever_lies_face_down() -> None:
    assert opening(seed="24").pile("7").cards[:6] == (None,) * 6
    table = opening()
    picture, plan = compose(table, CAPTIONS), layout(table)
    for index in range(6):
        box, below = plan.box("7", index), plan.box("7", index + 1)
        assert_shows(picture, box, "back", plan.card.width, rows=below.top - box.top)


EMPTY = [("s", "slot_redeal"), ("w", "slot"), ("1", "slot"), ("fc", "slot_fc"), ("fh", "slot_fh")]


@pytest.mark.parametrize(("pile", "asset"), EMPTY)
def test_empty_places_of_klondike(pile: str, asset: str) -> None:
    table = with_cards(opening(), pile, ())
    if pile == "s":
        table = with_cards(table, "w", DECK[:3])
    plan = layout(table)
    assert_shows(compose(table, CAPTIONS), plan.slot(pile), asset, plan.card.width)


@pytest.mark.parametrize(("pile", "asset"), [("s", "slot_spent"), ("d", "slot_discard"), ("c", "slot_cell")])
def test_empty_places_of_aces_up(pile: str, asset: str) -> None:
    table = with_cards(opening("acesup", "cell"), pile, ())
    plan = layout(table)
    assert_shows(compose(table, CAPTIONS), plan.slot(pile), asset, plan.card.width)


@pytest.mark.parametrize(
    ("code", "waste", "asset"),
    [
        ("d1", 24, "slot_redeal"),
        ("d1p1", 24, "slot_spent"),
        ("d1p3", 24, "slot_redeal"),
        ("d1", 0, "slot_spent"),
    ],
)
def test_an_empty_stock_shows_whether_it_can_be_turned_over(code: str, waste: int, asset: str) -> None:
    table = with_cards(with_cards(opening(code=code), "s", ()), "w", DECK[:waste])
    plan = layout(table)
    assert_shows(compose(table, CAPTIONS), plan.slot("s"), asset, plan.card.width)


def test_the_stock_bears_the_number_of_its_cards() -> None:
    table = opening()
    fewer = with_cards(table, "s", (None,) * 9)
    box = layout(table).box("s", -1)
    changed = differing(compose(table, CAPTIONS), compose(fewer, CAPTIONS))
    assert changed is not None
    assert box.left < changed[0] < changed[2] < box.right
    assert box.top < changed[1] < changed[3] < box.bottom


WEIRD = [
    "",
    "   ",
    "\x00\x07\x1b[31m\r\n\t",
    "\u202eabc\u202c \u2066x\u2069 \u200b\u200d\ufeff",
    "Z\u0336\u0322\u0354a\u0335l\u0337g\u0338o" * 20,
    "@everyone <@1> **bold** `code`",
    "日本語 العربية עברית ไทย हिन्दी 한국어",
    "👨\u200d👩\u200d👧 🂡 ♠♥ 🏳️\u200d🌈",
    "blåbærsyltetøy ÆØÅ Łódź Çağrı naïve Œuvre ő ž ẞß",
    "W" * 64,
    "x" * 5000,
    "\ud800 lone",
    "ﷺ ① Ａ ½ ﬁ",
]


@pytest.mark.parametrize("text", WEIRD)
def test_any_text_can_be_written_and_stays_in_the_header(text: str) -> None:
    plain = compose(opening(), Captions())
    picture = compose(opening(), Captions(text, text, text, text))
    changed = differing(plain, picture)
    if changed is not None:
        assert changed[0] > 10
        assert changed[2] < 1090
        assert changed[3] <= HEADER_PX


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=70))
def test_no_seed_breaks_the_picture(seed: str) -> None:
    assert decode(draw_table(opening(), Captions("Klondike", seed, "0/52"))).size == (1100, 732)


def test_marks_of_direction_and_loose_accents_change_nothing() -> None:
    plain = compose(opening(), Captions(seed="mormor"))
    assert differing(plain, compose(opening(), Captions(seed="\u202emor\u200b\u2069mor\u0489"))) is None
    assert differing(plain, compose(opening(), Captions(seed="mor\tmor"))) is not None


def test_nordic_letters_are_drawn_and_not_replaced() -> None:
    pictures = {draw_table(opening(), Captions(seed=letter)) for letter in "æøåÆØÅäöéü\u65e5"}
    assert len(pictures) == 11
    replaced = {draw_table(opening(), Captions(seed=sign)) for sign in "日本\ufffd🂡"}
    assert len(replaced) == 1


def test_a_long_seed_ends_before_the_score() -> None:
    long = compose(opening(), Captions("Klondike", "m" * 64, "Score 0/52"))
    short = compose(opening(), Captions("Klondike", "", "Score 0/52"))
    changed = differing(long, short)
    assert changed is not None
    seed_end = changed[2]
    score = differing(short, compose(opening(), Captions("Klondike")))
    assert score is not None
    assert seed_end < score[0]


def test_the_file_is_a_palette_png_of_fixed_size_with_the_shared_palette() -> None:
    for table in TABLES:
        image = decode(draw_table(table, CAPTIONS))
        assert (image.format, image.mode, image.size) == ("PNG", "P", (1100, 732))
        palette = image.getpalette()
        assert palette is not None
        assert bytes(palette)[: len(manifest().palette)] == manifest().palette
        assert "transparency" not in image.info


def test_a_full_table_takes_at_most_48_kilobytes() -> None:
    for table in TABLES:
        assert len(draw_table(table, CAPTIONS)) <= 48_000


def test_drawing_again_and_in_several_threads_gives_the_same_bytes() -> None:
    jobs = [(table, Captions(f"Game {i}", f"seed {i} æ", "0/52")) for i, table in enumerate(TABLES)] * 4
    with ThreadPoolExecutor(8) as pool:
        at_once = list(pool.map(lambda job: draw_table(*job), jobs))
    assert at_once == [draw_table(*job) for job in jobs]


def test_the_naive_renderer_lays_the_same_cards() -> None:
    table = longest_klondike()
    box = layout(table).box("1", 0)
    ours = decode(draw_table(table, CAPTIONS)).convert("RGB").crop(box.corners)
    assert (
        ImageChops.difference(
            ours, decode(draw_table_naively(table)).convert("RGB").crop(box.corners)
        ).getbbox()
        is None
    )
