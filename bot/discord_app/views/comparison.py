"""Two ended games on one deal side by side, as ``/compare`` and challenges show them."""

from __future__ import annotations

import asyncio

from bot.discord_app.context import Context
from bot.discord_app.layout import Message, Picture
from bot.render.image import draw_table
from bot.render.prose import alt_text, captions, table_lines
from bot.service import Comparison, compare
from bot.storage import StoredGame
from bot.telemetry.error_reports import report_error
from bot.text.challenges import mention
from bot.text.comparing import comparison_text, parting_text
from bot.text.turns import contest_text
from engine import Record


async def send_comparison(ctx: Context, one: StoredGame, other: StoredGame) -> None:
    """Show the user alone how two games compare."""
    message = await asyncio.to_thread(_compare, ctx, one, other)
    await ctx.send(message, ephemeral=True)


def _compare(ctx: Context, one: StoredGame, other: StoredGame) -> Message:
    texts = ctx.texts
    comparison = compare(Record.parse(one.record), Record.parse(other.record))
    names = [
        texts("compare-you") if game.owner_id == ctx.user_id else mention(game.owner_id)
        for game in (one, other)
    ]
    text = comparison_text(texts, comparison, *names)
    if comparison.are_same:
        return Message(text)
    why = ""
    if ctx.draws:
        try:
            return Message(text, _picture(ctx, one, comparison, f"parting-{one.id}-{other.id}.png"))
        except Exception as error:  # noqa: BLE001 - the table can be written
            what = "could not draw where games %d and %d parted"
            error_id = report_error(ctx.app.metrics, error, what, one.id, other.id)
            why = texts("fault-not-drawn", id=error_id)
    lines = table_lines(texts, comparison.table)
    return Message("\n".join((text, "", *lines, *(("", why) if why else ()))))


def _picture(ctx: Context, one: StoredGame, comparison: Comparison, filename: str) -> Picture:
    """Draw the table on which the games parted."""
    texts, table = ctx.texts, comparison.table
    written = captions(texts, Record.parse(one.record), table, contest_text(texts, one))
    alt = alt_text(texts, table, parting_text(texts, comparison))
    return Picture(filename, alt, draw_table(table, written, deck=ctx.deck))
