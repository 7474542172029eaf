"""The bot at SimCord's Discord, with interactions put straight into it.

In a :class:`~tests.discord_app.playing.World` players do only what Discord lets them do, one after another.
Here any interaction can be sent, forged ones too, and many at once, several times as fast: discord.py parses
it, the bot answers it, and SimCord takes the answer as it does there. Nothing is drawn, to save time.
"""

from __future__ import annotations

import asyncio
import itertools
import json
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any

import discord
import pytest
from discord import app_commands
from discord.webhook.async_ import AsyncWebhookAdapter, async_context
from simcord.backend import Backend, serializers
from simcord.backend.models import Interaction as Record
from simcord.backend.models import User
from simcord.http import FakeHTTPClient, FakeWebhookAdapter
from simcord.interactions import base_payload

from bot.discord_app.client import BotClient
from bot.discord_app.features.challenges import ChallengesFeature
from bot.discord_app.transport.webhook_adapter import RetryingWebhookAdapter
from bot.service import Cost, Limit, Position, Services
from bot.storage import NewGame, SqliteStore, StoredGame
from bot.telemetry.metrics import Metrics
from tests.discord_app.pressing import STATUS, every
from tests.limits import request_faults, spoken
from tests.thinking import Thinker
from tests.wire.interactions import (
    AUTOCOMPLETE,
    CHOICES,
    COMMAND,
    COMPONENT,
    DEFERRED_REPLY,
    DEFERRED_UPDATE,
    UPDATE,
)
from tests.wire.payloads import COMPONENTS_V2, EPHEMERAL, Json

DRAWN = {
    "bot.discord_app.tables.message.draw_table": b"png",
    "bot.discord_app.features.rules.draw_table": b"png",
    "bot.discord_app.features.analyse.draw_table": b"png",
    "bot.discord_app.features.stats.draw_bars": b"png",
    "bot.discord_app.views.board.draw_bars": b"png",
    "bot.discord_app.views.comparison.draw_table": b"png",
    "bot.discord_app.animations.draw_replay": b"gif",
}


@dataclass(frozen=True)
class Sent:
    """A message that an interaction was answered with, or an edit of the pressed one, as Discord gets it."""

    body: Json
    edits: bool
    filenames: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """All its text, from the top down."""
        return "\n".join(filter(None, spoken(self.body)))

    @property
    def parts(self) -> list[Json]:
        """Every component, parents first."""
        return every(self.body.get("components") or [])

    @property
    def ephemeral(self) -> bool:
        return bool(self.body.get("flags", 0) & EPHEMERAL)


@dataclass
class Answered:
    """An interaction, and what it was answered with.

    ``deferred`` is the type of the acknowledgement that was sent before the answer, 0 for none.
    """

    interaction: discord.Interaction[BotClient]
    record: Record
    sent: list[Sent] = field(default_factory=list)
    choices: list[Json] | None = None
    deferred: int = 0

    @property
    def is_acknowledged(self) -> bool:
        return self.record.responded


class _Transport(AsyncWebhookAdapter):
    """Sends what discord.py sends with an interaction's token to SimCord, and has it noted."""

    bot: DirectBot

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]

    async def request(self, route: Any, session: Any, **named: Any) -> Any:
        answer = await self.bot.adapter.request(route, session, **named)
        if route.method in ("POST", "PATCH"):
            self.bot.note(str(route.webhook_token), route, named)
        return answer


class _Deferring(RetryingWebhookAdapter, _Transport):
    """The bot's own adapter over SimCord."""


