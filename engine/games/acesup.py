"""Aces Up, in Norwegian *Idiotkabalen*.

Four piles. A top card can be discarded when another pile's top card beats it: same suit, higher rank, the
ace highest. An empty pile takes any top card. The stock deals one card to each pile, twelve times. The
rules and the variants follow a Norwegian description of *Idiotkabalen*:

- ``aces``: an empty pile takes aces only;
- ``cell``: a free cell beside the piles holds one card, which neither beats nor is beaten and leaves
  only for an empty pile (so with ``aces`` only if it is an ace);
- ``pairs``: two top cards of the same rank, not aces, can be discarded together, whatever their suits.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations
from types import MappingProxyType

from engine.cards import Card, Rank
from engine.errors import RulesSyntaxError
from engine.game import Game, Outcome
from engine.illegal import IllegalMove, Reason
from engine.move import CELL, DISCARD_PILE, STOCK, TABLEAU, Move, MoveKind, TypedMove
from engine.table import Pile, PileKind, Table

PILES = ("1", "2", "3", "4")
DEAL = Move(STOCK, TABLEAU)

_VARIANTS = ("aces", "cell", "pairs")
_MAX_FINISH_STATES = 3_000  # bounds the cost of a turn; hardly any game's end has as many


@dataclass(frozen=True, slots=True)
class AcesUpRules:
    """Which variants are on; with none it is ``standard``."""

    aces: bool = False
    cell: bool = False
    pairs: bool = False


class AcesUpReason(StrEnum):
    """Reasons of Aces Up's own. The comment behind each names the facts that come with it."""

    ACE_STAYS = "ace-stays"  # card
    NOT_BEATEN = "not-beaten"  # card
    PILE_TAKEN = "pile-taken"  # pile
    ACES_ONLY = "aces-only"  # card
    CELL_TAKEN = "cell-taken"  # card (the one in the cell)
    CELL_STAYS = "cell-stays"  # card: the cell's card can only go to an empty pile
    NOT_A_PAIR = "not-a-pair"  # card, other


@dataclass(frozen=True, slots=True)
class AcesUpState:
    """A position. Every pile is listed bottom first: the next card of the stock is its last.

    ``cell`` holds no card or one.
    """

    rules: AcesUpRules
    piles: tuple[tuple[Card, ...], ...]
    stock: tuple[Card, ...]
    discarded: tuple[Card, ...] = ()
    cell: tuple[Card, ...] = ()


