"""The search behind :mod:`solve.klondike_hints`: a tree of what the player may see and do next.

**Arrangements.** The unseen cards can lie in any order on the places where nobody looked. All orders are equally
likely: the deck was shuffled, and no card that is seen tells them apart. Each try takes one of them at
random and goes down the tree in it, from what the player sees now.

**Tree.** A node is what the player sees, so in two arrangements that have not yet shown a different card it
is the same one, and the same moves are tried there. An edge is a move of
:mod:`solve._klondike_search`, or :data:`DRAW`. Which edge to take is a bandit problem, and UCB1 decides: a move that
won often, or was tried seldom. When a try leaves the tree, a node is added, and the search with all cards known
says whether the game can be won from there, within a few nodes. "No" and "don't know" both count as lost.

This is information-set Monte-Carlo tree search with hindsight for playouts. Hindsight alone, that is, counting for
each move in how many arrangements it can still win, believes that a player will guess right wherever there is
something to guess. In the tree he doesn't.

Sources: Bjarnason, Fern and Tadepalli, Lower Bounding Klondike Solitaire with Monte-Carlo Planning, ICAPS 2009
(hindsight, and UCT over sampled deals); Cowling, Powley and Whitehouse, Information Set Monte Carlo Tree Search, IEEE
Transactions on Computational Intelligence and AI in Games 4 (2), 2012; Auer, Cesa-Bianchi and Fischer,
Finite-time Analysis of the Multiarmed Bandit Problem, Machine Learning 47, 2002 (UCB1).
"""

from __future__ import annotations

from math import log, sqrt
from typing import NamedTuple

from solve import _klondike_search as core
from solve._compiled import Array, compiled, inlined, zeros
from solve._klondike_search import _card as lowest_card
from solve._klondike_search import _expand as expand
from solve._klondike_search import _forget as forget
from solve._klondike_search import _parting as parting
from solve._klondike_search import _play as play
from solve._klondike_search import _top as highest_place

DRAW = 7 << 6  # a move of the hints alone: turn the next cards of the stock, to see them
IN_STOCK = 7 * 20  # added to a place of the stock, beside the places of `core.Position.columns`
FRAMES = 256
_NODES, _EDGES = 2**13, 2**16
_EXPLORE = 0.4
_LEHMER, _PRIME = 48_271, 2**31 - 1
_EVERYTHING = 1 << 40

# What `_open` finds besides a number of moves.
UNOPENED, IS_WON = -2, -1

# Places in `Tree.now`.
NODES, EDGES, SEARCHED = range(3)


class Unseen(NamedTuple):
    """The cards nobody has seen, in rising order, and the places where they lie."""

    cards: Array
    places: Array
    order: Array
    """The cards in the order of the present try."""
    now: Array
    """How many there are; how many places of stock and waste have been looked at."""


class Tree(NamedTuple):
    """Nodes and edges by number. Children of a node are a list: its first one, then each one's sibling."""

    now: Array
    child: Array
    sibling: Array
    label: Array
    """By node: the edge that leads to it, and what was seen on the way."""
    first: Array
    """By node: its first edge. The others follow."""
    size: Array
    move: Array
    """By edge."""
    tries: Array
    wins: Array
    drawn: Array
    """By frame: how many places of stock and waste have been looked at."""
    path: Array
    """The edges of the present try."""


def new_unseen() -> Unseen:
    """Return room for the unseen cards."""
    return Unseen(*[zeros(core.CARDS) for _ in range(3)], zeros(2))


def new_tree() -> Tree:
    """Return an empty tree."""
    sizes = [3, *[_NODES] * 5, *[_EDGES] * 3, FRAMES, FRAMES]
    return Tree._make(map(zeros, sizes))


