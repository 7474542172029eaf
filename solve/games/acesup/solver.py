"""The best score of an Aces Up game when all cards are known.

Every rule set is supported, discards may wait, and lone cards may move. The method is in :mod:`.search`.

Measured as ``python -m solve survey`` does, on one core of a busy machine: of PySolFC's numbers 1 … 572,
``standard``, 488 (85 %), 553 (97 %) and 567 (99 %) are proven within 1, 10 and 60 s of processor time with
numba. Counted from the positions looked at, of the first 240 it would be about 163, 195 and 221 in plain
Python. 291 can be won, 47 gain by waiting with a discard, and the mean best score is 44.9. With ``aces`` all
of 1 … 100 are proven within 1 s; 10 can be won, 52 gain by waiting. With ``cell`` and with ``pairs`` 1 … 10
are proven within 1 s.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine import Card, Move, MoveKind, Rank, Record, replay
from engine.games.acesup import DEAL, PILES, AcesUp, AcesUpState
from engine.move import CELL, DISCARD_PILE
from solve.bounds import ScoreBounds
from solve.compiled import COMPILED, Array, array
from solve.games.acesup import search as core

_GAME = AcesUp()
_SLICE = 50_000 if COMPILED else 1_000  # positions between two looks at the clock
_POOL = 2**18 if COMPILED else 2**16
_TREE = 2**16
_LARGEST_TREE = 2**22  # about 170 MB; then the tree is emptied and grows again


def best_score(
    game: Record | AcesUpState,
    *,
    budget_nodes: int | None = None,
    budget_s: float | None = None,
    forced: bool = False,
) -> ScoreBounds:
    """Return bounds on the best score that can be reached from here, knowing the order of the stock.

    ``forced`` asks for the best score when every card that is beaten is discarded before anything else is
    done (pairs stay a choice); it is found much sooner, and is seldom far from the best. The search ends when
    it is done, has looked at ``budget_nodes`` positions, or has used ``budget_s`` seconds of processor time;
    it checks both rarely, so it takes a little more. With a budget of nodes, or none, the answer is always
    the same.

    :raises ValueError: when the record is of another game, or no game of at most 15 deals leads to the
        position.

    >>> best_score(Record.parse("acesup/standard/3"), forced=True).score
    31
    """
    if isinstance(game, Record):
        if game.game != _GAME.key:
            raise ValueError(f"{game.game} is not {_GAME.key}")
        state: AcesUpState = replay(game)
    else:
        state = game
    budget = _Budget(budget_nodes, budget_s)
    position = _Position(state)
    par = _search(position, ScoreBounds(len(state.discarded), position.goal, (), 0), budget, forced=True)
    if not forced and par.score < position.goal:
        par = _search(position, par, budget, forced=False)
    return par


class _Budget:
    """How many nodes and seconds of processor time may be used."""

    def __init__(self, nodes: int | None, seconds: float | None) -> None:
        self.nodes = nodes
        self._until = None if seconds is None else time.thread_time() + seconds

    def is_used(self, nodes: int) -> bool:
        """True when nothing is left after so many nodes."""
        if self.nodes is not None and nodes >= self.nodes:
            return True
        return self._until is not None and time.thread_time() >= self._until

    def next_stop(self, nodes: int) -> int:
        """Return the number of nodes after which to check again."""
        return nodes + _SLICE if self.nodes is None else min(self.nodes, nodes + _SLICE)


class _Position:
    """A state of the engine in the numbers of the search.

    The card at height l of pile c is treated as dealt to c with deal l, and the stock follows above the
    highest pile. A card in the cell has a slot of its own.
    """

    def __init__(self, state: AcesUpState) -> None:
        self.state = state
        self.first = max(1, *map(len, state.piles))
        self.deals = self.first + len(state.stock) // 4
        if self.deals > core.LEVELS or len(state.stock) % 4:
            raise ValueError("no game leads to this position")
        self.cards: dict[int, Card] = {}
        for pile, cards in enumerate(state.piles):
            for level, card in enumerate(cards):
                self.cards[core.LEVELS * pile + level] = card
        self.dealt = _mask(self.cards)
        for i, card in enumerate(reversed(state.stock)):
            self.cards[core.LEVELS * (i % 4) + self.first + i // 4] = card
        self.bases = (1 << 30) - 1
        if state.cell:
            self.cards[core.CELL_SLOT] = state.cell[0]
            self.bases &= ~((core.NONE ^ core.CELL_SLOT) << 6 * core.CELL)
        self.goal = self.most_before(self.deals)

    def most_before(self, deals: int) -> int:
        """Return a bound on the score before deal number ``deals``: one card of each suit stays.

        With pairs only the aces are certain to.
        """
        known = [card for slot, card in self.cards.items() if _is_dealt(slot, deals)]
        aces = [card for card in known if card.rank is Rank.ACE]
        stay = len(aces) if self.state.rules.pairs else len({card.suit for card in known})
        return len(self.state.discarded) + len(known) - stay

    def rules(self, *, forced: bool) -> core.Rules:
        """Return the masks and flags of the search."""
        state, slots = self.state, range(core.NONE + 1)
        pairs = state.rules.pairs

        def masks(first: Sequence[int]) -> list[int]:
            return [*first, *[0] * (core.NONE + 1 - len(first))]

        def with_those(wanted: str) -> Array:
            return array([self._related(slot, wanted) for slot in slots])

        return core.Rules(
            higher=with_those("higher"),
            lower=with_those("lower"),
            mates=with_those("mates" if pairs else ""),
            fills=array([int(self._fills(slot)) for slot in slots]),
            stock=array(masks([self._stock_after(deals) for deals in range(core.LEVELS + 1)])),
            highest=array(core.HIGHEST),
            deals=self.deals,
            first=self.first,
            before=array([self.most_before(deals) for deals in range(core.LEVELS + 1)]),
            cell=int(state.rules.cell),
            pairs=int(pairs),
            forced=int(forced),
        )

    def _related(self, slot: int, wanted: str) -> int:
        card = self.cards.get(slot)
        if card is None:
            return 0
        found = []
        for other_slot, other in self.cards.items():
            if other.suit is card.suit:
                relation = "higher" if _height(other) > _height(card) else "lower"
            else:
                relation = "mates" if other.rank is card.rank is not Rank.ACE else ""
            if relation == wanted and other_slot != slot and wanted:
                found.append(other_slot)
        return _mask(found)

    def _fills(self, slot: int) -> bool:
        return slot in self.cards and (not self.state.rules.aces or self.cards[slot].rank is Rank.ACE)

    def _stock_after(self, deals: int) -> int:
        if deals < self.first:
            return 0
        return _mask(slot for slot in self.cards if not _is_dealt(slot, deals))


def _is_dealt(slot: int, deals: int) -> bool:
    """True when the card of that slot has been dealt after so many deals."""
    return slot == core.CELL_SLOT or slot % core.LEVELS < deals


def _mask(slots: Iterator[int] | Sequence[int] | dict[int, Card]) -> int:
    return sum(1 << slot for slot in slots)


def _height(card: Card) -> int:
    return 14 if card.rank is Rank.ACE else card.rank


def _search(position: _Position, known: ScoreBounds, budget: _Budget, *, forced: bool) -> ScoreBounds:
    """Search until done or until the budget is used; ``known`` is what an earlier search has found."""
    rules = position.rules(forced=forced)
    s = core.new_search(_POOL, _TREE)
    s.now[core.BEST] = known.score
    s.now[core.GOAL] = known.upper_bound if forced else position.goal
    s.now[core.NODES] = known.nodes
    core.start(rules, s, position.dealt, position.bases, len(position.state.discarded))
    status = core.RUNNING
    while status != core.DONE and not budget.is_used(int(s.now[core.NODES])):
        status = core.search(rules, s, budget.next_stop(int(s.now[core.NODES])))
        if status == core.FULL:
            if s.now[core.OVERFLOW]:
                break
            s = core.with_more_room(s, _LARGEST_TREE)
    score, nodes = int(s.now[core.BEST]), int(s.now[core.NODES])
    line = known.line
    if score > known.score:
        line = _real_line(position, rules, [int(move) for move in s.path[: int(s.now[core.PATH])]])
    return ScoreBounds(score, score if status == core.DONE else int(s.now[core.GOAL]), line, nodes)


def _real_line(position: _Position, rules: core.Rules, path: Sequence[int]) -> tuple[Move, ...]:
    """Turn moves of the game with licences into moves of the engine, up to the last discard.

    A card is discarded when it gets a licence that it will not lose; its moves after that are omitted.
    """
    steps = list(_steps(position, rules, path))
    state, line, gone = position.state, list[Move](), set[int]()
    for at, step in enumerate(steps):
        move = None
        if step.kind == core.DEAL:
            move = DEAL
        elif step.kind == core.PAIR:
            move = Move("+".join(_NAMES[pile] for pile in step.piles), DISCARD_PILE)
        elif step.kind == core.MOVE and step.cards[0] not in gone:
            move = Move(_NAMES[step.piles[0]], _NAMES[step.piles[1]])
        if move is not None:
            state = _GAME.apply(state, move)
            line.append(move)
        for_good = {slot for slot in step.licensed if not _is_lost(slot, steps[at + 1 :])}
        gone |= for_good
        waiting = {position.cards[slot] for slot in for_good}
        while waiting:
            move = next(
                move
                for move in _GAME.legal_moves(state)
                if move.kind is MoveKind.DISCARD and move.source in PILES and _top(state, move) in waiting
            )
            waiting.remove(_top(state, move))
            state = _GAME.apply(state, move)
            line.append(move)
    while line and not line[-1].kind.is_discard:
        line.pop()
    return tuple(line)


@dataclass(frozen=True, slots=True)
class _Step:
    """One move of the game with licences, the cards it uses, and the cards it gives licences to."""

    kind: int
    piles: tuple[int, int]
    cards: tuple[int, ...]
    licensed: set[int]


_START = -1
_NAMES = (*PILES, CELL)


def _steps(position: _Position, rules: core.Rules, path: Sequence[int]) -> Iterator[_Step]:
    depth = array([0] * (4 * core.LEVELS + 8))
    level, dealt, bases, free, score = rules.first, position.dealt, position.bases, 0, 0
    for move in (_START, *path):
        kind, piles = move >> 6, ((move >> 3) & 7, move & 7)
        cards: tuple[int, ...] = ()
        bare = core.present(dealt, bases) & ~free
        if move == core.DEAL:
            dealt |= int(rules.stock[level]) & ~int(rules.stock[level + 1])
            level += 1
            bare = core.present(dealt, bases) & ~free
        elif move != _START:
            used = piles if kind == core.PAIR else piles[:1]
            cards = tuple(core.top(rules, dealt, bases, pile) for pile in used)
            dealt, bases, free, score = core.play(rules, dealt, bases, free, score, move)
            if kind == core.BEAT:
                bare |= _mask(cards)
            elif kind == core.PAIR:
                bare &= ~_mask(cards)
        dealt, bases, free, score, _ = core.settle(rules, dealt, bases, free, score, level, depth)
        licensed = bare & ~(core.present(dealt, bases) & ~free)
        yield _Step(kind, piles, cards, {slot for slot in position.cards if licensed >> slot & 1})


def _is_lost(slot: int, later: Sequence[_Step]) -> bool:
    """True when a licence is lost: its card beats another or leaves as half of a pair."""
    return any(slot in step.cards and step.kind in (core.BEAT, core.PAIR) for step in later)


def _top(state: AcesUpState, move: Move) -> Card:
    return state.piles[int(move.source) - 1][-1]