class DirectBot:
    """The bot over a store in memory; its users have ids of one's choice.

    :param defers: whether late answers are acknowledged first, as they are in life.
    """

    def __init__(
        self,
        clock: Callable[[], int] = lambda: 1,
        limits: Mapping[Cost, Limit] | None = None,
        *,
        secret: str = "",
        defers: bool = False,
    ) -> None:
        self.store = SqliteStore(":memory:")
        self.thinker = Thinker()
        services = Services.over(self.store, clock, secret=secret, solvers=self.thinker, limits=limits or {})
        self.client = BotClient(self.store, services, Metrics())
        self.backend = Backend()
        self.adapter = FakeWebhookAdapter(self.backend)
        self.http = FakeHTTPClient(self.backend, asyncio.get_running_loop())
        self.channel_id = self._put_client_there()
        application_id = self.backend.application_id
        self._transport = _Deferring(application_id) if defers else _Transport()
        self._transport.bot = self
        self._by_token: dict[str, Answered] = {}
        self._messages: defaultdict[int, int] = defaultdict(self._new_message)
        self._request_ids = itertools.count(1)

    def _put_client_there(self) -> int:
        """Connect discord.py's client to SimCord's Discord; return the id of a channel."""
        state = self.client._connection
        self.client.http = state.http = self.http
        state.application_id = self.backend.application_id
        account: Any = serializers.user_payload(self.backend.bot_user)
        state.user = discord.ClientUser(state=state, data=account)
        self.guild = self.backend.create_guild("Kabalklubben")
        return self.backend.create_channel(self.guild.id, "solitaire").id

    @property
    def edits(self) -> int:
        """How many messages were edited later than by the answer to a press."""
        return sum(request.method == "PATCH" for request in self.backend.http_requests)

    def faults(self) -> list[str]:
        """Return what is wrong with the requests since the last call: beyond Discord's limits, or pinging."""
        found = [
            fault for r in self.backend.http_requests for fault in request_faults(r.method, r.path, r.json)
        ]
        self.backend.http_requests.clear()
        return found

    async def close(self) -> None:
        await self.client.feature(ChallengesFeature).messages.close()
        await self.client.follow_ups.close()
        self.client.app.animations.close()
        self.client.tables.close()
        await self.store.close()

    def user(self, user_id: int, name: str = "") -> User:
        """Return the account with that id, a member of the server; from now on it is called ``name``."""
        users = self.backend.users
        if user_id not in users:
            users[user_id] = User(user_id, f"user{user_id}")
            self.backend.add_member(self.guild.id, user_id)
        if name:
            users[user_id].global_name = name
        return users[user_id]

    async def holds(self, at: Position, owner: int = 1, undone: str = "") -> StoredGame:
        """Store a game that has come this far."""
        new = NewGame(owner, str(at.record), STATUS[at.outcome], at.table.score, next(self._request_ids), 1)
        game = await self.store.create_game(new)
        return await self.store.save_if_revision(replace(game, undone=undone)) if undone else game

    def message(self, title: str = "table") -> int:
        """Return the id of a new message of the bot that begins with ``title``."""
        return self._new_message(title)

    def _new_message(self, title: str = "table") -> int:
        text = [{"type": 10, "id": 1, "content": title}]
        bot_id = self.backend.bot_user.id
        message = self.backend.create_message(self.channel_id, bot_id, components=text, flags=COMPONENTS_V2)
        return message.id

    async def press(self, custom_id: str, *values: str, **about: Any) -> list[Sent]:
        """Return what is sent to a press, or to a choice of ``values``; see :meth:`pressed`."""
        return (await self.answer(self.pressed(custom_id, *values, **about))).sent

    def pressed(
        self,
        custom_id: str,
        *values: str,
        user_id: int = 1,
        message_id: int | None = None,
        locale: str = "en-US",
    ) -> Answered:
        """Return a press to be answered, on the message with that id or else on one of the user's."""
        data = {"custom_id": custom_id, "component_type": 3 if values else 2, "values": list(values)}
        message_id = message_id or self._messages[user_id]
        stored = self.backend.get_message(self.channel_id, message_id)
        message: Json = dict(serializers.message_payload(self.backend, stored))
        message["interaction_metadata"] = {
            "user": serializers.user_payload(self.user(user_id)),
            "id": "1",
            "type": COMMAND,
            "authorizing_integration_owners": {},
        }
        pressed = self._interaction(COMPONENT, user_id, data, locale, message=message)
        pressed.record.source_message_id = message_id
        return pressed

    async def types(self, command: str, user_id: int = 1, locale: str = "en-US", **options: Any) -> Answered:
        """Have a slash command answered; an option that is a user is a :class:`User`."""
        return await self.answer(self._interaction(COMMAND, user_id, _command(command, options), locale))

    async def completes(
        self, command: str, option: str, typed: str, user_id: int = 1, **options: Any
    ) -> Answered:
        """Have choices offered while an option is typed."""
        data = _command(command, {**options, option: typed})
        data["options"][-1]["focused"] = True
        return await self.answer(self._interaction(AUTOCOMPLETE, user_id, data, "en-US"))

    def _interaction(self, kind: int, user_id: int, data: Json, locale: str, **more: Any) -> Answered:
        self.user(user_id)
        record, payload = base_payload(
            self.backend,
            type=kind,
            channel_id=self.channel_id,
            guild_id=self.guild.id,
            user_id=user_id,
            data=data,
        )
        payload |= {"locale": locale, **more}
        interaction: Any = discord.Interaction(data=payload, state=self.client._connection)  # type: ignore[arg-type]
        answered = self._by_token[record.token] = Answered(interaction, record)
        return answered

    async def answer(self, answered: Answered) -> Answered:
        """Have an interaction answered, and return it."""
        interaction = answered.interaction
        token = async_context.set(self._transport)
        try:
            if interaction.type is discord.InteractionType.component:
                await self.client.on_interaction(interaction)
            else:
                try:
                    await self.client.tree._call(interaction)
                except app_commands.AppCommandError as error:
                    await self.client.tree.on_error(interaction, error)
        finally:
            async_context.reset(token)
        return answered

    def note(self, token: str, route: Any, named: Mapping[str, Any]) -> None:
        """Note what was sent with an interaction's token."""
        answered = self._by_token[token]
        body: Json = named.get("payload") or _payload(named.get("multipart") or ())
        names = tuple(file.filename for file in named.get("files") or ())
        if not route.path.endswith("/callback"):
            answered.sent.append(Sent(body, route.method == "PATCH", names))
        elif body["type"] in (DEFERRED_REPLY, DEFERRED_UPDATE):
            answered.deferred = body["type"]
        elif body["type"] == CHOICES:
            answered.choices = body["data"]["choices"]
        else:
            answered.sent.append(Sent(body.get("data") or {}, body["type"] == UPDATE, names))


