"""Checks of request and response bodies against Discord's published OpenAPI document.

The document is JSON Schema 2020-12 inside OpenAPI 3.1. Where it is stricter than Discord itself, `_amend`
says how and why; where Discord is stricter than the document, `layout_faults` says what more holds.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from referencing import Registry
from referencing.jsonschema import DRAFT202012

from tests.wire.payloads import BUTTON, COMPONENTS_V2, TEXT_DISPLAY, Json, walk

# Beside the repository, not in it: the document is Discord's and is not redistributed here.
DOCUMENT = Path(__file__).resolve().parents[3] / "shared" / "discord-openapi" / "openapi.json"

_URI = "urn:discord:openapi"
ACTION_ROW = 1
MAX_COMPONENTS = 40
MAX_TEXT = 4000
MAX_MESSAGE = 200


class Contract:
    """Answers whether a body fits the schema of its route.

    >>> contract = Contract({"paths": {"/x": {"post": {"requestBody": {"content": {"application/json": {
    ...     "schema": {"type": "object", "required": ["name"]}}}}}}}})
    >>> contract.request_faults("POST", "/x", {})
    ["POST /x: body: 'name' is a required property"]
    """

    def __init__(self, document: Json) -> None:
        self._document = document
        self._registry: Registry[Any] = Registry().with_resource(_URI, DRAFT202012.create_resource(document))
        self._validators: dict[str, Draft202012Validator | None] = {}

    def request_faults(self, method: str, template: str, body: object) -> list[str]:
        """What is wrong with a request's JSON, in words; empty if nothing is, or if the route takes no body.

        `template` is the path as the document writes it, with names in braces.

        A multipart request is held to the schema for `application/json` too: `body` is then its
        `payload_json`, and the document's multipart schema adds nothing but the names of the file fields.
        """
        return self._faults(f"{method} {template}: body", [template, method.lower(), "requestBody"], body)

    def response_faults(self, method: str, template: str, body: object) -> list[str]:
        """The same for the JSON of an answer with status 200; it keeps the stand-in itself honest."""
        return self._faults(
            f"{method} {template}: answer", [template, method.lower(), "responses", "200"], body
        )

    def _faults(self, where: str, keys: list[str], body: object) -> list[str]:
        validator = self._validator(["paths", *keys, "content", "application/json", "schema"])
        if validator is None:
            return []
        return [_in_words(where, _cause(error)) for error in validator.iter_errors(body)]

    def _validator(self, keys: list[str]) -> Draft202012Validator | None:
        pointer = "/".join(key.replace("~", "~0").replace("/", "~1") for key in keys)
        if pointer not in self._validators:
            schema = {"$ref": f"{_URI}#/{pointer}"}
            known = _has(self._document, keys)
            self._validators[pointer] = (
                Draft202012Validator(schema, registry=self._registry) if known else None
            )
        return self._validators[pointer]


def _cause(error: ValidationError) -> ValidationError:
    """The error inside the alternative the sender meant, where a body fits none of several.

    An alternative was not meant if it wants another JSON type, or another number in its field `type`.
    """
    alternatives: dict[object, list[ValidationError]] = {}
    for inner in error.context or ():
        alternatives.setdefault(inner.relative_schema_path[0], []).append(inner)
    meant = [inner for inner in alternatives.values() if not any(map(_is_other_kind, inner))]
    return _cause(meant[0][0]) if len(meant) == 1 else error


def _is_other_kind(error: ValidationError) -> bool:
    path = list(error.relative_path)
    if error.validator == "type":
        return not path
    return path == ["type"] and error.validator in ("enum", "const")


def _in_words(where: str, error: ValidationError) -> str:
    place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.absolute_path)
    message = error.message
    if len(message) > MAX_MESSAGE:  # jsonschema repeats the offending value, however long it is
        message = f"{message[: MAX_MESSAGE // 2]} … {message[-MAX_MESSAGE // 2 :]}"
    return f"{where}{place}: {message}"


@cache
def published() -> Contract | None:
    """The contract of Discord's own document, or None where the document is not at hand."""
    if not DOCUMENT.exists():
        return None
    return Contract(_amend(json.loads(DOCUMENT.read_text(encoding="utf-8"))))


def _amend(document: Json) -> Json:
    """The document with its deliberate exceptions.

    Snowflakes: the document wants strings. Discord takes integers as well, and every discord.py bot sends
    them, for the ids of attachments and of a direct message's recipient.
    """
    schemas = document["components"]["schemas"]
    schemas["SnowflakeType"] = {"anyOf": [schemas["SnowflakeType"], {"type": "integer", "minimum": 0}]}
    return document


def _has(document: Json, keys: list[str]) -> bool:
    node = document
    for key in keys:
        if key not in node:
            return False
        node = node[key]
    return True


def layout_faults(message: Json) -> list[str]:
    """Rules on components that Discord enforces and a JSON schema cannot say, applied to a finished message.

    Source: Discord's component reference.
    """
    top = message["components"]
    every = list(walk(top))
    rows = [c for c in every if c["type"] == ACTION_ROW]
    custom_ids = Counter(c["custom_id"] for c in every if "custom_id" in c)
    repeated = [custom_id for custom_id, count in custom_ids.items() if count > 1]
    text = sum(len(c["content"]) for c in every if c["type"] == TEXT_DISPLAY)
    layout = bool(message["flags"] & COMPONENTS_V2)
    rules = {
        f"custom_id {', '.join(repeated)} is used twice": bool(repeated),
        f"{len(every)} components, {MAX_COMPONENTS} are allowed": layout and len(every) > MAX_COMPONENTS,
        f"{text} characters of text, {MAX_TEXT} are allowed": text > MAX_TEXT,
        "content and embeds cannot go with IS_COMPONENTS_V2": layout and _has_legacy_parts(message),
        "layout components need the flag IS_COMPONENTS_V2": not layout and len(rows) < len(top),
        "an action row holds at most 5 buttons": any(_buttons(row) > 5 for row in rows),
        "an action row holds buttons or one select": any(
            0 < _buttons(r) < len(r["components"]) for r in rows
        ),
    }
    return [fault for fault, broken in rules.items() if broken]


def _has_legacy_parts(message: Json) -> bool:
    return bool(message["content"] or message["embeds"])


def _buttons(row: Json) -> int:
    return sum(child["type"] == BUTTON for child in row["components"])
