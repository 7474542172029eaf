"""Both stores do the same, whatever is done to them in whatever order: their answers and all they keep.

What a verb leaves open (which of several that are due comes first) is compared as what it promises.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from bot.storage import (
    AlreadyExists,
    BoardQuery,
    Challenge,
    DailyChannel,
    DailyResult,
    LiveTable,
    NewGame,
    Participant,
    RevisionConflict,
    Settings,
    Status,
    Store,
    StoredGame,
    open_store,
)
from bot.storage.schema import NUMBERED, TABLES
from bot.storage.transfer import Source, source_at
from tests.postgres import schema
from tests.storage.conftest import mark_of

T = TypeVar("T")
Ask = tuple[str, tuple[Any, ...]]  # a verb and what it is given

LARGEST = 2**63 - 1
# Few of each, so that they meet.
USERS = (1, 2, LARGEST)
SERVERS = (5, LARGEST - 1)
DAYS = ("2026-12-30", "2026-12-31")
TIMES = (0, 60_000, 120_000, LARGEST)
LIMITS = (0, 1, 100)
RULE_SETS = (("acesup", "standard"), ("acesup", "Standard"), ("klondike", "d1"))
SEEDS = ("1", "24", "%25", "%F0%9F%82%A1", "_", "standard", "é")
MOVES = ("", " s-w", " s-t s-t", " 1-2 3-4x2 s-w")
STRANGE_IDS = (0, -1, 2**31, 2**32 + 1, LARGEST, -LARGEST - 1)
# Whoever presses a button can send any number for a game or a challenge.
TOO_LARGE = (LARGEST + 1, 2**64, 10**30)
TEXTS = ("", " ", "a", "A", "å", "Z", "_", "%", "\\", "'", "a b", "ab", "\N{FLUSHED FACE}", "x" * 10_000)

texts = st.sampled_from(TEXTS) | st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=5)
flags = st.booleans()


class Twins:
    """Two stores to which the same is done, by values that ``draw`` draws."""

    def __init__(self, stores: Sequence[Store], draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self.games: list[StoredGame] = []  # each in the last revision that was answered
        self.challenges: list[Challenge] = []
        self._stores = stores
        self._draw = draw

    async def do(
        self, verb: str, *values: Any, seen: Callable[[Any], Any] = lambda it: it, **how: Any
    ) -> Any:
        """Do something to both; return what came of it, the same in both, or None where it was refused."""
        first, second = [await _outcome(getattr(store, verb)(*values, **how)) for store in self._stores]
        assert seen(first) == seen(second), (verb, values, how)
        return None if isinstance(first, type) else first

    def one_of(self, values: Sequence[T]) -> T:
        one: T = self._draw(st.sampled_from(values))
        return one

    def some_of(self, values: Sequence[int]) -> list[int]:
        some: list[int] = self._draw(st.lists(st.sampled_from(values), max_size=4))
        return some

    def flag(self) -> bool:
        return bool(self._draw(flags))

    def text(self) -> str:
        return str(self._draw(texts))

    def new_game(self) -> NewGame:
        return NewGame(
            self.one_of(USERS),
            "/".join((*self.one_of(RULE_SETS), self.one_of(SEEDS))) + self.one_of(MOVES),
            self.one_of(list(Status)),
            self.one_of((-1, 0, 1, 52)),
            self.one_of((1, LARGEST)),
            self.one_of(TIMES),
            is_copy=self.flag(),
        )

    async def deal(self) -> None:
        new = self.new_game()
        self._note(await self.do("create_game", replace(new, status=Status.PLAYING)))

    async def deal_daily(self) -> None:
        new = self.new_game()
        mark = mark_of(new.owner_id)
        self._note(await self.do("create_game", replace(new, day=self.one_of(DAYS), day_mark=mark)))

    async def save(self) -> None:
        game = self._game()
        status, score = self.one_of(list(Status)), self.one_of((-1, 0, 1, 52))
        result = None
        if game.day and status is not Status.PLAYING:
            result = DailyResult(game.day, game.owner_id, game.id, score)
        after = replace(
            game,
            record=game.record + self.one_of(MOVES),
            undone=self.one_of(("", "s-t", "s-t s-w")),
            status=status,
            score=score,
            request_id=self.one_of((1, LARGEST)),
            updated_ms=self.one_of(TIMES),
            won_record=self.one_of(("", game.record)),
            revision=game.revision - self.one_of((0, 0, 0, 1)),
        )
        self._note(await self.do("save_if_revision", after, result, make_current=self.flag()))

    async def finish_daily(self) -> None:
        day, user = self.one_of(DAYS), self.one_of(USERS)
        new = replace(self.new_game(), owner_id=user, day=day, day_mark=mark_of(user))
        game = await self.do("create_game", replace(new, status=Status.PLAYING))
        if game is not None:
            after = replace(game, status=Status.OVER, score=self.one_of((0, 1)))
            result = DailyResult(day, user, game.id, after.score)
            self._note(await self.do("save_if_revision", after, result))

    async def compact(self) -> None:
        game = self._game()
        await self.do("compact", replace(game, status=Status.EXPIRED, score=self.one_of((0, 7))))
        self._note(await self.do("load_game", game.id))

    async def make_current(self) -> None:
        await self.do("make_current", self._game_id())

    async def place_table(self) -> None:
        await self.do("place_table", self._game_id(), LiveTable(1, self.one_of(SERVERS), self.text()))

    async def choose(self) -> None:
        chosen = Settings(self.one_of(("", "en-GB")), *(self.flag() for _ in range(6)))
        await self.do("save_settings", self.one_of(USERS), chosen)

    async def change_setting(self) -> None:
        name, value = self.one_of(("is_hidden", "as_text")), self.flag()
        user = self.one_of(USERS)
        await self.do("change_settings", user, lambda chosen: replace(chosen, **{name: value}))

    async def set_value(self) -> None:
        await self.do(self.one_of(("set_value", "set_default")), self.text(), self.text())

    async def enter(self) -> None:
        await self.do("enter_server", self.one_of(SERVERS), self.one_of(USERS))

    async def leave(self) -> None:
        await self.do("leave_server", self.one_of(SERVERS), self.some_of(USERS))

    async def unlist(self) -> None:
        await self.do("unlist", self.some_of(USERS))

    async def challenge(self) -> None:
        new = self.new_game()
        challenge = Challenge(
            id=0,
            deal=new.record,
            creator_id=new.owner_id,
            channel_id=self.one_of(SERVERS),
            message_id=0,
            language=self.text(),
            is_open=self.flag(),
            created_ms=new.now_ms,
            participants=tuple(map(Participant, self.some_of(USERS))),
        )
        self.challenges.append(await self.do("create_challenge", challenge))

    async def join(self) -> None:
        entry = replace(self.new_game(), challenge_id=self._challenge_id())
        self._note(await self.do("join_challenge", entry, self.one_of(LIMITS)))

    async def place_challenge(self) -> None:
        await self.do("place_challenge", self._challenge_id(), self.one_of(SERVERS), self.one_of(SERVERS))

    async def choose_channel(self) -> None:
        day, begun_ms, is_done = self.one_of(("", *DAYS)), self.one_of((0, 180_000, 200_000)), self.flag()
        about = (self.text(), self.one_of(USERS), day, begun_ms, is_done, self.text())
        await self.do("set_daily_channel", DailyChannel(self.one_of(SERVERS), 1, *about))

    async def drop_channel(self) -> None:
        await self.do("drop_daily_channel", self.one_of(SERVERS))

    async def claim(self) -> None:
        """Begin all posts that are due: which of them comes first is open."""
        day, now_ms = self.one_of(DAYS), self.one_of((200_000, 220_000, 240_000, 320_001))

        async def all_of(store: Store) -> list[DailyChannel]:
            begun = []
            while channel := await store.claim_daily_post(day, now_ms):
                begun.append(channel)
            return sorted(begun, key=lambda channel: channel.server_id)

        first, second = [await all_of(store) for store in self._stores]
        assert first == second, (day, now_ms)

    async def note_post(self) -> None:
        await self.do("note_daily_post", self.one_of(SERVERS), self.one_of(DAYS), self.text())

    async def put_back_post(self) -> None:
        await self.do("put_back_daily_post", self.one_of(SERVERS), self.one_of(DAYS))

    async def forget(self) -> None:
        user = self.one_of(USERS)
        await self.do("forget", user, self.one_of(DAYS), mark_of(user))

    async def purge(self) -> None:
        await self.do("purge", self.one_of(DAYS))

    async def add_winnable(self) -> None:
        number = self.one_of((1, 2, *STRANGE_IDS))
        await self.do("add_winnable", self.one_of(RULE_SETS), number, self.text())

    async def look(self) -> None:
        """Ask everything that can be asked."""
        for verb, values in questions(self.games, self.challenges):
            await self.do(verb, *values)
        for day, limit in product(DAYS, LIMITS):  # which of one day come first is open
            await self.do("unsettled_dailies", day, limit, seen=lambda games: [game.day for game in games])

    def _note(self, game: StoredGame | None) -> None:
        if game is not None:
            self.games = [*(other for other in self.games if other.id != game.id), game]

    def _game(self) -> StoredGame:
        nobodys = StoredGame(9_999, 1, "acesup/standard/1", "", 0, Status.PLAYING, 0, 1, 0, 0)
        return self.one_of(self.games or [nobodys])

    def _game_id(self) -> int:
        return self.one_of([*(game.id for game in self.games), *STRANGE_IDS])

    def _challenge_id(self) -> int:
        ids = [challenge.id for challenge in self.challenges]
        return self.one_of([*ids, *ids, *ids, *STRANGE_IDS])


STEPS: Sequence[Callable[[Twins], Awaitable[None]]] = (
    *(Twins.deal, Twins.deal_daily, Twins.save, Twins.save, Twins.save),
    *(Twins.finish_daily, Twins.finish_daily, Twins.finish_daily),
    *(
        Twins.compact,
        Twins.make_current,
        Twins.place_table,
        Twins.choose,
        Twins.change_setting,
        Twins.set_value,
    ),
    *(Twins.enter, Twins.enter, Twins.leave, Twins.unlist),
    *(Twins.challenge, Twins.join, Twins.join, Twins.place_challenge),
    *(Twins.choose_channel, Twins.claim, Twins.note_post, Twins.put_back_post, Twins.drop_channel),
    *(Twins.forget, Twins.purge, Twins.add_winnable),
)


async def _outcome(asked: Awaitable[Any]) -> Any:
    try:
        return await asked
    except (RevisionConflict, AlreadyExists) as refusal:
        return type(refusal)


def questions(games: Sequence[StoredGame], challenges: Sequence[Challenge]) -> Iterator[Ask]:
    """Yield every question, about all that there is and some that there is not."""
    yield "count_games", ()
    yield "winnable_counts", ()
    for number in (*STRANGE_IDS, *TOO_LARGE):
        yield from (("load_game", (number,)), ("load_challenge", (number,)))
    for challenge in challenges:
        yield "load_challenge", (challenge.id,)
    for number in (*STRANGE_IDS, *(game.id for game in games)):
        yield from (("load_game", (number,)), ("live_table", (number,)))
    for text in TEXTS:
        yield from (("get_value", (text,)), ("game_on_deal", (1, text)))
    for server in SERVERS:
        yield "daily_channel", (server,)
    for after, limit in product((-1, 1, LARGEST), LIMITS):
        yield "without_result", (after, limit)
    for time, limit in product(TIMES, LIMITS):
        yield "untouched_games", (time, limit)
    for rule_set, limit in product(RULE_SETS, LIMITS):
        yield "winnable_numbers", (rule_set, limit)
        yield "winnable_line", (rule_set, limit)  # the limits are numbers of deals, too
    for day, place in product(DAYS, (None, *SERVERS)):
        yield "best_results", (day, place)
    yield from _questions_of_users(games)


def _questions_of_users(games: Sequence[StoredGame]) -> Iterator[Ask]:
    spans = (("", ""), (DAYS[0], DAYS[0]), DAYS, DAYS[::-1])
    for user in USERS:
        for verb in ("current_game", "load_settings", "results_of", "challenges_of", "played", "tables_of"):
            yield verb, (user,)
        yield from (("servers_of", (user,)), ("channels_chosen_by", (user,)))
        yield from (("challenges_since", (user, time)) for time in TIMES)
        yield from (("daily_game", (user, day)) for day in ("", *DAYS))
        yield from (("unfinished_games", (user, limit)) for limit in LIMITS)
        yield from (("games_of", (user, after, limit)) for after, limit in product((-1, 2), LIMITS))
        yield from (("seeds_had", (user, rule_set, 3)) for rule_set in RULE_SETS)
        yield from (("game_on_deal", (user, game.record.partition(" ")[0])) for game in games)
        yield from (("results_after", (day, user, limit)) for day, limit in product(DAYS, LIMITS))
        for (first, last), server in product(spans, (None, SERVERS[0])):
            yield "board", (BoardQuery(first, last, user, server, limit=2),)


@asynccontextmanager
async def both_stores(postgres_url: str, folder: Path) -> AsyncIterator[tuple[list[Store], list[Source]]]:
    """A store of each kind, and what reads all rows of each."""
    async with AsyncExitStack() as stack:
        urls = [
            f"sqlite:///{folder / 'games.sqlite3'}",
            await stack.enter_async_context(schema(postgres_url)),
        ]
        stores, sources = [], []
        for url in urls:
            store = open_store(url)
            stack.push_async_callback(store.close)
            await store.open()
            source = source_at(url)
            stack.push_async_callback(source.close)
            await source.open()
            stores.append(store)
            sources.append(source)
        yield stores, sources


async def empty(stores: Sequence[Any]) -> None:
    """Make both what they were when they were new."""
    sqlite, postgres = stores
    names = [table.name for table in reversed(TABLES)]
    async with sqlite._transaction() as db:
        for name in names:
            await db.execute(f"DELETE FROM {name}")
        await db.execute("UPDATE counters SET value = 0")
    restart = "".join(f"ALTER SEQUENCE {name} RESTART;" for name in NUMBERED.values())
    await postgres._do("".join(f"DELETE FROM {name};" for name in names) + restart)


async def all_rows(source: Source) -> Any:
    await source.take_snapshot()
    try:
        rows = {table.name: await source.rows(table, None, 1_000_000) for table in TABLES}
        return rows, await source.numbers()
    finally:
        await source.let_go()


def compare(postgres_url: str, folder: Path, examples: int, steps: int) -> None:
    """Do many sequences of steps to both."""
    with asyncio.Runner() as runner:
        opened = both_stores(postgres_url, folder)
        stores, sources = runner.run(opened.__aenter__())

        async def play(draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
            await empty(stores)
            twins = Twins(stores, draw)
            for _ in range(steps):
                await draw(st.sampled_from(STEPS))(twins)
            first, second = [await all_rows(source) for source in sources]
            assert first == second
            await twins.look()

        @settings(
            max_examples=examples,
            deadline=None,
            database=None,
            phases=[Phase.generate],  # what is shortest would be looked for by thousands of transactions
            suppress_health_check=list(HealthCheck),
        )
        @given(st.data())
        def law(data: st.DataObject) -> None:
            runner.run(play(data.draw))

        try:
            law()
        finally:
            runner.run(opened.__aexit__(None, None, None))


def test_both_stores_answer_alike_and_keep_the_same(postgres_url: str, tmp_path: Path) -> None:
    compare(postgres_url, tmp_path, examples=16, steps=60)


@pytest.mark.slow
def test_both_stores_answer_alike_and_keep_the_same_for_long(postgres_url: str, tmp_path: Path) -> None:
    compare(postgres_url, tmp_path, examples=150, steps=60)
