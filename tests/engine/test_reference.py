"""Check the reference implementation itself, on positions worked out by hand."""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import TypeVar

import pytest

from tests.engine.reference import (
    ACESUP_RANKS,
    KLONDIKE_RANKS,
    SUITS,
    AcesUp,
    Column,
    Klondike,
    acesup_deals,
    acesup_discards,
    acesup_ending,
    acesup_moves,
    acesup_rearrangements,
    acesup_start,
    is_red,
    klondike_card_moves,
    klondike_ending,
    klondike_moves,
    klondike_start,
    klondike_stock_moves,
    perft,
    random_walk,
)

S = TypeVar("S")


def cards(text: str) -> list[str]:
    """Read cards written with spaces between them."""
    return text.split()


# PySolFC's game number 24.
DECK_24 = cards(
    "4C 5H QC 5D 2D 7H AH 7S 2C QH 9S 2S KD JS 5S 6C 9C 3C 6H JC TH KH 6S 7D 8C AC 9H 5C "
    "TC TS AD 4D QS 3H 3S JH TD KC 8H 8S 4S 4H KS 6D 8D 7C JD 9D 2H QD 3D AS"
)

# Ranks 2 to 4, the 4 playing the ace: more can be discarded here by holding a discard back.
SMALL_ACESUP_DECK = cards("4D 4H 4S 4C 3S 3D 2S 3C 2C 2H 3H 2D")


def shuffled(ranks: str, seed: int) -> list[str]:
    """Return a deck in an order of no particular origin."""
    deck = [rank + suit for rank in ranks for suit in SUITS]
    Random(seed).shuffle(deck)
    return deck


def names(moves: Sequence[tuple[str, S]]) -> list[str]:
    """Return the names of moves, sorted."""
    return sorted(name for name, _ in moves)


def play(moves_function: Callable[[S], list[tuple[str, S]]], state: S, *wanted: str) -> S:
    """Play moves by their names."""
    for name in wanted:
        state = dict(moves_function(state))[name]
    return state


# ---------------------------------------------------------------------------------- Klondike


def klondike(
    *columns: str,
    foundations: tuple[int, int, int, int] = (0, 0, 0, 0),
    stock: str = "",
    waste: str = "",
    redeals: int | None = None,
    draw: int = 1,
    returns: bool = False,
) -> Klondike:
    """Build a position; a column is written "face down | face up", or just its face-up cards."""
    built = []
    for text in columns:
        down, bar, up = text.partition("|")
        built.append(Column(tuple(down.split()), tuple(up.split())))
        if not bar:
            built[-1] = Column((), tuple(down.split()))
    return Klondike(
        columns=tuple(built),
        foundations=tuple(
            tuple(rank + suit for rank in KLONDIKE_RANKS[:count])
            for suit, count in zip(SUITS, foundations, strict=True)
        ),
        stock=tuple(stock.split()),
        waste=tuple(waste.split()),
        redeals=redeals,
        draw=draw,
        returns=returns,
        ranks=KLONDIKE_RANKS,
    )


def everything(state: Klondike) -> list[str]:
    """Return all cards of a position, sorted."""
    found = [*state.stock, *state.waste]
    for column in state.columns:
        found += column.down + column.up
    for foundation in state.foundations:
        found += foundation
    return sorted(found)


def test_klondike_layout() -> None:
    state = klondike_start(DECK_24, draw=1, passes=None, returns=False)
    assert state == klondike(
        "5C",
        "7H | 9H",
        "2D 9S | AC",
        "5D QH 5S | 8C",
        "QC 2C JS 3C | 7D",
        "5H 7S KD 9C JC | 6S",
        "4C AH 2S 6C 6H TH | KH",
        stock="TC TS AD 4D QS 3H 3S JH TD KC 8H 8S 4S 4H KS 6D 8D 7C JD 9D 2H QD 3D AS",
    )
    assert len(state.stock) == 24


def test_klondike_small_layout() -> None:
    deck = cards("AC 2C 3C AD 2D 3D AH 2H 3H AS 2S 3S")
    state = klondike_start(deck, draw=1, passes=2, returns=True, ranks="A23", columns=3)
    assert state.columns == (
        Column((), ("3D",)),
        Column(("2C",), ("2D",)),
        Column(("AC", "3C"), ("AD",)),
    )
    assert state.stock == ("AH", "2H", "3H", "AS", "2S", "3S")
    assert (state.waste, state.redeals) == ((), 1)


