"""Dataclasses from rows: columns are read by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from bot.storage.models import (
    Challenge,
    DailyChannel,
    DailyResult,
    NewGame,
    Participant,
    Played,
    Settings,
    Standing,
    Status,
    StoredGame,
)


class Row(Protocol):
    """A row of either database: ``sqlite3.Row`` or ``asyncpg.Record``."""

    def __getitem__(self, key: Any, /) -> Any:
        """Return a column by its name or its number."""


GAME = (
    "id, owner_id, record, undone, revision, status, score, last_request, created_ms, updated_ms,"
    " day, challenge_id, is_copy, won_record"
)
SETTINGS = "language, is_private, as_text, four_colours, large_index, is_hidden, tells_lost"
RESULT = "day, user_id, game_id, score"
CHALLENGE = "id, deal, creator_id, channel_id, message_id, language, is_open, created_ms"
CHANNEL = "server_id, channel_id, language, chosen_by, day, begun_ms, is_done, trouble"


def game_of(row: Row | None) -> StoredGame | None:
    """Return the game in a row of ``GAME`` columns."""
    if row is None:
        return None
    return StoredGame(
        id=row["id"],
        owner_id=row["owner_id"],
        record=row["record"],
        undone=row["undone"],
        revision=row["revision"],
        status=Status(row["status"]),
        score=row["score"],
        request_id=row["last_request"],
        created_ms=row["created_ms"],
        updated_ms=row["updated_ms"],
        day=row["day"],
        challenge_id=row["challenge_id"],
        is_copy=bool(row["is_copy"]),
        won_record=row["won_record"],
    )


def games_of(rows: Iterable[Row]) -> list[StoredGame]:
    """Return the games in rows of ``GAME`` columns."""
    return [game for game in map(game_of, rows) if game]


def newly_dealt(new: NewGame, game_id: int) -> StoredGame:
    """Return a new game as it is stored under its id."""
    return StoredGame(
        id=game_id,
        owner_id=new.owner_id,
        record=new.record,
        undone="",
        revision=0,
        status=new.status,
        score=new.score,
        request_id=new.request_id,
        created_ms=new.now_ms,
        updated_ms=new.now_ms,
        day=new.day,
        challenge_id=new.challenge_id,
        is_copy=new.is_copy,
    )


def game_values(game: StoredGame) -> tuple[Any, ...]:
    """Return a game's values in the order of ``GAME``."""
    head = (game.id, game.owner_id, game.record, game.undone, game.revision, game.status, game.score)
    times = (game.request_id, game.created_ms, game.updated_ms)
    return (*head, *times, game.day, game.challenge_id, game.is_copy, game.won_record)


def settings_of(row: Row | None) -> Settings:
    """Return the settings in a row of ``SETTINGS`` columns; the defaults if there is none."""
    if row is None:
        return Settings()
    return Settings(
        language=row["language"],
        is_private=bool(row["is_private"]),
        as_text=bool(row["as_text"]),
        four_colours=bool(row["four_colours"]),
        large_index=bool(row["large_index"]),
        is_hidden=bool(row["is_hidden"]),
        tells_lost=bool(row["tells_lost"]),
    )


def result_of(row: Row) -> DailyResult:
    """Return the result in a row of ``RESULT`` columns."""
    return DailyResult(row["day"], row["user_id"], row["game_id"], row["score"])


def challenge_of(row: Row) -> Challenge:
    """Return the challenge in a row of ``CHALLENGE`` columns, without its participants."""
    return Challenge(
        id=row["id"],
        deal=row["deal"],
        creator_id=row["creator_id"],
        channel_id=row["channel_id"],
        message_id=row["message_id"],
        language=row["language"],
        is_open=bool(row["is_open"]),
        created_ms=row["created_ms"],
    )


def participant_of(row: Row) -> Participant:
    """Return the participant in a row of user_id, game_id, status, score and moves."""
    return Participant(row["user_id"], row["game_id"], Status(row["status"]), row["score"], row["moves"])


def channel_of(row: Row | None) -> DailyChannel | None:
    """Return the channel in a row of ``CHANNEL`` columns."""
    if row is None:
        return None
    return DailyChannel(
        server_id=row["server_id"],
        channel_id=row["channel_id"],
        language=row["language"],
        chosen_by=row["chosen_by"],
        day=row["day"],
        begun_ms=row["begun_ms"],
        is_done=bool(row["is_done"]),
        trouble=row["trouble"],
    )


def played_of(row: Row) -> Played:
    """Return the summary of a game in a row of id, deal, status, score, day, is_started, is_won, is_copy."""
    return Played(
        game_id=row["id"],
        deal=row["deal"],
        status=Status(row["status"]),
        score=row["score"],
        day=row["day"],
        is_started=bool(row["is_started"]),
        is_won=bool(row["is_won"]),
        is_copy=bool(row["is_copy"]),
    )


def ranked(standings: Iterable[tuple[int, int, int]]) -> tuple[Standing, ...]:
    """Give ranks to triples of user, score and days, best first: equal scores share a rank, then a gap."""
    found: list[Standing] = []
    for place, (user_id, score, days) in enumerate(standings, start=1):
        rank = found[-1].rank if found and found[-1].score == score else place
        found.append(Standing(user_id, rank, score, days))
    return tuple(found)
