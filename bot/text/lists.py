"""Longer texts: the rules, the help, the list of games."""

from __future__ import annotations

from collections.abc import Sequence

from bot.storage import StoredGame
from bot.text import Texts
from bot.text.dates import date_text
from bot.text.names import deal_names, game_name, isolated, printable, rules_name
from engine import GAMES, Record


def names_text(texts: Texts, names: Sequence[str]) -> str:
    """Return at least one name as a list in a sentence: "a, b and c"."""
    *first, last = names
    return texts("names-and", first=", ".join(first), last=last) if first else last


def help_text(texts: Texts) -> str:
    """Return what the bot can do."""
    return texts("help-text")


def rules_text(texts: Texts, key: str) -> str:
    """Return how a game is played, and the rules to choose from."""
    lines = [texts.find(f"rules-text-{key}") or f"## {game_name(texts, key)}", "", texts("rules-presets")]
    lines += [
        texts("rules-preset-line", code=code, rules=rules_name(texts, key, code))
        for code in GAMES[key].presets
    ]
    combine = texts.find(f"rules-combine-{key}")
    return "\n".join([*lines, "", combine] if combine else lines)


def games_text(texts: Texts, games: Sequence[StoredGame]) -> str:
    """Return the list of a user's unfinished games, the last touched first."""
    if not games:
        return texts("games-none")
    lines = [texts("games-title")]
    for number, game in enumerate(games, start=1):
        record = Record.parse(game.record)
        lines.append(
            texts(
                "games-line",
                mark=f"{number}.",
                score=game.score,
                time=str(game.updated_ms // 1000),
                **_names(texts, game) | {"rules": f"`{record.rules}`"},
            )
        )
    return "\n".join([*lines, "", texts("games-how")])


def game_choice_text(texts: Texts, game: StoredGame) -> str:
    """Return one unfinished game in a line without any formatting."""
    names = _names(texts, game)
    if not game.is_contest:
        names["deal"] = isolated(printable(Record.parse(game.record).seed))
    return texts("games-choice", score=game.score, **names)


def _names(texts: Texts, game: StoredGame) -> dict[str, str]:
    """Return what names an unfinished game; ``deal`` is its seed, or the contest that hides it."""
    names = deal_names(texts, Record.parse(game.record))
    if game.day:
        deal = texts("picture-daily", date=date_text(texts, game.day))
    elif game.challenge_id:
        deal = texts("picture-challenge")
    else:
        deal = texts("deal-seed", seed=names["seed"])
    return names | {"deal": deal}
