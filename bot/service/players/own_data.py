"""All that is kept of one user: to be read, and to be deleted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from bot.service.daily.daily import Daily
from bot.storage import LiveTable, Status, Store, StoredGame
from engine import Record

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_BATCH = 500


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was deleted; ``daily_ends_ms`` is when the day is over whose attempt stays used, or 0."""

    games: int
    daily_ends_ms: int


class OwnData:
    """The service over one store."""

    def __init__(self, store: Store, daily: Daily) -> None:
        self._store = store
        self._daily = daily

    async def games(self, user_id: int) -> int:
        """Return how many games are kept of the user."""
        return len(await self._store.played(user_id))

    async def export(self, user_id: int) -> dict[str, Any]:
        """Return all that is kept of the user, ready for JSON: ids as texts, times as ISO 8601 in UTC.

        The seed of a deal that others play too is left out as long as the user has not finished it: nobody
        may know it then.
        """
        await self._daily.settle_all()
        current = await self._store.current_game(user_id)
        return {
            "user_id": str(user_id),
            "settings": asdict(await self._store.load_settings(user_id)),
            "current_game_id": _id(current.id) if current else None,
            "games": await self._games(user_id),
            "daily_results": [_ready(result, "user_id") for result in await self._store.results_of(user_id)],
            "challenges": [
                await self._challenge(challenge.id, user_id)
                for challenge in await self._store.challenges_of(user_id)
            ],
            "servers": [str(server_id) for server_id in await self._store.servers_of(user_id)],
            "daily_channels": [
                _ready(channel, "chosen_by") for channel in await self._store.channels_chosen_by(user_id)
            ],
        }

    async def forget(self, user_id: int) -> Forgotten:
        """Delete all that is kept of the user; today's attempt at the daily game stays used."""
        day = self._daily.today
        games = await self.games(user_id)
        had_daily = await self._store.daily_game(user_id, day) is not None
        await self._store.forget(user_id, day, await self._daily.mark(user_id, day))
        return Forgotten(games, self._daily.ends_ms(day) if had_daily else 0)

    async def _games(self, user_id: int) -> list[dict[str, Any]]:
        tables = await self._store.tables_of(user_id)
        games: list[dict[str, Any]] = []
        last = 0
        while batch := await self._store.games_of(user_id, last, _BATCH):
            games += [_game(game, tables) for game in batch]
            last = batch[-1].id
        return games

    async def _challenge(self, challenge_id: int, user_id: int) -> dict[str, Any]:
        challenge = await self._store.load_challenge(challenge_id)
        if challenge is None:  # challenges are never deleted
            raise LookupError(challenge_id)
        own = [entrant for entrant in challenge.participants if entrant.user_id == user_id]
        is_secret = not own or own[0].status is Status.PLAYING
        return _ready(challenge, "creator_id", "participants") | {
            "deal": _without_seed(challenge.deal) if is_secret else challenge.deal,
            "is_yours": challenge.creator_id == user_id,
            "your_place": challenge.participants.index(own[0]) + 1 if own else None,
            "your_game_id": _id(own[0].game_id) if own else None,
        }


def _game(game: StoredGame, tables: Mapping[int, LiveTable]) -> dict[str, Any]:
    is_secret = game.is_contest and game.status is Status.PLAYING
    table = tables.get(game.id)
    return _ready(game, "owner_id") | {
        "record": _without_seed(game.record) if is_secret else game.record,
        "table": _ready(table, "content_json") | {"remains": table.content_json} if table else None,
    }


def _ready(kept: DataclassInstance, *left_out: str) -> dict[str, Any]:
    """Return the fields of what is kept, but for those ``left_out``, as an export has them."""
    ready: dict[str, Any] = {}
    for field in fields(kept):
        name, value = field.name, getattr(kept, field.name)
        if name in left_out:
            continue
        if name.endswith("_ms"):
            ready[name.removesuffix("_ms")] = _time(value)
        elif name == "id" or name.endswith("_id"):
            ready[name] = _id(value)
        else:
            ready[name] = value
    return ready


def _id(number: int) -> str | None:
    return str(number) if number else None


def _time(ms: int) -> str | None:
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds") if ms else None


def _without_seed(text: str) -> str:
    """Return a record with a question mark for its seed, which no record that can be read has."""
    record = Record.parse(text)
    head = str(replace(record, seed="x", moves=())).removesuffix("x")
    return " ".join((f"{head}?", *map(str, record.moves)))
