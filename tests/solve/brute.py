"""Aces Up by trying everything: every legal move of the rules, in every order, from every position.

It shares no code with the solver or the engine. A card is a pair of suit and height, the ace highest; a pile
is a tuple with its top card last. Small decks only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple

from engine import Card, Rank, Suit
from engine.games.acesup import AcesUpRules, AcesUpState

ACE = 14
BruteCard = tuple[int, int]
Pile = tuple[BruteCard, ...]


class Position(NamedTuple):
    piles: tuple[Pile, ...]
    cell: Pile
    dealt: int


def best(state: AcesUpState, limit: int = 10**9) -> int | None:
    """Return the most cards that can be discarded, or None when there are more than ``limit`` positions."""
    stock = [brute_card(card) for card in reversed(state.stock)]
    start = Position(
        tuple(tuple(map(brute_card, pile)) for pile in state.piles), tuple(map(brute_card, state.cell)), 0
    )
    seen = {start}
    frontier = [start]
    fewest_left = 99
    while frontier:
        here = frontier.pop()
        left = sum(map(len, here.piles)) + len(here.cell) + len(stock) - here.dealt
        fewest_left = min(fewest_left, left)
        for there in followers(here, stock, state.rules):
            if there not in seen:
                seen.add(there)
                frontier.append(there)
        if len(seen) > limit:
            return None
    total = sum(map(len, start.piles)) + len(start.cell) + len(stock) + len(state.discarded)
    return total - fewest_left


def brute_card(card: Card) -> BruteCard:
    return (card.suit, ACE if card.rank is Rank.ACE else card.rank)


def followers(here: Position, stock: Sequence[BruteCard], rules: AcesUpRules) -> Iterator[Position]:
    piles = here.piles
    filled = [i for i in range(4) if piles[i]]
    for i in filled:
        card = piles[i][-1]
        rivals = [piles[j][-1] for j in filled]
        if any(suit == card[0] and height > card[1] for suit, height in rivals):
            yield here._replace(piles=changed(piles, {i: piles[i][:-1]}))
        for j in filled:
            if rules.pairs and j > i and piles[j][-1][1] == card[1] != ACE:
                yield here._replace(piles=changed(piles, {i: piles[i][:-1], j: piles[j][:-1]}))
        for j in range(4):
            if not piles[j] and (card[1] == ACE or not rules.aces):
                yield here._replace(piles=changed(piles, {i: piles[i][:-1], j: (card,)}))
        if rules.cell and not here.cell:
            yield here._replace(piles=changed(piles, {i: piles[i][:-1]}), cell=(card,))
    for j in range(4):
        if here.cell and not piles[j] and (here.cell[0][1] == ACE or not rules.aces):
            yield here._replace(piles=changed(piles, {j: here.cell}), cell=())
    if here.dealt < len(stock):
        dealt = stock[here.dealt : here.dealt + 4]
        yield here._replace(
            piles=tuple((*pile, card) for pile, card in zip(piles, dealt, strict=True)), dealt=here.dealt + 4
        )


def changed(piles: tuple[Pile, ...], new: dict[int, Pile]) -> tuple[Pile, ...]:
    return tuple(new.get(i, pile) for i, pile in enumerate(piles))


def small_deal(rng: Random, ranks: int, rules: AcesUpRules) -> AcesUpState:
    """Return a random deal of the ``ranks`` highest ranks in four suits, the ace among them."""
    heights = [Rank.ACE, *reversed(Rank)][:ranks]
    deck = [Card(rank, suit) for suit in Suit for rank in heights]
    rng.shuffle(deck)
    return AcesUpState(rules, tuple((card,) for card in deck[:4]), tuple(deck[4:])[::-1])
