"""The rules of both games, written as plainly as possible, to check the engine against.

Nothing here is shared with the engine, on purpose: two programs that were written separately and
agree are far more likely to be right. Clarity comes first; speed hardly matters.

A card is a string of rank and suit ("4C", "TD", "AS"), a pile is a tuple of cards, and its last
card lies on top. The stock is the exception: its first card is the next one to be turned. States
are named tuples, so they can be compared, hashed and taken apart, and no move changes the state
it starts from. Columns and piles are numbered from 1 in the names of moves.
"""

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple, TypeVar

Pile = tuple[str, ...]
S = TypeVar("S")
MovesFunction = Callable[[S], list[tuple[str, S]]]

SUITS = "CDHS"
KLONDIKE_RANKS = "A23456789TJQK"  # ace low
ACESUP_RANKS = "23456789TJQKA"  # ace high


def is_red(card: str) -> bool:
    """Return whether a card is a diamond or a heart."""
    return card[1] in "DH"


def check_deck(deck: Sequence[str], ranks: str) -> None:
    """Refuse a deck that is not exactly one card of every rank and suit."""
    if sorted(deck) != sorted(rank + suit for rank in ranks for suit in SUITS):
        raise ValueError("the deck must hold each card of the given ranks once")


def replaced(piles: tuple[S, ...], index: int, pile: S) -> tuple[S, ...]:
    """Return the same row of piles with one of them replaced."""
    return (*piles[:index], pile, *piles[index + 1 :])


# ---------------------------------------------------------------------------------- Klondike


class Column(NamedTuple):
    """A Klondike column: the face-down cards, and the face-up cards lying on them."""

    down: Pile
    up: Pile


class Klondike(NamedTuple):
    """A Klondike position, with the rules it is played by.

    `foundations` stand in the order of SUITS. `redeals` is how often the waste may still be
    turned over, None for no limit. The last rank of `ranks` plays the king.
    """

    columns: tuple[Column, ...]
    foundations: tuple[Pile, ...]
    stock: Pile
    waste: Pile
    redeals: int | None
    draw: int
    returns: bool
    ranks: str


def klondike_start(
    deck: Sequence[str],
    *,
    draw: int,
    passes: int | None,
    returns: bool,
    ranks: str = KLONDIKE_RANKS,
    columns: int = 7,
) -> Klondike:
    """Deal a game of Klondike; fewer ranks and columns give a game small enough to exhaust."""
    check_deck(deck, ranks)
    if draw < 1 or (passes is not None and passes < 1):
        raise ValueError("draw and passes must be at least 1")
    if columns * (columns + 1) // 2 > len(deck):
        raise ValueError("too few cards for so many columns")
    left = list(deck)
    down: list[list[str]] = [[] for _ in range(columns)]
    up: list[list[str]] = [[] for _ in range(columns)]
    # Each face-down round starts at the last column and stops one column earlier than the
    # round before did: columns 7 … 2, then 7 … 3, and in the end column 7 alone.
    for stop in range(1, columns):
        for index in range(columns - 1, stop - 1, -1):
            down[index].append(left.pop(0))
    for index in range(columns - 1, -1, -1):
        up[index].append(left.pop(0))
    return Klondike(
        columns=tuple(Column(tuple(d), tuple(u)) for d, u in zip(down, up, strict=True)),
        foundations=((),) * len(SUITS),
        stock=tuple(left),
        waste=(),
        redeals=None if passes is None else passes - 1,
        draw=draw,
        returns=returns,
        ranks=ranks,
    )


def fits_foundation(state: Klondike, card: str) -> bool:
    """Return whether a card is the next one its foundation waits for."""
    foundation = state.foundations[SUITS.index(card[1])]
    return state.ranks.index(card[0]) == len(foundation)


def fits_column(state: Klondike, card: str, index: int) -> bool:
    """Return whether a card, alone or heading a run, may be laid at the end of a column."""
    column = state.columns[index]
    if not column.up:
        return card[0] == state.ranks[-1]
    end = column.up[-1]
    one_higher = state.ranks.index(end[0]) == state.ranks.index(card[0]) + 1
    return one_higher and is_red(end) != is_red(card)


def fits_anywhere(state: Klondike, card: str) -> bool:
    """Return whether a single card has a place on any foundation or column."""
    columns = range(len(state.columns))
    return fits_foundation(state, card) or any(fits_column(state, card, i) for i in columns)


def without_end(column: Column, count: int) -> Column:
    """Take cards off the end of a column; an uncovered face-down card turns face up."""
    up = column.up[:-count]
    if not up and column.down:
        return Column(column.down[:-1], column.down[-1:])
    return Column(column.down, up)


