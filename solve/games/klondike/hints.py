"""Strong hints for Klondike, from the cards that are face up and what else the player has seen.

The hint knows *which* cards are unseen, never where they are. Unseen are the cards face down in the columns
and, during the first pass, what is left of the stock. From the second pass on the whole stock has been seen,
and a player with a good memory knows its order; so does the hint.

**Which move.** Three kinds need no search: a card that can safely go home (see :mod:`.search`); the rest of a
game that can't be lost any more; and, when passes are unlimited and drawing leaves no card out of reach, the
draws of the first pass, which cost nothing and show the stock. When nothing is unseen, the search with all
cards known says how to win. Every other move is chosen by how well it does in random arrangements of the
unseen cards (:mod:`.policy`), by sequential halving: after some arrangements the worse half of the moves is
dropped, and the others are tried in twice as many more, until one is left (Karnin, Koren and Somekh, Almost
Optimal Exploration in Multi-Armed Bandits, ICML 2013).

**No circles.** A hint is a step towards a card going home, a card that is turned up or leaves its column
empty, or a card of the stock going to the columns. Hints never take a card back from a foundation, even where
the rules allow it, so each of these happens a limited number of times. On the way there are only draws,
redeals, and a run that moves onto the twin of the card it lies on. After such a step the choice is the same
as before, since it depends on the position as the search describes it: without the arrangement of the
columns, and, with unlimited passes, without the number of cards drawn, unless the current pass reaches cards
that a new one does not. That ends with the pass. With limited passes, draws and redeals are limited anyway.

**Measured** by following every hint in PySolFC's numbers from 1 on, with 95 % intervals (Wilson) and the
processor time of one core of a busy machine:

====== ============ ======================= ==============
rules  won          share                   time for a game
====== ============ ======================= ==============
d1     326 of 500   65.2 % (60.9 … 69.2)    0.4 s
d3     296 of 750   39.5 % (36.0 … 43.0)    0.5 s
d1p3   123 of 250   49.2 % (43.1 … 55.4)    0.5 s
d1p1   5 of 100     5.0 % (2.2 … 11.2)      0.1 s
d3p1   1 of 1,000   0.1 % (0.0 … 0.6)       0.1 s
====== ============ ======================= ==============

Bjarnason, Fern and Tadepalli report a little over 35 % for draw three.
"""

from __future__ import annotations

from hashlib import sha256

from engine import Move, Record, replay
from engine.games.klondike import DRAW, Klondike, KlondikeState
from solve.compiled import COMPILED
from solve.games.klondike import policy
from solve.games.klondike import search as core
from solve.games.klondike.solver import CARD_OF, KlondikeSearch, Verdict, moves_of

# Arrangements in which every move is tried; the better half is tried in twice as many more, and so on.
EFFORT = 24 if COMPILED else 4
BONUS = 0.05  # for turning up a card, as a share of the points for a win
_NODES = 100  # of each search with all cards known
_FRAMES, _MEMORY = 512, 2**9  # small enough for the processor's cache
_LAST_NODES = 20_000  # of the search when nothing is unseen

_TURNS_UP = 10
_GAME = Klondike()


def hint_klondike(state: KlondikeState, *, seed: int = 0, effort: int = EFFORT) -> Move | None:
    """Return the next move of a good player, or None when the game has ended or no move brings it forward.

    It may be a draw or the redeal, on the way to a card. Following every hint always comes to an end. The
    same cards in sight, seed and effort give the same hint. ``effort`` is the number of arrangements of the
    unseen cards in which all moves are tried; ``seed`` selects them.

    >>> str(hint_klondike(replay(Record.parse("klondike/d3/1"))))
    '6-fh'
    """
    if _GAME.outcome(state) is not None:
        return None
    finish = _GAME.finish(state)
    if finish:
        return finish[0]
    adviser = _idle.pop() if _idle else _Adviser()
    try:
        move = adviser.choose(state, seed, effort)
    finally:
        _idle.append(adviser)
    if move is None:
        return None
    if move == policy.DRAW:
        return DRAW
    return next(moves_of(state, (move >> 6) & (core.AT_ONCE - 1), CARD_OF[move & 63]))


def play_klondike_by_hints(record: Record, *, seed: int = 0, effort: int = EFFORT) -> Record:
    """Return the game after every hint was followed until there was none.

    :raises ValueError: when the record is of another game.
    """
    if record.game != _GAME.key:
        raise ValueError(f"{record.game} is not {_GAME.key}")
    state: KlondikeState = replay(record)
    line: list[Move] = []
    while (move := hint_klondike(state, seed=seed, effort=effort)) is not None:
        state = _GAME.apply(state, move)
        line.append(move)
    return record.play(*line)


