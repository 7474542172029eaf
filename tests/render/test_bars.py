from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from io import BytesIO
from itertools import combinations, pairwise
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from bot.render import bars
from bot.render._deck import manifest
from bot.render.bars import HEIGHT_PX, BarCaptions, draw_bars
from bot.render.layout import HEADER_PX, Box

CAPTIONS = BarCaptions("Klondike · i dag", "34 spillere", "du: 17", "snitt 17.7", "poeng")
LIGHT, MARK = manifest().ramps["light_on_felt"], manifest().ramps["mark_on_felt"]
AXIS, PLAIN, OWN = LIGHT[-2], LIGHT[2], MARK[-1]  # the colours of what is drawn
HILL = {score: 60 - 2 * abs(score - 20) for score in range(50)} | {52: 31}


class Case(NamedTuple):
    counts: dict[int, int]
    own: int | None = None
    mean: float | None = None
    full: int = 52


CASES = {
    "hill": Case(HILL, 17, 17.7),
    "nobody": Case({}),
    "nobody but me": Case({}, 30),
    "one player": Case({23: 1}, 23, 23.0),
    "all at the top": Case({52: 7}, 52, 52.0),
    "all at zero": Case({0: 7}, 0, 0.0),
    "hidden": Case({3: 2, 14: 3}, 9, 10.1, 48),
    "a hundred thousand": Case({0: 1, 48: 99_999}, 0, 47.9, 48),
    "as many at each": Case(dict.fromkeys(range(53), 3), 51, 26.0),
    "two packs": Case(dict.fromkeys(range(105), 10**15), 104, 52.5, 104),
    "a tiny game": Case({0: 1, 1: 2}, 1, 0.7, 1),
}
all_cases = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


def draw(case: Case, captions: BarCaptions = CAPTIONS) -> Image.Image:
    image = Image.open(BytesIO(draw_bars(case.counts, captions, case.own, case.mean, full=case.full)))
    image.load()
    return image


def differing(a: Image.Image, b: Image.Image) -> Box:
    """The smallest box around the pixels in which two palette pictures differ."""
    as_grey = [Image.frombytes("L", image.size, image.tobytes()) for image in (a, b)]
    left, top, right, bottom = ImageChops.difference(*as_grey).getbbox() or (0, 0, 0, 0)
    return Box(left, top, right - left, bottom - top)


def axis_row(picture: Image.Image) -> int:
    """The first row of the line on which the bars stand."""
    return next(y for y in range(HEIGHT_PX) if row(picture, y).count(AXIS) > 700)


def row(picture: Image.Image, y: int) -> bytes:
    return picture.crop((0, y, picture.width, y + 1)).tobytes()


