"""Playing one's own games: deal, move, draw, discard, undo, redo, give up, come back.

Each call loads a game, replays its record, does one thing, and stores the result under the revision it
started from.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from bot.clock import Clock
from bot.service import choosers
from bot.service.bests import Bests
from bot.service.codes import play_words, read_code
from bot.service.contests import Contests
from bot.service.daily import Daily
from bot.service.deal import new_record
from bot.service.errors import (
    DailyAlreadyPlayed,
    DailyFirst,
    Finished,
    NoGame,
    NoSuchGame,
    NothingToRedo,
    NothingToUndo,
    NotInContest,
    NotYours,
    SeedWithWinnable,
    ShareLater,
    StaleTable,
    TooManyMoves,
)
from bot.service.hints import Adviser, advise
from bot.service.positions import Positions
from bot.service.solver_pool import NullSolverPool, Priority, SolverPool
from bot.service.turn import Position, Turn, TurnAction
from bot.service.winnable import Winnable
from bot.storage import (
    AlreadyExists,
    LiveTable,
    NewGame,
    RevisionConflict,
    Settings,
    Status,
    Store,
    StoredGame,
)
from bot.telemetry.trace import note_game
from engine import Move, MoveSyntaxError, Outcome, Record
from solve import jobs

log = logging.getLogger(__name__)

MAX_LISTED_GAMES = 25
MAX_MOVES = 5_000  # a record is replayed at every turn, so it must end somewhere
HINT_PATIENCE_S = 0.8  # a hint that is plain to see, in under a second, is better than a good one after it

_MAX_ANSWERS = 500


@dataclass(frozen=True, slots=True)
class Request:
    """Who asks for something, and what for.

    ``id`` is what the front end knows the request by: the same one delivered twice is done once and
    answered alike. Without ``game_id`` the user's current game is meant. ``revision`` is that of the
    table the user saw; without it, whatever the table is now.
    """

    user_id: int
    id: int
    game_id: int | None = None
    revision: int | None = None


@dataclass(frozen=True, slots=True)
class _Hinting:
    """What thinks about a game's table of that revision."""

    revision: int
    thinking: asyncio.Task[Move | None]


@dataclass(frozen=True, slots=True)
class _Step:
    """What one call makes of a position."""

    action: TurnAction
    position: Position
    undone: str = ""
    moves: tuple[Move, ...] = ()
    status: Status | None = None


