"""``/stats``: what a player's games come to, and a picture of how the scores of one rule set are spread."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence

import discord

from bot.discord_app.commands import Commands
from bot.discord_app.context import Context
from bot.discord_app.feature import Feature
from bot.discord_app.layout import (
    ALT_MAX_CHARACTERS,
    MENU_MAX_OPTIONS,
    OPTION_MAX_CHARACTERS,
    Message,
    Part,
    Picture,
    Row,
    Select,
)
from bot.discord_app.router import Router
from bot.render.bars import BarCaptions, draw_bars
from bot.service import Cost, GroupStats, PlayerStats
from bot.storage import LARGEST_ID
from bot.text import Texts
from bot.text.names import plain
from bot.text.stats import group_name, spread_alt_text, spread_text, stats_text, stats_title


class Stats(Feature):
    """The command, and the menus that choose which rule set is drawn."""

    def register(self, commands: Commands, router: Router) -> None:
        """Add ``/stats`` and its menus: who asked, whose statistics they are, which of the menus."""
        commands.add("stats", self.stats, cost=Cost.PUBLIC)
        router.add(r"stats:(?P<asker>\d{1,19}):(?P<user>\d{1,19}):\d{1,2}", self.choose)

    async def stats(self, ctx: Context, user: discord.User | None = None) -> None:
        """Show a player's statistics, without ``user`` the user's own."""
        shown = user or ctx.interaction.user
        found = await self._of(ctx, shown.id)
        if found.groups:
            await self._send(ctx, shown.id, found, stats_title(ctx.texts, shown.display_name))
        elif shown.id == ctx.user_id:
            await ctx.send_ephemeral(ctx.texts("stats-none"))
        else:
            await ctx.send_ephemeral(ctx.texts("stats-none-other", name=plain(shown.display_name)))

    async def choose(self, ctx: Context, match: re.Match[str]) -> None:
        """Show another rule set in the pressed message, or privately if somebody else asked for it.

        :raises HiddenPlayer: when the player no longer wants to be seen.
        """
        asker_id, user_id = int(match["asker"]), int(match["user"])
        if user_id > LARGEST_ID:
            await ctx.send_ephemeral(ctx.texts("fault-unknown-control"))
            return
        stats = await self._of(ctx, user_id)
        title = _title_of(ctx.interaction.message)
        if not stats.groups:  # deleted since
            name = title.removeprefix(stats_title(ctx.texts, ""))
            await ctx.send_ephemeral(ctx.texts("stats-none-other", name=name))
        elif asker_id == ctx.user_id:
            await ctx.edit(await self._message(ctx, user_id, stats, title))
        else:
            await ctx.send(await self._message(ctx, user_id, stats, title), ephemeral=True)

    async def _of(self, ctx: Context, user_id: int) -> PlayerStats:
        return await ctx.services.stats.of(user_id, ctx.user_id, asker_hides=ctx.settings.is_hidden)

    async def _send(self, ctx: Context, user_id: int, stats: PlayerStats, title: str) -> None:
        message = await self._message(ctx, user_id, stats, title)
        # Players who hide from others don't want their numbers posted either.
        await ctx.send(message, ephemeral=ctx.settings.is_private or stats.is_hidden)

    async def _message(self, ctx: Context, user_id: int, stats: PlayerStats, title: str) -> Message:
        group = stats.group(ctx.choice)
        assert group is not None  # there is no message for a player without games
        menus = _menus(ctx.texts, stats.groups, group, f"stats:{ctx.user_id}:{user_id}")
        body = await asyncio.to_thread(_body, ctx, stats, group)
        return Message(title, *body, *menus)


def _body(ctx: Context, stats: PlayerStats, group: GroupStats) -> list[Part]:
    """Return the numbers, and how the scores are spread: drawn or in words."""
    texts = ctx.texts
    lines = [stats_text(texts, stats, group)]
    if not group.ended:
        return [lines[0]]
    if not ctx.draws:
        lines += ["", f"**{group_name(texts, group)}**", spread_text(texts, group)]
        lines += [] if ctx.settings.as_text else ["", texts("stats-no-picture")]
        return ["\n".join(lines)]
    name = f"stats-{group.game}-{group.rules.replace('+', '-')}-{group.ended}.png"
    alt = spread_alt_text(texts, group)[:ALT_MAX_CHARACTERS]
    return [lines[0], Picture(name, alt, _draw(texts, group))]


def _draw(texts: Texts, group: GroupStats) -> bytes:
    average, latest = group.average or 0.0, group.latest or 0
    captions = BarCaptions(
        title=group_name(texts, group),
        subtitle=texts("stats-games", count=group.ended),
        own=texts("stats-picture-latest", score=latest),
        mean=texts("stats-picture-mean", average=round(average, 1)),
        axis=texts("stats-picture-axis"),
    )
    return draw_bars(group.scores, captions, latest, mean=average, full=group.full)


def _menus(texts: Texts, groups: Sequence[GroupStats], chosen: GroupStats, custom_id: str) -> list[Row]:
    """Return menus with every group, or none where there is only one."""
    if len(groups) == 1:
        return []
    menus: list[Row] = []
    for first in range(0, len(groups), MENU_MAX_OPTIONS):
        menu: Select = discord.ui.Select(
            custom_id=f"{custom_id}:{len(menus)}",
            placeholder=texts("stats-choose"),
            options=[
                discord.SelectOption(
                    label=group_name(texts, group)[:OPTION_MAX_CHARACTERS],
                    description=texts("stats-games", count=group.played),
                    value=group.key,
                    default=group is chosen,
                )
                for group in groups[first : first + MENU_MAX_OPTIONS]
            ],
        )
        menus.append(discord.ui.ActionRow(menu))
    return menus


def _title_of(message: discord.Message | None) -> str:
    """Return the heading of a statistics message: nothing else has the name."""
    parts = message.components if message else []
    return next((part.content for part in parts if isinstance(part, discord.TextDisplay)), "")
