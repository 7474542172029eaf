"""Discord's REST routes over plain dictionaries, no sockets: a `Request` goes in, status and JSON out."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tests.limits import message_faults
from tests.wire.contract import Contract, layout_faults
from tests.wire.interactions import DEFERRED_REPLY, DEFERRED_UPDATE, REPLY, UPDATE, Answer, Interaction
from tests.wire.payloads import (
    LOADING,
    ApiError,
    InvalidFormBodyError,
    Json,
    Message,
    Snowflakes,
    Upload,
    User,
    compose,
    dm_channel,
    message_base,
    now,
)

BOT = User(id=900_000_000_000_000_001, name="solitaire", bot=True)
OWNER = User(id=900_000_000_000_000_002, name="owner")

ACKNOWLEDGE_WITHIN_S = 3.0


@dataclass(frozen=True)
class Request:
    """One REST request as it arrived. `path` is without host, version prefix and query.

    `json` is the body, or the field `payload_json` of a multipart body, or None; `at_s` is on
    `time.monotonic`'s scale.
    """

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    json: Any = None
    files: tuple[Upload, ...] = ()
    at_s: float = field(default_factory=time.monotonic)

    def asks(self, flag: str) -> bool:
        """Whether the query has `flag` switched on."""
        return self.query.get(flag, "").lower() in ("1", "true")


class UnknownRouteError(ApiError):
    """404 for a path no route is for: either the bot is wrong or the stand-in lacks something."""

    def __init__(self) -> None:
        super().__init__(404, 0, "404: Not Found")


Reply = tuple[int, Any]
Files = tuple[Upload, ...]
Handler = Callable[..., Reply]


class RestApi:
    """The routes and what they keep: `commands`, `messages` by id, `interactions` by token, `dm_channels` by
    id.

    `shards` and `session_start_limit` are what it says about the gateway. `answer_faults` lists answers of
    this class that do not fit the contract: faults of the stand-in, not of the bot.
    """

    def __init__(self, contract: Contract | None, new_id: Snowflakes) -> None:
        self.contract = contract
        self.url = ""
        self.commands: list[Json] = []
        self.messages: dict[str, Message] = {}
        self.interactions: dict[str, Interaction] = {}
        self.dm_channels: dict[str, User] = {}
        self.answer_faults: list[str] = []
        self.shards = 1
        self.session_start_limit = {
            "total": 1000,
            "remaining": 1000,
            "reset_after": 0,
            "max_concurrency": 1,
        }
        self._by_nonce: dict[tuple[str, str] | None, str] = {}
        self._new_id = new_id
        self._routes = [(method, path, _pattern(path), handler) for method, path, handler in self._table()]

    def answer(self, request: Request) -> Reply:
        """The status and JSON (None for no body) of the answer.

        :raises ApiError: Discord would refuse the request.
        """
        for method, template, pattern, handler in self._routes:
            match = pattern.fullmatch(request.path)
            if match and method == request.method:
                self._check_request(request, template)
                status, body = handler(request, *match.groups())
                self._check_answer(request, template, status, body)
                return status, body
        raise UnknownRouteError

    def _table(self) -> list[tuple[str, str, Handler]]:
        """Method, path as the OpenAPI document writes it, handler. The first match counts."""
        commands = "/applications/{application_id}/commands"
        webhook = "/webhooks/{webhook_id}/{webhook_token}"
        channel = "/channels/{channel_id}"
        return [
            ("GET", "/users/@me", self._me),
            ("POST", "/users/@me/channels", self._open_dm),
            ("GET", "/applications/@me", self._application),
            ("GET", "/oauth2/applications/@me", self._application),
            ("GET", "/gateway", self._gateway),
            ("GET", "/gateway/bot", self._gateway_bot),
            ("GET", commands, self._list_commands),
            ("PUT", commands, self._replace_commands),
            ("POST", commands, self._add_command),
            ("GET", commands + "/{command_id}", self._get_command),
            ("PATCH", commands + "/{command_id}", self._edit_command),
            ("DELETE", commands + "/{command_id}", self._delete_command),
            ("POST", "/interactions/{interaction_id}/{interaction_token}/callback", self._callback),
            ("POST", webhook, self._follow_up),
            ("GET", webhook + "/messages/@original", self._get_original),
            ("PATCH", webhook + "/messages/@original", self._edit_original),
            ("DELETE", webhook + "/messages/@original", self._delete_original),
            ("GET", webhook + "/messages/{message_id}", self._get_followup),
            ("PATCH", webhook + "/messages/{message_id}", self._edit_followup),
            ("DELETE", webhook + "/messages/{message_id}", self._delete_followup),
            ("POST", channel + "/typing", self._typing),
            ("GET", channel + "/messages", self._list_messages),
            ("POST", channel + "/messages", self._create_message),
            ("GET", channel + "/messages/{message_id}", self._get_message),
            ("PATCH", channel + "/messages/{message_id}", self._edit_message),
            ("DELETE", channel + "/messages/{message_id}", self._delete_message),
        ]

    def _check_request(self, request: Request, template: str) -> None:
        if self.contract is None:
            return
        faults = self.contract.request_faults(request.method, template, request.json)
        if faults:
            raise InvalidFormBodyError("; ".join(faults))

    def _check_answer(self, request: Request, template: str, status: int, body: Any) -> None:
        if self.contract is not None and status == 200:
            self.answer_faults += self.contract.response_faults(request.method, template, body)

    # The bot's own account

    def application(self) -> Json:
        """The application object; its id is the bot user's, as for every application of recent years."""
        return {
            "id": str(BOT.id),
            "name": BOT.name,
            "description": "",
            "icon": None,
            "type": None,
            "owner": OWNER.payload(),
            "team": None,
            "bot": BOT.payload(),
            "bot_public": True,
            "bot_require_code_grant": False,
            "verify_key": "0" * 64,
            "flags": 0,
            "flags_new": "0",
            "redirect_uris": [],
            "interactions_endpoint_url": None,
            "role_connections_verification_url": None,
            "approximate_guild_count": 1,
            "approximate_user_install_count": 0,
            "approximate_user_authorization_count": 0,
            "explicit_content_filter": 0,
            "eligible_oauth2_scopes": [],
        }

    def _me(self, _: Request) -> Reply:
        return 200, {**BOT.payload(), "mfa_enabled": True, "locale": "en-US", "verified": True}

    def _application(self, _: Request) -> Reply:
        return 200, self.application()

    def gateway_url(self) -> str:
        return self.url.replace("http", "ws", 1) + "/gateway"

    def _gateway(self, _: Request) -> Reply:
        return 200, {"url": self.gateway_url()}

    def _gateway_bot(self, _: Request) -> Reply:
        limit = dict(self.session_start_limit)
        return 200, {"url": self.gateway_url(), "shards": self.shards, "session_start_limit": limit}

    # Direct messages

    def dm_channel_id(self, user: User) -> str:
        """The id of the private channel with `user`, opened on first use."""
        for channel_id, recipient in self.dm_channels.items():
            if recipient.id == user.id:
                return channel_id
        channel_id = self._new_id()
        self.dm_channels[channel_id] = user
        return channel_id

    def _open_dm(self, request: Request) -> Reply:
        user_id = int(request.json["recipient_id"])
        channel_id = self.dm_channel_id(User(user_id, f"user-{user_id}"))
        return 200, dm_channel(channel_id, self.dm_channels[channel_id])

    # Application commands

    def _list_commands(self, _: Request, _application: str) -> Reply:
        return 200, self.commands

    def _replace_commands(self, request: Request, _application: str) -> Reply:
        self.commands = [self._command(body) for body in request.json or ()]
        return 200, self.commands

    def _add_command(self, request: Request, _application: str) -> Reply:
        """A command of the same name and type is overwritten, and keeps its id."""
        command = self._command(request.json)
        known = command["id"] in {c["id"] for c in self.commands}
        self.commands = [c for c in self.commands if c["id"] != command["id"]] + [command]
        return 200 if known else 201, command

    def _get_command(self, _: Request, _application: str, command_id: str) -> Reply:
        return 200, self._find_command(command_id)

    def _edit_command(self, request: Request, _application: str, command_id: str) -> Reply:
        command = self._find_command(command_id)
        command |= {**self._command({**command, **request.json}), "id": command_id}
        return 200, command

    def _delete_command(self, _: Request, _application: str, command_id: str) -> Reply:
        self.commands.remove(self._find_command(command_id))
        return 204, None

    def _find_command(self, command_id: str) -> Json:
        for command in self.commands:
            if command["id"] == command_id:
                return command
        raise ApiError(404, 10063, "Unknown application command")

    def _command(self, body: Json) -> Json:
        """The command as Discord stores it; permissions come in as a number and go out as a string."""
        type_ = body.get("type") or 1
        same = [c["id"] for c in self.commands if (c["name"], c["type"]) == (body["name"], type_)]
        permissions = body.get("default_member_permissions")
        return {
            **body,
            "id": same[0] if same else self._new_id(),
            "application_id": str(BOT.id),
            "version": self._new_id(),
            "type": type_,
            "description": body.get("description") or "",
            "integration_types": body.get("integration_types") or [0],  # 0: installed to guilds
            "default_member_permissions": None if permissions is None else str(permissions),
        }

    # Interactions

    def _callback(self, request: Request, interaction_id: str, token: str) -> Reply:
        interaction = self.interactions.get(token)
        if interaction is None or interaction.id != interaction_id or self._too_late(interaction):
            raise ApiError(404, 10062, "Unknown interaction")
        if interaction.acknowledged:
            raise ApiError(400, 40060, "Interaction has already been acknowledged.")
        type_, data = request.json["type"], request.json.get("data") or {}
        message = self._callback_message(interaction, type_, data, request.files)
        interaction.acknowledge(Answer(type_, data, request.files, message))
        if not request.asks("with_response"):
            return 204, None
        return 200, self._callback_answer(interaction, type_, message)

    @staticmethod
    def _too_late(interaction: Interaction) -> bool:
        return interaction.expired or time.monotonic() - interaction.at_s > ACKNOWLEDGE_WITHIN_S

    def _callback_message(
        self, interaction: Interaction, type_: int, data: Json, files: Files
    ) -> Message | None:
        """The message a callback makes or changes, if any; it becomes the interaction's original."""
        if type_ in (REPLY, DEFERRED_REPLY):
            if type_ == DEFERRED_REPLY:
                data = {"flags": (data.get("flags") or 0) | LOADING}
            message = self._create(data, files, self._interaction_base(interaction))
        elif type_ in (UPDATE, DEFERRED_UPDATE):
            source = interaction.payload.get("message")
            if source is None:
                raise InvalidFormBodyError("there is no message to update")
            message = self._stored(source["id"])
            if type_ == UPDATE:
                message = self._edit(data, files, message)
        else:
            return None
        interaction.original_id = message.id
        return message

    @staticmethod
    def _callback_answer(interaction: Interaction, type_: int, message: Message | None) -> Json:
        about: Json = {"id": interaction.id, "type": interaction.payload["type"]}
        if message is None:
            return {"interaction": about}
        about |= {
            "response_message_id": message.id,
            "response_message_loading": type_ == DEFERRED_REPLY,
            "response_message_ephemeral": message.ephemeral,
        }
        if type_ in (DEFERRED_REPLY, DEFERRED_UPDATE):
            return {"interaction": about}
        return {"interaction": about, "resource": {"type": type_, "message": message.payload}}

    def _interaction_base(self, interaction: Interaction) -> Json:
        source = interaction.payload
        app = {
            "application_id": str(BOT.id),
            "webhook_id": str(BOT.id),
            "interaction_metadata": interaction.metadata(),
        }
        return {**message_base(self._new_id(), source["channel_id"], BOT), **app}

    def _open_interaction(self, token: str) -> Interaction:
        """The acknowledged interaction whose token still works; Discord's tokens live for 15 minutes."""
        interaction = self.interactions.get(token)
        if interaction is None or not interaction.acknowledged:
            raise ApiError(404, 10015, "Unknown Webhook")
        if interaction.expired:
            raise ApiError(401, 50027, "Invalid Webhook Token")
        return interaction

    def _original(self, interaction: Interaction) -> Message:
        return self._stored(interaction.original_id or "")

    def _get_original(self, _: Request, _application: str, token: str) -> Reply:
        return 200, self._original(self._open_interaction(token)).payload

    def _edit_original(self, request: Request, _application: str, token: str) -> Reply:
        interaction = self._open_interaction(token)
        message = self._edit(request.json, request.files, self._original(interaction))
        interaction.show(message)
        return 200, message.payload

    def _delete_original(self, _: Request, _application: str, token: str) -> Reply:
        del self.messages[self._original(self._open_interaction(token)).id]
        return 204, None

    def _follow_up(self, request: Request, _application: str, token: str) -> Reply:
        interaction = self._open_interaction(token)
        original = self.messages.get(interaction.original_id or "")
        if original is not None and original.payload["flags"] & LOADING:
            # Discord lets the first follow-up fill in the "is thinking…" message, and adds none below it.
            message = self._edit(request.json, request.files, original)
        else:
            message = self._create(request.json, request.files, self._interaction_base(interaction))
            interaction.followups.append(message)
        interaction.show(message)
        return (200, message.payload) if request.asks("wait") else (204, None)

    def _get_followup(self, _: Request, _application: str, token: str, message_id: str) -> Reply:
        self._open_interaction(token)
        return 200, self._stored(message_id).payload

    def _edit_followup(self, request: Request, _application: str, token: str, message_id: str) -> Reply:
        interaction = self._open_interaction(token)
        message = self._edit(request.json, request.files, self._stored(message_id))
        interaction.show(message)
        return 200, message.payload

    def _delete_followup(self, _: Request, _application: str, token: str, message_id: str) -> Reply:
        self._open_interaction(token)
        del self.messages[self._stored(message_id).id]
        return 204, None

    # Messages in channels

    def _typing(self, _: Request, _channel: str) -> Reply:
        return 204, None

    def _list_messages(self, request: Request, channel_id: str) -> Reply:
        """Newest first, as many as `limit` says; before, after and around are not supported."""
        found = [m.payload for m in self.messages.values() if m.channel_id == channel_id and not m.ephemeral]
        return 200, found[::-1][: int(request.query.get("limit", "50"))]

    def _create_message(self, request: Request, channel_id: str) -> Reply:
        """A nonce that is enforced and was there before brings the message that it made then."""
        body = request.json or {}
        nonce = (channel_id, str(body.get("nonce"))) if body.get("enforce_nonce") else None
        if nonce in self._by_nonce:
            return 200, self._stored(self._by_nonce[nonce]).payload
        base = message_base(self._new_id(), channel_id, BOT)
        message = self._create(request.json, request.files, base)
        if nonce is not None:
            self._by_nonce[nonce] = message.id
        return 200, message.payload

    def _get_message(self, _: Request, channel_id: str, message_id: str) -> Reply:
        return 200, self._in_channel(channel_id, message_id).payload

    def _edit_message(self, request: Request, channel_id: str, message_id: str) -> Reply:
        before = self._in_channel(channel_id, message_id)
        return 200, self._edit(request.json, request.files, before).payload

    def _delete_message(self, _: Request, channel_id: str, message_id: str) -> Reply:
        del self.messages[self._in_channel(channel_id, message_id).id]
        return 204, None

    def _in_channel(self, channel_id: str, message_id: str) -> Message:
        """An ephemeral message is in no channel: only its interaction's token reaches it."""
        message = self._stored(message_id)
        if message.channel_id != channel_id or message.ephemeral:
            raise ApiError(404, 10008, "Unknown Message")
        return message

    def _stored(self, message_id: str) -> Message:
        if message_id not in self.messages:
            raise ApiError(404, 10008, "Unknown Message")
        return self.messages[message_id]

    def _create(self, body: Json, files: Files, base: Json) -> Message:
        return self._keep(body, files, None, base)

    def _edit(self, body: Json, files: Files, before: Message) -> Message:
        return self._keep(body, files, before, {**before.payload, "edited_timestamp": now()})

    def _keep(self, body: Json, files: Files, before: Message | None, base: Json) -> Message:
        cdn_url = f"{self.url}/attachments"
        message = compose(body, files, before=before, base=base, new_id=self._new_id, cdn_url=cdn_url)
        faults = layout_faults(message.payload) + message_faults(body)
        if faults:
            raise InvalidFormBodyError("; ".join(faults))
        self.messages[message.id] = message
        return message


def _pattern(template: str) -> re.Pattern[str]:
    """`/a/{b}` as a regular expression with one group for each name in braces."""
    return re.compile(re.sub(r"\\\{\w+\\\}", "([^/]+)", re.escape(template)))
