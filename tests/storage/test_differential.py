"""Both stores do the same, whatever is asked of them in whatever order: their answers and all they keep.

What a verb leaves open (which of several that are due comes first) is compared as what it promises.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.storage import (
    BoardQuery,
    Challenge,
    DailyChannel,
    DailyResult,
    Entrant,
    LiveTable,
    NewGame,
    Settings,
    Stale,
    Status,
    Store,
    StoredGame,
    StoreError,
    Taken,
    open_store,
)
from bot.storage.moving import End, source_at
from bot.storage.tables import NUMBERED, TABLES
from tests.postgres import schema
from tests.storage.conftest import mark_of

LARGEST = 2**63 - 1

# Few of each, so that they meet.
users = st.sampled_from((1, 2, 3, LARGEST))
servers = st.sampled_from((5, 6, LARGEST))
days = st.sampled_from(("2026-12-30", "2026-12-31", "2027-01-01"))
spans = st.one_of(st.just(("", "")), st.tuples(days, days))
times = st.one_of(st.integers(0, 3).map(lambda number: number * 60_000), st.sampled_from((0, LARGEST)))
scores = st.integers(-2, 4)
limits = st.sampled_from((0, 1, 2, 100))
statuses = st.sampled_from(Status)
places = st.integers(0, 5)  # in a list of what was made; the last one where it is shorter
# Whoever presses a button can send any number for a game or a challenge.
strange_ids = st.sampled_from(
    (0, -1, 2**31, 2**32 + 1, LARGEST, LARGEST + 1, 10**30, -LARGEST - 1, -LARGEST - 2)
)
texts = st.one_of(
    st.sampled_from(("", "a", "A", "å", "Z", "_", "%", "\\", "'", "a b", "ab", " ", "\N{FLUSHED FACE}")),
    st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), max_size=5),
)
any_texts = st.one_of(texts, st.sampled_from(("\0", "a\0b", "\ud800", "x" * 10_000)))
games_and_rules = st.sampled_from((("acesup", "standard"), ("acesup", "Standard"), ("klondike", "d1")))
seeds = st.sampled_from(("1", "24", "%25", "%F0%9F%82%A1", "_", "1/2", "standard", "é"))
deals = st.tuples(games_and_rules, seeds).map(lambda parts: "/".join((*parts[0], parts[1])))
moves = st.sampled_from(("", " s-w", " s-t s-t", " 1-2 3-4x2 s-w"))
undone = st.sampled_from(("", "s-t", "s-t s-w"))
all_settings = st.builds(
    Settings, st.sampled_from(("", "en-GB", "no")), *(st.booleans() for _ in range(6))
)


@dataclass
class Twins:
    """Two stores to which the same is done, and what was made in them."""

    stores: Sequence[Store]
    games: list[StoredGame] = field(default_factory=list)  # in each revision that was ever answered
    challenges: list[Challenge] = field(default_factory=list)

    async def do(
        self, ask: Callable[[Store], Coroutine[Any, Any, Any]], seen: Callable[[Any], Any] = lambda all_: all_
    ) -> Any:
        """Do something with both, and see that the same comes of it; return that, or None where it failed."""
        first, second = [await _outcome(ask(store)) for store in self.stores]
        assert _compared(first, seen) == _compared(second, seen)
        return None if isinstance(first, Exception) else first

    async def note(self, game: StoredGame | None) -> None:
        if game is not None:
            self.games.append(game)

    def game(self, place: int) -> StoredGame:
        """One of those that were made; one that nobody made, where there is none."""
        if not self.games:
            return StoredGame(1, 1, "acesup/standard/1", "", 0, Status.PLAYING, 0, 1, 0, 0)
        return self.games[min(place, len(self.games) - 1)]

    def challenge_id(self, place: int) -> int:
        return self.challenges[min(place, len(self.challenges) - 1)].id if self.challenges else 1


async def _outcome(asked: Coroutine[Any, Any, Any]) -> Any:
    try:
        return await asked
    except (Stale, Taken, StoreError, ValueError) as error:
        return error


def _compared(outcome: Any, seen: Callable[[Any], Any]) -> Any:
    return type(outcome) if isinstance(outcome, Exception) else seen(outcome)


Step = Callable[[Twins], Coroutine[Any, Any, None]]


def asked(verb: str, *given: st.SearchStrategy[Any], seen: Callable[[Any], Any] = lambda all_: all_) -> Any:
    """Steps that ask a verb with these values."""

    def step(values: tuple[Any, ...]) -> Step:
        async def go(twins: Twins) -> None:
            await twins.do(lambda store: getattr(store, verb)(*values), seen)

        go.__qualname__ = f"{verb}{values}"
        return go

    return st.tuples(*given).map(step)


def about_a_game(verb: str, *given: st.SearchStrategy[Any]) -> Any:
    """Steps that ask a verb about a game by its id, one that was made or a strange one."""

    def step(values: tuple[Any, ...]) -> Step:
        async def go(twins: Twins) -> None:
            which, strange, *others = values
            game_id = twins.game(which).id if strange is None else strange
            await twins.do(lambda store: getattr(store, verb)(game_id, *others))

        go.__qualname__ = f"{verb} of game {values}"
        return go

    return st.tuples(places, st.none() | strange_ids, *given).map(step)


@st.composite
def dealt(draw: st.DrawFn) -> Step:
    day = draw(st.just("") | days)
    owner_id = draw(users)
    new = NewGame(
        owner_id,
        draw(deals) + draw(moves),
        draw(statuses),
        draw(scores),
        draw(st.integers(1, 3)),
        draw(times),
        day,
        mark_of(owner_id) if day else "",
        is_copy=draw(st.booleans()),
    )

    async def deal(twins: Twins) -> None:
        await twins.note(await twins.do(lambda store: store.create_game(new)))

    deal.__qualname__ = f"create_game({new})"
    return deal


@st.composite
def saved(draw: st.DrawFn) -> Step:
    """A turn on a game as it once was, which may be stale; it may end a daily game."""
    place, added = draw(places), draw(moves)
    changes: Mapping[str, Any] = {
        "undone": draw(undone),
        "status": draw(statuses),
        "score": draw(scores),
        "request_id": draw(st.integers(1, 3)),
        "updated_ms": draw(times),
        "won_record": draw(st.sampled_from(("", "acesup/standard/1 s-w"))),
    }
    has_result, make_current = draw(st.booleans()), draw(st.booleans())

    async def save(twins: Twins) -> None:
        game = twins.game(-1 - place if len(twins.games) > place else 0)
        after = replace(game, record=game.record + added, **changes)
        result = DailyResult(game.day, game.owner_id, game.id, after.score) if has_result and game.day else None
        await twins.note(
            await twins.do(lambda store: store.save_if_revision(after, result, make_current=make_current))
        )

    save.__qualname__ = f"save_if_revision({place}, {added!r}, {changes}, {has_result}, {make_current})"
    return save


@st.composite
def thinned(draw: st.DrawFn) -> Step:
    place, status, score = draw(places), draw(statuses), draw(scores)

    async def thin(twins: Twins) -> None:
        game = replace(twins.game(place), status=status, score=score)
        await twins.do(lambda store: store.thin(game))

    thin.__qualname__ = f"thin({place}, {status}, {score})"
    return thin


@st.composite
def challenged(draw: st.DrawFn) -> Step:
    entrants = tuple(map(Entrant, draw(st.lists(users, max_size=4))))
    challenge = Challenge(
        0, draw(deals), draw(users), draw(servers), draw(servers), draw(texts), draw(st.booleans()), draw(times),
        entrants,
    )  # fmt: skip

    async def make(twins: Twins) -> None:
        made = await twins.do(lambda store: store.create_challenge(challenge))
        twins.challenges.append(made)

    make.__qualname__ = f"create_challenge({challenge})"
    return make


@st.composite
def joined(draw: st.DrawFn) -> Step:
    place, strange, limit = draw(places), draw(st.none() | strange_ids), draw(limits)
    new = NewGame(draw(users), draw(deals), draw(statuses), draw(scores), draw(st.integers(1, 3)), draw(times))

    async def join(twins: Twins) -> None:
        challenge_id = twins.challenge_id(place) if strange is None else strange
        entry = replace(new, challenge_id=challenge_id)
        await twins.note(await twins.do(lambda store: store.join_challenge(entry, limit)))

    join.__qualname__ = f"join_challenge({place}, {strange}, {new}, {limit})"
    return join


@st.composite
def looked_at_challenge(draw: st.DrawFn) -> Step:
    place, strange = draw(places), draw(st.none() | strange_ids)
    channel_id, message_id = draw(st.none() | servers), draw(servers)

    async def look(twins: Twins) -> None:
        challenge_id = twins.challenge_id(place) if strange is None else strange
        if channel_id is not None:
            await twins.do(lambda store: store.place_challenge(challenge_id, channel_id, message_id))
        await twins.do(lambda store: store.load_challenge(challenge_id))

    look.__qualname__ = f"load_challenge({place}, {strange}, {channel_id}, {message_id})"
    return look


@st.composite
def claimed(draw: st.DrawFn) -> Step:
    """All posts of a day are begun: which comes first is open."""
    day, now_ms = draw(days), draw(st.integers(0, 5)) * 30_000

    async def all_of(store: Store) -> list[DailyChannel]:
        begun = []
        while channel := await store.claim_daily_post(day, now_ms):
            begun.append(channel)
        return sorted(begun, key=lambda channel: channel.server_id)

    async def claim(twins: Twins) -> None:
        await twins.do(all_of)

    claim.__qualname__ = f"claim_daily_post({day!r}, {now_ms})"
    return claim


def days_of(games: Sequence[StoredGame]) -> list[str]:
    """What is promised of unsettled dailies: which of one day come first is open."""
    return [game.day for game in games]


channels = st.builds(
    DailyChannel, servers, servers, texts, users, st.just("") | days, times, st.booleans(), any_texts
)
live_tables = st.builds(LiveTable, servers, servers, any_texts)

steps = st.one_of(
    dealt(),
    dealt(),
    dealt(),
    saved(),
    saved(),
    saved(),
    thinned(),
    about_a_game("load_game"),
    about_a_game("live_table"),
    about_a_game("make_current"),
    about_a_game("place_table", live_tables),
    asked("current_game", users),
    asked("unfinished_games", users, limits),
    asked("count_games"),
    asked("save_settings", users, all_settings),
    asked("load_settings", users),
    asked("remember", any_texts, any_texts),
    asked("remember_once", any_texts, any_texts),
    asked("recall", any_texts),
    asked("daily_game", users, st.just("") | days),
    asked("unsettled_dailies", days, limits, seen=days_of),
    asked("board", st.builds(lambda span, *rest: BoardQuery(*span, *rest), spans, users, st.none() | servers, limits)),
    asked("results_of", users),
    asked("results_after", st.just("") | days, users | strange_ids, limits),
    asked("without_result", strange_ids, limits),
    asked("best_results", days, st.none() | servers),
    asked("enter_server", servers, users),
    asked("leave_server", servers, st.lists(users, max_size=3)),
    asked("unlist", st.lists(users, max_size=3)),
    challenged(),
    joined(),
    looked_at_challenge(),
    asked("challenges_since", users, times),
    asked("challenges_of", users),
    asked("set_daily_channel", channels),
    asked("daily_channel", servers),
    asked("drop_daily_channel", servers),
    claimed(),
    asked("note_daily_post", servers, days, any_texts),
    asked("put_back_daily_post", servers, days),
    asked("played", users),
    asked("game_on_deal", users, deals | any_texts),
    asked("games_of", users, strange_ids, limits),
    asked("tables_of", users),
    asked("servers_of", users),
    asked("channels_chosen_by", users),
    st.tuples(users, days).flatmap(
        lambda who: asked("forget", st.just(who[0]), st.just(who[1]), st.just(mark_of(who[0])))
    ),
    asked("tidy", days),
    asked("untouched_games", times, limits),
    asked("add_winnable", games_and_rules, st.integers(0, 3) | strange_ids, texts),
    asked("winnable_numbers", games_and_rules, limits),
    asked("winnable_line", games_and_rules, st.integers(0, 3) | strange_ids),
    asked("winnable_counts"),
    asked("seeds_had", users, games_and_rules, limits),
)  # fmt: skip


@asynccontextmanager
async def both_stores(postgres_url: str, folder: Path) -> AsyncIterator[tuple[list[Store], list[End]]]:
    """A store of each kind, and what reads all rows of each."""
    async with AsyncExitStack() as stack:
        urls = [f"sqlite:///{folder / 'games.sqlite3'}", await stack.enter_async_context(schema(postgres_url))]
        stores, ends = [], []
        for url in urls:
            store = open_store(url)
            stack.push_async_callback(store.close)
            await store.open()
            end = source_at(url)
            stack.push_async_callback(end.close)
            await end.open()
            stores.append(store)
            ends.append(end)
        yield stores, ends


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


async def all_rows(end: End) -> Any:
    return {table.name: await end.rows(table, None, 1_000_000) for table in TABLES}, await end.numbers()


def compare(postgres_url: str, folder: Path, examples: int, most_steps: int) -> None:
    """Do many sequences of steps to both."""
    with asyncio.Runner() as runner:
        opened = both_stores(postgres_url, folder)
        stores, ends = runner.run(opened.__aenter__())

        async def play(sequence: Sequence[Step]) -> None:
            await empty(stores)
            twins = Twins(stores)
            for step in sequence:
                await step(twins)
            first, second = [await all_rows(end) for end in ends]
            assert first == second

        @settings(
            max_examples=examples,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(st.lists(steps, min_size=most_steps // 2, max_size=most_steps))
        def law(sequence: Sequence[Step]) -> None:
            runner.run(play(sequence))

        try:
            law()
        finally:
            runner.run(opened.__aexit__(None, None, None))


def test_both_stores_answer_alike_and_keep_the_same(postgres_url: str, tmp_path: Path) -> None:
    compare(postgres_url, tmp_path, examples=40, most_steps=40)


@pytest.mark.slow
def test_both_stores_answer_alike_and_keep_the_same_for_long(postgres_url: str, tmp_path: Path) -> None:
    compare(postgres_url, tmp_path, examples=1_000, most_steps=80)
