"""The daily game, played and posted."""

from __future__ import annotations

import simcord

from bot.discord_app.tables.controls import PLAY_DAILY
from bot.service import Position
from bot.storage import Status, StoredGame
from engine import Record
from tests.discord_app.playing import Seat, World
from tests.discord_app.pressing import Shown
from tests.hints import advise

MONDAY, TUESDAY, WEDNESDAY = "2026-11-30", "2026-12-01", "2026-12-02"


async def record_of(seat: Seat) -> Record:
    return Record.parse((await seat.game()).record)


async def play_on(seat: Seat, moves: int = 1000) -> StoredGame:
    """Follow the hints, by typing, until the game is over or enough moves are made.

    Hints never go round in circles, as moves to and fro between empty piles could for ever.
    """
    for _ in range(moves):
        game = await seat.game()
        if game.status is not Status.PLAYING:
            break
        move = advise(Position.of(Record.parse(game.record)))
        assert move is not None
        if move.target == "t":
            await seat.type("draw")
        elif move.target == "d":
            await seat.type("discard", pile=move.source)
        else:
            await seat.move(move.source, move.target)
    return await seat.game()


def daily_posts(world: World, channel: simcord.ChannelHandle | None = None) -> list[Shown]:
    """Return the daily posts in a channel."""
    stored = world.env.backend.messages[(channel or world.channel).id].values()
    shown = [Shown.of_message(world, simcord.ResponseMessage(world.env, message)) for message in stored]
    return [one for one in shown if any(part["custom_id"] == PLAY_DAILY for part in one.controls)]
