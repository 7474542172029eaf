"""Klondike by trying everything: every legal move of the rules, in every order, from every position.

It shares no code with the solver, and none with the engine's rules. A card is a pair of rank and suit; suits
1 and 2 are red. For positions near the end of a game: from others there are too many.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import heappop, heappush
from random import Random
from typing import NamedTuple, TypeVar

from engine import DECK, Card
from engine.games.klondike import KlondikeRules, KlondikeState

BruteCard = tuple[int, int]
Pile = tuple[BruteCard, ...]
T = TypeVar("T")


class Position(NamedTuple):
    columns: tuple[Pile, ...]
    hidden: tuple[int, ...]
    home: tuple[int, ...]
    stock: Pile
    waste: Pile
    passes: int


def can_be_won(state: KlondikeState, limit: int) -> bool | None:
    """Return whether some line of moves wins, or None when there are more than ``limit`` positions."""
    start = Position(
        tuple(tuple((int(c.rank), int(c.suit)) for c in column) for column in state.columns),
        state.hidden,
        tuple(map(len, state.foundations)),
        tuple((int(c.rank), int(c.suit)) for c in state.stock),
        tuple((int(c.rank), int(c.suit)) for c in state.waste),
        state.pass_number if state.rules.passes else 0,
    )
    seen = {start}
    frontier = [(0, 0, start)]  # positions with most cards home and face up first, to find wins sooner
    while frontier:
        _, _, here = heappop(frontier)
        if sum(here.home) == 52:
            return True
        for there in followers(here, state.rules):
            if there not in seen:
                seen.add(there)
                heappush(frontier, (sum(there.hidden) - sum(there.home), -len(seen), there))
        if len(seen) > limit:
            return None
    return False


def followers(here: Position, rules: KlondikeRules) -> Iterator[Position]:
    """Yield every position that one move leads to."""
    if here.stock:
        turned = here.stock[-rules.draw :][::-1]
        yield here._replace(stock=here.stock[: -rules.draw], waste=here.waste + turned)
    elif here.waste and (rules.passes is None or here.passes < rules.passes):
        passes = here.passes + 1 if rules.passes else 0
        yield here._replace(stock=here.waste[::-1], waste=(), passes=passes)
    if here.waste:
        yield from put(here._replace(waste=here.waste[:-1]), here.waste[-1:])
    for i, column in enumerate(here.columns):
        for start in range(here.hidden[i], len(column)):
            yield from put(taken(here, i, start), column[start:], i)
    for suit in range(4):
        if rules.returns and here.home[suit]:
            down = here._replace(home=changed(here.home, suit, here.home[suit] - 1))
            yield from put(down, ((here.home[suit], suit),))


def put(here: Position, cards: Pile, source: int = -1) -> Iterator[Position]:
    """Yield every position with the taken cards put somewhere else."""
    (rank, suit), end = cards[0], len(cards) == 1
    if end and here.home[suit] == rank - 1:
        yield here._replace(home=changed(here.home, suit, rank))
    for i, column in enumerate(here.columns):
        if column:
            below, below_suit = column[-1]
            fits = below == rank + 1 and (below_suit in (1, 2)) != (suit in (1, 2))
        else:
            fits = rank == 13
        if fits and i != source:
            yield here._replace(columns=changed(here.columns, i, column + cards))


def taken(here: Position, i: int, start: int) -> Position:
    """Return the position without the cards of a column from ``start`` on."""
    hidden = here.hidden
    if start and hidden[i] == start:
        hidden = changed(hidden, i, start - 1)
    return here._replace(columns=changed(here.columns, i, here.columns[i][:start]), hidden=hidden)


def changed(values: tuple[T, ...], i: int, value: T) -> tuple[T, ...]:
    return (*values[:i], value, *values[i + 1 :])


def late_deal(rng: Random, left: int, rules: KlondikeRules) -> KlondikeState:
    """Return a random position with ``left`` cards not yet home, one card face up in each column.

    Half of the columns have their lowest cards at the bottom.
    """
    heights = [13] * 4
    for _ in range(left):
        heights[rng.choice([suit for suit in range(4) if heights[suit]])] -= 1
    cards = [card for card in DECK if card.rank > heights[card.suit]]
    rng.shuffle(cards)
    columns: list[list[Card]] = [[] for _ in range(7)]
    used = [column for column in columns if rng.random() < 0.7]
    for _ in range(rng.randint(left // 2, left)):
        open_columns = [column for column in used if len(column) < 7]
        if open_columns:
            rng.choice(open_columns).append(cards.pop())
    stock = tuple(cards)
    for column in columns:
        if rng.random() < 0.5:
            column.sort()
    parting = rng.choice([0, rng.randint(0, len(stock))])
    return KlondikeState(
        rules,
        tuple(map(tuple, columns)),
        tuple(max(0, len(column) - 1) for column in columns),
        tuple(DECK[13 * suit : 13 * suit + height] for suit, height in enumerate(heights)),
        stock=stock[parting:],
        waste=stock[:parting],
        pass_number=rng.randint(1, rules.passes or 1),
    )
