"""Whether a Klondike game can still be won, when all cards are known.

Every rule set is supported, and every answer but "unknown" is proven: a win by a line of moves, a loss by an
exhaustive search. The method is in :mod:`.search`.

To ask about many positions that differ in a few cards, as a hint does that guesses the hidden ones, keep one
:class:`KlondikeSearch`: it makes its arrays once and need not clear them. Load a state, then change
the numbers in ``position`` in place, and ask again::

    search = KlondikeSearch()
    search.load(state)
    p = search.position
    p.columns[20 * 6 + 0], p.columns[20 * 6 + 1] = p.columns[20 * 6 + 1], p.columns[20 * 6 + 0]
    search.decide(budget_nodes=1_000)

The two lowest cards of the last column have changed places. A compiled loop may call
``core.decide`` on ``search.position``, ``search.deal`` and ``search.search`` in the same way.

Measured with numba, in processor time of one core of a busy machine, 10 s for each of PySolFC's numbers, line
not included; wherever there is a published result, it agrees:

====== ========= ===== ===== ======== ========= ========== ======== =======
rules  numbers   won   lost  unknown  in 0.1 s  in 1 s     median   99th %
====== ========= ===== ===== ======== ========= ========== ======== =======
d1r    1 … 500   458   42    0        484       497        0.2 ms   0.7 s
d3r    1 … 500   398   97    5        440       479        0.2 ms   10 s
d1     1 … 200   184   16    0        193       200        0.2 ms   0.5 s
d3     1 … 200   158   40    2        179       191        0.3 ms   10 s
d1p3   1 … 200   180   12    8        141       182        35 ms    10 s
d1p1   1 … 200   46    154   0        150       195        30 ms    1.5 s
d3p1   1 … 200   1     199   0        200       200        0.3 ms   0.03 s
====== ========= ===== ===== ======== ========= ========== ======== =======

That is 0.5 to 0.8 million positions a second, against 25,000 to 50,000 as plain Python. A call of
``decide`` takes 10 microseconds in addition to the search, a line 1 to 4 milliseconds.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import prod

from engine import DECK, Card, IllegalMove, Move, Record, replay
from engine.games.klondike import COLUMNS, DRAW, FOUNDATIONS, REDEAL, Klondike, KlondikeState
from engine.move import WASTE
from engine.runs import alternating_down
from solve.compiled import COMPILED, Array
from solve.games.klondike import search as core

_GAME = Klondike()
_SLICE = 50_000 if COMPILED else 1_000  # positions between two checks of the clock
_FRAMES = 512
_MEMORY = 2**16
_KEPT_MEMORY = 2**20
_LARGEST_MEMORY = 2**24 if COMPILED else 2**21  # about 270 MB; plain Python takes as much
_MOST_DOWN = prod(range(2, 9))  # what a deal needs, and what the key of a position has room for


class Verdict(StrEnum):
    """Whether the game can be won, can't be won, or neither is known."""

    WON = "won"
    LOST = "lost"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Solution:
    """The verdict, a line of moves that wins if the game can be won, and how many positions were visited."""

    verdict: Verdict
    line: tuple[Move, ...]
    nodes: int


def solve_klondike(
    game: Record | KlondikeState, *, budget_nodes: int | None = None, budget_s: float | None = None
) -> Solution:
    """Return whether a game can still be won from here, knowing all cards.

    The search ends when it knows, has visited ``budget_nodes`` positions, or has used ``budget_s`` seconds of
    processor time (it checks the clock rarely, so it takes a little more), or when its memory is full, at
    about 14 million positions. With a budget of nodes, or none, the answer is always the same.

    :raises ValueError: when the record is of another game, or the position has more cards in the stock or
        face down than a deal.

    >>> solve_klondike(Record.parse("klondike/d3/7")).verdict
    <Verdict.LOST: 'lost'>
    """
    if isinstance(game, Record):
        if game.game != _GAME.key:
            raise ValueError(f"{game.game} is not {_GAME.key}")
        state: KlondikeState = replay(game)
    else:
        state = game
    search = _idle.pop() if _idle else KlondikeSearch()
    try:
        search.load(state)
        verdict = search.decide(budget_nodes=budget_nodes, budget_s=budget_s)
        line = search.line(state) if verdict is Verdict.WON else ()
        return Solution(verdict, line, search.nodes)
    finally:
        search.shrink()
        _idle.append(search)


