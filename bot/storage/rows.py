"""Rows of the tables that all stores have, and the dataclasses that they are: in one order of columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from bot.storage.base import NewGame, Settings, Status, StoredGame
from bot.storage.boards import Standing
from bot.storage.social import Challenge, DailyChannel, Participant, Played

Row = Sequence[Any]

GAME = (
    "id, owner_id, record, undone, revision, status, score, last_request, created_ms, updated_ms,"
    " day, challenge_id, is_copy, won_record"
)
SETTINGS = "language, is_private, as_text, four_colours, large_index, is_hidden, tells_lost"
RESULT = "day, user_id, game_id, score"
CHALLENGE = "id, deal, creator_id, channel_id, message_id, language, is_open, created_ms"
CHANNEL = "server_id, channel_id, language, chosen_by, day, begun_ms, is_done, trouble"
MOVES = "length(record) - length(replace(record, ' ', ''))"  # how many a record has
IS_STARTED = f"({MOVES} > 0 OR undone <> '' OR won_record <> '')"

MAX_BEST = 25
# A post that was begun and of which nothing is noted is begun once more, in this time.
RECLAIM_FROM_MS = 20_000
RECLAIM_UNTIL_MS = 120_000


def game_of(row: Row | None) -> StoredGame | None:
    """Return the game that a row of ``GAME`` columns is."""
    if row is None:
        return None
    columns = list(row)
    columns[5] = Status(columns[5])
    columns[12] = bool(columns[12])
    return StoredGame(*columns)


def newly_dealt(new: NewGame, game_id: int) -> StoredGame:
    """Return a new game as it is kept under its id."""
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


def games_of(rows: Iterable[Row]) -> list[StoredGame]:
    """Return the games that rows of ``GAME`` columns are."""
    return [game for game in map(game_of, rows) if game]


def settings_of(row: Row | None) -> Settings:
    """Return the settings that a row of ``SETTINGS`` columns is, or the defaults."""
    return Settings() if row is None else Settings(row[0], *map(bool, row[1:]))


def challenge_of(row: Row) -> Challenge:
    """Return the challenge that a row of ``CHALLENGE`` columns is, without its entrants."""
    challenge = Challenge(*row)
    return replace(challenge, is_open=bool(challenge.is_open))


def participant_of(row: Row) -> Participant:
    """Return the entrant that a row of user, game, status, score and number of moves is."""
    user_id, game_id, status, *rest = row
    return Participant(user_id, game_id, Status(status), *rest)


def channel_of(row: Row | None) -> DailyChannel | None:
    """Return the channel that a row of ``CHANNEL`` columns is."""
    if row is None:
        return None
    channel = DailyChannel(*row)
    return replace(channel, is_done=bool(channel.is_done))


def played_of(row: Row) -> Played:
    """Return a game in short that a row of its seven columns is."""
    game_id, deal, status, score, day, *flags = row
    return Played(game_id, deal, Status(status), score, day, *map(bool, flags))


def ranked(rows: Iterable[Row]) -> tuple[Standing, ...]:
    """Give ranks to rows of user, score and days, best first: the same for the same score, then a gap."""
    standings: list[Standing] = []
    for place, (user_id, score, days) in enumerate(rows, start=1):
        rank = standings[-1].rank if standings and standings[-1].score == score else place
        standings.append(Standing(user_id, rank, score, days))
    return tuple(standings)
