"""How a slash command is declared: a handler, and the key of its names in the language files."""

from __future__ import annotations

import functools
import inspect
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.discord_app.errors import USER_ERRORS, answer_error, answer_unexpected
from bot.discord_app.localisation import label
from bot.discord_app.transport.deferral import attended
from bot.discord_app.transport.observing import observed
from bot.service import Cost, Request
from bot.service.rate_limits import NOWHERE

if TYPE_CHECKING:
    from bot.discord_app.client import BotClient

    Interaction = discord.Interaction[BotClient]
else:
    Interaction = discord.Interaction

Handler = Callable[..., Coroutine[Any, Any, None]]
Command = app_commands.Command[Any, ..., None]
Choices = list[app_commands.Choice[str]]
Completer = Callable[[Interaction, str], Coroutine[Any, Any, Choices]]


def command(
    key: str, work: Cost | None = None, *, is_private: bool = False, **options: str
) -> Callable[[Handler], Command]:
    """Make a command of a handler, named and described by ``command-<key>`` in the language files.

    ``options`` maps each parameter of the handler to the attribute that names it there. ``work`` is what the
    command costs its user beside being one. A private one answers its user alone, whatever comes of it, so
    nobody else need see that it was asked. What the handler raises because of what the user asked for is
    answered; anything else is left to the tree.
    """

    def decorate(handler: Handler) -> Command:
        @functools.wraps(handler)
        @observed
        @attended(is_private=is_private)
        async def answered(interaction: Interaction, **arguments: Any) -> None:
            try:
                async with admitted(interaction, Cost.COMMAND, work):
                    await handler(interaction, **arguments)
            except USER_ERRORS as fault:
                await answer_error(interaction, fault)

        # discord.py would look the names in them up here, and not where the handler is written.
        answered.__signature__ = inspect.signature(handler, eval_str=True)  # type: ignore[attr-defined]
        # discord.py would look the names in them up here, and not where the handler is written.
        answered.__annotations__ = inspect.get_annotations(handler, eval_str=True)
        # discord.py would look the names in them up here, and not where the handler is written.
        answered.__annotations__ = inspect.get_annotations(handler, eval_str=True)
        own = f"command-{key}"
        names = {parameter: label(f"{own}.{option}") for parameter, option in options.items()}
        hints = {parameter: label(f"{own}.{option}-description") for parameter, option in options.items()}
        described = app_commands.rename(**names)(app_commands.describe(**hints)(answered))
        return app_commands.command(name=label(own), description=label(f"{own}.description"))(described)

    return decorate


def completer(complete: Completer) -> Completer:
    """Make what offers choices for an option answer in any case: discord.py would only log what it raises."""

    @functools.wraps(complete)
    @observed
    async def answered(interaction: Interaction, typed: str) -> Choices:
        try:
            return await complete(interaction, typed)
        except USER_ERRORS:
            return []
        except Exception as error:  # noqa: BLE001 - whatever it is, the player gets to see its id
            await answer_unexpected(interaction, error)
            return []

    return answered


@asynccontextmanager
async def admitted(interaction: Interaction, asking: Cost, work: Cost | None = None) -> AsyncIterator[None]:
    """Let an interaction in, which costs its user that it asks, and the work that it asks for.

    The block begins when there is place for it.

    :raises TooFast: when the user has had too much of one of them.
    :raises ManyWaiting: when too many interactions are being answered.
    """
    client, user_id, channel_id = interaction.client, interaction.user.id, interaction.channel_id or NOWHERE
    works = [asking, work] if work else [asking]
    with client.services.rate_limiter.admit(user_id, *works, channel_id=channel_id):
        async with client.deferrer.place(interaction):
            yield


def request_of(interaction: Interaction, game_id: int | None = None) -> Request:
    """Return the service's request for what a user typed."""
    return Request(user_id=interaction.user.id, id=interaction.id, game_id=game_id)
