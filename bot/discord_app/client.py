"""The Discord client: opens the store, registers the commands, routes presses, answers failures."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

import discord
from discord import app_commands

from bot.discord_app.errors import answer_unexpected
from bot.discord_app.features.challenges import ChallengeMessages
from bot.discord_app.features.daily_posts import DailyScheduler
from bot.discord_app.features.play import add_commands
from bot.discord_app.features.replay import Replays
from bot.discord_app.localisation import FluentTranslator
from bot.discord_app.member_names import MemberNames
from bot.discord_app.outdated import OUTDATED, answer_outdated, is_outdated
from bot.discord_app.presses import answer_press
from bot.discord_app.tables.follow_ups import FollowUps
from bot.discord_app.tables.posting import Tables
from bot.discord_app.transport.deferral import ResponseDeferrer
from bot.discord_app.transport.event_queue import EventQueue
from bot.discord_app.transport.guard_parsers import guard_parsers
from bot.discord_app.transport.in_flight import InFlight
from bot.discord_app.transport.observing import discord_trace, trace_of
from bot.discord_app.transport.shards import IdentifyLimiter, ShardReconnector, advice, own_shards, spelled
from bot.discord_app.transport.sync import sync_if_changed
from bot.discord_app.transport.webhook_adapter import use_retrying_adapter
from bot.service import Services
from bot.storage import Store
from bot.telemetry.metrics import Metrics
from bot.telemetry.trace import begin

if TYPE_CHECKING:
    from yarl import URL

log = logging.getLogger(__name__)

_INTERACTION = "INTERACTION_CREATE"


class CommandTree(app_commands.CommandTree["BotClient"]):
    """The commands: usable in servers, direct messages and group chats, installed by a server or a user."""

    def __init__(self, client: BotClient) -> None:
        super().__init__(
            client,
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=True, private_channel=True
            ),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
        )

    async def interaction_check(self, interaction: discord.Interaction[BotClient], /) -> bool:
        """Let nothing through while the bot stops, of another version of it, or of too much typing."""
        if not self.client.in_flight.begin():
            return False
        if is_outdated(interaction):
            await answer_outdated(interaction)
            return False
        begin(trace_of(interaction))  # from here on the log knows whose it is, and what they typed
        if interaction.type is not discord.InteractionType.autocomplete:
            return True  # commands are looked at where they are declared
        if self.client.services.rate_limiter.may_complete(interaction.user.id):
            return True
        await interaction.response.autocomplete([])
        return False

    async def on_error(
        self, interaction: discord.Interaction[BotClient], error: app_commands.AppCommandError
    ) -> None:
        """Answer what a command did not expect."""
        if isinstance(error, OUTDATED):
            await answer_outdated(interaction)
        else:
            await answer_unexpected(interaction, error)


class BotClient(discord.AutoShardedClient):
    """The bot. It needs no gateway intent: everything it does is an answer to an interaction.

    It is ``shard_ids`` of ``shard_count`` shards: all of them where it is not told which, and as many as
    Discord recommends where it is not told how many.
    """

    def __init__(
        self,
        store: Store,
        services: Services,
        metrics: Metrics | None = None,
        *,
        shard_count: int | None = None,
        shard_ids: Sequence[int] | None = None,
    ) -> None:
        self.metrics = metrics or Metrics()
        super().__init__(
            shard_count=shard_count,
            http_trace=discord_trace(self.metrics),
            intents=discord.Intents.none(),
            # Seeds and names are people's own text: nothing the bot writes may ever ping anyone.
            allowed_mentions=discord.AllowedMentions.none(),
            activity=discord.CustomActivity("/new"),
        )
        self.shard_ids = None if shard_ids is None else [*shard_ids]
        parsers = self._connection.parsers
        guard_parsers(parsers, self.metrics)
        parsers[_INTERACTION] = EventQueue(parsers[_INTERACTION])
        self.services = services
        self.games = services.games
        self.deferrer = ResponseDeferrer()
        self.in_flight = InFlight()
        self.tables = Tables(self)
        self.follow_ups = FollowUps(self)
        self.cards = ChallengeMessages(self)
        self.replays = Replays()
        self.names = MemberNames(self)
        self.daily_scheduler = DailyScheduler(self)
        self.tree = CommandTree(self)
        self.shards_in_session: set[int] = set()
        self._store = store
        self._turns = IdentifyLimiter(store)
        self._returns = ShardReconnector(self._turns)
        self._launching: asyncio.Future[None] | None = None
        add_commands(self.tree)

    async def setup_hook(self) -> None:
        """Open the store, and register the commands where they changed."""
        await self._store.open()
        await self.tree.set_translator(FluentTranslator())
        await sync_if_changed(self.tree, self._store)
        self.services.solvers.start()
        if self.daily_scheduler.starts_itself:
            self.daily_scheduler.start()
        if self.services.top_up.starts_itself:
            self.services.top_up.start()

    async def connect(self, *, reconnect: bool = True) -> None:
        """Take part in Discord until the client is closed; whatever is answered starts from this task."""
        assert self.application_id is not None  # known since the login
        use_retrying_adapter(self.application_id)
        await self._settle_shards()
        await super().connect(reconnect=reconnect)

    async def _settle_shards(self) -> None:
        """Find out how many shards there are and how fast they may begin, as far as nobody has said so."""
        advised = await advice(self.http, insists=self.shard_count is None)
        if advised is not None:
            count, limits = advised
            self.shard_count = self.shard_count or count
            self._turns.max_concurrency = limits.max_concurrency
            if limits.remaining < len(own_shards(self)):
                log.warning(
                    "Discord lets %d more sessions begin within %d s; whoever begins more loses the token",
                    limits.remaining,
                    limits.reset_after // 1000,
                )
        self._turns.shard_count = self.shard_count or 1
        log.info("%s of %s", spelled(own_shards(self)), self.shard_count)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until a shard may begin a session; discord.py itself would always wait, for nobody else."""
        await self._turns.use(shard_id or 0)

    async def on_shard_connect(self, shard_id: int) -> None:
        """Note that a shard's session has begun."""
        self.shards_in_session.add(shard_id)
        self._returns.succeeded(shard_id)

    async def on_shard_resumed(self, shard_id: int) -> None:
        """Note that a shard's session goes on."""
        self.shards_in_session.add(shard_id)
        self._returns.succeeded(shard_id)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        """Note that no event can come by a shard now."""
        self.shards_in_session.discard(shard_id)

    async def launch_shards(self) -> None:
        """Connect one shard after another, until the client is closed; discord.py would go on for ever."""
        self._launching = asyncio.ensure_future(super().launch_shards())
        try:
            await self._launching
        except asyncio.CancelledError:
            if not self.is_closed():
                raise

    async def launch_shard(self, gateway: URL, shard_id: int, *, initial: bool = False) -> None:
        """Connect a shard when it is its turn."""
        await self._turns.take(shard_id)
        await super().launch_shard(gateway, shard_id, initial=initial)
        if shard := self.get_shard(shard_id):
            self._returns.let(shard)

    async def on_interaction(self, interaction: discord.Interaction[BotClient]) -> None:
        """Answer presses, and whatever is neither a press nor a command, which are the tree's."""
        kinds = discord.InteractionType
        if interaction.type in (kinds.application_command, kinds.autocomplete) or not self.in_flight.begin():
            return
        if interaction.type is kinds.component:
            await answer_press(interaction)
        else:
            await answer_outdated(interaction)

    async def close(self) -> None:
        """Leave Discord, then close the store."""
        if self._ready is discord.utils.MISSING:
            await self.__aenter__()  # discord.py can't close several shards that never began
        await self.daily_scheduler.stop()
        await self.services.top_up.stop()
        await self.cards.close()
        await self.services.solvers.close()
        await self.follow_ups.close()
        await self._returns.close()
        if self._launching is not None:
            self._launching.cancel()
        await super().close()
        await self._turns.close()
        self.tables.close()
        self.replays.close()
        await self._store.close()
