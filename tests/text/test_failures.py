"""Why something was not done: every reason and fault, with the facts that are really given."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum

import pytest

from bot.service import (
    AnalyseLater,
    BadDay,
    BadMoveInCode,
    ChallengeClosed,
    ChallengeFull,
    ChooseDiscard,
    CodeAlone,
    DailyAlreadyPlayed,
    DailyFirst,
    Finished,
    HiddenPlayer,
    ManyWaiting,
    NobodyElse,
    NoGame,
    NoPlayer,
    NoServer,
    NoSuchChallenge,
    NoSuchGame,
    NoTarget,
    NotFinished,
    NothingBetter,
    NothingToCompare,
    NothingToDiscard,
    NothingToFinish,
    NothingToRedo,
    NothingToUndo,
    NotInContest,
    NotInvited,
    NotWorkedOut,
    NotYours,
    NoWinnable,
    OwnGameFirst,
    SeedWithWinnable,
    ServiceError,
    ShareLater,
    StaleTable,
    StillBusy,
    TooFast,
    TooManyMoves,
    TooManyMovesInCode,
)
from bot.text import texts_for
from bot.text.cards import card_text
from bot.text.failures import failure_text
from engine import (
    GAMES,
    Card,
    Game,
    IllegalMove,
    Move,
    MoveSyntaxError,
    Reason,
    Record,
    RecordSyntaxError,
    RulesSyntaxError,
    SeedError,
    SolitaireError,
    SyntaxFault,
    UnknownGame,
    find_game,
    normalise_seed,
    replay,
)
from engine.games.acesup import AcesUp, AcesUpReason
from engine.games.klondike import KlondikeReason
from tests.text.conftest import finished, in_every_language, turn_of

# A game as far as it was played, what its player typed then, and why that was refused.
EN = texts_for("en")

ONCE_THROUGH_THREE = " s-w" * 8
REASONS: list[StrEnum] = [*Reason, *KlondikeReason, *AcesUpReason]
REFUSED: dict[StrEnum, tuple[str, str]] = {
    Reason.GAME_OVER: ("klondike/d3/10", "s w"),
    Reason.NO_SUCH_PILE: ("klondike/d1/1", "1 8"),
    Reason.SAME_PILE: ("klondike/d1/1", "1 1"),
    Reason.EMPTY_PILE: ("klondike/d1/1", "w 1"),
    Reason.NOT_THERE: ("klondike/d1/1", "1 w"),
    Reason.NOT_FROM_THERE: ("klondike/d1/1", "s 1"),
    Reason.FACE_DOWN: ("klondike/d1/1", "7 2 3"),
    Reason.ONE_AT_A_TIME: ("klondike/d1/1", "1 f 2"),
    KlondikeReason.WRONG_COLUMN: ("klondike/d1/1", "1 2"),
    KlondikeReason.KINGS_ONLY: ("klondike/d1/4 1-4", "2 1"),
    KlondikeReason.WRONG_FOUNDATION: ("klondike/d1/1", "1 f"),
    KlondikeReason.OTHER_SUIT: ("klondike/d1/1", "1 fc"),
    KlondikeReason.NO_RETURN: ("klondike/d1/1 6-fh", "fh 1"),
    KlondikeReason.STOCK_NOT_EMPTY: ("klondike/d1/1", "w s"),
    KlondikeReason.NO_PASS_LEFT: (f"klondike/d3p1/1{ONCE_THROUGH_THREE}", "w s"),
    AcesUpReason.ACE_STAYS: ("acesup/standard/5", "1 d"),
    AcesUpReason.NOT_BEATEN: ("acesup/standard/1", "1 d"),
    AcesUpReason.PILE_TAKEN: ("acesup/standard/1", "1 2"),
    AcesUpReason.ACES_ONLY: ("acesup/aces/1 2-d", "1 2"),
    AcesUpReason.CELL_TAKEN: ("acesup/cell/1 1-c", "2 c"),
    AcesUpReason.CELL_STAYS: ("acesup/cell/1 1-c", "c d"),
    AcesUpReason.NOT_A_PAIR: ("acesup/pairs/1", "1+2 d"),
    Reason.STOCK_EMPTY: (f"klondike/d3p2/1{ONCE_THROUGH_THREE}", "s w"),
}


def refusal(record: str | Record, text: str) -> IllegalMove:
    record = Record.parse(record) if isinstance(record, str) else record
    game, state = find_game(record.game), replay(record)
    with pytest.raises(IllegalMove) as raised:
        game.apply(state, game.parse_move(state, text))
    return raised.value


def refused(reason: StrEnum) -> IllegalMove:
    """The engine's own error of that reason."""
    if reason is Reason.NOT_ALLOWED:  # what a game says that has no words for its objections
        game, record = AcesUp(), Record.parse("acesup/standard/1")
        error = Game._why_illegal(game, replay(record), Move("1", "2"))
        assert error is not None
        return error
    if reason is KlondikeReason.NOTHING_TO_DRAW:  # stock and waste played empty before the game is won
        won = finished("won", "klondike")
        for length in range(len(won.moves)):
            record = Record(won.game, won.rules, won.seed, won.moves[:length])
            state = replay(record)
            if not state.stock and not state.waste:
                return refusal(record, "w s")
        raise LookupError(reason)
    return refusal(*REFUSED[reason])


