"""stub"""
from __future__ import annotations

import time
from dataclasses import dataclass
from enum import StrEnum

from engine import DECK, Card, Move, Record, replay
from engine.games.klondike import COLUMNS, DRAW, FOUNDATIONS, REDEAL, Klondike, KlondikeState
from solve import _klondike_search as core
from solve._compiled import COMPILED

_GAME = Klondike()
_SLICE = 50_000 if COMPILED else 1_000
_LARGEST = 2**24


class Verdict(StrEnum):
    WON = "won"
    LOST = "lost"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Solution:
    verdict: Verdict
    line: tuple[Move, ...]
    nodes: int


def fill(p: core.Position, state: KlondikeState) -> None:
    for i, column in enumerate(state.columns):
        p.heights[i], p.hidden[i] = len(column), state.hidden[i]
        for h, card in enumerate(column):
            p.columns[20 * i + h] = core.number(card.rank, card.suit)
    for i, pile in enumerate(state.foundations):
        p.home[i] = len(pile)
    cards = state.waste + state.stock[::-1]
    for i, card in enumerate(cards):
        p.stock[i] = core.number(card.rank, card.suit)
    rules = state.rules
    redeals = core.UNLIMITED if rules.passes is None else rules.passes - state.pass_number
    for i, value in enumerate((rules.draw, int(rules.returns), redeals, len(state.waste), len(cards))):
        p.rules[i] = value


class Solver:
    def __init__(self) -> None:
        self.position = core.new_position()
        self.deal = core.new_deal()
        self.memory = 2**16
        self.search = core.new_search(1022, self.memory)

    def run(self, budget_nodes: int | None, budget_s: float | None) -> Verdict:
        until = None if budget_s is None else time.thread_time() + budget_s
        d, s = self.deal, self.search
        core.start(self.position, d, s)
        if not COMPILED:
            s.visited.clear()
        while True:
            done = int(s.now[core.NODES])
            if budget_nodes is not None and done >= budget_nodes:
                return Verdict.UNKNOWN
            if until is not None and time.thread_time() >= until:
                return Verdict.UNKNOWN
            stop = done + _SLICE if budget_nodes is None else min(budget_nodes, done + _SLICE)
            status = core.search(d, s, stop, self.memory // 2)
            if status == core.WON:
                return Verdict.WON
            if status == core.LOST:
                return Verdict.LOST
            if status == core.DEEP:
                raise RuntimeError("deep")
            if status == core.FULL:
                if self.memory >= _LARGEST * 2:
                    return Verdict.UNKNOWN
                self.memory *= 2
                if COMPILED:
                    larger = core.new_visited(self.memory)
                    core._copy_visited(s.visited, larger, s.now[core.GENERATION])
                    self.search = s = s._replace(visited=larger)

    def moves(self) -> list[int]:
        s = self.search
        return [int(s.moves[s.cursor[i] - 1]) for i in range(int(s.now[core.DEPTH]))]


_CARDS = {core.number(card.rank, card.suit): card for card in DECK}


def line_of(state: KlondikeState, moves: list[int]) -> tuple[Move, ...]:
    line: list[Move] = []

    def play(move: Move) -> None:
        nonlocal state
        state = _GAME.apply(state, move)
        line.append(move)

    for coded in moves:
        kind, card = (coded >> 6) & 7, _CARDS[coded & 63]
        if kind in (core.STOCK_HOME, core.STOCK_DOWN):
            while not state.waste or state.waste[-1] != card:
                play(DRAW if state.stock else REDEAL)
        if kind in (core.HOME, core.BARE):
            column = next(i for i in range(7) if card in state.columns[i])
            count = len(state.columns[column]) - state.columns[column].index(card)
            source = COLUMNS[column]
            if kind == core.HOME and count > 1:
                twin = next(c for c in DECK if c.rank == card.rank and c.is_red == card.is_red and c != card)
                target = next(i for i in range(7) if state.columns[i] and state.columns[i][-1] == twin)
                play(Move(source, COLUMNS[target], count - 1))
                count = 1
        elif kind == core.RETURN:
            source, count = FOUNDATIONS[card.suit], 1
        else:
            source, count = "w", 1
        if kind in (core.HOME, core.STOCK_HOME):
            play(Move(source, FOUNDATIONS[card.suit]))
        else:
            target = next(
                i
                for i in range(7)
                if (
                    (
                        state.columns[i]
                        and state.columns[i][-1].rank == card.rank + 1
                        and state.columns[i][-1].is_red != card.is_red
                    )
                    if card.rank < 13
                    else not state.columns[i]
                )
            )
            play(Move(source, COLUMNS[target], count))
    for move in _GAME.finish(state):
        play(move)
    return tuple(line)


_solver: Solver | None = None


def solve_klondike(
    game: Record | KlondikeState, *, budget_nodes: int | None = None, budget_s: float | None = None
) -> Solution:
    global _solver
    state: KlondikeState = replay(game) if isinstance(game, Record) else game
    if _solver is None:
        _solver = Solver()
    fill(_solver.position, state)
    verdict = _solver.run(budget_nodes, budget_s)
    line = line_of(state, _solver.moves()) if verdict is Verdict.WON else ()
    return Solution(verdict, line, int(_solver.search.now[core.NODES]))
