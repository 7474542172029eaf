"""What the tests of sentences share: the languages, the commands, and turns made by hand."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from fluent.syntax import FluentParser, ast

import bot.text
from bot.app import build_client
from bot.config import Config
from bot.discord_app.client import BotClient
from bot.service import Position, Turn, TurnAction
from bot.storage import Status, StoredGame
from bot.text import languages
from engine import Outcome, Record

BOT = Path(bot.text.__file__).resolve().parents[1]
LANGUAGES = tuple(languages())
PLAYTHROUGHS = Path(__file__).resolve().parents[1] / "engine" / "data" / "playthroughs.tsv"

in_every_language = pytest.mark.parametrize("language", LANGUAGES)

_STATUS = {None: Status.PLAYING, Outcome.WON: Status.WON, Outcome.OVER: Status.OVER}


@cache
def entries(language: str) -> list[ast.EntryType]:
    return FluentParser().parse(languages()[language]).body


@cache
def messages(language: str) -> dict[str, ast.Message]:
    return {entry.id.name: entry for entry in entries(language) if isinstance(entry, ast.Message)}


def source_of(node: ast.BaseNode | None) -> list[str]:
    """Every piece of plain text in a message, in order."""
    found: list[str] = []

    def visit(part: Any) -> None:
        if isinstance(part, ast.TextElement):
            found.append(part.value)
        elif isinstance(part, ast.BaseNode):
            for value in vars(part).values():
                visit(value)
        elif isinstance(part, list):
            for value in part:
                visit(value)

    visit(node)
    return found


def placeholders(node: ast.BaseNode | None) -> set[str]:
    found: set[str] = set()

    def visit(part: Any) -> None:
        if isinstance(part, ast.VariableReference):
            found.add(part.id.name)
        elif isinstance(part, ast.BaseNode):
            for value in vars(part).values():
                visit(value)
        elif isinstance(part, list):
            for value in part:
                visit(value)

    visit(node)
    return found


def turn_of(
    record: str | Record, action: TurnAction = TurnAction.MOVED, *, status: Status | None = None
) -> Turn:
    """The turn that ends where `record` does, and whose last move is the one that was played."""
    record = Record.parse(record) if isinstance(record, str) else record
    position = Position.of(record)
    game = StoredGame(
        id=1,
        owner_id=1,
        record=str(record),
        undone="",
        revision=len(record.moves),
        status=status or _STATUS[position.outcome],
        score=position.table.score,
        request_id=1,
        created_ms=0,
        updated_ms=1_700_000_000_000,
    )
    return Turn(action, game, position, moves=record.moves[-1:], table_before=position.before)


def taken_back(record: str) -> Turn:
    """The turn in which the last move of `record` was undone."""
    after = turn_of(record)
    *kept, last = after.position.record.moves
    before = turn_of(replace(after.position.record, moves=tuple(kept)), TurnAction.UNDONE)
    return replace(before, moves=(last,), table_before=after.table)


def finished(outcome: str, key: str) -> Record:
    """A recorded game of that kind that ended so."""
    for line in PLAYTHROUGHS.read_text("utf-8").splitlines()[1:]:
        how, _, text = line.split("\t")
        if how == outcome and text.startswith(f"{key}/") and " " in text:
            return Record.parse(text)
    raise LookupError(outcome, key)


def commands_named_in(text: str) -> set[str]:
    """The commands that a sentence tells its reader to type."""
    return set(re.findall(r"`/([^\s`]+)", text))


@pytest.fixture
def client(tmp_path: Path) -> BotClient:
    """The bot, not started."""
    return build_client(Config(database_url=f"sqlite:///{tmp_path}/games.sqlite3"))