@pytest.mark.parametrize("reason", REASONS)
def test_the_engine_gives_every_reason(reason: StrEnum) -> None:
    assert refused(reason).reason is reason


@in_every_language
@pytest.mark.parametrize("reason", REASONS)
def test_every_reason_is_a_sentence_that_names_every_card(language: str, reason: StrEnum) -> None:
    error = refused(reason)
    text = failure_text(texts_for(language), error)
    assert re.fullmatch(r"[^\n{}]+\.", text)
    for fact in error.facts.values():
        if isinstance(fact, Card):
            assert card_text(fact) in text


@in_every_language
@pytest.mark.parametrize(
    ("record", "typed", "told"),
    [
        ("klondike/d1/1", "1 2", ["Q♥", "{colour-black} K", "2", "10♤"]),
        ("klondike/d1/1", "2 1", ["10♤", "{colour-red} J", "1", "Q♥"]),
        ("klondike/d1/1", "1 f", ["Q♥", "A♥"]),
        ("klondike/d1/1", "7 2 3", ["7", "3"]),
        ("klondike/d1/4 1-4", "2 1", ["1", "A♤"]),
        ("klondike/d1/1", "1 8", ["8"]),
        ("acesup/standard/1", "1 d", ["J♦"]),
        ("acesup/standard/1", "1 2", ["2"]),
        ("acesup/pairs/1", "1+2 d", ["J♦", "2♦"]),
        (f"klondike/d3p2/1{ONCE_THROUGH_THREE} w-s{ONCE_THROUGH_THREE}", "w s", ["2"]),
    ],
)
def test_a_refusal_names_the_cards_and_piles_in_question(
    language: str, record: str, typed: str, told: list[str]
) -> None:
    texts = texts_for(language)
    words = {key: texts(key) for key in ("colour-black", "colour-red")}
    text = failure_text(texts, refusal(record, typed))
    for part in told:
        assert re.sub(r"\{(.+?)\}", lambda found: words[found[1]], part) in text


@in_every_language
def test_a_king_is_told_that_it_needs_an_empty_column(language: str) -> None:
    for seed in range(1, 60):
        record = Record("klondike", "d1", str(seed))
        state = replay(record)
        for source, other in ((s, t) for s in "1234567" for t in "1234567" if s != t):
            if state.columns[int(source) - 1][-1].rank == 13:
                error = refusal(record, f"{source} {other}")
                king, end = error.facts["card"], error.facts["end"]
                assert isinstance(king, Card)
                assert isinstance(end, Card)
                text = failure_text(texts_for(language), error)
                assert card_text(king) in text
                assert card_text(end) in text
                assert text == texts_for(language)(
                    "illegal-wrong-column-king", card=card_text(king), pile=other, end=card_text(end)
                )
                return
    pytest.fail("no king ends a column")


@in_every_language
def test_nobody_is_told_to_draw_from_the_discard_pile(language: str) -> None:
    error = refusal("acesup/standard/1 2-d", "d 2")
    draw = texts_for(language)("command-draw")
    assert f"/{draw}" not in failure_text(texts_for(language), error)


def choose() -> ServiceError:
    turn = turn_of("acesup/standard/21")
    return ChooseDiscard(turn.table, tuple(move for move in turn.legal_moves if move.target == "d"))


FAULTS: dict[type[ServiceError], Callable[[], ServiceError]] = {
    NoGame: NoGame,
    NoSuchGame: NoSuchGame,
    NoTarget: NoTarget,
    NothingToFinish: NothingToFinish,
    NotYours: lambda: NotYours(turn_of("acesup/standard/1")),
    Finished: Finished,
    HiddenPlayer: HiddenPlayer,
    StaleTable: lambda: StaleTable(turn_of("acesup/standard/1")),
    TooManyMoves: TooManyMoves,
    NothingToUndo: NothingToUndo,
    NothingToRedo: NothingToRedo,
    NothingToDiscard: NothingToDiscard,
    ChooseDiscard: choose,
    NotInContest: NotInContest,
    DailyFirst: DailyFirst,
    DailyAlreadyPlayed: lambda: DailyAlreadyPlayed(1_800_000_000_000),
    NoServer: NoServer,
    BadDay: lambda: BadDay("tomorrow"),
    CodeAlone: CodeAlone,
    SeedWithWinnable: SeedWithWinnable,
    NoWinnable: lambda: NoWinnable(("d1", "d3"), is_looked_for=True),
    BadMoveInCode: lambda: BadMoveInCode(7, "1-2", refusal("klondike/d1/1", "1 2")),
    TooManyMovesInCode: lambda: TooManyMovesInCode(5_000),
    ShareLater: lambda: ShareLater(is_daily=True),
    NotFinished: NotFinished,
    AnalyseLater: lambda: AnalyseLater(is_daily=True),
    NoSuchChallenge: NoSuchChallenge,
    NotInvited: NotInvited,
    ChallengeFull: ChallengeFull,
    ChallengeClosed: ChallengeClosed,
    NoPlayer: NoPlayer,
    NobodyElse: NobodyElse,
    TooFast: lambda: TooFast(1_700_000_000_001, is_told=True),
    StillBusy: lambda: StillBusy("replay", is_told=True),
    ManyWaiting: lambda: ManyWaiting(is_told=True),
    NotWorkedOut: NotWorkedOut,
    NothingBetter: NothingBetter,
    OwnGameFirst: OwnGameFirst,
    NothingToCompare: NothingToCompare,
}


