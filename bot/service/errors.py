"""What can go wrong between a user and the rules.

An error knows the key of its message in the language files and the facts that the message needs, so a new
kind of failure is a class here and a line in each language file. ``bot.text.failures`` says how facts become
words.
"""

from __future__ import annotations

from typing import ClassVar

from bot.service.turn import Turn
from engine import IllegalMove, Move, MoveSyntaxError, Table

Fact = str | int | bool | tuple[str, ...] | IllegalMove | MoveSyntaxError

TYPED_MAX_CHARACTERS = 100  # of a user's own text; errors carry no more


class ServiceError(Exception):
    """Root of this package's errors. ``key`` names the message, ``facts`` are its arguments."""

    key: ClassVar[str]

    def __init__(self, **facts: Fact) -> None:
        self.facts = facts
        super().__init__(", ".join(f"{name}={fact}" for name, fact in facts.items()))


# Games


class NoGame(ServiceError):
    """The user has no game yet."""

    key = "fault-no-game"


class NoSuchGame(ServiceError):
    """There is no game of that id."""

    key = "fault-no-such-game"


class NotYours(ServiceError):
    """The game is somebody else's; ``turn`` is how it stands."""

    key = "fault-not-yours"

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        super().__init__()


class StaleTable(ServiceError):
    """The game has moved on from the table that the user saw; ``turn`` is how it stands now."""

    key = "fault-stale"

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        super().__init__()


class Finished(ServiceError):
    """The game has ended, so this can't be done in it."""

    key = "fault-finished"


class NotFinished(ServiceError):
    """The game has not ended."""

    key = "fault-not-finished"


class NotInContest(ServiceError):
    """Daily games and challenges are played without this help."""

    key = "fault-not-in-contest"


class TooManyMoves(ServiceError):
    """The game has as many moves as a game may have."""

    key = "fault-too-many-moves"


class NoTarget(ServiceError):
    """A move has a source and no target."""

    key = "fault-move-target"


class NothingToUndo(ServiceError):
    """The game stands at its deal."""

    key = "fault-nothing-to-undo"


class NothingToRedo(ServiceError):
    """No move was undone, or another one was played since."""

    key = "fault-nothing-to-redo"


class NothingToDiscard(ServiceError):
    """No discard is possible."""

    key = "fault-nothing-to-discard"


class ChooseDiscard(ServiceError):
    """Several discards are possible and the user named none: ``moves``, on ``table``."""

    key = "fault-choose-discard"

    def __init__(self, table: Table, moves: tuple[Move, ...]) -> None:
        self.table = table
        self.moves = moves
        super().__init__()


class NothingToFinish(ServiceError):
    """The game is not certain to be won by playing it out."""

    key = "fault-nothing-to-finish"


# New games


class CodeAlone(ServiceError):
    """A code says everything about a deal, but came with a game, rules or a seed."""

    key = "fault-code-alone"


class SeedWithWinnable(ServiceError):
    """A seed or a code names one deal, but came with the wish for a winnable one."""

    key = "fault-certain-deal"


class NoWinnable(ServiceError):
    """No winnable deal of the rules is known yet.

    :param presets: rules of the game of which winnable deals are known.
    :param is_looked_for: whether one of these rules is looked for from now on.
    """

    key = "fault-no-winnable"

    def __init__(self, presets: tuple[str, ...], *, is_looked_for: bool) -> None:
        super().__init__(rules=presets, looks=is_looked_for)


class BadMoveInCode(ServiceError):
    """Move ``number`` of a pasted game, counted from 1, can't be played; ``cause`` says why."""

    key = "fault-code-move"

    def __init__(self, number: int, text: str, cause: MoveSyntaxError | IllegalMove) -> None:
        super().__init__(number=number, move=text[:TYPED_MAX_CHARACTERS], why=cause)


class TooManyMovesInCode(ServiceError):
    """A pasted game has more moves than ``limit``."""

    key = "fault-code-too-many-moves"

    def __init__(self, limit: int) -> None:
        super().__init__(limit=limit)


# The daily game, boards and statistics


class DailyFirst(ServiceError):
    """The seed is that of a daily game which the user has not finished."""

    key = "fault-daily-first"


class DailyAlreadyPlayed(ServiceError):
    """The user had today's attempt and asked to be forgotten since; the day ends at ``ends_ms``."""

    key = "fault-daily-spent"

    def __init__(self, ends_ms: int) -> None:
        super().__init__(time_ms=ends_ms)


class BadDay(ServiceError):
    """``text`` is no day, or one that is yet to come."""

    key = "fault-bad-day"

    def __init__(self, text: str) -> None:
        super().__init__(text=text[:TYPED_MAX_CHARACTERS])


class NoServer(ServiceError):
    """What is asked for belongs to a server, and this is a direct message."""

    key = "fault-no-server"


class HiddenPlayer(ServiceError):
    """The player hides from others."""

    key = "fault-hidden-player"


# Contests: daily games and challenges


class ShareLater(ServiceError):
    """Telling others of the game would spoil a contest that is still going."""

    key = "fault-share-later"

    def __init__(self, *, is_daily: bool) -> None:
        super().__init__(contest=_contest(is_daily=is_daily))


class AnalyseLater(ServiceError):
    """Others still play the cards that an analysis would give away."""

    key = "fault-analyse-later"

    def __init__(self, *, is_daily: bool) -> None:
        super().__init__(contest=_contest(is_daily=is_daily))


def _contest(*, is_daily: bool) -> str:
    return "daily" if is_daily else "challenge"


class NoSuchChallenge(ServiceError):
    """There is no challenge of that id."""

    key = "fault-no-such-challenge"


class NotInvited(ServiceError):
    """The challenge is for other players, who were named."""

    key = "fault-not-invited"


class ChallengeFull(ServiceError):
    """The challenge has as many players as it can."""

    key = "fault-challenge-full"


class ChallengeClosed(ServiceError):
    """The time to join the challenge is over."""

    key = "fault-challenge-closed"


class NoPlayer(ServiceError):
    """A bot was challenged."""

    key = "fault-no-player"


class NobodyElse(ServiceError):
    """The user named nobody but themselves."""

    key = "fault-nobody-else"


class OwnGameFirst(ServiceError):
    """The user's own game must end before it is compared."""

    key = "fault-own-game-first"


class NothingToCompare(ServiceError):
    """The other player has no ended game of that deal that the user may see."""

    key = "fault-nothing-to-compare"


# Solvers


class NotWorkedOut(ServiceError):
    """The solver has no answer in time."""

    key = "analysis-unknown"


class NothingBetter(ServiceError):
    """No better game of the deal is known."""

    key = "replay-no-best"


# Load


class TryLater(ServiceError):
    """Root of the errors by which users are asked to wait.

    ``is_told`` is False where the same user was told such a thing a moment ago.
    """

    def __init__(self, *, is_told: bool, **facts: Fact) -> None:
        self.is_told = is_told
        super().__init__(**facts)


class TooFast(TryLater):
    """The user has asked for too much, and can go on at ``until_ms``."""

    key = "fault-too-fast"

    def __init__(self, until_ms: int, *, is_told: bool) -> None:
        self.until_ms = until_ms
        super().__init__(is_told=is_told, time_ms=until_ms)


class StillBusy(TryLater):
    """Something expensive, ``work``, is still being done for the user."""

    key = "fault-busy"

    def __init__(self, work: str, *, is_told: bool) -> None:
        super().__init__(is_told=is_told, work=work)


class ManyWaiting(TryLater):
    """So many requests wait that an answer would come too late."""

    key = "fault-many-waiting"
