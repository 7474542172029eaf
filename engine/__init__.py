"""Solitaire rules: pure, synchronous, and without anything but the standard library.

>>> from engine import GAMES, Record, replay
>>> record = Record.parse("acesup/standard/24 s-t")
>>> GAMES["acesup"].score(replay(record))
0
"""

from engine.cards import DECK, Card, Rank, Suit, normalise_seed, shuffled_deck
from engine.errors import (
    IllegalMove,
    MoveSyntaxError,
    Reason,
    RecordSyntaxError,
    RulesSyntaxError,
    SeedError,
    SolitaireError,
    SyntaxFault,
    UnknownGame,
)
from engine.game import Game, Outcome, perft
from engine.games import GAMES
from engine.move import Move, TypedMove
from engine.record import Record, find_game, replay, states
from engine.table import Pile, PileKind, Table, changes

__all__ = [
    "DECK",
    "GAMES",
    "Card",
    "Game",
    "IllegalMove",
    "Move",
    "MoveSyntaxError",
    "Outcome",
    "Pile",
    "PileKind",
    "Rank",
    "Reason",
    "Record",
    "RecordSyntaxError",
    "RulesSyntaxError",
    "SeedError",
    "SolitaireError",
    "Suit",
    "SyntaxFault",
    "Table",
    "TypedMove",
    "UnknownGame",
    "changes",
    "find_game",
    "normalise_seed",
    "perft",
    "replay",
    "shuffled_deck",
    "states",
]
