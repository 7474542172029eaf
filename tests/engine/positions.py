"""Positions in a short notation, every name and move there is, and conversion to the reference's positions.

Used by the tests; it has none itself.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import product
from random import Random
from typing import Any, NamedTuple

import pytest

from engine import DECK, GAMES, Card, IllegalMove, Move, Rank
from engine.games.acesup import AcesUp, AcesUpState
from engine.games.klondike import Klondike, KlondikeState
from tests.engine import reference

KLONDIKE = Klondike()
ACESUP = AcesUp()

KLONDIKE_CODES = tuple(
    f"d{draw}{passes}{returns}"
    for draw, passes, returns in product("13", ("", *(f"p{n}" for n in range(1, 10))), ("", "r"))
)
ACESUP_CODES = (
    "standard",
    "aces",
    "cell",
    "pairs",
    "aces+cell",
    "aces+pairs",
    "cell+pairs",
    "aces+cell+pairs",
)
PRESETS = [(key, code) for key, game in GAMES.items() for code in game.presets]
# Rule sets worth playing that have no preset.
COMBINATIONS = [
    *(("klondike", code) for code in ("d1r", "d3r", "d3p2r", "d1p1r", "d3p9")),
    *(("acesup", code) for code in ACESUP_CODES[4:]),
]

# Every name a pile can have in the notation, and every count.
SINGLE_NAMES = (*"123456789", *"abcdefghijklmnopqrstuvwxyz", "fc", "fd", "fh", "fs")
PAIR_NAMES = tuple(f"{a}+{b}" for a, b in product("123456789", repeat=2))
ALL_NAMES = SINGLE_NAMES + PAIR_NAMES
ALL_COUNTS = range(1, 20)


def every_move() -> Iterator[Move]:
    """Yield every move that can be written, 273 600 of them."""
    for source, target, count in product(ALL_NAMES, ALL_NAMES, ALL_COUNTS):
        yield Move(source, target, count)


def likely_moves(game_key: str) -> Iterator[Move]:
    """Yield the moves that make some sense in that game, and a few that don't."""
    names = {"klondike": (*"12345678", "fc", "fd", "fh", "fs", *"wscdtfx", "1+2")}.get(
        game_key, (*"12345", *"dcstwf", "fh", "1+2", "2+1", "1+1", "1+3", "2+4", "3+4", "5+6")
    )
    for source, target in product(names, names):
        for count in (1, 2, 3, 5, 13, 19):
            yield Move(source, target, count)


def cards(text: str) -> tuple[Card, ...]:
    """Read cards written with blanks between them."""
    return tuple(map(Card.parse, text.split()))


def klondike(
    *columns: str,
    foundations: tuple[int, int, int, int] = (0, 0, 0, 0),
    stock: str = "",
    waste: str = "",
    rules: str = "d1",
    pass_number: int = 1,
) -> KlondikeState:
    """Build a Klondike position.

    A column is written ``face down | face up``, or just its face-up cards; the end stands last, and columns
    left out are empty. ``foundations`` are heights in the order of suits; the stock's next card stands first,
    the waste's top last.
    """
    built: list[tuple[Card, ...]] = []
    hidden: list[int] = []
    for text in (*columns, *[""] * (7 - len(columns))):
        down, bar, up = text.rpartition("|")
        built.append(cards(down) + cards(up))
        hidden.append(len(cards(down)) if bar else 0)
    return KlondikeState(
        KLONDIKE.parse_rules(rules),
        tuple(built),
        tuple(hidden),
        tuple(DECK[13 * suit : 13 * suit + height] for suit, height in enumerate(foundations)),
        cards(stock)[::-1],
        cards(waste),
        pass_number,
    )


def acesup(
    *piles: str, stock: str = "", rules: str = "standard", discarded: int = 0, cell: str = ""
) -> AcesUpState:
    """Build an Aces Up position: the end of a pile stands last, the stock's next card first.

    ``discarded`` cards, none of them an ace or one that is in play, lie on the discard pile.
    """
    laid = tuple(cards(text) for text in (*piles, *[""] * (4 - len(piles))))
    used = {*cards(" ".join((*piles, stock, cell)))}
    gone = [card for card in DECK if card.rank is not Rank.ACE and card not in used][:discarded]
    assert len(gone) == discarded
    return AcesUpState(ACESUP.parse_rules(rules), laid, cards(stock)[::-1], tuple(gone), cards(cell))


class Case(NamedTuple):
    """A move that is illegal in a position, with the reason and facts that the engine gives."""

    name: str
    state: KlondikeState | AcesUpState
    move: str
    reason: StrEnum
    facts: Mapping[str, Card | str | int]


def case(
    name: str, state: KlondikeState | AcesUpState, move: str, reason: StrEnum, **facts: str | int
) -> Case:
    """Make a case; the facts card, end, needs and other are cards."""
    told = {
        key: Card.parse(str(value)) if key in ("card", "end", "needs", "other") else value
        for key, value in facts.items()
    }
    return Case(name, state, move, reason, told)


