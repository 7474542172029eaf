"""Challenges: one deal for several players, each on a table of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.clock import Clock
from bot.service.contests import JOINING_MS, MAX_PLAYERS, Contests, is_final, joins_until_ms, players_of
from bot.service.daily.daily import Daily
from bot.service.errors import (
    ChallengeClosed,
    ChallengeFull,
    DailyFirst,
    NobodyElse,
    NoSuchChallenge,
    NothingToCompare,
    NotInvited,
    OwnGameFirst,
    TooFast,
)
from bot.service.games.deal import new_record
from bot.service.games.dealing import new_game
from bot.service.games.ongoing import if_playing
from bot.service.games.requests import Request
from bot.service.games.service import GameService
from bot.service.turn import Position, Turn, TurnAction
from bot.storage import AlreadyExists, Challenge, Participant, Status, Store, StoredGame
from engine import Record

MAX_A_DAY = 20  # that one user makes, restarts or not
_DAY_MS = 24 * 60 * 60 * 1000


@dataclass(frozen=True, slots=True)
class ChallengeStanding:
    """How far somebody is; ``rank`` is 1 for the best among those who have ended, 0 for who has not.

    ``has_begun`` says that their game was dealt.
    """

    user_id: int
    has_begun: bool
    status: Status
    score: int
    moves: int
    rank: int = 0

    @property
    def has_ended(self) -> bool:
        """True when the game has ended, however."""
        return self.status is not Status.PLAYING


@dataclass(frozen=True, slots=True)
class ChallengeView:
    """A challenge as it stands: the best first, then who is playing, then who has not begun.

    ``joins_until_ms`` is until when anybody can join, 0 where nobody else can (any more). ``winners`` are
    there once all who play have ended, and at least two; several for a tie. With ``is_final`` nothing can
    change any more: the deal may be known.
    """

    challenge: Challenge
    contenders: tuple[ChallengeStanding, ...]
    joins_until_ms: int
    winners: tuple[int, ...]
    is_final: bool

    @property
    def deal(self) -> Record:
        """The deal, without moves."""
        return Record.parse(self.challenge.deal)

    @property
    def can_compare(self) -> bool:
        """True when two have ended."""
        return sum(contender.has_ended for contender in self.contenders) >= 2


class Challenges:
    """The service over one store."""

    def __init__(self, store: Store, clock: Clock, daily: Daily, play: GameService) -> None:
        self._store = store
        self._clock = clock
        self._daily = daily
        self._play = play
        self._contests = Contests(store, clock)

    async def create(
        self,
        user_id: int,
        friends: Sequence[int],
        *,
        game: str | None = None,
        rules: str | None = None,
        seed: str | None = None,
        language: str = "",
    ) -> ChallengeView:
        """Challenge friends, or everybody if none is named; the creator takes part too.

        The deal is chosen as for a new game. A friend who is named twice plays once.

        :raises NobodyElse: when the creator named nobody but themselves.
        :raises ParseError: when there is no such deal.
        :raises DailyFirst: when the seed is that of the creator's daily game, and it is not finished.
        :raises TooFast: when the creator has made as many as one may in a day.
        """
        players = list(dict.fromkeys((user_id, *friends)))
        if friends and len(players) == 1:
            raise NobodyElse
        deal = new_record(await self._store.current_game(user_id), game, rules, seed)
        await self._check_daily(deal, user_id)
        now_ms = self._clock()
        made_ms = await self._store.challenges_since(user_id, now_ms - _DAY_MS)
        if len(made_ms) >= MAX_A_DAY:
            raise TooFast(made_ms[-MAX_A_DAY] + _DAY_MS, is_told=True)
        challenge = Challenge(
            id=0,
            deal=deal.code,
            creator_id=user_id,
            channel_id=0,
            message_id=0,
            language=language,
            is_open=not friends,
            created_ms=now_ms,
            participants=tuple(map(Participant, players)),
        )
        return self._view(await self._store.create_challenge(challenge))

    async def view(self, challenge_id: int) -> ChallengeView:
        """Return a challenge as it stands.

        :raises NoSuchChallenge: when there is none of that id.
        """
        return self._view(await self._load(challenge_id))

    async def is_final(self, challenge_id: int) -> bool:
        """Return whether a challenge's deal may be known to everybody; that of one that is gone may."""
        return await self._contests.is_final(challenge_id)

    async def place(self, challenge_id: int, channel_id: int, message_id: int) -> None:
        """Note which message shows the challenge; 0 where there is none any more."""
        await self._store.place_challenge(challenge_id, channel_id, message_id)

    async def play(self, request: Request, challenge_id: int) -> Turn:
        """Deal the user's game in a challenge, or make the one they have their current one again.

        :raises NoSuchChallenge: when there is none of that id.
        :raises NotInvited: when it is for others.
        :raises ChallengeFull: when no place is left in an open one.
        :raises ChallengeClosed: when the time to join an open one is over.
        :raises DailyFirst: when its deal is that of the user's daily game, and it is not finished.
        """
        challenge = await self._load(challenge_id)
        own = _entrant(challenge, request.user_id)
        if own is None or not own.game_id:
            self._check_joining(challenge, own)
            await self._check_daily(Record.parse(challenge.deal), request.user_id)
            turn = await self._deal(request, challenge)
            if turn is not None:
                return turn
            own = _entrant(await self._load(challenge_id), request.user_id)
            if own is None:
                raise ChallengeFull
        turn = await self._play.resume(replace(request, game_id=own.game_id, revision=None))
        return turn if turn.game.status is Status.PLAYING else replace(turn, action=TurnAction.SHOWN)

    def _check_joining(self, challenge: Challenge, own: Participant | None) -> None:
        if not challenge.is_open and own is None:
            raise NotInvited
        if challenge.is_open and self._clock() >= challenge.created_ms + JOINING_MS:
            raise ChallengeClosed

    async def _deal(self, request: Request, challenge: Challenge) -> Turn | None:
        """Deal the user's game; return None where they have one already, or no place is left."""
        earlier = await self._play.current(request.user_id)
        position = Position.of(Record.parse(challenge.deal))
        new = new_game(request, position, self._clock(), challenge_id=challenge.id)
        try:
            game = await self._store.join_challenge(new, MAX_PLAYERS if challenge.is_open else 0)
        except AlreadyExists:
            return None
        return Turn(TurnAction.DEALT, game, position, set_aside=if_playing(earlier), is_first=earlier is None)

    async def pair(self, user_id: int, challenge_id: int) -> tuple[StoredGame, StoredGame]:
        """Return the two games that the user may compare: their own and the best other one.

        For somebody who didn't play they are the best two, once nothing can change any more.

        :raises NoSuchChallenge: when there is none of that id.
        :raises OwnGameFirst: when the user's own game has not ended, or the user may still play.
        :raises NothingToCompare: when there are no two games that have ended.
        """
        challenge = await self._load(challenge_id)
        view = self._view(challenge)
        own = next((one for one in view.contenders if one.user_id == user_id), None)
        if not (own and own.has_ended) and not view.is_final:
            raise OwnGameFirst
        ended = [one.user_id for one in view.contenders if one.has_ended]
        if own and own.has_ended:
            ended = [user_id, *(other for other in ended if other != user_id)]
        games = {entrant.user_id: entrant.game_id for entrant in challenge.participants}
        if len(ended) < 2:
            raise NothingToCompare
        first = await self._store.load_game(games[ended[0]])
        second = await self._store.load_game(games[ended[1]])
        if first is None or second is None:  # its owner asked to be forgotten just now
            raise NothingToCompare
        return first, second

    async def _load(self, challenge_id: int) -> Challenge:
        challenge = await self._store.load_challenge(challenge_id)
        if challenge is None:
            raise NoSuchChallenge
        return challenge

    async def _check_daily(self, deal: Record, user_id: int) -> None:
        if await self._daily.is_spoiled_by(deal.seed, user_id):
            raise DailyFirst

    def _view(self, challenge: Challenge) -> ChallengeView:
        now_ms, players = self._clock(), players_of(challenge)
        ended = [entrant for entrant in players if entrant.status is not Status.PLAYING]
        best = max((entrant.score for entrant in ended), default=0)
        decided = len(ended) == len(players) >= 2
        return ChallengeView(
            challenge,
            tuple(sorted((_contender(entrant, ended) for entrant in challenge.participants), key=_order)),
            joins_until_ms=joins_until_ms(challenge, now_ms),
            winners=tuple(one.user_id for one in ended if one.score == best) if decided else (),
            is_final=is_final(challenge, now_ms),
        )


def _entrant(challenge: Challenge, user_id: int) -> Participant | None:
    return next((entrant for entrant in challenge.participants if entrant.user_id == user_id), None)


def _contender(entrant: Participant, ended: Sequence[Participant]) -> ChallengeStanding:
    has_ended = entrant.status is not Status.PLAYING
    return ChallengeStanding(
        entrant.user_id,
        has_begun=bool(entrant.game_id),
        status=entrant.status,
        score=entrant.score,
        moves=entrant.moves,
        rank=1 + sum(other.score > entrant.score for other in ended) if has_ended else 0,
    )


def _order(contender: ChallengeStanding) -> tuple[bool, int, bool]:
    """Sort the ended ones by rank before the playing before the waiting; else they stay in their places."""
    return (not contender.has_ended, contender.rank, not contender.has_begun)
