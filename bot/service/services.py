"""All services over one store, made together because they know of one another."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, tzinfo

from bot.clock import Clock
from bot.service.analysing import Analysing
from bot.service.bests import Bests
from bot.service.boards import Boards
from bot.service.challenges import Challenges
from bot.service.comparing import Comparing
from bot.service.daily import Daily
from bot.service.days import Calendar
from bot.service.own_data import OwnData
from bot.service.play import GameService
from bot.service.posts import Posts
from bot.service.rate_limits import LIMITS, Cost, Limit, RateLimiter
from bot.service.retention import Retention
from bot.service.sharing import Sharing
from bot.service.solver_pool import NullSolverPool, SolverPool
from bot.service.stats import Stats
from bot.service.top_up import TopUp
from bot.service.turn import Turn
from bot.service.winnable import Winnable
from bot.storage import Alone, Store


@dataclass(frozen=True, slots=True)
class Services:
    """What users can ask for, and how one process of several does alone what concerns all."""

    games: GameService
    daily: Daily
    boards: Boards
    posts: Posts
    stats: Stats
    own_data: OwnData
    challenges: Challenges
    sharing: Sharing
    comparing: Comparing
    solvers: SolverPool
    bests: Bests
    analysing: Analysing
    winnable: Winnable
    top_up: TopUp
    rate_limiter: RateLimiter
    retention: Retention
    alone: Alone

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

        Without ``brains`` nothing is thought out: hints are plain ones, and no best score is known. With no
        ``limits`` every user may ask for as much as they like. ``on_turn`` is told of every turn once it is
        stored, and of every hint. Unfinished games are ended after ``retention_days`` without a move; where
        that is None, never.
        """
        solvers = solvers or NullSolverPool()
        daily = Daily(store, clock, Calendar(zone), secret)
        winnable = Winnable(store)
        play = GameService(store, clock, daily=daily, solvers=solvers, winnable=winnable, on_turn=on_turn)
        challenges = Challenges(store, clock, daily, play)
        return cls(
            games=play,
            daily=daily,
            boards=Boards(store, daily),
            posts=Posts(store, clock, daily),
            stats=Stats(store, daily),
            own_data=OwnData(store, daily),
            challenges=challenges,
            sharing=Sharing(challenges),
            comparing=Comparing(store, play),
            solvers=solvers,
            bests=play.bests,
            analysing=Analysing(play.bests, challenges, solvers),
            winnable=winnable,
            top_up=TopUp(winnable, solvers, store.alone),
            rate_limiter=RateLimiter(clock, limits),
            retention=Retention(store, clock, retention_days),
            alone=store.alone,
        )
