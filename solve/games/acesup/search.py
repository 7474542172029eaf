"""The search behind :mod:`.solver`: depth first over deals, with a memory that ignores cards it did not see.

**Position.** A pile is what is left of the cards dealt to it, in the order of the deals, on at most one
*base*: a card that was moved there when the pile was empty. So a position is three numbers:

- ``dealt``: bit 15 c + l for each card that is still in the pile c to which deal l brought it;
- ``bases``: six bits for the base of each pile and for the cell, :data:`NONE` for none;
- ``free``: the cards with a *licence*, by the bit of the place they were dealt to.

**Licences** postpone the decision when to discard. A card gets a licence when it is on top and an unlicensed
top card beats it. From then on it may be discarded whenever it is on top. It loses the licence when it is
used to beat another card. The game with licences has the same best score as the real game. A line of real
moves is a line with licences in which each licence is used at once. Conversely, a line with licences yields
a real one: discard every card when it gets a licence that it does not lose later, and omit its moves after
that. The other moves stay legal, since the real piles are the same without some cards, none of which beats
anything: tops stay tops, and empty piles stay empty. (Being discarded as half of a pair counts as losing a
licence.)

Four consequences prune the search:

- a licence is always taken: it is an option, and costs nothing;
- a licensed card is discarded only to do something with the card it covered, since it can wait until after
  the deal just as well;
- it is discarded at once (a *safe* discard) when no card that it could ever beat is left without a licence,
  on the table or in the stock (and, with pairs, no card of its rank);
- after the last deal it is also discarded at once when an unlicensed top card beats it: nothing will ever
  cover that card, which can do all that the licensed card could. (Not with a cell, where the card may go, and
  not with pairs.)

**Memory.** What can be gained from a position depends only on the cards that come to light. So each search
notes how deep it looked into each pile, and its result holds for all positions that look the same down to
there and may differ below: positions that differ only in cards that are never reached again are searched
once. Results are kept in a decision tree: a node says which pile to look into next, an edge is the card
found there, and a node's bound holds for every position that leads to it. This memoises a function that reads
its argument lazily. The safe discards look at the whole position, and still the result holds: where a lower
card lies in the part that was not looked at, a line that needs it would first have to bring it to light, by
moves that the search tried too.

**Bounds.** Only positions whose remembered bound exceeds the best score so far are searched. When a search
below some deal has looked only at the cards dealt from there on, its gain bounds what any line can gain from
that deal on; together with the most that can be discarded before (all but one card of each suit), this
bounds the score of the whole game. The search ends when its best score reaches such a bound. (Not with a
cell: a card in it is always looked at.)
"""

from __future__ import annotations

from typing import NamedTuple

from solve.compiled import (
    Array,
    Map,
    compiled,
    extended,
    inlined,
    map_get,
    map_put,
    new_map,
    with_larger_map,
    zeros,
)

LEVELS = 15
NONE = 63
CELL = 4
CELL_SLOT = 62  # of a card that is in the cell from the start
COLUMN = (1 << LEVELS) - 1
_BUCKETS = 10_007
UNKNOWN = 127
MOST_READ = 64  # the most nodes that are made for one position

# Moves, as kind << 6 | from << 3 | to.
DEAL = 0
TAKE, BEAT, MOVE, PAIR = 1, 2, 3, 4

# Why `search` stopped.
RUNNING, DONE, FULL = 0, 1, 2

# Places in `Search.now`.
LEVEL, BEST, GOAL, NODES, PATH, TREE, OVERFLOW = range(7)


class Rules(NamedTuple):
    """What is constant during a search. Masks have a bit for each slot, 15 pile + deal."""

    higher: Array
    """By slot: the cards that beat the one there."""
    lower: Array
    mates: Array
    """By slot: the cards that make a pair with it."""
    fills: Array
    """By slot: 1 when the card may go to an empty pile."""
    stock: Array
    """By number of deals: the cards not yet dealt."""
    highest: Array
    """By 15-bit mask: its highest bit, -1 for none."""
    before: Array
    """By number of deals: a bound on the score when that many have been made, before the next one."""
    deals: int
    first: int
    """The number of deals at the start: the levels of the highest pile."""
    cell: int
    pairs: int
    forced: int


