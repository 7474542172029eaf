"""What goes wrong: forged and outdated interactions, haste, missing permissions, restarts, broken records."""

from __future__ import annotations

from typing import Any

from tests.wire.exchanges.players import NO_FILES, USERS, Player
from tests.wire.exchanges.stage import Stage
from tests.wire.interactions import AUTOCOMPLETE, COMMAND, COMPONENT, MODAL_SUBMIT

MONTH_S = 31 * 24 * 60 * 60.0


async def play(stage: Stage) -> None:
    await _forged(stage)
    await _outdated(stage)
    await _twice(stage)
    await _without_files(stage)
    await _by_user_install(stage)
    await _hasty(stage)
    await _refused_by_discord(stage)
    await _after_a_restart(stage)


async def _forged(stage: Stage) -> None:
    ada = Player(stage, "ada")
    await ada.types("new", game="klondike", rules="d1", seed="36")
    for custom_id in (
        "sol:1",
        "sol:x:y:draw",
        "sol:1:0:dance",
        f"sol:{ada.place}:play:9-9",
        f"sol:{ada.place}:play:hello",
        f"sol:{ada.place}:play",
        f"sol:{ada.place}:panel:attic",
        f"sol:{ada.place}:panel",
        f"sol:{ada.place}:redo",
        f"sol:{ada.place}:all",
        f"sol:{ada.place}:finish",
        f"sol:{ada.place}:best",
        f"sol:{ada.place}:board",
        "sol:999:0:draw",
        "sol:999:0:same",
        "sol:0:0:hint",
        "daily:pay",
        "board:server:soon",
        "board:nowhere:today",
        "board:everyone:9999-99-99",
        "forget:1",
        f"forget:{USERS['bo'].id}",
        f"forget:{USERS['ada'].id}:no",
        "rules:klondike:1",
        "set:",
        "hello",
        "",
        "x" * 100,
        "sol:1:0:draw\n",
        "SOL:1:0:DRAW",
    ):
        await ada.forges(custom_id)
    place = ada.place
    await ada.forges(f"sol:{place}:menu:0", "page-1")
    await ada.forges(f"sol:{place}:menu:0", "page-x")
    await ada.forges(f"sol:{place}:menu:0", "none")
    await ada.forges(f"sol:{place}:menu:0", "6-7")
    await ada.forges("board:server:pick", "never")


async def _outdated(stage: Stage) -> None:
    ada = Player(stage, "ada", locale="no")
    option = {"name": "seed", "type": 3, "value": "1"}
    for title, data in (
        ("an unknown command", {"name": "poker", "type": 1, "options": []}),
        ("an unknown option", {"name": "new", "type": 1, "options": [{**option, "name": "stake"}]}),
        (
            "an option of another type",
            {"name": "new", "type": 1, "options": [{**option, "type": 4, "value": 1}]},
        ),
        ("a command without a needed option", {"name": "move", "type": 1, "options": []}),
        ("a sub-command that is none", {"name": "new", "type": 1, "options": [{"name": "x", "type": 1}]}),
        ("a command of a message", {"name": "new", "type": 3, "target_id": "1"}),
        ("no name", {"type": 1}),
    ):
        await ada.sends(COMMAND, data, f"sends {title}")
    await ada.sends(
        AUTOCOMPLETE, {"name": "poker", "type": 1, "options": []}, "types into an unknown command"
    )
    focused = {**option, "name": "stake", "focused": True}
    await ada.sends(
        AUTOCOMPLETE, {"name": "new", "type": 1, "options": [focused]}, "types into an unknown option"
    )
    await ada.sends(MODAL_SUBMIT, {"custom_id": "form", "components": []}, "sends a form")


async def _twice(stage: Stage) -> None:
    bo = Player(stage, "bo")
    dealt = await bo.types("new", game="klondike", rules="d1", seed="twice")
    await stage.again(dealt)
    drawn = await bo.types("draw")
    await stage.again(drawn)
    pressed = await bo.presses("draw")
    await stage.again(pressed)
    await bo.types("table")
    await stage.again(drawn)
    challenged = await bo.types("challenge", friend1=USERS["ada"])
    await stage.again(challenged)
    await bo.types("games")