def illegal(key: str, state: object, move: str | Move) -> IllegalMove:
    """Return the error that a move raises, after checking that it changes nothing."""
    tried = Move.parse(move) if isinstance(move, str) else move
    copy = dataclasses.replace(state)  # type: ignore[type-var]
    with pytest.raises(IllegalMove) as caught:
        GAMES[key].apply(state, tried)
    assert caught.value.move == tried
    assert state == copy
    return caught.value


def names(moves: Iterator[Move]) -> list[str]:
    """Return moves in the notation."""
    return list(map(str, moves))


def cards_in(value: object) -> Iterator[Card]:
    """Yield every card found anywhere in a state, however it is built."""
    if isinstance(value, Card):
        yield value
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for field in dataclasses.fields(value):
            yield from cards_in(getattr(value, field.name))
    elif isinstance(value, Mapping):
        yield from cards_in(tuple(value.items()))
    elif isinstance(value, (tuple, list, set, frozenset)):
        for item in value:
            yield from cards_in(item)


def with_cards_renamed(value: Any, new: Mapping[Card, Card]) -> Any:
    """Return the state with every card replaced by another."""
    if isinstance(value, Card):
        return new[value]
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {f.name: with_cards_renamed(getattr(value, f.name), new) for f in dataclasses.fields(value)}
        return dataclasses.replace(value, **fields)
    if isinstance(value, tuple):
        return tuple(with_cards_renamed(item, new) for item in value)
    return value


# ------------------------------------------------------------------- the same position in the reference


def _text(pile: Sequence[Card]) -> tuple[str, ...]:
    return tuple(map(str, pile))


def klondike_reference(state: KlondikeState) -> reference.Klondike:
    """Return the same position in the reference's form."""
    passes = state.rules.passes
    return reference.Klondike(
        columns=tuple(
            reference.Column(_text(column[:hidden]), _text(column[hidden:]))
            for column, hidden in zip(state.columns, state.hidden, strict=True)
        ),
        foundations=tuple(map(_text, state.foundations)),
        stock=_text(state.stock[::-1]),
        waste=_text(state.waste),
        redeals=None if passes is None else passes - state.pass_number,
        draw=state.rules.draw,
        returns=state.rules.returns,
        ranks=reference.KLONDIKE_RANKS,
    )


def acesup_reference(state: AcesUpState) -> reference.AcesUp:
    """Return the same position in the reference's form."""
    return reference.AcesUp(
        piles=tuple(map(_text, state.piles)),
        stock=_text(state.stock[::-1]),
        held=str(state.cell[0]) if state.cell else None,
        discarded=len(state.discarded),
        aces=state.rules.aces,
        cell=state.rules.cell,
        pairs=state.rules.pairs,
        ranks=reference.ACESUP_RANKS,
    )


def reference_perft(key: str, state: Any, depth: int) -> int:
    """Count with the reference the sequences of ``depth`` legal moves from an engine's state."""
    if key == "klondike":
        return reference.perft(reference.klondike_moves, klondike_reference(state), depth)
    return reference.perft(reference.acesup_moves, acesup_reference(state), depth)


def assert_agrees_with_reference(key: str, state: Any) -> None:
    """Compare everything: how the game ended, how many moves there are, and where each one leads."""
    game = GAMES[key]
    after = [game.apply(state, move) for move in game.legal_moves(state)]
    mine: Counter[tuple[Any, ...]]
    theirs: Counter[tuple[Any, ...]]
    if key == "klondike":
        there = klondike_reference(state)
        ending = reference.klondike_ending(there)
        mine = Counter(map(klondike_reference, after))
        theirs = Counter(position for _, position in reference.klondike_moves(there))
    else:
        here = acesup_reference(state)
        ending = reference.acesup_ending(here)
        mine = Counter(map(acesup_reference, after))
        theirs = Counter(position for _, position in reference.acesup_moves(here))
    outcome = game.outcome(state)
    assert (outcome.value if outcome else None) == ending
    assert mine == theirs


# ------------------------------------------------------------------------------------- random play


def choose(rng: Random, state: Any, moves: Sequence[Move], *, eager: bool) -> Move:
    """Pick a move: any, or, by an eager player, one that brings a card home wherever there is one."""
    if eager:
        home = [m for m in moves if m.target in ("d", "fc", "fd", "fh", "fs") and m.source != "c"]
        if home:
            return rng.choice(home)
    return rng.choice(moves)


def playout(
    key: str, code: str, seed: str | int, rng: Random, limit: int, *, eager: bool
) -> Iterator[tuple[Any, Move | None]]:
    """Yield each state of a random game with the move that is made in it, None in the last one."""
    game = GAMES[key]
    state = game.start(seed, code)
    for _ in range(limit):
        moves = list(game.legal_moves(state))
        if not moves:
            break
        move = choose(rng, state, moves, eager=eager)
        yield state, move
        state = game.apply(state, move)
    yield state, None
