"""Strong hints for Aces Up, from what the player sees.

A hint looks at every position that can be reached before the next deal. Of the most promising ones it
estimates the chance of a win one deal ahead, by dealing cards sampled from those that are left
(:mod:`.policy`), and it returns the first move of the shortest way to the best. Before the last deal all 24
orders of the last four cards are tried instead; after it, the way to the most discards is taken.

The estimate of a position depends only on the position, the set of cards in the stock, the seed and the
effort: not on the order of the stock, and not on the positions it is compared with. So hints are honest, and
following them is consistent: a move either narrows down what can be reached, or is one step on the shortest
way to the same best position. Hints never go in circles.

**Training.** The weights were learnt by self-play, backwards through each game (temporal differences of the
positions before a deal, called afterstates in Sutton and Barto's *Reinforcement Learning*, chapter 6). The
chance of a position is pulled towards the mean, over three or four sampled deals, of the best chance that can
be reached after each; with one deal to come, towards the share of the 24 orders that win. The loss is the
cross entropy, minimised by Adagrad. From a fifth to a third of the positions the training game continues at
random instead of with the best move. Training took about 2.2 million games for ``standard``, and from there
0.36 million for ``aces``, 0.15 million for ``pairs`` and 0.06 million for ``cell``.

**Measured** from PySolFC's number 1 on, with 95 % intervals (Wilson): ``standard`` wins 194 of 5,000 with
effort 0 (3.4 to 4.5 %, 1 in 26) and 176 with effort 128 (3.0 to 4.1 %, 1 in 28), which is no significant
difference; ``aces`` 25 of 5,000 with 128 (0.3 to 0.7 %, 1 in 200); ``pairs`` 432 of 1,000 with 64 (40 to
46 %); ``cell`` 927 of 1,000 with 32 (91 to 94 %). In ``standard`` better estimates have little left to gain:
choosing by 1,000 sampled deals in every phase adds 0.11 ± 0.07 wins in 100 games.
"""

from __future__ import annotations

import zlib
from base64 import b85decode
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import permutations
from math import exp
from pathlib import Path
from random import Random

from engine import Card, Move, MoveKind, Rank, Record, replay
from engine.games.acesup import DEAL, AcesUp, AcesUpRules, AcesUpState
from solve.compiled import COMPILED, Array, array
from solve.games.acesup import policy as core

EFFORT = 256 if COMPILED else 4
"""The default number of deals sampled for each position that is compared."""

_GAME = AcesUp()
_WEIGHTS = Path(__file__).with_name("weights.txt")
_COMPARED = 10  # how many positions are compared one deal ahead: the best by value alone
_SUMS = 24
_WEIGHT = core.ONE // 256  # the unit of the weights in the file

Key = tuple[tuple[tuple[Card, ...], ...], tuple[Card, ...]]
Estimate = tuple[int, int, Key]


def hint_acesup(state: AcesUpState, *, seed: int = 0, effort: int = EFFORT) -> Move | None:
    """Return the move to make next; None only when the game has an outcome.

    It does not depend on the order of the stock, and is always the same for the same seed and effort.
    ``effort`` is the number of deals sampled for each position that is compared; with 0 the value alone
    decides.

    :raises ValueError: when no game leads to the position.

    >>> hint_acesup(replay(Record.parse("acesup/standard/3"))) is not None
    True
    """
    return _Adviser(state.rules, seed, effort).move(state)


def play_by_hints(game: Record | AcesUpState, *, seed: int = 0, effort: int = EFFORT) -> AcesUpState:
    """Return the final state of a game in which every hint is followed from here on.

    It is the same as asking :func:`hint_acesup` before each move, but nothing is estimated twice.

    :raises ValueError: when the record is of another game, or no game leads to the position.
    """
    if isinstance(game, Record):
        if game.game != _GAME.key:
            raise ValueError(f"{game.game} is not {_GAME.key}")
        state: AcesUpState = replay(game)
    else:
        state = game
    adviser = _Adviser(state.rules, seed, effort)
    while (move := adviser.move(state)) is not None:
        state = _GAME.apply(state, move)
    return state


@dataclass(frozen=True, slots=True)
class _Reached:
    """A position that can be reached before the next deal, and the first move of the shortest way there."""

    state: AcesUpState
    first: Move | None


