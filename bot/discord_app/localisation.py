"""Names and descriptions of commands in every language, from the same files as all other sentences."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.text import DEFAULT, languages, texts_for


def label(key: str) -> app_commands.locale_str:
    """Return the English text of ``key``, which Discord gets in the other languages too."""
    return app_commands.locale_str(texts_for(DEFAULT)(key), key=key)


class FluentTranslator(app_commands.Translator):
    """Looks a command's label up in the file of the language."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """Return the label in that language, or None where the English one serves."""
        if locale.value not in languages() or locale.value == DEFAULT or "key" not in string.extras:
            return None
        return texts_for(locale.value).find(string.extras["key"])
