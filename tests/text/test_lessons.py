"""What the rule pages say is so on the pictures that they show."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from bot.render.prose import ALT_TEXT_MAX_CHARACTERS, alt_text, score_line
from bot.text import Texts, languages, texts_for
from bot.text.cards import card_text
from bot.text.lessons import LESSONS, Lesson, lesson_text
from bot.text.moves import move_text
from engine import GAMES, Card, Game, Move, Outcome, PileKind, Rank, Record, Suit, Table, changes, replay

LESSON_MAX_CHARACTERS = 2000
PAGES = [lesson for lessons in LESSONS.values() for lesson in lessons]
LANGUAGES = list(languages())


def page_id(lesson: Lesson) -> str:
    return lesson.key


@dataclass
class Scene:
    """A lesson's position, and the one before its last move."""

    lesson: Lesson

    def __post_init__(self) -> None:
        record = self.lesson.record
        self.game: Game[Any, Any] = GAMES[record.game]
        self.state = replay(record)
        self.table = self.game.table(self.state)
        self.earlier = replay(Record(record.game, record.rules, record.seed, record.moves[:-1]))
        self.before = self.game.table(self.earlier)
        self.last = record.moves[-1] if record.moves else None
        self.moves = [str(move) for move in self.game.legal_moves(self.state)]
        self.moves_before = list(self.game.legal_moves(self.earlier))
        self.discards = [move for move in self.moves if move.endswith("-d")]
        self.card = self.lesson.cards

    def end(self, pile: str) -> str:
        """The top card of a pile, or "" if it is empty."""
        top = self.table.pile(pile).top
        return str(top) if top else ""

    def then(self, move: str) -> Scene:
        return Scene(Lesson(self.lesson.name, self.lesson.record.play(Move.parse(move)), self.card))

    def shown(self) -> set[str]:
        """The names of the cards that are marked."""
        marked = changes(self.before, self.table)
        cards = [self.table.pile(name).cards[index] for name, index in marked]
        return {str(card) for card in cards if card}

    def named(self, *places: str) -> set[str]:
        return {str(self.card[place]) for place in places}

    def pile_of(self, place: str, table: Table | None = None) -> str:
        return next(p.name for p in (table or self.table).piles if self.card[place] in p.cards)

    def turns_up(self, move: Move) -> bool:
        """True for a move from here's predecessor that turns up a hidden card of its column."""
        source = self.before.pile(move.source)
        return source.kind is PileKind.TABLEAU and source.hidden == len(source.cards) - move.count > 0

    def beats(self, place: str, other: str) -> bool:
        high, low = self.card[place], self.card[other]
        return high.suit is low.suit and height(high) > height(low)


def height(card: Card) -> int:
    return 14 if card.rank is Rank.ACE else card.rank


# Klondike


def klondike_start(at: Scene) -> None:
    columns = [at.table.pile(str(number)) for number in range(1, 8)]
    assert [len(pile.cards) for pile in columns] == [1, 2, 3, 4, 5, 6, 7]
    assert [pile.hidden for pile in columns] == [0, 1, 2, 3, 4, 5, 6]
    assert len(at.table.pile("s").cards) == 24
    assert [pile.column for pile in at.table.piles if pile.kind is PileKind.FOUNDATION] == [
        8
    ] * 4  # the right


def klondike_columns(at: Scene) -> None:
    card, onto = at.card["card"], at.card["onto"]
    assert onto.rank == card.rank + 1
    assert (onto.is_red, card.is_red) == (True, False)  # black on red
    assert at.table.pile(at.pile_of("card")).cards[-2:] == (onto, card)
    assert at.shown() == at.named("card", "turned")


def klondike_run(at: Scene) -> None:
    column = at.table.pile(at.pile_of("onto"))
    assert column.cards[-3:] == (at.card["onto"], at.card["card"], at.card["rider"])
    assert at.last is not None
    assert at.last.count == 2
    assert at.shown() == at.named("card", "rider", "turned")


def klondike_empty(at: Scene) -> None:
    assert at.card["king"].rank is Rank.KING
    column = at.table.pile(at.pile_of("king"))
    assert not at.before.pile(column.name).cards
    assert column.cards[0] == at.card["king"]
    assert len(column.cards) == 3  # it took two along
    assert at.named("king", "turned") <= at.shown()


def klondike_home(at: Scene) -> None:
    assert at.card["card"].rank is Rank.ACE
    assert at.last is not None
    assert at.last.target == at.pile_of("card") == "fd"
    assert at.before.pile(at.last.source).kind is PileKind.TABLEAU
    assert not GAMES["klondike"].parse_rules("d1").returns  # they stay


def klondike_stock(at: Scene) -> None:
    assert at.last == Move("s", "w")
    assert at.end("w") == str(at.card["card"])
    assert [move[:3] for move in at.moves if move.startswith("w-f")] == ["w-f"]


def klondike_end(at: Scene) -> None:
    assert at.game.outcome(at.state) is Outcome.WON
    assert at.table.score == at.table.full_score == 52