class AcesUp(Game[AcesUpState, AcesUpRules]):
    """The rules of Aces Up."""

    key = "acesup"
    presets = MappingProxyType(
        {
            "standard": AcesUpRules(),
            "aces": AcesUpRules(aces=True),
            "cell": AcesUpRules(cell=True),
            "pairs": AcesUpRules(pairs=True),
        }
    )
    full_score = 48

    def deal(self, deck: Sequence[Card], rules: AcesUpRules) -> AcesUpState:
        """Deal one card face up to each pile, left to right; the other 48 are the stock."""
        return AcesUpState(rules, tuple((card,) for card in deck[:4]), tuple(deck[4:])[::-1])

    def legal_moves(self, state: AcesUpState) -> Iterator[Move]:
        """Yield discards, pairs, moves to empty piles and the cell, and the deal."""
        if self.outcome(state) is None:
            yield from _discards(state)
            yield from _fills(state)
            if state.stock:
                yield DEAL

    def _apply(self, state: AcesUpState, move: Move) -> AcesUpState:
        if move == DEAL:
            dealt = state.stock[-4:][::-1]
            piles = tuple((*pile, card) for pile, card in zip(state.piles, dealt, strict=True))
            return replace(state, piles=piles, stock=state.stock[:-4])
        new = list(state.piles)
        cards: tuple[Card, ...] = ()
        cell = state.cell
        if move.source == CELL:
            cards, cell = cell, ()
        for name in PILES:
            if name in move.source:  # "2", or "1+3" for a pair
                i = int(name) - 1
                cards, new[i] = cards + new[i][-1:], new[i][:-1]
        if move.target == DISCARD_PILE:
            return AcesUpState(state.rules, tuple(new), state.stock, state.discarded + cards, cell)
        if move.target == CELL:
            cell = cards
        else:
            new[int(move.target) - 1] = cards
        return AcesUpState(state.rules, tuple(new), state.stock, state.discarded, cell)

    def table(self, state: AcesUpState) -> Table:
        """Stock on the left, piles in the middle, discard pile and cell on the right."""
        piles = [Pile(STOCK, PileKind.STOCK, (None,) * len(state.stock), column=0)]
        for i, (name, cards) in enumerate(zip(PILES, state.piles, strict=True)):
            piles.append(Pile(name, PileKind.TABLEAU, cards, column=i + 1, spread=len(cards)))
        piles.append(Pile(DISCARD_PILE, PileKind.DISCARD, state.discarded, column=5))
        if state.rules.cell:
            piles.append(Pile(CELL, PileKind.CELL, state.cell, column=5, row=1))
        return Table(tuple(piles), self.score(state), self.full_score)

    def outcome(self, state: AcesUpState) -> Outcome | None:
        """Won when all but the aces are discarded; over when no sequence of moves leads to a discard.

        While the stock has cards, the game can always go on by a deal. (Unless it is won: with ``pairs`` the
        aces can be the last four cards of the stock.) Once it is empty, the few ways to move cards between
        piles and cell are searched exhaustively.
        """
        if len(state.discarded) == self.full_score:
            return Outcome.WON
        if state.stock or self._can_still_discard(state):
            return None
        return Outcome.OVER

    def _can_still_discard(self, state: AcesUpState) -> bool:
        seen = {state}
        frontier = [state]
        while frontier:
            here = frontier.pop()
            if next(_discards(here), None) is not None:
                return True
            for move in _fills(here):
                there = self._apply(here, move)
                if there not in seen:
                    seen.add(there)
                    frontier.append(there)
        return False

    def score(self, state: AcesUpState) -> int:
        """Cards discarded, 0 … 48."""
        return len(state.discarded)

    def rules_code(self, rules: AcesUpRules) -> str:
        """Return the variants joined by plus signs, such as ``aces+cell``; ``standard`` for none."""
        return "+".join(name for name in _VARIANTS if getattr(rules, name)) or "standard"

    def parse_rules(self, code: str) -> AcesUpRules:
        """Read ``standard``, or variants joined by plus signs in any order.

        :raises RulesSyntaxError: for anything else.
        """
        if code == "standard":
            return AcesUpRules()
        names = code.split("+")
        if len(set(names)) < len(names) or not set(names) <= set(_VARIANTS):
            raise RulesSyntaxError(code, self.key, "write standard, or aces, cell and pairs joined by +")
        return AcesUpRules(**dict.fromkeys(names, True))

    def _resolve(self, state: AcesUpState, typed: TypedMove) -> Move:
        """Put the two piles of a pair in order."""
        source = "+".join(sorted(typed.source.split("+")))
        return super()._resolve(state, TypedMove(source, typed.target, typed.count))

    def stock_move(self, state: AcesUpState) -> Move:
        """Return the deal."""
        return DEAL

    def finish(self, state: AcesUpState) -> tuple[Move, ...]:
        """Search for a way to win once the stock is empty, when every card is in sight.

        Then no single discard is worth putting off: what beats the card also beats all that the card beats.
        So single discards are played at once, and only pairs and moves to empty piles are tried in turn.
        (With ``pairs`` a card can be worth keeping as half of a pair, so a win may be missed.)
        """
        if state.stock:
            return ()
        lines: deque[tuple[AcesUpState, tuple[Move, ...]]] = deque([(state, ())])
        seen = {state}
        while lines and len(seen) < _MAX_FINISH_STATES:
            here, line = lines.popleft()  # the shortest first: no card moves back and forth for nothing
            if len(here.discarded) == self.full_score:
                return line
            forced = [move for move in _discards(here) if move.kind is MoveKind.DISCARD][:1]
            for move in forced or [*_pairs(here), *_fills(here)]:
                there = self._apply(here, move)
                if there not in seen:
                    seen.add(there)
                    lines.append((there, (*line, move)))
        return ()

    def _why_illegal(self, state: AcesUpState, move: Move) -> IllegalMove | None:
        """Return which rule forbids the move, the most obvious one first."""
        if self.outcome(state) is not None:
            return IllegalMove(Reason.GAME_OVER, move)
        if move == DEAL:
            return None if state.stock else IllegalMove(Reason.STOCK_EMPTY, move)
        error = _why_not_named(state, move)
        if error is not None:
            return error
        if len(move.sources) > 1:
            return _why_no_pair(state, move)
        if move.target == DISCARD_PILE:
            return _why_no_discard(state, move)
        return _why_not_filled(state, move)


def _tops(state: AcesUpState) -> tuple[Card, ...]:
    return tuple(pile[-1] for pile in state.piles if pile)


