"""The users' games as they stand: which is current, who owns it, how it is shown."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from bot.clock import Clock
from bot.service.analysis.best_scores import BestScores
from bot.service.analysis.solver_pool import NullSolverPool, SolverPool
from bot.service.contests import Contests
from bot.service.daily.daily import Daily
from bot.service.errors import NoGame, NoSuchGame, NotYours
from bot.service.games.requests import Request, RequestLog
from bot.service.position_cache import PositionCache
from bot.service.turn import Turn, TurnAction
from bot.storage import Status, Store, StoredGame
from bot.telemetry.trace import note_game

MAX_LISTED_GAMES = 25


class OngoingGames:
    """Games over one store. ``on_turn`` is told of every turn once it is stored, and of every hint."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        *,
        daily: Daily | None = None,
        solvers: SolverPool | None = None,
        on_turn: Callable[[Turn], object] = lambda _: None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._daily = daily or Daily(store, clock)
        self._solvers = solvers or NullSolverPool()
        self._contests = Contests(store, clock)
        self.best_scores = BestScores(self._solvers, self._daily, self._contests)
        self._on_turn = on_turn
        self._positions = PositionCache()
        self._requests = RequestLog(self.newest)

    async def show(self, request: Request) -> Turn:
        """Return the game as it stands.

        :raises NoGame: when the user has none.
        :raises NoSuchGame: when there is none of that id.
        :raises NotYours: when it is somebody else's.
        """
        return await self.best_scores.annotated(self._turn(TurnAction.SHOWN, await self._load(request)))

    async def newest(self, turn: Turn) -> Turn:
        """Return ``turn`` itself, or its game as it stands if that has moved on since.

        :raises NoSuchGame: when it was deleted since.
        """
        game = await self._store.load_game(turn.game.id)
        if game is None:
            raise NoSuchGame
        if game.revision == turn.game.revision:
            return turn
        return await self.best_scores.annotated(self._turn(TurnAction.SHOWN, game))

    async def unfinished(self, user_id: int) -> Sequence[StoredGame]:
        """Return the user's unfinished games, last played first, at most ``MAX_LISTED_GAMES``."""
        games = await self._store.unfinished_games(user_id, MAX_LISTED_GAMES)
        return [game for game in games if not (game.day and self._daily.is_over(game.day))]

    async def resume(self, request: Request) -> Turn:
        """Make the game that the request names the user's current one.

        :raises NoSuchGame: when there is none of that id.
        :raises NotYours: when it is somebody else's.
        """
        earlier = await self.current(request.user_id)
        game = await self._load(request)
        await self._store.make_current(game.id)
        set_aside = if_playing(earlier) if earlier and earlier.id != game.id else None
        return await self.best_scores.annotated(self._turn(TurnAction.RESUMED, game, set_aside=set_aside))

    async def current(self, user_id: int) -> StoredGame | None:
        """Return the user's current game, finished or not; a daily game of a past day is settled first."""
        game = await self._store.current_game(user_id)
        return game and await self._daily.settled(game)

    async def _load(self, request: Request) -> StoredGame:
        """Return the game that a request is about.

        :raises NoGame: when the user has none.
        :raises NoSuchGame: when there is none of that id.
        :raises NotYours: when it is somebody else's.
        """
        if request.game_id is None:
            game = await self._store.current_game(request.user_id)
        else:
            game = await self._store.load_game(request.game_id)
        if game is None:
            raise NoGame if request.game_id is None else NoSuchGame
        note_game(game.id)
        if game.owner_id != request.user_id:
            raise NotYours(self._turn(TurnAction.SHOWN, game))
        return await self._daily.settled(game)

    async def _once(self, request: Request, work: Callable[[], Coroutine[Any, Any, Turn]]) -> Turn:
        """Do what a request asks for once, however often it is delivered."""

        async def noted() -> Turn:
            turn = await work()
            note_game(turn.game.id)
            self._on_turn(turn)
            return turn

        return await self._requests.once(request, noted)

    def _moved_on(self, game_id: int) -> None:
        """Called when a game has a new revision."""

    def _turn(self, action: TurnAction, game: StoredGame, **more: Any) -> Turn:
        """Return the game as it stands, with its last move."""
        position = self._positions.of(game.record)
        return Turn(
            action,
            game,
            position,
            moves=position.record.moves[-1:],
            table_before=position.before,
            ends_ms=self._ends_ms(game),
            has_daily_cards=self._daily.is_of_today(position.record.seed),
            **more,
        )

    def _ends_ms(self, game: StoredGame) -> int:
        return self._daily.ends_ms(game.day) if game.day else 0


def if_playing(game: StoredGame | None) -> StoredGame | None:
    """Return the game if it has not ended."""
    return game if game and game.status is Status.PLAYING else None
