"""Players of the real bot in a simulated Discord: what they type, and what they then see."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from io import BytesIO
from pathlib import Path
from typing import Any

import discord
import pytest
import simcord
from PIL import Image
from simcord import interactions
from simcord.actors import _autocomplete_result

from bot.app import build_client
from bot.config import Config
from bot.discord_app.client import BotClient
from bot.discord_app.tables.controls import Action, ComponentId
from bot.service import Cost, Limit, Position, SolverPool
from bot.storage import StoredGame
from engine import Record, Table
from tests.limits import request_faults
from tests.thinking import Thinker

TEXT, GALLERY = 10, 12
NOW_MS = 1_700_000_000_000
PLACES = ("server", "thread", "direct")


@dataclass
class World:
    """One simulated Discord with a server, a channel and a thread, and the bot over one database file."""

    env: simcord.Env
    client: BotClient
    folder: Path
    guild: simcord.GuildHandle
    channel: simcord.ChannelHandle
    thread: simcord.ChannelHandle
    clock: Clock
    thinker: Thinker
    limits: Mapping[Cost, Limit] | None = None
    _users: dict[str, simcord.MemberActor] = field(default_factory=dict)

    def seat(self, name: str = "ada", place: str = "server") -> Seat:
        """Return the member of that name in the channel, in its thread or in a direct message."""
        if name not in self._users:
            self._users[name] = self.guild.add_member(self.env.create_user(name))
        member = self._users[name]
        if place == "direct":
            return Seat(self, member.user, None)
        return Seat(self, member, self.thread if place == "thread" else self.channel)

    async def restart(self) -> None:
        """Replace the client by a new one over the same file, as when another process takes over."""
        old, self.client = self.client, new_client(self.folder, self.clock, self.thinker, self.limits)
        await self.env.restart_bot(self.client)
        await old._store.close()

    async def close(self) -> None:
        await self.env.shutdown()
        await self.client.close()

    def allow_files(self, allowed: bool) -> None:
        """Take the permission to attach files in the channel from everyone, or give it back."""
        overwrite = discord.PermissionOverwrite(attach_files=None if allowed else False)
        like_this = self.guild.create_text_channel(
            "like this", overwrites={self.guild.default_role: overwrite}
        )
        get = self.env.backend.get_channel
        get(self.channel.id).overwrites = get(like_this.id).overwrites

    @property
    def syncs(self) -> int:
        """How often the bot registered its commands."""
        return sum(r.method == "PUT" and r.path.endswith("/commands") for r in self.env.http_requests)


@dataclass
class Clock:
    """A clock that stands still until it is set."""

    now_ms: int = NOW_MS

    def __call__(self) -> int:
        return self.now_ms

    def set(self, day: str, hour: int = 12, minute: int = 0) -> None:
        """Set it to a time of a day, in UTC."""
        when = datetime.combine(date.fromisoformat(day), time(hour, minute), UTC)
        self.now_ms = int(when.timestamp()) * 1000


def new_client(
    folder: Path,
    clock: Callable[[], int] = lambda: NOW_MS,
    solvers: SolverPool | None = None,
    limits: Mapping[Cost, Limit] | None = None,
) -> BotClient:
    # With a fixed secret every run deals the same daily games.
    config = Config(
        database_url=f"sqlite:///{folder}/games.sqlite3",
        daily_secret="a secret of the tests",
        retention_days=365,
        shard_count=1,  # SimCord recommends no number
    )
    # Tests play faster than people; those of the limits set them.
    client = build_client(config, clock=clock, solvers=solvers, limits=limits or {})
    # SimCord's time, which tests move on by weeks, would wake these at every half minute of it.
    client.autostart = False
    return client


async def open_world(
    stack: AsyncExitStack,
    folder: Path,
    raised: list[BaseException],
    limits: Mapping[Cost, Limit] | None = None,
) -> World:
    """Start the bot, and end it with the stack; exceptions that no test looked at go into ``raised``."""
    clock = Clock()
    thinker = Thinker()
    client = new_client(folder, clock, thinker, limits)
    env = simcord.Env(client)
    await env.start()
    stack.callback(lambda: raised.extend(env.errors_since(env._errors_acknowledged)))
    stack.callback(lambda: raised.extend(_beyond_limits(env)))
    guild = env.create_guild("Kabalklubben")
    channel = guild.create_text_channel("solitaire")
    env.backend.create_thread(channel.id, "a thread", guild.owner.id)
    world = World(env, client, folder, guild, channel, channel.threads[0], clock, thinker, limits)
    stack.push_async_callback(world.close)
    return world


def _beyond_limits(env: simcord.Env) -> list[BaseException]:
    """Requests that SimCord accepted and Discord would not, or that could ping somebody."""
    faults = [(r.path, request_faults(r.method, r.path, r.json)) for r in env.http_requests]
    return [AssertionError(path, found) for path, found in faults if found]


@dataclass
class Seat:
    """A player in a channel, a thread or a direct message."""

    world: World
    actor: simcord.MemberActor | simcord.UserHandle
    channel: simcord.ChannelHandle | None

    @property
    def user_id(self) -> int:
        return self.actor.id

    async def type(self, command: str, **options: Any) -> Answer:
        """Return the answer to a slash command. An option called ``from`` is written ``from_`` here."""
        options = {name.rstrip("_"): value for name, value in options.items()}
        if isinstance(self.actor, simcord.MemberActor):
            assert self.channel is not None
            result = await self.actor.slash(self.channel, command, **options)
        else:
            result = await self.actor.slash(command, **options)
        assert result.acknowledged, f"/{command} was not answered"
        assert result.response is not None
        assert len(result.followups) == 0
        return Answer(self.world, result.response)

    async def gives_up(self) -> Answer:
        """Type ``/giveup`` and press the button that confirms it."""
        asked = await self.type("giveup")
        game = await self.game()
        custom_id = str(ComponentId(game.id, game.revision, Action.GIVE_UP))
        result = await self.actor.click(asked.message, custom_id=custom_id)
        assert result.response is not None
        return Answer(self.world, result.response)

    async def new(self, game: str, rules: str, seed: str) -> Answer:
        return await self.type("new", game=game, rules=rules, seed=seed)

    async def move(self, from_: str, to: str) -> Answer:
        return await self.type("move", from_=from_, to=to)

    async def offered(self, command: str, option: str, typed: str = "", **filled: Any) -> dict[str, str]:
        """Return the choices that an option offers, by value.

        :raises AssertionError: when the player reads "Loading options failed".
        """
        channel = self.channel or self.actor.dm_channel  # type: ignore[union-attr]
        filled = {name.rstrip("_"): value for name, value in filled.items()}
        result = await _autocomplete_result(self.actor, channel, command, option.rstrip("_"), typed, filled)
        assert result.autocomplete_choices is not None, "no choices came"
        return {choice["value"]: choice["name"] for choice in result.autocomplete_choices}

    async def game(self) -> StoredGame:
        """The player's current game, from the database."""
        game = await self.world.client._store.current_game(self.user_id)
        assert game is not None
        return game

    async def table(self) -> Table:
        return Position.of(Record.parse((await self.game()).record)).table

    async def moves(self) -> list[str]:
        """The moves that the database has of the player's current game."""
        return (await self.game()).record.split(" ")[1:]