def drawn_bars(picture: Image.Image) -> list[tuple[Box, int]]:
    """The bars from the left, each with its colour: what stands on the axis."""
    base = axis_row(picture)
    lowest = row(picture, base - 1)
    found = []
    for colour in (PLAIN, OWN):
        edges = [x for x in range(1, 1100) if (lowest[x] == colour) != (lowest[x - 1] == colour)]
        for left, right in zip(edges[::2], edges[1::2], strict=True):
            column = picture.crop(
                (left + (right - left) // 2, 0, left + (right - left) // 2 + 1, base)
            ).tobytes()
            top = len(column.rstrip(bytes([colour])))
            found.append((Box(left, top, right - left, base - top), colour))
    return sorted(found, key=lambda bar: bar[0].left)


def heights(counts: dict[int, int], own: int | None = None) -> list[int]:
    return [box.height for box, _ in drawn_bars(draw(Case(counts, own)))]


@all_cases
def test_the_file_is_a_small_palette_png_of_fixed_size_with_the_shared_palette(case: Case) -> None:
    png = draw_bars(case.counts, CAPTIONS, case.own, case.mean, full=case.full)
    image = Image.open(BytesIO(png))
    assert (image.format, image.mode, image.size) == ("PNG", "P", (1100, 600))
    palette = image.getpalette()
    assert palette is not None
    assert bytes(palette)[: len(manifest().palette)] == manifest().palette
    assert len(png) <= 16_000


def test_there_is_a_bar_for_each_score_that_somebody_has() -> None:
    assert len(drawn_bars(draw(Case(HILL)))) == len(HILL)
    assert drawn_bars(draw(Case({}))) == []
    assert len(drawn_bars(draw(Case({0: 1, 25: 1, 52: 1})))) == 3


def test_a_score_that_nobody_has_may_be_left_out() -> None:
    assert draw(Case({3: 2, 52: 0})) == draw(Case({3: 2}))
    assert draw(Case({3: 0})) == draw(Case({}))


def test_a_bar_is_as_high_as_its_count() -> None:
    full = heights({10: 100, 11: 50, 12: 25, 13: 75, 14: 100})
    assert full[0] == full[4] > 300
    for height, share in zip(full[1:4], (0.5, 0.25, 0.75), strict=True):
        assert abs(height - share * full[0]) <= 1


def test_larger_counts_have_higher_bars_and_equal_counts_equal_ones() -> None:
    for a, b in combinations(zip(HILL.values(), heights(HILL), strict=True), 2):
        assert (a[0] > b[0]) == (a[1] > b[1]), (a, b)


def test_the_own_bar_is_as_high_and_as_wide_as_if_it_were_not_marked() -> None:
    marked = draw(Case({10: 4, 11: 9, 12: 4}, 11), replace(CAPTIONS, own=""))
    boxes = [box for box, _ in drawn_bars(marked)]
    assert boxes[0].height == boxes[2].height < boxes[1].height
    assert len({box.width for box in boxes}) == 1


def test_one_among_a_hundred_thousand_is_seen() -> None:
    low, high = heights({10: 1, 20: 100_000})
    assert 4 <= low <= 8
    assert high > 300


@pytest.mark.parametrize("own", [0, 17, 20, 52])
def test_the_own_bar_alone_has_its_colour_and_an_arrow_above_it(own: int) -> None:
    picture = draw(Case(HILL, own))
    assert picture != draw(Case(HILL))
    marked = [i for i, (_, colour) in enumerate(drawn_bars(picture)) if colour == OWN]
    assert marked == [sorted(HILL).index(own)]
    box = drawn_bars(picture)[marked[0]][0]
    above = range(HEADER_PX, box.top)
    middle = box.left + box.width // 2
    widths = [row(picture, y)[middle - 12 : middle + 13].count(OWN) for y in above]
    assert max(widths[-20:]) >= 15, "the arrow's head"
    assert widths[-4:] == [0] * 4, "it ends before the bar"
    assert widths[-8] < widths[-12] < widths[-16], "it points downwards"


def test_an_own_score_that_is_not_counted_is_marked_on_the_axis() -> None:
    case = CASES["hidden"]
    picture = draw(case)
    assert {colour for _, colour in drawn_bars(picture)} == {PLAIN}
    low = picture.crop((0, axis_row(picture) - 12, 1100, axis_row(picture)))
    assert OWN in low.tobytes()
    assert OWN not in draw(case._replace(own=None)).crop((0, HEADER_PX, 1100, HEIGHT_PX)).tobytes()


@pytest.mark.parametrize("own", [0, 17, 20, 52])
def test_the_own_score_is_written_below_its_bar_in_its_colour(own: int) -> None:
    picture = draw(Case(HILL, own), BarCaptions())
    box = drawn_bars(picture)[sorted(HILL).index(own)][0]
    middle, below = box.left + box.width // 2, axis_row(picture) + 9
    coloured = [x for x in range(1100) if OWN in picture.crop((x, below, x + 1, HEIGHT_PX)).tobytes()]
    assert middle - 25 < coloured[0] < middle < coloured[-1] < middle + 25


def test_every_bar_has_a_middle_column_and_all_are_as_wide() -> None:
    for counts in (HILL, {20: 1, 30: 2}, {0: 1, 44: 3}, {51: 1}):
        widths = {box.width for box, _ in drawn_bars(draw(Case(counts)))}
        assert len(widths) == 1
        assert widths.pop() % 2 == 1


@pytest.mark.parametrize("own", [None, 20])
def test_a_bar_is_darker_beside_the_mean_but_not_cut_in_two(own: int | None) -> None:
    picture = draw(Case({20: 9, 21: 1}, own, 20.0))
    y = axis_row(picture) - 100
    line = row(picture, y)
    colour = PLAIN if own is None else OWN
    bar = line[line.index(colour) : line.rindex(colour) + 1]
    beside = LIGHT[1] if own is None else MARK[2]
    assert bar.count(beside) >= 4
    assert set(bar) <= {colour, beside, LIGHT[-1]}


def test_the_own_writing_is_above_its_bar() -> None:
    for own in HILL:
        case = Case(HILL, own)
        box = drawn_bars(draw(case))[sorted(HILL).index(own)][0]
        written = differing(draw(case), draw(case, replace(CAPTIONS, own="du: 88")))
        assert box.left - 120 < written.left < written.right < box.right + 120
        assert HEADER_PX < written.top < written.bottom < box.top - 20


@pytest.mark.parametrize("mean", [0.0, 3.4, 19.5, 20.0, 51.9, 52.0])
def test_the_mean_is_a_dashed_line_at_its_place_between_the_bars(mean: float) -> None:
    ends = {0: 5, 52: 5}
    picture, plain = draw(Case(ends, None, mean)), draw(Case(ends))
    first, last = (box for box, _ in drawn_bars(plain))
    expected = first.left + first.width // 2 + mean / 52 * (last.left - first.left)
    base = axis_row(picture)
    column = picture.crop((round(expected), 100, round(expected) + 1, base)).tobytes()
    dashes = sum(a != LIGHT[-1] == b for a, b in pairwise(column))
    assert dashes >= 15
    assert 0.4 < column.count(LIGHT[-1]) / len(column) < 0.8
    for beside in (-4, 4):
        column = picture.crop((round(expected) + beside, 100, round(expected) + beside + 1, base)).tobytes()
        assert LIGHT[-1] not in column


@pytest.mark.parametrize("mean", [0.0, 9.0, 16.9, 17.0, 17.2, 30.0, 52.0])
@pytest.mark.parametrize("own", [0, 17, 52])
def test_the_writings_never_meet(own: int, mean: float) -> None:
    """Each is changed in turn; what differs then are places without a pixel in common."""
    for text in ("W" * 90, "W" * 24, "W"):
        captions = BarCaptions(*[text] * 5)
        picture = draw(Case(HILL, own, mean), captions)
        boxes = []
        for field in fields(BarCaptions):
            other = replace(captions, **{field.name: text.replace("W", "M")})
            boxes.append(differing(picture, draw(Case(HILL, own, mean), other)))
        assert all(box.width for box in boxes)
        assert not any(a.overlaps(b) for a, b in combinations(boxes, 2)), text


def test_a_long_title_has_the_whole_header_where_there_is_no_subtitle() -> None:
    long = BarCaptions("W" * 90)
    box = differing(draw(Case(HILL), long), draw(Case(HILL), BarCaptions()))
    assert box.right > 1040
    assert box.bottom <= HEADER_PX
    beside = differing(
        draw(Case(HILL), replace(long, subtitle="34")), draw(Case(HILL), BarCaptions("", "34"))
    )
    assert 900 < beside.right < 1030


@all_cases
@pytest.mark.parametrize("text", ["", "Æg", "W" * 300, "\u202e日本\x00\ud800", "g̃Å" * 50], ids=range(5))
def test_nothing_is_drawn_at_the_edges(case: Case, text: str) -> None:
    picture = draw(case, BarCaptions(*[text] * 5))
    felt, band = manifest().felt, manifest().band
    for x in (0, 7, 1092, 1099):
        column = picture.crop((x, 0, x + 1, HEIGHT_PX)).tobytes()
        assert column == bytes([band]) * HEADER_PX + bytes([felt]) * (HEIGHT_PX - HEADER_PX)
    for y in (0, 1, HEADER_PX - 1):
        assert set(row(picture, y)) == {band}
    for y in (HEADER_PX, HEADER_PX + 4, HEIGHT_PX - 4, HEIGHT_PX - 1):
        assert set(row(picture, y)) == {felt}


@all_cases
def test_the_bars_stand_between_the_counts_and_the_margin(case: Case) -> None:
    picture = draw(case)
    line = row(picture, axis_row(picture))
    left, right = line.index(AXIS), line.rindex(AXIS) + 1
    assert 28 <= left < right == 1072
    for box, _ in drawn_bars(draw(case._replace(mean=None))):
        assert left <= box.left < box.right <= right
        assert box.top > HEADER_PX + 30


@all_cases
def test_an_empty_caption_leaves_nothing_behind(case: Case) -> None:
    picture = draw(case, BarCaptions())
    assert set(picture.crop((0, 0, 1100, HEADER_PX)).tobytes()) == {manifest().band}
    assert picture == draw(case, BarCaptions(" ", "\n", "  ", "\t", " "))


def test_nordic_letters_are_drawn_and_not_replaced() -> None:
    letters = "æøåÆØÅ\u65e5"
    for field in fields(BarCaptions):
        pictures = {
            draw(CASES["hill"], replace(CAPTIONS, **{field.name: letter})).tobytes() for letter in letters
        }
        assert len(pictures) == len(letters)


scores = st.integers(0, 52)


@given(st.lists(scores | st.floats(0, 52), min_size=1), st.sampled_from((1, 7, 48, 52, 104)))
def test_the_part_that_is_shown_has_all_scores_in_it(needed: list[float], full: int) -> None:
    needed = [min(score, full) for score in needed]
    first, last = bars._part_shown(needed, full)
    assert 0 <= first <= min(needed)
    assert max(needed) <= last <= full
    assert last - first >= min(15, full)
    assert first % 5 == 0
    if max(needed) - min(needed) <= 15:
        assert last - first <= 30


@pytest.mark.parametrize(
    ("needed", "part"),
    [
        ([], (0, 52)),
        ([23], (15, 30)),
        ([52], (35, 52)),
        ([0], (0, 15)),
        ([4, 19.2], (0, 20)),
        ([3, 40], (0, 52)),
    ],
)
def test_a_part_of_the_scores_begins_and_ends_at_round_ones(
    needed: list[float], part: tuple[int, int]
) -> None:
    assert bars._part_shown(needed, 52) == part


def test_scores_that_lie_close_together_have_wide_bars() -> None:
    near, far = (drawn_bars(draw(Case(counts)))[0][0].width for counts in ({20: 1, 24: 2}, {2: 1, 50: 2}))
    assert near > 2 * far


@given(st.sets(scores, min_size=1), scores | st.none())
def test_scores_below_the_axis_stand_at_their_bars_with_room_between_them(
    used: set[int], own: int | None
) -> None:
    axis = bars._Axis(*bars._part_shown([*used, *([] if own is None else [own])], 52), 80, 1072)
    ticks = bars._ticks(axis, max(used), own, manifest())
    assert 3 <= len(ticks) <= 9
    assert (max(used) if own is None else own) in ticks
    for a, b in combinations(ticks.values(), 2):
        assert not a.meets(b, 15)
    for score, writing in ticks.items():
        assert abs(writing.left + writing.right - 2 * axis.x(score)) <= 1


@given(st.integers(1, 10**18))
def test_few_and_round_counts_are_written(most: int) -> None:
    written = bars._round_counts(most)
    assert 1 <= len(written) <= 4
    assert written[-1] <= most < 2 * written[-1] + written.step
    assert str(written.step).rstrip("0") in {"1", "2", "5"}


def test_the_counts_beside_the_bars() -> None:
    expected = {
        0: [],
        1: [1],
        4: [1, 2, 3, 4],
        5: [2, 4],
        10: [5, 10],
        33: [10, 20, 30],
        100_000: [50_000, 100_000],
    }
    assert {most: list(bars._round_counts(most)) for most in expected} == expected


def test_a_count_is_written_at_the_height_of_its_bar() -> None:
    """The line at the round count runs into the upper end of the bar."""
    picture = draw(Case({20: 10, 25: 5}))
    rim = manifest().rim
    rows = [y for y in range(HEADER_PX, HEIGHT_PX) if row(picture, y).count(rim) > 700]
    assert [y for y in rows if y - 1 not in rows] == [box.top for box, _ in drawn_bars(picture)]


@pytest.mark.parametrize(
    "case",
    [
        Case({53: 1}),
        Case({-1: 1}),
        Case({1: -1}),
        Case({}, 53),
        Case({}, -1),
        Case({}, None, 52.1),
        Case({}, None, float("nan")),
    ],
)
def test_scores_that_cannot_be_are_refused(case: Case) -> None:
    with pytest.raises(ValueError, match=r"is not in 0 … 52|is negative"):
        draw(case)


@settings(max_examples=150, deadline=None)
@given(
    st.dictionaries(scores, st.integers(0, 100_000)),
    scores | st.none(),
    st.floats(0, 52) | st.none(),
    st.text(max_size=70),
)
def test_anything_can_be_drawn(
    counts: dict[int, int], own: int | None, mean: float | None, text: str
) -> None:
    picture = draw(Case(counts, own, mean), BarCaptions(*[text] * 5))
    assert picture.size == (1100, 600)


def test_drawing_again_and_in_several_threads_gives_the_same_bytes() -> None:
    jobs = [
        (case, BarCaptions(f"Game {i}", f"{j} æ", f"du {i}", f"snitt {j}", "poeng"))
        for i, case in enumerate(CASES.values())
        for j in range(3)
    ]
    with ThreadPoolExecutor(8) as pool:
        at_once = list(pool.map(lambda job: draw_bars(*_arguments(*job), full=job[0].full), jobs))
    assert at_once == [draw_bars(*_arguments(*job), full=job[0].full) for job in jobs]


def test_the_order_of_the_counts_does_not_matter() -> None:
    backwards = dict(reversed(HILL.items()))
    assert draw(Case(backwards, 17, 17.7)) == draw(Case(HILL, 17, 17.7))


def _arguments(
    case: Case, captions: BarCaptions
) -> tuple[dict[int, int], BarCaptions, int | None, float | None]:
    return case.counts, captions, case.own, case.mean
