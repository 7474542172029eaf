"""Tables for the tests of pictures: positions of real games, and the extremes that rules allow."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from engine import DECK, GAMES, Card, Pile, PileKind, Rank, Suit, Table


def random_tables(seed: int) -> Iterator[Table]:
    """Yield every position of one random playout of every preset."""
    for game in GAMES.values():
        for code in game.presets:
            choose = random.Random(f"{seed} {game.key} {code}")
            state = game.start(seed, code)
            for _ in range(150):
                yield game.table(state)
                moves = list(game.legal_moves(state))
                if not moves:
                    break
                state = game.apply(state, choose.choice(moves))


def opening(key: str = "klondike", code: str = "d1p3", seed: str = "24") -> Table:
    game = GAMES[key]
    return game.table(game.start(seed, code))


def with_pile(table: Table, pile: Pile) -> Table:
    return replace(table, piles=tuple(pile if p.name == pile.name else p for p in table.piles))


def with_cards(table: Table, name: str, cards: tuple[Card | None, ...]) -> Table:
    """Return the table with other cards in one pile; a column is fanned out in full."""
    pile = table.pile(name)
    spread = len(cards) if pile.kind is PileKind.TABLEAU else pile.spread
    return with_pile(table, replace(pile, cards=cards, spread=spread))


def longest_klondike() -> Table:
    """Six cards face down and a whole run from king to ace in column 7."""
    run = tuple(Card(Rank(rank), Suit.SPADES if rank % 2 else Suit.HEARTS) for rank in range(13, 0, -1))
    return with_cards(opening(), "7", (None,) * 6 + run)


def longest_aces_up() -> Table:
    """Thirteen cards in each of the four piles, which is the most there can be in one."""
    table = with_cards(opening("acesup", "cell"), "s", ())
    for name, suit in zip("1234", Suit, strict=True):
        table = with_cards(table, name, DECK[13 * suit : 13 * suit + 13])
    return table


def won_klondike() -> Table:
    table = opening()
    for pile in table.piles:
        suit = pile.suit
        table = with_cards(table, pile.name, () if suit is None else DECK[13 * suit : 13 * suit + 13])
    return table
