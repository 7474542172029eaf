"""The Discord client: opens the store, registers the commands, routes presses, answers failures."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.discord_app.afterwards import Afterwards
from bot.discord_app.analysis import Analyses
from bot.discord_app.challenges import Cards
from bot.discord_app.commands import add_commands
from bot.discord_app.errors import answer_unexpected
from bot.discord_app.localisation import FluentTranslator
from bot.discord_app.names import Names
from bot.discord_app.presses import answer_press
from bot.discord_app.replay import Replays
from bot.discord_app.rounds import Rounds
from bot.discord_app.sync import sync_if_changed
from bot.discord_app.tables import Tables
from bot.discord_app.underway import Underway
from bot.service import Services
from bot.storage import Store


class CommandTree(app_commands.CommandTree["SolitaireClient"]):
    """The commands: usable in servers, direct messages and group chats, installed by a server or a user."""

    def __init__(self, client: SolitaireClient) -> None:
        super().__init__(
            client,
            allowed_contexts=app_commands.AppCommandContext(
                guild=True, dm_channel=True, private_channel=True
            ),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=True),
        )

    async def interaction_check(self, interaction: discord.Interaction[SolitaireClient]) -> bool:
        """Begin no command while the bot stops."""
        return self.client.underway.begin()

    async def on_error(
        self, interaction: discord.Interaction[SolitaireClient], error: app_commands.AppCommandError
    ) -> None:
        """Answer what a command did not expect."""
        await answer_unexpected(interaction, error)


class SolitaireClient(discord.Client):
    """The bot. It needs no gateway intent: everything it does is an answer to an interaction."""

    def __init__(self, store: Store, services: Services) -> None:
        super().__init__(
            intents=discord.Intents.none(),
            # Seeds and names are people's own text: nothing the bot writes may ever ping anyone.
            allowed_mentions=discord.AllowedMentions.none(),
            activity=discord.CustomActivity("/new"),
        )
        self.services = services
        self.play = services.play
        self.underway = Underway()
        self.tables = Tables(self)
        self.afterwards = Afterwards(self)
        self.analyses = Analyses()
        self.cards = Cards(self)
        self.replays = Replays()
        self.names = Names(self)
        self.rounds = Rounds(self)
        self.tree = CommandTree(self)
        self._store = store
        add_commands(self.tree)

    async def setup_hook(self) -> None:
        """Open the store, and register the commands where they changed."""
        await self._store.open()
        await self.tree.set_translator(FluentTranslator())
        await sync_if_changed(self.tree, self._store)
        self.services.brains.start()
        if self.rounds.starts_itself:
            self.rounds.start()
        if self.services.top_up.starts_itself:
            self.services.top_up.start()

    async def on_interaction(self, interaction: discord.Interaction[SolitaireClient]) -> None:
        """Answer presses; commands are the tree's."""
        if interaction.type is discord.InteractionType.component and self.underway.begin():
            await answer_press(interaction)

    async def close(self) -> None:
        """Leave Discord, then close the store."""
        await self.rounds.stop()
        await self.services.top_up.stop()
        await self.cards.close()
        await self.services.brains.close()
        await self.afterwards.close()
        await super().close()
        self.replays.close()
        await self._store.close()
