"""``/leaderboard``: the best, one's own place, and a picture of how the scores are spread."""

from __future__ import annotations

import asyncio
import io
import re
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.discord_app.commands import Command, command, completer
from bot.discord_app.context import Reader, choice_of, may_attach, reader_of
from bot.discord_app.localisation import label
from bot.render.bars import BarCaptions, draw_bars
from bot.service import BoardView, Cost, NoServer, Period
from bot.service.boards import PERIODS, TODAY
from bot.text import Texts
from bot.text.boards import (
    FULL_SCORE,
    board_alt_text,
    board_text,
    decimal,
    period_name,
    period_text,
)

if TYPE_CHECKING:
    from bot.discord_app.client import BotClient

    Interaction = discord.Interaction[BotClient]
else:
    Interaction = discord.Interaction

SERVER, EVERYONE = "server", "everyone"
SCOPES = (SERVER, EVERYONE)

_CUSTOM_ID = re.compile(r"board:(server|everyone):(pick|[a-z]{1,12}|\d{4}-\d{2}-\d{2})", re.ASCII)
LOOKING_S = 1.0  # whoever moves up into the list may be gone too, but somebody waits for it
_PICK = "pick"  # of the menu, whose choice says which days


def add_boards(tree: app_commands.CommandTree[Any]) -> None:
    """Add ``/leaderboard``."""
    tree.add_command(_leaderboard())


def _leaderboard() -> Command:
    @command("leaderboard", Cost.PUBLIC, scope="scope", when="when")
    @app_commands.choices(
        scope=[app_commands.Choice(name=label(f"board-mine-{scope}"), value=scope) for scope in SCOPES]
    )
    async def leaderboard(
        interaction: Interaction,
        scope: app_commands.Choice[str] | None = None,
        when: app_commands.Range[str, 1, 40] | None = None,
    ) -> None:
        await send_board(interaction, scope.value if scope else "", when or TODAY)

    @leaderboard.autocomplete("when")
    @completer
    async def complete(interaction: Interaction, typed: str) -> list[app_commands.Choice[str]]:
        texts = (await reader_of(interaction)).texts
        named = [(period_name(texts, key), key) for key in PERIODS]
        fitting = [(name, key) for name, key in named if typed.strip().casefold() in name.casefold()]
        return [app_commands.Choice(name=name, value=key) for name, key in fitting]

    return leaderboard


async def send_board(interaction: Interaction, scope: str, when: str, *, private: bool = False) -> None:
    """Answer with a board: of the server where there is one, unless ``scope`` says otherwise.

    :raises BadDay: when ``when`` is no day.
    :raises NoServer: when a server's board is asked for where there is none.
    """
    reader = await reader_of(interaction)
    view, names = await _view(interaction, reader, scope or default_scope(interaction), when)
    layout, files = await _message(interaction, reader, view, names)
    ephemeral = private or _is_private(reader, view)
    await interaction.response.send_message(view=layout, files=files, ephemeral=ephemeral)


async def answer_board_press(interaction: Interaction, custom_id: str) -> bool:
    """Show another board in the place of the pressed one, or to the user alone if it is somebody else's."""
    found = _CUSTOM_ID.fullmatch(custom_id)
    if found is None:
        return False
    scope, when = found[1], choice_of(interaction) or TODAY if found[2] == _PICK else found[2]
    message = interaction.message
    asker = message.interaction_metadata.user.id if message and message.interaction_metadata else None
    if asker != interaction.user.id:  # their own place would take the place of that user's
        await send_board(interaction, scope, when, private=True)
        return True
    reader = await reader_of(interaction)
    view, names = await _view(interaction, reader, scope, when)
    layout, files = await _message(interaction, reader, view, names)
    if _is_private(reader, view) and message and not message.flags.ephemeral:  # chosen since it was asked for
        await interaction.response.send_message(view=layout, files=files, ephemeral=True)
    else:
        await interaction.response.edit_message(view=layout, attachments=files)
    return True


def _is_private(reader: Reader, view: BoardView) -> bool:
    """Return whether only the reader may see it: who hides does not want their place posted either."""
    return reader.settings.is_private or view.is_hidden


def default_scope(interaction: Interaction) -> str:
    """Return which board is meant where nothing is said."""
    return EVERYONE if interaction.guild_id is None else SERVER


async def _view(
    interaction: Interaction, reader: Reader, scope: str, when: str
) -> tuple[BoardView, dict[int, str]]:
    boards = interaction.client.services.boards
    named = {period_name(reader.texts, key).casefold(): key for key in PERIODS}
    period = boards.period(named.get(when.strip().casefold(), when))
    server_id = interaction.guild_id if scope == SERVER else None
    if scope == SERVER and server_id is None:
        raise NoServer
    if interaction.guild_id is not None:
        await boards.enter(interaction.guild_id, interaction.user.id)
        interaction.client.names.note(interaction.user, interaction.guild_id)
    return await seen_view(interaction.client, interaction.user.id, server_id, period)