def _payload(multipart: Any) -> Json:
    found: Json = next(
        (json.loads(part["value"]) for part in multipart if part["name"] == "payload_json"), {}
    )
    return found


def _command(name: str, options: Json) -> Json:
    kinds: dict[type, int] = {str: 3, int: 4, bool: 5, User: 6}
    given = [
        {
            "name": key,
            "type": kinds[type(value)],
            "value": str(value.id) if isinstance(value, User) else value,
        }
        for key, value in options.items()
    ]
    people = {
        str(value.id): serializers.user_payload(value)
        for value in options.values()
        if isinstance(value, User)
    }
    data: Json = {"id": "5", "name": name, "type": 1, "options": given}
    return {**data, "resolved": {"users": people}} if people else data


def draw_nothing(patch: pytest.MonkeyPatch) -> None:
    """Put something else in the place of every picture."""
    for name, data in DRAWN.items():
        patch.setattr(name, lambda *_, data=data, **__: data)


@asynccontextmanager
async def direct_bot(
    patch: pytest.MonkeyPatch,
    clock: Callable[[], int] = lambda: 1,
    limits: Mapping[Cost, Limit] | None = None,
    **about: Any,
) -> AsyncIterator[DirectBot]:
    """Open a :class:`DirectBot` that draws nothing, and close it."""
    draw_nothing(patch)
    direct = DirectBot(clock, limits, **about)
    await direct.store.open()
    yield direct
    await direct.close()
    assert direct.faults() == []