def test_klondike_refuses_nonsense() -> None:
    with pytest.raises(ValueError, match="each card"):
        klondike_start(DECK_24[1:], draw=1, passes=None, returns=False)
    with pytest.raises(ValueError, match="each card"):
        klondike_start([*DECK_24[1:], DECK_24[1]], draw=1, passes=None, returns=False)
    with pytest.raises(ValueError, match="at least 1"):
        klondike_start(DECK_24, draw=1, passes=0, returns=False)
    with pytest.raises(ValueError, match="too few"):
        klondike_start(DECK_24, draw=1, passes=None, returns=False, columns=10)


def test_klondike_first_moves() -> None:
    state = klondike_start(DECK_24, draw=3, passes=None, returns=True)
    assert names(klondike_moves(state)) == [
        "6S from column 6 to column 5",
        "7D from column 5 to column 4",
        "8C from column 4 to column 2",
        "AC from column 3 to foundation",
        "draw",
    ]


def test_klondike_uncovered_card_turns_up() -> None:
    state = klondike_start(DECK_24, draw=1, passes=None, returns=False)
    state = play(klondike_moves, state, "AC from column 3 to foundation")
    assert state.columns[2] == Column(("2D",), ("9S",))
    assert state.foundations == (("AC",), (), (), ())
    # The last card of the first column leaves nothing to turn.
    state = klondike("AC", "5C | 9H 8S")
    state = play(klondike_moves, state, "AC from column 1 to foundation")
    assert state.columns[0] == Column((), ())
    # A card that was face up already stays so, and nothing else turns.
    state = klondike("9D", "5C | 9H 8S")
    state = play(klondike_moves, state, "8S from column 2 to column 1")
    assert state.columns == (Column((), ("9D", "8S")), Column(("5C",), ("9H",)))


def test_klondike_foundations_go_up_by_suit() -> None:
    state = klondike("3C", "9D", "4S", "7S", foundations=(2, 0, 0, 2), waste="3S")
    assert names(klondike_moves(state)) == [
        "3C from column 1 to foundation",
        "3S from waste to foundation",
        "redeal",
    ]
    # A card with another on it cannot go, though it would fit.
    state = klondike("3C 2D", foundations=(2, 0, 0, 0))
    assert klondike_moves(state) == []
    # An ace has one foundation to go to, its own.
    state = klondike("AS", "AH", "5C")
    assert names(klondike_moves(state)) == [
        "AH from column 2 to foundation",
        "AS from column 1 to foundation",
    ]


def test_klondike_any_part_of_a_run_moves() -> None:
    state = klondike("5D | 9H 8S 7D 6C", "TS", "9D", "8C", "7H", "6S")
    assert names(klondike_moves(state)) == [
        "6C from column 1 to column 5",
        "6S from column 6 to column 5",
        "7D-6C from column 1 to column 4",
        "7H from column 5 to column 4",
        "8C from column 4 to column 3",
        "8S-7D-6C from column 1 to column 3",
        "9D from column 3 to column 2",
        "9H-8S-7D-6C from column 1 to column 2",
    ]
    after = play(klondike_moves, state, "8S-7D-6C from column 1 to column 3")
    assert after.columns[0] == Column(("5D",), ("9H",))
    assert after.columns[2] == Column((), ("9D", "8S", "7D", "6C"))
    after = play(klondike_moves, state, "9H-8S-7D-6C from column 1 to column 2")
    assert after.columns[0] == Column((), ("5D",))


def test_klondike_nothing_lands_in_the_middle_or_out_of_order() -> None:
    # Same colour, same rank, two ranks apart, one rank lower, and a fitting card that is covered.
    assert klondike_card_moves(klondike("9H", "8D")) == []
    assert klondike_card_moves(klondike("9H", "9S")) == []
    assert klondike_card_moves(klondike("9H", "7S")) == []
    assert klondike_card_moves(klondike("9H 8C", "8S")) == []
    assert klondike_card_moves(klondike("KH", "AS"))[1:] == []  # nothing wraps around
    assert names(klondike_card_moves(klondike("9H", "8S"))) == ["8S from column 2 to column 1"]


