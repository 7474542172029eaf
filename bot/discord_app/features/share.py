"""``/share`` and the button Share: a line for everybody to see, and a button that deals them the same."""

from __future__ import annotations

from bot.discord_app.commands import Commands
from bot.discord_app.context import Context
from bot.discord_app.feature import Feature
from bot.discord_app.layout import buttons_below
from bot.discord_app.router import Router
from bot.discord_app.tables.controls import (
    Action,
    ComponentId,
    add_control,
    play_daily_button,
    same_deal_button,
)
from bot.service import Cost, Turn
from bot.text.sharing import share_text


class Share(Feature):
    """The command and the button."""

    def register(self, commands: Commands, router: Router) -> None:
        """Add ``/share``, and the button under a table."""
        commands.add("share", self.share, cost=Cost.PUBLIC)
        add_control(router, Action.SHARE, self.pressed, cost=Cost.PUBLIC)

    async def share(self, ctx: Context) -> None:
        """Share the user's current game."""
        await self._send(ctx, await ctx.services.games.show(ctx.request()))

    async def pressed(self, ctx: Context, pressed: ComponentId) -> None:
        """Share the game of a table."""
        request = ctx.request(pressed.game_id, pressed.revision)
        await self._send(ctx, await ctx.services.games.show(request))

    async def _send(self, ctx: Context, turn: Turn) -> None:
        """Post the line as plain content: on a phone, such a message can be copied as it stands.

        :raises ShareLater: when that would spoil a contest.
        """
        share = await ctx.services.sharing.share(turn)
        if turn.game.day and turn.ends_ms:  # works for friends even when this game is deleted
            button = play_daily_button(ctx.texts("control-play-daily"))
        else:
            button = same_deal_button(turn, ctx.texts("share-play"))
        text = share_text(ctx.texts, share)
        await ctx.interaction.response.send_message(text, view=buttons_below([button]))
