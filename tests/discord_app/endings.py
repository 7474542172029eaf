"""A game that is over, and what players are then shown about it."""

from __future__ import annotations

from typing import Any

import simcord

from bot.discord_app.tables.controls import Action
from bot.service import Position
from solve import Par
from tests.discord_app.pressing import Player, Shown, lost
from tests.thinking import Thinker, par

LOST = lost("acesup")
SCORE = Position.of(LOST).table.score
BETTER = par(SCORE + 2, line="s-t s-t")


async def ends(ada: Player, thinker: Thinker, best: Par | None = BETTER) -> Shown:
    """Show a lost game, and wait for its follow-up."""
    thinker.knows(best=best)
    await ada.holds(LOST)
    await ada.world.client.follow_ups.wait()
    ada.shown = ada.shown.now()
    return ada.shown


async def best_line(who: Player, on: Shown | None = None) -> Shown:
    """Press the button that shows the best line; look at the last answer."""
    on = on or who.shown
    result = await who.seat.actor.click(on.message, custom_id=on.of(Action.BEST))
    return last(who, result)


async def analyses(who: Player) -> Shown:
    """Type /analyse; look at the last answer."""
    actor: Any = who.seat.actor
    result = await actor.slash(who.seat.channel, "analyse")
    assert result.acknowledged
    who.shown = last(who, result)
    return who.shown


def last(who: Player, result: simcord.InteractionResult) -> Shown:
    """Return the last message that an interaction was answered with."""
    message = [*([result.response] if result.response else []), *result.followups][-1]
    return Shown.of_message(who.world, message)