@inlined
def _arrange(p: core.Position, unseen: Unseen, seed: int) -> None:
    """Put the unseen cards on their places, shuffled as Fisher and Yates do, by the generator of Lehmer."""
    count = unseen.now[0]
    for i in range(count):
        unseen.order[i] = unseen.cards[i]
    state = seed % (_PRIME - 1) + 1
    for i in range(count - 1, 0, -1):
        state = state * _LEHMER % _PRIME
        j = (state >> 4) % (i + 1)
        unseen.order[i], unseen.order[j] = unseen.order[j], unseen.order[i]
    for i in range(count):
        place = unseen.places[i]
        if place < IN_STOCK:
            p.columns[place] = unseen.order[i]
        else:
            p.stock[place - IN_STOCK] = unseen.order[i]


@compiled
def choices(p: core.Position, d: core.Deal, s: core.Search, i: int, drawn: int) -> int:
    """Write down, as the moves of frame ``i``, what may be done there knowing only what was seen.

    Of the stock that can be, as long as a part of it is unseen, the top of the waste, and the draw that
    shows more. What lies deeper in the waste comes up again only after a redeal, and then all is seen.

    :returns: how many moves, or IS_WON.
    """
    unknown = drawn < p.rules[4]
    key, redeals = s.key[i], s.redeals[i]
    top = -1
    if unknown:
        place = highest_place(key & ((1 << s.part[i]) - 1))
        top = d.stock[place] if place >= 0 else -1
        s.key[i] &= ~(core.STOCK_MASK ^ ((1 << drawn) - 1))
        if p.rules[0] != 1 and redeals:
            s.redeals[i] = 1  # so that no card seems safe to take that will come up differently later
    s.context[i] = core.ANY
    s.now[core.GENERATION] = forget(s.visited, s.now[core.GENERATION])
    status = expand(d, s, i)
    s.key[i], s.redeals[i] = key, redeals
    if not unknown:
        return IS_WON if status == core.WON else s.end[i] - s.cursor[i]
    end = s.cursor[i]
    at_once = 0
    for at in range(s.cursor[i], s.end[i]):
        move = s.moves[at]
        kind = (move >> 6) & (core.AT_ONCE - 1)
        if move & 63 == top or kind not in (core.STOCK_HOME, core.STOCK_DOWN):
            at_once |= (move >> 6) & core.AT_ONCE
            s.moves[end] = move
            end += 1
    if not at_once:
        s.moves[end] = DRAW
        end += 1
    s.end[i] = end
    return end - s.cursor[i]


@inlined
def _copy(s: core.Search, a: int, b: int) -> None:
    """Put the position of one frame into another."""
    s.key[b], s.home[b], s.next[b], s.down[b], s.seen[b] = s.key[a], s.home[a], s.next[a], s.down[a], s.seen[a]
    s.bases[b], s.lone[b], s.part[b], s.redeals[b] = s.bases[a], s.lone[a], s.part[a], s.redeals[a]
    s.context[b] = core.ANY


@inlined
def _forward(p: core.Position, d: core.Deal, s: core.Search, t: Tree, i: int, move: int) -> int:
    """Put into the frame after ``i`` what a move makes of it, and return what is seen then, 0 for nothing."""
    j = i + 1
    t.drawn[j] = t.drawn[i]
    if move != DRAW:
        play(d, s, i, move)
        s.context[j] = core.ANY
        bared = s.bases[j] & ~s.bases[i]
        return lowest_card(bared) + 1 if bared else 0
    draw = p.rules[0]
    _copy(s, i, j)
    t.drawn[j] = min(t.drawn[i] + draw, p.rules[4])
    s.part[j] = parting(s.key[i] & core.STOCK_MASK, t.drawn[j], draw, s.redeals[i])
    s.key[j] += (s.part[j] - s.part[i]) * core.PART_WEIGHT
    seen = 0
    for place in range(t.drawn[i], t.drawn[j]):
        seen = seen << 6 | (d.stock[place] + 1)
    return seen


