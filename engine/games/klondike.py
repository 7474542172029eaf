"""Klondike, in Norwegian *Sjuerkabalen* or *Syver-kabal*.

Seven columns are built down in alternating colours, four foundations up from the ace in suit. The rules
follow two Norwegian descriptions: one goes once or three times through the stock, one card at a time; the
other turns three cards at a time without limit. Both forbid taking a card back from a foundation; other
programs allow it, so it is a flag, off in every preset.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from engine.cards import Card, Rank, Suit
from engine.errors import IllegalMove, Reason, RulesSyntaxError
from engine.game import Game, Outcome
from engine.move import Move, TypedMove
from engine.runs import alternating_down
from engine.table import Pile, PileKind, Table

COLUMNS = ("1", "2", "3", "4", "5", "6", "7")
FOUNDATIONS = ("fc", "fd", "fh", "fs")  # in the order of Suit
DRAW = Move("s", "w")
REDEAL = Move("w", "s")

_WASTE_SPREAD = 3


@dataclass(frozen=True, slots=True)
class KlondikeRules:
    """How the stock is drawn, and whether cards come back.

    ``draw`` is 1 or 3 cards; ``passes`` is 1 … 9 times through the stock, or None without limit;
    ``returns`` lets the top card of a foundation go back to a column.
    """

    draw: int = 1
    passes: int | None = None
    returns: bool = False


@dataclass(frozen=True, slots=True)
class KlondikeState:
    """Every pile stands bottom first: the next card of the stock is its last.

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

    def deal(self, deck: Sequence[Card], rules: KlondikeRules) -> KlondikeState:
        """Deal as PySolFC does: rounds of one card to each column from the right, each round one shorter.

        The first six rounds lie face down (columns 7 … 2, then 7 … 3 and so on); the last one goes face
        up to columns 7 … 1. The other 24 cards are the stock, the first of them on top.
        """
        cards = iter(deck)
        columns: list[list[Card]] = [[] for _ in COLUMNS]
        for leftmost in (1, 2, 3, 4, 5, 6, 0):
            for i in range(6, leftmost - 1, -1):
                columns[i].append(next(cards))
        return KlondikeState(
            rules,
            columns=tuple(map(tuple, columns)),
            hidden=tuple(range(7)),
            foundations=((),) * 4,
            stock=tuple(cards)[::-1],
        )

    def legal_moves(self, state: KlondikeState) -> Iterator[Move]:
        """Yield moves to foundations, between columns, from the waste, off foundations, from the stock."""
        if _is_won(state):
            return
        any_play = False
        for move in _plays(state):
            any_play = True
            yield move
        if any_play or not _is_dead(state):
            yield from _stock_moves(state)

    def _apply(self, state: KlondikeState, move: Move) -> KlondikeState:
        if move == DRAW:
            left = max(len(state.stock) - state.rules.draw, 0)
            return replace(state, stock=state.stock[:left], waste=state.waste + state.stock[left:][::-1])
        if move == REDEAL:
            return replace(state, stock=state.waste[::-1], waste=(), pass_number=state.pass_number + 1)
        columns, foundations = list(state.columns), list(state.foundations)
        hidden, waste = state.hidden, state.waste
        if move.source == "w":
            cards, waste = waste[-1:], waste[:-1]
        elif move.source in FOUNDATIONS:
            i = FOUNDATIONS.index(move.source)
            cards, foundations[i] = foundations[i][-1:], foundations[i][:-1]
        else:
            i = int(move.source) - 1
            cards, columns[i] = columns[i][-move.count :], columns[i][: -move.count]
            if hidden[i] and hidden[i] == len(columns[i]):  # the bared card turns face up
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
            Pile("s", PileKind.STOCK, (None,) * len(state.stock), column=0),
            Pile("w", PileKind.WASTE, state.waste, column=0, row=1, spread=_WASTE_SPREAD),
        ]
        for i, (name, column) in enumerate(zip(COLUMNS, state.columns, strict=True)):
            seen = (None,) * state.hidden[i] + column[state.hidden[i] :]
            piles.append(Pile(name, PileKind.TABLEAU, seen, column=i + 1, spread=len(seen)))
        for suit, name in zip(Suit, FOUNDATIONS, strict=True):
            cards = state.foundations[suit]
            piles.append(Pile(name, PileKind.FOUNDATION, cards, column=8, row=suit, suit=suit))
        return Table(tuple(piles), self.score(state), 52, state.pass_number, state.rules.passes)

    def outcome(self, state: KlondikeState) -> Outcome | None:
        """Won with 52 cards on the foundations; over when it is proven that no card can move any more.

        Nothing may be left to play in the columns or from the waste, and no card that any remaining draw
        can bring up may fit. Moves that only shuttle a card to and fro still count as moves.
        """
        if _is_won(state):
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
        """Read ``d1`` or ``d3``, then perhaps ``p1`` … ``p9``, then perhaps ``r``.

        :raises RulesSyntaxError: for anything else.
        """
        found = re.fullmatch(r"d([13])(?:p([1-9]))?(r?)", code)
        if found is None:
            raise RulesSyntaxError(code, self.key, "write d1 or d3, then perhaps p1 to p9, then perhaps r")
        return KlondikeRules(int(found[1]), int(found[2]) if found[2] else None, bool(found[3]))

    def stock_move(self, state: KlondikeState) -> Move:
        """Return a draw while the stock has cards, else a redeal."""
        return DRAW if state.stock else REDEAL

    def finish(self, state: KlondikeState) -> tuple[Move, ...]:
        """Send home whatever can go, once no card lies face down and nothing can go wrong any more.

        That is so when stock and waste are empty, or are drawn one at a time without limit. Columns fall in
        rank towards their ends. So of the cards that are not home yet, one of the lowest rank stands at the
        end of its column, or lies in stock or waste, where drawing brings up every card. All lower cards of
        its suit are home, so it can follow. Each card that goes home leaves the columns falling, hence the
        next one can follow too, to the last: the line always wins, and none of its moves can hurt.
        """
        rules = state.rules
        if any(state.hidden) or (state.stock + state.waste and (rules.draw, rules.passes) != (1, None)):
            return ()
        line: list[Move] = []
        while not _is_won(state):
            move = next((move for move in _plays(state) if move.target in FOUNDATIONS), None)
            move = move or self.stock_move(state)
            line.append(move)
            state = self._apply(state, move)
        return tuple(line)

    def _complete(self, state: KlondikeState, typed: TypedMove) -> Move:
        """Fill in the foundation of the card's suit and the number of cards that fit on the target."""
        source, target, count = typed.source, typed.target, typed.count
        if source == "f":
            source = _meant_foundation(state, target)
        if target == "f":
            card = _end(state, source)
            target = FOUNDATIONS[card.suit if card else 0]
        if count is None:
            count = _fitting_count(state, source, target)
        return Move(source, target, count)

    def _objection(self, state: KlondikeState, move: Move) -> IllegalMove | None:
        """Say which rule forbids the move, from the most obvious reason to the subtlest."""
        if _is_won(state):
            return IllegalMove(Reason.GAME_OVER, move)
        if move.source == "s" or move == REDEAL:
            return _stock_objection(state, move)
        return _naming_objection(move) or _taking_objection(state, move) or _placing_objection(state, move)


