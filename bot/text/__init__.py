"""Every sentence a user reads, in every language.

The sentences are in one Fluent file a language beside this module, named as Discord names the language:
``en.ftl``, ``no.ftl``. To add a language, add a file; nothing else needs to be told. What a file lacks is
said in English.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources

from fluent.runtime import FluentBundle, FluentResource

DEFAULT = "en"

Argument = str | int


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


@cache
def texts_for(locale: str) -> Texts:
    """Return the sentences for one of Discord's locales, such as ``no`` or ``en-GB``; English if unknown."""
    known = languages()
    language = next((name for name in (locale, locale.partition("-")[0]) if name in known), DEFAULT)
    bundles = [_bundle(name) for name in dict.fromkeys((language, DEFAULT))]
    return Texts(language, *bundles)


@cache
def _bundle(language: str) -> FluentBundle:
    # Isolation marks would stand around every card and number, and show up as boxes in some clients.
    bundle = FluentBundle([language], use_isolating=False)
    bundle.add_resource(FluentResource(languages()[language]))
    return bundle
