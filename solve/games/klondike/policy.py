"""The sampling behind :mod:`.hints`: in how many arrangements of the unseen cards a move can win.

**Arrangements.** The unseen cards can be in any order on the places that were not looked at. All orders are
equally likely, since the deck was shuffled and no card that was seen tells them apart. So a number of them
are drawn at random. In each, every move that is compared is made, and the search with all cards known says,
within a few nodes, whether the game can be won from there. "No" and "don't know" both count as lost. All
moves are tried in the same arrangements, so that only the moves differ.

**Hindsight**, as this is called, is too optimistic. It assumes that a player will guess right wherever there
is something to guess, and so favours moves that leave the guess for later. Two things compensate. A win
counts less the more positions the search visited in vain: a line that is found without turning back is one
that a player finds too, since the order in which the search tries moves does not depend on hidden cards.
After :data:`HALF` of them it counts half. And a move that turns up a card leaves less to guess, so
:mod:`.hints` gives it a bonus. How much either helps is not established: of the numbers 1 … 500, drawing
three, 197 are won like this and 194 without the first.

Source: Bjarnason, Fern and Tadepalli, Lower Bounding Klondike Solitaire with Monte-Carlo Planning, ICAPS
2009. What hindsight gets wrong: Frank and Basin, Search in Games with Incomplete Information, Artificial
Intelligence 100, 1998.
"""

from __future__ import annotations

from typing import NamedTuple

from solve.compiled import Array, compiled, inlined, zeros
from solve.games.klondike import search as core
from solve.games.klondike.search import expand, forget, parting, play

DRAW = 7 << 6  # a move of the hints only: turn the next cards of the stock, to see them
IN_STOCK = 7 * 20  # added to a place of the stock; lower numbers are places of `core.Position.columns`
POINTS = 1_000  # for a win without turning back
HALF = 16
_LEHMER, _PRIME = 48_271, 2**31 - 1
_EVERYTHING = 1 << 40
_ROOT = 400  # the frame that keeps the position; short searches never get there

COUNT, DRAWN, STATE = range(3)  # places in `Unseen.now`


class Unseen(NamedTuple):
    """The unseen cards, in rising order, and the places where they are."""

    cards: Array
    places: Array
    order: Array
    """The cards in the order of the current arrangement."""
    now: Array
    """How many there are; how many places of stock and waste were seen; the state of the generator."""


class Tally(NamedTuple):
    """The moves that are compared."""

    moves: Array
    points: Array
    now: Array
    """How many moves; nodes searched."""


def new_unseen() -> Unseen:
    """Return room for the unseen cards."""
    return Unseen._make(map(zeros, (core.CARDS, core.CARDS, core.CARDS, 3)))


def new_tally() -> Tally:
    """Return room for all moves of a position."""
    return Tally(zeros(core.MOST_MOVES), zeros(core.MOST_MOVES), zeros(2))


@inlined
def _arrange(p: core.Position, unseen: Unseen) -> None:
    """Put the unseen cards on their places in random order (Fisher-Yates, with Lehmer's generator)."""
    count, state = unseen.now[COUNT], unseen.now[STATE]
    for i in range(count):
        unseen.order[i] = unseen.cards[i]
    for i in range(count - 1, 0, -1):
        state = state * _LEHMER % _PRIME
        j = (state >> 4) % (i + 1)
        unseen.order[i], unseen.order[j] = unseen.order[j], unseen.order[i]
    unseen.now[STATE] = state
    for i in range(count):
        place = unseen.places[i]
        if place < IN_STOCK:
            p.columns[place] = unseen.order[i]
        else:
            p.stock[place - IN_STOCK] = unseen.order[i]


def seed(unseen: Unseen, number: int) -> None:
    """Set the seed that decides which arrangements come next."""
    unseen.now[STATE] = number % (_PRIME - 1) + 1