def klondike_rules_one(at: Scene) -> None:
    assert at.lesson.record.rules == "d1p3"
    assert (at.table.pass_number, at.table.pass_limit) == (2, 3)
    assert at.last == Move("w", "s")
    rules = [at.game.parse_rules(code) for code in ("d1", "d1p3", "d1p1")]
    assert [(rule.draw, rule.passes) for rule in rules] == [(1, None), (1, 3), (1, 1)]


def klondike_rules_three(at: Scene) -> None:
    assert at.lesson.record.rules == "d3"
    assert at.table.pile("w").cards == tuple(at.card[place] for place in ("first", "second", "top"))
    assert at.shown() == at.named("first", "second", "top")
    rules = [at.game.parse_rules(code) for code in ("d3", "d3p1")]
    assert [(rule.draw, rule.passes) for rule in rules] == [(3, None), (3, 1)]


def klondike_tips_turn(at: Scene) -> None:
    assert at.last is not None
    assert at.shown() == at.named("card", "rider", "turned")
    turning = [move for move in at.moves_before if at.turns_up(move)]
    assert len(turning) > 1
    assert at.last in turning
    hidden = {str(number): at.before.pile(str(number)).hidden for number in range(1, 8)}
    assert at.last.source == max(hidden, key=lambda name: hidden[name]) == "7"
    assert at.end("7") == str(at.card["turned"])


def klondike_tips_home(at: Scene) -> None:
    kept = at.pile_of("kept")
    assert at.card["kept"].rank > Rank.TWO
    assert any(move.source == kept and move.target[0] == "f" for move in at.moves_before)
    assert at.table.pile(kept).cards[-2:] == (at.card["kept"], at.card["low"])
    assert at.shown() == at.named("low", "turned")
    assert at.turns_up(Move.parse(str(at.last)))


# Aces Up


def acesup_start(at: Scene) -> None:
    assert [len(at.table.pile(name).cards) for name in "1234"] == [1, 1, 1, 1]
    assert len(at.table.pile("s").cards) == 48


def acesup_discard(at: Scene) -> None:
    assert at.beats("high", "low")
    assert at.end("d") == str(at.card["low"])
    assert {str(move) for move in at.moves_before if move.target == "d"} == {str(at.last)}
    tops = [top for name in "1234" if (top := at.table.pile(name).top)]
    assert len(tops) == len({top.suit for top in tops}) == 3  # the winner and two others, all safe
    assert not at.discards


def acesup_deal(at: Scene) -> None:
    assert at.last == Move("s", "t")
    assert len(at.shown()) == 4
    assert [name for name in "1234" if not at.before.pile(name).cards] == ["3"]
    assert len(at.table.pile("3").cards) == 1
    assert 48 // 4 == 12


def acesup_chain(at: Scene) -> None:
    assert at.beats("high", "low")
    assert at.beats("high", "bared")
    assert at.end("d") == str(at.card["low"])
    assert at.discards == [f"{at.pile_of('bared')}-d"]
    after = at.then(at.discards[0])
    assert not after.table.pile(at.pile_of("bared")).cards
    assert not after.discards


def acesup_empty(at: Scene) -> None:
    assert not any(move.target == "d" for move in at.moves_before)
    assert at.last is not None
    assert at.last.target == at.pile_of("moved")
    assert not at.before.pile(at.last.target).cards
    assert at.end(at.last.source) == str(at.card["bared"])
    assert at.beats("bared", "low")
    assert at.discards == [f"{at.pile_of('low')}-d"]


def acesup_end(at: Scene) -> None:
    assert at.game.outcome(at.state) is Outcome.WON
    assert at.table.score == 48
    assert {at.end(name) for name in "1234"} == {"AC", "AD", "AH", "AS"}


def acesup_rules_aces(at: Scene) -> None:
    assert at.lesson.record.rules == "aces"
    assert [name for name in "1234" if not at.table.pile(name).cards] == ["2"]
    stuck = at.pile_of("stuck")
    assert at.end(stuck) == str(at.card["stuck"])
    assert at.moves == ["s-t"]
    milder = at.game.legal_moves(replay(Record("acesup", "standard", "106", at.lesson.record.moves)))
    assert Move(stuck, "2") in milder


def acesup_rules_cell(at: Scene) -> None:
    assert at.lesson.record.rules == "cell"
    assert at.end("c") == str(at.card["parked"])
    assert not any(move.target == "d" for move in at.moves_before)
    assert at.beats("high", "low")
    assert at.discards == [f"{at.pile_of('low')}-d"]
    assert [move for move in at.moves if move.startswith("c-")] == []
    assert [move for move in at.then(at.discards[0]).moves if move.startswith("c-")] == ["c-2"]


