"""A short evening that leaves rows in every table, many unfinished games, and controls of every kind.

It was played once, with the code of `words.RECORDED_AT`; the database and the messages are kept as data.
"""

from __future__ import annotations

from tests.wire.exchanges.deals import LOST_KLONDIKE, MANY_MOVES, WON_ACESUP, WON_CELL, WON_KLONDIKE, until
from tests.wire.exchanges.play_daily import choose_channel, finish, midnight_s
from tests.wire.exchanges.players import BAR, COUNTER, LOUNGE, TABLES, USERS, Player
from tests.wire.exchanges.stage import Stage


async def play(stage: Stage) -> None:
    await _the_day_before(stage)
    await stage.passes(midnight_s(stage), "midnight comes")
    await _today(stage)
    await _unfinished(stage)
    await _ended(stage)
    await _challenges(stage)
    await _pages(stage)
    winnable = (
        "INSERT INTO winnable_deals (game, rules, number, line) VALUES ('klondike', 'd3p7r', 77, 's-w')"
    )
    await stage.changes("a deal was found that can be won", winnable)


async def _the_day_before(stage: Stage) -> None:
    ada, bo = Player(stage, "ada"), Player(stage, "bo", guild_id=BAR, channel_id=COUNTER, locale="no")
    await choose_channel(ada, TABLES)
    await choose_channel(bo, COUNTER)
    for player in (ada, bo):
        await player.types("daily")
        await finish(player, deals=2)
        await player.types("giveup")
        await player.presses("giveup")
    await ada.types("share")
    best = "INSERT INTO memory (key, value) VALUES ('daily-best:2026-01-07', '40 40')"
    await stage.changes("the day's best score is known", best)


async def _today(stage: Stage) -> None:
    ada, bo = Player(stage, "ada"), Player(stage, "bo", guild_id=BAR, channel_id=COUNTER, locale="no")
    cleo, hans = Player(stage, "cleo", guild_id=None), Player(stage, "hans")
    await ada.types("daily")
    await finish(ada, deals=3)
    await ada.types("giveup")
    await ada.presses("giveup")
    await bo.types("daily")
    await bo.presses("draw")
    await cleo.types("daily")
    await hans.types("daily")
    await hans.types("giveup")
    await hans.presses("giveup")
    await hans.types("forget-me")
    await hans.presses(r"forget:\d+")


async def _unfinished(stage: Stage) -> None:
    """A game for each kind of control, so that each can be pressed on a table that has not moved on."""
    for name, place, code, presses in (
        ("ada", {}, "klondike/d1/36", ("draw",)),
        ("ada", {"channel_id": LOUNGE}, "klondike/d3p2r/Hei%20og%20hå", ("draw", "draw", "undo")),
        ("bo", {"guild_id": BAR, "locale": "no"}, "klondike/d1p1/7", ("draw", "hint")),
        ("bo", {"guild_id": None, "locale": "no"}, MANY_MOVES, ()),
        ("cleo", {}, until(WON_ACESUP, left=16), ()),
        ("cleo", {"guild_id": None}, "acesup/cell/4", ("draw",)),
        ("dag", {}, until(WON_KLONDIKE, left=4), ()),
        ("dag", {"guild_id": BAR, "locale": "no"}, "acesup/pairs/4", ("draw", "panel:more")),
        ("eva", {}, until(WON_ACESUP, left=2), ()),
        (
            "eva",
            {"guild_id": None, "locale": "no"},
            "acesup/standard/mormor",
            ("draw", "panel:more", "panel:giveup"),
        ),
        ("finn", {}, "acesup/aces/1", ("draw",)),
        ("finn", {"guild_id": BAR, "locale": "no"}, until(WON_CELL, left=12), ()),
    ):
        player = Player(stage, name, **place)
        await player.types("new", code=code)
        for control in presses:
            await player.presses(control)
    eva = Player(stage, "eva")
    await eva.types("settings")
    await eva.presses("set:as_text:1")
    await eva.presses("set:language", "no")
    await eva.types("new", game="klondike", rules="d3", seed="in words")
    await eva.presses("draw")


async def _ended(stage: Stage) -> None:
    gro, hans = Player(stage, "gro"), Player(stage, "hans", guild_id=None, locale="no")
    for player in (gro, hans):
        await player.types("new", code=until(WON_KLONDIKE, left=4))
        await player.presses("finish")
        await player.types("share")
        await player.types("new", code=LOST_KLONDIKE)
        await player.types("new", code="acesup/standard/462")
        await player.presses("draw")
        await player.types("giveup")
        await player.presses("giveup")
        await player.types("share")
        await player.types("new", game="klondike", rules="d3", seed="given up")
        await player.presses("draw")
        await player.types("giveup")
        await player.presses("giveup")
    await gro.types("analyse")
    await gro.types("new", code="acesup/standard/462")
    await gro.types("giveup")
    await gro.presses("giveup")
    await gro.types("analyse")
    await gro.presses("panel:more", on=gro.table)


async def _challenges(stage: Stage) -> None:
    ada, bo = Player(stage, "ada"), Player(stage, "bo", locale="no")
    cleo = Player(stage, "cleo")
    await ada.types("challenge", friend1=USERS["bo"], game="acesup", rules="standard", seed="over")
    over = ada.seen
    for player in (ada, bo):
        await player.presses(r"duel:\d+:play", on=over)
        await player.presses("draw")
        await player.types("giveup")
        await player.presses("giveup")
    await bo.types("share")
    await bo.types(
        "challenge", friend1=USERS["cleo"], friend2=USERS["ada"], game="klondike", rules="d1", seed="going"
    )
    going = bo.seen
    for player in (bo, cleo):
        await player.presses(r"duel:\d+:play", on=going)
        await player.presses("draw")
    await cleo.types("challenge", game="acesup", rules="pairs", seed="open")
    await cleo.presses(r"duel:\d+:play", on=cleo.seen)
    await stage.passes(12)


async def _pages(stage: Stage) -> None:
    for player in (
        Player(stage, "dag"),
        Player(stage, "hans", guild_id=BAR, channel_id=COUNTER, locale="no"),
    ):
        await player.types("rules", game="acesup")
        await player.types("rules", game="klondike")
        await player.presses("rules:.*:next")
        await player.types("settings")
        await player.types("leaderboard")
        await player.types("leaderboard", scope="everyone", when="all")
        await player.types("stats")
        await player.types("forget-me")
        await player.types("help")
        await player.types("games")
    dag, ada = Player(stage, "dag"), Player(stage, "ada")
    await ada.types("new", game="klondike", rules="d1", seed="hers")
    await dag.presses("draw", on=ada.table)  # somebody else's table: it can be dealt to them too
