"""Codes and records that users paste: a text becomes a game, or it is said what is wrong with it."""

from __future__ import annotations

from bot.service.errors import BadMoveInCode, TooManyMovesInCode
from bot.service.turn import Position
from engine import (
    GAMES,
    IllegalMove,
    Move,
    MoveSyntaxError,
    Record,
    RecordSyntaxError,
    find_game,
)
from engine.record import RECORD_MAX_CHARACTERS

# In what is shared these stand around a code whose seed runs from right to left. Of a seed itself they are
# never written as they are.
_MARKS = dict.fromkeys(map(ord, "\N{FIRST STRONG ISOLATE}\N{POP DIRECTIONAL ISOLATE}"))


def read_code(text: str) -> tuple[Record, list[str]]:
    """Return the deal in a text, without moves, and the words behind it, which may be moves.

    White space around it, backticks, and a sentence in front of it, as in a pasted line, are passed over.
    Game and rules may be written in capitals.

    :raises RecordSyntaxError: when there is no code in the text, or the text is too long to be one.
    :raises UnknownGame: when no game has that key.
    :raises RulesSyntaxError: when the game has no such rules.
    :raises SeedError: when the seed can't be one.
    """
    if len(text) > RECORD_MAX_CHARACTERS:
        raise RecordSyntaxError(text, f"a record has at most {RECORD_MAX_CHARACTERS} characters")
    head, words = _parts(text.translate(_MARKS))
    return Record.parse(head), words


def play_words(deal: Record, words: list[str], max_moves: int) -> Position:
    """Return where the game stands after the moves that ``words`` are.

    :raises TooManyMovesInCode: when there are more than ``max_moves``.
    :raises BadMoveInCode: when one is not in the notation, or not legal where it stands.
    """
    if len(words) > max_moves:
        raise TooManyMovesInCode(max_moves)
    game = find_game(deal.game)
    state = game.start(deal.seed, deal.rules)
    moves: list[Move] = []
    for number, word in enumerate(words, start=1):
        try:
            move = Move.parse(word)
            state = game.apply(state, move)
        except (MoveSyntaxError, IllegalMove) as error:
            raise BadMoveInCode(number, word, error) from None
        moves.append(move)
    return Position.of(deal.play(*moves))


def _parts(text: str) -> tuple[str, list[str]]:
    """Return the code in a text, with game and rules in lower case, and the words behind it.

    Where the code stands in backticks, what is behind them doesn't belong to it.
    """
    for stretch in (*text.split("`")[1::2], text.replace("`", " ")):
        words = stretch.split()
        for place, word in enumerate(words):
            game, *others = word.split("/")
            if len(others) == 2 and (game.lower() in GAMES or len(words) == 1):
                rules, seed = others
                return f"{game.lower()}/{rules.lower()}/{seed}", words[place + 1 :]
    words = text.replace("`", " ").split()
    return (words[0], words[1:]) if words and words[0].count("/") == 2 else (text, [])
