"""Choices for the options of commands while they are typed: at most 25, none twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from discord import app_commands

from bot.discord_app.context import Choices
from bot.discord_app.localisation import label
from bot.service import Turn
from bot.storage import StoredGame
from bot.text import DEFAULT, Texts, texts_for
from bot.text.lists import game_choice_text
from bot.text.moves import move_text
from bot.text.names import game_name, rules_name
from engine import GAMES, Move, MoveKind, MoveSyntaxError, RulesSyntaxError, TypedMove

MAX_CHOICES = 25  # Discord's limits
SEED_INPUT_MAX_CHARACTERS = 200
NAME_MAX_CHARACTERS = 100


def game_options() -> Choices:
    """Return the games, as fixed choices with names in every language."""
    texts = texts_for(DEFAULT)
    return [
        app_commands.Choice(
            name=label(f"game-{key}") if texts.find(f"game-{key}") else game_name(texts, key), value=key
        )
        for key in GAMES
    ]


def moves(texts: Texts, turn: Turn | None, typed: str) -> Choices:
    """Return every legal move of cards, as a whole."""
    if turn is None:
        return []
    return _choices(_named_moves(texts, turn, _card_moves(turn)), typed)


def targets(texts: Texts, turn: Turn | None, source: str, typed: str) -> Choices:
    """Return where cards from ``source`` can go."""
    if turn is None:
        return []
    try:
        start = TypedMove.parse(source).source
    except MoveSyntaxError:
        start = source.strip().lower()
    legal = [move for move in _card_moves(turn) if move.source == start]
    return _choices(((name, move.target) for name, move in _with_moves(texts, turn, legal)), typed)


def discards(texts: Texts, turn: Turn | None, typed: str) -> Choices:
    """Return every legal discard."""
    if turn is None:
        return []
    legal = [move for move in turn.legal_moves if move.kind.is_discard]
    return _choices(((name, move.source) for name, move in _with_moves(texts, turn, legal)), typed)


def rules(texts: Texts, game_key: str | None, typed: str) -> Choices:
    """Return the presets of the game that was picked, and whatever valid rules are being typed."""
    keys = [game_key] if game_key in GAMES else list(GAMES)
    offered: dict[str, str] = {}
    for key in keys:
        game = GAMES[key]
        try:
            code = game.rules_code(game.parse_rules(typed.strip().lower()))
            offered[code] = rules_name(texts, key, code)
        except RulesSyntaxError:
            pass
        offered |= {code: rules_name(texts, key, code) for code in game.presets}
    return _choices(((f"{code} · {name}", code) for code, name in offered.items()), typed)


def games(texts: Texts, unfinished: Sequence[StoredGame], typed: str) -> Choices:
    """Return the unfinished games, last played first."""
    return _choices(((game_choice_text(texts, game), str(game.id)) for game in unfinished), typed)


def _card_moves(turn: Turn) -> list[Move]:
    """Return the moves that ``/move`` is for: all but what ``/draw`` and ``/discard`` do."""
    return [move for move in turn.legal_moves if move.kind is MoveKind.MOVE]


def _with_moves(texts: Texts, turn: Turn, legal: Iterable[Move]) -> list[tuple[str, Move]]:
    return [(move_text(texts, turn.table, move), move) for move in legal]


def _named_moves(texts: Texts, turn: Turn, legal: Iterable[Move]) -> list[tuple[str, str]]:
    return [(name, str(move)) for name, move in _with_moves(texts, turn, legal)]


def _choices(offered: Iterable[tuple[str, str]], typed: str) -> Choices:
    """Return what fits the typed text, by name or value; those that begin with it come first."""
    wanted = typed.strip().casefold()
    fitting: dict[str, str] = {}
    for name, value in offered:
        if wanted in name.casefold() or wanted in value.casefold():
            fitting.setdefault(value, name)
    ranked = sorted(fitting.items(), key=lambda item: not item[1].casefold().startswith(wanted))
    return [
        app_commands.Choice(name=name[:NAME_MAX_CHARACTERS], value=value)
        for value, name in ranked[:MAX_CHOICES]
    ]
