"""The controls under a table: pure functions from a turn to rows of buttons and a menu.

Their ``custom_id`` is ``sol:<game id>:<revision>:<action>``, with a detail behind a further colon for some.
A press on a table that the game has moved on from is recognised by its revision.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import discord

from bot.discord_app.context import Context
from bot.discord_app.layout import (
    LABEL_MAX_CHARACTERS,
    MENU_MAX_OPTIONS,
    OPTION_MAX_CHARACTERS,
    Button,
    Row,
    Select,
    rows,
)
from bot.discord_app.router import Router
from bot.service import Cost, Turn
from bot.storage import Status
from bot.text import Texts
from bot.text.moves import move_text
from engine import Move
from solve import by_use

PLAY_DAILY = "daily:play"  # the custom_id of the button that deals today's daily game

PAGE = "page-"  # how a choice that leads to another page of the menu begins


class Action(StrEnum):
    """What a control does."""

    DRAW = "draw"
    PLAY = "play"  # with a move
    MENU = "menu"  # with the number of the page; the choice is a move, or another page
    DISCARD_ALL = "all"
    UNDO = "undo"
    REDO = "redo"
    HINT = "hint"
    FINISH = "finish"
    PANEL = "panel"  # with the name of the panel to show
    RULES = "rules"
    SHARE = "share"
    SETTINGS = "settings"
    BOARD = "board"  # of the day of a daily game
    GIVE_UP = "giveup"
    ANALYSE = "analyse"
    BEST = "best"  # show the deal as it is played best
    SAME = "same"  # deal the same cards to whoever presses


class Panel(StrEnum):
    """Which controls are shown."""

    MAIN = "main"
    MORE = "more"
    GIVE_UP = "giveup"


@dataclass(frozen=True, slots=True)
class ComponentId:
    """A control as its ``custom_id`` names it; ``detail`` is the move, page or panel where there is one."""

    game_id: int
    revision: int
    action: Action
    detail: str = ""

    def __str__(self) -> str:
        custom_id = f"sol:{self.game_id}:{self.revision}:{self.action}"
        return f"{custom_id}:{self.detail}" if self.detail else custom_id


def add_control(
    router: Router,
    action: Action,
    handler: Callable[[Context, ComponentId], Awaitable[None]],
    *,
    cost: Cost | None = None,
) -> None:
    """Send presses of one kind of control to ``handler``; ``cost`` as for :meth:`Router.add`."""

    async def handle(ctx: Context, match: re.Match[str]) -> None:
        pressed = ComponentId(int(match["game_id"]), int(match["revision"]), action, match["detail"] or "")
        await handler(ctx, pressed)

    pattern = (
        rf"sol:(?P<game_id>\d{{1,18}}):(?P<revision>\d{{1,18}}):{action}(?::(?P<detail>[\w+-]{{1,40}}))?"
    )
    router.add(pattern, handle, name=action.value, cost=cost)


class Controls:
    """Makes the rows for one turn in one language."""

    def __init__(self, texts: Texts, turn: Turn) -> None:
        self._texts = texts
        self._turn = turn

    def rows(self, panel: Panel = Panel.MAIN, page: int = 0) -> list[Row]:
        """Return the rows of a panel; ``page`` is the page of the menu of moves, from 0."""
        if panel is Panel.MORE:
            return [self._row(*self._more())]
        if panel is Panel.GIVE_UP and self._turn.game.status is Status.PLAYING:
            return [self._row(self._give_up(), self._panel("control-back", Panel.MAIN))]
        specials = self._specials()
        # What is always there comes first, so that a button stays where the thumb expects it.
        shown = [self._row(*self._main()), *rows(specials)]
        if self._turn.game.status is Status.PLAYING:
            shown.insert(0, self._row(self._menu(page)))
        return shown

    def _main(self) -> list[Button]:
        turn, texts = self._turn, self._texts
        playing = turn.game.status is Status.PLAYING
        stock = turn.position.game.stock_move(turn.position.state) if playing else None
        buttons = []
        if stock is not None:
            words = move_text(texts, turn.table, stock)
            possible = stock in turn.legal_moves
            buttons.append(self._button(words, Action.DRAW, style="primary", enabled=possible))
        if not turn.game.is_contest:
            buttons.append(self._button(texts("control-undo"), Action.UNDO, enabled=turn.can_undo))
            buttons.append(self._button(texts("control-redo"), Action.REDO, enabled=turn.can_redo))
        if turn.has_hints:
            buttons.append(self._button(texts("control-hint"), Action.HINT))
        if turn.game.day and not playing:
            buttons.append(self._button(texts("control-board"), Action.BOARD, style="primary"))
            buttons.append(self._button(texts("control-share"), Action.SHARE))
        best = best_button(turn, texts("control-best")) if turn.may_know_best else None
        if best is not None:
            buttons.append(best)
        buttons.append(self._panel("control-more", Panel.MORE))
        return buttons

    def _specials(self) -> list[Button]:
        """Return the discards, and what plays several moves at once: what is there only at times."""
        if self._turn.game.status is not Status.PLAYING:
            return []
        table, position = self._turn.table, self._turn.position
        specials = [
            self._button(move_text(self._texts, table, move), Action.PLAY, str(move), style="success")
            for move in position.discards
        ]
        chain = position.discard_chain if specials else ()
        if len(chain) > 1:
            label = self._texts("control-discard-all", count=len(chain))
            specials.append(self._button(label, Action.DISCARD_ALL, style="success"))
        if self._turn.finish:
            specials.append(self._button(self._texts("control-finish"), Action.FINISH, style="success"))
        return specials

    def _more(self) -> list[Button]:
        texts = self._texts
        buttons = [self._button(texts("control-rules"), Action.RULES)]
        if not self._turn.hides_seed:
            buttons.append(self._button(texts("control-share"), Action.SHARE))
        buttons.append(self._button(texts("control-settings"), Action.SETTINGS))
        if self._turn.game.status is Status.PLAYING:
            buttons.append(self._panel("control-give-up", Panel.GIVE_UP, style="danger"))
        elif self._turn.may_know_best and self._turn.game.status is not Status.WON:
            buttons.append(self._button(texts("control-analyse"), Action.ANALYSE))
        return [*buttons, self._panel("control-back", Panel.MAIN)]

    def _menu(self, page: int) -> Select:
        """Return the menu of moves in words, the most useful first.

        It stays, switched off, where no card can move: a menu that comes and goes would shift the buttons.
        """
        moves = by_use(self._turn.table, self._turn.legal_moves)
        if all(move.kind.is_stock for move in moves):
            nothing = self._texts("control-no-move")
            option = discord.SelectOption(label=nothing, value="none")
            custom_id = str(self._press(Action.MENU, str(page)))
            return discord.ui.Select(
                custom_id=custom_id, placeholder=nothing, options=[option], disabled=True
            )
        shown, pages = _page(moves, page)
        words = [move_text(self._texts, self._turn.table, move) for move in shown]
        options = [
            discord.SelectOption(label=label[:OPTION_MAX_CHARACTERS], value=str(move))
            for label, move in zip(words, shown, strict=True)
        ]
        options += [
            discord.SelectOption(label=self._texts("control-page", page=other + 1), value=f"{PAGE}{other}")
            for other in pages
        ]
        return discord.ui.Select(
            custom_id=str(self._press(Action.MENU, str(page))),
            placeholder=self._texts("control-menu", count=len(moves)),
            options=options,
        )

    def _give_up(self) -> Button:
        return self._button(self._texts("control-give-up-really"), Action.GIVE_UP, style="danger")

    def _panel(self, key: str, panel: Panel, style: str = "secondary") -> Button:
        return self._button(self._texts(key), Action.PANEL, panel, style=style)

    def _button(
        self, label: str, action: Action, detail: str = "", *, style: str = "secondary", enabled: bool = True
    ) -> Button:
        return discord.ui.Button(
            label=label[:LABEL_MAX_CHARACTERS],
            style=discord.ButtonStyle[style],
            custom_id=str(self._press(action, detail)),
            disabled=not enabled,
        )

    def _press(self, action: Action, detail: str = "") -> ComponentId:
        return ComponentId(self._turn.game.id, self._turn.game.revision, action, detail)

    @staticmethod
    def _row(*items: discord.ui.Item[Any]) -> Row:
        return discord.ui.ActionRow(*items)


def _page(moves: list[Move], page: int) -> tuple[list[Move], list[int]]:
    """Return the moves on a page of the menu, and the numbers of the pages that it leads to.

    Up to 25 moves need no pages. Beyond that a page holds 23 and leads to the one before and the one after.
    """
    if len(moves) <= MENU_MAX_OPTIONS:
        return moves, []
    size = MENU_MAX_OPTIONS - 2
    last = (len(moves) - 1) // size
    page = min(max(page, 0), last)
    others = [other for other in (page - 1, page + 1) if 0 <= other <= last]
    return moves[page * size : (page + 1) * size], others


def page_number(choice: str) -> int:
    """Return the page that a choice in the menu leads to; the first for what names none."""
    digits = choice.removeprefix(PAGE)
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) <= 3 else 0


def panel_named(name: str) -> Panel:
    """Return the panel of that name; the main one where there is none."""
    return next((panel for panel in Panel if panel == name), Panel.MAIN)


def best_button(turn: Turn, label: str) -> Button | None:
    """Return the button that shows the deal of ``turn`` as it is played best, where that is better."""
    if turn.best_record is None:
        return None
    press = ComponentId(turn.game.id, turn.game.revision, Action.BEST)
    return discord.ui.Button(label=label, style=discord.ButtonStyle.primary, custom_id=str(press))


def same_deal_button(turn: Turn, label: str) -> Button:
    """Return the button that deals the cards of ``turn`` to whoever presses it."""
    press = ComponentId(turn.game.id, turn.game.revision, Action.SAME)
    return discord.ui.Button(label=label, style=discord.ButtonStyle.primary, custom_id=str(press))


def play_daily_button(label: str) -> Button:
    """Return the button that deals today's daily game to whoever presses it."""
    return discord.ui.Button(label=label, style=discord.ButtonStyle.primary, custom_id=PLAY_DAILY)
