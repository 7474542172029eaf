"""Klondike, one rule a test."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pysol_cards.deal_game import Game as PysolGame

from engine import DECK, Card, IllegalMove, Move, Outcome, Reason, RulesSyntaxError, shuffled_deck
from engine.games.klondike import KlondikeReason, KlondikeRules, KlondikeState
from tests.engine.positions import (
    KLONDIKE,
    KLONDIKE_CODES,
    Case,
    assert_agrees_with_reference,
    cards,
    case,
    illegal,
    klondike,
    names,
)

# No two black cards can meet in a column, and none of these opens a foundation.
BLACK = ("2C", "2S", "4C", "4S", "6C", "6S", "8S")


def moves(state: KlondikeState) -> list[str]:
    return names(KLONDIKE.legal_moves(state))


def play(state: KlondikeState, *written: str) -> KlondikeState:
    for move in written:
        state = KLONDIKE.apply(state, Move.parse(move))
    return state


# ------------------------------------------------------------------------------------------ rules


def test_there_are_forty_rule_sets_and_each_has_one_code() -> None:
    assert len(set(KLONDIKE_CODES)) == 40
    rules = [KLONDIKE.parse_rules(code) for code in KLONDIKE_CODES]
    assert len(set(rules)) == 40
    assert [KLONDIKE.rules_code(rule) for rule in rules] == list(KLONDIKE_CODES)


@pytest.mark.parametrize(
    ("code", "rules"),
    [
        ("d1", KlondikeRules(draw=1, passes=None, returns=False)),
        ("d3", KlondikeRules(draw=3, passes=None, returns=False)),
        ("d1p9", KlondikeRules(draw=1, passes=9, returns=False)),
        ("d3p2r", KlondikeRules(draw=3, passes=2, returns=True)),
        ("d1r", KlondikeRules(draw=1, passes=None, returns=True)),
    ],
)
def test_a_code_names_draw_passes_and_return(code: str, rules: KlondikeRules) -> None:
    assert KLONDIKE.parse_rules(code) == rules
    assert KLONDIKE.rules_code(rules) == code


def test_the_presets_are_the_five_of_the_rule_page_in_menu_order() -> None:
    assert list(KLONDIKE.presets.items()) == [
        ("d1", KlondikeRules(1, None)),
        ("d3", KlondikeRules(3, None)),
        ("d1p3", KlondikeRules(1, 3)),
        ("d1p1", KlondikeRules(1, 1)),
        ("d3p1", KlondikeRules(3, 1)),
    ]
    assert not any(rules.returns for rules in KLONDIKE.presets.values())


@pytest.mark.parametrize(
    "code",
    [
        "",
        "d",
        "d2",
        "d0",
        "d1p",
        "d1p0",
        "d1p10",
        "d1rp2",
        "d1rr",
        "D1",
        " d1",
        "d1 ",
        "d1\n",
        "p1",
        "r",
        "d3p2r ",
        "d١",
    ],
)
def test_any_other_code_raises(code: str) -> None:
    with pytest.raises(RulesSyntaxError) as caught:
        KLONDIKE.parse_rules(code)
    assert (caught.value.text, caught.value.game) == (code, "klondike")


# ------------------------------------------------------------------------------------------- deal


def test_game_24_is_laid_out_like_this() -> None:
    assert KLONDIKE.start(24, "d1") == klondike(
        "5C",
        "7H | 9H",
        "2D 9S | AC",
        "5D QH 5S | 8C",
        "QC 2C JS 3C | 7D",
        "5H 7S KD 9C JC | 6S",
        "4C AH 2S 6C 6H TH | KH",
        stock="TC TS AD 4D QS 3H 3S JH TD KC 8H 8S 4S 4H KS 6D 8D 7C JD 9D 2H QD 3D AS",
    )


@pytest.mark.parametrize("number", [*range(1, 30), 11982, 31999, 32001, 54208, 10**9, 10**20])
def test_a_number_is_dealt_as_in_pysolfc(number: int) -> None:
    game = PysolGame("klondike", number, 1)
    game.deal()
    game.klondike()

    def written(card: object) -> str:
        return "0A23456789TJQK"[card.rank] + "CSHD"[card.suit]  # type: ignore[attr-defined]

    state = KLONDIKE.start(number, "d1")
    assert [list(map(str, column)) for column in state.columns] == [
        list(map(written, column)) for column in game.board.columns.cols
    ]
    assert state.hidden == tuple(sum(card.flipped for card in column) for column in game.board.columns.cols)
    assert list(map(str, state.stock[::-1])) == list(map(written, game.board.talon))


def test_the_deal_is_28_cards_on_columns_and_24_in_the_stock() -> None:
    state = KLONDIKE.deal(shuffled_deck("mormor"), KlondikeRules())
    assert [len(column) for column in state.columns] == [1, 2, 3, 4, 5, 6, 7]
    assert state.hidden == (0, 1, 2, 3, 4, 5, 6)
    assert (len(state.stock), state.waste, state.foundations) == (24, (), ((),) * 4)
    assert state.pass_number == 1


# ------------------------------------------------------------------------------------ foundations


def test_an_ace_opens_a_foundation_and_the_next_of_its_suit_follows() -> None:
    state = klondike("9S", "AH", "2H", "3H", *BLACK[:3])
    assert "2-fh" in moves(state)
    state = play(state, "2-fh", "3-fh", "4-fh")
    assert state.foundations == ((), (), cards("AH 2H 3H"), ())
    assert KLONDIKE.score(state) == 3


def test_a_three_does_not_open_a_foundation() -> None:
    state = klondike("3H", stock="AH")
    assert illegal("klondike", state, "1-fh").facts == {"card": Card.parse("3H"), "needs": Card.parse("AH")}


def test_a_foundation_looks_at_rank_and_suit() -> None:
    state = klondike("2D", "2H", "4D", "KD", foundations=(0, 1, 0, 0), stock="AH")
    assert "1-fd" in moves(state)
    assert illegal("klondike", state, "2-fd").reason is KlondikeReason.OTHER_SUIT
    assert illegal("klondike", state, "2-fh").reason is KlondikeReason.WRONG_FOUNDATION
    assert illegal("klondike", state, "3-fd").reason is KlondikeReason.WRONG_FOUNDATION
    assert illegal("klondike", state, "1-fh").reason is KlondikeReason.OTHER_SUIT


def test_a_card_goes_home_from_the_waste() -> None:
    state = play(klondike(*BLACK, waste="5D AH"), "w-fh")
    assert (state.waste, state.foundations[2]) == (cards("5D"), cards("AH"))


def test_only_the_end_of_a_column_goes_home() -> None:
    state = klondike("2S AH", "2C", stock="9C")
    assert "1-fh" in moves(state)
    state = klondike("AC KD", stock="9C")
    assert illegal("klondike", state, "1-fc").reason is KlondikeReason.OTHER_SUIT
    assert illegal("klondike", state, "1-fcx2").reason is Reason.ONE_AT_A_TIME


# ---------------------------------------------------------------------------------------- columns


def test_a_column_is_built_down_in_the_other_colour() -> None:
    state = klondike("8D", "7C", "7S", "7H", "7D", "6C", "9C")
    assert moves(state) == ["1-7", "2-1", "3-1", "6-4", "6-5"]
    for move in ("4-1", "5-1"):
        assert illegal("klondike", state, move).reason is KlondikeReason.WRONG_COLUMN


def test_any_part_of_a_run_moves() -> None:
    state = klondike("9H 8C 7D 6S", "7H", "8S", "TS", "2C", "2S", "4C")
    assert moves(state) == ["1-2", "1-3x2", "1-4x4", "2-3"]
    assert play(state, "1-3x2").columns[:3] == (cards("9H 8C"), cards("7H"), cards("8S 7D 6S"))
    assert play(state, "1-4x4").columns[3] == cards("TS 9H 8C 7D 6S")


def test_an_uncovered_face_down_card_turns_face_up_in_the_same_move() -> None:
    state = klondike("3D 5S | 9H 8C", "9D", "TS")
    after = play(state, "1-2")
    assert (after.columns[0], after.hidden[0]) == (cards("3D 5S 9H"), 2)
    after = play(state, "1-3x2")
    assert (after.columns[0], after.hidden[0]) == (cards("3D 5S"), 1)
    assert KLONDIKE.table(after).pile("1").cards == (None, *cards("5S"))
    after = play(klondike("3D | AH", "9D"), "1-fh")
    assert (after.columns[0], after.hidden[0]) == (cards("3D"), 0)


def test_a_column_may_run_from_king_to_ace_over_six_face_down_cards() -> None:
    run = "KH QC JH TC 9H 8C 7H 6C 5H 4C 3H 2C AH"
    state = klondike("", "2S 4S 6S 8S TS QS | " + run, stock="AS")
    assert "2-1x13" in moves(state)
    assert KLONDIKE.parse_move(state, "2 1") == Move("2", "1", 13)
    after = play(state, "2-1x13")
    assert (after.columns[0], after.columns[1][-1], after.hidden[1]) == (cards(run), Card.parse("QS"), 5)


def test_only_a_king_goes_to_an_empty_column_alone_or_with_its_run() -> None:
    state = klondike("", "QH", "2C | KS QD JC", "3C | KD", "2S", "4S", "6S", waste="QC", stock="9C")
    assert moves(state) == ["3-1x3", "3-2", "4-1", "w-4", "s-w"]
    error = illegal("klondike", state, "2-1")
    assert (error.reason, error.facts) == (KlondikeReason.KINGS_ONLY, {"card": Card.parse("QH"), "pile": "1"})
    assert illegal("klondike", state, "w-1").reason is KlondikeReason.KINGS_ONLY


def test_a_king_may_go_from_the_waste_to_an_empty_column() -> None:
    state = klondike("", *BLACK[:6], waste="KD")
    assert moves(state) == ["w-1", "w-s"]
    assert play(state, "w-1").columns[0] == cards("KD")


def test_a_king_may_shuttle_between_empty_columns_and_that_is_a_move() -> None:
    state = klondike("KH", "", *BLACK[:5])
    assert moves(state) == ["1-2"]
    assert KLONDIKE.outcome(state) is None
    assert play(state, "1-2", "2-1") == state


def test_a_full_column_of_kings_offers_no_place_to_an_ace() -> None:
    state = klondike("2S", "AH", foundations=(0, 0, 0, 1))
    assert moves(state) == ["1-fs", "2-fh", "2-1"]


def test_only_the_top_of_the_waste_is_played_and_then_the_one_below_is_free() -> None:
    state = klondike("8C", "9S", waste="8D 2H 7D")
    assert moves(state) == ["w-1", "w-s"]
    state = play(state, "w-1")
    assert state.waste == cards("8D 2H")
    assert moves(state) == ["w-s"]
    assert moves(klondike("8C", "9S", waste="8D")) == ["w-2", "w-s"]


# ----------------------------------------------------------------------------------------- return


def test_a_foundation_card_returns_only_where_the_rules_say_so() -> None:
    columns = ("4C", "9S", "4S 3H")
    without = klondike(*columns, foundations=(0, 3, 2, 0), stock="AC", rules="d1")
    assert [move for move in moves(without) if move.startswith("f")] == []
    assert illegal("klondike", without, "fd-1").reason is KlondikeReason.NO_RETURN
    returning = klondike(*columns, foundations=(0, 3, 2, 0), stock="AC", rules="d1r")
    assert [move for move in moves(returning) if move.startswith("f")] == ["fd-1"]
    after = play(returning, "fd-1")
    assert after.columns[0] == cards("4C 3D")
    assert after.foundations[1] == cards("AD 2D")


def test_a_card_taken_back_stays_until_the_player_moves_it() -> None:
    state = klondike("4C", foundations=(0, 3, 0, 0), stock="AC", rules="d1r")
    after = play(state, "fd-1")
    assert "1-fd" in moves(after)  # it could go home, but nothing sends it there
    assert KLONDIKE.score(after) == KLONDIKE.score(state) - 1
    assert play(after, "1-fd") == state


def test_a_king_may_return_to_an_empty_column() -> None:
    state = klondike("", "QH", foundations=(13, 0, 11, 0), rules="d1r", stock="AS")
    assert "fc-1" in moves(state)
    assert play(state, "fc-1").columns[0] == cards("KC")


# ------------------------------------------------------------------------------------------ stock


def test_a_draw_turns_one_card() -> None:
    state = play(klondike(*BLACK, stock="9D TD JD AH"), "s-w")
    assert (state.waste, state.stock[::-1]) == (cards("9D"), cards("TD JD AH"))


def test_a_draw_of_three_turns_the_third_on_top() -> None:
    state = play(klondike(*BLACK, stock="9D TD AH QD 5D", waste="JD", rules="d3"), "s-w")
    assert (state.waste, state.stock[::-1]) == (cards("JD 9D TD AH"), cards("QD 5D"))


@pytest.mark.parametrize("left", ["AH", "9D AH"])
def test_a_draw_of_three_turns_the_rest_when_fewer_are_left(left: str) -> None:
    state = play(klondike(*BLACK, stock=left, waste="JD QD", rules="d3"), "s-w")
    assert (state.waste, state.stock) == (cards("JD QD " + left), ())
    table = KLONDIKE.table(state)
    assert table.pile("w").cards == cards("JD QD " + left)
    assert table.pile("w").top == Card.parse("AH")
    assert "w-fh" in moves(state)


def test_turning_the_waste_over_keeps_its_order() -> None:
    start = KLONDIKE.start(24, "d1p3")
    state = play(start, *["s-w"] * 24)
    assert state.waste == start.stock[::-1]
    state = play(state, "w-s")
    assert (state.stock, state.waste, state.pass_number) == (start.stock, (), 2)


def test_the_stock_is_drawn_or_the_waste_turned_over_never_both() -> None:
    state = klondike(*BLACK, stock="AH", waste="9D")
    assert moves(state) == ["s-w"]
    assert illegal("klondike", state, "w-s").reason is KlondikeReason.STOCK_NOT_EMPTY
    state = klondike(*BLACK, waste="AH 9D")
    assert moves(state) == ["w-s"]
    assert illegal("klondike", state, "s-w").reason is Reason.STOCK_EMPTY


@pytest.mark.parametrize(
    ("rules", "redeals"), [("d1p1", 0), ("d1p3", 2), ("d3p1", 0), ("d3p2r", 1), ("d1p9", 8), ("d3p3", 2)]
)
def test_the_rules_limit_the_passes(rules: str, redeals: int) -> None:
    """Game 24, in whose columns cards can always be played, drawn until no pass is left."""
    state = KLONDIKE.start(24, rules)
    done = 0
    while True:
        assert state.pass_number == done + 1
        table = KLONDIKE.table(state)
        assert (table.pass_number, table.passes_left) == (done + 1, redeals - done)
        while state.stock:
            state = play(state, "s-w")
        if "w-s" not in moves(state):
            break
        state = play(state, "w-s")
        done += 1
    assert done == redeals
    error = illegal("klondike", state, "w-s")
    assert (error.reason, error.facts) == (KlondikeReason.NO_PASS_LEFT, {"passes": redeals + 1})
    assert KLONDIKE.outcome(state) is None  # cards can still be moved


def test_without_a_limit_passes_never_end() -> None:
    state = KLONDIKE.start(24, "d3")
    for number in range(1, 30):
        assert state.pass_number == number
        assert KLONDIKE.table(state).passes_left is None
        state = play(state, *["s-w"] * 8, "w-s")


def test_a_waste_played_empty_cannot_be_turned_over() -> None:
    state = play(klondike("8C", "9H", waste="7D"), "w-1")
    assert illegal("klondike", state, "w-s").reason is KlondikeReason.NOTHING_TO_DRAW


def test_the_stock_move_is_a_draw_and_then_a_redeal() -> None:
    assert KLONDIKE.stock_move(klondike(*BLACK, stock="AH", waste="9D")) == Move("s", "w")
    assert KLONDIKE.stock_move(klondike(*BLACK, waste="AH 9D")) == Move("w", "s")
    dead = klondike(*BLACK, waste="9D", rules="d1p1")
    assert illegal("klondike", dead, KLONDIKE.stock_move(dead)).reason is KlondikeReason.NO_PASS_LEFT
    bare = klondike("KH")
    assert illegal("klondike", bare, KLONDIKE.stock_move(bare)).reason is KlondikeReason.NOTHING_TO_DRAW


# ------------------------------------------------------------------------------------------- ends


def test_the_last_card_home_wins() -> None:
    state = klondike("KH", foundations=(13, 13, 12, 13))
    assert KLONDIKE.outcome(state) is None
    state = play(state, "1-fh")
    assert KLONDIKE.outcome(state) is Outcome.WON
    assert KLONDIKE.score(state) == 52
    assert moves(state) == []


def test_full_foundations_alone_win() -> None:
    assert KLONDIKE.outcome(klondike("QH KH", foundations=(13, 13, 11, 13))) is not Outcome.WON
    assert KLONDIKE.outcome(klondike("KH", "KS", foundations=(13, 13, 12, 12))) is None


@pytest.mark.parametrize("rules", ["d1", "d1r", "d1p1", "d3p1r"])
def test_a_win_is_looked_for_before_a_loss_and_ends_the_game(rules: str) -> None:
    """No card can move after a win either; and with return on, kings could still go back."""
    state = klondike(foundations=(13, 13, 13, 13), rules=rules)
    assert KLONDIKE.outcome(state) is Outcome.WON
    assert moves(state) == []
    for move in ("s-w", "w-s", "fh-1", "1-fh", "1-2"):
        assert illegal("klondike", state, move).reason is Reason.GAME_OVER


ENDINGS = [
    ("nothing left to turn", "", "", "d1", Outcome.OVER),
    ("nothing left to turn but the top that does not fit", "", "TC", "d1p1", Outcome.OVER),
    ("an ace comes up in this pass", "8C AH TC", "", "d1p1", None),
    ("an ace lies buried and there is no other pass", "", "AH 8C TC", "d1p1", Outcome.OVER),
    ("an ace lies buried and a redeal brings it", "", "AH 8C TC", "d1p2", None),
    ("an ace lies buried and one of many redeals brings it", "", "AH 8C TC", "d1", None),
    ("a buried ace while the stock is drawn in vain", "TC JC", "AH 8C", "d1p1", Outcome.OVER),
    ("a buried ace while the stock is drawn in vain, but a redeal follows", "TC JC", "AH 8C", "d1p2", None),
    ("by threes an ace is never on top", "AH 8C TC", "", "d3", Outcome.OVER),
    ("by threes an ace is never on top again", "", "AH 8C TC", "d3", Outcome.OVER),
    ("by threes an ace in the middle is never on top", "8C AH TC JC", "", "d3p9", Outcome.OVER),
    ("by threes the last draw falls short and ends in an ace", "8C TC JC AH", "", "d3p1", None),
    ("by threes the last two end in an ace", "8C TC JC 9C AH", "", "d3p1", None),
    ("by threes the last two bury an ace", "8C TC JC AH 9C", "", "d3p1", Outcome.OVER),
    (
        "the waste shifts the threes of the next pass, which is not allowed",
        "TC AH QC",
        "8C",
        "d3p1",
        Outcome.OVER,
    ),
    ("the waste shifts the threes of the next pass", "TC AH QC", "8C", "d3p2", None),
    ("kings fit nowhere without an empty column", "KH KC KD", "", "d1", Outcome.OVER),
    ("a card may fit a column instead of a foundation", "8C 3H TC", "", "d1p1", None),
    ("the top of the waste itself fits", "", "3H", "d1p1", None),
]


@pytest.mark.parametrize(
    ("stock", "waste", "rules", "outcome"), [e[1:] for e in ENDINGS], ids=[e[0] for e in ENDINGS]
)
def test_it_is_over_when_no_card_can_ever_move_and_not_before(
    stock: str, waste: str, rules: str, outcome: Outcome | None
) -> None:
    state = klondike(*BLACK, stock=stock, waste=waste, rules=rules)
    assert KLONDIKE.outcome(state) is outcome
    assert (moves(state) == []) == (outcome is Outcome.OVER)
    assert_agrees_with_reference("klondike", state)


def test_a_pass_already_used_counts() -> None:
    for number, outcome in ((1, None), (2, None), (3, Outcome.OVER)):
        state = klondike(*BLACK, waste="AH 8C TC", rules="d1p3", pass_number=number)
        assert KLONDIKE.outcome(state) is outcome


def test_drawing_in_a_dead_game_is_illegal_because_it_is_over() -> None:
    state = klondike(*BLACK, stock="8C TC", waste="9C")
    assert KLONDIKE.outcome(state) is Outcome.OVER
    assert illegal("klondike", state, "s-w").reason is Reason.GAME_OVER
    state = klondike(*BLACK, waste="8C TC")
    assert illegal("klondike", state, "w-s").reason is Reason.GAME_OVER


def test_a_king_to_come_keeps_an_empty_column_worth_waiting_for() -> None:
    assert KLONDIKE.outcome(klondike("QS", "", stock="8C KC")) is None
    assert KLONDIKE.outcome(klondike("QS", "", stock="8C TC")) is Outcome.OVER


def test_it_is_not_over_while_a_card_can_shuttle() -> None:
    assert KLONDIKE.outcome(klondike("9H 8S", "9D")) is None
    assert KLONDIKE.outcome(klondike("9H 8S", "9C")) is Outcome.OVER
    assert KLONDIKE.outcome(klondike("KH QS", "")) is None


def test_a_foundation_card_that_may_return_keeps_the_game_open() -> None:
    assert KLONDIKE.outcome(klondike("4C", foundations=(0, 3, 0, 0), rules="d1r")) is None
    assert KLONDIKE.outcome(klondike("4C", foundations=(0, 3, 0, 0), rules="d1")) is Outcome.OVER


def test_face_down_cards_alone_do_not_keep_a_game_open() -> None:
    state = klondike("AH | 8S", "9C", "TC", "JC", "QC", "KC", "8C")
    assert KLONDIKE.outcome(state) is Outcome.OVER


@st.composite
def positions(draw: st.DrawFn) -> KlondikeState:
    """Random cards everywhere, each column ending in one card face up: mostly stuck, or nearly so."""
    heights = draw(st.tuples(*[st.integers(0, 12)] * 4))
    left = draw(st.permutations([card for card in DECK if card.rank > heights[card.suit]]))
    columns = []
    for _ in range(draw(st.integers(2, 7))):
        size = draw(st.integers(0, 3))
        column, left = left[:size], left[size:]
        columns.append(" ".join(map(str, column[:-1])) + " | " + " ".join(map(str, column[-1:])))
    size = draw(st.integers(0, 7))
    waste, left = left[:size], left[size:]
    stock = left[: draw(st.integers(0, 7))]
    return klondike(
        *columns,
        foundations=heights,
        waste=" ".join(map(str, waste)),
        stock=" ".join(map(str, stock)),
        rules=draw(st.sampled_from(KLONDIKE_CODES)),
        pass_number=1,
    )


@given(positions())
def test_moves_and_endings_agree_with_the_reference_in_any_position(state: KlondikeState) -> None:
    assert_agrees_with_reference("klondike", state)


# -------------------------------------------------------------------------------- why it is illegal

_PLAIN = klondike("8C", "9H", "2C | TC", "", "QD", stock="3H 5H", waste="7S")
_RUN = klondike("TS", "4D 5S | 9H 8C 7D", "KC", "8H", stock="3H")

ILLEGAL: list[Case] = [
    case("won", klondike(foundations=(13, 13, 13, 13)), "s-w", Reason.GAME_OVER),
    case("dead", klondike(*BLACK, stock="TC"), "s-w", Reason.GAME_OVER),
    case("dead, redeal", klondike(*BLACK, waste="TC"), "w-s", Reason.GAME_OVER),
    case("column 8", _PLAIN, "1-8", Reason.NO_SUCH_PILE, pile="8"),
    case("from column 9", _PLAIN, "9-1", Reason.NO_SUCH_PILE, pile="9"),
    case("a pile of the other game", _PLAIN, "1-d", Reason.NO_SUCH_PILE, pile="d"),
    case("two piles", _PLAIN, "1+2-d", Reason.NO_SUCH_PILE, pile="1+2"),
    case("onto itself", _PLAIN, "1-1", Reason.SAME_PILE, pile="1"),
    case("waste onto itself", _PLAIN, "w-w", Reason.SAME_PILE, pile="w"),
    case("an empty column", _PLAIN, "4-1", Reason.EMPTY_PILE, pile="4"),
    case("an empty waste", klondike("8C", stock="AH"), "w-1", Reason.EMPTY_PILE, pile="w"),
    case("an empty foundation", _PLAIN, "fh-1", Reason.EMPTY_PILE, pile="fh"),
    case("a card on the waste", _PLAIN, "1-w", Reason.NOT_THERE, pile="w"),
    case("a card on the stock", _PLAIN, "1-s", Reason.NOT_THERE, pile="s"),
    case("from the stock to a column", _PLAIN, "s-1", Reason.NOT_FROM_THERE, pile="s"),
    case("from the stock home", _PLAIN, "s-fh", Reason.NOT_FROM_THERE, pile="s"),
    case("a draw of so many", _PLAIN, "s-wx3", Reason.NOT_FROM_THERE, pile="s"),
    case("too many", _RUN, "2-1x4", Reason.FACE_DOWN, pile="2", shown=3, count=4),
    case("more than there are", _RUN, "1-2x2", Reason.FACE_DOWN, pile="1", shown=1, count=2),
    case("two home", _RUN, "2-fdx2", Reason.ONE_AT_A_TIME, pile="2", count=2),
    case("two from the waste", _PLAIN, "w-1x2", Reason.ONE_AT_A_TIME, pile="w", count=2),
    case("wrong rank", _PLAIN, "1-5", KlondikeReason.WRONG_COLUMN, card="8C", pile="5", end="QD"),
    case("wrong colour", _RUN, "2-4", KlondikeReason.WRONG_COLUMN, card="7D", pile="4", end="8H"),
    case("wrong part of a run", _RUN, "2-1x2", KlondikeReason.WRONG_COLUMN, card="8C", pile="1", end="TS"),
    case(
        "wrong card of the waste", _PLAIN, "w-2", KlondikeReason.WRONG_COLUMN, card="7S", pile="2", end="9H"
    ),
    case("no king", _PLAIN, "2-4", KlondikeReason.KINGS_ONLY, card="9H", pile="4"),
    case("not yet", _PLAIN, "1-fc", KlondikeReason.WRONG_FOUNDATION, card="8C", needs="AC"),
    case(
        "not yet, from the waste",
        klondike("2C", waste="4D", foundations=(0, 2, 0, 0)),
        "w-fd",
        KlondikeReason.WRONG_FOUNDATION,
        card="4D",
        needs="3D",
    ),
    case("another suit", _PLAIN, "1-fs", KlondikeReason.OTHER_SUIT, card="8C", pile="fs"),
    case(
        "from one foundation to another",
        klondike("KC", foundations=(1, 1, 0, 0), stock="AH", rules="d1r"),
        "fc-fd",
        KlondikeReason.OTHER_SUIT,
        card="AC",
        pile="fd",
    ),
    case(
        "back from a foundation",
        klondike("4C", foundations=(0, 3, 0, 0), stock="AC"),
        "fd-1",
        KlondikeReason.NO_RETURN,
    ),
    case("turned over too soon", _PLAIN, "w-s", KlondikeReason.STOCK_NOT_EMPTY),
    case(
        "no pass left",
        klondike(*BLACK, waste="3H", rules="d3p1"),
        "w-s",
        KlondikeReason.NO_PASS_LEFT,
        passes=1,
    ),
    case(
        "no third pass left",
        klondike(*BLACK, waste="3H", rules="d1p3", pass_number=3),
        "w-s",
        KlondikeReason.NO_PASS_LEFT,
        passes=3,
    ),
    case("nothing to turn over", klondike("9H", "8C"), "w-s", KlondikeReason.NOTHING_TO_DRAW),
    case("nothing to draw", klondike("9H", "8C", waste="3C"), "s-w", Reason.STOCK_EMPTY),
]


@pytest.mark.parametrize("case", ILLEGAL, ids=lambda c: c.name)
def test_an_illegal_move_gives_its_reason(case: Case) -> None:
    error = illegal("klondike", case.state, case.move)
    assert (error.reason, dict(error.facts)) == (case.reason, case.facts)
    assert case.move not in moves(case.state)  # type: ignore[arg-type]


@pytest.mark.parametrize("count", [0, -1, -2, -7, 20, 100])
def test_a_count_outside_the_notation_is_illegal_too(count: int) -> None:
    """A front end may pass any number; none may ever move face-down cards."""
    columns = ("4D 5S | 9H 8C", "2S 3H | TS", "KC", "QD", "9D", "7C", "")
    state = klondike(*columns, stock="3D", waste="8S")
    for source in ("1", "2", "3", "w", "s", "fh"):
        for target in ("1", "2", "3", "4", "7", "fh", "w"):
            with pytest.raises(IllegalMove):
                KLONDIKE.apply(state, Move(source, target, count))


# ------------------------------------------------------------------------------------ what is typed


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("2 1", "2-1x3"),  # the count that fits
        ("21", "2-1x3"),
        ("2 4", "2-4"),
        ("2 1 2", "2-1x2"),  # a count that was typed stays, fit or not
        ("2-1x3", "2-1x3"),
        ("2 3", "2-3x2"),  # none fits; two would have the right rank and the wrong colour
        ("2 5", "2-5"),  # none fits at all: one
        ("2 6", "2-6"),
        ("7 6", "7-6x2"),  # a king heads the run
        ("2 f", "2-fd"),
        ("2 F", "2-fd"),
        ("2f", "2-fd"),
        ("3 f", "3-fs"),
        ("w f", "w-fh"),
        ("W F", "w-fh"),
        ("w 4", "w-4"),
        ("W4", "w-4"),
        ("  w -> 4 ", "w-4"),
        ("S W", "s-w"),
        ("sw", "s-w"),
        ("W S", "w-s"),
        ("FD 1", "fd-1"),
        ("6 f", "6-fc"),  # an empty column has no suit; the refusal is about the column
    ],
)
def test_a_typed_move_is_completed_from_the_table(text: str, move: str) -> None:
    state = klondike(
        "TS",
        "4D 5S | 9H 8C 7D",
        "9S",
        "8S",
        "2C",
        "",
        "KH QS",
        waste="7H",
        stock="AD",
        foundations=(0, 0, 0, 0),
    )
    assert str(KLONDIKE.parse_move(state, text)) == move


def test_an_empty_source_that_is_sent_home_is_illegal_because_it_is_empty() -> None:
    state = klondike("8C", "", stock="AH")
    for text, pile in (("2 f", "2"), ("w f", "w")):
        error = illegal("klondike", state, KLONDIKE.parse_move(state, text))
        assert (error.reason, error.facts) == (Reason.EMPTY_PILE, {"pile": pile})


@pytest.mark.parametrize("text", ["F 4", "f4", "f 4", "f>4"])
def test_a_bare_f_is_the_foundation_whose_top_fits(text: str) -> None:
    state = klondike("2C", "2S", "9D", "4S", foundations=(0, 2, 3, 0), stock="AC", rules="d1r")
    assert KLONDIKE.parse_move(state, text) == Move("fh", "4")


def test_a_bare_f_that_fits_nowhere_is_illegal_for_a_helpful_reason() -> None:
    state = klondike("2C", "2S", "9D", "4S", foundations=(0, 2, 3, 0), stock="AC", rules="d1r")
    assert illegal("klondike", state, KLONDIKE.parse_move(state, "f 3")).reason is not Reason.NO_SUCH_PILE


def test_a_bare_f_where_nothing_may_return_is_illegal_for_that_reason() -> None:
    state = klondike("2C", "2S", "9D", "4S", foundations=(0, 2, 3, 0), stock="AC", rules="d1")
    assert illegal("klondike", state, KLONDIKE.parse_move(state, "f 4")).reason is KlondikeReason.NO_RETURN


def test_of_two_foundations_that_fit_the_player_must_name_one() -> None:
    state = klondike("4S", foundations=(0, 3, 3, 0), stock="AC", rules="d1r")
    assert KLONDIKE.parse_move(state, "fd 1") == Move("fd", "1")
    assert KLONDIKE.parse_move(state, "FH1") == Move("fh", "1")
    assert str(KLONDIKE.parse_move(state, "f 1")) not in moves(state)
