"""Checks what was installed with the program: card images, languages, solvers."""

from __future__ import annotations

import asyncio

from bot.config import Config
from bot.operations.doctor.finding import Finding, wrong
from bot.render.deck_check import check_decks
from bot.render.image import draw_table
from bot.render.prose import captions
from bot.service import Position
from bot.text import languages, texts_for
from engine import Record
from solve import COMPILED


async def check_pictures(_: Config) -> list[Finding]:
    """Read every card image, and draw a table."""
    try:
        count, size_bytes = await asyncio.to_thread(check_decks)
        table_bytes = await asyncio.to_thread(_draw)
    except Exception as error:  # noqa: BLE001 - whatever it is, the operator should see it
        return wrong("pictures", f"can't be drawn ({error})", "Reinstall: scripts/setup play")
    state = f"all {count} card images found, {size_bytes // 1024} kB; a table was drawn, {table_bytes} bytes"
    return [Finding("pictures", state), Finding("languages", ", ".join(languages()))]


def _draw() -> int:
    record, texts = Record.parse("klondike/d1/24"), texts_for("en")
    table = Position.of(record).table
    return len(draw_table(table, captions(texts, record, table)))


async def check_solvers(_: Config) -> list[Finding]:
    """Report whether the solvers are compiled."""
    if COMPILED:
        return [Finding("solvers", "compiled")]
    advice = "Hints are simpler and take longer. Where wheels exist: pip install solitaire-bot[fast]"
    return [Finding("solvers", "plain Python", advice)]