def test_klondike_only_kings_fill_empty_columns() -> None:
    state = klondike("5D | KH QS", "", "JC", "", waste="KS")
    assert names(klondike_card_moves(state)) == [
        "KH-QS from column 1 to column 2",
        "KH-QS from column 1 to column 4",
        "KS from waste to column 2",
        "KS from waste to column 4",
    ]
    # A king with nothing under it gains nothing by moving, but may.
    state = klondike("KH QS", "", "4C")
    assert names(klondike_moves(state)) == ["KH-QS from column 1 to column 2"]


def test_klondike_waste_gives_its_top_card_alone() -> None:
    state = klondike("9H", "8D", "3C", waste="8S 7C")
    assert names(klondike_card_moves(state)) == ["7C from waste to column 2"]
    state = play(klondike_moves, state, "7C from waste to column 2")
    assert names(klondike_card_moves(state)) == ["8S from waste to column 1"]


def test_klondike_draws() -> None:
    state = klondike("9H", "8S", stock="2C 3C 4C 5C 6C", draw=3, redeals=1)
    state = play(klondike_moves, state, "draw")
    assert (state.stock, state.waste) == (("5C", "6C"), ("2C", "3C", "4C"))
    state = play(klondike_moves, state, "draw")
    assert (state.stock, state.waste) == ((), ("2C", "3C", "4C", "5C", "6C"))
    state = play(klondike_moves, state, "redeal")
    assert (state.stock, state.waste, state.redeals) == (("2C", "3C", "4C", "5C", "6C"), (), 0)
    state = play(klondike_moves, state, "draw", "draw")
    assert state.waste[-1] == "6C"
    assert names(klondike_moves(state)) == ["8S from column 2 to column 1"]
    # With neither stock nor waste there is nothing to turn over.
    assert names(klondike_moves(klondike("9H", "8S"))) == ["8S from column 2 to column 1"]


@pytest.mark.parametrize(("passes", "redeals"), [(1, 0), (2, 1), (3, 2), (9, 8), (None, 20)])
def test_klondike_passes(passes: int | None, redeals: int) -> None:
    state = klondike_start(DECK_24, draw=3, passes=passes, returns=False)
    first = state.stock
    for _ in range(redeals):
        state = play(klondike_moves, state, *["draw"] * 8, "redeal")
        assert (state.stock, state.waste) == (first, ())
    state = play(klondike_moves, state, *["draw"] * 8)
    assert (state.stock, state.waste) == ((), first)
    assert ("redeal" in names(klondike_moves(state))) == (passes is None)


def test_klondike_draw_of_three_shifts_after_a_card_is_played() -> None:
    state = klondike("6D", "9H 8S", "9D", stock="2C 3C 5C 7C 8C TC", draw=3)
    state = play(klondike_moves, state, "draw", "5C from waste to column 1", "draw", "redeal")
    state = play(klondike_moves, state, "draw")
    assert state.waste == ("2C", "3C", "7C")


def test_klondike_returns() -> None:
    columns = ("5C", "4C", "", "2C")
    counts = (0, 4, 1, 13)
    assert klondike_card_moves(klondike(*columns, foundations=counts)) == []
    state = klondike(*columns, foundations=counts, returns=True)
    assert names(klondike_moves(state)) == [
        "4D from foundation to column 1",
        "AH from foundation to column 4",
        "KS from foundation to column 3",
    ]
    after = play(klondike_moves, state, "4D from foundation to column 1")
    assert after.foundations[1] == ("AD", "2D", "3D")
    assert after.columns[0] == Column((), ("5C", "4D"))
    assert names(klondike_moves(after)) == [
        "3D from foundation to column 2",
        "4D from column 1 to foundation",
        "AH from foundation to column 4",
        "KS from foundation to column 3",
    ]


def test_klondike_win() -> None:
    state = klondike("KH", "", "", "", "", "", "", foundations=(13, 13, 12, 13), returns=True)
    assert klondike_ending(state) is None
    state = play(klondike_moves, state, "KH from column 1 to foundation")
    assert klondike_ending(state) == "won"
    # Kings could return to the empty columns, but the game has ended.
    assert klondike_moves(state) == []
    assert len(klondike_card_moves(state)) == 28
    state = klondike("KH", foundations=(13, 13, 12, 13))
    assert klondike_ending(play(klondike_moves, state, "KH from column 1 to foundation")) == "won"


