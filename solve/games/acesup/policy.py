"""The evaluation behind :mod:`.hints`: how likely a position just before a deal is to be won.

**Cards** are numbers 13 suit + height, with height 0 for the two and 12 for the ace. A table is 16 places for
each pile, bottom first, the number of cards in each, and the card in the cell or :data:`EMPTY`. The order of
the piles does not matter, since it is unknown which card of the stock comes to which. Of the stock only the
set is known, as 13 bits for each suit.

**The value** of a table comes from a small integer neural network: each feature of the table
(:func:`_add_features`) has a row of weights; the rows are summed, negative sums set to 0, and the sums
weighted once more. The value is the logarithm of the odds of a win in steps of 1 / :data:`ONE`. How it was
trained is described in :mod:`.hints`.

**Looking one deal ahead** is better than the value itself: :func:`look_ahead` deals sampled cards, finds the
best table that can be reached after each (:func:`_reach`), and sums the chances. After the last deal nothing
is estimated: a game is won or not.

Between two deals a pile is always the lower part of what it was, or a single card that was moved. So it is
written as a number below 128, 16 pile + height or :data:`SINGLE` + card, and a position as five of them.
"""

from __future__ import annotations

from typing import NamedTuple

from solve.compiled import Array, compiled, inlined, zeros

EMPTY = -1
ACE = 12
HIGHEST = 16  # places for the cards of a pile
SINGLE = 64
ONE = 4_096  # the unit of weights and of values
CHANCES = 1_024  # entries of `Model.chance` on either side of even odds
CHANCE_STEP = ONE // 64
MOST_REACHED = 256
"""The most positions looked at after a sampled deal; few deals have as many."""

# The first row of each group of features; the last is how many rows there are.
BY_HIGHER = 0
BY_PLACE = BY_HIGHER + 192
BY_ACE = BY_PLACE + 128
BY_HEIGHT = BY_ACE + 36
BY_EMPTY = BY_HEIGHT + 14
BY_COUNT = BY_EMPTY + 52
BY_TOPS = BY_COUNT + 40
BY_SUIT = BY_TOPS + 5
BY_ACES_UP = BY_SUIT + 224
BY_STUCK = BY_ACES_UP + 260
BY_DEALS = BY_STUCK + 104
BY_PAIR = BY_DEALS + 13
BY_RANK = BY_PAIR + 48
BY_RANKS = BY_RANK + 130
BY_TOP = BY_RANKS + 338
BY_SECOND = BY_TOP + 63
BY_CELL = BY_SECOND + 108
BY_SEEN = BY_CELL + 18
BY_HELD = BY_SEEN + 64
ROWS = BY_HELD + 65


class Model(NamedTuple):
    """Rules and weights. A row is ``width`` numbers: what it adds to the value, then to each sum."""

    aces: int
    cell: int
    pairs: int
    width: int
    rows: Array
    start: Array
    """Value and sums before any feature is added."""
    out: Array
    """The weight of each sum, with an unused one for the value."""
    chance: Array
    """The chance of a win by value, from -CHANCES to CHANCES steps, in units of 1 / 2^30."""


class Scratch(NamedTuple):
    """Memory that is reused for every position; its content means nothing between two calls."""

    sums: Array
    inside: Array
    """By 4 pile + suit: the heights in the pile."""
    below: Array
    high: Array
    """By suit: the highest top, -1 for none."""
    suits: Array
    """By suit: the heights on the table."""
    cards: Array
    used: Array
    """Cards of each pile, and the card in the cell."""
    top: Array
    """By number of a pile: its top card."""
    under: Array
    """By number of a pile: what is left when the top card goes."""
    pool: Array
    """Five numbers for each position that can be reached."""
    now: Array
    """The position being made, as five numbers, and how many are in the pool."""
    table: Array
    """The cards of a position from the pool."""
    heights: Array
    after: Array
    """The stock after a sampled deal."""


def new_scratch(width: int) -> Scratch:
    """Return memory for models of that width."""
    sizes = (width, 16, 4, 4, 4, 4 * HIGHEST, 5, 128, 128, 5 * MOST_REACHED, 6, 4 * HIGHEST, 5, 4)
    return Scratch._make(map(zeros, sizes))


@inlined
def _bits(mask: int) -> int:
    """Return how many of 13 bits are set."""
    mask = mask - ((mask >> 1) & 0x1555)
    mask = (mask & 0x3333) + ((mask >> 2) & 0x3333)
    mask = (mask + (mask >> 4)) & 0x0F0F
    return (mask + (mask >> 8)) & 0x1F


