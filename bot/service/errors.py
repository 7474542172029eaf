"""What can go wrong between a user and the rules. Each carries data; the sentences are in ``bot.text``.

ServiceError
├── NoGame            the user has none yet
├── NoSuchGame        there is no game of that id
├── NoTarget          a move says where from, but not where to
├── NotYours          the game is somebody else's
├── Finished          the game has ended, so this can't be done in it
├── StaleTable        the game has moved on since the table that the user saw
├── TooManyMoves      the game is longer than any that is kept
├── NothingToUndo     the game stands at its deal
├── NothingToRedo     nothing was undone, or something else was played since
├── NothingToDiscard  no discard is possible now
├── NothingToFinish   the game can't be played out for certain
├── NotInContest      a daily game or one of a challenge has no such help
├── NotFinished       the game is still going
├── AnalyseLater      others still play the cards that would be given away
├── DailyFirst        the seed is that of a daily game which the user has not finished
├── DailySpent        the user had today's attempt already, and asked to be forgotten since
├── NoServer          what is asked for belongs to a server, and this is none
├── BadDay            a text is no day that there has been
├── HiddenPlayer      somebody else does not want to be seen
├── CodeAlone         a code says all about a deal, and the user said more
├── CertainDeal       one certain deal was named, and one that can be won asked for
├── NoWinnable        no deal of the rules is known that can be won
├── BadMoveInCode     a move of a pasted game is none, or not legal where it stands
├── TooManyMovesInCode  a pasted game is longer than any that is kept
├── ShareLater        what the user's game is must not be told yet
├── NoSuchChallenge   there is no challenge of that id
├── NotInvited        the challenge is for others
├── ChallengeFull     nobody else can join the challenge
├── ChallengeClosed   the time to join the challenge is over
├── NoPlayer          a bot was challenged
├── NobodyElse        the user challenged or compared with nobody but themself
├── OwnGameFirst      the user's own game must end before it is compared
├── NothingToCompare  there are no two games that the user may compare
├── TooFast           the user has asked for too much of it, just now
├── StillBusy         the last such wish of the user is still being worked at
├── ManyWaiting       too many wait for the same
├── NotWorkedOut      an analysis could not be worked out now
├── NothingBetter     no better game of a deal is known
└── ChooseDiscard     several are, and the user named none
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.service.turn import Turn
    from engine import IllegalMove, Move, MoveSyntaxError, Table


class ServiceError(Exception):
    """Root of the faults of this package."""


class NoGame(ServiceError):
    """The user has no game yet."""


class NoSuchGame(ServiceError):
    """There is no game of that id."""


class NoTarget(ServiceError):
    """A move says where from, but not where to."""


class NotYours(ServiceError):
    """The game is somebody else's; ``turn`` is where it stands."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        super().__init__(f"game {turn.game.id}")


class Finished(ServiceError):
    """The game has ended."""


class NothingToUndo(ServiceError):
    """The game stands at its deal."""


class NothingToRedo(ServiceError):
    """Nothing was undone, or something else was played since."""


class NothingToDiscard(ServiceError):
    """No discard is possible."""


class NothingToFinish(ServiceError):
    """The game can't be played out for certain."""


class NotFinished(ServiceError):
    """The game is still going."""


class AnalyseLater(ServiceError):
    """A game of a contest can be analysed when it has ended for everybody: the day, or the challenge."""

    def __init__(self, *, is_daily: bool) -> None:
        super().__init__()
        self.is_daily = is_daily


class NotInContest(ServiceError):
    """A daily game, or one of a challenge, is played without this."""


class DailyFirst(ServiceError):
    """These would be the cards of a daily game that the user has not finished."""


class DailyAlreadyPlayed(ServiceError):
    """The user's attempt of today is among what was forgotten on their wish; the day ends at ``ends_ms``."""

    def __init__(self, ends_ms: int) -> None:
        self.ends_ms = ends_ms
        super().__init__()


