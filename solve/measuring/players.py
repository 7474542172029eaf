"""Two published players of Aces Up who do not know the stock: the figures to beat.

They discard whatever can be discarded, look no further than the next deal, and fill an empty pile

- :func:`play_phases`: in the way that leads to the most discards before the next deal, found by trying all.
  Of equally good ways it takes one that leaves the fewest piles empty. It is said to win 1 in 35;
- :func:`play_fills`: whenever there is a card for it that is not alone in its pile. With ``aces``, where only
  an ace may go there, it is said to win 1 in 270.

A pile is a tuple of numbers, the top card last; a number is 16 times the suit plus the height, the ace 14.
"""

from __future__ import annotations

from collections.abc import Callable

from engine import Rank, Record, shuffled_deck

Piles = tuple[tuple[int, ...], ...]

PLAYED = ("standard", "aces")  # the rule sets they can play

_ACE = 14


def play_phases(deal: Record) -> int:
    """Return the score of the player who tries all ways to fill, with ``standard`` or ``aces``."""
    return _play(deal, _most_discards)


def play_fills(deal: Record) -> int:
    """Return the score of the player who fills whenever possible, with ``standard`` or ``aces``."""
    return _play(deal, _fill_all)


def _play(deal: Record, phase: Callable[[Piles, bool], tuple[Piles, int]]) -> int:
    if deal.game != "acesup" or deal.rules not in PLAYED or deal.moves:
        raise ValueError(f"{deal} is not a deal that these players can play")
    cards = [
        16 * card.suit + (_ACE if card.rank is Rank.ACE else card.rank) for card in shuffled_deck(deal.seed)
    ]
    piles: Piles = ((),) * 4
    score = 0
    for at in range(0, 52, 4):
        piles = tuple((*pile, card) for pile, card in zip(piles, cards[at : at + 4], strict=True))
        piles, discarded = phase(piles, deal.rules == "aces")
        score += discarded
    return score


def _most_discards(piles: Piles, aces: bool) -> tuple[Piles, int]:  # noqa: FBT001
    reached = [_discarded(piles)]
    seen = {reached[0][0]}
    for here, score in reached:
        for source, target in _fills(here, aces=aces):
            there, more = _discarded(_moved(here, source, target))
            if there not in seen:
                seen.add(there)
                reached.append((there, score + more))
    return max(reached, key=lambda position: (position[1], sum(map(bool, position[0]))))


def _fill_all(piles: Piles, aces: bool) -> tuple[Piles, int]:  # noqa: FBT001
    piles, score = _discarded(piles)
    while fills := [fill for fill in _fills(piles, aces=aces) if len(piles[fill[0]]) > 1]:
        piles, more = _discarded(_moved(piles, *fills[0]))
        score += more
    return piles, score


def _discarded(piles: Piles) -> tuple[Piles, int]:
    """Return the piles after all possible discards, and how many cards were discarded."""
    left = list(piles)
    count = 0
    while True:
        tops = [pile[-1] for pile in left if pile]
        beaten = [
            i
            for i, pile in enumerate(left)
            if pile and any(top >> 4 == pile[-1] >> 4 and top > pile[-1] for top in tops)
        ]
        if not beaten:
            return tuple(left), count
        for i in beaten:
            left[i] = left[i][:-1]
        count += len(beaten)


def _fills(piles: Piles, *, aces: bool) -> list[tuple[int, int]]:
    """Return the moves of a top card to an empty pile, as (from, to)."""
    empty = [i for i, pile in enumerate(piles) if not pile]
    return [
        (i, target)
        for i, pile in enumerate(piles)
        if empty and pile and (not aces or pile[-1] & 15 == _ACE)
        for target in empty
    ]


def _moved(piles: Piles, source: int, target: int) -> Piles:
    left = list(piles)
    left[target] = left[source][-1:]
    left[source] = left[source][:-1]
    return tuple(left)