class _Adviser:
    """The arrays of a search, reused for one hint after another, by one thread at a time."""

    def __init__(self) -> None:
        self._known = KlondikeSearch()
        self._short = core.new_search(_FRAMES, _MEMORY)
        self._unseen, self._tally = policy.new_unseen(), policy.new_tally()
        self._last: tuple[object, int] = (None, 0)

    def choose(self, state: KlondikeState, seed: int, effort: int) -> int | None:
        """Return a move of the search, or None."""
        moves = self._load(state)
        if not moves or len(moves) == 1:
            return moves[0] if moves else None
        if policy.DRAW in moves and _draws_for_nothing(state):
            return policy.DRAW
        number = self._number(seed)
        question = (number, int(self._short.key[0]), effort)
        if self._last[0] != question:
            self._last = (question, self._search(moves, number, effort))
        return self._last[1]

    def _load(self, state: KlondikeState) -> list[int]:
        """Write what can be seen into the arrays; return the moves to choose from."""
        self._known.load(state)
        p, unseen = self._known.position, self._unseen
        p.rules[1] = 0
        drawn = len(state.waste) if state.pass_number == 1 else len(state.waste + state.stock)
        places = [20 * i + height for i in range(7) for height in range(state.hidden[i])]
        cards = [int(p.columns[place]) for place in places]
        for place in range(drawn, int(p.rules[4])):
            places.append(policy.IN_STOCK + place)
            cards.append(int(p.stock[place]))
        # From here on only the set of these cards counts: they are put down in rising order.
        for i, (place, card) in enumerate(zip(places, sorted(cards), strict=True)):
            unseen.places[i], unseen.cards[i] = place, card
            if place < policy.IN_STOCK:
                p.columns[place] = card
            else:
                p.stock[place - policy.IN_STOCK] = card
        unseen.now[policy.COUNT], unseen.now[policy.DRAWN] = len(places), drawn
        d, s = self._known.deal, self._short
        core.start(p, d, s)
        size = policy.choices(p, d, s, drawn)
        return [int(s.moves[i]) for i in range(size)]

    def _number(self, seed: int) -> int:
        """Return a number made of what is in sight and the seed; a draw that shows nothing new keeps it."""
        p, s = self._known.position, self._short
        count, drawn = int(self._unseen.now[policy.COUNT]), int(self._unseen.now[policy.DRAWN])
        sight = [
            seed,
            *p.home,
            *p.hidden,
            s.seen[0],
            s.bases[0],
            *p.stock[:drawn],
            *self._unseen.cards[:count],
        ]
        text = " ".join(str(int(value)) for value in sight)
        return int.from_bytes(sha256(text.encode()).digest()[:4], "big")

    def _search(self, moves: list[int], number: int, effort: int) -> int:
        known = self._known
        rank = {move: self._rank(move) for move in moves}
        if self._unseen.now[policy.COUNT] <= 1:
            if known.decide(budget_nodes=_LAST_NODES) is Verdict.WON:
                return int(known.search.moves[known.search.cursor[0] - 1])
            return max(moves, key=lambda move: rank[move])
        values = dict.fromkeys(moves, 0.0)
        policy.seed(self._unseen, number)
        while len(moves) > 1:
            for move, points in zip(moves, self._points(moves, effort), strict=True):
                values[move] += (
                    points / policy.POINTS + BONUS * effort * (rank[move] >= _TURNS_UP) + rank[move] / 1_000
                )
            moves = sorted(moves, key=lambda move: -values[move])[: (len(moves) + 1) // 2]
            effort *= 2
        return moves[0]

    def _points(self, moves: list[int], tries: int) -> list[int]:
        """Return the points of each move in the next arrangements."""
        known, tally = self._known, self._tally
        for k, move in enumerate(moves):
            tally.moves[k], tally.points[k] = move, 0
        tally.now[0] = len(moves)
        policy.count(known.position, known.deal, self._short, self._unseen, tally, tries, _NODES)
        return [int(points) for points in tally.points[: len(moves)]]

    def _rank(self, move: int) -> int:
        """Return how good a move looks at first sight: best of all it turns up a card of a high pile."""
        kind, card = move >> 6, move & 63
        s, d = self._short, self._known.deal
        if kind in (core.HOME, core.BARE) and int(s.bases[0]) >> card & 1:
            hidden = int(self._known.position.hidden[int(d.column_of[card])])
            return _TURNS_UP + hidden if hidden else 4 if kind == core.HOME else 1
        return {core.HOME: 3, core.STOCK_HOME: 6, core.STOCK_DOWN: 5}.get(kind, 2)


_idle: list[_Adviser] = []  # any thread takes one and puts it back


def _draws_for_nothing(state: KlondikeState) -> bool:
    """True when a draw costs nothing: a new pass reaches all that the current one does."""
    rules = state.rules
    return rules.passes is None and len(state.waste) % rules.draw == 0
