"""Runs the present bot on an old database: presses every kind of control, continues every game."""

from __future__ import annotations

import logging
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from tests.wire.exchanges.canonical import Json
from tests.wire.exchanges.left import Left, restore
from tests.wire.exchanges.play_daily import midnight_s
from tests.wire.exchanges.players import GUESTS, USERS, Player, choices_in, controls
from tests.wire.exchanges.recording import new_database, open_stage
from tests.wire.exchanges.stage import Stage
from tests.wire.interactions import Interaction
from tests.wire.payloads import Message, walk

HOUR_S = 60 * 60
SAMPLES = 3  # of each kind of control
ERROR = re.compile(r"[(](?:Error|Feil) [0-9a-f]{6}[)]")
CODE = re.compile(r"(?:klondike|acesup)/[\w+]+/[^\s`|]+")
MAKES_A_MOVE = {"draw", "play", "menu", "all", "undo", "redo", "finish"}


@dataclass
class Report:
    """What was done, counted by kind, and everything that was not as it should be."""

    done: Counter[str] = field(default_factory=Counter)
    moved: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    def check(self, *, is_so: bool, problem: str) -> None:
        if not is_so:
            self.problems.append(problem)

    def form(self) -> Json:
        return {"done": dict(self.done), "moved": dict(self.moved), "problems": self.problems}


class _Errors(logging.Handler):
    def __init__(self, report: Report) -> None:
        super().__init__(logging.ERROR)
        self._report = report

    def emit(self, record: logging.LogRecord) -> None:
        self._report.problems.append(
            f"logged: {record.getMessage()} {record.exc_info and record.exc_info[1]!r}"
        )


async def go_on(kind: str) -> Json:
    left, report = Left.read(kind), Report()
    logging.getLogger().addHandler(_Errors(report))
    with new_database(kind) as database:
        await restore(database, left.sql)
        async with open_stage(database, now_ms=left.now_ms + HOUR_S * 1000) as stage:
            left.give_to(stage.standin)
            await stage.start()
            await _move(stage, left, report)
            await _press(stage, left, report)
            await _paste_what_was_shared(stage, left, report)
            await _paste_records(stage, left, report)
            await _go_on_with_games(stage, report)
            await _next_day(stage, report)
            await stage.stop()
    return report.form()


async def _move(stage: Stage, left: Left, report: Report) -> None:
    """Press one control on every up-to-date table, of the kind that was pressed least so far."""
    for one in left.messages:
        posted, revisions = stage.standin.messages[one["payload"]["id"]], await _revisions(stage)
        acting = [
            custom_id
            for custom_id in controls(posted)
            if custom_id.startswith("sol:")
            and _kind(custom_id) in MAKES_A_MOVE
            and _is_current(custom_id, revisions)
        ]
        if acting:
            custom_id = min(acting, key=lambda custom_id: report.moved[_kind(custom_id)])
            await _one_press(stage, Player(stage, _asked_by(posted)), custom_id, posted, report)


def _is_current(custom_id: str, revisions: dict[int, int]) -> bool:
    _, game, revision, *_ = custom_id.split(":")
    return revisions.get(int(game)) == int(revision)


async def _press(stage: Stage, left: Left, report: Report) -> None:
    """Press each kind of control, as a stranger and as the user it was posted for; deletions come last."""
    tried: Counter[str] = Counter()
    last: list[tuple[Player, str, Message]] = []
    for one in left.messages:
        posted = stage.standin.messages[one["payload"]["id"]]
        for custom_id in controls(posted):
            kind = _kind(custom_id)
            player = Player(stage, _asked_by(posted))
            if kind == "forget":
                last.append((player, custom_id, posted))
            elif tried[kind] < SAMPLES:
                tried[kind] += 1
                stranger = Player(stage, "guest1")
                await _one_press(stage, stranger, custom_id, posted, report)
                await _one_press(stage, player, custom_id, posted, report)
    for _, custom_id, posted in last:
        await _one_press(stage, Player(stage, "guest1"), custom_id, posted, report)
    await _one_press(stage, *last[0], report)


async def _one_press(stage: Stage, player: Player, custom_id: str, posted: Message, report: Report) -> None:
    kind, before = _kind(custom_id), await _revisions(stage)
    message = stage.now(posted) if posted.id in stage.standin.messages else posted
    seen = message if custom_id in controls(message) else posted
    values = [] if _is_button(seen, custom_id) else choices_in(seen, re.escape(custom_id))[:1]
    interaction = await player.presses(re.escape(custom_id), *values, on=seen)
    whose = "another's " if player.name in GUESTS else ""
    report.done[whose + kind] += 1
    _check_answer(report, f"{player.name} pressed {custom_id}", interaction)
    if player.name not in GUESTS and kind in MAKES_A_MOVE and _is_current(custom_id, before):
        is_so = not _is_current(custom_id, await _revisions(stage))
        report.check(is_so=is_so, problem=f"{custom_id} made no move")
        report.moved[kind] += 1


