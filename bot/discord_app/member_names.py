"""What people are called, asked of Discord when a list needs it and kept in memory for a while.

The bot keeps nobody's name, and asks for no list of members: whoever is named on a board is looked up. That
also tells who has left the server, or is no more.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import aiohttp
import discord

if TYPE_CHECKING:
    from bot.discord_app.client import BotClient

log = logging.getLogger(__name__)

KEPT_S = 60 * 60
PATIENCE_S = 0.8  # somebody waits for the list, and Discord for the answer
_MAX_KEPT = 20_000
_MAX_ASKING = 500  # names; Discord answers some fifty questions a second

_UNKNOWN_MEMBER, _UNKNOWN_USER = 10007, 10013
# What Discord calls those who deleted their account; it also takes their picture and display name away.
_DELETED = re.compile(r"deleted_user_[0-9a-f]{6,}")


@dataclass(frozen=True, slots=True)
class People:
    """The ``names`` that could be found, and those who are ``gone``: from the server, or from Discord."""

    names: Mapping[int, str]
    gone: frozenset[int]


class MemberNames:
    """Looks people up; a hundred lists in a minute ask Discord once."""

    def __init__(self, client: BotClient) -> None:
        self._client = client
        # (server or 0, user) → who is asking for the name; when it was asked, and the name, or None for
        # somebody who is gone
        self._asking: dict[tuple[int, int], asyncio.Task[None]] = {}
        self._known: OrderedDict[tuple[int, int], tuple[float, str | None]] = OrderedDict()

    def note(self, user: discord.abc.User, server_id: int | None) -> None:
        """Learn a name from an interaction, which brings it along."""
        self._keep((server_id or 0, user.id), user.display_name)

    async def of(self, user_ids: Iterable[int], server_id: int | None) -> People:
        """Return the names of users, in a server those that they have there.

        Who can't be looked up, because Discord does not answer in time, is in neither part of the result.
        """
        wanted = [user_id for user_id in user_ids if user_id > 0]
        place = server_id or 0
        unknown = [user_id for user_id in wanted if not self._is_fresh((place, user_id))]
        if unknown:
            self._begin([user_id for user_id in unknown if (place, user_id) not in self._asking], server_id)
            asking = {self._asking[key] for user_id in unknown if (key := (place, user_id)) in self._asking}
            if asking:
                await asyncio.wait(asking, timeout=PATIENCE_S)  # what comes later is there the next time
        known = {user_id: self._known.get((place, user_id)) for user_id in wanted}
        return People(
            {user_id: entry[1] for user_id, entry in known.items() if entry and entry[1] is not None},
            frozenset(user_id for user_id, entry in known.items() if entry and entry[1] is None),
        )

    def _begin(self, user_ids: list[int], server_id: int | None) -> None:
        """Ask for these names, which nobody else is asking for, unless too many are being asked for."""
        if not user_ids or len(self._asking) + len(user_ids) > _MAX_ASKING:
            return
        keys = [(server_id or 0, user_id) for user_id in user_ids]
        task = asyncio.create_task(self._ask(user_ids, server_id))
        self._asking |= dict.fromkeys(keys, task)

        def end(_: object) -> None:
            for key in keys:
                del self._asking[key]

        task.add_done_callback(end)

    async def _ask(self, user_ids: list[int], server_id: int | None) -> None:
        try:
            guild = await self._client.fetch_guild(server_id, with_counts=False) if server_id else None
        except (discord.HTTPException, aiohttp.ClientError, OSError):
            guild = None  # the bot is there by a user's own installation: anybody can be asked for, no member
        asked = [self._look_up(user_id, guild, server_id or 0) for user_id in user_ids]
        await asyncio.gather(*asked)

    async def _look_up(self, user_id: int, guild: discord.Guild | None, place: int) -> None:
        try:
            user: Any = await (guild.fetch_member(user_id) if guild else self._client.fetch_user(user_id))
        except (aiohttp.ClientError, OSError) as error:
            log.info("could not look up a player: %s", error)
            return
        except discord.HTTPException as error:
            if error.code in (_UNKNOWN_MEMBER, _UNKNOWN_USER):
                self._keep((place, user_id), None)
            else:
                log.info("could not look up a player: %s", error)
            return
        is_deleted = (
            _DELETED.fullmatch(user.name) and user.global_name in (None, user.name) and user.avatar is None
        )
        self._keep((place, user_id), None if is_deleted else user.display_name)

    def _is_fresh(self, key: tuple[int, int]) -> bool:
        return key in self._known and time.monotonic() - self._known[key][0] < KEPT_S

    def _keep(self, key: tuple[int, int], name: str | None) -> None:
        self._known[key] = (time.monotonic(), name)
        self._known.move_to_end(key)
        while len(self._known) > _MAX_KEPT:
            self._known.popitem(last=False)
