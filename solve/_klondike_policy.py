"""The counting behind :mod:`solve.klondike_hints`: which next move wins in most arrangements of unseen cards.

An *arrangement* puts the unseen cards on the places where cards lie face down. All are equally likely, since the
deal was shuffled and nothing that was turned up tells them apart. Each candidate is played in the same
arrangements, and :mod:`solve._klondike_search` looks for a win from there with all cards known, for so
many positions and no longer.
"""

from __future__ import annotations

from typing import NamedTuple

from solve import _klondike_search as core
from solve._compiled import Array, compiled, inlined, zeros

MOST_CANDIDATES = 64
DRAW = 7 << 6  # a move of the hints alone: turn the next cards of the stock, to see them
_IN_STOCK = 7 * 20
_LEHMER, _PRIME = 48_271, 2**31 - 1


class Unseen(NamedTuple):
    """The cards nobody has seen, and the places where they lie: 20 column + height, or 140 + place of the stock."""

    cards: Array
    places: Array
    count: Array


class Count(NamedTuple):
    """Candidates and how they did."""

    moves: Array
    wins: Array
    alive: Array
    frame: Array
    now: Array
    """Nodes searched; arrangements tried."""


def new_unseen() -> Unseen:
    """Return room for the unseen cards."""
    return Unseen(zeros(core.CARDS), zeros(core.CARDS), zeros(1))


def new_count() -> Count:
    """Return room for candidates."""
    return Count(*[zeros(MOST_CANDIDATES) for _ in range(3)], zeros(16), zeros(4))


@inlined
def _arrange(p: core.Position, unseen: Unseen, seed: int) -> None:
    """Put the unseen cards on their places in the order of a seed, by the shuffle of Fisher and Yates."""
    state = seed
    for i in range(unseen.count[0] - 1, 0, -1):
        state = state * _LEHMER % _PRIME
        j = (state >> 4) % (i + 1)
        unseen.cards[i], unseen.cards[j] = unseen.cards[j], unseen.cards[i]
    for i in range(unseen.count[0]):
        place = unseen.places[i]
        if place < _IN_STOCK:
            p.columns[place] = unseen.cards[i]
        else:
            p.stock[place - _IN_STOCK] = unseen.cards[i]


@inlined
def _keep(s: core.Search, frame: Array) -> None:
    frame[0], frame[1], frame[2], frame[3], frame[4] = s.key[0], s.home[0], s.next[0], s.down[0], s.seen[0]
    frame[5], frame[6], frame[7], frame[8] = s.bases[0], s.lone[0], s.part[0], s.redeals[0]


@inlined
def _again(s: core.Search, frame: Array) -> None:
    s.key[0], s.home[0], s.next[0], s.down[0], s.seen[0] = frame[0], frame[1], frame[2], frame[3], frame[4]
    s.bases[0], s.lone[0], s.part[0], s.redeals[0] = frame[5], frame[6], frame[7], frame[8]
    s.context[0] = 0
    s.now[core.DEPTH] = -1
    s.now[core.NODES] = s.now[core.USED] = 0
    s.now[core.GENERATION] += 1


@inlined
def _step(p: core.Position, d: core.Deal, s: core.Search, move: int) -> None:
    """Make a candidate's move in the first frame."""
    if move == DRAW:
        draw, count = p.rules[0], p.rules[4]
        part = core._parting(s.key[0] & core.STOCK_MASK, min(p.rules[3] + draw, count), draw, s.redeals[0])
        s.key[0] += (part - s.part[0]) * core.PART_WEIGHT
        s.part[0] = part
        return
    core._play(d, s, 0, move)
    s.key[0], s.home[0], s.next[0], s.down[0], s.seen[0] = s.key[1], s.home[1], s.next[1], s.down[1], s.seen[1]
    s.bases[0], s.lone[0], s.part[0], s.redeals[0] = s.bases[1], s.lone[1], s.part[1], s.redeals[1]


@compiled
def solve_from(d: core.Deal, s: core.Search, nodes: int) -> int:
    """Search from the first frame, whatever is there."""
    return core.search(d, s, nodes, 1 << 40)


@compiled
def count(
    p: core.Position,
    d: core.Deal,
    s: core.Search,
    unseen: Unseen,
    c: Count,
    size: int,
    seed: int,
    first: int,
    last: int,
    nodes: int,
    root_first: int,
) -> None:
    """Try candidates that are alive in the arrangements ``first`` … ``last - 1``."""
    for world in range(first, last):
        # All arrangements start from the same order, so that each can be had by itself.
        for i in range(1, unseen.count[0]):
            card = unseen.cards[i]
            j = i
            while j > 0 and unseen.cards[j - 1] > card:
                unseen.cards[j] = unseen.cards[j - 1]
                j -= 1
            unseen.cards[j] = card
        _arrange(p, unseen, (seed + 7_919 * world) % (_PRIME - 1) + 1)
        core.start(p, d, s)
        _keep(s, c.frame)
        winner = -1
        if root_first:
            _again(s, c.frame)
            status = core.search(d, s, nodes * root_first, 1 << 40)
            c.now[0] += s.now[core.NODES]
            if status == core.LOST or (root_first > 1 and status != core.WON):
                continue
            if status == core.WON:
                winner = s.moves[s.cursor[0] - 1] & 511 if s.now[core.DEPTH] > 0 else -1
        for k in range(size):
            if not c.alive[k]:
                continue
            if c.moves[k] == winner:
                c.wins[k] += 1
                continue
            _again(s, c.frame)
            _step(p, d, s, c.moves[k])
            status = core.search(d, s, nodes, 1 << 40)
            c.now[0] += s.now[core.NODES]
            if status == core.WON:
                c.wins[k] += 1
    c.now[1] += last - first