# No two black cards can meet in a column, and none of these opens a foundation.
BLACK = ("2C", "2S", "4C", "4S", "6C", "6S", "8S")


@pytest.mark.parametrize(
    ("stock", "waste", "draw", "redeals", "ending"),
    [
        # Nothing left to turn.
        ("", "", 1, None, "over"),
        ("", "TC", 1, 0, "over"),
        # The ace comes up in this pass, for certain.
        ("8C AH TC", "", 1, 0, None),
        # It is buried in the waste, and only another pass brings it up again.
        ("", "AH 8C TC", 1, 0, "over"),
        ("", "AH 8C TC", 1, 1, None),
        ("", "AH 8C TC", 1, None, None),
        # The same while the stock still has cards to draw in vain.
        ("TC JC", "AH 8C", 1, 0, "over"),
        ("TC JC", "AH 8C", 1, 1, None),
        # Three at a time it is never on top, however often the waste is turned over.
        ("AH 8C TC", "", 3, None, "over"),
        ("", "AH 8C TC", 3, None, "over"),
        ("8C AH TC JC", "", 3, 8, "over"),
        # But it is where the last draw falls short of three.
        ("8C TC JC AH", "", 3, 0, None),
        ("8C TC JC 9C AH", "", 3, 0, None),
        ("8C TC JC AH 9C", "", 3, 0, "over"),
        # A card played earlier in this pass shifts the groups of three of the next.
        ("TC AH QC", "8C", 3, 0, "over"),
        ("TC AH QC", "8C", 3, 1, None),
        # A king without an empty column fits nowhere, and there is no ace in sight.
        ("KH KC KD", "", 1, None, "over"),
        # It need not be a foundation that the card fits.
        ("8C 3H TC", "", 1, 0, None),
    ],
)
def test_klondike_over(stock: str, waste: str, draw: int, redeals: int | None, ending: str | None) -> None:
    state = klondike(*BLACK, stock=stock, waste=waste, draw=draw, redeals=redeals)
    assert klondike_ending(state) == ending
    if ending == "over":
        assert klondike_moves(state) == []
        assert perft(klondike_moves, state, 1) == 0
    else:
        assert len(klondike_moves(state)) == 1  # the draw or the redeal


def test_klondike_is_alive_while_any_card_moves() -> None:
    # Two red nines: the eight can shuttle for ever.
    assert klondike_ending(klondike("9H 8S", "9D")) is None
    assert klondike_ending(klondike("9H 8S", "9C")) == "over"
    # So can a king with its whole column.
    assert klondike_ending(klondike("KH QS", "")) is None
    assert klondike_ending(klondike("QS", "")) == "over"
    # A king that will come up keeps an empty column worth waiting for.
    assert klondike_ending(klondike("QS", "", stock="8C KC")) is None
    # A foundation card counts where it may return, and only there.
    assert klondike_ending(klondike("4C", foundations=(0, 3, 0, 0))) == "over"
    assert klondike_ending(klondike("4C", foundations=(0, 3, 0, 0), returns=True)) is None


def small_klondike_games() -> Iterator[Klondike]:
    """Deal small games under many rules."""
    for seed in range(4):
        for draw in (1, 2, 3):
            for passes in (1, 2, None):
                for returns in (False, True):
                    deck = shuffled("A234", seed)
                    yield klondike_start(
                        deck, draw=draw, passes=passes, returns=returns, ranks="A234", columns=4
                    )


def card_move_is_near(state: Klondike) -> bool:
    """Say whether drawing and redealing, and nothing else, can lead to a move of a card."""
    for _ in range(100):  # more than any small game takes to come round
        if klondike_card_moves(state):
            return True
        moves = klondike_stock_moves(state)
        if not moves:
            return False
        state = moves[0][1]
    return False


