"""One's own data: copies of it, and its deletion; at last, records that are broken."""

from __future__ import annotations

from tests.wire.exchanges.play_daily import finish
from tests.wire.exchanges.players import USERS, Player
from tests.wire.exchanges.stage import Stage


async def play(stage: Stage) -> None:
    ada, bo, cleo = Player(stage, "ada"), Player(stage, "bo", locale="no"), Player(stage, "cleo")
    for player in (ada, bo):
        await player.types("daily")
    await finish(ada, deals=3)
    await ada.types("giveup")
    await ada.presses("giveup")
    await bo.types("privacy")
    await bo.types("export")
    await cleo.types("export")
    await ada.types("share")
    shared = ada.seen
    await ada.types("forget-me")
    asked = ada.seen
    await bo.presses("forget:.*", on=asked)
    await ada.presses("forget:.*:no", on=asked)
    await ada.types("forget-me")
    await ada.presses(r"forget:\d+")
    for command in ("daily", "table", "games", "stats", "export", "leaderboard", "draw"):
        await ada.types(command)
    await cleo.presses("daily:play|same", on=shared)
    await bo.types("leaderboard")
    await bo.types("compare", friend=USERS["ada"])
    await bo.types("stats", user=USERS["ada"])
    await bo.types("forget-me")
    await bo.presses(r"forget:\d+")
    await ada.types("new", game="klondike", rules="d1", seed="anew")
    await ada.types("forget-me")
    await ada.presses(r"forget:\d+")
    hans = Player(stage, "hans", guild_id=None, locale="no")
    await hans.types("forget-me")
    await hans.presses(r"forget:\d+")
