from __future__ import annotations

import random
from collections.abc import Iterator
from io import BytesIO
from itertools import pairwise

import pytest
from PIL import Image, ImageChops

from bot.render import replay
from bot.render.image import Captions, Deck, Step, compose
from bot.render.replay import Frame, draw_replay
from engine import GAMES, Move, changes
from tests.render.tables import longest_klondike, opening, with_cards, won_klondike

FOUR_LARGE = Deck(four_colours=True, large_index=True)
DRAW = Move("s", "w")


def game_frames(key: str, code: str, moves: int, *, seed: str = "24", draws: float = 0.5) -> list[Frame]:
    """The frames of a random game of at most so many moves; ``draws`` is how often it draws if it can."""
    game, choose = GAMES[key], random.Random(f"{key} {code} {seed}")
    state = game.start(seed, code)
    table = game.table(state)
    frames = [Frame(table, Captions(f"{key} · {code}", seed, f"Score 0/{table.full_score}"))]
    while len(frames) <= moves:
        legal = list(game.legal_moves(state))
        if not legal:
            break
        stock = [move for move in legal if "s" in (move.source, move.target)]
        state = game.apply(state, choose.choice(stock if stock and choose.random() < draws else legal))
        before, table = table, game.table(state)
        score = f"Score {table.score}/{table.full_score}"
        frames.append(Frame(table, Captions(f"{key} · {code}", seed, score), changes(before, table)))
    return frames


def decoded(gif: bytes) -> Iterator[tuple[Image.Image, int]]:
    """Yield every frame of an animation as it is seen, in true colour, and for how many milliseconds."""
    with Image.open(BytesIO(gif)) as image:
        assert image.format == "GIF"
        assert image.size == (1100, 732)
        for number in range(frame_count(image)):
            image.seek(number)
            yield image.convert("RGB"), int(image.info["duration"])


def frame_count(image: Image.Image) -> int:
    count = getattr(image, "n_frames", 1)
    assert isinstance(count, int)
    return count


def picture_of(frames: list[Frame], number: int, deck: Deck = replay._CLASSIC) -> Image.Image:
    frame, last = frames[number], len(frames) - 1
    step = Step(number, last) if last else None
    return compose(frame.table, frame.captions, frame.changed, deck, step).convert("RGB")


def same(a: Image.Image, b: Image.Image) -> bool:
    return ImageChops.difference(a, b).getbbox() is None


@pytest.mark.parametrize(("key", "code"), [("klondike", "d1"), ("klondike", "d3"), ("acesup", "cell")])
@pytest.mark.parametrize("deck", [Deck(), FOUR_LARGE], ids=lambda deck: deck.folder)
def test_every_frame_is_the_picture_of_its_position(key: str, code: str, deck: Deck) -> None:
    frames = game_frames(key, code, 40)
    seen = list(decoded(draw_replay(frames, deck)))
    assert len(seen) == len(frames)
    for number, (picture, _) in enumerate(seen):
        assert same(picture, picture_of(frames, number, deck)), number


def test_it_plays_for_ever_and_rests_on_the_last_frame() -> None:
    gif = draw_replay(game_frames("acesup", "cell", 12))
    with Image.open(BytesIO(gif)) as image:
        assert image.info["loop"] == 0
    durations = [duration_ms for _, duration_ms in decoded(gif)]
    assert durations == [replay.FIRST_MS, *[replay.MOVE_MS] * 11, replay.LAST_MS]


def test_the_longest_game_is_below_the_bound_and_within_a_minute_and_a_half() -> None:
    frames = game_frames("klondike", "d1", 600)
    assert len(frames) == 601
    gif = draw_replay(frames, FOUR_LARGE)
    assert len(gif) <= 8 * 1024 * 1024
    durations: list[int] = []
    for number, (picture, duration_ms) in enumerate(decoded(gif)):
        durations.append(duration_ms)
        if number % 50 == 0:
            assert same(picture, picture_of(frames, number, FOUR_LARGE)), number
    assert len(durations) == 601
    assert 60_000 <= sum(durations) <= 90_000
    assert min(durations) >= replay.LEAST_MS