def test_klondike_over_is_exact_in_small_games() -> None:
    endings: set[str | None] = set()
    for start in small_klondike_games():
        seen, queue = {start}, [start]
        while queue and len(seen) < 300:
            state = queue.pop()
            ending = klondike_ending(state)
            endings.add(ending)
            if ending != "won":
                assert (ending is None) == card_move_is_near(state)
            assert (ending is None) == bool(klondike_moves(state))
            for _, after in klondike_moves(state):
                if after not in seen:
                    seen.add(after)
                    queue.append(after)
    assert endings == {"won", "over", None}


@pytest.mark.parametrize("seed", range(6))
def test_klondike_random_walks_stay_sound(seed: int) -> None:
    passes = (None, 1, 3)[seed % 3]
    deck = shuffled(KLONDIKE_RANKS, seed)
    start = klondike_start(deck, draw=1 + seed % 2 * 2, passes=passes, returns=seed > 2)
    for state in random_walk(klondike_moves, start, Random(seed), 300):
        assert everything(state) == sorted(deck)
        for column in state.columns:
            assert column.up or not column.down
            for lower, upper in zip(column.up, column.up[1:], strict=False):
                assert is_red(lower) != is_red(upper)
                assert KLONDIKE_RANKS.index(lower[0]) == KLONDIKE_RANKS.index(upper[0]) + 1
        for suit, foundation in zip(SUITS, state.foundations, strict=True):
            assert "".join(foundation) == "".join(rank + suit for rank in KLONDIKE_RANKS[: len(foundation)])
        moves = klondike_moves(state)
        assert len({name for name, _ in moves}) == len({after for _, after in moves}) == len(moves)


# ----------------------------------------------------------------------------------- Aces Up


def acesup(
    *piles: str,
    stock: str = "",
    held: str | None = None,
    discarded: int = 0,
    aces: bool = False,
    cell: bool = False,
    pairs: bool = False,
) -> AcesUp:
    """Build a position; the last card of each pile is its top."""
    return AcesUp(
        piles=tuple(tuple(pile.split()) for pile in piles),
        stock=tuple(stock.split()),
        held=held,
        discarded=discarded,
        aces=aces,
        cell=cell,
        pairs=pairs,
        ranks=ACESUP_RANKS,
    )


# A stock that keeps a position in play without meaning anything else.
MORE = "2S 3S 4S 5S"


def test_acesup_start() -> None:
    state = acesup_start(DECK_24, aces=False, cell=False, pairs=False)
    assert state.piles == (("4C",), ("5H",), ("QC",), ("5D",))
    assert (len(state.stock), state.held, state.discarded) == (48, None, 0)
    assert names(acesup_moves(state)) == ["deal", "discard 4C"]
    state = play(acesup_moves, state, "deal")
    assert state.piles == (("4C", "2D"), ("5H", "7H"), ("QC", "AH"), ("5D", "7S"))
    assert len(state.stock) == 44
    for deals_left in range(11, 0, -1):
        assert len(state.stock) == 4 * deals_left
        state = play(acesup_moves, state, "deal")
    assert state.stock == ()
    assert acesup_deals(state) == []
    with pytest.raises(ValueError, match="each card"):
        acesup_start(DECK_24[4:], aces=False, cell=False, pairs=False)


def test_acesup_one_beaten_card() -> None:
    state = acesup("4C", "6C", "TH", "KD", stock=MORE)
    assert names(acesup_discards(state)) == ["discard 4C"]
    state = play(acesup_moves, state, "discard 4C")
    assert (state.piles[0], state.discarded) == ((), 1)
    # The empty pile gets its card like the others.
    state = play(acesup_moves, state, "deal")
    assert state.piles == (("2S",), ("6C", "3S"), ("TH", "4S"), ("KD", "5S"))


def test_acesup_one_discard_leads_to_another() -> None:
    state = acesup("8C", "6C 2C", "TH", "KD", stock=MORE)
    assert names(acesup_discards(state)) == ["discard 2C"]
    state = play(acesup_moves, state, "discard 2C")
    assert names(acesup_discards(state)) == ["discard 6C"]
    state = play(acesup_moves, state, "discard 6C")
    assert state.piles[1] == ()
    assert acesup_discards(state) == []


