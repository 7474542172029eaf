"""What a new game is when a player leaves some of it open."""

from __future__ import annotations

import secrets

from bot.storage import StoredGame
from engine import GAMES, Record, RulesSyntaxError, find_game, normalise_seed

LARGEST_DRAWN = 999_999_999  # nine digits can be read out to a friend


def new_record(earlier: StoredGame | None, game: str | None, rules: str | None, seed: str | None) -> Record:
    """Return the record of a new deal; what is not given follows the player's ``earlier`` game.

    A seed that is not given is a random number of at most nine digits.

    :raises UnknownGame: when there is no such game.
    :raises RulesSyntaxError: when the game has no such rules.
    :raises SeedError: when the text can't be a seed.
    """
    last = Record.parse(earlier.record) if earlier else None
    key = game or _game_with(rules, first=last.game if last else next(iter(GAMES)))
    found = find_game(key)
    if rules is None:
        rules = last.rules if last and last.game == key else next(iter(found.presets))
    code = found.rules_code(found.parse_rules(rules.strip().lower()))
    if seed is None:
        seed = str(1 + secrets.randbelow(LARGEST_DRAWN))
    return Record(key, code, normalise_seed(seed))


def _game_with(rules: str | None, first: str) -> str:
    """Return ``first``, or, where it has no such rules, another game that has; ``first`` if none has."""
    for key in (first, *GAMES):
        try:
            GAMES[key].parse_rules((rules or "").strip().lower())
        except RulesSyntaxError:
            continue
        return key
    return first
