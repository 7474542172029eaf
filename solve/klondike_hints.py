"""stub"""

from __future__ import annotations

from hashlib import sha256

from engine import DECK, Card, Move, Outcome, Record, replay
from engine.games.klondike import COLUMNS, DRAW, FOUNDATIONS, REDEAL, Klondike, KlondikeState
from solve import _klondike_policy as policy
from solve import _klondike_search as core
from solve._compiled import COMPILED

_GAME = Klondike()
_CARDS = {core.number(card.rank, card.suit): card for card in DECK}
STAT = {"hints": 0, "search": 0, "nodes": 0, "cands": 0}
CFG = {"worlds": 16, "nodes": 300, "root": 0, "final": 20000, "rounds": 3, "tree": 0, "c": 0.5, "deep": 0, "eps": 0.0, "reveal": 0.0}


class _Hinter:
    def __init__(self) -> None:
        self.p, self.d = core.new_position(), core.new_deal()
        self.s = core.new_search(254, 2**17)
        self.unseen, self.count = policy.new_unseen(), policy.new_count()
        self.memo = {}
        self.tree = policy.new_tree(20_000, 200_000)


_h: _Hinter | None = None


def _fill(h: _Hinter, state: KlondikeState) -> bool:
    """Returns whether the stock holds unseen cards."""
    p = h.p
    hidden_cards: list[int] = []
    places: list[int] = []
    for i, column in enumerate(state.columns):
        p.heights[i], p.hidden[i] = len(column), state.hidden[i]
        for k, card in enumerate(column):
            n = core.number(card.rank, card.suit)
            p.columns[20 * i + k] = n
            if k < state.hidden[i]:
                hidden_cards.append(n)
                places.append(20 * i + k)
    for i, pile in enumerate(state.foundations):
        p.home[i] = len(pile)
    cards = state.waste + state.stock[::-1]
    unknown_stock = state.pass_number == 1 and bool(state.stock)
    for i, card in enumerate(cards):
        n = core.number(card.rank, card.suit)
        p.stock[i] = n
        if unknown_stock and i >= len(state.waste):
            hidden_cards.append(n)
            places.append(140 + i)
    rules = state.rules
    redeals = core.UNLIMITED if rules.passes is None else rules.passes - state.pass_number
    for i, value in enumerate((rules.draw, 0, redeals, len(state.waste), len(cards))):
        p.rules[i] = value
    for i, n in enumerate(sorted(hidden_cards)):
        h.unseen.cards[i] = n
        # The true cards must play no part: put the sorted ones where they lie.
        if places[i] < 140:
            p.columns[places[i]] = n
        else:
            p.stock[places[i] - 140] = n
        h.unseen.places[i] = places[i]
    h.unseen.count[0] = len(places)
    return unknown_stock


def _candidates(h: _Hinter, unknown_stock: bool) -> tuple[list[int], bool]:
    p, d, s = h.p, h.d, h.s
    top = -1
    if unknown_stock:
        count, redeals = p.rules[4], p.rules[2]
        p.rules[4] = p.rules[3]
        if p.rules[0] == 3 and redeals:
            p.rules[2] = 1
        if p.rules[3]:
            top = int(p.stock[p.rules[3] - 1])
    core.start(p, d, s)
    if not COMPILED:
        s.visited.clear()
    status = core._expand(d, s, 0)
    moves = [int(s.moves[i]) for i in range(int(s.cursor[0]), int(s.end[0]))]
    if unknown_stock:
        p.rules[4], p.rules[2] = count, redeals
        moves = [m for m in moves if (m >> 6) & 7 not in (core.STOCK_HOME, core.STOCK_DOWN) or m & 63 == top]
        moves = moves if status == core.FORCED else [*moves, policy.DRAW]
        if status == core.WON:  # all face up, but the rest of the stock
            moves = [policy.DRAW]
    return moves, status == core.FORCED


def _solve(h: _Hinter) -> tuple[int, list[int]]:
    core.start(h.p, h.d, h.s)
    if not COMPILED:
        h.s.visited.clear()
    status = core.search(h.d, h.s, CFG["final"], 2**16)
    line = [int(h.s.moves[h.s.cursor[i] - 1]) for i in range(int(h.s.now[core.DEPTH]))]
    return status, line


def _seed(h: _Hinter, seed: int) -> int:
    p = h.p
    parts = [seed, *map(int, p.home), *map(int, p.hidden), *(int(p.stock[i]) for i in range(p.rules[4]))]
    parts += [int(h.s.bases[0]), int(h.s.seen[0]), *map(int, h.unseen.places)]
    return int.from_bytes(sha256(repr(parts).encode()).digest()[:4], "big") & 0x7FFFFFFF


