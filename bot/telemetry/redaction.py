"""Removes from log texts what must never be logged: tokens, the daily secret, passwords and user input.

An exception about a player's text, or of a class whose message usually quotes a value (``KeyError``,
``ValueError``), is logged by class alone; its traceback shows the line that raised it. Other exceptions keep
their message. The texts that came with the current request, and the record of any game, are removed wherever
they occur.
"""

from __future__ import annotations

import re
import traceback
from collections.abc import Collection, Iterator, Mapping
from typing import Any
from urllib.parse import quote

from engine import GAMES, IllegalMove, SolitaireError

SECRET, TYPED = "[secret]", "[typed]"
TEXT_MAX_CHARACTERS = 2_000
EXCEPTION_MAX_CHARACTERS = 12_000

_MAX_CHARACTERS = 100_000  # the rest of a text is cut off before anything else is done
_MIN_TYPED_CHARACTERS = 3  # shorter ones are moves and piles, which occur in any sentence
_MAX_TYPED_CHARACTERS = 200  # a longer text is recognised by its beginning
_MAX_FRAMES, _MAX_CHAIN, _MAX_MEMBERS = 40, 6, 5
_MESSAGE_MAX_CHARACTERS = 500

_CLASS_ONLY = (
    SolitaireError,
    ValueError,
    LookupError,
)  # and their subclasses: the message may quote user input

_SECRETS = re.compile(
    r"""
    (?P<keep> /(?:webhooks|interactions)/\d+/ ) [^/?\s'"<>)]+  # the token in one of Discord's URLs
    | (?P<scheme> \b(?:Bot|Bearer)\s+ ) [\w.=-]{20,}           # an Authorization header
    | \b [\w-]{23,28} \. [\w-]{6,7} \. [\w-]{27,}              # a bot's token
    | \b aW50ZXJhY3Rpb2 [\w=-]+                                # an interaction token: "interactio…" in base64
    | (?<![\w-]) (?=[\w-]*[A-Z]) (?=[\w-]*[a-z]) (?=[\w-]*\d) [\w-]{60,}  # what looks like a webhook token
    """,
    re.VERBOSE,
)
_RECORD = re.compile(rf"\b(?:{'|'.join(map(re.escape, GAMES))})/[\w+]+/[^\n]*")
# asyncio puts the exception of a task that was never awaited into its message.
_IN_TASK = re.compile(r"exception=(\w+)\((?:.*\)(?=>)|.*)", re.DOTALL)


class Redactor:
    """Removes ``secrets`` and user input from texts, values and exceptions.

    Exceptions of a class in ``class_only`` may quote user input, so that their messages are left out.
    """

    def __init__(
        self, secrets: Collection[str] = (), class_only: Collection[type[BaseException]] = ()
    ) -> None:
        self._known = sorted(filter(None, secrets), key=len, reverse=True)
        self._class_only: tuple[type[BaseException], ...] = (*_CLASS_ONLY, *class_only)

    def text(self, text: str, typed: Collection[str] = (), limit: int = TEXT_MAX_CHARACTERS) -> str:
        """Return a text without secrets and ``typed``, shortened in the middle to ``limit`` characters."""
        text = text[:_MAX_CHARACTERS]
        for secret in self._known:
            text = text.replace(secret, SECRET)
        for pattern in map(_typed_pattern, typed):
            text = pattern.sub(TYPED, text) if pattern else text
        text = shortened(text, 4 * limit)  # part of a secret at the cut is cut off below
        text = _SECRETS.sub(lambda found: f"{found['keep'] or found['scheme'] or ''}{SECRET}", text)
        text = _IN_TASK.sub(r"exception=\1", text)
        text = _RECORD.sub(TYPED, text)
        return shortened(text, limit)

    def exception(self, error: BaseException, typed: Collection[str] = ()) -> str:
        """Return an exception's traceback with its causes, in Python's order."""
        text = "\n".join(line.rstrip("\n") for line in self._traceback(error, typed, set()))
        return shortened(self.text(text, limit=len(text)), EXCEPTION_MAX_CHARACTERS)

    def message(self, error: BaseException, typed: Collection[str] = ()) -> str:
        """Return ``Class: message``, or as much of it as may be logged."""
        kind = type(error)
        name = (
            kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
        )
        if isinstance(error, IllegalMove):
            return f"{name}: {error.reason}"
        if isinstance(error, self._class_only):
            return name
        try:
            message = str(error)
        except Exception:  # noqa: BLE001 - an exception whose __str__ fails must still be logged
            return name
        message = self.text(message, typed, _MESSAGE_MAX_CHARACTERS)
        return f"{name}: {message}" if message else name

    def _traceback(self, error: BaseException, typed: Collection[str], seen: set[int]) -> Iterator[str]:
        seen.add(id(error))
        cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        if cause is not None and id(cause) not in seen and len(seen) < _MAX_CHAIN:
            yield from self._traceback(cause, typed, seen)
            yield (
                "The above exception was the direct cause of this one:"
                if error.__cause__
                else ("During handling of the above exception, this one occurred:")
            )
        if error.__traceback__ is not None:
            yield "Traceback (most recent call last):"
            yield from traceback.format_list(traceback.extract_tb(error.__traceback__, limit=-_MAX_FRAMES))
        yield self.message(error, typed)
        if isinstance(error, BaseExceptionGroup):
            for member in error.exceptions[:_MAX_MEMBERS]:
                for line in self._traceback(member, typed, seen):
                    yield "  " + line.rstrip("\n").replace("\n", "\n  ")

    def value(self, value: Any, typed: Collection[str] = ()) -> Any:
        """Return a field of a log line, redacted recursively; numbers, booleans and None stay as they are."""
        if value is None or isinstance(value, (bool, float)) or (type(value) is int and abs(value) < 2**64):
            return value
        if isinstance(value, BaseException):
            return self.message(value, typed)
        if isinstance(value, Mapping):
            return {str(key): self.value(item, typed) for key, item in value.items()}
        if isinstance(value, (list, tuple, set, frozenset)):
            return [self.value(item, typed) for item in value]
        try:
            return self.text(str(value), typed)
        except Exception:  # noqa: BLE001 - a value whose __str__ fails must not lose the rest of its line
            return f"[{type(value).__name__}]"


def shortened(text: str, limit: int) -> str:
    """Return a text of at most ``limit`` characters, with an ellipsis in the middle where it was longer."""
    if len(text) <= limit:
        return text
    gap = " … "
    head = (limit - len(gap)) // 2
    return text[:head] + gap + text[len(text) - (limit - len(gap) - head) :]


def _typed_pattern(typed: str) -> re.Pattern[str] | None:
    """Return a pattern for a typed text, plain or as Python or a record quotes it; None for a short one."""
    typed = typed.strip()
    if len(typed) < _MIN_TYPED_CHARACTERS or typed in GAMES:
        return None
    if len(typed) > _MAX_TYPED_CHARACTERS:
        return re.compile(re.escape(typed[:_MAX_TYPED_CHARACTERS]) + ".*", re.IGNORECASE | re.DOTALL)
    quoted = (repr(typed)[1:-1], ascii(typed)[1:-1], quote(typed, safe="", errors="replace"))
    forms = {re.escape(form) for form in (typed, *quoted)}
    return re.compile(rf"(?<!\w)(?:{'|'.join(sorted(forms, key=len, reverse=True))})(?!\w)", re.IGNORECASE)