def acesup_rules_pairs(at: Scene) -> None:
    assert at.lesson.record.rules == "pairs"
    one, other = at.card["one"], at.card["other"]
    assert one.rank is other.rank
    assert one.suit is not other.suit
    assert at.discards == [f"{at.pile_of('one')}+{at.pile_of('other')}-d"]
    assert at.game.parse_rules("cell+pairs") is not None


def acesup_tips_places(at: Scene) -> None:
    assert at.card["moved"].rank is Rank.ACE
    assert at.last is not None
    assert at.before.pile(at.last.source).cards[-2:] == (at.card["low"], at.card["moved"])
    assert not any(move.target == "d" for move in at.moves_before)
    assert at.discards == [f"{at.pile_of('low')}-d"]
    assert at.beats("moved", "low")


def acesup_tips_deal(at: Scene) -> None:
    assert at.beats("high", "low")
    assert at.discards == [f"{at.pile_of('low')}-d"]
    assert "s-t" in at.moves
    assert at.end(at.pile_of("high")) == str(at.card["high"])


CHECKS: dict[str, Callable[[Scene], None]] = {
    check.__name__: check
    for check in (
        klondike_start,
        klondike_columns,
        klondike_run,
        klondike_empty,
        klondike_home,
        klondike_stock,
        klondike_end,
        klondike_rules_one,
        klondike_rules_three,
        klondike_tips_turn,
        klondike_tips_home,
        acesup_start,
        acesup_discard,
        acesup_deal,
        acesup_chain,
        acesup_empty,
        acesup_end,
        acesup_rules_aces,
        acesup_rules_cell,
        acesup_rules_pairs,
        acesup_tips_places,
        acesup_tips_deal,
    )
}


@pytest.mark.parametrize("lesson", PAGES, ids=page_id)
def test_what_a_page_says_is_so_on_its_picture(lesson: Lesson) -> None:
    CHECKS[f"{lesson.record.game}_{lesson.name}".replace("-", "_")](Scene(lesson))


def test_every_check_has_its_page() -> None:
    assert {f"{lesson.record.game}_{lesson.name}".replace("-", "_") for lesson in PAGES} == set(CHECKS)


@pytest.mark.parametrize("lesson", PAGES, ids=page_id)
def test_cards_that_are_named_lie_open_on_the_table(lesson: Lesson) -> None:
    table = Scene(lesson).table
    seen = {card for pile in table.piles for card in pile.cards[-max(pile.spread, 1) :]}
    assert set(lesson.cards.values()) <= seen


@pytest.mark.parametrize("key", LESSONS)
def test_the_first_pages_follow_one_deal_to_its_win(key: str) -> None:
    lessons = LESSONS[key]
    end = next(index for index, lesson in enumerate(lessons) if lesson.name == "end")
    win = lessons[end].record
    for lesson in lessons[:end]:
        record = lesson.record
        assert (record.rules, record.seed) == (win.rules, win.seed)
        assert record.moves == win.moves[: len(record.moves)]


@pytest.mark.parametrize("key", LESSONS)
def test_names_of_pages_and_records_are_of_the_game(key: str) -> None:
    assert key in GAMES
    names = [lesson.name for lesson in LESSONS[key]]
    assert len(names) == len(set(names))
    assert {lesson.record.game for lesson in LESSONS[key]} == {key}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("lesson", PAGES, ids=page_id)
def test_every_language_has_its_own_words_with_a_heading_and_every_card(
    language: str, lesson: Lesson
) -> None:
    assert f"\n{lesson.key} =\n    ### " in languages()[language]
    text = lesson_text(texts_for(language), lesson)
    assert text.startswith("### ")
    assert "\n" in text
    assert len(text) <= LESSON_MAX_CHARACTERS
    for card in lesson.cards.values():
        assert card_text(card) in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_of_no_page_are_left_over(language: str) -> None:
    assert set(re.findall(r"^lesson-\S+", languages()[language], re.MULTILINE)) == {p.key for p in PAGES}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", LESSONS)
def test_every_preset_is_explained_on_a_page(language: str, key: str) -> None:
    texts = texts_for(language)
    words = "\n".join(lesson_text(texts, page) for page in LESSONS[key] if page.name.startswith("rules-"))
    for code in GAMES[key].presets:
        assert f"`{code}`" in words


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("lesson", PAGES, ids=page_id)
def test_a_page_is_short_enough_for_a_phone(language: str, lesson: Lesson) -> None:
    assert len(lesson_text(texts_for(language), lesson)) <= 340


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("lesson", PAGES, ids=page_id)
def test_alt_text_is_whole(language: str, lesson: Lesson) -> None:
    at = Scene(lesson)
    text = alt_text(texts_for(language), at.table, headline(texts_for(language), at))
    assert len(text) <= ALT_TEXT_MAX_CHARACTERS
    assert text.endswith(score_line(texts_for(language), at.table))


def headline(texts: Texts, at: Scene) -> str:
    return move_text(texts, at.before, at.last) if at.last else ""


def test_all_suits_are_met() -> None:
    assert {card.suit for page in PAGES for card in page.cards.values()} == set(Suit)
