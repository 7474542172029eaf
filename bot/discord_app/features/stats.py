"""``/stats``: what a player's games come to, and a picture of how the scores of one rule set are spread."""

from __future__ import annotations

import asyncio
import io
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.discord_app.commands import Command, command
from bot.discord_app.context import Reader, choice_of, may_attach, reader_of
from bot.discord_app.errors import whisper
from bot.render.bars import BarCaptions, draw_bars
from bot.service import Cost, GroupStats, PlayerStats
from bot.storage import LARGEST_ID
from bot.text import Texts
from bot.text.names import plain
from bot.text.stats import group_name, spread_alt_text, spread_text, stats_text, stats_title

if TYPE_CHECKING:
    from bot.discord_app.client import BotClient

    Interaction = discord.Interaction[BotClient]
else:
    Interaction = discord.Interaction

# Who asked, whose statistics they are, and which of the menus it is.
_CUSTOM_ID = re.compile(r"stats:(\d{1,19}):(\d{1,19}):\d{1,2}", re.ASCII)
_MAX_OPTIONS = 25  # Discord's limits
_MAX_ALT_CHARACTERS = 1024


def add_stats(tree: app_commands.CommandTree[Any]) -> None:
    """Add ``/stats``."""
    tree.add_command(_stats())


def _stats() -> Command:
    @command("stats", Cost.PUBLIC, user="user")
    async def stats(interaction: Interaction, user: discord.User | None = None) -> None:
        asker = interaction.user
        shown = user or asker
        found = await interaction.client.services.stats.of(shown.id, asker.id)
        texts = (await reader_of(interaction)).texts
        if found.groups:
            await _send(interaction, shown.id, found, stats_title(texts, shown.display_name))
        elif shown.id == asker.id:
            await whisper(interaction, texts("stats-none"))
        else:
            await whisper(interaction, texts("stats-none-other", name=plain(shown.display_name)))

    return stats


async def answer_stats_press(interaction: Interaction, custom_id: str) -> bool:
    """Show another rule set in the pressed message, or to the user alone if somebody else asked for it.

    :raises HiddenPlayer: when the player does not want to be seen any more.
    """
    found = _CUSTOM_ID.fullmatch(custom_id)
    if found is None:
        return False
    asker_id, user_id = int(found[1]), int(found[2])
    if user_id > LARGEST_ID:
        return False
    stats = await interaction.client.services.stats.of(user_id, interaction.user.id)
    title = _title_of(interaction.message)
    if not stats.groups:  # deleted since
        texts = (await reader_of(interaction)).texts
        name = title.removeprefix(stats_title(texts, ""))
        await whisper(interaction, texts("stats-none-other", name=name))
        return True
    chosen = choice_of(interaction)
    if asker_id == interaction.user.id:
        layout, files = await _message(interaction, user_id, stats, title, chosen)
        await interaction.response.edit_message(view=layout, attachments=files)
    else:
        await _send(interaction, user_id, stats, title, chosen, private=True)
    return True


async def _send(
    interaction: Interaction,
    user_id: int,
    stats: PlayerStats,
    title: str,
    chosen: str = "",
    *,
    private: bool = False,
) -> None:
    settings = (await reader_of(interaction)).settings
    layout, files = await _message(interaction, user_id, stats, title, chosen)
    # Who hides from others does not want to have their numbers posted either.
    ephemeral = private or settings.is_private or stats.is_hidden
    await interaction.response.send_message(view=layout, files=files, ephemeral=ephemeral)


class StatsLayout(discord.ui.LayoutView):
    """Statistics as a message: whose, the numbers, the picture, and menus that choose what is drawn."""

    def __init__(self, *parts: discord.ui.Item[Any]) -> None:
        super().__init__(timeout=None)
        for part in parts:
            self.add_item(part)
        self.stop()  # presses are recognised by their ids


async def _message(
    interaction: Interaction, user_id: int, stats: PlayerStats, title: str, chosen: str
) -> tuple[StatsLayout, list[discord.File]]:
    """Put the message together, in a worker thread: drawing would hold up others."""
    reader = await reader_of(interaction)
    group = stats.group(chosen)
    assert group is not None  # there is no message of somebody without games
    menus = _menus(reader.texts, stats.groups, group, f"stats:{interaction.user.id}:{user_id}")
    parts, files = await asyncio.to_thread(_body, reader, stats, group, can_attach=may_attach(interaction))
    return StatsLayout(discord.ui.TextDisplay(title), *parts, *menus), files


def _body(
    reader: Reader, stats: PlayerStats, group: GroupStats, *, can_attach: bool
) -> tuple[list[discord.ui.Item[Any]], list[discord.File]]:
    texts = reader.texts
    lines = [stats_text(texts, stats, group)]
    if not group.ended:
        return [discord.ui.TextDisplay(lines[0])], []
    if reader.settings.as_text or not can_attach:
        lines += ["", f"**{group_name(texts, group)}**", spread_text(texts, group)]
        lines += [] if reader.settings.as_text else ["", texts("stats-no-picture")]
        return [discord.ui.TextDisplay("\n".join(lines))], []
    file = discord.File(
        io.BytesIO(_picture(texts, group)),
        filename=f"stats-{group.game}-{group.rules.replace('+', '-')}-{group.ended}.png",
        description=spread_alt_text(texts, group)[:_MAX_ALT_CHARACTERS],
    )
    gallery: discord.ui.MediaGallery[Any] = discord.ui.MediaGallery()
    gallery.add_item(media=file, description=file.description)
    return [discord.ui.TextDisplay(lines[0]), gallery], [file]


def _picture(texts: Texts, group: GroupStats) -> bytes:
    average, latest = group.average or 0.0, group.latest or 0
    captions = BarCaptions(
        title=group_name(texts, group),
        subtitle=texts("stats-games", count=group.ended),
        own=texts("stats-picture-latest", score=latest),
        mean=texts("stats-picture-mean", average=round(average, 1)),
        axis=texts("stats-picture-axis"),
    )
    return draw_bars(group.scores, captions, latest, mean=average, full=group.full)


def _menus(
    texts: Texts, groups: Sequence[GroupStats], chosen: GroupStats, custom_id: str
) -> list[discord.ui.ActionRow[Any]]:
    """Return menus with every group, or none where there is only one."""
    if len(groups) == 1:
        return []
    menus: list[discord.ui.ActionRow[Any]] = []
    for first in range(0, len(groups), _MAX_OPTIONS):
        menu: discord.ui.Select[Any] = discord.ui.Select(
            custom_id=f"{custom_id}:{len(menus)}",
            placeholder=texts("stats-choose"),
            options=[
                discord.SelectOption(
                    label=group_name(texts, group)[:100],
                    description=texts("stats-games", count=group.played),
                    value=group.key,
                    default=group is chosen,
                )
                for group in groups[first : first + _MAX_OPTIONS]
            ],
        )
        menus.append(discord.ui.ActionRow(menu))
    return menus


def _title_of(message: discord.Message | None) -> str:
    """Return the heading of a message of statistics, which has the name that nothing else knows."""
    parts = message.components if message else []
    return next((part.content for part in parts if isinstance(part, discord.TextDisplay)), "")
