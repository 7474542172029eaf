"""Klondike, in Norwegian *Sjuerkabalen* or *Syver-kabal*.

Seven columns are built down in alternating colours, four foundations up from the ace in suit. The rules
follow two Norwegian descriptions: one goes through the stock once or three times, one card at a time; the
other turns three cards at a time, without limit. Both forbid taking a card back from a foundation; other
programs allow it, so it is a flag, off in every preset.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from engine.cards import Card, Rank, Suit
from engine.errors import RulesSyntaxError
from engine.game import Game, Outcome
from engine.illegal import IllegalMove, Reason
from engine.move import STOCK, WASTE, Move, TypedMove
from engine.runs import alternating_down
from engine.table import Pile, PileKind, Table

COLUMNS = ("1", "2", "3", "4", "5", "6", "7")
FOUNDATIONS = ("fc", "fd", "fh", "fs")  # in the order of Suit
DRAW = Move(STOCK, WASTE)
REDEAL = Move(WASTE, STOCK)

_PILES = frozenset((*COLUMNS, *FOUNDATIONS, WASTE, STOCK))


@dataclass(frozen=True, slots=True)
class KlondikeRules:
    """How the stock is drawn, and whether cards come back.

    ``draw`` is 1 or 3 cards; ``passes`` is 1 … 9 times through the stock, or None without limit;
    ``returns`` lets the top card of a foundation go back to a column.
    """

    draw: int = 1
    passes: int | None = None
    returns: bool = False


class KlondikeReason(StrEnum):
    """Reasons of Klondike's own. The comment behind each names the facts that come with it."""

    WRONG_COLUMN = "wrong-column"  # card, pile, end (the card the column ends in)
    KINGS_ONLY = "kings-only"  # card, pile
    WRONG_FOUNDATION = "wrong-foundation"  # card, needs (the card that goes there next)
    OTHER_SUIT = "other-suit"  # card, pile
    NO_RETURN = "no-return"
    STOCK_NOT_EMPTY = "stock-not-empty"
    NO_PASS_LEFT = "no-pass-left"  # passes
    NOTHING_TO_DRAW = "nothing-to-draw"


@dataclass(frozen=True, slots=True)
class KlondikeState:
    """A position. Every pile is listed bottom first: the next card of the stock is its last.

    ``hidden[i]`` is the number of cards that lie face down at the bottom of ``columns[i]``.
    """

    rules: KlondikeRules
    columns: tuple[tuple[Card, ...], ...]
    hidden: tuple[int, ...]
    foundations: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    waste: tuple[Card, ...] = ()
    pass_number: int = 1


