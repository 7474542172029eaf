"""Deals that are known to be winnable, by number: a *pool* for every preset, shipped with the project.

A pool is a text file ``pools/<game>-<rules>.tsv`` with a line for each deal, in rising order: PySolFC's
number, a tab, and moves that win. :mod:`solve.pool_maker` made it: of the numbers 1, 2, 3 … it has those for
which :func:`solve.jobs.find` found a win within its budget. A deal that is hard to win may be missing.

A move is one of :data:`LETTERS`: its index among the legal moves, sorted by their text. So a line takes one
byte a move, depends only on the rules, and is checked by reading it: every move of it is legal.
"""

from __future__ import annotations

import string
from array import array
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

from engine import Move, Record, find_game

LETTERS = string.digits + string.ascii_lowercase + string.ascii_uppercase


@cache
def numbers(game: str, rules: str) -> Sequence[int]:
    """Return the numbers of all deals in the pool of a rule set, rising; none if there is no pool.

    The file is read at the first call, and only the numbers are kept.
    """
    return array("q", (int(text.partition("\t")[0]) for text in _lines(game, rules)))


def line(game: str, rules: str, number: int) -> tuple[Move, ...]:
    """Return the moves that win a deal of the pool, read from the file.

    :raises LookupError: when the deal is not in the pool.
    """
    for text in _lines(game, rules):
        found, _, packed = text.partition("\t")
        if int(found) == number:
            return unpack(Record(game, rules, found), packed)
    raise LookupError(f"{game}/{rules}/{number}")


def pack(deal: Record, moves: Sequence[Move]) -> str:
    """Return moves from a deal on as letters.

    :raises ValueError: when one of them is illegal.
    """
    game = find_game(deal.game)
    state = game.start(deal.seed, deal.rules)
    letters = []
    for move in moves:
        letters.append(LETTERS[sorted(map(str, game.legal_moves(state))).index(str(move))])
        state = game.apply(state, move)
    return "".join(letters)


def unpack(deal: Record, packed: str) -> tuple[Move, ...]:
    """Return the moves from a deal on that the letters stand for.

    :raises ValueError: when one of them stands for no legal move.
    """
    game = find_game(deal.game)
    state = game.start(deal.seed, deal.rules)
    moves = list[Move]()
    for letter in packed:
        legal = sorted(game.legal_moves(state), key=str)
        at = LETTERS.index(letter)
        if at >= len(legal):
            raise ValueError(f"{deal.code}: no move {letter!r} after {len(moves)} moves")
        moves.append(legal[at])
        state = game.apply(state, legal[at])
    return tuple(moves)


def _lines(game: str, rules: str) -> Iterator[str]:
    file = _file(game, rules)
    if file.is_file():
        yield from file.read_text("ascii").splitlines()


def _file(game: str, rules: str) -> Traversable:
    return resources.files("solve") / "pools" / f"{game}-{rules}.tsv"
