"""Discord's limits, and what the bot must never send: one check for all tests that look at messages.

Source: Discord's references of messages, components and application commands.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tests.wire.payloads import BUTTON, COMPONENTS_V2, MEDIA_GALLERY, TEXT_DISPLAY, Json, walk

ROW, SELECT = 1, 3
CONTENT_MAX = 2000
TEXT_MAX = 4000
COMPONENTS_MAX = 40
ROWS_MAX = 5
LABEL_MAX = 80
OPTION_MAX = 100
OPTIONS_MAX = 25
PLACEHOLDER_MAX = 150
CUSTOM_ID_MAX = 100
ALT_TEXT_MAX = 1024
GALLERY_MAX = 10
FILES_MAX = 10
FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}")
CHOICES_MAX = 25
CHOICE_MAX = 100
MODAL_TITLE_MAX = 45


def message_faults(body: Json) -> list[str]:
    """Return what is wrong with the body of a message that is sent or edited, in words."""
    faults = [] if _is_text(body) else ["it has no form in UTF-8"]
    faults += _size("content", body.get("content") or "", 0, CONTENT_MAX)
    parts = list(walk(body.get("components") or ()))
    texts = [str(part["content"]) for part in parts if part["type"] == TEXT_DISPLAY]
    if bool(body.get("flags", 0) & COMPONENTS_V2):
        faults += _size("components", parts, 1, COMPONENTS_MAX)
    else:
        faults += _size("rows", body.get("components") or (), 0, ROWS_MAX)
    faults += _size("all text", "".join(texts), 0, TEXT_MAX)
    for part in parts:
        faults += _part_faults(part)
    ids = [part["custom_id"] for part in parts if "custom_id" in part]
    if len(set(ids)) < len(ids):
        faults.append("a custom_id stands there twice")
    return [*faults, *_file_faults(body.get("attachments") or ())]


def choice_faults(choices: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return what is wrong with autocomplete choices."""
    choices = list(choices)
    faults = _size("choices", choices, 0, CHOICES_MAX)
    for choice in choices:
        faults += _size("a choice's name", choice["name"], 1, CHOICE_MAX)
        faults += _size("a choice's value", str(choice["value"]), 1, CHOICE_MAX)
    if len({choice["value"] for choice in choices}) < len(choices):
        faults.append("a choice's value stands there twice")
    return faults if _is_text(choices) else [*faults, "a choice has no form in UTF-8"]


def modal_faults(body: Json) -> list[str]:
    """Return what is wrong with a modal."""
    return [*_size("title", body["title"], 1, MODAL_TITLE_MAX), *_id_faults(body)]


def bot_faults(body: Json) -> list[str]:
    """Return what the bot must never send, though Discord would accept it: pings and embeds."""
    allowed = body.get("allowed_mentions")
    faults = [] if allowed == {"parse": []} else [f"it may mention: {allowed}"]
    return [*faults, "it has embeds"] if body.get("embeds") else faults


def request_faults(method: str, path: str, body: object) -> list[str]:
    """Return what is wrong with a request that sends or edits a message, or offers choices."""
    if method not in ("POST", "PATCH") or not isinstance(body, dict):
        return []
    data = body.get("data") or {} if path.endswith("/callback") else body
    if "choices" in data:
        return choice_faults(data["choices"])
    if "content" in data or "components" in data:
        return message_faults(data) + bot_faults(data)
    return []


def spoken(body: Json) -> Iterator[str]:
    """Yield every text of a message that Discord formats."""
    yield body.get("content") or ""
    yield from (
        part["content"] for part in walk(body.get("components") or ()) if part["type"] == TEXT_DISPLAY
    )


def skeleton(text: str) -> str:
    """Return what Discord would format of a text: code is emptied, an escaped character is an ``x``."""
    return re.sub(r"\\[^0-9A-Za-z\s]|`[^`\n]+`", lambda found: "x" if found[0][0] == "\\" else "``", text)