def test_every_fault_of_the_service_is_known() -> None:
    def kinds(root: type[ServiceError]) -> set[type[ServiceError]]:
        below = root.__subclasses__()
        return {kind for kind in below if hasattr(kind, "key")}.union(*map(kinds, below))

    assert set(FAULTS) == kinds(ServiceError)


@in_every_language
@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_of_the_service_is_a_sentence_of_its_own(
    language: str, fault: type[ServiceError]
) -> None:
    said = {kind: failure_text(texts_for(language), make()) for kind, make in FAULTS.items()}
    assert said[fault]
    assert list(said.values()).count(said[fault]) == 1


@in_every_language
def test_a_bad_move_in_a_code_is_named_with_its_number_and_the_reason(language: str) -> None:
    texts = texts_for(language)
    why = refusal("klondike/d1/1", "1 2")
    illegal = failure_text(texts, BadMoveInCode(7, "1-2", why))
    assert "7" in illegal
    assert "`1-2`" in illegal
    assert failure_text(texts, why) in illegal
    nonsense = failure_text(texts, BadMoveInCode(3, "he`llo", MoveSyntaxError("he`llo")))
    assert "3" in nonsense
    assert "`heˋllo`" in nonsense
    assert texts("fault-code-no-move") in nonsense


@in_every_language
def test_it_is_said_which_contest_can_not_be_shared_yet(language: str) -> None:
    texts = texts_for(language)
    assert failure_text(texts, ShareLater(is_daily=True)) != failure_text(texts, ShareLater(is_daily=False))


def test_where_several_discards_are_possible_each_is_named() -> None:
    assert failure_text(EN, choose()).split("\n") == [
        EN("fault-choose-discard"),
        "`/discard 2`: Discard 8♤ from 2",
        "`/discard 3`: Discard 5♤ from 3",
        "`/discard 4`: Discard 7♤ from 4",
    ]


def test_a_pair_can_be_chosen_too() -> None:
    turn = turn_of("acesup/pairs/1")
    fault = ChooseDiscard(turn.table, tuple(move for move in turn.legal_moves if move.target == "d"))
    assert failure_text(texts_for("en"), fault).split("\n")[1:] == [
        "`/discard 2`: Discard 2♦ from 2",
        "`/discard 1+4`: Discard J♦ J♧ from 1+4",
    ]


def syntax_faults() -> dict[type[SyntaxFault], SyntaxFault]:
    tries: list[Callable[[], object]] = [
        lambda: Move.parse("hello"),
        lambda: GAMES["klondike"].parse_rules("hello"),
        lambda: normalise_seed("x" * 65),
        lambda: Record.parse("hello"),
        lambda: find_game("hello"),
    ]
    found: dict[type[SyntaxFault], SyntaxFault] = {}
    for attempt in tries:
        with pytest.raises(SyntaxFault) as raised:
            attempt()
        found[type(raised.value)] = raised.value
    return found


def test_every_syntax_fault_of_the_engine_is_known() -> None:
    kinds = {MoveSyntaxError, RulesSyntaxError, SeedError, RecordSyntaxError, UnknownGame}
    assert set(syntax_faults()) == kinds == set(SyntaxFault.__subclasses__())


@in_every_language
def test_every_syntax_fault_is_a_sentence_that_repeats_what_was_typed(language: str) -> None:
    for kind, error in syntax_faults().items():
        text = failure_text(texts_for(language), error)
        assert "hello" in text or kind is SeedError
        assert re.fullmatch(r"[^\n{}]+[.]", text)


def test_unknown_rules_are_answered_with_those_there_are() -> None:
    text = failure_text(EN, syntax_faults()[RulesSyntaxError])
    assert "Klondike" in text
    assert "`d1`, `d3`, `d1p3`, `d1p1`, `d3p1`" in text


def test_an_unknown_game_is_answered_with_those_there_are() -> None:
    assert "Klondike, Aces Up" in failure_text(EN, syntax_faults()[UnknownGame])


def test_a_fault_that_no_sentence_is_for_is_raised_on() -> None:
    with pytest.raises(SolitaireError, match="odd"):
        failure_text(texts_for("en"), SolitaireError("odd"))