async def _without_files(stage: Stage) -> None:
    stage.standin.app_permissions = NO_FILES
    cleo = Player(stage, "cleo")
    await cleo.types("new", game="klondike", rules="d3", seed="1")
    await cleo.presses("draw")
    await cleo.presses("hint")
    for command in ("replay", "rules", "export", "stats", "leaderboard", "daily", "table"):
        await cleo.types(command)
    await cleo.presses("draw")
    alone = cleo.elsewhere(guild_id=None)
    await alone.types("table")
    await alone.types("replay")
    stage.standin.app_permissions = str((1 << 53) - 1)
    await cleo.types("table")


async def _by_user_install(stage: Stage) -> None:
    dag = Player(stage, "dag", guild_id=None, by_user_install=True, locale="no")
    stage.standin.answer_with(
        "PATCH", f"/channels/{dag.group_id}/", 403, {"code": 50001, "message": "Missing Access"}, times=1000
    )
    await dag.types("new", game="acesup", rules="cell", seed="user")
    await dag.types("draw")
    await dag.presses("draw")
    await dag.presses("panel:more")
    await dag.presses("share")
    await dag.types("table")
    await dag.types("rules")
    await dag.types("stats")
    await dag.types("leaderboard")
    await dag.types("daily")


async def _hasty(stage: Stage) -> None:
    gro = Player(stage, "gro", locale="no")
    await gro.types("new", game="klondike", rules="d1", seed="quick")
    await stage.passes(60)
    standin = stage.standin
    here: dict[str, Any] = {"user": gro.user, "guild_id": gro.guild_id, "locale": "no"}
    await stage.acts_often("gro /help", 23, lambda: standin.interact("help", **here))
    await stage.passes(60)
    table = gro.table
    assert table is not None
    hello = {"custom_id": "hello", "component_type": 2}
    await stage.acts_often(
        "gro presses hello", 53, lambda: standin.send(COMPONENT, hello, message=table.payload, **here)
    )
    await stage.passes(60)
    await stage.acts_often("gro /share", 8, lambda: standin.interact("share", **here))
    await stage.passes(120)
    await gro.types("replay")
    await gro.types("replay", after_s=1)
    await gro.types("export")
    await gro.types("export", after_s=2)
    await stage.acts_often("gro types 6", 43, lambda: standin.autocomplete("move", "from", "6", **here))


async def _refused_by_discord(stage: Stage) -> None:
    """Answers that Discord refuses, and tables that cannot be edited any more."""
    hans = Player(stage, "hans")
    await hans.types("new", game="acesup", seed="gone")
    old = hans.table
    assert old is not None
    del stage.standin.messages[old.id]
    await hans.types("draw")
    table = hans.table
    stage.standin.answer_with("POST", "/callback$", 404, {"code": 10062, "message": "Unknown interaction"})
    await hans.types("draw")
    stage.standin.answer_with("POST", "/callback$", 400, {"code": 30046, "message": "Edited too often"})
    await hans.presses("draw", on=table)
    await hans.types("table")
    stage.standin.answer_with("POST", "/callback$", 403, {"code": 50013, "message": "Missing Permissions"})
    await hans.types("draw")
    stage.standin.answer_with("POST", "/callback$", 500, {"code": 0, "message": "500"})
    await hans.types("help")
    await stage.passes(6)


async def _after_a_restart(stage: Stage) -> None:
    ada, bo = Player(stage, "ada"), Player(stage, "bo", locale="no")
    await ada.types("new", game="klondike", rules="d3", seed="restart")
    await ada.presses("draw")
    await bo.types("table")
    await ada.types("daily")
    await ada.types("games")
    await stage.restart()
    await bo.presses("draw")
    await bo.presses("panel:more")
    await bo.types("settings")
    await ada.types("games")
    await ada.types("table")
    await ada.presses("draw")
    await ada.types("leaderboard", when="all")
    await stage.passes(MONTH_S, "a month goes by")
    await bo.types("table")
    await bo.types("draw")
    await bo.types("undo")
    await bo.types("games")
    await ada.types("stats")
