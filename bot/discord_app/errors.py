"""How failures are answered.

What a user did wrong is explained to that user alone. Anything else is an error of the bot: the user gets a
short id, and the log has it beside the traceback.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import discord
from discord import app_commands

from bot.discord_app.context import App, Context, Interaction, locale_texts, send_ephemeral
from bot.discord_app.transport.repeated_request import LOST
from bot.discord_app.transport.webhook_adapter import ALREADY_ANSWERED
from bot.service import ManyWaiting, ServiceError
from bot.service.errors import TryLater
from bot.storage import StorageCorrupt, StorageUnavailable
from bot.telemetry.error_reports import new_error_id, report_error
from bot.telemetry.metrics import PLAYER
from bot.text.failures import failure_text
from engine import SolitaireError

log = logging.getLogger(__name__)

USER_ERRORS = (ServiceError, SolitaireError)

# The interaction was answered already, is too old for an answer, or its token has expired.
_NOBODY_WAITS = (ALREADY_ANSWERED, 10062, 50027)
# Unexpected errors of which the user can be told more than an id.
_EXPLAINED: dict[type[BaseException], str] = {
    StorageUnavailable: "fault-not-kept",
    StorageCorrupt: "fault-damaged",
}

E = TypeVar("E", bound=Exception)
Answer = Callable[[Context, E], Awaitable[None]]


class ErrorAnswers:
    """Answers errors. A user's error is a private sentence unless another answer is registered for it."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._answers: dict[type[Exception], Answer[Any]] = {}

    def register(self, kind: type[E], answer: Answer[E]) -> None:
        """Answer errors of exactly this class with ``answer``."""
        self._answers[kind] = answer

    async def answer_user_error(
        self, interaction: Interaction, error: ServiceError | SolitaireError, ctx: Context | None
    ) -> None:
        """Explain an error to the user who made it; ``ctx`` is None where the settings were not read yet."""
        self._app.metrics.error(PLAYER, type(error).__name__)
        if isinstance(error, TryLater):
            await self._turn_away(interaction, error, ctx)
            return
        ctx = ctx or await Context.load(self._app, interaction)
        answer = self._answers.get(type(error))
        if answer is not None:
            await answer(ctx, error)
        else:
            await ctx.send_ephemeral(failure_text(ctx.texts, error))

    async def _turn_away(self, interaction: Interaction, error: TryLater, ctx: Context | None) -> None:
        """Tell a user to wait. Further presses of a flood get the cheapest answer there is."""
        is_press = interaction.type is discord.InteractionType.component
        if is_press and not error.is_told and not interaction.response.is_done():
            await interaction.response.defer()
            return
        if ctx is not None:
            texts = ctx.texts
        elif isinstance(error, ManyWaiting):  # reading settings would only add to the load
            texts = locale_texts(interaction)
        else:
            texts = (await Context.load(self._app, interaction)).texts
        await send_ephemeral(interaction, failure_text(texts, error))

    async def answer_unexpected(self, interaction: Interaction, error: BaseException) -> None:
        """Log an error of the bot, and tell the user its id. Never raises."""
        if isinstance(error, app_commands.CommandInvokeError):
            error = error.original
        if isinstance(error, discord.HTTPException) and error.code in _NOBODY_WAITS:
            log.warning("an answer to a %s came too late: %s", interaction.type.name, error)
            return
        error_id, metrics = new_error_id(), self._app.metrics
        command = interaction.command.qualified_name if interaction.command else interaction.type.name
        report_error(metrics, error, "error %s in %s", error_id, command, error_id=error_id)
        texts = locale_texts(interaction)
        key = next((key for kind, key in _EXPLAINED.items() if isinstance(error, kind)), "fault-unexpected")
        try:
            if interaction.type is discord.InteractionType.autocomplete:
                sentence = app_commands.Choice(name=texts("fault-choices", id=error_id), value=error_id)
                await interaction.response.autocomplete([sentence])
            else:
                await send_ephemeral(interaction, texts(key, id=error_id))
        except (discord.HTTPException, *LOST, TimeoutError) as refusal:
            log.warning("could not tell the user about error %s: %r", error_id, refusal)
        except Exception as again:  # noqa: BLE001 - only the operator is left to tell
            what = "could not tell the user about error %s"
            report_error(metrics, again, what, error_id, error_id=error_id)

    async def answer_outdated(self, interaction: Interaction) -> None:
        """Tell the user that their Discord shows another version of the commands. Never raises."""
        log.info("a %s of another version", interaction.type.name)
        try:
            if interaction.type is discord.InteractionType.autocomplete:
                await interaction.response.autocomplete([])
            else:
                await send_ephemeral(interaction, locale_texts(interaction)("fault-outdated"))
        except Exception as error:  # noqa: BLE001 - must not raise; the log gets the traceback
            await self.answer_unexpected(interaction, error)


async def say_goodbye(interaction: Interaction) -> None:
    """Tell a user that the bot stops before it could answer."""
    await send_ephemeral(interaction, locale_texts(interaction)("fault-stopping"))