def klondike_card_moves(state: Klondike) -> list[tuple[str, Klondike]]:
    """List every move of a card, which is every move but drawing and redealing."""
    # What can be picked up: the cards, where they come from, the column that is (if it is one),
    # and the position without them.
    sources: list[tuple[Pile, str, int | None, Klondike]] = []
    if state.waste:
        rest = state._replace(waste=state.waste[:-1])
        sources.append((state.waste[-1:], "waste", None, rest))
    for index, column in enumerate(state.columns):
        for count in range(1, len(column.up) + 1):
            columns = replaced(state.columns, index, without_end(column, count))
            rest = state._replace(columns=columns)
            sources.append((column.up[-count:], f"column {index + 1}", index, rest))
    if state.returns:
        for index, foundation in enumerate(state.foundations):
            if foundation:
                foundations = replaced(state.foundations, index, foundation[:-1])
                rest = state._replace(foundations=foundations)
                sources.append((foundation[-1:], "foundation", None, rest))

    moves: list[tuple[str, Klondike]] = []
    for cards, origin, own_column, rest in sources:
        name = f"{'-'.join(cards)} from {origin}"
        if len(cards) == 1 and origin != "foundation" and fits_foundation(state, cards[0]):
            suit = SUITS.index(cards[0][1])
            foundations = replaced(rest.foundations, suit, rest.foundations[suit] + cards)
            moves.append((f"{name} to foundation", rest._replace(foundations=foundations)))
        for index, column in enumerate(state.columns):
            if index != own_column and fits_column(state, cards[0], index):
                grown = Column(column.down, column.up + cards)
                columns = replaced(rest.columns, index, grown)
                moves.append((f"{name} to column {index + 1}", rest._replace(columns=columns)))
    return moves


def klondike_stock_moves(state: Klondike) -> list[tuple[str, Klondike]]:
    """List the draw or the redeal, whichever is possible; there is never more than one."""
    if state.stock:
        turned, stock = state.stock[: state.draw], state.stock[state.draw :]
        return [("draw", state._replace(stock=stock, waste=state.waste + turned))]
    if state.waste and state.redeals != 0:
        redeals = None if state.redeals is None else state.redeals - 1
        # The waste is turned over as a whole, so its bottom card is the next to be drawn.
        return [("redeal", state._replace(stock=state.waste, waste=(), redeals=redeals))]
    return []


def klondike_drawable(state: Klondike) -> list[str]:
    """List the cards that drawing and redealing alone would bring to the top of the waste."""
    tops: list[str] = []
    # Without a limit on the passes the walk never ends by itself, but it runs in a circle. With
    # one it comes to a stop, and a position that stays the same has been seen as well.
    seen: set[tuple[Pile, Pile]] = set()
    while (state.stock, state.waste) not in seen:
        seen.add((state.stock, state.waste))
        moves = klondike_stock_moves(state)
        if moves:
            state = moves[0][1]
            tops.extend(state.waste[-1:])
    return tops


def klondike_ending(state: Klondike) -> str | None:
    """Return "won", "over" (no card can ever be moved again) or None (still in play)."""
    if sum(len(foundation) for foundation in state.foundations) == len(SUITS) * len(state.ranks):
        return "won"
    if klondike_card_moves(state):
        return None
    if any(fits_anywhere(state, card) for card in klondike_drawable(state)):
        return None
    return "over"


def klondike_moves(state: Klondike) -> list[tuple[str, Klondike]]:
    """List every legal move as its name and the position it leads to; none in a finished game."""
    if klondike_ending(state) is not None:
        return []
    return klondike_card_moves(state) + klondike_stock_moves(state)


# ----------------------------------------------------------------------------------- Aces Up


class AcesUp(NamedTuple):
    """An Aces Up position, with the rules it is played by.

    `held` is the card in the free cell; `discarded` counts the cards on the discard pile. The
    last rank of `ranks` plays the ace. `aces`, `cell` and `pairs` are the rule switches.
    """

    piles: tuple[Pile, ...]
    stock: Pile
    held: str | None
    discarded: int
    aces: bool
    cell: bool
    pairs: bool
    ranks: str


def acesup_start(
    deck: Sequence[str],
    *,
    aces: bool,
    cell: bool,
    pairs: bool,
    ranks: str = ACESUP_RANKS,
) -> AcesUp:
    """Deal the first four cards of Aces Up; fewer ranks make a deck small enough to exhaust."""
    check_deck(deck, ranks)
    return AcesUp(
        piles=tuple((card,) for card in deck[:4]),
        stock=tuple(deck[4:]),
        held=None,
        discarded=0,
        aces=aces,
        cell=cell,
        pairs=pairs,
        ranks=ranks,
    )