class NoServer(ServiceError):
    """What is asked for belongs to a server, and a direct message is none."""


class BadDay(ServiceError):
    """``text``, cut to 100 characters, is no day, or one that is yet to come."""

    def __init__(self, text: str) -> None:
        self.text = text[:100]
        super().__init__(self.text)


class HiddenPlayer(ServiceError):
    """The statistics are those of somebody who does not want to be seen."""


class CodeAlone(ServiceError):
    """A code stands for a whole deal, but came together with a game, rules or a seed."""


class SeedWithWinnable(ServiceError):
    """A seed or a code is one certain deal, but came together with the wish for one that can be won."""


class NoWinnable(ServiceError):
    """No deal of these rules is known yet that can be won.

    ``is_looked_for`` says that one will be, from now on; ``presets`` are rules of which such deals are known.
    """

    def __init__(self, game: str, presets: tuple[str, ...], *, is_looked_for: bool) -> None:
        self.game = game
        self.presets = presets
        self.is_looked_for = is_looked_for
        super().__init__(game)


class BadMoveInCode(ServiceError):
    """Move ``number`` of a pasted game, counted from 1, can't be played: ``cause`` says why."""

    def __init__(self, number: int, text: str, cause: MoveSyntaxError | IllegalMove) -> None:
        self.number = number
        self.text = text[:100]
        self.cause = cause
        super().__init__(f"move {number}: {cause}")


class TooManyMovesInCode(ServiceError):
    """A pasted game has more than ``limit`` moves."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        super().__init__(str(limit))


class ShareLater(ServiceError):
    """Telling others of the user's game would spoil it: ``is_daily`` says which contest it belongs to."""

    def __init__(self, *, is_daily: bool) -> None:
        self.is_daily = is_daily
        super().__init__()


class NoSuchChallenge(ServiceError):
    """There is no challenge of that id."""


class NotInvited(ServiceError):
    """The challenge is for others, who were named."""


class ChallengeFull(ServiceError):
    """As many play in the challenge as can."""


class ChallengeClosed(ServiceError):
    """The time in which anybody could join is over."""


class NoPlayer(ServiceError):
    """A bot was challenged, which plays no games."""


class NobodyElse(ServiceError):
    """The only other player that the user named is the user."""


class OwnGameFirst(ServiceError):
    """The user's own game has not ended."""


class NothingToCompare(ServiceError):
    """The other has no ended game of that deal, or none that the user may see."""


class ChooseDiscard(ServiceError):
    """Several discards are possible: ``moves``, on ``table``."""

    def __init__(self, table: Table, moves: tuple[Move, ...]) -> None:
        self.table = table
        self.moves = moves
        super().__init__(", ".join(map(str, moves)))


class TooFast(ServiceError):
    """The user has asked for too much of it just now, and can go on at ``until_ms``.

    Here and below, ``is_told`` is False where the same user was told such a thing a moment ago.
    """

    def __init__(self, until_ms: int, *, is_told: bool) -> None:
        self.until_ms = until_ms
        self.is_told = is_told
        super().__init__()


class StillBusy(ServiceError):
    """The user's last wish for something expensive, ``work``, is still being worked at."""

    def __init__(self, work: str, *, is_told: bool) -> None:
        self.work = work
        self.is_told = is_told
        super().__init__(work)


class ManyWaiting(ServiceError):
    """Too many wait, so that an answer would come too late."""

    def __init__(self, *, is_told: bool) -> None:
        self.is_told = is_told
        super().__init__()


class NotWorkedOut(ServiceError):
    """An analysis could not be worked out now."""


class NothingBetter(ServiceError):
    """No game is known of the deal that is better than the user's."""


class StaleTable(ServiceError):
    """The user acted on an outdated table; ``turn`` is the game as it is now."""

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        super().__init__(f"game {turn.game.id} is at revision {turn.game.revision}")


class TooManyMoves(ServiceError):
    """The game is longer than any that is kept."""
