"""Solitaire rules: pure and synchronous, on the standard library alone.

>>> from engine import GAMES, Record, replay
>>> record = Record.parse("acesup/standard/24 s-t")
>>> GAMES["acesup"].score(replay(record))
0
"""

from engine.cards import DECK, Card, Rank, Suit, normalise_seed, shuffled_deck
from engine.errors import (
    MoveSyntaxError,
    ParseError,
    RecordSyntaxError,
    RulesSyntaxError,
    SeedError,
    SolitaireError,
    UnknownGame,
)
from engine.game import Game, Outcome, perft
from engine.games import GAMES
from engine.illegal import IllegalMove, Reason
from engine.move import Move, MoveKind, TypedMove, pile_kind
from engine.record import Record, find_game, replay, states
from engine.table import Pile, PileKind, Table, diff

SyntaxFault = ParseError  # the former names; no new code should use them
changes = diff

__all__ = [
    "DECK",
    "GAMES",
    "Card",
    "Game",
    "IllegalMove",
    "Move",
    "MoveKind",
    "MoveSyntaxError",
    "Outcome",
    "ParseError",
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
    "diff",
    "find_game",
    "normalise_seed",
    "perft",
    "pile_kind",
    "replay",
    "shuffled_deck",
    "states",
]
