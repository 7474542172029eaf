"""Sends answers to interactions, also late ones and over connections that break.

A late answer takes the place of "is thinking…" where Discord was told so meanwhile.

discord.py repeats an answer after a rate limit or a server error, but gives up when the connection is lost,
since it can't know whether Discord got the request. For the answer to an interaction that can be found out:
Discord accepts only one, and shows it to whoever holds the interaction's token.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import aiohttp
import discord
from cachetools import LRUCache
from discord.http import MultipartParameters, Route
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from bot.discord_app.transport.repeated_request import LOST, RepeatedRequest

log = logging.getLogger(__name__)

ALREADY_ANSWERED = 40060
GONE = 10008  # a message that was deleted
CALLBACK_S = 12.0  # Discord drops an interaction after 3; and the game's next answer waits for this one
_MAX_ANSWERED = 1_000

_REPLY, _DEFERRED_REPLY, _DEFERRED_UPDATE, _UPDATE, _CHOICES = 4, 5, 6, 7, 8  # the types of first answers
_EPHEMERAL, _LOADING = 1 << 6, 1 << 7  # flags of a message: only its reader sees it; it says "is thinking…"


@dataclass(eq=False)
class ResponseState:
    """How far the answer to an interaction is.

    ``pressed`` is the id of the message that was pressed, 0 for a command. ``is_private`` says that only the
    user may see that the bot is thinking. ``deferred`` is the type of the acknowledgement that was sent, 0
    before one. ``deliveries`` is how often Discord delivered the interaction.
    """

    id: int
    token: str
    pressed: int
    is_private: bool
    session: aiohttp.ClientSession
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    deliveries: int = 1
    deferred: int = 0
    is_answered: bool = False


class RetryingWebhookAdapter(AsyncWebhookAdapter):
    """Sends answers to interactions; after a lost connection it looks what arrived, and repeats the rest."""

    def __init__(self, application_id: int) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._application_id = application_id
        # By token, whether the only answer so far is "is thinking…". What was evicted is looked up.
        self._answered: LRUCache[str, bool] = LRUCache(_MAX_ANSWERED)
        self._states: dict[str, ResponseState] = {}

    @staticmethod
    def current() -> RetryingWebhookAdapter | None:
        """Return the adapter of this task, if it is one of these."""
        adapter = async_context.get()
        return adapter if isinstance(adapter, RetryingWebhookAdapter) else None

    def open_state(self, interaction: discord.Interaction[Any], *, is_private: bool = False) -> ResponseState:
        """Begin to track the answer to an interaction, until :meth:`close_state`."""
        state = self._states.get(interaction.token)
        if state is not None:  # delivered twice
            state.deliveries += 1
            return state
        pressed = interaction.message.id if interaction.message else 0
        state = ResponseState(interaction.id, interaction.token, pressed, is_private, interaction._session)  # noqa: SLF001 - there is no public way
        self._states[interaction.token] = state
        return state

    def state(self, interaction: discord.Interaction[Any]) -> ResponseState:
        """Return the state of an interaction that is being answered."""
        return self._states[interaction.token]

    def is_thinking(self, state: ResponseState) -> bool:
        """Return whether the user sees nothing yet but that the bot is thinking."""
        return self._answered.get(state.token, False)

    def close_state(self, state: ResponseState) -> None:
        """Stop tracking one delivery of an interaction."""
        state.deliveries -= 1
        if not state.deliveries:
            del self._states[state.token]

    async def acknowledge(self, state: ResponseState) -> None:
        """Defer the answer, unless it was sent. If that fails, the answer is only late."""
        async with state.lock:
            if state.is_answered or state.deferred:
                return
            kind = _DEFERRED_UPDATE if state.pressed else _DEFERRED_REPLY
            payload: dict[str, Any] = {"type": kind}
            if state.is_private:
                payload["data"] = {"flags": _EPHEMERAL}
            params = MultipartParameters(payload=payload, multipart=None, files=None)
            try:
                answer: Any = await super().create_interaction_response(
                    state.id, state.token, session=state.session, params=params
                )
            except (discord.HTTPException, *LOST, TimeoutError) as error:
                log.info("could not be acknowledged: %s", error)
            else:
                shown = answer.get("shown") if isinstance(answer, dict) else None
                if shown is None:
                    state.deferred = kind
                else:
                    self._find_place(state, shown)

    def create_interaction_response(
        self, interaction_id: int, token: str, *, params: MultipartParameters, **about: Any
    ) -> Any:
        """Send the first answer to an interaction, or put it in the place of a deferral."""
        state = self._states.get(token)
        if state is None:
            return super().create_interaction_response(interaction_id, token, params=params, **about)
        return self._answer(state, params, about)

    async def _answer(self, state: ResponseState, params: MultipartParameters, about: dict[str, Any]) -> Any:
        async with state.lock:
            answer: Any = None
            if not state.deferred or state.is_answered:
                answer = await self._answer_now(state, params, about)
            if state.deferred and not state.is_answered:
                async with asyncio.timeout(CALLBACK_S):
                    answer = await self._answer_late(state, params, about)
            state.is_answered = True
            return answer

    async def _answer_now(
        self, state: ResponseState, params: MultipartParameters, about: dict[str, Any]
    ) -> Any:
        kind = _kind(params)
        # The new message is requested only where its id isn't known otherwise, and never parsed: that would
        # cost as much as a move.
        query = {"with_response": "1"} if kind == _REPLY else None
        route = Route(
            "POST",
            "/interactions/{webhook_id}/{webhook_token}/callback",
            webhook_id=state.id,
            webhook_token=state.token,
        )
        files = params.files or None
        multipart, payload = (params.multipart, None) if files else (None, params.payload)
        answer = await self.request(
            route, files=files, multipart=multipart, payload=payload, params=query, **about
        )
        if not isinstance(answer, dict):
            return {"interaction": {"id": state.id, "type": 0}}
        shown = answer.pop("shown", None)
        if shown is not None and not state.deferred:
            self._find_place(state, shown)
        answer.pop("resource", None)
        return answer

    def _find_place(self, state: ResponseState, shown: Mapping[str, Any]) -> None:
        """Put the answer where a bot that was killed, or a lost connection, has left a place for it.

        A message that says more than "is thinking…" and is not the pressed one is taken for the answer;
        editing the pressed one again does no harm.
        """
        if shown["flags"] & _LOADING:
            state.deferred = _DEFERRED_REPLY
            state.is_private = bool(shown["flags"] & _EPHEMERAL)
        elif int(shown["id"]) == state.pressed:
            state.deferred = _DEFERRED_UPDATE

    async def _answer_late(
        self, state: ResponseState, params: MultipartParameters, about: dict[str, Any]
    ) -> Any:
        """Replace "is thinking…" with the answer, or edit the pressed message."""
        answer = _content(params)
        kind, data = answer["type"], answer.get("data") or {}
        flags = data.get("flags", 0)
        is_private = bool(flags & _EPHEMERAL)
        says_thinking = state.deferred == _DEFERRED_REPLY
        if says_thinking and is_private != state.is_private:
            # Whoever sees "is thinking…" would see the answer, so it needs a message of its own.
            with _ignoring_gone():
                await self.request(self._route("DELETE", state, "/messages/@original"), **about)
            says_thinking = False
        message = None
        if kind == _UPDATE or (kind == _REPLY and says_thinking):
            with _ignoring_gone() if kind == _REPLY else nullcontext():
                message = await self._edit_original(state, params, data, about)
        if kind == _REPLY and message is None:
            message = await self._send_message(self._route("POST", state, ""), params, data, about)
        self._note(state.token, is_thinking=says_thinking and message is None)
        shown = {} if message is None else {"response_message_id": message["id"]}
        return {"interaction": {"id": state.id, "type": 0, **shown}}

    async def _edit_original(
        self,
        state: ResponseState,
        params: MultipartParameters,
        data: dict[str, Any],
        about: dict[str, Any],
    ) -> Any:
        if "flags" in data:
            data = {**data, "flags": data["flags"] & ~_EPHEMERAL}  # can't be changed by an edit
        route = self._route("PATCH", state, "/messages/@original")
        return await self._send_message(route, params, data, about)

    async def _send_message(
        self, route: Route, params: MultipartParameters, data: dict[str, Any], about: dict[str, Any]
    ) -> Any:
        query = {"wait": "true"} if route.method == "POST" else None
        if not params.files:
            return await self.request(route, payload=data, params=query, **about)
        for file in params.files:
            file.reset()  # it may have been read by an earlier try
        parts = [{"name": "payload_json", "value": json.dumps(data)}, *(params.multipart or ())[1:]]
        return await self.request(route, multipart=parts, files=params.files, params=query, **about)

    def _route(self, method: str, state: ResponseState, path: str) -> Route:
        return Route(
            method,
            "/webhooks/{webhook_id}/{webhook_token}" + path,
            webhook_id=self._application_id,
            webhook_token=state.token,
        )

    async def request(
        self,
        route: Route,
        session: aiohttp.ClientSession,
        *,
        payload: dict[str, Any] | None = None,
        files: Sequence[discord.File] | None = None,
        **about: Any,
    ) -> Any:
        """Send a request, repeat it if its connection is lost, and return Discord's answer.

        :raises discord.HTTPException: when Discord refuses it.
        :raises aiohttp.ClientConnectionError: when the connection is lost each time.
        :raises TimeoutError: when the first answer to an interaction takes longer than ``CALLBACK_S``.
        """
        sending = RepeatedRequest(super().request, route, session, {**about, "payload": payload}, files or ())
        if not route.path.startswith("/interactions/"):
            return await self._send_more(sending)
        kind = payload["type"] if payload else None
        try:
            async with asyncio.timeout(CALLBACK_S):
                return await self._send_first(sending, is_thinking=kind == _DEFERRED_REPLY)
        except (discord.HTTPException, *LOST, TimeoutError) as error:
            if kind != _CHOICES:
                raise
            # The user has typed on; discord.py would log each of these with a traceback.
            log.info("choices came too late: %s", error)
            return None

    async def _send_first(self, sending: RepeatedRequest, *, is_thinking: bool) -> Any:
        """Send the first answer to an interaction."""
        try:
            answer = await sending.send()
        except discord.HTTPException as error:
            if error.code != ALREADY_ANSWERED or sending.token in self._answered:
                raise
            shown = await sending.original(self._application_id)
            if shown is None:  # it was not this bot that answered
                raise
            about = {"id": sending.route.webhook_id, "type": 0, "response_message_id": shown["id"]}
            answer = {"interaction": about, "shown": shown}
        self._note(sending.token, is_thinking=is_thinking)
        return answer

    async def _send_more(self, sending: RepeatedRequest) -> Any:
        """Send any further request about an interaction's messages.

        Only the message that replaces "is thinking…" can't arrive twice. A later one may: better than never.
        """
        if sending.route.method != "POST" or not self._answered.get(sending.token):
            return await sending.send()

        async def filled_in() -> Any:
            shown = await sending.original(self._application_id)
            return None if shown is None or shown["flags"] & _LOADING else shown

        answer = await sending.send(filled_in)
        self._note(sending.token, is_thinking=False)
        return answer

    def _note(self, token: str, *, is_thinking: bool) -> None:
        self._answered[token] = is_thinking


@contextmanager
def _ignoring_gone() -> Iterator[None]:
    """Ignore that a message was deleted: a moderator may delete "is thinking…" too."""
    try:
        yield
    except discord.HTTPException as error:
        if error.code != GONE:
            raise
        log.info('the message that said "is thinking…" was deleted')


def _kind(params: MultipartParameters) -> int:
    """Return the type of a first answer."""
    if params.payload:
        return int(params.payload["type"])
    found = re.match(r'\{"type":\s*(\d+)', (params.multipart or [{}])[0]["value"])  # as discord.py writes it
    return int(found[1]) if found else int(_content(params)["type"])


def _content(params: MultipartParameters) -> dict[str, Any]:
    """Return the payload of a first answer, wherever discord.py has put it."""
    content: dict[str, Any] = params.payload or json.loads((params.multipart or [{}])[0]["value"])
    return content


def use_retrying_adapter(application_id: int) -> None:
    """Answer interactions through a :class:`RetryingWebhookAdapter` in this task and those it starts."""
    async_context.set(RetryingWebhookAdapter(application_id))
