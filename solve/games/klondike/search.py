"""The search behind :mod:`.solver`: depth first, over positions that leave out how the columns are arranged.

**Cards** are numbers: 4 (rank - 1) + 2 lane + one of two suits, where the lane is the colour on odd ranks and
the other colour on even ranks. So the two cards that a card may lie on are those of its lane, 4 higher. Its
*twin*, of the same rank and colour, differs in the last bit; the two are a *kind*. A set of cards is a mask
of 52 bits.

**Position.** Four things: the heights of the foundations; how many cards are face down in each column, and
thereby its *base*, the lowest card that is face up; which cards are left in stock and waste, and where the
two are parted; and how often the waste may still be turned over. All other cards are *placed* in the columns,
on bases or on each other; where is not recorded.

This is exact. Of each kind, count the cards that are face up, and subtract the placed cards of the kind that
lies on it: that many are *open*, at the end of a column, however the columns are arranged. A card is put on
an open card of some kind; a card goes home when it is open itself. If only its twin is open, then what lies
on the card is first moved onto the twin, which is legal and changes nothing else. So the counts alone decide
what is possible: a move of the search is at most two of the game, and a move of the game that only rearranges
is none. Kings go to empty columns, and those are counted too.

**Moves.** A card goes home from the columns; from the stock; from the stock into the columns; a base goes to
another column and uncovers the card below; a card comes back from a foundation. "From the stock" takes as
many draws as it needs, and no more redeals than it needs: those that are left may be used later.

**Safe moves** are made at once. A card X of rank R is safe when both foundations of the other colour have
reached R - 2 and that of its twin R - 3. Proof: take any line that wins, and send X home first. Let L be X
and the lower cards of its suit and of the other colour, and those of the twin's suit up to rank R - 2. Of L,
only cards R - 1 of the other colour and R - 2 of the twin's suit may not be home yet, and when the line moves
one of them, it can go home instead (first the one of R - 2 that may lie on the other); all that the line does
with L after that is omitted. No card outside L can lie on one in L, so the rest of the line has no fewer
places and stays legal. It has become shorter. Without return, X is also safe when both of the other colour
have reached R - 1: nothing that could lie on X is left. From the stock, a safe card is taken where all
others stay within reach: any card when one is drawn at a time without limit; the top of the waste when one
is drawn at a time or no redeal is left; and, drawing three without limit, the last card, unless the
current pass reaches cards that a new one does not.

**Postponed moves.** Some moves turn up no card: placed cards going home, cards coming back, and the last card
of a column moving away; and all moves from the stock when it is no more than a set, that is, drawing one
without limit. They are postponed until they are needed. After such a move X, another move is tried only if it
was not possible just before X; or if it is postponed too, and X brought a foundation to where the next card
going home, or coming back, waits only for an open card.

Proof: take a shortest line that wins. Each of its moves needs at most two things of earlier ones: an open
card or column, and that its foundation has the right height. Open cards of a kind are alike, so it does not
matter who uses which. Now play the other moves in their order, and before each the postponed ones that
it needs: first what its foundation needs, then what lays a card open, and for those moves the same. But as
soon as any of the moves waited for is possible, make it, the last one of all first, and leave the
rest for later. Then each move either makes one possible that was waited for, which comes next, or brings a
foundation to where a move waits only for an open card. This line is as short, and it is the one that is
tried. When a safe move intervenes, the argument starts again from there with a shorter line.

What may follow, the *context*, is remembered with a visited position. A position that was visited without
context is done for all contexts.

Sources: that the arrangement can be left out, and cards as bits in such lanes, are ideas of lonelybot
(https://github.com/vuonghy2442/lonelybot). Drawing and playing as one move, and the safe moves with return,
are in Blake and Gent, The Winnability of Klondike Solitaire and Many Other Patience Games, arXiv 1906.12314.
The proofs given here and the postponed moves are this project's own.
"""

from __future__ import annotations

from typing import NamedTuple

from solve.compiled import COMPILED, Array, Map, array, compiled, extended, inlined, zeros

CARDS = 52
KINGS = 0xF << 48
ONES = 0x5555555555555  # the first of each pair of twins
ALL = (1 << CARDS) - 1
COLUMNS = 0xF << CARDS  # an empty column, in masks of what is open: kings lie on it
STOCK = 24
STOCK_MASK = (1 << STOCK) - 1
PARTINGS = STOCK + 1
UNLIMITED = 9  # redeals left, 0 … 8 otherwise
MOST_MOVES = 48  # in one position
MOST_BASES = 8  # one for each number of cards face down, and none

