"""``/challenge``: a message for everybody to see, with buttons to play, refresh and compare.

It says how far everybody is and shows none of their cards. The ``custom_id`` of a button is
``duel:<challenge id>:<what>``.
"""

from __future__ import annotations

import re

import discord
from discord import app_commands

from bot.discord_app.commands import Commands
from bot.discord_app.context import App, Choices, Context
from bot.discord_app.feature import Feature
from bot.discord_app.features.challenges.messages import ChallengeMessages, challenge_message
from bot.discord_app.router import Router
from bot.discord_app.tables import autocomplete
from bot.discord_app.tables.posting import Tables
from bot.discord_app.views.comparison import send_comparison
from bot.service import Cost, NoPlayer


class ChallengesFeature(Feature):
    """The command and the buttons."""

    def __init__(self, app: App, tables: Tables) -> None:
        super().__init__(app, tables)
        self.messages = ChallengeMessages(app)
        tables.on_shown.append(self.messages.note)

    def register(self, commands: Commands, router: Router) -> None:
        """Add ``/challenge`` and its buttons."""
        commands.add(
            "challenge",
            self.challenge,
            cost=Cost.CHALLENGE,
            choices={"game": autocomplete.game_options()},
            autocomplete={"rules": self.suggest_rules},
        )
        router.add(r"duel:(?P<id>\d{1,18}):play", self.play, cost=Cost.DEAL)
        router.add(r"duel:(?P<id>\d{1,18}):show", self.refresh)
        router.add(r"duel:(?P<id>\d{1,18}):compare", self.compare)

    async def close(self) -> None:
        """Edit no more messages."""
        await self.messages.close()

    async def challenge(
        self,
        ctx: Context,
        friend1: discord.User | None = None,
        friend2: discord.User | None = None,
        friend3: discord.User | None = None,
        friend4: discord.User | None = None,
        friend5: discord.User | None = None,
        game: app_commands.Choice[str] | None = None,
        rules: app_commands.Range[str, 1, 40] | None = None,
        seed: app_commands.Range[str, 1, autocomplete.SEED_INPUT_MAX_CHARACTERS] | None = None,
    ) -> None:
        """Challenge the friends that are named, or everybody.

        :raises NoPlayer: when one of them is a bot.
        """
        named = [friend for friend in (friend1, friend2, friend3, friend4, friend5) if friend]
        if any(friend.bot for friend in named):
            raise NoPlayer
        view = await ctx.services.challenges.create(
            ctx.user_id,
            [friend.id for friend in named],
            game=game.value if game else None,
            rules=rules,
            seed=seed,
            language=ctx.texts.language,
        )
        await self.messages.post(ctx, view)

    async def suggest_rules(self, ctx: Context, typed: str) -> Choices:
        """Return the rules of the game that was picked."""
        return autocomplete.rules(ctx.texts, ctx.interaction.namespace.game, typed)

    async def play(self, ctx: Context, match: re.Match[str]) -> None:
        """Deal the challenge to whoever pressed, or show their game again."""
        challenge_id = await self._meet(ctx, match)
        await self._tables.post(ctx, await ctx.services.challenges.play(ctx.request(), challenge_id))

    async def refresh(self, ctx: Context, match: re.Match[str]) -> None:
        """Show how far everybody is now."""
        view = await ctx.services.challenges.view(await self._meet(ctx, match))
        await ctx.interaction.response.edit_message(view=challenge_message(view).view)

    async def compare(self, ctx: Context, match: re.Match[str]) -> None:
        """Compare the user's game with the best of the others."""
        challenge_id = await self._meet(ctx, match)
        await send_comparison(ctx, *await ctx.services.challenges.pair(ctx.user_id, challenge_id))

    async def _meet(self, ctx: Context, match: re.Match[str]) -> int:
        challenge_id = int(match["id"])
        await self.messages.meet(ctx, challenge_id)
        return challenge_id
