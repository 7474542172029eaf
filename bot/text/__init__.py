"""Every sentence a user reads, in every language.

The sentences are in one Fluent file a language beside this module, named as Discord names the language:
``en.ftl``, ``no.ftl``. To add a language, add a file; nothing else needs to be told. What a file lacks is
said in English.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources

from fluent.runtime import FluentBundle, FluentResource

DEFAULT = "en"

Argument = str | int | float  # numbers are written as the language does


_COMMAND = re.compile(r"(?<=`/)[\w-]+")


class Texts:
    """The sentences of one language.

    ``commands`` maps the names of commands in this language to those that the reader's Discord shows, where
    it is set to another language.
    """

    def __init__(
        self, language: str, *bundles: FluentBundle, commands: Mapping[str, str] | None = None
    ) -> None:
        self.language = language
        self._bundles = bundles
        self._commands = commands or {}

    def __call__(self, key: str, **arguments: Argument) -> str:
        """Return the sentence of that key, ``name.attribute`` for one of its attributes.

        :raises KeyError: when no language has it.
        """
        found = self.find(key, **arguments)
        if found is None:
            raise KeyError(key)
        return found

    def find(self, key: str, **arguments: Argument) -> str | None:
        """Return the sentence of that key, or None when no language has it."""
        name, _, attribute = key.partition(".")
        for bundle in self._bundles:
            if bundle.has_message(name):
                message = bundle.get_message(name)
                pattern = message.attributes.get(attribute) if attribute else message.value
                if pattern is not None:
                    text, errors = bundle.format_pattern(pattern, arguments)
                    if errors:
                        raise errors[0]
                    return self._renamed(str(text))
        return None

    def _renamed(self, text: str) -> str:
        if not self._commands:
            return text
        return _COMMAND.sub(lambda found: self._commands.get(found[0], found[0]), text)


@cache
def languages() -> Mapping[str, str]:
    """Return the source of each language's file by Discord's name of the language, English first."""
    folder = resources.files("bot.text")
    files = {
        entry.name.removesuffix(".ftl"): entry.read_text("utf-8")
        for entry in folder.iterdir()
        if entry.name.endswith(".ftl")
    }
    return {DEFAULT: files.pop(DEFAULT), **dict(sorted(files.items()))}


@cache
def texts_for(locale: str, discord_locale: str | None = None) -> Texts:
    """Return the sentences for one of Discord's locales, such as ``no`` or ``en-GB``; English if unknown.

    Where the reader's Discord is set to another one, ``discord_locale``, commands are named as that has them.
    """
    language = _language(locale)
    bundles = [_bundle(name) for name in dict.fromkeys((language, DEFAULT))]
    shown = _language(discord_locale or locale)
    if shown == language:
        return Texts(language, *bundles)
    own, theirs = Texts(language, *bundles), texts_for(shown)
    keys = re.findall(r"^(command-[\w-]+) =", languages()[DEFAULT], re.MULTILINE)
    return Texts(language, *bundles, commands={own(key): theirs(key) for key in keys})


def _language(locale: str) -> str:
    known = languages()
    return next((name for name in (locale, locale.partition("-")[0]) if name in known), DEFAULT)


@cache
def _bundle(language: str) -> FluentBundle:
    # Isolation marks would stand around every card and number, and show up as boxes in some clients.
    bundle = FluentBundle([language], use_isolating=False)
    bundle.add_resource(FluentResource(languages()[language]))
    return bundle
