"""Moves: played, undone, redone, given up.

Each call loads a game, replays its record, takes one step, and stores the result under the revision it
started from.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from bot.service.errors import (
    Finished,
    NothingToRedo,
    NothingToUndo,
    NotInContest,
    StaleTable,
    TooManyMoves,
)
from bot.service.games import choosers
from bot.service.games.dealing import MAX_MOVES
from bot.service.games.ongoing import OngoingGames
from bot.service.games.requests import Request
from bot.service.turn import Position, Turn, TurnAction
from bot.storage import RevisionConflict, Status, StoredGame
from engine import Move, Outcome


@dataclass(frozen=True, slots=True)
class _Step:
    """What one call makes of a position."""

    action: TurnAction
    position: Position
    undone: str = ""
    moves: tuple[Move, ...] = ()
    status: Status | None = None


class Moves(OngoingGames):
    """Plays the users' own games."""

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

    async def discard(self, request: Request, piles: str | None = None) -> Turn:
        """Discard from ``piles`` (``2``, or ``1+3`` for a pair); without them, the only discard there is.

        :raises ChooseDiscard: when several are possible and no pile is named.
        :raises NothingToDiscard: when none is possible and no pile is named.
        :raises MoveSyntaxError: when ``piles`` names no pile.
        :raises IllegalMove: when the rules forbid it.
        """
        if piles is None:
            return await self._play(request, choosers.only_discard)
        return await self._play(request, lambda at: (at.game.parse_discard(at.state, piles),))

    async def discard_all(self, request: Request) -> Turn:
        """Discard single cards as long as one can go.

        :raises NothingToDiscard: when none can.
        """
        return await self._play(request, choosers.discard_chain)

    async def finish(self, request: Request) -> Turn:
        """Play the game out if it is certain to be won; undo takes the moves back one by one.

        :raises NothingToFinish: when that is not certain.
        :raises NotInContest: when it is a daily game.
        """

        def step(game: StoredGame, now: Position) -> _Step:
            if game.day:
                raise NotInContest
            moves = choosers.finish(now)
            return _Step(TurnAction.MOVED, now.then(*moves), "", moves)

        return await self._change(request, step)

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

    async def _change(self, request: Request, step: Callable[[StoredGame, Position], _Step]) -> Turn:
        return await self._once(request, lambda: self._take(request, step))

    async def _take(self, request: Request, step: Callable[[StoredGame, Position], _Step]) -> Turn:
        """Load the game, take one step in it, and store where it then stands.

        If another request was quicker, the step is taken again from the new table, unless the user acted on
        a table that they saw.

        :raises StaleTable: when the game has moved on from what the user saw.
        :raises Finished: when the game has ended for good.
        """
        while True:
            game = await self._load(request)
            if game.request_id == request.id:  # delivered again after a restart
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
                # Typed commands go on with the game that was played last.
                is_named = request.game_id is not None
                result = await self._daily.result(after)
                saved = await self._store.save_if_revision(after, result, make_current=is_named)
            except RevisionConflict:
                continue
            self._moved_on(game.id)
            self._positions.keep(saved.record, done.position)
            turn = Turn(
                done.action,
                saved,
                done.position,
                moves=done.moves,
                table_before=now.table,
                ends_ms=self._ends_ms(saved),
                has_daily_cards=self._daily.is_of_today(done.position.record.seed),
            )
            return await self.best_scores.annotated(turn)

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