class Search(NamedTuple):
    """What changes during a search. ``now`` holds single numbers, the other arrays one for each entry.

    A level is a number of deals. The positions between two deals are in one pool, those of a level from
    ``begin`` to ``end``; ``origin`` is the position from which a move led to this one.
    """

    now: Array
    dealt: Array
    bases: Array
    free: Array
    score: Array
    idle: Array
    """1 when the last moves only discarded, and nothing was done with the cards they uncovered."""
    origin: Array
    move: Array
    link: Array
    """The next position in the same bucket."""
    bucket: Array
    """By hash: the position last put there. It may be of an earlier phase, so all positions are compared."""
    begin: Array
    end: Array
    cursor: Array
    wanted: Array
    """By level: the score of the candidates that are tried now; they are tried from the highest down."""
    bound: Array
    depth: Array
    """By 4 level + pile: the lowest deal looked at, -1 for the bottom of the pile."""
    path: Array
    """The moves to the best position so far."""
    look: Array
    """By node of the tree: the pile to look into next, -1 while there is none."""
    gain: Array
    """By node of the tree: the most that can be discarded from here on."""
    edges: Map


def new_search(pool: int, tree: int) -> Search:
    """Return an empty search with room for ``pool`` positions and ``tree`` nodes, both powers of two."""
    levels = LEVELS + 2
    sizes = [8, *[pool] * 8, _BUCKETS, *[levels] * 5, 4 * levels, 4_096, tree, tree]
    return Search._make([*map(zeros, sizes), new_map(2 * tree)])


HIGHEST = [-1] + [mask.bit_length() - 1 for mask in range(1, 1 << LEVELS)]


@inlined
def top(rules: Rules, dealt: int, bases: int, pile: int) -> int:
    """Return the slot of the top card of a pile, or of the card in the cell; NONE when there is none."""
    if pile < CELL:
        mask = (dealt >> LEVELS * pile) & COLUMN
        if mask:
            slot: int = LEVELS * pile + rules.highest[mask]
            return slot
    return (bases >> 6 * pile) & NONE


@inlined
def taken(rules: Rules, dealt: int, bases: int, pile: int) -> tuple[int, int]:
    """Return ``dealt`` and ``bases`` without the top card of a pile."""
    if pile < CELL:
        mask = (dealt >> LEVELS * pile) & COLUMN
        if mask:
            return dealt & ~(1 << (LEVELS * pile + rules.highest[mask])), bases
    return dealt, bases | NONE << 6 * pile


@inlined
def present(dealt: int, bases: int) -> int:
    """Return the mask of all cards in the piles and the cell."""
    for pile in range(5):
        card = (bases >> 6 * pile) & NONE
        if card != NONE:
            dealt |= 1 << card
    return dealt


@inlined
def play(rules: Rules, dealt: int, bases: int, free: int, score: int, move: int) -> tuple[int, int, int, int]:
    """Return the position after a move other than the deal, before :func:`settle`."""
    kind, a, b = move >> 6, (move >> 3) & 7, move & 7
    card = top(rules, dealt, bases, a)
    bit = 1 << card
    if kind == BEAT:
        tops = 0
        for pile in range(4):
            other = top(rules, dealt, bases, pile)
            if other != NONE:
                tops |= 1 << other
        beaten = tops & rules.lower[card] & ~free
        free &= ~bit
        score -= 1
        for pile in range(4):
            other = top(rules, dealt, bases, pile)
            if other != NONE and (beaten >> other) & 1:
                score += 1
        return dealt, bases, free | beaten, score
    dealt, bases = taken(rules, dealt, bases, a)
    if kind == MOVE:
        if b < CELL and card // LEVELS == b:
            return dealt | bit, bases, free, score  # back to where it was dealt to
        return dealt, bases & ~(NONE << 6 * b) | card << 6 * b, free, score
    if kind == PAIR:
        other = top(rules, dealt, bases, b)
        dealt, bases = taken(rules, dealt, bases, b)
        score += 2 - ((free >> card) & 1) - ((free >> other) & 1)
        free &= ~(1 << other)
    return dealt, bases, free & ~bit, score