class KlondikeSearch:
    """A search that is reused for one position after another, by one thread at a time."""

    def __init__(self) -> None:
        self.position = core.new_position()
        self.deal = core.new_deal()
        self.search = core.new_search(_FRAMES, _MEMORY)
        self._size = _MEMORY

    @property
    def nodes(self) -> int:
        """How many positions were visited for the last answer."""
        return int(self.search.now[core.NODES])

    @property
    def memory(self) -> int:
        """How many positions can be remembered before the memory must grow."""
        return self._size - self._size // 8

    def load(self, state: KlondikeState) -> None:
        """Write a state into ``position``.

        :raises ValueError: when it has more cards in the stock or face down than a deal.
        """
        p, rules = self.position, state.rules
        stock = state.waste + state.stock[::-1]
        bases = [hidden + 2 for hidden, cards in zip(state.hidden, state.columns, strict=True) if cards]
        if len(stock) > core.STOCK or prod(bases) > _MOST_DOWN or max(bases, default=0) > core.MOST_BASES:
            raise ValueError("no game leads to this position")
        for column, cards in enumerate(state.columns):
            p.heights[column], p.hidden[column] = len(cards), state.hidden[column]
            _write(p.columns, 20 * column, _numbers(cards))
        _write(p.home, 0, [len(pile) for pile in state.foundations])
        _write(p.stock, 0, _numbers(stock))
        redeals = core.UNLIMITED if rules.passes is None else rules.passes - state.pass_number
        _write(p.rules, 0, [rules.draw, int(rules.returns), redeals, len(state.waste), len(stock)])

    def decide(self, *, budget_nodes: int | None = None, budget_s: float | None = None) -> Verdict:
        """Return whether the position in ``position`` can be won; budgets as for :func:`solve_klondike`."""
        until = None if budget_s is None else time.thread_time() + budget_s
        stop = _next_stop(0, budget_nodes, until)
        status = core.decide(self.position, self.deal, self.search, stop, self.memory)
        while status not in _VERDICTS:
            if status == core.RUNNING:
                used = budget_nodes is not None and self.nodes >= budget_nodes
                if used or (until is not None and time.thread_time() >= until):
                    return Verdict.UNKNOWN
                stop = _next_stop(self.nodes, budget_nodes, until)
            elif status == core.DEEP:
                self.search = core.with_more_frames(self.search)
            elif self._size >= _LARGEST_MEMORY:
                return Verdict.UNKNOWN
            else:
                self._size *= 2
                self.search = core.with_larger_memory(self.search, self._size)
            status = core.search(self.deal, self.search, stop, self.memory)
        return _VERDICTS[status]

    def line(self, state: KlondikeState) -> tuple[Move, ...]:
        """Return a line that wins from the state that was loaded, once the verdict is that it can be won."""
        s = self.search
        steps = [int(s.moves[s.cursor[i] - 1]) for i in range(int(s.now[core.DEPTH]))]
        return _tidy(state, [((step >> 6) & 7, CARD_OF[step & 63]) for step in steps])

    def shrink(self) -> None:
        """Release the memory that a long search took."""
        if self._size > _KEPT_MEMORY:
            self._size = _MEMORY
            self.search = self.search._replace(visited=core.new_visited(_MEMORY))


_idle: list[KlondikeSearch] = []  # any thread takes one and puts it back
_VERDICTS = {core.WON: Verdict.WON, core.LOST: Verdict.LOST}
CARD_OF = {core.number(card.rank, card.suit): card for card in DECK}
_NUMBERS = {card: number for number, card in CARD_OF.items()}
_Step = tuple[int, Card]  # a kind of move of the search, and its card


