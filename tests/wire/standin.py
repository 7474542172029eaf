"""A stand-in for Discord on loopback: REST, gateway and CDN, over real sockets, for unmodified discord.py.

    async with StandIn() as discord_standin:
        guild = discord_standin.add_guild(100, 101)
        with discord_standin.client_settings():
            client = MyClient()                          # one that syncs its commands in setup_hook
            running = asyncio.create_task(client.start("token"))
            await discord_standin.connected()
            interaction = await discord_standin.interact("draw", guild_id=guild.id)
            message = await interaction.shown()
            await client.close()
            await running
        discord_standin.check()

A body that breaks Discord's published contract is answered as Discord would, with 400 and code 50035, and
noted in `violations`. A client in another process needs nothing of this module but `client_settings(url)`.
"""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from collections.abc import Collection, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, Self

import yarl
from aiohttp import web
from discord.gateway import DiscordWebSocket
from discord.http import Route

from tests.wire import interactions as acts
from tests.wire.contract import published
from tests.wire.faults import Fault, Loss, Refusal, json_response
from tests.wire.gateway import Gateway
from tests.wire.interactions import Interaction
from tests.wire.payloads import (
    ALL_PERMISSIONS,
    ApiError,
    Guild,
    InvalidFormBodyError,
    Json,
    Message,
    Snowflakes,
    Upload,
    User,
    dm_channel,
)
from tests.wire.rest import BOT, OWNER, Request, RestApi, UnknownRouteError

__all__ = ["BOT", "OWNER", "PLAYER", "Request", "StandIn", "User", "client_settings"]

API = "/api/v10"
PLAYER = User(id=900_000_000_000_000_003, name="player")
ATTACHMENT_SIZE_LIMIT = 10 * 1024 * 1024
CONNECT_TIMEOUT_S = 10.0


@contextmanager
def client_settings(url: str) -> Iterator[None]:
    """Sends every discord.py client of this process to the stand-in at `url`, until the context ends.

    These two class attributes are the only places where discord.py keeps Discord's addresses.
    """
    before = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    Route.BASE = url + API
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(url.replace("http", "ws", 1) + "/gateway")
    try:
        yield
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = before