@inlined
def settle(
    rules: Rules, dealt: int, bases: int, free: int, score: int, level: int, depth: Array
) -> tuple[int, int, int, int, int]:
    """Give licences and make safe discards as long as there are any; the last result is 1 if one was given.

    ``depth`` is lowered to what was looked at.
    """
    licensed = 0
    while True:
        tops = 0
        for pile in range(4):
            card = top(rules, dealt, bases, pile)
            if card != NONE:
                tops |= 1 << card
            mask = (dealt >> LEVELS * pile) & COLUMN
            depth[4 * level + pile] = min(depth[4 * level + pile], rules.highest[mask])
        bare = tops & ~free
        for pile in range(4):
            card = top(rules, dealt, bases, pile)
            if card != NONE and not (free >> card) & 1 and rules.higher[card] & bare:
                free |= 1 << card
                score += 1
                licensed = 1
        if not rules.cell and not tops & free:
            return dealt, bases, free, score, licensed
        here = present(dealt, bases) | rules.stock[level]
        last = level == rules.deals and not rules.pairs and not rules.cell
        discarded = 0
        for pile in range(5):
            card = top(rules, dealt, bases, pile)
            if card == NONE or not (free >> card) & 1:
                continue
            if (
                rules.forced
                or (last and rules.higher[card] & bare)
                or not (rules.lower[card] & here & ~free or rules.mates[card] & here)
            ):
                dealt, bases = taken(rules, dealt, bases, pile)
                free &= ~(1 << card)
                discarded = 1
        if not discarded:
            return dealt, bases, free, score, licensed


@inlined
def _add(
    rules: Rules, s: Search, dealt: int, bases: int, free: int, score: int, idle: int, origin: int, move: int
) -> None:
    """Settle a position and put it into the pool at the current level, unless it is there."""
    level = s.now[LEVEL]
    dealt, bases, free, score, licensed = settle(rules, dealt, bases, free, score, level, s.depth)
    if licensed:
        idle = 0
    at = (dealt ^ free * 3 ^ bases * 40_503) % _BUCKETS
    first = s.bucket[at]
    if first < s.begin[level] or first >= s.end[level]:
        first = -1
    i = first
    while i >= 0:
        if s.dealt[i] == dealt and s.free[i] == free and s.bases[i] == bases:
            return
        i = s.link[i]
    i = s.end[level]
    if i >= len(s.dealt):
        s.now[OVERFLOW] = 1
        return
    s.dealt[i], s.bases[i], s.free[i], s.score[i] = dealt, bases, free, score
    s.idle[i], s.origin[i], s.move[i], s.link[i] = idle, origin, move, first
    s.bucket[at] = i
    s.end[level] = i + 1


@compiled
def _expand(rules: Rules, s: Search, i: int) -> None:
    """Put into the pool the positions that one move leads to from the one at ``i``."""
    dealt, bases, free = s.dealt[i], s.bases[i], s.free[i]
    piles = 5 if rules.cell else 4
    unlicensed = 0
    for pile in range(4):
        card = top(rules, dealt, bases, pile)
        if card != NONE:
            unlicensed |= 1 << card
    unlicensed &= ~free
    for a in range(piles):
        card = top(rules, dealt, bases, a)
        if card == NONE:
            continue
        if (free >> card) & 1:
            _try(rules, s, i, TAKE << 6 | a << 3, 1)
            if a < CELL and rules.lower[card] & unlicensed:
                _try(rules, s, i, BEAT << 6 | a << 3, 0)
        if a < CELL and rules.pairs:
            for b in range(a + 1, 4):
                other = top(rules, dealt, bases, b)
                if other != NONE and (rules.mates[card] >> other) & 1:
                    _try(rules, s, i, PAIR << 6 | a << 3 | b, 0)
        if rules.fills[card] or rules.cell:
            _move(rules, s, i, a)


@compiled
def _move(rules: Rules, s: Search, i: int, a: int) -> None:
    """Try the moves of the top card of ``a`` to empty piles and into the cell.

    A card that leaves others behind is tried on one empty pile only: from there it can go on to the others.
    """
    dealt, bases = s.dealt[i], s.bases[i]
    card = top(rules, dealt, bases, a)
    mask = (dealt >> LEVELS * a) & COLUMN
    lone = a == CELL or mask == 0 or (mask & (mask - 1) == 0 and (bases >> 6 * a) & NONE == NONE)
    if rules.cell and top(rules, dealt, bases, CELL) == NONE:
        _try(rules, s, i, MOVE << 6 | a << 3 | CELL, 0)
    level = s.now[LEVEL]
    for b in range(4):
        if rules.fills[card] and top(rules, dealt, bases, b) == NONE:
            if lone and a < CELL and level == rules.deals:
                # After the last deal it matters only that the card is alone, not in which pile.
                s.depth[4 * level + a] = -1
                return
            _try(rules, s, i, MOVE << 6 | a << 3 | b, 0)
            if not lone:
                return