def _numbers(cards: Sequence[Card]) -> list[int]:
    return [_NUMBERS[card] for card in cards]


def _write(array: Array, start: int, values: list[int]) -> None:
    for i, value in enumerate(values):
        array[start + i] = value


def _next_stop(nodes: int, budget: int | None, until: float | None) -> int:
    """Return the number of nodes after which to check again."""
    stop = nodes + _SLICE if until is not None else 1 << 60
    return stop if budget is None else min(stop, budget)


def _tidy(state: KlondikeState, steps: list[_Step]) -> tuple[Move, ...]:
    """Turn steps of the search into moves, without cards that come back from a foundation for nothing.

    Each return of a card is left out, together with its going home again, if the rest still wins.
    """
    line = _moves(state, steps)
    for at in reversed([i for i, (kind, _) in enumerate(steps) if kind == core.RETURN]):
        card = steps[at][1]
        again = next((i for i in range(at, len(steps)) if steps[i] == (core.HOME, card)), at)
        shorter = [step for i, step in enumerate(steps) if i not in (at, again)]
        try:
            line = _moves(state, shorter)
        except (IllegalMove, ValueError):
            continue
        steps = shorter
    return line


def _moves(state: KlondikeState, steps: list[_Step]) -> tuple[Move, ...]:
    """Turn steps of the search into moves.

    :raises IllegalMove: when the rules forbid a step.
    :raises ValueError: when a step is impossible, or the game is not won in the end.
    """
    line: list[Move] = []
    for kind, card in steps:
        for move in moves_of(state, kind, card):
            state = _GAME.apply(state, move)
            line.append(move)
    finish = _GAME.finish(state)
    if not finish and _GAME.score(state) < len(DECK):
        raise ValueError("the line stops before the end")
    return (*line, *finish)


def moves_of(state: KlondikeState, kind: int, card: Card) -> Iterator[Move]:
    """Yield the moves that make up one step of the search."""
    home = FOUNDATIONS[card.suit]
    if kind == core.RETURN:
        yield Move(home, _landing(state, card))
    elif kind in (core.STOCK_HOME, core.STOCK_DOWN):
        yield from _draws(state, card)
        yield Move(WASTE, home if kind == core.STOCK_HOME else _landing(state, card))
    else:
        source, count = _place(state, card)
        if kind == core.BARE:
            yield Move(source, _landing(state, card), count)
            return
        if count > 1:  # what lies on it goes onto its twin, which is open
            yield Move(source, _landing(state, state.columns[COLUMNS.index(source)][1 - count]), count - 1)
        yield Move(source, home)


def _place(state: KlondikeState, card: Card) -> tuple[str, int]:
    """Return the column of a card, and how many cards move with it."""
    for name, column in zip(COLUMNS, state.columns, strict=True):
        if card in column:
            return name, len(column) - column.index(card)
    raise ValueError(f"{card} is not in a column")


def _landing(state: KlondikeState, card: Card) -> str:
    """Return a column that a card may be put on."""
    for name, column in zip(COLUMNS, state.columns, strict=True):
        if alternating_down(column[-1], card) if column else card.rank == len(DECK) // 4:
            return name
    raise ValueError(f"{card} fits on no column")


def _draws(state: KlondikeState, card: Card) -> Iterator[Move]:
    """Yield draws and redeals until a card is on top of the waste."""
    stock, waste, draw = state.stock, state.waste, state.rules.draw
    for _ in range(2 * core.STOCK + 2):
        if waste and waste[-1] == card:
            return
        if stock:
            yield DRAW
            waste += stock[-draw:][::-1]
            stock = stock[:-draw]
        else:
            yield REDEAL
            stock, waste = waste[::-1], ()
    raise ValueError(f"no draw brings up {card}")
