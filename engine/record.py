"""A record: a whole game in one line of text.

``klondike/d1/42 s-w 3-5x2 w-fh`` is the game, the rules, the seed, and then the moves. A record is what
is stored, shared and tested; state, score and picture follow from replaying it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import unquote

from engine.cards import normalise_seed
from engine.errors import RecordSyntaxError, SeedError, UnknownGame
from engine.game import Game
from engine.games import GAMES
from engine.move import Move

RECORD_MAX_CHARACTERS = 200_000


@dataclass(frozen=True, slots=True)
class Record:
    """One game from the deal to the present position.

    ``game`` is a key of ``GAMES``, ``rules`` a canonical rules code, ``seed`` a normalised seed.

    >>> str(Record("acesup", "standard", "god jul", (Move("2", "d"),)))
    'acesup/standard/god%20jul 2-d'
    """

    game: str
    rules: str
    seed: str
    moves: tuple[Move, ...] = ()

    def __str__(self) -> str:
        return " ".join((self.code, *map(str, self.moves)))

    @property
    def code(self) -> str:
        """The deal without the moves, short enough to share: ``acesup/standard/mormor``.

        Letters, digits, ``-`` and ``.`` of the seed are written as they are; everything else is
        percent-encoded as UTF-8, so that the code has no blank, no slash and nothing a chat would format.
        """
        seed = "".join(c if c.isalnum() or c in "-." else _percent(c) for c in self.seed)
        return f"{self.game}/{self.rules}/{seed}"

    @classmethod
    def parse(cls, text: str) -> Record:
        """Read what ``str(record)`` writes; any run of white space may separate the moves.

        :raises RecordSyntaxError: when the text isn't game, rules and seed with slashes between.
        :raises UnknownGame: when no game has that key.
        :raises RulesSyntaxError: when the game has no such rules.
        :raises SeedError: when the seed is not a seed.
        :raises MoveSyntaxError: when one of the moves is not in the notation.
        """
        if len(text) > RECORD_MAX_CHARACTERS:
            raise RecordSyntaxError(text, f"a record has at most {RECORD_MAX_CHARACTERS} characters")
        head, *moves = text.split() or [""]
        parts = head.split("/")
        if len(parts) != 3:
            raise RecordSyntaxError(text, "a record starts with game/rules/seed")
        game = find_game(parts[0])
        rules = game.rules_code(game.parse_rules(parts[1]))
        try:
            seed = unquote(parts[2], errors="strict")
        except UnicodeDecodeError:
            raise SeedError(parts[2], "the percent-encoding is not UTF-8") from None
        return cls(game.key, rules, normalise_seed(seed), tuple(map(Move.parse, moves)))

    def play(self, *moves: Move) -> Record:
        """Return the record with ``moves`` appended, legal or not."""
        return replace(self, moves=self.moves + moves)


def _percent(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8"))


def find_game(key: str, games: Mapping[str, Game[Any, Any]] = GAMES) -> Game[Any, Any]:
    """Return the game with that key.

    :raises UnknownGame: when there is none.
    """
    try:
        return games[key]
    except KeyError:
        raise UnknownGame(key, "the games are " + ", ".join(games)) from None


def replay(record: Record) -> Any:
    """Return the state after every move of ``record``.

    :raises IllegalMove: when one of its moves is illegal.
    """
    *_, state = states(record)
    return state


def states(record: Record) -> Iterator[Any]:
    """Yield the state after the deal and after each move of ``record``.

    :raises IllegalMove: when one of its moves is illegal.
    """
    game = find_game(record.game)
    state = game.start(record.seed, record.rules)
    yield state
    for move in record.moves:
        state = game.apply(state, move)
        yield state
