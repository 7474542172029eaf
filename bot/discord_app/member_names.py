"""What people are called: asked of Discord when a list needs it, and cached for an hour.

The bot stores nobody's name and asks for no list of members: whoever is named on a board is looked up. That
also tells who has left the server or deleted their account.
"""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import aiohttp
import discord
from cachetools import LRUCache

log = logging.getLogger(__name__)

KEPT_S = 60 * 60
PATIENCE_S = 0.8  # somebody waits for the list, and Discord for the answer
MAX_KEPT = 20_000
_MAX_ASKING = 500  # names; Discord answers some fifty requests a second

_UNKNOWN_MEMBER, _UNKNOWN_USER = 10007, 10013
# Discord's name for a deleted account; picture and display name are removed too.
_DELETED = re.compile(r"deleted_user_[0-9a-f]{6,}")

_Key = tuple[int, int]  # server, or 0; user


@dataclass(frozen=True, slots=True)
class People:
    """The ``names`` that were found, and those who are ``gone``: from the server, or from Discord."""

    names: Mapping[int, str]
    gone: frozenset[int]


class MemberNames:
    """Looks names up; a hundred lists in a minute ask Discord once.

    :param patience_s: how long a list waits for names.
    """

    def __init__(self, client: discord.Client, patience_s: float = PATIENCE_S) -> None:
        self._client = client
        self._patience_s = patience_s
        self._asking: dict[_Key, asyncio.Task[None]] = {}
        # When it was learnt, and the name, or None for somebody who is gone. An old name beats none.
        self._known: LRUCache[_Key, tuple[float, str | None]] = LRUCache(MAX_KEPT)

    def note(self, user: discord.abc.User, server_id: int | None) -> None:
        """Learn a name from an interaction."""
        self._learn((server_id or 0, user.id), user.display_name)

    async def of(self, user_ids: Iterable[int], server_id: int | None) -> People:
        """Return users' names, in a server the ones they have there.

        Whoever can't be looked up because Discord doesn't answer in time is in neither part of the result.
        """
        wanted = [user_id for user_id in user_ids if user_id > 0]
        place = server_id or 0
        unknown = [user_id for user_id in wanted if not self._is_fresh((place, user_id))]
        if unknown:
            self._begin([user_id for user_id in unknown if (place, user_id) not in self._asking], server_id)
            asking = {self._asking[key] for user_id in unknown if (key := (place, user_id)) in self._asking}
            if asking:
                await asyncio.wait(asking, timeout=self._patience_s)  # later answers are there the next time
        known = {user_id: self._known.get((place, user_id)) for user_id in wanted}
        return People(
            {user_id: entry[1] for user_id, entry in known.items() if entry and entry[1] is not None},
            frozenset(user_id for user_id, entry in known.items() if entry and entry[1] is None),
        )

    def _begin(self, user_ids: list[int], server_id: int | None) -> None:
        """Ask for names that nobody else is asking for, unless too many are being asked for."""
        if not user_ids or len(self._asking) + len(user_ids) > _MAX_ASKING:
            return
        keys = [(server_id or 0, user_id) for user_id in user_ids]
        task = asyncio.create_task(self._ask(user_ids, server_id), name="member names")
        self._asking |= dict.fromkeys(keys, task)

        def end(_: object) -> None:
            for key in keys:
                del self._asking[key]

        task.add_done_callback(end)

    async def _ask(self, user_ids: list[int], server_id: int | None) -> None:
        try:
            guild = await self._client.fetch_guild(server_id, with_counts=False) if server_id else None
        except (discord.HTTPException, aiohttp.ClientError, OSError):
            guild = None  # installed by a user: users can be asked for, members can't
        await asyncio.gather(*(self._look_up(user_id, guild, server_id or 0) for user_id in user_ids))

    async def _look_up(self, user_id: int, guild: discord.Guild | None, place: int) -> None:
        try:
            user: Any = await (guild.fetch_member(user_id) if guild else self._client.fetch_user(user_id))
        except (aiohttp.ClientError, OSError) as error:
            log.info("could not look up a player: %s", error)
            return
        except discord.HTTPException as error:
            if error.code in (_UNKNOWN_MEMBER, _UNKNOWN_USER):
                self._learn((place, user_id), None)
            else:
                log.info("could not look up a player: %s", error)
            return
        is_deleted = (
            _DELETED.fullmatch(user.name) and user.global_name in (None, user.name) and user.avatar is None
        )
        self._learn((place, user_id), None if is_deleted else user.display_name)

    def _is_fresh(self, key: _Key) -> bool:
        entry = self._known.get(key)
        return entry is not None and time.monotonic() - entry[0] < KEPT_S

    def _learn(self, key: _Key, name: str | None) -> None:
        self._known[key] = (time.monotonic(), name)
