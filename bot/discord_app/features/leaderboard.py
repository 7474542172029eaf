"""``/leaderboard``: the best, one's own place, and a picture of how the scores are spread."""

from __future__ import annotations

import asyncio
import re

import discord
from discord import app_commands

from bot.discord_app.commands import Commands
from bot.discord_app.context import Choices, Context
from bot.discord_app.feature import Feature
from bot.discord_app.layout import Button, Message, Row, Select
from bot.discord_app.localisation import label
from bot.discord_app.router import Router
from bot.discord_app.tables.controls import Action, ComponentId, add_control
from bot.discord_app.views.board import NamedBoard, board_parts, load_board
from bot.service import BoardView, Cost, NoServer
from bot.service.daily.boards import PERIODS, TODAY
from bot.text import Texts
from bot.text.boards import period_name

SERVER, EVERYONE = "server", "everyone"
SCOPES = (SERVER, EVERYONE)
_PICK = "pick"  # of the menu, whose choice says which days


class Leaderboard(Feature):
    """The command, the button under a daily table, and the controls that lead to other boards."""

    def register(self, commands: Commands, router: Router) -> None:
        """Add ``/leaderboard`` and its controls."""
        scopes = [app_commands.Choice(name=label(f"board-mine-{scope}"), value=scope) for scope in SCOPES]
        commands.add(
            "leaderboard",
            self.leaderboard,
            cost=Cost.PUBLIC,
            choices={"scope": scopes},
            autocomplete={"when": self.suggest_periods},
        )
        add_control(router, Action.BOARD, self.pressed)
        days = rf"{_PICK}|[a-z]{{1,12}}|\d{{4}}-\d{{2}}-\d{{2}}"
        router.add(rf"board:(?P<scope>{SERVER}|{EVERYONE}):(?P<when>{days})", self.turn)

    async def leaderboard(
        self,
        ctx: Context,
        scope: app_commands.Choice[str] | None = None,
        when: app_commands.Range[str, 1, 40] | None = None,
    ) -> None:
        """Show a board: of the server, where there is one, unless ``scope`` says otherwise.

        :raises BadDay: when ``when`` is no day.
        :raises NoServer: when a server's board is asked for outside a server.
        """
        await self._send(ctx, scope.value if scope else _default_scope(ctx), when or TODAY)

    async def suggest_periods(self, ctx: Context, typed: str) -> Choices:
        """Return the named periods that fit."""
        named = [(period_name(ctx.texts, key), key) for key in PERIODS]
        fitting = [(name, key) for name, key in named if typed.strip().casefold() in name.casefold()]
        return [app_commands.Choice(name=name, value=key) for name, key in fitting]

    async def pressed(self, ctx: Context, pressed: ComponentId) -> None:
        """Show the player of a daily game the board of its day."""
        turn = await ctx.services.games.show(ctx.request(pressed.game_id, pressed.revision))
        await self._send(ctx, _default_scope(ctx), turn.game.day or TODAY, private=True)

    async def turn(self, ctx: Context, match: re.Match[str]) -> None:
        """Show another board in the pressed message, or privately if it is somebody else's."""
        scope, when = match["scope"], match["when"]
        if when == _PICK:
            when = ctx.choice or TODAY
        message = ctx.interaction.message
        asker = message.interaction_metadata.user.id if message and message.interaction_metadata else None
        if asker != ctx.user_id:  # their own place would replace the asker's
            await self._send(ctx, scope, when, private=True)
            return
        board = await self._load(ctx, scope, when)
        answer = await asyncio.to_thread(_message, ctx, board)
        if _is_private(ctx, board.view) and message and not message.flags.ephemeral:  # hidden since
            await ctx.send(answer, ephemeral=True)
        else:
            await ctx.edit(answer)

    async def _send(self, ctx: Context, scope: str, when: str, *, private: bool = False) -> None:
        board = await self._load(ctx, scope, when)
        # In a worker thread: drawing would block other players.
        message = await asyncio.to_thread(_message, ctx, board)
        await ctx.send(message, ephemeral=private or _is_private(ctx, board.view))

    async def _load(self, ctx: Context, scope: str, when: str) -> NamedBoard:
        boards = ctx.services.boards
        named = {period_name(ctx.texts, key).casefold(): key for key in PERIODS}
        period = boards.period(named.get(when.strip().casefold(), when))
        if scope == SERVER and ctx.server_id is None:
            raise NoServer
        if ctx.server_id is not None:
            await boards.enter(ctx.server_id, ctx.user_id)
            ctx.app.member_names.note(ctx.interaction.user, ctx.server_id)
        server_id, is_hidden = ctx.server_id if scope == SERVER else None, ctx.settings.is_hidden
        return await load_board(ctx.app, ctx.user_id, server_id, period, is_hidden=is_hidden)


def _default_scope(ctx: Context) -> str:
    return EVERYONE if ctx.server_id is None else SERVER


def _is_private(ctx: Context, view: BoardView) -> bool:
    """Return whether only the user may see it: players who hide don't want their place posted either."""
    return ctx.settings.is_private or view.is_hidden


def _message(ctx: Context, board: NamedBoard) -> Message:
    boards = ctx.services.boards
    shown = next((key for key in PERIODS if boards.period(key) == board.view.period), "")
    parts = board_parts(ctx.texts, board, ctx.user_id, draws=ctx.draws)
    return Message(*parts, *_controls(ctx.texts, board.view, shown))


def _controls(texts: Texts, view: BoardView, shown: str) -> list[Row]:
    """Return what leads to other boards; ``shown`` is the one of ``PERIODS`` that this one is, if any."""
    scope = EVERYONE if view.server_id is None else SERVER
    menu: Select = discord.ui.Select(
        custom_id=f"board:{scope}:{_PICK}",
        placeholder=texts("board-more"),
        options=[
            discord.SelectOption(label=period_name(texts, key), value=key, default=key == shown)
            for key in PERIODS
        ],
    )
    when = view.period.first if view.period.is_day else ("week" if view.period.first else "all")
    buttons: list[Button] = [
        discord.ui.Button(
            label=texts(f"board-mine-{one}"),
            custom_id=f"board:{one}:{when}",
            style=discord.ButtonStyle.primary if one == scope else discord.ButtonStyle.secondary,
            disabled=one == scope,
        )
        for one in SCOPES
    ]
    return [discord.ui.ActionRow(menu), discord.ui.ActionRow(*buttons)]
