"""Aces Up by every rule set, and what its table offers."""

from __future__ import annotations

from tests.wire.exchanges.deals import WON_ACESUP, WON_CELL, WON_PAIRS, deal_of, moves_of, until
from tests.wire.exchanges.players import Player
from tests.wire.exchanges.stage import Stage


async def play(stage: Stage) -> None:
    await _first_game(stage)
    await _rule_sets(stage)
    await _to_the_end(stage)


async def _first_game(stage: Stage) -> None:
    eva = Player(stage, "eva")
    await eva.types("new", game="acesup", seed="mormor")
    await eva.completes("discard", "pile", "")
    await eva.types("discard")
    await eva.types("draw")
    await eva.presses("draw")
    await eva.presses("draw")
    await eva.completes("discard", "pile", "")
    offered = [choice["value"] for choice in eva.offered]
    await eva.types("discard")
    await eva.types("discard", pile=offered[0] if offered else "1")
    await eva.types("discard", pile="4 + 1")
    await eva.types("discard", pile="nowhere")
    await eva.types("discard", pile="w")
    for _ in range(4):
        await eva.presses("draw")
        if eva.sees("all"):
            await eva.presses("all")
        elif eva.sees("play:.*-d"):
            await eva.presses("play:.*-d")
    await eva.presses("hint")
    await eva.types("undo")
    await eva.types("move", from_="1", to="2")
    await eva.types("move", from_="1", to="f")
    await eva.types("move", from_="1", to="c")
    await eva.types("move", from_="5", to="1")
    await eva.types("move", from_="w", to="1")


async def _rule_sets(stage: Stage) -> None:
    finn = Player(stage, "finn", locale="no")
    for record in (WON_CELL, WON_PAIRS):
        await finn.types("new", code=" ".join(record.split()[:6]))
        for move in record.split()[6:10]:
            if move == "s-t":
                await finn.types("draw")
            elif move.endswith("-d"):
                await finn.types("discard", pile=move.removesuffix("-d"))
            else:
                source, target = move.split("-")
                await finn.types("move", from_=source, to=target)
        await finn.presses("undo")
        await finn.presses("hint")
        await finn.types("replay")
    for rules in ("standard", "aces", "cell", "pairs", "cell+pairs", "Pairs+Aces"):
        await finn.types("new", game="acesup", rules=rules, seed="2")
        await finn.presses("draw")
    await finn.types("new", game="acesup", rules="klondike")
    await finn.types("move", from_="1", to="2")
    await finn.types("new", game="acesup", rules="cell", seed="4")
    await finn.types("move", from_="1", to="c")
    await finn.types("move", from_="2", to="c")
    await finn.types("move", from_="c", to="1")
    await finn.types("discard", pile="1+2")


async def _to_the_end(stage: Stage) -> None:
    eva = Player(stage, "eva", guild_id=None, locale="no")
    await eva.types("new", code=until(WON_ACESUP, left=6))
    if eva.sees("all"):
        await eva.presses("all")
    await eva.types("new", code=until(WON_ACESUP, left=2))
    for move in moves_of(WON_ACESUP, last=2):
        source, target = move.split("-")
        if target == "d":
            await eva.types("discard", pile=source)
        else:
            await eva.types("move", from_=source, to=target)
    await eva.types("discard")
    await eva.types("draw")
    await eva.presses("panel:more")
    await eva.types("share")
    await eva.types("stats")
    gro = Player(stage, "gro")
    await gro.types("new", code=f"{deal_of(WON_ACESUP)}")
    for _ in range(12):
        await gro.presses("draw")
    await gro.presses("panel:more")
    await gro.presses("panel:main")
    await gro.types("draw")
    await gro.types("analyse")
    await gro.types("replay")