def _rank(h: _Hinter, move: int) -> float:
    """A plain preference among moves, the higher the better."""
    kind, card = (move >> 6) & 7, move & 63
    column = int(h.d.column_of[card])
    base = (int(h.s.bases[0]) >> card) & 1
    if kind in (core.HOME, core.BARE) and base:
        hidden = int(h.p.hidden[column])
        return 10 + hidden if hidden else (1 if kind == core.BARE else 4)
    return {core.HOME: 3, core.STOCK_HOME: 6, core.STOCK_DOWN: 5, core.RETURN: 0}.get(kind, 2)


def decide(h: _Hinter, state: KlondikeState, seed: int) -> int | None:
    """The next macro move."""
    unknown_stock = _fill(h, state)
    rules = state.rules
    moves, forced = _candidates(h, unknown_stock)
    if forced:
        return moves[0]
    if unknown_stock and rules.passes is None and (rules.draw == 1 or len(state.waste) % 3 == 0):
        return policy.DRAW
    if not moves:
        return None
    if len(moves) == 1:
        return moves[0]
    if h.unseen.count[0] <= 1:
        status, line = _solve(h)
        if status == core.WON:
            return line[0] if line else None
        _candidates(h, unknown_stock)
        return max(moves, key=lambda m: _rank(h, m))
    c = h.count
    _candidates(h, unknown_stock)
    rank = {m: _rank(h, m) for m in moves}
    number = _seed(h, seed)
    for k, m in enumerate(moves):
        c.moves[k], c.wins[k], c.alive[k] = m, 0, 1
    c.now[0] = c.now[1] = 0
    memo = (number, int(h.s.key[0]), tuple(moves))
    if memo in h.memo:
        return h.memo[memo]
    if CFG["tree"]:
        t = h.tree
        policy.grow(h.p, h.d, h.s, h.unseen, t, number, CFG["tree"], CFG["nodes"], CFG["c"], CFG["deep"])
        best = max(
            range(int(t.first[0]), int(t.first[0] + t.size[0])),
            key=lambda e: (int(t.tries[e]), int(t.wins[e]), rank.get(int(t.edge[e]), 0)),
        )
        STAT["search"] += 1
        STAT["cands"] += len(moves)
        STAT["nodes"] += int(t.now[2])
        h.memo = {memo: int(t.edge[best])}
        return int(t.edge[best])
    first, worlds = 0, CFG["worlds"]
    alive = list(range(len(moves)))
    def value(k: int) -> float:
        return int(c.wins[k]) + CFG["reveal"] * first * (rank[moves[k]] >= 10) + rank[moves[k]] * 1e-3
    for r in range(CFG["rounds"]):
        policy.count(h.p, h.d, h.s, h.unseen, c, len(moves), number, first, first + worlds, CFG["nodes"], CFG["root"])
        first += worlds
        alive.sort(key=lambda k: -value(k))
        worlds *= 2
        for k in alive[max(1, (len(alive) + 1) // 2) :]:
            c.alive[k] = 0
        alive = alive[: max(1, (len(alive) + 1) // 2)]
        if len(alive) == 1:
            break
    STAT["search"] += 1
    STAT["cands"] += len(moves)
    STAT["nodes"] += int(c.now[0])
    h.memo = {memo: moves[alive[0]]}
    return moves[alive[0]]


def _first_step(state: KlondikeState, move: int) -> Move:
    if move == policy.DRAW:
        return DRAW
    kind, card = (move >> 6) & 7, _CARDS[move & 63]
    if kind in (core.STOCK_HOME, core.STOCK_DOWN):
        if not state.waste or state.waste[-1] != card:
            return DRAW if state.stock else REDEAL
        source, count = "w", 1
    else:
        column = next(i for i in range(7) if card in state.columns[i])
        count = len(state.columns[column]) - state.columns[column].index(card)
        source = COLUMNS[column]
        if kind == core.HOME and count > 1:
            twin = next(c for c in DECK if c.rank == card.rank and c.is_red == card.is_red and c != card)
            target = next(i for i in range(7) if state.columns[i] and state.columns[i][-1] == twin)
            return Move(source, COLUMNS[target], count - 1)
    if kind in (core.HOME, core.STOCK_HOME):
        return Move(source, FOUNDATIONS[card.suit])
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
    return Move(source, COLUMNS[target], count)


def hint_klondike(state: KlondikeState, *, seed: int = 0) -> Move | None:
    global _h
    if _GAME.outcome(state) is not None:
        return None
    finish = _GAME.finish(state)
    if finish:
        return finish[0]
    if _h is None:
        _h = _Hinter()
    move = decide(_h, state, seed)
    STAT["hints"] += 1
    return None if move is None else _first_step(state, move)


def play_klondike_by_hints(record: Record, *, seed: int = 0) -> tuple[KlondikeState, list[Move]]:
    state: KlondikeState = replay(record)
    line = []
    while (move := hint_klondike(state, seed=seed)) is not None:
        state = _GAME.apply(state, move)
        line.append(move)
        assert len(line) < 5000
    return state, line
