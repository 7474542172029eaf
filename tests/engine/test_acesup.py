"""Aces Up, one fact a test."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import DECK, Card, IllegalMove, Move, Outcome, Rank, Reason, RulesSyntaxError, shuffled_deck
from engine.games.acesup import AcesUpReason, AcesUpRules, AcesUpState
from tests.engine.positions import (
    ACESUP,
    ACESUP_CODES,
    Case,
    acesup,
    assert_agrees_with_reference,
    cards,
    case,
    illegal,
    names,
    playout,
)


def moves(state: AcesUpState) -> list[str]:
    return names(ACESUP.legal_moves(state))


def play(state: AcesUpState, *written: str) -> AcesUpState:
    for move in written:
        state = ACESUP.apply(state, Move.parse(move))
    return state


# ------------------------------------------------------------------------------------------ rules


def test_there_are_eight_rule_sets_and_each_has_one_code() -> None:
    rules = [ACESUP.parse_rules(code) for code in ACESUP_CODES]
    assert len(set(rules)) == len(ACESUP_CODES) == 8
    assert [ACESUP.rules_code(rule) for rule in rules] == list(ACESUP_CODES)


@pytest.mark.parametrize(
    ("code", "rules"),
    [
        ("standard", AcesUpRules(aces=False, cell=False, pairs=False)),
        ("aces", AcesUpRules(aces=True)),
        ("cell", AcesUpRules(cell=True)),
        ("pairs", AcesUpRules(pairs=True)),
        ("aces+cell+pairs", AcesUpRules(aces=True, cell=True, pairs=True)),
    ],
)
def test_a_code_names_the_variants(code: str, rules: AcesUpRules) -> None:
    assert ACESUP.parse_rules(code) == rules


def test_variants_may_be_named_in_any_order_and_are_written_in_one() -> None:
    for code in ("pairs+aces+cell", "cell+pairs+aces", "aces+pairs+cell"):
        assert ACESUP.rules_code(ACESUP.parse_rules(code)) == "aces+cell+pairs"


def test_the_presets_are_the_four_of_the_rule_page_in_menu_order() -> None:
    assert list(ACESUP.presets) == ["standard", "aces", "cell", "pairs"]
    assert [ACESUP.rules_code(rules) for rules in ACESUP.presets.values()] == list(ACESUP.presets)


@pytest.mark.parametrize(
    "code",
    [
        "",
        "+",
        "aces+",
        "aces+aces",
        "standard+aces",
        "aces+standard",
        "Aces",
        " aces",
        "aces ",
        "ace",
        "d1",
        "cell,pairs",
    ],
)
def test_any_other_code_raises(code: str) -> None:
    with pytest.raises(RulesSyntaxError) as caught:
        ACESUP.parse_rules(code)
    assert (caught.value.text, caught.value.game) == (code, "acesup")


# ------------------------------------------------------------------------------------------- deal


def test_the_first_four_cards_lie_on_the_piles_and_48_in_the_stock() -> None:
    deck = shuffled_deck(24)
    state = ACESUP.start(24, "standard")
    assert state.piles == tuple((card,) for card in deck[:4])
    assert state.stock[::-1] == deck[4:]
    assert (state.discarded, state.cell) == ((), ())


def test_a_deal_lays_one_card_on_each_pile_from_left_to_right() -> None:
    state = play(acesup("AC", "2D", "3H", "4S", stock="5C 6C 7C 8C 9C TC JC QC"), "s-t")
    assert state.piles == (cards("AC 5C"), cards("2D 6C"), cards("3H 7C"), cards("4S 8C"))
    assert state.stock[::-1] == cards("9C TC JC QC")


def test_after_the_first_deal_the_stock_has_44() -> None:
    state = play(ACESUP.start(24, "standard"), "s-t")
    assert len(state.stock) == 44
    assert ACESUP.table(state).pile("s").hidden == 44


def test_a_deal_covers_empty_piles_too() -> None:
    state = play(acesup("AC", "", "", "4S", stock="5C 6C 7C 8C"), "s-t")
    assert state.piles == (cards("AC 5C"), cards("6C"), cards("7C"), cards("4S 8C"))


def test_there_are_twelve_deals() -> None:
    state = ACESUP.start(24, "aces")
    for _ in range(12):
        assert "s-t" in moves(state)
        state = play(state, "s-t")
    assert state.stock == ()
    assert "s-t" not in moves(state)
    assert illegal("acesup", state, "s-t").reason is Reason.STOCK_EMPTY


def test_a_deal_is_allowed_while_cards_could_be_discarded_and_piles_filled() -> None:
    state = acesup("4C", "6C", "TH", "", stock="5C 7C 8C 9C")
    assert "1-d" in moves(state)
    assert "s-t" in moves(state)


# --------------------------------------------------------------------------------------- discards


def test_worked_position_one_discard_of_four_tops() -> None:
    state = acesup("4C", "6C", "TH", "KD", stock="2D 3D 4D 5D")
    assert moves(state) == ["1-d", "s-t"]
    assert play(state, "1-d").discarded == cards("4C")


def test_worked_position_a_discard_uncovers_another_and_then_the_pile_is_empty() -> None:
    state = acesup("8C", "6C 2C", "TH", "KD", stock="2D 3D 4D 5D")
    assert moves(state) == ["2-d", "s-t"]
    state = play(state, "2-d")
    assert "2-d" in moves(state)
    state = play(state, "2-d")
    assert state.piles[1] == ()
    assert state.discarded == cards("2C 6C")


def test_worked_position_a_move_to_an_empty_pile_uncovers_a_card_that_beats() -> None:
    state = acesup("JH 9S", "7H", "", "KD", stock="2D 3D 4D 5D")
    assert "2-d" not in moves(state)
    state = play(state, "1-3")
    assert state.piles == (cards("JH"), cards("7H"), cards("9S"), cards("KD"))
    assert "2-d" in moves(state)
    assert play(state, "2-d").piles[1] == ()


def test_worked_position_discarding_at_once_is_not_always_best() -> None:
    """Ranks 2 to 4 with the 4 for an ace, here 2, 3 and A: 5 discards when forced, 7 when free."""
    deck = cards("4D 4H 4S 4C 3S 3D 2S 3C 2C 2H 3H 2D".replace("4", "A"))
    start = acesup(*map(str, deck[:4]), stock=" ".join(map(str, deck[4:])))

    def best(*, forced: bool) -> int:
        seen, queue = {start}, [start]
        while queue:
            here = queue.pop()
            choice = [Move.parse(move) for move in moves(here)]
            if forced:
                choice = [move for move in choice if move.target == "d"] or choice
            for move in choice:
                there = ACESUP.apply(here, move)
                if there not in seen:
                    seen.add(there)
                    queue.append(there)
        return max(map(ACESUP.score, seen))

    assert (best(forced=True), best(forced=False)) == (5, 7)


def test_the_ace_beats_the_king_and_is_beaten_by_none() -> None:
    state = acesup("KC", "AC", "2C", "QC", stock="2D 3D 4D 5D")
    assert moves(state) == ["1-d", "3-d", "4-d", "s-t"]
    assert illegal("acesup", state, "2-d").reason is AcesUpReason.ACE_STAYS


def test_every_card_of_a_suit_is_beaten_by_the_higher_ones_only() -> None:
    heights = [*[rank for rank in Rank if rank is not Rank.ACE], Rank.ACE]
    for low in heights:
        for high in heights:
            if low is not high:
                state = acesup(f"{low.letter}H", f"{high.letter}H", "2C", "3D", stock="4D 5D 6D 7D")
                assert ("1-d" in moves(state)) == (heights.index(low) < heights.index(high))


def test_a_higher_card_of_another_suit_does_not_beat() -> None:
    state = acesup("4C", "KS", "KH", "KD", stock="2D 3D 4D 5D")
    assert moves(state) == ["s-t"]
    assert illegal("acesup", state, "1-d").reason is AcesUpReason.NOT_BEATEN


def test_only_tops_beat_and_are_beaten() -> None:
    state = acesup("4C", "KC 2D", "6C 3H", "KS", stock="5D 6D 7D 8D")
    assert moves(state) == ["s-t"]


def test_a_second_press_never_discards_an_ace() -> None:
    state = play(acesup("AC 5C", "9C", "2D", "3H", stock="5D 6D 7D 8D"), "1-d")
    assert illegal("acesup", state, "1-d").facts == {"card": Card.parse("AC")}


@pytest.mark.parametrize("code", ACESUP_CODES)
def test_no_ace_is_ever_discarded_whatever_is_tried(code: str) -> None:
    met = 0
    for number in range(1, 41):
        for state, _ in playout("acesup", code, number, Random(number), 80, eager=number % 2 == 0):
            assert not any(card.rank is Rank.ACE for card in state.discarded)
            over = ACESUP.outcome(state) is not None
            aces = [
                n for n, pile in zip("1234", state.piles, strict=True) if pile and pile[-1].rank is Rank.ACE
            ]
            for name in aces:
                met += 1
                error = illegal("acesup", state, f"{name}-d")
                assert error.reason is (Reason.GAME_OVER if over else AcesUpReason.ACE_STAYS)
            for pair in pairwise(aces):
                illegal("acesup", state, "+".join(pair) + "-d")
            if state.cell:
                illegal("acesup", state, "c-d")
    assert met > 200


# ------------------------------------------------------------------------------------ empty piles


def test_an_empty_pile_takes_the_top_of_any_other_even_a_lone_card() -> None:
    state = acesup("9S JH", "7D", "", "KC", stock="2D 3D 4D 5D")
    assert moves(state) == ["1-3", "2-3", "4-3", "s-t"]
    assert play(state, "2-3").piles == (cards("9S JH"), (), cards("7D"), cards("KC"))


def test_a_lone_card_that_moves_changes_what_the_next_deal_covers() -> None:
    state = acesup("9S", "7D", "", "KC", stock="2D 3D 4D 5D")
    assert play(state, "2-3", "s-t").piles[1:3] == (cards("3D"), cards("7D 4D"))


def test_a_pile_that_holds_a_card_takes_none() -> None:
    state = acesup("9S JH", "7D", "", "KC", stock="2D 3D 4D 5D")
    error = illegal("acesup", state, "1-2")
    assert (error.reason, error.facts) == (AcesUpReason.PILE_TAKEN, {"pile": "2"})


def test_filling_an_empty_pile_is_never_required() -> None:
    assert "s-t" in moves(acesup("9S JH", "", "", "", stock="2D 3D 4D 5D"))


def test_with_aces_only_an_ace_fills_an_empty_pile() -> None:
    state = acesup("9S JH", "7D AS", "", "KC", stock="2D 3D 4D 5D", rules="aces")
    assert moves(state) == ["2-3", "s-t"]
    error = illegal("acesup", state, "1-3")
    assert (error.reason, error.facts) == (AcesUpReason.ACES_ONLY, {"card": Card.parse("JH")})


# ------------------------------------------------------------------------------------------- cell


def test_any_top_may_go_to_the_free_cell_while_it_is_empty() -> None:
    state = acesup("9S JH", "7D", "AC", "KC 2H", stock="2D 3D 4D 5D", rules="cell")
    assert moves(state) == ["4-d", "1-c", "2-c", "3-c", "4-c", "s-t"]
    state = play(state, "1-c")
    assert (state.piles[0], state.cell) == (cards("9S"), cards("JH"))
    assert [move for move in moves(state) if move.endswith("-c")] == []
    error = illegal("acesup", state, "2-c")
    assert (error.reason, error.facts) == (AcesUpReason.CELL_TAKEN, {"card": Card.parse("JH")})


def test_the_card_in_the_cell_neither_beats_nor_is_beaten() -> None:
    state = acesup("5H", "7D", "9C", "KS", cell="JH", stock="2D 3D 4D 5D", rules="cell")
    assert moves(state) == ["s-t"]  # 5H stays
    state = acesup("KH", "7D", "9C", "KS", cell="JH", stock="2D 3D 4D 5D", rules="cell")
    assert moves(state) == ["s-t"]  # JH stays
    error = illegal("acesup", state, "c-d")
    assert (error.reason, error.facts) == (AcesUpReason.CELL_STAYS, {"card": Card.parse("JH")})


def test_the_card_in_the_cell_leaves_for_an_empty_pile_only() -> None:
    state = acesup("KH", "", "9C", "KS", cell="JH", stock="2D 3D 4D 5D", rules="cell")
    assert "c-2" in moves(state)
    after = play(state, "c-2")
    assert (after.piles[1], after.cell) == (cards("JH"), ())
    assert illegal("acesup", state, "c-1").reason is AcesUpReason.PILE_TAKEN


def test_the_cell_keeps_its_card_through_a_deal() -> None:
    state = play(acesup("KH", "7D", "9C", "KS", cell="JH", stock="2D 3D 4D 5D", rules="cell"), "s-t")
    assert state.cell == cards("JH")
    assert ACESUP.table(state).pile("c").cards == cards("JH")


def test_with_aces_and_cell_any_card_enters_the_cell_and_only_an_ace_leaves_it() -> None:
    state = acesup("KH", "", "9C", "KS", stock="2D 3D 4D 5D", rules="aces+cell")
    assert moves(state) == ["1-c", "3-c", "4-c", "s-t"]
    assert "c-2" not in moves(play(state, "1-c"))
    assert illegal("acesup", play(state, "1-c"), "c-2").reason is AcesUpReason.ACES_ONLY
    state = acesup("KH", "", "9C", "KS", cell="AD", stock="2D 3D 4D 5D", rules="aces+cell")
    assert "c-2" in moves(state)


def test_without_the_variant_there_is_no_cell() -> None:
    state = acesup("KH", "", "9C", "KS", stock="2D 3D 4D 5D")
    for move in ("1-c", "c-2"):
        error = illegal("acesup", state, move)
        assert (error.reason, error.facts) == (Reason.NO_SUCH_PILE, {"pile": "c"})


# ------------------------------------------------------------------------------------------ pairs


def test_two_tops_of_one_rank_go_together_whatever_their_suits() -> None:
    state = acesup("2C 9S", "9D", "9H", "KS", stock="2D 3D 4D 5D", rules="pairs")
    assert moves(state) == ["1-d", "1+2-d", "1+3-d", "2+3-d", "s-t"]
    after = play(state, "1+3-d")
    assert (after.piles[0], after.piles[2], after.discarded) == (cards("2C"), (), cards("9S 9H"))
    assert ACESUP.score(after) == 2


def test_aces_are_no_pair() -> None:
    state = acesup("AC", "AD", "9H", "KS", stock="2D 3D 4D 5D", rules="pairs")
    assert moves(state) == ["s-t"]
    assert illegal("acesup", state, "1+2-d").reason is AcesUpReason.ACE_STAYS


def test_without_the_variant_there_are_no_pairs() -> None:
    state = acesup("9S", "9D", "9H", "KC", stock="2D 3D 4D 5D")
    assert moves(state) == ["s-t"]
    assert illegal("acesup", state, "1+2-d").reason is Reason.NOT_ALLOWED


def test_the_card_in_the_cell_makes_no_pair() -> None:
    state = acesup("9S", "8D", "7H", "KC", cell="9D", stock="2D 3D 4D 5D", rules="cell+pairs")
    assert moves(state) == ["s-t"]
    for move in (Move("c+1", "d"), Move("1+c", "d")):
        with pytest.raises(IllegalMove):
            ACESUP.apply(state, move)


@pytest.mark.parametrize("text", ["1+3 d", "1+3D", "1+3-d", "3+1 d", "3+1D"])
def test_a_pair_may_be_typed_in_either_order(text: str) -> None:
    state = acesup("9S", "8D", "9H", "KC", stock="2D 3D 4D 5D", rules="pairs")
    assert ACESUP.parse_move(state, text) == Move("1+3", "d")


def test_a_source_outside_the_notation_is_illegal_too() -> None:
    """A front end may hand over any text; none may ever discard a card that is not beaten."""
    state = acesup("5C", "9C", "9H", "AC", stock="2D 3D 4D 5D", rules="cell+pairs")
    for source in ("1+2+3", "1+3+4", "1+2+3+4", "1+", "+1", "+", "", "12", "1 2", "1+2+c", "1+1", "4+4"):
        for target in ("d", "c", "1", ""):
            with pytest.raises(IllegalMove):
                ACESUP.apply(state, Move(source, target))


# ------------------------------------------------------------------------------------------- ends


def test_48_discarded_wins() -> None:
    state = acesup("AC", "AD", "AH", "AS 2C", discarded=47)
    assert ACESUP.outcome(state) is None
    state = play(state, "4-d")
    assert ACESUP.outcome(state) is Outcome.WON
    assert ACESUP.score(state) == 48
    assert moves(state) == []


def test_46_discarded_with_two_to_go_is_not_a_win_yet() -> None:
    state = acesup("AC", "AD", "AH", "AS 2S 3S", discarded=46)
    assert ACESUP.outcome(state) is Outcome.OVER
    state = acesup("AC", "AD", "AH 3S", "AS 2S", discarded=46)
    assert ACESUP.outcome(state) is None


@pytest.mark.parametrize(
    ("piles", "cell", "rules"),
    [
        (("AC", "AD", "AH", "AS"), "", "standard"),
        (("AC AD", "", "", "AS AH"), "", "standard"),
        (("AC AD AH AS", "", "", ""), "", "aces"),
        (("", "AS", "", "AH AC"), "AD", "cell"),
    ],
)
def test_a_win_is_a_win_wherever_the_four_aces_lie(piles: tuple[str, ...], cell: str, rules: str) -> None:
    state = acesup(*piles, cell=cell, rules=rules, discarded=48)
    assert ACESUP.outcome(state) is Outcome.WON
    assert moves(state) == []
    assert illegal("acesup", state, "1-2").reason is Reason.GAME_OVER


def test_aces_on_top_of_other_cards_are_no_win() -> None:
    state = acesup("2C AC", "3D AD", "5H AH", "7S AS", discarded=44)
    assert ACESUP.outcome(state) is Outcome.OVER
    assert ACESUP.outcome(acesup("2C AC", "AD", "AH", "AS", discarded=47)) is Outcome.OVER
    assert ACESUP.outcome(acesup("2C AC", "AD", "AH AS", "", discarded=47)) is None


@pytest.mark.parametrize("rules", ["pairs", "aces+pairs", "cell+pairs", "aces+cell+pairs"])
def test_pairs_can_win_while_the_aces_are_still_in_the_stock(rules: str) -> None:
    state = acesup("9C", "9D", stock="AC AD AH AS", discarded=46, rules=rules)
    assert ACESUP.outcome(state) is None
    state = play(state, "1+2-d")
    assert ACESUP.outcome(state) is Outcome.WON
    assert moves(state) == []
    assert illegal("acesup", state, "s-t").reason is Reason.GAME_OVER
    table = ACESUP.table(state)
    assert (table.score, table.pile("s").hidden) == (48, 4)


def test_it_is_not_over_while_there_are_cards_to_deal() -> None:
    state = acesup("3C", "4D", "5H", "6S", stock="7C 8D 9H TS")
    assert ACESUP.outcome(state) is None
    assert moves(state) == ["s-t"]


def test_it_is_not_over_because_the_stock_is_empty() -> None:
    assert ACESUP.outcome(acesup("3C", "4C", "5H", "6S", discarded=40)) is None
    assert ACESUP.outcome(acesup("3C 9D", "4C", "", "6S", discarded=40)) is None


ENDINGS = [
    ("no empty pile", ("AC AD", "AH", "AS", "KC QC"), "", "standard", Outcome.OVER),
    ("the cell helps out", ("AC AD", "AH", "AS", "KC QC"), "", "cell", None),
    ("an empty pile helps out", ("AC AD", "AH AS", "", "KC QC"), "", "standard", None),
    ("an ace fills it", ("AC AD", "AH AS", "", "KC QC"), "", "aces", None),
    ("any card fills it", ("AC 9D", "AH AS", "", "KC QC"), "", "standard", None),
    ("only an ace would fill it", ("AC 9D", "AH AS", "", "KC QC"), "", "aces", Outcome.OVER),
    ("nothing but shuttling", ("3C", "4D", "5H", ""), "", "standard", Outcome.OVER),
    ("nothing but shuttling through the cell", ("3C", "4D", "5H", ""), "", "cell", Outcome.OVER),
    ("aces shuttle too", ("AC", "AD AS", "", "4H"), "", "aces", Outcome.OVER),
    ("a discard after two moves", ("KC 5D 6H", "", "", "3C"), "", "standard", None),
    ("two moves and one empty pile", ("KC 5D 6H", "7S", "", "3C"), "", "standard", Outcome.OVER),
    ("a lone card leaves no more empty piles", ("KC 5D 6H", "AD 7S", "", "3C"), "", "standard", Outcome.OVER),
    ("one pile and the cell will do", ("KC 5D 6H", "AD 7S", "", "3C"), "", "cell", None),
    ("what enters the cell stays", ("KC 5D 6H", "AD 7S", "", "3C"), "", "aces+cell", Outcome.OVER),
    ("one card into the cell will do", ("KC 5D", "AD 7S", "", "3C"), "", "aces+cell", None),
    ("the cell's card has no way out", ("3C", "4D", "5H", "6S"), "KC", "cell", Outcome.OVER),
    ("the cell's card gets out and beats", ("3C", "4D", "5H", ""), "KC", "cell", None),
    ("the cell's card is no ace", ("3C", "4D", "5H", ""), "KC", "aces+cell", Outcome.OVER),
    ("the cell's card is an ace", ("3C", "4D", "5H", ""), "AC", "aces+cell", None),
    ("no pairs", ("4C", "4D", "5H", "6S"), "", "standard", Outcome.OVER),
    ("a pair", ("4C", "4D", "5H", "6S"), "", "pairs", None),
    ("a pair that must be bared", ("4C 7H", "4D", "", "6S"), "", "pairs", None),
    ("a pair with the cell's card once it is out", ("4C", "5D", "", "6S"), "4H", "cell+pairs", None),
    ("a pair of aces is none", ("AC", "AD", "5H", "6S"), "", "pairs", Outcome.OVER),
    ("three empty piles and one long one", ("KC 5D 6H 7S 2C", "", "", ""), "", "standard", Outcome.OVER),
    ("three empty piles and the cell", ("KC 5D 6H 7S 2C", "", "", ""), "", "cell", None),
]


@pytest.mark.parametrize(
    ("piles", "cell", "rules", "outcome"), [e[1:] for e in ENDINGS], ids=[e[0] for e in ENDINGS]
)
def test_it_is_over_when_no_moves_lead_to_a_discard_and_not_before(
    piles: tuple[str, ...], cell: str, rules: str, outcome: Outcome | None
) -> None:
    state = acesup(*piles, cell=cell, rules=rules, discarded=30)
    assert ACESUP.outcome(state) is outcome
    assert (moves(state) == []) == (outcome is Outcome.OVER)
    assert_agrees_with_reference("acesup", state)


def test_a_player_is_never_left_shuffling_cards_about() -> None:
    state = acesup("3C", "4D", "5H", "", discarded=45)
    assert moves(state) == []
    for move in ("1-4", "2-4", "s-t", "1-d"):
        assert illegal("acesup", state, move).reason is Reason.GAME_OVER


@st.composite
def positions(draw: st.DrawFn) -> AcesUpState:
    """A few cards anywhere, the stock empty or not."""
    deck = draw(st.permutations(DECK))
    rules = draw(st.sampled_from(ACESUP_CODES))
    piles = []
    for _ in range(4):
        size = draw(st.integers(0, 4))
        piles.append(" ".join(map(str, deck[:size])))
        deck = deck[size:]
    stock = draw(st.sampled_from((0, 0, 0, 4)))
    cell = draw(st.integers(0, 1)) if "cell" in rules else 0
    return acesup(
        *piles,
        stock=" ".join(map(str, deck[:stock])),
        cell=" ".join(map(str, deck[stock : stock + cell])),
        rules=rules,
        discarded=draw(st.integers(0, 20)),
    )


@given(positions())
def test_moves_and_endings_of_any_position_are_those_of_the_reference(state: AcesUpState) -> None:
    assert_agrees_with_reference("acesup", state)


# -------------------------------------------------------------------------------- why it is illegal

_MORE = "2D 3D 4D 5D"
_PLAIN = acesup("4C", "6C", "", "AS", stock=_MORE)
_CELL = acesup("4C", "6C", "", "AS", cell="KC", stock=_MORE, rules="cell")
_PAIRS = acesup("4C", "4D", "AC", "AS", stock="2D 3D 5D 6D", rules="pairs")

ILLEGAL: list[Case] = [
    case("over", acesup("3C", "4D", "5H", ""), "1-4", Reason.GAME_OVER),
    case("won", acesup("AC", "AD", "AH", "AS", discarded=48), "1-d", Reason.GAME_OVER),
    case("pile 5", _PLAIN, "1-5", Reason.NO_SUCH_PILE, pile="5"),
    case("from pile 5", _PLAIN, "5-1", Reason.NO_SUCH_PILE, pile="5"),
    case("discard of pile 5", _PLAIN, "5-d", Reason.NO_SUCH_PILE, pile="5"),
    case("a foundation", _PLAIN, "1-fc", Reason.NO_SUCH_PILE, pile="fc"),
    case("a waste", _PLAIN, "w-1", Reason.NO_SUCH_PILE, pile="w"),
    case("no cell", _PLAIN, "1-c", Reason.NO_SUCH_PILE, pile="c"),
    case("a pair with pile 7", _PAIRS, "1+7-d", Reason.NO_SUCH_PILE, pile="7"),
    case("onto itself", _PLAIN, "1-1", Reason.SAME_PILE, pile="1"),
    case("from an empty pile", _PLAIN, "3-1", Reason.EMPTY_PILE, pile="3"),
    case("discard of an empty pile", _PLAIN, "3-d", Reason.EMPTY_PILE, pile="3"),
    case("an empty cell", acesup("4C", "", stock=_MORE, rules="cell"), "c-2", Reason.EMPTY_PILE, pile="c"),
    case("onto the stock", _PLAIN, "1-s", Reason.NOT_THERE, pile="s"),
    case("onto all piles", _PLAIN, "1-t", Reason.NOT_THERE, pile="t"),
    case("from the stock to one pile", _PLAIN, "s-1", Reason.NOT_FROM_THERE, pile="s"),
    case(
        "back from the discard pile",
        acesup("4C", "", stock=_MORE, discarded=3),
        "d-2",
        Reason.NOT_FROM_THERE,
        pile="d",
    ),
    case("two at a time", _PLAIN, "1-3x2", Reason.ONE_AT_A_TIME, pile="1", count=2),
    case("two discards at a time", _PLAIN, "1-dx2", Reason.ONE_AT_A_TIME, pile="1", count=2),
    case("an ace", _PLAIN, "4-d", AcesUpReason.ACE_STAYS, card="AS"),
    case("a pair of aces", _PAIRS, "3+4-d", AcesUpReason.ACE_STAYS, card="AC"),
    case("not beaten", _PLAIN, "2-d", AcesUpReason.NOT_BEATEN, card="6C"),
    case("a pile that holds a card", _PLAIN, "1-2", AcesUpReason.PILE_TAKEN, pile="2"),
    case("aces only", acesup("4C", "", stock=_MORE, rules="aces"), "1-2", AcesUpReason.ACES_ONLY, card="4C"),
    case(
        "aces only, from the cell",
        acesup("4C", "", cell="KC", stock=_MORE, rules="aces+cell"),
        "c-2",
        AcesUpReason.ACES_ONLY,
        card="KC",
    ),
    case("the cell is taken", _CELL, "1-c", AcesUpReason.CELL_TAKEN, card="KC"),
    case("discard of the cell's card", _CELL, "c-d", AcesUpReason.CELL_STAYS, card="KC"),
    case("two different ranks", _PAIRS, "1+3-d", AcesUpReason.NOT_A_PAIR, card="4C", other="AC"),
    case("a pair onto a pile", _PAIRS, "1+2-3", Reason.NOT_ALLOWED),
    case("a pair onto one of its own", _PAIRS, "1+2-1", Reason.SAME_PILE, pile="1"),
    case("a card with itself", _PAIRS, "2+2-d", Reason.SAME_PILE, pile="2"),
    case("pairs are off", acesup("4C", "4D", stock="5D 6D 7D 8D"), "1+2-d", Reason.NOT_ALLOWED),
    case("nothing left to deal", acesup("4C", "6C"), "s-t", Reason.STOCK_EMPTY),
]


@pytest.mark.parametrize("case", ILLEGAL, ids=lambda c: c.name)
def test_an_illegal_move_gives_its_reason(case: Case) -> None:
    error = illegal("acesup", case.state, case.move)
    assert (error.reason, dict(error.facts)) == (case.reason, case.facts)
    assert case.move not in moves(case.state)  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------ what is typed


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("1 d", "1-d"),
        ("1D", "1-d"),
        ("1 → d", "1-d"),
        ("4 3", "4-3"),
        (" 4-3 ", "4-3"),
        ("2 c", "2-c"),
        ("C 3", "c-3"),
        ("S T", "s-t"),
        ("st", "s-t"),
        ("4 3 2", "4-3x2"),
    ],
)
def test_a_typed_move_is_resolved(text: str, move: str) -> None:
    state = acesup("4C", "6C", "", "AS", stock=_MORE, rules="cell")
    assert str(ACESUP.parse_move(state, text)) == move


def test_the_stock_move_is_the_deal_legal_or_not() -> None:
    assert ACESUP.stock_move(_PLAIN) == Move("s", "t")
    assert ACESUP.stock_move(acesup("4C", "6C")) == Move("s", "t")
