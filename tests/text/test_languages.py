"""Every language says everything, with the same facts, and nothing is there in vain."""

from __future__ import annotations

import ast as python
import re
from collections.abc import Iterator
from itertools import product

import discord
import pytest
from discord import app_commands
from fluent.syntax import ast

from bot.discord_app.client import BotClient
from bot.discord_app.features.daily_posts.posts import FILES, FORBIDDEN, GONE, OTHER
from bot.discord_app.features.leaderboard import SCOPES
from bot.discord_app.features.settings import SWITCHES
from bot.service import ServiceError, TurnAction
from bot.service.daily.boards import PERIODS
from bot.storage import Status
from bot.text import DEFAULT, Texts, _bundle, languages, texts_for, turns
from bot.text.lessons import LESSONS
from bot.text.names import rules_name
from engine import GAMES, ParseError, Reason, Suit
from engine.games.acesup import AcesUpReason
from engine.games.klondike import KlondikeReason
from tests.text.conftest import (
    BOT,
    LANGUAGES,
    commands_named_in,
    entries,
    in_every_language,
    messages,
    placeholders,
    source_of,
)

OTHERS = [language for language in LANGUAGES if language != DEFAULT]

KLONDIKE_CODES = [
    f"d{draw}{passes}{returns}"
    for draw, passes, returns in product("13", ["", *(f"p{n}" for n in range(1, 10))], ["", "r"])
]
ACESUP_CODES = [
    "standard",
    "aces",
    "cell",
    "pairs",
    "aces+cell",
    "aces+pairs",
    "cell+pairs",
    "aces+cell+pairs",
]


def test_english_and_norwegian_are_there() -> None:
    assert LANGUAGES[:2] == ("en", "no")


def test_every_language_file_is_found() -> None:
    assert {f"{language}.ftl" for language in LANGUAGES} == {f.name for f in (BOT / "text").glob("*.ftl")}


@in_every_language
def test_no_line_of_a_language_is_misunderstood(language: str) -> None:
    assert [entry.content for entry in entries(language) if isinstance(entry, ast.Junk)] == []


