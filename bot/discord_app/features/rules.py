"""``/rules`` and the button Rules: how a game is played, as pages with pictures."""

from __future__ import annotations

import asyncio
import re

import discord
from discord import app_commands

from bot.discord_app.commands import Commands
from bot.discord_app.context import Context
from bot.discord_app.feature import Feature
from bot.discord_app.layout import Button, Message, Picture, rows
from bot.discord_app.router import Router
from bot.discord_app.tables.autocomplete import game_options
from bot.discord_app.tables.controls import Action, ComponentId, add_control
from bot.render.image import draw_table
from bot.render.prose import alt_text, captions, table_lines
from bot.service import Position
from bot.text import Texts
from bot.text.lessons import LESSONS, Lesson, lesson_text
from bot.text.lists import rules_text
from bot.text.moves import move_text
from bot.text.names import game_name
from engine import GAMES, changes, find_game


class Rules(Feature):
    """The command, the button under a table, and the buttons that turn pages."""

    def register(self, commands: Commands, router: Router) -> None:
        """Add ``/rules`` and the buttons."""
        commands.add("rules", self.rules, is_private=True, choices={"game": game_options()})
        add_control(router, Action.RULES, self.pressed)
        router.add(r"rules:(?P<game>[a-z0-9_-]{1,32}):(?P<page>[0-9]{1,6}):(?:back|next|game)", self.turn)

    async def rules(self, ctx: Context, game: app_commands.Choice[str] | None = None) -> None:
        """Show the first page of a game's rules; without a game, of the first one."""
        key = game.value if game else next(iter(GAMES))
        await ctx.send(await self._page(ctx, key, 0), ephemeral=True)

    async def pressed(self, ctx: Context, pressed: ComponentId) -> None:
        """Show the rules of the game on a table."""
        turn = await ctx.services.games.show(ctx.request(pressed.game_id, pressed.revision))
        await ctx.send(await self._page(ctx, turn.position.record.game, 0), ephemeral=True)

    async def turn(self, ctx: Context, match: re.Match[str]) -> None:
        """Show another page in the same message.

        :raises UnknownGame: when no game has that key.
        """
        await ctx.edit(await self._page(ctx, match["game"], int(match["page"])))

    async def _page(self, ctx: Context, key: str, page: int) -> Message:
        """Return a page of a game's rules; a page number that doesn't exist means the nearest one."""
        find_game(key)
        texts = ctx.texts
        lessons = LESSONS.get(key, ())
        if not lessons:
            return Message(rules_text(texts, key), *rows(_game_buttons(texts, key)))
        page = min(max(page, 0), len(lessons) - 1)
        lesson = lessons[page]
        buttons = rows([*_page_buttons(texts, key, page, len(lessons)), *_game_buttons(texts, key)])
        footer = texts("rulebook-page", game=game_name(texts, key), page=page + 1, pages=len(lessons))
        if ctx.draws:
            picture = await asyncio.to_thread(_picture, ctx, lesson)
            return Message(lesson_text(texts, lesson), picture, f"-# {footer}", *buttons)
        words = [lesson_text(texts, lesson), "", *table_lines(texts, Position.of(lesson.record).table)]
        if not ctx.may_attach:
            words += ["", texts("fault-no-picture")]
        return Message("\n".join(words), f"-# {footer}", *buttons)


def _picture(ctx: Context, lesson: Lesson) -> Picture:
    """Draw a lesson's position with its last move marked."""
    position = Position.of(lesson.record)
    before, table = position.before, position.table
    changed = changes(before, table) if before else frozenset()
    png = draw_table(table, captions(ctx.texts, lesson.record, table), changed, ctx.deck)
    headline = move_text(ctx.texts, before, lesson.record.moves[-1]) if before else ""
    # Discord caches pictures by name.
    return Picture(f"{lesson.key}-{ctx.texts.language}.png", alt_text(ctx.texts, table, headline), png)


def _page_buttons(texts: Texts, key: str, page: int, pages: int) -> list[Button]:
    return [
        discord.ui.Button(
            label=texts("rulebook-back"),
            disabled=page == 0,
            custom_id=f"rules:{key}:{max(page - 1, 0)}:back",
        ),
        discord.ui.Button(
            label=texts("rulebook-next"),
            style=discord.ButtonStyle.primary,
            disabled=page == pages - 1,
            custom_id=f"rules:{key}:{min(page + 1, pages - 1)}:next",
        ),
    ]


def _game_buttons(texts: Texts, key: str) -> list[Button]:
    return [
        discord.ui.Button(
            label=texts("rulebook-game", game=game_name(texts, other)), custom_id=f"rules:{other}:0:game"
        )
        for other in GAMES
        if other != key
    ]
