"""``/new``, ``/games`` and the buttons that deal the same cards: which game is the user's current one."""

from __future__ import annotations

from discord import app_commands

from bot.discord_app.commands import Commands
from bot.discord_app.context import Choices, Context
from bot.discord_app.feature import Feature
from bot.discord_app.router import Router
from bot.discord_app.tables import autocomplete
from bot.discord_app.tables.controls import Action, ComponentId, add_control
from bot.service import CodeAlone, Cost, NoSuchGame, NotYours, SeedWithWinnable
from bot.text.lists import games_text

CODE_INPUT_MAX_CHARACTERS = 6000  # Discord's limit for an option


class Deal(Feature):
    """The commands, the button that deals the same cards, and the search for winnable deals."""

    def register(self, commands: Commands, router: Router) -> None:
        """Add the commands and the button."""
        commands.add(
            "new",
            self.new,
            cost=Cost.DEAL,
            choices={"game": autocomplete.game_options()},
            autocomplete={"rules": self.suggest_rules},
        )
        commands.add("games", self.games, autocomplete={"resume": self.suggest_games})
        add_control(router, Action.SAME, self.deal_same, cost=Cost.DEAL)

    def start(self) -> None:
        """Begin to look for winnable deals."""
        self._app.services.top_up.start()

    async def close(self) -> None:
        """Look for no more."""
        await self._app.services.top_up.stop()

    async def new(
        self,
        ctx: Context,
        game: app_commands.Choice[str] | None = None,
        rules: app_commands.Range[str, 1, 40] | None = None,
        seed: app_commands.Range[str, 1, autocomplete.SEED_INPUT_MAX_CHARACTERS] | None = None,
        code: app_commands.Range[str, 1, CODE_INPUT_MAX_CHARACTERS] | None = None,
        winnable: bool = False,  # noqa: FBT001, FBT002 - an option of the command
    ) -> None:
        """Deal a new game.

        :raises CodeAlone: when a code comes with a game, rules or a seed.
        :raises SeedWithWinnable: when a code comes with ``winnable``.
        """
        key = game.value if game else None
        games, request = ctx.services.games, ctx.request()
        if code is None:
            turn = await games.new(request, game=key, rules=rules, seed=seed, winnable=winnable)
        elif winnable:
            raise SeedWithWinnable
        elif key is None and rules is None and seed is None:
            turn = await games.new_by_code(request, code)
        else:
            raise CodeAlone
        await self._tables.post(ctx, turn)

    async def suggest_rules(self, ctx: Context, typed: str) -> Choices:
        """Return the rules of the game that was picked."""
        return autocomplete.rules(ctx.texts, ctx.interaction.namespace.game, typed)

    async def games(self, ctx: Context, resume: app_commands.Range[str, 1, 100] | None = None) -> None:
        """List the user's unfinished games, or go back to one.

        :raises NoSuchGame: when the user has no game of that id.
        """
        games = ctx.services.games
        if resume is None:
            await ctx.send_ephemeral_long(games_text(ctx.texts, await games.unfinished(ctx.user_id)))
            return
        if not (resume.isascii() and resume.isdigit() and len(resume) <= 18):
            raise NoSuchGame
        try:
            turn = await games.resume(ctx.request(int(resume)))
        except NotYours:  # nobody needs to learn whose game it is
            raise NoSuchGame from None
        await self._tables.post(ctx, turn)

    async def suggest_games(self, ctx: Context, typed: str) -> Choices:
        """Return the user's unfinished games."""
        return autocomplete.games(ctx.texts, await ctx.services.games.unfinished(ctx.user_id), typed)

    async def deal_same(self, ctx: Context, pressed: ComponentId) -> None:
        """Deal the cards of somebody's game to whoever pressed."""
        request = ctx.request(pressed.game_id, pressed.revision)
        try:
            turn = await ctx.services.games.deal_same(request)
        except NoSuchGame:  # whoever shared it asked to be forgotten
            await ctx.send_ephemeral(ctx.texts("fault-shared-gone"))
        else:
            await self._tables.post(ctx, turn)