def test_acesup_moving_a_card_uncovers_another() -> None:
    state = acesup("JH 9S", "7H", "", "KD", stock=MORE)
    assert acesup_discards(state) == []
    assert names(acesup_moves(state)) == [
        "7H to pile 3",
        "9S to pile 3",
        "KD to pile 3",
        "deal",
    ]
    state = play(acesup_moves, state, "9S to pile 3")
    assert state.piles == (("JH",), ("7H",), ("9S",), ("KD",))
    assert names(acesup_discards(state)) == ["discard 7H"]


def test_acesup_all_but_the_highest_go() -> None:
    state = acesup("4C", "6C", "9C", "AC", stock=MORE)
    assert names(acesup_discards(state)) == ["discard 4C", "discard 6C", "discard 9C"]
    # Only tops count: what is covered neither discards nor goes.
    state = acesup("AC 4D", "6C", "3C KS", "9H", stock=MORE)
    assert acesup_discards(state) == []


def test_acesup_empty_piles() -> None:
    # A lone card may move on, and each of two empty piles is a move of its own.
    state = acesup("4C", "", "5H 6D", "", stock=MORE)
    assert names(acesup_rearrangements(state)) == [
        "4C to pile 2",
        "4C to pile 4",
        "6D to pile 2",
        "6D to pile 4",
    ]
    # Nothing moves onto a card.
    assert acesup_rearrangements(acesup("4C", "5H", "6D", "7S", stock=MORE)) == []


def test_acesup_only_aces_move() -> None:
    state = acesup("4C", "", "5H AD", "AS", stock=MORE, aces=True)
    assert names(acesup_moves(state)) == ["AD to pile 2", "AS to pile 2", "deal"]


def test_acesup_cell() -> None:
    state = acesup("4C 9D", "5H", "", "AS", stock=MORE, cell=True)
    assert names(acesup_moves(state)) == [
        "5H to cell",
        "5H to pile 3",
        "9D to cell",
        "9D to pile 3",
        "AS to cell",
        "AS to pile 3",
        "deal",
    ]
    state = play(acesup_moves, state, "9D to cell")
    assert (state.held, state.piles[0]) == ("9D", ("4C",))
    # The cell is full now.
    assert names(acesup_moves(state)) == [
        "4C to pile 3",
        "5H to pile 3",
        "9D to pile 3",
        "AS to pile 3",
        "deal",
    ]
    after = play(acesup_moves, state, "9D to pile 3")
    assert (after.held, after.piles[2]) == (None, ("9D",))
    # A deal leaves the cell alone.
    assert play(acesup_moves, state, "deal").held == "9D"
    # The held card takes no part in discarding, nor in pairs.
    for held in ("3C", "9C", "4D"):
        state = acesup("4C", "5H", "6D", "7S", stock=MORE, held=held, cell=True, pairs=True)
        assert names(acesup_moves(state)) == ["deal"]


def test_acesup_only_aces_leave_the_cell() -> None:
    state = acesup("4C", "", "AD", "7S", stock=MORE, aces=True, cell=True)
    assert names(acesup_moves(state)) == [
        "4C to cell",
        "7S to cell",
        "AD to cell",
        "AD to pile 2",
        "deal",
    ]
    after = play(acesup_moves, state, "4C to cell")
    assert names(acesup_moves(after)) == ["AD to pile 1", "AD to pile 2", "deal"]
    after = play(acesup_moves, state, "AD to cell")
    assert names(acesup_moves(after)) == ["AD to pile 2", "AD to pile 3", "deal"]


def test_acesup_pairs() -> None:
    state = acesup("4C 7H", "7C", "2S 7D", "KS", stock=MORE, pairs=True)
    assert names(acesup_moves(state)) == [
        "deal",
        "discard 7C and 7D",
        "discard 7H and 7C",
        "discard 7H and 7D",
    ]
    state = play(acesup_moves, state, "discard 7H and 7D")
    assert state.piles == (("4C",), ("7C",), ("2S",), ("KS",))
    assert state.discarded == 2
    # Aces never go, and without the rule no pair does.
    assert acesup_discards(acesup("AC", "AD", "AH", "AS", pairs=True)) == []
    assert acesup_discards(acesup("7C", "7D", "7H", "7S")) == []
    assert len(acesup_discards(acesup("7C", "7D", "7H", "7S", pairs=True))) == 6
    # A beaten card of a pair may also go alone.
    state = acesup("7C", "7D", "9C", "2S", stock=MORE, pairs=True)
    assert names(acesup_discards(state)) == ["discard 7C", "discard 7C and 7D"]