@pytest.mark.parametrize("max_bytes", [600_000, 250_000, 100_000])
def test_too_large_a_file_leaves_frames_out_but_never_the_first_or_the_last(max_bytes: int) -> None:
    frames = game_frames("klondike", "d1", 120)
    gif = draw_replay(frames, max_bytes=max_bytes)
    assert max_bytes / 2 <= len(gif) <= max_bytes
    seen = [picture for picture, _ in decoded(gif)]
    assert 2 < len(seen) < len(frames)
    assert same(seen[0], picture_of(frames, 0))
    assert same(seen[-1], picture_of(frames, len(frames) - 1))
    number = 0
    for picture in seen:  # each of them is a position of the game, in the game's order
        number = next(n for n in range(number, len(frames)) if same(picture, picture_of(frames, n))) + 1


def test_draws_on_which_a_draw_follows_are_left_out_first_and_evenly() -> None:
    passing = frozenset(range(10, 50))
    kept = replay._thinned(range(100), passing, 80)
    assert len(kept) == 80
    assert set(range(100)) - set(kept) <= passing
    gaps = [b - a for a, b in pairwise(kept)]
    assert max(gaps) <= 2
    fewer = replay._thinned(kept, passing, 30)
    assert (len(fewer), fewer[0], fewer[-1]) == (30, 0, 99)
    assert not passing & set(fewer)
    assert replay._thinned(range(100), passing, 2) == [0, 99]


def test_of_a_row_of_draws_only_the_last_one_is_not_passing() -> None:
    game = GAMES["klondike"]
    state = game.start("24", "d1")
    tables = [game.table(state)]
    play = next(move for move in game.legal_moves(state) if move != DRAW)
    for move in (DRAW, DRAW, DRAW, play, DRAW):
        state = game.apply(state, move)
        tables.append(game.table(state))
    assert replay._passing([Frame(table, Captions()) for table in tables]) == {1, 2}


def test_a_deal_of_aces_up_is_no_draw() -> None:
    frames = game_frames("acesup", "standard", 30, draws=1)
    assert replay._passing(frames) == frozenset()


def test_a_game_of_any_length_has_at_most_so_many_frames() -> None:
    empty = with_cards(opening(), "s", ())
    many = [Frame(opening() if number % 2 else empty, Captions()) for number in range(3 * replay.MAX_FRAMES)]
    passing = replay._passing(many)
    chosen = replay._thinned(range(len(many)), passing, replay.MAX_FRAMES)
    assert len(chosen) == replay.MAX_FRAMES
    assert sum(replay._durations(chosen, passing)) <= 90_000
    assert sum(replay._durations(range(replay.MAX_FRAMES), frozenset(range(0, 790, 2)))) <= 90_000


def test_a_single_position_is_one_still_frame_without_a_step() -> None:
    frames = [Frame(longest_klondike(), Captions("Klondike", "mormor", "0/52"))]
    ((picture, duration_ms),) = decoded(draw_replay(frames))
    assert same(picture, compose(frames[0].table, frames[0].captions).convert("RGB"))
    assert duration_ms == replay.LAST_MS


def test_a_won_game_ends_with_the_full_foundations() -> None:
    won = won_klondike()
    before = with_cards(won, "fs", won.pile("fs").cards[:-1])
    frames = [Frame(table, Captions("Klondike", score=f"{n}/52")) for n, table in ((51, before), (52, won))]
    seen = [picture for picture, _ in decoded(draw_replay(frames))]
    assert same(seen[1], picture_of(frames, 1))
    assert not same(seen[0], seen[1])


def test_a_position_that_looks_like_the_last_one_takes_its_time_too() -> None:
    """The step differs between two frames, but a bar of a pixel and three digits may be all."""
    frames = [Frame(opening(), Captions())] * 5
    seen = list(decoded(draw_replay(frames)))
    assert len(seen) == 5
    picture = compose(opening(), Captions())
    part, corner = replay._difference(picture, picture.copy(), 60)
    assert (part.size, corner, part.tobytes()) == ((1, 1), (0, 0), bytes([60]))


def test_no_position_or_no_room_for_two_is_an_error() -> None:
    with pytest.raises(ValueError, match="at least one"):
        draw_replay([])
    with pytest.raises(ValueError, match="more than 9000 bytes"):
        draw_replay(game_frames("klondike", "d1", 30), max_bytes=9000)


def test_the_same_game_gives_the_same_bytes() -> None:
    frames = game_frames("acesup", "pairs", 10)
    assert draw_replay(frames) == draw_replay(frames)