@inlined
def _try(rules: Rules, s: Search, i: int, move: int, idle: int) -> None:
    """Put into the pool the position that ``move`` leads to from the one at ``i``."""
    dealt, bases, free, score = play(rules, s.dealt[i], s.bases[i], s.free[i], s.score[i], move)
    _add(rules, s, dealt, bases, free, score, idle, i, move)


@compiled
def _note_path(rules: Rules, s: Search, best: int) -> None:
    """Note the moves that lead to the position at ``best``."""
    length = 0
    for level in range(rules.first, s.now[LEVEL] + 1):
        i = best if level == s.now[LEVEL] else s.cursor[level] - 1
        steps = 0
        j = i
        while s.origin[j] >= 0:
            steps += 1
            j = s.origin[j]
        for step in range(steps):
            s.path[length + steps - 1 - step] = s.move[i]
            i = s.origin[i]
        length += steps
        if level < s.now[LEVEL]:
            s.path[length] = DEAL
            length += 1
    s.now[PATH] = length


@compiled
def _open(rules: Rules, s: Search, level: int, dealt: int, bases: int, free: int, score: int) -> None:
    """Find all positions that can be reached from this one before the next deal."""
    begin = 0 if level == rules.first else s.end[level - 1]
    s.now[LEVEL] = level
    s.begin[level] = s.end[level] = s.cursor[level] = begin
    for pile in range(4):
        s.depth[4 * level + pile] = level - 1
    _add(rules, s, dealt, bases, free, score, 0, -1, DEAL)
    most = 0
    i = begin
    while i < s.end[level]:
        most = max(most, s.score[i])
        if s.score[i] > s.now[BEST]:
            s.now[BEST] = s.score[i]
            _note_path(rules, s, i)
        _expand(rules, s, i)
        i += 1
    s.now[NODES] += i - begin
    s.bound[level] = most
    s.wanted[level] = most if level < rules.deals else -1


@compiled
def _next_candidate(s: Search, level: int) -> int:
    """Return the next position to deal from, or -1: the highest scores first, and no idle ones."""
    least = s.score[s.begin[level]]
    while s.wanted[level] >= least:
        while s.cursor[level] < s.end[level]:
            i: int = s.cursor[level]
            s.cursor[level] = i + 1
            if s.score[i] == s.wanted[level] and not s.idle[i]:
                return i
        s.cursor[level] = s.begin[level]
        s.wanted[level] -= 1
    return -1


@inlined
def _child(s: Search, node: int, value: int, grow: int) -> int:
    """Return the node at the end of an edge, a new one if there is none and ``grow`` is set, else -1."""
    key = node * 128 + value + 1
    child = map_get(s.edges, key)
    if child < 0 and grow:
        child = s.now[TREE]
        s.now[TREE] = child + 1
        map_put(s.edges, key, child)
        s.look[child] = -1
        s.gain[child] = UNKNOWN
    return child


@compiled
def _root(rules: Rules, s: Search, level: int, bases: int, free: int) -> int:
    """Return the node at which positions just after a deal start: by level, and by the card in the cell."""
    node = _child(s, 0, level, 1)
    if rules.cell:
        node = _child(s, node, _licensed(free, (bases >> 6 * CELL) & NONE), 1)
    return node


@inlined
def _licensed(free: int, card: int) -> int:
    """Return the card and its licence as one number, 0 … 127."""
    return card if card == NONE else card | ((free >> card) & 1) << 6


@compiled
def _recall(rules: Rules, s: Search, level: int, dealt: int, bases: int, free: int, enough: int) -> int:
    """Return a remembered bound on what can be gained, if one is at most ``enough``, else UNKNOWN.

    The cards just dealt are known from ``level``; ``depth`` is set to what was looked at below them.
    """
    for pile in range(4):
        s.depth[4 * level + pile] = level - 1
        dealt &= ~(1 << (LEVELS * pile + level - 1))
    node = _root(rules, s, level, bases, free)
    while s.gain[node] > enough:
        pile = s.look[node]
        if pile < 0:
            return UNKNOWN
        mask = (dealt >> LEVELS * pile) & COLUMN
        s.depth[4 * level + pile] = rules.highest[mask]
        card = top(rules, dealt, bases, pile)
        if mask:
            dealt &= ~(1 << card)
        node = _child(s, node, _licensed(free, card), 0)
        if node < 0:
            return UNKNOWN
    gain: int = s.gain[node]
    return gain


