"""The sentences as they were when the exchanges were recorded, and how they have been reworded since.

For a replay the present code runs with the old sentence of every key, so that each answer must match to the
letter, captions in pictures included. The sentences that differ today are listed in `reworded.tsv`; a test
compares that list with the language files.

A key that was renamed, or whose variables were, needs a line in `renamed.tsv`: the new key, the old key, then
`old=new` for each renamed variable, separated by tabs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).parents[1] / "data"
RECORDED_AT = "c862828"
LANGUAGES = ("en", "no")
REWORDED = DATA / "reworded.tsv"
RENAMED = DATA / "renamed.tsv"

_BEGINS = re.compile(r"([a-z][\w-]*) =|    \.([a-z][\w-]*) =")


@dataclass(frozen=True, order=True)
class Rewording:
    """A sentence that reads otherwise now; nothing in `old` or `new` where there is none of that key."""

    language: str
    key: str
    old: str
    new: str

    def __str__(self) -> str:
        return "\t".join(
            (self.language, self.key, *(json.dumps(t, ensure_ascii=False) for t in (self.old, self.new)))
        )


def old_file(language: str) -> Path:
    return DATA / f"words-{RECORDED_AT}.{language}.ftl"


def present_file(root: Path, language: str) -> Path:
    """The language file of the product in that folder.

    :raises ValueError: there is not exactly one.
    """
    [found] = (root / "bot").rglob(f"{language}.ftl")
    return found


def rewordings(root: Path) -> list[Rewording]:
    """Every sentence of the product in that folder that is not as it was."""
    return sorted(one for language in LANGUAGES for one in _rewordings(root, language))


def _rewordings(root: Path, language: str) -> Iterator[Rewording]:
    present = _sentences(present_file(root, language).read_text("utf-8"))
    old = _old_sentences(language)
    for key in {*present, *old}:
        texts = [_plain(sentences.get(key, "")) for sentences in (old, present)]
        if texts[0] != texts[1]:
            yield Rewording(language, key, *texts)


def listed() -> list[str]:
    """The lines of the list."""
    return REWORDED.read_text("utf-8").splitlines() if REWORDED.exists() else []


def names_a_command(key: str) -> bool:
    """Whether a key is the name of a command or of an option, which users have learnt, and Discord has."""
    name, _, attribute = key.partition(".")
    return name.startswith("command-") and not attribute.endswith("description")


def with_old_words(root: Path, language: str) -> str:
    """The present language file with the old sentences, as a file."""
    old = {key: text for key, text in _old_sentences(language).items() if not names_a_command(key)}
    text = present_file(root, language).read_text("utf-8")
    return "".join(old.get(key, part) if key else part for key, part in _parts(text))


def _old_sentences(language: str) -> dict[str, str]:
    """The old sentences under the keys, and with the names of facts, that they have now."""
    old = _sentences(old_file(language).read_text("utf-8"))
    for line in RENAMED.read_text("utf-8").splitlines() if RENAMED.exists() else ():
        new_key, old_key, *facts = line.split("\t")
        text = old.pop(old_key, "")
        for fact in facts:
            was, _, now = fact.partition("=")
            text = re.sub(rf"\${re.escape(was)}(?![\w-])", f"${now}", text)
        if text:
            old[new_key] = text
    return old


def _sentences(text: str) -> dict[str, str]:
    """What stands behind each key, and behind each attribute as `key.attribute`."""
    return {key: part for key, part in _parts(text) if key}


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """A language file cut into what stands behind a key, and all else, whose key is empty."""
    name = key = part = ""
    for line in text.splitlines(keepends=True):
        begins = _BEGINS.match(line)
        if begins or not line.startswith((" ", "\n")):
            yield key, part
            key = part = ""
        if begins:
            name = begins[1] or name
            key = f"{name}.{begins[2]}" if begins[2] else name
            yield "", begins[0]
        part += line[begins.end() :] if begins else line
    yield key, part


def _plain(text: str) -> str:
    """A sentence without the indentation of its lines and what is empty around it."""
    return "\n".join(line.strip() for line in text.strip().splitlines())