def test_acesup_win() -> None:
    state = acesup("AC", "AD", "AH", "AS 2C", discarded=47)
    assert names(acesup_moves(state)) == ["discard 2C"]
    state = play(acesup_moves, state, "discard 2C")
    assert acesup_ending(state) == "won"
    assert acesup_moves(state) == []
    # Pairs can clear everything else while the aces still wait in the stock.
    assert acesup_ending(acesup("", "", "", "", stock="AC AD AH AS", discarded=48)) == "won"
    # Wherever the aces are: 48 cards discarded is all that counts.
    assert acesup_ending(acesup("AC AD", "", "", "AS AH", discarded=48)) == "won"
    state = acesup("AC AD", "", "", "AS", held="AH", discarded=48, cell=True)
    assert acesup_ending(state) == "won"
    assert acesup_moves(state) == []


@pytest.mark.parametrize(
    ("state", "ending"),
    [
        # 46 cards gone, one ace stuck below another, and no empty pile.
        (acesup("AC AD", "AH", "AS", "KC QC", discarded=46), "over"),
        # The free cell helps out.
        (acesup("AC AD", "AH", "AS", "KC QC", discarded=46, cell=True), None),
        # So does an empty pile, whose filling must be looked for.
        (acesup("AC AD", "AH AS", "", "KC QC", discarded=46), None),
        (acesup("AC AD", "AH AS", "", "KC QC", discarded=46, aces=True), None),
        (acesup("AC 9D", "AH AS", "", "KC QC", discarded=46), None),
        (acesup("AC 9D", "AH AS", "", "KC QC", discarded=46, aces=True), "over"),
        # Nothing can be discarded: shuffling cards about is no game.
        (acesup("3C", "4D", "5H", "", discarded=46), "over"),
        (acesup("3C", "4D", "5H", "", discarded=46, cell=True), "over"),
        (acesup("AC AD AS", "", "", "4H", discarded=40), "over"),
        # The discard comes after two moves.
        (acesup("KC 5D 6H", "", "", "3C", discarded=40), None),
        # That takes two empty piles; a lone card that moves on leaves no more than there were.
        (acesup("KC 5D 6H", "7S", "", "3C", discarded=40), "over"),
        (acesup("KC 5D 6H", "AD 7S", "", "3C", discarded=40), "over"),
        # One pile and a cell will do.
        (acesup("KC 5D 6H", "AD 7S", "", "3C", discarded=40, cell=True), None),
        # With `aces` as well, what enters the cell stays there.
        (acesup("KC 5D 6H", "AD 7S", "", "3C", discarded=40, aces=True, cell=True), "over"),
        (acesup("KC 5D", "AD 7S", "", "3C", discarded=40, aces=True, cell=True), None),
        # A held card frees itself only through an empty pile.
        (acesup("3C", "4D", "5H", "6S", held="KC", discarded=40, cell=True), "over"),
        (acesup("3C", "4D", "5H", "", held="KC", discarded=40, cell=True), None),
        (acesup("3C", "4D", "5H", "", held="KC", discarded=40, aces=True, cell=True), "over"),
        # A pair is a discard too.
        (acesup("4C", "4D", "5H", "6S", discarded=40), "over"),
        (acesup("4C", "4D", "5H", "6S", discarded=40, pairs=True), None),
        (acesup("4C 7H", "4D", "", "6S", discarded=40, pairs=True), None),
        # While there are cards to deal the game goes on.
        (acesup("3C", "4D", "5H", "6S", stock=MORE), None),
    ],
)
def test_acesup_over(state: AcesUp, ending: str | None) -> None:
    assert acesup_ending(state) == ending
    assert bool(acesup_moves(state)) == (ending is None)


def test_acesup_over_search_looks_two_moves_ahead() -> None:
    # No card of this position beats another until both cards on the king have gone.
    state = acesup("KC 5D 6H", "", "", "3C", discarded=40)
    assert acesup_discards(state) == []
    for _, after in acesup_moves(state):
        assert acesup_discards(after) == []
    state = play(acesup_moves, state, "6H to pile 2", "5D to pile 3")
    assert names(acesup_moves(state)) == ["discard 3C"]


