"""The daily game of four days: playing it, its boards, its posts, and what midnight does."""

from __future__ import annotations

from tests.wire.exchanges.canonical import Json
from tests.wire.exchanges.players import BAR, COUNTER, LOUNGE, TABLES, Player
from tests.wire.exchanges.stage import Stage
from tests.wire.interactions import COMMAND

DAY_S = 24 * 60 * 60
HOUR_S = 60 * 60
WHEN = ("today", "yesterday", "week", "all")


async def play(stage: Stage) -> None:
    await _arrange_posts(stage)
    await _first_day(stage)
    await _midnight(stage)
    await _second_day(stage)
    await _third_day(stage)


async def _arrange_posts(stage: Stage) -> None:
    ada = Player(stage, "ada")
    await ada.types("daily-channel")
    await ada.types("daily-channel", off=True)
    await choose_channel(ada, TABLES)
    await ada.types("daily-channel")
    dag = Player(stage, "dag", guild_id=BAR, channel_id=COUNTER, locale="no")
    await choose_channel(dag, COUNTER)
    await dag.types("daily-channel", off=True)
    await dag.types("daily-channel")
    await choose_channel(dag, COUNTER)
    stage.standin.answer_with("POST", f"/channels/{LOUNGE}/messages$", 403, {"code": 50001, "message": "no"})
    await choose_channel(ada, LOUNGE)
    stage.standin.answer_with("POST", f"/channels/{LOUNGE}/messages$", 400, {"code": 50035, "message": "no"})
    await choose_channel(ada, LOUNGE)
    await ada.types("daily-channel")


async def choose_channel(player: Player, channel_id: int) -> None:
    stage = player.stage
    assert player.guild_id is not None
    channel = stage.standin.guilds[player.guild_id].channel(channel_id)
    data: Json = {
        "name": "daily-channel",
        "type": 1,
        "options": [{"name": "channel", "type": 7, "value": channel["id"]}],
        "resolved": {"channels": {channel["id"]: {**channel, "permissions": "0"}}},
    }
    await player.sends(COMMAND, data, f"/daily-channel channel:{stage.names.of(str(channel_id))}")


async def _first_day(stage: Stage) -> None:
    ada, bo = Player(stage, "ada"), Player(stage, "bo", locale="no")
    cleo = Player(stage, "cleo", guild_id=BAR, channel_id=COUNTER, locale="no")
    dag, eva = Player(stage, "dag", guild_id=None), Player(stage, "eva")
    finn = Player(stage, "finn")
    await ada.types("leaderboard")
    await ada.types("daily")
    await _denied(ada)
    await ada.types("daily")
    await ada.types("new", game="acesup", seed="1")
    await ada.types("daily")
    await finish(ada)
    await ada.types("share")
    await ada.types("analyse")
    await ada.presses("board")
    await ada.presses("share")
    shared = ada.seen
    await ada.types("undo")
    await bo.presses("daily:play", on=shared)
    await finish(bo, deals=6)
    await bo.types("giveup")
    await bo.presses("giveup")
    await bo.types("daily")
    await cleo.types("daily")
    await finish(cleo, deals=7)
    await cleo.types("giveup")
    await cleo.presses("giveup")
    await dag.types("daily")
    await finish(dag, deals=3)
    await eva.types("daily")
    await eva.types("draw")
    await finn.types("daily")
    await boards(ada)
    await boards(cleo)
    await boards(dag)
    await eva.types("leaderboard")
    await finn.types("leaderboard", scope="everyone")
    await finn.types("games")
    await bo.presses("board:.*:pick", "week", on=ada.seen)  # another's: they get one of their own


async def _denied(player: Player) -> None:
    """Everything that a daily game is played without."""
    for command in ("undo", "redo", "hint", "share", "analyse", "replay"):
        await player.types(command)
    await player.presses("panel:more")
    await player.presses("panel:main")
    for action in ("undo", "hint", "finish", "share", "best", "analyse", "same"):
        await player.forges(f"sol:{player.place}:{action}", on=player.table)


async def finish(player: Player, *, deals: int = 12) -> None:
    """Play Aces Up as a beginner does: discard what can go, then deal."""
    for _ in range(deals):
        while player.sees("play:.*-d"):
            await player.presses("all" if player.sees("all") else "play:.*-d", after_s=5)
        if player.sees("draw"):
            await player.presses("draw", after_s=5)
    if deals < 12:
        return
    for _ in range(20):
        if player.sees("play:.*-d"):
            await player.presses("all" if player.sees("all") else "play:.*-d", after_s=5)
        elif player.sees(r"menu:\d+"):
            await player.presses(r"menu:\d+", player.choices(r"menu:\d+")[0], after_s=5)
        else:
            return


async def boards(player: Player) -> None:
    await player.types("leaderboard")
    for when in WHEN:
        await player.presses("board:.*:pick", when)
    scope = "everyone" if player.guild_id else "server"
    await player.presses(f"board:{scope}:.*")
    await player.types("leaderboard", scope="everyone", when="2026-01-07")


async def _midnight(stage: Stage) -> None:
    ada, eva = Player(stage, "ada"), Player(stage, "eva")
    await eva.types("daily")
    await stage.passes(midnight_s(stage), "midnight comes")
    await eva.presses("draw")
    await eva.types("table")
    await eva.types("leaderboard")
    await ada.types("leaderboard", when="yesterday")


def midnight_s(stage: Stage) -> float:
    """How long until it is one second past midnight in the zone of the daily game, an hour ahead of UTC."""
    return (-(stage.clock.now_ms // 1000) - HOUR_S) % DAY_S + 1


async def _second_day(stage: Stage) -> None:
    ada, gro = Player(stage, "ada"), Player(stage, "gro", guild_id=None, locale="no")
    await stage.passes(8 * HOUR_S, "the morning comes")
    await ada.types("daily")
    await finish(ada, deals=3)
    await ada.types("giveup")
    await ada.presses("giveup")
    await ada.types("stats")
    await gro.types("daily")
    await gro.types("draw")
    await boards(ada)
    await stage.passes(DAY_S, "a day goes by")


async def _third_day(stage: Stage) -> None:
    ada = Player(stage, "ada")
    for when in ("2026-01-08", "2026-01-07", "2025-12-24", "2030-01-01", "soon", "Today", "2026-02-30"):
        await ada.types("leaderboard", when=when)
    await ada.completes("leaderboard", "when", "")
    await ada.completes("leaderboard", "when", "w")
    bo = Player(stage, "bo", guild_id=None, locale="no")
    await bo.completes("leaderboard", "when", "i")
    await bo.types("leaderboard", when="i går")
    await bo.types("leaderboard", scope="server")
