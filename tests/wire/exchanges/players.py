"""Users of the bot: their channel, their locale, and the last message they saw."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from tests.wire import interactions as acts
from tests.wire.exchanges.canonical import Json
from tests.wire.exchanges.stage import STEP_S, Stage
from tests.wire.interactions import Interaction
from tests.wire.payloads import Message, walk
from tests.wire.standin import StandIn, User

CLUB, BAR = 800_000_000_000_000_001, 800_000_000_000_000_002
TABLES, LOUNGE, COUNTER = 810_000_000_000_000_001, 810_000_000_000_000_002, 810_000_000_000_000_003
PRIVATE_CHANNEL_CONTEXT = 2
NO_FILES = str(((1 << 53) - 1) & ~(1 << 15))
USERS = {
    name: User(id=830_000_000_000_000_000 + number, name=name)
    for number, name in enumerate(
        ("ada", "bo", "cleo", "dag", "eva", "finn", "gro", "hans", "robot"), start=1
    )
}
GUESTS = {
    f"guest{number}": User(id=840_000_000_000_000_000 + number, name=f"guest{number}")
    for number in range(1, 13)
}


def furnish(stage: Stage) -> None:
    """Make the servers, and let Discord answer who the people are."""
    standin = stage.standin
    standin.add_guild(CLUB, TABLES, LOUNGE)
    standin.add_guild(BAR, COUNTER, locale="no")
    for id_, name in (
        (CLUB, "club"),
        (BAR, "bar"),
        (TABLES, "#tables"),
        (LOUNGE, "#lounge"),
        (COUNTER, "#counter"),
    ):
        stage.names.add(id_, name)
    for name, user in {**USERS, **GUESTS}.items():
        stage.names.add(user.id, name)
        _answers(standin, f"/users/{user.id}$", 200, user.payload())
    for guild in standin.guilds.values():
        about = guild.payload(USERS["ada"], USERS["robot"])
        _answers(standin, f"/guilds/{guild.id}$", 200, about)
        for user in (*USERS.values(), *GUESTS.values()):
            if user.name != "hans":
                _answers(standin, f"/guilds/{guild.id}/members/{user.id}$", 200, user.member())
    _answers(standin, r"/guilds/\d+/members/\d+$", 404, {"code": 10007, "message": "Unknown Member"})
    _answers(standin, r"/users/\d+$", 404, {"code": 10013, "message": "Unknown User"})


def _answers(standin: StandIn, path: str, status: int, body: Json) -> None:
    standin.answer_with("GET", path, status, body, times=10_000)


@dataclass
class Player:
    """A user in one channel. `seen` is the last message shown to them, `table` the last one with a table."""

    stage: Stage
    name: str
    guild_id: int | None = CLUB
    channel_id: int | None = None
    locale: str = "en-US"
    by_user_install: bool = False
    seen: Message | None = None
    table: Message | None = None
    offered: list[Json] = field(default_factory=list)

    @property
    def user(self) -> User:
        return USERS.get(self.name) or GUESTS[self.name]

    @property
    def group_id(self) -> str:
        """The id of the private channel where somebody is who brought the bot along."""
        return self.stage.standin.rest.dm_channel_id(self.user)

    def elsewhere(self, **place: Any) -> Player:
        """The same person in another place, or with another Discord."""
        here = {"guild_id": self.guild_id, "channel_id": self.channel_id, "locale": self.locale}
        return Player(self.stage, self.name, **{**here, **place})

    # Commands

    async def types(self, command: str, *, after_s: float = STEP_S, **options: Any) -> Interaction:
        """Send a slash command. An option called like a word of Python gets an underscore at its end."""
        given = {name.rstrip("_").replace("__", "-"): value for name, value in options.items()}
        shown = " ".join(
            f"{key}:{value.name if isinstance(value, User) else value}" for key, value in given.items()
        )
        title = f"{self.name} /{command} {shown}".strip()[:80]
        if self.by_user_install:
            context = PRIVATE_CHANNEL_CONTEXT
            data = acts.command_data(self.stage.standin.commands, command, given, context)
            return await self._act(title, lambda: self._send(acts.COMMAND, data), after_s)
        return await self._act(
            title,
            lambda: self.stage.standin.interact(
                command,
                given,
                user=self.user,
                guild_id=self.guild_id,
                channel_id=self.channel_id,
                locale=self.locale,
            ),
            after_s,
        )

    async def completes(self, command: str, option: str, typed: Any, **options: Any) -> Interaction:
        """Type into an option; `offered` is what can be chosen then."""
        interaction = await self.stage.acts(
            f"{self.name} types {typed!r} into {option} of /{command}",
            lambda: self.stage.standin.autocomplete(
                command,
                option,
                typed,
                {name.rstrip("_"): value for name, value in options.items()},
                user=self.user,
                guild_id=self.guild_id,
                channel_id=self.channel_id,
                locale=self.locale,
            ),
            after_s=1,
        )
        self.offered = (await interaction.answer()).choices
        return interaction

    # Controls

    async def presses(
        self, control: str, *values: str, on: Message | None = None, after_s: float = STEP_S
    ) -> Interaction:
        """Press the control whose custom id fits the expression, on a message as the player sees it."""
        message = self._message(control, on)
        custom_id = control_in(message, control)
        assert custom_id is not None, f"{self.name} sees no {control}: {controls(message)}"
        title = f"{self.name} presses {custom_id} {' '.join(values)}".strip()
        if self.by_user_install:
            data = acts.component_data(message, custom_id, list(values) or None)
            send = partial(self._send, acts.COMPONENT, data, message=message.payload)
            return await self._act(title, send, after_s)
        return await self._act(
            title,
            lambda: self.stage.standin.press(
                message, custom_id, user=self.user, values=list(values) or None, locale=self.locale
            ),
            after_s,
        )

    async def forges(
        self, custom_id: str, *values: str, on: Message | None = None, after_s: float = STEP_S
    ) -> Interaction:
        """Press what Discord's client would not let anybody press."""
        message = on or self.table or self.seen
        assert message is not None
        data: Json = {"custom_id": custom_id, "component_type": 3 if values else 2}
        if values:
            data["values"] = list(values)
        title = f"{self.name} forges {custom_id!r} {' '.join(values)}".strip()
        send = partial(self._send, acts.COMPONENT, data, message=self.stage.now(message).payload)
        return await self._act(title, send, after_s)

    async def sends(self, type_: int, data: Json | None, title: str, **more: Any) -> Interaction:
        """Send an interaction that Discord's client of today would not send."""
        return await self._act(f"{self.name} {title}", lambda: self._send(type_, data, **more))

    def sees(self, control: str, *, on: Message | None = None) -> bool:
        """Whether there is such a control, on the table unless told."""
        message = on or self.table
        return message is not None and control_in(self.stage.now(message), control) is not None

    @property
    def place(self) -> str:
        """The number and the revision of the game on the table, as a custom id has them."""
        assert self.table is not None
        _, game, revision, *_ = next(id_ for id_ in controls(self.table) if id_.startswith("sol:")).split(":")
        return f"{game}:{revision}"

    def choices(self, control: str) -> list[str]:
        """The values of a menu on the table."""
        assert self.table is not None
        return choices_in(self.stage.now(self.table), control)

    def _message(self, control: str, on: Message | None) -> Message:
        if on is not None:
            return on
        candidates = [
            m for m in (self.seen, self.table) if m is not None and m.id in self.stage.standin.messages
        ]
        now = [self.stage.now(message) for message in candidates]
        return next((m for m in now if control_in(m, control)), now[0])

    async def _send(self, type_: int, data: Json | None, **fields: Any) -> Interaction:
        if self.by_user_install:
            fields |= {
                "authorizing_integration_owners": {"1": str(self.user.id)},
                "context": PRIVATE_CHANNEL_CONTEXT,
                "channel": {"id": self.group_id, "type": 3, "flags": 0, "last_message_id": None},
            }
        return await self.stage.standin.send(
            type_,
            data,
            user=self.user,
            guild_id=self.guild_id,
            channel_id=self.channel_id,
            locale=self.locale,
            **fields,
        )

    async def _act(self, title: str, send: Any, after_s: float = STEP_S) -> Interaction:
        interaction = await self.stage.acts(title, send, after_s=after_s)
        if interaction.is_shown:
            shown = await interaction.shown()
            if shown.id in self.stage.standin.messages:
                self.seen = self.stage.now(shown)
                if control_in(self.seen, "panel:.*"):
                    self.table = self.seen
        return interaction


def controls(message: Message) -> list[str]:
    """The custom ids of what can be pressed."""
    return [
        part["custom_id"]
        for part in walk(message.payload["components"])
        if "custom_id" in part and not part.get("disabled")
    ]


def control_in(message: Message, control: str) -> str | None:
    fitting = re.compile(rf"(.*:)?(?:{control})")
    return next((custom_id for custom_id in controls(message) if fitting.fullmatch(custom_id)), None)


def choices_in(message: Message, control: str) -> list[str]:
    """The values of a menu."""
    custom_id = control_in(message, control)
    assert custom_id is not None
    return [option["value"] for option in message.component(custom_id)["options"]]