class StandIn:
    """Discord, as a bot with slash commands, components and messages sees it; started with `async with`.

    The log: `requests` in order of arrival, `unknown` (those no route is for), `violations` (bodies that
    break the contract, in words). The state: `commands`, `messages` by id, `interactions` by token, `guilds`.

    :param checked: whether bodies are held to Discord's document, where it is at hand; benchmarks do without.
    """

    def __init__(self, *, checked: bool = True) -> None:
        self._new_id = Snowflakes()
        self.rest = RestApi(published() if checked else None, self._new_id)
        self.gateway = Gateway(
            self._ready,
            lambda: [g.payload(OWNER, BOT) for g in self.guilds.values()],
            lambda: self.rest.session_start_limit["max_concurrency"],
        )
        self.guilds: dict[int, Guild] = {}
        self.requests: list[Request] = []
        self.unknown: list[Request] = []
        self.violations: list[str] = []
        self.app_permissions = ALL_PERMISSIONS
        self.url = ""
        self._faults: list[Fault] = []
        self._runner: web.AppRunner | None = None

    @property
    def commands(self) -> list[Json]:
        return self.rest.commands

    @property
    def messages(self) -> dict[str, Message]:
        return self.rest.messages

    @property
    def interactions(self) -> dict[str, Interaction]:
        return self.rest.interactions

    async def __aenter__(self) -> Self:
        app = web.Application(client_max_size=ATTACHMENT_SIZE_LIMIT * 11)
        app.router.add_get("/gateway", self.gateway.handle)
        app.router.add_get("/attachments/{channel_id}/{attachment_id}/{filename}", self._serve_attachment)
        app.router.add_route("*", API + "/{path:.*}", self._serve_rest)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        host, port = self._runner.addresses[0][:2]
        self.url = self.rest.url = f"http://{host}:{port}"
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.gateway.disconnect(1001)
        assert self._runner is not None
        await self._runner.cleanup()

    def client_settings(self) -> AbstractContextManager[None]:
        """`client_settings(self.url)`: a context in which discord.py's clients reach this stand-in."""
        return client_settings(self.url)

    async def connected(self, timeout_s: float = CONNECT_TIMEOUT_S, shard: int | None = None) -> None:
        """Returns once a client has identified or resumed, with that shard or with all of them.

        :raises TimeoutError: none did in time.
        """
        await asyncio.wait_for(self.gateway.connected(shard), timeout_s)

    def check(self) -> None:
        """:raises AssertionError: a body broke the contract, or a request had no route."""
        faults = self.violations + [f"no route for {r.method} {r.path}" for r in self.unknown]
        if faults:
            raise AssertionError("\n".join(faults))

    # Faults

    def answer_with(
        self,
        method: str,
        path_regex: str,
        status: int,
        json: Any = None,
        headers: Mapping[str, str] | None = None,
        times: int = 1,
    ) -> Fault:
        """The next `times` requests whose method and path match take no effect and get this answer.

        The expression may match any part of the path. Of several that fit a request the oldest counts.
        discord.py retries a 429 only with a header Via (others it takes for Cloudflare's), after the seconds
        that `retry_after` in the JSON says.
        """
        refusal = Refusal(status, json, headers or {})
        return self.arm(Fault(method, re.compile(path_regex), times, refusal=refusal))

    def delay(self, method: str, path_regex: str, seconds: float, times: int = 1) -> Fault:
        """The next `times` such requests wait before they take effect and are answered."""
        return self.arm(Fault(method, re.compile(path_regex), times, delay_s=seconds))

    def drop(
        self,
        method: str,
        path_regex: str,
        times: int = 1,
        *,
        loss: Loss = Loss.BEFORE,
        resets: bool = False,
    ) -> Fault:
        """The next `times` such requests lose their connection instead of being answered.

        aiohttp itself repeats a GET or DELETE once on a lost connection, before discord.py hears of it.
        """
        return self.arm(Fault(method, re.compile(path_regex), times, loss=loss, resets=resets))

    def arm(self, fault: Fault) -> Fault:
        """From now on `fault` meets the requests that it matches."""
        self._faults.append(fault)
        return fault

    def calm(self) -> None:
        """No request is met by a fault any more."""
        self._faults.clear()

    # What players do

    def add_guild(self, guild_id: int, *channel_ids: int, locale: str = "en-US") -> Guild:
        """A guild the bot is in. Add it before the client connects, or call `announce` afterwards."""
        guild = self.guilds[guild_id] = Guild(guild_id, channel_ids, locale)
        return guild

    async def announce(self, guild: Guild) -> None:
        """Sends GUILD_CREATE, as when the bot is invited; a client without the intent GUILDS is not told."""
        await self.gateway.announce(guild.payload(OWNER, BOT))

    async def interact(
        self,
        command: str,
        options: Mapping[str, Any] | None = None,
        *,
        user: User = PLAYER,
        guild_id: int | None = None,
        channel_id: int | None = None,
        locale: str = "en-US",
    ) -> Interaction:
        """A player sends a slash command: in a guild, in its first channel unless told, or else in a DM.

        :raises NotOfferedError: the command is not synced, or Discord's client would not send it like this.
        """
        context = acts.BOT_DM_CONTEXT if guild_id is None else acts.GUILD_CONTEXT
        data = acts.command_data(self.commands, command, options or {}, context)
        return await self._dispatch(
            acts.COMMAND, data, user, self._channel(user, guild_id, channel_id), locale
        )

    async def autocomplete(
        self,
        command: str,
        option: str,
        value: Any,
        options: Mapping[str, Any] | None = None,
        *,
        user: User = PLAYER,
        guild_id: int | None = None,
        channel_id: int | None = None,
        locale: str = "en-US",
    ) -> Interaction:
        """A player has typed `value` into `option`; the answer's `choices` are what is offered.

        :raises NotOfferedError: the option does not autocomplete.
        """
        data = acts.autocomplete_data(self.commands, command, option, value, options or {})
        return await self._dispatch(
            acts.AUTOCOMPLETE, data, user, self._channel(user, guild_id, channel_id), locale
        )

    async def press(
        self,
        message: Message,
        custom_id: str,
        *,
        user: User = PLAYER,
        values: list[str] | None = None,
        locale: str = "en-US",
    ) -> Interaction:
        """A player presses a button of `message`, or picks `values` in a select.

        `message` is what the player sees: an older state of an edited message makes it an outdated press.

        :raises NotOfferedError: the message shows no such component, or it is disabled.
        """
        data = acts.component_data(message, custom_id, values)
        channel = self._channel_of(message)
        return await self._dispatch(acts.COMPONENT, data, user, channel, locale, {"message": message.payload})

    async def submit(
        self, opened_by: Interaction, texts: Mapping[str, str], *, locale: str = "en-US"
    ) -> Interaction:
        """The player fills in the modal `opened_by` was answered with: `texts` by custom id of the inputs.

        :raises NotOfferedError: the answer was no modal, or it has no such input.
        """
        answer = await opened_by.answer()
        if answer.type != acts.MODAL:
            raise acts.NotOfferedError("the bot has opened no modal")
        source = opened_by.payload
        message = {"message": source["message"]} if "message" in source else {}
        data = acts.modal_data(answer.data, texts)
        return await self._dispatch(
            acts.MODAL_SUBMIT, data, opened_by.user, source["channel"], locale, message, opened_by
        )

    async def send(
        self,
        type_: int,
        data: Json | None,
        *,
        user: User = PLAYER,
        guild_id: int | None = None,
        channel_id: int | None = None,
        locale: str = "en-US",
        without: Collection[str] = (),
        **fields: Any,
    ) -> Interaction:
        """An interaction that Discord's client of today would not send: nothing is held to what is offered.

        `fields` are set in the payload as they are, those in `without` are left out of it.
        """
        channel = self._channel(user, guild_id, channel_id)
        extra = {"data": data, **fields}
        return await self._dispatch(type_, {}, user, channel, locale, extra, without=without)

    async def again(self, interaction: Interaction) -> None:
        """Delivers an interaction once more."""
        await self.gateway.dispatch("INTERACTION_CREATE", interaction.payload)

    def _channel(self, user: User, guild_id: int | None, channel_id: int | None) -> Json:
        if guild_id is None:
            return dm_channel(self.rest.dm_channel_id(user), user)
        guild = self.guilds[guild_id]
        return guild.channel(channel_id or guild.channel_ids[0])

    def _channel_of(self, message: Message) -> Json:
        if message.channel_id in self.rest.dm_channels:
            return dm_channel(message.channel_id, self.rest.dm_channels[message.channel_id])
        channel_id = int(message.channel_id)
        guild = next(g for g in self.guilds.values() if channel_id in g.channel_ids)
        return guild.channel(channel_id)

    async def _dispatch(
        self,
        type_: int,
        data: Json,
        user: User,
        channel: Json,
        locale: str,
        extra: Json | None = None,
        opened_by: Interaction | None = None,
        without: Collection[str] = (),
    ) -> Interaction:
        payload = {
            "id": self._new_id(),
            "application_id": str(BOT.id),
            "type": type_,
            "token": secrets.token_urlsafe(32),
            "version": 1,
            "data": data,
            "channel": {**channel, "permissions": ALL_PERMISSIONS},
            "channel_id": channel["id"],
            "app_permissions": self.app_permissions,
            "locale": locale,
            "entitlements": [],
            "entitlement_sku_ids": [],
            "attachment_size_limit": ATTACHMENT_SIZE_LIMIT,
            **self._whereabouts(user, channel),
            **(extra or {}),
        }
        payload = {key: value for key, value in payload.items() if key not in without}
        interaction = Interaction(payload, user, opened_by)
        self.interactions[interaction.token] = interaction
        await self.gateway.dispatch("INTERACTION_CREATE", payload)
        return interaction

    def _whereabouts(self, user: User, channel: Json) -> Json:
        """The fields that differ between a guild and a DM. In a DM the owner of the guild install is "0"."""
        if "guild_id" not in channel:
            return {
                "user": user.payload(),
                "context": acts.BOT_DM_CONTEXT,
                "authorizing_integration_owners": {"0": "0"},
            }
        guild = self.guilds[int(channel["guild_id"])]
        return {
            "member": user.member(),
            "context": acts.GUILD_CONTEXT,
            "authorizing_integration_owners": {"0": str(guild.id)},
            "guild_id": str(guild.id),
            "guild_locale": guild.locale,
            "guild": {"id": str(guild.id), "locale": guild.locale, "features": []},
        }

    # The server

    def _ready(self) -> Json:
        """The body of READY but for the session id. A client resumes at `resume_gateway_url`: it has to be
        local.
        """
        application = self.rest.application()
        return {
            "v": 10,
            "user": BOT.payload(),
            "guilds": [{"id": str(guild_id), "unavailable": True} for guild_id in self.guilds],
            "resume_gateway_url": self.rest.gateway_url(),
            "application": {"id": application["id"], "flags": application["flags"]},
        }

    async def _serve_rest(self, http: web.Request) -> web.Response:
        """The one place every REST request passes: it is logged, subjected to faults, then answered."""
        request = await _read(http)
        self.requests.append(request)
        fault = next((f for f in self._faults if f.matches(request, self._asked_by(request))), None)
        if fault is None:
            return self._answer(request)
        fault.meet(request)
        await asyncio.sleep(fault.delay_s)
        if fault.refusal is not None:
            if fault.after_all:
                self._answer(request)
            return fault.refusal.response()
        if fault.loss is Loss.BEFORE:
            fault.lose(http)
            return web.Response()
        answer = self._answer(request)
        await asyncio.sleep(fault.late_s)
        if fault.loss is Loss.AFTER:
            fault.lose(http)
        return answer

    def _asked_by(self, request: Request) -> int | None:
        """Whose interaction a request answers, by the token in its path."""
        named = (self.interactions.get(part) for part in request.path.split("/"))
        return next((interaction.user.id for interaction in named if interaction is not None), None)

    def _answer(self, request: Request) -> web.Response:
        try:
            return json_response(*self.rest.answer(request))
        except ApiError as error:
            if isinstance(error, UnknownRouteError):
                self.unknown.append(request)
            if isinstance(error, InvalidFormBodyError):
                self.violations.append(error.fault)
            return json_response(error.status, error.body)

    async def _serve_attachment(self, http: web.Request) -> web.Response:
        """The CDN: an attachment's bytes for as long as its message has it."""
        for message in self.messages.values():
            for attachment in message.attachments:
                if attachment.payload["id"] == http.match_info["attachment_id"]:
                    return web.Response(body=attachment.data)
        raise web.HTTPNotFound


async def _read(http: web.Request) -> Request:
    body: Any = None
    files: tuple[Upload, ...] = ()
    if http.content_type == "multipart/form-data":
        body, files = _parts(http.headers["Content-Type"], await http.read())
    elif http.can_read_body:
        body = await http.json()
    return Request(http.method, "/" + http.match_info["path"], dict(http.query), body, files)


def _parts(content_type: str, content: bytes) -> tuple[Any, tuple[Upload, ...]]:
    """The JSON and the files of a multipart body (RFC 7578), split at once: aiohttp reads it line by line."""
    boundary = re.search(r"boundary=\"?([^\";]+)", content_type)
    assert boundary is not None
    body, files = None, []
    for part in content.split(f"--{boundary[1]}".encode())[1:-1]:
        head, _, data = part.removesuffix(b"\r\n").partition(b"\r\n\r\n")
        names = dict(re.findall(r'\b(name|filename)="([^"]*)"', head.decode()))
        if names["name"] == "payload_json":
            body = json.loads(data)
        else:
            files.append(Upload(names["filename"], data, int(re.sub(r"\D", "", names["name"]) or 0)))
    return body, tuple(files)
