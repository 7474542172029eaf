"""Playing: the commands that make moves, and the controls under a table."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from discord import app_commands

from bot.discord_app.commands import Commands
from bot.discord_app.context import Choices, Context
from bot.discord_app.feature import Feature
from bot.discord_app.router import Router
from bot.discord_app.tables import autocomplete
from bot.discord_app.tables.controls import (
    PAGE,
    Action,
    ComponentId,
    Panel,
    add_control,
    page_number,
    panel_named,
)
from bot.service import Finished, GameService, NoGame, NoTarget, Request, StaleTable, Turn
from bot.storage import Status
from engine import MoveSyntaxError, TypedMove

_Play = Callable[[GameService, Request], Awaitable[Turn]]

_COMMANDS: dict[str, _Play] = {
    "draw": GameService.draw,
    "undo": GameService.undo,
    "redo": GameService.redo,
    "hint": GameService.hint,
    "table": GameService.show,
}
_CONTROLS: dict[Action, _Play] = {
    Action.DRAW: GameService.draw,
    Action.DISCARD_ALL: GameService.discard_all,
    Action.UNDO: GameService.undo,
    Action.REDO: GameService.redo,
    Action.HINT: GameService.hint,
    Action.FINISH: GameService.finish,
    Action.GIVE_UP: GameService.give_up,
}


class Play(Feature):
    """The commands and the controls."""

    def register(self, commands: Commands, router: Router) -> None:
        """Add the commands and the controls."""
        options = {"source": "from", "target": "to"}
        suggestions = {"source": self.suggest_moves, "target": self.suggest_targets}
        commands.add("move", self.move, options=options, autocomplete=suggestions)
        commands.add("discard", self.discard, autocomplete={"pile": self.suggest_discards})
        commands.add("giveup", self.ask_to_give_up)
        for key, play in _COMMANDS.items():
            commands.add(key, self._command(play))
        for action, play in _CONTROLS.items():
            add_control(router, action, partial(self._pressed, play))
        add_control(router, Action.PLAY, self.play_move)
        add_control(router, Action.MENU, self.choose)
        add_control(router, Action.PANEL, self.show_panel)

    def _command(self, play: _Play) -> Callable[[Context], Awaitable[None]]:
        """Return a command without options that answers with a table."""

        async def command(ctx: Context) -> None:
            await self._tables.post(ctx, await play(ctx.services.games, ctx.request()))

        return command

    async def move(
        self,
        ctx: Context,
        source: app_commands.Range[str, 1, 100],
        target: app_commands.Range[str, 1, 100] | None = None,
        count: app_commands.Range[int, 1, 13] | None = None,
    ) -> None:
        """Move cards.

        :raises NoTarget: when there is no target at all.
        """
        turn = await ctx.services.games.move(ctx.request(), _typed_move(source, target, count))
        await self._tables.post(ctx, turn)

    async def suggest_moves(self, ctx: Context, typed: str) -> Choices:
        """Return whole moves."""
        return autocomplete.moves(ctx.texts, await _current(ctx), typed)

    async def suggest_targets(self, ctx: Context, typed: str) -> Choices:
        """Return where the cards of the source can go."""
        source = str(getattr(ctx.interaction.namespace, "from", None) or "")
        return autocomplete.targets(ctx.texts, await _current(ctx), source, typed)

    async def discard(self, ctx: Context, pile: app_commands.Range[str, 1, 100] | None = None) -> None:
        """Discard from a pile; without one, the only discard there is."""
        await self._tables.post(ctx, await ctx.services.games.discard(ctx.request(), pile))

    async def suggest_discards(self, ctx: Context, typed: str) -> Choices:
        """Return what can be discarded."""
        return autocomplete.discards(ctx.texts, await _current(ctx), typed)

    async def ask_to_give_up(self, ctx: Context) -> None:
        """Show the table with the question whether to give up.

        :raises Finished: when the game has ended.
        """
        turn = await ctx.services.games.show(ctx.request())
        if turn.game.status is not Status.PLAYING:
            raise Finished
        await self._tables.post(ctx, turn, ctx.texts("give-up-question"), panel=Panel.GIVE_UP)

    async def _pressed(self, play: _Play, ctx: Context, pressed: ComponentId) -> None:
        await self._tables.update(ctx, await play(ctx.services.games, _request(ctx, pressed)))

    async def play_move(self, ctx: Context, pressed: ComponentId) -> None:
        """Play the move of a button."""
        await self._move(ctx, pressed, pressed.detail)

    async def choose(self, ctx: Context, pressed: ComponentId) -> None:
        """Play the move that was chosen in the menu, or show another page of it."""
        if ctx.choice.startswith(PAGE):
            turn = await _seen(ctx, pressed)
            await self._tables.update(ctx, turn, page=page_number(ctx.choice))
        else:
            await self._move(ctx, pressed, ctx.choice)

    async def _move(self, ctx: Context, pressed: ComponentId, text: str) -> None:
        turn = await ctx.services.games.move(_request(ctx, pressed), text)
        await self._tables.update(ctx, turn)

    async def show_panel(self, ctx: Context, pressed: ComponentId) -> None:
        """Show other controls under the same table."""
        turn = await _seen(ctx, pressed)
        await self._tables.update(ctx, turn, panel=panel_named(pressed.detail))


def _request(ctx: Context, pressed: ComponentId) -> Request:
    return ctx.request(pressed.game_id, pressed.revision)


async def _seen(ctx: Context, pressed: ComponentId) -> Turn:
    """Return the game as it stands if that is what the player saw.

    :raises StaleTable: when it isn't.
    """
    turn = await ctx.services.games.show(_request(ctx, pressed))
    if turn.game.revision != pressed.revision:
        raise StaleTable(turn)
    return turn


async def _current(ctx: Context) -> Turn | None:
    """Return the user's current game, if there is one."""
    try:
        return await ctx.services.games.show(ctx.request())
    except NoGame:
        return None


def _typed_move(source: str, target: str | None, count: int | None) -> str:
    """Return the options of ``/move`` as one text; ``source`` may be a whole move, picked from the list.

    :raises NoTarget: when there is no target at all.
    """
    try:
        whole: TypedMove | None = TypedMove.parse(source)
    except MoveSyntaxError:
        whole = None
    if target is None:
        if whole is None:
            raise NoTarget
        return source if count is None else f"{whole.source} {whole.target} {count}"
    start = whole.source if whole and len(source.strip()) > 2 else source
    return " ".join((start, target, *([str(count)] if count else [])))