# The bot itself never writes these, so they come from a user's text.
_FOREIGN = re.compile(r"@everyone|@here|<@&|<#|<a?:|</|://|\]\(|\|\|")
_ISOLATE, _END_OF_ISOLATE = "\N{FIRST STRONG ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}"


def speech_faults(text: str, known_ids: Iterable[int] = ()) -> list[str]:
    """Return what user text brought into an answer: formatting, mentions, links, reversed or hidden text.

    ``known_ids`` are users whom the sentence may name.
    """
    faults = [f"{found} comes from a user's text" for found in _FOREIGN.findall(skeleton(text))]
    named = {int(found) for found in re.findall(r"<@!?([0-9]+)>", skeleton(text))}
    faults += [f"somebody else is named: {named}"] if named - set(known_ids) else []
    return faults + direction_faults(text)


def direction_faults(text: str) -> list[str]:
    """Return the characters that are invisible, break the line, or reverse text around them.

    An isolate without an end, as in a choice that was cut, ends with the line.
    """
    faults = []
    for line in text.split("\n"):
        depth = 0
        for character in line:
            if character in (_ISOLATE, _END_OF_ISOLATE):
                depth += 1 if character == _ISOLATE else -1
            elif (
                character != " "
                and unicodedata.category(character)[0] in "CZ"
                and character != "\N{NO-BREAK SPACE}"
            ):
                faults.append(f"U+{ord(character):04X} stands in it")
            elif depth < 1 and unicodedata.bidirectional(character) in ("R", "AL", "AN"):
                faults.append(f"U+{ord(character):04X} turns the sentence around it")
            if depth not in (0, 1):
                faults.append("isolates are not in pairs")
    return faults


def _part_faults(part: Json) -> list[str]:
    faults = _id_faults(part) if "custom_id" in part else []
    if part["type"] == BUTTON:
        faults += _size("a label", part.get("label") or "", 1, LABEL_MAX)
    if part["type"] == ROW:
        most = 1 if any(inner["type"] == SELECT for inner in part["components"]) else 5
        faults += _size("a row", part["components"], 1, most)
    if part["type"] == TEXT_DISPLAY:
        faults += _size("a text", part["content"], 1, TEXT_MAX)
    if part["type"] == SELECT:
        faults += _size("a placeholder", part.get("placeholder") or "", 0, PLACEHOLDER_MAX)
        faults += _option_faults(part["options"])
    if part["type"] == MEDIA_GALLERY:
        faults += _size("a gallery", part["items"], 1, GALLERY_MAX)
        for item in part["items"]:
            faults += _size("alt text", item.get("description") or "", 1, ALT_TEXT_MAX)
    return faults


def _option_faults(options: list[Json]) -> list[str]:
    faults = _size("options", options, 1, OPTIONS_MAX)
    for option in options:
        faults += _size("an option's label", option["label"], 1, OPTION_MAX)
        faults += _size("an option's value", option["value"], 1, OPTION_MAX)
        faults += _size("an option's description", option.get("description") or "", 0, OPTION_MAX)
    if len({option["value"] for option in options}) < len(options):
        faults.append("an option's value stands there twice")
    return faults


def _file_faults(files: Iterable[Json]) -> list[str]:
    files = list(files)
    faults = _size("files", files, 0, FILES_MAX)
    for file in files:
        name = file.get("filename")
        if name is not None and not FILE_NAME.fullmatch(name):
            faults.append(f"a file is called {name[:120]!r}")
        faults += _size("alt text", file.get("description") or "", 0, ALT_TEXT_MAX)
    return faults


def _id_faults(part: Json) -> list[str]:
    return _size("a custom_id", part["custom_id"], 1, CUSTOM_ID_MAX)


def _size(what: str, counted: Any, least: int, most: int) -> list[str]:
    return [] if least <= len(counted) <= most else [f"{what} has {len(counted)}, not {least} to {most}"]


def _is_text(body: Any) -> bool:
    try:
        json.dumps(body, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True
