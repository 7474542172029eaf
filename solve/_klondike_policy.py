"""The counting behind :mod:`solve.klondike_hints`: which next move wins in most arrangements of unseen cards.

An *arrangement* puts the unseen cards on the places where cards lie face down. All are equally likely, since the
deal was shuffled and nothing that was turned up tells them apart. Each candidate is played in the same
arrangements, and :mod:`solve._klondike_search` looks for a win from there with all cards known, for so
many positions and no longer.
"""

from __future__ import annotations

from math import log, sqrt
from typing import NamedTuple

from solve import _klondike_search as core
from solve._compiled import COMPILED, Array, compiled, inlined, zeros

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


class Tree(NamedTuple):
    """What was tried: a node is what the player sees, an edge one of the moves there."""

    now: Array
    child: Array
    sibling: Array
    label: Array
    first: Array
    size: Array
    visits: Array
    edge: Array
    tries: Array
    wins: Array
    drawn: Array
    path: Array
    moves: Array
    hidden_at: Array
    truth: Array
    guess: Array


def new_tree(nodes: int, edges: int) -> Tree:
    return Tree(zeros(8), *[zeros(nodes) for _ in range(6)], *[zeros(edges) for _ in range(3)], zeros(300), zeros(300), zeros(64), zeros(64), zeros(64), zeros(64))


NODES, EDGES, SEARCHED = range(3)


@compiled
def _moves(p: core.Position, d: core.Deal, s: core.Search, i: int, drawn: int, moves: Array) -> int:
    """Write down the moves a player may consider in frame i; their number, or -1 when it is won."""
    count = p.rules[4]
    unknown = drawn < count
    key, redeals = s.key[i], s.redeals[i]
    if unknown:
        top = core._top(key & ((1 << s.part[i]) - 1)) if s.part[i] else -1
        card = d.stock[top] if top >= 0 else -1
        s.key[i] = key & ~(((1 << count) - 1) ^ ((1 << drawn) - 1))
        s.redeals[i] = 1 if p.rules[0] == 3 and redeals else redeals
    s.context[i] = 0
    s.now[core.GENERATION] += 1
    if not COMPILED:
        s.visited.clear()
    status = core._expand(d, s, i)
    s.key[i], s.redeals[i] = key, redeals
    if status == core.WON:
        if not unknown:
            return -1
        s.end[i] = s.cursor[i]
    size = 0
    for j in range(s.cursor[i], s.end[i]):
        move = s.moves[j]
        kind = (move >> 6) & 7
        if not unknown or move & 63 == card or (kind != core.STOCK_HOME and kind != core.STOCK_DOWN):
            moves[size] = move
            size += 1
    if unknown and status != core.FORCED:
        moves[size] = DRAW
        size += 1
    return size


@inlined
def _forward(p: core.Position, d: core.Deal, s: core.Search, t: Tree, i: int, move: int) -> int:
    """Put into frame i + 1 what a move makes of frame i, and return what is seen by it."""
    count = p.rules[4]
    t.drawn[i + 1] = t.drawn[i]
    if move == DRAW:
        drawn = min(t.drawn[i] + p.rules[0], count)
        _copy(s, i, i + 1)
        part = core._parting(s.key[i] & core.STOCK_MASK, drawn, p.rules[0], s.redeals[i])
        s.key[i + 1] += (part - s.part[i]) * core.PART_WEIGHT
        s.part[i + 1] = part
        seen = 0
        for place in range(t.drawn[i], drawn):
            seen = seen * 64 + d.stock[place] + 1
        t.drawn[i + 1] = drawn
        return seen
    core._play(d, s, i, move)
    s.context[i + 1] = 0
    fresh = s.bases[i + 1] & ~s.bases[i]
    return core._card(fresh) + 1 if fresh else 0


@inlined
def _copy(s: core.Search, a: int, b: int) -> None:
    s.key[b], s.home[b], s.next[b], s.down[b], s.seen[b] = s.key[a], s.home[a], s.next[a], s.down[a], s.seen[a]
    s.bases[b], s.lone[b], s.part[b], s.redeals[b] = s.bases[a], s.lone[a], s.part[a], s.redeals[a]
    s.context[b] = 0


@inlined
def _sort(cards: Array, size: int) -> None:
    for i in range(1, size):
        card = cards[i]
        j = i
        while j > 0 and cards[j - 1] > card:
            cards[j] = cards[j - 1]
            j -= 1
        cards[j] = card


@inlined
def _best_edge(t: Tree, node: int, c: float) -> int:
    best, most = -1, -1.0
    ln = log(t.visits[node] + 1.0)
    for e in range(t.first[node], t.first[node] + t.size[node]):
        if t.tries[e] == 0:
            return e
        value = t.wins[e] / t.tries[e] + c * sqrt(ln / t.tries[e])
        if value > most:
            best, most = e, value
    return best


@inlined
def _child(t: Tree, node: int, edge: int, seen: int) -> int:
    """Return the node an edge leads to, -1 when it is new."""
    label = edge << 20 | seen
    child = t.child[node]
    while child >= 0:
        if t.label[child] == label:
            return child
        child = t.sibling[child]
    return -1


