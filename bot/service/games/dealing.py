"""Dealing: by game and rules, by code, the daily game, and somebody else's cards."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from bot.clock import Clock
from bot.service.analysis.solver_pool import SolverPool
from bot.service.daily.daily import Daily
from bot.service.errors import DailyAlreadyPlayed, DailyFirst, NoSuchGame, SeedWithWinnable, ShareLater
from bot.service.games.codes import play_words, read_code
from bot.service.games.deal import new_record
from bot.service.games.ongoing import OngoingGames, if_playing
from bot.service.games.requests import Request
from bot.service.games.winnable import Winnable
from bot.service.turn import Position, Turn, TurnAction
from bot.storage import AlreadyExists, NewGame, Status, Store, StoredGame
from engine import Record

MAX_MOVES = 5_000  # a record is replayed at every turn, so it must end somewhere


class Dealing(OngoingGames):
    """Deals new games. The new game becomes the user's current one; an unfinished one is set aside."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        *,
        daily: Daily | None = None,
        solvers: SolverPool | None = None,
        winnable: Winnable | None = None,
        on_turn: Callable[[Turn], object] = lambda _: None,
    ) -> None:
        super().__init__(store, clock, daily=daily, solvers=solvers, on_turn=on_turn)
        self._winnable = winnable or Winnable(store)

    async def new(
        self,
        request: Request,
        *,
        game: str | None = None,
        rules: str | None = None,
        seed: str | None = None,
        winnable: bool = False,
    ) -> Turn:
        """Deal a new game.

        Without ``game`` it is that of the user's current game, by the same rules unless others are given;
        rules that only another game has mean that one. Without a seed it is a random number of at most nine
        digits, with ``winnable`` one of a deal that is known to be winnable.

        :raises UnknownGame: when there is no such game.
        :raises RulesSyntaxError: when the game has no such rules.
        :raises SeedError: when the text can't be a seed.
        :raises DailyFirst: when the seed is that of the user's daily game, and it is not finished.
        :raises SeedWithWinnable: when a seed is given with ``winnable``.
        :raises NoWinnable: when no winnable deal is known of these rules.
        """
        if winnable and seed is not None:
            raise SeedWithWinnable

        async def work() -> Turn:
            earlier = await self.current(request.user_id)
            if earlier and earlier.request_id == request.id:
                return self._turn(TurnAction.DEALT, earlier, is_winnable=winnable)
            record = new_record(earlier, game, rules, seed)
            if winnable:
                record = await self._winnable.pick(request.user_id, record)
            await self._check_daily(record, request)
            return await self._deal(request, earlier, Position.of(record), is_winnable=winnable)

        return await self._once(request, work)

    async def new_by_code(self, request: Request, code: str) -> Turn:
        """Deal the game of a code, or put a whole record on the table as a copy of its game.

        A copy counts in no statistics.

        :raises ParseError: when the text is no code of a game that exists.
        :raises BadMoveInCode: when a move of the record can't be played.
        :raises TooManyMovesInCode: when it has more moves than a game may have.
        :raises DailyFirst: when the seed is that of the user's daily game, and it is not finished.
        """

        async def work() -> Turn:
            earlier = await self.current(request.user_id)
            if earlier and earlier.request_id == request.id:
                return self._turn(TurnAction.DEALT, earlier)
            deal, words = read_code(code)
            await self._check_daily(deal, request)  # before a move can be refused, which names cards
            position = await asyncio.to_thread(play_words, deal, words, MAX_MOVES)
            return await self._deal(request, earlier, position)

        return await self._once(request, work)

    async def play_daily(self, request: Request) -> Turn:
        """Deal the user today's daily game, or make it their current game again.

        :raises DailyAlreadyPlayed: when the user had it, and asked to be forgotten since.
        """
        return await self._once(request, lambda: self._play_daily(request))

    async def deal_same(self, request: Request) -> Turn:
        """Deal the user the cards and rules of the game ``request.game_id``, whoever owns it.

        If that is today's daily game, the user gets their own attempt at it.

        :raises NoSuchGame: when there is no such game.
        :raises ShareLater: when it is one of a challenge that is still going.
        """
        model = await self._store.load_game(request.game_id or 0)
        if model is None:
            raise NoSuchGame
        if model.challenge_id and not await self._contests.is_final(model.challenge_id):
            raise ShareLater(is_daily=False)
        own = replace(request, game_id=None, revision=None)
        if model.day and not self._daily.is_over(model.day):
            return await self.play_daily(own)
        record = Record.parse(model.record)
        return await self.new(own, game=record.game, rules=record.rules, seed=record.seed)

    async def _check_daily(self, deal: Record, request: Request) -> None:
        if await self._daily.is_spoiled_by(deal.seed, request.user_id):
            raise DailyFirst

    async def _deal(
        self, request: Request, earlier: StoredGame | None, position: Position, **about: Any
    ) -> Turn:
        new = new_game(request, position, self._clock(), is_copy=bool(position.record.moves))
        stored = await self._store.create_game(new)
        return Turn(
            TurnAction.DEALT,
            stored,
            position,
            set_aside=if_playing(earlier),
            is_first=earlier is None,
            has_daily_cards=self._daily.is_of_today(position.record.seed),
            **about,
        )

    async def _play_daily(self, request: Request) -> Turn:
        day = self._daily.today
        earlier = await self.current(request.user_id)
        set_aside = None if earlier and earlier.day == day else if_playing(earlier)
        game = await self._store.daily_game(request.user_id, day)
        if game is None:
            try:
                game = await self._store.create_game(await self._new_daily(request, day))
            except AlreadyExists:  # by a second request at the same moment, or for good
                game = await self._store.daily_game(request.user_id, day)
                if game is None:
                    raise DailyAlreadyPlayed(self._daily.ends_ms(day)) from None
            else:
                if self._daily.is_over(day):  # midnight has passed meanwhile: nothing is left to play
                    return await self._play_daily(request)
                return self._turn(TurnAction.DEALT, game, set_aside=set_aside, is_first=earlier is None)
        await self._store.make_current(game.id)
        action = TurnAction.RESUMED if game.status is Status.PLAYING else TurnAction.SHOWN
        return self._turn(action, game, set_aside=set_aside)

    async def _new_daily(self, request: Request, day: str) -> NewGame:
        position = Position.of(await self._daily.record(day))
        mark = await self._daily.mark(request.user_id, day)
        return new_game(request, position, self._clock(), day=day, day_mark=mark)


def new_game(request: Request, position: Position, now_ms: int, **about: Any) -> NewGame:
    """Return a position as a new game of the user who asks; ``about`` are further fields of it."""
    return NewGame(
        owner_id=request.user_id,
        record=str(position.record),
        status=position.status,
        score=position.table.score,
        request_id=request.id,
        now_ms=now_ms,
        **about,
    )
