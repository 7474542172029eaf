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
    """The sentences of one language."""

    def __init__(self, language: str, *bundles: FluentBundle) -> None:
        self.language = language
        self._bundles = bundles

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
                    return str(text)
        return None


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


def texts_for(locale: str, discord_locale: str | None = None) -> Texts:
    """Return the sentences for one of Discord's locales, such as ``no`` or ``en-GB``; English if unknown.

    Where the reader's Discord is set to another one, ``discord_locale``, commands are named as that has them.
    """
    return _texts(_language(locale), _language(discord_locale or locale))


@cache
def _texts(language: str, shown: str) -> Texts:
    names = dict.fromkeys((language, DEFAULT))
    if shown == language:
        return Texts(language, *map(_bundle, names))
    own, theirs = _texts(language, language), _texts(shown, shown)
    keys = re.findall(r"^(command-[\w-]+) =", languages()[DEFAULT], re.MULTILINE)
    commands = {own(key): theirs(key) for key in keys}
    return Texts(language, *(_renamed(name, commands) for name in names))


def _language(locale: str) -> str:
    known = languages()
    return next((name for name in (locale, locale.partition("-")[0]) if name in known), DEFAULT)


@cache
def _bundle(language: str) -> FluentBundle:
    return _made(language, languages()[language])


def _renamed(language: str, commands: Mapping[str, str]) -> FluentBundle:
    """Return a bundle with other names of commands: in its sentences, not in what is put into them."""
    source = _COMMAND.sub(lambda found: commands.get(found[0], found[0]), languages()[language])
    return _made(language, source)


def _made(language: str, source: str) -> FluentBundle:
    # Isolation marks would stand around every card and number, and show up as boxes in some clients.
    bundle = FluentBundle([language], use_isolating=False)
    bundle.add_resource(FluentResource(source))
    return bundle
