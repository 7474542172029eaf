"""Interactions: what a player does in the Discord client, as the bot receives it, and what the bot answered.

`*_data` build the `data` of an INTERACTION_CREATE and refuse what Discord's own client would not let a player
do.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.wire.payloads import BUTTON, Json, Message, Upload, User, walk

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL_SUBMIT = 2, 3, 4, 5
REPLY, DEFERRED_REPLY, DEFERRED_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9
SUBCOMMAND, GROUP = 1, 2
SUBCOMMAND_TYPES = (SUBCOMMAND, GROUP)
GUILD_CONTEXT, BOT_DM_CONTEXT = 0, 1

ANSWER_TIMEOUT_S = 5.0


class NotOfferedError(Exception):
    """Discord's client would not let a player do this: no such command, option, choice or button."""


@dataclass(frozen=True)
class Answer:
    """The bot's first callback: type, `data` and files as sent, and the message it made or changed."""

    type: int
    data: Json
    files: tuple[Upload, ...]
    message: Message | None

    @property
    def choices(self) -> list[Json]:
        """The choices of an autocomplete, as `{"name": …, "value": …}`."""
        return list(self.data["choices"])


@dataclass
class Interaction:
    """One interaction, while the bot works on it.

    `original_id` is the message called @original in its routes; `opened_by` is what a modal answered.
    """

    payload: Json
    user: User
    opened_by: Interaction | None = None
    original_id: str | None = None
    expired: bool = False
    followups: list[Message] = field(default_factory=list)
    at_s: float = field(default_factory=time.monotonic)
    acknowledged_at_s: float | None = None
    _answer: asyncio.Future[Answer] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )
    _shown: asyncio.Future[Message] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )

    @property
    def id(self) -> str:
        return str(self.payload["id"])

    @property
    def token(self) -> str:
        return str(self.payload["token"])

    @property
    def acknowledged(self) -> bool:
        return self._answer.done()

    @property
    def is_shown(self) -> bool:
        """Whether there is a message for the player to look at."""
        return self._shown.done()

    def metadata(self) -> Json:
        """What a message tells about the interaction it came from."""
        metadata: Json = {
            "id": self.id,
            "type": self.payload["type"],
            "user": self.user.payload(),
            "authorizing_integration_owners": self.payload.get("authorizing_integration_owners", {}),
        }
        if self.payload["type"] == COMPONENT:
            metadata["interacted_message_id"] = self.payload["message"]["id"]
        if self.opened_by is not None:
            metadata["triggering_interaction_metadata"] = self.opened_by.metadata()
        return metadata

    async def answer(self, timeout_s: float = ANSWER_TIMEOUT_S) -> Answer:
        """The first callback, as soon as it is there.

        :raises TimeoutError: the bot did not acknowledge; a player would read "This interaction failed".
        """
        return await asyncio.wait_for(asyncio.shield(self._answer), timeout_s)

    async def shown(self, timeout_s: float = ANSWER_TIMEOUT_S) -> Message:
        """The message the player looks at in the end: the reply or update, or what came after a deferral.

        :raises TimeoutError: no message came; a player would read "is thinking…" for ever.
        """
        return await asyncio.wait_for(asyncio.shield(self._shown), timeout_s)

    def acknowledge(self, answer: Answer) -> None:
        self.acknowledged_at_s = time.monotonic()
        self._answer.set_result(answer)
        if answer.message is not None and answer.type in (REPLY, UPDATE):
            self.show(answer.message)

    def show(self, message: Message) -> None:
        """Notes the first finished message; later edits are found among the stand-in's messages."""
        if not self._shown.done():
            self._shown.set_result(message)


def command_data(commands: list[Json], name: str, options: Mapping[str, Any], context: int) -> Json:
    """The data of a slash command. `name` is as typed, with a space before a sub-command: "daily play".

    :raises NotOfferedError: the command is not synced, not for this context, or the options do not fit it.
    """
    command, path, leaf = _resolve(commands, name)
    if command.get("contexts") is not None and context not in command["contexts"]:
        msg = f"/{name} is not offered in context {context}"
        raise NotOfferedError(msg)
    missing = {o["name"] for o in leaf if o.get("required")} - set(options)
    if missing:
        msg = f"/{name} needs {', '.join(sorted(missing))}"
        raise NotOfferedError(msg)
    given = [_option(_find(leaf, key, name), value) for key, value in options.items()]
    resolved = {str(value.id): value.payload() for value in options.values() if isinstance(value, User)}
    data = {"id": command["id"], "name": command["name"], "type": 1, "options": _nest(path, given)}
    return {**data, "resolved": {"users": resolved}} if resolved else data