class _Adviser:
    """Gives hints for one game; remembers its estimates until the next deal."""

    def __init__(self, rules: AcesUpRules, seed: int, effort: int) -> None:
        self._seed, self._effort = seed, effort
        self._model = _model(rules)
        self._scratch = core.new_scratch(self._model.width)
        self._stock: tuple[Card, ...] = ()
        self._dealt = array([])
        self._values: dict[Key, int] = {}
        self._estimates: dict[Key, Estimate] = {}

    def move(self, state: AcesUpState) -> Move | None:
        """Return the move to make next; None when the game has an outcome."""
        if len(state.stock) % 4 or max(map(len, state.piles)) + len(state.stock) // 4 >= core.HIGHEST:
            raise ValueError("no game leads to this position")
        if _GAME.outcome(state) is not None:
            return None
        reached = _reachable(state)
        if not state.stock:
            best = max(reached, key=lambda key: len(reached[key].state.discarded))
        elif len(reached) == 1:
            best = next(iter(reached))
        else:
            best = self._best(reached)
        return reached[best].first or DEAL

    def _best(self, reached: dict[Key, _Reached]) -> Key:
        stock = tuple(sorted(next(iter(reached.values())).state.stock))
        if stock != self._stock:
            self._stock = stock
            self._dealt = array(list(_sampled_deals(stock, self._seed, self._effort)))
            self._values.clear()
            self._estimates.clear()
        for key in reached:
            if key not in self._values:
                self._values[key] = core.value(self._model, self._scratch, *_table(key, stock))
        promising = sorted(reached, key=lambda key: (self._values[key], key), reverse=True)[:_COMPARED]
        return max(promising, key=self._estimate)

    def _estimate(self, key: Key) -> Estimate:
        if key not in self._estimates:
            chances = core.look_ahead(self._model, self._scratch, *_table(key, self._stock), self._dealt)
            self._estimates[key] = (int(chances), int(self._values[key]), key)
        return self._estimates[key]


def _reachable(state: AcesUpState) -> dict[Key, _Reached]:
    """Return the positions before the next deal, nearest first; positions with the same piles count as one.

    Only those in which no single card can be discarded; but before the last deal discards may wait.
    """
    waits = len(state.stock) == 4 and not (state.rules.cell or state.rules.pairs)
    reached = {}
    seen = {_key(state)}
    frontier = deque([_Reached(state, None)])
    while frontier:
        here = frontier.popleft()
        moves = [move for move in _GAME.legal_moves(here.state) if move != DEAL]
        if not waits and any(move.kind is MoveKind.DISCARD for move in moves):
            moves = [move for move in moves if move.kind.is_discard]
            if not state.rules.pairs:
                del moves[1:]
        else:
            reached[_key(here.state)] = here
        for move in moves:
            there = _GAME.apply(here.state, move)
            if _key(there) not in seen:
                seen.add(_key(there))
                frontier.append(_Reached(there, here.first or move))
    return reached


def _key(state: AcesUpState) -> Key:
    return tuple(sorted(state.piles)), state.cell


def _number(card: Card) -> int:
    """Return the number of a card in the core, with the ace above the king."""
    return 13 * card.suit + (core.ACE if card.rank is Rank.ACE else card.rank - 2)


def _table(key: Key, stock: tuple[Card, ...]) -> tuple[Array, Array, Array, int]:
    """Return a position in the core's form: cards, how many in each pile, the stock, deals to come."""
    piles, cell = key
    cards = [0] * (4 * core.HIGHEST)
    for pile, pile_cards in enumerate(piles):
        for i, card in enumerate(pile_cards):
            cards[core.HIGHEST * pile + i] = _number(card)
    used = [*map(len, piles), _number(cell[0]) if cell else core.EMPTY]
    left = [0] * 4
    for card in stock:
        left[card.suit] |= 1 << _number(card) % 13
    return array(cards), array(used), array(left), len(stock) // 4


def _sampled_deals(stock: tuple[Card, ...], seed: int, effort: int) -> Iterator[int]:
    """Yield the cards of ``effort`` deals from a sorted stock; with four cards left, every order once."""
    numbers = [_number(card) for card in stock]
    if len(numbers) == 4:
        for order in permutations(numbers):
            yield from order
        return
    random = Random(f"{seed} {numbers}")
    for _ in range(effort):
        for i in range(4):
            j = i + int(random.random() * (len(numbers) - i))
            numbers[i], numbers[j] = numbers[j], numbers[i]
        yield from numbers[:4]


@cache
def _model(rules: AcesUpRules) -> core.Model:
    """Return the weights for a rule set; a combination has those of the variant that matters most."""
    name = "pairs" if rules.pairs else "cell" if rules.cell else "aces" if rules.aces else "standard"
    weights = _weights()[name]
    width = _SUMS + 1
    rows = width * core.ROWS
    return core.Model(
        aces=int(rules.aces),
        cell=int(rules.cell),
        pairs=int(rules.pairs),
        width=width,
        rows=array(weights[:rows]),
        start=array(weights[rows : rows + width]),
        out=array(weights[rows + width :]),
        chance=array(_chances()),
    )


def _chances() -> list[int]:
    step = core.CHANCE_STEP / core.ONE
    return [round(2**30 / (1 + exp(-step * i))) for i in range(-core.CHANCES, core.CHANCES + 1)]


@cache
def _weights() -> dict[str, list[int]]:
    """Return the weights by rule set: rows, start and out, in units of 1 / ``core.ONE``.

    A line of the file is a rule set and its weights in steps of 1 / 256, as 16-bit numbers: all high bytes,
    then all low ones, deflated and written in base 85.
    """
    found: dict[str, list[int]] = {}
    for line in _WEIGHTS.read_text(encoding="ascii").splitlines():
        name, text = line.split()
        numbers = zlib.decompress(b85decode(text))
        half = len(numbers) // 2
        high, low = numbers[:half], numbers[half:]
        found[name] = [(256 * (a - 128) + b) * _WEIGHT for a, b in zip(high, low, strict=True)]
    return found
