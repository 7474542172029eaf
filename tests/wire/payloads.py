"""The objects Discord sends, as plain JSON: users, guilds, channels and messages.

Nothing here does I/O. Every function takes what a client sent and returns what Discord would answer.
"""

from __future__ import annotations

import itertools
import mimetypes
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple

Json = dict[str, Any]

DISCORD_EPOCH_MS = 1_420_070_400_000
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
ALL_PERMISSIONS = str((1 << 53) - 1)

EPHEMERAL = 1 << 6
LOADING = 1 << 7
COMPONENTS_V2 = 1 << 15
EDITABLE_FLAGS = 1 << 2 | COMPONENTS_V2  # suppress embeds; the layout flag can be set but never cleared

BUTTON, MEDIA_GALLERY, TEXT_DISPLAY, THUMBNAIL, FILE = 2, 12, 10, 11, 13


class ApiError(Exception):
    """A request Discord refuses: an HTTP status, Discord's own error code and its words."""

    def __init__(self, status: int, code: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.body: Json = {"code": code, "message": message}


class InvalidFormBodyError(ApiError):
    """400, code 50035: the body breaks Discord's contract."""

    def __init__(self, fault: str) -> None:
        super().__init__(400, 50035, f"Invalid Form Body: {fault}")
        self.fault = fault


class Upload(NamedTuple):
    """A file of a multipart request; `number` is the n of its field `files[n]`."""

    filename: str
    data: bytes
    number: int


class Snowflakes:
    """Ids as Discord makes them: milliseconds since 2015 in the high bits, a counter in the low 22."""

    def __init__(self) -> None:
        self._count = itertools.count()

    def __call__(self) -> str:
        milliseconds = time.time_ns() // 1_000_000 - DISCORD_EPOCH_MS
        return str(milliseconds << 22 | next(self._count) & 0x3FFFFF)


@dataclass(frozen=True)
class User:
    """A Discord account."""

    id: int
    name: str
    bot: bool = False

    def payload(self) -> Json:
        return {
            "id": str(self.id),
            "username": self.name,
            "discriminator": "0",
            "global_name": self.name.title(),
            "avatar": None,
            "bot": self.bot,
            "public_flags": 0,
            "flags": 0,
            "primary_guild": None,
        }

    def member(self, permissions: str = ALL_PERMISSIONS) -> Json:
        """The user as a member of a guild, with the permissions an interaction carries."""
        return {
            "user": self.payload(),
            "nick": None,
            "avatar": None,
            "roles": [],
            "joined_at": "2024-01-01T00:00:00+00:00",
            "premium_since": None,
            "deaf": False,
            "mute": False,
            "flags": 0,
            "pending": False,
            "communication_disabled_until": None,
            "permissions": permissions,
        }


@dataclass(frozen=True)
class Guild:
    """A server with text channels, all of which every member may use."""

    id: int
    channel_ids: tuple[int, ...]
    locale: str = "en-US"

    def channel(self, channel_id: int) -> Json:
        return {
            "id": str(channel_id),
            "guild_id": str(self.id),
            "type": 0,
            "name": f"channel-{channel_id}",
            "position": self.channel_ids.index(channel_id),
            "permission_overwrites": [],
            "nsfw": False,
            "topic": None,
            "parent_id": None,
            "last_message_id": None,
            "rate_limit_per_user": 0,
            "flags": 0,
        }

    def payload(self, owner: User, bot: User) -> Json:
        """The body of GUILD_CREATE. The role called @everyone has the guild's own id."""
        everyone = {"id": str(self.id), "name": "@everyone", "permissions": ALL_PERMISSIONS, "position": 0}
        look = {"color": 0, "hoist": False, "managed": False, "mentionable": False, "flags": 0}
        return {
            "id": str(self.id),
            "name": f"Guild {self.id}",
            "owner_id": str(owner.id),
            "preferred_locale": self.locale,
            "unavailable": False,
            "member_count": 2,
            "large": False,
            "joined_at": "2024-01-01T00:00:00+00:00",
            "roles": [{**everyone, **look}],
            "channels": [self.channel(channel_id) for channel_id in self.channel_ids],
            "members": [owner.member(), bot.member()],
            **dict.fromkeys(("icon", "splash", "banner", "description", "afk_channel_id"), None),
            **dict.fromkeys(
                ("verification_level", "explicit_content_filter", "mfa_level", "premium_tier"), 0
            ),
            **dict.fromkeys(("default_message_notifications", "nsfw_level", "afk_timeout"), 0),
            **dict.fromkeys(("system_channel_flags", "premium_subscription_count"), 0),
            **{key: [] for key in ("emojis", "stickers", "features", "threads", "presences", "voice_states")},
            **{key: [] for key in ("stage_instances", "guild_scheduled_events", "soundboard_sounds")},
        }


def dm_channel(channel_id: str, user: User) -> Json:
    """The private channel between the bot and `user`."""
    recipients = [user.payload()]
    return {"id": channel_id, "type": 1, "flags": 0, "last_message_id": None, "recipients": recipients}


@dataclass(frozen=True)
class Attachment:
    """A file Discord keeps for a message: what it tells about it, and its bytes."""

    payload: Json
    data: bytes = field(repr=False)

    @property
    def filename(self) -> str:
        return str(self.payload["filename"])


@dataclass(frozen=True)
class Message:
    """A message as it is after one request. An edit makes a new `Message` with the same id.

    `attachments` has every file of the message. `payload["attachments"]` lacks those shown by a component or
    an embed: Discord leaves them out on purpose (discord-api-docs issue 8277).
    """

    payload: Json
    attachments: tuple[Attachment, ...] = ()

    @property
    def id(self) -> str:
        return str(self.payload["id"])

    @property
    def channel_id(self) -> str:
        return str(self.payload["channel_id"])

    @property
    def ephemeral(self) -> bool:
        return bool(self.payload["flags"] & EPHEMERAL)

    @property
    def text(self) -> str:
        """The content and every text display, in reading order, one a line."""
        displays = [c["content"] for c in walk(self.payload["components"]) if c["type"] == TEXT_DISPLAY]
        return "\n".join(filter(None, [self.payload["content"], *displays]))

    def attachment(self, filename: str | None = None) -> Attachment:
        """The attachment of that name, or the only one.

        :raises LookupError: there is none, or there are several.
        """
        found = [a for a in self.attachments if filename in (None, a.filename)]
        if len(found) != 1:
            msg = f"{len(found)} attachments called {filename or 'anything'}"
            raise LookupError(msg)
        return found[0]

    def component(self, custom_id: str) -> Json:
        """The button or select with that custom id.

        :raises LookupError: the message shows none.
        """
        for component in walk(self.payload["components"]):
            if component.get("custom_id") == custom_id:
                return component
        msg = f"no component {custom_id!r} in message {self.id}"
        raise LookupError(msg)


def walk(components: Iterable[Json]) -> Iterator[Json]:
    """Every component, parents before children, in the order they were written."""
    for component in components:
        yield component
        yield from walk(component.get("components") or ())
        yield from walk(c for c in (component.get("accessory"), component.get("component")) if c)


def compose(
    body: Json,
    uploads: Iterable[Upload],
    *,
    before: Message | None,
    base: Json,
    new_id: Callable[[], str],
    cdn_url: str,
) -> Message:
    """The message that results from creating one (`before` is None) or editing `before` with `body`.

    A field left out of an edit stays as it was. `base` are the fields a client cannot set.

    :raises InvalidFormBodyError: a picture is shown that was not uploaded.
    """
    old: Json = before.payload if before else {"content": "", "embeds": [], "components": [], "flags": 0}
    attachments = _attachments(body, list(uploads), before, new_id, f"{cdn_url}/{base['channel_id']}")
    media = _Media(attachments, new_id)
    payload = {**base, **{key: old[key] for key in ("content", "embeds", "components")}}
    if "content" in body:
        payload["content"] = body["content"] or ""
    if "embeds" in body:
        payload["embeds"] = media.embeds(body["embeds"] or [])
    if "components" in body:
        payload["components"] = _components(body["components"] or [], media)
    flags = body.get("flags") or 0
    payload["flags"] = old["flags"] & ~LOADING | flags & EDITABLE_FLAGS if before else flags
    shown = {item["url"] for item in _media_items(payload)}
    payload["attachments"] = [a.payload for a in attachments if a.payload["url"] not in shown]
    return Message(payload, attachments)


def _attachments(
    body: Json, uploads: list[Upload], before: Message | None, new_id: Callable[[], str], url: str
) -> tuple[Attachment, ...]:
    """Kept and new files. Without `attachments` in the body all old files are kept and all uploads added."""
    old = {a.payload["id"]: a for a in before.attachments} if before else {}
    described = {str(entry["id"]): entry for entry in body.get("attachments") or ()}
    kept = [a for id_, a in old.items() if id_ in described or body.get("attachments") is None]
    added = [_stored(upload, described.get(str(upload.number), {}), new_id(), url) for upload in uploads]
    unknown = set(described) - set(old) - {str(upload.number) for upload in uploads}
    if unknown:
        msg = f"attachments: no file with id {', '.join(sorted(unknown))}"
        raise InvalidFormBodyError(msg)
    return (*kept, *added)


def _stored(upload: Upload, described: Json, id_: str, url: str) -> Attachment:
    address = f"{url}/{id_}/{upload.filename}"
    payload: Json = {"id": id_, "filename": upload.filename, "size": len(upload.data)}
    payload |= {"url": address, "proxy_url": address}
    if described.get("description"):
        payload["description"] = described["description"]
    if upload.data.startswith(PNG_SIGNATURE):
        # The first chunk is always IHDR, whose first 8 bytes are width and height, big-endian.
        payload["width"] = int.from_bytes(upload.data[16:20], "big")
        payload["height"] = int.from_bytes(upload.data[20:24], "big")
        payload["content_type"] = "image/png"
    elif guessed := mimetypes.guess_type(upload.filename)[0]:
        payload["content_type"] = guessed
    return Attachment(payload, upload.data)


class _Media:
    """Turns `attachment://name` and web addresses into the media objects Discord answers with."""

    def __init__(self, attachments: tuple[Attachment, ...], new_id: Callable[[], str]) -> None:
        self._attachments = attachments
        self._new_id = new_id

    def item(self, url: str) -> Json:
        attachment = self._find(url)
        if attachment is None:
            return {"id": self._new_id(), "url": url, "proxy_url": url}
        known: Json = {
            k: attachment.payload[k] for k in ("width", "height", "content_type") if k in attachment.payload
        }
        address = attachment.payload["url"]
        id_ = attachment.payload["id"]
        return {"id": self._new_id(), "url": address, "proxy_url": address, "attachment_id": id_, **known}

    def embeds(self, embeds: list[Json]) -> list[Json]:
        return [
            {"type": "rich", **{k: self._embed_field(k, v) for k, v in embed.items()}} for embed in embeds
        ]

    def _embed_field(self, name: str, value: Any) -> Any:
        return self.item(value["url"]) if name in ("image", "thumbnail") else value

    def _find(self, url: str) -> Attachment | None:
        name = url.removeprefix("attachment://")
        for attachment in self._attachments:
            if url == attachment.payload["url"] or (name != url and name == attachment.filename):
                return attachment
        if name != url:
            msg = f"{url} names no attachment of this message"
            raise InvalidFormBodyError(msg)
        return None


# What Discord fills in when a client leaves it out, by component type.
_DEFAULTS: dict[int, Json] = {
    THUMBNAIL: {"description": None, "spoiler": False},
    FILE: {"spoiler": False},
    14: {"spacing": 1, "divider": True},
    17: {"accent_color": None, "spoiler": False},
}


def _components(components: list[Json], media: _Media) -> list[Json]:
    """The components as Discord echoes them: numbered from 1 where the client gave no id, media resolved."""
    taken = {component.get("id") for component in walk(components)}
    free = (number for number in itertools.count(1) if number not in taken)

    def echo(component: Json) -> Json:
        given = {key: value for key, value in component.items() if value is not None}
        echoed = {**_DEFAULTS.get(component["type"], {}), **given, "id": component.get("id") or next(free)}
        if "components" in given:
            echoed["components"] = [echo(child) for child in given["components"]]
        if "accessory" in given:
            echoed["accessory"] = echo(given["accessory"])
        if component["type"] == MEDIA_GALLERY:
            echoed["items"] = [gallery_item(item) for item in given["items"]]
        for key in ("media", "file"):
            if key in given:
                echoed[key] = media.item(given[key]["url"])
        return echoed

    def gallery_item(item: Json) -> Json:
        defaults = {"description": None, "spoiler": False}
        return {**defaults, **item, "media": media.item(item["media"]["url"])}

    return [echo(component) for component in components]


def _media_items(message: Json) -> Iterator[Json]:
    """Everything a component or an embed of the message shows."""
    for component in walk(message["components"]):
        yield from (item["media"] for item in component.get("items", ()))
        yield from (component[key] for key in ("media", "file") if key in component)
    for embed in message["embeds"]:
        yield from (embed[key] for key in ("image", "thumbnail") if key in embed)


def message_base(id_: str, channel_id: str, author: User) -> Json:
    """The fields of a new message that its sender cannot choose."""
    return {
        "id": id_,
        "channel_id": channel_id,
        "author": author.payload(),
        "type": 0,
        "timestamp": now(),
        "edited_timestamp": None,
        "tts": False,
        "pinned": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
    }


def now() -> str:
    """The time as Discord writes it: ISO 8601, microseconds, UTC."""
    return datetime.now(UTC).isoformat(timespec="microseconds")
