"""All that is kept of one user: to be read, and to be deleted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from typing import Any

from bot.service.daily import Daily
from bot.storage import Challenge, DailyChannel, LiveTable, Status, Store, StoredGame
from engine import Record

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
            "current_game": str(current.id) if current else None,
            "games": await self._games(user_id),
            "daily_results": [
                {"day": result.day, "game": str(result.game_id), "score": result.score}
                for result in await self._store.results_of(user_id)
            ],
            "challenges": [
                await self._challenge(challenge.id, user_id)
                for challenge in await self._store.challenges_of(user_id)
            ],
            "servers": [str(server_id) for server_id in await self._store.servers_of(user_id)],
            "daily_channels": [
                _channel(channel) for channel in await self._store.channels_chosen_by(user_id)
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
        own = [entrant for entrant in challenge.entrants if entrant.user_id == user_id]
        is_secret = not own or own[0].status is Status.PLAYING
        return {
            "id": str(challenge.id),
            "deal": _without_seed(challenge.deal) if is_secret else challenge.deal,
            "is_yours": challenge.creator_id == user_id,
            "your_place": challenge.entrants.index(own[0]) + 1 if own else None,
            "your_game": str(own[0].game_id) if own and own[0].game_id else None,
            **_place(challenge),
            "language": challenge.language,
            "is_open": challenge.is_open,
            "created": _time(challenge.created_ms),
        }


def _game(game: StoredGame, tables: Mapping[int, LiveTable]) -> dict[str, Any]:
    is_secret = game.is_contest and game.status is Status.PLAYING
    table = tables.get(game.id)
    return {
        "id": str(game.id),
        "record": _without_seed(game.record) if is_secret else game.record,
        "undone": game.undone,
        "won_record": game.won_record,
        "status": str(game.status),
        "score": game.score,
        "day": game.day,
        "challenge": str(game.challenge_id) if game.challenge_id else None,
        "is_copy": game.is_copy,
        "revision": game.revision,
        "last_request": str(game.request_id),
        "created": _time(game.created_ms),
        "updated": _time(game.updated_ms),
        "table": None if table is None else {**_place(table), "remains": table.remains},
    }


def _place(place: Challenge | LiveTable) -> dict[str, str]:
    return {"channel": str(place.channel_id), "message": str(place.message_id)}


def _channel(channel: DailyChannel) -> dict[str, Any]:
    return {
        "server": str(channel.server_id),
        "channel": str(channel.channel_id),
        "language": channel.language,
        "last_post": {
            "day": channel.day,
            "begun": _time(channel.begun_ms) if channel.begun_ms else None,
            "is_done": channel.is_done,
            "trouble": channel.trouble,
        },
    }


def _without_seed(text: str) -> str:
    """Return a record with a question mark for its seed, which no record that can be read has."""
    record = Record.parse(text)
    head = str(replace(record, seed="x", moves=())).removesuffix("x")
    return " ".join((f"{head}?", *map(str, record.moves)))


def _time(ms: int) -> str:
    return datetime.fromtimestamp(ms / 1000, UTC).isoformat(timespec="milliseconds")