# Kinds of moves, written kind << 6 | card.
HOME, STOCK_HOME, STOCK_DOWN, BARE, RETURN = range(5)
AT_ONCE = 8  # added to the kind of a safe move

# Why `search` stopped.
RUNNING, WON, LOST, FULL, DEEP = range(5)
SEEN = 5  # returned by `expand` only

# Places in `Search.now`.
DEPTH, NODES, USED, GENERATION = range(4)

# Contexts: the last move if it was a postponed one, plus its suit or half the number of its card.
ANY, FROM_STOCK, FROM_COLUMN, LAST_HOME, BACK, LAST_AWAY, DOWN = 0, 1, 5, 9, 13, 17, 18
_CONTEXT_BITS = DOWN + CARDS // 2
_GENERATIONS = 1 << 63 - _CONTEXT_BITS


class Deal(NamedTuple):
    """What is constant during a search."""

    columns: Array
    """By 8 column + height: the card there at the start, up to the base."""
    column_of: Array
    """By card: its column, if it is a base or below one at the start."""
    place_of: Array
    """By card: its place in waste and stock at the start, counted from the bottom of the waste."""
    weights: Array
    """By column: the weight of its base in the key of a position."""
    reach: Array
    """By 256 chunk + byte: the cards of eight places."""
    rules: Array
    """Draw; 1 if cards may return."""


class Search(NamedTuple):
    """What changes during a search: frames by depth, and the memory of visited positions."""

    now: Array
    key: Array
    home: Array
    """Four bits for the height of each foundation."""
    next: Array
    """The cards that may go home next."""
    down: Array
    """Four bits for each column: cards face down, plus 1 for the base; 0 when it has neither."""
    seen: Array
    """The cards face up in the columns."""
    bases: Array
    lone: Array
    """The bases with no card below."""
    part: Array
    """Where stock and waste are parted: the place after the top of the waste."""
    redeals: Array
    context: Array
    cursor: Array
    end: Array
    moves: Array
    """By ``MOST_MOVES`` depth + i."""
    visited: Map


# Foundation weights are powers of 14, above 24 bits of stock and 225 partings and redeals.
PART_WEIGHT = 1 << STOCK
HOME_WEIGHT = PART_WEIGHT * PARTINGS * UNLIMITED
DOWN_WEIGHT = HOME_WEIGHT * 14**4
HOME_WEIGHTS = (HOME_WEIGHT, HOME_WEIGHT * 14, HOME_WEIGHT * 14**2, HOME_WEIGHT * 14**3)


def number(rank: int, suit: int) -> int:
    """Return the number of a card: rank 1 … 13, suit 0 … 3 in the engine's order."""
    red = suit in (1, 2)
    return 4 * (rank - 1) + 2 * (red ^ (rank & 1)) + (suit >> 1)


def _tables() -> tuple[list[int], ...]:
    suit_of, single = [0] * 64, [0] * 67
    for suit in range(4):
        for rank in range(1, 14):
            suit_of[number(rank, suit)] = suit
    for i in range(STOCK * 2 + 8):
        single[(1 << i) % 67] = i
    # By 3 byte + phase: which of these eight places are drawn to, and the phase after them.
    stops, phases, tops = [0] * 768, [0] * 768, [-1] * 256
    for byte in range(256):
        tops[byte] = byte.bit_length() - 1
        for phase in range(3):
            after = phase
            for i in range(8):
                if byte >> i & 1:
                    after = (after + 1) % 3
                    if after == 0:
                        stops[3 * byte + phase] |= 1 << i
            phases[3 * byte + phase] = after
    return suit_of, single, stops, phases, tops