async def _paste_what_was_shared(stage: Stage, left: Left, report: Report) -> None:
    guest = await _reader(stage, "guest2")
    for one in left.messages:
        text = Message(one["payload"]).text
        for line in text.splitlines():
            code = CODE.search(line)
            if code and "`/" not in line:
                await _paste(stage, guest, line, code[0], report, "shared line")


async def _paste_records(stage: Stage, left: Left, report: Report) -> None:
    """A record that is kept, pasted as a code, is put on the table with all its moves."""
    guest = await _reader(stage, "guest3")
    for row in (await stage.database.rows())["games"]:
        if not row["day"] and row["owner_id"] != guest.user.id:
            await _paste(stage, guest, row["record"], row["record"], report, "record")


async def _paste(stage: Stage, guest: Player, text: str, record: str, report: Report, what: str) -> None:
    interaction = await guest.types("new", code=text)
    report.done[what] += 1
    _check_answer(report, f"pasted {text!r}", interaction)
    games = [row for row in (await stage.database.rows())["games"] if row["owner_id"] == guest.user.id]
    newest = max(games, key=lambda row: int(row["id"]), default={"record": ""})
    report.check(is_so=newest["record"] == record, problem=f"{text!r} became {newest['record']!r}")


async def _go_on_with_games(stage: Stage, report: Report) -> None:
    names = {user.id: name for name, user in USERS.items()}
    for row in (await stage.database.rows())["games"]:
        if row["status"] != "playing" or row["owner_id"] not in names:
            continue
        player = Player(stage, names[row["owner_id"]])
        shown = await player.types("games", resume=str(row["id"]))
        _check_answer(report, f"game {row['id']} resumed", shown)
        report.check(is_so=player.table is not None, problem=f"game {row['id']} has no table")
        for control in (r"play:.*", "draw", r"menu:\d+"):
            if player.sees(control):
                values = player.choices(control)[:1] if control.startswith("menu") else []
                _check_answer(report, f"game {row['id']} went on", await player.presses(control, *values))
                break
        after = (await _revisions(stage))[row["id"]]
        report.check(is_so=after == row["revision"] + 1, problem=f"game {row['id']} stands still")
        report.done["unfinished game"] += 1


async def _next_day(stage: Stage, report: Report) -> None:
    """At midnight the games of the day end, and the posts go out to the channels that were chosen before."""
    before = len(stage.standin.messages)
    channels = len((await stage.database.rows())["daily_channels"])
    await stage.passes(midnight_s(stage), "midnight comes")
    still = [
        row for row in (await stage.database.rows())["games"] if row["day"] and row["status"] == "playing"
    ]
    report.check(is_so=not still, problem=f"daily games that do not end: {still}")
    posts = len(stage.standin.messages) - before
    report.check(is_so=posts == channels, problem=f"{posts} daily posts in {channels} channels")
    report.done["daily post"] += posts


def _check_answer(report: Report, what: str, interaction: Interaction) -> None:
    if not interaction.is_shown:
        report.problems.append(f"{what}: no message was shown")
        return
    shown = interaction._shown.result()
    report.check(is_so=bool(shown.text), problem=f"{what}: nothing was said")
    report.check(is_so=ERROR.search(shown.text) is None, problem=f"{what}: {shown.text}")


async def _reader(stage: Stage, name: str) -> Player:
    """Somebody who plays without pictures: quicker, where they are not what it is about."""
    guest = Player(stage, name)
    await guest.types("settings")
    await guest.presses("set:as_text:1")
    return guest


async def _revisions(stage: Stage) -> dict[int, int]:
    return {row["id"]: row["revision"] for row in (await stage.database.rows())["games"]}


def _kind(custom_id: str) -> str:
    """What a control does: `draw` for `sol:12:3:draw`, else its first word and what is no number."""
    first, *rest = custom_id.split(":")
    if first == "sol":
        return rest[2] if rest[2] != "panel" else ":".join(rest[2:])
    words = [part for part in rest if not part.isdigit() and not re.match(r"\d{4}-", part)]
    return ":".join([first, *words])


def _asked_by(message: Message) -> str:
    about: Any = message.payload.get("interaction_metadata") or {}
    return str(about["user"]["username"]) if about else "ada"


def _is_button(message: Message, custom_id: str) -> bool:
    return any(
        part.get("custom_id") == custom_id and part["type"] == 2
        for part in walk(message.payload["components"])
    )
