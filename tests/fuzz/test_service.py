"""Any request to the service, over a real store, is a turn, or a known error without a change."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from bot.service import Request, ServiceError, Services
from bot.service.daily.boards import PERIODS
from bot.storage import NewGame, SqliteStore, StoredGame
from engine import GAMES, Game, Record, SolitaireError, find_game, replay
from tests.discord_app.playing import NOW_MS
from tests.discord_app.pressing import STATUS
from tests.fuzz.test_engine import MOVES, RECORD_PATTERN, RULES, SEEDS, records
from tests.fuzz.texts import counts, fuzz, hostile

ASKS_A_GAME = 15  # texts after which the next user continues
ODD_NUMBERS = (0, 1, 2**31, 2**63 - 1, 2**63, 2**64, 10**30, -1)


class House:
    """The services over a store in memory, in a loop of its own, and users who hold games."""

    def __init__(self) -> None:
        self._runner = asyncio.Runner()
        self.store = SqliteStore(":memory:")
        self.services = Services.over(self.store, lambda: NOW_MS, ZoneInfo("Pacific/Kiritimati"))
        self.run(self.store.open())
        self._ids = itertools.count(1)
        self._records = itertools.cycle(records())
        self.user_id = 0

    def run(self, coroutine: Any) -> Any:
        return self._runner.run(coroutine)

    def close(self) -> None:
        self.run(self.store.close())
        self._runner.close()

    def request(self, **about: int) -> Request:
        return Request(self.user_id, next(self._ids), **about)

    def next_user(self) -> None:
        record = Record.parse(next(self._records))
        game, state = find_game(record.game), replay(record)
        self.user_id = 1_000_000 + next(self._ids)
        status, score = STATUS[game.outcome(state)], game.score(state)
        self.run(self.store.create_game(NewGame(self.user_id, str(record), status, score, 0, NOW_MS)))

    def game(self) -> StoredGame:
        game: StoredGame = self.run(self.store.current_game(self.user_id))
        return game

    def ask(self, asked: Any) -> bool:
        """Return whether it is done; a refusal must be a known error, and change nothing."""
        before = self.game()
        try:
            self.run(asked)
        except (ServiceError, SolitaireError):
            assert self.game() == before
            return False
        after = self.game()
        record = Record.parse(after.record)
        assert find_game(record.game).score(replay(record)) == after.score
        return True


@pytest.fixture
def house() -> Iterator[House]:
    house = House()
    yield house
    house.close()


@pytest.mark.parametrize("count", counts("played"))
def test_any_text_is_a_move_that_is_made_or_a_fault_that_changes_nothing(house: House, count: int) -> None:
    play = house.services.games
    number = itertools.count()

    def check(text: str) -> None:
        turn = next(number)
        if turn % ASKS_A_GAME == 0:
            house.next_user()
        house.ask(play.move(house.request(), text) if turn % 4 else play.discard(house.request(), text))

    fuzz(check, hostile(*MOVES, pattern=r"[1-7swcf]{1,2} ?[1-7dfwtc](?: [2-9])?"), count)


@pytest.mark.parametrize("count", counts("asked"))
def test_any_text_is_a_deal_a_day_a_challenge_or_a_fault_that_changes_nothing(
    house: House, count: int
) -> None:
    play, boards, challenges = house.services.games, house.services.boards, house.services.challenges
    numbers = itertools.cycle(ODD_NUMBERS)
    turns = itertools.count()

    async def day(text: str) -> None:
        await boards.view(house.user_id, None, boards.period(text))

    def check(text: str) -> None:
        turn = next(turns)
        if turn % ASKS_A_GAME == 0:
            house.next_user()
        game = (None, "klondike", "acesup", text)[turn % 4]
        odd = next(numbers)
        asks = (
            lambda: play.new_by_code(house.request(), text),
            lambda: play.new(house.request(), game=game, seed=text),
            lambda: play.new(house.request(), game=game, rules=text),
            lambda: day(text),
            lambda: challenges.create(house.user_id, [], seed=text, language="en"),
            lambda: challenges.create(house.user_id, [1], rules=text, seed=text, language="en"),
            lambda: play.resume(house.request(game_id=odd)),
            lambda: play.move(house.request(game_id=odd, revision=odd), text),
            lambda: play.deal_same(house.request(game_id=odd)),
            lambda: challenges.play(house.request(), odd),
        )
        house.ask(asks[turn % len(asks)]())

    texts = (*SEEDS, *RULES, *PERIODS, *records(), "2026-01-01", "1. 1. 2026", "0001-01-01", "9999-12-31")
    fuzz(check, hostile(*texts, pattern=RECORD_PATTERN), count, known=texts)


@contextmanager
def counted_steps(patch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Count how often a game was asked to make a move."""
    steps = [0]
    for game in GAMES.values():
        original = type(game)._apply

        def apply(self: Game[Any, Any], state: Any, move: Any, original: Any = original) -> Any:
            steps[0] += 1
            return original(self, state, move)

        patch.setattr(type(game), "_apply", apply)
    yield steps


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ("klondike/d1/42", "s-w " * 24 + "w-s "),
        ("klondike/d3/42", "s-w " * 8 + "w-s "),
        ("acesup/standard/42", "s-t "),
        ("klondike/d1r/1", "x "),
        ("klondike/d1r/1", "1-1 "),
    ],
    ids=["draws", "draws of three", "deals", "no moves", "illegal moves"],
)
def test_a_code_as_long_as_discord_lets_it_be_costs_a_few_steps_a_move(
    house: House, monkeypatch: pytest.MonkeyPatch, head: str, words: str
) -> None:
    house.next_user()
    text = (f"{head} " + words * 6000)[:6000]
    with counted_steps(monkeypatch) as steps:
        house.ask(house.services.games.new_by_code(house.request(), text))
    assert steps[0] <= 3 * len(text.split()) + 200


def test_what_is_refused_for_its_first_word_costs_no_step(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.next_user()
    with counted_steps(monkeypatch) as steps:
        for text in (
            "klondike/d1/42 " + "x" * 5900,
            "klondike/d9/42 " + "s-w " * 1400,
            "/" * 6000,
            "`" * 6000,
        ):
            assert not house.ask(house.services.games.new_by_code(house.request(), text))
    assert steps[0] == 0