class Klondike(Game[KlondikeState, KlondikeRules]):
    """The rules of Klondike."""

    key = "klondike"
    presets = MappingProxyType(
        {
            "d1": KlondikeRules(1, None),
            "d3": KlondikeRules(3, None),
            "d1p3": KlondikeRules(1, 3),
            "d1p1": KlondikeRules(1, 1),
            "d3p1": KlondikeRules(3, 1),
        }
    )
    full_score = 52

    def deal(self, deck: Sequence[Card], rules: KlondikeRules) -> KlondikeState:
        """Deal in PySolFC's order: rounds of one card to each column, from the right, each round shorter.

        Six rounds are face down (columns 7 … 2, then 7 … 3 and so on), and one is face up (columns 7 … 1).
        The other 24 cards are the stock, the first of them on top.
        """
        cards = iter(deck)
        columns: list[list[Card]] = [[] for _ in COLUMNS]
        for leftmost in (1, 2, 3, 4, 5, 6, 0):
            for i in range(6, leftmost - 1, -1):
                columns[i].append(next(cards))
        dealt, stock = tuple(map(tuple, columns)), tuple(cards)[::-1]
        return KlondikeState(rules, dealt, hidden=tuple(range(7)), foundations=((),) * 4, stock=stock)

    def legal_moves(self, state: KlondikeState) -> Iterator[Move]:
        """Yield moves to foundations, between columns, from the waste, off foundations, from the stock."""
        if self.score(state) == self.full_score:
            return
        any_play = False
        for move in _plays(state):
            any_play = True
            yield move
        if any_play or not _is_dead(state):
            if state.stock:
                yield DRAW
            elif state.waste and _can_redeal(state):
                yield REDEAL

    def _apply(self, state: KlondikeState, move: Move) -> KlondikeState:
        if move == DRAW:
            left = max(len(state.stock) - state.rules.draw, 0)
            return replace(state, stock=state.stock[:left], waste=state.waste + state.stock[left:][::-1])
        if move == REDEAL:
            return replace(state, stock=state.waste[::-1], waste=(), pass_number=state.pass_number + 1)
        columns, foundations = list(state.columns), list(state.foundations)
        hidden, waste = state.hidden, state.waste
        if move.source == WASTE:
            cards, waste = waste[-1:], waste[:-1]
        elif move.source in FOUNDATIONS:
            i = FOUNDATIONS.index(move.source)
            cards, foundations[i] = foundations[i][-1:], foundations[i][:-1]
        else:
            i = int(move.source) - 1
            cards, columns[i] = columns[i][-move.count :], columns[i][: -move.count]
            if hidden[i] and hidden[i] == len(columns[i]):  # the uncovered card turns face up
                hidden = (*hidden[:i], hidden[i] - 1, *hidden[i + 1 :])
        if move.target in FOUNDATIONS:
            foundations[FOUNDATIONS.index(move.target)] += cards
        else:
            columns[int(move.target) - 1] += cards
        return KlondikeState(
            state.rules, tuple(columns), hidden, tuple(foundations), state.stock, waste, state.pass_number
        )

    def table(self, state: KlondikeState) -> Table:
        """Stock and waste on the left, the columns in the middle, the foundations on the right."""
        piles = [
            Pile(STOCK, PileKind.STOCK, (None,) * len(state.stock), column=0),
            Pile(WASTE, PileKind.WASTE, state.waste, column=0, row=1, spread=3),
        ]
        for i, (name, column) in enumerate(zip(COLUMNS, state.columns, strict=True)):
            shown = (None,) * state.hidden[i] + column[state.hidden[i] :]
            piles.append(Pile(name, PileKind.TABLEAU, shown, column=i + 1, spread=len(shown)))
        for suit, name in zip(Suit, FOUNDATIONS, strict=True):
            cards = state.foundations[suit]
            piles.append(Pile(name, PileKind.FOUNDATION, cards, column=8, row=suit, suit=suit))
        passes = (state.pass_number, state.rules.passes)
        return Table(tuple(piles), self.score(state), self.full_score, *passes)

    def outcome(self, state: KlondikeState) -> Outcome | None:
        """Won with 52 cards on the foundations; over when it is proven that no card can move any more.

        That is: no card of a column or on the waste can be played, nor any card that the remaining draws
        can bring up. Moves that only shuttle a card back and forth count as moves.
        """
        if self.score(state) == self.full_score:
            return Outcome.WON
        if next(_plays(state), None) is None and _is_dead(state):
            return Outcome.OVER
        return None

    def score(self, state: KlondikeState) -> int:
        """Cards on the foundations, 0 … 52."""
        return sum(map(len, state.foundations))

    def rules_code(self, rules: KlondikeRules) -> str:
        """Return for example ``d3p2r``: draw three, two passes, return on."""
        passes = f"p{rules.passes}" if rules.passes else ""
        return f"d{rules.draw}{passes}{'r' if rules.returns else ''}"

    def parse_rules(self, code: str) -> KlondikeRules:
        """Read ``d1`` or ``d3``, then optionally ``p1`` … ``p9``, then optionally ``r``.

        :raises RulesSyntaxError: for anything else.
        """
        found = re.fullmatch(r"d([13])(?:p([1-9]))?(r?)", code)
        if found is None:
            raise RulesSyntaxError(code, self.key, "write d1 or d3, then optionally p1 to p9 and r")
        return KlondikeRules(int(found[1]), int(found[2]) if found[2] else None, bool(found[3]))

    def stock_move(self, state: KlondikeState) -> Move:
        """Return a draw while the stock has cards, else a redeal."""
        return DRAW if state.stock else REDEAL

    def finish(self, state: KlondikeState) -> tuple[Move, ...]:
        """Send every card home, once no card is face down and stock and waste can't get in the way.

        They can't when they are empty, or are drawn one card at a time without limit. This always wins:
        ranks fall towards the end of each column, so of the cards that are not home, one of the lowest
        rank ends a column or is in the stock or waste, where drawing brings up every card. All lower cards
        of its suit are home, so it can go. Then the same is true of the cards that are left.
        """
        rules = state.rules
        if any(state.hidden) or (state.stock + state.waste and (rules.draw, rules.passes) != (1, None)):
            return ()
        line: list[Move] = []
        while self.score(state) < self.full_score:
            home = (move for move in _plays(state) if move.target in FOUNDATIONS)
            line.append(next(home, self.stock_move(state)))
            state = self._apply(state, line[-1])
        return tuple(line)

    def _resolve(self, state: KlondikeState, typed: TypedMove) -> Move:
        """Fill in the foundation of the card's suit and the number of cards that fit on the target."""
        source, target, count = typed.source, typed.target, typed.count
        if source == "f":
            source = _meant_foundation(state, target)
        if target == "f":
            cards = _available(state, source)
            target = FOUNDATIONS[cards[-1].suit if cards else 0]
        if count is None:
            count = _fitting_count(state, source, target)
        return Move(source, target, count)

    def _why_illegal(self, state: KlondikeState, move: Move) -> IllegalMove | None:
        """Return which rule forbids the move, the most obvious one first."""
        if self.score(state) == self.full_score:
            return IllegalMove(Reason.GAME_OVER, move)
        if move.source == STOCK or move == REDEAL:
            return _why_no_draw(state, move)
        return _why_not_named(move) or _why_not_taken(state, move) or _why_not_placed(state, move)


