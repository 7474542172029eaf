from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from bot.render._deck import manifest, pieces, size_of
from bot.render.image import Captions, Deck, Step, compose, draw_table
from bot.render.layout import HEADER_PX, Box, first_visible, layout
from engine import DECK, Pile, PileKind, Table, changes
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
DECKS = [Deck(four, large) for four in (False, True) for large in (False, True)]
LARGE = Deck(large_index=True)
TABLES = (opening(), longest_klondike(), longest_aces_up(), won_klondike(), opening("acesup", "cell"))


def decode(png: bytes) -> Image.Image:
    image = Image.open(BytesIO(png))
    image.load()
    return image


def differing(a: Image.Image, b: Image.Image) -> tuple[int, int, int, int] | None:
    """The smallest box around the pixels in which two palette pictures differ."""
    as_grey = [Image.frombytes("L", image.size, image.tobytes()) for image in (a, b)]
    return ImageChops.difference(*as_grey).getbbox()


def shows(
    picture: Image.Image, box: Box, asset: str, width: int, *, rows: int | None = None, deck: Deck = DECKS[0]
) -> bool:
    """True when the picture shows the asset in its first ``rows`` rows, where it covers what is below."""
    piece = pieces(width, deck)[asset]
    high = rows or box.height
    part = (0, 0, box.width, high)
    seen = picture.crop((box.left, box.top, box.right, box.top + high))
    wanted = seen.copy()
    wanted.paste(piece.image.crop(part), (0, 0), piece.mask.crop(part) if piece.mask else None)
    return differing(seen, wanted) is None


def assert_shows(picture: Image.Image, box: Box, asset: str, width: int, *, rows: int | None = None) -> None:
    assert shows(picture, box, asset, width, rows=rows), asset


def assert_cards_shown(table: Table, picture: Image.Image, deck: Deck = DECKS[0]) -> None:
    """Every card is shown by its asset, the covered ones down to the end of their rank and suit.

    With a large index, covered cards may show the normal one instead, but a whole pile at a time.
    """
    plan = layout(table)
    width = plan.card.width
    for pile in table.piles:
        for index in range(first_visible(pile), len(pile.cards)):
            if pile.kind is PileKind.STOCK:
                continue  # it bears the number of its cards
            card, box = pile.cards[index], plan.box(pile.name, index)
            if index == len(pile.cards) - 1:
                assert shows(picture, box, "back" if card is None else str(card), width, deck=deck), card
            elif card is not None:
                shown = index_shown(table, pile.name, deck)
                size = size_of(width, shown)
                rows = size.index_top + size.index_height
                assert plan.rows_seen(pile.name, index) >= rows
                assert shows(picture, box, str(card), width, rows=rows, deck=shown), card


def index_shown(table: Table, name: str, deck: Deck) -> Deck:
    """The deck whose index the covered cards of a pile must show: the large one where none is cut off."""
    plan, pile = layout(table), table.pile(name)
    covered = range(first_visible(pile), len(pile.cards) - 1)
    least = min((plan.rows_seen(name, i) for i in covered if pile.cards[i]), default=999)
    return deck if least >= size_of(plan.card.width, deck).strip else deck.compact


@pytest.mark.parametrize("deck", DECKS, ids=lambda deck: deck.folder)
@pytest.mark.parametrize("table", TABLES)
def test_every_card_is_its_asset_and_every_rank_and_suit_is_seen(table: Table, deck: Deck) -> None:
    assert_cards_shown(table, compose(table, CAPTIONS, deck=deck), deck)


@pytest.mark.parametrize("deck", DECKS[:2], ids=lambda deck: deck.folder)
@pytest.mark.parametrize("table", TABLES)
def test_marks_hide_no_card_and_no_rank_or_suit(table: Table, deck: Deck) -> None:
    every_card = frozenset((p.name, i) for p in table.piles for i in range(len(p.cards)))
    assert_cards_shown(table, compose(table, CAPTIONS, every_card, deck), deck)
    for one in every_card:
        assert_cards_shown(table, compose(table, CAPTIONS, frozenset({one}), deck), deck)