def without_tops(state: AcesUp, *indices: int) -> AcesUp:
    """Take the top card off each of the piles given."""
    piles = state.piles
    for index in indices:
        piles = replaced(piles, index, piles[index][:-1])
    return state._replace(piles=piles)


def acesup_discards(state: AcesUp) -> list[tuple[str, AcesUp]]:
    """List every discard: single beaten cards, and pairs where the rules have them."""
    moves: list[tuple[str, AcesUp]] = []
    tops = [(index, pile[-1]) for index, pile in enumerate(state.piles) if pile]
    for index, card in tops:
        # A card never beats itself, so the comparison may run over all the tops.
        if any(
            other[1] == card[1] and state.ranks.index(other[0]) > state.ranks.index(card[0])
            for _, other in tops
        ):
            after = without_tops(state, index)._replace(discarded=state.discarded + 1)
            moves.append((f"discard {card}", after))
    if state.pairs:
        for index, card in tops:
            for index2, card2 in tops:
                if index < index2 and card[0] == card2[0] != state.ranks[-1]:
                    after = without_tops(state, index, index2)
                    after = after._replace(discarded=state.discarded + 2)
                    moves.append((f"discard {card} and {card2}", after))
    return moves


def acesup_rearrangements(state: AcesUp) -> list[tuple[str, AcesUp]]:
    """List every move of a card to an empty pile or to the cell."""
    moves: list[tuple[str, AcesUp]] = []
    # Which cards can be picked up, and the position without them.
    sources: list[tuple[str, AcesUp]] = []
    for index, pile in enumerate(state.piles):
        if pile:
            rest = without_tops(state, index)
            sources.append((pile[-1], rest))
            if state.cell and state.held is None:
                moves.append((f"{pile[-1]} to cell", rest._replace(held=pile[-1])))
    if state.held is not None:
        sources.append((state.held, state._replace(held=None)))
    for card, rest in sources:
        if state.aces and card[0] != state.ranks[-1]:
            continue
        for index, pile in enumerate(state.piles):
            # Emptiness is judged before the card is lifted: a pile that only this move empties
            # is where the card came from, not a place to go.
            if not pile:
                piles = replaced(rest.piles, index, (card,))
                moves.append((f"{card} to pile {index + 1}", rest._replace(piles=piles)))
    return moves


def acesup_deals(state: AcesUp) -> list[tuple[str, AcesUp]]:
    """List the deal of one card to each pile, while the stock has cards."""
    if not state.stock:
        return []
    piles = tuple((*pile, state.stock[index]) for index, pile in enumerate(state.piles))
    return [("deal", state._replace(piles=piles, stock=state.stock[4:]))]


def acesup_ending(state: AcesUp) -> str | None:
    """Return "won", "over" (no card can ever be discarded again) or None (still in play)."""
    if state.discarded == len(SUITS) * (len(state.ranks) - 1):
        return "won"
    if state.stock:
        return None
    # Breadth first through everything that moving cards can reach.
    seen = {state}
    queue = [state]
    while queue:
        current = queue.pop(0)
        if acesup_discards(current):
            return None
        for _, after in acesup_rearrangements(current):
            if after not in seen:
                seen.add(after)
                queue.append(after)
    return "over"


def acesup_moves(state: AcesUp) -> list[tuple[str, AcesUp]]:
    """List every legal move as its name and the position it leads to; none in a finished game."""
    if acesup_ending(state) is not None:
        return []
    return acesup_discards(state) + acesup_rearrangements(state) + acesup_deals(state)


# --------------------------------------------------------------------------- for comparisons


def perft(moves_function: MovesFunction[S], state: S, depth: int) -> int:
    """Count the sequences of exactly `depth` legal moves that begin in a position."""
    if depth == 0:
        return 1
    moves = moves_function(state)
    if depth == 1:  # each move is one sequence
        return len(moves)
    return sum(perft(moves_function, after, depth - 1) for _, after in moves)


def random_walk(moves_function: MovesFunction[S], state: S, rng: Random, limit: int) -> Iterator[S]:
    """Yield a position and those after up to `limit` random moves, or until the game ends."""
    yield state
    for _ in range(limit):
        moves = moves_function(state)
        if not moves:
            return
        _, state = rng.choice(moves)
        yield state