def autocomplete_data(
    commands: list[Json], name: str, option: str, typed: Any, options: Mapping[str, Any]
) -> Json:
    """The data of an autocomplete: `typed` so far in `option`, with the other `options` already filled in.

    :raises NotOfferedError: the option does not autocomplete.
    """
    command, path, leaf = _resolve(commands, name)
    focused = _find(leaf, option, name)
    if not focused.get("autocomplete"):
        msg = f"/{name} {option} does not autocomplete"
        raise NotOfferedError(msg)
    given = [_option(_find(leaf, key, name), value) for key, value in options.items()]
    given.append({"name": option, "type": focused["type"], "value": typed, "focused": True})
    return {"id": command["id"], "name": command["name"], "type": 1, "options": _nest(path, given)}


def component_data(message: Message, custom_id: str, values: list[str] | None) -> Json:
    """The data of a press (`values` is None) or of a choice in a select.

    :raises NotOfferedError: the message has no such component, or it is disabled or lacks such an option.
    """
    try:
        component = message.component(custom_id)
    except LookupError as error:
        raise NotOfferedError(str(error)) from error
    if component.get("disabled"):
        msg = f"{custom_id!r} is disabled"
        raise NotOfferedError(msg)
    if (component["type"] == BUTTON) != (values is None):
        msg = f"{custom_id!r} is {'a button' if values is not None else 'not a button'}"
        raise NotOfferedError(msg)
    data = {"custom_id": custom_id, "component_type": component["type"], "id": component["id"]}
    if values is None:
        return data
    unknown = set(values) - {option["value"] for option in component.get("options", [])}
    if "options" in component and unknown:
        msg = f"{custom_id!r} has no option {', '.join(sorted(unknown))}"
        raise NotOfferedError(msg)
    return {**data, "values": values}


def modal_data(modal: Json, texts: Mapping[str, str]) -> Json:
    """The data of a submitted modal. `texts` maps the custom id of a text input to what was typed; others
    stay empty.

    :raises NotOfferedError: the modal has no such input.
    """
    unknown = set(texts) - {c.get("custom_id") for c in walk(modal["components"])}
    if unknown:
        msg = f"the modal has no input {', '.join(sorted(unknown))}"
        raise NotOfferedError(msg)
    return {"custom_id": modal["custom_id"], "components": list(_submitted(modal["components"], texts))}


def _submitted(components: list[Json], texts: Mapping[str, str]) -> Iterator[Json]:
    for number, component in enumerate(components, start=1):
        sent: Json = {"type": component["type"], "id": component.get("id") or number}
        if "custom_id" in component:
            sent |= {"custom_id": component["custom_id"], "value": texts.get(component["custom_id"], "")}
        if "components" in component:
            sent["components"] = list(_submitted(component["components"], texts))
        if "component" in component:
            sent["component"] = next(_submitted([component["component"]], texts))
        yield sent


def _resolve(commands: list[Json], name: str) -> tuple[Json, list[Json], list[Json]]:
    """The command, the sub-commands on the way to `name`, and the options of the last of them."""
    first, *rest = name.split()
    command = next((c for c in commands if c["name"] == first), None)
    if command is None:
        synced = ", ".join(sorted(c["name"] for c in commands)) or "nothing"
        msg = f"/{first} is not synced ({synced} is)"
        raise NotOfferedError(msg)
    path: list[Json] = []
    options: list[Json] = command.get("options") or []
    for word in rest:
        path.append(_find(options, word, name))
        options = path[-1].get("options") or []
    if any(option["type"] in SUBCOMMAND_TYPES for option in options):
        msg = f"/{name} needs a sub-command"
        raise NotOfferedError(msg)
    return command, path, options


def _find(options: list[Json], key: str, name: str) -> Json:
    for option in options:
        if option["name"] == key:
            return option
    msg = f"/{name} has no option {key!r}"
    raise NotOfferedError(msg)


def _option(declared: Json, value: Any) -> Json:
    """One filled-in option, held to its declared choices and bounds as Discord's client holds a player to
    them.
    """
    choices = [choice["value"] for choice in declared.get("choices") or ()]
    if choices and value not in choices:
        msg = f"{declared['name']} must be one of {choices}, not {value!r}"
        raise NotOfferedError(msg)
    kind = "length" if isinstance(value, str) else "value"
    size = len(value) if isinstance(value, str) else value
    low, high = declared.get(f"min_{kind}"), declared.get(f"max_{kind}")
    if (low is not None and size < low) or (high is not None and size > high):
        msg = f"{declared['name']} must have a {kind} from {low} to {high}, not {size}"
        raise NotOfferedError(msg)
    sent = str(value.id) if isinstance(value, User) else value
    return {"name": declared["name"], "type": declared["type"], "value": sent}


def _nest(path: list[Json], options: list[Json]) -> list[Json]:
    for step in reversed(path):
        options = [{"name": step["name"], "type": step["type"], "options": options}]
    return options