async def seen_view(
    client: BotClient, user_id: int, server_id: int | None, period: Period
) -> tuple[BoardView, dict[int, str]]:
    """Return a board without those who have left the server, or are no more, and the names in its list."""
    boards = client.services.boards
    until = time.monotonic() + LOOKING_S
    while True:
        view = await boards.view(user_id, server_id, period)
        people = await client.names.of([one.user_id for one in view.board.top], server_id)
        gone = sorted(people.gone - {user_id})
        if not gone:
            return view, dict(people.names)
        if server_id is None:
            await boards.unlist(gone)
        else:
            await boards.leave(server_id, gone)
        if time.monotonic() > until:
            top = tuple(one for one in view.board.top if one.user_id not in gone)
            return replace(view, board=replace(view.board, top=top)), dict(people.names)


async def _message(
    interaction: Interaction, reader: Reader, view: BoardView, names: dict[int, str]
) -> tuple[BoardLayout, list[discord.File]]:
    draws = not reader.settings.as_text and may_attach(interaction)
    boards = interaction.client.services.boards
    shown = next((key for key in PERIODS if boards.period(key) == view.period), "")
    return await asyncio.to_thread(_make, reader, view, names, interaction.user.id, shown, draws=draws)


class BoardLayout(discord.ui.LayoutView):
    """A board as a message: the list, the picture, and what leads to other boards."""

    def __init__(self, *parts: discord.ui.Item[Any]) -> None:
        super().__init__(timeout=None)
        for part in parts:
            self.add_item(part)
        self.stop()


def board_parts(
    texts: Texts, view: BoardView, names: dict[int, str], user_id: int, *, draws: bool
) -> tuple[list[discord.ui.Item[Any]], list[discord.File]]:
    """Return a board's list and picture, and the file that the picture is."""
    parts: list[discord.ui.Item[Any]] = [discord.ui.TextDisplay(board_text(texts, view, names, user_id))]
    if not draws or not view.board.scores:
        return parts, []
    days = f"{view.period.first or 'all'}-{view.period.last}"
    file = discord.File(
        io.BytesIO(_picture(texts, view)),
        filename=f"board-{days}-{view.board.players}.png",
        description=board_alt_text(texts, view),
    )
    gallery: discord.ui.MediaGallery[Any] = discord.ui.MediaGallery()
    gallery.add_item(media=file, description=file.description)
    return [*parts, gallery], [file]


def _picture(texts: Texts, view: BoardView) -> bytes:
    days = period_text(texts, view.period)
    own = view.board.own if view.period.is_day else None  # over several days, a sum is no bar of these
    captions = BarCaptions(
        title=texts("board-picture-title" if view.period.is_day else "board-picture-title-days", days=days),
        subtitle=texts("board-players", count=view.board.players),
        own=texts("board-picture-own", score=own.score) if own else "",
        mean=texts("board-picture-mean", average=decimal(texts, view.average)),
        axis=texts("board-picture-axis"),
    )
    return draw_bars(
        view.board.scores, captions, own.score if own else None, mean=view.average, full=FULL_SCORE
    )


def _make(
    reader: Reader, view: BoardView, names: dict[int, str], user_id: int, shown: str, *, draws: bool
) -> tuple[BoardLayout, list[discord.File]]:
    """Put the message together, in a worker thread: drawing would hold up others."""
    texts = reader.texts
    parts, files = board_parts(texts, view, names, user_id, draws=draws)
    return BoardLayout(*parts, *_controls(texts, view, shown)), files


def _controls(texts: Texts, view: BoardView, shown: str) -> list[discord.ui.Item[Any]]:
    """Return what leads to other boards; ``shown`` is the one of ``PERIODS`` that this one is, if any."""
    scope = EVERYONE if view.server_id is None else SERVER
    menu: discord.ui.Select[Any] = discord.ui.Select(
        custom_id=f"board:{scope}:{_PICK}",
        placeholder=texts("board-more"),
        options=[
            discord.SelectOption(label=period_name(texts, key), value=key, default=key == shown)
            for key in PERIODS
        ],
    )
    when = view.period.first if view.period.is_day else ("week" if view.period.first else "all")
    buttons = [
        discord.ui.Button[Any](
            label=texts(f"board-mine-{one}"),
            custom_id=f"board:{one}:{when}",
            style=discord.ButtonStyle.primary if one == scope else discord.ButtonStyle.secondary,
            disabled=one == scope,
        )
        for one in SCOPES
    ]
    return [discord.ui.ActionRow(menu), discord.ui.ActionRow(*buttons)]
