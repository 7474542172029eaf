"""What went over the wire and what is stored, written so that two runs of the same script can be compared.

Ids that Discord makes up are given names in the order in which they come up: `I12` is the interaction of exchange
12, `M12` the message that came of it. Everything else stays as it is; times are the script's own.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from PIL import Image, ImageSequence

from tests.wire.payloads import Message, Upload
from tests.wire.standin import Request, StandIn

Json = dict[str, Any]

_ID = re.compile(r"(?<![\w])\d{17,20}(?![\w])")
_ERROR_ID = re.compile(r"(?<=[(]Error |.[(]Feil )[0-9a-f]{6}(?=[)])")
_CALLBACK = re.compile(r"^/interactions/")
_OWN_ANSWER = re.compile(r"^/webhooks/[^/]+/[^/]+(/messages/@original)?$")


class Names:
    """The names of ids and tokens. `pixels` spares taking pictures apart whose bytes are known."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self.pixels: dict[str, str] = {}

    def add(self, id_: object, name: str) -> None:
        self._names.setdefault(str(id_), name)

    def knows(self, id_: object) -> bool:
        return str(id_) in self._names

    def of(self, value: Any) -> Any:
        """The same JSON with every known id named, and every other one masked."""
        if isinstance(value, str):
            named = self._names.get(value) or _ID.sub(lambda found: self._names.get(found[0], "#"), value)
            return _ERROR_ID.sub("#", named)
        if isinstance(value, int) and not isinstance(value, bool) and 10**16 < value < 10**20:
            return self._names.get(str(value), "#")
        if isinstance(value, Mapping):
            return {self.of(key): self.of(part) for key, part in value.items()}
        if isinstance(value, list | tuple):
            return [self.of(part) for part in value]
        return value

    def path(self, path: str) -> str:
        return "/".join(self._names.get(part) or self.of(part) for part in path.split("/"))


def in_order(value: Any) -> str:
    """JSON in one line, always the same for the same value."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def requests_of(names: Names, requests: Iterable[Request]) -> list[Json]:
    """Requests in canonical form and order.

    The order of first answers, and of what follows them in the same interaction, is that of arrival. What is
    changed elsewhere meanwhile comes after that, sorted: those requests race with one another.
    """
    answers: list[Json] = []
    others: list[Json] = []
    for request in requests:
        path = request.path
        form = _request(names, request)
        if _CALLBACK.match(path):
            answers.append(form)
        elif _OWN_ANSWER.match(path):
            others.append({**form, "own": True})
        else:
            others.append(form)
    others.sort(key=lambda form: "" if form.get("own") else in_order(form))  # stable for the own ones
    for form in others:
        form.pop("own", None)
    return [*answers, *others]


def _request(names: Names, request: Request) -> Json:
    form: Json = {"method": request.method, "path": names.path(request.path)}
    if request.query:
        form["query"] = dict(request.query)
    if request.json is not None:
        form["json"] = names.of(request.json)
    if request.files:
        form["files"] = [file_form(names, upload) for upload in request.files]
    return form


def file_form(names: Names, upload: Upload) -> Json:
    """A file by its name and content. JSON is written out; of a picture both the bytes and the pixels count."""
    form: Json = {"name": names.of(upload.filename), "number": upload.number}
    if upload.filename.endswith(".json"):
        return {**form, "content": names.of(json.loads(upload.data))}
    digest = hashlib.sha256(upload.data).hexdigest()
    form |= {"size": len(upload.data), "sha256": digest}
    if upload.filename.endswith((".png", ".gif")):
        form["pixels"] = names.pixels.get(digest) or _pixels(upload.data)
    return form


def _pixels(data: bytes) -> str:
    """Size, number of frames, and a hash of every frame with its duration."""
    digest, frames = hashlib.sha256(), 0
    with Image.open(io.BytesIO(data)) as image:
        for frame in ImageSequence.Iterator(image):
            frames += 1
            digest.update(frame.convert("RGB").tobytes())
            digest.update(str(frame.info.get("duration", 0)).encode())
        return f"{image.width}x{image.height}x{frames} {digest.hexdigest()}"


def new_messages(names: Names, standin: StandIn, number: int, title: str) -> None:
    """Name the messages that have no name yet after exchange `number`."""
    new = [message for message in standin.messages.values() if not names.knows(message.id)]
    new.sort(key=lambda message: in_order(_masked(names, message)))
    for place, message in enumerate(new):
        names.add(message.id, f"M{number}.{place + 1}" if len(new) > 1 else f"M{number}")


def _masked(names: Names, message: Message) -> Json:
    keys = ("channel_id", "content", "components", "flags")
    return {key: names.of(message.payload[key]) for key in keys}


Rows = dict[str, list[Json]]


class Stored:
    """Writes down the rows of every table, each in one line, sorted. Rows that stay are not looked at again."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._lines: dict[tuple[Any, ...], str] = {}

    def form(self, rows: Rows) -> dict[str, list[str]]:
        known = self._lines
        self._lines = {}
        for table, some in rows.items():
            for row in some:
                key = (table, *row.values())
                self._lines[key] = known.get(key) or in_order(_row(self._names, table, row))
        return {
            table: sorted(self._lines[table, *row.values()] for row in some) for table, some in rows.items()
        }


def _row(names: Names, table: str, row: Json) -> Json:
    if table == "memory" and str(row["key"]).startswith("commands:"):
        return {**names.of(row), "value": "#"}  # a hash of ids that Discord made up
    form = names.of(row)
    return {key: _parsed(value) for key, value in form.items()}


def _parsed(value: Any) -> Any:
    """JSON that is kept as a text, as JSON: so its sentences can be told from its structure."""
    if isinstance(value, str) and value.startswith("{"):
        return json.loads(value)
    return value


def difference(before: dict[str, list[str]], after: dict[str, list[str]]) -> Json:
    """What was added to and taken from each table."""
    changes: Json = {}
    for table in sorted({*before, *after}):
        old, new = before.get(table, []), after.get(table, [])
        added, gone = [*new], []
        for line in old:
            if line in added:
                added.remove(line)
            else:
                gone.append(line)
        if added or gone:
            changes[table] = {
                sign: [json.loads(line) for line in lines]
                for sign, lines in (("+", added), ("-", gone))
                if lines
            }
    return changes