def _available(state: KlondikeState, name: str) -> tuple[Card, ...]:
    """Return the cards of a pile that a player can take, the end of the pile last."""
    if name in COLUMNS:
        i = int(name) - 1
        return state.columns[i][state.hidden[i] :]
    if name in FOUNDATIONS:
        return state.foundations[FOUNDATIONS.index(name)][-1:]
    return state.waste[-1:] if name == WASTE else ()


def _plays(state: KlondikeState) -> Iterator[Move]:
    """Yield every legal move but draws and redeals."""
    ends = [(name, column[-1]) for name, column in zip(COLUMNS, state.columns, strict=True) if column]
    waste = [(WASTE, state.waste[-1])] if state.waste else []
    for source, card in ends + waste:
        if _goes_home(state, card):
            yield Move(source, FOUNDATIONS[card.suit])
    for i, source in enumerate(COLUMNS):
        run = state.columns[i][state.hidden[i] :]
        for j, target in enumerate(COLUMNS):
            if i != j and (count := _count_that_fits(run, state.columns[j])):
                yield Move(source, target, count)
    for source, card in waste + (_foundation_tops(state) if state.rules.returns else []):
        for target, column in zip(COLUMNS, state.columns, strict=True):
            if _fits(card, column):
                yield Move(source, target)


def _foundation_tops(state: KlondikeState) -> list[tuple[str, Card]]:
    return [(name, pile[-1]) for name, pile in zip(FOUNDATIONS, state.foundations, strict=True) if pile]


def _goes_home(state: KlondikeState, card: Card) -> bool:
    return card.rank == len(state.foundations[card.suit]) + 1


def _fits(card: Card, column: tuple[Card, ...]) -> bool:
    return alternating_down(column[-1], card) if column else card.rank is Rank.KING


def _count_that_fits(run: tuple[Card, ...], column: tuple[Card, ...]) -> int:
    """Return how many cards of a face-up run can move onto a column, or 0.

    Ranks fall by one along a run, so at most one of its cards fits on the column.
    """
    if not run:
        return 0
    needed = column[-1].rank - 1 if column else Rank.KING
    count = needed - run[-1].rank + 1
    return count if 1 <= count <= len(run) and _fits(run[-count], column) else 0


def _meant_foundation(state: KlondikeState, target: str) -> str:
    """Return the foundation that ``f`` means as a source.

    Where the top cards of several fit, the player must name the suit, so it stays ``f``. Where none fits, a
    foundation that has cards gives a better explanation than an empty one.
    """
    tops = _foundation_tops(state)
    column = state.columns[int(target) - 1] if target in COLUMNS else ()
    fitting = [name for name, card in tops if _fits(card, column)]
    if len(fitting) > 1 and target in COLUMNS:
        return "f"
    return (*fitting, *(name for name, _ in tops), *FOUNDATIONS)[0]


def _fitting_count(state: KlondikeState, source: str, target: str) -> int:
    """Return the count that is meant where none was typed: the one that fits between two columns, else 1.

    When none fits but a card of the right rank is there, in the wrong colour, its count gives the better
    explanation.
    """
    if source not in COLUMNS or target not in COLUMNS:
        return 1
    run = _available(state, source)
    column = state.columns[int(target) - 1]
    count = _count_that_fits(run, column)
    if not count and run and column:
        count = column[-1].rank - run[-1].rank
    return count if 1 <= count <= len(run) else 1