@dataclass
class Answer:
    """A message of the bot."""

    world: World
    message: simcord.ResponseMessage

    @property
    def ephemeral(self) -> bool:
        """Whether only the player who asked sees it."""
        return self.message.ephemeral

    @property
    def parts(self) -> list[dict[str, Any]]:
        return list(walk(self.message.components))

    @property
    def text(self) -> str:
        """All its text, from the top down."""
        written = [part["content"] for part in self.parts if part["type"] == TEXT]
        return "\n".join(filter(None, [self.message.content, *written]))

    @property
    def pictures(self) -> list[dict[str, Any]]:
        return [item for part in self.parts if part["type"] == GALLERY for item in part["items"]]

    @property
    def picture(self) -> dict[str, Any]:
        """The only picture, whose file is the only attachment."""
        [item] = self.pictures
        [attachment] = self.message.attachments
        assert item["media"]["url"] == attachment.url
        return item

    @property
    def filename(self) -> str:
        return str(self.picture["media"]["url"]).rsplit("/", 1)[1]

    @property
    def alt(self) -> str:
        return str(self.picture["description"])

    @property
    def png(self) -> bytes:
        data = self.world.env.backend.cdn.get(self.picture["media"]["url"])
        assert data is not None
        return data

    @property
    def image(self) -> Image.Image:
        image = Image.open(BytesIO(self.png))
        image.load()
        return image

    @property
    def revision(self) -> int:
        """The revision in the picture's name."""
        found = re.fullmatch(r"table-\d+-(\d+)\.png", self.filename)
        assert found is not None
        return int(found[1])


def walk(components: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [part for one in components for part in (one, *walk(one.get("components") or []))]


def speak(monkeypatch: pytest.MonkeyPatch, locale: str) -> None:
    """Set the language of everybody's Discord.

    SimCord writes "en-US" into every interaction and has no way to choose, so its payload is changed here.
    """
    original: Callable[..., tuple[Any, dict[str, Any]]] = interactions.base_payload

    def localised(*arguments: Any, **named: Any) -> tuple[Any, dict[str, Any]]:
        record, payload = original(*arguments, **named)
        return record, payload | {"locale": locale}

    monkeypatch.setattr(interactions, "base_payload", localised)