_PILES = frozenset((*COLUMNS, *FOUNDATIONS, "w", "s"))


def _is_won(state: KlondikeState) -> bool:
    return all(len(pile) == 13 for pile in state.foundations)


def _available(state: KlondikeState, name: str) -> tuple[Card, ...]:
    """Return the cards of a pile that lie face up and can be taken, the end last."""
    if name in COLUMNS:
        i = int(name) - 1
        return state.columns[i][state.hidden[i] :]
    if name in FOUNDATIONS:
        return state.foundations[FOUNDATIONS.index(name)][-1:]
    return state.waste[-1:] if name == "w" else ()


def _end(state: KlondikeState, name: str) -> Card | None:
    available = _available(state, name)
    return available[-1] if available else None


def _plays(state: KlondikeState) -> Iterator[Move]:
    """Yield every legal move of a card, that is, all but draws and redeals."""
    waste_top = state.waste[-1] if state.waste else None
    for name, column in zip(COLUMNS, state.columns, strict=True):
        if column and _goes_home(state, column[-1]):
            yield Move(name, FOUNDATIONS[column[-1].suit])
    if waste_top and _goes_home(state, waste_top):
        yield Move("w", FOUNDATIONS[waste_top.suit])
    for i, source in enumerate(COLUMNS):
        run = state.columns[i][state.hidden[i] :]
        for j, target in enumerate(COLUMNS):
            if i != j:
                count = _count_that_fits(run, state.columns[j])
                if count:
                    yield Move(source, target, count)
    singles = [("w", waste_top)] if waste_top else []
    if state.rules.returns:
        tops = zip(FOUNDATIONS, state.foundations, strict=True)
        singles += [(name, pile[-1]) for name, pile in tops if pile]
    for source, card in singles:
        for target, column in zip(COLUMNS, state.columns, strict=True):
            if _fits(card, column):
                yield Move(source, target)


def _goes_home(state: KlondikeState, card: Card) -> bool:
    return card.rank == len(state.foundations[card.suit]) + 1


def _fits(card: Card, column: tuple[Card, ...]) -> bool:
    return alternating_down(column[-1], card) if column else card.rank is Rank.KING


def _count_that_fits(run: tuple[Card, ...], column: tuple[Card, ...]) -> int:
    """Return how many cards of a face-up run can go onto a column; 0 when none.

    Ranks fall by one along a run, so at most one card of it fits: its place follows from the ranks.
    """
    if not run:
        return 0
    needed = column[-1].rank - 1 if column else Rank.KING
    count = needed - run[-1].rank + 1
    return count if 1 <= count <= len(run) and _fits(run[-count], column) else 0


