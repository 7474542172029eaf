"""The bot's handlers and the real discord.py, with nothing behind them: what would be sent is looked at.

Interactions are parsed from what Discord sends, and answers are put together by discord.py. Only the two
functions that would begin a request are others, so each answer costs milliseconds. Nothing is drawn.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from discord import app_commands
from discord.http import HTTPClient
from discord.webhook.async_ import AsyncWebhookAdapter

from bot.discord_app.client import BotClient
from bot.discord_app.features.challenges import ChallengesFeature
from bot.service import Services
from bot.storage import NewGame, SqliteStore, StoredGame
from bot.telemetry.metrics import Metrics
from bot.text import languages, texts_for
from engine import GAMES, Record, find_game, replay
from tests.discord_app.playing import NOW_MS
from tests.discord_app.pressing import STATUS
from tests.limits import bot_faults, choice_faults, message_faults, modal_faults, speech_faults, spoken
from tests.thinking import Thinker
from tests.wire.interactions import AUTOCOMPLETE, CHOICES, COMMAND, COMPONENT, MODAL
from tests.wire.payloads import ALL_PERMISSIONS, Guild, Json, User, message_base

BOT = User(7, "solitaire", bot=True)
GUILD = Guild(100, (101,))
DRAWN = (
    "tables.message.draw_table",
    "features.rules.draw_table",
    "views.comparison.draw_table",
    "features.analyse.draw_table",
)
DRAWN_BARS = ("features.stats.draw_bars", "views.board.draw_bars")


@dataclass
class Sent:
    """What an interaction was answered with: bodies as Discord would get them, and choices."""

    bodies: list[Json] = field(default_factory=list)
    choices: list[Json] | None = None

    @property
    def text(self) -> str:
        return "\n".join(text for body in self.bodies for text in spoken(body))

    @property
    def is_table(self) -> bool:
        """True when there is more than a sentence."""
        return any(body.get("components") for body in self.bodies)


class ResponseDeferrer:
    """Everybody's interactions go over it; ``faults`` has what was wrong with an answer to one."""

    def __init__(self) -> None:
        self.store = SqliteStore(":memory:")
        services = Services.over(
            self.store, lambda: NOW_MS, secret="a secret of the tests", solvers=Thinker()
        )
        self.client = BotClient(self.store, services, Metrics())
        self.client._connection.application_id = BOT.id
        self.client.http._HTTPClient__session = SimpleNamespace()  # type: ignore[attr-defined]
        self.client._connection.user = discord.ClientUser(state=self.client._connection, data=BOT.payload())  # type: ignore[arg-type]
        self.names: dict[int, str] = {}
        self.loud: list[str] = []
        self.known_ids: set[int] = set()
        self._ids = itertools.count(10_000)
        self._sent = Sent()
        unexpected = [texts_for(name)("fault-unexpected", id="\0").partition("\0")[0] for name in languages()]
        self._unexpected = tuple(unexpected)

    @classmethod
    async def open(cls, patch: pytest.MonkeyPatch) -> ResponseDeferrer:
        deferrer = cls()
        for name in DRAWN:
            patch.setattr(f"bot.discord_app.{name}", lambda *_, **__: b"png")
        for name in DRAWN_BARS:
            patch.setattr(f"bot.discord_app.{name}", lambda *_, **__: b"png")
        patch.setattr("bot.discord_app.animations.draw_replay", lambda *_: b"gif")

        async def by_token(_: Any, route: Any, session: Any = None, **named: Any) -> Any:
            return deferrer._by_token(route, **named)

        async def by_bot(_: Any, route: Any, **named: Any) -> Any:
            return deferrer._by_bot(route, **named)

        patch.setattr(AsyncWebhookAdapter, "request", by_token)
        patch.setattr(HTTPClient, "request", by_bot)
        await deferrer.store.open()
        return deferrer

    async def close(self) -> None:
        client = self.client
        await client.feature(ChallengesFeature).messages.close()
        await client.follow_ups.close()
        client.app.animations.close()
        await self.store.close()

    async def user(self, record: str = "", name: str = "ada") -> int:
        """Somebody new, with a game that has come so far."""
        user_id = next(self._ids)
        self.names[user_id] = name
        self.known_ids.add(user_id)
        if record:
            await self.holds(user_id, record)
        return user_id

    async def holds(self, user_id: int, text: str, **about: Any) -> StoredGame:
        record = Record.parse(text)
        game, state = find_game(record.game), replay(record)
        status = STATUS[game.outcome(state)]
        return await self.store.create_game(
            NewGame(user_id, text, status, game.score(state), next(self._ids), NOW_MS, **about)
        )

    async def types(self, user_id: int, command: str, locale: str = "en-US", **options: Any) -> Sent:
        """A slash command; an option that is a user is given as a :class:`User`."""
        return await self._interact(COMMAND, user_id, _command(command, options), locale)

    async def completes(self, user_id: int, command: str, option: str, typed: str, **options: Any) -> Sent:
        """What an option offers while it is typed."""
        data = _command(command, {**options, option: typed})
        data["options"][-1]["focused"] = True
        return await self._interact(AUTOCOMPLETE, user_id, data, "en-US")

    async def presses(
        self, user_id: int, custom_id: str, *values: str, title: str = "x", locale: str = "en-US"
    ) -> Sent:
        """A press on a message of the bot that begins with ``title``."""
        data = {"custom_id": custom_id, "component_type": 3 if values else 2, "values": list(values)}
        about = {
            "user": self._account(user_id),
            "id": "1",
            "type": COMMAND,
            "authorizing_integration_owners": {},
        }
        message = {
            **message_base(str(next(self._ids)), "101", BOT),
            "content": "",
            "embeds": [],
            "attachments": [],
            "flags": 1 << 15,
            "interaction_metadata": about,
            "components": [{"type": 10, "id": 1, "content": title}],
        }
        return await self._interact(COMPONENT, user_id, data, locale, message=message)

    async def _interact(self, kind: int, user_id: int, data: Json, locale: str, **more: Any) -> Sent:
        self._sent = sent = Sent()
        interaction: Any = discord.Interaction(
            data=self._payload(kind, user_id, data, locale) | more,  # type: ignore[arg-type]
            state=self.client._connection,
        )
        with _listening(self.loud):
            if kind == COMPONENT:
                await self.client.on_interaction(interaction)
            else:
                try:
                    await self.client.tree._call(interaction)
                except (
                    app_commands.AppCommandError
                ) as error:  # an option does not fit the command as declared
                    await self.client.tree.on_error(interaction, error)
            while self.client.feature(ChallengesFeature).messages._tasks:
                await asyncio.gather(*self.client.feature(ChallengesFeature).messages._tasks)
        return sent

    def faults(self, sent: Sent) -> list[str]:
        """What is wrong with an answer."""
        faults = [f"it was logged: {said}" for said in self.loud]
        self.loud.clear()
        if not sent.bodies and sent.choices is None:
            faults.append("there is no answer")
        if sent.choices is not None:
            faults += choice_faults(sent.choices)
        for body in sent.bodies:
            faults += message_faults(body) + bot_faults(body)
            for text in spoken(body):
                faults += speech_faults(text, self.known_ids)
                faults += ["there is an error of ours"] if text.startswith(self._unexpected) else []
        return faults

    def _payload(self, kind: int, user_id: int, data: Json, locale: str) -> Json:
        member = {**User(user_id, "x").member(), "user": self._account(user_id)}
        channel = {**GUILD.channel(101), "permissions": ALL_PERMISSIONS}
        return {
            "id": str(next(self._ids)),
            "application_id": str(BOT.id),
            "type": kind,
            "version": 1,
            "token": f"token-{next(self._ids)}",
            "locale": locale,
            "guild_locale": "en-US",
            "guild_id": str(GUILD.id),
            "channel_id": "101",
            "channel": channel,
            "member": member,
            "guild": {"id": str(GUILD.id), "locale": "en-US", "features": []},
            "context": 0,
            "app_permissions": ALL_PERMISSIONS,
            "entitlements": [],
            "authorizing_integration_owners": {},
            "attachment_size_limit": 10_485_760,
            "data": data,
        }

    def _account(self, user_id: int) -> Json:
        return {**User(user_id, "x").payload(), "global_name": self.names.get(user_id, "x")}

    def _by_token(self, route: Any, **named: Any) -> Any:
        """What goes to Discord with an interaction's token."""
        body: Json = named.get("payload") or next(
            (
                json.loads(part["value"])
                for part in named.get("multipart") or ()
                if part["name"] == "payload_json"
            ),
            {},
        )
        message_id = str(next(self._ids))
        if route.path.endswith("/callback"):
            data = body.get("data") or {}
            if body["type"] == CHOICES:
                self._sent.choices = data["choices"]
            elif body["type"] == MODAL:
                assert not modal_faults(data)
            elif data.get("content") or data.get("components"):
                self._sent.bodies.append(data)
            return {"interaction": {"id": "1", "type": 2, "response_message_id": message_id}}
        if route.method != "DELETE":
            self._sent.bodies.append(body)
        return self._message(message_id)

    def _by_bot(self, route: Any, **named: Any) -> Any:
        """What goes to Discord with the bot's own token."""
        *_, what, last = route.url.partition("?")[0].rsplit("/", 2)
        if what == "guilds":
            return GUILD.payload(User(1, "owner"), BOT)
        if what in ("members", "users"):
            account = self._account(int(last))
            return {**User(int(last), "x").member(), "user": account} if what == "members" else account
        body: Json = named.get("json") or {}
        assert not message_faults(body) + bot_faults(body), body
        return self._message(last)

    def _message(self, message_id: str) -> Json:
        more = {"content": "", "embeds": [], "components": [], "attachments": [], "flags": 0}
        return {**message_base(message_id, "101", BOT), **more}


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
    people = {str(value.id): value.payload() for value in options.values() if isinstance(value, User)}
    data: Json = {"id": "5", "name": name, "type": 1, "options": given}
    return {**data, "resolved": {"users": people}} if people else data


class _listening(logging.Handler):  # noqa: N801 - used as a function
    """Puts down whatever is logged as an error, by the bot or by discord.py."""

    def __init__(self, heard: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._heard = heard

    def emit(self, record: logging.LogRecord) -> None:
        self._heard.append(record.getMessage() + (f": {record.exc_info[1]!r}" if record.exc_info else ""))

    def __enter__(self) -> None:
        logging.getLogger().addHandler(self)

    def __exit__(self, *_: object) -> None:
        logging.getLogger().removeHandler(self)


def start(run: Callable[[Any], Any], patch: pytest.MonkeyPatch) -> ResponseDeferrer:
    """A desk in the loop of ``run``."""
    deferrer: ResponseDeferrer = run(ResponseDeferrer.open(patch))
    return deferrer


RULES = tuple((key, code) for key, game in GAMES.items() for code in game.presets)
