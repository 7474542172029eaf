"""Rare cases: odd refusals in both languages, full challenges and boards, failing posts, corrupt data."""

from __future__ import annotations

from tests.wire.exchanges.deals import (
    LOST_KLONDIKE,
    MANY_MOVES,
    WON_ACESUP,
    WON_KLONDIKE,
    deal_of,
    moves_of,
    until,
)
from tests.wire.exchanges.play_daily import DAY_S, choose_channel, midnight_s
from tests.wire.exchanges.play_friends import CARDS_AFTER_S
from tests.wire.exchanges.players import BAR, CLUB, COUNTER, GUESTS, LOUNGE, TABLES, USERS, Player
from tests.wire.exchanges.stage import Stage

HERE = {"en-US": ("dag", CLUB, LOUNGE), "no": ("eva", BAR, COUNTER)}


async def play(stage: Stage) -> None:
    for locale, (name, guild_id, channel_id) in HERE.items():
        await _refusals(Player(stage, name, guild_id, channel_id, locale))
        await _acesup_refusals(Player(stage, name, guild_id, channel_id, locale))
        await _strangers(stage, locale)
    await _many_moves(stage)
    await _won_in_a_challenge(stage)
    await _crowd(stage)
    await _boards(stage)
    await _failing_posts(stage)
    await _broken(stage)


async def _refusals(player: Player) -> None:
    await player.types("settings")
    await player.presses("set:as_text:1")
    await player.types("new", code=deal_of(MANY_MOVES))
    for source, target in (
        ("1", "2"),
        ("1", "1"),
        ("2", "c"),
        ("w", "1"),
        ("8", "1"),
        ("f", "1"),
        ("1", "s"),
        ("1", "d"),
    ):
        await player.types("move", from_=source, to=target)
    await player.types("draw")
    await player.types("move", from_="w", to="s")
    await player.types("move", from_="w", to="1", count=2)
    await player.types("move", from_="w", to="fs")
    await player.types("move", from_="7", to="1", count=5)
    await player.types("move", from_="3")
    await player.types("move", from_="hello", to="there")
    await player.types("discard")
    await player.presses("panel:more")
    await player.forges(f"sol:{player.place}:finish")
    await player.forges("hello")
    await player.types("new", code=until(MANY_MOVES, left=30))
    await player.types("move", from_="fs", to="1")
    await player.types("move", from_="f", to="2")
    await player.types("move", from_="fd", to="3")
    for pile in "1234567":
        await player.types("move", from_=pile, to="1" if pile != "1" else "2")
    await player.types("new", code=until(WON_KLONDIKE, left=20))
    await player.types("draw")
    await player.types("draw")
    await player.types("move", from_="fh", to="1")
    await player.types("new", code=LOST_KLONDIKE)
    await player.types("undo")
    await player.types("hint")
    await player.types("redo")
    await player.types("new", code="Aces Up · daily 7 January 2026 · 28/48")
    await player.types("new", seed="2026-01-07-aaaaaaaaaaaaaaaaaaaaaaaaaa")


async def _acesup_refusals(player: Player) -> None:
    await player.types("new", game="acesup", rules="cell+pairs", seed="4")
    await player.types("discard", pile="1")
    await player.types("discard", pile="2")
    await player.types("discard", pile="1+2")
    await player.types("move", from_="1", to="c")
    await player.types("move", from_="2", to="c")
    await player.types("move", from_="c", to="2")
    await player.types("discard", pile="c")
    await player.types("new", code=until(WON_ACESUP, left=2))
    await player.types("discard", pile="2")
    await player.types("discard")
    await player.types("new", code=until(WON_ACESUP, left=2).replace("standard", "aces"))
    await player.types(
        "new", code="acesup/aces/82 4-d s-t 3-d 3-d s-t 3-d s-t 3-d s-t 2-d 2-d 4-d 2-d 3-d s-t 1-d 3-d"
    )
    for source in "124":
        await player.types("move", from_=source, to="3")
    await player.types("new", game="acesup", rules="standard", seed="5")
    for _ in range(12):
        await player.types("draw")
    await player.types("hint")
    await player.types("draw")
    await player.types("settings")
    await player.presses("set:as_text:0")


async def _strangers(stage: Stage, locale: str) -> None:
    name, guild_id, channel_id = HERE[locale]
    player = Player(stage, name, guild_id, channel_id, locale)
    other = Player(stage, "finn", guild_id, channel_id, locale)
    await player.types("new", game="klondike", seed="stranger")
    await other.presses("draw", on=player.table)
    await other.presses("same")
    await player.presses("draw")
    await player.presses("draw", on=player.table)
    await player.presses("undo", on=player.table)
    await player.types("challenge", friend1=USERS["finn"], game="acesup")
    card = player.seen
    await player.presses(r"duel:\d+:play", on=card)
    await player.types("new", game="acesup")
    await player.presses(r"duel:\d+:play", on=card)
    await player.types("share")
    await player.types("analyse")
    await player.forges("duel:999:compare", on=card)
    await player.types("compare", friend=USERS["finn"])
    await player.types("stats", user=USERS["robot"])
    await player.types("forget-me")
    await player.presses("forget:.*:no")


async def _many_moves(stage: Stage) -> None:
    gro = Player(stage, "gro")
    await gro.types("new", code=MANY_MOVES)
    await gro.presses(r"menu:\d+", "page-1")
    await gro.presses(r"menu:\d+", "page-0")
    await gro.presses(r"menu:\d+", "page-1")
    await gro.presses(r"menu:\d+", gro.choices(r"menu:\d+")[0])
    await gro.completes("move", "from", "")
    await gro.completes("move", "to", "", from_="1")