def _meant_foundation(state: KlondikeState, target: str) -> str:
    """Return the foundation a player means who takes a card back from ``f``.

    Where several have a card that fits, the player must name the suit, so ``f`` stays. Where none has, any
    foundation with a card on it makes a better explanation than an empty one.
    """
    filled = [name for name, pile in zip(FOUNDATIONS, state.foundations, strict=True) if pile]
    column = state.columns[int(target) - 1] if target in COLUMNS else ()
    fitting = [name for name in filled if (card := _end(state, name)) and _fits(card, column)]
    if target in COLUMNS and len(fitting) > 1:
        return "f"
    return (fitting or filled or list(FOUNDATIONS))[0]


def _fitting_count(state: KlondikeState, source: str, target: str) -> int:
    """Return the count a player means who names two columns: the one that fits, else 1.

    When none fits but a card of the right rank is there (only its colour is wrong), that card's count
    makes the better explanation.
    """
    if source not in COLUMNS or target not in COLUMNS:
        return 1
    run = _available(state, source)
    column = state.columns[int(target) - 1]
    count = _count_that_fits(run, column)
    if not count and run and column:
        count = column[-1].rank - run[-1].rank
    return count if 1 <= count <= len(run) else 1


def _stock_moves(state: KlondikeState) -> Iterator[Move]:
    if state.stock:
        yield DRAW
    elif state.waste and _can_redeal(state):
        yield REDEAL


def _can_redeal(state: KlondikeState) -> bool:
    return state.rules.passes is None or state.pass_number < state.rules.passes


def _naming_objection(move: Move) -> IllegalMove | None:
    """Object to piles that there aren't, or that no card is put on by hand."""
    for name in (move.source, move.target):
        if name not in _PILES:
            return IllegalMove(Reason.NO_SUCH_PILE, move, pile=name)
    if move.source == move.target:
        return IllegalMove(Reason.SAME_PILE, move, pile=move.source)
    if move.target in ("w", "s"):
        return IllegalMove(Reason.NOT_THERE, move, pile=move.target)
    return None


def _taking_objection(state: KlondikeState, move: Move) -> IllegalMove | None:
    """Object to taking that many cards from there."""
    source, count = move.source, move.count
    available = _available(state, source)
    if not available:
        return IllegalMove(Reason.EMPTY_PILE, move, pile=source)
    if source in FOUNDATIONS and move.target in COLUMNS and not state.rules.returns:
        return IllegalMove(Reason.NO_RETURN, move)
    if count != 1 and (source not in COLUMNS or move.target in FOUNDATIONS):
        return IllegalMove(Reason.ONE_AT_A_TIME, move, pile=source, count=count)
    if not 1 <= count <= len(available):
        return IllegalMove(Reason.FACE_DOWN, move, pile=source, shown=len(available), count=count)
    return None


def _placing_objection(state: KlondikeState, move: Move) -> IllegalMove | None:
    """Object to putting the card there that heads the cards taken."""
    card = _available(state, move.source)[-move.count]
    if move.target in FOUNDATIONS:
        if move.source in FOUNDATIONS or move.target != FOUNDATIONS[card.suit]:
            return IllegalMove(Reason.OTHER_SUIT, move, card=card, pile=move.target)
        if not _goes_home(state, card):
            needed = Card(Rank(len(state.foundations[card.suit]) + 1), card.suit)
            return IllegalMove(Reason.WRONG_FOUNDATION, move, card=card, needs=needed)
        return None
    column = state.columns[int(move.target) - 1]
    if _fits(card, column):
        return None
    if not column:
        return IllegalMove(Reason.KINGS_ONLY, move, card=card, pile=move.target)
    return IllegalMove(Reason.WRONG_COLUMN, move, card=card, pile=move.target, end=column[-1])


def _stock_objection(state: KlondikeState, move: Move) -> IllegalMove | None:
    if move == REDEAL:
        if state.stock:
            return IllegalMove(Reason.STOCK_NOT_EMPTY, move)
        if not state.waste:
            return IllegalMove(Reason.NOTHING_TO_DRAW, move)
        if not _can_redeal(state):
            return IllegalMove(Reason.NO_PASS_LEFT, move, passes=state.rules.passes or 0)
    elif move != DRAW:
        return IllegalMove(Reason.NOT_FROM_THERE, move, pile=move.source)
    elif not state.stock:
        return IllegalMove(Reason.STOCK_EMPTY, move)
    if next(_plays(state), None) is None and _is_dead(state):
        return IllegalMove(Reason.GAME_OVER, move)
    return None


def _is_dead(state: KlondikeState) -> bool:
    """True when no card that a remaining draw can bring to the top of the waste fits anywhere.

    It is asked only where nothing can be played, so the columns and foundations stand still: it takes the
    rest of this pass, and, if the waste may be turned over, one full pass, since all later ones bring up
    the same cards.
    """
    step = state.rules.draw
    rest = state.stock[::-1]
    tops = _draw_tops(rest, step)
    if _can_redeal(state):
        tops += _draw_tops(state.waste + rest, step)
    return not any(_goes_home(state, card) or any(_fits(card, c) for c in state.columns) for card in tops)


def _draw_tops(cards: tuple[Card, ...], step: int) -> tuple[Card, ...]:
    """Return the cards that come to lie on top when ``cards`` are drawn ``step`` at a time."""
    tops = cards[step - 1 :: step]
    return tops + cards[-1:] if len(cards) % step else tops
