"""A store in which much is kept: user 1 and friends, whose part is always the same, among many others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple

from bot.storage import Status, StoredGame

DAYS = tuple(f"2026-{month:02}-{day:02}" for month in range(1, 13) for day in range(1, 29))
TODAY, TOMORROW = DAYS[-1], "2026-12-29"
NOW_MS = 1_800_000_000_000
DAY_MS = 86_400_000

SERVER = 500
FRIENDS = range(1, 21)  # the players of that server; they challenge one another too
OWN_GAMES = 40  # of each friend; the last one is today's daily game, and still going
CHALLENGE = 1  # an open one, made by user 1, in which the first ten friends play
NAMED, OPEN = 2, 3  # challenges in which user 1 is named, and has no part yet

_GAME = (
    "id, owner_id, record, undone, revision, status, score, last_request, created_ms, updated_ms, day,"
    " challenge_id, is_copy, won_record"
)

Rows = Iterable[tuple[object, ...]]

_ENDED = [status for status in Status if status is not Status.PLAYING]


def game_of(owner: int, number: int) -> StoredGame:
    """The owner's game of that number, from 0, as it stands in the store."""
    is_daily, is_last = number % 4 == 3, number == OWN_GAMES - 1
    is_going = is_last or number % 10 == 0
    day = (TODAY if is_last else DAYS[number]) if is_daily else ""
    return StoredGame(
        id=owner * OWN_GAMES + number,
        owner_id=owner,
        record=f"acesup/standard/{number} s-t s-t",
        undone="",
        revision=0,
        status=Status.PLAYING if is_going else _ENDED[number % len(_ENDED)],
        score=number % 49,
        request_id=number,
        created_ms=NOW_MS - number,
        updated_ms=NOW_MS - owner * OWN_GAMES - number,
        day=day,
        challenge_id=CHALLENGE if owner <= 10 and number == 0 else 0,
    )


def _games(users: Sequence[int]) -> Rows:
    for owner in users:
        for number in range(OWN_GAMES):
            yield (*astuple(game_of(owner, number))[:12], 0, "")


def _results(users: Sequence[int]) -> Rows:
    for user in users:
        for number in range(OWN_GAMES):
            game = game_of(user, number)
            if game.day and game.status is not Status.PLAYING:
                yield (game.day, user, game.id, game.score, 1)
    for user in users:
        if user != 1:
            yield (TODAY, user, game_of(user, OWN_GAMES - 1).id, user % 49, 1)


def _channels(users: Sequence[int]) -> Rows:
    """Today's post is done everywhere but in two servers: one has none yet, in one it came to nothing."""
    for user in users:
        day, is_done = (DAYS[-2], 1) if user == 1 else (TODAY, 0 if user == 2 else 1)
        yield (user, user, "no", user, day, NOW_MS - 60_000, is_done, "")


def _challenges(users: Sequence[int]) -> Rows:
    for user in users:
        yield (user, "acesup/standard/0", 1 if user == NAMED else user, 1, 1, "no", user != NAMED, NOW_MS)


def _challenge_players(users: Sequence[int]) -> Rows:
    for user in users:
        if user > 10:
            yield (user, user, 0, 1)
    for place in range(1, 11):
        yield (CHALLENGE, place, game_of(place, 0).id, place)
    yield (NAMED, 1, 0, 1)


def crowd(others: int) -> Mapping[str, tuple[str, list[tuple[object, ...]]]]:
    """Columns and rows of every table, in an order that foreign keys allow."""
    users = [*FRIENDS, *range(1_000, 1_000 + others)]
    some = users[:5]
    in_servers = [(SERVER if user in FRIENDS else user, user) for user in users]
    tables: dict[str, tuple[str, Rows]] = {
        "games": (_GAME, _games(users)),
        "players": ("user_id, current_game", [(user, game_of(user, 0).id) for user in users]),
        "live_tables": (
            "game_id, channel_id, message_id, remains",
            [(game_of(user, number).id, 1, 1, "") for user in users for number in range(3)],
        ),
        "memory": ("key, value", [(f"daily-seed:{user}", "x") for user in users]),
        "settings": (
            "user_id, language, is_private, as_text, four_colours, large_index, is_hidden, tells_lost",
            [(user, "no", 0, 0, 0, 0, 0, 0) for user in users],
        ),
        "daily_results": ("day, user_id, game_id, score, is_listed", _results(users)),
        "daily_marks": ("day, mark", [(DAYS[0], f"mark-{user}") for user in some]),
        "server_players": ("server_id, user_id", in_servers),
        "daily_channels": (
            "server_id, channel_id, language, chosen_by, day, begun_ms, is_done, trouble",
            _channels(users),
        ),
        "challenges": (
            "id, deal, creator_id, channel_id, message_id, language, is_open, created_ms",
            _challenges(users),
        ),
        "challenge_players": ("challenge_id, user_id, game_id, place", _challenge_players(users)),
        "winnable_deals": (
            "game, rules, number, line",
            [("acesup", "standard" if user in FRIENDS else "cell", user, "s-t") for user in users],
        ),
    }
    return {table: (columns, list(rows)) for table, (columns, rows) in tables.items()}