def _can_redeal(state: KlondikeState) -> bool:
    return state.rules.passes is None or state.pass_number < state.rules.passes


def _why_not_named(move: Move) -> IllegalMove | None:
    """Return an error for piles that don't exist, or that players don't put cards on."""
    for name in (move.source, move.target):
        if name not in _PILES:
            return IllegalMove(Reason.NO_SUCH_PILE, move, pile=name)
    if move.source == move.target:
        return IllegalMove(Reason.SAME_PILE, move, pile=move.source)
    if move.target in (WASTE, STOCK):
        return IllegalMove(Reason.NOT_THERE, move, pile=move.target)
    return None


def _why_not_taken(state: KlondikeState, move: Move) -> IllegalMove | None:
    """Return an error when that many cards can't be taken from the source."""
    source, count = move.source, move.count
    available = _available(state, source)
    if not available:
        return IllegalMove(Reason.EMPTY_PILE, move, pile=source)
    if source in FOUNDATIONS and move.target in COLUMNS and not state.rules.returns:
        return IllegalMove(KlondikeReason.NO_RETURN, move)
    if count != 1 and (source not in COLUMNS or move.target in FOUNDATIONS):
        return IllegalMove(Reason.ONE_AT_A_TIME, move, pile=source, count=count)
    if not 1 <= count <= len(available):
        return IllegalMove(Reason.FACE_DOWN, move, pile=source, shown=len(available), count=count)
    return None


def _why_not_placed(state: KlondikeState, move: Move) -> IllegalMove | None:
    """Return an error when the lowest of the cards taken does not fit on the target."""
    card, target = _available(state, move.source)[-move.count], move.target
    if target in COLUMNS:
        column = state.columns[int(target) - 1]
        if _fits(card, column):
            return None
        if not column:
            return IllegalMove(KlondikeReason.KINGS_ONLY, move, card=card, pile=target)
        return IllegalMove(KlondikeReason.WRONG_COLUMN, move, card=card, pile=target, end=column[-1])
    if move.source in FOUNDATIONS or target != FOUNDATIONS[card.suit]:
        return IllegalMove(KlondikeReason.OTHER_SUIT, move, card=card, pile=target)
    if _goes_home(state, card):
        return None
    needed = Card(Rank(len(state.foundations[card.suit]) + 1), card.suit)
    return IllegalMove(KlondikeReason.WRONG_FOUNDATION, move, card=card, needs=needed)


def _why_no_draw(state: KlondikeState, move: Move) -> IllegalMove | None:
    """Return an error when the stock can't be drawn from, or the waste turned over."""
    if move not in (DRAW, REDEAL):
        return IllegalMove(Reason.NOT_FROM_THERE, move, pile=move.source)
    if move == DRAW and not state.stock:
        return IllegalMove(Reason.STOCK_EMPTY, move)
    if move == REDEAL and state.stock:
        return IllegalMove(KlondikeReason.STOCK_NOT_EMPTY, move)
    if move == REDEAL and not state.waste:
        return IllegalMove(KlondikeReason.NOTHING_TO_DRAW, move)
    if move == REDEAL and not _can_redeal(state):
        return IllegalMove(KlondikeReason.NO_PASS_LEFT, move, passes=state.rules.passes or 0)
    if next(_plays(state), None) is None and _is_dead(state):
        return IllegalMove(Reason.GAME_OVER, move)
    return None


def _is_dead(state: KlondikeState) -> bool:
    """True when no card that the remaining draws can bring up fits anywhere, provided nothing can be played.

    Then the columns and foundations can't change: it is enough to look at the rest of this pass and, if the
    waste may be turned over, at one full pass, since all later ones bring up the same cards.
    """
    step = state.rules.draw
    rest = state.stock[::-1]
    tops = _draw_tops(rest, step)
    if _can_redeal(state):
        tops += _draw_tops(state.waste + rest, step)
    return not any(_goes_home(state, card) or any(_fits(card, to) for to in state.columns) for card in tops)


def _draw_tops(cards: tuple[Card, ...], step: int) -> tuple[Card, ...]:
    """Return the cards that end up on top of the waste when ``cards`` are drawn ``step`` at a time."""
    tops = cards[step - 1 :: step]
    return tops + cards[-1:] if len(cards) % step else tops
