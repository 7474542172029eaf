"""What solvers add: better hints, the best possible score, the analysis, and the note that a game is lost."""

from __future__ import annotations

from tests.wire.exchanges.deals import WON_ACESUP, WON_CELL, WON_KLONDIKE, WON_KLONDIKE_ONCE, WON_PAIRS, until
from tests.wire.exchanges.players import Player
from tests.wire.exchanges.stage import Stage


async def play(stage: Stage) -> None:
    await stage.restart(thinks=True)
    for player in (Player(stage, "cleo"), Player(stage, "dag", guild_id=None, locale="no")):
        await _acesup(player)
        await _klondike(player)
        await _won(player)
        await _spoilt(player)
    await stage.restart()


async def _acesup(player: Player) -> None:
    await player.types("new", code=until(WON_ACESUP, left=16))
    await player.presses("hint")
    await player.types("analyse")
    await player.types("giveup")
    await player.presses("giveup")
    await player.types("analyse")
    await player.presses("panel:more", on=player.table)
    await player.presses("analyse")
    await player.types("table")


async def _klondike(player: Player) -> None:
    await player.types("settings")
    await player.presses("set:tells_lost:1")
    await player.types("new", code=until(WON_KLONDIKE, left=25))
    await player.presses("hint")
    await player.types("giveup")
    await player.presses("giveup")
    await player.types("analyse")
    await player.types("new", code=until(WON_KLONDIKE_ONCE, left=8))
    await player.types("hint")
    await player.types("giveup")
    await player.presses("giveup")
    await player.presses("panel:more")
    await player.presses("analyse")


async def _won(player: Player) -> None:
    await player.types("new", code=until(WON_CELL, left=3))
    await player.presses("hint")
    await player.presses("finish|all")
    await player.types("analyse")


async def _spoilt(player: Player) -> None:
    """A game that could have been won up to a move that was made without thought."""
    await player.types("new", code=until(WON_ACESUP, left=12))
    for _ in range(12):
        if player.sees(r"menu:\d+"):
            await player.presses(r"menu:\d+", player.choices(r"menu:\d+")[-1])
    await player.types("analyse")
    await player.types("undo")
    await player.types("giveup")
    await player.presses("giveup")
    await player.presses("best", on=player.table)
    await player.types("settings")
    await player.presses("set:as_text:1")
    await player.types("analyse")
    await player.presses("best")
    await player.types("settings")
    await player.presses("set:as_text:0")
    await player.types("new", code=until(WON_PAIRS, left=2))
    await player.types("hint")
    await player.types("new", code=until(WON_ACESUP, left=28))
    while player.sees("draw"):
        await player.presses("draw")
    await player.types("undo")
    await player.presses("draw")
    await player.types("new", code="klondike/d1/1")
    await player.types("giveup")
    await player.presses("giveup")
    await player.forges(f"sol:{player.place}:best", on=player.table)
