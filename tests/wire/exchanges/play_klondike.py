"""Klondike by every rule set, with every control under its table."""

from __future__ import annotations

from tests.wire.exchanges.deals import WON_KLONDIKE, WON_KLONDIKE_ONCE, moves_of, until
from tests.wire.exchanges.players import BAR, COUNTER, LOUNGE, Player
from tests.wire.exchanges.stage import Stage


async def play(stage: Stage) -> None:
    await _first_game(stage)
    await _controls(stage)
    await _illegal_moves(stage)
    await _rule_sets(stage)
    await _to_the_end(stage)
    await _several_games(stage)


async def _first_game(stage: Stage) -> None:
    ada = Player(stage, "ada")
    for command in ("table", "draw", "undo", "hint", "giveup", "share", "replay", "analyse", "games"):
        await ada.types(command)  # there is no game yet
    await ada.types("new", game="klondike", seed="36")
    await ada.types("draw")
    await ada.completes("move", "from", "")
    await ada.completes("move", "from", "6")
    await ada.completes("move", "from", "q♤")
    await ada.completes("move", "to", "", from_="3")
    await ada.completes("move", "to", "7", from_="6-7")
    await ada.completes("move", "to", "", from_="nonsense")
    await ada.types("move", from_="6-7")
    await ada.types("move", from_="3", to="1")
    await ada.types("undo")
    await ada.types("redo")
    await ada.types("redo")
    await ada.types("hint")
    await ada.types("table")
    await ada.types("move", from_="2", to="3", count=1)
    await ada.types("move", from_="2-3", count=2)


async def _controls(stage: Stage) -> None:
    ada, bo = Player(stage, "ada", channel_id=LOUNGE), Player(stage, "bo", channel_id=LOUNGE)
    await ada.types("new", game="klondike", rules="d1", seed="god jul")
    dealt = ada.table
    await ada.presses("draw")
    await ada.presses("draw")
    old = ada.table
    await ada.presses("undo")
    await ada.presses("redo")
    await ada.presses("hint")
    await ada.presses("draw", on=dealt)  # what they saw has changed since
    await ada.presses("undo", on=old)
    await ada.presses("hint", on=dealt)
    await ada.presses("panel:more", on=old)
    await ada.presses(r"menu:\d+", ada.choices(r"menu:\d+")[0])
    await ada.presses("panel:more")
    await ada.presses("rules")
    await ada.presses("panel:main", on=ada.table)
    await ada.presses("panel:more")
    more = ada.table
    await ada.presses("settings", on=more)
    await ada.presses("share", on=more)
    shared = ada.seen
    await ada.presses("panel:giveup", on=more)
    await ada.presses("panel:main")
    await bo.presses("draw", on=ada.table)  # somebody else's table
    await bo.presses("same")
    await bo.presses("draw")
    await bo.presses("same", on=shared)
    await ada.presses("same", on=shared)
    await bo.presses("panel:main", on=more)
    await ada.types("giveup")
    await ada.presses("panel:main")
    await ada.types("giveup")
    await ada.presses("giveup")
    await ada.presses("panel:more")
    await ada.presses("analyse")
    await ada.presses("share", on=ada.table)
    await ada.types("draw")
    await ada.types("undo")
    await ada.types("giveup")
    await ada.types("hint")
    await ada.types("analyse")
    await ada.types("replay")
    await ada.types("share")


async def _illegal_moves(stage: Stage) -> None:
    cleo = Player(stage, "cleo")
    await cleo.types("new", game="klondike", rules="d1p1", seed="7")
    for source, target in (
        ("1", "2"),
        ("1", "1"),
        ("1", "f"),
        ("2", "c"),
        ("w", "1"),
        ("8", "1"),
        ("f", "1"),
        ("fh", "1"),
        ("1", "s"),
        ("1", "d"),
        ("s", "1"),
        ("x", "y"),
        ("one two", "3"),
        ("7", "`@everyone`"),
    ):
        await cleo.types("move", from_=source, to=target)
    await cleo.types("move", from_="7", to="1", count=3)
    await cleo.types("move", from_="3")
    await cleo.types("discard")
    await cleo.types("discard", pile="2")
    await cleo.completes("discard", "pile", "")
    await cleo.types("undo")
    await cleo.types("redo")
    await cleo.presses("hint")
    await cleo.types("new", code="klondike/d1p1/7 " + " ".join(["s-w"] * 24))
    await cleo.types("draw")  # no pass is left
    await cleo.types("move", from_="w", to="s")
    await cleo.types("hint")


async def _rule_sets(stage: Stage) -> None:
    dag = Player(stage, "dag", guild_id=BAR, channel_id=COUNTER, locale="no")
    for rules in ("d1", "d3", "d1p3", "d1p1", "d3p1", "d3p2r", "D1P9R"):
        await dag.types("new", game="klondike", rules=rules, seed="1")
        await dag.types("draw")
        await dag.presses("draw")
    await dag.types("new", rules="d2")
    await dag.types("new", game="klondike", rules="cell")
    await dag.types("new", game="klondike", seed="`")
    await dag.types("new", game="klondike", seed=" " * 3)
    await dag.types("new", game="klondike", seed="x" * 80)
    await dag.types("new", rules="d3")
    await dag.types("new")
    await dag.completes("new", "rules", "")
    await dag.completes("new", "rules", "", game="klondike")
    await dag.completes("new", "rules", "d3p", game="klondike")
    await dag.completes("new", "rules", "d3p4r", game="klondike")
    await dag.completes("new", "rules", "zzz")
    await dag.types("hint")
    await dag.types("move", from_="1", to="2")
    await dag.types("games")


async def _to_the_end(stage: Stage) -> None:
    ada = Player(stage, "ada", guild_id=None)
    for record in (WON_KLONDIKE, WON_KLONDIKE_ONCE):
        await ada.types("new", code=until(record, left=3))
        for move in moves_of(record, last=3)[:2]:
            source, target = move.split("-")
            await ada.types("move", from_=source, to=target)
        if ada.sees("finish"):
            await ada.presses("finish")
        else:
            source, target = moves_of(record, last=1)[0].split("-")
            await ada.types("move", from_=source, to=target)
        await ada.types("draw")
        await ada.types("hint")
        await ada.presses("panel:more")
    await ada.types("undo")
    await ada.types("redo")
    await ada.types("share")
    await ada.types("new", code=until(WON_KLONDIKE, left=20))
    await ada.presses("hint")
    if ada.sees("finish"):
        await ada.presses("finish")
    await ada.types("undo")
    await ada.types("new", code=WON_KLONDIKE)
    await ada.types("new", code=WON_KLONDIKE.replace("w-fd", "w-fs", 1))
    await ada.types("new", code=WON_KLONDIKE.replace("w-fd", "hello", 1))


async def _several_games(stage: Stage) -> None:
    ada = Player(stage, "ada")
    await ada.types("games")
    await ada.completes("games", "resume", "")
    first = ada.offered[-1]["value"]
    await ada.completes("games", "resume", "god")
    await ada.types("games", resume=first)
    await ada.types("draw")
    await ada.types("games", resume="999")
    await ada.types("games", resume="the first one")
    bo = Player(stage, "bo")
    await bo.types("games", resume=first)  # which is not theirs
    await bo.types("games")
