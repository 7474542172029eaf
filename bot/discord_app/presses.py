"""Every press of a button and every choice in a menu comes through here.

discord.py's own dispatch drops what it can't find on the message. Listening to the interaction itself keeps
nothing in memory, and leaves no press without an answer.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

import discord

from bot.discord_app.commands import admitted
from bot.discord_app.context import reader_of
from bot.discord_app.errors import USER_ERRORS, answer_error, answer_unexpected, whisper
from bot.discord_app.features.analyse import send_analysis
from bot.discord_app.features.challenges import answer_challenge_press
from bot.discord_app.features.daily import answer_daily_press
from bot.discord_app.features.leaderboard import answer_board_press, default_scope, send_board
from bot.discord_app.features.privacy import answer_forget_press
from bot.discord_app.features.rules import parse_rules_press, send_rules, turn_page
from bot.discord_app.features.settings import answer_settings, change_setting, is_setting
from bot.discord_app.features.share import send_share
from bot.discord_app.features.stats import answer_stats_press
from bot.discord_app.tables.controls import Action, ComponentId, page_number, panel_named
from bot.discord_app.transport.deferral import attended
from bot.discord_app.transport.observing import observed
from bot.service import Cost, GameService, NoSuchGame, Request, StaleTable, Turn
from bot.service.boards import TODAY

if TYPE_CHECKING:
    from bot.discord_app.client import BotClient

    Interaction = discord.Interaction[BotClient]
else:
    Interaction = discord.Interaction


@observed
@attended()
async def answer_press(interaction: Interaction) -> None:
    """Answer a press on anything that the bot ever put under a message; it never raises."""
    try:
        try:
            async with admitted(interaction, Cost.PRESS, _work(interaction)):
                await _dispatch(interaction)
        except USER_ERRORS as fault:
            await answer_error(interaction, fault)
    except Exception as error:  # noqa: BLE001 - whatever it is, the player gets an answer and the log a trace
        await answer_unexpected(interaction, error)


_WORKS: dict[Action, Cost] = {Action.SAME: Cost.DEAL, Action.SHARE: Cost.PUBLIC}


def _work(interaction: Interaction) -> Cost | None:
    """Return what a press costs its user beside being one."""
    data: Mapping[str, Any] = interaction.data or {}
    custom_id = str(data.get("custom_id", ""))
    if custom_id.startswith("daily:") or (custom_id.startswith("duel:") and custom_id.endswith(":play")):
        return Cost.DEAL
    press = ComponentId.parse(custom_id)
    return _WORKS.get(press.action) if press else None


async def _dispatch(interaction: Interaction) -> None:
    data: Mapping[str, Any] = interaction.data or {}
    custom_id = str(data.get("custom_id", ""))
    values = [str(value) for value in data.get("values", ())]
    rules_page = parse_rules_press(custom_id)
    press = ComponentId.parse(custom_id)
    if press is not None:
        await _control(interaction, press, values[0] if values else "")
    elif rules_page is not None:
        await turn_page(interaction, *rules_page)
    elif is_setting(custom_id):
        await change_setting(interaction, custom_id, values)
    else:
        answer = _OTHERS.get(custom_id.partition(":")[0])
        if answer is None or not await answer(interaction, custom_id):
            await whisper(interaction, (await reader_of(interaction)).texts("fault-unknown-control"))


# By the first part of the custom_id, what answers controls that stand under no table; each returns False for
# an id that it doesn't know.
_OTHERS: dict[str, Callable[[Interaction, str], Awaitable[bool]]] = {
    "board": answer_board_press,
    "daily": answer_daily_press,
    "stats": answer_stats_press,
    "forget": answer_forget_press,
    "duel": answer_challenge_press,
}


async def _control(interaction: Interaction, press: ComponentId, choice: str) -> None:
    """Do what a control under a table says."""
    request = Request(interaction.user.id, interaction.id, press.game_id, press.revision)
    play, tables = interaction.client.games, interaction.client.tables
    reader = await reader_of(interaction)
    if press.action is Action.SAME:
        try:
            turn = await play.deal_same(request)
        except NoSuchGame:  # whoever shared it asked to be forgotten
            await whisper(interaction, reader.texts("fault-shared-gone"))
        else:
            await tables.post(interaction, reader, turn)
    elif press.action is Action.BEST:
        await interaction.client.replays.send_best(interaction, await play.show(request))
    elif press.action is Action.ANALYSE:
        await send_analysis(interaction, await _shown(interaction, request))
    elif press.action in _ASIDES:
        await _aside(interaction, press.action, await play.show(request))
    elif press.action is Action.PANEL:
        turn = await _shown(interaction, request)
        await tables.update(interaction, reader, turn, panel=panel_named(press.detail))
    elif press.action is Action.MENU and choice.startswith("page-"):
        turn = await _shown(interaction, request)
        await tables.update(interaction, reader, turn, page=page_number(choice))
    elif press.action in (Action.MENU, Action.PLAY):
        turn = await play.move(request, press.detail if press.action is Action.PLAY else choice)
        await tables.update(interaction, reader, turn)
    else:
        await tables.update(interaction, reader, await _TURNS[press.action](play, request))


_ASIDES = (Action.RULES, Action.SHARE, Action.SETTINGS, Action.BOARD)

_TURNS: dict[Action, Callable[[GameService, Request], Awaitable[Turn]]] = {
    Action.DRAW: GameService.draw,
    Action.DISCARD_ALL: GameService.discard_all,
    Action.UNDO: GameService.undo,
    Action.REDO: GameService.redo,
    Action.HINT: GameService.hint,
    Action.FINISH: GameService.finish,
    Action.GIVE_UP: GameService.give_up,
}


async def _shown(interaction: Interaction, request: Request) -> Turn:
    """Return the game as it stands if that is what the player saw.

    :raises StaleTable: when it isn't.
    """
    turn = await interaction.client.games.show(request)
    if turn.game.revision != request.revision:
        raise StaleTable(turn)
    return turn


async def _aside(interaction: Interaction, action: Action, turn: Turn) -> None:
    """Answer with another message, and leave the table as it is."""
    if action is Action.RULES:
        await send_rules(interaction, turn.position.record.game)
    elif action is Action.SETTINGS:
        await answer_settings(interaction)
    elif action is Action.BOARD:
        await send_board(interaction, default_scope(interaction), turn.game.day or TODAY, private=True)
    else:
        await send_share(interaction, turn)
