"""Challenges from their making to their end, comparisons, statistics."""

from __future__ import annotations

from dataclasses import replace

from tests.wire.exchanges.deals import WON_ACESUP, deal_of
from tests.wire.exchanges.play_daily import DAY_S, finish
from tests.wire.exchanges.players import BAR, COUNTER, USERS, Player, choices_in
from tests.wire.exchanges.stage import Stage

CARDS_AFTER_S = 12  # so long a challenge's message waits before it is changed again


async def play(stage: Stage) -> None:
    await _named(stage)
    await _open(stage)
    await _refused(stage)
    await _compared(stage)
    await _counted(stage)


async def _named(stage: Stage) -> None:
    ada, bo, cleo = Player(stage, "ada"), Player(stage, "bo", locale="no"), Player(stage, "cleo")
    dag = Player(stage, "dag")
    await ada.types("challenge", friend1=USERS["bo"], friend2=USERS["cleo"], game="acesup", seed="friends")
    card = ada.seen
    await dag.presses(r"duel:\d+:play", on=card)
    await dag.presses(r"duel:\d+:show", on=card)
    for player in (ada, bo, cleo):
        await player.presses(r"duel:\d+:play", on=card)
    await ada.types("undo")
    await ada.types("share")
    await ada.types("analyse")
    await ada.types("hint")
    await finish(ada, deals=2)
    await stage.passes(CARDS_AFTER_S, "the challenge's message is brought up to date")
    await ada.presses(r"duel:\d+:show", on=card)
    await bo.presses("draw")
    await bo.presses(r"duel:\d+:play", on=card)
    await ada.types("giveup")
    await ada.presses("giveup")
    await ada.types("games")
    await bo.types("giveup")
    await bo.presses("giveup")
    await stage.passes(CARDS_AFTER_S, "the challenge's message is brought up to date")
    assert card is not None
    await bo.presses(r"duel:\d+:compare", on=stage.now(card))
    await cleo.presses(r"duel:\d+:compare", on=stage.now(card))
    await dag.presses(r"duel:\d+:compare", on=stage.now(card))
    await finish(cleo, deals=1)
    await cleo.types("giveup")
    await cleo.presses("giveup")
    await stage.passes(CARDS_AFTER_S, "the challenge's message is brought up to date")
    for player in (ada, bo, cleo, dag):
        await player.presses(r"duel:\d+:compare", on=stage.now(card))
    await cleo.presses(r"duel:\d+:play", on=card)
    await cleo.types("share")
    await cleo.types("analyse")
    await ada.types("compare", friend=USERS["bo"])
    await bo.types("compare", friend=USERS["dag"])


async def _open(stage: Stage) -> None:
    eva = Player(stage, "eva", guild_id=BAR, channel_id=COUNTER, locale="no")
    finn, gro = eva.elsewhere(), eva.elsewhere(locale="en-US")
    finn.name, gro.name = "finn", "gro"
    await eva.types("challenge", game="klondike", rules="d1", seed="open to all")
    card = eva.seen
    assert card is not None
    await eva.presses(r"duel:\d+:play", on=card)
    await finn.presses(r"duel:\d+:play", on=card)
    await finn.presses("draw")
    await eva.types("giveup")
    await eva.presses("giveup")
    await finn.types("giveup")
    await finn.presses("giveup")
    await stage.passes(CARDS_AFTER_S, "the challenge's message is brought up to date")
    await gro.presses(r"duel:\d+:compare", on=stage.now(card))
    await finn.presses(r"duel:\d+:compare", on=stage.now(card))
    await finn.types("share")
    await stage.passes(DAY_S, "the time to join is over")
    await gro.presses(r"duel:\d+:play", on=card)
    await gro.presses(r"duel:\d+:show", on=card)
    await finn.types("share")
    await gro.presses(r"duel:\d+:compare", on=stage.now(card))


async def _refused(stage: Stage) -> None:
    ada = Player(stage, "ada")
    await ada.types("challenge", friend1=USERS["ada"])
    await ada.types("challenge", friend1=USERS["bo"], friend2=USERS["bo"], friend3=USERS["ada"])
    await ada.types("challenge", friend1=replace(USERS["robot"], bot=True))
    await ada.types("challenge", game="acesup", rules="d1")
    await ada.types("challenge", rules="d3", seed="x" * 70)
    await ada.completes("challenge", "rules", "d3", game="klondike")
    await ada.completes("challenge", "rules", "")
    for _ in range(3):
        await ada.types("challenge", game="klondike")
    await ada.types("challenge", game="klondike")
    alone = ada.elsewhere(guild_id=None, locale="no")
    await stage.passes(1000)
    await alone.types("challenge", friend1=USERS["hans"])
    await ada.forges("duel:999:play")
    await ada.forges("duel:999:show")
    await ada.forges("duel:1:win")
    await ada.forges("duel:99999999999999999999:play")


async def _compared(stage: Stage) -> None:
    ada, bo = Player(stage, "ada"), Player(stage, "bo", locale="no")
    for player in (ada, bo):
        await player.types("new", code=deal_of(WON_ACESUP))
    await ada.types("compare", friend=USERS["bo"])
    for player, moves in ((ada, 3), (bo, 5)):
        for _ in range(moves):
            await player.presses("play:.*-d" if player.sees("play:.*-d") else "draw")
        await player.types("giveup")
        await player.presses("giveup")
    await ada.types("compare", friend=USERS["bo"])
    await bo.types("compare", friend=USERS["ada"])
    await ada.types("compare", friend=USERS["ada"])
    await ada.types("compare", friend=USERS["hans"])
    await ada.types("settings")
    await ada.presses("set:as_text:1")
    await ada.types("compare", friend=USERS["bo"])
    await ada.types("settings")
    await ada.presses("set:as_text:0")
    hans = Player(stage, "hans")
    await hans.types("compare", friend=USERS["bo"])
    await hans.types("new", code=WON_ACESUP)
    await hans.types("compare", friend=USERS["bo"])


async def _counted(stage: Stage) -> None:
    ada, bo, hans = Player(stage, "ada"), Player(stage, "bo", locale="no"), Player(stage, "hans")
    await ada.types("stats")
    counted = ada.seen
    menu = r"stats:.*"
    assert counted is not None
    values = choices_in(counted, menu)
    for value in values[:3]:
        await ada.presses(menu, value, on=counted)
    await bo.presses(menu, values[0], on=counted)
    await bo.types("stats", user=USERS["ada"])
    await hans.types("stats", user=USERS["hans"])
    await bo.types("stats", user=USERS["robot"])
    eva = Player(stage, "eva", guild_id=None)
    await eva.types("stats")
    await eva.types("settings")
    await eva.presses("set:is_hidden:1")
    await bo.types("stats", user=USERS["eva"])
    await bo.types("compare", friend=USERS["eva"])
    await eva.types("stats")
    await eva.types("leaderboard", when="all")
    await bo.types("leaderboard", when="all", scope="everyone")
    await eva.types("settings")
    await eva.presses("set:is_hidden:0")
    await ada.forges("stats:1:2", on=counted)
    await ada.forges("stats:1:9999999999999999999:0", "klondike/d1", on=counted)
    await ada.forges(f"stats:{USERS['ada'].id}:{USERS['ada'].id}:0", "klondike/none", on=counted)