SUIT_OF, SINGLE, STOPS, PHASES, TOPS = map(array, _tables())
# By 14 suit + rank.
NUMBERS = array([number(i % 14, i // 14) if i % 14 else 0 for i in range(4 * 14)])
SUITS = array([sum(1 << number(rank, suit) for rank in range(1, 14)) for suit in range(4)])


class Position(NamedTuple):
    """Where a search starts, in numbers; :func:`number` gives those of cards."""

    columns: Array
    """By 20 column + height, from the bottom: the cards of a column."""
    heights: Array
    hidden: Array
    """By column: how many cards lie face down."""
    home: Array
    """The heights of the four foundations."""
    stock: Array
    """The waste from its bottom, then the stock from its next card on; at most 24."""
    rules: Array
    """Draw; 1 if cards may return; redeals left or UNLIMITED; cards in the waste; in waste and stock."""


def new_position() -> Position:
    """Return a position without cards."""
    return Position._make(map(zeros, (7 * 20, 7, 7, 4, STOCK, 5)))


def new_deal() -> Deal:
    """Return room for what :func:`start` needs of a position."""
    return Deal._make(map(zeros, (7 * 8, CARDS, CARDS, 7, 3 * 256, 2)))


def new_search(depth: int, memory: int) -> Search:
    """Return room for lines of ``depth`` moves and for ``memory`` visited positions, a power of two."""
    frames = [zeros(depth) for _ in _FRAME_FIELDS]
    return Search._make([zeros(4), *frames, zeros(MOST_MOVES * depth), new_visited(memory)])


_FRAME_FIELDS = Search._fields[1:-2]


def new_visited(size: int) -> Map:
    """Return a memory with ``size`` places, a power of two, to be filled to seven eighths at most."""
    return zeros(2 * size) if COMPILED else {}


def _forget_plain(visited: Map, generation: int) -> int:
    """Empty the memory and return the next generation."""
    visited.clear()
    return generation + 1


def _forget_hashed(visited: Map, generation: int) -> int:
    """The same, usually in no time, since entries of older generations count as empty."""
    if generation + 1 < _GENERATIONS:
        return generation + 1
    visited[:] = 0
    return 1


def _visit_plain(visited: Map, key: int, context: int, _: int) -> int:
    """Note a visit; return 1 for a new position, 0 for a known one in a new context, -1 for a repetition."""
    contexts = visited.get(key, 0)
    if contexts & (1 | 1 << context):
        return -1
    visited[key] = contexts | 1 << context
    return 0 if contexts else 1


def _visit_hashed(visited: Map, key: int, context: int, generation: int) -> int:
    """The same with open addressing; a place is empty when its generation is another."""
    mask = len(visited) // 2 - 1
    i = key * 0x1E3779B97F4A7C15
    i = (i ^ i >> 32) & mask
    while visited[2 * i + 1] >> _CONTEXT_BITS == generation:
        if visited[2 * i] == key:
            if visited[2 * i + 1] & (1 | 1 << context):
                return -1
            visited[2 * i + 1] |= 1 << context
            return 0
        i = (i + 1) & mask
    visited[2 * i] = key
    visited[2 * i + 1] = generation << _CONTEXT_BITS | 1 << context
    return 1


_visit = compiled(_visit_hashed) if COMPILED else _visit_plain
forget = compiled(_forget_hashed) if COMPILED else _forget_plain


@compiled
def _copy_visited(visited: Map, larger: Map, generation: int) -> None:
    mask = len(larger) // 2 - 1
    for i in range(0, len(visited), 2):
        if visited[i + 1] >> _CONTEXT_BITS == generation:
            j = visited[i] * 0x1E3779B97F4A7C15
            j = (j ^ j >> 32) & mask
            while larger[2 * j + 1]:
                j = (j + 1) & mask
            larger[2 * j], larger[2 * j + 1] = visited[i], visited[i + 1]


def with_larger_memory(s: Search, size: int) -> Search:
    """Return the same search with a memory of ``size`` places."""
    if not COMPILED:
        return s
    larger = new_visited(size)
    _copy_visited(s.visited, larger, s.now[GENERATION])
    return s._replace(visited=larger)


def with_more_frames(s: Search) -> Search:
    """Return the same search with room for lines twice as long."""
    size = len(s.key)
    frames = {name: extended(getattr(s, name), size) for name in _FRAME_FIELDS}
    return s._replace(**frames, moves=extended(s.moves, MOST_MOVES * size))


@inlined
def _card(mask: int) -> int:
    """Return the only card, or the lowest, of a mask that is not empty."""
    card: int = SINGLE[(mask & -mask) % 67]
    return card


@inlined
def _top(places: int) -> int:
    """Return the highest place of a mask, -1 for none."""
    top: int = TOPS[places & 255]
    if places >> 16:
        top = 16 + TOPS[places >> 16]
    elif places >> 8:
        top = 8 + TOPS[places >> 8]
    return top


@inlined
def _stops(places: int) -> int:
    """Return every third of the places, and the last."""
    a, b, c = places & 255, (places >> 8) & 255, places >> 16
    phase = PHASES[3 * a]
    stops: int = STOPS[3 * a] | STOPS[3 * b + phase] << 8
    phase = PHASES[3 * b + phase]
    stops |= STOPS[3 * c + phase] << 16
    if PHASES[3 * c + phase]:
        stops |= 1 << _top(places)
    return stops


@inlined
def _in_this_pass(places: int, part: int, draw: int) -> int:
    """Return the places that come to the top of the waste before it is turned over."""
    waste = places & ((1 << part) - 1)
    rest = places ^ waste
    stops = rest if draw == 1 else _stops(rest)
    return stops | 1 << _top(waste) if waste else stops


@inlined
def parting(places: int, part: int, draw: int, redeals: int) -> int:
    """Return where stock and waste are parted, or 0 when it makes no difference.

    It makes none when passes are unlimited and the current one reaches no place that the next does not.
    """
    below = places & ((1 << part) - 1)
    if redeals == UNLIMITED:
        if draw == 1 or below == places:
            return 0
        phase = PHASES[3 * (below & 255)]
        phase = PHASES[3 * ((below >> 8) & 255) + phase]
        if PHASES[3 * (below >> 16) + phase] == 0:
            return 0
    return _top(below) + 1


@compiled
def _lay_columns(p: Position, d: Deal, s: Search) -> None:
    """Write the columns of a position into ``d`` and the first frame."""
    weight = DOWN_WEIGHT
    for column in range(7):
        height, hidden = p.heights[column], p.hidden[column]
        for i in range(height):
            card = p.columns[20 * column + i]
            if i >= hidden:
                s.seen[0] |= 1 << card
            if i <= hidden:
                d.columns[8 * column + i] = card
                d.column_of[card] = column
        d.weights[column] = weight
        if height:
            base = 1 << p.columns[20 * column + hidden]
            s.bases[0] |= base
            s.lone[0] |= base if hidden == 0 else 0
            s.down[0] |= (hidden + 1) << 4 * column
            s.key[0] += weight * (hidden + 1)
            weight *= hidden + 2


@compiled
def _lay_stock(p: Position, d: Deal, s: Search) -> None:
    """Write the stock and the rules of a position into ``d`` and the first frame."""
    draw, returns, redeals, waste, count = p.rules[0], p.rules[1], p.rules[2], p.rules[3], p.rules[4]
    for place in range(count):
        d.place_of[p.stock[place]] = place
    for chunk in range(3):
        for byte in range(256):
            cards = 0
            for i in range(8):
                if (byte >> i) & 1 and 8 * chunk + i < count:
                    cards |= 1 << p.stock[8 * chunk + i]
            d.reach[256 * chunk + byte] = cards
    d.rules[0], d.rules[1] = draw, returns
    places = (1 << count) - 1
    part = parting(places, waste, draw, redeals)
    s.part[0], s.redeals[0] = part, redeals
    s.key[0] += places + (part + PARTINGS * (redeals % UNLIMITED)) * PART_WEIGHT


@compiled
def start(p: Position, d: Deal, s: Search) -> None:
    """Start a search at a position; the former content of ``d`` and ``s`` is discarded."""
    s.key[0] = s.home[0] = s.next[0] = s.down[0] = s.seen[0] = s.bases[0] = s.lone[0] = s.context[0] = 0
    for suit in range(4):
        rank = p.home[suit]
        s.home[0] |= rank << 4 * suit
        s.key[0] += rank * HOME_WEIGHTS[suit]
        if rank < 13:
            s.next[0] |= 1 << NUMBERS[14 * suit + rank + 1]
    _lay_columns(p, d, s)
    _lay_stock(p, d, s)
    s.cursor[0] = s.end[0] = 0
    s.now[DEPTH] = -1
    s.now[NODES] = s.now[USED] = 0
    s.now[GENERATION] = forget(s.visited, s.now[GENERATION])


@inlined
def _take(d: Deal, s: Search, i: int, card: int) -> tuple[int, int, int]:
    """Return key, parting and redeals after a card is taken from the stock."""
    key, part, redeals, draw = s.key[i], s.part[i], s.redeals[i], d.rules[0]
    places, place = key & STOCK_MASK, d.place_of[card]
    if redeals != UNLIMITED and not (_in_this_pass(places, part, draw) >> place) & 1:
        redeals -= 1
        key -= PARTINGS * PART_WEIGHT
    key -= (1 << place) + part * PART_WEIGHT
    part = parting(places ^ 1 << place, place, draw, redeals)
    return key + part * PART_WEIGHT, part, redeals


@inlined
def _context(d: Deal, s: Search, i: int, kind: int, card: int) -> int:
    """Return the context after a move from the position in frame ``i``."""
    bit = 1 << card
    suit: int = SUIT_OF[card]
    if kind == RETURN:
        return BACK + suit
    if kind in (STOCK_HOME, STOCK_DOWN):
        if d.rules[0] != 1 or s.redeals[i] != UNLIMITED:
            return ANY
        return FROM_STOCK + suit if kind == STOCK_HOME else DOWN + (card >> 1)
    if s.lone[i] & bit:
        return LAST_HOME + suit if kind == HOME else LAST_AWAY
    return ANY if s.bases[i] & bit else FROM_COLUMN + suit


@inlined
def _bare(d: Deal, s: Search, i: int, card: int) -> None:
    """Take away a base in frame ``i``, and turn up the card below."""
    column = d.column_of[card]
    s.bases[i] ^= 1 << card
    s.down[i] -= 1 << 4 * column
    s.key[i] -= d.weights[column]
    left = (s.down[i] >> 4 * column) & 15
    if left:
        bared = 1 << d.columns[8 * column + left - 1]
        s.seen[i] |= bared
        s.bases[i] |= bared
        if left == 1:
            s.lone[i] |= bared
    else:
        s.lone[i] ^= 1 << card


@inlined
def play(d: Deal, s: Search, i: int, move: int) -> None:
    """Put into the frame after ``i`` the position that a move leads to from the one in it."""
    kind, card = move >> 6, move & 63
    bit, suit = 1 << card, SUIT_OF[card]
    context = ANY if kind & AT_ONCE else _context(d, s, i, kind, card)
    kind &= AT_ONCE - 1
    key, part, redeals = s.key[i], s.part[i], s.redeals[i]
    if kind in (STOCK_HOME, STOCK_DOWN):
        key, part, redeals = _take(d, s, i, card)
    home, next_home, seen = s.home[i], s.next[i], s.seen[i]
    follower = 1 << ((card + 4) ^ 2) if card < 48 else 0
    if kind in (HOME, STOCK_HOME):
        key += HOME_WEIGHTS[suit]
        home += 1 << 4 * suit
        next_home ^= bit | follower
    elif kind == RETURN:
        key -= HOME_WEIGHTS[suit]
        home -= 1 << 4 * suit
        next_home ^= bit | follower
    if kind in (HOME, STOCK_DOWN, RETURN):
        seen ^= bit
    j = i + 1
    s.key[j], s.home[j], s.next[j], s.seen[j] = key, home, next_home, seen
    s.part[j], s.redeals[j], s.context[j] = part, redeals, context
    s.down[j], s.bases[j], s.lone[j] = s.down[i], s.bases[i], s.lone[i]
    if kind in (HOME, BARE) and s.bases[i] & bit:
        _bare(d, s, j, card)


@inlined
def _height(home: int, suit: int) -> int:
    return (home >> 4 * suit) & 15


@inlined
def _is_safe(home: int, suit: int, rank: int, returns: int) -> int:
    """Return 1 when it is safe for a card to go home, or to stay there."""
    twin = _height(home, 3 - suit)
    if suit == 1 or suit == 2:
        others = min(_height(home, 0), _height(home, 3))
    else:
        others = min(_height(home, 1), _height(home, 2))
    if others >= rank - 2 and twin >= rank - 3:
        return 1
    return 1 if not returns and others >= rank - 1 else 0


@inlined
def _safe(home: int, returns: int) -> int:
    """Return the cards that come next on the foundations and are safe there."""
    safe = 0
    for suit in range(4):
        rank = _height(home, suit) + 1
        if rank <= 13 and _is_safe(home, suit, rank, returns):
            safe |= 1 << NUMBERS[14 * suit + rank]
    return safe


@inlined
def _cards_at(d: Deal, places: int) -> int:
    """Return the cards at some places of the stock."""
    cards: int = d.reach[places & 255] | d.reach[256 + ((places >> 8) & 255)] | d.reach[512 + (places >> 16)]
    return cards


@inlined
def _put(s: Search, i: int, kind: int, cards: int) -> None:
    """Append a move of that kind for each card."""
    end = s.end[i]
    while cards:
        s.moves[end] = kind << 6 | _card(cards)
        end += 1
        cards &= cards - 1
    s.end[i] = end


@inlined
def _open(seen: int, bases: int, down: int) -> tuple[int, int]:
    """Return which kinds are open, and of those the ones with a single open card.

    A kind is given as both of its cards, empty columns as :data:`COLUMNS`.
    """
    placed = seen & ~bases
    a, b = seen & ONES, (seen >> 1) & ONES
    c, d = (placed & ONES) << 4, (placed >> 1 & ONES) << 4
    # One or two cards of a kind are there, and none, one or two of them are covered.
    two = a & b & ~(c | d)
    some = (a | b) & ~(c | d) | a & b & ~(c & d)
    filled = ((down | down >> 1 | down >> 2 | down >> 3) & 0x1111111) * 0x1111111 >> 24 & 15
    kings = placed >> 48
    filled += (kings & 1) + (kings >> 1 & 1) + (kings >> 2 & 1) + (kings >> 3 & 1)
    some *= 3
    only = some & ~(two * 3)
    if filled < 7:
        some |= COLUMNS
        if filled == 6:
            only |= COLUMNS
    return some, only


@inlined
def _harmless(s: Search, i: int, places: int, draw: int) -> int:
    """Return the places of the stock whose cards can go while all others stay within reach."""
    part, redeals = s.part[i], s.redeals[i]
    if redeals == UNLIMITED:
        if draw == 1:
            return places
        return 1 << _top(places) if part == 0 and places else 0
    below = places & ((1 << part) - 1)
    return 1 << _top(below) if below and (draw == 1 or redeals == 0) else 0


@inlined
def _at_once(d: Deal, s: Search, i: int, homeward: int, places: int) -> int:
    """Return a safe move, or -1."""
    safe = s.next[i] & _safe(s.home[i], d.rules[1])
    if homeward & safe:
        return (AT_ONCE | HOME) << 6 | _card(homeward & safe)
    if safe and places:
        cards = _cards_at(d, _harmless(s, i, places, d.rules[0])) & safe
        if cards:
            return (AT_ONCE | STOCK_HOME) << 6 | _card(cards)
    return -1


@inlined
def _made_open(context: int, home: int) -> int:
    """Return the kind of the card that the last move laid open."""
    if context == LAST_AWAY or LAST_HOME <= context < BACK:
        return COLUMNS
    if context >= DOWN:
        return 3 << 2 * (context - DOWN)
    if context >= BACK:
        came: int = NUMBERS[14 * (context - BACK) + _height(home, context - BACK) + 1]
        return 3 << (came & 62)
    if context >= FROM_COLUMN:
        gone: int = NUMBERS[14 * (context - FROM_COLUMN) + _height(home, context - FROM_COLUMN)]
        return COLUMNS if gone >= 48 else 48 << (gone & 62)
    return 0


@inlined
def _sequel(s: Search, i: int, some: int, only: int) -> tuple[int, int, int, int]:
    """Return the cards that may go home, land, or come back in a context because they could not before it.

    The last result is :data:`ALL` when other postponed moves may follow too.
    """
    context, home = s.context[i], s.home[i]
    fresh = _made_open(context, home) & only
    homeward, landing, back, others = fresh & ALL, fresh >> 4, 0, 0
    if context < BACK:
        suit = (context - 1) & 3
        homeward |= s.next[i] & SUITS[suit]
        if s.next[i] & SUITS[suit] & s.seen[i] & ~some:
            others = ALL
    elif context < LAST_AWAY:
        suit = context - BACK
        rank = _height(home, suit)
        homeward &= ~(1 << NUMBERS[14 * suit + rank + 1])
        if rank:
            back = 1 << NUMBERS[14 * suit + rank]
            if not back & some >> 4:
                others = ALL
    return homeward, landing, back, others


@inlined
def _may_come_back(s: Search, i: int, landing: int) -> int:
    """Return the cards that may come back from the foundations and would not go home again at once."""
    home, context = s.home[i], s.context[i]
    back = 0
    for suit in range(4):
        rank = _height(home, suit)
        # A card that just went home stays there.
        if rank and not (ANY < context < BACK and (context - 1) & 3 == suit):
            bit = 1 << NUMBERS[14 * suit + rank]
            if bit & landing and not _is_safe(home, suit, rank, 1):
                back |= bit
    return back


@compiled
def expand(d: Deal, s: Search, i: int) -> int:
    """List the moves of the position in frame ``i``.

    :returns: WON when a win is certain, SEEN when there is nothing (more) to try, else RUNNING.
    """
    s.cursor[i] = s.end[i] = MOST_MOVES * i
    seen, bases, lone, down, redeals = s.seen[i], s.bases[i], s.lone[i], s.down[i], s.redeals[i]
    draw = d.rules[0]
    places = s.key[i] & STOCK_MASK
    is_set = draw == 1 and redeals == UNLIMITED
    if not down & 0xEEEEEEE and (is_set or not places):
        return WON
    some, only = _open(seen, bases, down)
    homeward = seen & s.next[i] & some
    move = _at_once(d, s, i, homeward, places)
    if move >= 0:
        s.moves[s.end[i]] = move
        s.end[i] += 1
        return RUNNING

    reached = _in_this_pass(places, s.part[i], draw)
    if redeals:
        reached |= places if draw == 1 else _stops(places)
    cards = _cards_at(d, reached)
    landing = some >> 4
    home_first, home_last = homeward & bases & ~lone, homeward & ~(bases & ~lone)
    stock_home, stock_down = cards & s.next[i], cards & landing & ~_safe(s.home[i], d.rules[1])
    bare = bases & landing & ~lone
    empty = 0 if some & COLUMNS else lone & landing
    back = _may_come_back(s, i, landing) if d.rules[1] else 0
    if s.context[i] != ANY:
        use_home, use_landing, use_back, others = _sequel(s, i, some, only)
        stock_others = others if is_set else 0
        home_first &= use_home
        home_last &= use_home | others
        stock_home &= use_home | stock_others
        stock_down &= use_landing | stock_others
        bare &= use_landing
        empty &= use_landing | others
        back &= use_landing | use_back | others
    if not home_first | home_last | stock_home | stock_down | bare | empty | back:
        return SEEN
    visit = _visit(s.visited, s.key[i], s.context[i], s.now[GENERATION])
    if visit < 0:
        return SEEN
    s.now[USED] += visit
    s.now[NODES] += 1
    _put(s, i, HOME, home_first)
    _put(s, i, BARE, bare)
    _put(s, i, STOCK_HOME, stock_home)
    _put(s, i, STOCK_DOWN, stock_down)
    _put(s, i, HOME, home_last)
    _put(s, i, BARE, empty)
    _put(s, i, RETURN, back)
    return RUNNING


@compiled
def search(d: Deal, s: Search, nodes: int, memory: int) -> int:
    """Search until the answer is known or ``nodes`` positions were visited since the start.

    :returns: WON, with the moves in the frames up to DEPTH; LOST; FULL when ``memory`` positions are
        remembered; DEEP when no frame is left; else RUNNING.
    """
    i = s.now[DEPTH]
    if i < 0:
        i = s.now[DEPTH] = 0
        if expand(d, s, 0) == WON:
            return WON
    while True:
        if s.cursor[i] >= s.end[i]:
            if i == 0:
                return LOST
            i -= 1
            s.now[DEPTH] = i
            continue
        if s.now[NODES] >= nodes:
            return RUNNING
        if s.now[USED] >= memory:
            return FULL
        if i + 2 >= len(s.key):
            return DEEP
        move = s.moves[s.cursor[i]]
        s.cursor[i] += 1
        play(d, s, i, move)
        status = expand(d, s, i + 1)
        if status == SEEN:
            continue
        i += 1
        s.now[DEPTH] = i
        if status == WON:
            return WON


@compiled
def decide(p: Position, d: Deal, s: Search, nodes: int, memory: int) -> int:
    """Start and search in one call, which makes many short searches cheap; arguments and result as there."""
    start(p, d, s)
    return search(d, s, nodes, memory)