def most_discards(start: AcesUp, moves_function: Callable[[AcesUp], list[tuple[str, AcesUp]]]) -> int:
    """Search every line of play for the most cards that can be discarded."""
    seen, queue = {start}, [start]
    while queue:
        for _, after in moves_function(queue.pop()):
            if after not in seen:
                seen.add(after)
                queue.append(after)
    return max(state.discarded for state in seen)


def forced(state: AcesUp) -> list[tuple[str, AcesUp]]:
    """List the moves where whatever can be discarded has to be discarded first."""
    return acesup_discards(state) or acesup_moves(state)


def unending(state: AcesUp) -> list[tuple[str, AcesUp]]:
    """List the moves there would be if no game ever ended."""
    return acesup_discards(state) + acesup_rearrangements(state) + acesup_deals(state)


def test_acesup_holding_a_discard_back_can_pay() -> None:
    start = acesup_start(SMALL_ACESUP_DECK, aces=False, cell=False, pairs=False, ranks="234")
    assert most_discards(start, forced) == 5
    assert most_discards(start, acesup_moves) == 7


@pytest.mark.parametrize("seed", range(8))
def test_acesup_ending_a_game_costs_no_discard(seed: int) -> None:
    deck = shuffled("234", seed)
    aces, cell, pairs = seed & 1 > 0, seed & 2 > 0, seed & 4 > 0
    start = acesup_start(deck, aces=aces, cell=cell, pairs=pairs, ranks="234")
    assert most_discards(start, acesup_moves) == most_discards(start, unending)


@pytest.mark.parametrize("seed", range(8))
def test_acesup_random_walks_stay_sound(seed: int) -> None:
    aces, cell, pairs = seed & 1 > 0, seed & 2 > 0, seed & 4 > 0
    deck = shuffled(ACESUP_RANKS, seed)
    start = acesup_start(deck, aces=aces, cell=cell, pairs=pairs)
    for state in random_walk(acesup_moves, start, Random(seed), 300):
        found = [*state.stock, *(card for pile in state.piles for card in pile)]
        if state.held is not None:
            assert cell
            found.append(state.held)
        assert len(set(found)) == len(found) == 52 - state.discarded
        assert {"AC", "AD", "AH", "AS"} <= set(found) <= set(deck)
        moves = acesup_moves(state)
        assert len({name for name, _ in moves}) == len({after for _, after in moves}) == len(moves)


# --------------------------------------------------------------------------- for comparisons


def binary(number: int) -> list[tuple[str, int]]:
    """Offer two moves in each of the first three positions, then none."""
    return [("one", number + 1), ("other", number + 1)] if number < 3 else []


def test_perft_counts_sequences_of_exactly_that_length() -> None:
    assert [perft(binary, 0, depth) for depth in range(6)] == [1, 2, 4, 8, 0, 0]


def test_perft_by_hand() -> None:
    # Aces Up 24 begins 4C 5H QC 5D, then 2D 7H AH 7S. Discarding leaves three fills and the
    # deal; dealing first leaves the next deal and the discard of 7H under AH.
    start = acesup_start(DECK_24, aces=False, cell=False, pairs=False)
    assert [perft(acesup_moves, start, depth) for depth in range(3)] == [1, 2, 6]
    # One card to shuttle between two red nines.
    assert [perft(klondike_moves, klondike("9H 8S", "9D"), depth) for depth in range(4)] == [1] * 4


def test_random_walk() -> None:
    walk = list(random_walk(binary, 0, Random(1), 10))
    assert walk == [0, 1, 2, 3]
    assert list(random_walk(binary, 0, Random(1), 2)) == [0, 1, 2]
    assert list(random_walk(binary, 0, Random(1), 0)) == [0]
    start = klondike_start(DECK_24, draw=1, passes=None, returns=False)
    walks = [list(random_walk(klondike_moves, start, Random(7), 50)) for _ in range(2)]
    assert walks[0] == walks[1]
    for before, after in zip(walks[0], walks[0][1:], strict=False):
        assert after in dict(klondike_moves(before)).values()
