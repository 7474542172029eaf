"""Settings, rules pages, help, codes that are shared, deals that can be won."""

from __future__ import annotations

import re

from tests.wire.exchanges.deals import WON_ACESUP, WON_CELL, deal_of
from tests.wire.exchanges.players import BAR, COUNTER, NO_FILES, Player
from tests.wire.exchanges.stage import Stage
from tests.wire.interactions import COMMAND

SWITCHES = ("is_private", "as_text", "four_colours", "large_index", "is_hidden", "tells_lost")


async def play(stage: Stage) -> None:
    await _settings(stage)
    await _rules(stage)
    await _help(stage)
    await _codes(stage)
    await _winnable(stage)


async def _settings(stage: Stage) -> None:
    finn = Player(stage, "finn")
    await finn.types("settings")
    opened = finn.seen
    await finn.presses("set:language", "no")
    await finn.presses("set:language", "en")
    await finn.presses("set:language", "auto")
    await finn.presses("set:language", "no")
    await finn.types("new", game="klondike", rules="d3", seed="9")
    await finn.types("hint")
    await finn.types("help")
    for name in SWITCHES:
        await finn.types("settings", after_s=2)
        settings = finn.seen
        await finn.presses(f"set:{name}:1", on=settings)
        await finn.types("table")
        await finn.presses("draw")
        if name in ("as_text", "is_private", "is_hidden"):
            await finn.types("new", game="acesup", seed="3")
            await finn.presses("draw")
            await finn.types("rules")
            await finn.types("stats")
            await finn.types("replay")
            await finn.types("leaderboard")
        if name in ("as_text", "is_hidden"):
            assert settings is not None
            await finn.presses(f"set:{name}:0", on=stage.now(settings))
    await finn.types("settings")
    await finn.presses("set:language", "auto")
    for custom_id, *values in (("set:language", "de"), ("set:colours:1",), ("set:is_private",)):
        await finn.forges(custom_id, *values, on=finn.seen)
    await finn.presses("set:language", "en", on=opened)
    gro = Player(stage, "gro", guild_id=BAR, channel_id=COUNTER, locale="no")
    await gro.types("settings")
    await gro.presses("set:is_private:1")
    await gro.presses("set:language", "en")
    await gro.types("draw")
    await gro.types("table")
    await gro.types("new", game="klondike", rules="d1", seed="5")
    await gro.presses("panel:more")
    await gro.presses("share")
    await gro.types("settings")
    await gro.presses("set:is_private:0")
    await gro.presses("set:language", "auto")


async def _rules(stage: Stage) -> None:
    for locale, name in (("en-US", "hans"), ("no", "dag")):
        reader = Player(stage, name, locale=locale)
        await reader.types("rules")
        while reader.sees("rules:.*:next", on=reader.seen):
            await reader.presses("rules:.*:next", after_s=2)
        await reader.presses("rules:.*:back", after_s=2)
        await reader.presses("rules:acesup:0:game")
        while reader.sees("rules:.*:next", on=reader.seen):
            await reader.presses("rules:.*:next", after_s=2)
    hans = Player(stage, "hans", guild_id=None)
    await hans.types("rules", game="acesup")
    await hans.types("rules", game="klondike")
    await hans.forges("rules:klondike:999:next")
    await hans.forges("rules:freecell:0:game")
    await hans.forges("rules:klondike:-1:next")


async def _help(stage: Stage) -> None:
    for locale in ("en-US", "no", "en-GB", "de", "nb"):
        reader = Player(stage, "hans", locale=locale)
        await reader.types("help")
    await Player(stage, "hans", guild_id=None, locale="no").types("privacy")
    await Player(stage, "hans").types("privacy")


async def _codes(stage: Stage) -> None:
    ada, bo = Player(stage, "ada"), Player(stage, "bo", locale="no")
    await ada.types("new", game="klondike", rules="d3p2r", seed="Hei og hå")
    await ada.types("share")
    assert ada.seen is not None
    line = ada.seen.text
    await bo.types("new", code=line)
    await bo.types("draw")
    await bo.types("share")
    assert bo.seen is not None
    await ada.types("new", code=bo.seen.text)
    for code in (
        " acesup/standard/mormor ",
        "`klondike/d1/god jul`",
        "KLONDIKE/D3/5",
        "play this: acesup/cell/8 s-t 2-d",
        "acesup/standard",
        "freecell/standard/1",
        "klondike/d9/1",
        "klondike/d1/",
        "hello",
        "acesup/standard/1 9-d",
        "acesup/standard/1 1-2",
        "klondike/d1/1 " + "s-w " * 400,
        "`",
        WON_CELL,
        deal_of(WON_ACESUP).upper(),
    ):
        await bo.types("new", code=code)
    await bo.types("new", code="klondike/d1/1", game="klondike")
    await bo.types("new", code="klondike/d1/1", seed="1")
    await bo.types("undo")
    await bo.types("redo")
    await bo.types("stats")
    assert re.search("klondike/d3p2r", line)


async def _winnable(stage: Stage) -> None:
    cleo, eva = Player(stage, "cleo"), Player(stage, "eva", guild_id=None, locale="no")
    await cleo.types("new", game="klondike", rules="d1", winnable=True)
    await cleo.types("new", game="acesup", rules="aces", winnable=True)
    await cleo.types("new", winnable=True)
    await cleo.types("new", game="klondike", rules="d3p7r", winnable=True)
    await eva.types("new", game="klondike", rules="d3p7r", winnable=True)
    await eva.types("new", game="klondike", rules="d3p1", winnable=True)
    await eva.types("new", game="klondike", seed="4", winnable=True)
    await cleo.types("new", code="klondike/d1/4", winnable=True)
    bare = cleo.elsewhere()
    data = {"name": "new", "type": 1, "options": [{"name": "seed", "type": 3, "value": "4"}]}
    await bare.sends(COMMAND, data, "sends /new where no files are allowed", app_permissions=NO_FILES)
