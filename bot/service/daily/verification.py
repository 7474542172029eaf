"""Whether the boards are true: every stored result, played through again from its record."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from bot.service.daily.daily import Daily, result_of
from bot.storage import DailyResult, Status, Store, StoredGame
from engine import Record, SolitaireError

_BATCH = 500


@dataclass(slots=True)
class Proof:
    """How many results were looked at, how many of them have no player any more, and what is wrong."""

    results: int = 0
    forgotten: int = 0
    problems: list[str] = field(default_factory=list)


async def prove(store: Store, daily: Daily) -> Proof:
    """Play every game on the boards through again, compare scores, and look for games that are missing."""
    proof = Proof()
    async for result in _results(store):
        proof.results += 1
        if result.user_id < 0:  # deleted on their wish; the row itself goes with its day
            proof.forgotten += 1
            continue
        problem = await _problem(result, await store.load_game(result.game_id), daily)
        if problem:
            proof.problems.append(f"{result.day}, user {result.user_id}, game {result.game_id}: {problem}")
    async for game in _without_result(store):
        if _is_missed(game):
            proof.problems.append(f"{game.day}, user {game.owner_id}, game {game.id}: it is not on the board")
    return proof


async def _results(store: Store) -> AsyncIterator[DailyResult]:
    day, user_id = "", 0
    while rows := await store.results_after(day, user_id, _BATCH):
        for row in rows:
            yield row
        day, user_id = rows[-1].day, rows[-1].user_id


async def _without_result(store: Store) -> AsyncIterator[StoredGame]:
    after = 0
    while games := await store.without_result(after, _BATCH):
        for game in games:
            yield game
        after = games[-1].id


def _is_missed(game: StoredGame) -> bool:
    """Return whether an ended game should have a result; one with a broken record can't have any."""
    try:
        return result_of(game) is not None
    except SolitaireError:
        return False


async def _problem(result: DailyResult, game: StoredGame | None, daily: Daily) -> str:
    """Return what is wrong with a result, or nothing."""
    if game is None:
        return "there is no such game"
    if (game.owner_id, game.day) != (result.user_id, result.day):
        return f"the game is that of user {game.owner_id}, of {game.day or 'no day'}"
    if result.day > daily.today:
        return "the day has not come yet"
    if game.status is Status.PLAYING:
        return "the game is not finished"
    try:
        record, proved = Record.parse(game.record), result_of(game)
    except SolitaireError as error:
        return f"the record breaks the rules ({error})"
    if record.code != (await daily.record(result.day)).code:
        return f"the game was not dealt as that day's ({record.code})"
    if proved is None:
        return "no move was made"
    if proved.score != result.score:
        return f"the board says {result.score}, the record {proved.score}"
    best = await daily.best(result.day)
    if best is not None and result.score > best.upper_bound:
        return f"{result.score} is more than the best possible, {best.upper_bound}: a fault of the program"
    return ""