async def _won_in_a_challenge(stage: Stage) -> None:
    finn, gro = Player(stage, "finn", locale="no"), Player(stage, "gro")
    for player in (finn, gro):
        await player.types("settings")
        await player.presses("set:as_text:1")
    await finn.types("challenge", friend1=USERS["gro"], game="acesup", rules="standard", seed="462")
    card = finn.seen
    assert card is not None
    for player in (finn, gro):
        await player.presses(r"duel:\d+:play", on=card)
        for move in moves_of(WON_ACESUP, last=63):
            await player.forges(f"sol:{player.place}:play:{move}", after_s=2)
        await stage.passes(CARDS_AFTER_S, "the challenge's message is brought up to date")
    await finn.presses(r"duel:\d+:compare", on=stage.now(card))
    await finn.types("share")
    await gro.types("stats")
    for player in (finn, gro):
        await player.types("settings")
        await player.presses("set:as_text:0")


async def _crowd(stage: Stage) -> None:
    """More players than an open challenge has places for; then its maker is forgotten."""
    cleo = Player(stage, "cleo", locale="no")
    await cleo.types("challenge", game="klondike", rules="d1", seed="crowd")
    card = cleo.seen
    guests = [Player(stage, name) for name in GUESTS]
    for guest in guests[:11]:
        await guest.presses(r"duel:\d+:play", on=card)
    await cleo.presses(r"duel:\d+:play", on=card)
    await cleo.presses(r"duel:\d+:show", on=card)
    for guest in guests[:2]:
        await guest.types("forget-me")
        await guest.presses(r"forget:\d+")
    await cleo.types("forget-me")
    await cleo.presses(r"forget:\d+")
    await cleo.presses(r"duel:\d+:show", on=card)


async def _boards(stage: Stage) -> None:
    """A day with many players, and its best possible score."""
    day = "2026-01-06"
    results = [
        f"INSERT INTO daily_results (day, user_id, game_id, score, is_listed) "
        f"VALUES ('{day}', {user.id}, {9_000 + place}, {20 + 2 * place}, {int(place != 3)})"
        for place, user in enumerate(GUESTS.values())
    ]
    servers = [f"INSERT INTO server_players VALUES ({CLUB}, {user.id})" for user in GUESTS.values()]
    best = f"INSERT INTO memory (key, value) VALUES ('daily-best:{day}', '46 46')"
    await stage.changes("a day with many players", *results, *servers[1:], best)
    for name, locale in (("guest1", "en-US"), ("guest4", "no"), ("guest12", "en-US"), ("hans", "no")):
        reader = Player(stage, name, locale=locale)
        await reader.types("leaderboard", when=day)
        await reader.types("leaderboard", when=day, scope="everyone")
    await stage.changes(
        "another best score", f"UPDATE memory SET value = '44 47' WHERE key = 'daily-best:{day}'"
    )
    await Player(stage, "guest2", guild_id=None, locale="no").types("leaderboard", when=day)


async def _failing_posts(stage: Stage) -> None:
    hans, dag = Player(stage, "hans", guild_id=BAR, channel_id=COUNTER, locale="no"), Player(stage, "dag")
    await choose_channel(hans, COUNTER)
    await choose_channel(dag, TABLES)
    await dag.types("daily")
    await dag.types("giveup")
    await dag.presses("giveup")
    stage.standin.answer_with("POST", f"/channels/{TABLES}/messages$", 403, {"code": 50013, "message": "no"})
    stage.standin.answer_with(
        "POST", f"/channels/{COUNTER}/messages$", 404, {"code": 10003, "message": "gone"}
    )
    await stage.passes(midnight_s(stage), "midnight, and the posts fail")
    await hans.types("daily-channel")
    await dag.types("daily-channel")
    stage.standin.answer_with(
        "POST", f"/channels/{TABLES}/messages$", 403, {"code": 50001, "message": "no"}, times=2
    )
    await stage.passes(DAY_S, "another midnight, and the post fails")
    await dag.types("daily-channel")
    await stage.passes(DAY_S, "a third midnight")


async def _broken(stage: Stage) -> None:
    dag = Player(stage, "dag")
    await dag.types("new", game="klondike", rules="d1", seed="broken")
    game_id = dag.place.split(":")[0]
    kept = "klondike/d1/broken"
    await _without(stage, dag, "settings", "table", "help")
    await _without(stage, dag, "live_tables", "table", "draw", "help")
    await _without(stage, dag, "games", "table", "draw", "help")
    for record in ("klondike/d1/broken 9-9", "poker/d1/broken", "no record at all"):
        await stage.changes(
            "a record is broken", f"UPDATE games SET record = '{record}' WHERE id = {game_id}"
        )
        for command in ("table", "draw", "stats", "export"):
            await dag.types(command, after_s=40)
        await dag.completes("move", "from", "")
        await dag.forges(f"sol:{game_id}:0:draw", on=dag.table)
    await stage.changes("the record is mended", f"UPDATE games SET record = '{kept}' WHERE id = {game_id}")
    await dag.types("draw")


async def _without(stage: Stage, player: Player, table: str, *commands: str) -> None:
    """A table of the database cannot be found: errors with an id, and then all is well again.

    Without settings nothing is tried that changes a game: whether it does before the error is not promised.
    """
    await stage.changes("a table is gone", f"ALTER TABLE {table} RENAME TO gone")
    for command in commands:
        await player.types(command)
    await player.elsewhere(locale="no").completes("move", "from", "")
    action = "undo" if "draw" in commands else "panel:more"
    await player.forges(f"sol:{player.place}:{action}", on=player.table)
    await stage.changes("the table is back", f"ALTER TABLE gone RENAME TO {table}")
