"""The service over a real store and a clock of the test's own, and players who use it."""

from __future__ import annotations

import itertools
import os
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import pytest_asyncio

from bot.service import GameService, Position, Request, Services, Turn
from bot.storage import NewGame, Status, Store, StoredGame, open_store
from engine import Outcome, Record
from tests.postgres import schema
from tests.thinking import Thinker

PLAYTHROUGHS = Path(__file__).resolve().parents[1] / "engine" / "data" / "playthroughs.tsv"

STATUS = {None: Status.PLAYING, Outcome.WON: Status.WON, Outcome.OVER: Status.OVER}


class Clock:
    """Goes on by a second each time it is read."""

    def __init__(self, now_ms: int = 1_700_000_000_000) -> None:
        self.now_ms = now_ms

    def __call__(self) -> int:
        self.now_ms += 1_000
        return self.now_ms


@dataclass
class Player:
    """A user whose every request has an id of its own, unless the test sets one."""

    play: GameService
    store: Store
    user_id: int
    ids: Iterator[int] = field(default_factory=lambda: itertools.count(1_000))

    def request(
        self, *, same: int | None = None, game_id: int | None = None, revision: int | None = None
    ) -> Request:
        """A new request, or the `same` one once more."""
        return Request(self.user_id, next(self.ids) if same is None else same, game_id, revision)

    async def new(self, game: str | None = None, rules: str | None = None, seed: str | None = None) -> Turn:
        return await self.play.new(self.request(), game=game, rules=rules, seed=seed)

    async def move(self, text: str, **about: int) -> Turn:
        return await self.play.move(self.request(**about), text)

    async def draw(self, **about: int) -> Turn:
        return await self.play.draw(self.request(**about))

    async def discard(self, pile: str | None = None, **about: int) -> Turn:
        return await self.play.discard(self.request(**about), pile)

    async def discard_all(self, **about: int) -> Turn:
        return await self.play.discard_all(self.request(**about))

    async def finish(self, **about: int) -> Turn:
        return await self.play.finish(self.request(**about))

    async def hint(self, **about: int) -> Turn:
        return await self.play.hint(self.request(**about))

    async def undo(self, **about: int) -> Turn:
        return await self.play.undo(self.request(**about))

    async def redo(self, **about: int) -> Turn:
        return await self.play.redo(self.request(**about))

    async def give_up(self, **about: int) -> Turn:
        return await self.play.give_up(self.request(**about))

    async def show(self, **about: int) -> Turn:
        return await self.play.show(self.request(**about))

    async def resume(self, game_id: int) -> Turn:
        return await self.play.resume(self.request(game_id=game_id))

    async def unfinished(self) -> list[int]:
        return [game.id for game in await self.play.unfinished(self.user_id)]

    async def holds(self, record: Record) -> StoredGame:
        """Puts a game into the store as if the player had come this far."""
        position = Position.of(record)
        return await self.store.create_game(
            NewGame(
                owner_id=self.user_id,
                record=str(record),
                status=STATUS[position.outcome],
                score=position.table.score,
                request_id=next(self.ids),
                now_ms=1,
            )
        )


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest_asyncio.fixture
async def database_url(tmp_path: Path, request: pytest.FixtureRequest) -> AsyncIterator[str]:
    """An SQLite file; with TEST_STORE=postgres, which is a proof of its own, a PostgreSQL database."""
    if os.environ.get("TEST_STORE") != "postgres":
        yield f"sqlite:///{tmp_path / 'games.sqlite3'}"
        return
    async with schema(request.getfixturevalue("postgres_url")) as url:
        yield url


@pytest_asyncio.fixture
async def store(database_url: str) -> AsyncIterator[Store]:
    store = open_store(database_url)
    await store.open()
    yield store
    await store.close()


@pytest.fixture
def thinker() -> Thinker:
    return Thinker()


@pytest.fixture
def services(store: Store, clock: Clock, thinker: Thinker) -> Services:
    return Services.over(store, clock, solvers=thinker)


@pytest.fixture
def play(services: Services) -> GameService:
    return services.games


@pytest.fixture
def ada(play: GameService, store: Store) -> Player:
    return Player(play, store, 1)


@pytest.fixture
def ola(play: GameService, store: Store) -> Player:
    return Player(play, store, 2, itertools.count(2_000))


def finished(outcome: str, key: str) -> Record:
    """A recorded game of that kind that ended so, with at least two moves."""
    for line in PLAYTHROUGHS.read_text("utf-8").splitlines()[1:]:
        how, _, text = line.split("\t")
        if how == outcome and text.startswith(f"{key}/") and text.count(" ") >= 2:
            return Record.parse(text)
    raise LookupError(outcome, key)