@in_every_language
def test_no_message_is_written_twice(language: str) -> None:
    names = [entry.id.name for entry in entries(language) if isinstance(entry, ast.Message)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_the_same_messages_in_the_same_order(language: str) -> None:
    assert list(messages(language)) == list(messages(DEFAULT))


@pytest.mark.parametrize("language", OTHERS)
def test_every_message_has_the_same_attributes(language: str) -> None:
    def attributes(name: str) -> dict[str, list[str]]:
        return {key: [a.id.name for a in message.attributes] for key, message in messages(name).items()}

    assert attributes(language) == attributes(DEFAULT)


@pytest.mark.parametrize("language", OTHERS)
def test_every_message_has_the_same_placeholders(language: str) -> None:
    english, other = messages(DEFAULT), messages(language)
    assert {key: placeholders(other[key]) for key in english} == {
        key: placeholders(english[key]) for key in english
    }


@in_every_language
def test_every_command_a_sentence_names_is_one_of_that_language(language: str) -> None:
    own = messages(language)
    commands = {"".join(source_of(m.value)) for key, m in own.items() if key.startswith("command-")}
    named = {key: commands_named_in("".join(source_of(message))) for key, message in own.items()}
    assert {key: names - commands for key, names in named.items() if names - commands} == {}
    assert set().union(*named.values())


@pytest.mark.parametrize("language", OTHERS)
def test_a_sentence_names_as_many_commands_as_the_english_one(language: str) -> None:
    english, other = messages(DEFAULT), messages(language)
    for key, message in english.items():
        named = [len(commands_named_in("".join(source_of(m)))) for m in (message, other[key])]
        assert named[0] == named[1], key


def test_what_no_language_has_is_not_found() -> None:
    texts = texts_for(DEFAULT)
    assert texts.find("no-such-message") is None
    assert texts.find("command-new.no-such-attribute") is None
    with pytest.raises(KeyError, match="no-such-message"):
        texts("no-such-message")


@pytest.mark.parametrize(
    ("locale", "language"), [("no", "no"), ("en-US", "en"), ("en-GB", "en"), ("zh-CN", "en"), ("", "en")]
)
def test_a_locale_is_read_in_its_language_or_in_english(locale: str, language: str) -> None:
    assert texts_for(locale).language == language


def test_what_a_language_lacks_is_said_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    short = {**languages(), "xx": "game-klondike = Ex"}
    monkeypatch.setattr("bot.text.languages", lambda: short)
    texts = Texts("xx", _bundle.__wrapped__("xx"), _bundle("en"))
    assert (texts("game-klondike"), texts("game-acesup")) == ("Ex", "Aces Up")
    assert texts("command-new.description") == "Deal a new game"


@in_every_language
@pytest.mark.parametrize(("key", "codes"), [("klondike", KLONDIKE_CODES), ("acesup", ACESUP_CODES)])
def test_two_rule_sets_are_never_called_the_same(language: str, key: str, codes: list[str]) -> None:
    names = [rules_name(texts_for(language), key, code) for code in codes]
    assert len(set(names)) == len(codes)


@pytest.mark.parametrize(
    ("language", "key", "code", "words"),
    [
        ("en", "klondike", "d1", "draw 1"),
        ("en", "klondike", "d3p1", "draw 3, once through the stock"),
        ("en", "klondike", "d1p3r", "draw 1, 3 passes, return from foundations"),
        ("en", "acesup", "standard", "standard"),
        ("en", "acesup", "aces+cell+pairs", "aces only to empty piles + free cell + pairs"),
        ("no", "klondike", "d1p1", "trekk 1, én gang gjennom talongen"),
        ("no", "klondike", "d3p2", "trekk 3, 2 ganger gjennom talongen"),
        ("no", "acesup", "cell", "vanlige regler + fri celle"),
    ],
)
def test_rules_in_words(language: str, key: str, code: str, words: str) -> None:
    assert rules_name(texts_for(language), key, code) == words


# Which messages the program uses

# The piles that have no number; foundations are called alike.
PILE_NAMES = ("s", "w", "c", "d", "t")


# Every f-string that names a message, with all it can become. A new one must be enumerated here.
def error_classes(root: type[ServiceError] = ServiceError) -> list[type[ServiceError]]:
    """Every error of the service that has a message."""
    below = [kind for one in root.__subclasses__() for kind in (one, *error_classes(one))]
    return [kind for kind in below if hasattr(kind, "key")]


FAMILIES: dict[str, set[str]] = {
    "fault-{}": {f"fault-{kind.key}" for kind in ParseError.__subclasses__()},
    "illegal-{}": {f"illegal-{one}" for reasons in (Reason, KlondikeReason, AcesUpReason) for one in reasons}
    | {"illegal-wrong-column-king"},
    "suit-{}": {f"suit-{suit.name.lower()}" for suit in Suit},
    "game-{}": {f"game-{key}" for key in GAMES},
    "rules-{}": {f"rules-{key}" for key in GAMES},
    "rules-text-{}": {f"rules-text-{key}" for key in GAMES},
    "rules-combine-{}": {f"rules-combine-{key}" for key in GAMES},
    "turn-over-{}": {"turn-over-acesup"},
    "pile-{}": {f"pile-{name}" for name in PILE_NAMES},
    "lesson-{}-{}": {lesson.key for lessons in LESSONS.values() for lesson in lessons},
    "settings-{}": {f"settings-{name.replace('_', '-')}" for name in SWITCHES},
    "move-{}{}": {f"move-{run}{place}" for run in ("", "run-", "back-") for place in ("onto", "empty")}
    - {"move-back-onto"},
    "month-{}": {f"month-{number}" for number in range(1, 13)},
    "board-when-{}": {f"board-when-{key}" for key in PERIODS},
    "board-mine-{}": {f"board-mine-{scope}" for scope in SCOPES},
    "replay-{}": {"replay-title", "replay-alt"},
    "replay-best-{}": {"replay-best-title", "replay-best-alt"},
    "trouble-{}": {f"trouble-{what}" for what in (FORBIDDEN, GONE, FILES, OTHER)},
}
# Names of commands and options: those are asked of the commands themselves.
COMMAND_FAMILIES = {"command-{}"}


def program() -> Iterator[python.AST]:
    for path in sorted(BOT.rglob("*.py")):
        yield from python.walk(python.parse(path.read_text("utf-8")))


def pattern(node: python.JoinedStr) -> str:
    return "".join(str(part.value) if isinstance(part, python.Constant) else "{}" for part in node.values)


def plain_keys() -> set[str]:
    """Every string of the program that looks like the key of a message."""
    strings = {node.value for node in program() if isinstance(node, python.Constant)}
    return {s for s in strings if isinstance(s, str) and re.fullmatch(r"[a-z]+(-[a-z]+)+(\.[a-z-]+)?", s)}


def looked_up_keys() -> set[str]:
    """Every string that the program passes as it stands to what looks messages up."""
    found = set()
    for node in program():
        if isinstance(node, python.Call) and node.args and isinstance(node.args[0], python.Constant):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            argument = node.args[0].value
            if name in ("texts", "find", "label") and isinstance(argument, str):
                found.add(argument)
    return found


def patterns() -> set[str]:
    starts = {name.split("-")[0] + "-" for name in messages(DEFAULT)}
    joined = {pattern(node) for node in program() if isinstance(node, python.JoinedStr)}
    keys = {text for text in joined if re.fullmatch(r"[a-z]+-[-a-z.{}]*", text)}
    return {
        text for text in keys if text.split("-")[0] + "-" in starts and not text.endswith((".png", ".gif"))
    }


async def command_keys(client: BotClient) -> set[str]:
    """The keys of every name and description of a command."""
    keys: set[str] = set()
    for command in client.tree.get_commands():
        translated = Recorder()
        await command.get_translated_payload(client.tree, translated)
        keys |= translated.keys
    return keys


class Recorder(app_commands.Translator):
    """Translates nothing and notes what it is asked for."""

    def __init__(self) -> None:
        self.keys: set[str] = set()

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> None:
        self.keys.add(string.extras.get("key", ""))


async def test_every_message_is_used(client: BotClient) -> None:
    used = (plain_keys() | looked_up_keys()).union(*FAMILIES.values(), await command_keys(client))
    used |= {f"{key}.about" for key in FAMILIES["settings-{}"]}
    every = set(messages(DEFAULT))
    every |= {f"{key}.{a.id.name}" for key, message in messages(DEFAULT).items() for a in message.attributes}
    assert every - used == set()


async def test_every_key_that_is_used_is_there(client: BotClient) -> None:
    texts = texts_for(DEFAULT)
    optional = {
        "rules-combine-",
        "rules-text-",
        "rules-",
        "game-",
        "turn-over-",
    }  # a game without words of its own has none
    tables = {*turns._ENDINGS.values(), *(kind.key for kind in error_classes())}
    for key in looked_up_keys() | tables | await command_keys(client) - {""}:
        name, _, attribute = key.partition(".")
        assert name in messages(DEFAULT), key
        assert not attribute or texts.find(key) or placeholders(messages(DEFAULT)[name]), key
    for family, keys in FAMILIES.items():
        assert keys <= set(messages(DEFAULT)) or family.removesuffix("{}") in optional, family


def test_every_family_of_keys_is_enumerated() -> None:
    assert patterns() == set(FAMILIES) | COMMAND_FAMILIES


def test_every_deed_and_every_ending_has_words() -> None:
    assert set(turns._ENDINGS) == set(Status) - {Status.PLAYING}
    assert len(TurnAction) == 8  # a new one needs words in bot/text/turns.py, and a test in test_turns.py
