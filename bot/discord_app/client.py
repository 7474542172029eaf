"""The Discord client: discord.py's own with our transport, pipeline and features put in. Names no feature."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import discord
from discord import app_commands

from bot.discord_app.animations import AnimationQueue
from bot.discord_app.commands import Commands
from bot.discord_app.context import App, Interaction
from bot.discord_app.errors import ErrorAnswers, say_goodbye
from bot.discord_app.feature import Feature
from bot.discord_app.features import feature_classes
from bot.discord_app.localisation import FluentTranslator
from bot.discord_app.member_names import MemberNames
from bot.discord_app.pipeline import Pipeline
from bot.discord_app.router import Router
from bot.discord_app.tables.follow_ups import FollowUps
from bot.discord_app.tables.posting import Tables
from bot.discord_app.transport.deferral import ResponseDeferrer
from bot.discord_app.transport.in_flight import InFlight
from bot.discord_app.transport.sharded_client import ShardedClient
from bot.discord_app.transport.sync import sync_if_changed
from bot.service import Services
from bot.storage import Store
from bot.telemetry.metrics import Metrics

F = TypeVar("F", bound=Feature)


class CommandTree(app_commands.CommandTree[Any]):
    """The commands: usable in servers, direct messages and group chats, installed by a server or a user."""

    def __init__(self, client: discord.Client) -> None:
        super().__init__(
            client,
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=True, private_channel=True
            ),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
        )
        self.pipeline: Pipeline | None = None

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Let the pipeline decide whether a command is looked at."""
        assert self.pipeline is not None
        return await self.pipeline.admit(interaction)

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError) -> None:
        """Answer what discord.py raised before a handler was called."""
        assert self.pipeline is not None
        await self.pipeline.fail(interaction, error)


class BotClient(ShardedClient):
    """The bot. Set ``autostart`` to False before it logs in to start the background work by hand."""

    def __init__(
        self,
        store: Store,
        services: Services,
        metrics: Metrics,
        *,
        shard_count: int | None = None,
        shard_ids: Sequence[int] | None = None,
    ) -> None:
        super().__init__(
            store,
            metrics,
            shard_count=shard_count,
            shard_ids=shard_ids,
            # Seeds and names are people's own text: nothing the bot writes may ever ping anyone.
            allowed_mentions=discord.AllowedMentions.none(),
            activity=discord.CustomActivity("/new"),
        )
        self.autostart = True
        self.services = services
        self.in_flight = InFlight()
        self.app = App(
            self, services, metrics, MemberNames(self), AnimationQueue(), ResponseDeferrer(say_goodbye)
        )
        errors = ErrorAnswers(self.app)
        self.router = router = Router()
        self.pipeline = Pipeline(self.app, router, errors, self.in_flight)
        self.tree = CommandTree(self)
        self.tree.pipeline = self.pipeline
        self.tables = Tables(self.app, errors)
        self.follow_ups = FollowUps(self.app, self.tables)
        self._store = store
        self._features = [make(self.app, self.tables) for make in feature_classes()]
        commands = Commands(self.tree, self.pipeline)
        for feature in self._features:
            feature.register(commands, router)

    def feature(self, kind: type[F]) -> F:
        """Return the feature of that class."""
        return next(feature for feature in self._features if isinstance(feature, kind))

    async def setup_hook(self) -> None:
        """Open the store, and register the commands if they have changed."""
        await self._store.open()
        await self.tree.set_translator(FluentTranslator())
        await sync_if_changed(self.tree, self._store)
        self.services.solvers.start()
        if self.autostart:
            self.start_background_work()

    def start_background_work(self) -> None:
        """Begin what features do when nobody asks."""
        for feature in self._features:
            feature.start()

    async def on_interaction(self, interaction: Interaction) -> None:
        """Answer what is not the command tree's."""
        await self.pipeline.route(interaction)

    async def close(self) -> None:
        """Disconnect, then close the store."""
        for feature in self._features:
            await feature.close()
        await self.services.solvers.close()
        await self.follow_ups.close()
        await super().close()
        self.tables.close()
        self.app.animations.close()
        await self._store.close()