@inlined
def _add_row(m: Model, s: Scratch, row: int) -> None:
    """Add a row to the value and the sums."""
    at = row * m.width
    for i in range(m.width):
        s.sums[i] += m.rows[at + i]


@compiled
def value(m: Model, s: Scratch, cards: Array, used: Array, stock: Array, deals: int) -> int:
    """Return the value of a table with so many deals to come."""
    for i in range(m.width):
        s.sums[i] = m.start[i]
    _add_features(m, s, cards, used, stock, deals)
    result: int = s.sums[0] * ONE
    for i in range(1, m.width):
        if s.sums[i] > 0:
            result += m.out[i] * s.sums[i]
    return result // ONE


@inlined
def chance(m: Model, result: int) -> int:
    """Return the chance of a win that a value stands for, in units of 1 / 2^30."""
    found: int = m.chance[min(max(result // CHANCE_STEP + CHANCES, 0), 2 * CHANCES)]
    return found


@compiled
def _overview(s: Scratch, cards: Array, used: Array) -> None:
    """Fill in what the features need to know of each suit."""
    for suit in range(4):
        s.suits[suit] = 0
        s.high[suit] = -1
    for i in range(16):
        s.inside[i] = 0
    for pile in range(4):
        for i in range(used[pile]):
            card = cards[HIGHEST * pile + i]
            s.inside[4 * pile + card // 13] |= 1 << card % 13
            s.suits[card // 13] |= 1 << card % 13
            if i == used[pile] - 1:
                s.high[card // 13] = max(s.high[card // 13], card % 13)


@compiled
def _add_features(m: Model, s: Scratch, cards: Array, used: Array, stock: Array, deals: int) -> None:
    """Add the rows of all features of a table."""
    _overview(s, cards, used)
    empty = count = covering = stuck = held = tops = 0
    for pile in range(4):
        height = used[pile]
        count += height
        empty += height == 0
        _add_row(m, s, BY_HEIGHT + min(height, 13))
        for suit in range(4):
            s.below[suit] = 0
        for i in range(height):
            card = cards[HIGHEST * pile + i]
            suit, rank = card // 13, card % 13
            covering += rank == ACE and i > 0
            stuck += _add_card(m, s, pile, i, height - 1 - i, card, stock)
            held += i == height - 1 and s.high[suit] > rank
            if i > 0:
                _add_neighbours(m, s, card, cards[HIGHEST * pile + i - 1], i, height - 1 - i)
            if i == height - 2:
                _add_second(m, s, cards, used, pile, stock)
            s.below[suit] |= 1 << rank
    for suit in range(4):
        tops += s.high[suit] >= 0
        where = _where_ace(s, cards, used, suit)
        left = min(_bits(stock[suit] & 0xFFF), 7)
        _add_row(m, s, BY_SUIT + (min(_bits(s.suits[suit]), 6) * 4 + where) * 8 + left)
    _add_row(m, s, BY_EMPTY + min(empty, 3) * 13 + deals)
    _add_row(m, s, BY_COUNT + min(count, 39))
    _add_row(m, s, BY_TOPS + tops)
    _add_row(m, s, BY_ACES_UP + (covering * 4 + min(empty, 3)) * 13 + deals)
    _add_row(m, s, BY_STUCK + min(stuck, 7) * 13 + deals)
    _add_row(m, s, BY_DEALS + deals)
    _add_row(m, s, BY_HELD + min(held, 4) * 13 + deals)
    if m.cell:
        _add_cell(m, s, used[4], stock)


@inlined
def _add_card(m: Model, s: Scratch, pile: int, below: int, above: int, card: int, stock: Array) -> int:
    """Add the features of a card with so many below and above it; return 1 if it is stuck on others.

    A card is stuck when every card that could still beat it lies under it.
    """
    suit, rank = card // 13, card % 13
    lower = (1 << rank) - 1
    higher = 0x1FFF & ~lower & ~(1 << rank)
    coming = _bits(stock[suit] & higher)
    lower_coming = _bits(stock[suit] & lower)
    mine, under = s.inside[4 * pile + suit], s.below[suit]
    stuck = 0
    if rank == ACE:
        stuck = 1
        _add_row(m, s, BY_ACE + min(below, 5) * 6 + min(above, 5))
    else:
        elsewhere = min(_bits(s.suits[suit] & ~mine & higher), 2)
        over = int(mine & ~under & higher != 0)
        row = ((min(coming, 3) * 3 + elsewhere) * 2 + int(under & higher != 0)) * 2 + over
        _add_row(m, s, BY_HIGHER + row * 4 + min(above, 3))
        stuck = int(coming == 0 and elsewhere == 0 and over == 0)
    _add_row(m, s, BY_PLACE + ((min(below, 3) * 2 + stuck) * 4 + min(above, 3)) * 4 + min(lower_coming, 3))
    seen = int(s.high[suit] > rank)
    _add_row(m, s, BY_SEEN + ((seen * 4 + min(above, 3)) * 4 + min(coming, 3)) * 2 + int(below == 0))
    _add_row(m, s, BY_RANK + (rank * 5 + min(above, 4)) * 2 + int(below == 0))
    if above == 0:
        _add_row(m, s, BY_TOP + min(lower_coming, 8) * 7 + min(coming, 6))
    return int(stuck and below > 0 and rank != ACE)


@inlined
def _add_neighbours(m: Model, s: Scratch, card: int, lower: int, below: int, above: int) -> None:
    """Add the features of a card and the one right under it."""
    same = int(card // 13 == lower // 13)
    kind = 0 if not same else 1 if lower < card else 2
    _add_row(m, s, BY_RANKS + (same * 13 + card % 13) * 13 + lower % 13)
    _add_row(m, s, BY_PAIR + (kind * 4 + min(above, 3)) * 4 + min(below - 1, 3))


@inlined
def _add_second(m: Model, s: Scratch, cards: Array, used: Array, pile: int, stock: Array) -> None:
    """Add what the second card of a pile would beat, or be beaten by, if it were on top."""
    below = used[pile] - 2
    card, cover = cards[HIGHEST * pile + below], cards[HIGHEST * pile + below + 1]
    beaten = beats = 0
    for other in range(4):
        if other != pile and used[other] > 0:
            top = cards[HIGHEST * other + used[other] - 1]
            if top // 13 == card // 13:
                beaten += top > card
                beats += top < card
    coming = _bits(stock[cover // 13] >> cover % 13 + 1)
    _add_row(
        m, s, BY_SECOND + ((min(beaten, 2) * 3 + min(beats, 2)) * 3 + min(below, 2)) * 4 + min(coming, 3)
    )


@inlined
def _where_ace(s: Scratch, cards: Array, used: Array, suit: int) -> int:
    """Return 0 for an ace not in the piles, 1 if it is covered, 2 on top, 3 alone in its pile."""
    if not s.suits[suit] >> ACE & 1:
        return 0
    for pile in range(4):
        if used[pile] > 0 and cards[HIGHEST * pile + used[pile] - 1] == 13 * suit + ACE:
            return 3 if used[pile] == 1 else 2
    return 1


@inlined
def _add_cell(m: Model, s: Scratch, card: int, stock: Array) -> None:
    if card == EMPTY:
        _add_row(m, s, BY_CELL)
        return
    _add_row(m, s, BY_CELL + 1 + card % 13)
    _add_row(m, s, BY_CELL + 14 + min(_bits(stock[card // 13] >> card % 13 + 1), 3))


@compiled
def _number_piles(s: Scratch) -> None:
    """Number the piles of the scratch table and all that they can become; put their numbers into ``now``."""
    for card in range(52):
        s.top[SINGLE + card] = card
        s.under[SINGLE + card] = 0
    s.top[0] = EMPTY
    for pile in range(4):
        height = s.used[pile]
        bottom = SINGLE + s.cards[HIGHEST * pile]
        for i in range(2, height + 1):
            s.top[HIGHEST * pile + i] = s.cards[HIGHEST * pile + i - 1]
            s.under[HIGHEST * pile + i] = HIGHEST * pile + i - 1 if i > 2 else bottom
        s.now[pile] = 0 if height == 0 else bottom if height == 1 else HIGHEST * pile + height
    s.now[4] = 0 if s.used[4] == EMPTY else SINGLE + s.used[4]
    s.now[5] = 0


@inlined
def _is_beaten(s: Scratch, at: int, pile: int) -> bool:
    """True when a top card at that place of the pool is beaten by another."""
    card = s.top[s.pool[at + pile]]
    if card == EMPTY:
        return False
    for other in range(4):
        top = s.top[s.pool[at + other]]
        if top > card and top // 13 == card // 13:
            return True
    return False


@compiled
def _keep(s: Scratch) -> None:
    """Put the position in ``now`` into the pool, its piles in falling order, unless it is there."""
    count = s.now[5]
    if count == MOST_REACHED:
        return
    at = 5 * count
    for i in range(5):
        s.pool[at + i] = s.now[i]
    for i in range(1, 4):
        j = at + i
        while j > at and s.pool[j] > s.pool[j - 1]:
            swapped = s.pool[j]
            s.pool[j] = s.pool[j - 1]
            s.pool[j - 1] = swapped
            j -= 1
    for i in range(0, at, 5):
        same = 0
        for j in range(5):
            same += s.pool[i + j] == s.pool[at + j]
        if same == 5:
            return
    s.now[5] = count + 1


@inlined
def _take(s: Scratch, at: int) -> None:
    """Copy the position at that place of the pool into ``now``."""
    for i in range(5):
        s.now[i] = s.pool[at + i]


@compiled
def _discards(m: Model, s: Scratch, at: int) -> int:
    """Put the positions that discards lead to into the pool; return how many cards are beaten.

    Without pairs one discard is enough, since the other cards stay beaten.
    """
    beaten = 0
    for pile in range(4):
        if _is_beaten(s, at, pile):
            beaten += 1
            if beaten == 1 or m.pairs:
                _take(s, at)
                s.now[pile] = s.under[s.now[pile]]
                _keep(s)
    if m.pairs:
        for a in range(4):
            for b in range(a + 1, 4):
                card, other = s.top[s.pool[at + a]], s.top[s.pool[at + b]]
                if card != EMPTY and other != EMPTY and card % 13 == other % 13 != ACE:
                    _take(s, at)
                    s.now[a] = s.under[s.now[a]]
                    s.now[b] = s.under[s.now[b]]
                    _keep(s)
    return beaten


@compiled
def _fills(m: Model, s: Scratch, at: int) -> None:
    """Put the positions that moves to an empty pile, into the cell and out of it lead to into the pool.

    A lone card stays where it is, since the order of the piles does not matter.
    """
    empty = -1
    for pile in range(4):
        if s.pool[at + pile] == 0:
            empty = pile
    held = s.pool[at + 4]
    for pile in range(4):
        card = s.top[s.pool[at + pile]]
        if card == EMPTY:
            continue
        if empty >= 0 and s.under[s.pool[at + pile]] != 0 and (not m.aces or card % 13 == ACE):
            _take(s, at)
            s.now[pile] = s.under[s.now[pile]]
            s.now[empty] = SINGLE + card
            _keep(s)
        if m.cell and held == 0:
            _take(s, at)
            s.now[pile] = s.under[s.now[pile]]
            s.now[4] = SINGLE + card
            _keep(s)
    if held != 0 and empty >= 0 and (not m.aces or s.top[held] % 13 == ACE):
        _take(s, at)
        s.now[empty] = held
        s.now[4] = 0
        _keep(s)


@inlined
def _place(s: Scratch, at: int) -> int:
    """Write the position at that place of the pool as a table; return how many cards it has."""
    count = 0
    for pile in range(4):
        number = s.pool[at + pile]
        height = 1 if number >= SINGLE else number % HIGHEST
        s.heights[pile] = height
        count += height
        for i in range(height - 1, -1, -1):
            s.table[HIGHEST * pile + i] = s.top[number]
            number = s.under[number]
    s.heights[4] = s.top[s.pool[at + 4]]
    return count + int(s.heights[4] != EMPTY)


@compiled
def _reach(m: Model, s: Scratch, deals: int) -> int:
    """Return the chance of the best position that can be reached from the scratch table before a deal.

    With no deal to come it is 1 or 0, plus a little for each card discarded.
    """
    _number_piles(s)
    _keep(s)
    best = -1 << 60
    fewest = 52
    i = 0
    while i < s.now[5]:
        at = 5 * i
        i += 1
        beaten = _discards(m, s, at)
        if beaten:
            continue
        _fills(m, s, at)
        count = _place(s, at)
        fewest = min(fewest, count)
        if deals > 0:
            best = max(best, value(m, s, s.table, s.heights, s.after, deals))
    if deals > 0:
        return chance(m, best)
    return (1 << 30 if fewest == 4 else 0) + 52 - fewest


@compiled
def look_ahead(
    m: Model, s: Scratch, cards: Array, used: Array, stock: Array, deals: int, sampled: Array
) -> int:
    """Return the sum of the chances of a win after each of the sampled deals of four cards.

    ``deals`` is how many are to come, including the sampled one.
    """
    total = 0
    for first in range(0, len(sampled), 4):
        for i in range(4):
            s.after[i] = stock[i]
        for i in range(4 * HIGHEST):
            s.cards[i] = cards[i]
        for pile in range(4):
            card = sampled[first + pile]
            s.cards[HIGHEST * pile + used[pile]] = card
            s.used[pile] = used[pile] + 1
            s.after[card // 13] &= ~(1 << card % 13)
        s.used[4] = used[4]
        total += _reach(m, s, deals - 1)
    return total
