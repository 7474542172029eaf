"""Slash commands: registered with a handler and the key of their names in the language files."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any

from discord import app_commands

from bot.discord_app.context import Choices, Context, Interaction
from bot.discord_app.localisation import label
from bot.discord_app.pipeline import Pipeline
from bot.service import Cost

Handler = Callable[..., Awaitable[None]]
Completer = Callable[[Context, str], Awaitable[Choices]]
Command = app_commands.Command[Any, ..., None]


class Commands:
    """Adds commands to discord.py's tree; the pipeline answers them."""

    def __init__(self, tree: app_commands.CommandTree[Any], pipeline: Pipeline) -> None:
        self._tree = tree
        self._pipeline = pipeline

    def add(
        self,
        key: str,
        handler: Handler,
        *,
        cost: Cost | None = None,
        is_private: bool = False,
        options: Mapping[str, str] | None = None,
        choices: Mapping[str, Choices] | None = None,
        autocomplete: Mapping[str, Completer] | None = None,
    ) -> Command:
        """Add a command that is named and described by ``command-<key>`` in the language files.

        :param handler: called with a :class:`Context` and the command's options, which have the types that
            discord.py takes.
        :param cost: what the command costs its user besides being one.
        :param is_private: whether every answer is for the user alone, so that nobody else sees the command.
        :param options: by parameter, the attribute of ``command-<key>`` that names the option, if it is not
            the parameter's own name.
        :param choices: by parameter, its fixed choices.
        :param autocomplete: by parameter, what offers choices while it is typed.
        """
        signature = inspect.signature(handler, eval_str=True)
        _, *parameters = signature.parameters.values()
        own = f"command-{key}"
        attributes = {parameter.name: parameter.name for parameter in parameters} | dict(options or {})
        costs = [Cost.COMMAND, *([cost] if cost else [])]

        async def callback(interaction: Interaction, **arguments: Any) -> None:
            await self._pipeline.run(
                interaction, lambda ctx: handler(ctx, **arguments), *costs, is_private=is_private
            )

        first = inspect.Parameter(
            "interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Interaction
        )
        # discord.py derives the options from the signature.
        callback.__signature__ = signature.replace(parameters=[first, *parameters])  # type: ignore[attr-defined]
        app_commands.rename(**{name: label(f"{own}.{a}") for name, a in attributes.items()})(callback)
        app_commands.describe(**{name: label(f"{own}.{a}-description") for name, a in attributes.items()})(
            callback
        )
        app_commands.choices(**(choices or {}))(callback)
        command: Command = app_commands.command(name=label(own), description=label(f"{own}.description"))(
            callback
        )
        for name, complete in (autocomplete or {}).items():
            command.autocomplete(name)(self._completer(complete))
        self._tree.add_command(command)
        return command

    def _completer(self, complete: Completer) -> Callable[[Interaction, str], Coroutine[Any, Any, Choices]]:
        async def answered(interaction: Interaction, typed: str) -> Choices:
            return await self._pipeline.suggest(interaction, lambda ctx: complete(ctx, typed))

        return answered