@compiled
def choices(p: core.Position, d: core.Deal, s: core.Search, drawn: int) -> int:
    """List in the first frame the moves that are possible there, knowing only what was seen.

    While part of the stock is unseen, the only moves from the stock are the top of the waste and the draw
    that shows more. What lies deeper in the waste comes up again after a redeal, and by then all has been
    seen.

    :returns: how many.
    """
    unknown = drawn < p.rules[4]
    key, redeals = s.key[0], s.redeals[0]
    if unknown:
        s.key[0] &= ~(core.STOCK_MASK ^ ((1 << drawn) - 1))
        if p.rules[0] != 1 and redeals:
            s.redeals[0] = 1  # if unlimited, the top of the waste would be taken for the last card of all
    s.now[core.GENERATION] = forget(s.visited, s.now[core.GENERATION])
    expand(d, s, 0)
    s.key[0], s.redeals[0] = key, redeals
    if unknown:
        s.end[0] = _only_seen(p, s, drawn)
    size: int = s.end[0] - s.cursor[0]
    return size


@inlined
def _only_seen(p: core.Position, s: core.Search, drawn: int) -> int:
    """Remove the moves of cards deeper in the waste, and add the draw; return where the moves end."""
    top = p.stock[drawn - 1] if drawn else -1
    end: int = s.cursor[0]
    at_once = 0
    for at in range(s.cursor[0], s.end[0]):
        move = s.moves[at]
        kind = (move >> 6) & (core.AT_ONCE - 1)
        if move & 63 == top or kind not in (core.STOCK_HOME, core.STOCK_DOWN):
            at_once |= (move >> 6) & core.AT_ONCE
            s.moves[end] = move
            end += 1
    if not at_once:
        s.moves[end] = DRAW
        end += 1
    return end


@inlined
def _copy(s: core.Search, a: int, b: int) -> None:
    """Copy the position of one frame into another."""
    s.key[b], s.home[b], s.next[b] = s.key[a], s.home[a], s.next[a]
    s.down[b], s.seen[b], s.bases[b], s.lone[b] = s.down[a], s.seen[a], s.bases[a], s.lone[a]
    s.part[b], s.redeals[b], s.context[b] = s.part[a], s.redeals[a], core.ANY


@inlined
def _make(p: core.Position, d: core.Deal, s: core.Search, drawn: int, move: int) -> None:
    """Put into the first frame the position that a move leads to from the one that is kept."""
    if move != DRAW:
        play(d, s, _ROOT, move)
        _copy(s, _ROOT + 1, 0)
        return
    draw = p.rules[0]
    _copy(s, _ROOT, 0)
    part = parting(s.key[0] & core.STOCK_MASK, min(drawn + draw, p.rules[4]), draw, s.redeals[0])
    s.key[0] += (part - s.part[0]) * core.PART_WEIGHT
    s.part[0] = part


@inlined
def _in_vain(s: core.Search) -> int:
    """Return how many positions a search visited that are not on the line it found."""
    visited: int = s.now[core.NODES]
    for i in range(s.now[core.DEPTH]):
        if not (s.moves[s.cursor[i] - 1] >> 6) & core.AT_ONCE:
            visited -= 1
    return max(visited, 0)


@compiled
def count(
    p: core.Position,
    d: core.Deal,
    s: core.Search,
    unseen: Unseen,
    t: Tally,
    tries: int,
    nodes: int,
) -> None:
    """Add to each move's points those it gets in the next ``tries`` arrangements.

    ``nodes`` limits each search with all cards known.
    """
    for _ in range(tries):
        _arrange(p, unseen)
        core.start(p, d, s)
        _copy(s, 0, _ROOT)
        for k in range(t.now[0]):
            _make(p, d, s, unseen.now[DRAWN], t.moves[k])
            s.now[core.DEPTH] = -1
            s.now[core.NODES] = s.now[core.USED] = 0
            s.now[core.GENERATION] = forget(s.visited, s.now[core.GENERATION])
            if core.search(d, s, nodes, _EVERYTHING) == core.WON:
                t.points[k] += POINTS * HALF // (HALF + _in_vain(s))
            t.now[1] += s.now[core.NODES]
