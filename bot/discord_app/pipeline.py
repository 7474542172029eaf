"""The one way in for every interaction: commands, presses, menu choices, forms and autocomplete.

    stopping? → outdated? → trace → rate limit → acknowledge in time → settings → handler → failure

discord.py's command tree calls :meth:`Pipeline.admit` before it looks at a command, and the callback that
:mod:`bot.discord_app.commands` makes calls :meth:`Pipeline.run`. Everything else comes to
:meth:`Pipeline.route`. Each interaction is answered in a task of its own.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import discord

from bot.discord_app.context import App, Choices, Context, Interaction
from bot.discord_app.errors import USER_ERRORS, ErrorAnswers
from bot.discord_app.router import Route, Router
from bot.discord_app.transport.in_flight import InFlight
from bot.discord_app.transport.outdated import OUTDATED, is_outdated
from bot.discord_app.transport.shards import shard_of
from bot.service import Cost
from bot.service.rate_limits import NOWHERE
from bot.telemetry import trace

log = logging.getLogger(__name__)

_KINDS = discord.InteractionType


class Pipeline:
    """Answers interactions with the handlers that features have registered. Its methods never raise."""

    def __init__(self, app: App, router: Router, errors: ErrorAnswers, in_flight: InFlight) -> None:
        self._app = app
        self._router = router
        self._errors = errors
        self._in_flight = in_flight

    async def admit(self, interaction: Interaction) -> bool:
        """Return whether a command or an option being typed may be looked at; else it is dealt with."""
        if not self._in_flight.begin():
            return False
        if is_outdated(interaction):
            await self._errors.answer_outdated(interaction)
            return False
        command = interaction.command
        what = command.qualified_name if command else interaction.type.name
        if interaction.type is not _KINDS.autocomplete:
            self._begin_trace(interaction, what)
            return True
        self._begin_trace(interaction, f"choices for {what}")
        if self._app.services.rate_limiter.may_complete(interaction.user.id):
            return True
        await interaction.response.autocomplete([])
        return False

    async def route(self, interaction: Interaction) -> None:
        """Answer whatever is neither a command nor an option being typed."""
        if interaction.type in (_KINDS.application_command, _KINDS.autocomplete):
            return  # the command tree's
        if not self._in_flight.begin():
            return
        data: Mapping[str, Any] = interaction.data or {}
        found = self._router.find(str(data.get("custom_id", "")))
        if found is not None:
            await self._run_route(interaction, *found)
        elif interaction.type is _KINDS.component:
            self._begin_trace(interaction, "press")
            await self.run(interaction, _unknown_control, Cost.PRESS)
        else:
            await self._errors.answer_outdated(interaction)

    async def _run_route(self, interaction: Interaction, route: Route, match: re.Match[str]) -> None:
        game_id = match.groupdict().get("game_id")
        self._begin_trace(interaction, f"press {route.name}", int(game_id) if game_id else None)
        costs = [Cost.PRESS, *([route.cost] if route.cost else [])]
        await self.run(
            interaction, lambda ctx: route.handler(ctx, match), *costs, is_private=route.is_private
        )

    async def run(
        self,
        interaction: Interaction,
        handler: Callable[[Context], Awaitable[None]],
        *costs: Cost,
        is_private: bool = False,
    ) -> None:
        """Answer an interaction with ``handler``, or with what went wrong.

        :param costs: what it costs its user, against the rate limits.
        :param is_private: whether nobody else may see that the bot is thinking about it.
        """
        app, ctx = self._app, None
        limits, channel_id = app.services.rate_limiter, interaction.channel_id or NOWHERE
        with self._measured():
            async with app.deferrer.auto_defer(interaction, is_private=is_private):
                try:
                    try:
                        with limits.admit(interaction.user.id, *costs, channel_id=channel_id):
                            async with app.deferrer.place(interaction):
                                ctx = await Context.load(app, interaction)
                                await handler(ctx)
                    except USER_ERRORS as error:
                        await self._errors.answer_user_error(interaction, error, ctx)
                except Exception as error:  # noqa: BLE001 - the user gets an id, the log a traceback
                    await self._errors.answer_unexpected(interaction, error)

    async def suggest(
        self, interaction: Interaction, complete: Callable[[Context], Awaitable[Choices]]
    ) -> Choices:
        """Return the choices for an option that is being typed; none where the user's input has none."""
        with self._measured():
            try:
                return await complete(await Context.load(self._app, interaction))
            except USER_ERRORS:
                return []
            except Exception as error:  # noqa: BLE001 - discord.py would only log it
                await self._errors.answer_unexpected(interaction, error)
                return []

    async def fail(self, interaction: Interaction, error: Exception) -> None:
        """Answer an error that discord.py raised before a handler was called."""
        if isinstance(error, OUTDATED):
            await self._errors.answer_outdated(interaction)
        else:
            await self._errors.answer_unexpected(interaction, error)

    def _begin_trace(self, interaction: Interaction, what: str, game_id: int | None = None) -> None:
        """Let the log and the metrics know whose request the current task is."""
        user_id = getattr(interaction.user, "id", 0)  # Discord may leave it out
        typed = tuple(_typed(interaction.data))
        trace.begin(trace.Trace(what, user_id, game_id, typed=typed, shard_id=shard_of(interaction)))

    @contextmanager
    def _measured(self) -> Iterator[None]:
        metrics = self._app.metrics
        with metrics.in_flight.track_inprogress():
            try:
                yield
            finally:
                current = trace.current()
                if current is not None:
                    metrics.answered(current)
                    if log.isEnabledFor(logging.DEBUG):
                        phases_ms = {phase: round(1000 * s, 1) for phase, s in current.seconds.items()}
                        about = {"ms": round(1000 * current.total_s, 1), "phases_ms": phases_ms}
                        log.debug("answered", extra=about)


async def _unknown_control(ctx: Context) -> None:
    await ctx.send_ephemeral(ctx.texts("fault-unknown-control"))


def _typed(part: Any) -> Iterator[str]:
    """Yield every text a user typed into options or form fields: the log must not have them."""
    if isinstance(part, Mapping):
        if isinstance(part.get("value"), str):
            yield part["value"]
        for key in ("options", "components", "component"):
            yield from _typed(part.get(key))
    elif isinstance(part, list):
        for one in part:
            yield from _typed(one)