class GameService:
    """The service over one store."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        advise: Adviser = advise,
        daily: Daily | None = None,
        solvers: SolverPool | None = None,
        winnable: Winnable | None = None,
        on_turn: Callable[[Turn], object] = lambda _: None,
    ) -> None:
        self._store = store
        self._daily = daily or Daily(store, clock)
        self._winnable = winnable or Winnable(store)
        self._brains = solvers or NullSolverPool()
        self._contests = Contests(store, clock)
        self.bests = Bests(self._brains, self._daily, self._contests)
        self._hinting: dict[int, _Hinting] = {}
        self._clock = clock
        self._advise = advise
        self._on_turn = on_turn
        self._positions = Positions()
        self._answers: OrderedDict[tuple[int, int], asyncio.Task[Turn]] = OrderedDict()

    async def new(
        self,
        request: Request,
        *,
        game: str | None = None,
        rules: str | None = None,
        seed: str | None = None,
        winnable: bool = False,
    ) -> Turn:
        """Deal a new game and make it the user's current one; an unfinished one is set aside.

        Where ``game`` is missing, the user's current game is dealt again, by the same rules unless others
        are given; rules that only another game has mean that one. A missing seed is a random number of at
        most nine digits; with ``winnable`` one of a deal that is known to be so.

        :raises UnknownGame: when there is no such game.
        :raises RulesSyntaxError: when the game has no such rules.
        :raises SeedError: when the text can't be a seed.
        :raises DailyFirst: when the seed is that of the user's daily game, and it is not finished.
        :raises CertainDeal: when a seed is given with ``winnable``.
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

    async def _check_daily(self, deal: Record, request: Request) -> None:
        if await self._daily.is_spoiled_by(deal.seed, request.user_id):
            raise DailyFirst

    async def _deal(
        self, request: Request, earlier: StoredGame | None, position: Position, **about: Any
    ) -> Turn:
        new = game_to_keep(request, position, self._clock(), is_copy=bool(position.record.moves))
        stored = await self._store.create_game(new)
        return Turn(
            TurnAction.DEALT,
            stored,
            position,
            set_aside=still_going(earlier),
            is_first=earlier is None,
            has_daily_cards=self._daily.is_of_today(position.record.seed),
            **about,
        )

    async def new_by_code(self, request: Request, code: str) -> Turn:
        """Deal the game of a code, or put a whole record on the table as a copy of the game that it is of.

        A copy counts in no statistics.

        :raises SyntaxFault: when the text is no code of a game that there is.
        :raises BadMoveInCode: when a move of the record can't be played.
        :raises TooManyMovesInCode: when it has more moves than a game that is kept.
        :raises DailyFirst: when the seed is that of the user's daily game, and it is not finished.
        """
        return await self._once(request, lambda: self._new_by_code(request, code))

    async def _new_by_code(self, request: Request, code: str) -> Turn:
        earlier = await self.current(request.user_id)
        if earlier and earlier.request_id == request.id:
            return self._turn(TurnAction.DEALT, earlier)
        deal, words = read_code(code)
        await self._check_daily(deal, request)  # before a move can be refused, which names cards
        position = await asyncio.to_thread(play_words, deal, words, MAX_MOVES)
        return await self._deal(request, earlier, position)

    async def play_daily(self, request: Request) -> Turn:
        """Deal the user today's daily game; where they have it already, make it their current one again.

        :raises DailySpent: when the user had it, and asked to be forgotten since.
        """
        return await self._once(request, lambda: self._play_daily(request))

    async def _play_daily(self, request: Request) -> Turn:
        day = self._daily.today
        earlier = await self.current(request.user_id)
        set_aside = None if earlier and earlier.day == day else still_going(earlier)
        game = await self._store.daily_game(request.user_id, day)
        if game is None:
            try:
                game = await self._store.create_game(await self._daily_of(request, day))
            except AlreadyExists:  # by a second request at the same moment, or for good
                game = await self._store.daily_game(request.user_id, day)
                if game is None:
                    raise DailyAlreadyPlayed(self._daily.ends_ms(day)) from None
            else:
                if self._daily.is_over(day):  # since it was asked for, so nothing of it would be left to play
                    return await self._play_daily(request)
                return self._turn(TurnAction.DEALT, game, set_aside=set_aside, is_first=earlier is None)
        await self._store.make_current(game.id)
        action = TurnAction.RESUMED if game.status is Status.PLAYING else TurnAction.SHOWN
        return self._turn(action, game, set_aside=set_aside)

    async def _daily_of(self, request: Request, day: str) -> NewGame:
        position = Position.of(await self._daily.record(day))
        mark = await self._daily.mark(request.user_id, day)
        return game_to_keep(request, position, self._clock(), day=day, day_mark=mark)

    async def show(self, request: Request) -> Turn:
        """Return the game as it stands.

        :raises NoGame: when there is none.
        """
        return await self.bests.told(self._turn(TurnAction.SHOWN, await self._load(request)))

    async def newest(self, turn: Turn) -> Turn:
        """Return ``turn`` itself, or its game as it stands where that has moved on since.

        :raises NoSuchGame: when it was deleted since.
        """
        game = await self._store.load_game(turn.game.id)
        if game is None:
            raise NoSuchGame
        if game.revision == turn.game.revision:
            return turn
        return await self.bests.told(self._turn(TurnAction.SHOWN, game))

    async def unfinished(self, user_id: int) -> Sequence[StoredGame]:
        """Return the user's games that are still going, the last touched first, at most 25."""
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
        set_aside = still_going(earlier) if earlier and earlier.id != game.id else None
        return await self.bests.told(self._turn(TurnAction.RESUMED, game, set_aside=set_aside))

    async def move(self, request: Request, text: str) -> Turn:
        """Play the move that the player typed, such as ``3 5`` or ``w f``.

        :raises MoveSyntaxError: when it is no move.
        :raises IllegalMove: when the rules forbid it.
        """
        return await self._play(request, lambda at: (at.game.parse_move(at.state, text),))

    async def draw(self, request: Request) -> Turn:
        """Draw, turn the waste over, or deal: what the stock does now.

        :raises IllegalMove: when it can't.
        """
        return await self._play(request, choosers.stock_move)

    async def discard(self, request: Request, pile: str | None = None) -> Turn:
        """Discard from ``pile`` (``2``, or ``1+3`` for a pair), or, if only one discard is possible, that.

        :raises ChooseDiscard: when several are possible and no pile is named.
        :raises NothingToDiscard: when none is possible and no pile is named.
        :raises MoveSyntaxError: when ``pile`` names no pile.
        :raises IllegalMove: when the rules forbid it.
        """
        if pile is None:
            return await self._play(request, choosers.only_discard)
        typed = "+".join(pile.replace("+", " ").split())

        def choose(at: Position) -> tuple[Move]:
            try:
                return (at.game.parse_move(at.state, f"{typed}-d"),)
            except MoveSyntaxError:
                raise MoveSyntaxError(pile) from None  # with what the player typed, and no more

        return await self._play(request, choose)

    async def discard_all(self, request: Request) -> Turn:
        """Discard single cards as long as one can go.

        :raises NothingToDiscard: when none can.
        """
        return await self._play(request, choosers.discard_chain)

    async def finish(self, request: Request) -> Turn:
        """Play the game out where it is certain to be won; undo takes the moves back one by one.

        :raises NothingToFinish: when that is not certain.
        :raises NotInContest: when it is a daily game.
        """

        def step(game: StoredGame, now: Position) -> _Step:
            if game.day:
                raise NotInContest
            moves = choosers.finish(now)
            return _Step(TurnAction.MOVED, now.then(*moves), "", moves)

        return await self._change(request, step)

    async def hint(self, request: Request) -> Turn:
        """Return the game as it stands, its ``moves`` being one that is worth making, or none if none is.

        :raises StaleTable: when the user saw another revision than the present one.
        :raises Finished: when the game has ended.
        :raises NotInContest: when it is a daily game or one of a challenge.
        """
        turn = await self.show(request)
        if request.revision not in (None, turn.game.revision):
            raise StaleTable(turn)
        if turn.game.status is not Status.PLAYING:
            raise Finished
        if not turn.has_hints:
            raise NotInContest
        thinking = self._hint_for(turn)
        await asyncio.wait({thinking})
        newest = await self.newest(turn)
        if newest is not turn:
            raise StaleTable(newest)
        move = thinking.result()
        hinted = replace(turn, action=TurnAction.HINTED, moves=(move,) if move else ())
        self._on_turn(hinted)
        return hinted

    def _hint_for(self, turn: Turn) -> asyncio.Task[Move | None]:
        """Begin to think about a table; who asks about the same one again gets the same hint."""
        known = self._hinting.get(turn.game.id)
        if known is not None and known.revision >= turn.game.revision:
            return known.thinking
        self._drop_hint(turn.game.id)
        hinting = _Hinting(turn.game.revision, asyncio.create_task(self._hint(turn.position)))
        self._hinting[turn.game.id] = hinting

        def forget(_: object) -> None:
            if self._hinting.get(turn.game.id) is hinting:
                del self._hinting[turn.game.id]

        hinting.thinking.add_done_callback(forget)
        return hinting.thinking

    async def _hint(self, position: Position) -> Move | None:
        """Return a move that was thought out, or one that is plain to see where that takes too long."""
        text = None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(HINT_PATIENCE_S):
                text = await self._brains.ask(Priority.QUICK, jobs.hint, str(position.record))
        if text is not None:
            for move in position.legal_moves:
                if str(move) == text:
                    return move
            log.error("%r is no hint for a game of %s: the rules forbid it", text, position.record.game)
        return await asyncio.to_thread(self._advise, position)

    def _drop_hint(self, game_id: int) -> None:
        """Think no more about a table that is there no more."""
        hinting = self._hinting.pop(game_id, None)
        if hinting is not None:
            hinting.thinking.cancel()

    async def deal_same(self, request: Request) -> Turn:
        """Deal the user the same cards by the same rules as the game of ``request.game_id``, whoever's it is.

        Where that is today's daily game, the user gets their own attempt at it.

        :raises NoSuchGame: when there is no such game.
        :raises ShareLater: when it is one of a challenge that is still going.
        """
        model = await self._store.load_game(request.game_id or 0)
        if model is None:
            raise NoSuchGame
        if model.challenge_id and not await self._contests.is_final(model.challenge_id):
            raise ShareLater(is_daily=False)
        if model.day and not self._daily.is_over(model.day):
            return await self.play_daily(replace(request, game_id=None, revision=None))
        record = Record.parse(model.record)
        own = replace(request, game_id=None, revision=None)
        return await self.new(own, game=record.game, rules=record.rules, seed=record.seed)

    async def settings(self, user_id: int) -> Settings:
        """Return how the user likes it."""
        return await self._store.load_settings(user_id)

    async def choose(self, user_id: int, settings: Settings) -> None:
        """Keep how the user likes it."""
        await self._store.save_settings(user_id, settings)

    async def change_setting(self, user_id: int, name: str, value: str | bool) -> Settings:  # noqa: FBT001
        """Change one field of a user's settings, and return the settings as they are then."""
        changed = Settings()

        def change(chosen: Settings) -> Settings:
            nonlocal changed
            changed = Settings(**(asdict(chosen) | {name: value}))
            return changed

        # Two switches pressed at once, possibly in two processes, must both be kept.
        await self._store.change_settings(user_id, change)
        return changed

    async def place_table(self, game_id: int, table: LiveTable) -> LiveTable | None:
        """Note which message has the game's controls now; return the one that had them, if it is another."""
        before = await self._store.place_table(game_id, table)
        return before if before and before.message_id != table.message_id else None

    async def live_table(self, game_id: int) -> LiveTable | None:
        """Return which message has the game's controls, or None where none has."""
        return await self._store.live_table(game_id)

    async def undo(self, request: Request) -> Turn:
        """Take back the last move.

        :raises NothingToUndo: when the game stands at its deal.
        :raises NotInContest: when it is a daily game or one of a challenge.
        """

        def step(game: StoredGame, now: Position) -> _Step:
            if game.is_contest:
                raise NotInContest
            if not now.record.moves:
                raise NothingToUndo
            *kept, move = now.record.moves
            earlier = self._positions.of(str(replace(now.record, moves=tuple(kept))))
            return _Step(TurnAction.UNDONE, earlier, f"{move} {game.undone}".strip(), (move,))

        return await self._change(request, step)

    async def redo(self, request: Request) -> Turn:
        """Play again the move that was last taken back.

        :raises NothingToRedo: when there is none.
        :raises NotInContest: when it is a daily game or one of a challenge.
        """

        def step(game: StoredGame, now: Position) -> _Step:
            if game.is_contest:
                raise NotInContest
            first, _, rest = game.undone.partition(" ")
            if not first:
                raise NothingToRedo
            move = Move.parse(first)
            return _Step(TurnAction.REDONE, now.then(move), rest, (move,))

        return await self._change(request, step)

    async def give_up(self, request: Request) -> Turn:
        """End the game for good.

        :raises Finished: when it has ended already.
        """

        def step(game: StoredGame, now: Position) -> _Step:
            if game.status is not Status.PLAYING:
                raise Finished
            return _Step(TurnAction.GIVEN_UP, now, game.undone, status=Status.GIVEN_UP)

        return await self._change(request, step)

    async def _play(self, request: Request, choose: Callable[[Position], tuple[Move, ...]]) -> Turn:
        def step(_game: StoredGame, now: Position) -> _Step:
            moves = choose(now)
            return _Step(TurnAction.MOVED, now.then(*moves), "", moves)

        return await self._change(request, step)

    async def _load(self, request: Request) -> StoredGame:
        """Return the game that a request is about.

        :raises NoGame: when the user has none.
        :raises NoSuchGame: when there is none of that id.
        :raises NotYours: when it belongs to somebody else.
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

    async def current(self, user_id: int) -> StoredGame | None:
        """Return the game that the user plays now, finished or not; an outdated daily game is settled."""
        game = await self._store.current_game(user_id)
        return game and await self._daily.settled(game)

    async def _once(self, request: Request, work: Callable[[], Coroutine[Any, Any, Turn]]) -> Turn:
        """Do what a request asks for once, however often it is delivered, and answer each time alike.

        What was done lately is known here; across a restart the store knows each game's last request. If the
        game has moved on between two deliveries, the later one is answered with the table as it is.
        """
        key = (request.user_id, request.id)
        known = self._answers.get(key)
        if known is None:
            task = self._answers[key] = asyncio.ensure_future(self._noted(work))
            while len(self._answers) > _MAX_ANSWERS:
                self._answers.popitem(last=False)
            return await asyncio.shield(task)
        return await self.newest(await asyncio.shield(known))

    async def _noted(self, work: Callable[[], Coroutine[Any, Any, Turn]]) -> Turn:
        turn = await work()
        note_game(turn.game.id)
        self._on_turn(turn)
        return turn

    async def _change(self, request: Request, step: Callable[[StoredGame, Position], _Step]) -> Turn:
        return await self._once(request, lambda: self._take(request, step))

    async def _take(self, request: Request, step: Callable[[StoredGame, Position], _Step]) -> Turn:
        """Load the game, take one step in it, and store where it then stands.

        Where somebody else was quicker, the step is taken again from the new table, unless the user acted
        on a certain one.

        :raises StaleTable: when the user saw another revision than the present one.
        :raises Finished: when the game has ended for good.
        """
        while True:
            game = await self._load(request)
            if game.request_id == request.id:  # the same request once more: it is done, only answer it again
                return self._turn(TurnAction.SHOWN, game)
            if request.revision not in (None, game.revision):
                raise StaleTable(self._turn(TurnAction.SHOWN, game))
            if game.status.is_final or (game.is_contest and game.status is not Status.PLAYING):
                raise Finished
            now = self._positions.of(game.record)
            done = step(game, now)
            if len(done.position.record.moves) > MAX_MOVES:
                raise TooManyMoves
            after = self._after(game, done, request)
            try:
                # Whatever was played last is what typed commands go on with.
                is_named = request.game_id is not None
                result = await self._daily.result(after)
                saved = await self._store.save_if_revision(after, result, make_current=is_named)
            except RevisionConflict:
                continue
            self._drop_hint(game.id)
            self._positions.keep(saved.record, done.position)
            turn = Turn(
                done.action,
                saved,
                done.position,
                moves=done.moves,
                seen=now.table,
                ends_ms=self._ends_ms(saved),
                has_daily_cards=self._daily.is_of_today(done.position.record.seed),
            )
            return await self.bests.told(turn)

    def _after(self, game: StoredGame, done: _Step, request: Request) -> StoredGame:
        record = str(done.position.record)
        is_won = done.position.outcome is Outcome.WON
        return replace(
            game,
            record=record,
            undone=done.undone,
            status=done.status or done.position.status,
            score=done.position.table.score,
            request_id=request.id,
            updated_ms=self._clock(),
            won_record=game.won_record or (record if is_won else ""),
        )

    def _turn(self, action: TurnAction, game: StoredGame, **more: Any) -> Turn:
        """Return the game as it stands, with its last move for those who want to tell it."""
        position = self._positions.of(game.record)
        return Turn(
            action,
            game,
            position,
            moves=position.record.moves[-1:],
            seen=position.before,
            ends_ms=self._ends_ms(game),
            has_daily_cards=self._daily.is_of_today(position.record.seed),
            **more,
        )

    def _ends_ms(self, game: StoredGame) -> int:
        return self._daily.ends_ms(game.day) if game.day else 0


def game_to_keep(request: Request, position: Position, now_ms: int, **about: Any) -> NewGame:
    """Return the game of a position as it is kept for whoever asked; ``about`` are further fields of it."""
    return NewGame(
        owner_id=request.user_id,
        record=str(position.record),
        status=position.status,
        score=position.table.score,
        request_id=request.id,
        now_ms=now_ms,
        **about,
    )


def still_going(game: StoredGame | None) -> StoredGame | None:
    """Return the game if it is still going."""
    return game if game and game.status is Status.PLAYING else None