@inlined
def _new_node(t: Tree, parent: int, label: int) -> int:
    node = t.now[NODES]
    t.now[NODES] += 1
    t.child[node], t.visits[node], t.label[node] = -1, 0, label
    t.size[node] = -2
    if parent >= 0:
        t.sibling[node] = t.child[parent]
        t.child[parent] = node
    return node


@inlined
def _open(p: core.Position, d: core.Deal, s: core.Search, t: Tree, i: int, node: int) -> None:
    size = _moves(p, d, s, i, t.drawn[i], t.moves)
    t.size[node] = size
    t.first[node] = t.now[EDGES]
    for j in range(size):
        e = t.now[EDGES]
        t.edge[e], t.tries[e], t.wins[e] = t.moves[j], 0, 0
        t.now[EDGES] += 1


@inlined
def _restart(s: core.Search) -> None:
    s.context[0] = 0
    s.now[core.DEPTH] = -1
    s.now[core.NODES] = s.now[core.USED] = 0
    s.now[core.GENERATION] += 1
    if not COMPILED:
        s.visited.clear()


@compiled
def _play_out(d: core.Deal, s: core.Search, t: Tree, nodes: int, deep: int, seed: int) -> int:
    """Return 1 when the game in the first frame is won by someone who learns what is hidden after ``deep`` cards."""
    state = seed
    for _ in range(deep):
        size = 0
        down = s.down[0]
        for column in range(7):
            for height in range(((down >> 4 * column) & 15) - 1):
                t.hidden_at[size] = 16 * column + height
                t.truth[size] = t.guess[size] = d.columns[16 * column + height]
                size += 1
        if size < 2:
            break
        found = 0
        for _ in range(2):
            for i in range(size - 1, 0, -1):
                state = state * _LEHMER % _PRIME
                j = (state >> 4) % (i + 1)
                t.guess[i], t.guess[j] = t.guess[j], t.guess[i]
            for i in range(size):
                at = t.hidden_at[i]
                d.columns[at] = t.guess[i]
                d.column_of[t.guess[i]] = at >> 4
            _restart(s)
            found = core.search(d, s, nodes, 1 << 40)
            t.now[SEARCHED] += s.now[core.NODES]
            if found == core.WON:
                break
        for i in range(size):
            at = t.hidden_at[i]
            d.columns[at] = t.truth[i]
            d.column_of[t.truth[i]] = at >> 4
        if found != core.WON:
            _restart(s)
            break
        i = 0
        while i < s.now[core.DEPTH]:
            before = s.bases[i]
            core._play(d, s, i, s.moves[s.cursor[i] - 1] & 1023)
            i += 1
            if s.bases[i] & ~before:
                break
        _copy(s, i, 0)
        _restart(s)
    won = 1 if core.search(d, s, nodes, 1 << 40) == core.WON else 0
    t.now[SEARCHED] += s.now[core.NODES]
    return won


@compiled
def grow(
    p: core.Position, d: core.Deal, s: core.Search, unseen: Unseen, t: Tree, seed: int, tries: int, nodes: int, c: float, deep: int
) -> None:
    """Try that many arrangements."""
    t.now[NODES] = t.now[EDGES] = t.now[SEARCHED] = 0
    root = _new_node(t, -1, 0)
    total = 0
    for world in range(tries):
        _sort(unseen.cards, unseen.count[0])
        _arrange(p, unseen, (seed + 7_919 * world) % (_PRIME - 1) + 1)
        core.start(p, d, s)
        t.drawn[0] = p.rules[4]
        for j in range(unseen.count[0]):
            if unseen.places[j] >= _IN_STOCK:
                t.drawn[0] = p.rules[3]
        node, i, steps, won = root, 0, 0, -1
        while won < 0:
            if t.size[node] == -2:
                _open(p, d, s, t, i, node)
            if t.size[node] == -1:
                won = 1
                break
            if t.size[node] == 0:
                won = 0
                break
            e = _best_edge(t, node, c)
            t.visits[node] += 1
            t.path[steps] = e
            steps += 1
            fresh = t.tries[e] == 0
            move = t.edge[e]
            seen = _forward(p, d, s, t, i, move)
            i += 1
            child = _child(t, node, e, seen)
            if child < 0:
                child = _new_node(t, node, e << 20 | seen)
                fresh = True
            node = child
            if fresh and t.size[root] >= 1 and not (steps == 1 and t.size[root] == 1) and move >> 6 < core.AT_ONCE:
                _copy(s, i, 0)
                s.now[core.DEPTH] = -1
                s.now[core.NODES] = s.now[core.USED] = 0
                s.now[core.GENERATION] += 1
                if not COMPILED:
                    s.visited.clear()
                won = _play_out(d, s, t, nodes, deep, (seed + 6_421 * world) % (_PRIME - 1) + 1)
        for step in range(steps):
            t.tries[t.path[step]] += 1
            t.wins[t.path[step]] += won
        total += won
        if world + 1 == 64 and (total == 0 or total == 64):
            break