@pytest.mark.parametrize(
    ("key", "code", "name", "most"), [("klondike", "d1", "7", 9), ("acesup", "cell", "1", 9)]
)
def test_a_column_shows_its_large_index_up_to_nine_cards(key: str, code: str, name: str, most: int) -> None:
    """In Klondike under six cards face down; only longer columns fall back to the normal index."""
    hidden = (None,) * (6 if key == "klondike" else 0)
    for count in range(1, 14):
        table = with_cards(opening(key, code), name, hidden + DECK[:count])
        shown = index_shown(table, name, LARGE)
        assert shown == LARGE if count <= most else shown in (LARGE, LARGE.compact)
        assert_cards_shown(table, compose(table, CAPTIONS, deck=LARGE), LARGE)
    assert shown == LARGE.compact


def test_the_waste_shows_its_large_index() -> None:
    assert index_shown(with_cards(opening(), "w", DECK[:9]), "w", LARGE) == LARGE


def test_cards_fanned_to_the_right_show_the_normal_index_but_for_the_last() -> None:
    piles = (
        Pile("w", PileKind.WASTE, DECK[:3], 0, 0, 3),
        Pile("s", PileKind.STOCK, (None,), 0, 1),
        Pile("1", PileKind.TABLEAU, DECK[5:6], 2, 0, 1),
    )
    table = Table(piles, 0, 52)
    plan, picture = layout(table), compose(table, CAPTIONS, deck=LARGE)
    step = plan.box("w", 1).left - plan.box("w", 0).left
    box = plan.box("w", 0)
    normal = pieces(plan.card.width, LARGE.compact)[str(DECK[0])].image.crop((8, 8, step, box.height - 8))
    seen = picture.crop((box.left + 8, box.top + 8, box.left + step, box.bottom - 8))
    assert differing(seen, normal) is None
    assert shows(picture, plan.box("w", 2), str(DECK[2]), plan.card.width, deck=LARGE)


@pytest.mark.parametrize("deck", DECKS, ids=lambda deck: deck.folder)
def test_a_large_index_changes_faces_only(deck: Deck) -> None:
    table = opening()
    for pile in table.piles:
        if pile.kind is PileKind.TABLEAU:
            table = with_cards(table, pile.name, (None,))
    changed = frozenset({("7", 0), ("s", 23)})
    normal, other = (compose(table, CAPTIONS, changed, each) for each in (deck.compact, deck))
    assert differing(normal, other) is None


def test_the_step_of_a_replay_is_in_the_header_and_moves_nothing_else() -> None:
    plain = compose(opening(), CAPTIONS)
    first, last = (compose(opening(), CAPTIONS, step=Step(number, 87)) for number in (0, 87))
    for picture in (first, last):
        changed = differing(plain, picture)
        assert changed is not None
        assert changed[3] <= HEADER_PX
    changed = differing(first, last)
    assert changed is not None
    assert changed[:2] >= (0, 0)
    assert changed[2:] == (1100, HEADER_PX)
    assert len({last.getpixel((x, HEADER_PX - 1)) for x in range(1100)}) == 1


@pytest.mark.parametrize("text", ["", "W" * 64])
def test_the_step_finds_room_beside_any_captions(text: str) -> None:
    captions = Captions(text, text, text, text)
    changed = differing(
        compose(opening(), captions, step=Step(100, 987)), compose(opening(), captions, step=Step(100, 988))
    )
    assert changed is not None
    assert changed[3] <= HEADER_PX


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


@pytest.mark.parametrize("deck", DECKS, ids=lambda deck: deck.folder)
def test_a_full_table_takes_at_most_48_kilobytes(deck: Deck) -> None:
    for table in TABLES:
        assert len(draw_table(table, CAPTIONS, deck=deck)) <= 48_000


def test_drawing_again_and_in_several_threads_gives_the_same_bytes() -> None:
    nothing: frozenset[tuple[str, int]] = frozenset()
    jobs = [
        (table, Captions(f"Game {i}", f"seed {i} æ", "0/52"), nothing, deck)
        for i, table in enumerate(TABLES)
        for deck in DECKS
    ]
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
