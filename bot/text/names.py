"""Games, rules and seeds as they stand in sentences."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import asdict, is_dataclass

from bot.text import Texts
from engine import PileKind, Record, find_game, pile_kind


def game_name(texts: Texts, key: str) -> str:
    """Return the name of a game; its key, capitalised, when no language names it."""
    return texts.find(f"game-{key}") or key.capitalize()


def rules_name(texts: Texts, game_key: str, code: str) -> str:
    """Return a rule set in words; its code when no language has words for that game.

    The fields of the game's rules are the arguments of the sentence, with yes, no and none for True,
    False and None, and one for 1, so that a language can choose its form.
    """
    rules = find_game(game_key).parse_rules(code)
    fields = asdict(rules) if is_dataclass(rules) and not isinstance(rules, type) else {}
    arguments = {name: _argument(value) for name, value in fields.items()}
    return texts.find(f"rules-{game_key}", **arguments) or code


def _argument(value: object) -> str | int:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "none"
    return value if isinstance(value, int) else str(value)


def pile_name(texts: Texts, name: str) -> str:
    """Return what a pile is called in a sentence: "the waste", "pile 3"."""
    if pile_kind(name) is PileKind.FOUNDATION:
        return texts("pile-foundation")
    return texts.find(f"pile-{name}") or texts("pile-numbered", number=printable(name))


def printable(text: str) -> str:
    """Return a user's text with all that could disturb a line replaced: controls, and marks that turn it."""
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if unicodedata.category(c)[0] in "CZ" and c != " " else c for c in text
    )


def _without_backticks(text: str) -> str:
    return printable(text).replace("`", "\N{MODIFIER LETTER GRAVE ACCENT}")


def isolated(text: str) -> str:
    """Return a printable text, between marks where it runs from right to left: so it turns nothing beside it.

    The marks are FSI and PDI of Unicode's annex 9. Other texts go without: some clients show marks as boxes.
    """
    if not any(unicodedata.bidirectional(c) in _RIGHT_TO_LEFT for c in text):
        return text
    return f"\N{FIRST STRONG ISOLATE}{text}\N{POP DIRECTIONAL ISOLATE}"


_RIGHT_TO_LEFT = {"R", "AL", "AN"}


def quoted(text: str) -> str:
    """Return a user's text as inline code, in which Discord neither formats nor mentions anything."""
    return isolated(f"`{_without_backticks(text)}`")


def deal_names(texts: Texts, record: Record) -> dict[str, str]:
    """Return the arguments ``game``, ``rules`` and ``seed`` of sentences that name a deal."""
    return {
        "game": game_name(texts, record.game),
        "rules": rules_name(texts, record.game, record.rules),
        "seed": quoted(record.seed),
    }


def plain(text: str, limit: int = 32) -> str:
    """Return a user's text, cut to ``limit`` characters, so that it neither formats nor mentions anything."""
    name = _without_backticks(text)
    if len(name) > limit:
        name = name[: limit - 1] + "…"
    return isolated(re.sub(r"([\\*_~|<>@#\[\]:])", r"\\\1", name))