def _piles(state: AcesUpState) -> dict[str, tuple[Card, ...]]:
    """Return by name the piles that cards move between, with the cell if there is one."""
    piles = dict(zip(PILES, state.piles, strict=True))
    return piles | {CELL: state.cell} if state.rules.cell else piles


def _height(card: Card) -> int:
    """Return the rank with the ace above the king."""
    return 14 if card.rank is Rank.ACE else card.rank


def _is_beaten(card: Card, tops: Sequence[Card]) -> bool:
    return any(top.suit is card.suit and _height(top) > _height(card) for top in tops)


def _discards(state: AcesUpState) -> Iterator[Move]:
    tops = _tops(state)
    for name, pile in zip(PILES, state.piles, strict=True):
        if pile and _is_beaten(pile[-1], tops):
            yield Move(name, DISCARD_PILE)
    yield from _pairs(state)


def _pairs(state: AcesUpState) -> Iterator[Move]:
    if not state.rules.pairs:
        return
    filled = [(name, pile[-1]) for name, pile in zip(PILES, state.piles, strict=True) if pile]
    for (name, card), (other_name, other) in combinations(filled, 2):
        if card.rank is other.rank and card.rank is not Rank.ACE:
            yield Move(f"{name}+{other_name}", DISCARD_PILE)


def _fills(state: AcesUpState) -> Iterator[Move]:
    """Yield every move of a card to an empty pile or into the cell."""
    piles = _piles(state)
    for source, cards in piles.items():
        for target in piles:
            if not cards or piles[target]:
                continue
            if target == CELL or cards[-1].rank is Rank.ACE or not state.rules.aces:
                yield Move(source, target)


def _why_not_named(state: AcesUpState, move: Move) -> IllegalMove | None:
    """Return an error for piles that don't exist, are empty, or that players don't move cards from or to."""
    sources = move.sources
    piles = _piles(state)
    if move.source in (STOCK, DISCARD_PILE):
        return IllegalMove(Reason.NOT_FROM_THERE, move, pile=move.source)
    if move.target in (STOCK, TABLEAU):
        return IllegalMove(Reason.NOT_THERE, move, pile=move.target)
    if move.count != 1:
        return IllegalMove(Reason.ONE_AT_A_TIME, move, pile=move.source, count=move.count)
    if len(sources) > 2:
        return IllegalMove(Reason.NO_SUCH_PILE, move, pile=move.source)
    for name in (*sources, move.target):
        if name not in piles and name != DISCARD_PILE:
            return IllegalMove(Reason.NO_SUCH_PILE, move, pile=name)
    for name in sources:
        if [*sources, move.target].count(name) > 1:
            return IllegalMove(Reason.SAME_PILE, move, pile=name)
    for name in sources:
        if not piles[name]:
            return IllegalMove(Reason.EMPTY_PILE, move, pile=name)
    return None


def _why_no_discard(state: AcesUpState, move: Move) -> IllegalMove | None:
    card = _piles(state)[move.source][-1]
    if move.source == CELL:
        return IllegalMove(AcesUpReason.CELL_STAYS, move, card=card)
    if card.rank is Rank.ACE:
        return IllegalMove(AcesUpReason.ACE_STAYS, move, card=card)
    if not _is_beaten(card, _tops(state)):
        return IllegalMove(AcesUpReason.NOT_BEATEN, move, card=card)
    return None


def _why_no_pair(state: AcesUpState, move: Move) -> IllegalMove | None:
    if move in _pairs(state):
        return None
    card, other = (_piles(state)[name][-1] for name in move.sources)
    if not state.rules.pairs or move.target != DISCARD_PILE:
        return IllegalMove(Reason.NOT_ALLOWED, move)
    if card.rank is other.rank is Rank.ACE:
        return IllegalMove(AcesUpReason.ACE_STAYS, move, card=card)
    return IllegalMove(AcesUpReason.NOT_A_PAIR, move, card=card, other=other)


def _why_not_filled(state: AcesUpState, move: Move) -> IllegalMove | None:
    """Return an error when the card can't go to that pile, or into the cell."""
    piles = _piles(state)
    card = piles[move.source][-1]
    if piles[move.target]:
        if move.target == CELL:
            return IllegalMove(AcesUpReason.CELL_TAKEN, move, card=piles[CELL][-1])
        return IllegalMove(AcesUpReason.PILE_TAKEN, move, pile=move.target)
    if state.rules.aces and move.target != CELL and card.rank is not Rank.ACE:
        return IllegalMove(AcesUpReason.ACES_ONLY, move, card=card)
    return None