@compiled
def _remember(rules: Rules, s: Search, level: int, dealt: int, bases: int, free: int, gain: int) -> None:
    """Remember a bound for all positions that agree with this one down to ``depth``."""
    for pile in range(4):
        dealt &= ~(1 << (LEVELS * pile + level - 1))
    node = _root(rules, s, level, bases, free)
    bottoms = 0  # piles of which the bottom was looked at
    while True:
        wanted = -1
        for pile in range(4):
            lowest = rules.highest[(dealt >> LEVELS * pile) & COLUMN]
            if not (bottoms >> pile) & 1 and lowest >= s.depth[4 * level + pile]:
                wanted = pile
                break
        if wanted < 0:
            s.gain[node] = min(s.gain[node], gain)
            return
        if s.look[node] < 0:
            s.look[node] = wanted
        pile = s.look[
            node
        ]  # if it is not the one wanted, the bound is kept for fewer positions than it could be
        mask = (dealt >> LEVELS * pile) & COLUMN
        card = top(rules, dealt, bases, pile)
        if mask:
            dealt &= ~(1 << card)
        else:
            bottoms |= 1 << pile
        node = _child(s, node, _licensed(free, card), 1)


@compiled
def _close(rules: Rules, s: Search, level: int) -> None:
    """Remember what the search of a level found, and pass it on to the level before."""
    i = s.cursor[level - 1] - 1
    dealt = s.dealt[i] | rules.stock[level - 1] & ~rules.stock[level]
    gain = s.bound[level] - s.score[i]
    _remember(rules, s, level, dealt, s.bases[i], s.free[i], gain)
    lowest = level
    for pile in range(4):
        lowest = min(lowest, s.depth[4 * level + pile])
    if lowest == level - 1 and not rules.cell:
        s.now[GOAL] = min(s.now[GOAL], rules.before[level - 1] + gain)
    s.bound[level - 1] = max(s.bound[level - 1], s.bound[level])
    _look_as_deep(s, level - 1)
    s.now[LEVEL] = level - 1


@compiled
def _look_as_deep(s: Search, level: int) -> None:
    """Lower the depth of a level to that of the next."""
    for pile in range(4):
        s.depth[4 * level + pile] = min(s.depth[4 * level + pile], s.depth[4 * level + 4 + pile])


@compiled
def _forget(s: Search) -> None:
    """Empty the tree but for its first node."""
    s.now[TREE] = 1
    s.look[0] = -1
    s.gain[0] = UNKNOWN


@compiled
def start(rules: Rules, s: Search, dealt: int, bases: int, score: int) -> None:
    """Start again at this position; the best score and its path stay, the tree is emptied."""
    _forget(s)
    s.now[OVERFLOW] = 0
    _open(rules, s, rules.first, dealt, bases, 0, score)


@compiled
def search(rules: Rules, s: Search, nodes: int) -> int:
    """Continue the search until it is done, or ``nodes`` positions were looked at since it was made.

    :returns: DONE when the best score is proven, FULL when the tree or the pool needs more room, else
        RUNNING.
    """
    while s.now[BEST] < s.now[GOAL]:
        if s.now[NODES] >= nodes:
            return RUNNING
        if s.now[OVERFLOW] or s.now[TREE] + 2 * MOST_READ > len(s.look):
            return FULL
        level = s.now[LEVEL]
        i = _next_candidate(s, level)
        if i < 0:
            if level == rules.first:
                return DONE
            _close(rules, s, level)
            continue
        dealt = s.dealt[i] | rules.stock[level] & ~rules.stock[level + 1]
        enough = s.now[BEST] - s.score[i]
        gain = _recall(rules, s, level + 1, dealt, s.bases[i], s.free[i], enough)
        if gain == UNKNOWN:
            _open(rules, s, level + 1, dealt, s.bases[i], s.free[i], s.score[i])
        else:
            s.bound[level] = max(s.bound[level], s.score[i] + gain)
            _look_as_deep(s, level)
    return DONE


def with_more_room(s: Search, largest: int) -> Search:
    """Return the same search with a tree of twice the size, or with an empty one once it has ``largest``."""
    size = len(s.look)
    if size >= largest:
        s = s._replace(edges=new_map(2 * size))
        _forget(s)
        return s
    return s._replace(
        look=extended(s.look, size), gain=extended(s.gain, size), edges=with_larger_map(s.edges, 4 * size)
    )