@inlined
def _is_winnable(d: core.Deal, s: core.Search, i: int, nodes: int) -> int:
    """1 when a search with all cards known finds a win from frame ``i``."""
    _copy(s, i, 0)
    s.now[core.DEPTH] = -1
    s.now[core.NODES] = s.now[core.USED] = 0
    s.now[core.GENERATION] = forget(s.visited, s.now[core.GENERATION])
    return 1 if core.search(d, s, nodes, _EVERYTHING) == core.WON else 0


@inlined
def _new_node(t: Tree, parent: int, label: int) -> int:
    node: int = t.now[NODES]
    t.now[NODES] += 1
    t.child[node], t.size[node], t.label[node] = -1, UNOPENED, label
    if parent >= 0:
        t.sibling[node] = t.child[parent]
        t.child[parent] = node
    return node


@inlined
def _find(t: Tree, node: int, label: int) -> int:
    """Return the child of a node with that label, or -1."""
    child: int = t.child[node]
    while child >= 0 and t.label[child] != label:
        child = t.sibling[child]
    return child


@inlined
def _open(p: core.Position, d: core.Deal, s: core.Search, t: Tree, node: int, i: int) -> None:
    """Give a node its edges."""
    t.size[node] = choices(p, d, s, i, t.drawn[i])
    t.first[node] = t.now[EDGES]
    for k in range(t.size[node]):
        edge = t.now[EDGES]
        t.move[edge], t.tries[edge], t.wins[edge] = s.moves[s.cursor[i] + k], 0, 0
        t.now[EDGES] += 1


@inlined
def _choose(t: Tree, node: int) -> int:
    """Return the edge to try next."""
    first, end = t.first[node], t.first[node] + t.size[node]
    total = 0
    for edge in range(first, end):
        total += t.tries[edge]
        if not t.tries[edge]:
            return edge
    best, most, share = first, -1.0, log(total + 1.0)
    for edge in range(first, end):
        hope = t.wins[edge] / t.tries[edge] + _EXPLORE * sqrt(share / t.tries[edge])
        if hope > most:
            best, most = edge, hope
    return best


@inlined
def _try(p: core.Position, d: core.Deal, s: core.Search, t: Tree, nodes: int) -> None:
    """Go down the tree in the arrangement in ``p``, and note on the way back whether that can be won.

    A safe move is no choice, so the try goes on behind it.
    """
    core.start(p, d, s)
    node, i, won = 0, 0, -1
    while won < 0:
        if t.size[node] == UNOPENED:
            _open(p, d, s, t, node, i)
        if t.size[node] <= 0:
            won = 1 if t.size[node] == IS_WON else 0
            break
        edge = _choose(t, node)
        t.path[i] = edge
        move = t.move[edge]
        label = edge << 18 | _forward(p, d, s, t, i, move)
        i += 1
        child = _find(t, node, label)
        fresh = child < 0
        node = _new_node(t, node, label) if fresh else child
        if (fresh and not (move >> 6) & core.AT_ONCE) or move == DRAW and fresh:
            won = _is_winnable(d, s, i, nodes)
            t.now[SEARCHED] += s.now[core.NODES]
    for k in range(i):
        t.tries[t.path[k]] += 1
        t.wins[t.path[k]] += won


@compiled
def grow(
    p: core.Position, d: core.Deal, s: core.Search, unseen: Unseen, t: Tree, seed: int, tries: int, nodes: int
) -> None:
    """Grow a tree by so many tries, from the position in ``p``; fewer when there is no room left.

    ``nodes`` limits each search with all cards known.
    """
    t.now[NODES] = t.now[EDGES] = t.now[SEARCHED] = 0
    _new_node(t, -1, 0)
    t.drawn[0] = unseen.now[1]
    for number in range(tries):
        if t.now[NODES] + FRAMES > _NODES or t.now[EDGES] + FRAMES * core.MOST_MOVES > _EDGES:
            return
        _arrange(p, unseen, seed + 7_919 * number)
        _try(p, d, s, t, nodes)
