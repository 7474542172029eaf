"""All services over one store, made together because they know of one another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, tzinfo

from bot.clock import Clock
from bot.service.analysis.analyses import Analyses
from bot.service.analysis.best_scores import BestScores
from bot.service.analysis.solver_pool import NullSolverPool, SolverPool
from bot.service.challenges.challenges import Challenges
from bot.service.challenges.comparing import Comparing
from bot.service.challenges.sharing import Sharing
from bot.service.contests import Contests
from bot.service.daily.boards import Boards
from bot.service.daily.calendar import Calendar
from bot.service.daily.daily import Daily
from bot.service.daily.posts import Posts
from bot.service.games.live_tables import LiveTables
from bot.service.games.service import GameService
from bot.service.games.top_up import TopUp
from bot.service.games.winnable import Winnable
from bot.service.players.own_data import OwnData
from bot.service.players.settings import SettingsService
from bot.service.players.stats import Stats
from bot.service.rate_limits import LIMITS, Cost, Limit, RateLimiter
from bot.service.retention import Retention
from bot.service.turn import Turn
from bot.storage import Lock, Store


@dataclass(frozen=True, slots=True)
class Services:
    """What users can ask for, and what runs in the background."""

    games: GameService
    live_tables: LiveTables
    settings: SettingsService
    daily: Daily
    boards: Boards
    posts: Posts
    stats: Stats
    own_data: OwnData
    challenges: Challenges
    sharing: Sharing
    comparing: Comparing
    solvers: SolverPool
    best_scores: BestScores
    analyses: Analyses
    winnable: Winnable
    top_up: TopUp
    rate_limiter: RateLimiter
    retention: Retention
    lock: Lock

    @classmethod
    def over(
        cls,
        store: Store,
        clock: Clock,
        zone: tzinfo = UTC,
        secret: str = "",
        solvers: SolverPool | None = None,
        limits: Mapping[Cost, Limit] = LIMITS,
        on_turn: Callable[[Turn], object] = lambda _: None,
        retention_days: int | None = None,
    ) -> Services:
        """Return the services over a store, with days of ``zone`` whose seeds are made with ``secret``.

        Without ``solvers`` hints follow rules of thumb, and no best score is known. Without ``limits`` users
        may ask for as much as they like. ``on_turn`` is called with every turn once it is stored, and with
        every hint. Unfinished games are ended after ``retention_days`` without a move, if that is given.
        """
        solvers = solvers or NullSolverPool()
        daily = Daily(store, clock, Calendar(zone), secret)
        winnable = Winnable(store)
        contests = Contests(store, clock)
        games = GameService(store, clock, daily=daily, solvers=solvers, winnable=winnable, on_turn=on_turn)
        challenges = Challenges(store, clock, daily, games)
        return cls(
            games=games,
            live_tables=LiveTables(store),
            settings=SettingsService(store),
            daily=daily,
            boards=Boards(store, daily),
            posts=Posts(store, clock, daily),
            stats=Stats(store, daily),
            own_data=OwnData(store, daily),
            challenges=challenges,
            sharing=Sharing(contests),
            comparing=Comparing(store, games),
            solvers=solvers,
            best_scores=games.best_scores,
            analyses=Analyses(games.best_scores, contests, solvers),
            winnable=winnable,
            top_up=TopUp(winnable, solvers, store.lock),
            rate_limiter=RateLimiter(clock, limits),
            retention=Retention(store, clock, retention_days),
            lock=store.lock,
        )
